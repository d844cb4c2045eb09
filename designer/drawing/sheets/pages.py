"""The set of drawings of a design, page by page: listed at once, each drawn when it is asked for."""

from collections.abc import Collection, Iterator

from designer.drawing.sheets import contents, racks, switches
from designer.drawing.sheets.book import Draft, Page, bound
from designer.drawing.sheets.cables import Cabling, PartOf
from designer.drawing.sheets.contents import Entry
from designer.drawing.sheets.paper import Paper, paper_of
from designer.drawing.sheets.title_block import TitleBlock, title_block_of
from designer.drawing.theme import Theme, themed
from designer.errors import ExportError
from designer.model.design import Design

SECTIONS = ("index", "racks", "switches", "cables")
"""What a set is made of, in its order."""


def pages(
    design: Design,
    paper: Paper | None = None,
    which: Collection[str] = SECTIONS,
    title_block: TitleBlock | None = None,
    *,
    theme: Theme | str = "light",
    rack_ids: Collection[str] | None = None,
    part_of: PartOf | None = None,
) -> list[Page]:
    """The pages of these sections, numbered, the index first; none is drawn yet.

    `rack_ids` are the racks to draw, and the only ones whose switches have pages; all without it. `part_of` says what
    a cable is ordered by. Raises ExportError for an unknown section, and where there is nothing to draw.
    """
    for name in which:
        if name not in SECTIONS:
            raise ExportError(f"there are no sheets {name!r}: choose {', '.join(SECTIONS)}")
    if not design.devices and not design.racks:
        raise ExportError("the design is empty: there is nothing to draw")
    on = paper if paper is not None else paper_of()
    block = title_block if title_block is not None else title_block_of(design)
    book = _Book(design, on, themed(theme), rack_ids, part_of)
    return bound(book.drafts(which), on, block, themed(theme))


class _Book:
    """Collects the drafts of a set, section by section, and what its index lists."""

    def __init__(
        self, design: Design, paper: Paper, theme: Theme, rack_ids: Collection[str] | None, part_of: PartOf | None
    ) -> None:
        self._design, self._paper, self._theme, self._rack_ids = design, paper, theme, rack_ids
        self._cabling = Cabling(design, part_of)

    def drafts(self, which: Collection[str]) -> list[Draft]:
        """The drafts of these sections in the order of SECTIONS."""
        body = {name: list(getattr(self, f"_{name}")()) for name in SECTIONS[1:] if name in which}
        rest = [draft for name in SECTIONS[1:] for draft in body.get(name, ())]
        if "index" not in which:
            return rest
        seen: dict[str, Entry] = {}
        for one in rest:
            if one.subject:
                seen.setdefault(one.subject, Entry(one.title, one.subject))
        return [*contents.contents_drafts(self._design, list(seen.values()), self._paper, self._theme), *rest]

    def _chosen(self, rack_id: str | None) -> bool:
        return self._rack_ids is None or rack_id in self._rack_ids

    def _racks(self) -> Iterator[Draft]:
        for rack in racks.in_order(self._design):
            if self._chosen(rack.id):
                yield from racks.rack_drafts(self._cabling, rack, self._paper, self._theme)
        if self._rack_ids is None:
            yield from racks.unplaced_drafts(self._cabling, self._paper, self._theme)

    def _switches(self) -> Iterator[Draft]:
        for switch in switches.in_order(self._design):
            if self._chosen(self._cabling.place(switch.id).rack_id):
                yield from switches.switch_drafts(self._cabling, switch, self._paper, self._theme)

    def _cables(self) -> Iterator[Draft]:
        yield from contents.cable_drafts(self._design, self._paper, self._theme)
