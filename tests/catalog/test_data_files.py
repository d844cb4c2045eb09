# ruff: noqa: E501  (a row of the table is easier to read on one line)
"""A faulty catalog file is named with entry and field, in one sentence."""

import shutil
from pathlib import Path

import pytest

from designer.catalog.catalog import load
from designer.errors import CatalogError
from designer.paths import resources_dir


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return Path(shutil.copytree(resources_dir() / "catalog", tmp_path / "catalog"))


def spoil(folder: Path, file_name: str, old: str, new: str) -> None:
    text = (folder / file_name).read_text(encoding="utf-8")
    assert old in text
    (folder / file_name).write_text(text.replace(old, new, 1), encoding="utf-8")


def refusal(folder: Path) -> str:
    with pytest.raises(CatalogError) as caught:
        load(folder)
    sentence = str(caught.value)
    assert "\n" not in sentence
    return sentence


@pytest.mark.parametrize(
    ("file_name", "old", "new", "sentence"),
    [
        (
            "switches.yaml",
            "count: 32,",
            "count: many,",
            "switches.yaml, entry nvidia-qm9700, field cages[0].count: expected `int`, got `str`",
        ),
        (
            "switches.yaml",
            "count: 32,",
            "count: 0,",
            "switches.yaml, entry nvidia-qm9700, field cages[0].count: 0 is not possible: 1 to 100,000",
        ),
        (
            "switches.yaml",
            "rate_gbps: 400,",
            "",
            "switches.yaml, entry nvidia-qm9700, field modes[0].rate_gbps: is missing",
        ),
        ("switches.yaml", "    vendor: NVIDIA\n", "", "switches.yaml, entry nvidia-qm9700, field vendor: is missing"),
        (
            "switches.yaml",
            "rack_units: 1",
            "rack_unit: 1",
            "switches.yaml, entry nvidia-qm9700, field rack_unit: there is no such field",
        ),
        (
            "switches.yaml",
            "heat_sink: finned",
            "heatsink: finned",
            "switches.yaml, entry nvidia-qm9700, field cages[0].heatsink: there is no such field",
        ),
        (
            "switches.yaml",
            "power_max_w: 1720",
            "power_max_w: -1",
            "switches.yaml, entry nvidia-qm9700, field power_max_w: -1.0 is not possible: 0 to 1e+12",
        ),
        (
            "switches.yaml",
            "power_max_w: 1720",
            "power_max_w: .inf",
            "switches.yaml, entry nvidia-qm9700, field power_max_w: inf is not possible: 0 to 1e+12",
        ),
        (
            "switches.yaml",
            '"{cage}/{lane}"',
            '"{cage}"',
            "switches.yaml, entry nvidia-qm9700, field modes[0].port_name: '{cage}' gives several ports one name",
        ),
        (
            "switches.yaml",
            '"{cage}/{lane}"',
            '"{card}"',
            "switches.yaml, entry nvidia-qm9700, field modes[0].port_name: '{card}' may hold {cage}, {lane}, {lane0}, {port}, {slot} and {socket}, nothing else",
        ),
        (
            "switches.yaml",
            "id: nvidia-qm9790",
            "id: nvidia-qm9700",
            "switches.yaml, entry nvidia-qm9700, field id: 'nvidia-qm9700' is used twice in the catalog",
        ),
        (
            "switches.yaml",
            "id: nvidia-qm9700",
            "id: NVIDIA QM9700",
            "switches.yaml, entry NVIDIA QM9700, field id: 'NVIDIA QM9700' is not small letters, digits, dots and hyphens",
        ),
        (
            "switches.yaml",
            "  - id: nvidia-qm9700",
            "  - ident: nvidia-qm9700",
            "switches.yaml, entry number 1, field id: is missing",
        ),
        (
            "servers.yaml",
            "gpu: 7,",
            "gpu: 8,",
            "servers.yaml, entry dgx-h100, field slots[7].gpu: 8 is not one of 8 GPUs counted from 0",
        ),
        (
            "servers.yaml",
            "name: rail2,",
            "name: rail1,",
            "servers.yaml, entry dgx-h100, field slots[1].name: 'rail1' is used twice",
        ),
        (
            "servers.yaml",
            "purpose: storage",
            "purpose: fun",
            "servers.yaml, entry dgx-h100, field slots[8].purpose: 'fun' is none of fabric, storage, in-band, north-south, management",
        ),
        (
            "servers.yaml",
            "port_purposes: [in-band, storage]",
            "port_purposes: [fun, storage]",
            "servers.yaml, entry dgx-b200, field slots[8].port_purposes: 'fun' is none of fabric, storage, in-band, north-south, management",
        ),
        (
            "servers.yaml",
            "connectx-7-ndr",
            "connectx-9",
            "servers.yaml, entry dgx-h100, field slots[0].nic_type_id: 'connectx-9' is not a NIC of the catalog",
        ),
        (
            "servers.yaml",
            "unverified: [rack_units,",
            "unverified: [height,",
            "servers.yaml, entry mi300x-8gpu, field unverified[0]: 'height' is not a field of this entry",
        ),
        (
            "nics.yaml",
            "sources: [pi4-prof",
            "sources: [hearsay",
            "nics.yaml, entry connectx-7-ndr, field sources[0]: 'hearsay' is not in sources.yaml",
        ),
        (
            "racks.yaml",
            'date: "2026-11-20"',
            "date: 20261120",
            'racks.yaml, field date: 20261120 is not a day like "2026-11-20"',
        ),
        ("racks.yaml", "entries:", "racks:", "racks.yaml: the file should hold exactly the fields date and entries"),
    ],
)
def test_a_faulty_file_is_refused_with_its_place(folder, file_name, old, new, sentence):
    spoil(folder, file_name, old, new)
    assert refusal(folder) == sentence


def test_a_file_that_is_not_yaml_is_named_with_the_line(folder):
    spoil(folder, "media.yaml", "links: 2", "links: [2")
    assert refusal(folder).startswith("media.yaml, line 8: not YAML, ")


def test_a_missing_file_is_named(folder):
    (folder / "nics.yaml").unlink()
    assert refusal(folder) == "nics.yaml cannot be read: No such file or directory"


def test_a_file_of_bytes_is_named(folder):
    (folder / "nics.yaml").write_bytes(b"\xff\xfe\x00")
    assert refusal(folder) == "nics.yaml, line 1: not text in UTF-8"


def test_entries_that_are_no_mappings_are_named(folder):
    (folder / "racks.yaml").write_text('date: "2026-11-20"\nentries: [1]\n', encoding="utf-8")
    assert refusal(folder) == "racks.yaml, entry number 1: expected a mapping of fields"


def test_a_null_figure_is_an_unknown_one(folder):
    spoil(folder, "switches.yaml", "latency_ns: 130", "latency_ns: null")
    assert load(folder).get("nvidia-qm9700").latency_ns is None
