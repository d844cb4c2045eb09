"""Files that grew from one and are read together give the same designs as each of them alone."""

import re
import sys
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from designer.errors import FileFormatError
from designer.model import operations
from designer.storage import document
from designer.storage.document import decode, encode
from designer.storage.shared import SharedRows

sys.path.insert(0, str(Path(__file__).parent))

from merged_designs import Editor

INDEXES = ("links_at", "modules_of", "members", "mounted", "next_number")
TABLES = (
    *("types", "groups", "racks", "devices", "modules", "links", "placements", "jobs", "revisions", "annotations"),
    *("annotation_styles", "bookmarks", "fixtures", "waivers"),
)


def assert_same(found, wanted):
    """Tables in the same order, the same indexes, the same next ids."""
    assert found.settings == wanted.settings
    for name in TABLES:
        assert list(getattr(found, name).items()) == list(getattr(wanted, name).items()), name
    for name in INDEXES:
        assert getattr(found._indexes, name) == getattr(wanted._indexes, name), name
    for device in wanted.devices:
        assert found.ports(device) == wanted.ports(device)
    assert (found.revision, found.file_stem) == (wanted.revision, wanted.file_stem)


def outcome(data, shared=None):
    try:
        return decode(data, "pod.fabric", shared=shared)
    except FileFormatError as error:
        return str(error)


@settings(max_examples=20)
@given(seed=st.integers(0, 2**32 - 1), steps=st.integers(0, 8))
def test_designs_that_grew_from_one_are_read_as_each_alone(catalog, seed, steps):
    random = Random(seed)
    base = Editor(random, catalog).edit(random.randrange(12))
    files = [encode(base), *(encode(Editor(random, catalog, base).edit(steps)) for _ in range(2))]
    shared = SharedRows()
    for data in files:
        assert_same(decode(data, shared=shared), decode(data))


@pytest.fixture(scope="module")
def text(faulty):
    return encode(faulty).decode()


@pytest.fixture(scope="module")
def faulty():
    return document.load(Path(__file__).resolve().parents[2] / "examples" / "faults.fabric")


@settings(max_examples=60)
@given(data=st.data())
def test_a_row_that_was_changed_by_hand_is_refused_or_read_as_alone(text, data):
    lines = text.split("\n")
    at = data.draw(st.integers(0, len(lines) - 1))
    found = re.findall(r'"[a-z0-9_]*"|[0-9.]+', lines[at])
    other = re.findall(r'"[a-z0-9_]*"|[0-9.]+', data.draw(st.sampled_from(lines))) or ['""']
    match data.draw(st.sampled_from(["drop", "double", "swap", "change"])):
        case "drop":
            del lines[at]
        case "double":
            lines.insert(at, lines[at])
        case "swap":
            to = data.draw(st.integers(0, len(lines) - 1))
            lines[at], lines[to] = lines[to], lines[at]
        case _ if found:
            lines[at] = lines[at].replace(data.draw(st.sampled_from(found)), data.draw(st.sampled_from(other)), 1)
    changed = "\n".join(lines).encode()
    shared = SharedRows()
    decode(text.encode(), shared=shared)
    together, alone = outcome(changed, shared), outcome(changed)
    if isinstance(alone, str):
        assert together == alone
    else:
        assert_same(together, alone)


def test_equal_records_are_shared_and_the_first_design_stays_as_it_was(faulty, text):
    shared = SharedRows()
    first = decode(text.encode(), shared=shared)
    changed = first.snapshot()
    link = next(iter(changed.links))
    changed.apply(operations.set_cable(changed, [link], None, 7.5))
    second = decode(encode(changed), shared=shared)
    assert second.links[link].length_m == 7.5 and first.links[link].length_m != 7.5
    assert all(second.links[one] is record for one, record in first.links.items() if one != link)
    second.apply(operations.delete(second, list(second.devices)[:2]))
    assert_same(first, as_read(text))


def as_read(text):
    return decode(text.encode())


def test_ids_of_what_only_an_earlier_file_has_are_given_again(faulty, text):
    shared = SharedRows()
    decode(text.encode(), shared=shared)
    smaller = faulty.snapshot()
    smaller.apply(operations.delete(smaller, [list(smaller.links)[-1]]))
    data = encode(smaller)
    assert decode(data, shared=shared).new_ids("links", 1) == decode(data).new_ids("links", 1)
    assert decode(data).new_ids("links", 1) != faulty.new_ids("links", 1)


def test_a_design_unlike_the_one_before_is_read_by_itself(faulty, text, catalog):
    other = faulty.snapshot()
    other.apply(operations.delete(other, list(other.devices)[3:]))
    shared = SharedRows(other)
    assert_same(decode(text.encode(), shared=shared), as_read(text))
