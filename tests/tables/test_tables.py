"""Rows under columns: one description, written as JSON, for spreadsheets and for a terminal."""

import importlib
import pkgutil
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from typing import ClassVar

import pytest

import designer
from designer.tables.columns import Column, as_json, exact_percent, fine_percent, keys, percent, pick
from designer.tables.table import ResultTable, aligned, facts


class Shade(Enum):
    DARK = "dark"


@dataclass(frozen=True)
class Port:
    name: str
    load: float

    COLUMNS: ClassVar = keys("port=name load")


@dataclass(frozen=True)
class Row:
    port: Port
    flows: int
    rate_gbps: float | None
    note: str = ""

    COLUMNS: ClassVar = (
        Column("port", "Port", "port.name"),
        Column("flows", "Flows", right=True),
        Column("rate_gbps", "Rate", text="{:.1f} Gb/s".format, unit="Gb/s", right=True, empty="-"),
        Column("where", "Where", lambda row: row.port, text=lambda port: f"at {port.name}", is_json=False),
        Column("load", "Load", "port.load", percent, sheet="peak utilization"),
        Column("note", may_lack=True),
    )


ROWS = (Row(Port("1/1", 0.5), 1200, 400.0), Row(Port("2", 0.125), 7, None, "idle"))


def test_json_has_the_keys_of_the_columns_in_their_order_and_leaves_out_what_may_lack():
    assert as_json(ROWS) == [
        {"port": "1/1", "flows": 1200, "rate_gbps": 400.0, "load": 0.5},
        {"port": "2", "flows": 7, "rate_gbps": None, "load": 0.125, "note": "idle"},
    ]
    assert list(as_json(ROWS[1])) == ["port", "flows", "rate_gbps", "load", "note"]


def test_zero_and_no_are_something_to_say():
    @dataclass(frozen=True)
    class Said:
        seed: int
        loop: bool
        names: tuple[str, ...]

        COLUMNS: ClassVar = keys("seed? loop? names?")

    assert as_json(Said(0, False, ())) == {"seed": 0, "loop": False}
    assert as_json(Said(1, True, ("a",)))["names"] == ["a"]


def test_records_inside_records_become_json_too_and_values_may_be_given_instead():
    @dataclass(frozen=True)
    class Plain:
        shade: Shade
        rows: tuple[Port, ...]
        by_name: dict[str, Port]

    plain = Plain(Shade.DARK, (Port("a", 1.0),), {"b": Port("c", 0.0)})
    assert as_json(plain) == {
        "shade": "dark",
        "rows": [{"port": "a", "load": 1.0}],
        "by_name": {"b": {"port": "c", "load": 0.0}},
    }
    assert as_json(ROWS[0], flows=Port("d", 2.0))["flows"] == {"port": "d", "load": 2.0}


def test_at_a_terminal_figures_end_flush_and_unknown_ones_have_their_dash():
    table = ResultTable.of(ROWS, "port flows rate_gbps where")
    assert table.text().split("\n") == [
        "  port  flows        rate  where",
        "  1/1   1,200  400.0 Gb/s  at 1/1",
        "  2         7           -  at 2",
    ]
    assert ResultTable.of(ROWS, "flows").text("", has_units=True).split("\n")[1] == ""
    assert table.with_texts(port=str.upper, flows=str).texts[0][:2] == ["1/1", "1200"]


def test_a_table_without_rows_is_no_text():
    assert ResultTable.of((), "port flows").text() == "" == ResultTable(Row.COLUMNS, ()).text()


def test_a_spreadsheet_has_plain_numbers_under_words_with_units():
    table = ResultTable(pick(Row.COLUMNS, "port flows rate_gbps load"), ROWS)
    assert table.csv() == "port,flows,rate (Gb/s),peak utilization\r\n1/1,1200,400,0.5\r\n2,7,,0.125\r\n"
    assert table.tabbed().split("\n")[2] == "2\t7\t\t0.125"


def test_columns_serve_rows_that_hold_a_row_of_theirs():
    (load,) = (column.within("of") for column in Port.COLUMNS if column.key == "load")

    @dataclass(frozen=True)
    class Holder:
        of: Port

    assert ResultTable((load,), [Holder(Port("x", 0.25))]).values == [[0.25]]


def test_several_names_are_one_cell_of_a_spreadsheet():
    @dataclass(frozen=True)
    class Job:
        meets: tuple[str, ...]

    assert ResultTable((Column("meets", "Meets"),), [Job(("a", "b"))]).values == [["a, b"]]


@pytest.mark.parametrize(("share", "text", "exact"), [(1.0, "100.0 %", "100 %"), (0.000390625, "0.0 %", "0.03906 %")])
def test_shares_are_percent(share, text, exact):
    assert (percent(share), exact_percent(share)) == (text, exact)


def test_lines_are_aligned_and_values_of_several_lines_hang():
    assert aligned([("a", "10"), ("bcd", "9")], right=(1,)) == "a    10\nbcd   9"
    assert facts([("one", "1\n2"), ("three", "3")]) == "one    1\n       2\nthree  3"


def test_every_column_of_a_record_names_something_that_the_record_has():
    """Attributes are named by texts, which no type checker reads."""
    seen = 0
    for found in pkgutil.walk_packages(designer.__path__, "designer."):
        if found.name.startswith(("designer.windows", "designer.panels", "designer.canvas", "designer.__main__")):
            continue
        module = importlib.import_module(found.name)
        for one in vars(module).values():
            if isinstance(one, type) and is_dataclass(one) and one.__module__ == found.name and hasattr(one, "COLUMNS"):
                seen += 1
                known = {field.name for field in fields(one)} | set(dir(one))
                names = [column.value or column.key for column in one.COLUMNS if not callable(column.value)]
                assert not {name.partition(".")[0] for name in names} - known, one
                assert len({column.key for column in one.COLUMNS}) == len(one.COLUMNS), one
    assert seen >= 20


def test_shares_of_a_column_have_the_same_digits_and_the_smallest_say_so():
    assert [fine_percent(one) for one in (1.0, 0.125, 0.00039, 0.0)] == ["100.00 %", "12.50 %", "0.04 %", "0.00 %"]
    assert fine_percent(0.00002) == "< 0.01 %"
