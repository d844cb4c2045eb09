"""The pages of a draw.io file: plain, or compressed as older versions save them."""

import base64
import binascii
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import unquote
from xml.etree.ElementTree import Element

from designer.exchange.graphs.reading.read_graphml import children, local
from designer.exchange.reading.found import ImportFailure
from designer.exchange.reading.limits import MOST_UNPACKED_BYTES
from designer.exchange.reading.xml_tree import parse_xml
from designer.units import shortened


@dataclass(frozen=True, slots=True)
class DrawioPage:
    """A page: its name, and the element that its cells stand in."""

    name: str
    root: Element


def pages_of(data: bytes, file: str) -> Iterator[DrawioPage]:
    """The pages of a file. Raises ImportFailure, which names file and page."""
    top = parse_xml(data, file)
    if local(top.tag) == "mxGraphModel":
        yield from _page("", top)
        return
    if local(top.tag) != "mxfile":
        raise ImportFailure(f"{file} is not a draw.io file: its outermost element is {local(top.tag)[:40]}")
    left = MOST_UNPACKED_BYTES
    for number, diagram in enumerate(children(top, "diagram"), start=1):
        name = diagram.get("name", "") or f"page {number}"
        model = next(children(diagram, "mxGraphModel"), None)
        packed = (diagram.text or "").strip()
        if model is None and not packed:
            continue
        if model is None:
            text = _unpacked(packed, f"{file}, page {shortened(name)}", left)
            left -= len(text)
            model = parse_xml(text, f"{file}, page {shortened(name)}")
        yield from _page(name, model)


def _page(name: str, model: Element) -> Iterator[DrawioPage]:
    root = next(children(model, "root"), None)
    if root is not None:
        yield DrawioPage(name, root)


def _unpacked(text: str, place: str, most: int) -> bytes:
    """The XML of a compressed page: quoted as an address, deflated, in letters."""
    try:
        packed = base64.b64decode(text, validate=True)
        unpacker = zlib.decompressobj(-zlib.MAX_WBITS)
        made = unpacker.decompress(packed, most)
    except (binascii.Error, ValueError, zlib.error):
        raise ImportFailure(f"{place} is damaged: save it in draw.io without compression") from None
    if unpacker.unconsumed_tail:
        raise ImportFailure(f"{place} is larger than {most // 10**6} MB unpacked: import it in parts")
    return unquote(made.decode("utf-8", errors="replace")).encode()
