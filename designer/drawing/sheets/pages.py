"""The set of drawings of a design, page by page: listed at once, each drawn when it is asked for."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TypeVar

from designer.analysis.optical_parts import NO_PARTS, parts_known
from designer.analysis.tiers import servers_title, switches_title
from designer.catalog import catalog
from designer.drawing.colour_by import Status
from designer.drawing.colouring import Colouring
from designer.drawing.overlay import worst_by_subject
from designer.drawing.parts.room_document import Coloured
from designer.drawing.projection import Projection
from designer.drawing.sheets import contents, floor, racks, switches, topology
from designer.drawing.sheets.book import Draft, Page, bound
from designer.drawing.sheets.cables import Cabling
from designer.drawing.sheets.contents import Entry
from designer.drawing.sheets.listing import Listing, listing_drafts
from designer.drawing.sheets.paper import Paper, paper_of
from designer.drawing.sheets.title_block import TitleBlock, title_block_of
from designer.drawing.theme import Theme, themed
from designer.errors import ExportError
from designer.late import Late
from designer.model.design import Design

rules = Late("designer.validation.engine")

SECTIONS = {
    "index": "Index and legend",
    "revisions": "Revisions",
    "changes": "Changes",
    "open-points": "Open points",
    "cables": "Cables by number",
    "overview": "Topology",
    "units": "Units and groups",
    "racks": "Racks",
    "switches": "Switches",
    "floor": "Floor plan",
}
"""What a set is made of, in its order, with titles. Cables are looked up most: where they are is on the first page."""


_Subject = TypeVar("_Subject")


def _unheard(_share: float) -> None:
    """Progress that nobody listens to."""


def pages(
    design: Design,
    paper: Paper | None = None,
    which: Collection[str] = tuple(SECTIONS),
    title_block: TitleBlock | None = None,
    *,
    theme: Theme | str = "light",
    rack_ids: Collection[str] | None = None,
    listings: Mapping[str, Listing] = MappingProxyType({}),
    progress: Callable[[float], None] = _unheard,
) -> list[Page]:
    """The pages of these sections, numbered, the index first; none is drawn yet.

    `rack_ids` are the racks to draw, and the only ones whose switches have pages; all without it. `listings` are the
    tables of the sections that have one: revisions, changes since an earlier issue, open points. Raises ExportError for
    an unknown section, and where there is nothing to draw; `progress` may raise Cancelled.
    """
    for name in which:
        if name not in SECTIONS:
            raise ExportError(f"there are no sheets {name!r}: choose {', '.join(SECTIONS)}")
    if not design.devices and not design.racks:
        raise ExportError("the design is empty: there is nothing to draw")
    on = paper if paper is not None else paper_of()
    block = title_block if title_block is not None else title_block_of(design)
    book = _Book(design, on, block, themed(theme), rack_ids, listings, progress)
    drafts = book.drafts(which)
    if not drafts:
        raise ExportError(f"there is nothing to draw on these sheets: {', '.join(which)}")
    return bound(drafts, on, block, themed(theme), book.headings)


class _Book:
    """Collects the drafts of a set, section by section, and what its index lists."""

    def __init__(
        self,
        design: Design,
        paper: Paper,
        block: TitleBlock,
        theme: Theme,
        rack_ids: Collection[str] | None,
        listings: Mapping[str, Listing],
        progress: Callable[[float], None],
    ) -> None:
        self._listings, self._progress, self._block = listings, progress, block
        self._design, self._paper, self._theme, self._rack_ids = design, paper, theme, rack_ids
        is_chosen = any(link.medium_id for link in design.links.values())
        parts = parts_known(design, catalog.load().types) if is_chosen else NO_PARTS
        self._cabling = Cabling(design, parts)
        self._coloured = _coloured(design)
        self.headings = {**SECTIONS, switches.SECTION: switches_title(design)}
        if not design.racks:
            self.headings[racks.SECTION] = servers_title(design)
        self._with_pages: frozenset[str] = frozenset()
        """The switches that have pages of their own."""

    def drafts(self, which: Collection[str]) -> list[Draft]:
        """The drafts of these sections in the order of SECTIONS."""
        if switches.SECTION in which:
            self._with_pages = frozenset(one.id for one in self._design.switches())
        body = {name: list(self._section(name)) for name in SECTIONS if name in which and name != "index"}
        rest = [draft for drafts in body.values() for draft in drafts]
        if "index" not in which:
            return rest
        entries = [entry for name, drafts in body.items() for entry in _entries(self.headings[name], drafts)]
        lacking = self._listings.get("open-points") if body.get("open-points") else None
        warnings = [Entry(text) for text in (self._block.reason, self._block.findings) if text]
        if lacking is not None:
            warnings.append(Entry(lacking.summary, "open-points", lacking.is_fault))
        colours = self._coloured.of_devices(self._theme, self._design.devices)
        made = contents.contents_drafts(self._design, entries, self._paper, self._theme, warnings, colours)
        return [*made, *rest]

    def _section(self, name: str) -> Iterator[Draft]:
        if name in self._listings:
            return listing_drafts(self._listings[name], name, self._paper, self._theme)
        makers = {
            "overview": self._overview,
            "units": self._units,
            "racks": self._racks,
            "switches": self._switches,
            "floor": self._floor,
            "cables": self._cables,
        }
        return makers[name]() if name in makers else iter(())

    def _chosen(self, rack_id: str | None) -> bool:
        return self._rack_ids is None or rack_id in self._rack_ids

    def _overview(self) -> Iterator[Draft]:
        yield from topology.overview_drafts(self._design, self._paper, self._theme)

    def _units(self) -> Iterator[Draft]:
        yield from topology.unit_drafts(self._design, self._paper, self._theme)

    def _floor(self) -> Iterator[Draft]:
        yield from floor.floor_drafts(self._design, self._paper, self._theme, self._coloured)

    def _counted(self, subjects: Sequence[_Subject], start: float) -> Iterator[_Subject]:
        """The subjects one by one, half of the way being from `start` on."""
        for number, one in enumerate(subjects):
            self._progress(start + 0.5 * number / len(subjects))
            yield one

    def _racks(self) -> Iterator[Draft]:
        chosen = (one for one in self._counted(racks.in_order(self._design), 0.0) if self._chosen(one.id))
        yield from racks.rack_drafts(self._cabling, chosen, self._paper, self._theme, self._with_pages, self._coloured)
        if self._rack_ids is None:
            yield from racks.unplaced_drafts(self._cabling, self._paper, self._theme)

    def _switches(self) -> Iterator[Draft]:
        every = self._counted(switches.in_order(self._design), 0.5)
        chosen = (one for one in every if self._chosen(self._cabling.place(one.id).rack_id))
        yield from switches.switch_drafts(self._cabling, chosen, self._paper, self._theme)

    def _cables(self) -> Iterator[Draft]:
        design, chosen = self._design, self._rack_ids is not None
        links = (
            link
            for link in design.links.values()
            if not chosen or any(self._chosen(self._cabling.place(end.device_id).rack_id) for end in (link.a, link.b))
        )
        yield from contents.cable_drafts(links, self._paper, self._theme)


def _coloured(design: Design) -> Coloured:
    """What devices are colored by, as the design says."""
    colouring = Colouring(Projection(design))
    if colouring.needs_findings:
        colouring.show_status(Status(worst_by_subject(rules.validate(design).open)))
    return Coloured(colouring)


def _entries(title: str, drafts: Iterable[Draft]) -> Iterator[Entry]:
    """What the index lists of a section: its title over the names of its subjects."""
    found: dict[str, str] = {}
    for one in drafts:
        for subject, name in one.subjects:
            found.setdefault(subject, name)
    if found:
        yield Entry(title)
        yield from (Entry(name, subject) for subject, name in found.items())
