"""Damaged and hostile graphs: a sentence that names the file, in little time, and never another kind of error."""

import base64
import random
import zlib
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from test_graph_reading import READ_AS, line, page, pod, reading  # noqa: F401  (pod is a fixture)
from test_graph_reading import device as shape

from designer.exchange.exporters import BUILT_IN
from designer.exchange.graphs.reading import drawio_pages
from designer.exchange.graphs.reading.rows import IMPORTERS
from designer.exchange.reading import limits
from designer.exchange.reading.found import FoundNetwork, ImportFailure

pytestmark = pytest.mark.timeout(20)  # what is refused is refused at once; tests/benchmarks measure it
READER = {one.name: one.found for one in IMPORTERS}
XML = ("drawio", "graphml", "gexf")
EXPORTER = {one.name: one for one in BUILT_IN}


def refused(name, text, folder):
    """The sentence with which a file is refused."""
    with pytest.raises(ImportFailure) as failure:
        reading(name, text, folder)
    sentence = str(failure.value)
    assert sentence.startswith("given.txt") and "\n" not in sentence and len(sentence) < 400
    return sentence


BOMB = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'
FOREIGN = '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>'


@pytest.mark.parametrize("name", XML)
def test_entities_are_refused(name, tmp_path):
    for doctype in (BOMB, FOREIGN):
        assert "defines XML entities" in refused(name, f"{doctype}<x>&b;</x>", tmp_path)


@pytest.mark.parametrize("name", XML)
def test_deep_nesting_is_refused(name, tmp_path):
    assert "nests elements more than" in refused(name, "<a>" * 100_000, tmp_path)


def test_deep_braces_are_refused(tmp_path):
    assert "nested more than 200 deep" in refused("dot", "graph " + "{" * 100_000, tmp_path)
    assert "< has no > that ends it" in refused("dot", "graph { a [label=" + "<" * 100_000, tmp_path)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("graphml", "<graphml><graph/></graphml>"),
        ("gexf", "<gexf><graph><nodes/></graph></gexf>"),
        ("dot", "graph {}"),
        ("drawio", "<mxfile><diagram/></mxfile>"),
        ("drawio", "<mxGraphModel><root/></mxGraphModel>"),
    ],
)
def test_a_file_without_devices_is_refused(name, text, tmp_path):
    assert "has no device" in refused(name, text, tmp_path)


@pytest.mark.parametrize("name", READER)
@pytest.mark.parametrize(
    "data", [b"", b"\0" * 100, b"\xff\xfe\xff", b"PK\3\4", b"hello", b"<svg/>", b"<a>", b'graph { "a']
)
def test_what_is_no_graph_is_refused(name, data, tmp_path):
    refused(name, data, tmp_path)


def test_counts_without_end_are_refused(tmp_path):
    nodes = '<key id="c" for="edge" attr.name="count"/><graph><node id="a"/><node id="b"/>'
    for count in ("10000000000", "9" * 4000, "10001"):
        text = f'<graphml>{nodes}<edge source="a" target="b"><data key="c">{count}</data></edge></graph></graphml>'
        assert "an edge stands for" in refused("graphml", text, tmp_path)
        dot = f"graph {{ a -- b [count={count}] }}"
        assert "an edge stands for" in refused("dot", dot, tmp_path)
        bundle = line("e", "a", "b").replace(' id="e"', "", 1)
        drawing = shape("a", "a") + shape("b", "b") + f'<object id="e" count="{count}">{bundle}</object>'
        assert "an edge stands for" in refused("drawio", f"<mxfile>{page(drawing)}</mxfile>", tmp_path)


def test_counts_that_are_none_stand_for_one_link(tmp_path):
    for count in ("0", "-3", "1e9", "²", "NaN", "2.5"):
        network = reading("dot", f'graph {{ a -- b [count="{count}"] }}', tmp_path)
        assert len(network.links) == 1 and len(network.unread) == 1, count
    assert len(reading("dot", "graph { a -- b [count=3] }", tmp_path).links) == 3


