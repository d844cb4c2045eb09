"""Faults of every kind, put into designs of every family at random: each is found, and its fix does no harm.

An injector takes a clean design and a source of chance, and returns the changes that make the fault, or None where the
design has no place for it. Rules without one are listed with the reason; a rule in neither list fails a test.
"""

import importlib.util
from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from designer.catalog.catalog import load
from designer.model import operations, waiving
from designer.model.design import Design
from designer.model.edit import Change, Edit, added, removed
from designer.model.entities import End, Group, Link, Module, PlacedJob
from designer.model.furnishing import add_fixture
from designer.model.placed_jobs import whole
from designer.model.waiver import Waiver
from designer.placement.preparation import prepare
from designer.regeneration import recipes
from designer.topologies.rail_optimized import RailOptimizedParameters
from designer.validation.engine import RULES, validate
from designer.validation.findings import Severity
from designer.validation.fixing import completed

EXAMPLES = Path(__file__).parents[2] / "examples" / "make_examples.py"
spec = importlib.util.spec_from_file_location("make_examples_to_break", EXAMPLES)
make_examples = importlib.util.module_from_spec(spec)
spec.loader.exec_module(make_examples)

CATALOG = load()
SMALL_RAILS = "rail-optimized, small"
FAMILIES = ("fat-tree", "rail-optimized", "pgft", "k-ary-fat-tree", "torus", "dragonfly", "hyperx", "jellyfish")
EXAMPLE = "example at 2:1"
_built = {}


def clean(name):
    """The design of that name and the codes that are found in it, built once. Not to be changed."""
    if name not in _built:
        if name == EXAMPLE:
            design = make_examples.oversubscribed(CATALOG)
        else:
            design = Design()
            family = recipes.family_named(name.split(",")[0])
            small = RailOptimizedParameters(servers=12, servers_per_su=8, rails=2, reserve_leaf_ports=1)
            parameters = small if name == SMALL_RAILS else family.parameters()
            design.apply(recipes.generated(design, family, parameters, CATALOG))
            design.apply(prepare(design, CATALOG.types).edit)
        _built[name] = design, frozenset(one.code for one in validate(design).findings)
    return _built[name]


def changed(entity, **fields):
    return Change(entity, replace(entity, **fields))


def one_of(random, candidates):
    found = list(candidates)
    return random.choice(found) if found else None


def up_links(design):
    """Links between switches."""
    switches = {one.id for one in design.switches()}
    return [one for one in design.links.values() if {one.a.device_id, one.b.device_id} <= switches]


def down_links(design):
    """Links of servers."""
    servers = {one.id for one in design.servers()}
    return [one for one in design.links.values() if servers & {one.a.device_id, one.b.device_id}]


def with_free_ports(design, least):
    return [one for one in design.switches() if len(design.free_ports(one.id)) >= least]


def joined(design, a, b):
    return added([Link(design.new_ids("links", 1)[0], a, b)])


def of_a_link(**fields):
    def inject(design, random):
        return (changed(one_of(random, design.links.values()), **fields),)

    return inject


def of_a_standing_rack(**fields):
    def inject(design, random):
        racks = {one.rack_id for one in design.placements.values() if one.rack_id}
        chosen = one_of(random, racks)
        return chosen and (changed(design.racks[chosen], **fields),)

    return inject


def two_of_one_name(design, random):
    one, other = random.sample(list(design.devices.values()), 2)
    return (changed(one, name=other.name),)


def no_such_port(design, random):
    link = one_of(random, design.links.values())
    return (changed(link, b=End(link.b.device_id, "999/9")),)


def port_twice(design, random):
    link = one_of(random, design.links.values())
    others = [one for one in design.links.values() if one.b.device_id == link.b.device_id and one is not link]
    return others and (changed(link, b=random.choice(others).b),)


