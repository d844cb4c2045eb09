"""YAML of strangers: read as it looks, or refused in one sentence with file and line."""

import json
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from designer.catalog import own_types, yaml_text
from designer.catalog.catalog import load
from designer.errors import CatalogError
from designer.model import operations
from designer.model.design import Design
from designer.model.hardware.racks import RackType
from designer.model.hardware.servers import ServerType
from designer.model.hardware.switches import SwitchType
from designer.storage import document

SWITCH = """\
kind: switch
id: mine
vendor: Me
model: M
protocols: [ethernet]
cages: [{count: 32, form_factor: OSFP}]
modes: [{name: whole, ports_per_cage: 1, rate_gbps: 400}]
"""
BOMB = "a: &a [x, x, x, x]\n" + "".join(
    f"{new}: &{new} [*{old}, *{old}, *{old}, *{old}]\n" for old, new in zip("abcdefghij", "bcdefghijk", strict=True)
)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (BOMB, r"f.yaml, line 2: \*a repeats another part of the file: write it out"),
        ("[" * 50_000, "f.yaml, line 1: nested too deeply"),
        ("{a: " * 50_000, "f.yaml, line 1: nested too deeply"),
        ("a: 1\nb: 2\na: 3\n", "f.yaml, line 3: a appears twice"),
        ("a: 1\n? [1, 2]\n: 3\n", "f.yaml, line 2: a field's name should be a text"),
        ("a: 1\nb: " + "9" * 5000, "f.yaml, line 2: a number of 5,000 digits"),
        ("a: !!python/name:os.system x", "f.yaml, line 1: the tag .* is not read"),
        ("a: 1\n---\nb: 2\n", "f.yaml, line 2: a second document begins"),
        ("a: 1\nb: \x00", "f.yaml, line 2: not YAML, holds a control character"),
        ("a: 'open", "f.yaml, line 1: not YAML"),
    ],
)
def test_what_could_do_harm_is_refused_with_its_line(text, sentence):
    with pytest.raises(CatalogError, match=sentence) as refused:
        yaml_text.parse(text, "f.yaml")
    assert "\n" not in str(refused.value) and len(str(refused.value)) < 200


def test_words_and_dates_stay_texts_and_numbers_are_numbers():
    text = "on: no\nday: 2026-11-21\ntime: 12:30:45\npart: 0123\nn: 12\nf: 1.5\nyes: true\nnone: ~\ns: !!str 5\n"
    found = yaml_text.parse(text, "f.yaml")
    assert found.value == {
        "on": "no",
        "day": "2026-11-21",
        "time": "12:30:45",
        "part": "0123",
        "n": 12,
        "f": 1.5,
        "yes": True,
        "none": None,
        "s": "5",
    }
    assert (found.lines["on"], found.lines["s"]) == (1, 9)


def test_places_in_lists_and_mappings_have_their_lines():
    lines = yaml_text.parse("a:\n- b: 1\n  c:\n    d: 2\n- [x,\n y]\n", "f.yaml").lines
    assert (lines["a"], lines["a[0]"], lines["a[0].b"], lines["a[0].c.d"], lines["a[1]"], lines["a[1][1]"]) == (
        1,
        2,
        2,
        4,
        5,
        6,
    )


def test_files_that_are_huge_or_no_text_or_no_files_are_refused_unread(tmp_path):
    huge, other = tmp_path / "huge.yaml", tmp_path / "latin.yaml"
    with huge.open("wb") as file:
        file.truncate(100_000_000)
    other.write_bytes("a: 1\nb: Schräge\n".encode("latin-1"))
    with pytest.raises(CatalogError, match=r"huge.yaml: larger than 1,000,000 bytes"):
        yaml_text.read(huge)
    with pytest.raises(CatalogError, match=r"latin.yaml, line 2: not text in UTF-8"):
        yaml_text.read(other)
    with pytest.raises(CatalogError, match=r"is not an ordinary file"):
        yaml_text.read(tmp_path)
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe.yaml")
        with pytest.raises(CatalogError, match=r"pipe.yaml is not an ordinary file"):
            yaml_text.read(tmp_path / "pipe.yaml")


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("count: 32", "count: 1000000000", "one.yaml, line 6, field cages[0].count: 1000000000 is not possible: 1 to"),
        ("ports_per_cage: 1,", "ports_per_cage: 1024,", ""),
        ("count: 32", "count: 90000", ""),
        ("rate_gbps: 400", "rate_gbps: .nan", "one.yaml, line 7, field modes[0].rate_gbps: nan is not possible: above"),
        ("rate_gbps: 400", "rate_gbps: 1e400", "one.yaml, line 7, field modes[0].rate_gbps: expected `float`"),
        ("rate_gbps: 400", 'rate_gbps: 400, port_name: "{cage:>99999999}"', "may hold {cage}, {lane}, {lane0}"),
        ("rate_gbps: 400", 'rate_gbps: 400, port_name: "{cage.__class__}"', "may hold {cage}, {lane}, {lane0}"),
        ("model: M", 'model: "a\\nb"', "one.yaml, line 4, field model: holds a line break or control character"),
        ("model: M", "model: " + "m" * 20_000, "field model: 20,000 characters, the most is 10,000"),
        ("id: mine", "id: " + "m" * 201, "field id: 201 characters, the most is 200"),
        ("vendor: Me", "vendor: [Me]", "one.yaml, line 3, field vendor: expected `str`, got `array`"),
    ],
)
def test_own_types_have_possible_figures_and_their_faults_have_lines(tmp_path, old, new, sentence):
    path = tmp_path / "one.yaml"
    path.write_text(SWITCH.replace(old, new))
    if not sentence:
        assert own_types.read(path).id == "mine"
        return
    with pytest.raises(CatalogError) as refused:
        own_types.read(path)
    assert sentence in str(refused.value)


CATALOG = load()
TYPES = [type_ for type_ in CATALOG.types.values() if isinstance(type_, SwitchType | ServerType | RackType)]
WORTHS = (0, -1, 1, 10**6, 10**12, 10**30, 1e300, "x", "a\tb", "", "y" * 9000, [], {}, None)


@given(st.sampled_from(TYPES), st.data())
def test_what_is_accepted_can_be_kept_in_a_design(tmp_path_factory, type_, data):
    folder = tmp_path_factory.mktemp("own")
    path = own_types.save(type_, folder)
    lines = path.read_text().splitlines()
    number = data.draw(st.integers(1, len(lines) - 1))
    lines[number] = f"{lines[number].partition(':')[0]}: {json.dumps(data.draw(st.sampled_from(WORTHS)))}"
    path.write_text("\n".join(lines))
    others = {type_id: one for type_id, one in CATALOG.types.items() if type_id != type_.id}
    found, skipped = own_types.load(folder, others)
    assert len(found) + len(skipped) == 1
    design = Design()
    for mine in found.values():
        if isinstance(mine, RackType):
            design.apply(operations.add_rack(design, mine, 0.0, 0.0))
        else:
            design.apply(operations.add_device(design, mine, 0.0, 0.0, catalog_types=CATALOG.types))
    text = document.encode(design)
    assert document.encode(document.decode(text)) == text
