"""Dragonflies of several kinds of groups: port budgets, links of each two kinds, even spread, counts in closed form."""

from collections import Counter
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from designer import api
from designer.catalog.catalog import load
from designer.errors import ParameterError
from designer.model.design import Design
from designer.regeneration import recipes
from designer.topologies import dragonfly, dragonfly_plus, statements
from designer.topologies.dragonfly import DragonflyParameters
from designer.topologies.dragonfly_plus import DragonflyPlusParameters
from designer.topologies.families import FAMILIES
from designer.topologies.global_links import ARRANGEMENT_CHOICES, global_links
from designer.validation.engine import validate
from designer.validation.findings import Severity

CATALOG = load()


def built(family, parameters) -> Design:
    design = Design()
    design.apply(family.build(design, parameters, CATALOG))
    return design


def between_groups(design: Design) -> tuple[Counter, Counter]:
    """Links by pair of group numbers, and by switch."""
    unit = {switch.id: switch.unit for switch in design.switches()}
    pairs, holders = Counter(), Counter()
    for link in design.links.values():
        ends = [link.a.device_id, link.b.device_id]
        if all(one in unit for one in ends) and unit[ends[0]] != unit[ends[1]]:
            pairs[frozenset(unit[one] for one in ends)] += 1
            holders.update(ends)
    return pairs, holders


def kind_numbers(plan) -> dict[int, int]:
    return {group + 1: number for number, one in enumerate(plan.kinds) for group in one.numbers}


sizes = st.tuples(st.integers(1, 3), st.integers(1, 5), st.integers(0, 2), st.integers(1, 4))


@st.composite
def dragonflies(draw) -> DragonflyParameters:
    kinds = ["compute", *draw(st.sampled_from([[], ["service"], ["service", "io"]]))]
    named = [f"{a}-{b}" for place, a in enumerate(kinds) for b in kinds[place:]]
    chosen = draw(st.lists(st.sampled_from(named), unique=True, max_size=3))
    return DragonflyParameters(
        p=draw(st.integers(1, 3)),
        a=draw(st.integers(1, 5)),
        h=draw(st.integers(1, 4)),
        groups=draw(st.integers(2, 5)),
        links_per_pair=draw(st.none() | st.integers(1, 3)),
        other_groups=tuple((name, draw(sizes)) for name in kinds[1:]),
        pair_links=tuple((name, (draw(st.integers(0, 4)),)) for name in chosen),
        arrangement=draw(st.sampled_from(ARRANGEMENT_CHOICES)),
    )