def other_speed(design, random):
    """The cage of a link is put into a mode with a port of the same name and another speed."""
    links = list(design.links.values())
    for link in random.sample(links, min(8, len(links))):
        device = design.device(link.b.device_id)
        port = design.port_map(device.id)[link.b.port]
        for mode in getattr(design.types[device.type_id], "modes", ()):
            tried = design.snapshot()
            changes = (changed(device, cage_modes=((port.cage, mode.name),)),)
            tried.apply(Edit("try", changes))
            as_split = tried.port_map(device.id).get(link.b.port)
            if as_split is not None and as_split.rate_gbps != port.rate_gbps:
                return changes
    return None


def no_such_mode(design, random):
    return (changed(one_of(random, design.switches()), cage_modes=((1, "no such mode"),)),)


def one_link_too_many(design, random):
    full = [one for one in design.servers() if one.id in design.devices and not design.free_ports(one.id)]
    server, switch = one_of(random, full), one_of(random, with_free_ports(design, 1))
    if server is None or switch is None:
        return None
    port = one_of(random, design.port_map(server.id))
    return joined(design, End(server.id, port), End(switch.id, design.free_ports(switch.id)[-1].name))


def reserved_in_use(design, random):
    link = one_of(random, up_links(design))
    return (changed(design.device(link.b.device_id), reserved_ports=(link.b.port,)),)


def to_itself(design, random):
    switch = one_of(random, with_free_ports(design, 2))
    if switch is None:
        return None
    one, other = random.sample(list(design.free_ports(switch.id)), 2)
    return joined(design, End(switch.id, one.name), End(switch.id, other.name))


def nic_without_slot(design, random):
    module = one_of(random, design.modules.values())
    return module and added([Module(design.new_ids("modules", 1)[0], module.device_id, "attic", module.type_id)])


def nic_without_cable(design, random):
    links = Counter(link.a.device_id for link in down_links(design))
    link = one_of(random, (one for one in down_links(design) if links[one.a.device_id] > 1))
    return link and removed([link])


def no_cable_at_all(design, random):
    server = one_of(random, design.servers())
    return server and removed(list(design.links_of(server.id)))


def same_units(design, random):
    racked = [one for one in design.placements.values() if one.rack_id and one.unit]
    for one in random.sample(racked, len(racked)):
        mates = [mate for mate in racked if mate.rack_id == one.rack_id and mate is not one]
        if mates:
            return (changed(one, unit=random.choice(mates).unit),)
    return None


def racks_in_each_other(design, random):
    if len(design.racks) < 2:
        return None
    one, other = random.sample(list(design.racks.values()), 2)
    return changed(one, x_m=500.0, y_m=500.0), changed(other, x_m=500.3, y_m=500.0)


def column_in_a_rack(design, random):
    rack = one_of(random, (one for one in design.racks.values()))
    if rack is None:
        return None
    return (changed(rack, x_m=500.0, y_m=500.0), *add_fixture(design, "column", (499.8, 499.8, 500.2, 500.2)).changes)


def out_of_its_rack(design, random):
    at = one_of(random, (one for one in design.placements.values() if one.rack_id))
    return at and (changed(at, rack_id=None),)


def group_of_nothing(design, random):
    return added([Group(design.new_ids("groups", 1)[0], "Nothing here", "scalable unit")])


def labels_alike(design, random):
    return tuple(changed(one, label="A-17") for one in random.sample(list(design.links.values()), 2))


def waiver_of_nothing(design, random):
    subject = one_of(random, design.switches()).id
    waiver = Waiver("", "LINK-001", (subject,), reason="a loop for tests", date="2026-11-22")
    return waiving.add_waivers(design, [waiver]).changes


def idle_switch(design, random):
    type_ = CATALOG.get("nvidia-qm9700")
    return operations.add_device(design, type_, 9000, 0, catalog_types=CATALOG.types, name="spare-of-tests").changes


def jobs_on_one_server(design, random):
    servers = [one.id for one in design.servers()]
    if len(servers) < 3:
        return None
    first, second = design.new_ids("jobs", 2)
    a, b, c = random.sample(servers, 3)
    return added(
        [
            PlacedJob(first, "one", 2**30, "all-reduce", servers=whole([a, b])),
            PlacedJob(second, "other", 2**30, "all-reduce", servers=whole([b, c])),
        ]
    )


