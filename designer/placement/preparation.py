"""Preparing a hand-over: racks placed, cables routed and chosen in one edit, with its totals and what stays open."""

import math
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from operator import attrgetter

import numpy as np

from designer.model.design import Design
from designer.model.edit import Change, Edit, added, joined
from designer.model.entities import PICKED, Link, Rack
from designer.model.hardware.media import MediumType, is_built_in
from designer.model.hardware.types import HardwareType
from designer.model.records import ordered
from designer.placement import floor
from designer.placement.bunches import Bunches, in_bunches
from designer.placement.cable_lengths import NO_PLACE, NO_RACK, NO_TRAY, NO_UNIT, Routes, routed_lengths
from designer.placement.media import LENGTH_UNKNOWN, NO_PORT, Choices, Lengths, Reason, choices, known_lengths_m
from designer.units import format_count, format_counted, format_length

OPTIC = "transceiver"
NOT_ROUTED = ("its route is not calculated yet", "their routes are not calculated yet")
NONE_YET = "none selected yet"
CHOSEN_WITHOUT = (
    "another link of the same cage has a cable that was chosen without this one",
    "other links of the same cages have cables that were chosen without these",
)
SOURCES = (
    ("routed", "routed"),
    ("typed", "with a typed length"),
    ("rule", "with the default length"),
    ("", "with a length of unknown origin"),
)
"""Where lengths come from, and how totals put it."""
NO_LENGTH, NO_MEDIUM = "without a length", "without a cable"
MOUNT, PLACE, ROUTE, CHOOSE, NUMBER = "mount", "place", "route", "choose", "number"
"""What closes an open point: devices go into racks, racks onto the floor, lengths are calculated, cables are chosen and
numbered."""
CATALOG, REDRAW, DRAW_TRAY, STATE_NUMBER = "catalog", "redraw", "draw tray", "state number"
"""Or the catalog gets what it lacks, the link is drawn to another port, a tray to where the racks are, or the number of
a part is stated."""
_REMEDIES = {NO_RACK: MOUNT, NO_UNIT: MOUNT, NO_PLACE: PLACE, NO_TRAY: DRAW_TRAY, NOT_ROUTED: ROUTE}


@dataclass(frozen=True, slots=True)
class OpenPoint:
    """What links lack, and why. `reasons` are those of each link where the one for all sums up several."""

    what: str
    reason: str
    link_ids: tuple[str, ...]
    reasons: tuple[str, ...] = ()
    remedy: str = ""
    """What closes it: one of the words above; "" where another point has to be closed first."""

    @property
    def sentence(self) -> str:
        """ "16 links without a length: gpu-01 stands in no rack"."""
        return f"{format_counted(len(self.link_ids), 'link')} {self.what}: {self.reason}"


@dataclass(frozen=True, slots=True)
class Totals:
    """The cables whose length is known, each piece counted once; a piece of several links is as long as the longest."""

    n_cables: int
    length_m: float
    shortest_m: float
    longest_m: float
    by_source: tuple[tuple[str, int], ...]
    """How many cables have their length from where, as Link.length_source says it, where there are any."""
    by_model: tuple[tuple[str, int], ...]
    """How many links are joined by each kind of cable or optic, most first."""

    @property
    def sentence(self) -> str:
        """ "2,040 cables routed: 11,640 m, shortest 3.4 m, longest 8.5 m"; where not all are routed, how many are."""
        if not self.n_cables:
            return "no cables routed"
        sources = dict(self.by_source)
        all_routed = sources.get("routed", 0) == self.n_cables
        counts = (f"{format_count(sources[one])} {words}" for one, words in SOURCES if one in sources)
        return (
            f"{format_counted(self.n_cables, 'cable')}{' routed' if all_routed else ''}: {self.length_m:,.0f} m, "
            f"shortest {format_length(self.shortest_m)}, longest {format_length(self.longest_m)}"
            + ("" if all_routed else f" ({', '.join(counts)})")
        )

    @property
    def by_type(self) -> str:
        """ "48 links over MMA4Z00-NS, 16 links over MCP4Y10"; "" where no link has a cable."""
        return ", ".join(f"{format_counted(count, 'link')} over {model}" for model, count in self.by_model)


@dataclass(frozen=True, slots=True)
class Steps:
    """Which parts of the preparation are done."""

    place: bool = True
    route: bool = True
    choose: bool = True


NOTHING, LENGTHS, ALL = Steps(False, False, False), Steps(choose=False), Steps()

STEPS_OF = {"auto": ALL, "lengths": LENGTHS, "none": NOTHING}
"""What the choices of a generator's cables stand for."""


