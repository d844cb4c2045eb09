"""What all cells of a draw.io page are written with: styles, data, places and layers."""

from collections.abc import Mapping

from designer.exchange.graphs.drawn import Box
from designer.exchange.xml_text import plain, quoted
from designer.model.annotation import DASHED, DOTTED

ROOT = "0"


def layer_cell(id: str, title: str, *, is_hidden: bool = False) -> str:
    """A layer, which may be hidden."""
    hidden = ' visible="0"' if is_hidden else ""
    return f'<mxCell id="{id}" value="{title}" parent="{ROOT}"{hidden}/>'


def box_id(box: Box) -> str:
    """The id of a device's cell."""
    return f"node-{box.id}"


def geometry(left: float, top: float, width: float, height: float) -> str:
    """Where a cell stands."""
    return (
        f'<mxGeometry x="{plain(left)}" y="{plain(top)}" width="{plain(width)}" height="{plain(height)}" '
        'as="geometry"/>'
    )


def style_text(values: Mapping[str, str]) -> str:
    """A style as draw.io writes it."""
    return "".join(f"{name}={value};" for name, value in values.items())


def data_text(facts: Mapping[str, str]) -> str:
    """Facts as attributes of an object."""
    return "".join(f" {name}={quoted(text)}" for name, text in facts.items())


def dashes_of(line: str) -> dict[str, str]:
    """The style of a line that is not solid."""
    return {DASHED: {"dashed": "1"}, DOTTED: {"dashed": "1", "dashPattern": "1 3"}}.get(line, {})
