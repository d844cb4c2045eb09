"""Text never becomes a formula in any table; numbers stay numbers."""

import csv
import io
from operator import itemgetter
from pathlib import Path

import pytest

import designer
from designer.tables.cells import cell_text, harmless
from designer.tables.columns import Column
from designer.tables.table import ResultTable


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20"])
def test_text_that_starts_as_a_formula_gets_an_apostrophe(start):
    text = f"{start}1+cmd|'/C calc'!A0"
    assert harmless(text) == cell_text(text) == f"'{text}"


@pytest.mark.parametrize("text", ["", "leaf-01", " =1", "1-2", "a=b", "'=1"])
def test_other_text_stays_as_it_is(text):
    assert harmless(text) == cell_text(text) == text


@pytest.mark.parametrize(
    ("value", "text"), [(-1, "-1"), (-0.5, "-0.5"), (-1e-12, "-1e-12"), (-3e11, "-300000000000"), (None, "")]
)
def test_numbers_stay_numbers(value, text):
    assert cell_text(value) == text


def test_both_forms_of_a_table_are_guarded_headings_too():
    columns = (Column("=a", "=a", itemgetter(0)), Column("b", "b", itemgetter(1)))
    table = ResultTable(columns, [("@x", -2.5), ("\r=1", None)])
    for text, delimiter in ((table.csv(), ","), (table.tabbed(), "\t")):
        rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))
        assert rows == [["'=a", "b"], ["'@x", "-2.5"], ["'\r=1", ""]]


def test_a_table_keeps_formulas_as_text_and_writes_bytes_out():
    columns = tuple(Column(name, name, itemgetter(number)) for number, name in enumerate("ab"))
    table = ResultTable(columns, [("=1+1", None), (0.1, 3), (270582939648.0, 1e-12)])
    assert table.csv() == "a,b\r\n'=1+1,\r\n0.1,3\r\n270582939648,1e-12\r\n"


def test_there_is_one_guard():
    places = [
        path.name
        for path in Path(designer.__file__).parent.glob("**/*.py")
        if "FORMULA_STARTS" in path.read_text(encoding="utf-8")
    ]
    assert places == ["cells.py"]
