"""What an edit accepts can be saved and opened again, and is the same: one table of limits for both."""

import dataclasses
import math
import typing
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from designer.catalog.catalog import load
from designer.errors import DesignerError, EditError, ParameterError
from designer.fields.ranges import Range
from designer.model import limit_checks, limits, operations
from designer.model.design import Design
from designer.model.edit import Change, Edit, added
from designer.model.entities import Allocation, Device, End, Group, Link, Module, PlacedJob, Placement, Rack
from designer.model.hardware.media import MediumType
from designer.model.hardware.modules import NicType
from designer.model.hardware.racks import RackType
from designer.model.hardware.servers import ServerType
from designer.model.hardware.switches import SwitchType
from designer.model.settings import Settings
from designer.regeneration import recipes
from designer.storage import document
from designer.topologies.families import FAMILIES
from designer.topologies.fat_tree import FatTreeParameters
from designer.topologies.pgft import PgftParameters

CATALOG = load()
RECORDS = (
    Settings,
    SwitchType,
    ServerType,
    NicType,
    RackType,
    MediumType,
    Group,
    Rack,
    Device,
    Module,
    Link,
    Placement,
    PlacedJob,
)


def family(name):
    return next(one for one in FAMILIES if one.name == name)


def of_every_kind():
    """A small design with every kind of record."""
    design = Design()
    parameters = FatTreeParameters(servers=4, racks="auto")
    design.apply(recipes.generated(design, family("fat-tree"), parameters, CATALOG))
    switch = design.switches()[0]
    design.apply(operations.set_port_mode(design, switch.id, design.device_type(switch.id).modes[-1].name))
    design.apply(operations.set_cable(design, list(design.links)[:2], CATALOG.get("dac-ndr-split2"), 2.5))
    servers = (Allocation(design.servers()[0].id, (0, 2)),)
    design.apply(operations.add_job(design, servers=servers, size_bytes=1e6, traffic="shift:1"))
    return design


BASE = of_every_kind()
ENTITIES = list(BASE.entities())

EDGES = sorted(
    {
        edge
        for limit in (*limits.LIMITS.values(), *limits.OF_TYPE.values())
        if isinstance(limit, Range)
        for edge in (limit.least, limit.most)
    }
)
wholes = st.sampled_from([int(edge) + step for edge in EDGES for step in (-1, 0, 1)]) | st.integers(-3, 70)
numbers = (
    st.sampled_from([math.nextafter(edge, beyond) for edge in EDGES for beyond in (edge, 1e300, -1e300)])
    | st.floats()
    | wholes
)
texts = (
    st.text(max_size=8)
    | st.sampled_from(["", "\ud800", "a\u2028b", "\x7f", "{port", "{cage}", " ", "Ω", "d1", "dgx-h100", "\n"])
    | st.sampled_from([100, 101, 200, 201, 10_000, 10_001, 1_000_001]).map(lambda length: "x" * length)
)


def values(hint):
    """Values for a field of that type, sound and not."""
    if typing.get_origin(hint) is tuple:
        return st.just(())
    if hint is bool:
        return st.booleans()
    if hint is str:
        return texts
    if hint is int:
        return wholes | st.just(1.5)
    if hint is float:
        return numbers
    return st.one_of(*(st.none() if one is type(None) else values(one) for one in typing.get_args(hint)))


@st.composite
def changed(draw, record):
    """The record with something in it changed, however deep."""
    hints = typing.get_type_hints(type(record))
    names = [one.name for one in dataclasses.fields(record)]
    name = draw(st.sampled_from(names))
    value, hint = getattr(record, name), hints[name]
    if dataclasses.is_dataclass(value):
        return replace(record, **{name: draw(changed(value))})
    if isinstance(value, tuple) and value:
        place = draw(st.integers(0, len(value) - 1))
        item = value[place]
        if dataclasses.is_dataclass(item):
            item = draw(changed(item))
        elif isinstance(item, str):
            item = draw(texts)
        elif isinstance(item, int | float):
            item = draw(numbers if isinstance(item, float) else wholes)
        return replace(record, **{name: (*value[:place], item, *value[place + 1 :])})
    if dataclasses.is_dataclass(hint) or (hint != value and value is None and not typing.get_args(hint)):
        return record
    kinds = [one for one in typing.get_args(hint) if dataclasses.is_dataclass(one)]
    return record if kinds else replace(record, **{name: draw(values(hint))})


