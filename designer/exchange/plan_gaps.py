"""What is open in the cable plan of a design: what ordering lacks, and what somebody has to decide, each by reason."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from designer.analysis.assumed_forms import AssumedForm
from designer.analysis.billing.kinds import CIRCUIT_FIBRE, KINDS
from designer.analysis.billing.lines import ASSUMED_FORM
from designer.analysis.cable_numbers import cable_name
from designer.analysis.optical_parts import OpticalParts, cage_facts, has_stock_lengths
from designer.analysis.part_names import model_name
from designer.analysis.parts import cable_ids, cabled_links, medium_of
from designer.analysis.survey import survey
from designer.exchange.cable_plan import ROUTED
from designer.exchange.plans.bought import BoughtParts
from designer.exchange.plans.part_gaps import unnumbered_parts
from designer.model.design import Design
from designer.model.entities import Link
from designer.model.hardware.media import MediumType
from designer.model.hardware.ports import Port
from designer.model.hardware.types import HardwareType
from designer.placement.preparation import (
    CATALOG,
    CHOOSE,
    MOUNT,
    NO_LENGTH,
    NUMBER,
    OPTIC,
    PLACE,
    ROUTE,
    STATE_NUMBER,
    open_points,
    unrouted,
)
from designer.placement.rack_contents import FLIP, of_unknown_port_side, port_side_point
from designer.units import all_of, format_count, format_counted

SHOWN = 8
"""Reasons that a message lists before the rest is counted."""

BY_PREPARING = frozenset((MOUNT, PLACE, ROUTE, CHOOSE, NUMBER))
"""Remedies of what preparing the design closes; devices outside racks get the default length, where there is one."""

ASSUMED = "; the default length is used"
NO_RESERVE, PORT_SIDE = "no reserve", "port side"
"""What nothing is missing for, and somebody has to decide: cables that are ordered just as long as was calculated, and
devices whose ports may be at the front or at the rear of their racks."""
ADD_SLACK = "add cable slack in Room > Room Dimensions and calculate the lengths again, or accept this"
CABLES_NAMED = 12
"""Cables that an open point names by number before the rest is counted."""


NO_TRANSCEIVER, NO_PART = "no transceiver", "no part number"
NO_NUMBER = "no cable number"

MISSING, UNNUMBERED, TO_BE_DECIDED = "Missing for ordering", "Missing for labels", "To be decided"
"""The kinds of open points: what nothing can be ordered without, what labels of cables cannot be printed without, and
what somebody has to choose."""
_Lack = tuple[str, str]
"""What is missing, and why."""
UNSETTLED = frozenset(("no length", "assumed length", "no cable", ASSUMED_FORM, NO_TRANSCEIVER))
"""Gaps whose links may be bought as other parts, or other numbers of them, once they are closed."""


@dataclass(frozen=True, slots=True)
class Gap:
    """What links or devices lack, and why, each in the order of the design."""

    what: str
    """"no length", "assumed length", "no cable", "assumed form factor", "no transceiver" or "no part number"; "no cable
    number" of what labels lack; "no reserve" or "port side" of what is to be decided."""
    reason: str
    links: tuple[str, ...]
    reasons: tuple[str, ...] = ()
    """Of each link where the one for all sums up several."""
    remedy: str = ""
    """What closes it, as OpenPoint.remedy."""
    devices: tuple[str, ...] = ()
    """Where it is of devices, not of links; racks, or devices with such a module, where it is of parts."""
    n_parts: int = 0
    """How many parts to order it is of; 0 where it is of links or devices."""
    part: str = ""
    """What such a part is, as a kind of the bill: "server", "rack"."""
    type_id: str = ""
    """Its type; "" where the catalog has none."""
    how: str = ""
    """What to do in the program where that is no command for such links: documents leave it out."""

    @property
    def kind(self) -> str:
        """MISSING, UNNUMBERED or TO_BE_DECIDED."""
        if self.what in (NO_RESERVE, PORT_SIDE):
            return TO_BE_DECIDED
        return UNNUMBERED if self.what == NO_NUMBER else MISSING

    @property
    def count(self) -> int:
        """How many links, devices or parts."""
        return self.n_parts or len(self.devices or self.links)

    @property
    def counted(self) -> str:
        """ "24 links", "44 devices" or "19 racks"."""
        if self.n_parts:
            return _of_parts(self.part, self.n_parts)
        return format_counted(self.count, "device" if self.devices else "link")

    @property
    def note(self) -> str:
        """What is missing and why, as "no length: ..."."""
        return f"{self.what}: {self.reason}"

    @property
    def advice(self) -> str:
        """Why, and what to do in the program."""
        return f"{self.reason}; {self.how}" if self.how else self.reason


