"""Pages of drawings can be drawn again and again, and are as large as a window would show them."""

from pathlib import Path

import pytest

from designer.canvas.formats import PDF, formats
from designer.catalog.catalog import load
from designer.drawing.pages import MM_PER_PX
from designer.drawing.parts.primitives import Group
from designer.exchange.exporters import EXPORTERS
from designer.exchange.options import unheard
from designer.model import operations
from designer.model.design import Design
from designer.storage import document

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def count(parts):
    return sum(1 + (count(part.parts) if isinstance(part, Group) else 0) for part in parts)


@pytest.mark.parametrize("exporter", [one for one in formats() if one.pages], ids=lambda one: one.name)
def test_a_page_has_the_same_parts_however_often_it_is_drawn(exporter, qapp):
    name = "superpod-h100-4su" if exporter.name == "dxf" else "fat-tree-16-2to1"  # which has no racks
    design = document.load(EXAMPLES / f"{name}.fabric")
    for page in exporter.pages(design, exporter.options(), unheard):
        assert count(page.layers()) == count(page.layers()) > 5
        _, _, width, height = page.area
        assert page.width_mm / page.height_mm == pytest.approx(width / height, rel=0.01)


def test_a_wide_design_is_a_page_as_wide_as_a_window_and_a_small_one_is_smaller(qapp):
    wide = document.load(EXAMPLES / "superpod-h100-4su.fabric")
    small, types = Design(), load().types
    small.apply(operations.add_device(small, types["nvidia-qm9700"], 0, 0, catalog_types=types))
    (page,) = PDF.pages(wide, PDF.options(), unheard)
    assert page.width_mm == pytest.approx(1600 * MM_PER_PX)
    (page,) = EXPORTERS.named("svg").pages(small, PDF.options(), unheard)
    assert page.width_mm < 1600 * MM_PER_PX / 4 and page.scale == 1.0
