"""Whatever is broken: validation and the summary survive it, and every fix applies and removes its finding."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from designer.analysis.summary import summarize
from designer.catalog.catalog import load
from designer.model.design import Design, from_entities
from designer.model.edit import Change, Edit
from designer.model.entities import Device, End, Link, Module, Placement, Rack
from designer.model.hardware.servers import ServerType
from designer.model.hardware.switches import SwitchType
from designer.model.settings import Settings
from designer.tables.columns import as_json
from designer.validation.engine import RULES, validate

SWITCHES = ("nvidia-qm9700", "nvidia-sn5600", "nvidia-qm8790", "generic-switch-4x400g")
SERVERS = ("dgx-h100", "dgx-a100", "hgx-h100-oem", "generic-host")
NICS = ("connectx-7-ndr", "connectx-6-hdr", "generic-nic")
MEDIA = ("", "dac-ndr-twin", "dac-ndr-split2", "aoc-hdr", "tr-800-2dr4-100", "fiber-sm-straight")
PORTS = ("1/1", "1/2", "2/1", "swp1", "swp2", "swp1s0", "1", "2", "rail1", "rail2", "nic1", "", "=x")
LAST = {one.code for one in RULES if one.is_last}
"""Rules that look at what the others found; any other finds the same when it is checked alone."""


@pytest.fixture(scope="session")
def empty_with_types():
    catalog = load()
    ids = [*SWITCHES, *SERVERS, *NICS, "generic-nic-400g", "rack-42u", *(medium for medium in MEDIA if medium)]
    design = Design()
    design.apply(Edit("types", tuple(Change(None, catalog.get(type_id)) for type_id in ids)))
    return design


@st.composite
def faults(draw, types):
    """Devices, NICs, racks and links put together without any care."""
    n_devices = draw(st.integers(1, 7))
    ids = [f"d{number}" for number in range(1, n_devices + 1)]
    made = [Rack("r1", "A01", "rack-42u"), Rack("r2", draw(st.sampled_from(("A01", "A02"))), "rack-42u")]
    for device_id in ids:
        type_ = types[draw(st.sampled_from(SWITCHES + SERVERS))]
        fields = {
            "name": draw(st.sampled_from(("a", "b", "leaf-01", "=1"))),
            "role": draw(st.sampled_from(("", "leaf", "spine", "core", "odd"))),
            "reserved_ports": tuple(draw(st.lists(st.sampled_from(PORTS), max_size=2, unique=True))),
            "rail": draw(st.sampled_from((None, 1, 2))),
        }
        if isinstance(type_, SwitchType):
            modes = [mode.name for mode in type_.modes] + ["", "nonsense"]
            fields["port_mode"] = draw(st.sampled_from(modes))
            cages = draw(st.dictionaries(st.sampled_from((1, 2, 3, 99)), st.sampled_from(modes[:-1]), max_size=2))
            fields["cage_modes"] = tuple(sorted(cages.items()))
        made.append(Device(device_id, type_id=type_.id, **fields))
        if isinstance(type_, ServerType):
            slots = [*(slot.name for slot in type_.slots[:3]), "none"]
            chosen = draw(st.lists(st.tuples(st.sampled_from(slots), st.sampled_from(NICS)), max_size=4))
            made += [
                Module(f"m{device_id[1:]}{number}", device_id, slot, nic) for number, (slot, nic) in enumerate(chosen)
            ]
        if draw(st.booleans()):
            made.append(
                Placement(device_id, 0.0, 0.0, draw(st.sampled_from((None, "r1", "r2"))), draw(st.integers(1, 45)))
            )
    ends = st.builds(End, st.sampled_from(ids), st.sampled_from(PORTS))
    lengths = st.sampled_from((None, 1.0, 70.0))
    links = draw(st.lists(st.tuples(ends, ends, st.sampled_from(MEDIA), lengths), max_size=12))
    made += [Link(f"l{n}", a, b, medium, length) for n, (a, b, medium, length) in enumerate(links, start=1)]
    return tuple(made)


@settings(max_examples=120)
@given(data=st.data())
def test_no_design_is_too_broken_to_be_told_about(empty_with_types, data):
    design = empty_with_types.snapshot()
    made = data.draw(faults(design.types))
    design.apply(Edit("faults", tuple(Change(None, entity) for entity in made)))
    found = json.dumps(as_json(summarize(design)), allow_nan=False)
    report = validate(design)
    assert json.dumps(as_json(summarize(design)), allow_nan=False) == found
    again = from_entities([entity for entity in design.entities() if not isinstance(entity, Settings)])
    assert validate(again).findings == report.findings
    for finding in report.findings:
        assert finding.message and finding.reason and finding.subjects
        assert all(design.entity(subject) is not None for subject in finding.subjects)


@settings(max_examples=120)
@given(data=st.data())
def test_every_fix_applies_and_removes_its_finding(empty_with_types, data):
    design = empty_with_types.snapshot()
    made = data.draw(faults(design.types))
    design.apply(Edit("faults", tuple(Change(None, entity) for entity in made)))
    before = list(design.entities())
    for finding in validate(design).findings:
        if finding.fix is None:
            continue
        assert finding.fix.label and finding.fix.changes
        design.apply(finding.fix)
        checked = None if finding.code in LAST else {finding.code}
        same = [(f.code, f.subjects, f.message) for f in validate(design, codes=checked).findings]
        assert (finding.code, finding.subjects, finding.message) not in same
        design.apply(finding.fix.inverted())
        assert list(design.entities()) == before


@settings(max_examples=60)
@given(data=st.data())
def test_applying_fix_after_fix_comes_to_an_end(empty_with_types, data):
    design = empty_with_types.snapshot()
    made = data.draw(faults(design.types))
    design.apply(Edit("faults", tuple(Change(None, entity) for entity in made)))
    for _ in range(200):
        fixes = [finding.fix for finding in validate(design).findings if finding.fix is not None]
        if not fixes:
            break
        design.apply(fixes[0])
    else:
        pytest.fail("fixes go round in circles")
    assert design.settings == Design().settings
