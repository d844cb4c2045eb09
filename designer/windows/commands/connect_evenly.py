"""Connect Evenly: tiers joined with as many links for each pair, in the port modes that are chosen, with a preview."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise, product

from designer.analysis.tiers import server_word
from designer.errors import DesignerError, NoFreePortError, ParameterError, PortError, PortMismatchError
from designer.late import Late
from designer.model import operations
from designer.model.design import Design
from designer.model.drawn_tiers import Which, network_nics, roles_above
from designer.model.edit import Change, Edit
from designer.model.entities import Link, Module
from designer.model.networks import COMPUTE, network_of_switch
from designer.model.port_modes import all_in_mode, modes_of_all
from designer.model.wiring import links_between
from designer.session.session import Session
from designer.units import all_of, format_count, format_counted, format_ratio
from designer.windows.commands.arrange_commands import selected_devices, split_in_tiers
from designer.windows.shell.construction_bar import Choices, Construction, Option

even = Late("designer.analysis.even_uplinks")

UPPER, LOWER, SPREAD = "upper_mode", "lower_mode", "spread"
MOST_NAMED = 3
"""Devices of a side that a refusal names before the rest is counted."""
AS_THEY_ARE = ("", "as they are")


def _tiers(session: Session) -> list[list[str]]:
    """The tiers that are selected, from below, where there are three or more; else []."""
    tiers: list[list[str]] = even.tiers_of(session.design, selected_devices(session))
    return tiers if len(tiers) > 2 else []


def _two_tiers(session: Session) -> bool:
    return not _tiers(session)


def _halves(session: Session) -> tuple[list[str], list[str]]:
    """What is selected below and above. Raises ParameterError where it is not two kinds of devices."""
    halves = split_in_tiers(session)
    if halves is None:
        raise ParameterError(
            "select two kinds of devices, such as leaf and spine switches, or servers and leaf switches"
        )
    lower, upper = halves
    return lower, upper


def _evenly(session: Session, choices: Choices) -> Edit:
    if tiers := _tiers(session):
        edit: Edit = even.connect_tiers(session.design, tiers)[0]
        return edit
    lower, upper = _halves(session)
    design, modes = _in_modes(session, choices)
    try:
        try:
            links = _links(session, design, choices)
        except NoFreePortError:
            # What a server has may be too little: other slots are free for more.
            design, modes = _in_modes(session, choices, lambda _server, _slot: True)
            links = _links(session, design, choices)
    except PortMismatchError as error:
        way_out = remedy(design, ("below", lower), ("above", upper))
        raise ParameterError(f"{error}{way_out}{_tried(session, lower, upper)}") from None
    except PortError as error:
        raise ParameterError(f"{error}{_tried(session, lower, upper)}") from None
    made = [change.after for change in links.changes if isinstance(change.after, Link)]
    ends = ((end, design.port(end)) for link in made for end in (link.a, link.b))
    used = {(end.device_id, port.slot) for end, port in ends if port is not None}
    nics = _network_nics(session, lambda *place: place in used)
    return Edit(links.label, (*modes, *nics.changes, *links.changes, *roles_above(design, lower, upper)))


def _links(session: Session, design: Design, choices: Choices) -> Edit:
    """The links alone, in a design with the modes and NICs that they take. Raises PortError, ParameterError."""
    lower, upper = _halves(session)
    if choices[SPREAD] and _is_uneven(session):
        return operations.spread_links(design, lower, upper)
    return operations.complete_evenly(design, lower, upper, choices["per_pair"])


def _tried(session: Session, lower: Sequence[str], upper: Sequence[str]) -> str:
    """ "; gpu01 and gpu02 were to be linked to lf01 and sts01": which are the sides, where one is of several kinds."""
    design = session.design
    sides = []
    for ids in (lower, upper):
        devices = [design.device(one) for one in ids]
        kinds = {
            (design.is_server(one.id), one.role, design.is_switch(one.id) and network_of_switch(one)) for one in devices
        }
        named = [one.name for one in devices]
        rest = len(named) - MOST_NAMED
        words = all_of(named) if rest <= 1 else all_of([*named[:MOST_NAMED], f"{format_count(rest)} others"])
        sides.append((words, len(kinds) > 1))
    if not any(is_mixed for _, is_mixed in sides):
        return ""
    return f"; {sides[0][0]} were to be linked to {sides[1][0]}: select devices of one kind for each side"


def _in_modes(session: Session, choices: Choices, which: Which | None = None) -> tuple[Design, list[Change]]:
    """The design with its ports in the modes that are chosen and NICs for links, and what the modes change."""
    lower, upper = _halves(session)
    design, changes = in_modes(session, choices, {UPPER: upper, LOWER: lower})
    design.apply(_network_nics(session, which))
    return design, changes


def in_modes(session: Session, choices: Choices, ids_of: Mapping[str, Sequence[str]]) -> tuple[Design, list[Change]]:
    """The design with devices in the modes that are chosen, and what that changes; `ids_of` are by name of the option.

    Cages with links to any other device keep theirs. Raises DesignerError.
    """
    design, changes = session.design.snapshot(), list[Change]()
    among = {one for ids in ids_of.values() for one in ids}
    for name, ids in ids_of.items():
        if mode := choices.get(name):
            edit = all_in_mode(design, ids, mode, among)
            design.apply(edit)
            changes += edit.changes
    return design, changes


def remedy(design: Design, lower: tuple[str, Sequence[str]], upper: tuple[str, Sequence[str]]) -> str:
    """Which mode of either side, of a title and devices, would join them, as the end of a sentence; "" for none."""
    for title, ids in (upper, lower):
        for mode in modes_of_all(design, ids):
            after = design.snapshot()
            try:
                after.apply(all_in_mode(design, ids[:1], mode))
                operations.connect_devices(after, lower[1][0], upper[1][0])
            except DesignerError:
                continue
            return f"; {mode}, as the ports {title} are, would fit"
    return ""


def _half(place: int) -> Callable[[Session], Sequence[str]]:
    """The devices below (0) or above (1), of two tiers."""

    def half(session: Session) -> Sequence[str]:
        halves = split_in_tiers(session) if _two_tiers(session) else None
        return halves[place] if halves is not None else ()

    return half


def mode_of(name: str, title: str, ids_of: Callable[[Session], Sequence[str]]) -> Option:
    """The choice of a port mode for devices, of those that they all have; at first they are left as they are."""

    def offered(session: Session) -> tuple[tuple[str, str], ...]:
        modes = modes_of_all(session.design, ids_of(session))
        return (AS_THEY_ARE, *((mode, mode) for mode in modes))

    return Option(
        name,
        title,
        "choice",
        shown=lambda session: len(offered(session)) > 1,
        hint="How the cages are split; those with links to other devices keep their mode",
        offered=offered,
    )


def _network_nics(session: Session, which: Which | None) -> Edit:
    """The NICs that the servers below lack for the network of the switches above, those of them that are wanted."""
    lower, upper = split_in_tiers(session) or ([], [])
    servers = [one for one in lower if session.design.is_server(one)]
    return network_nics(session.design, servers, upper, session.catalog.types.get, which)


def _links_for_what_is_below(session: Session, picked: Choices) -> int | None:
    """Links per pair in all: for 1:1 with what is below, and as many as the pair with the most has.

    So it is in the port modes that are picked. None where there is nothing below and no link yet, or there are fewer
    ports than that.
    """
    halves = split_in_tiers(session)
    if halves is None:
        return None
    try:
        design, _ = _in_modes(session, picked)
    except DesignerError:  # stated where it is previewed
        return None
    uplinks = even.even_uplinks(design, *halves)
    if uplinks is None:
        return _made_even(design, *halves)
    try:
        operations.complete_evenly(design, *halves, uplinks.links_per_pair)
    except PortError:
        return None
    except ParameterError:
        pass  # all pairs have as many already: that is said where it is proposed
    return int(uplinks.links_per_pair)


def _is_uneven(session: Session) -> bool:
    """Whether some pairs of the two tiers that are selected have more links than others."""
    halves = split_in_tiers(session) if _two_tiers(session) else None
    return halves is not None and _made_even(session.design, *halves) is not None


def _made_even(design: Design, lower: list[str], upper: list[str]) -> int | None:
    """As many links per pair as the pair with the most has, where others have fewer; None where all have as many."""
    counts = _counts(design, lower, upper)
    return max(counts) if max(counts) > min(counts) else None


def _counts(design: Design, lower: list[str], upper: list[str]) -> list[int]:
    """The links of each pair."""
    there = links_between(design, [*lower, *upper])
    return [there.get(frozenset(pair), 0) for pair in product(lower, upper)]


def _tiers_note(session: Session, tiers: list[list[str]]) -> str:
    """ "Links per pair: 2 from servers to leaf switches, 8 from leaf switches to spine switches."."""
    roles = [session.design.device(tier[0]).role for tier in tiers]
    servers = f"{server_word(session.design, tiers[0])}s"
    words = [f"{role} switches" if role else servers for role in roles]
    _, per_pair = even.connect_tiers(session.design, tiers)
    parts = [f"{n} from {low} to {high}" for n, (low, high) in zip(per_pair, pairwise(words), strict=True) if n]
    return f"Links per pair: {', '.join(parts)}."


def _evenly_note(session: Session, choices: Choices) -> str:
    if tiers := _tiers(session):
        return _tiers_note(session, tiers)
    lower, upper = _halves(session)
    n_there = sum(_counts(session.design, lower, upper))
    after = session.design.snapshot()
    edit = _evenly(session, choices)
    after.apply(edit)
    if choices[SPREAD] and _is_uneven(session):
        there = f"{_span(_counts(after, lower, upper))} links per pair."
    elif n_there:
        there = f"Counts the {'existing link' if n_there == 1 else f'{format_count(n_there)} existing links'}."
    else:
        there = ""
    return " ".join(filter(None, (there, _nics_text(session, edit), _ratio_text(after, lower, upper))))


def _span(counts: Sequence[int]) -> str:
    """ "5", "5 or 6", "5 to 8"."""
    least, most = min(counts), max(counts)
    between = " or " if most == least + 1 else " to "
    return between.join(format_count(one) for one in sorted({least, most}))


def _nics_text(session: Session, edit: Edit) -> str:
    """ "New in each of 8 servers: 2 × ConnectX-7, two ports."; "" where none is installed."""
    models: dict[str, Counter[str]] = {}
    for change in edit.changes:
        if isinstance(change.after, Module) and change.before is None:
            own = models.setdefault(change.after.device_id, Counter())
            own[session.catalog.types[change.after.type_id].model] += 1
    if not models:
        return ""
    alike = len(models) > 1 and all(one == next(iter(models.values())) for one in models.values())
    counts = next(iter(models.values())) if alike else sum(models.values(), Counter[str]())
    where = f"{'each of ' if alike else ''}{format_counted(len(models), server_word(session.design, models))}"
    return f"New in {where}: {' and '.join(f'{format_count(n)} × {model}' for model, n in sorted(counts.items()))}."


def _ratio_text(after: Design, lower: list[str], upper: list[str]) -> str:
    """ "Oversubscription 1:1.": how much of what is below the links of switches carry; "" with nothing below."""
    if not all(map(after.is_switch, lower)) or not _all_compute(after, [*lower, *upper]):
        return ""
    ratio = even.worst_ratio(after, lower, upper)
    return f"Oversubscription {format_ratio(ratio)}." if ratio else ""


def _all_compute(design: Design, switch_ids: list[str]) -> bool:
    """Whether the capacity of links among these is of interest, as it is not of management."""
    return all(network_of_switch(design.device(one)) == COMPUTE for one in switch_ids)


CONNECT_EVENLY = Construction(
    "link.connect_evenly",
    "Connect Evenly",
    _evenly,
    (
        Option(
            "per_pair",
            "Links per pair",
            "count",
            shown=_two_tiers,
            unless=SPREAD,
            hint="In all, with the links that are there; leave empty for as many as the free ports allow",
            proposed=_links_for_what_is_below,
        ),
        Option(
            SPREAD,
            "Move the links there are",
            "flag",
            False,
            shown=_is_uneven,
            hint="Add none: lead links from pairs that have more to those that have fewer",
        ),
        mode_of(UPPER, "Ports above", _half(1)),
        mode_of(LOWER, "Ports below", _half(0)),
    ),
    _evenly_note,
)
