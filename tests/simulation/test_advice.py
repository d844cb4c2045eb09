"""What to do: every gain that is stated is that of a plain simulation with the change."""

from dataclasses import replace
from pathlib import Path

import pytest

from designer.analysis.cable_numbers import number_cables
from designer.errors import Cancelled, NoFreePortError
from designer.graph.building.build import build
from designer.model import policies
from designer.model.edit import Change, Edit, removed
from designer.simulation.advice import wiring
from designer.simulation.advice.advise import MOST_REPAIRS, Situation, advise, remedies, tried
from designer.simulation.advice.limit import limit_outside_fabric, no_gain
from designer.simulation.advice.remedy import Trial
from designer.simulation.designs import simulate_design
from designer.simulation.engine import simulate
from designer.simulation.failures.survivors import with_failures
from designer.simulation.scenario import Scenario
from designer.storage import document
from designer.validation.engine import validate
from designer.validation.judging import new_error

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(scope="module")
def two_to_one_drawn():
    return document.load(EXAMPLES / "fat-tree-16-2to1.fabric")


@pytest.fixture(scope="module")
def superpod_drawn():
    return document.load(EXAMPLES / "superpod-h100-4su.fabric")


def situation(design, catalog, failed=(), **asked):
    scenario, failed = Scenario(**asked), frozenset(failed)
    healthy = graph = build(design)
    run = scenario
    if failed:
        graph, run, _ = with_failures(design, failed, scenario, healthy)
    return Situation(design, scenario, failed, healthy, simulate(graph, run), catalog, new_error)


def plain_time_s(now, trial):
    """What `simulate` says of the design and scenario with the change made."""
    design = now.design.snapshot()
    if trial.edit is not None:
        design.apply(trial.edit)
    failed = tuple(sorted(trial.remedy.failed))
    return simulate_design(design, replace(trial.remedy.scenario, failed=failed)).time_s


def agrees(now, advice):
    for trial in advice.trials:
        if trial.result is not None:
            assert trial.result.time_s == pytest.approx(plain_time_s(now, trial), rel=1e-9), trial.remedy.title
            assert trial.gain == pytest.approx(1 - trial.result.time_s / now.result.time_s)


def test_gains_on_the_two_to_one_fat_tree_are_those_of_plain_runs(two_to_one_drawn, catalog):
    now = situation(two_to_one_drawn, catalog, collective="all-to-all", routing="ecmp", size_bytes=2**26)
    advice = advise(now, budget_s=300.0)
    agrees(now, advice)
    found = {trial.remedy.title: trial.gain for trial in advice.helpful}
    assert found["Fat-tree at 1:1 instead of 2:1"] > 0.3
    assert found["Spray instead of ECMP"] > 0.1
    gains = [trial.gain for trial in advice.helpful]
    assert gains == sorted(gains, reverse=True) and min(gains) > 0.01
    assert not advice.waiting


def test_gains_on_the_superpod_are_those_of_plain_runs(superpod_drawn, catalog):
    now = situation(superpod_drawn, catalog, collective="all-to-all", routing="ecmp", size_bytes=2**30)
    spray, *others = [one for one in remedies(now) if one.title == "Spray instead of ECMP"]
    trial = tried(now, spray)
    assert not others and trial.sentence == "Spray instead of ECMP: 22.7 → 21.44 ms, 6 %"
    assert trial.time_s == simulate_design(superpod_drawn, replace(now.scenario, routing="spray")).time_s


def test_repairs_are_tried_one_by_one_and_together(generate, catalog):
    design = generate("rail-optimized", servers=4, servers_per_su=2)
    failed = [one.id for one in design.switches() if one.role == "leaf"][:2]
    now = situation(design, catalog, failed, collective="all-reduce", size_bytes=2**26)
    advice = advise(now, budget_s=300.0)
    agrees(now, advice)
    titles = [trial.remedy.title for trial in advice.helpful if trial.remedy.kind == "repair"]
    assert "All 2 failures repaired" in titles
    assert max(trial.gain for trial in advice.helpful) > 0.3
    many = situation(design, catalog, list(design.links)[:9], collective="all-reduce", size_bytes=2**26)
    repairs = [one for one in remedies(many) if one.kind == "repair"]
    assert len(repairs) == MOST_REPAIRS + 1 and repairs[-1].failed == frozenset()
    assert repairs[0].title.startswith("Link ")