@dataclass(frozen=True, slots=True)
class PlanGaps:
    """All open points of a plan, those that ordering waits for first; a link may have several."""

    gaps: tuple[Gap, ...]
    n_links: int
    """Links of the design that are cables."""

    @property
    def missing(self) -> tuple[Gap, ...]:
        """What ordering waits for."""
        return self.of_kind(MISSING)

    @property
    def undecided(self) -> tuple[Gap, ...]:
        """What is to be decided: nothing is missing for it."""
        return self.of_kind(TO_BE_DECIDED)

    def of_kind(self, *kinds: str) -> tuple[Gap, ...]:
        """The gaps of these kinds."""
        return tuple(gap for gap in self.gaps if gap.kind in kinds)

    @property
    def of_parts(self) -> tuple[Gap, ...]:
        """The parts other than those of links that have no number to order them by."""
        return tuple(gap for gap in self.gaps if gap.n_parts)

    @property
    def n_parts(self) -> int:
        """How many such parts there are."""
        return sum(gap.n_parts for gap in self.of_parts)

    @property
    def is_fault(self) -> bool:
        """Whether anything is missing; what is only to be decided is no fault."""
        return bool(self.of_kind(MISSING, UNNUMBERED))

    @property
    def _of_links(self) -> tuple[Gap, ...]:
        """What rows of a plan say of their links."""
        return tuple(gap for gap in self.of_kind(MISSING, UNNUMBERED) if not gap.n_parts)

    def by_link(self) -> dict[str, str]:
        """The notes of each link that lacks something."""
        notes: dict[str, list[str]] = {}
        for gap in self._of_links:
            for link_id, reason in zip(gap.links, gap.reasons or (gap.reason,) * len(gap.links), strict=True):
                notes.setdefault(link_id, []).append(f"{gap.what}: {reason}")
        open_links = {link_id for gap in self.gaps if gap.what in UNSETTLED for link_id in gap.links}
        return {
            link_id: f"{'preliminary: ' if link_id in open_links else ''}{'; '.join(stated)}"
            for link_id, stated in notes.items()
        }

    def in_short(self) -> dict[str, str]:
        """What each link lacks, without the reasons, as "no length, no cable": where a sheet says why.

        A point that is open at every link is left out: `at_all` has it.
        """
        lacking: dict[str, dict[str, None]] = {}
        for gap in self._of_links:
            for link_id in () if self._is_of_all(gap) else gap.links:
                lacking.setdefault(link_id, {})[gap.what] = None
        return {link_id: ", ".join(stated) for link_id, stated in lacking.items()}

    @property
    def at_all(self) -> str:
        """What every link lacks for the same reason, as "assumed length"; "" where they differ."""
        return ", ".join(dict.fromkeys(gap.what for gap in self._of_links if self._is_of_all(gap)))

    def _is_of_all(self, gap: Gap) -> bool:
        return len(set(gap.links)) == self.n_links

    @property
    def n_open(self) -> int:
        """Links that lack something to be ordered."""
        return len({link_id for gap in self.missing for link_id in gap.links})

    @property
    def can_be_prepared(self) -> bool:
        """Whether preparing the design closes any of them."""
        return any(gap.remedy in BY_PREPARING for gap in self.gaps)

    @property
    def headline(self) -> str:
        """ "24 of 384 links lack what ordering needs", else "384 of 384 links have no cable number"; "" of neither."""
        return self._of_all_links(self.n_open, "lack", "what ordering needs") or self._of_all_links(
            self.n_unnumbered, "have", NO_NUMBER
        )

    @property
    def n_unnumbered(self) -> int:
        """Links whose cables have no number for their labels."""
        return len({link_id for gap in self.of_kind(UNNUMBERED) for link_id in gap.links})

    def _of_all_links(self, count: int, verb: str, what: str) -> str:
        stated = {"lack": "lacks", "have": "has"}[verb] if count == 1 else verb
        return f"{format_count(count)} of {format_counted(self.n_links, 'link')} {stated} {what}" if count else ""

    @property
    def counts(self) -> str:
        """ "missing for ordering: 24 links, 107 parts; to be decided: 2 points"; "" where nothing is open."""
        lacking = [
            format_counted(count, word) for count, word in ((self.n_open, "link"), (self.n_parts, "part")) if count
        ]
        missing = f"missing for ordering: {', '.join(lacking)}" if lacking else ""
        labels = f"missing for labels: {format_counted(self.n_unnumbered, 'link')}" if self.n_unnumbered else ""
        decide = f"to be decided: {format_counted(len(self.undecided), 'point')}" if self.undecided else ""
        return "; ".join(filter(None, (missing, labels, decide)))

    @property
    def statement(self) -> str:
        """ "64 servers and 19 racks have no part number. To be decided: port side of 83 devices"; "" of nothing open.

        Of the links that lack something, or have no cable number, it has how many they are. Where something is only to
        be decided, it begins with that nothing is missing for ordering.
        """
        lacking = self._of_all_links(self.n_open, "lack", "what ordering needs")
        numbers = self._of_all_links(self.n_unnumbered, "have", NO_NUMBER)
        stated = [one for one in (lacking, self._parts_lack, numbers) if one]
        if self.undecided:
            stated = [*(stated or ["Nothing is missing for ordering"]), f"To be decided: {self._to_decide}"]
        return ". ".join(stated)

    @property
    def _parts_lack(self) -> str:
        """ "64 servers, 24 switches and 19 racks have no part number"; "" where all have one."""
        verb = "has" if self.n_parts == 1 else "have"
        return f"{all_of(self._parts_counted)} {verb} {NO_PART}" if self.of_parts else ""

    @property
    def _parts_counted(self) -> list[str]:
        counts: Counter[str] = Counter()
        for gap in self.of_parts:
            counts[gap.part] += gap.n_parts
        return [_of_parts(part, count) for part, count in counts.items()]

    @property
    def _to_decide(self) -> str:
        stated = [
            f"port side of {gap.counted}" if gap.devices else f"{gap.counted} with {gap.what}" for gap in self.undecided
        ]
        return ", ".join(stated)

    @property
    def summary(self) -> str:
        """ "8 links without a length, 46 without a part number; to be decided: port side of 44 devices", or ""."""
        parts = f"{all_of(self._parts_counted)} {_lacking(NO_PART)}" if self.of_parts else ""
        decide = f"to be decided: {self._to_decide}" if self.undecided else ""
        return "; ".join(filter(None, (self._lacking, parts, decide)))

    @property
    def _lacking(self) -> str:
        links: dict[str, set[str]] = {}
        for gap in self._of_links:
            links.setdefault(gap.what, set()).update(gap.links)
        stated = [f"{format_count(len(ids))} {_lacking(what)}" for what, ids in links.items()]
        if not stated:
            return ""
        what, ids = next(iter(links.items()))
        return ", ".join([f"{format_counted(len(ids), 'link')} {_lacking(what)}", *stated[1:]])

    def lines(self) -> list[str]:
        """ "8 links: no length: gpu-01 stands in no rack", the reasons that a message has room for."""
        of_links = self._of_links
        shown = [f"{gap.counted}: {gap.what}: {gap.advice}" for gap in of_links[:SHOWN]]
        more = len(of_links) - SHOWN
        return [*shown, f"{format_counted(more, 'more reason')}"] if more > 0 else shown


