"""Failure sweeps: every outcome is that of the run with --fail, short cuts change nothing, ranks lost are counted."""

import itertools
from pathlib import Path

import pytest

from designer.catalog.catalog import load
from designer.errors import GraphError, ParameterError
from designer.graph.building.build import build
from designer.model.design import Design
from designer.model.networks import COMPUTE, STORAGE
from designer.simulation.engine import simulate
from designer.simulation.failures import sweep as failures
from designer.simulation.failures.candidates import KINDS
from designer.simulation.failures.impact import FULL, HOT, failure_impact
from designer.simulation.failures.request import FAILING, RATES, REQUEST
from designer.simulation.failures.survivors import with_failures
from designer.simulation.failures.sweep import Candidate
from designer.simulation.scenario import Scenario
from designer.storage import document
from designer.topologies import dragonfly, fat_tree, networks, rail_optimized
from designer.topologies.dragonfly import DragonflyParameters
from designer.topologies.fat_tree import FatTreeParameters
from designer.topologies.network_parameters import NetworkParameters
from designer.topologies.rail_optimized import RailOptimizedParameters

CATALOG = load()
EXAMPLES = Path(__file__).parent.parent.parent / "examples"


def designed(family, parameters) -> Design:
    design = Design()
    design.apply(family.build(design, parameters, CATALOG))
    return design


@pytest.fixture(scope="module")
def small() -> Design:
    """Eight hosts, four leafs, two spines with two links each."""
    return designed(fat_tree, FatTreeParameters(switch="generic-switch-6x400g", server="generic-host", servers=9))


@pytest.fixture(scope="module")
def pod() -> Design:
    return designed(rail_optimized, RailOptimizedParameters(servers=12, servers_per_su=6))


