"""What the legend of a heat says: the counts of its classes of links, and a sample of each that is off the scale."""

from designer.drawing.display_list import (
    CONGESTED_CLASS,
    FULL_AT_TIMES_CLASS,
    FULL_BY_DESIGN,
    HEAT_WIDTH,
    IDLE,
    IDLE_WIDTH,
    Legend,
    LegendKey,
    width_of_class,
)
from designer.drawing.heat import MEASURES, Heat, percent, stops_of


def legend_of(heat: Heat, *, are_marked: bool = False) -> Legend:
    """The legend of a heat; of a drawing where some congested links are marked, as they are wanted most."""
    notes = (heat.other_design,) if heat.other_design else _notes(heat)
    return Legend(
        MEASURES[heat.measure],
        heat.label,
        notes[0],
        stops_of(heat),
        heat.busiest or None,
        heat.outcome,
        notes[1:],
        _keys_of(heat, are_marked=are_marked),
    )


def _notes(heat: Heat) -> tuple[str, ...]:
    """What is reported about all links, the longest text first."""
    busiest, full = heat.busiest, heat.saturated
    if heat.pace:
        return (heat.pace,)
    if not busiest:
        return ("no link carries traffic",)
    if heat.measure == "bytes":
        return (f"busiest link {heat.text_of(busiest)}",)
    if heat.congested is not None and full:
        return _counts(heat)
    if heat.busy > full:
        return (f"{heat.busy:,} {_links(heat.busy)} over 80 %" + (f", {full:,} saturated" if full else ""),)
    if full:
        return (f"{full:,} {_links(full)} saturated",)
    return (f"busiest link {percent(busiest)}",)


def _counts(heat: Heat) -> tuple[str, ...]:
    """How many links are hot and how many of these congested, as plates have it, and full, of which sort.

    In short forms no "links", "full" once, and no hot ones.
    """
    at_times = heat.n_full_at_times
    by_design = heat.saturated - heat.n_congested - at_times
    congested = heat.n_congested, "congested"
    are_all = heat.n_congested == heat.n_hot
    among = f"{'all ' if heat.n_hot > 1 else ''}congested" if are_all else f"{heat.n_congested:,} congested"
    bracket = f" ({among})" if heat.n_congested else ""
    hot, hot_links = (heat.n_hot, f"hot{bracket}"), (heat.n_hot, f"hot {_links(heat.n_hot)}{bracket}")
    full = (by_design, "full by design"), (at_times, "full at times")
    both = by_design + at_times, "full"
    brief = full if not by_design else ((by_design, "full by design"), (at_times, "at times"))
    one_sort = () if by_design and at_times else ((hot_links, both),)  # its key says which
    forms = (hot_links, *full), *one_sort, (hot, *full), (hot, *brief), (congested, *brief), (congested, both)
    return tuple(dict.fromkeys(", ".join(f"{count:,} {word}" for count, word in form if count) for form in forms))


def _links(count: int) -> str:
    return "link" if count == 1 else "links"


def _keys_of(heat: Heat, *, are_marked: bool) -> tuple[LegendKey, ...]:
    """Those of what is drawn."""
    idle = heat.n_idle, LegendKey("idle", IDLE, IDLE_WIDTH)
    if heat.measure == "bytes":
        return _drawn(idle)
    if heat.congested is None:
        return _drawn(idle, (heat.saturated, LegendKey("saturated", CONGESTED_CLASS, HEAT_WIDTH[1])))
    n_by_design = heat.saturated - heat.n_congested - heat.n_full_at_times
    at_times = LegendKey("full at times", FULL_AT_TIMES_CLASS, width_of_class(FULL_AT_TIMES_CLASS, 1.0))
    return _drawn(
        idle,
        (n_by_design, LegendKey("full by design", FULL_BY_DESIGN, HEAT_WIDTH[1])),
        (heat.n_congested, LegendKey("congested", CONGESTED_CLASS, HEAT_WIDTH[1])),
        (heat.n_full_at_times, at_times),
        (are_marked, LegendKey("highest demand", CONGESTED_CLASS, 0.0, True)),
    )


def _drawn(*keys: tuple[int, LegendKey]) -> tuple[LegendKey, ...]:
    return tuple(key for count, key in keys if count > 0)
