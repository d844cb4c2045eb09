"""The rules about what links are built of: each with a design that breaks it by the least, and one that does not."""

from dataclasses import replace

import pytest

from designer.model import operations, policies
from designer.model.entities import Placement, Rack
from designer.model.hardware.media import MediumType
from designer.model.hardware.ports import CageGroup, PortMode
from designer.model.hardware.switches import SwitchType
from designer.model.networks import NETWORKS
from designer.model.policy import SECOND_PATH
from designer.placement import floor
from designer.placement.cable_lengths import route
from designer.validation.engine import validate
from designer.validation.fixing import fixed


def findings(design, code):
    return [finding for finding in validate(design, codes={code}).findings if finding.code == code]


def unchecked(design, code):
    return [entry.reason for entry in validate(design, codes={code}).not_checked if entry.code == code]


OPTIC = MediumType(
    "optic",
    "Acme",
    "Optic",
    "transceiver",
    1,
    400,
    ("ethernet",),
    ("OSFP finned",),
    max_length_m=100,
    end_power_w=17,
)
DAC = MediumType(
    "dac", "Acme", "DAC", "DAC", 1, 400, ("ethernet",), ("OSFP", "OSFP"), lengths_m=(1, 2, 3), max_length_m=5
)
AOC = replace(DAC, id="aoc", model="AOC", kind="AOC", lengths_m=(10,), max_length_m=30)


@pytest.fixture
def pair(bare):
    """Two switches of eight cages that supply 17 W, joined by four links."""
    cages = (CageGroup(8, "OSFP", "finned", max_module_w=17),)
    bare.put(SwitchType("sw", "Acme", "S", ("ethernet",), cages, (PortMode("8x400G", 1, 400.0),)))
    bare.put(OPTIC, DAC, AOC)
    for name in ("a", "b"):
        bare.design.apply(_device(bare, name))
    bare.join("a", "b", 4)
    return bare


def _device(bare, name):
    return operations.add_device(bare.design, bare.design.types["sw"], 0, 0, catalog_types=bare.design.types, name=name)


def cabled(pair, *pairs):
    """The links with these media and lengths, one after the other."""
    for link, (medium, length_m) in zip(list(pair.design.links.values()), pairs, strict=False):
        pair.change(link, replace(link, medium_id=medium, length_m=length_m, length_source="typed"))


def rackful(pair, places):
    """Each switch in a rack of its own, at these places on the floor."""
    pair.put(pair.catalog.get("rack-42u"))
    for number, (name, place) in enumerate(places.items(), start=1):
        rack = Rack(f"r{number}", f"rack-{name}", "rack-42u", x_m=place and place[0], y_m=place and place[1])
        pair.put(rack, Placement(rack.id, 0, 0))
        before = pair.design.placements[pair.id(name)]
        pair.change(before, replace(before, rack_id=rack.id, unit=1))


def test_a_module_may_draw_what_its_cage_supplies_and_no_tenth_of_a_watt_more(pair):
    cabled(pair, *[("optic", 20)] * 2)
    assert findings(pair.design, "MEDIA-004") == []
    pair.change(pair.design.types["optic"], replace(OPTIC, end_power_w=17.1))
    found = findings(pair.design, "MEDIA-004")
    assert [one.message for one in found] == [
        f"{name}: Optic draws 17.1 W, its 2 cages supply 17 W at most" for name in "ab"
    ]
    assert [(one.value, one.limit) for one in found] == [(17.1, 17), (17.1, 17)]
    assert found[0].subjects == (pair.id("a"), *list(pair.design.links)[:2])


def test_a_module_of_unknown_power_is_not_checked_and_passive_copper_needs_no_figure(pair):
    pair.change(pair.design.types["optic"], replace(OPTIC, end_power_w=None))
    cabled(pair, ("optic", 20), ("dac", 2))
    assert findings(pair.design, "MEDIA-004") == []
    assert unchecked(pair.design, "MEDIA-004") == ["the power of Optic is not known"]
    cabled(pair, ("dac", 2))
    assert unchecked(pair.design, "MEDIA-004") == []


