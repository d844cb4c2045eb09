"""Cages of one switch in different modes: numbers as people type them, the edit, and what happens to links."""

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from designer.errors import NoFreePortError, ParameterError, UnknownEntityError
from designer.model import operations
from designer.model.cage_runs import CageRun, cage_runs, numbers_text, parse_cages
from designer.model.edit import Change, Edit
from designer.model.entities import End
from designer.model.fitted import reserving
from designer.model.hardware.ports import CageGroup, PortMode
from designer.model.hardware.switches import SwitchType
from designer.model.port_modes import all_in_mode

SN5600 = "nvidia-sn5600"


def used(design, device_id):
    return sorted(design.used_ports(device_id))


def seat(design, device_id, link):
    return design.port(link.a if link.a.device_id == device_id else link.b)


def splits(design, device_id):
    return [(run.first, run.last, run.mode) for run in cage_runs(design, device_id)]


def test_cages_are_named_as_people_type_them():
    assert parse_cages("1-3, 9", 64) == (1, 2, 3, 9)
    assert parse_cages("", 3) == (1, 2, 3)
    assert numbers_text([9, 3, 1, 2]) == "1-3, 9"
    for wrong in ("0-4", "4-2", "60-65", "a", "1,,2", "1-"):
        with pytest.raises(ParameterError):
            parse_cages(wrong, 64)


def test_the_last_cages_of_a_leaf_run_at_800g_beside_a_breakout_to_400g(pen, design):
    leaf = pen.add(SN5600)
    pen.do(operations.set_cage_modes(design, leaf, range(1, 49), "128x400G"))
    assert cage_runs(design, leaf) == (CageRun(1, 48, "128x400G"), CageRun(49, 64, "64x800G"))
    rates = [port.rate_gbps for port in design.ports(leaf)]
    assert rates == [400.0] * 96 + [800.0] * 16
    assert design.device(leaf).cage_modes == tuple((cage, "128x400G") for cage in range(1, 49))
    pen.do(operations.set_cage_modes(design, leaf, range(49, 65), "128x400G"))
    assert (design.device(leaf).port_mode, design.device(leaf).cage_modes) == ("128x400G", ())


def test_cages_that_get_the_delivered_mode_back_leave_nothing_stored(pen, design):
    leaf = pen.add(SN5600)
    pen.do(operations.set_cage_modes(design, leaf, [1, 2], "128x400G"))
    pen.do(operations.set_cage_modes(design, leaf, [1, 2], "64x800G"))
    assert (design.device(leaf).port_mode, design.device(leaf).cage_modes) == ("", ())
    assert not operations.set_cage_modes(design, leaf, [3], "64x800G")


def test_all_cages_are_the_whole_switch(pen, design):
    leaf = pen.add(SN5600)
    whole = operations.set_cage_modes(design, leaf, range(1, 65), "128x400G")
    assert whole == operations.set_port_mode(design, leaf, "128x400G")


def test_links_stay_in_their_cages_where_the_mode_has_a_lane_for_them(pen, design):
    leaf, spine = pen.add(SN5600), pen.add(SN5600)
    pen.do(operations.complete_evenly(design, [leaf], [spine], 3))
    before = design.port_map(leaf)
    places = [(before[name].cage, before[name].lane) for name in used(design, leaf)]
    pen.do(operations.set_cage_modes(design, leaf, [1], "128x400G"))
    after = design.port_map(leaf)
    assert sorted((after[name].cage, after[name].lane) for name in used(design, leaf)) == sorted(places)
    assert [after[name].rate_gbps for name in used(design, leaf)].count(400.0) == 1


def test_links_that_lose_their_lane_take_free_ports_of_the_cages_that_change(pen, design):
    leaf, other = pen.add(SN5600), pen.add(SN5600)
    for one in (leaf, other):
        pen.do(operations.set_port_mode(design, one, "128x400G"))
    pen.do(operations.complete_evenly(design, [leaf], [other], 2))
    with pytest.raises(NoFreePortError, match="cage 1: 2 ports are in use, mode 64x800G has room for 1: remove 1"):
        operations.set_cage_modes(design, leaf, [1], "64x800G")
    pen.do(operations.set_cage_modes(design, leaf, [1, 2], "64x800G"))
    assert sorted(design.port_map(leaf)[name].cage for name in used(design, leaf)) == [1, 2]


