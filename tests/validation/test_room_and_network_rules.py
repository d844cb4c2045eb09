"""Rules about aisles and trays, about how networks are used, and about types and labels."""

from dataclasses import replace

import pytest

from designer.model import operations, policies
from designer.model.entities import Module, Placement, Rack
from designer.model.furnishing import add_tray
from designer.model.hardware.media import MediumType
from designer.model.hardware.modules import NicType, Slot
from designer.model.hardware.ports import CageGroup, PortMode
from designer.model.hardware.servers import ServerType
from designer.model.hardware.switches import SwitchType
from designer.placement import floor
from designer.placement.tray_fill import tray_fills
from designer.validation.engine import validate


def findings(design, code):
    return [finding for finding in validate(design, codes={code}).findings if finding.code == code]


def unchecked(design, code):
    return [entry.reason for entry in validate(design, codes={code}).not_checked if entry.code == code]


@pytest.fixture
def rows(bare):
    """Two rows of two racks, 1.2 m apart, a switch in each rack, eight fibers of 3 mm from row to row."""
    bare.put(bare.catalog.get("rack-42u"))
    bare.put(MediumType("aoc", "Acme", "AOC", "AOC", 1, 400, max_length_m=30, diameter_mm=3.0))
    for number, (x, y) in enumerate(((0.0, 0.0), (0.6, 0.0), (0.0, 2.4), (0.6, 2.4)), start=1):
        facing = "up" if y else ""
        bare.put(Rack(f"r{number}", f"A{number}", "rack-42u", None, x, y, facing), Placement(f"r{number}", 0, 0))
        type_ = bare.catalog.get("nvidia-qm9700")
        rack = {"catalog_types": {}, "name": f"s{number}", "rack_id": f"r{number}"}
        bare.design.apply(operations.add_device(bare.design, type_, 0, 0, **rack))
    bare.join("s1", "s3", 8)
    for link in list(bare.design.links.values()):
        bare.change(link, replace(link, medium_id="aoc", length_m=5.0, length_source="typed"))
    return bare


def limits(fabric, **values):
    fabric.design.apply(policies.set_limits(fabric.design, **values))


def test_an_aisle_may_be_as_narrow_as_the_policy_says_and_no_centimetre_narrower(rows):
    assert findings(rows.design, "ROOM-001") == []
    limits(rows, least_aisle_m=1.2)
    assert findings(rows.design, "ROOM-001") == []
    limits(rows, least_aisle_m=1.21)
    (found,) = findings(rows.design, "ROOM-001")
    assert found.message == "Rows A and B are 1.2 m apart, the policy asks for 1.21 m"
    assert (found.value, found.limit) == (1.2, 1.21)
    assert set(found.subjects) == {"r1", "r2", "r3", "r4"}
    rows.design.apply(floor.place_racks(rows.design, {"r3": None, "r4": None}))
    assert findings(rows.design, "ROOM-001") == []
    assert unchecked(rows.design, "ROOM-001") == ["there are no two rows of racks on the floor"]


def with_tray(rows, height_m):
    """A tray of 100 mm from row to row; eight fibers of 3 mm have 56.5 mm² together."""
    rows.design.apply(add_tray(rows.design, ((0.0, 0.0), (0.0, 2.4)), "T1", width_m=0.1))
    (tray,) = rows.design.fixtures.values()
    rows.change(tray, replace(tray, height_m=height_m))


def test_a_tray_may_be_as_full_as_the_policy_says_and_no_fuller(rows):
    with_tray(rows, 0.01)
    (fill,) = tray_fills(rows.design, [("r1", "r3", 3.0, 8)])
    assert fill.share == pytest.approx(8 * 7.0686 / 1000, rel=1e-4)
    limits(rows, tray_fill=0.06)
    assert findings(rows.design, "ROOM-002") == []
    limits(rows, tray_fill=0.05)
    (found,) = findings(rows.design, "ROOM-002")
    assert found.message == "T1: 8 cables fill 6 % of it, limit 5 %"
    assert (found.subjects, found.limit) == (("f1",), 0.05)


def test_of_a_tray_its_fullest_piece_counts(rows):
    """Both rows of cables lie in the tray, but nowhere side by side: the way of each pair is in one half of it."""
    rows.design.apply(add_tray(rows.design, ((-2.4, 1.2), (2.4, 1.2)), "T1", width_m=0.1))
    places = {"r1": (-2.4, 0.0), "r2": (-0.6, 0.0), "r3": (0.6, 2.4), "r4": (2.4, 2.4)}
    rows.design.apply(floor.place_racks(rows.design, places))
    (fill,) = tray_fills(rows.design, [("r1", "r2", 3.0, 8), ("r3", "r4", 3.0, 2)])
    assert fill.n_cables == 8
    (fill,) = tray_fills(rows.design, [("r2", "r1", 3.0, 8), ("r1", "r3", 3.0, 2)])
    assert fill.n_cables == 10


