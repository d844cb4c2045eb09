"""The rows of the published reference designs come out of parameters alone.

Facts: data/architectures.json; each case is the id of its row there.
"""

import json
from pathlib import Path

import pytest

from designer.catalog.catalog import Catalog, load
from designer.model.design import Design
from designer.model.operations import set_settings
from designer.topologies import fat_tree, rail_optimized
from designer.topologies.fat_tree import FatTreeParameters
from designer.topologies.rail_optimized import RailOptimizedParameters
from designer.validation.engine import validate
from designer.validation.findings import Severity

FACTS = json.loads((Path(__file__).parent / "data" / "architectures.json").read_text(encoding="utf-8"))
ROWS = {row["id"]: row for row in FACTS["rows"]}

RAIL_OPTIMIZED = {
    "dgx-superpod-h100-1su": RailOptimizedParameters(servers=31, servers_per_su=32, reserve_leaf_ports=4),
    "dgx-superpod-h100-3su": RailOptimizedParameters(servers=95, servers_per_su=32, reserve_leaf_ports=4),
    "dgx-superpod-h100-4su": RailOptimizedParameters(servers=127, servers_per_su=32, reserve_leaf_ports=4),
    "dgx-superpod-b200-2su": RailOptimizedParameters(server="dgx-b200", servers=64),
    "dgx-superpod-b200-4su": RailOptimizedParameters(server="dgx-b200", servers=128),
    "dgx-superpod-b200-8su": RailOptimizedParameters(server="dgx-b200", servers=256),
    "dgx-superpod-a100-4su": RailOptimizedParameters(switch="nvidia-qm8790", server="dgx-a100", servers=80),
    "dgx-superpod-b200-16su": RailOptimizedParameters(server="dgx-b200", servers=512),
    "alibaba-hpn7-pod": RailOptimizedParameters(
        switch="nvidia-sn5600",
        server="generic-server-8x2x200g",
        servers=1920,
        servers_per_su=128,
        planes=2,
        oversubscription=1.067,
        link_rate_gbps=400.0,
        tiers="3",
        spine_oversubscription=15.0,
        spine_groups="common",
    ),
    "alibaba-hpn7-segment": RailOptimizedParameters(
        switch="nvidia-sn5600",
        server="generic-server-8x2x200g",
        servers=128,
        planes=2,
        rail_only=True,
        oversubscription=1.067,
    ),
    "rail-only-128": RailOptimizedParameters(
        switch="generic-switch-128x400g", server="hgx-h100-oem", servers=128, rail_only=True
    ),
    "gaudi2-pod-16": RailOptimizedParameters(
        switch="generic-switch-128x100g", server="generic-server-8x3x100g", servers=16, rails=3, rail_only=True
    ),
    "dgx-superpod-gb200-1su": RailOptimizedParameters(server="generic-server-72x1x400g", servers=8, rails=4),
}
FAT_TREES = {
    "two-level-64": FatTreeParameters(servers=256),
    "two-level-128": FatTreeParameters(switch="nvidia-sn5600", servers=1024),
    "dgx-basepod-4": FatTreeParameters(servers=4, tiers="1", planes=2, inter_leaf_links=16),
    "meta-24k-roce": FatTreeParameters(
        switch="generic-switch-32x400g",
        spine_switch="generic-switch-220x400g",
        core_switch="generic-switch-512x400g",
        server="hgx-h100-oem",
        servers=3072,
        tiers="3",
        spine_oversubscription=7.0,
    ),
}


ONE_NIC_A_GPU_OF_SEVERAL_PORTS = ("alibaba-hpn7-pod", "alibaba-hpn7-segment", "gaudi2-pod-16")
"""Generic servers have one NIC a GPU; the Gaudi row counts ports as NICs."""


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return load()


def built(family, parameters, catalog: Catalog) -> Design:
    design = Design()
    design.apply(family.build(design, parameters, catalog))
    return design


def links_between(design: Design, below: str, above: str) -> int:
    roles = {device.id: device.role or "server" for device in design.devices.values()}
    joined = [(roles[link.a.device_id], roles[link.b.device_id]) for link in design.links.values()]
    return joined.count((below, above))


def with_role(design: Design, role: str) -> int:
    return sum(1 for device in design.devices.values() if device.role == role)


