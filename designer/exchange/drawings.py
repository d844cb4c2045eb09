"""The set of drawings as its options have it: pages to be written, printed or looked at."""

from collections.abc import Iterable
from dataclasses import replace

from designer.drawing.sheets.book import Page
from designer.drawing.sheets.pages import SECTIONS, pages
from designer.drawing.sheets.paper import paper_of
from designer.drawing.sheets.title_block import title_block_of
from designer.errors import ExportError
from designer.exchange.drawing_options import DrawingOptions
from designer.model.design import Design
from designer.units import shortened


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


def racks_named(design: Design, names: Iterable[str]) -> frozenset[str]:
    """The ids of the racks of these names. Raises ExportError for a name that no rack has."""
    found: dict[str, list[str]] = {}
    for rack in design.racks.values():
        found.setdefault(rack.name, []).append(rack.id)
    chosen: list[str] = []
    for name in names:
        if name not in found:
            raise ExportError(f"there is no rack {shortened(name)!r}: write names of racks with commas between them")
        chosen += found[name]
    return frozenset(chosen)