def test_what_is_not_known_of_trays_and_cables_is_not_checked(rows):
    limits(rows, tray_fill=0.4)
    assert unchecked(rows.design, "ROOM-002") == ["no tray is drawn on the floor"]
    with_tray(rows, None)
    assert unchecked(rows.design, "ROOM-002") == ["the height of T1 is not known"]
    (tray,) = rows.design.fixtures.values()
    rows.change(tray, replace(tray, height_m=0.01))
    medium = rows.design.types["aoc"]
    rows.change(medium, replace(medium, diameter_mm=None))
    assert findings(rows.design, "ROOM-002") == []
    assert unchecked(rows.design, "ROOM-002") == ["the outer diameter of AOC is not known: 0 mm is assumed"]


# -- networks ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def storage(bare):
    """Two storage leafs of four ports of 200G, and two servers with a NIC of two ports each."""
    mode = (PortMode("4x200G", 1, 200.0),)
    bare.put(SwitchType("sw", "Acme", "S", ("ethernet",), (CageGroup(4, ""),), mode))
    bare.put(NicType("nic", "Acme", "N", ("ethernet",), 2, 200.0))
    bare.put(NicType("slow", "Acme", "N1", ("ethernet",), 2, 100.0))
    bare.put(ServerType("srv", "Acme", "Box", 1, slots=(Slot("st", purpose="storage"),)))
    for name in ("a", "b"):
        edit = operations.add_device(bare.design, bare.design.types["sw"], 0, 0, catalog_types={}, name=name)
        bare.design.apply(edit)
        bare.change(bare.device(name), replace(bare.device(name), network="storage"))
    for name in ("h1", "h2"):
        edit = operations.add_device(bare.design, bare.design.types["srv"], 0, 0, catalog_types={}, name=name)
        bare.design.apply(edit)
        bare.put(Module(f"m{name}", bare.id(name), "st", "nic"))
    bare.join("h1", "a")
    bare.join("h1", "b")
    return bare


def test_a_server_on_one_switch_is_named_where_the_policy_asks_for_two(storage):
    storage.join("h2", "a", 2)
    assert findings(storage.design, "NET-004") == []
    limits(storage, second_path=("storage", "oob"))
    (found,) = findings(storage.design, "NET-004")
    assert found.message == "h2 is linked to one switch of the storage network only"
    assert (found.subjects, found.aspect) == ((storage.id("h2"),), "storage")
    assert unchecked(storage.design, "NET-004") == ["no server is linked to the out-of-band management network"]
    link = storage.design.links_of(storage.id("h2"))[0]
    storage.change(link, None)
    storage.join("h2", "b")
    assert findings(storage.design, "NET-004") == []


def test_free_ports_that_fit_nothing_that_waits_are_named(storage):
    assert findings(storage.design, "NET-006") == []  # the ports of h2 fit
    module = storage.design.modules["mh2"]
    storage.change(module, replace(module, type_id="slow"))
    one, other = findings(storage.design, "NET-006")
    assert one.message == (
        "a: none of 3 free ports takes a port of 1 server still without a link in the storage network: "
        "one of them runs at 200G, h2 port st/1 at 100G"
    )
    assert (one.severity, one.value, other.subjects) == ("info", 3, (storage.id("b"),))
    storage.change(storage.design.modules["mh2"], None)
    assert findings(storage.design, "NET-006") == []


def test_switches_with_management_ports_are_named_where_none_is_linked(bare):
    bare.add("nvidia-qm9700", "leaf-1", "leaf-2")
    assert bare.design.management_ports(bare.id("leaf-1"))
    assert findings(bare.design, "NET-005") == []
    bare.add("nvidia-sn2201", "oob-1")
    bare.change(bare.device("oob-1"), replace(bare.device("oob-1"), network="oob"))
    (found,) = findings(bare.design, "NET-005")
    assert found.message == (
        "leaf-1, leaf-2 have a management port that is not linked to the out-of-band management network"
    )
    assert found.subjects == (bare.id("leaf-1"), bare.id("leaf-2"))
    bare.join("leaf-1", "oob-1")
    assert findings(bare.design, "NET-005") == []  # leaf-2 alone is NET-002's


