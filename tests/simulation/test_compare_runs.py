"""What a run changed against the one before, in words."""

from dataclasses import replace

import numpy as np
import pytest

from designer.graph.building.build import build
from designer.model.design import from_entities
from designer.model.edit import Edit, removed
from designer.model.entities import Device, End, Link, Module
from designer.model.hardware.modules import NicType, Slot
from designer.model.hardware.ports import CageGroup, PortMode
from designer.model.hardware.servers import ServerType
from designer.model.hardware.switches import SwitchType
from designer.simulation.engine import simulate
from designer.simulation.explain.compare_runs import compare_runs
from designer.simulation.failures.affected_servers import NOBODY, affected_servers
from designer.simulation.failures.impact import failure_impact
from designer.simulation.failures.survivors import with_failures
from designer.simulation.scenario import Scenario

SHIFT = Scenario(traffic="shift:8", size_bytes=1e9)


@pytest.fixture
def four_spines(generate):
    """64 hosts under 8 leaf switches, 8 uplinks each to 4 spines: room for all."""
    return generate("pgft", children=(8, 8), parents=(1, 4), parallel=(1, 2))


def spine_links(design):
    spines = [device.id for device in design.switches() if device.role == "spine"]
    return [design.links_of(spine) for spine in spines]


def test_the_same_again_is_as_long_as_before(four_spines):
    result = simulate(build(four_spines), SHIFT)
    assert compare_runs(result, result) == ("No change in time.", (), 0)


@pytest.mark.parametrize(
    ("factor", "words"),
    [(2, "100 % longer"), (1.1, "10 % longer"), (1.094, "9.4 % longer"), (0.9, "10 % shorter")],
)
def test_a_change_is_said_in_two_digits(four_spines, factor, words):
    whole = simulate(build(four_spines), SHIFT)
    assert f": {words} now." in compare_runs(whole, replace(whole, time_s=factor * whole.time_s)).words


def test_a_failed_spine_makes_it_longer_and_leaves_room_on_the_hosts_links(four_spines):
    whole = simulate(build(four_spines), SHIFT)
    lame = simulate(build(four_spines, failed=frozenset({spine_links(four_spines)[0][0].b.device_id})), SHIFT)
    assert lame.time_s > whole.time_s * 1.3
    before = f"It was {whole.time_s * 1e3:.3g} ms before: "
    # Six uplinks for eight hosts: the 64 hosts' links are three quarters full; back are they and the spine's 16.
    assert compare_runs(whole, lame).words == before + "33 % longer now.\n64 links are no longer saturated."
    assert compare_runs(lame, whole).words.endswith(": 25 % shorter now.\n64 links became saturated.")


def test_links_that_were_added_are_new_and_did_not_rise(four_spines):
    """One of each pair of parallel uplinks is added: what it carries is no deterioration.

    Their load is rounded as it is everywhere else.
    """
    uplinks = [links[::2] for links in spine_links(four_spines)]
    gone = [link for links in uplinks for link in links]
    fewer = four_spines.snapshot()
    fewer.apply(Edit("Fewer", removed(gone)))
    before, after = simulate(build(fewer), SHIFT), simulate(build(four_spines), SHIFT)
    new = np.isin(after.graph.link, [after.graph.link_ids.index(one.id) for one in gone])
    nearly = replace(after, utilization_peak=np.where(new, 0.938, after.utilization_peak))
    words = compare_runs(before, nearly).words
    assert f"{len(gone)} new links, at 94 %" in words and "rose" not in words
    uneven = nearly.utilization_peak.copy()
    uneven[np.flatnonzero(new)[:2]] = 0.994
    assert (
        f"{len(gone)} new links, at up to 99.4 %" in compare_runs(before, replace(after, utilization_peak=uneven)).words
    )
    assert "new link" not in compare_runs(after, before).words


def test_links_full_now_and_then_are_counted_in_either_direction(four_spines):
    one, other = (simulate(build(four_spines), Scenario(traffic=t, size_bytes=1e9)) for t in ("incast:9", "shift:8"))
    full, was = (result.link_utilization() for result in (other, one))
    newly = sum(max(full[link]) >= 0.995 > max(was[link]) for link in full)
    eased = sum(max(was[link]) >= 0.995 > max(full[link]) for link in full)
    words = compare_runs(one, other).words
    assert f"{newly} links became saturated" in words
    assert (f"{eased} links are no longer saturated" in words) == (eased > 1)


