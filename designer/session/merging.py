"""A merge of the open design with a colleague's: read and merged by a worker, and again as sides are chosen."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from designer.analysis.merge_report import MergeReport, report_of
from designer.drawing.composition import Composition
from designer.errors import FileFormatError
from designer.exchange.comparison.merge_pictures import incoming_picture
from designer.model.design import Design
from designer.model.hardware import HardwareType
from designer.model.merging.incoming import Renumbered
from designer.model.merging.merging import Merge, merge_versions, prepare
from designer.model.merging.versions import Side, Versions
from designer.placement.merged_cables import with_followers
from designer.session.jobs import Outcome, Progress
from designer.session.prepared import Prepared, prepared
from designer.session.session import Session
from designer.storage.document import load_version
from designer.storage.shared import SharedRows
from designer.validation.findings import Finding
from designer.validation.merged import findings_of_merge

LANE, CHECKING = "merging", "merging-checks"
_Made = tuple[Design, Versions, tuple[Renumbered, ...]]
"""Ours, and what `prepare` made of it."""


@dataclass(frozen=True, slots=True)
class Merged:
    """What a worker found out."""

    merge: Merge
    report: MergeReport
    drawing: Composition
    """Ours with the changes coming in, in their colors."""


class Merging(QObject):
    """Follows the open design: what is shown is always about the design as it stands."""

    began = Signal()
    progressed = Signal(float)
    done = Signal()
    """There is a merge, or a sentence that says why there is none."""
    checked = Signal()
    """The findings of the merge are known."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self.base: Path | None = None
        """None is the design's own file, as it was last saved."""
        self.theirs: Path | None = None
        self.choices: dict[str, Side] = {}
        self.merged: Merged | None = None
        self.findings: tuple[Finding, ...] = ()
        """Those of the merged design that neither side has, as soon as they are known."""
        self.refusal = ""
        self._read: tuple[Path | None, Path, Design, Design] | None = None
        self._versions: _Made | None = None
        session.jobs.lane(LANE).progressed.connect(self.progressed)

    @property
    def base_path(self) -> Path | None:
        """The file of the base; None while there is none."""
        return self.base or self._session.path

    def choose_files(self, base: Path | None, theirs: Path | None) -> None:
        """Merge with these files; choices for others are forgotten."""
        self.base, self.theirs, self.choices = base, theirs, {}
        self._read = self._versions = None
        self.start()

    def choose(self, place: str, side: Side) -> None:
        """Settle a conflict."""
        self.choices[place] = side
        self.start()

    def choose_all(self, side: Side) -> None:
        """Settle every conflict for a side."""
        if self.merged is not None:
            self.choices |= dict.fromkeys((one.place for one in self.merged.merge.conflicts), side)
            self.start()

    def start(self) -> None:
        """Merge, in a worker, in place of what is under way."""
        self.merged, self.findings, self.refusal = None, (), ""
        self._session.jobs.cancel(CHECKING)
        base, theirs = self.base_path, self.theirs
        if theirs is None or base is None:
            self.cancel()
            self.done.emit()
            return
        ours, choices, types = self._session.snapshot(), dict(self.choices), self._session.catalog.types
        read, versions = self._read, self._versions

        def work(progress: Progress) -> tuple[Merged, object, object]:
            shared = SharedRows(ours.snapshot())
            found = read or (
                base,
                theirs,
                _load(base, _part(progress, 0.0), shared),
                _load(theirs, _part(progress, 0.3), shared),
            )
            if versions is None or versions[0] is not ours:
                made = (ours, *prepare(found[2], ours, found[3], _part(progress, 0.5)))
            else:
                made = versions
            return _merged(made, choices, types, progress), found, made

        self.began.emit()
        self._session.jobs.run(LANE, work, self._take)

    def cancel(self) -> None:
        """Give up what is under way."""
        self._session.jobs.cancel(LANE)
        self._session.jobs.cancel(CHECKING)

    def apply(self, then: Callable[[Prepared], None]) -> None:
        """Prepare the edit of the merge in a worker, then call `then` with it."""
        merged, session = self.merged, self._session
        if merged is None:
            return
        base, hidden, edit = merged.merge.versions.ours, session.hidden_networks, merged.merge.edit

        def take(outcome: Outcome) -> None:
            if outcome.value is None:
                self.refusal = outcome.error or ""
                self.done.emit()
            else:
                then(outcome.value)

        self.began.emit()
        session.jobs.run(LANE, lambda progress: prepared(base, edit, hidden, progress), take)

    def _take(self, outcome: Outcome) -> None:
        if outcome.value is None:
            self.refusal = outcome.error or ""
        else:
            self.merged, self._read, self._versions = outcome.value
            self._check()
        self.done.emit()

    def _check(self) -> None:
        """Look for findings after the merge is shown: that takes longer than the merge."""
        assert self.merged is not None
        made, versions = self.merged.merge.made, self.merged.merge.versions

        def take(outcome: Outcome) -> None:
            self.findings = outcome.value or ()
            self.checked.emit()

        self._session.jobs.run(
            CHECKING, lambda progress: findings_of_merge(made, (versions.ours, versions.theirs), progress), take
        )


def _merged(
    made: tuple[Design, Versions, tuple[Renumbered, ...]],
    choices: dict[str, Side],
    types: Mapping[str, HardwareType],
    progress: Progress,
) -> Merged:
    _ours, versions, renumbered = made
    merge = with_followers(merge_versions(versions, renumbered, choices), types)
    report = report_of(merge)
    progress(0.85)
    pictured = incoming_picture(versions.ours, report.comparison)
    drawing = Composition(pictured.design)
    drawing.colouring.show_marks(pictured.marks)
    drawing.draw_up()
    return Merged(merge, report, drawing)


def _load(path: Path, progress: Progress, shared: SharedRows) -> Design:
    try:
        return load_version(path, progress, shared)[0]
    except OSError as error:
        raise FileFormatError(f"{path.name} cannot be read: {error.strerror or error}") from error


def _part(progress: Progress, start: float) -> Progress:
    """Hears a part of the whole that begins there."""
    return lambda share: progress(start + 0.3 * share)
