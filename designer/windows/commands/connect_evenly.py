"""Connect Evenly: tiers joined with as many links for each pair, in the port modes that are chosen, with a preview."""

from collections.abc import Callable, Sequence
from itertools import pairwise, product
from typing import Any

from designer.errors import DesignerError, ParameterError, PortError, PortMismatchError
from designer.late import Late
from designer.model import operations
from designer.model.budgets import Budget, PortBudgets
from designer.model.design import Design
from designer.model.drawn_tiers import network_nics, roles_above
from designer.model.edit import Change, Edit
from designer.model.entities import Module
from designer.model.networks import COMPUTE, network_of_switch
from designer.model.port_modes import all_in_mode, modes_of_all
from designer.model.wiring import links_between
from designer.session.session import Session
from designer.units import format_count, format_counted, format_rate, format_ratio
from designer.windows.commands.arrange_commands import selected_devices, split_in_tiers
from designer.windows.shell.construction_bar import Choices, Construction, Option

even = Late("designer.analysis.even_uplinks")

UPPER, LOWER, SPREAD = "upper_mode", "lower_mode", "spread"
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
    design, changes = session.design.snapshot(), list[Change]()
    modes = [(ids, choices[which]) for which, ids in ((UPPER, upper), (LOWER, lower)) if choices[which]]
    for edit in (*(all_in_mode(design, ids, mode) for ids, mode in modes), _network_nics(session)):
        design.apply(edit)
        changes += edit.changes
    try:
        if choices[SPREAD] and _is_uneven(session):
            links = operations.spread_links(design, lower, upper)
        else:
            links = operations.complete_evenly(design, lower, upper, choices["per_pair"])
    except PortMismatchError as error:
        raise ParameterError(f"{error}{_remedy(design, lower, upper)}") from None
    return Edit(links.label, (*changes, *links.changes, *roles_above(design, lower, upper)))


def _remedy(design: Design, lower: Sequence[str], upper: Sequence[str]) -> str:
    """Which mode of either side would join them, as the end of a sentence; "" for none."""
    for title, ids in (("above", upper), ("below", lower)):
        for mode in modes_of_all(design, ids):
            after = design.snapshot()
            try:
                after.apply(all_in_mode(design, ids[:1], mode))
                operations.connect_devices(after, lower[0], upper[0])
            except DesignerError:
                continue
            return f"; {mode} as the ports {title} would fit"
    return ""


def _offered(place: int) -> Callable[[Session], tuple[tuple[str, str], ...]]:
    """The modes of the devices below (0) or above (1), after the one that leaves them as they are."""

    def offer(session: Session) -> tuple[tuple[str, str], ...]:
        halves = split_in_tiers(session) if _two_tiers(session) else None
        modes = modes_of_all(session.design, halves[place]) if halves is not None else ()
        return (AS_THEY_ARE, *((mode, mode) for mode in modes))

    return offer


def _mode_of(name: str, title: str, place: int) -> Option:
    offered = _offered(place)
    return Option(
        name,
        title,
        "choice",
        shown=lambda session: len(offered(session)) > 1,
        hint="How the cages are split; links that there are stay where the mode has room for them",
        offered=offered,
    )


def _network_nics(session: Session) -> Edit:
    """The NICs that the servers below lack for the network of the switches above."""
    lower, upper = split_in_tiers(session) or ([], [])
    servers = [one for one in lower if session.design.is_server(one)]
    return network_nics(session.design, servers, upper, session.catalog.types.get)


def _uplinks(session: Session) -> Any:
    """What links from the lower switches chosen up to the others would have to carry: EvenUplinks or None."""
    halves = split_in_tiers(session)
    return even.even_uplinks(session.design, *halves) if halves is not None else None


def _links_for_what_is_below(session: Session) -> int | None:
    """Links per pair in all: for 1:1 with what is below, and as many as the pair with the most has.

    None where there is nothing below and no link yet, or there are fewer ports than that.
    """
    uplinks, halves = _uplinks(session), split_in_tiers(session)
    if halves is None:
        return None
    if uplinks is None:
        return _made_even(session.design, *halves)
    try:
        operations.complete_evenly(session.design, *halves, uplinks.links_per_pair)
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
    there = links_between(design, [*lower, *upper])
    counts = [there.get(frozenset(pair), 0) for pair in product(lower, upper)]
    return max(counts) if max(counts) > min(counts) else None


def _tiers_note(session: Session, tiers: list[list[str]]) -> str:
    """ "Links per pair: 2 from servers to leaf switches, 8 from leaf switches to spine switches."."""
    roles = [session.design.device(tier[0]).role for tier in tiers]
    words = [f"{role} switches" if role else "servers" for role in roles]
    _, per_pair = even.connect_tiers(session.design, tiers)
    parts = [f"{n} from {low} to {high}" for n, (low, high) in zip(per_pair, pairwise(words), strict=True) if n]
    return f"Links per pair: {', '.join(parts)}."


def _evenly_note(session: Session, choices: Choices) -> str:
    if tiers := _tiers(session):
        return _tiers_note(session, tiers)
    edit, (lower, upper) = _evenly(session, choices), _halves(session)
    left = _ports_left(session, edit, lower, upper) if choices[UPPER] or choices[LOWER] else ""
    n_there = sum(links_between(session.design, pair).get(frozenset(pair), 0) for pair in product(lower, upper))
    there = f"Counts the {format_counted(n_there, 'link')} there." if n_there else ""
    return " ".join(filter(None, (there, _what_for(session, edit, lower, upper), left)))


def _what_for(session: Session, edit: Edit, lower: list[str], upper: list[str]) -> str:
    """The NICs that are installed, or how much of what is below the links carry."""
    installed = [one.after for one in _network_nics(session).changes if isinstance(one.after, Module)]
    if installed:
        types = sorted({session.catalog.types[one.type_id].model for one in installed})
        n_servers = len({one.device_id for one in installed})
        return f"Installs {' and '.join(types)} in {format_counted(n_servers, 'server')}."
    uplinks = _uplinks(session)
    if uplinks is None or not _all_compute(session.design, [*lower, *upper]):
        return ""
    after = session.design.snapshot()
    after.apply(edit)
    ratio = even.worst_ratio(after, lower, upper)
    return f"{format_ratio(ratio)} from below to above." if ratio is not None else ""


def _ports_left(session: Session, edit: Edit, lower: list[str], upper: list[str]) -> str:
    """ "Ports left: 8 of 64 at 400G on each device above, 0 of 8 at 400G on each below."."""
    after = session.design.snapshot()
    after.apply(edit)
    above, below = (
        _left_text([budget for one in ids if (budget := PortBudgets(after, others).of(one)) is not None])
        for ids, others in ((upper, lower[:1]), (lower, upper[:1]))
    )
    return f"Ports left: {above} on each device above, {below} on each below."


def _left_text(budgets: Sequence[Budget]) -> str:
    """ "8 of 64 at 400G", "0 to 8 of 64"; without the total where it differs."""
    free, total, rates = ({getattr(one, name) for one in budgets} for name in ("free", "total", "rate_gbps"))
    text = " to ".join(format_count(one) for one in sorted({min(free), max(free)}))
    text += f" of {format_count(total.pop())}" if len(total) == 1 else ""
    return text + (f" at {format_rate(rates.pop())}" if len(rates) == 1 else "")


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
        _mode_of(UPPER, "Ports above", 1),
        _mode_of(LOWER, "Ports below", 0),
    ),
    _evenly_note,
)