def test_one_more_link_for_each_pair_is_cabled_as_the_others(generate, catalog):
    design = generate("fat-tree", servers=8, switch="generic-switch-48x400g", server="dgx-h100", oversubscription=2)
    spares = [
        link
        for link in design.links.values()
        if design.is_switch(link.a.device_id) and design.is_switch(link.b.device_id)
    ]
    design.apply(Edit("Fewer uplinks", removed(spares[::2])))
    design.apply(policies.set_limits(design, leaf_oversubscription=2.0))
    pairs = wiring.uplink_pairs(design, "compute")
    design.apply(number_cables(design))
    edit = wiring.one_more_link(design, "compute")
    new = [change for change in edit.changes if change.before is None]
    assert len(new) == len(pairs) > 0
    last = max(link.cable for link in design.links.values())
    assert sorted(change.after.cable for change in new) == [last + 1 + number for number in range(len(new))]
    for change in new:
        ends = {change.after.a.device_id, change.after.b.device_id}
        alike = next(link for a, b, link in pairs if {a, b} == ends)
        assert (change.after.medium_id, change.after.length_m) == (alike.medium_id, alike.length_m)
    now = situation(design, catalog, collective="all-to-all", size_bytes=2**26)
    advice = advise(now, budget_s=300.0)
    agrees(now, advice)
    more = next(trial for trial in advice.trials if trial.remedy.kind == "uplinks")
    assert more.helps and more.links_added == len(pairs) and more.links_removed == 0
    assert more.adds == f"{len(pairs)} links" and more.sentence.endswith(f"; adds {len(pairs)} links")


def test_a_cable_of_a_hot_leaf_is_moved_where_that_helps(generate, catalog):
    design = generate("pgft", children=(4, 4), parents=(1, 2))
    roomy, other = [one.id for one in design.switches() if one.role == "leaf"][:2]
    uplinks = [
        link
        for link in design.links_of(other)
        if design.is_switch(link.a.device_id) and design.is_switch(link.b.device_id)
    ]
    hosts = [link for link in design.links_of(roomy) if link not in uplinks and not _between_switches(design, link)]
    design.apply(Edit("One uplink fewer here, one host fewer there", removed([uplinks[0], hosts[0]])))
    now = situation(design, catalog, collective="all-to-all", size_bytes=2**26)
    moved = wiring.cooler_cable(design, now.result)
    assert moved is not None
    title, edit = moved
    assert "moved from" in title and len(edit.changes) == 1
    changed = design.snapshot()
    changed.apply(edit)
    trial = next(one for one in advise(now).trials if one.remedy.kind == "cable")
    assert trial.time_s == pytest.approx(simulate_design(changed, now.scenario).time_s)


def _between_switches(design, link):
    return design.is_switch(link.a.device_id) and design.is_switch(link.b.device_id)


def test_where_nothing_helps_that_is_said_with_what_was_tried(generate, catalog):
    design = generate("fat-tree", servers=2, switch="generic-switch-48x400g", server="generic-host")
    now = situation(design, catalog, collective="all-to-all", size_bytes=2**26)
    advice = advise(now)
    assert not advice.helpful
    assert advice.summary == (
        "Nothing tried would help by more than 1 %: the 400 Gb/s links of servers set the pace, "
        "and no change of the fabric helps"
    )
    assert any(trial.result is not None for trial in advice.trials)


def test_of_an_incast_the_link_of_its_receiver_is_named_as_the_limit(two_to_one_drawn, catalog):
    one_of_each = tuple(range(0, 128, 8))
    now = situation(two_to_one_drawn, catalog, traffic="incast:12", size_bytes=2**20, ranks=one_of_each)
    (link,) = {one.link_id for one in now.result.bottlenecks}
    ends = two_to_one_drawn.links[link]
    receiver = next(end.device_id for end in (ends.a, ends.b) if two_to_one_drawn.is_server(end.device_id))
    name = two_to_one_drawn.device(receiver).name
    reason = f"the 400 Gb/s link of {name} sets the pace"
    assert limit_outside_fabric(now.result) == reason
    assert no_gain(now.result, 5, 0) == (
        f"Nothing tried would help by more than 1 %: {reason}, and no change of the fabric helps"
    )
    early = advise(now, budget_s=-1.0).summary
    assert early.startswith("The change that was tried would not help by more than 1 %; ") and "pace" not in early
    assert no_gain(now.result, 3, 14) == "None of 3 changes that were tried would help by more than 1 %"