def _lacking(what: str) -> str:
    return f"without a {what.removeprefix('no ')}" if what.startswith("no ") else f"with an {what}"


def _of_parts(part: str, count: int) -> str:
    """ "64 servers" of a kind of the bill."""
    word = "second fiber" if part == CIRCUIT_FIBRE else KINDS[part]
    return format_counted(count, word if word.isupper() else word.lower())


def plan_gaps(design: Design, types: Mapping[str, HardwareType], parts: OpticalParts) -> PlanGaps:
    """Every gap of the design's cable plan. `types` are what cables are chosen from, `parts` what optics go with."""
    gaps = [
        Gap(
            "no length" if point.what == NO_LENGTH else "no cable",
            point.reason,
            point.link_ids,
            point.reasons,
            point.remedy,
        )
        for point in open_points(design, types)
    ]
    missing = (
        *gaps,
        *_assumed(design),
        *_assumed_forms(design, parts),
        *_part_numbers(design, parts),
        *_numbers(design),
        *_unnumbered_parts(design),
    )
    return PlanGaps((*missing, *_port_sides(design), *without_reserve(design, parts)), len(cabled_links(design)))


def _port_sides(design: Design) -> list[Gap]:
    """The devices in racks whose ports may be at the front or at the rear."""
    found = of_unknown_port_side(design)
    return [Gap(PORT_SIDE, port_side_point(design), (), devices=found, how=FLIP)] if found else []


