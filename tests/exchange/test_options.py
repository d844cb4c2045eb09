"""Options of formats are settings of a record: texts are read by them, and everything shown is made of them."""

from dataclasses import dataclass

import pytest

from designer.canvas.formats import BUILT_IN, formats
from designer.errors import ExportError, ParameterError
from designer.exchange.diagram_options import DiagramOptions, PngOptions
from designer.exchange.options import ExportOptions, is_record, keyed, listed, read_options
from designer.exchange.plan_options import CsvPlanOptions
from designer.fields import kinds
from designer.fields.field import fields_of, setting


@pytest.mark.parametrize("exporter", BUILT_IN, ids=lambda one: one.name)
def test_the_texts_of_a_record_stand_for_the_record(exporter):
    default = exporter.options()
    texts = {key: field.write(getattr(default, field.name)) for key, field in keyed(exporter.options).items()}
    assert exporter.read(texts) == exporter.read({}) == default
    assert is_record(exporter.options)


@pytest.mark.parametrize(
    ("texts", "record"),
    [
        ({"both-ways": "yes"}, CsvPlanOptions(both_ways=True)),
        ({"both-ways": "1", "byte-order-mark": "0"}, CsvPlanOptions(both_ways=True)),
        ({"both-ways": ""}, CsvPlanOptions()),
        ({"byte-order-mark": "ON"}, CsvPlanOptions(byte_order_mark=True)),
        ({"networks": "compute, storage"}, DiagramOptions(networks=("compute", "storage"))),
        ({"networks": "all", "heat": "none"}, DiagramOptions()),
        ({"fail": "leaf-01,leaf-02:3", "size": "64M"}, DiagramOptions(fail=("leaf-01", "leaf-02:3"), size=64e6)),
        ({"width": "64"}, PngOptions(width=64)),
    ],
)
def test_texts_are_read_by_the_fields(texts, record):
    assert read_options(type(record), texts, "any") == record


@pytest.mark.parametrize(
    ("record", "texts", "sentence"),
    [
        (
            CsvPlanOptions,
            {"bom": "yes"},
            "option bom of any is called byte-order-mark: write byte-order-mark= in place",
        ),
        (DiagramOptions, {"bom": "yes"}, "any has no option 'bom': it has view, side, racks"),
        (ExportOptions, {"x": "1"}, "any has no option 'x': it has none"),
        (
            CsvPlanOptions,
            {"both-ways": "maybe"},
            "option both-ways: 'maybe' is neither yes nor no; write both-ways=yes|no",
        ),
        (PngOptions, {"width": "wide"}, "option width: 'wide' is not a whole number; write width=PIXELS"),
        (PngOptions, {"width": "63"}, "width should be 64 to 16,384, not 63"),
        (PngOptions, {"width": "16385"}, "width should be 64 to 16,384, not 16,385"),
        (DiagramOptions, {"routing": "luck"}, "there is no routing 'luck'; there is spray, "),
        (
            DiagramOptions,
            {"networks": "compute,water"},
            "there is no network 'water'; there is compute, storage, in-band, north-south, oob",
        ),
        (DiagramOptions, {"size": "0"}, "option size: a size should be above 0 and below 8 EiB"),
    ],
)
def test_what_an_option_cannot_be_is_a_sentence(record, texts, sentence):
    with pytest.raises(ExportError) as refused:
        read_options(record, texts, "any")
    assert str(refused.value).startswith(sentence)


def test_a_record_refuses_the_same_from_python():
    with pytest.raises(ParameterError, match="theme should be light or dark, not 'sepia'"):
        DiagramOptions(theme="sepia")


def test_a_record_without_descriptions_or_defaults_is_none():
    @dataclass(frozen=True)
    class Bare:
        n: int = 1

    @dataclass(frozen=True)
    class Needed:
        n: int = setting(title="N", help="A number.", kind=kinds.COUNT)

    assert not is_record(Bare) and not is_record(Needed) and not is_record(()) and not is_record(Bare())
    assert is_record(ExportOptions)


def test_the_list_says_values_and_defaults():
    shown = dict(listed(PngOptions))
    assert shown["theme=light|dark"] == "Colors of the picture. Default: light."
    assert shown["networks=NETWORK,..."].endswith("compute, storage, in-band, north-south, oob. Default: all.")
    assert shown["size=BYTES"].endswith("Default: 1 GiB.")
    assert len(shown) == len(fields_of(PngOptions))


@pytest.mark.parametrize("text", ["A3", "a3", " A3 "])
@pytest.mark.parametrize("name", ["pdf", "drawings", "labels", "cable-plan-xlsx", "change-order"])
def test_paper_is_written_in_either_case_and_shown_in_one(name, text):
    exporter = next(one for one in formats() if one.name == name)
    assert exporter.read({"paper": text}).paper == "a3"
    field = next(one for one in fields_of(exporter.options).values() if one.key == "paper")
    assert {"A4", "A3", "Letter"} <= {choice.title for choice in field.offered}


def test_paper_orientation_and_margin_are_described_alike_wherever_they_are_set():
    for key in ("orientation", "margin"):
        found = [
            (one.title, one.unit, one.kind, one.default, [choice.title for choice in one.offered])
            for exporter in formats()
            for one in fields_of(exporter.options).values()
            if one.key == key
        ]
        assert len(found) > 1
        assert all(one == found[0] for one in found)