def test_other_ranks_are_said_and_not_compared(four_spines):
    whole = simulate(build(four_spines), SHIFT)
    fewer = simulate(build(four_spines), Scenario(traffic="shift:8", size_bytes=1e9, ranks=tuple(range(32))))
    assert " before, with 64 ranks." in compare_runs(whole, fewer).words
    assert (
        "longer now" not in compare_runs(whole, fewer).words and "shorter now" not in compare_runs(whole, fewer).words
    )


def test_gpus_that_borrow_a_nic_after_a_leaf_is_gone_are_counted_and_their_servers_named(generate):
    """Two rails of two leafs each: without a leaf of unit 1, a GPU of each of its servers sends over a neighbor's."""
    design = generate("rail-optimized", servers=6, servers_per_su=3)
    scenario = Scenario(collective="all-reduce", size_bytes=2.0**30)
    healthy = build(design)
    leaf = next(switch for switch in design.switches() if switch.role == "leaf")
    whole = simulate(healthy, scenario)
    graph, left, lost = with_failures(design, frozenset({leaf.id}), scenario, healthy)
    lame = simulate(graph, left)

    found = affected_servers(whole, lame)

    beneath = {end.device_id for link in design.links_of(leaf.id) for end in (link.a, link.b)}
    beneath = {one for one in beneath if design.is_server(one)}
    assert not lost and set(found.servers) == beneath and len(beneath) == 3
    assert (found.borrowing, found.thinner) == (3, 0)
    stated = "3 GPUs in 3 servers lost the link of their NIC and now send through another GPU's NIC."
    assert compare_runs(whole, lame).words.endswith(stated) and compare_runs(whole, lame).servers == found.servers
    compared, counted = compare_runs(whole, lame), f"{found.borrowing} GPUs have no NIC in service"
    assert any(one.startswith(counted) for one in lame.notices)
    assert not any(one.startswith(counted) for one in compared.other_notices(lame)), "the sentences count the same"
    assert compared._replace(borrowing=2).other_notices(lame) == lame.notices, "others are counted"
    assert (
        failure_impact(whole, lame).affected_servers == found
        and "2 flows share" in failure_impact(whole, lame).held_back
    )
    assert affected_servers(lame, lame) == affected_servers(whole, whole) == NOBODY


def test_gpus_that_send_nothing_do_not_suffer(generate):
    design = generate("rail-optimized", servers=6, servers_per_su=3)
    far = Scenario(collective="all-reduce", ranks=tuple(range(24, 48)))
    leaf = next(switch for switch in design.switches() if switch.role == "leaf")
    whole = simulate(build(design), far)

    assert affected_servers(whole, simulate(build(design, failed=frozenset({leaf.id})), far)) == NOBODY


def test_a_gpu_with_one_of_its_two_nics_gone_has_fewer(generate):
    design = generate("rail-optimized", servers=4, planes=2)
    link = next(
        link
        for link in design.links.values()
        if design.is_server(link.a.device_id) or design.is_server(link.b.device_id)
    )
    scenario = Scenario(collective="all-reduce")
    whole, lame = (simulate(build(design, failed=failed), scenario) for failed in (frozenset(), frozenset({link.id})))

    found = affected_servers(whole, lame)

    assert found.borrowing + found.thinner == 1 and len(found.servers) == 1


def test_gpus_that_servers_have_gained_lost_no_nic():
    def two_servers(gpus):
        slots = tuple(Slot(f"s{gpu}", gpu=gpu) for gpu in range(gpus))
        types = [
            NicType("nic", "", "", (), 1, 400.0),
            ServerType("host", "", "", gpus, slots=slots),
            SwitchType("switch", "", "", (), (CageGroup(8, ""),), (PortMode("", 1, 400.0),)),
        ]
        places = [(server, slot.name) for server in ("d2", "d3") for slot in slots]
        devices = [Device("d1", "leaf", "switch"), Device("d2", "a", "host"), Device("d3", "b", "host")]
        modules = [Module(f"m{n}", server, slot, "nic") for n, (server, slot) in enumerate(places)]
        links = [Link(f"l{n}", End(*place), End("d1", str(n + 1))) for n, place in enumerate(places)]
        return simulate(build(from_entities([*types, *devices, *modules, *links])), Scenario(traffic="shift:1"))

    two, four = two_servers(1), two_servers(2)

    assert (two.ranks, four.ranks) == (2, 4)
    assert affected_servers(two, four) == affected_servers(four, two) == NOBODY
    assert (
        compare_runs(two, four).words.startswith("It was ")
        and " before, with 2 ranks." in compare_runs(two, four).words
    )