def test_a_cage_of_unknown_supply_is_not_checked(pair):
    type_ = pair.design.types["sw"]
    pair.change(type_, replace(type_, cages=(CageGroup(8, "OSFP", "finned"),)))
    cabled(pair, ("optic", 20))
    assert unchecked(pair.design, "MEDIA-004") == [
        "what the cages of some switches and NICs supply to a module is not known"
    ]


def test_a_cable_that_is_not_sold_as_long_is_found_and_another_is_selected(pair):
    cabled(pair, ("dac", 3.0))
    assert findings(pair.design, "MEDIA-005") == []
    cabled(pair, ("dac", 3.1))
    (found,) = findings(pair.design, "MEDIA-005")
    assert found.message == "a port 1 to b port 1: 3.1 m of DAC, which is sold up to 3 m"
    assert (found.value, found.limit) == (3.1, 3)
    assert found.fix.label == "Select AOC for 1 link"
    pair.design.apply(found.fix)
    assert findings(pair.design, "MEDIA-005") == []
    assert next(iter(pair.design.links.values())).medium_id == "aoc"


def test_lengths_that_are_not_all_known_are_not_checked_and_beyond_reach_is_another_rule(pair):
    pair.change(DAC, replace(DAC, unverified=("lengths_m",)))
    cabled(pair, ("dac", 3.1))
    assert findings(pair.design, "MEDIA-005") == []
    assert unchecked(pair.design, "MEDIA-005") == ["the lengths in which DAC is sold are not all known"]
    pair.change(pair.design.types["dac"], DAC)
    cabled(pair, ("dac", 5.1))
    assert findings(pair.design, "MEDIA-005") == []
    assert [one.code for one in validate(pair.design).findings if one.code == "MEDIA-001"] == ["MEDIA-001"]


def test_moulded_cables_stay_in_the_rack_or_row_that_the_policy_keeps_them_in(pair):
    rackful(pair, {"a": (0.0, 0.0), "b": (0.6, 0.0)})
    cabled(pair, ("aoc", 10), ("optic", 10))
    assert findings(pair.design, "MEDIA-006") == []
    pair.design.apply(policies.set_limits(pair.design, moulded_within="row"))
    assert findings(pair.design, "MEDIA-006") == []
    pair.design.apply(policies.set_limits(pair.design, moulded_within="rack"))
    (found,) = findings(pair.design, "MEDIA-006")
    assert found.message == "a port 1 to b port 1: AOC (AOC) leads from rack rack-a to rack-b"
    pair.design.apply(floor.place_racks(pair.design, {"r2": (0.6, 2.4)}))
    pair.design.apply(policies.set_limits(pair.design, moulded_within="row"))
    (found,) = findings(pair.design, "MEDIA-006")
    assert (found.message.rpartition(" leads ")[2], found.limit) == ("from row A to B", "within a row")
    pair.design.apply(floor.place_racks(pair.design, {"r2": None}))
    assert unchecked(pair.design, "MEDIA-006") == ["an end of 1 cable stands in no rack with a place on the floor"]


def test_parallel_links_of_two_kinds_are_named_and_of_one_are_fine(pair):
    cabled(pair, *[("optic", 3)] * 4)
    assert findings(pair.design, "MEDIA-007") == []
    cabled(pair, ("dac", 3))
    (found,) = findings(pair.design, "MEDIA-007")
    assert found.message == "a to b: 4 parallel links of 2 kinds: 1 copper, 3 fiber"
    assert (found.severity, found.value, found.limit) == ("info", 2, 1)


def test_a_link_without_a_cable_is_named_where_another_has_one(pair):
    cabled(pair, *[("", 3)] * 4)
    assert findings(pair.design, "MEDIA-008") == []
    cabled(pair, ("dac", 3))
    (found,) = findings(pair.design, "MEDIA-008")
    assert found.message == "3 links (OSFP 400G) have no cable: none is selected yet"
    pair.design.apply(found.fix)
    assert findings(pair.design, "MEDIA-008") == []
    assert {link.medium_id for link in pair.design.links.values()} == {"dac"}


