"""Every version of the file that was ever written still opens. The files here are never changed, only added to."""

import dataclasses
from pathlib import Path

import pytest

from designer.model.entities import Device, End, Group, Link, Placement, Rack
from designer.model.hardware.media import MediumType
from designer.model.hardware.modules import NicType
from designer.model.hardware.servers import ScaleUp, ServerType
from designer.model.hardware.switches import SwitchType
from designer.storage import document, migrations

FOLDER = Path(__file__).parent
FILES = sorted(FOLDER.glob("*.fabric"))
CURRENT = FOLDER / f"every_field_v{migrations.VERSION}.fabric"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_golden_file_opens(path):
    design = document.load(path)
    assert design.settings.name == "Golden: every field once"
    assert len(design.devices) == 4
    assert len(design.links) == 3


def test_there_is_a_golden_file_of_every_version():
    written = {path.stem.rpartition("_v")[2] for path in FILES}
    assert written >= {str(version) for version in range(1, migrations.VERSION + 1)}


def test_the_golden_file_of_this_version_is_saved_byte_for_byte_as_it_is():
    assert document.encode(document.load(CURRENT)) == CURRENT.read_bytes()


def test_the_golden_file_of_this_version_sets_every_field_of_every_record():
    unset = {}
    records = list(document.load(CURRENT).entities())
    while records:
        record = records.pop()
        missing = unset.setdefault(type(record), {field.name for field in dataclasses.fields(record)})
        for field in dataclasses.fields(record):
            value = getattr(record, field.name)
            if value != field.default:
                missing.discard(field.name)
            inner = value if isinstance(value, tuple) else (value,)
            records += [one for one in inner if dataclasses.is_dataclass(one)]
    left = {kind.__name__: fields for kind, fields in unset.items() if fields}
    assert left == {"Settings": {"id"}}, "a golden file must show every field: add one that sets the new ones"


def test_version_1_says_what_it_always_said():
    design = document.load(FOLDER / "every_field_v1.fabric")
    assert design.policy.leaf_oversubscription == 2.0
    assert design.settings.default_cable_length_m == 3.5
    assert design.settings.notes == 'First line.\nSecond line: "quoted", 東京.'
    assert design.devices["d1"] == Device(
        "d1", "leaf-01", "acme-s1", "leaf", "g2", "12x200G", ((2, "6x400G"), (3, "3x800G")), ("swp1s3", "2/2"), 1, 2, 3
    )
    assert design.links["l1"] == Link("l1", End("d3", "rail1"), End("d2", "1/1"), "acme-dac", 1.5, "typed", "A-17")
    assert design.links["l10"].length_m == 30.25
    assert design.groups["g2"] == Group("g2", "SU 1", "scalable unit", "g1")
    assert design.racks["r1"] == Rack("r1", "Reihe 3 — Schrank 7", "rack-42u", "g1")
    assert design.placements["d3"] == Placement("d3", 96.0, 44.0, "r1", 9)
    switch, server = design.types["acme-s1"], design.types["acme-g8"]
    assert isinstance(switch, SwitchType)
    assert [mode.port_name for mode in switch.modes] == ["{cage}/{lane}", "swp{port:02}", "swp{cage}s{lane0}"]
    assert isinstance(server, ServerType)
    assert server.scale_up == ScaleUp("LinkFast", 450.0, 220.0)
    assert isinstance(design.types["acme-n2"], NicType)
    assert isinstance(design.types["acme-dac"], MediumType)
    ports = [port.name for port in design.ports("d1")]
    assert ports == ["swp1s0", "swp1s1", "swp1s2", "swp1s3", "2/1", "2/2", "swp07"]