def rails_crossed(design, random):
    """Two links of a server change their leafs."""
    railed = [one for one in down_links(design) if design.device(one.b.device_id).rail is not None]
    link = one_of(random, railed)
    others = [
        one
        for one in railed
        if link.a.device_id == one.a.device_id
        and design.device(one.b.device_id).rail != design.device(link.b.device_id).rail
    ]
    if not others:
        return None
    other = random.choice(others)
    return changed(link, b=other.b), changed(other, b=link.b)


def leaf_without_uplinks(design, random):
    leaf = one_of(random, (one for one in design.switches() if one.role == "leaf"))
    return leaf and removed([one for one in up_links(design) if leaf.id in (one.a.device_id, one.b.device_id)])


def leafs_joined(design, random):
    """An uplink of a leaf goes to another leaf, at the port of an uplink that this one loses."""
    link, other = random.sample([one for one in up_links(design) if design.device(one.a.device_id).role == "leaf"], 2)
    if link.a.device_id == other.a.device_id:
        return None
    return changed(link, b=other.a), *removed([other])


def fewer_links_to_a_spine(design, random):
    """A leaf has several links to each of its spines and loses one."""
    pairs = Counter((one.a.device_id, one.b.device_id) for one in up_links(design))
    leafs = Counter(leaf for leaf, _ in pairs)
    wide = [
        one
        for one in up_links(design)
        if pairs[one.a.device_id, one.b.device_id] > 2
        and leafs[one.a.device_id] > 1
        and design.device(one.a.device_id).role == "leaf"
    ]
    link = one_of(random, wide)
    return link and removed([link])


def ring_open(design, random):
    link = one_of(random, up_links(design))
    return link and removed([link])


def groups_apart(design, random):
    """Two groups of a dragonfly lose every link between them."""

    def ends(link):
        return frozenset(design.device(end.device_id).group_id for end in (link.a, link.b))

    pair = one_of(random, sorted({ends(one) for one in up_links(design) if len(ends(one)) == 2}, key=sorted))
    return pair and removed([one for one in up_links(design) if ends(one) == pair])


def within_a_group(design, random):
    """Two routers of a dragonfly's group lose the link between them."""
    near = [
        one
        for one in up_links(design)
        if design.device(one.a.device_id).group_id == design.device(one.b.device_id).group_id
    ]
    link = one_of(random, near)
    return link and removed([link])


TREES = ("fat-tree", "rail-optimized")
RAILS = ("rail-optimized", SMALL_RAILS)
EVERY = (*FAMILIES, SMALL_RAILS, EXAMPLE)
AT_RANDOM = {
    "NAME-001": (EVERY, two_of_one_name),
    "PORT-001": (EVERY, no_such_port),
    "PORT-002": (EVERY, port_twice),
    "PORT-003": (RAILS, other_speed),
    "PORT-004": (TREES, no_such_mode),
    "PORT-005": (EVERY, one_link_too_many),
    "PORT-006": (EVERY, reserved_in_use),
    "LINK-001": (EVERY, to_itself),
    "NIC-001": (EVERY, nic_without_slot),
    "NIC-003": (TREES, nic_without_cable),
    "REACH-001": (EVERY, no_cable_at_all),
    "RACK-001": (EVERY, same_units),
    "RACK-002": (TREES, of_a_standing_rack(power_budget_w=1.0)),
    "RACK-003": (EVERY, racks_in_each_other),
    "RACK-004": (EVERY, column_in_a_rack),
    "RACK-007": (TREES, of_a_standing_rack(max_weight_kg=1.0)),
    "RACK-008": (TREES, of_a_standing_rack(feeds_w=(1.0, 1.0))),
    "RACK-009": (TREES, out_of_its_rack),
    "MEDIA-001": (TREES, of_a_link(length_m=90_000.0, length_source="typed")),
    "DOC-001": (EVERY, waiver_of_nothing),
    "DOC-003": (EVERY, group_of_nothing),
    "DOC-005": (EVERY, labels_alike),
    "TIER-001": (EVERY, idle_switch),
    "JOB-002": (EVERY, jobs_on_one_server),
    "RAIL-001": (RAILS, rails_crossed),
    "TIER-003": (TREES, leaf_without_uplinks),
    "TIER-002": (TREES, leafs_joined),
    "SPREAD-001": (TREES, fewer_links_to_a_spine),
    "TORUS-001": (("torus",), ring_open),
    "DFLY-001": (("dragonfly",), groups_apart),
    "DFLY-002": (("dragonfly",), within_a_group),
}


