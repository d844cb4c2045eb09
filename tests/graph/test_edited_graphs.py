"""A graph brought up to date link by link is the graph rebuilt."""

from dataclasses import fields, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from designer.catalog.catalog import load
from designer.graph.building import edited
from designer.graph.building.build import build
from designer.graph.building.edited import Base, up_to_date
from designer.model import operations
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.model.entities import End, Link
from designer.model.hardware.switches import ManagementPort
from designer.session.known_graph import KnownGraph
from designer.topologies import networks, pgft, rail_optimized
from designer.topologies.network_parameters import NetworkParameters
from designer.topologies.rail_optimized import RailOptimizedParameters


def fabric() -> Design:
    design = Design()
    design.apply(pgft.build(design, pgft.PgftParameters((4, 4), (1, 4)), load()))
    return design


def same(one, other) -> None:
    for field in fields(one):
        a, b = getattr(one, field.name), getattr(other, field.name)
        if isinstance(a, np.ndarray):
            assert a.dtype == b.dtype, field.name
            assert np.array_equal(a, b), field.name
        elif field.name != "derived":
            assert a == b, field.name


@pytest.fixture(scope="module")
def with_storage() -> Design:
    """A compute network, a storage network, and one that manages the switches of both. Not to be changed."""
    design, catalog = Design(), load()
    design.apply(rail_optimized.build(design, RailOptimizedParameters(servers=16, servers_per_su=8), catalog))
    beside = NetworkParameters(storage_switch="nvidia-qm9700", oob_switch="nvidia-sn2201")
    design.apply(networks.build(design, beside, catalog))
    return design


@pytest.fixture
def never_built(monkeypatch):
    """Rebuilding fails the test."""
    monkeypatch.setattr(edited, "build", lambda *_args, **_choices: pytest.fail("was rebuilt"))


class Follower:
    """A design, and what a session would know of its graph."""

    def __init__(self, design: Design) -> None:
        self.design, self.known = design, KnownGraph()
        self.known.keep(build(design), "compute")

    def apply(self, edit: Edit) -> None:
        self.design.apply(edit)
        self.known.follow(edit)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_links_deleted_restored_and_measured_in_any_order_give_the_graph_built_anew(data):
    follower = Follower(fabric())
    design, undone = follower.design, []
    for _ in range(data.draw(st.integers(1, 6))):
        links = sorted(design.links)
        what = data.draw(st.sampled_from(["delete", "restore", "length", "keep"]))
        if what == "delete" and links:
            chosen = data.draw(st.sets(st.sampled_from(links), min_size=1, max_size=4))
            edit = operations.delete(design, sorted(chosen))
            undone.append(edit.inverted())
        elif what == "restore" and undone:
            edit = undone.pop(data.draw(st.integers(0, len(undone) - 1)))
        elif what == "length" and links:
            link = design.links[data.draw(st.sampled_from(links))]
            undone = [one for one in undone if all(change.subject.id != link.id for change in one.changes)]
            edit = Edit("Measure", (Change(link, replace(link, length_m=data.draw(st.floats(1, 99)))),))
        else:
            follower.known.keep(up_to_date(follower.known.base(), design), "compute")
            continue
        follower.apply(edit)
    same(up_to_date(follower.known.base(), design), build(design))


def test_after_a_deleted_link_and_its_return_nothing_is_built_anew(never_built):
    follower = Follower(fabric())
    first = follower.known.base().graph
    edit = operations.delete(follower.design, ["l5", "l17"])
    follower.apply(edit)
    assert len(up_to_date(follower.known.base(), follower.design).link_ids) == len(first.link_ids) - 2
    follower.apply(edit.inverted())
    same(replace(up_to_date(follower.known.base(), follower.design), revision=first.revision), first)


@pytest.mark.parametrize("network", ["compute", "storage", "oob"])
def test_changed_links_of_another_network_are_left_out(never_built, with_storage, network):
    design = with_storage.snapshot()
    known = KnownGraph()
    known.keep(build(design, network=network), network)
    some = [link_id for number, link_id in enumerate(sorted(design.links)) if number % 7 == 0]
    edit = operations.delete(design, some)
    design.apply(edit)
    known.follow(edit)
    same(up_to_date(known.base(), design, network), build(design, network=network))
    back = edit.inverted()
    design.apply(back)
    known.follow(back)
    same(up_to_date(known.base(), design, network), build(design, network=network))


def test_the_graph_of_another_network_does_not_serve(with_storage):
    base = Base(build(with_storage), "compute", {})
    same(up_to_date(base, with_storage, "storage"), build(with_storage, network="storage"))


def faulty(design: Design, kind: str) -> Link:
    spines = [device.id for device in design.switches() if device.role == "spine"]
    used = design.links_of(spines[0])[0]
    a = used.a if used.a.device_id == spines[0] else used.b
    return {
        "port used twice": Link("l9001", a, End(spines[1], "64")),
        "no such port": Link("l9001", End(spines[0], "999"), End(spines[1], "64")),
        "to itself": Link("l9001", End(spines[0], "63"), End(spines[0], "64")),
    }[kind]


@pytest.mark.parametrize("kind", ["port used twice", "no such port", "to itself"])
def test_links_that_stand_out_are_counted_as_when_built_anew(kind):
    follower = Follower(fabric())
    edit = Edit("Draw", (Change(None, faulty(follower.design, kind)),))
    follower.apply(edit)
    graph = up_to_date(follower.known.base(), follower.design)
    assert graph.ignored
    same(graph, build(follower.design))
    follower.known.keep(graph, "compute")
    follower.apply(edit.inverted())
    same(up_to_date(follower.known.base(), follower.design), build(follower.design))


def test_other_changes_than_those_of_links_are_not_followed():
    follower = Follower(fabric())
    device = follower.design.switches()[0]
    follower.apply(Edit("Rename", (Change(device, replace(device, name="first")),)))
    assert follower.known.base() is None


def test_more_changes_than_are_worth_it_are_not_followed(monkeypatch):
    monkeypatch.setattr(edited, "MOST_CHANGES", 3)
    follower = Follower(fabric())
    follower.apply(operations.delete(follower.design, ["l1", "l2", "l3"]))
    assert follower.known.base() is not None
    follower.apply(operations.delete(follower.design, ["l4"]))
    assert follower.known.base() is None


def test_links_by_which_switches_are_managed_are_in_no_graph(never_built):
    design = fabric()
    a, b = [switch.id for switch in design.switches()][:2]
    for one in (a, b):
        type_ = design.device_type(one)
        managed = replace(type_, management_ports=(ManagementPort("eth0"),))
        if type_ != managed:
            design.apply(Edit("Type", (Change(type_, managed),)))
    before, known = build(design), KnownGraph()
    known.keep(before, "compute")
    edit = operations.connect(design, End(a, "eth0"), End(b, "eth0"))
    design.apply(edit)
    known.follow(edit)
    after = build(design)
    assert after.link_ids == before.link_ids and not after.ignored
    same(up_to_date(known.base(), design), after)
