"""Editing many things at once: what they have in common, one edit for all, and what cannot be."""

from pathlib import Path

import pytest

from designer.catalog.catalog import load
from designer.errors import DesignerError, EditError, ParameterError
from designer.model import operations
from designer.model.entities import Device, Link, Module, Rack
from designer.model.hardware.servers import ServerType
from designer.model.hardware.switches import SwitchType
from designer.placement.many import MIXED, READ, RECORDS, gathered, role_choices, set_common
from designer.storage import document

SUPERPOD = Path(__file__).parents[2] / "examples" / "superpod-h100-4su.fabric"
TYPES = load().types


@pytest.fixture(scope="module")
def example():
    return document.load(SUPERPOD)


@pytest.fixture
def design(example):
    return example.snapshot()


@pytest.fixture
def leafs(design):
    return [one.id for one in design.switches() if one.role == "leaf"]


def shown(design, ids):
    """By kind and field the common value."""
    found = gathered(design, ids, TYPES)
    return {(kind, one.field.name): one for kind, _, fields in found.sections for one in fields}


def apply(design, ids, kind, name, value):
    before = document.encode(design)
    edit = set_common(design, ids, kind, name, value, TYPES)
    design.apply(edit)
    after = document.encode(design)
    design.apply(edit.inverted())
    assert document.encode(design) == before, "one step back restores the bytes"
    design.apply(edit)
    assert document.encode(design) == after
    return edit


def test_every_described_field_is_read_and_of_a_kind_that_has_it():
    assert {(kind, name) for kind, record in RECORDS.items() for name in record.__dataclass_fields__} == set(READ)


def test_common_values_are_shown_and_others_are_mixed(design, leafs):
    found = shown(design, leafs)
    assert found[Device, "type"].value == "nvidia-qm9700" and found[Device, "role"].value == "leaf"
    assert found[Device, "network"].value == "compute"
    assert [found[Device, name].value for name in ("rail", "unit", "rack")] == [MIXED] * 3
    assert found[Device, "plane"].value is None
    assert {value for value, _ in found[Device, "type"].choices} > {"nvidia-qm9700", "nvidia-sn5600"}
    assert "dgx-h100" not in {value for value, _ in found[Device, "type"].choices}


def test_fields_that_not_all_have_are_left_out(design, leafs):
    server = design.servers()[0].id
    found = shown(design, [*leafs, server])
    assert (Device, "role") in found
    assert not {(Device, "type"), (Device, "network"), (Device, "port_mode")} & found.keys()
    assert shown(design, [next(iter(design.groups))]) == {}


def test_each_kind_of_thing_has_a_section(design, leafs):
    ids = [
        *leafs,
        next(iter(design.links)),
        next(iter(design.racks)),
        next(iter(design.modules)),
        next(iter(design.groups)),
    ]
    found = gathered(design, ids, TYPES)
    assert [(kind, len(own)) for kind, own, _ in found.sections] == [(Device, 32), (Link, 1), (Rack, 1), (Module, 1)]
    assert len(found.tagged) == 36


@pytest.mark.parametrize(
    ("name", "value"),
    [("role", "spine"), ("network", "storage"), ("unit", 7), ("rail", None), ("plane", 2), ("rack", "")],
)
def test_a_field_of_all_devices_is_set_in_one_edit(design, leafs, name, value):
    edit = apply(design, leafs, Device, name, value)
    assert edit.label.endswith("of 32 devices")
    assert shown(design, leafs)[Device, name].value == value
    assert not set_common(design, leafs, Device, name, value, TYPES)


def test_many_change_their_type_with_their_links(design):
    spines = [one.id for one in design.switches() if one.role == "spine"]
    apply(design, spines, Device, "type", "nvidia-qm9790")
    assert shown(design, spines)[Device, "type"].value == "nvidia-qm9790"
    assert len(design.links) == 2040


def test_a_type_that_some_cannot_become_is_refused_with_which_and_how_many(design, leafs):
    with pytest.raises(EditError) as refused:
        set_common(design, leafs, Device, "type", "nvidia-sn2201", TYPES)
    assert str(refused.value).startswith(
        "32 of 32 cannot be changed (leaf-su1-r1, leaf-su1-r2, leaf-su1-r3 and 29 more): "
    )
    assert "leaf-su1-r1" in str(refused.value).partition("): ")[2]


def test_a_rack_that_is_too_small_for_all_is_refused_and_nothing_moves(design, leafs):
    rack = next(iter(design.racks))
    before = document.encode(design)
    with pytest.raises(EditError, match="of 32 cannot be changed"):
        set_common(design, leafs, Device, "rack", rack, TYPES)
    assert document.encode(design) == before