def test_a_link_that_nothing_of_the_catalog_joins_says_so_and_one_without_length_is_not_checked(pair):
    cabled(pair, ("dac", 3), ("", 3000), ("", None), ("", None))
    (found,) = findings(pair.design, "MEDIA-008")
    assert found.message.startswith("1 link (OSFP 400G) has no cable: no cable for OSFP 400G reaches 3000 m")
    assert found.fix is None
    assert unchecked(pair.design, "MEDIA-008") == ["2 links without a cable have no length to select one by"]


def test_the_networks_of_a_second_path_are_those_there_are():
    assert tuple(word.name for word in SECOND_PATH) == NETWORKS


def test_a_cable_beyond_its_reach_is_exchanged_for_one_that_reaches(pair):
    cabled(pair, ("dac", 5.1), ("aoc", 10))
    (found,) = findings(pair.design, "MEDIA-001")
    assert found.fix.label == "Select AOC for 1 link"
    pair.design.apply(found.fix)
    assert [one.code for one in validate(pair.design).findings if one.severity == "error"] == []
    assert [link.medium_id for link in list(pair.design.links.values())[:2]] == ["aoc", "aoc"]


def apart(pair):
    """The switches in racks of their own, 6 m from each other; the length of the route between them."""
    rackful(pair, {"a": (0.0, 0.0), "b": (0.0, 6.0)})
    pair.change(AOC, replace(AOC, lengths_m=(10, 20)))
    return route(pair.design, next(iter(pair.design.links.values()))).length_m


def test_a_cable_made_as_long_as_its_route_is_of_a_type_that_reaches_as_far(pair):
    way_m = apart(pair)
    assert 5 < way_m < 30
    cabled(pair, ("dac", 3), ("optic", 3), ("", 3), ("aoc", way_m))
    fixes = [one.fix.label for one in findings(pair.design, "MEDIA-002")]
    assert fixes == [f"Make the cable {way_m:g} m long{more}" for more in (" and select AOC", "", "")]
    made = fixed(pair.design, {"MEDIA-002"})
    assert made.sentence == "3 of 3 findings fixed"
    pair.design.apply(made.edit)
    links = list(pair.design.links.values())
    assert [(one.medium_id, one.length_m) for one in links] == [
        (medium, way_m) for medium in ("aoc", "optic", "", "aoc")
    ]
    assert (links[0].length_source, links[0].medium_source) == ("routed", "picked")
    assert findings(pair.design, "MEDIA-001") == []


def test_a_cable_that_would_be_longer_than_any_that_is_sold_is_exchanged_too(pair):
    way_m = apart(pair)
    pair.change(DAC, replace(DAC, max_length_m=way_m + 1))
    cabled(pair, ("dac", 3))
    (found,) = findings(pair.design, "MEDIA-002")
    assert found.fix.label.endswith("and select AOC")


def test_no_length_is_offered_that_no_cable_reaches(pair):
    way_m = apart(pair)
    pair.change(pair.design.types["aoc"], replace(AOC, max_length_m=way_m - 0.1))
    pair.change(OPTIC, replace(OPTIC, max_length_m=way_m - 0.1))
    cabled(pair, ("dac", 3))
    (found,) = findings(pair.design, "MEDIA-002")
    assert found.fix is None


def test_a_longer_cable_is_that_of_all_links_in_its_cage_and_reaches_as_far_as_the_longest(bare):
    bare.add("nvidia-qm9700", "a", "b")
    bare.join("a", "b", 2)
    rackful(bare, {"a": (0.0, 0.0), "b": (0.0, 6.0)})
    bare.put(bare.catalog.get("dac-ndr-twin"))
    cabled(bare, ("dac-ndr-twin", 1), ("dac-ndr-twin", 90))
    (found,) = findings(bare.design, "MEDIA-002")
    bare.design.apply(found.fix)
    one, other = bare.design.links.values()
    assert one.medium_id == other.medium_id
    assert bare.design.types[one.medium_id].max_length_m >= 90
