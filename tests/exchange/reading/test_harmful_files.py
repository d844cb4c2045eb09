"""Every reader of other tools' files, with hostile and senseless files: one sentence, in little time, no change."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from hostile_files import (
    FILE_ENTITY,
    HEAD,
    LARGE,
    LAUGHS,
    NASTY,
    SHEET,
    SHORT,
    book,
    cut_off,
    read_apart,
    row,
    write_all,
)
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from designer.catalog.catalog import load
from designer.errors import DesignerError
from designer.exchange.graphs.reading import read_dot
from designer.exchange.importers import BUILT_IN, guess_importer
from designer.exchange.infiniband import reading, topo_reading
from designer.exchange.reading import collecting, grids, limits, sheets, workbooks
from designer.exchange.reading import texts as texts_of_files
from designer.exchange.reading.building import propose
from designer.exchange.reading.found import FoundNetwork, ImportFailure
from designer.exchange.reading.xml_tree import parse_xml
from designer.model.design import Design

CATALOG = load()
pytestmark = pytest.mark.timeout(40)  # of a busy machine; an idle one takes 2 s for each
READERS = [one for one in BUILT_IN if one.found is not None]


def survives(reader, path):
    """Read and propose: a design or a sentence."""
    design = Design()
    try:
        found = reader.found(path)
        assert isinstance(found, FoundNetwork)
        proposal = propose(found, design, CATALOG)
        design.apply(proposal.edit)
        for one in (*proposal.unread, *proposal.guesses):
            assert one.sentence and "\n" not in one.sentence and "\u202e" not in one.sentence
    except DesignerError as error:
        assert str(error) and "\n" not in str(error)


@pytest.mark.parametrize("name", NASTY)
@pytest.mark.parametrize("reader", READERS, ids=lambda one: one.name)
def test_files_that_mean_harm_end_in_a_sentence(reader, name, tmp_path):
    for suffix in reader.suffixes:
        if suffix != "/":
            path = tmp_path / f"x{suffix}"
            path.write_bytes(NASTY[name])
            survives(reader, path)


@pytest.mark.slow
@pytest.mark.timeout(220)  # with files of half a million lines
@pytest.mark.parametrize("reader", BUILT_IN, ids=lambda one: one.name)
def test_no_reader_takes_much_memory_whatever_the_file(reader, tmp_path):
    """In a process of its own, that has 500 MB more than it begins with; tests/benchmarks measures the time."""
    paths = write_all(tmp_path, [one for one in reader.suffixes if one != "/"])
    script = Path(__file__).with_name("read_within.py")
    asked = [sys.executable, str(script), reader.name, str(tmp_path)]
    done = subprocess.run(asked, capture_output=True, text=True, check=False, timeout=200)
    assert done.returncode == 0, done.stderr[-2000:]
    outcomes = json.loads(done.stdout)
    assert len(outcomes) == len(paths) >= len(NASTY) + len(SHORT)
    assert {one["outcome"] for one in outcomes} <= {"read", "refused"}, [
        one for one in outcomes if one["outcome"] not in ("read", "refused")
    ]


@pytest.mark.parametrize("reader", READERS, ids=lambda one: one.name)
def test_a_file_is_read_by_what_is_in_it_and_a_suffix_says_no_more_than_json(reader, tmp_path):
    """So large files are tried with few suffixes."""
    suffixes = [one for one in reader.suffixes if one != "/"]
    contents = [*NASTY.values(), *SHORT.values(), *cut_off().values()]
    for data in (one for one in contents if len(one) <= LARGE):
        came = {suffix: came_of(reader, tmp_path / f"x{suffix}", data) for suffix in suffixes}
        for suffix in suffixes:
            assert came[suffix] in [came[one] for one in read_apart(suffixes)]


def came_of(reader, path, data):
    """What is found in a file of that name, or why nothing is."""
    path.write_bytes(data)
    try:
        return repr(reader.found(path)).replace(path.name, "x")
    except DesignerError as error:
        return str(error).replace(path.name, "x")


@pytest.mark.parametrize("reader", READERS, ids=lambda one: one.name)
def test_folders_links_and_missing_files_end_in_a_sentence(reader, tmp_path):
    inside = tmp_path / "folder"
    inside.mkdir()
    (inside / "a.json").write_bytes(b"{")
    survives(reader, inside)
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    for path in (tmp_path / "none.csv", tmp_path / "loop"):
        with pytest.raises((OSError, DesignerError)):
            reader.found(path)


texts = st.text(st.characters(codec="utf-8"), max_size=12)
cells = st.one_of(
    texts,
    st.sampled_from(
        ["A-Node", "Z-Port", "a", "1", "swp1s0", "1/1", "400G", "3 m", "", "Host", "=1+1", "\u202e", "QM9700"]
    ),
)
csv_files = st.lists(st.lists(cells, min_size=1, max_size=8).map(",".join), max_size=12).map(
    lambda rows: (HEAD + "\n".join(rows)).encode(errors="replace")
)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | texts,
    lambda inner: st.lists(inner, max_size=4)
    | st.dictionaries(
        st.sampled_from(
            ["lldp", "interface", "eth0", "chassis", "port", "id", "value", "name", "descr", "results",
             "a_terminations", "b_terminations", "object", "device", "length", "label"]
        ),
        inner, max_size=4,
    ),
    max_leaves=25,
)  # fmt: skip


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.one_of(st.binary(max_size=400), csv_files, json_values.map(lambda one: json.dumps(one).encode())))
@pytest.mark.parametrize("reader", READERS, ids=lambda one: one.name)
def test_no_reader_fails_on_what_comes_by_chance(reader, tmp_path_factory, data):
    suffix = next(one for one in reader.suffixes if one != "/")
    path = tmp_path_factory.getbasetemp() / f"chance{suffix}"
    path.write_bytes(data)
    survives(reader, path)


@settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_workbooks_with_bytes_changed_end_in_a_sentence(tmp_path_factory, data):
    whole = bytearray(book(SHEET.format(row("A-Node", "A-Port", "Z-Node", "Z-Port") + row("a", "1", "b", "2"))))
    for _ in range(data.draw(st.integers(1, 8))):
        whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    path = tmp_path_factory.getbasetemp() / "changed.xlsx"
    path.write_bytes(bytes(whole))
    survives(next(one for one in READERS if one.name == "cable-list"), path)


def test_no_file_is_guessed_to_be_what_fails_without_a_sentence(tmp_path):
    for number, content in enumerate(NASTY.values()):
        for suffix in {suffix for one in READERS for suffix in one.suffixes if suffix != "/"}:
            path = tmp_path / f"{number}{suffix}"
            path.write_bytes(content[:100_000])
            try:
                guess_importer(path)
            except DesignerError as error:
                assert "name one of" in str(error)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("zip of zeros", "unpacks to far more"),
        ("zip of others", "holds no table"),
        ("zip with entities", "defines XML entities"),
        ("zip with entities in texts", "defines XML entities"),
        ("zip that leads out", "it has no part"),
        ("zip cut off", "is damaged or locked"),
        ("one long line", "more than 1,000,000 characters"),
        ("not text", "is not UTF-8 text"),
        ("zeros", "is not a text file"),
    ],
)
def test_what_would_take_memory_or_read_files_is_refused_by_its_own_guard(name, words, tmp_path):
    path = tmp_path / "x.csv"
    path.write_bytes(NASTY[name])
    with pytest.raises(ImportFailure, match=words):
        sheets.read(path)


@pytest.mark.parametrize(
    ("module", "limit", "most", "words"),
    [
        (grids, "MOST_ROWS", 3, "more than 3 rows"),
        (grids, "MOST_COLUMNS", 3, "more than 3 columns"),
        (limits, "MOST_LINKS", 2, "more than 2 links"),
        (limits, "MOST_NODES", 3, "more than 3 nodes"),
        (texts_of_files, "MOST_BYTES", 30, "larger than"),
    ],
)
def test_files_beyond_a_limit_are_to_be_imported_in_parts(module, limit, most, words, tmp_path, monkeypatch):
    monkeypatch.setattr(module, limit, most)
    path = tmp_path / "x.csv"
    path.write_text("A-Node,A-Port,Z-Node,Z-Port\n" + "".join(f"a{n},1,b{n},2\n" for n in range(5)), encoding="utf-8")
    with pytest.raises(ImportFailure, match=words):
        sheets.read(path)


@pytest.mark.parametrize(
    ("limit", "most", "words"), [("MOST_CELLS", 5, "more than 5 cells"), ("MOST_MEMBERS", 2, "parts")]
)
def test_workbooks_beyond_a_limit_are_refused(limit, most, words, tmp_path, monkeypatch):
    monkeypatch.setattr(workbooks, limit, most)
    path = tmp_path / "x.xlsx"
    path.write_bytes(book(SHEET.format(row("A-Node", "A-Port", "Z-Node", "Z-Port") * 3)))
    with pytest.raises(ImportFailure, match=words):
        sheets.read(path)


@pytest.mark.parametrize(
    ("data", "words"),
    [(LAUGHS.encode(), "defines XML entities"), (FILE_ENTITY.encode(), "XML entities"), (b"<a><b></a>", "line 1"),
     (b"<a>" * 1000, "deep"), (b"<?xml version='1.0' encoding='klingon'?><a/>", "XML")],
)  # fmt: skip
def test_xml_with_entities_or_without_end_is_refused(data, words):
    with pytest.raises(ImportFailure, match=words):
        parse_xml(data, "x.xml")


SYSTEMS = "".join(f"MQM9700 sw{n}\n" for n in range(9))
SWITCHES = "".join(f'Switch 36 "S-{n}"\n' for n in range(9))
HEADINGS = "A-Node,A-Port,Z-Node,Z-Port\n"


@pytest.mark.parametrize(
    ("reader", "name", "text", "words"),
    [
        (reading, "x.net", SWITCHES, "lists more than .* nodes and no link"),
        (reading, "x.net", 'Switch 36 "a"\n' + "".join(f'[{n}] "b"[{n}]\n' for n in range(1, 9)), "a has more than"),
        (reading, "x.net", 'Switch 36 "a"\n' + '[1] "b"[1]\n' * 40, "repeats the same links"),
        (reading, "x.net", 'Switch 36 "a"\n[1] "b"[1]\n' + "what\n" * 40, "not understood in more than .* line 3"),
        (topo_reading, "x.topo", SYSTEMS, "lists more than .* systems and no link"),
        (topo_reading, "x.topo", "A a\n" + "".join(f"  P{n} -> A b P{n}\n" for n in range(9)), "a has more than"),
        (topo_reading, "x.topo", "A a\n" + "  P1 -> A b P1\n" * 40, "repeats the same links"),
        (topo_reading, "x.topo", "A a\n  P1 -> A b P1\n" + "what\n" * 40, "not understood"),
        (sheets, "x.csv", HEADINGS + "".join(f"a,{n},b,{n}\n" for n in range(9)), "a has more than .* ports"),
        (sheets, "x.csv", HEADINGS + "a,1,b,1\n" * 40, "repeats the same links"),
        (sheets, "x.csv", HEADINGS + "a,1,b,1\n" + "a,,b,2\n" * 40, "not understood in more than .* A port"),
        (read_dot, "x.dot", "graph {" + "a--b;" * 9 + "}", "a has more than .* ports"),
    ],
)
def test_files_that_hold_little_but_noise_are_given_up_early(reader, name, text, words, tmp_path, monkeypatch):
    for module in (reading, topo_reading, collecting, read_dot):
        for limit, most in (("MOST_UNLINKED", 5), ("MOST_PORTS", 6), ("MOST_UNREAD", 20), ("MOST_LISTED", 3)):
            if hasattr(module, limit):
                monkeypatch.setattr(module, limit, most)
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ImportFailure, match=words):
        reader.read(path)


def test_files_with_much_noise_and_more_links_are_read(tmp_path, monkeypatch):
    monkeypatch.setattr(collecting, "MOST_UNREAD", 5)
    path = tmp_path / "x.csv"
    good = "".join(f"a{n},1,b{n},2\n" for n in range(20))
    path.write_text(HEADINGS + good + "a0,1,b0,2\n" * 30 + "a,,b,2\n" * 30, encoding="utf-8")
    assert len(sheets.read(path).links) == 20


def test_what_two_lines_say_of_one_port_stays_two_links(tmp_path):
    path = tmp_path / "x.net"
    path.write_text('Switch 36 "a"\n[1] "b"[1]\n[1] "b"[1]\n[1] "c"[1]\n', encoding="utf-8")
    assert [(one.a.port, one.b.node) for one in reading.read(path).links] == [("1", "b"), ("1", "c")]