def test_a_receiver_with_a_single_link_has_no_other_nic_to_spread_an_incast_over(generate, catalog):
    design = generate("fat-tree", servers=4, switch="generic-switch-48x400g", server="generic-host")
    now = situation(design, catalog, traffic="incast:3", size_bytes=2**20)
    assert not [one for one in remedies(now) if one.kind in ("receivers", "nics")]
    name = min(design.device(one.id).name for one in design.servers())
    assert limit_outside_fabric(now.result) == f"the 400 Gb/s link of {name}, its only one, sets the pace"


def test_no_limit_is_named_where_links_between_switches_are_full_or_several_links_differ(two_to_one_drawn, catalog):
    now = situation(two_to_one_drawn, catalog, collective="all-to-all", size_bytes=2**26)
    assert limit_outside_fabric(now.result) == ""
    assert no_gain(now.result, 5, 0) == "Nothing tried would help by more than 1 %"
    one = now.result.bottlenecks[0]
    design, links = now.design, two_to_one_drawn.links.values()
    ids = [link.id for link in links if not _between_switches(design, link)]

    def limit(*chosen):
        return limit_outside_fabric(replace(now.result, bottlenecks=[replace(one, link_id=id_) for id_ in chosen]))

    assert limit(*ids) == "the 400 Gb/s links of servers set the pace"
    assert limit(None) == "the scale-up domain sets the pace"
    assert limit(None, ids[0]) == limit() == limit(ids[0], one.link_id) == ""


def test_the_links_of_one_server_are_named_and_no_rate_where_they_differ(superpod_drawn, catalog):
    now = situation(superpod_drawn, catalog, traffic="incast:12", size_bytes=2**20)
    design, one = superpod_drawn, now.result.bottlenecks[0]
    server = design.servers()[0]
    first, second = [link.id for link in design.links_of(server.id)][:2]
    graph = now.result.graph

    def limit(capacity_gbps):
        full = [replace(one, link_id=id_) for id_ in (first, second)]
        slower = replace(now.result, bottlenecks=full, graph=replace(graph, capacity_gbps=capacity_gbps))
        return limit_outside_fabric(slower)

    assert limit(graph.capacity_gbps) == f"the 400 Gb/s links of {server.name} set the pace"
    slow = graph.capacity_gbps.copy()
    slow[graph.link == graph.link_ids.index(second)] = 200.0
    assert limit(slow) == f"the links of {server.name} set the pace"


def test_after_the_budget_nothing_is_begun_and_what_waits_is_named(two_to_one_drawn, catalog):
    now = situation(two_to_one_drawn, catalog, collective="all-reduce", size_bytes=2**20)
    ticks = iter(range(0, 1000, 6))
    advice = advise(now, budget_s=10.0, clock=lambda: float(next(ticks)))
    assert len(advice.trials) == 2 and len(advice.trials) + len(advice.waiting) == len(remedies(now))
    assert "not tried for lack of time" in advice.summary


def test_where_latency_is_most_of_the_time_algorithms_are_tried_first_and_it_sets_the_pace(superpod_drawn, catalog):
    now = situation(superpod_drawn, catalog, collective="all-reduce", size_bytes=2**20, algorithm="ring")
    result = now.result
    assert result.latency_s > 0.5 * result.time_s
    assert remedies(now)[0].kind == "algorithm"
    assert all(one.why.endswith("; latency sets the pace") and one.why.count("pace") == 1 for one in result.bottlenecks)
    assert no_gain(result, 3, 0) == (
        "Nothing tried would help by more than 1 %: "
        f"latency sets the pace, {100 * result.latency_s / result.time_s:.0f} % of the time"
    )
    large = situation(superpod_drawn, catalog, collective="all-reduce", size_bytes=2**34, algorithm="ring")
    assert remedies(large)[0].kind != "algorithm"
    assert not any("latency" in one.why for one in large.result.bottlenecks)


def test_trials_can_be_cancelled(two_to_one_drawn, catalog):
    now = situation(two_to_one_drawn, catalog, collective="all-reduce", size_bytes=2**20)

    def stop(_share):
        raise Cancelled("enough")

    with pytest.raises(Cancelled):
        advise(now, stop)


def test_gains_under_the_model_of_a_library_are_those_of_its_runs(superpod_drawn, catalog):
    scenario = Scenario(collective="all-reduce", size_bytes=2**26, model="nccl")
    healthy = build(superpod_drawn)
    result = simulate_design(superpod_drawn, scenario)
    now = Situation(superpod_drawn, scenario, frozenset(), healthy, result, catalog, new_error)
    ecmp = tried(now, next(one for one in remedies(now) if one.scenario.routing == "ecmp"))
    assert ecmp.time_s == simulate_design(superpod_drawn, replace(scenario, routing="ecmp")).time_s


