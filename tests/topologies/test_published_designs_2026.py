"""Published designs of 2024 to 2026 come out of presets alone, or are listed with the reason why not.

Facts: data/architectures-2026.json, each row with its source; each case is the id or name of its row there. A number
that is null there has not been published and is not compared.
"""

import json
from pathlib import Path

import pytest

from designer.model.design import Design
from designer.topologies import dragonfly, dragonfly_plus, fat_tree, rail_optimized, scale_up, torus
from designer.topologies.dragonfly import DragonflyParameters
from designer.topologies.dragonfly_plus import DragonflyPlusParameters
from designer.topologies.fat_tree import FatTreeParameters
from designer.topologies.presets import parameters_of, published_designs
from designer.topologies.rail_optimized import RailOptimizedParameters
from designer.topologies.scale_up_plan import ScaleUpParameters
from designer.topologies.torus import TorusParameters

FACTS = json.loads((Path(__file__).parent / "data" / "architectures-2026.json").read_text(encoding="utf-8"))
SECTIONS = ("torus", "dragonfly", "dragonfly_other", "dragonfly_plus", "scale_up")
ROWS = {row["id"]: row for row in FACTS["rows"]} | {row["name"]: row for one in SECTIONS for row in FACTS[one]}

PRESETS = {one.title: one for one in published_designs()}
NAMES = {row_id: row["name"] for row_id, row in ROWS.items()}

PARAMETERS = {row_id: parameters_of(PRESETS[name]) for row_id, name in NAMES.items() if PRESETS[name].family}
NOT_BUILT = {row_id: PRESETS[name].not_generated for row_id, name in NAMES.items() if not PRESETS[name].family}

MOST_BUILT = 5_000
"""Links: larger designs are counted; elsewhere tests hold that as much is built as counted."""

FAMILY_OF = {
    FatTreeParameters: fat_tree,
    RailOptimizedParameters: rail_optimized,
    TorusParameters: torus,
    DragonflyParameters: dragonfly,
    DragonflyPlusParameters: dragonfly_plus,
    ScaleUpParameters: scale_up,
}


@pytest.mark.parametrize("row_id", [*PARAMETERS])
def test_a_published_design_of_2026_comes_out_as_published(row_id, catalog):
    row, parameters = ROWS[row_id], PARAMETERS[row_id]
    family = FAMILY_OF[type(parameters)]
    counts = family.counts(parameters, catalog)
    if row_id in {one["id"] for one in FACTS["rows"]}:
        compare_tiers(row, counts)
    else:
        compare_direct(row, counts)
    if "switch_chips" in row:
        assert counts.switches["leaf"] == row["switch_trays"]
        assert counts.switches["leaf"] * parameters.chips == row["switch_chips"]
        assert counts.links["server-leaf"] == counts.endpoints * row["links_per_gpu"]
    if sum(counts.links.values()) <= MOST_BUILT:
        compare_built(family, parameters, counts, catalog)


def compare_tiers(row, counts) -> None:
    extra = row.get("extra") or {}
    published = {"leaf": row["leaf"], "spine": row["spine"], "core": row["core"] if row["tiers"] == 3 else 0}
    for role, count in published.items():
        if count is not None:
            assert counts.switches.get(role, 0) == count, role
    management = 4 if row["id"] == "dgx-superpod-b200-4su-all-networks" else 0  # four links to two UFM appliances
    links = {"server-leaf": row["links"]["node_leaf"], "leaf-spine": row["links"]["leaf_spine"]}
    links["spine-core"] = row["links"]["spine_core"] if row["tiers"] == 3 else 0
    for joined, count in links.items():
        if count is not None:
            own = management if joined == "server-leaf" else 0
            assert counts.links.get(joined, 0) == count - own, joined
    if row["family"] != "inter_leaf_pair" or "inter_leaf" in extra:  # else the links of the pair are not published
        assert counts.links.get("leaf-leaf", 0) == extra.get("inter_leaf", 0)
    if row["nodes"] is not None:
        assert counts.servers == row["nodes"]
    if row["gpus"] is not None:
        assert counts.endpoints == row["gpus"]
    if row["nodes"] is not None and row["nics_per_node"] is not None:
        assert counts.nics == row["nodes"] * row["nics_per_node"]


def compare_direct(row, counts) -> None:
    if "routers" in row:
        assert sum(counts.switches.values()) == row["routers"]
    endpoints = next((row[name] for name in ("endpoints", "chips", "gpus") if name in row), None)
    if "p" in row and endpoints is not None:
        assert counts.links["server-router"] == endpoints  # of a dragonfly: ports that hosts are on
    elif endpoints is not None:
        assert counts.endpoints == endpoints
    if "nodes" in row:
        has_others = "service_groups" in row  # whose hosts are no nodes, and have no ranks
        assert (counts.endpoints if has_others else counts.servers) == row["nodes"]
    if "nics" in row and "p" in row:
        assert counts.nics - (counts.servers - counts.endpoints) == row["nics"]
    if "booster_nodes" in row:
        assert counts.endpoints == row["booster_nodes"] * 4
    for name, joined in (("local_links", "local"), ("global_links", "global")):
        if name in row:
            assert counts.links[joined] == row[name]
    if "links" in row:
        own = counts.links.get("server-router", 0)  # a node of a torus is a router and its host
        assert sum(counts.links.values()) - own == row["links"]


def compare_built(family, parameters, counts, catalog) -> None:
    design = Design()
    design.apply(family.build(design, parameters, catalog))
    assert len(design.links) == sum(counts.links.values())
    for role, count in counts.switches.items():
        assert sum(one.role == role for one in design.devices.values()) == count


def test_every_row_is_built_or_listed_with_the_reason_why_not():
    assert set(PARAMETERS).isdisjoint(NOT_BUILT)
    assert set(PARAMETERS) | set(NOT_BUILT) == set(ROWS)
    assert all(NOT_BUILT.values())


def test_most_published_designs_come_out(record_property):
    built = f"{len(PARAMETERS)} of {len(ROWS)} published designs built"
    record_property("published designs", built)
    print(built)
    assert len(ROWS) == 45
    assert len(PARAMETERS) >= 42


def test_every_line_of_the_tables_of_side_networks_is_a_preset():
    north_south, single_tier = FACTS["north_south"]
    made = [one.published for one in published_designs() if one.row == north_south["name"]]
    assert [(one["endpoints"], one["north-south-leaf"], one["north-south-spine"]) for one in made] == [
        (gpus, leafs, spines) for _su, gpus, leafs, spines in north_south["values"]
    ]
    made = [one for one in published_designs() if one.row == single_tier["name"]]
    assert len(made) == len(single_tier["values"]) == 8
    for one, (architecture, _least, most, core_leafs, leafs_of_plane, oob) in zip(
        made, single_tier["values"], strict=True
    ):
        assert architecture in one.title
        assert one.published["servers"] == 4 * most
        if leafs_of_plane is None:
            assert one.published["leaf"] == core_leafs
        else:
            assert (one.published["leaf"], one.published["north-south-leaf"]) == (2 * leafs_of_plane, core_leafs)
        assert one.published["oob-leaf"] == oob
