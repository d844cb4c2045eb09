"""What lies over the picture of a design: jobs, what is marked as failed, badges of findings, how far pauses reach."""

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from designer.drawing.colour_by import Marks, Status
from designer.drawing.colouring import Choice
from designer.drawing.composition import Composition
from designer.drawing.level_of_detail import Detail
from designer.drawing.parts.keys import LEAST_GAP_PX
from designer.model.collapsing import BoxKey
from designer.model.design import Design
from designer.validation.findings import Finding, Severity

if TYPE_CHECKING:
    from designer.simulation.explain.victims import Congestion

MOST_CABLES = 6000
"""Nearest to the hot ports first."""
MOST_OUTLINES = 40
GAPS_PX = (LEAST_GAP_PX, 7.0, 12.0, 18.0)
"""Between two ticks across a paused cable, by distance from the hot port; the last one also beyond."""


@dataclass(frozen=True, slots=True)
class PauseReach:
    """Links by distance from their hot port, nearest first, and the devices with hot ports."""

    by_distance: tuple[tuple[str, ...], ...]
    hot: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Overlay:
    """What to draw over the picture; ids of a design. Nothing where nothing is said."""

    jobs: bool = False
    """Servers in the colors of their jobs, and a line that names these."""
    failed: frozenset[str] = frozenset()
    badges: Mapping[str, Severity] = field(default_factory=dict)
    """The worst severity of what has errors or warnings."""
    pauses: PauseReach | None = None
    labels: bool = True
    """Names of what is drawn, and labels of links."""
    counts: bool = True
    """How many boxes, ports and links there are; not of two designs that are laid over each other."""
    legend: bool = True
    """What the colors of heat, jobs and classes mean."""
    heading: bool = False
    """The design's name over the picture, with its last revision and date."""
    annotations: bool = True
    """Texts, notes, zones and all else that people put on the canvas."""
    faceplates: bool = False
    """The fronts of switches, with their cages and what is used of their ports."""
    lit_links: frozenset[str] = frozenset()
    """Links of paths that stay bright while all else is dimmed."""
    lit_ends: tuple[str, ...] = ()
    """Devices that the paths lead from and to."""
    lit_names: tuple[str, ...] = ()
    """What the paths were asked for between, as their key says it: devices, GPUs or ports; without, the devices."""
    colours: Choice = field(default_factory=Choice)
    status: Status = field(default_factory=Status)
    """For colors by status."""
    marks: Marks | None = None
    """Classes in place of those colors."""
    opened: tuple[BoxKey, ...] = ()
    """Boxes of what is small that are open all the same."""


NO_OVERLAY = Overlay()


def worst_by_subject(findings: Iterable[Finding], waiting: Container[str] = ()) -> dict[str, Severity]:
    """The worst severity of each thing's findings; what is only for information is not marked, nor what is waiting."""
    worst: dict[str, Severity] = {}
    for finding in findings:
        if finding.severity is Severity.INFO:
            continue
        for subject in finding.subjects:
            if worst.get(subject) is not Severity.ERROR and subject not in waiting:
                worst[subject] = finding.severity
    return worst


def lines_of_links(composition: Composition, detail: Detail, subjects: Iterable[str]) -> dict[str, list[float]]:
    """What is drawn for the links among the subjects, x1, y1, x2, y2: the longest piece of each, for a badge."""
    projection, lines = composition.projection, composition.lines(detail)
    row_of = {row: one for one, row in projection.link_rows(subjects).items()}
    if not row_of or not len(lines.starts):
        return {}
    line_of = np.repeat(np.arange(len(lines.starts)), lines.counts)
    chosen = np.flatnonzero(np.isin(lines.links, list(row_of)) & lines.direct[line_of])
    drawn = lines.xy[line_of[chosen]].tolist()
    return {row_of[row]: xy for row, xy in zip(lines.links[chosen].tolist(), drawn, strict=True)}


def reach_of(found: "Congestion | None", design: Design) -> PauseReach | None:
    """What to mark; None where nothing is paused."""
    if found is None or not found.pauses:
        return None
    nearest: dict[str, int] = {}
    for pause in found.pauses[:MOST_CABLES]:
        if pause.place.link_id is not None:
            nearest.setdefault(pause.place.link_id, pause.distance)
    farthest = max(nearest.values(), default=0)
    by_distance = tuple(
        tuple(link for link, distance in nearest.items() if distance == at) for at in range(1, farthest + 1)
    )
    hot = []
    for port in found.hot_ports[:MOST_OUTLINES]:
        link = design.links.get(port.place.link_id or "")
        if link is not None:
            ends = (link.a.device_id, link.b.device_id)
            hot += [one for one in ends if design.device(one).name == port.place.source]
    return PauseReach(by_distance, tuple(dict.fromkeys(hot)))