@dataclass(frozen=True, slots=True)
class Cabled:
    """Links with their lengths and media, in bunches that share cages."""

    links: list[Link]
    media: list[MediumType]
    """Those that the design does not have yet."""
    bunches: Bunches

    def totals(self, types: Mapping[str, HardwareType]) -> Totals:
        """The cables that have a length; `types` holds the media of the links. What is inside racks is none."""
        links = self.links
        known = {**types, **{one.id: one for one in self.media}}
        ids = Counter(link.medium_id for link in links)
        media = {one: medium for one in ids if isinstance(medium := known.get(one), MediumType)}
        inside = {one for one, medium in media.items() if medium.is_built_in}
        media = {one: medium for one, medium in media.items() if one not in inside}
        # Copper and active optical cables are one piece for all links of a bunch, fibers one for each link.
        whole = {one for one, medium in media.items() if medium.kind != OPTIC}
        piece = np.fromiter((link.medium_id in whole for link in links), dtype=bool, count=len(links))
        piece &= self.bunches.of_link >= 0
        lengths_m = known_lengths_m(links)
        lengths_m[[number for number, link in enumerate(links) if link.medium_id in inside]] = np.nan
        longest_m = np.full(self.bunches.n_bunches, -np.inf)
        piece_at = piece & np.isfinite(lengths_m)
        np.maximum.at(longest_m, self.bunches.of_link[piece_at], lengths_m[piece_at])
        # A piece of several links has its length from the link that is as long.
        numbers = {source: number for number, (source, _) in enumerate(SOURCES)}
        source = np.array([numbers.get(link.length_source, len(numbers) - 1) for link in links], dtype=np.int64)
        source_of = np.zeros(self.bunches.n_bunches, dtype=np.int64)
        as_long = piece_at.copy()
        as_long[piece_at] = lengths_m[piece_at] == longest_m[self.bunches.of_link[piece_at]]
        source_of[self.bunches.of_link[as_long]] = source[as_long]
        pieces_m = np.concatenate([lengths_m[~piece], longest_m])
        sources = np.concatenate([source[~piece], source_of])[np.isfinite(pieces_m)]
        pieces_m = pieces_m[np.isfinite(pieces_m)]
        by_source = np.bincount(sources, minlength=len(SOURCES)).tolist()
        models = [(media[one].model, count) for one, count in ids.items() if one in media]
        return Totals(
            n_cables=len(pieces_m),
            length_m=float(pieces_m.sum()),
            shortest_m=float(pieces_m.min()) if len(pieces_m) else 0.0,
            longest_m=float(pieces_m.max(initial=0.0)),
            by_source=tuple((one, n) for (one, _), n in zip(SOURCES, by_source, strict=True) if n),
            by_model=tuple(sorted(models, key=lambda row: (-row[1], row[0]))),
        )


@dataclass(frozen=True, slots=True)
class Preparation:
    """One edit, and what to report after it."""

    edit: Edit
    n_placed: int
    """Racks that got a place on the floor."""
    n_changed: int
    """Links that got another length or medium."""
    totals: Totals


def totals(design: Design, link_ids: Iterable[str] | None = None) -> Totals:
    """What the cables of the design, or of these links, add up to."""
    links = ordered(design.links) if link_ids is None else [design.links[one] for one in link_ids]
    return Cabled(links, [], in_bunches(design, links)).totals(design.types)


def prepare(design: Design, types: Mapping[str, HardwareType], steps: Steps = ALL) -> Preparation:
    """Racks without a place put on the floor, cables routed, and cables and optics chosen where none are.

    Racks on the floor, lengths typed by hand, and media picked by hand stay; a medium that is what the program chose
    for the length before counts as the program's, and follows the new length.
    """
    edits: list[Edit] = []
    made = design
    placed = floor.place_missing(design) if steps.place else Edit("", ())
    if placed:
        made = design.snapshot()
        made.apply(placed)
        edits.append(placed)
    links = ordered(made.links)
    after = cabled(made, links, types, steps, follow=chosen_by_program(design, types) if steps.choose else ())
    changed = [Change(one, new) for one, new in zip(links, after.links, strict=True) if one is not new]
    edits.append(Edit("Cables", (*added(after.media), *changed)))
    edit = joined("Prepare the hand-over", edits)
    return Preparation(edit, len(placed.changes), len(changed), after.totals(made.types))


