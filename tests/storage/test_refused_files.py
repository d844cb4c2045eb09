"""A file comes from anybody: what is no design is refused at once, with a sentence that names the place."""

import json
import os
import tracemalloc
from pathlib import Path

import pytest

from designer.catalog.generic import generic_switch
from designer.errors import FileFormatError
from designer.model.design import from_entities
from designer.model.entities import Device
from designer.storage import document
from designer.storage.migrations import VERSION
from designer.storage.saving import SaveError

GIB = 1 << 30

FOREIGN = 'pod.fabric is not a Fabric Designer file: it does not say "format": "fabric-design"'
NEWER = (
    f"pod.fabric was written by a newer version (format {VERSION + 1}; this program reads up to {VERSION}): "
    "update Fabric Designer"
)
MAY_HOLD = "may hold {cage}, {lane}, {lane0}, {port}, {slot} and {socket}, nothing else"
NO_VERSION = "pod.fabric, field version: expected a whole number from 1 up"


def sentence_of(data, name="pod.fabric"):
    with pytest.raises(FileFormatError) as caught:
        document.decode(data, name)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def document_with(**tables):
    return json.dumps({"format": "fabric-design", "version": 1, **tables}).encode()


def switch_type(**changes):
    plain = {
        "id": "s1",
        "vendor": "Acme",
        "model": "S1",
        "protocols": ["ethernet"],
        "cages": [{"count": 4, "form_factor": "OSFP"}],
        "modes": [{"name": "4x400G", "ports_per_cage": 1, "rate_gbps": 400}],
    }
    return {**plain, **changes}


def mode(**changes):
    return {"name": "m", "ports_per_cage": 2, "rate_gbps": 400, "port_name": "{cage}/{lane}", **changes}


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "pod.fabric is empty"),
        (b" \n\t ", "pod.fabric is empty"),
        (b"\xef\xbb\xbf", "pod.fabric is empty"),
        (b"[1, 2]", "pod.fabric is not a Fabric Designer file: it is JSON of another kind"),
        (b'"text"', "pod.fabric is not a Fabric Designer file: it is JSON of another kind"),
        (b"{}", FOREIGN),
        (b'{"nodes": [], "edges": []}', FOREIGN),
        (b'{"format": "fabric-design", "version": 9}', NEWER),
        (b'{"format": "fabric-design", "version": 9, "planets": [{"id": "p1"}]}', NEWER),
        (b'{"format": "fabric-design"}', NO_VERSION),
        (b'{"format": "fabric-design", "version": true}', NO_VERSION),
        (b'{"format": "fabric-design", "version": 0}', NO_VERSION),
        (b'{"format": "fabric-design", "version": "1"}', NO_VERSION),
        (b'{"format": "fabric-design",\n"version": 1,\n', "pod.fabric ends in the middle, at line 2: it was cut short"),
        (b'{"format": "fabric-design", "version": 1}\n}', "pod.fabric, line 2 is not JSON: trailing characters"),
        (
            b'{"format": "fabric-design",\n"version": 1,,}',
            "pod.fabric, line 2 is not JSON: object keys must be strings",
        ),
        (
            b'{"format": "fabric-design", "version": 1,\n"settings": {"name": "\\ud800\\u0041"}}',
            "pod.fabric, line 2 is not JSON: invalid utf-16 surrogate pair",
        ),
        (
            b'{"format": "fabric-design", "version": 1,\n"settings": {"oversubscription_limit": NaN}}',
            "pod.fabric, line 2 holds NaN, which is not a number in JSON",
        ),
        (
            b'{"format": "fabric-design", "version": 1,\n"settings": {"oversubscription_limit": -Infinity}}',
            "pod.fabric, line 2 holds -Infinity, which is not a number in JSON",
        ),
        (
            b'{"format": "fabric-design", "version": 1,\n<<<<<<< HEAD\n"devices": []}',
            "pod.fabric, line 2 is a mark of a merge conflict: resolve it first",
        ),
        (b'{"format": "fabric-design", "version": 1,\n"notes": "\xff"}', "pod.fabric, line 2 is not UTF-8 text"),
        (
            b'{"format": "fabric-design", "version": 1,\n"devices": [\n],\n"devices": [\n]\n}',
            'pod.fabric, line 4 begins a second table "devices"',
        ),
        (b"\xff\xfe{\x00}\x00", "pod.fabric, line 1 is not UTF-8 text"),
    ],
)
def test_what_is_no_design_document_is_refused(data, sentence):
    assert sentence_of(data) == sentence


