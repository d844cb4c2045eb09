"""Numbers about designs, against published reference designs and against trying everything."""

import itertools
import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from designer.analysis import bisection, connectivity, oversubscription, tiers
from designer.analysis.oversubscription import leafs
from designer.analysis.summary import summarize
from designer.analysis.survey import survey
from designer.analysis.tiers import role_names, tier_of
from designer.errors import GraphError
from designer.model import operations
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.tables.columns import as_json

BILL_FILE = Path(__file__).parent / "data" / "superpod_h100_4su_bill.json"
BILL = json.loads(BILL_FILE.read_text(encoding="utf-8"))["values"]


def apply_to_copy(design, *changes):
    copy = design.snapshot()
    copy.apply(Edit("test", changes))
    return copy


# -- tiers ------------------------------------------------------------------------------------------------------------


def test_a_switch_drawn_by_hand_gets_its_tier_from_its_hops_to_a_server(drawing):
    drawing.add("dgx-h100", "host")
    drawing.add("nvidia-qm9700", "top", "middle", "bottom")
    drawing.join("host", "bottom")
    drawing.join("bottom", "middle")
    drawing.join("middle", "top")
    tier = tier_of(drawing.design)
    assert [tier[drawing.id(name)] for name in ("host", "bottom", "middle", "top")] == [0, 1, 2, 3]
    assert summarize(drawing.design).switches == {"leaf": 1, "spine": 1, "core": 1}
    assert [*role_names(drawing.design).values()] == ["server", "core", "spine", "leaf"]


def test_tiers_are_not_looked_for_where_every_switch_states_its_role(generate, monkeypatch):
    design = generate("fat-tree", servers=64)
    known = role_names(design, tier_of(design))
    monkeypatch.setattr(tiers, "tier_of", pytest.fail)
    assert role_names(design) == known


def test_a_leaf_that_waits_for_its_servers_stays_a_leaf(generate):
    design = generate("fat-tree", servers=64)
    last = [d for d in design.switches() if d.role == "leaf"][-1]
    down = [run.link.id for run in survey(design).runs if run.high.device_id == last.id]
    assert down
    design.apply(operations.delete(design, down))
    assert tier_of(design)[last.id] == 1


def test_a_switch_linked_to_nothing_has_no_tier(drawing):
    drawing.add("nvidia-qm9700", "lonely")
    assert tier_of(drawing.design) == {}
    assert summarize(drawing.design).switches == {"other": 1}


# -- oversubscription -------------------------------------------------------------------------------------------------


def test_the_leafs_of_a_superpod_carry_as_much_up_as_down(superpod):
    rows = leafs(superpod)
    assert len(rows) == 32
    assert {(row.down_gbps, row.up_gbps) for row in rows} == {(32 * 400, 32 * 400), (31 * 400, 32 * 400)}
    assert max(row.ratio or 0 for row in rows) == 1.0


def test_each_tier_of_a_three_tier_fat_tree_has_its_own_oversubscription(generate):
    design = generate("pgft", children=(4, 4, 4), parents=(1, 2, 1))
    assert oversubscription.by_tier(survey(design)) == {"leaf": 2.0, "spine": 4.0}


def test_links_on_reserved_ports_do_not_count_as_capacity(generate):
    design = generate("fat-tree", servers=16, oversubscription=2)
    leaf = next(d for d in design.switches() if d.role == "leaf")
    before = next(row for row in leafs(design) if row.device_id == leaf.id)
    uplink = next(run for run in survey(design).runs if run.low.device_id == leaf.id)
    reserved = apply_to_copy(design, Change(leaf, replace(leaf, reserved_ports=(uplink.low.port,))))
    after = next(row for row in leafs(reserved) if row.device_id == leaf.id)
    assert after.up_gbps == before.up_gbps - 400
    assert after.down_gbps == before.down_gbps


# -- connectivity -----------------------------------------------------------------------------------------------------


def test_rails_without_spines_hang_together_through_the_servers(generate):
    surveyed = survey(generate("rail-optimized", servers=16, rail_only=True))
    assert len(connectivity.components(surveyed)) == 1
    assert connectivity.cut_off(surveyed) == []


def test_a_server_does_not_forward_traffic_of_others(drawing):
    drawing.add("dgx-h100", "left", "both", "right")
    drawing.add("nvidia-qm9700", "leaf-a", "leaf-b")
    for server, leaf in (("left", "leaf-a"), ("both", "leaf-a"), ("both", "leaf-b"), ("right", "leaf-b")):
        drawing.join(server, leaf)
    surveyed = survey(drawing.design)
    assert len(connectivity.components(surveyed)) == 1
    cut = {row.device_id: row for row in connectivity.cut_off(surveyed)}
    assert set(cut) == {drawing.id("left"), drawing.id("right")}
    assert cut[drawing.id("left")].missed == drawing.id("right")