def assert_opens_again(design):
    again = document.decode(document.encode(design))
    assert list(again.entities()) == list(design.entities())


def test_the_base_has_every_kind_of_record():
    assert {type(one) for one in ENTITIES} == set(RECORDS)
    assert_opens_again(BASE)


@settings(max_examples=150)
@given(st.data())
def test_what_an_edit_accepts_can_be_saved_and_opened_again_and_is_equal(data):
    design = BASE.snapshot()
    for _ in range(3):
        before = data.draw(st.sampled_from(ENTITIES))
        after = data.draw(changed(before))
        try:
            design.apply(Edit("Change", (Change(before if before.id == after.id else None, after),)))
        except DesignerError as error:
            assert "\n" not in str(error)
            continue
        assert_opens_again(design)


@given(st.data())
def test_a_glance_calls_nothing_plain_that_is_beyond_a_limit(data):
    record = data.draw(changed(data.draw(st.sampled_from(ENTITIES))))
    if limit_checks._is_plain(record):
        assert list(limit_checks._faults(record)) == []


@pytest.mark.parametrize("depth", [64, 65])
def test_groups_lie_as_deep_as_a_file_may_have_them(depth):
    design = Design()
    groups = [Group(f"g{n}", f"level {n}", parent_id=f"g{n - 1}" if n > 1 else None) for n in range(1, depth + 1)]
    if depth == 64:
        design.apply(Edit("Nest", added(groups)))
        assert_opens_again(design)
        with pytest.raises(EditError, match="would lie 65 groups deep, the most is 64"):
            design.apply(Edit("One more", added([Group("g99", "below", parent_id="g64")])))
        top = Group("g98", "above")
        moved = replace(groups[0], parent_id="g98")
        with pytest.raises(EditError, match="would lie 65 groups deep"):
            design.apply(Edit("Over all", (Change(None, top), Change(groups[0], moved))))
        assert_opens_again(design)
    else:
        with pytest.raises(EditError, match="would lie 65 groups deep, the most is 64"):
            design.apply(Edit("Nest", added(groups)))


def test_a_switch_with_more_ports_than_a_file_may_have_is_not_generated():
    design = Design()
    parameters = PgftParameters((4, 4), (1, 100_000))
    with pytest.raises(ParameterError, match="a switch with 100,004 ports was requested; the most is 100,000"):
        recipes.generated(design, family("pgft"), parameters, CATALOG)
    with pytest.raises(ParameterError, match="100,004 ports"):
        family("pgft").counts(parameters, CATALOG)
    switch = CATALOG.get("generic-switch-64x400g")
    many = replace(switch, cages=(replace(switch.cages[0], count=60_000),) * 2)
    with pytest.raises(EditError, match="makes 120,000 ports, the most is 100,000"):
        design.apply(Edit("Type", added([many])))
    assert not design.types


def small(count=2):
    design = Design()
    switch = CATALOG.get("generic-switch-64x400g")
    devices = [Device(f"d{n}", f"s{n}", switch.id) for n in range(1, count + 1)]
    design.apply(Edit("Switches", added([switch, *devices])))
    return design


def test_links_on_a_port_are_as_many_as_a_file_may_have():
    design = small()
    port = [design.ports(one)[0].name for one in design.devices]
    links = [Link(f"l{n}", End("d1", port[0]), End("d2", f"none {n}")) for n in range(1, 257)]
    design.apply(Edit("Links", added(links)))
    assert_opens_again(design)
    with pytest.raises(EditError, match=r"^s1 port .* would carry 257 links, the most is 256$"):
        design.apply(Edit("One more", added([Link("l999", End("d1", port[0]), End("d2", "none"))])))


