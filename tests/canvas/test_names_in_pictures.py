"""Pictures name devices as the design does: in full, in letters as small as need be, or elided to a part of it."""

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterable, Iterator

import pytest
from PySide6.QtGui import QFont

from designer.canvas import export
from designer.canvas.glyphs import Fonts
from designer.catalog.catalog import load
from designer.drawing.composition import Composition
from designer.drawing.overlay import NO_OVERLAY, Overlay
from designer.drawing.parts.document import LEAST_NAME, Document, Size, document
from designer.drawing.parts.primitives import Group, Part, Rect, Text
from designer.exchange.diagram_options import DiagramOptions
from designer.exchange.diagram_svg import svg_of
from designer.exchange.exporters_diagram import lit_paths
from designer.model import operations
from designer.model.design import Design
from designer.regeneration import recipes
from designer.topologies.pgft import PgftParameters
from designer.topologies.rail_optimized import RailOptimizedParameters
from designer.topologies.torus import TorusParameters

NAME_SIZE = 12

FABRICS = {
    "rail-optimized": RailOptimizedParameters(servers=127, servers_per_su=32, reserve_leaf_ports=4),
    "torus": TorusParameters((4, 4, 4)),
}


def generated(family: str) -> Design:
    design = Design()
    design.apply(recipes.generated(design, recipes.family_named(family), FABRICS[family], load()))
    return design


def laid_out(design: Design, width: int, overlay: Overlay = NO_OVERLAY) -> Document:
    """The page that an image of that width is painted from."""
    return document(design, "light", None, frozenset(), overlay, Fonts(QFont()), Size(float(width)))


def parts_of(parts: Iterable[Part]) -> Iterator[Part]:
    for part in parts:
        if isinstance(part, Group):
            yield from parts_of(part.parts)
        else:
            yield part


def words_on(design: Design, width: int) -> list[str]:
    """Every text that the image of that width is painted with."""
    return [part.text for part in parts_of(laid_out(design, width).layers) if isinstance(part, Text)]


@pytest.mark.parametrize("family", sorted(FABRICS))
def test_an_exported_picture_has_every_name_in_full(qapp, family):
    design = generated(family)
    names = {device.name for device in design.devices.values()}
    assert names <= set(words_on(design, export.DEFAULT_WIDTH_PX))
    in_svg = {
        re.sub(r"\s+", " ", text).strip() for text in ET.fromstring(svg_of(design, size=None).encode()).itertext()
    }
    assert names <= in_svg


@pytest.mark.parametrize("width", [640, 660, 700])
def test_where_names_do_not_fit_parts_of_them_stand_that_no_two_devices_of_a_kind_share(qapp, width):
    design = generated("torus")
    names = [device.name for device in design.devices.values()]
    words = words_on(design, width)
    legend = {"Links by dimension", "Dimension 1", "Dimension 2", "Dimension 3", "Other links"}
    layers = {f"Layer {number}" for number in range(4)}
    cut = set(words) - set(names) - legend - layers
    assert cut
    for word in cut:
        head, _, tail = word.rpartition("…")
        meant = [name for name in names if name.startswith(head) and name.endswith(f"-{tail}")]
        assert meant, f"{word} is part of no name"
        assert len({name.partition("-")[0] for name in meant}) == len(meant), word


@pytest.mark.parametrize(
    ("name", "smaller"), [("leaf-01", False), ("leaf-building-2-row-12", True), ("a" * 30 + "-leaf-12", True)]
)
def test_a_long_name_is_set_smaller_in_an_svg_before_it_is_elided(name, smaller):
    catalog = load()
    design = Design()
    switch = catalog.get("nvidia-qm9700")
    design.apply(operations.add_device(design, switch, 0, 0, catalog_types=catalog.types, name=name))
    root = ET.fromstring(svg_of(design, size=None).encode())
    (text,) = [one for one in root.iter() if one.tag.endswith("text") and one.get("y") == "17"]
    size = float(text.get("font-size"))
    assert (LEAST_NAME <= size < NAME_SIZE) is smaller
    assert text.text == name if len(name) < 30 else text.text is not None and text.text.endswith("…12")


def test_the_title_of_a_tier_has_room_above_it_in_a_picture_without_groups(qapp, catalog):
    design = Design()
    pgft = PgftParameters(children=(4, 32), parents=(1, 8))
    design.apply(recipes.generated(design, recipes.family_named("pgft"), pgft, catalog))
    assert not Composition(design).containers
    tiers = next(layer for layer in laid_out(design, 1600).layers if layer.id == "tiers")
    tops = [part.y for part in parts_of(tiers.parts) if isinstance(part, Rect)]
    assert tops and min(tops) >= 4.0


def test_the_key_of_lit_paths_has_room_below_a_picture(qapp, catalog):
    design = generated("rail-optimized")
    links, ends = lit_paths(design, DiagramOptions(paths=("gpu-001", "gpu-033")))
    plain, lit = (
        laid_out(design, 1600, overlay).area[3] for overlay in (NO_OVERLAY, Overlay(lit_links=links, lit_ends=ends))
    )
    assert lit >= plain + 40.0