SCENARIOS = [
    Scenario(collective="all-reduce"),
    Scenario(collective="all-to-all"),
    Scenario(collective="all-to-all", routing="destination"),
    Scenario(traffic="permutation:4", routing="ecmp", size_bytes=1e8),
]


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: f"{scenario.title}-{scenario.routing}")
def test_every_outcome_is_that_of_the_run_without_the_link(pod, scenario):
    found = failures.single(pod, scenario, "link")
    assert len(found.outcomes) == len(pod.links)
    for outcome in found.outcomes[:: len(found.outcomes) // 12]:
        assert outcome.lost_ranks == 0
        alone = simulate(build(pod, failed=outcome.failed.ids), scenario)
        assert outcome.time_s == pytest.approx(alone.time_s, rel=1e-9)
        assert outcome.slowdown == pytest.approx(alone.time_s / found.healthy.time_s)
        fullest = alone.utilization_peak[alone.graph.link >= 0].max()
        assert outcome.hottest_utilization == pytest.approx(fullest, rel=1e-9)


@pytest.mark.parametrize("kind", ["link", "optic", "switch", "server"])
@pytest.mark.parametrize("collective", ["all-reduce", "all-to-all"])
def test_of_failures_that_are_alike_one_speaks_for_all(pod, kind, collective):
    """Each outcome of a sweep is that of its own run, down to the hottest link, which is never a failed one."""
    scenario = Scenario(collective=collective)
    bench = failures._Bench(pod, scenario)
    chosen = failures.candidates(pod, kind)
    alike: dict[object, list[Candidate]] = {}
    for candidate in chosen:
        alike.setdefault(bench._likeness.key(candidate.ids), []).append(candidate)
    if (kind, collective) != ("server", "all-reduce"):  # a ring goes through servers in their order
        assert len(alike) < len(chosen)
    links = {
        f"{pod.device(a.device_id).name} port {a.port} to {pod.device(b.device_id).name}": link.id
        for link in pod.links.values()
        for a, b in ((link.a, link.b), (link.b, link.a))
    }
    reported = {outcome.failed: outcome for outcome in failures.single(pod, scenario, kind).outcomes}
    for group in list(alike.values())[::5]:
        for candidate in group[:: max(1, len(group) // 3)]:
            own, found = bench._outcome(candidate), reported[candidate]
            assert (found.time_s, found.lost_ranks) == (pytest.approx(own.time_s, rel=1e-9), own.lost_ranks)
            assert found.hottest_utilization == pytest.approx(own.hottest_utilization)
            assert links[found.hottest] not in candidate.ids
            graph = build(pod, failed=candidate.ids)
            if own.lost_ranks:
                continue
            alone = simulate(graph, scenario)
            assert max(alone.link_utilization()[links[found.hottest]]) == pytest.approx(own.hottest_utilization)
            # Of links as full as it the one that carries most all the while is named.
            mean = [
                alone.utilization_mean[graph.link == graph.link_ids.index(links[one.hottest])].max()
                for one in (found, own)
            ]
            assert mean[0] == pytest.approx(mean[1], rel=1e-6)


def test_an_optic_takes_along_all_links_of_its_cage(pod):
    optics = failures.candidates(pod, "optic")
    assert {len(optic.ids) for optic in optics} == {2}
    assert sum(len(optic.ids) for optic in optics) == 2 * len(pod.links)


def test_the_worst_come_first_and_a_link_nothing_uses_costs_nothing(pod):
    found = failures.single(pod, Scenario(collective="all-reduce"), "link")
    slowdowns = [outcome.slowdown for outcome in found.outcomes]
    assert slowdowns == sorted(slowdowns, reverse=True)
    assert slowdowns[0] > 1.5 and slowdowns[-1] == pytest.approx(1.0)
    assert found.slowdown_at(0.0) == slowdowns[-1] and found.slowdown_at(1.0) == slowdowns[0]


def test_ranks_behind_a_broken_leaf_are_lost_and_counted(small):
    found = failures.single(small, Scenario(collective="all-reduce"), "switch")
    leafs = [outcome for outcome in found.outcomes if outcome.failed.name.startswith("leaf")]
    assert {outcome.lost_ranks for outcome in leafs} == {3}
    spines = [outcome for outcome in found.outcomes if outcome.failed.name.startswith("spine")]
    assert {outcome.lost_ranks for outcome in spines} == {0}


def test_the_worst_of_each_role_of_switches_is_stated(pod, small):
    scenario = Scenario(collective="all-to-all")
    found = failures.single(pod, scenario, "switch")
    worst = {
        role: max(one.slowdown for one in found.outcomes if one.failed.name.startswith(role))
        for role in ("leaf", "spine")
    }
    assert worst["leaf"] > worst["spine"] > 1
    n_spines = sum(one.failed.role == "spine" for one in found.outcomes)
    assert found.worst_by_role == (
        f"16 leaf switches at most {worst['leaf']:.3f}×, {n_spines} spines at most {worst['spine']:.3f}×"
    )
    assert failures.single(small, scenario, "switch").worst_by_role == "", "leaf switches lose ranks"
    assert failures.single(pod, scenario, "link").worst_by_role == ""


def test_a_server_that_fails_takes_its_ranks_along_and_the_rest_goes_on(pod):
    found = failures.single(pod, Scenario(collective="all-to-all"), "server")
    assert {outcome.lost_ranks for outcome in found.outcomes} == {8}
    assert all(outcome.time_s is not None and outcome.slowdown is None for outcome in found.outcomes)


def test_racks_nics_and_planes_can_fail(pod):
    racks = failures.candidates(pod, "rack")
    assert sum(len(rack.ids) for rack in racks) == len(pod.devices)
    assert len(failures.candidates(pod, "nic")) == 12 * 8
    assert failures.candidates(pod, "plane") == []
    planes = designed(rail_optimized, RailOptimizedParameters(servers=8, planes=2))
    outcomes = failures.single(planes, Scenario(collective="all-to-all"), "plane").outcomes
    assert [outcome.failed.name for outcome in outcomes] == ["plane 1", "plane 2"]
    assert all(outcome.slowdown > 1.5 for outcome in outcomes)
    with pytest.raises(ParameterError, match="nothing called 'cat' to fail; there is link, optic, switch"):
        failures.candidates(pod, "cat")


def test_when_too_few_are_left_the_outcome_says_so():
    two = designed(fat_tree, FatTreeParameters(switch="generic-switch-4x400g", server="generic-host", servers=2))
    (outcome, _) = failures.single(two, Scenario(collective="all-reduce"), "server").outcomes
    assert (outcome.time_s, outcome.lost_ranks) == (None, 2)
    assert outcome.note == "no two ranks are left that reach each other"
    (both,) = failures.pairs(two, Scenario(collective="all-reduce"), "server").outcomes
    assert both.lost_ranks == 2 and both.slowdown is None


def test_all_pairs_are_tried_where_they_are_few(small):
    found = failures.pairs(small, Scenario(collective="all-to-all"), "switch")
    switches = failures.candidates(small, "switch")
    assert found.is_exact
    assert len(found.outcomes) == len(list(itertools.combinations(switches, 2)))
    alone = failures.single(small, Scenario(collective="all-to-all"), "switch")
    assert found.most_lost_ranks == found.outcomes[0].lost_ranks > alone.most_lost_ranks == 3
    assert found.outcomes[0].failed.name == " and ".join(found.outcomes[0].failed.parts)


def test_of_many_only_the_worst_are_paired_and_that_is_told(pod):
    found = failures.pairs(pod, Scenario(collective="all-reduce"), "link")
    assert not found.is_exact
    assert len(found.outcomes) == 24 * 23 // 2
    single = failures.single(pod, Scenario(collective="all-reduce"), "link")
    assert found.outcomes[0].slowdown >= single.outcomes[0].slowdown - 1e-9


def test_random_failures_repeat_with_the_seed_and_grow_with_the_rate(pod):
    scenario = Scenario(collective="all-to-all")
    one = failures.monte_carlo(pod, scenario, {"link": 0.002, "switch": 0.01}, 40, seed=7)
    again = failures.monte_carlo(pod, scenario, {"link": 0.002, "switch": 0.01}, 40, seed=7)
    assert [(o.failed, o.slowdown) for o in one.outcomes] == [(o.failed, o.slowdown) for o in again.outcomes]
    none = failures.monte_carlo(pod, scenario, {"link": 0.0}, 5, seed=7)
    assert {outcome.slowdown for outcome in none.outcomes} == {1.0}
    more = failures.monte_carlo(pod, scenario, {"link": 0.05}, 40, seed=7)
    assert more.slowdown_at(0.5) >= one.slowdown_at(0.5)
    with pytest.raises(ParameterError, match="failure rate of a link should be 0 to 1, not 2"):
        failures.monte_carlo(pod, scenario, {"link": 2.0}, 4, seed=0)
    with pytest.raises(ParameterError, match="number of samples should be 1 to 100,000, not 0"):
        failures.monte_carlo(pod, scenario, {"link": 0.5}, 0, seed=0)


def test_a_sweep_can_be_cancelled_and_reports_how_far_it_is(small):
    class Enough(Exception):
        pass

    stated: list[float] = []

    def progress(share: float) -> None:
        stated.append(share)
        if len(stated) == 3:
            raise Enough

    with pytest.raises(Enough):
        failures.single(small, Scenario(collective="all-to-all"), "link", progress)
    done: list[float] = []
    failures.single(small, Scenario(collective="all-to-all"), "link", done.append)
    assert done[-1] == 1.0 and done == sorted(done)


def test_processes_find_the_same_and_are_stopped_at_once(pod, monkeypatch):
    scenario = Scenario(collective="all-reduce")
    alone = failures.single(pod, scenario, "server")
    monkeypatch.setattr(failures, "WORTH_PROCESSES_S", 0.0)
    together = failures.single(pod, scenario, "server")
    assert [(o.failed, o.time_s, o.hottest) for o in together.outcomes] == [
        (o.failed, o.time_s, o.hottest) for o in alone.outcomes
    ]

    class Enough(Exception):
        pass

    reported: list[float] = []

    def progress(share: float) -> None:
        reported.append(share)
        if len(reported) > 9:  # eight tried here, then one look while the processes start
            raise Enough

    with pytest.raises(Enough):
        failures.single(pod, scenario, "server", progress)
    assert reported[-1] == reported[-2] < 1.0


def test_a_group_of_a_dragonfly_without_its_link_to_another_still_gets_there():
    design = designed(dragonfly, DragonflyParameters(1, 2, 1))
    for outcome in failures.single(design, Scenario(collective="all-to-all"), "link").outcomes:
        assert outcome.lost_ranks in (0, 1) and outcome.time_s is not None


def test_the_broken_spine_of_the_example_can_be_swept_from_where_it_is():
    """What has failed already stays failed; the sweep is of the rest."""
    design = document.load(EXAMPLES / "fat-tree-16-2to1.fabric")
    spine = next(device for device in design.switches() if device.role == "spine")
    scenario = Scenario(collective="all-to-all", failed=(spine.id,))
    found = failures.single(design, scenario, "switch")
    alone = simulate(build(design, failed=frozenset([spine.id])), scenario)
    assert found.healthy.time_s == pytest.approx(alone.time_s)
    assert len(found.outcomes) == len(design.switches())
    assert Candidate(spine.name, frozenset([spine.id]), role="spine") in [outcome.failed for outcome in found.outcomes]


def test_ranks_with_failures_are_left_out_and_counted(small):
    leaf = next(device for device in small.switches() if device.role == "leaf")
    scenario = Scenario(collective="all-reduce")
    graph, left, lost = with_failures(small, frozenset([leaf.id]), scenario)
    assert lost == (0, 1, 2) and len(left.ranks) == 6
    outcome = next(o for o in failures.single(small, scenario, "switch").outcomes if o.failed.name == leaf.name)
    assert simulate(graph, left).time_s == pytest.approx(outcome.time_s)
    leafs = frozenset(device.id for device in small.switches() if device.role == "leaf")
    with pytest.raises(GraphError, match="no two of the 9 ranks reach each other"):
        with_failures(small, leafs, scenario)


def test_the_harm_of_a_failure_names_the_links_that_are_hot_now(generate):
    """One of four uplinks of a 1:1 leaf is gone: the three left are full."""
    design = generate("pgft", children=(2, 4), parents=(1, 4))
    scenario = Scenario(collective="all-to-all", latency=False)
    before = simulate(build(design), scenario)
    switches = {device.id for device in design.switches()}
    uplink = next(link for link in design.links.values() if {link.a.device_id, link.b.device_id} <= switches)
    graph, left, _ = with_failures(design, frozenset([uplink.id]), scenario)
    found = failure_impact(before, simulate(graph, left))
    assert found.lost_ranks == 0 and found.slowdown >= 1
    assert found.busbw_change == pytest.approx(1 / found.slowdown - 1)
    assert all(HOT <= one.after > one.before and one.link_id != uplink.id for one in found.newly_hot)
    assert all(one.before < HOT or one.after > 0.995 for one in found.newly_hot)
    assert found.hot_links[0] == sum(max(pair) >= HOT for pair in before.link_utilization().values())
    assert found.full_links[1] == sum(max(pair) >= FULL for pair in found.after.link_utilization().values())
    assert failure_impact(before, before).newly_hot == () and failure_impact(before, before).busbw_change == 0


def test_what_is_in_other_networks_is_left_out_of_a_sweep(generate, catalog):
    """A storage network on the same servers: its links, optics, NICs and switches carry nothing of an all-reduce."""
    design = generate("rail-optimized", servers=4, servers_per_su=2)
    counts = {kind: len(failures.candidates(design, kind)) for kind in failures.KINDS}
    design.apply(networks.build(design, NetworkParameters(storage_switch="nvidia-qm9700"), catalog))
    compute, storage = (
        {kind: {one.name for one in failures.candidates(design, kind, network)} for kind in failures.KINDS}
        for network in (COMPUTE, STORAGE)
    )
    assert {kind: len(names) for kind, names in compute.items() if kind != "rack"} == {
        kind: count for kind, count in counts.items() if kind != "rack"
    }
    assert storage["link"] and storage["optic"] and storage["switch"]
    for kind in ("link", "optic", "switch", "nic"):
        assert not compute[kind] & storage[kind]
    assert compute["server"] == storage["server"]
    tried = failures.single(design, Scenario(collective="all-reduce"), "switch")
    assert {outcome.failed.name for outcome in tried.outcomes} == compute["switch"]
    with pytest.raises(ParameterError, match="there are no planes in the compute network of this design"):
        failures.single(design, Scenario(collective="all-reduce"), "plane")


def test_rings_take_the_nics_that_are_left_where_a_rail_is_gone(generate):
    """8 rails, one or two gone: as NCCL does, a ring for each NIC left, so 8/7 and 8/6 of the time."""
    design = generate("rail-optimized", servers=8, rail_only=True)
    scenario = Scenario(collective="all-reduce", size_bytes=2**30, latency=False)
    whole = simulate(build(design), scenario)
    for gone, rings in ((("leaf-su1-r1",), 7), (("leaf-su1-r1", "leaf-su1-r4"), 6)):
        left = simulate(build(design, failed=frozenset(gone)), scenario)
        assert left.model.channels == rings
        assert left.time_s == pytest.approx(whole.time_s * 8 / rings, rel=1e-9)


FABRICS = {
    "fat-tree of three tiers": (
        "fat-tree",
        {"switch": "generic-switch-8x400g", "server": "generic-host", "servers": 40, "tiers": "3"},
    ),
    "dragonfly+": ("dragonfly-plus", {"leafs": 2, "spines": 2, "p": 2, "h": 2, "groups": 5}),
    "torus": ("torus", {"dims": (4, 4)}),
    "two planes": ("rail-optimized", {"servers": 10, "servers_per_su": 5, "planes": 2}),
    "rail-only": ("rail-optimized", {"servers": 6, "rail_only": True}),
}


@pytest.mark.parametrize("fabric", FABRICS)
@pytest.mark.parametrize("kind", ["link", "optic", "switch", "server"])
def test_failures_called_alike_are_alike_on_every_family(generate, fabric, kind):
    family, parameters = FABRICS[fabric]
    bench = failures._Bench(generate(family, **parameters), Scenario(collective="all-to-all"))
    alike: dict[object, list[Candidate]] = {}
    for candidate in failures.candidates(bench._design, kind):
        alike.setdefault(bench._likeness.key(candidate.ids), []).append(candidate)
    for group in [group for group in alike.values() if len(group) > 1][::3]:
        one, other = bench._outcome(group[0]), bench._outcome(group[-1])
        assert one.time_s == pytest.approx(other.time_s, rel=1e-9)
        assert one.lost_ranks == other.lost_ranks
        assert one.hottest_utilization == pytest.approx(other.hottest_utilization)


def test_a_failure_that_loses_ranks_comes_first_and_is_never_called_a_speed_up(generate):
    """One switch under four servers: without it only the ranks of a server reach each other."""
    design = generate("fat-tree", switch="nvidia-qm9700", server="dgx-h100", servers=4, tiers="1")
    scenario = Scenario(collective="all-reduce", size_bytes=2.0**30)
    (outcome,) = failures.single(design, scenario, "switch").outcomes
    assert (outcome.lost_ranks, outcome.slowdown) == (24, None) and outcome.time_s is not None
    both = failures.single(design, scenario, "server")
    assert both.slowdown_at(0.5) is None and both.n_cut_off == both.n_tried == 4
    graph, left, _ = with_failures(design, outcome.failed.ids, scenario)
    found = failure_impact(simulate(build(design), scenario), simulate(graph, left))
    assert (found.slowdown, found.busbw_change) == (None, None)
    assert found.loss.startswith("24 of 32 ranks are lost.")


def test_percentiles_leave_out_what_loses_ranks(generate):
    torus = generate("torus", dims=(4, 4))
    found = failures.single(torus, Scenario(collective="all-to-all"), "link")
    lost = [outcome for outcome in found.outcomes if outcome.lost_ranks]
    assert len(lost) == 16 and found.outcomes[:16] == tuple(lost)
    others = [outcome.slowdown for outcome in found.outcomes[16:]]
    assert others == sorted(others, reverse=True)
    assert found.slowdown_at(0.0) == others[-1] and found.slowdown_at(1.0) == others[0]


def test_where_there_is_nothing_of_a_kind_the_sweep_is_refused(pod):
    scenario = Scenario(collective="all-reduce")
    for refused in (
        lambda: failures.single(pod, scenario, "plane"),
        lambda: failures.pairs(pod, scenario, "plane"),
        lambda: failures.monte_carlo(pod, scenario, {"link": 0.1, "plane": 0.1}, 5, seed=0),
    ):
        with pytest.raises(ParameterError, match="no planes in this design"):
            refused()
    assert failures.monte_carlo(pod, scenario, {"link": 0.0, "plane": 0.0}, 5, seed=0).n_tried == 5


def test_two_of_a_kind_cannot_fail_where_there_is_one(generate):
    design = generate("fat-tree", switch="nvidia-qm9700", server="dgx-h100", servers=4, tiers="1")
    with pytest.raises(ParameterError, match="only leaf-01 of its kind: no two switches can fail"):
        failures.pairs(design, Scenario(collective="all-reduce"), "switch")


def test_a_failure_drawn_many_times_is_one_outcome_with_its_count(small):
    scenario = Scenario(collective="all-reduce")
    (outcome,) = failures.monte_carlo(small, scenario, {"link": 1.0}, 10, seed=1).outcomes
    assert (outcome.count, outcome.lost_ranks, outcome.time_s) == (10, 9, None)
    found = failures.monte_carlo(small, scenario, {"switch": 0.1}, 60, seed=1)
    assert len({outcome.failed.ids for outcome in found.outcomes}) == len(found.outcomes) < 60 == found.n_tried
    spread = sorted(o.slowdown for o in found.outcomes for _ in range(o.count) if o.slowdown is not None)
    assert len(spread) + found.n_cut_off == 60
    assert [found.slowdown_at(share) for share in (0.5, 0.9)] == [spread[int(s * len(spread))] for s in (0.5, 0.9)]


def test_what_can_fail_is_what_a_request_offers():
    assert [one.name for one in FAILING] == list(KINDS)
    with pytest.raises(ParameterError, match="the number of samples should be 1 to 100,000, not 0"):
        REQUEST["samples"].require(0)
    with pytest.raises(ParameterError, match="the failure rate of a link should be 0 to 1, not 2"):
        RATES["link"].require(2)
