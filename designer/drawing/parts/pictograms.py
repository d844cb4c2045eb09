"""Small pictures of what a box is: a switch, a server, a server with GPUs, storage."""

from collections.abc import Callable, Iterator, Mapping

from designer.drawing.parts.primitives import Group, Ink, Part, Path, Pen, Rect

SIDE = 10.0
"""Of a pictogram, at zoom 1."""
SWITCH, SERVER, GPU_SERVER, STORAGE = "switch", "server", "GPU server", "storage"


def pictogram(kind: str, colour: str, x: float, y: float, side: float) -> Group:
    """The pictogram with its left top corner at x, y; nothing for a kind that has none."""
    return Group(tuple(_PARTS.get(kind, _nothing)(colour)), at=(x, y), zoom=side / SIDE)


def _nothing(_colour: str) -> Iterator[Part]:
    return iter(())


def _switch(colour: str) -> Iterator[Part]:
    """An arrow each way."""
    for tip, tail, y in ((10.0, 1.0, 3.0), (0.0, 9.0, 7.0)):
        back = -3.0 if tip > tail else 3.0
        arrow = (tail, y), (tip + back, y), (tip + back, y - 1.8), (tip, y), (tip + back, y + 1.8), (tip + back, y)
        yield Path(arrow, Ink(colour), Pen(colour, 1.0))


def _server(colour: str) -> Iterator[Part]:
    """Three units above each other."""
    yield Rect(0.5, 0.5, 9.0, 9.0, None, Pen(colour, 1.0), 1.0)
    yield Path(((2.0, 3.5), (2.0, 3.5), (9.0, 3.5), (0.5, 3.5), (0.5, 6.5), (9.0, 6.5)), None, Pen(colour, 1.0))


def _gpus(colour: str) -> Iterator[Part]:
    """A chip with pins on all sides."""
    yield Rect(1.5, 1.5, 7.0, 7.0, None, Pen(colour, 3.0, dash=(0.8, 0.95)))
    yield Rect(2.5, 2.5, 5.0, 5.0, Ink(colour))


def _storage(colour: str) -> Iterator[Part]:
    """Disks above each other."""
    for top in (0.4, 3.5, 6.6):
        yield Rect(0.6, top, 8.8, 2.8, Ink(colour), None, 1.4)


_PARTS: Mapping[str, Callable[[str], Iterator[Part]]] = {
    SWITCH: _switch,
    SERVER: _server,
    GPU_SERVER: _gpus,
    STORAGE: _storage,
}
