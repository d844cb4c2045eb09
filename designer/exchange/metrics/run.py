"""A run as metrics have it: its figures by name, and the loads of its links."""

from dataclasses import dataclass

from designer.simulation.explain.link_table import LinkTable, link_table
from designer.simulation.result import Result
from designer.simulation.scenario import Scenario
from designer.units import BYTES_PER_S_PER_GBYTES_PER_S


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure of a run. `name` ends with its unit, a base unit as Prometheus wants it."""

    name: str
    help: str
    value: float


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """What one run came to; `links` has a row for each direction of each link, the hottest first."""

    design: str
    scenario: str
    """With what tells one run from another: "all-to-all, direct · ecmp, 64 MiB"."""
    figures: tuple[Figure, ...]
    links: LinkTable
    are_peaks_known: bool


def summary_of(scenario: Scenario) -> str:
    """What tells a run from others: its traffic, routing and size, and the model where that is not the ideal one."""
    return f"{scenario.summary}, {scenario.model}" if scenario.is_calibrated else scenario.summary


def run_of(design: str, summary: str, result: Result, n_links: int | None = None) -> Run:
    """A result as metrics have it, with so many links; None for all of them."""
    figures = [
        Figure("time_seconds", "Time of the run.", result.time_s),
        Figure("latency_seconds", "What of the time is latency.", result.latency_s),
        Figure("size_bytes", f"Size of the run: {result.model.size_bytes_means}.", float(result.size_bytes)),
        Figure("ranks", "GPUs that take part.", float(result.ranks)),
    ]
    for name, value in (("algbw", result.algbw_gbytes_per_s), ("busbw", result.busbw_gbytes_per_s)):
        if value is not None:
            text = f"{name} as nccl-tests counts it."
            figures.append(Figure(f"{name}_bytes_per_second", text, value * BYTES_PER_S_PER_GBYTES_PER_S))
    links = first_links(link_table(result), n_links)
    return Run(design, summary, tuple(figures), links, result.are_peaks_known)


def first_links(links: LinkTable, n_links: int | None) -> LinkTable:
    """The first rows of a table; all of them where None."""
    if n_links is None or n_links >= len(links):
        return links
    return LinkTable(*(getattr(links, name)[:n_links] for name in LinkTable.__slots__))