@pytest.mark.parametrize(
    ("tables", "sentence"),
    [
        ({"planets": []}, "pod.fabric, field planets: this version knows no such field"),
        ({"devices": {}}, "pod.fabric, devices, expected a list, got a record"),
        ({"devices": [5]}, "pod.fabric, line 1, devices entry 1, expected a record, got a whole number"),
        ({"devices": [{"name": "a"}]}, "pod.fabric, line 1, devices entry 1, field id: it is missing"),
        (
            {"devices": [{"id": "", "name": "a", "type_id": "s1"}]},
            "pod.fabric, line 1, devices entry 1, field id: expected text that is not empty",
        ),
        (
            {"devices": [{"id": "d1", "name": "a", "type_id": "s1", "color": "red"}]},
            'pod.fabric, line 1, devices "d1", field color: this version knows no such field',
        ),
        ({"devices": [{"id": "d1", "name": "a"}]}, 'pod.fabric, line 1, devices "d1", field type_id: it is missing'),
        (
            {"devices": [{"id": "d1", "name": 7, "type_id": "s1"}]},
            'pod.fabric, line 1, devices "d1", field name: expected text, got a whole number',
        ),
        (
            {"devices": [{"id": "d1", "name": "a", "type_id": "s1", "rail": "one"}]},
            'pod.fabric, line 1, devices "d1", field rail: expected a whole number or nothing, got text',
        ),
        (
            {"devices": [{"id": "d1", "name": "a", "type_id": "s1", "rail": 10**30}]},
            'pod.fabric, line 1, devices "d1", field rail: expected a whole number <= 1000000',
        ),
        (
            {"devices": [{"id": "d1", "name": "a\nb", "type_id": "s1"}]},
            'pod.fabric, line 1, devices "d1", field name: holds a line break or control character (U+000A)',
        ),
        (
            {"devices": [{"id": "d1", "name": "a", "type_id": "none"}]},
            "pod.fabric: device 'a' refers to type 'none', which is not in the design",
        ),
        (
            {"devices": [{"id": "d1", "name": "a", "type_id": "s1"}] * 2},
            'pod.fabric, devices "d1": the id is used twice in this table',
        ),
        (
            {"groups": [{"id": "x", "name": "a"}], "devices": [{"id": "x", "name": "b", "type_id": "s1"}]},
            'pod.fabric, devices "x": the id is used twice and in groups',
        ),
        (
            {"links": [{"id": "l1", "a": ["d1", "1"], "b": ["d2"]}]},
            'pod.fabric, line 1, links "l1", field b: expected a list of length 2',
        ),
        (
            {"links": [{"id": "l1", "a": ["d1", "1"], "b": ["d2", "1"]}]},
            "pod.fabric: link 'l1' refers to device 'd1', which is not in the design",
        ),
        (
            {"links": [{"id": "l1", "a": ["d1", "1"], "b": ["d2", "1"], "length_m": -3}]},
            'pod.fabric, line 1, links "l1", field length_m: expected a number >= 0',
        ),
        (
            {"placements": [{"id": "d1", "x": 1e300, "y": 0}]},
            'pod.fabric, line 1, placements "d1", field x: expected a number <= 1000000000',
        ),
        (
            {"placements": [{"id": "d1", "x": 0, "y": 0}]},
            "pod.fabric: placement 'd1' places neither a device nor a rack nor an annotation",
        ),
        (
            {"settings": {"oversubscription_limit": 0}},
            "pod.fabric, settings, field policy.leaf_oversubscription: expected a number > 0",
        ),
        ({"settings": {"theme": "dark"}}, "pod.fabric, settings, field theme: this version knows no such field"),
        (
            {"groups": [{"id": "g1", "name": "a", "parent_id": "g2"}, {"id": "g2", "name": "b", "parent_id": "g1"}]},
            'pod.fabric, groups "g1", field parent_id: the group would lie within itself',
        ),
    ],
)
def test_a_fault_in_a_record_is_named_with_place_and_field(tables, sentence):
    assert sentence_of(document_with(**tables)) == sentence


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"modes": []}, "field modes: a switch needs at least one port mode"),
        ({"modes": [mode(), mode()]}, "field modes[1].name: 'm' is used twice"),
        ({"cages": [{"count": 10**9, "form_factor": ""}]}, "field cages[0].count: expected a whole number <= 100000"),
        ({"cages": [{"count": -1, "form_factor": "OSFP"}]}, "field cages[0].count: expected a whole number >= 1"),
        ({"modes": [mode(ports_per_cage=10**9)]}, "field modes[0].ports_per_cage: expected a whole number <= 1024"),
        ({"modes": [mode(ports_per_cage=0)]}, "field modes[0].ports_per_cage: expected a whole number >= 1"),
        ({"modes": [mode(rate_gbps=0)]}, "field modes[0].rate_gbps: expected a number > 0"),
        (
            {"cages": [{"count": 90_000, "form_factor": ""}] * 100, "modes": [mode()]},
            "field modes: m makes 18,000,000 ports, the most is 100,000",
        ),
        ({"modes": [mode(port_name="{cage.__class__}")]}, "field modes[0].port_name: '{cage.__class__}' " + MAY_HOLD),
        ({"modes": [mode(port_name="{cage[0]}{lane}")]}, "field modes[0].port_name: '{cage[0]}{lane}' " + MAY_HOLD),
        ({"modes": [mode(port_name="{port:>999999999}")]}, "field modes[0].port_name: '{port:>999999999}' " + MAY_HOLD),
        ({"modes": [mode(port_name="{port:{lane}}")]}, "field modes[0].port_name: '{port:{lane}}' " + MAY_HOLD),
        ({"modes": [mode(port_name="{port!r}")]}, "field modes[0].port_name: '{port!r}' " + MAY_HOLD),
        ({"modes": [mode(port_name="{}")]}, "field modes[0].port_name: '{}' " + MAY_HOLD),
        ({"modes": [mode(port_name="{cage")]}, "field modes[0].port_name: '{cage' has an unmatched brace"),
        ({"modes": [mode(port_name="{cage}")]}, "field modes[0].port_name: '{cage}' gives several ports one name"),
        ({"modes": [mode(port_name="{lane}")]}, "field modes[0].port_name: '{lane}' gives several ports one name"),
    ],
)
def test_a_switch_type_that_could_harm_the_program_is_refused(changes, sentence):
    data = document_with(switch_types=[switch_type(**changes)])
    assert sentence_of(data) == f'pod.fabric, line 1, switch_types "s1", {sentence}'


