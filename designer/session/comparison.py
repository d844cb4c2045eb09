"""Compares the open design with a file in a worker, and again after each edit: another design, or what was built."""

import math
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal

from designer.catalog.catalog import Catalog
from designer.exchange.comparison.compared import Compared, Source
from designer.exchange.comparison.figure_rows import Figures
from designer.late import Late
from designer.model.design import Design
from designer.session.computation import Computation
from designer.session.document import Document
from designer.session.jobs import Jobs, Progress

engine = Late("designer.exchange.comparison.against_files")

AS_GENERATED = Path("as generated")
"""Stands for a file where the other side is the design itself as it was generated."""
LANE, FIGURES_LANE = "comparison", "compared figures"
SOON_MS = 300
MOST_LIVE_S = 1.5
"""A comparison that takes longer is made again only when somebody asks for it."""


class ComparisonJob(QObject):
    """`found` is the comparison with `path`; that of the design before the last edit while it is made again."""

    changed = Signal()
    progressed = Signal(float)

    def __init__(self, document: Document, jobs: Jobs) -> None:
        super().__init__(document)
        self._document = document
        self.path: Path | None = None
        self.pricing: Callable[[], tuple[Any, Any]] = lambda: (None, None)
        """The prices and terms that the figures are made by."""
        self.is_swapped: bool | None = None
        """Whether the other side is what was before, from which the design came; None leaves it to their dates."""
        self._source: Source | None = None
        self._read: Callable[[Design], Source] | None = None
        """What makes the other side of the design itself; None where it is read of the file."""
        self._compared: Computation[object, Compared] = Computation(self, jobs, LANE, self._of_sides)
        self._figures: Computation[object, Figures] = Computation(self, jobs, FIGURES_LANE, self._of)
        self._compared.state_changed.connect(self._take)
        self._compared.progressed.connect(self.progressed)
        self._figures.state_changed.connect(self.changed)
        document.settled.connect(self._follow)
        document.reset.connect(self.end)

    def _of(self) -> object:
        return self.path, self._document.design.revision

    def _of_sides(self) -> object:
        return self._of(), self.is_swapped

    @property
    def is_on(self) -> bool:
        """Whether differences are shown, or computed to be shown."""
        return self.path is not None

    @property
    def found(self) -> Compared | None:
        """The latest comparison with the file."""
        return self._compared.value if self.path is not None else None

    @property
    def figures(self) -> Figures | None:
        """Figures of both sides, as they were compared; None while they are computed."""
        found, figures = self.found, self._figures.value
        if found is None or figures is None or not self._figures.is_current:
            return None
        return figures.swapped if found.is_swapped else figures

    @property
    def error(self) -> str | None:
        """Why there is none, in a sentence."""
        return self._compared.error

    @property
    def running(self) -> bool:
        """Whether the file is compared just now."""
        return self._compared.state == "running"

    @property
    def computes_figures(self) -> bool:
        """Whether the figures of both sides are computed just now."""
        return self._figures.state == "running"

    @property
    def is_stale(self) -> bool:
        """Whether it is of the design before an edit, and not being made again."""
        return self.found is not None and not self.running and not self._compared.is_current

    def compare(self, path: Path) -> None:
        """Compare with the file, from now on."""
        self._begin(path, None)

    def _begin(self, path: Path, read: Callable[[Design], Source] | None) -> None:
        self._compared.forget()
        self._figures.forget()
        self.path, self._source, self._read, self.is_swapped = path, None, read, None
        self.again()

    def compare_with_generated(self, catalog: Catalog) -> None:
        """Compare with the design as it was generated, from now on: what differs was changed by hand."""
        self._begin(AS_GENERATED, lambda design: engine.generated_source(design, catalog))

    def read_again(self) -> None:
        """Read the other side, or make it, and compare once more."""
        if self.path is not None:
            self._source = None
            self.again()

    def swap(self) -> None:
        """Have the side before come after, from now on."""
        if self.found is not None and self.found.can_swap:
            self.is_swapped = not self.found.is_swapped
            self.again()

    def again(self, delay_ms: int = 0) -> None:
        """Compare with what was read of the file once more."""

        def prepare() -> Callable[[Progress], Compared]:
            path, source, design, read_of = self.path, self._source, self._document.snapshot(), self._read
            is_swapped, saved_at = self.is_swapped, self._saved_at()
            assert path is not None

            def work(progress: Progress) -> Compared:
                if source is not None:
                    read = source
                elif read_of is not None:
                    read = read_of(design)
                else:
                    read = engine.read_source(path, lambda done: progress(done / 2), design, saved_at)
                progress(0.5)
                found: Compared = engine.compare_with(
                    design, read, lambda done: progress(0.5 + done / 2), is_swapped=is_swapped
                )
                return found

            return work

        self._compared.ask(prepare, delay_ms)

    def _saved_at(self) -> float | None:
        """When the file of the design was written; None without one. Unsaved changes come after its own file."""
        own, other = self._document.path, self.path
        if own is None or other is None or not own.exists():
            return None
        is_itself = os.path.realpath(own) == os.path.realpath(other)
        return math.inf if is_itself and self._document.dirty else own.stat().st_mtime

    def cancel(self) -> None:
        """Give up the comparison that is under way; without an earlier one, there is none."""
        self._compared.cancel()
        if self._compared.value is None:
            self.end()

    def end(self) -> None:
        """Show no comparison any more."""
        if self.path is not None:
            self.path = self._source = self._read = None
            self._figures.forget()
            self._compared.forget()

    def _take(self) -> None:
        if self._compared.state == "current" and self._compared.value is not None:
            self._source = self._compared.value.source
            if not self._figures.is_of_now:
                self._compute_figures(self._compared.value)
        self.changed.emit()

    def _compute_figures(self, compared: Compared) -> None:
        def prepare() -> Callable[[Progress], Figures]:
            design, pricing = self._document.snapshot(), self.pricing()
            return lambda progress: engine.compared_figures(design, compared, progress, *pricing)

        self._figures.ask(prepare)

    def price_anew(self) -> None:
        """Make the figures of both sides once more, by other prices."""
        if self._compared.value is not None and self._compared.is_current:
            self._compute_figures(self._compared.value)

    def _follow(self) -> None:
        if self._source is None or self._compared.is_of_now:
            return
        self._figures.follow()
        if self._compared.wall_s <= MOST_LIVE_S:
            self.again(SOON_MS)
        else:
            self._compared.follow()
