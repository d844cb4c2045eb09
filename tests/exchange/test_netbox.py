"""NetBox device types: as the library ships them, and as badly as files can be."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from designer.errors import CatalogError
from designer.exchange import netbox
from designer.model.hardware.device_ports import switch_ports
from designer.model.hardware.ports import CageGroup
from designer.model.hardware.racks import RackType
from designer.model.hardware.switches import ManagementPort

LIBRARY = Path(__file__).parent / "data" / "netbox"

GOOD = """\
manufacturer: Acme
model: S32
slug: acme-s32
u_height: 1
is_full_depth: true
interfaces:
"""


def file_with(tmp_path: Path, text: str, name: str = "one.yaml") -> Path:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


def ports(count: int, type_: str = "400gbase-x-osfp", name: str = "Ethernet") -> str:
    return "".join(f"  - {{name: {name}{number}, type: {type_}}}\n" for number in range(1, count + 1))


def test_a_switch_with_half_of_the_least_usual_number_of_ports_is_read(tmp_path):
    found = netbox.read_file(file_with(tmp_path, GOOD + ports(16), "small.yaml"))
    assert len(switch_ports(found.type_)) == 16


def test_the_sn5600_has_64_ports_of_800g_by_their_own_names():
    found = netbox.read_file(LIBRARY / "SN5600.yaml")
    type_ = found.type_
    assert (type_.id, type_.vendor, type_.model, type_.rack_units) == ("nvidia-sn5600", "Nvidia", "SN5600", 2)
    assert type_.cages == (CageGroup(64, "OSFP"),)
    assert [port.name for port in switch_ports(type_)][:2] == ["swp1", "swp2"]
    assert {port.rate_gbps for port in switch_ports(type_)} == {800}
    assert (type_.protocols, type_.capacity_tbps, type_.weight_kg) == (("ethernet",), 51.2, 23.5)
    assert (type_.latency_ns, type_.price_usd, type_.power_max_w) == (None, None, None)


@pytest.mark.parametrize("unit", ["{kg: 1}", "[kg]", "stone", "2"])
def test_a_weight_in_a_unit_that_is_none_is_not_known(tmp_path, unit):
    weight = f"weight: 12\nweight_unit: {unit}\ninterfaces:"
    found = netbox.read_file(file_with(tmp_path, GOOD.replace("interfaces:", weight) + ports(32)))
    assert found.type_.weight_kg is None


def test_a_switch_keeps_the_number_that_it_is_ordered_by(tmp_path):
    numbered = GOOD.replace("interfaces:", "part_number: 920-9N42F-00RI-7C0\ninterfaces:") + ports(32)
    assert netbox.read_file(file_with(tmp_path, numbered)).type_.part_number == "920-9N42F-00RI-7C0"
    assert netbox.read_file(file_with(tmp_path, GOOD + ports(32))).type_.part_number == ""


def test_the_qm9700_has_twin_port_cages_and_its_missing_ports_are_reported():
    found = netbox.read_file(LIBRARY / "QM9700.yaml")
    assert found.type_.cages == (CageGroup(32, "OSFP"),)
    assert len(switch_ports(found.type_)) == 64
    assert found.type_.protocols == ("infiniband",)
    reported = " ".join(found.notes)
    assert "P22.1, P23.0 missing in the file" in reported
    assert "states Ethernet interfaces, but the model is an InfiniBand switch" in reported


def test_the_dgx_a100_of_the_library_is_refused_with_the_reason():
    with pytest.raises(CatalogError, match=r"DGC-A100.yaml, line \d+: 28 x 100G QSFP28 and 8 x 400G QSFP-DD: none is"):
        netbox.read_file(LIBRARY / "DGC-A100.yaml")


def test_the_q3400_has_144_ports_of_which_management_is_none():
    found = netbox.read_file(LIBRARY / "Q3400-RA.yaml")
    assert len(switch_ports(found.type_)) == 144
    assert [port.name for port in switch_ports(found.type_)][:3] == ["sw1p1", "sw1p2", "sw2p1"]
    assert any("four lanes, 800G, are assumed" in note for note in found.notes)
    assert any("rated 7,000 W together" in note for note in found.notes)


def test_a_folder_is_read_whole_and_faulty_files_are_told_by_name_and_line(tmp_path):
    (tmp_path / "Acme").mkdir()
    file_with(tmp_path / "Acme", GOOD + ports(32), "good.yml")
    file_with(tmp_path, GOOD + ports(31) + "  - {name: Ethernet32}\n", "untyped.yaml")
    file_with(tmp_path, GOOD.replace("u_height: 1", "u_height: tall") + ports(32), "tall.yaml")
    file_with(tmp_path, "manufacturer: [", "broken.yaml")
    file_with(tmp_path, GOOD + ports(32), "again.yaml")
    (tmp_path / "notes.txt").write_text("not YAML at all")
    report = netbox.read(tmp_path)
    assert [one.type_.id for one in report.imported] == ["acme-s32"]
    assert len(report.skipped) == 4
    reported = "\n".join(report.skipped)
    assert "untyped.yaml, line 38: an interface has a name and a type" in reported
    assert "tall.yaml, line 4: u_height should be a number, not 'tall'" in reported
    assert "broken.yaml, line 2: not YAML" in reported or "broken.yaml, line 1: not YAML" in reported
    assert "good.yml: acme-s32 was read from another file already" in reported or "again.yaml" in reported


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "not a device type"),
        ("- 1\n- 2\n", "not a device type"),
        ("model: S\n", "manufacturer is missing"),
        (GOOD, "no interface of 100G or more"),
        (GOOD + ports(48, "10gbase-x-sfpp"), "no interface of 100G or more"),
        (GOOD + ports(8), "8 x 400G OSFP are too few for a fabric switch"),
        (GOOD + ports(15), "15 x 400G OSFP are too few for a fabric switch"),
        (GOOD + ports(2) + ports(2), "line 9: interface 'Ethernet1' appears twice"),
        (GOOD.replace("acme-s32", "Acme S32") + ports(32), "line 3: slug 'Acme S32' is not small letters"),
        (GOOD.replace("interfaces:", "interfaces: many"), "interfaces should be a list"),
        (GOOD.replace("is_full_depth: true", "is_full_depth: perhaps") + ports(32), "should be true or false"),
        (GOOD.replace("u_height: 1", "u_height: 1.3") + ports(32), "not a height in half rack units"),
        ("a: &a [1]\nb: *a\n", r"line 2: \*a repeats another part of the file"),
        ("!!python/object/apply:os.system ['true']", "line 1: the tag tag:yaml.org.* is not read"),
        (GOOD + ports(5000), "5,000 interfaces are more than any device has"),
    ],
)
def test_a_faulty_file_is_refused_in_one_sentence_naming_it(tmp_path, text, sentence):
    with pytest.raises(CatalogError, match=sentence) as refused:
        netbox.read_file(file_with(tmp_path, text))
    assert str(refused.value).startswith("one.yaml")
    assert "\n" not in str(refused.value)


def test_unknown_interface_types_and_keys_are_told_and_left_out(tmp_path):
    text = GOOD.replace("interfaces:", "colour: blue\ninterfaces:") + ports(32) + "  - {name: x1, type: 9tbase-warp}\n"
    found = netbox.read_file(file_with(tmp_path, text))
    assert "colour is not read" in found.notes
    assert "1 interfaces of type '9tbase-warp' are not known and left out" in found.notes
    assert len(switch_ports(found.type_)) == 32


def test_files_that_are_too_large_or_no_text_or_not_there_are_refused(tmp_path):
    file_with(tmp_path, "#" * 1_000_001, "large.yaml")
    (tmp_path / "binary.yaml").write_bytes(b"\xff\xfe\x00")
    assert len(netbox.read(tmp_path).skipped) == 2
    with pytest.raises(CatalogError, match="neither a file nor a folder"):
        netbox.read(tmp_path / "nowhere")
    (tmp_path / "empty").mkdir()
    with pytest.raises(CatalogError, match="holds no YAML files"):
        netbox.read(tmp_path / "empty")


@given(st.binary(max_size=400) | st.text(max_size=400).map(lambda text: text.encode("utf-8", "replace")))
def test_no_bytes_at_all_get_more_than_one_sentence(tmp_path_factory, content):
    path = tmp_path_factory.mktemp("netbox") / "any.yaml"
    path.write_bytes(content)
    try:
        netbox.read_file(path)
    except CatalogError as error:
        assert str(error).startswith("any.yaml")


def test_ports_left_out_are_told_by_name(tmp_path):
    text = GOOD + ports(32) + "  - {name: mgmt0, type: 1000base-t}\n"
    found = netbox.read_file(file_with(tmp_path, text))
    assert found.notes == ("1 x 1G RJ45 left out, for management or slower than 100G: mgmt0",)
    assert found.type_.management_ports == ()


def test_ports_for_management_alone_are_management_ports(tmp_path):
    text = GOOD + ports(32) + "  - {name: mgmt0, type: 1000base-t, mgmt_only: true}\n"
    text += "  - {name: mgmt1, type: 10gbase-x-sfpp, mgmt_only: true}\n"
    text += "  - {name: mgmt2, type: 400gbase-x-qsfpdd, mgmt_only: true}\n"
    found = netbox.read_file(file_with(tmp_path, text))
    assert found.type_.management_ports == (ManagementPort("mgmt0"), ManagementPort("mgmt1", "SFP+", 10))
    assert found.notes == ("1 x 400G QSFP-DD left out, for management or slower than 100G: mgmt2",)
    assert len(switch_ports(found.type_)) == 32


RACK = """\
manufacturer: Acme
model: Tall
slug: acme-tall
form_factor: 4-post-cabinet
width: 19
u_height: 52
starting_unit: 1
"""


def test_a_rack_type_is_read_with_its_units(tmp_path):
    type_ = netbox.read_file(file_with(tmp_path, RACK)).type_
    assert type_ == RackType("acme-tall", "Acme", "Tall", 52, notes=("Imported from a NetBox rack type.",))
    wide = netbox.read_file(file_with(tmp_path, RACK.replace("19", "23")))
    assert wide.notes == ("its rails are 23 inches apart; racks are taken to be 19 inches here",)
    with pytest.raises(CatalogError, match=r"one.yaml, line 6: u_height 0.5 is not a number of rack units"):
        netbox.read_file(file_with(tmp_path, RACK.replace("52", "0.5")))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (GOOD.replace("model: S32", "model: on") + ports(32), ""),
        (GOOD.replace("model: S32", "model: 2026-11-21") + ports(32), ""),
        (GOOD.replace("model: S32", "model: 32") + ports(32), "one.yaml, line 2: model should be a text, not 32"),
        (GOOD.replace("model: S32", "model: |\n  two\n  lines") + ports(32), "field model: holds a line break"),
        (GOOD.replace("u_height: 1", "u_height: .nan") + ports(32), "one.yaml, line 4: u_height nan is not a height"),
        (GOOD.replace("interfaces:", "weight: .inf\nweight_unit: kg\ninterfaces:") + ports(32), "weight_kg: inf"),
        (GOOD.replace("interfaces:", "model: twice\ninterfaces:") + ports(32), "line 6: model appears twice"),
        (GOOD.replace("acme-s32", "9" * 300) + ports(32), "one.yaml, line 3: a number of 300 digits"),
    ],
)
def test_words_dates_and_figures_are_what_they_look_like(tmp_path, text, sentence):
    path = file_with(tmp_path, text)
    if not sentence:
        assert netbox.read_file(path).type_.model in ("on", "2026-11-21")
        return
    with pytest.raises(CatalogError, match=sentence):
        netbox.read_file(path)


@pytest.mark.parametrize(("cages", "is_usual"), [(32, True), (16, True), (33, False), (17, False)])
def test_the_radix_of_twin_port_cages_is_that_of_their_ports(tmp_path, cages, is_usual):
    names = [f"Ethernet{cage}/{lane}" for cage in range(1, cages + 1) for lane in (1, 2)]
    text = GOOD + "".join(f"  - {{name: {name}, type: 400gbase-x-osfp}}\n" for name in names)
    found = netbox.read_file(file_with(tmp_path, text))
    assert len(switch_ports(found.type_)) == 2 * cages
    assert any(f"{2 * cages} fabric ports are not a usual radix" in note for note in found.notes) is not is_usual


@pytest.mark.parametrize(
    ("weight", "unit", "kg"), [(10.0004, "kg", 10.0), (10.0006, "kg", 10.001), (12, "lb", 5.443), (500, "g", 0.5)]
)
def test_a_weight_is_told_in_kilograms_to_a_gram(tmp_path, weight, unit, kg):
    text = GOOD.replace("interfaces:", f"weight: {weight}\nweight_unit: {unit}\ninterfaces:") + ports(32)
    assert netbox.read_file(file_with(tmp_path, text)).type_.weight_kg == kg