@given(dragonflies())
@settings(max_examples=60, deadline=None)
def test_groups_of_any_kinds_keep_their_budgets_and_have_the_links_of_their_kinds(parameters):
    try:
        plan = parameters.plan
    except ParameterError:
        assume(False)
    counts, design = dragonfly.counts(parameters, CATALOG), built(dragonfly, parameters)
    kinds, of = plan.kinds, kind_numbers(plan)
    assert counts.switches == {"router": sum(one.count * one.leafs for one in kinds)}
    assert counts.servers == len(design.servers()) == sum(one.count * one.leafs * one.p for one in kinds)
    assert sum(counts.links.values()) == len(design.links)
    assert counts.links.get("local", 0) == sum(one.count * one.leafs * (one.leafs - 1) // 2 for one in kinds)
    pairs, holders = between_groups(design)
    for low, high in combinations(sorted(of), 2):
        assert pairs[frozenset((low, high))] == plan.per_pair[of[low], of[high]]
    assert pairs.total() == counts.links.get("global", 0) == plan.n_global
    for switch in design.switches():
        assert holders[switch.id] <= kinds[of[switch.unit]].h
    for link in design.links.values():  # no port is used twice: an error of validation
        assert link.a != link.b
    assert len({end for link in design.links.values() for end in (link.a, link.b)}) == 2 * len(design.links)
    if parameters.arrangement == "even":
        for group in of:
            held = [holders[switch.id] for switch in design.switches() if switch.unit == group]
            assert max(held) - min(held) <= 1


@given(
    st.tuples(*[st.integers(1, 3)] * 5), st.integers(2, 4), st.sampled_from(ARRANGEMENT_CHOICES), sizes, st.booleans()
)
@settings(max_examples=40, deadline=None)
def test_a_dragonfly_plus_of_unequal_groups_has_the_counts_of_its_formula(shape, groups, arrangement, other, has_other):
    leafs, spines, p, h, parallel = shape
    count, far_leafs, far_p, far_h = other
    far_spines = leafs + 1
    others = (("io", (count, far_leafs, far_spines, far_p, far_h)),) if has_other else ()
    parameters = DragonflyPlusParameters(
        leafs,
        spines,
        p,
        h,
        groups=groups,
        leaf_spine_links=parallel,
        other_groups=others,
        arrangement=arrangement,
    )
    try:
        plan = parameters.plan
    except ParameterError:
        assume(False)
    counts, design = dragonfly_plus.counts(parameters, CATALOG), built(dragonfly_plus, parameters)
    n_other = count if has_other else 0
    assert counts.switches == {
        "leaf": groups * leafs + n_other * far_leafs,
        "spine": groups * spines + n_other * far_spines,
    }
    assert counts.links["local"] == parallel * (groups * leafs * spines + n_other * far_leafs * far_spines)
    assert sum(counts.links.values()) == len(design.links)
    role = {switch.id: (switch.role, switch.unit) for switch in design.switches()}
    ends = [(role.get(link.a.device_id), role.get(link.b.device_id)) for link in design.links.values()]
    local = Counter((link.a.device_id, link.b.device_id) for link in design.links.values() if link.a.device_id in role)
    inside = [n for (a, b), n in local.items() if role[a][1] == role[b][1]]
    assert set(inside) == {parallel}
    between = Counter(frozenset((a[1], b[1])) for a, b in ends if a and b and a[1] != b[1])
    assert set(between.values()) == {plan.per_pair[0, 0]}
    assert all(a[0] == b[0] == "spine" for a, b in ends if a and b and a[1] != b[1])
    held = between_groups(design)[1]
    budget = {number + 1: one.h for one in plan.kinds for number in one.numbers}
    assert all(held[one] <= budget[unit] for one, (_role, unit) in role.items())


def test_even_spreads_the_20_links_of_each_pair_over_all_routers_where_others_leave_the_last_without_any():
    held = {}
    for arrangement in ARRANGEMENT_CHOICES:
        parameters = DragonflyParameters(1, 32, 16, groups=24, links_per_pair=20, arrangement=arrangement)
        links = Counter()
        of_pair: dict[tuple[int, int], set[int]] = {}
        for group, (switch, _), other, (far, _) in global_links(parameters.plan, arrangement):
            links.update([(group, switch), (other, far)])
            of_pair.setdefault((group, other), set()).add(switch)
        held[arrangement] = [links[0, switch] for switch in range(32)]
        assert sum(held[arrangement]) == 460
        if arrangement == "even":
            assert {len(switches) for switches in of_pair.values()} == {20}
    assert sorted(set(held["even"])) == [14, 15]
    for arrangement in ("relative", "absolute", "circulant"):
        assert held[arrangement][:28] == [16] * 28
        assert held[arrangement][29:] == [0] * 3


def test_circulant_takes_the_nearest_groups_first_both_ways_in_turn():
    plan = DragonflyParameters(1, 4, 2).plan
    first = sorted(
        (switch, link, other) for group, (switch, link), other, _ in global_links(plan, "circulant") if group == 0
    )
    assert [other for _, _, other in first] == [1, 8, 2, 7, 3, 6, 4, 5]


SERVICE = DragonflyParameters(
    2,
    4,
    4,
    groups=3,
    other_groups=(("service", (2, 2, 1)),),
    pair_links=(("compute-compute", (4,)), ("service-compute", (2,)), ("service-service", (1,))),
    arrangement="even",
)


def test_groups_are_named_by_kind_and_carry_traffic():
    design = built(dragonfly, SERVICE)
    assert [group.name for group in design.groups.values()] == [
        "compute group 1",
        "compute group 2",
        "compute group 3",
        "service group 4",
        "service group 5",
    ]
    assert not [one for one in validate(design).findings if one.severity is not Severity.INFO]
    assert len(design.servers()) == 3 * 4 * 2 + 2 * 2 * 1
    assert len({server.name for server in design.servers()}) == 28
    for collective in ("all-reduce", "all-to-all"):
        assert api.simulate(design, collective=collective, size_bytes=2**20).time_s > 0


@pytest.mark.parametrize("parameters", [SERVICE, replace(SERVICE, kind_servers=(("service", "generic-node"),))])
def test_what_a_fabric_of_several_kinds_was_made_with_is_read_back(parameters):
    design = Design()
    family = next(one for one in FAMILIES if one.name == "dragonfly")
    design.apply(recipes.generated(design, family, parameters, CATALOG))
    group = next(one for one in design.groups.values() if one.recipe is not None)
    assert recipes.parameters_of(group) == parameters
    assert ("kind_servers" in dict(group.recipe.parameters)) is bool(parameters.kind_servers)


STORAGE = replace(SERVICE, kind_servers=(("service", "generic-node"),), server="generic-host-2x400g")


def test_no_rank_runs_on_hosts_of_groups_without_gpus():
    counts, design = dragonfly.counts(STORAGE, CATALOG), built(dragonfly, STORAGE)
    assert (counts.servers, counts.endpoints, counts.nics) == (12 + 4, 12, 24 + 4)
    gpus = {one.name: design.device_type(one.id).gpus for one in design.servers()}
    assert set(gpus.values()) == {0, 1}
    assert [name for name, number in gpus.items() if number] == [f"host-{number:02}" for number in range(1, 13)]
    assert len(design.links) == sum(counts.links.values()), "their ports are linked all the same"
    assert not [one for one in validate(design).findings if one.severity is not Severity.INFO]
    result = api.simulate(design, collective="all-to-all", size_bytes=2**20)
    assert result.ranks == 12
    group = next(one for one in design.groups.values() if one.name.startswith("service"))
    assert {design.device_type(one.id).id for one in design.servers() if one.group_id == group.id} == {
        "generic-node-400g"
    }


def test_cells_of_leafs_and_spines_may_have_hosts_without_gpus_as_well():
    parameters = DragonflyPlusParameters(
        2, 2, 2, 4, groups=2, other_groups=(("io", (1, 2, 2, 1)),), kind_servers=(("io", "generic-node"),)
    )
    counts, design = dragonfly_plus.counts(parameters, CATALOG), built(dragonfly_plus, parameters)
    assert (counts.servers, counts.endpoints) == (2 * 4 + 2, 8)
    assert sum(design.device_type(one.id).gpus for one in design.servers()) == 8


@pytest.mark.parametrize("family", ["dragonfly", "dragonfly-plus"])
def test_a_topology_states_which_groups_have_other_servers(family):
    others = (("io", (1, 2, 1) if family == "dragonfly" else (1, 2, 2, 1)), ("cpu", (1, 2, 1, 9)))
    row = next(one for one in FAMILIES if one.name == family)
    if family == "dragonfly-plus":
        others = (others[0], ("cpu", (1, 2, 2, 1)))
    servers = (("io", "generic-node"), ("cpu", "generic-node-400g"))
    made = row.parameters(h=9, groups=2, other_groups=others, kind_servers=servers)
    statement = getattr(statements, family.replace("-", "_"))
    assert "; no GPUs in io and cpu groups; " in statement(made, statements.Built())
    mixed = replace(made, kind_servers=(("cpu", "dgx-h100"),))
    assert "; servers of type dgx-h100 in cpu groups; " in statement(mixed, statements.Built())


@pytest.mark.parametrize(
    ("servers", "sentence"),
    [
        ((("disk", "generic-node"),), "servers by kind: disk is no kind of groups; there is compute, service"),
        ((("service", "generic-node"), ("service", "generic-host")), "servers by kind: give one type for each kind"),
        ((("service", "nvidia-qm9700"),), "QM9700 is not a server"),
    ],
)
def test_servers_by_kind_that_cannot_be_built_are_refused(servers, sentence):
    with pytest.raises(ParameterError, match=sentence):
        dragonfly.counts(replace(SERVICE, kind_servers=servers), CATALOG)


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"other_groups": (("io", (1, 2)),)}, "other groups: io should look like service=9x16x8"),
        ({"other_groups": (("compute", (1, 2, 2)),)}, "other groups: compute is given twice"),
        ({"other_groups": (("io", (0, 2, 2)),)}, "other groups: io should have 1 or more groups and switches"),
        ({"other_groups": (("io", (1, 10**9, 2)),)}, "other groups: io is more than a design holds"),
        (
            {"other_groups": (("io", (1, 2, 2, 1)),)},
            "a io group has 2 global links left for 3 other groups: give its switches more, or have fewer",
        ),
        ({"pair_links": (("compute-io", (1,)),)}, "compute-io are no two kinds of groups; there is compute-compute"),
        ({"pair_links": (("compute-compute", (1, 2)),)}, "give one number for compute-compute"),
        (
            {"other_groups": (("io", (1, 4, 2)),), "pair_links": (("compute-io", (9,)),), "links_per_pair": 1},
            "a compute group needs 11 global links and has 8",
        ),
        ({"other_groups": tuple((f"k{n}", (1, 1, 1)) for n in range(8))}, "8 kinds were given, 7 at most"),
    ],
)
def test_kinds_that_cannot_be_built_are_refused(fields, sentence):
    with pytest.raises(ParameterError, match=sentence):
        dragonfly.counts(DragonflyParameters(2, 4, 2, groups=3, **fields), CATALOG)


