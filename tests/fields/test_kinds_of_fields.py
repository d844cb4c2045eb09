"""Fields of records: what is read, written, refused, and how a sentence says it."""

from dataclasses import dataclass

import pytest

from designer.errors import ParameterError
from designer.fields import kinds
from designer.fields.field import Field, check, fields_of, setting
from designer.fields.kinds import Kind
from designer.fields.ranges import Range

SIZE_LIMIT = Range(0, 2**63, is_above=True, is_below=True)


def field(kind: Kind, **more) -> Field:
    return Field(name="it", title="Cable length", help="", kind=kind, noun="a length", **more)


@dataclass(frozen=True)
class Cables:
    pairs: int = setting(4, title="Pairs of fibers", help="In a cable.", kind=kinds.COUNT, within=Range(1, 12))
    share: float | None = setting(None, title="Share", help="", kind=kinds.RATIO, within=Range(0, 1), option="--part")
    a: int = setting(2, title="Routers of a group, a", help="", kind=kinds.COUNT)
    nics_per_server: int = setting(2, title="NICs per server", help="", kind=kinds.COUNT)
    colours: tuple[int, ...] = setting((1,), title="Colors, c", help="", kind=kinds.COUNTS, noun="a color")
    way: str = setting("tray", title="Way", help="", kind=kinds.CHOICE, choices=("tray", "floor"))
    plain: int = 7


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        (kinds.COUNT, "1,024", 1024),
        (kinds.COUNT, " -3 ", -3),
        (kinds.RATIO, "2:1", 2.0),
        (kinds.RATE, "800G", 800.0),
        (kinds.COUNTS, "8, 8", (8, 8)),
        (kinds.DIMS, "8\u00d74x2", (8, 4, 2)),
        (kinds.NAMED_SIZES, "service=9x16x8, io=1x4x2", (("service", (9, 16, 8)), ("io", (1, 4, 2)))),
        (kinds.NAMED_TYPES, "cpu=a-node, io = b", (("cpu", "a-node"), ("io", "b"))),
        (kinds.FLAG, "On", True),
        (kinds.FLAG, "no", False),
        (kinds.TEXT, "as it stands", "as it stands"),
    ],
)
def test_a_text_is_read_and_what_is_written_is_read_again(kind, text, value):
    one = field(kind, default=None)
    assert one.read(text) == value
    assert one.read(one.write(value)) == value


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (kinds.COUNT, "x"),
        (kinds.RATIO, "x"),
        (kinds.RATE, "x"),
        (kinds.COUNTS, "8;8"),
        (kinds.COUNTS, ","),
        (kinds.DIMS, "8x"),
        (kinds.NAMED_TYPES, "cpu"),
        (kinds.NAMED_TYPES, "=a-node"),
        (kinds.NAMED_TYPES, "cpu="),
        (kinds.FLAG, "perhaps"),
        (kinds.COUNT, ""),
    ],
)
def test_a_text_that_cannot_be_read_is_refused(kind, text):
    with pytest.raises(ParameterError):
        field(kind, default=1).read(text)


@pytest.mark.parametrize(
    "value", [("cpu", "node"), (("cpu",),), (("cpu", ""),), ((" cpu", "node"),), (("cpu", "a,b"),), (("c=u", "node"),)]
)
def test_names_with_types_that_could_not_be_read_back_are_refused(value):
    one = field(kinds.NAMED_TYPES, default=())
    assert one.fault((("cpu", "node"),)) == ""
    assert "a name with a type, like storage=generic-node" in one.fault(value)


def test_an_empty_text_stands_for_no_value_where_a_field_is_optional():
    assert field(kinds.COUNT, default=None).read(" ") is None
    assert field(kinds.COUNT, default=None).write(None) == ""
    assert field(kinds.SWITCH, default="sn5600").read("") == "", "a type that is left out"


@pytest.mark.parametrize(
    ("within", "value", "sentence"),
    [
        (Range(1, 128), 129, "1 to 128, not 129"),
        (Range(2), 1, "2 or more, not 1"),
        (Range(0, is_above=True), 0, "above 0, not 0"),
        (Range(0, 1, is_above=True), 1.5, "above 0 and at most 1, not 1.5"),
        (SIZE_LIMIT, 2**63, f"above 0 and below {2**63:,}, not 9,223,372,036,854,775,8\u2026"),
        (Range(1, 2000, is_below=True), 2000, "at least 1 and below 2,000, not 2,000"),
        (Range(most=5), 6, "at most 5, not 6"),
    ],
)
def test_a_number_out_of_its_range_is_refused_with_the_range(within, value, sentence):
    one = field(Kind("number", "N", float), within=within)
    assert one.fault(value) == f"a length should be {sentence}"


@pytest.mark.parametrize(
    ("within", "values"),
    [(Range(1, 128), (1, 128)), (Range(0, 1, is_above=True), (1e-9, 1)), (SIZE_LIMIT, (1e-9, 2**63 - 1024))],
)
def test_the_ends_of_a_range_are_in_it_unless_it_says_otherwise(within, values):
    assert all(not field(Kind("number", "N", float), within=within).fault(value) for value in values)


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"pairs": 13}, "pairs of fibers should be 1 to 12, not 13"),
        ({"pairs": 2.5}, "pairs of fibers should be a whole number, not 2.5"),
        ({"pairs": True}, "pairs of fibers should be a whole number, not True"),
        ({"pairs": None}, "pairs of fibers should be a whole number, not None"),
        ({"share": 1.5}, "share should be 0 to 1, not 1.5"),
        ({"share": float("nan")}, "share should be a number, not nan"),
        ({"a": 0}, "a should be 1 or more, not 0"),
        ({"nics_per_server": 0}, "NICs per server should be 1 or more, not 0"),
        ({"colours": (3, 0)}, "a color should be 1 or more, not 0"),
        ({"colours": 3}, "a color should be a row of whole numbers, not 3"),
        ({"way": "duct"}, "way should be tray or floor, not 'duct'"),
    ],
)
def test_a_record_is_checked_by_its_descriptions(values, sentence):
    check(Cables())
    with pytest.raises(ParameterError) as refused:
        check(Cables(**values))
    assert str(refused.value) == sentence


def test_the_fields_of_a_record_are_those_described_in_their_order():
    found = fields_of(Cables)
    assert list(found) == ["pairs", "share", "a", "nics_per_server", "colours", "way"]
    assert found["share"].option == "--part" and found["nics_per_server"].option == "--nics-per-server"
    assert found["pairs"].default == 4