def without_reserve(design: Design, parts: OpticalParts) -> list[Gap]:
    """Routed cables that are ordered just as long as was calculated; none where all are longer."""
    bought = BoughtParts(parts)
    tight = [link for link in cabled_links(design) if link.length_source == ROUTED and _is_tight(design, link, bought)]
    if not tight:
        return []
    pieces = cable_ids(survey(design).runs, design.types)
    cables = list({pieces[link.id]: cable_name(link.cable) for link in reversed(tight)}.values())[::-1]
    named = [name for name in cables if name]
    more = f" and {format_count(len(named) - CABLES_NAMED)} more" if len(named) > CABLES_NAMED else ""
    stated = f": {', '.join(named[:CABLES_NAMED])}{more}" if named else ""
    are = f"{format_counted(len(cables), 'cable')} {'is' if len(cables) == 1 else 'are'}"
    reason = f"{are} ordered exactly as long as calculated{stated}"
    return [Gap(NO_RESERVE, reason, tuple(link.id for link in tight), how=ADD_SLACK)]


def _is_tight(design: Design, link: Link, bought: BoughtParts) -> bool:
    found = bought.of(link, medium_of(design, link), design.port(link.a), design.port(link.b))
    return found.order_length_m is not None and found.order_length_m == link.length_m


def _assumed(design: Design) -> list[Gap]:
    """Links that are as long as the design's default: what is ordered by that may be too short, or far too long."""
    links = [link for link in cabled_links(design) if link.length_m is not None and link.length_source == "rule"]
    found = []
    for point in unrouted(design, links):
        reasons = tuple(f"{one}{ASSUMED}" for one in point.reasons)
        found.append(Gap("assumed length", f"{point.reason}{ASSUMED}", point.link_ids, reasons, point.remedy))
    return found