def test_nics_in_a_server_are_as_many_as_a_file_may_have():
    design = Design()
    server, nic = CATALOG.get("dgx-h100"), CATALOG.get("connectx-7-ndr")
    nics = [Module(f"m{n}", "d1", f"slot {n}", nic.id) for n in range(1, 1025)]
    design.apply(Edit("Server", added([server, nic, Device("d1", "host", server.id), *nics])))
    assert_opens_again(design)
    with pytest.raises(EditError, match=r"^host would hold 1,025 NICs, the most is 1,024$"):
        design.apply(Edit("One more", added([Module("m9999", "d1", "slot", nic.id)])))


def test_an_id_is_one_thing_s_and_a_rack_stands_in_no_rack():
    design = small()
    switch = replace(CATALOG.get("generic-switch-64x400g"), id="d1")
    with pytest.raises(EditError, match="the id 'd1' is in use already"):
        design.apply(Edit("Type", added([switch])))
    type_ = CATALOG.get("rack-42u")
    racks = [Rack("r1", "A", type_.id), Rack("r2", "B", type_.id)]
    with pytest.raises(EditError, match="rack 'B' cannot stand in a rack"):
        design.apply(Edit("Racks", added([type_, *racks, Placement("r2", 0, 0, rack_id="r1")])))


@pytest.mark.parametrize(
    ("name", "sentence"),
    [("GPUS_IN_ALL_MOST", "would have 8 GPUs, the most is 5"), ("RECORDS_MOST", "parts, the most is 5")],
)
def test_all_together_is_no_more_than_a_file_may_have(monkeypatch, name, sentence):
    monkeypatch.setattr(limits, name, 5)
    server = CATALOG.get("dgx-h100")
    with pytest.raises(EditError, match=sentence):
        groups = [Group(f"g{number}", "group") for number in range(3)]
        Design().apply(Edit("Server", added([server, Device("d1", "host", server.id), *groups])))


def test_ports_of_different_kinds_are_no_more_than_a_file_may_have(monkeypatch):
    design = small()
    monkeypatch.setattr(limits, "PORTS_IN_ALL_MOST", 100)
    before = design.device("d1")
    with pytest.raises(EditError, match="ports of different kinds, the most is 100"):
        design.apply(Edit("Mode", (Change(before, replace(before, port_mode="other")),)))


def test_jobs_are_no_more_than_a_file_may_have():
    jobs = [PlacedJob(f"j{n}", f"job {n}", 1.0, traffic="shift:1") for n in range(1, 66)]
    with pytest.raises(EditError, match="a design has 64 jobs at most"):
        Design().apply(Edit("Jobs", added(jobs)))


def test_a_job_on_every_other_gpu_of_a_huge_server_opens_again():
    design = Design()
    server = replace(CATALOG.get("dgx-h100"), id="huge", gpus=4096, slots=())
    gpus = tuple(range(0, 4096, 2))
    job = PlacedJob("j1", "job", 1.0, traffic="shift:1", servers=(Allocation("d1", gpus), Allocation("d2", gpus)))
    servers = [Device("d1", "a", "huge"), Device("d2", "b", "huge")]
    design.apply(Edit("Job", added([server, *servers, job])))
    assert_opens_again(design)


def test_half_a_character_in_the_notes_is_refused_with_a_sentence():
    design = Design()
    with pytest.raises(EditError, match=r"^the design's settings, notes: holds half of a surrogate pair"):
        design.apply(operations.set_settings(design, notes="fine\nuntil \ud83d here"))
    design.apply(operations.set_settings(design, notes="fine\nand \U0001f600 here"))
    assert_opens_again(design)
