"""The rows of the published reference designs come out of presets alone.

Facts: data/architectures.json; each case is the id of its row there.
"""

import json
from pathlib import Path

import pytest

from designer.analysis.oversubscription import by_tier
from designer.analysis.survey import survey
from designer.catalog.catalog import Catalog
from designer.model.design import Design
from designer.model.policies import set_limits
from designer.topologies import fat_tree, rail_optimized
from designer.topologies.fat_tree import FatTreeParameters
from designer.topologies.presets import parameters_of, presets
from designer.topologies.rail_optimized import RailOptimizedParameters
from designer.validation.engine import validate
from designer.validation.findings import Severity

FACTS = json.loads((Path(__file__).parent / "data" / "architectures.json").read_text(encoding="utf-8"))
ROWS = {row["id"]: row for row in FACTS["rows"]}

PRESETS = {one.id: parameters_of(one) for one in presets() if one.id in ROWS}
RAIL_OPTIMIZED = {one: made for one, made in PRESETS.items() if isinstance(made, RailOptimizedParameters)}
FAT_TREES = {one: made for one, made in PRESETS.items() if isinstance(made, FatTreeParameters)}
RAIL_OPTIMIZED.pop("juniper-stripe-64")  # its spines are not published: a test of its own


ONE_NIC_A_GPU_OF_SEVERAL_PORTS = ("alibaba-hpn7-pod", "alibaba-hpn7-segment", "gaudi2-pod-16")
"""Generic servers have one NIC a GPU; the Gaudi row counts ports as NICs."""


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
    design.apply(set_limits(design, leaf_oversubscription=parameters.oversubscription))
    over = by_tier(survey(design))
    design.apply(set_limits(design, spine_oversubscription=max(1.0, over.get("spine", 1.0))))
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