def test_sets_of_nodes_that_make_too_many_links_are_refused(tmp_path):
    many = " ".join(f"n{number}" for number in range(2000))
    assert "more than 1,000,000 links" in refused("dot", f"graph {{ {{{many}}} -- {{{many}}} }}", tmp_path)


def test_a_packed_page_without_end_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(drawio_pages, "MOST_UNPACKED_BYTES", 10**6)
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    data = packer.compress(quote("<mxGraphModel>" + " " * 10**7).encode()) + packer.flush()
    packed = f"<mxfile><diagram>{base64.b64encode(data).decode()}</diagram></mxfile>"
    assert "larger than 1 MB unpacked" in refused("drawio", packed, tmp_path)
    assert limits.MOST_UNPACKED_BYTES > 10**6


@pytest.mark.parametrize("text", ["%%%", "AAAA", "=" * 50, "eJw", "hello world"])
def test_a_damaged_page_is_refused(text, tmp_path):
    refused("drawio", f"<mxfile><diagram>{text}</diagram></mxfile>", tmp_path)


def test_shapes_that_stand_in_each_other_without_end_are_read(tmp_path):
    ring = shape("a", "a", parent="b") + shape("b", "b", parent="a") + shape("c", "c", parent="c")
    network = reading("drawio", f"<mxfile>{page(ring + line('e', 'a', 'b') + line('f', 'c', 'a'))}</mxfile>", tmp_path)
    assert isinstance(network, FoundNetwork)


def test_hostile_figures_and_names_are_left_out(tmp_path):
    odd = '[pos="nan,inf!" unit="1e400" rack="a\u202eb" type="x"]'
    text = f'graph {{ "=1+1" {odd}; "" -- "=1+1" [speed="-1" length_m="1e99"]'
    text += f' "{"n" * 5000}" -- b [taillabel="{"p" * 5000}"] }}'
    network = reading("dot", text, tmp_path)
    node = next(one for one in network.nodes if one.name == "=1+1")
    assert (node.x, node.y, node.unit, node.rack) == (None, None, None, "a b")
    assert all(0 < len(one.name) <= 200 for one in network.nodes)
    assert all(len(end.port) <= 100 for one in network.links for end in (one.a, one.b))
    assert len(network.unread) == 3


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 10**9))
@pytest.mark.parametrize("name", READ_AS)
def test_damaged_exports_are_read_or_refused(pod, name, seed, tmp_path):  # noqa: F811
    exporter = EXPORTER[name]
    path = tmp_path / f"whole{exporter.suffix}"
    if not path.exists():
        exporter.write(pod, path)
    data, chance = bytearray(path.read_bytes()), random.Random(seed)
    for _ in range(chance.randint(1, 6)):
        at, size = chance.randrange(len(data)), chance.randint(1, 40)
        kind = chance.randrange(4)
        if kind == 0:
            del data[at : at + size]
        elif kind == 1:
            data[at : at + size] = chance.randbytes(size)
        elif kind == 2:
            other = chance.randrange(len(data))
            data[at:at] = data[other : other + size * 20]
        else:
            data[at : at + size] = chance.choice((b'"', b"<", b"{", b"\\", b"999999999999", b"-", b"&#x0;", b"]]>"))
    try:
        network = reading(READ_AS[name], bytes(data), tmp_path)
    except ImportFailure as failure:
        assert "\n" not in str(failure)
    else:
        assert len({one.name for one in network.nodes}) == len(network.nodes)


def test_many_shapes_of_one_name_are_read_soon(tmp_path):
    cells = "".join(shape(f"a{number}", "x") for number in range(6000))
    cells += "".join(line(f"e{number}", f"a{number}", "a0") for number in range(1, 6000))
    network = reading("drawio", f"<mxfile>{page(cells)}</mxfile>", tmp_path)
    assert len(network.nodes) == 6000 and len(network.links) == 5999