def test_a_gain_of_more_ranks_is_none(generate, catalog):
    design = generate("rail-optimized", servers=4, servers_per_su=2)
    now = situation(design, catalog, ["gpu-01"], collective="all-reduce", size_bytes=2**26)
    trial = tried(now, next(one for one in remedies(now) if one.kind == "repair"))
    assert trial.result is not None and trial.result.ranks > now.result.ranks
    assert trial.gain is None and not trial.helps and trial.gain_text == ""


def test_small_gains_have_a_digit_and_are_left_out_below_one_percent(two_to_one_drawn, catalog):
    now = situation(two_to_one_drawn, catalog, collective="all-reduce", size_bytes=2**20)

    def gaining(share):
        faster = replace(now.result, time_s=now.result.time_s * (1 - share))
        return Trial(remedies(now)[0], now.result, faster)

    assert [gaining(share).gain_text for share in (0.06, 0.0142, 0.3)] == ["6 %", "1.4 %", "30 %"]
    assert gaining(0.011).helps and not gaining(0.009).helps and not gaining(-0.2).helps


def test_what_cannot_be_made_is_refused_with_the_reason(superpod_drawn, catalog):
    now = situation(superpod_drawn, catalog, collective="all-reduce", size_bytes=2**20)
    trial = tried(now, next(one for one in remedies(now) if one.kind == "uplinks"))
    assert trial.result is None and "free ports" in trial.refused


def test_an_incast_spread_over_the_gpus_of_its_server_gains_what_a_plain_run_of_it_does(generate, catalog):
    design = generate("rail-optimized", servers=4, servers_per_su=2)
    now = situation(design, catalog, traffic="incast:8+shift:8", size_bytes=2**24)
    (spread,) = [one for one in remedies(now) if one.kind == "receivers"]
    name = min(design.device(one.id).name for one in design.servers())
    assert spread.title == f"Incast spread over the 8 GPUs of {name} instead of one of them"
    assert spread.scenario == replace(now.scenario, traffic="server-incast:8+shift:8")
    trial = tried(now, spread)
    assert trial.time_s == simulate_design(design, spread.scenario).time_s and trial.gain > 0.5


def test_an_incast_is_spread_over_the_gpus_that_take_part_and_are_left(generate, catalog):
    design = generate("rail-optimized", servers=4, servers_per_su=2)
    asked = {"traffic": "incast:2", "size_bytes": 2**20}

    def spread(failed=(), **more):
        now = situation(design, catalog, failed, **asked, **more)
        return [one.title for one in remedies(now) if one.kind == "receivers"]

    first, second, *_ = sorted(design.device(one.id).name for one in design.servers())
    assert spread(ranks=(0, 8, 16, 24)) == []
    assert spread(ranks=(0, 1, 8, 16)) == [f"Incast spread over the 2 GPUs of {first} instead of one of them"]
    (gone,) = [one.id for one in design.servers() if one.name == first]
    assert spread([gone]) == [f"Incast spread over the 8 GPUs of {second} instead of one of them"]
    shifted = situation(design, catalog, traffic="shift:1", size_bytes=2**20)
    assert not [one for one in remedies(shifted) if one.kind == "receivers"]
    spread_already = situation(design, catalog, traffic="server-incast:2", size_bytes=2**20)
    assert not [one for one in remedies(spread_already) if one.kind == "receivers"]


@pytest.fixture
def planes_drawn(generate):
    return generate(
        "fat-tree", servers=8, switch="generic-switch-64x8x100g", server="generic-server-1x8x100g", planes=2
    )


def test_messages_are_split_over_the_nics_of_a_gpu_where_each_takes_one(planes_drawn, generate, catalog):
    def split(design, **asked):
        now = situation(design, catalog, size_bytes=2**24, **asked)
        return [(now, one) for one in remedies(now) if one.title.startswith("Each message split")]

    ((now, remedy),) = split(planes_drawn, traffic="incast:4", routing="ecmp")
    trial = tried(now, remedy)
    assert remedy.scenario == replace(now.scenario, planes="split")
    assert trial.helps and trial.time_s == simulate_design(planes_drawn, remedy.scenario).time_s
    assert split(planes_drawn, traffic="incast:4", planes="turns")
    assert not split(planes_drawn, traffic="incast:4")
    assert not split(planes_drawn, traffic="incast:4", routing="ecmp", planes="split")
    one_nic = generate("rail-optimized", servers=4, servers_per_su=2)
    assert not split(one_nic, traffic="incast:4", routing="ecmp")


