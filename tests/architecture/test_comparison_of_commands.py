"""The comparison of two commits notices what it should: a number, a sentence, a file, a pixel; and nothing else."""

import io
import json
import zipfile

import openpyxl
import pytest
from compare_commands import compare, main
from compared_allowed import ALLOWED, Allowances, Allowed
from compared_commands import ALGORITHMS, DESIGN_FOR, commands
from compared_files import Difference, data_differences, differences
from compared_recording import steady
from PySide6.QtGui import QColor, QImage

from designer.catalog import catalog
from designer.cli.export import FORMATS
from designer.cli.main import COMMANDS
from designer.simulation.catalogue import COLLECTIVES, PATTERNS, ROUTINGS
from designer.topologies.families import FAMILIES

RESULT = {"time_s": 0.0016591, "links": [{"from": "leaf-01", "bytes": 1069547520.0}], "exact": True}


@pytest.fixture
def recordings(tmp_path):
    """Two recordings of one command, equal in all."""
    for side in ("before", "after"):
        files = tmp_path / side / "commands" / "plan" / "files"
        files.mkdir(parents=True)
        (files / "plan.csv").write_text("cable,length (m)\nc-1,8.25\n")
        (files.parent / "code").write_text("0\n")
        (files.parent / "stdout").write_text(json.dumps(RESULT))
        (files.parent / "stderr").write_text("2,040 cables routed: 11,870 m\nthe longest has 8.8 m\n")
    return tmp_path / "before", tmp_path / "after"


def found_in(recordings):
    return differences(*(side / "commands" for side in recordings))


def test_equal_recordings_have_no_differences(recordings, capsys):
    assert main(["compare", *map(str, recordings)]) == 0
    assert "1 commands: 0 differences" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("file", "old", "new", "place"),
    [
        ("stdout", "0.0016591", "0.0016591001", "time_s"),
        ("stdout", "1069547520.0", "1069547521.5", "links[0].bytes"),
        ("stdout", '"exact": true', '"exact": 1', "exact"),
        ("stdout", '"leaf-01"', '"leaf-02"', "links[0].from"),
        ("stdout", ', "exact": true', "", "exact"),
        ("stderr", "longest", "shortest", "line 2"),
        ("stderr", "11,870 m", "11,871 m", "line 1"),
        ("stderr", "\nthe longest has 8.8 m", "", "line 2"),
        ("code", "0", "2", "line 1"),
        ("files/plan.csv", "8.25", "8.2501", "row 2, column 2"),
        ("files/plan.csv", "c-1", "c-2", "row 2, column 1"),
        ("files/plan.csv", "c-1,8.25\n", "", "rows"),
    ],
)
def test_a_changed_number_sentence_cell_or_exit_code_is_noticed(recordings, capsys, file, old, new, place):
    path = recordings[1] / "commands" / "plan" / file
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))

    assert [(row.command, row.file, row.place) for row in found_in(recordings)] == [("plan", file, place)]
    assert compare(*recordings) == 1
    assert "plan\n" in capsys.readouterr().out


def test_a_file_that_is_missing_or_new_and_a_command_that_is_gone_are_noticed(recordings):
    before, after = (side / "commands" for side in recordings)
    (after / "plan" / "files" / "plan.csv").rename(after / "plan" / "files" / "cables.csv")
    (before / "gone").mkdir()

    found = [(row.command, row.file, row.before, row.after) for row in found_in(recordings)]

    assert found == [
        ("gone", "", "run", "(nothing)"),
        ("plan", "files/cables.csv", "(nothing)", "written"),
        ("plan", "files/plan.csv", "written", "(nothing)"),
    ]


def test_numbers_that_differ_by_rounding_and_keys_in_another_order_are_equal(recordings):
    plan = recordings[1] / "commands" / "plan"
    turned = {"exact": True, **RESULT, "time_s": RESULT["time_s"] * (1 + 1e-12)}
    (plan / "stdout").write_text(json.dumps(dict(reversed(turned.items())), indent=1))
    (plan / "files" / "plan.csv").write_text("cable,length (m)\nc-1,8.2500000001\n")
    (plan / "stderr").write_text("2,040 cables routed: 11,870 m\nthe longest has 8.8000000001 m\n")
    assert found_in(recordings) == []


def test_a_line_that_is_put_in_is_one_difference():
    lines = [f"{name} has a port" for name in "abcdefgh"]
    more = [*lines[:3], "a new sentence", *lines[3:]]
    found = list(data_differences("", "\n".join(lines).encode(), "\n".join(more).encode()))
    assert found == [("line 4", "(nothing)", "a new sentence")]