@pytest.mark.parametrize(
    "template", ["swp{port}", "{cage}/{lane}", "swp{cage:02}s{lane0}", "Eth{cage:3d}/{lane}", "{{{port}}}"]
)
def test_plain_templates_are_read(template):
    data = document_with(switch_types=[switch_type(modes=[mode(port_name=template)])])
    assert document.decode(data).types["s1"].modes[0].port_name == template


@pytest.mark.parametrize(
    ("server", "sentence"),
    [
        ({"gpus": 10**9}, "field gpus: expected a whole number <= 4096"),
        ({"gpus": 8, "slots": [{"name": "a", "gpu": 8}]}, "field slots[0].gpu: 8 is not one of 8 GPUs counted from 0"),
        ({"gpus": 8, "slots": [{"name": "a"}, {"name": "a"}]}, "field slots[1].name: 'a' is used twice"),
        ({"gpus": 8, "slots": [{"name": f"s{n}"} for n in range(2000)]}, "field slots: 2,000 slots, the most is 1,024"),
    ],
)
def test_a_server_type_that_could_harm_the_program_is_refused(server, sentence):
    data = document_with(server_types=[{"id": "s1", "vendor": "Acme", "model": "G8", **server}])
    assert sentence_of(data) == f'pod.fabric, line 1, server_types "s1", {sentence}'


def test_groups_nested_without_end_are_refused():
    groups = [{"id": f"g{n}", "name": "g", "parent_id": f"g{n + 1}"} for n in range(1, 2000)]
    groups.append({"id": "g2000", "name": "g"})
    assert "groups deep" in sentence_of(document_with(groups=groups))