def prepared_edit(design: Design, edit: Edit, types: Mapping[str, HardwareType], steps: Steps) -> Preparation:
    """An edit that adds a fabric, with its racks on the floor and its links cabled: still one edit."""
    links = [one.after for one in edit.changes if isinstance(one.after, Link)]
    has_racks = any(isinstance(one.after, Rack) for one in edit.changes)
    if not (steps.place or steps.route or steps.choose) or not has_racks:
        return Preparation(edit, 0, 0, Totals(0, 0.0, 0.0, 0.0, (), ()))
    made = design.snapshot()
    made.apply(Edit(edit.label, tuple(one for one in edit.changes if not isinstance(one.after, Link))))
    racks: dict[str, Rack] = {}
    if steps.place:
        new = {one.after.id for one in edit.changes if isinstance(one.after, Rack)}
        placed = floor.place_missing(made, new)
        made.apply(placed)
        racks = {one.after.id: one.after for one in placed.changes if isinstance(one.after, Rack)}
    after = cabled(made, links, types, steps)
    cabled_links = iter(after.links)
    changes = [_prepared(one, racks, cabled_links) for one in edit.changes]
    n_changed = sum(one is not new for one, new in zip(links, after.links, strict=True))
    return Preparation(
        Edit(edit.label, (*added(after.media), *changes)), len(racks), n_changed, after.totals(made.types)
    )


def _prepared(change: Change, racks: Mapping[str, Rack], links: Iterator[Link]) -> Change:
    """The change with its link, or rack, as prepared."""
    after = change.after
    if isinstance(after, Link):
        return Change(change.before, next(links))
    return Change(change.before, racks.get(after.id, after)) if isinstance(after, Rack) else change


def cabled(
    design: Design,
    links: Sequence[Link],
    types: Mapping[str, HardwareType],
    steps: Steps,
    *,
    follow: Collection[str] = (),
) -> Cabled:
    """The links with lengths and media; one that stays as it is, is the same record.

    The devices that the links join are in the design; the links themselves need not be. A medium that is set stays,
    unless the link is among those that `follow`.
    """
    lengths = routed_lengths(design, links) if steps.route else [(one.length_m, one.length_source) for one in links]
    media = [link.medium_id for link in links]
    new: dict[str, MediumType] = {}
    if steps.choose:
        lengths_m = np.array([math.nan if length_m is None else length_m for length_m, _ in lengths], dtype=np.float64)
        made = _choices(design, links, lengths_m, types)
        found = made.bunches
        chosen = made.medium.copy()
        chosen[list(found.with_any(link.medium_id != "" and link.id not in follow for link in links))] = -1
        names = [one.id for one in made.media]
        of_link = np.where(found.of_link >= 0, np.append(chosen, -1)[found.of_link], -1).tolist()
        media = [names[one] if one >= 0 else kept for one, kept in zip(of_link, media, strict=True)]
        used = (made.media[one] for one in np.unique(chosen[chosen >= 0]).tolist())
        new = {one.id: one for one in used if one.id not in design.types}
    else:
        found = in_bunches(design, links)
    after = [
        link
        if link.length_m == length_m and link.length_source == source and link.medium_id == medium_id
        else _cabled_link(link, medium_id, length_m, source)
        for link, (length_m, source), medium_id in zip(links, lengths, media, strict=True)
    ]
    return Cabled(after, list(new.values()), found)


_AS_IT_WAS = attrgetter(*[one.name for one in fields(Link)][8:])
"""All of a link after what a cable changes, in order: quicker than replace, for 100,000 of them."""


def _cabled_link(link: Link, medium_id: str, length_m: float | None, source: str) -> Link:
    """The link with this medium, which the program chose where it is another one, and this length."""
    chosen_by = link.medium_source if link.medium_id == medium_id else PICKED
    own = _AS_IT_WAS(link)
    return Link(link.id, link.a, link.b, medium_id, length_m, source, link.label, chosen_by, *own)


def cabled_like_neighbours(design: Design, links: Sequence[Link]) -> list[Link]:
    """New links of the design with lengths and media where the links beside them have them.

    A link beside one joins a device of its. A cage holds one kind of module, so a link takes the medium that its cage
    has; else what preparation chooses, of the media that the design has.
    """
    near = _links_beside(design, links)
    is_routed = any(one.length_source in ("routed", "rule") for one in near)
    steps = Steps(place=False, route=is_routed, choose=any(one.medium_id for one in near))
    made = cabled(design, links, design.types, steps).links
    if not steps.choose:
        return made
    return [_like_its_cage(design, one) for one in made]


def cabled_by_catalog(
    design: Design, links: Sequence[Link], types: Mapping[str, HardwareType]
) -> list[MediumType | Link]:
    """The same, of media in `types` too for links that no medium of the design fits; new media come first."""
    made = cabled_like_neighbours(design, links)
    if all(one.medium_id for one in made) or not any(one.medium_id for one in _links_beside(design, links)):
        return list(made)
    chosen = cabled(design, made, types, Steps(place=False, route=False))
    return [*chosen.media, *chosen.links]


def _links_beside(design: Design, links: Sequence[Link]) -> list[Link]:
    devices = dict.fromkeys(end.device_id for link in links for end in (link.a, link.b))
    return [one for device_id in devices for one in design.links_of(device_id)]


