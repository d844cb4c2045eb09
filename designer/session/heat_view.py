"""What the links are colored by: a measure of the current result, one phase of it, or a pinned run."""

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject, Signal

from designer.analysis.tiers import counted_devices
from designer.drawing.heat import Heat, percent
from designer.late import Late
from designer.model.design import Design
from designer.model.edit import Edit
from designer.session.commands import is_simulated
from designer.session.document import Document
from designer.session.pinned_run import PinnedRun
from designer.session.simulation import SimulationJob
from designer.units import format_counted

if TYPE_CHECKING:
    from designer.simulation.result import Result

failures = Late("designer.graph.failures")

OUT_OF_DATE = "Out of date"


class HeatView(QObject):
    """`heat` is for the drawing and its legend. Of the current result it is None as soon as that is out of date.

    Where only what is marked as failed is other than in the last run, its heat stays and says so. A pinned run stays
    visible whatever happens to the design, and says so in its label.
    """

    changed = Signal()

    def __init__(self, document: Document, simulation: SimulationJob) -> None:
        super().__init__(document)
        self._document, self._simulation = document, simulation
        self._measure = "peak"
        self._phase: int | None = None
        self._pinned: PinnedRun | None = None
        self._jobs: Heat | None = None
        self._preview: Heat | None = None
        self._is_hidden = False
        self._fabric_revision = 0
        self._made_of: tuple[object, ...] = ()
        self._heat: Heat | None = None
        self._least_full_bytes = 0.0
        self._scaled: tuple[Heat, float, Heat] | None = None
        simulation.state_changed.connect(self._follow)
        document.changed.connect(self._follow_edit)
        document.reset.connect(lambda *_: self._start_over())

    @property
    def measure(self) -> str:
        """ "peak", "mean" or "bytes", of the whole run: what was chosen, or the mean where peaks are not known."""
        return "mean" if self._measure == "peak" and not self.are_peaks_known else self._measure

    @property
    def are_peaks_known(self) -> bool:
        """Whether the latest result, if there is one, has peak loads that are more than the means."""
        result = self._simulation.result
        return result is None or result.are_peaks_known

    @property
    def is_hidden(self) -> bool:
        """Whether links show what else they are colored by, though loads may be known."""
        return self._is_hidden

    def hide(self, hidden: bool) -> None:
        """Leave the loads out of the drawing, or show them again."""
        if hidden != self._is_hidden:
            self._is_hidden = hidden
            self.changed.emit()

    def show_measure(self, measure: str) -> None:
        """Show "peak", "mean" or "bytes" of the whole current result, no phase, pinned run or jobs."""
        self._measure, self._phase, self._pinned, self._jobs = measure, None, None, None
        self._is_hidden = False
        self.changed.emit()

    @property
    def phase(self) -> int | None:
        """The number of the phase that is shown, if one is."""
        return self._phase if self._pinned is None else None

    def show_phase(self, number: int | None) -> None:
        """Show the peak loads of one phase; None for the whole run."""
        if number != self._phase or self._pinned is not None or self._jobs is not None:
            self._phase, self._pinned, self._jobs, self._is_hidden = number, None, None, False
            self.changed.emit()

    @property
    def pinned(self) -> PinnedRun | None:
        """The pinned run that is chosen; None for the current result."""
        return self._pinned

    def show_pinned(self, run: PinnedRun | None) -> None:
        """Show a pinned run; None for the current result."""
        if run is not self._pinned or self._jobs is not None:
            self._pinned, self._jobs, self._is_hidden = run, None, False
            self.changed.emit()

    def show_jobs(self, heat: Heat | None) -> None:
        """Show what jobs that run together do to the links, until the simulation runs, or None."""
        if heat is not self._jobs:
            self._jobs, self._is_hidden = heat, False
            self.changed.emit()

    def show_preview(self, heat: Heat | None) -> None:
        """Show what links would carry with a change, over all else, or None; it ends with the next run or edit."""
        if heat is not self._preview:
            self._preview = heat
            self.changed.emit()

    def end_preview(self) -> bool:
        """Show what links carry again; whether they showed something else."""
        was_shown = self.shows_preview
        self.show_preview(None)
        return was_shown

    @property
    def shows_preview(self) -> bool:
        """Whether it shows what links would carry with a change that is not made."""
        return self._preview is not None

    @property
    def shows_jobs(self) -> bool:
        """Whether it shows what jobs that run together do to the links."""
        return self._jobs is not None

    @property
    def of_current(self) -> bool:
        """Whether it is of the current result, not of a pinned run or of jobs."""
        shows_other = self._preview is not None or self._jobs is not None or self._pinned is not None
        return not shows_other and self._simulation.current_result is not None

    def share_scale(self, full_bytes: float) -> None:
        """Color bytes by a scale that goes up to so many at least, as that of another design does; 0 for its own."""
        if full_bytes != self._least_full_bytes:
            self._least_full_bytes = full_bytes
            self.changed.emit()

    @property
    def heat(self) -> Heat | None:
        """The loads the links are colored by: of jobs, of a pinned run or of the current result; None without one."""
        own, least = self.own_heat, self._least_full_bytes
        if own is None or not least:
            return own
        if self._scaled is None or self._scaled[0] is not own or self._scaled[1] != least:
            self._scaled = own, least, own.on_scale(least)
        return self._scaled[2]

    @property
    def own_heat(self) -> Heat | None:
        """The same on a scale of its own."""
        if self._preview is not None:
            return self._preview
        if self._is_hidden:
            return None
        if self._jobs is not None:
            return self._jobs
        if self._pinned is not None:
            return self._of_pinned(self._pinned)
        if (outdated := self._simulation.outdated_heat) is not None:
            return self._of_outdated(outdated)
        current, result = self._simulation.heat, self._simulation.current_result
        if current is None or result is None:
            return None
        if self._phase is None and self._measure == "peak":
            return current
        made_of = (result, current, self._measure, self._phase)
        if made_of != self._made_of:
            self._made_of, self._heat = made_of, self._of_result(result, current)
        return self._heat

    def is_earlier(self, run: PinnedRun) -> bool:
        """Whether the fabric was edited after the run; notes, colors and bookmarks are no part of it."""
        return run.revision < self._fabric_revision

    def _of_outdated(self, heat: Heat) -> Heat:
        """Loads of a run before something failed or was repaired, but for links that lead nowhere now."""
        result, failed, design = self._simulation.result, self._document.failed, self._document.design
        made_of = (result, heat.revision, self._measure, self._phase, failed)
        if made_of != self._made_of or self._heat is None:
            shown = self._of_result(result, heat) if result is not None else heat
            shown = shown.without(failures.dead_links(design, failed))
            label = f"{OUT_OF_DATE}: {shown.label}"
            self._made_of, self._heat = made_of, replace(shown, label=label, age="before the last failure or repair")
        return self._heat

    def _of_pinned(self, run: PinnedRun) -> Heat:
        is_earlier, now = self.is_earlier(run), self._document.design
        made_of = (run, is_earlier, now.revision if is_earlier else 0)
        if made_of != self._made_of or self._heat is None:
            label = f"Pinned run {run.number}, {run.of_earlier}" if is_earlier else f"Pinned run: {run.name}"
            heat = replace(run.heat, label=label, age="in a pinned run")
            if is_earlier and run.design is not None:
                absent = frozenset(now.devices.keys() - run.design.devices.keys())
                heat = replace(heat, absent=absent, other_design=_differing(run.design, now))
            self._made_of, self._heat = made_of, heat
        return self._heat

    def _of_result(self, result: "Result", current: Heat) -> Heat:
        if self._phase is not None and self._phase < len(result.phase_peaks):
            phase = result.phases[self._phase]
            label = f"phase {self._phase + 1} of {len(result.phases)}: {phase.name}"
            peaks, links = result.phase_peaks[self._phase], result.graph.link >= 0
            inside = float(peaks[~links].max(initial=0.0))
            is_inside = inside > 0 and not peaks[links].any()
            pace = f"scale-up domains are the bottleneck: {percent(inside)} busy" if is_inside else ""
            congested = result.by_link(result.phase_congested[self._phase].astype(np.float64))
            return replace(
                current,
                utilization=result.by_link(peaks),
                label=label,
                pace=pace,
                outcome=(),
                congested=congested,
                measure="peak" if result.are_peaks_known else "mean",
            )
        if self._measure == "mean":
            mean = result.by_link(result.utilization_mean)
            return replace(current, utilization=mean, measure="mean")
        if self._measure == "bytes":
            most = float(result.bytes[result.graph.link >= 0].max(initial=0.0))
            values = result.by_link(result.bytes / most if most > 0 else result.bytes)
            return replace(
                current,
                utilization=values,
                measure="bytes",
                full_bytes=most,
                given_bytes=result.size_bytes,
                congested=None,
            )
        return current

    def _follow(self) -> None:
        result = self._simulation.current_result
        if self._simulation.state != "current":
            self._preview = None
        if self._simulation.state == "running":
            self._jobs = None
        if result is not None and self._pinned is not None and result is not self._pinned.result:
            # A new result is what one wants to see.
            self._pinned = None
        if result is not None and self._phase is not None and self._phase >= len(result.phase_peaks):
            self._phase = None
        self.changed.emit()

    def _start_over(self) -> None:
        self._fabric_revision, self._is_hidden = 0, False
        self.show_pinned(None)

    def _follow_edit(self, edit: Edit) -> None:
        if is_simulated(edit):
            self._fabric_revision = self._document.design.revision
        if self._pinned is not None:
            self.changed.emit()


def _differing(then: Design, now: Design) -> str:
    """ "not in it, dashed: 4 switches, 256 links": what a design has more or less than it had when a run was pinned.

    "" where devices and links are the same.
    """
    parts = (
        ("not in it, dashed", now.devices.keys() - then.devices.keys(), now.links.keys() - then.links.keys(), now),
        ("no longer there", then.devices.keys() - now.devices.keys(), then.links.keys() - now.links.keys(), then),
    )
    said = []
    for title, devices, links, of in parts:
        counted = [format_counted(len(links), "link")] if links else []
        words = ", ".join((*reversed(counted_devices(of, devices)), *counted))
        said += [f"{title}: {words}"] if words else []
    return "; ".join(said)