def _assumed_forms(design: Design, parts: OpticalParts) -> list[Gap]:
    """Links at ports whose form factor is assumed, one gap for each kind of port: cables and modules alike."""
    found: dict[AssumedForm, list[str]] = {}
    for link in cabled_links(design) if parts.assumed else ():
        if isinstance(design.types.get(link.medium_id), MediumType):
            ports = (design.port(end) for end in (link.a, link.b))
            for one in dict.fromkeys(parts.assumption(port) for port in ports if port is not None):
                if one is not None:
                    found.setdefault(one, []).append(link.id)
    return [Gap(ASSUMED_FORM, one.reason, tuple(ids), remedy=CATALOG) for one, ids in found.items()]


def _numbers(design: Design) -> list[Gap]:
    """Links whose cable has no number yet: one that was drawn since numbers were given."""
    found = tuple(link.id for link in cabled_links(design) if not link.cable)
    how = "preparing the design gives one"
    return [Gap(NO_NUMBER, "none given yet", found, remedy=NUMBER, how=how)] if found else []


def _part_numbers(design: Design, parts: OpticalParts) -> list[Gap]:
    """Links with a cable, a fiber or a module that no part number is known for."""
    found: dict[_Lack, list[str]] = {}
    seen: dict[tuple[object, ...], tuple[_Lack, ...]] = {}
    for link in cabled_links(design):
        medium = design.types.get(link.medium_id)
        if not isinstance(medium, MediumType):
            continue
        ports = [design.port(end) for end in (link.a, link.b)]
        key = (medium.id, link.length_m, *map(_kind, ports))
        if key not in seen:
            stated = _optics(medium, link.length_m, ports, parts) if medium.kind == OPTIC else []
            stated += _unordered(medium if medium.kind != OPTIC else parts.fibre(medium, link.length_m), link.length_m)
            seen[key] = tuple(dict.fromkeys(stated))
        for lack in seen[key]:
            found.setdefault(lack, []).append(link.id)
    return [Gap(what, reason, tuple(ids), remedy=CATALOG) for (what, reason), ids in found.items()]


def _unnumbered_parts(design: Design) -> Iterator[Gap]:
    """What the bill orders besides the parts of links, and has no number to order it by: a gap for each line."""
    for item, where in unnumbered_parts(design):
        what = item.description if not item.model else ""
        reason = f"{what}: {item.gap}" if what else f"none is known for {item.model}"
        remedy = STATE_NUMBER if item.type_id in design.types else CATALOG if item.type_id else ""
        yield Gap(NO_PART, reason, (), (), remedy, where, item.ordered_apart, item.kind, item.type_id)


def _unordered(piece: MediumType | None, length_m: float | None) -> list[_Lack]:
    """Why a cable or fiber has no number to order it by; nothing where it has one."""
    if piece is None or length_m is None or piece.part(length_m) is not None:
        return []
    if piece.parts:
        return [(NO_PART, f"none is known for {model_name(piece)} at {length_m:g} m")]
    rounded = "" if has_stock_lengths(piece) else ", nor a stock length: ordered by the length needed, rounded up"
    return [(NO_PART, f"none is known for {model_name(piece)}{rounded}")]


def _optics(
    optic: MediumType, length_m: float | None, ports: Sequence[Port | None], parts: OpticalParts
) -> list[_Lack]:
    """Which of the fiber and the modules opposite is not known, or not the only one."""
    stated = []
    if length_m is not None and parts.fibre(optic, length_m) is None:
        stated.append((NO_PART, f"the catalog has no fiber for {model_name(optic)} that is known to reach that far"))
    for port, far in zip(ports, reversed(ports), strict=True):
        if port is not None:
            module = parts.at(port, optic, length_m)
            if module is None:
                stated.append((NO_TRANSCEIVER, parts.no_module(port, optic, far)))
            elif parts.part_in(port, module) is None:
                stated.append((NO_PART, f"none is known for {model_name(module)}"))
    return stated


def _kind(port: Port | None) -> tuple[object, ...] | None:
    return None if port is None else cage_facts(port)