def test_reserved_ports_keep_their_place_and_go_with_their_lane(pen, design):
    leaf = pen.add(SN5600)
    pen.do(operations.set_port_mode(design, leaf, "128x400G"))
    names = [port.name for port in design.ports(leaf) if port.cage in (1, 2)]
    device = design.device(leaf)
    kept = replace(reserving(device, names), reserved_for=tuple((name, "storage") for name in names))
    pen.do(Edit("Reserve", (Change(device, kept),)))
    pen.do(operations.set_cage_modes(design, leaf, [1], "64x800G"))
    after, ports = design.device(leaf), design.port_map(leaf)
    assert [ports[name].cage for name in after.reserved_ports] == [1, 2, 2]
    assert [name for name, _ in after.reserved_for] == list(after.reserved_ports)


@pytest.fixture
def numbered(pen):
    """Two switches of 8 cages that split in two, whose ports are numbered through."""
    halves = (PortMode("8x100G", 1, 100.0), PortMode("16x50G", 2, 50.0))
    type_ = SwitchType("numbered", "", "numbered", ("ethernet",), (CageGroup(8, ""),), halves)
    for name in ("a", "b"):
        pen.do(operations.add_device(pen.design, type_, 0, 0, catalog_types={}, name=name))
    return tuple(pen.design.devices)


@pytest.mark.parametrize(("numbers", "port"), [((1, 2), "7"), (range(1, 9), "9")])
def test_links_keep_their_cage_where_ports_are_numbered_through(pen, design, numbered, numbers, port):
    a, b = numbered
    pen.do(operations.connect(design, End(a, "5"), End(b, "5")))
    device = design.device(a)
    pen.do(Edit("Reserve", (Change(device, reserving(device, ["8"])),)))
    pen.do(operations.set_cage_modes(design, a, numbers, "16x50G"))
    (link,) = design.links.values()
    assert (link.a, design.port(link.a).cage, link.b) == (End(a, port), 5, End(b, "5"))
    (kept,) = design.device(a).reserved_ports
    assert design.port_map(a)[kept].cage == 8


def test_cages_and_modes_that_are_not_there_are_named(pen, design):
    leaf, server = pen.add(SN5600, "leaf"), pen.add("dgx-h100", "gpu")
    with pytest.raises(UnknownEntityError, match="leaf has cages 1 to 64, not 65"):
        operations.set_cage_modes(design, leaf, [64, 65], "128x400G")
    with pytest.raises(UnknownEntityError, match="leaf has cages 1 to 64, not none"):
        operations.set_cage_modes(design, leaf, [], "128x400G")
    with pytest.raises(UnknownEntityError, match=r"cage 1 of leaf .* no port mode '3x1T': it has 64x800G"):
        operations.set_cage_modes(design, leaf, [1], "3x1T")
    with pytest.raises(UnknownEntityError, match="gpu has no cages"):
        operations.set_cage_modes(design, server, [1], "128x400G")


def test_cages_with_links_to_other_devices_keep_their_mode(pen, design):
    leaf, below, spine = pen.add(SN5600, "leaf"), pen.add(SN5600, "below"), pen.add(SN5600, "spine")
    for one in (leaf, below):
        pen.do(operations.set_port_mode(design, one, "128x400G"))
    pen.do(operations.complete_evenly(design, [below], [leaf], 4))
    pen.do(all_in_mode(design, [leaf], "64x800G", {leaf, spine}))
    assert splits(design, leaf) == [(1, 2, "128x400G"), (3, 64, "64x800G")]
    pen.do(operations.complete_evenly(design, [leaf], [spine], 8))
    rates = [design.port(link.a).rate_gbps == design.port(link.b).rate_gbps for link in design.links.values()]
    assert rates == [True] * 12