def test_of_two_equal_halves_the_second_is_said_to_be_cut_off(drawing):
    drawing.add("dgx-h100", "a1", "a2", "b1", "b2")
    drawing.add("nvidia-qm9700", "leaf-a", "leaf-b")
    for server, leaf in (("a1", "leaf-a"), ("a2", "leaf-a"), ("b1", "leaf-b"), ("b2", "leaf-b")):
        drawing.join(server, leaf)
    surveyed = survey(drawing.design)
    assert len(connectivity.components(surveyed)) == 2
    assert [row.device_id for row in connectivity.cut_off(surveyed)] == [drawing.id("b1"), drawing.id("b2")]


def test_the_second_of_two_servers_on_switches_of_their_own_is_cut_off(drawing):
    drawing.add("dgx-h100", "a")
    drawing.add("nvidia-qm9700", "leaf-a", "leaf-b")
    drawing.join("a", "leaf-a")
    assert connectivity.cut_off(survey(drawing.design)) == [], "one server has none to reach"
    drawing.add("dgx-h100", "b")
    drawing.join("b", "leaf-b")
    (cut,) = connectivity.cut_off(survey(drawing.design))
    assert cut == connectivity.CutOff(drawing.id("b"), True, 0, drawing.id("a"))


# -- bisection --------------------------------------------------------------------------------------------------------


def test_a_non_blocking_superpod_bisects_at_the_access_rate_of_half_its_servers(superpod):
    found = bisection.bisection_bandwidth(survey(superpod))
    assert found == bisection.Bisection(63 * 8 * 400, True)


@pytest.mark.parametrize(
    ("children", "parents", "parallel", "gbps"),
    [
        ((8, 8), (1, 4), (1, 1), 4 * 4 * 400),  # 2:1, eight leafs: half of their uplinks
        ((8, 8), (1, 8), (1, 1), 32 * 400),  # non-blocking: half of the hosts
        ((4, 3), (1, 1), (1, 2), 400 * (2 + 2)),  # three leafs, 2:1: the uplinks of one and the hosts of half a leaf
        ((4, 2), (1, 2), (1, 1), 2 * 400),
        ((6, 1), (1, 1), (1, 1), 3 * 400),
    ],
)
def test_two_tier_clos_fabrics_bisect_as_the_closed_form_says(generate, children, parents, parallel, gbps):
    design = generate("pgft", children=children, parents=parents, parallel=parallel)
    assert bisection.bisection_bandwidth(survey(design)) == bisection.Bisection(gbps, True)


@pytest.mark.parametrize(
    ("family", "parameters", "gbps"),
    [
        ("dragonfly", {"p": 2, "a": 4, "h": 2}, 8_000.0),
        ("jellyfish", {"switches": 128, "degree": 8, "p": 4}, 55_200.0),
        ("hyperx", {"dims": (4, 4, 4), "p": 2}, 25_600.0),
    ],
)
def test_the_bound_of_a_network_of_routers_is_that_of_a_half_whose_routers_were_exchanged(
    generate, family, parameters, gbps
):
    surveyed = survey(generate(family, **parameters))
    found, half = bisection.thinnest_half(surveyed)
    assert found == bisection.bisection_bandwidth(surveyed).gbps == gbps
    assert len(half) == len(set(half)) == len(surveyed.linked_hosts) // 2
    web = bisection._web(surveyed)
    assert bisection._cut(web, [web.number[server] for server in half]) == found


@given(hosts=st.integers(1, 3), n_leafs=st.integers(1, 3), spines=st.integers(1, 2), parallel=st.integers(1, 2))
def test_the_closed_form_equals_the_least_cut_over_every_split(generate, hosts, n_leafs, spines, parallel):
    if hosts * n_leafs < 2:
        return
    design = generate("pgft", children=(hosts, n_leafs), parents=(1, spines), parallel=(1, parallel))
    found = bisection.bisection_bandwidth(survey(design))
    assert found.exact
    assert found.gbps == least_cut_by_trying_all(design)


def begin_to_build(design):
    """One more server and one more switch, without links."""
    for one in (design.servers()[0], design.switches()[0]):
        type_, name = design.types[one.type_id], f"new-{one.name}"
        design.apply(operations.add_device(design, type_, 0, 0, catalog_types=design.types, name=name))


@given(hosts=st.integers(1, 3), n_leafs=st.integers(1, 3), spines=st.integers(1, 2), parallel=st.integers(1, 2))
def test_devices_under_construction_change_no_figure_of_the_fabric(generate, hosts, n_leafs, spines, parallel):
    if hosts * n_leafs < 2:
        return
    design = generate("pgft", children=(hosts, n_leafs), parents=(1, spines), parallel=(1, parallel)).snapshot()
    before = summarize(design)
    begin_to_build(design)
    found = summarize(design)
    assert (found.bisection, found.oversubscription) == (before.bisection, before.oversubscription)
    assert found.diameter_hops == before.diameter_hops
    assert found.bisection.exact
    assert found.bisection.gbps == least_cut_by_trying_all(design)


def test_a_server_added_to_a_torus_leaves_its_bisection_exact(generate):
    design = generate("torus", dims=(4, 4)).snapshot()
    before = summarize(design).bisection
    begin_to_build(design)
    assert before.exact
    assert summarize(design).bisection == before


