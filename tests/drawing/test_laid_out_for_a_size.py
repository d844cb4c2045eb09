"""SVG, PDF and PNG are one picture: laid out for the size that it is seen in, or with every detail where asked."""

import math
import re
import xml.etree.ElementTree as ET
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pdf_reading
import pytest
from PySide6.QtGui import QFont, QImage

from designer.canvas.formats import PDF, PNG
from designer.canvas.glyphs import Fonts
from designer.drawing.overlay import NO_OVERLAY, Overlay
from designer.drawing.parts.document import SLIDE, Size, document
from designer.drawing.parts.primitives import Group, Rect, Text
from designer.drawing.parts.ruler import EstimatedRuler
from designer.errors import ExportError
from designer.exchange.diagram_options import DiagramOptions, PdfOptions, PngOptions
from designer.exchange.diagram_svg import svg_of
from designer.exchange.exporters import EXPORTERS
from designer.exchange.options import unheard
from designer.model import operations
from designer.model.edit import Change, Edit
from designer.model.entities import Revision
from designer.storage import document as storage

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
FABRICS = {
    "SuperPOD": None,
    "fat-tree of 16 pods": ("k-ary-fat-tree", {"k": 16}),
    "torus": ("torus", {"dims": (8, 8, 8)}),
    "dragonfly": ("dragonfly", {"p": 4, "a": 8, "h": 4}),
}
SVG = "{http://www.w3.org/2000/svg}"
BELOW_PX = 30
"""Texts are wider by other fonts: there a line or a title may be missing that has no room."""


@pytest.fixture(params=FABRICS)
def fabric(request, generated):
    if FABRICS[request.param] is None:
        return storage.load(EXAMPLES / "superpod-h100-4su.fabric")
    family, parameters = FABRICS[request.param]
    return generated(family, **parameters)


@pytest.fixture(scope="module")
def superpod():
    return storage.load(EXAMPLES / "superpod-h100-4su.fabric")


def page_of(design, ruler, size=SLIDE, overlay=NO_OVERLAY):
    return document(design, "light", None, frozenset(), overlay, ruler, size)


def written(parts):
    """Every text of a page, in drawing order."""
    for part in parts:
        if isinstance(part, Group):
            yield from written(part.parts)
        elif isinstance(part, Text) and part.text:
            yield part


def exported(design, path, **options):
    """Writes what the suffix of the path names, without a heading where none is asked for."""
    rows = {".png": (PNG, PngOptions), ".pdf": (PDF, PdfOptions), ".svg": (EXPORTERS.named("svg"), DiagramOptions)}
    exporter, record = rows[path.suffix]
    exporter.write(design, path, record(**{"heading": False} | options))
    return path


def pixels_of(image):
    """Colors with their alpha, row by row."""
    image = image.convertToFormat(QImage.Format.Format_ARGB32)
    return np.frombuffer(image.constBits(), np.uint32).reshape(image.height(), -1).copy()


def media(path):
    """Width and height of a PDF's page, in pixels."""
    (found,) = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)", path.read_bytes())
    return tuple(float(one) * 96 / 72 for one in found)


def test_all_three_formats_are_laid_out_for_the_same_size(fabric, qapp, tmp_path):
    image = QImage(str(exported(fabric, tmp_path / "a.png", width=1600)))
    width, height = media(exported(fabric, tmp_path / "a.pdf"))
    assert (width, height) == pytest.approx((image.width(), image.height()), abs=2)
    assert width == pytest.approx(1600, abs=2)
    root = ET.parse(exported(fabric, tmp_path / "a.svg")).getroot()
    wide, high = (float(root.get(side)) for side in ("width", "height"))
    assert (wide, high) == pytest.approx((width, height), abs=BELOW_PX)
    in_pdf, _ = pdf_reading.read(tmp_path / "a.pdf")
    assert Counter(in_pdf) == Counter(one.text for one in written(page_of(fabric, Fonts(QFont())).layers))


def test_names_and_notes_of_a_large_design_can_be_read_on_a_slide(fabric, qapp):
    for ruler in (Fonts(QFont()), EstimatedRuler()):
        layers = page_of(fabric, ruler).layers
        sizes = [one.size for one in written(layers)]
        assert sizes and min(sizes) >= 5
        notes = [one.text for one in written(one for one in layers if one.id == "counts")]
        assert len(notes) < 40


def test_the_links_of_two_tiers_have_one_note_as_on_the_screen(superpod):
    (counts,) = (one for one in ET.fromstring(svg_of(superpod)).findall(f"{SVG}g") if one.get("id") == "counts")
    assert [one.text for one in counts.iter(f"{SVG}text")] == [
        "Server to leaf: 8 × 400G per server",
        "Leaf to spine: 2 × 400G per pair",
    ]


@pytest.mark.parametrize("suffix", [".svg", ".pdf", ".png"])
def test_with_full_detail_every_format_has_every_name(suffix, generated, qapp, tmp_path):
    design = generated("k-ary-fat-tree", k=8 if suffix == ".png" else 16)
    names = {one.name for one in design.devices.values()}
    paths = [
        exported(design, tmp_path / f"{detail}{suffix}", detail=detail, boxes="none") for detail in ("screen", "full")
    ]
    if suffix == ".png":
        sizes = [QImage(str(path)).size() for path in paths]
        assert sizes[1].width() > 1.9 * sizes[0].width()
        with pytest.raises(ExportError, match="16,384 pixels at 96 dpi: fewer dpi, a part of it"):
            exported(generated("k-ary-fat-tree", k=16), tmp_path / "large.png", detail="full", boxes="none")
        return
    if suffix == ".pdf":
        screen, full = (set(pdf_reading.read(path)[0]) for path in paths)
    else:
        screen, full = ({text for text in ET.parse(path).getroot().itertext() if text} for path in paths)
    assert names <= full
    assert not names <= screen


