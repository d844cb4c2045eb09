"""Tags and fields of the user's own: on everything, saved, copied, and refused with a sentence."""

from dataclasses import replace

import pytest

from designer.errors import EditError, FileFormatError, ParameterError, UnknownEntityError
from designer.model import operations, tagging
from designer.model.edit import Change, Edit
from designer.model.limits import FIELD_LONGEST, FIELDS_MOST, TAG_LONGEST, TAGS_MOST
from designer.storage import document


@pytest.fixture
def things(pen, design):
    """One of everything that can be tagged."""
    leaf, server, rack = pen.add("nvidia-qm9700"), pen.add("dgx-h100"), pen.rack()
    pen.join(leaf, server)
    group = pen.group([leaf], "pod")
    pen.do(operations.add_job(design, "train", size_bytes=1.0, collective="all-reduce"))
    return [leaf, rack, group, *list(design.modules)[:1], *design.links, *design.jobs]


def test_everything_takes_tags_and_fields_in_one_edit_and_a_file_keeps_them(pen, design, things):
    pen.do(operations.add_tags(design, things, ("spare", "phase-2")))
    edit = pen.do(operations.set_field(design, things, " Asset ", " A-4711 "))
    assert len(edit.changes) == len(things) == 6
    again = document.decode(document.encode(design))
    for one in things:
        assert again.entity(one).tags == ("spare", "phase-2")
        assert again.entity(one).fields == (("Asset", "A-4711"),)


def test_tags_are_added_and_taken_off_whatever_their_case(pen, design):
    leaf = pen.add("nvidia-qm9700", "leaf-01")
    assert pen.do(operations.set_tags(design, [leaf], ("Spare", "b"))).label == "Tag leaf-01"
    pen.do(operations.add_tags(design, [leaf, leaf], ("spare", "c")))
    assert design.devices[leaf].tags == ("Spare", "b", "c")
    assert not operations.add_tags(design, [leaf], ("SPARE",))
    pen.do(operations.remove_tags(design, [leaf], ("SPARE", "other")))
    assert tagging.tags_text(design.devices[leaf]) == "b, c"


def test_a_field_keeps_its_place_and_goes_where_its_value_is_emptied(pen, design):
    leaf = pen.add("nvidia-qm9700", "leaf-01")
    for name, value in (("Asset", "1"), ("Owner", "net"), ("asset", "2")):
        pen.do(operations.set_field(design, [leaf], name, value))
    assert tagging.fields_text(design.devices[leaf]) == "Asset: 2; Owner: net"
    assert tagging.field_of(design.devices[leaf], "OWNER") == "net"
    assert tagging.field_of(design.devices[leaf], "rack") == ""
    pen.do(operations.set_field(design, [leaf], "ASSET", ""))
    assert design.devices[leaf].fields == (("Owner", "net"),)


def test_what_things_have_in_common_is_told_from_what_some_have(pen, design):
    a, b = pen.add("nvidia-qm9700"), pen.add("nvidia-qm9700")
    pen.do(operations.set_tags(design, [a], ("spare", "x")))
    pen.do(operations.set_tags(design, [b], ("Spare",)))
    for name, value in (("Owner", "net"), ("Asset", "1")):
        pen.do(operations.set_field(design, [a, b], name, value))
    pen.do(operations.set_field(design, [b], "asset", "2"))
    pen.do(operations.set_field(design, [a], "Bay", "3"))
    found = tagging.common(tagging.tagged(design, [a, b]))
    assert (found.tags, found.some) == (("spare",), (("x", 1),))
    assert found.fields == (("Owner", "net"), ("Asset", None), ("Bay", None))


def test_a_text_lists_tags_with_blanks_or_commas():
    assert tagging.parse_tags(" spare, phase-2;; Spare\tb ") == ("spare", "phase-2", "b")
    assert tagging.parse_tags(" , ") == ()


@pytest.mark.parametrize(
    ("tags", "sentence"),
    [
        (("a b",), "leaf-01, tags: 'a b' holds a blank, comma, semicolon or quotation mark"),
        (("a", "A"), "leaf-01, tags: 'A' is there twice"),
        (tuple(f"t{n}" for n in range(TAGS_MOST + 1)), f"leaf-01, tags: {TAGS_MOST + 1} are too many"),
        (("",), "tags[0]: is empty"),
        (("x" * (TAG_LONGEST + 1),), f"the most is {TAG_LONGEST}"),
        (("a\x1b",), "line break or control character"),
    ],
)
def test_tags_that_no_file_would_take_are_refused(pen, design, tags, sentence):
    leaf = pen.add("nvidia-qm9700", "leaf-01")
    with pytest.raises(EditError) as refused:
        design.apply(operations.set_tags(design, [leaf], tags))
    assert sentence in str(refused.value)
    assert design.devices[leaf].tags == ()


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("  ", "1", "a field needs a name"),
        ("x" * (FIELD_LONGEST + 1), "1", f"the most is {FIELD_LONGEST:,}"),
        ("x", "1" * (FIELD_LONGEST + 1), f"the most is {FIELD_LONGEST:,}"),
        ("x", "a\nb", "line break"),
    ],
)
def test_fields_that_no_file_would_take_are_refused(pen, design, name, value, sentence):
    leaf = pen.add("nvidia-qm9700", "leaf-01")
    with pytest.raises(EditError) as refused:
        design.apply(operations.set_field(design, [leaf], name, value))
    assert sentence in str(refused.value)


def test_too_many_fields_and_two_of_a_name_are_refused(pen, design):
    leaf = design.devices[pen.add("nvidia-qm9700", "leaf-01")]
    many = tuple((f"f{n}", "1") for n in range(FIELDS_MOST + 1))
    for fields, sentence in ((many, "are too many"), ((("a", "1"), ("A", "2")), "'A' is there twice")):
        with pytest.raises(EditError, match=sentence):
            design.apply(Edit("Fields", (Change(leaf, replace(leaf, fields=fields)),)))


def test_only_things_are_tagged(pen, design):
    leaf = pen.add("nvidia-qm9700")
    for ids, error in (([], ParameterError), (["d99"], UnknownEntityError), ([leaf, "settings"], EditError)):
        with pytest.raises(error):
            operations.add_tags(design, ids, ("a",))


def test_a_file_with_tags_that_cannot_be_is_refused_with_its_place(pen, design):
    pen.do(operations.add_tags(design, [pen.add("nvidia-qm9700")], ("spare", "other")))
    data = document.encode(design)
    for bad, sentence in ((b"spa re", "field tags: 'spa re' holds a blank"), (b"Other", "is there twice")):
        with pytest.raises(FileFormatError) as refused:
            document.decode(data.replace(b"spare", bad), "pod.fabric")
        assert str(refused.value).startswith("pod.fabric, line ")
        assert sentence in str(refused.value)


def test_copies_keep_tags_and_fields(pen, design, things):
    leaf = things[0]
    pen.do(operations.add_tags(design, things, ("spare",)))
    pen.do(operations.set_field(design, things, "Asset", "7"))
    text = document.encode_fragment(operations.copy_fragment(design, things[:3]))
    for edit in (
        operations.duplicate(design, things[:3], 10, 10),
        operations.paste(design, document.decode_fragment(text), 20, 20),
    ):
        arrived = [change.after for change in edit.changes if isinstance(change.after, tagging.Tagged)]
        assert {type(one).__name__ for one in arrived} >= {"Device", "Rack", "Group"}
        assert all(one.tags == ("spare",) and tagging.field_of(one, "asset") == "7" for one in arrived)
    assert design.devices[leaf].tags == ("spare",)
