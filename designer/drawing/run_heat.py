"""The heat of a run: its loads, and what its legend says of it."""

from designer.drawing.heat import Heat
from designer.simulation.result import Result


def heat_of_run(revision: int, result: Result, label: str) -> Heat:
    """The utilization of links that a run on the design of that revision found; the label names its traffic.

    Peaks that are not known are not shown as if they were.
    """
    measure = "peak" if result.are_peaks_known else "mean"
    loads, congested = result.link_utilization(), result.congested_links()
    return Heat(revision, loads, label, measure, congested=congested, outcome=result.outcome_texts)