def test_two_devices_are_mounted_one_above_the_other(design, leafs):
    rack = next(one.id for one in design.racks.values() if one.name == "net-05")
    apply(design, leafs[:2], Device, "rack", rack)
    places = [design.placements[one] for one in leafs[:2]]
    assert {one.rack_id for one in places} == {rack} and places[0].unit != places[1].unit


@pytest.mark.parametrize(
    ("name", "value"),
    [("colour", "blue"), ("notes", "Pull first"), ("length_m", 12.5), ("length_m", None)],
)
def test_a_field_of_many_links_is_set(design, name, value):
    links = list(design.links)[:50]
    apply(design, links, Link, name, value)
    assert shown(design, links)[Link, name].value == value
    assert READ[Link, name](design, design.links[list(design.links)[50]]) != value or value is None
    if name == "length_m":
        assert design.links[links[0]].length_source == ("typed" if value else "")


def test_labels_of_many_links_are_counted_on_and_taken_off_together(design):
    links = list(design.links)[:16]
    apply(design, links, Link, "label", "UP-001")
    assert sorted(design.links[one].label for one in links) == [f"UP-{number:03d}" for number in range(1, 17)]
    apply(design, links[:2], Link, "label", "trunk")
    assert [design.links[one].label for one in links[:2]] == ["trunk-01", "trunk-02"]
    apply(design, links, Link, "label", "")
    assert {design.links[one].label for one in links} == {""}
    apply(design, links[:1], Link, "label", "trunk")
    assert shown(design, links[:1])[Link, "label"].value == "trunk"


def test_a_cable_of_many_links_leaves_their_lengths_alone(design):
    links = list(design.links)[:50]
    lengths = [(design.links[one].length_m, design.links[one].length_source) for one in links]
    apply(design, links, Link, "medium", "dac-ndr-split2")
    assert {design.links[one].medium_source for one in links} == {"typed"}
    assert [(design.links[one].length_m, design.links[one].length_source) for one in links] == lengths
    assert "dac-ndr-split2" in design.types
    apply(design, links, Link, "medium", "")
    assert {(design.links[one].medium_id, design.links[one].medium_source) for one in links} == {("", "")}


def test_cables_that_are_offered_have_the_rate_of_the_links(design):
    offered = [value for value, _ in shown(design, list(design.links)[:9])[Link, "medium"].choices]
    assert "dac-ndr-split2" in offered and offered[0] == ""
    assert {TYPES[one].link_gbps for one in offered[1:]} <= {400, None}


def test_the_power_of_many_racks_and_the_modes_of_many_nics_are_set(design):
    racks, nics = list(design.racks), list(design.modules)[:3]
    apply(design, racks, Rack, "power_kw", 40.0)
    assert {one.power_budget_w for one in design.racks.values()} == {40_000.0}
    choices = shown(design, nics).get((Module, "port_mode"))
    if choices is not None:
        apply(design, nics, Module, "port_mode", choices.choices[1][0])


def test_what_cannot_be_is_refused(design, leafs):
    for ids, kind, name, value in (
        ([], Device, "role", "leaf"),
        (leafs, Link, "label", "x"),
        (leafs, Device, "type", "no-such-type"),
        (leafs, Device, "network", "moon"),
        (list(design.links)[:2], Link, "medium", "nvidia-qm9700"),
        (list(design.links)[:2], Link, "label", "a\x1b"),
    ):
        with pytest.raises(DesignerError):
            set_common(design, ids, kind, name, value, TYPES)


def test_port_modes_that_all_have_are_offered():
    from designer.model.design import Design

    design = Design()
    for _ in range(2):
        edit = operations.add_device(design, TYPES["nvidia-sn5600"], 0, 0, catalog_types=TYPES)
        design.apply(edit)
    ids = list(design.devices)
    field = shown(design, ids)[Device, "port_mode"]
    modes = [value for value, _ in field.choices]
    assert field.value == modes[0] and len(modes) > 1
    apply(design, ids, Device, "port_mode", modes[1])
    assert shown(design, ids)[Device, "port_mode"].value == modes[1]
    with pytest.raises(ParameterError):
        set_common(design, [], Device, "port_mode", modes[0], TYPES)


def test_a_server_without_a_role_of_its_own_is_called_a_server():
    assert role_choices([], {ServerType}) == [("", "server"), ("storage", "storage")]
    assert role_choices([], {SwitchType})[0] == role_choices([], {SwitchType, ServerType})[0] == ("", "not set")


def test_a_switch_whose_cages_differ_is_mixed_and_takes_one_mode_for_all(design, leafs):
    first, other = (mode.name for mode in design.port_modes(leafs[0])[:2])
    free = design.cage_count(leafs[0])
    design.apply(operations.set_cage_modes(design, leafs[0], [free], other))
    assert shown(design, leafs[:1])[Device, "port_mode"].value is MIXED
    apply(design, leafs[:1], Device, "port_mode", first)
    assert shown(design, leafs[:1])[Device, "port_mode"].value == first