def test_a_switch_that_is_managed_through_a_piece_on_its_own_is_named(bare):
    bare.add("nvidia-qm9700", "leaf-1", "leaf-2")
    bare.add("nvidia-sn2201", "oob-1", "oob-2")
    for name in ("oob-1", "oob-2"):
        bare.change(bare.device(name), replace(bare.device(name), network="oob"))
    bare.add("dgx-h100", "gpu-1")
    nic = bare.catalog.get("generic-nic-1g")
    bare.put(nic, Module("m99", bare.id("gpu-1"), "bmc", nic.id))
    bare.join("gpu-1", "oob-1")
    bare.join("leaf-1", "oob-1")
    bare.join("leaf-2", "oob-2")
    (found,) = findings(bare.design, "NET-005")
    assert found.message == ("leaf-2 is managed through oob-2, which nothing else of the out-of-band network reaches")
    bare.join("oob-1", "oob-2")
    assert findings(bare.design, "NET-005") == []


# -- types and labels -------------------------------------------------------------------------------------------------


def test_a_type_that_differs_from_the_catalog_is_named_figure_by_figure(bare):
    bare.add("nvidia-qm9700", "leaf")
    bare.add("generic-switch-36x200g", "generic")
    assert findings(bare.design, "DOC-004") == []
    type_ = bare.design.types["nvidia-qm9700"]
    bare.change(type_, replace(type_, weight_kg=15.0, latency_ns=None, notes=("another note",)))
    (found,) = findings(bare.design, "DOC-004")
    assert found.message == (
        f"NVIDIA QM9700 (nvidia-qm9700): latency ns not known, the catalog has {type_.latency_ns:g}; "
        "weight kg 15, the catalog has 14.8"
    )
    assert (found.subjects, found.value, found.severity) == (("nvidia-qm9700",), 2, "info")
    assert found.fix.label == "Take 2 figures of QM9700 from the catalog"
    bare.design.apply(found.fix)
    assert findings(bare.design, "DOC-004") == []
    assert bare.design.types["nvidia-qm9700"].notes == ("another note",)


def test_a_part_number_where_the_catalog_has_none_is_no_difference_and_another_one_is(bare):
    bare.add("nvidia-qm9700", "leaf")
    bare.add("nvidia-sn2201", "oob")
    for type_id in ("nvidia-qm9700", "nvidia-sn2201"):
        type_ = bare.design.types[type_id]
        bare.change(type_, replace(type_, part_number="A-4711"))
    (found,) = findings(bare.design, "DOC-004")
    assert found.subjects == ("nvidia-sn2201",) and "part number A-4711, the catalog has 920" in found.message


def test_what_would_change_ports_is_not_taken_over(bare):
    bare.add("nvidia-qm9700", "leaf")
    type_ = bare.design.types["nvidia-qm9700"]
    bare.change(type_, replace(type_, cages=(CageGroup(16, "OSFP", "finned"),), weight_kg=15.0))
    (found,) = findings(bare.design, "DOC-004")
    assert "other cages" in found.message and found.fix is None


def test_a_type_of_ones_own_is_compared_with_nothing(bare):
    bare.add("nvidia-qm9700", "leaf")
    bare.put(replace(bare.design.types["nvidia-qm9700"], id="own", weight_kg=99.0))
    assert findings(bare.design, "DOC-004") == []


def test_two_cables_with_one_label_are_named_and_the_lanes_of_one_cable_are_not(rows):
    first, second, third, *_ = rows.design.links.values()
    for link in (first, second):
        rows.change(rows.design.links[link.id], replace(link, label="A-17"))
    rows.change(third, replace(third, label="A-18"))
    (found,) = findings(rows.design, "DOC-005")
    assert found.message == "2 cables have the label A-17"
    assert (found.subjects, found.value, found.limit) == ((first.id, second.id), 2, 1)
    medium = rows.design.types["aoc"]
    rows.change(medium, replace(medium, links=2))
    assert findings(rows.design, "DOC-005") == []


def test_the_fix_leaves_a_label_to_the_first_cable(rows):
    """Of the first two links, which run in one cable, both keep it; the template makes labels for the others."""
    first, second, *others = list(rows.design.links.values())[:5]
    for link in (first, second, *others[:2]):
        rows.change(rows.design.links[link.id], replace(link, label="A-17"))
    medium = rows.design.types["aoc"]
    rows.change(medium, replace(medium, links=2))
    (found,) = findings(rows.design, "DOC-005")
    assert found.message == "2 cables have the label A-17"
    ends = [rows.design.device(end.device_id).name for end in (others[0].a, others[0].b)]
    assert found.fix.label == f"Clear the label A-17 on {ends[0]} to {ends[1]}"
    rows.change(others[2], replace(others[2], label="A-17"))
    (found,) = findings(rows.design, "DOC-005")
    assert found.fix.label == "Clear the label A-17 on 2 of 3 cables"
    rows.design.apply(found.fix)
    labels = [rows.design.links[one.id].label for one in (first, second, *others)]
    assert labels == ["A-17", "A-17", "", "", ""] and findings(rows.design, "DOC-005") == []