def test_free_nic_ports_of_the_slowest_servers_are_cabled_as_their_others(planes_drawn, catalog):
    design = planes_drawn
    now = situation(design, catalog, traffic="incast:4", size_bytes=2**24)
    (receiver,) = wiring.slowest_servers(design, now.result)
    assert not wiring.spare_links(design, "compute", [receiver])
    assert not [one for one in remedies(now) if one.kind == "nics"]
    with pytest.raises(NoFreePortError):
        wiring.servers_cabled(design, "compute", [receiver])
    own = sorted(design.links_of(receiver), key=lambda link: link.id)
    design.apply(Edit("Fewer links", removed(own[1:])))
    now = situation(design, catalog, traffic="incast:4", size_bytes=2**24)
    (remedy,) = [one for one in remedies(now) if one.kind == "nics"]
    count = len(own) - 1
    assert remedy.title.startswith(f"Cable {count} free NIC ports of {design.device(receiver).name} to ")
    trial = tried(now, remedy)
    assert trial.helps and trial.links_added == len(trial.edit.changes) > 1
    assert {(one.after.medium_id, one.after.length_m) for one in trial.edit.changes} == {
        (own[0].medium_id, own[0].length_m)
    }
    assert trial.time_s == pytest.approx(plain_time_s(now, trial), rel=1e-9)


def test_a_free_nic_port_is_cabled_to_the_leaf_of_its_rail_as_the_fix_of_the_finding_does(generate, catalog):
    design = generate("rail-optimized", servers=4, servers_per_su=2)
    server = next(iter(design.servers()))
    gone = next(link for link in design.links_of(server.id) if "rail5" in (link.a.port, link.b.port))
    design.apply(Edit("Pull a cable", removed([gone])))
    now = situation(design, catalog, collective="all-reduce", algorithm="ring", size_bytes=2**28)
    (remedy,) = [one for one in remedies(now) if one.kind == "nics"]
    leaf = next(design.device(end.device_id) for end in (gone.a, gone.b) if end.device_id != server.id)
    assert leaf.rail == 5
    assert remedy.title == f"Cable {server.name} port rail5 to {leaf.name}"
    (finding,) = [one for one in validate(design).findings if one.code == "NIC-003"]
    (link,) = [one.after for one in finding.fix.changes]
    trial = tried(now, remedy)
    assert trial.helps and trial.edit.changes[0].after == link


def test_a_nic_that_no_server_uses_is_cabled_to_no_leaf_of_another_rail(generate, catalog):
    design = generate("rail-optimized", servers=4, servers_per_su=2)
    gone = [link for link in design.links.values() if "rail5" in (link.a.port, link.b.port)]
    leafs = [one for one in design.switches() if one.rail == 5]
    design.apply(Edit("No rail 5", (*removed(gone),)))
    design.apply(Edit("No rail stated", tuple(Change(one, replace(one, rail=None)) for one in leafs)))
    assert wiring.spare_links(design, "compute", [one.id for one in design.servers()]) == []


def test_a_change_that_causes_an_error_is_refused_and_never_offered(planes_drawn, catalog):
    design = planes_drawn
    now = situation(design, catalog, traffic="incast:4", size_bytes=2**24)
    (receiver,) = wiring.slowest_servers(design, now.result)
    own = sorted(design.links_of(receiver), key=lambda link: link.id)
    design.apply(Edit("Fewer links", removed(own[1:])))
    now = situation(design, catalog, traffic="incast:4", size_bytes=2**24)
    (remedy,) = [one for one in remedies(now) if one.kind == "nics"]
    assert tried(now, remedy).helps

    def forbids_more(before, after):
        return "leaf-01: too many links" if len(after.links) > len(before.links) else ""

    trial = tried(replace(now, new_error=forbids_more), remedy)
    assert not trial.helps and trial.refused == "it would cause an error: leaf-01: too many links"


def test_no_server_sets_the_pace_where_a_link_between_switches_does(two_to_one_drawn, catalog):
    now = situation(two_to_one_drawn, catalog, collective="all-to-all", size_bytes=2**26)
    assert wiring.slowest_servers(two_to_one_drawn, now.result) == []
