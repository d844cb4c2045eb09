"""What a diagram shows and leaves out, on which paper, and at which resolution."""

import re
from pathlib import Path

import pytest
from PySide6.QtGui import QImage

from designer.canvas.formats import PDF, PNG
from designer.drawing.pages import PaperPage
from designer.drawing.parts.ruler import EstimatedRuler
from designer.drawing.sheets.paper import paper_of
from designer.errors import ExportError
from designer.exchange.diagram_options import DiagramOptions, PdfOptions, PngOptions
from designer.exchange.exporters_diagram import drawing_of
from designer.exchange.options import unheard
from designer.exchange.svg_writing import svg_text
from designer.model import annotating, operations
from designer.model.annotation import TITLE_BLOCK
from designer.storage import document

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "fat-tree-16-2to1.fabric"


@pytest.fixture(scope="module")
def fabric():
    return document.load(EXAMPLE)


def svg(design, **options):
    page = drawing_of(design, DiagramOptions(**options))(EstimatedRuler())
    return svg_text(page.area, page.title, page.description, page.layers)


def words(text):
    return re.findall(r"<text[^>]*>([^<]*)</text>", text)


def test_a_picture_says_what_it_is_of_unless_asked_not_to_or_a_title_block_does(fabric):
    assert fabric.name in words(svg(fabric))
    assert fabric.name not in words(svg(fabric, heading=False))
    assert fabric.name not in words(svg(fabric, labels=False))
    titled = fabric.snapshot()
    titled.apply(annotating.annotate(titled, TITLE_BLOCK, (0.0, -400.0), (300.0, 100.0)))
    assert ">Heading<" not in svg(titled) and 'id="heading"' not in svg(titled)
    assert words(svg(titled, annotations=False)).count(fabric.name) == 1


def test_without_labels_nothing_is_written_on_the_drawing(fabric):
    assert {"leaf-01", "spine-02", "8 × 400G"} <= set(words(svg(fabric)))
    assert words(svg(fabric, labels=False, jobs=False)) == []


def test_without_a_legend_the_colours_stay_and_the_page_is_lower(fabric):
    with_legend, without = (
        drawing_of(fabric, DiagramOptions(heat="all-reduce", legend=legend))(EstimatedRuler())
        for legend in (True, False)
    )
    assert with_legend.area[3] > without.area[3]
    shown = svg(fabric, heat="all-reduce", legend=False)
    assert 'id="legend"' not in shown and 'id="legend"' in svg(fabric, heat="all-reduce")
    assert shown.count("#8a5cf6") or shown.count("stroke=") > 10


def test_only_what_is_named_is_drawn_with_the_links_between(fabric):
    shown = words(svg(fabric, only=("leaf-01", "gpu-01")))
    assert {"leaf-01", "gpu-01"} <= set(shown) and "leaf-02" not in shown
    assert "8 × 400G" in shown, "links between them are drawn"


def test_a_name_that_nothing_has_is_a_sentence(fabric):
    with pytest.raises(ExportError, match="there is no device, rack or group 'leaf-99': write names"):
        svg(fabric, only=("leaf-01", "leaf-99"))


def test_a_group_is_drawn_with_its_members(fabric):
    design = fabric.snapshot()
    design.apply(operations.group(design, [design.find("leaf-02").id, design.find("gpu-05").id], "pod"))
    shown = set(words(svg(design, only=("pod",))))
    assert {"leaf-02", "gpu-05"} <= shown and "leaf-01" not in shown