def as_in_the_example(*names):
    """The faults of the example of that name, one after another, at their one place."""

    def inject(design, random):
        tried, changes = design.snapshot(), []
        for name in names:
            made = getattr(make_examples, name)(tried, CATALOG)
            tried.apply(Edit(name, made))
            changes.extend(made)
        return tuple(changes)

    return (SMALL_RAILS,), inject


AT_ONE_PLACE = {
    "PORT-007": as_in_the_example("_oversubscribed_leaf", "_protocol_mismatch"),
    "PORT-009": as_in_the_example("_half_cages"),
    "NIC-002": as_in_the_example("_nic_does_not_fit"),
    "NIC-004": as_in_the_example("_missing_nic"),
    "NIC-005": as_in_the_example("_dragonfly", "_twin_hosts"),
    "NIC-006": as_in_the_example("_dragonfly", "_twin_hosts"),
    "NIC-007": as_in_the_example("_dragonfly", "_twin_hosts"),
    "NIC-008": as_in_the_example("_dragonfly", "_twin_hosts"),
    "PLANE-002": as_in_the_example("_dragonfly", "_twin_hosts"),
    "RAIL-002": as_in_the_example("_dragonfly", "_twin_hosts"),
    "RAIL-004": as_in_the_example("_dragonfly", "_twin_hosts"),
    "RAIL-003": as_in_the_example("_in_another_unit"),
    "OVER-001": as_in_the_example("_oversubscribed_leaf"),
    "REACH-002": as_in_the_example("_fabric_in_pieces"),
    "MEDIA-002": as_in_the_example("_too_short"),
    "MEDIA-004": as_in_the_example("_hot_modules"),
    "MEDIA-005": as_in_the_example("_no_stock"),
    "MEDIA-007": as_in_the_example("_no_stock"),
    "RACK-006": as_in_the_example("_deep_switch"),
    "RACK-011": as_in_the_example("_deep_switch"),
    "NET-001": as_in_the_example("_oversubscribed_leaf", "_storage_networks"),
    "NET-002": as_in_the_example("_oversubscribed_leaf", "_storage_networks"),
    "NET-003": as_in_the_example("_oversubscribed_leaf", "_storage_networks"),
    "NET-005": as_in_the_example("_unmanaged"),
    "NET-006": as_in_the_example("_oversubscribed_leaf", "_storage_networks", "_nic_does_not_fit", "_storage_misfit"),
    "DOC-004": as_in_the_example("_nic_does_not_fit", "_stale_type"),
    "JOB-001": as_in_the_example("_jobs"),
    "TIER-004": as_in_the_example("_dragonfly", "_blocks"),
    "TORUS-002": as_in_the_example("_dragonfly", "_torus"),
    "DFLY-003": as_in_the_example("_dragonfly"),
    "DFLY-004": as_in_the_example("_dragonfly"),
    "SPOF-001": as_in_the_example("_oversubscribed_leaf", "_dragonfly", "_trial_hosts"),
    "SPOF-002": as_in_the_example("_oversubscribed_leaf", "_dragonfly", "_trial_hosts"),
    "SPOF-004": as_in_the_example("_oversubscribed_leaf", "_dragonfly", "_trial_hosts"),
    "PLANE-001": as_in_the_example("_oversubscribed_leaf", "_dragonfly", "_trial_hosts"),
    "SPREAD-002": as_in_the_example("_oversubscribed_leaf", "_dragonfly", "_trial_hosts", "_thin_leaf"),
    "SPREAD-003": as_in_the_example("_oversubscribed_leaf", "_uneven_uplinks", "_slow_parallel_link"),
    "DEADLOCK-001": as_in_the_example("_oversubscribed_leaf", "_dragonfly", "_trial_hosts", "_ring_of_switches"),
}
INJECTORS = AT_RANDOM | AT_ONE_PLACE