@pytest.mark.parametrize("row_id", [*RAIL_OPTIMIZED, *FAT_TREES])
def test_a_published_design_comes_out_as_published(row_id, catalog):
    row = ROWS[row_id]
    if row_id in RAIL_OPTIMIZED:
        family, parameters = rail_optimized, RAIL_OPTIMIZED[row_id]
    else:
        family, parameters = fat_tree, FAT_TREES[row_id]
    counts = family.counts(parameters, catalog)
    design = built(family, parameters, catalog)
    ufm = row.get("extra", {}).get("ufm_links", 0)

    assert counts.servers == len(design.servers()) == row["nodes"]
    assert counts.endpoints == row["gpus"]
    per_nic = row.get("extra", {}).get("nic_ports", row.get("extra", {}).get("scale_out_ports", 1))
    assert counts.nics == len(design.modules)
    if row_id in ONE_NIC_A_GPU_OF_SEVERAL_PORTS:
        assert counts.nics == row["gpus"]
    else:
        assert counts.nics == row["nodes"] * row["nics_per_node"]
        assert per_nic == 1
    # None is what has not been published.
    for role in ("leaf", "spine", "core"):
        assert counts.switches.get(role, 0) == with_role(design, role)
        if row.get(role) is not None:
            assert counts.switches.get(role, 0) == row[role], role
    assert counts.links["server-leaf"] == links_between(design, "server", "leaf") == row["links"]["node_leaf"] - ufm
    for below, above in (("leaf", "spine"), ("spine", "core")):
        number = links_between(design, below, above)
        assert counts.links.get(f"{below}-{above}", 0) == number
        if row["links"].get(f"{below}_{above}") is not None:
            assert number == row["links"][f"{below}_{above}"]
    assert links_between(design, "leaf", "leaf") == row["links"].get("inter_leaf", 0)
    assert sum(len(device.reserved_ports) for device in design.devices.values()) == ufm
    design.apply(set_settings(design, oversubscription_limit=parameters.oversubscription))
    assert not [finding for finding in validate(design).findings if finding.severity is Severity.ERROR]


@pytest.mark.parametrize("row_id", sorted(set(ROWS) - {"juniper-stripe-64"}))
def test_every_row_kept_here_is_built(row_id):
    assert row_id in RAIL_OPTIMIZED or row_id in FAT_TREES


def test_a_juniper_stripe_has_one_64_port_leaf_a_rail(catalog):
    """Row juniper-stripe-64: its spines are not published, its leafs and links are."""
    row = ROWS["juniper-stripe-64"]
    parameters = RailOptimizedParameters(switch="generic-switch-64x400g", server="hgx-h100-oem", servers=row["nodes"])
    counts = rail_optimized.counts(parameters, catalog)
    assert counts.switches["leaf"] == row["leaf"]
    assert counts.links == {"server-leaf": row["links"]["node_leaf"], "leaf-spine": row["links"]["leaf_spine"]}
    assert counts.endpoints == row["gpus"]


@pytest.mark.parametrize("example", FACTS["two_level"]["examples"], ids=lambda example: f"radix-{example['radix']}")
def test_the_two_level_formula_holds_at_the_largest_fat_tree(example, catalog):
    """Formula two_level: r leafs of r / 2 hosts under r / 2 spines."""
    radix = example["radix"]
    parameters = FatTreeParameters(
        switch=f"generic-switch-{radix}x400g", server="generic-host", servers=example["hosts"], racks="none"
    )
    counts = fat_tree.counts(parameters, catalog)
    assert counts.switches == {"leaf": example["leaf"], "spine": example["spine"]}
    assert sum(counts.switches.values()) == example["switches"]
    assert counts.links["leaf-spine"] == example["leaf_spine_links"]


@pytest.mark.parametrize(("radix", "oversubscription"), [(48, 2.0), (64, 3.0), (64, 2.0), (40, 1.5), (36, 5.0)])
def test_the_two_level_formula_holds_with_oversubscription(radix, oversubscription, catalog):
    """Formula two_level: d = floor(r * o / (o + 1)), r * d hosts at the maximum, r - d spines."""
    down = int(radix * oversubscription / (oversubscription + 1) + 1e-9)
    parameters = FatTreeParameters(
        switch=f"generic-switch-{radix}x100g",
        server="generic-host",
        servers=radix * down,
        oversubscription=oversubscription,
    )
    assert fat_tree.counts(parameters, catalog).switches == {"leaf": radix, "spine": radix - down}
