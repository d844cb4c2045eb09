"""Renaming, settings, cables."""

import json
import math

import pytest

from designer.analysis.counterparts import names
from designer.errors import EditError, FileFormatError, ParameterError, UnknownEntityError
from designer.model import operations, policies
from designer.model.naming import Names, natural
from designer.storage import document


def test_devices_racks_groups_and_the_design_can_be_renamed(pen, design):
    leaf, rack = pen.add("nvidia-qm9700"), pen.rack()
    pod = pen.group([leaf], "pod")
    for one, name in ((leaf, "tor-a1"), (rack, "row 3 rack 7"), (pod, "pod α"), ("settings", "München")):
        pen.do(operations.rename(design, one, f"  {name} "))
        assert design.entity(one).name == name


def test_a_link_gets_a_label_that_can_be_taken_off_again(pen, design):
    link = pen.wire(pen.add("nvidia-qm9700"), "1/1", pen.add("nvidia-qm9700"), "1/1")
    pen.do(operations.rename(design, link, "trunk"))
    assert design.links[link].label == "trunk"
    pen.do(operations.rename(design, link, ""))
    assert design.links[link].label == ""


@pytest.mark.parametrize("key", [natural, names.natural])
def test_names_are_sorted_by_their_numbers_however_long_those_are(key):
    """A file may have names of more digits than Python reads as a number."""
    ordered = ["", "leaf-2", "leaf-10", "leaf-010-b", "leaf-" + "1" * 4999, "leaf-" + "1" * 5000, "spine-1"]
    assert [key(one) for one in ordered] == sorted(map(key, set(ordered)))
    assert key("leaf-007") == key("leaf-7")


def test_the_same_name_is_no_edit(pen, design):
    leaf = pen.add("nvidia-qm9700", "leaf-01")
    assert not operations.rename(design, leaf, "leaf-01")


@pytest.mark.parametrize("character", ["\n", "\x1b", "\x7f", "\x85", "\x9b", "\u2028", "\u2029"])
def test_a_name_is_refused_in_a_file_and_in_the_window_with_the_same_words(pen, design, character):
    leaf = pen.add("nvidia-qm9700", "leaf-01")
    words = f"holds a line break or control character (U+{ord(character):04X})"
    with pytest.raises(EditError) as renaming:
        operations.rename(design, leaf, f"a{character}b")
    assert str(renaming.value) == f"a name {words}"
    for escaped in (False, True):
        written = json.dumps(f"a{character}b", ensure_ascii=escaped).strip('"').encode()
        with pytest.raises(FileFormatError) as reading:
            document.decode(document.encode(design).replace(b"leaf-01", written), "pod.fabric")
        if escaped or character not in "\n\x1b":  # JSON itself does not take these as they are
            assert str(reading.value).endswith(f'devices "{leaf}", field name: {words}')


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("", "cannot be empty"),
        ("  ", "cannot be empty"),
        ("a\nb", "line break"),
        ("a\0", "control"),
        ("x" * 201, "200 characters at most"),
        ("\ud800", "control"),
    ],
)
def test_names_no_label_can_show_are_refused(pen, design, name, sentence):
    leaf = pen.add("nvidia-qm9700", "leaf-01")
    with pytest.raises(EditError, match=sentence):
        operations.rename(design, leaf, name)


def test_what_has_no_name_cannot_be_renamed(pen, design):
    server = pen.add("dgx-h100")
    with pytest.raises(EditError, match="has no name of its own"):
        operations.rename(design, design.modules_of(server)[0].id, "nic")
    with pytest.raises(UnknownEntityError, match="nothing in the design has the id 'd99'"):
        operations.rename(design, "d99", "x")


def test_any_name_that_is_accepted_can_be_saved_and_read_again(pen, design):
    leaf = pen.add("nvidia-qm9700")
    odd = ('quote " backslash \\ brace {', "emoji 🧵 zero\u200bwidth", "fixed\u00a0blank \u202e turned", "x" * 200)
    for name in odd:
        pen.do(operations.rename(design, leaf, name))
        assert document.decode(document.encode(design)).device(leaf).name == design.device(leaf).name


def test_settings_change_field_by_field(pen, design):
    pen.do(operations.set_settings(design, name="Pod 1"))
    pen.do(policies.set_limits(design, leaf_oversubscription=2))
    pen.do(operations.set_settings(design, default_cable_length_m=3.5, notes="two\nlines"))
    settings = design.settings
    assert (settings.name, design.policy.leaf_oversubscription, settings.default_cable_length_m, settings.notes) == (
        "Pod 1",
        2.0,
        3.5,
        "two\nlines",
    )
    pen.do(operations.set_settings(design, default_cable_length_m=None))
    assert not operations.set_settings(design, name="Pod 1")


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"colour": "red"}, "a design has no setting 'colour': it has aisle_m, author, cable_slack_m"),
        ({"id": "other"}, "a design has no setting 'id'"),
        ({"policy": None}, "a design has no setting 'policy'"),
        ({"default_cable_length_m": -1}, "the cable length should be 0 m to 1,000,000 m, not -1 m"),
        ({"tray_height_m": -1}, "tray height should be 0 m to 100 m, not -1 m"),
        ({"rack_width_m": 0}, "rack width should be above 0 m and at most 100 m, not 0 m"),
        ({"aisle_m": math.inf}, "aisle should be a number of meters, not inf"),
        ({"cross_trays_m": (0, math.nan)}, "cross trays should be a number of meters, not nan"),
        ({"notes": "x" * 1_000_001}, "notes can have 1,000,000 characters at most"),
    ],
)
def test_settings_that_make_no_sense_are_refused(design, values, sentence):
    with pytest.raises(ParameterError, match=sentence):
        operations.set_settings(design, **values)


def test_a_cable_and_its_length_are_put_on_links_and_taken_off(pen, design, catalog):
    a, b = pen.add("nvidia-qm9700"), pen.add("nvidia-qm9700")
    pen.join(a, b, 2)
    links = list(design.links)
    pen.do(operations.set_cable(design, links, catalog.get("dac-ndr-twin"), 1.5))
    assert {(link.medium_id, link.length_m, link.length_source) for link in design.links.values()} == {
        ("dac-ndr-twin", 1.5, "typed")
    }
    assert not operations.set_cable(design, links, catalog.get("dac-ndr-twin"), 1.5)
    pen.do(operations.set_cable(design, links))
    assert {(link.medium_id, link.length_m, link.length_source) for link in design.links.values()} == {("", None, "")}
    with pytest.raises(UnknownEntityError, match="there is no link with id 'l99'"):
        operations.set_cable(design, ["l99"])
    with pytest.raises(ParameterError, match="between 0 and"):
        operations.set_cable(design, links, None, math.inf)


def test_names_given_out_never_repeat():
    names = Names(["leaf-01", "leaf-03"])
    given = [names.unique("leaf-01") for _ in range(3)] + [names.first("leaf"), names.unique("spine")]
    assert given == ["leaf-02", "leaf-04", "leaf-05", "leaf-06", "spine"]
