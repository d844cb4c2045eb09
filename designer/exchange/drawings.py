"""The set of drawings as its options have it: pages to be written, printed or looked at."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from designer.drawing.sheets.book import Page
from designer.drawing.sheets.pages import SECTIONS, pages
from designer.drawing.sheets.paper import paper_of
from designer.drawing.sheets.title_block import title_block_of
from designer.errors import ExportError
from designer.exchange.drawing_options import DrawingOptions
from designer.exchange.exporters_diagram import racks_named
from designer.exchange.svg_writing import svg_text
from designer.model.design import Design
from designer.storage.saving import replace_file
from designer.units import format_counted


def drawing_pages(design: Design, options: DrawingOptions) -> list[Page]:
    """The pages of the set; none is drawn yet. Raises ExportError, which names the rack or sheet there is not."""
    stated = {name: getattr(options, name) for name in ("project", "customer", "site", "author")}
    block = title_block_of(design, options.revision, options.date)
    return pages(
        design,
        paper_of(options.paper, options.orientation, options.margin),
        options.sheets or tuple(SECTIONS),
        replace(block, **{name: text for name, text in stated.items() if text}),
        theme=options.theme,
        rack_ids=racks_named(design, options.racks) if options.racks else None,
    )


def write_svg(pages: Sequence[Page], path: Path, number: int) -> None:
    """Write one of the pages as SVG, its layers as groups. Raises ExportError where there is no page of that number."""
    if number > len(pages):
        raise ExportError(f"there is no page {number}: the set has {format_counted(len(pages), 'page')}")
    page = pages[number - 1]
    made = page.document()
    text = svg_text(made.area, made.title, made.description, made.layers, size_mm=(page.width_mm, page.height_mm))
    replace_file(path, text.encode("utf-8"))
