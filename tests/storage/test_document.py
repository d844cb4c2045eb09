"""The native file: what it looks like, that it gives back what was saved, and how old versions come up."""

import json
from pathlib import Path

import pytest

from designer.catalog.generic import generic_switch
from designer.errors import EditError, FileFormatError
from designer.model import operations
from designer.model.design import Design, from_entities
from designer.model.edit import Change, Edit
from designer.model.entities import Device, Placement
from designer.model.settings import Settings
from designer.storage import document, migrations
from designer.storage.saving import SaveError

EXAMPLES = sorted((Path(__file__).resolve().parents[2] / "examples").glob("*.fabric"))


def test_a_saved_design_is_read_back_equal(pod, tmp_path):
    document.save(pod, tmp_path / "pod.fabric")
    again = document.load(tmp_path / "pod.fabric")
    assert list(again.entities()) == list(pod.entities())
    assert again.revision == 0


def test_opening_and_saving_gives_the_same_bytes(pod, tmp_path):
    path = tmp_path / "pod.fabric"
    document.save(pod, path)
    first = path.read_bytes()
    document.save(document.load(path), path)
    assert path.read_bytes() == first


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_the_examples_are_as_this_program_writes_them(path):
    assert document.encode(document.load(path)) == path.read_bytes()


def test_an_edit_undone_leaves_the_same_bytes(pod):
    before = document.encode(pod)
    edit = operations.delete(pod, list(pod.devices)[:3])
    pod.apply(edit)
    assert document.encode(pod) != before
    pod.apply(edit.inverted())
    assert document.encode(pod) == before


def test_the_order_in_which_things_were_drawn_does_not_show():
    entities = [generic_switch(4, 400), *(Device(f"d{n}", f"leaf-{n}", "generic-switch-4x400g") for n in range(1, 12))]
    assert document.encode(from_entities(entities)) == document.encode(from_entities(entities[::-1]))


def test_whole_numbers_read_the_same_whether_they_were_whole_or_not():
    switch, device = generic_switch(4, 400), Device("d1", "a", "generic-switch-4x400g")
    whole = from_entities([switch, device, Placement("d1", 120, -0.0)])  # type: ignore[arg-type]
    real = from_entities([generic_switch(4, 400.0), device, Placement("d1", 120.0, 0.0)])
    assert document.encode(whole) == document.encode(real)
    assert b'{"id": "d1", "x": 120, "y": 0}' in document.encode(whole)


def test_the_file_is_one_json_document_with_one_record_a_line(pod):
    text = document.encode(pod).decode()
    assert text.endswith("}\n")
    parsed = json.loads(text)
    assert (parsed["format"], parsed["version"]) == ("fabric-design", migrations.VERSION)
    lines = text.splitlines()
    records = sum(len(table) for table in parsed.values() if isinstance(table, list))
    assert sum(line.startswith('{"id": ') for line in lines) == records
    for table in ("devices", "modules", "links", "placements"):
        for record in parsed[table]:
            assert json.dumps(record, ensure_ascii=False) in {line.rstrip(",") for line in lines}


def test_records_stand_in_id_order_and_defaults_are_left_out(pod):
    parsed = json.loads(document.encode(pod))
    assert [record["id"] for record in parsed["devices"]] == [f"d{n}" for n in range(1, 9)]
    assert [record["id"] for record in parsed["links"]][8:11] == ["l9", "l10", "l11"]
    assert parsed["devices"][2] == {"id": "d3", "name": "spine-01", "type_id": "nvidia-qm9700", "role": "spine"}
    assert parsed["settings"] == {"name": "Pod 1", "policy": {"leaf_oversubscription": 2}}


def test_the_hardware_types_used_are_inside(pod, catalog):
    again = document.decode(document.encode(pod))
    assert set(again.types) == {"nvidia-qm9700", "dgx-h100", "connectx-7-ndr", "rack-48u", "dac-ndr-split2"}
    assert all(again.types[type_id] == catalog.types[type_id] for type_id in again.types)


def test_one_changed_link_is_one_changed_line(pod):
    before = document.encode(pod).splitlines()
    link = pod.links["l20"]
    pod.apply(operations.rename(pod, link.id, "trunk"))
    after = document.encode(pod).splitlines()
    assert len(before) == len(after)
    assert sum(old != new for old, new in zip(before, after, strict=True)) == 1


def test_an_empty_design_has_a_file_too():
    assert document.encode(Design()) == b'{"format": "fabric-design", "version": %d\n}\n' % migrations.VERSION
    assert list(document.decode(document.encode(Design())).entities()) == [Settings()]


def test_a_byte_order_mark_and_other_white_space_do_no_harm(pod):
    data = document.encode(pod)
    one_line = json.dumps(json.loads(data)).encode()
    for variant in (b"\xef\xbb\xbf" + data, b"\r\n" + data.replace(b"\n", b"\r\n"), one_line):
        assert document.encode(document.decode(variant)) == data