@pytest.mark.parametrize(("paper", "way", "size"), [("a4", "landscape", (297, 210)), ("a3", "portrait", (297, 420))])
def test_a_diagram_is_fitted_to_paper_within_its_margins(fabric, paper, way, size, tmp_path, qapp):
    options = PdfOptions(paper=paper, orientation=way, margin=20)
    (page,) = PDF.pages(fabric, options, unheard)
    assert (page.width_mm, page.height_mm) == size
    (group,) = page.layers()
    _, _, width, height = page.page.area
    left, top, right, bottom = page.paper.frame
    x, y = group.at[0] + page.page.area[0] * group.zoom, group.at[1] + page.page.area[1] * group.zoom
    assert left - 0.01 <= x and x + width * group.zoom <= right + 0.01
    assert top - 0.01 <= y and y + height * group.zoom <= bottom + 0.01
    assert x == pytest.approx(left) or y == pytest.approx(top), "as large as there is room for"
    PDF.write(fabric, tmp_path / "page.pdf", options)
    (found,) = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)", (tmp_path / "page.pdf").read_bytes())
    assert tuple(float(one) * 25.4 / 72 for one in found) == pytest.approx(size, abs=0.5)


def test_a_page_of_its_own_size_has_no_paper(fabric, qapp):
    (page,) = PDF.pages(fabric, PdfOptions(), unheard)
    assert not isinstance(page, PaperPage)
    with pytest.raises(ExportError, match="a margin of a4 is 0 to 45 mm"):
        paper_of("a4", "landscape", 46)


def test_a_picture_says_its_resolution(fabric, tmp_path, qapp):
    for dpi in (96, 300):
        PNG.write(fabric, tmp_path / "p.png", PngOptions(width=400, dpi=dpi))
        image = QImage(str(tmp_path / "p.png"))
        assert image.width() == 400 and image.dotsPerMeterX() == round(dpi / 0.0254)


def longest_run(image, row):
    """Pixels beside each other that are not of the background."""
    background, longest, run = image.pixel(1, 1), 0, 0
    for x in range(image.width()):
        run = run + 1 if image.pixel(x, row) != background else 0
        longest = max(longest, run)
    return longest


def test_a_larger_picture_of_a_part_has_wider_lines(fabric, tmp_path, qapp):
    runs = []
    for width in (1600, 4800):
        options = PngOptions(width=width, only=("spine-01", "leaf-01"), labels=False)
        PNG.write(fabric, tmp_path / "p.png", options)
        image = QImage(str(tmp_path / "p.png"))
        runs.append(longest_run(image, image.height() // 2))
    assert runs[1] >= 2 * runs[0]


def smallest_pt(design, options, image):
    """The size in print of the smallest name that boxes have where every name is written."""
    page = drawing_of(design, options)(EstimatedRuler())
    assert page.least_letters == 8.0
    return page.least_letters * image.width() / page.area[2] * 72 / options.dpi


def test_a_picture_of_every_name_is_as_wide_as_its_names_need(fabric, tmp_path):
    for dpi in (96, 144):
        options = PngOptions(detail="full", dpi=dpi)
        PNG.write(fabric, tmp_path / "p.png", options)
        image = QImage(str(tmp_path / "p.png"))
        assert image.width() >= 2400 and smallest_pt(fabric, options, image) >= 5.0
    assert image.width() > 2400 and smallest_pt(fabric, options, image) < 5.01


def test_a_picture_in_which_not_every_name_could_be_read_is_refused_with_ways_out(fabric, tmp_path):
    path = tmp_path / "p.png"
    with pytest.raises(
        ExportError, match=r"names of devices would be .* pt high .* at 96 dpi: use a width of"
    ) as found:
        PNG.write(fabric, path, PngOptions(detail="full", width=600))
    width = int(re.search(r"width of ([\d,]+)", str(found.value))[1].replace(",", ""))
    PNG.write(fabric, path, PngOptions(detail="full", width=width))
    assert QImage(str(path)).width() == width
    with pytest.raises(ExportError, match="16,384 pixels at 2400 dpi: fewer dpi, a part of it"):
        PNG.write(fabric, path, PngOptions(detail="full", dpi=2400))
    PNG.write(fabric, path, PngOptions(detail="full", labels=False, width=600))
    assert QImage(str(path)).width() == 600