A_LIMIT = "finds nothing until the policy states a limit or a wish"
A_FLOOR = "needs racks set out in rows on the floor"
WITHOUT = {
    "BISECT-001": A_LIMIT,
    "DIAM-001": A_LIMIT,
    "DOC-002": A_LIMIT,
    "NET-004": A_LIMIT,
    "PORT-008": A_LIMIT,
    "MEDIA-003": A_FLOOR,
    "MEDIA-006": A_FLOOR,
    "RACK-005": A_FLOOR,
    "RACK-010": A_FLOOR,
    "ROOM-001": A_FLOOR,
    "ROOM-002": A_FLOOR,
    "MEDIA-008": "needs two ports that no catalog part joins",
    "OVER-002": "needs a third tier",
    "OVER-003": "needs a storage network with tiers",
    "OVER-004": "needs an in-band network with tiers",
    "OVER-005": "needs an out-of-band network with tiers",
    "OVER-006": "needs a north-south network with tiers",
    "SPOF-003": "needs a rack that all ways lead through",
}


UNCOVERED = {"PORT-002": {"TORUS-001"}}
"""By rule, what its fix may bring to light: of two links in a port, the one that is deleted may have closed a ring."""


def harm(report):
    """How many errors and warnings of each rule are open."""
    counted = (Severity.ERROR, Severity.WARNING)
    return Counter(one.code for one in report.open if one.severity in counted)


def fault_is_found_and_fixed(code, name, random):
    """False where the design has no place for the fault."""
    design, codes = clean(name)
    assert code not in codes, f"{code} is found in the clean design {name}"
    broken = design.snapshot()
    changes = INJECTORS[code][1](broken, random)
    if not changes:
        return False
    broken.apply(Edit("fault", tuple(changes)))
    before = validate(broken)
    found = [one for one in before.open if one.code == code]
    assert found, f"{code} is not found in {name}"
    for finding in found[:2]:
        if finding.fix is None:
            continue
        tried = broken.snapshot()
        tried.apply(completed(broken, finding.fix))
        after = validate(tried)
        same = [(one.code, one.subjects, one.message) for one in after.open]
        assert (finding.code, finding.subjects, finding.message) not in same
        came = set(harm(after) - harm(before)) - UNCOVERED.get(code, set())
        assert not came, f"{finding.fix.label} in {name}"
    return True


def seeded(code, data):
    random = Random(data.draw(st.integers(0, 2**32 - 1), label="seed"))
    names = data.draw(st.permutations(INJECTORS[code][0]), label="designs")
    assert any(fault_is_found_and_fixed(code, name, random) for name in names), f"no place for {code}"


@pytest.mark.parametrize("code", sorted(INJECTORS))
@settings(max_examples=2, derandomize=True, database=None, phases=(Phase.generate,))
@given(data=st.data())
def test_a_seeded_fault_is_found_and_its_fix_does_no_harm(code, data):
    seeded(code, data)


@pytest.mark.slow
@pytest.mark.parametrize("code", sorted(AT_RANDOM))
@settings(max_examples=30, phases=(Phase.generate,))
@given(data=st.data())
def test_many_seeded_faults_are_found_and_their_fixes_do_no_harm(code, data):
    seeded(code, data)


def test_every_rule_has_an_injector_or_a_reason_why_not():
    assert not INJECTORS.keys() & WITHOUT.keys()
    assert {one.code for one in RULES} == INJECTORS.keys() | WITHOUT.keys()