def _workbook(value, format_="General"):
    book, data = openpyxl.Workbook(), io.BytesIO()
    book.active["B2"] = value
    book.active["B2"].number_format = format_
    book.save(data)
    return data.getvalue()


def _picture(colour):
    image = QImage(4, 3, QImage.Format.Format_RGB32)
    image.fill(QColor("white"))
    image.setPixelColor(2, 1, QColor(colour))
    return _png(image)


def _png(image):
    from PySide6.QtCore import QBuffer, QByteArray

    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QBuffer.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")
    buffer.close()
    return bytes(data.data())


def _packed(text):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        archive.writestr("bill.csv", text)
    return data.getvalue()


def _pdf(text, date):
    import zlib

    content = zlib.compress(text)
    length = b"<< /Length %d >>" % len(content)
    return b"%PDF-1.4\n/CreationDate (D:" + date + b")\n" + length + b"\nstream\n" + content + b"\nendstream\n%%EOF\n"


@pytest.mark.parametrize(
    ("suffix", "before", "after", "place"),
    [
        (".xlsx", _workbook(8.25), _workbook(8.26), "Sheet, row 2, column 2"),
        (".xlsx", _workbook(8.25), _workbook(8.25, "0.0"), "Sheet, row 2, column 2"),
        (".png", _picture("red"), _picture("blue"), "pixels"),
        (".png", _picture("red"), _png(QImage(5, 3, QImage.Format.Format_RGB32)), "size"),
        (".zip", _packed("cables,4\n"), _packed("cables,5\n"), "bill.csv, row 1, column 2"),
        (".pdf", _pdf(b"0 0 m\n10 5 l", b"2026"), _pdf(b"0 0 m\n10 6 l", b"2027"), "line 6"),
    ],
)
def test_what_is_in_workbooks_pictures_archives_and_pdfs_is_compared(suffix, before, after, place):
    assert [found[0] for found in data_differences(suffix, before, after)] == [place]


def test_dates_and_digits_of_numbers_do_not_make_a_pdf_different():
    one, other = _pdf(b"0 0 m\n10 5 l", b"2026"), _pdf(b"0 0 m\n10.0000001 5 l", b"2027")
    assert one != other and list(data_differences(".pdf", one, other)) == []


def test_times_places_and_commits_are_not_kept():
    stated = 'computed in 3 ms\n{"wall_s": 1.5e-05}\n0.1.0 (commit 4aded91c22)\n/tmp/w1/x.fabric'
    kept = 'computed in TIME\n{"wall_s": 0}\n0.1.0 (commit COMMIT)\nWORK/x.fabric'
    assert steady(stated, {"/tmp/w1": "WORK"}) == kept


LEAFS = Difference("help-torus", "stdout", "line 4", "the leafs\n  of 2 spines", "the leaf\nswitches of 2 spines")


def test_a_reason_covers_only_the_words_and_the_commands_that_it_names():
    row = Allowed("leaf switches in texts", commands="help-*", before=r"\bleafs\b", after="leaf switches")
    assert Allowances((row,)).reason(LEAFS) == row.reason
    assert Allowances((Allowed("", commands="info-*", before="leafs", after="leaf switches"),)).reason(LEAFS) is None
    assert Allowances((Allowed("", before="leafs", after="leaves"),)).reason(LEAFS) is None
    other = Difference("help-torus", "stdout", "line 4", "the leafs of 2 spines", "the leaf switches of 3 spines")
    assert Allowances((row,)).reason(other) is None
    assert Allowances((Allowed("fixed", commands="help-torus", files="stdout"),)).reason(other) == "fixed"
    assert all(row.reason for row in ALLOWED.rows)


def test_the_commands_are_many_and_reach_every_part_of_the_command_line():
    rows = commands()
    names = [row.name for row in rows]
    lines = [" ".join(row.arguments) for row in rows]
    assert len(rows) >= 200 and len(set(names)) == len(names)
    assert {row.name for row in COMMANDS} - {line.split()[0] for line in lines} == {"compile"}
    for family in FAMILIES:
        assert sum(line.startswith(f"generate {family.name} --") for line in lines) > 1, family.name
    for wanted in (*(f"--to {name} " for name in FORMATS), *(f"--traffic {row.name}" for row in PATTERNS)):
        assert any(wanted in line for line in lines), wanted
    assert set(DESIGN_FOR) == {row.name for row in ROUTINGS if not row.takes_tables}
    assert {name: set(algorithms) for name, algorithms in ALGORITHMS.items()} == {
        row.name: set(row.algorithms) for row in COLLECTIVES
    }
    types = {word for row in rows if row.arguments[0] == "generate" for word in row.arguments}
    assert len(types & set(catalog.load().types)) > 8
