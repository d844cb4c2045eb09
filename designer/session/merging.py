"""A merge of the open design with a colleague's: read and merged by a worker, and again as sides are chosen."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from designer.analysis.merge_report import MergeReport, report_of
from designer.drawing.composition import Composition, laid_over
from designer.errors import DesignerError, FileFormatError
from designer.exchange.comparison.merge_pictures import incoming_picture
from designer.exchange.kept_designs import common_base
from designer.model.design import Design
from designer.model.hardware.types import HardwareType
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
class _Read:
    """What a worker read."""

    base: Design | None
    """None where no design that both grew from is known: then every difference is a conflict."""
    theirs: Design
    revision: str
    """What the common revision is called that is the base; "" where it is a file, or there is no base."""
    no_revision: str
    """Why no revision is the base; "" where nobody asked for one, or one is."""


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
        """The file that was chosen; None takes the latest revision that both recorded, else there is no base.

        What the design was when it was last saved is nothing that the colleague's is known to have grown from: as a
        base it would have changes of ours that were saved count as removed by the colleague.
        """
        self.wants_saved = False
        """Whether the design's own file is taken, as it was last saved, whatever revisions there are."""
        self.theirs: Path | None = None
        self.choices: dict[str, Side] = {}
        self.merged: Merged | None = None
        self.findings: tuple[Finding, ...] = ()
        """Those of the merged design that neither side has, as soon as they are known."""
        self.refusal = ""
        self._read: _Read | None = None
        self._versions: _Made | None = None
        session.jobs.lane(LANE).progressed.connect(self.progressed)

    @property
    def revision(self) -> str:
        """What the revision is called that is the base; "" where it is a file, or not known yet."""
        return self._read.revision if self._read is not None else ""

    @property
    def no_revision(self) -> str:
        """Why no revision that both recorded is the base; "" where there is one, or a file was chosen."""
        return self._read.no_revision if self._read is not None else ""

    def choose_files(self, base: Path | None, theirs: Path | None, *, saved: bool = False) -> None:
        """Merge with these files; choices for others are forgotten."""
        self.base, self.theirs, self.wants_saved, self.choices = base, theirs, saved, {}
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
        base, theirs, saved = self.base, self.theirs, self._session.path
        if theirs is None or (self.wants_saved and saved is None):
            self.cancel()
            self.done.emit()
            return
        ours, choices, types = self._session.snapshot(), dict(self.choices), self._session.catalog.types
        read, versions, looks = self._read, self._versions, base is None and not self.wants_saved

        def work(progress: Progress) -> tuple[Merged, object, object]:
            file = None if looks else base or saved
            found = read or _read_files(ours, theirs, file, _part(progress, 0.0, 0.5))
            if versions is None or versions[0] is not ours:
                made = (ours, *prepare(found.base, ours, found.theirs, _part(progress, 0.5, 0.7)))
            else:
                made = versions
            return _merged(made, choices, types, _part(progress, 0.7, 1.0)), found, made

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
    found = merge_versions(versions, renumbered, choices, progress=_part(progress, 0.0, 0.4))
    merge = with_followers(found, types)
    progress(0.45)
    report = report_of(merge)
    progress(0.6)
    pictured = incoming_picture(versions.ours, report.comparison)
    progress(0.7)
    drawing = laid_over(pictured.design)
    drawing.colouring.show_marks(pictured.marks)
    progress(0.8)
    drawing.draw_up()
    return Merged(merge, report, drawing)


def _read_files(ours: Design, theirs: Path, base: Path | None, progress: Progress) -> _Read:
    """The colleague's design, and the base: that file, else the latest common revision, else none."""
    shared = SharedRows(ours.snapshot())
    other = _load(theirs, _part(progress, 0.0, 0.5), shared)
    if base is not None:
        return _Read(_load(base, _part(progress, 0.5, 1.0), shared), other, "", "")
    try:
        common = common_base(ours, other, shared)
    except DesignerError as error:
        return _Read(None, other, "", str(error))
    return _Read(common.design, other, common.name, "")


def _load(path: Path, progress: Progress, shared: SharedRows) -> Design:
    try:
        return load_version(path, progress, shared)[0]
    except OSError as error:
        raise FileFormatError(f"{path.name} cannot be read: {error.strerror or error}") from error


def _part(progress: Progress, start: float, end: float) -> Progress:
    """Hears a part of the whole."""
    return lambda share: progress(start + (end - start) * min(share, 1.0))