def test_cages_of_a_chassis_whose_card_lacks_the_mode_stay_as_they_are(pen, design):
    chassis, below, spine = pen.add("arista-7804r4", "chassis"), pen.add("generic-switch-4x800g"), pen.add(SN5600)
    pen.do(operations.remove_modules(design, [one.id for one in design.modules_of(chassis)[2:]]))
    first, second = design.modules_of(chassis)
    card = design.module_type(first.id)
    two = replace(card, id="two", modes=(*card.modes, replace(card.modes[0], name="own", rate_gbps=100.0)))
    pen.do(Edit("Card", (Change(None, two), Change(second, replace(second, type_id="two")))))
    cage = next(port for port in design.ports(chassis) if port.slot == second.slot)
    pen.wire(below, design.ports(below)[0].name, chassis, cage.name)
    pen.do(all_in_mode(design, [chassis], "own", {chassis, spine}))
    assert [mode for _, _, mode in splits(design, chassis)] == [card.modes[0].name, "own"]
    assert design.port_map(chassis)[cage.name].cage == splits(design, chassis)[0][1]


def test_a_link_on_a_port_that_is_not_there_yet_keeps_that_port_for_itself(pen, design):
    leaf, other = pen.add(SN5600), pen.add("generic-switch-8x200g")
    pen.do(operations.set_cage_modes(design, leaf, [1], "256x200G"))
    pen.do(operations.complete_evenly(design, [other], [leaf], 4))
    faulty = next(iter(design.links.values()))
    pen.do(Edit("Fault", (Change(None, replace(faulty, id="l99", a=End(other, "8"), b=End(leaf, "swp2s1"))),)))
    with pytest.raises(NoFreePortError, match="cages 1-2: 4 ports are in use, mode 128x400G has room for 3: remove 1"):
        operations.set_cage_modes(design, leaf, [1, 2], "128x400G")


@pytest.mark.parametrize("numbers", [range(1, 8), range(1, 9)])
@pytest.mark.parametrize("is_reserved", [False, True])
def test_a_link_never_moves_to_a_port_that_one_without_a_port_or_a_reservation_names(
    pen, design, numbered, numbers, is_reserved
):
    a, b = numbered
    pen.do(operations.connect(design, End(a, "5"), End(b, "5")))
    device, (link,) = design.device(a), design.links.values()
    faulty = Change(None, replace(link, id="l99", a=End(a, "9"), b=End(b, "1")))
    pen.do(Edit("Fault", (Change(device, reserving(device, ["9"])) if is_reserved else faulty,)))
    with pytest.raises(NoFreePortError, match="a port 5 becomes 9, which a link or reservation without a port names"):
        operations.set_cage_modes(design, a, numbers, "16x50G")
    pen.do(operations.set_cage_modes(design, a, [1], "16x50G"))
    assert sorted((*design.used_ports(a), *design.device(a).reserved_ports)) == ["6", "9"]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_run_of_cages_in_any_mode_keeps_every_other_link_in_its_place(data, pen):
    pen = type(pen)(pen.catalog)
    design = pen.design
    leaf, spine = pen.add(SN5600), pen.add(SN5600)
    pen.do(operations.complete_evenly(design, [leaf], [spine], data.draw(st.integers(1, 20))))
    for _ in range(data.draw(st.integers(1, 4))):
        first = data.draw(st.integers(1, 64))
        numbers = range(first, data.draw(st.integers(first, 64)) + 1)
        mode = data.draw(st.sampled_from([one.name for one in design.port_modes(leaf)]))
        before = {
            link.id: design.port(link.a if link.a.device_id == leaf else link.b) for link in design.links.values()
        }
        try:
            edit = operations.set_cage_modes(design, leaf, numbers, mode)
        except NoFreePortError:
            continue
        pen.do(edit)
        for link in design.links.values():
            now, old = seat(design, leaf, link), before[link.id]
            assert now is not None
            assert (now.cage in numbers) is (old.cage in numbers)
            assert now.cage in numbers or (now.cage, now.lane) == (old.cage, old.lane)
        assert all(run.mode == mode for run in cage_runs(design, leaf) if run.first <= first <= run.last)
        ends = [(link.a if link.a.device_id == leaf else link.b).port for link in design.links.values()]
        assert len(set(ends)) == len(ends)