def _like_its_cage(design: Design, link: Link) -> Link:
    """The link with the medium of another link of the same cage, at either end, where there is one."""
    for end in (link.a, link.b):
        port, ports = design.port(end), design.port_map(end.device_id)
        for name, ids in design.used_ports(end.device_id).items():
            if port is not None and name in ports and ports[name].cage == port.cage:
                found = next((design.links[one] for one in ids if one != link.id), None)
                if found is not None and found.medium_id:
                    return replace(link, medium_id=found.medium_id, medium_source=found.medium_source)
    return link


def _choices(design: Design, links: Sequence[Link], lengths_m: Lengths, types: Mapping[str, HardwareType]) -> Choices:
    """Copper inside a rack, optics from rack to rack: as the published reference designs are built."""
    return choices(design, links, lengths_m, types, copper_between_racks=False)


def chosen_by_program(design: Design, types: Mapping[str, HardwareType]) -> frozenset[str]:
    """The links whose medium the program chose.

    Where the design does not say who did, as in older files, it is what the program chooses for the length as it
    stands, inside a rack or out of it. Where lengths of a bunch are unknown the program still chooses for all of its
    links: a medium that only some of them have was set by hand.
    """
    links = ordered(design.links)
    picked = frozenset(link.id for link in links if link.medium_source == PICKED and link.medium_id)
    if not any(link.medium_id and not link.medium_source for link in links):
        return picked
    lengths_m = known_lengths_m(links)
    both = [choices(design, links, lengths_m, types, copper_between_racks=copper) for copper in (False, True)]
    bunches = both[0].bunches
    by_hand = bunches.with_any(np.isnan(lengths_m)) & bunches.with_any(not link.medium_id for link in links)
    return picked | frozenset(
        link.id
        for number, link in enumerate(links)
        if link.medium_id
        and not link.medium_source
        and int(bunches.of_link[number]) not in by_hand
        and any((medium := made.of_link(number)) is not None and medium.id == link.medium_id for made in both)
    )


def open_points(design: Design, types: Mapping[str, HardwareType]) -> tuple[OpenPoint, ...]:
    """The links that have no length or no medium, by reason, in the order of the design."""
    links = [link for link in ordered(design.links) if not is_built_in(design.types, link.medium_id)]
    points = unrouted(design, [link for link in links if link.length_m is None])
    found: dict[Reason, list[str]] = {}
    if any(not link.medium_id for link in links):
        made = _choices(design, links, known_lengths_m(links), types)
        cabled_too = made.bunches.with_any(link.medium_id != "" for link in links)
        for number, link in enumerate(links):
            if not link.medium_id:
                found.setdefault(_why_no_medium(made, number, cabled_too), []).append(link.id)
    for (one, several), ids in found.items():
        reason = several if len(ids) > 1 else one
        remedy = _remedy_of_medium((one, several))
        points.append(OpenPoint(NO_MEDIUM, reason, tuple(ids), (one,) * len(ids), remedy))
    return tuple(points)


def unrouted(design: Design, links: Iterable[Link]) -> list[OpenPoint]:
    """Why links have no route: a point for each thing that may be missing, whatever number of them misses it."""
    routes = Routes(design)
    found: dict[tuple[str, str], list[tuple[str, str]]] = {}
    all_names: dict[tuple[str, str], dict[str, None]] = {}
    for link in links:
        missing = routes.all_missing(link)
        name, problem = missing[0] if missing else ("", NOT_ROUTED)
        found.setdefault(problem, []).append((link.id, name))
        all_names.setdefault(problem, {}).update((one, None) for one, how in missing if how == problem)
    points = []
    for (one, several), rows in found.items():
        names = list(all_names[one, several]) or [""]
        more = f" and {format_count(len(names) - 1)} more" if len(names) > 1 else ""
        # A device or rack is named, and one of them stays one for several links; a route is each link's own.
        plural = len(names) > 1 or (not names[0] and len(rows) > 1)
        reason = f"{names[0]}{more} {several if plural else one}"
        each = tuple(f"{name} {one}".strip() for _, name in rows)
        ids = tuple(link_id for link_id, _ in rows)
        points.append(OpenPoint(NO_LENGTH, reason.strip(), ids, each, _REMEDIES[one, several]))
    return points


def _why_no_medium(made: Choices, number: int, cabled_too: Collection[int]) -> Reason:
    """Why a link has none: nothing fits, nothing reaches, or nobody has chosen yet."""
    medium = made.of_link(number)
    if medium is None:
        return made.why_none(number)
    if int(made.bunches.of_link[number]) in cabled_too:
        return CHOSEN_WITHOUT
    return (f"{NONE_YET}; {medium.model} would do",) * 2


def _remedy_of_medium(reason: Reason) -> str:
    if reason in (LENGTH_UNKNOWN, NO_PORT):
        return REDRAW if reason == NO_PORT else ""
    return CHOOSE if reason == CHOSEN_WITHOUT or reason[0].startswith(NONE_YET) else CATALOG