@pytest.mark.parametrize(
    ("dims", "paper", "way"),
    [
        (None, "a4", "landscape"),
        (None, "a4", "portrait"),
        (None, "a1", "landscape"),
        ((8, 8, 8), "a4", "portrait"),
        ((4, 4, 4), "a4", "landscape"),  # higher than wide
    ],
)
def test_on_paper_texts_are_as_large_as_on_a_screen(dims, paper, way, superpod, generated, qapp):
    design = superpod if dims is None else generated("torus", dims=dims)
    (page,) = PDF.pages(design, PdfOptions(paper=paper, orientation=way), unheard)
    (group,) = page.layers()
    assert group.zoom == pytest.approx(0.75)
    left, top, right, bottom = page.paper.frame
    _, _, width, height = page.page.area
    assert width * group.zoom == pytest.approx(right - left)
    assert height * group.zoom <= bottom - top + 0.01
    titles = [one for one in written(page.page.layers()) if one.bold]
    assert titles and all(one.size >= 11 for one in titles)


def test_what_is_as_high_as_its_room_has_room_for_titles(superpod):
    page = page_of(superpod, EstimatedRuler(), Size(1600.0, 260.0, window=1600.0))
    assert page.area == (0.0, 0.0, 1600.0, 260.0)
    titles = [one for one in page.layers if one.id in ("titles", "tiers")]
    tops = [one.y - one.size for one in written(titles)]
    assert len(tops) > 4 and min(tops) >= 0.0


def test_the_legend_of_a_small_design_is_whole(generated):
    design = generated("torus", dims=(2, 2))
    choice = replace(NO_OVERLAY.colours, devices="role", links="length")
    page = page_of(design, EstimatedRuler(), Size(200.0), replace(NO_OVERLAY, colours=choice))
    (colors,) = (one for one in page.layers if one.id == "colors")
    plates = [(group.at[0], part.width) for group in colors.parts for part in group.parts if isinstance(part, Rect)]
    assert len(plates) > 1
    assert colors.at[0] + max(x + width for x, width in plates) <= page.area[2]


def test_an_image_is_laid_out_for_its_own_width(superpod, qapp, tmp_path):
    for width in (640, 1600):
        image = QImage(str(exported(superpod, tmp_path / "a.png", width=width)))
        _, _, wide, high = page_of(superpod, Fonts(QFont()), Size(float(width))).area
        assert (image.width(), image.height()) == (wide, math.ceil(high))


def test_the_links_of_an_image_are_as_much_wider_as_it_is_larger(generated, qapp, tmp_path):
    design = generated("torus", dims=(2, 2))
    widths = []
    for width in (800, 4800):
        image = QImage(str(exported(design, tmp_path / "a.png", width=width, legend=False, labels=False)))
        pixels = pixels_of(image)
        inked = pixels[:, image.width() // 2] != pixels[0, 0]
        widths.append(int(inked.sum()))
    assert widths[0] >= 3
    assert widths[1] == pytest.approx(6 * widths[0], rel=0.3)


@pytest.mark.parametrize("view", ["canvas", "floor", "elevation", "matrix"])
def test_an_image_is_opaque_up_to_its_last_pixels(view, superpod, qapp, tmp_path):
    for width in (701, 1203):
        pixels = pixels_of(QImage(str(exported(superpod, tmp_path / "a.png", width=width, view=view))))
        assert (pixels >> 24 == 255).all()


def test_what_is_collapsed_is_not_said_to_have_no_place(generated, tmp_path):
    design = generated("k-ary-fat-tree", k=8)
    for boxes in ("none", "all"):
        root = ET.parse(exported(design, tmp_path / "a.svg", boxes=boxes)).getroot()
        assert "having no place" not in "".join(root.itertext())


def test_two_designs_over_each_other_show_every_device_however_small(generated):
    design = generated("k-ary-fat-tree", k=16)
    page = page_of(design, EstimatedRuler(), SLIDE, Overlay(counts=False))
    assert not list(next((one.parts for one in page.layers if one.id == "collapsed"), ()))
    folded = page_of(design, EstimatedRuler())
    assert list(next(one.parts for one in folded.layers if one.id == "collapsed"))


def test_an_image_of_a_bookmark_is_of_its_view(superpod, qapp, tmp_path):
    design = superpod.snapshot()
    design.apply(operations.add_bookmark(design, name="Racks", view="elevation"))
    image = exported(design, tmp_path / "a.png", bookmark="Racks").read_bytes()
    assert image == exported(design, tmp_path / "b.png", view="elevation").read_bytes()


def revised(design):
    design.apply(Edit("Revision", (Change(None, Revision("rev-1", "B", "2026-11-02")),)))
    return design


@pytest.mark.parametrize("size", [SLIDE, Size(2400.0), Size(400.0), None])
def test_the_heading_stands_over_the_picture_with_the_last_revision_and_its_date(size, generated):
    design = revised(generated("rail-optimized", servers=64))
    plain, headed = (page_of(design, EstimatedRuler(), size, Overlay(heading=it)) for it in (False, True))
    (heading,) = (layer for layer in headed.layers if layer.id == "heading")
    texts = [part.text for part in heading.parts]
    assert texts in ([design.name, "Revision B, 2026-11-02"], [design.name])
    assert len(texts) == 2 or size == Size(400.0)
    left, top, width, height = headed.area
    assert (left, width, top + height) == pytest.approx((plain.area[0], plain.area[2], plain.area[1] + plain.area[3]))
    assert all(top < part.y - part.size and part.y < plain.area[1] for part in heading.parts)
    assert "heading" not in {layer.id for layer in plain.layers}