def test_what_no_file_can_hold_is_refused_with_a_sentence():
    switch, device = generic_switch(4, 400), Device("d1", "leaf", "generic-switch-4x400g")
    with pytest.raises(EditError, match=r"^the place of 'leaf', x: inf is not possible:"):
        from_entities([switch, device, Placement("d1", float("inf"), 0)])
    with pytest.raises(EditError, match=r"^device '\\ud800', name: holds a line break or control character"):
        from_entities([switch, Device("d1", "\ud800", "generic-switch-4x400g")])
    with pytest.raises(SaveError, match="'d1' holds a number that no file can"):
        document.line({"x": float("nan")}, "placements 'd1'")


def test_a_design_too_large_for_a_file_is_refused_before_it_is_written(pod, monkeypatch):
    monkeypatch.setattr(document, "SIZE_MOST", 1000)
    with pytest.raises(SaveError, match=r"^the design takes \d+ MB: files over 0 MB are not read$"):
        document.encode(pod)


# -- fragments ------------------------------------------------------------------------------------------------------


def test_a_fragment_survives_the_clipboard(pod):
    fragment = operations.copy_fragment(pod, list(pod.devices))
    text = document.encode_fragment(fragment)
    again = document.decode_fragment(text)
    assert document.encode_fragment(again) == text
    other = Design()
    other.apply(operations.paste(other, again, 0, 0))
    assert len(other.links) == len(pod.links)
    assert sorted(device.name for device in other.devices.values()) == sorted(d.name for d in pod.devices.values())


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "what was copied is empty"),
        ("some words", "what was copied, line 1 is not JSON: invalid character"),
        ('{"format": "fabric-design", "version": 1}', "what was copied is not a piece of a design"),
        ('{"format": "fabric-fragment", "version": 9}', "what was copied was written by a newer version"),
        (
            '{"format": "fabric-fragment", "version": 1, "links": [{"id": "l1", "a": ["d1", "1"], "b": ["d2", "1"]}]}',
            "what was copied: link 'l1' refers to device 'd1', which is not in the design",
        ),
        ("\ud800", "the clipboard holds no part of a design"),
    ],
)
def test_what_is_no_fragment_is_refused_with_a_sentence(text, sentence):
    with pytest.raises(FileFormatError) as caught:
        document.decode_fragment(text)
    assert str(caught.value).startswith(sentence)


# -- versions -------------------------------------------------------------------------------------------------------


@pytest.fixture
def version_3(monkeypatch):
    """A later program: a device's name was its etiquette in version 1 and its label in version 2."""

    def renaming(before, after):
        def step(old):
            names = [{after: device[before]} for device in old["devices"]]
            rest = [{key: value for key, value in device.items() if key != before} for device in old["devices"]]
            return {**old, "devices": [{**one, **more} for one, more in zip(names, rest, strict=True)]}

        return step

    monkeypatch.setattr(migrations, "VERSION", 3)
    monkeypatch.setitem(migrations.MIGRATIONS, 1, renaming("etiquette", "label"))
    monkeypatch.setitem(migrations.MIGRATIONS, 2, renaming("label", "name"))


def test_an_old_file_comes_up_through_every_step_and_is_saved_as_the_newest(pod, version_3):
    data = document.encode(pod)
    assert b'"version": 3' in data
    old = data.replace(b'"version": 3', b'"version": 1')
    tables = json.loads(old)
    for one in tables["devices"]:
        one["etiquette"] = one.pop("name")
    again = document.decode(json.dumps(tables).encode())
    assert document.encode(again) == data


def test_an_old_file_that_a_step_does_not_understand_is_refused_and_left_as_it_is(pod, version_3, tmp_path):
    path = tmp_path / "old.fabric"
    old = document.encode(pod).replace(b'"version": 3', b'"version": 1')
    path.write_bytes(old)
    with pytest.raises(FileFormatError, match=r"^old\.fabric does not hold what a file of format 1 holds$"):
        document.load(path)
    assert path.read_bytes() == old


def test_a_migrated_file_is_checked_like_any_other(version_3):
    old = {"format": "fabric-design", "version": 2, "devices": [{"id": "d1", "label": 7, "type_id": "x"}]}
    with pytest.raises(FileFormatError, match='line 1, devices "d1", field name: expected text, got a whole number'):
        document.decode(json.dumps(old).encode())


def test_a_step_that_is_missing_is_told(monkeypatch):
    monkeypatch.delitem(migrations.MIGRATIONS, 2)
    with pytest.raises(FileFormatError, match=r"^file format 2 is older than this program can read$"):
        document.decode(b'{"format": "fabric-design", "version": 1}')


@pytest.mark.parametrize("version", range(1, migrations.VERSION))
def test_a_file_of_an_older_version_is_saved_as_the_newest_and_says_the_same(pod, version):
    data = document.encode(pod)
    old = data.replace(b'"version": %d' % migrations.VERSION, b'"version": %d' % version)
    assert old != data
    assert document.encode(document.decode(old)) == data


def test_there_is_a_step_for_every_older_version():
    assert set(migrations.MIGRATIONS) == set(range(1, migrations.VERSION))


def test_saving_after_an_edit_is_saving_the_design_as_it_stands(pod, tmp_path):
    path = tmp_path / "pod.fabric"
    document.save(pod, path)
    device = pod.device("d1")
    pod.apply(Edit("Rename", (Change(device, Device("d1", "first", device.type_id, "leaf", device.group_id)),)))
    document.save(pod, path)
    assert document.load(path).device("d1").name == "first"