@pytest.mark.parametrize(("links", "is_refused"), [(256, False), (257, True)])
def test_more_links_on_one_port_than_any_cable_has_are_refused(links, is_refused):
    devices = [{"id": f"d{n}", "name": "x", "type_id": "s1"} for n in (1, 2)]
    rows = [{"id": f"l{n}", "a": ["d1", "1"], "b": ["d2", "1"]} for n in range(1, links + 1)]
    data = document_with(switch_types=[switch_type()], devices=devices, links=rows)
    if is_refused:
        assert sentence_of(data) == "pod.fabric, devices \"d1\": port '1' carries 257 links, the most is 256"
    else:
        assert len(document.decode(data).links) == links


def test_many_servers_of_many_gpus_are_refused():
    server = {"id": "s1", "vendor": "Acme", "model": "G", "gpus": 4096}
    devices = [{"id": f"d{n}", "name": "x", "type_id": "s1"} for n in range(2000)]
    data = document_with(server_types=[server], devices=devices)
    assert sentence_of(data) == "pod.fabric, devices: 8,192,000 GPUs, the most is 4,000,000"


def test_many_different_large_switches_are_refused():
    big = switch_type(cages=[{"count": 100_000, "form_factor": ""}])
    devices = [{"id": f"d{n}", "name": "x", "type_id": "s1", "cage_modes": [[n, "4x400G"]]} for n in range(1, 100)]
    assert "ports of different kinds" in sentence_of(document_with(switch_types=[big], devices=devices))


def test_a_rack_in_a_rack_is_refused():
    rack_type = {"id": "t", "vendor": "Acme", "model": "42U", "units": 42}
    racks = [{"id": "r1", "name": "a", "type_id": "t"}, {"id": "r2", "name": "b", "type_id": "t"}]
    placements = [{"id": "r1", "x": 0, "y": 0, "rack_id": "r2"}]
    data = document_with(rack_types=[rack_type], racks=racks, placements=placements)
    assert sentence_of(data) == 'pod.fabric, placements "r1": a rack cannot stand in a rack'


@pytest.mark.parametrize(
    "nest", [b"[" * 200_000, b"[" * 200_000 + b"]" * 200_000, b'{"a":' * 100_000 + b"1" + b"}" * 100_000]
)
def test_deep_nesting_is_refused(nest):
    head = b'{"format": "fabric-design", "version": 1, "devices": '
    assert sentence_of(head + nest + b"}") == "pod.fabric is nested too deeply to be a design"


def test_more_records_than_any_fabric_has_are_refused(monkeypatch):
    monkeypatch.setattr(document, "RECORDS_MOST", 1000)
    groups = [{"id": f"g{n}", "name": ""} for n in range(1001)]
    assert sentence_of(document_with(groups=groups)) == "pod.fabric holds 1,001 records: more than 1,000 are not read"


def test_a_port_that_does_not_exist_is_a_finding_not_a_refusal():
    odd = {"name": "x", "type_id": "s1", "port_mode": "odd", "cage_modes": [[99, "z"]]}
    data = document_with(
        switch_types=[switch_type()],
        devices=[{"id": "d1", **odd}, {"id": "d2", **odd}],
        links=[{"id": "l1", "a": ["d1", "77"], "b": ["d2", "1"]}, {"id": "l2", "a": ["d1", "1"], "b": ["d2", "1"]}],
    )
    design = document.decode(data)
    assert len(design.links) == 2
    assert len(design.ports("d1")) == 4


def test_the_line_of_a_fault_is_that_of_the_record(pod):
    lines = document.encode(pod).splitlines(keepends=True)
    number = next(n for n, line in enumerate(lines) if line.startswith(b'{"id": "l30"'))
    lines[number] = lines[number].replace(b'"l30"', b'"l30", "gauge": 1')
    sentence = sentence_of(b"".join(lines))
    assert sentence == f'pod.fabric, line {number + 1}, links "l30", field gauge: this version knows no such field'


# -- files on disk --------------------------------------------------------------------------------------------------