def least_cut_by_trying_all(design):
    """Every balanced split of the servers with links, with every placing of the switches."""
    servers = [d.id for d in design.servers() if design.links_of(d.id)]
    switches = [d.id for d in design.switches()]
    links = [(link.a.device_id, link.b.device_id) for link in design.links.values()]
    best = float("inf")
    for chosen in range(2 ** len(servers)):
        if chosen.bit_count() != len(servers) // 2:
            continue
        for placed in range(2 ** len(switches)):
            far = {s for n, s in enumerate(servers) if chosen >> n & 1}
            far |= {s for n, s in enumerate(switches) if placed >> n & 1}
            best = min(best, 400.0 * sum((a in far) != (b in far) for a, b in links))
    return best


def test_where_no_closed_form_is_known_the_bound_says_so_and_is_not_below_the_truth(generate):
    design = generate("pgft", children=(2, 2, 2), parents=(1, 2, 1))
    found = bisection.bisection_bandwidth(survey(design))
    assert not found.exact
    assert found.gbps == least_cut_by_trying_all(design) == 800.0


def test_one_server_has_no_bisection(drawing):
    drawing.add("dgx-h100", "host")
    with pytest.raises(GraphError, match="two servers"):
        bisection.bisection_bandwidth(survey(drawing.design))
    assert as_json(summarize(drawing.design))["bisection_gbps"] == {"value": None, "exact": False}


# -- diameter ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("children", "parents", "hops"), [((4,), (1,), 0), ((4, 4), (1, 4), 2), ((4, 4, 4), (1, 4, 4), 4)]
)
def test_the_diameter_counts_hops_between_the_switches_that_hold_servers(generate, children, parents, hops):
    assert summarize(generate("pgft", children=children, parents=parents)).diameter_hops == hops


def test_a_chain_of_leafs_is_as_long_as_it_looks(drawing):
    leafs_ = [f"leaf-{number}" for number in range(5)]
    drawing.add("nvidia-qm9700", *leafs_)
    drawing.add("dgx-h100", *(f"host-{number}" for number in range(5)))
    for number in range(5):
        drawing.join(f"host-{number}", f"leaf-{number}")
    for a, b in itertools.pairwise(leafs_):
        drawing.join(a, b)
    assert summarize(drawing.design).diameter_hops == 4


# -- parts and power --------------------------------------------------------------------------------------------------


def test_a_superpod_takes_the_published_fibres_and_transceivers(superpod):
    parts = summarize(superpod).parts
    assert parts.fibres == BILL["fibres"]
    assert parts.switch_transceivers == BILL["switch_transceivers"]
    assert parts.server_transceivers == BILL["dgx_transceivers"]
    assert parts.links == BILL["node_leaf_links"] + BILL["leaf_spine_links"]
    assert parts.links_without_medium == parts.links


def test_two_links_from_cage_to_cage_share_a_twin_port_cable(drawing, catalog):
    drawing.add("nvidia-qm9700", "a", "b")
    drawing.join("a", "b", 5)
    medium = catalog.get("dac-ndr-twin")
    design = drawing.design
    links = list(design.links.values())
    chosen = (Change(link, replace(link, medium_id=medium.id)) for link in links)
    design.apply(Edit("cables", (Change(None, medium), *chosen)))
    parts = summarize(design).parts
    assert (parts.links, parts.cables, parts.fibres, parts.transceivers, parts.cages) == (5, 3, 0, 0, 6)
    assert parts.links_without_medium == 0


def test_power_adds_what_is_known_and_names_what_is_not(superpod):
    power = summarize(superpod).power
    assert power.max_w == 48 * 1720 + 127 * 10_200
    assert power.unknown_max == ()
    assert power.typical_w == 48 * 747
    assert power.unknown_typical == ("dgx-h100",)


def test_power_is_none_where_nothing_is_known(generate):
    power = summarize(generate("pgft")).power
    assert power.typical_w is None and power.max_w is None
    assert "generic-host-400g" in power.unknown_max


# -- the summary ------------------------------------------------------------------------------------------------------


def test_the_summary_of_a_superpod_is_what_the_reference_publishes(superpod):
    found = as_json(summarize(superpod))
    assert found["counts"] == {
        "servers": 127,
        "endpoints": 1016,
        "nics": 1016,
        "switches": {"leaf": 32, "spine": 16},
        "racks": len(superpod.racks),
    }
    assert found["links"] == {"server-leaf": 1016, "leaf-spine": 1024}
    assert found["oversubscription"] == {"leaf": 1.0}
    assert found["diameter_hops"] == 2
    assert found["bisection_gbps"] == {"value": 201_600.0, "exact": True}
    assert found["cost_usd"] is None
    assert found["components"] == 1


def test_the_summary_of_an_empty_design_is_zeros_and_nulls():
    found = as_json(summarize(Design()))
    assert found["counts"] == {"servers": 0, "endpoints": 0, "nics": 0, "switches": {}, "racks": 0}
    assert found["links"] == found["oversubscription"] == {}
    assert found["diameter_hops"] is None and found["power_w"] is None
    assert found["components"] == 0
    json.dumps(found, allow_nan=False)