def test_hosts_may_have_another_rate_than_links():
    parameters = DragonflyParameters(2, 4, 2, link_rate_gbps=200.0, host_rate_gbps=100.0, groups=3)
    design = built(dragonfly, parameters)
    assert not [one for one in validate(design).findings if one.severity is Severity.ERROR]
    rates = Counter(
        min(design.port_map(end.device_id)[end.port].rate_gbps for end in (link.a, link.b))
        for link in design.links.values()
    )
    assert rates == {100.0: 24, 200.0: 3 * 6 + 3 * 4}


def test_a_fabric_says_which_routers_an_arrangement_leaves_without_a_global_link():
    def remark(arrangement: str, n_links: int = 20) -> str:
        parameters = DragonflyParameters(1, 32, 16, groups=24, links_per_pair=n_links, arrangement=arrangement)
        return dragonfly.counts(parameters, CATALOG).remark

    assert remark("relative") == (
        "Only 29 of the 32 routers of a group have global links in the relative arrangement; in the even one 32 have."
    )
    assert "2 of the 32 routers" in remark("absolute", 1)
    assert remark("even") == remark("relative", 22) == ""


def test_the_routers_of_a_group_may_be_joined_along_lines_alone():
    parameters = DragonflyParameters(
        1, 12, 1, groups=3, group_dims=(4, 3), group_widths=(1, 3), other_groups=(("io", (1, 4, 1)),)
    )
    counts, design = dragonfly.counts(parameters, CATALOG), built(dragonfly, parameters)
    assert counts.links["local"] == 3 * 12 * (3 + 2 * 3) // 2 + 6
    assert sum(counts.links.values()) == len(design.links)
    names = {switch.id: switch.name for switch in design.switches()}
    pairs = Counter(
        frozenset(names[end.device_id] for end in (link.a, link.b))
        for link in design.links.values()
        if {link.a.device_id, link.b.device_id} <= names.keys()
    )
    assert pairs[frozenset(("router-g1-01", "router-g1-04"))] == 1
    assert pairs[frozenset(("router-g1-01", "router-g1-05"))] == 3
    assert pairs[frozenset(("router-g1-01", "router-g1-06"))] == 0
    assert pairs[frozenset(("router-g4-1", "router-g4-3"))] == 1
    assert not [one for one in validate(design).findings if one.severity is Severity.ERROR]


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"group_dims": (2, 3)}, "2x3 routers along dimensions should be a = 4 in all"),
        ({"group_dims": (2, 2), "group_widths": (1,)}, "one number for each dimension of a group"),
        ({"group_widths": (1,)}, "one number for each dimension of a group"),
        ({"group_dims": (4, 1)}, "routers along a dimension should be 2 or more, not 1"),
    ],
)
def test_lines_that_do_not_make_a_group_are_refused(fields, sentence):
    with pytest.raises(ParameterError, match=sentence):
        DragonflyParameters(2, 4, 2, **fields)


def test_the_most_groups_there_can_be_leave_room_for_those_of_other_kinds():
    parameters = DragonflyParameters(2, 4, 2, other_groups=(("service", (2, 2, 1, 4)),))
    assert parameters.n_groups == 7
    assert dragonfly.counts(parameters, CATALOG).links["global"] == 9 * 8 // 2