def refused(path):
    with pytest.raises(FileFormatError) as caught:
        document.load(path)
    return str(caught.value)


@pytest.mark.parametrize(
    ("start", "sentence"),
    [
        (b"", "big.fabric is not a Fabric Designer file: it does not begin as one"),
        (b"\x89PNG\r\n", "big.fabric is not a Fabric Designer file: it does not begin as one"),
        (b'{"format": "fabric-design", ', "big.fabric is 1,074 MB: files over 134 MB are not read"),
    ],
)
def test_a_gigabyte_of_nonsense_is_refused_unread(tmp_path, start, sentence):
    path = tmp_path / "big.fabric"
    path.write_bytes(start)
    os.truncate(path, GIB)
    assert refused(path) == sentence


def test_a_file_that_is_none_is_refused(tmp_path):
    assert refused(tmp_path) == f"{tmp_path.name} is a folder, not a file"
    assert refused(tmp_path / "none.fabric") == f"there is no file {tmp_path / 'none.fabric'}"
    assert refused(tmp_path / "none" / "pod.fabric").startswith("there is no file")
    (tmp_path / "empty.fabric").touch()
    assert refused(tmp_path / "empty.fabric") == "empty.fabric is empty"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs a named pipe")
def test_a_pipe_or_a_device_is_refused_and_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe.fabric")
    assert refused(tmp_path / "pipe.fabric") == "pipe.fabric is not an ordinary file"
    assert refused(Path("/dev/zero")) == "zero is not an ordinary file"


@pytest.mark.skipif(os.name != "posix", reason="needs a POSIX system")
def test_a_file_that_may_not_be_read_says_so(folder_of_a_user):
    path = folder_of_a_user / "secret.fabric"
    switch = generic_switch(4, 400)
    path.write_bytes(document.encode(from_entities([switch, Device("d1", "a", switch.id)])))
    path.chmod(0)
    assert refused(path) == f"you may not read {path}"


def test_a_file_that_would_fill_the_memory_is_refused_before_it_is_read_with_the_figure():
    empty = b'{"format": "fabric-design", "version": 4, "devices": [' + b"{}," * 20_000_000 + b"{}]}"
    tracemalloc.start()
    try:
        with pytest.raises(FileFormatError, match=r"about 1\.8 GB of memory to read, more than the 1 GB") as caught:
            document.decode(empty, "empty.fabric")
        assert tracemalloc.get_traced_memory()[1] < 200e6
    finally:
        tracemalloc.stop()
    assert str(caught.value).endswith("set FABRIC_DESIGNER_FILE_MEMORY to allow more")


def test_how_much_memory_a_file_may_take_can_be_set(pod, monkeypatch):
    data = document.encode(pod)
    monkeypatch.setenv("FABRIC_DESIGNER_FILE_MEMORY", "1kB")
    with pytest.raises(FileFormatError, match=r"pod would take about .* more than the 1 kB that it may"):
        document.decode(data, "pod")
    with pytest.raises(SaveError, match="would take about"):
        document.encode(pod)
    monkeypatch.setenv("FABRIC_DESIGNER_FILE_MEMORY", "1GB")
    assert document.encode(document.decode(data)) == data
    monkeypatch.setenv("FABRIC_DESIGNER_FILE_MEMORY", "much")
    with pytest.raises(FileFormatError, match="while FABRIC_DESIGNER_FILE_MEMORY is 'much'"):
        document.decode(data)


def test_a_fault_in_an_older_file_is_named_where_it_is_whatever_its_settings_were():
    text = (
        '{"format": "fabric-design", "version": 7,\n"settings": {"oversubscription_limit": 2},\n'
        '"devices": [\n{"id": "d1", "name": 5, "type_id": "x"}\n]}'
    )
    with pytest.raises(FileFormatError, match='devices "d1", field name: expected'):
        document.decode(text.encode())
    with pytest.raises(FileFormatError, match="settings"):
        document.decode(b'{"format": "fabric-design", "version": 7,\n"settings": []}')


def test_a_limit_that_is_the_usual_one_is_no_policy_of_its_own():
    text = b'{"format": "fabric-design", "version": 7,\n"settings": {"oversubscription_limit": 1.0}}'
    assert document.decode(text).settings.policy is None
