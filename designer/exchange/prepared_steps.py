"""What preparing a hand-over did, step by step: how many racks, lengths, cables and numbers, and what was skipped."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from designer.exchange.plan_gaps import NO_NUMBER, PlanGaps
from designer.model.design import Design
from designer.placement import floor
from designer.placement.preparation import Totals
from designer.tables.columns import Column, Columns
from designer.units import format_count, format_counted

REASONS_SHOWN = 2
"""Reasons of a step before the rest is counted; all of them are listed as open points."""


@dataclass(frozen=True, slots=True)
class PreparedStep:
    """One step, what it changed in counts, and what it left as it was with the reason."""

    COLUMNS: ClassVar[Columns] = (
        Column("title", "Step"),
        Column("done", "Result"),
        Column("skipped", "Skipped"),
    )
    title: str
    done: str
    skipped: str = ""
    """"" where nothing was."""


def prepared_steps(before: Design, after: Design, totals: Totals, gaps: PlanGaps) -> tuple[PreparedStep, ...]:
    """The steps from a design to the prepared one, whose cables add up to `totals` and which still has these gaps."""
    return (
        _racks(before, after),
        _lengths(before, after, totals, gaps),
        _media(before, after, gaps),
        _numbers(before, after, gaps),
    )


def _racks(before: Design, after: Design) -> PreparedStep:
    title = "Place racks on floor"
    if not after.racks:
        return PreparedStep(title, "No racks placed", "the design has no racks")
    had = sum(floor.place_of(rack) is not None for rack in before.racks.values())
    placed = sum(floor.place_of(rack) is not None for rack in after.racks.values()) - had
    rows = format_counted(len(floor.rows(after)), "row")
    done = f"{format_counted(placed, 'rack')} placed; the floor has {rows}" if placed else "No racks to place"
    return PreparedStep(title, done, f"{format_count(had)} already on the floor" if had else "")


def _lengths(before: Design, after: Design, totals: Totals, gaps: PlanGaps) -> PreparedStep:
    links = [(before.links[link.id], link) for link in after.links.values()]
    changed = sum((one.length_m, one.length_source) != (now.length_m, now.length_source) for one, now in links)
    typed = sum(now.length_source == "typed" for _, now in links)
    kept = [f"{format_counted(typed, 'typed length')} kept"] if typed else []
    done = f"{totals.sentence[:1].upper()}{totals.sentence[1:]}" if changed else "No length changed"
    return PreparedStep("Calculate cable lengths", done, _skipped(kept, gaps, ("no length", "assumed length")))


def _media(before: Design, after: Design, gaps: PlanGaps) -> PreparedStep:
    links = [(before.links[link.id].medium_id, link.medium_id) for link in after.links.values()]
    changed = Counter(now for was, now in links if now != was)
    kept = sum(bool(was) and was == now for was, now in links)
    by_type = ", ".join(
        f"{format_count(n)} over {getattr(after.types.get(one), 'model', one)}" for one, n in changed.most_common()
    )
    done = f"Selected for {format_counted(changed.total(), 'link')}: {by_type}" if changed else "No cable changed"
    stays = [f"{format_counted(kept, 'link')} as before"] if kept else []
    return PreparedStep("Select cables and optics", done, _skipped(stays, gaps, ("no cable",)))


def _numbers(before: Design, after: Design, gaps: PlanGaps) -> PreparedStep:
    had = {link.cable for link in before.links.values() if link.cable}
    new = {link.cable for link in after.links.values() if link.cable} - had
    done = f"{format_counted(len(new), 'cable')} numbered" if new else "No cable to number"
    kept = len(had & {link.cable for link in after.links.values()})
    stays = [f"{format_counted(kept, 'number')} kept"] if kept else []
    return PreparedStep("Number cables for labels", done, _skipped(stays, gaps, (NO_NUMBER,)))


def _skipped(kept: Iterable[str], gaps: PlanGaps, lacking: Iterable[str]) -> str:
    """What stays as it was, then the links that the step could not do, by reason."""
    wanted = set(lacking)
    its = [gap for gap in gaps.gaps if gap.what in wanted]
    reasons = [f"{format_counted(len(gap.links), 'link')}: {gap.reason}" for gap in its[:REASONS_SHOWN]]
    more = len(its) - REASONS_SHOWN
    return "; ".join((*kept, *reasons, *([f"{format_counted(more, 'more reason')}"] if more > 0 else ())))
