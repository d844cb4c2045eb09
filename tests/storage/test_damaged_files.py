"""However a file is damaged, it opens as a design or is refused with a sentence: nothing else ever happens."""

import copy
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from designer.catalog.catalog import load
from designer.catalog.generic import generic_switch
from designer.errors import FileFormatError
from designer.model import operations
from designer.model.design import Design
from designer.model.edit import Edit, added
from designer.model.entities import Allocation
from designer.storage import document, faults, schema


def small_design():
    """A leaf, a server and their links, in a group and a rack: one of everything, few bytes."""
    catalog, design = load(), Design()
    design.apply(Edit("Types", added([generic_switch(8, 400)])))
    leaf = operations.add_device(design, generic_switch(8, 400), 0, 0, catalog_types=catalog.types, role="leaf")
    design.apply(leaf)
    design.apply(operations.add_device(design, catalog.get("generic-host"), 0.5, 100, catalog_types=catalog.types))
    design.apply(operations.connect_devices(design, "d2", "d1"))
    design.apply(operations.group(design, ["d1"], "SU “1”", "pod"))
    design.apply(operations.add_rack(design, catalog.get("rack-42u"), 0, 0))
    design.apply(operations.mount(design, "d2", "r1"))
    design.apply(operations.set_cable(design, ["l1"], catalog.get("dac-ndr-twin"), 1.5))
    gpus = (Allocation("d2", (0,)),)
    design.apply(operations.add_job(design, "ταχύ", servers=gpus, size_bytes=2.5, traffic="shift:1", loop=False))
    design.apply(operations.set_settings(design, name="Klein", notes="one\ntwo"))
    return design


DATA = document.encode(small_design())


def open_or_refuse(data):
    """The design, or None where the data is refused with one sentence; whatever opens can be saved and opened again."""
    try:
        design = document.decode(data, "pod.fabric")
    except FileFormatError as error:
        sentence = str(error)
        assert sentence.startswith("pod.fabric")
        assert "\n" not in sentence
        assert len(sentence) < 600
        return None
    again = document.encode(design)
    assert document.encode(document.decode(again)) == again
    for device in design.devices:
        assert design.ports(device) is not None
    return design


def test_a_file_cut_off_at_any_byte_is_refused():
    whole = len(DATA.rstrip())
    for length in range(whole):
        assert open_or_refuse(DATA[:length]) is None, f"{length} of {whole} bytes were opened"


def test_a_large_file_cut_off_anywhere_is_refused(superpod_bytes):
    for length in range(0, len(superpod_bytes) - 2, 4999):
        assert open_or_refuse(superpod_bytes[:length]) is None


def test_a_file_with_a_line_lost_opens_without_the_record_or_is_refused():
    lines = DATA.splitlines(keepends=True)
    opened = [open_or_refuse(b"".join(lines[:n] + lines[n + 1 :])) for n in range(len(lines))]
    assert None in opened


@given(bits=st.lists(st.integers(0, len(DATA) * 8 - 1), min_size=1, max_size=4))
def test_flipped_bits_are_survived(bits):
    damaged = bytearray(DATA)
    for bit in bits:
        damaged[bit // 8] ^= 1 << bit % 8
    open_or_refuse(bytes(damaged))


@given(start=st.integers(0, len(DATA)), length=st.integers(0, 400), filling=st.binary(max_size=40))
def test_pieces_replaced_by_anything_are_survived(start, length, filling):
    open_or_refuse(DATA[:start] + filling + DATA[start + length :])


@given(first=st.integers(0, len(DATA)), second=st.integers(0, len(DATA)), length=st.integers(0, 200))
def test_pieces_copied_elsewhere_are_survived(first, second, length):
    open_or_refuse(DATA[:first] + DATA[second : second + length] + DATA[first:])


@given(data=st.binary(max_size=300))
def test_any_bytes_are_survived(data):
    open_or_refuse(data)


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=10), inner, max_size=4),
    max_leaves=8,
)


@st.composite
def changed_documents(draw):
    """The document with some of its values replaced by anything, somewhere in its tree."""
    tree = json.loads(DATA)
    for _ in range(draw(st.integers(1, 3))):
        place, key = tree, draw(st.sampled_from(sorted(tree)))
        while isinstance(place[key], dict | list) and place[key] and draw(st.booleans()):
            place = place[key]
            keys = sorted(place) if isinstance(place, dict) else range(len(place))
            key = draw(st.sampled_from(list(keys)))
        place[key] = draw(anything | st.sampled_from(ODD_VALUES).map(copy.deepcopy))
    return tree


ODD_VALUES = [
    "",
    "d1",
    "d2",
    "r1",
    "g1",
    "l1",
    "generic-nic",
    "{port}",
    "{cage}/{lane}",
    "\x00",
    "𝔘",
    "d" + "9" * 190,
    0,
    1,
    -1,
    2**31,
    2**63,
    2**64,
    10**400,
    1e308,
    -0.0,
    5e-324,
    [],
    {},
    [[]],
    [["d1", "1"]],
    ["d1", "1"],
    None,
    True,
]


@given(tree=changed_documents())
def test_values_replaced_by_anything_are_survived(tree):
    open_or_refuse(json.dumps(tree).encode())


@given(tables=st.dictionaries(st.sampled_from([*schema.TABLES, "settings", "x"]), anything, max_size=4))
def test_any_json_behind_a_right_header_is_survived(tables):
    open_or_refuse(json.dumps({"format": "fabric-design", "version": 1, **tables}).encode())


def as_fragment(tree):
    return json.dumps({**tree, "format": "fabric-fragment", "settings": {}})


@given(text=st.text(max_size=200) | changed_documents().map(as_fragment))
def test_any_text_on_the_clipboard_is_survived(text):
    try:
        fragment = document.decode_fragment(text)
    except FileFormatError as error:
        assert "\n" not in str(error)
        return
    design = small_design()
    design.apply(operations.paste(design, fragment, 5, 5))
    assert document.encode(document.decode(document.encode(design))) == document.encode(design)


@pytest.mark.parametrize("change", [b'"id": "d1"', b'"type_id"', b'"device_id": "d2"', b'["d2", "nic1"]'])
def test_a_reference_bent_to_nowhere_is_refused(change):
    bent = DATA.replace(change, change.replace(b"d1", b"d7").replace(b"d2", b"d7").replace(b"type_id", b"type-id"), 1)
    assert bent != DATA
    assert open_or_refuse(bent) is None


def test_the_line_of_a_fault_is_looked_up_in_files_of_up_to_64_mib():
    """In a larger file the line would take longer to find than a user waits for a message."""
    data = b'{"devices": [\n{"id": "d1"},\n{"id": "d2"}\n]}'
    largest = data.ljust(64 * 2**20)
    assert faults.place_of(largest, "devices", 1) == 'line 3, devices "d2"'
    assert faults.place_of(largest + b" ", "devices", 1) == "devices entry 2"
