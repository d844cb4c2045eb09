"""Keeps the findings of a design up to date: what an edit touches at once, the rest in a worker."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, cast

from PySide6.QtCore import QObject, Signal

from designer.analysis.cable_numbers import keep_numbered
from designer.late import Late
from designer.model.edit import Edit
from designer.session.computation import Computation
from designer.session.document import Document
from designer.session.jobs import Jobs, Outcome, Work
from designer.session.timers import later
from designer.session.under_construction import UnderConstruction
from designer.validation.news import News

if TYPE_CHECKING:
    from designer.validation.findings import Finding, Report
    from designer.validation.live import Live, Whole

by_subject = Late("designer.validation.by_subject")
engine = Late("designer.session.engine")
proposals = Late("designer.validation.proposals")
waiting = Late("designer.validation.waiting")

DEBOUNCE_MS = 15
BEHIND_HEAT_MS = 2000
# With Live on, links are recolored first, unless that takes very long: two Python threads at once only slow each
# other down.
LANE = "validation"
FIXES = "fixes"
PATIENCE_MS = 120
"""The fix of a finding that is passed by on the way to another is not tried."""
TRIED_LINKS_MOST = 20_000
"""In larger designs fixes are tried when they are to be applied, not as soon as their finding is read."""


class ValidationJob(Computation[int, "Report"]):
    """The latest report, and whether it is of the design as it stands.

    What an edit touches is checked at once, in the window's thread; rules about the whole fabric follow in a worker,
    and so does all where an edit touches very much. What is about devices under construction alone waits until they
    are connected, or until `check_all`.
    """

    def __init__(self, document: Document, jobs: Jobs) -> None:
        super().__init__(document, jobs, LANE, lambda: document.design.revision)
        self._document = document
        self._waits_for_heat = False
        self._construction = UnderConstruction(document)
        self._live: Live | None = None
        self._whole: Report | None = None
        """The latest report with what waits."""
        self.waiting: frozenset[str] = frozenset()
        """Devices under construction: findings about them, if any, wait."""
        self.news = News()
        """What is new among the open findings."""
        self.fixes = OfferedFixes(document, jobs, self)
        self._by_subject: tuple[Report, Any] | None = None
        """The latest report that was asked about."""
        self._is_save_open = False
        """Whether the design was saved, or opened, and what is found in it as it is there is not known yet."""
        document.file_noted.connect(self._note_file)
        document.dirty_changed.connect(self._note_saved)

    @property
    def report(self) -> "Report | None":
        """The latest, whatever revision it is of."""
        return self.value

    @property
    def report_now(self) -> "Report | None":
        """The latest, where all that it is about is in the design as it stands; rules about the whole may be behind."""
        return self.value if self.is_current or self.is_followed else None

    @property
    def is_followed(self) -> bool:
        """Whether what the latest edit touches has been checked; rules about the whole may be behind."""
        return self._live is not None and self._live.revision == self._document.design.revision

    def holds(self, code: str) -> bool:
        """Whether what a rule found is of the design as it stands."""
        return self.is_current or (self._live is not None and self.is_followed and code not in self._live.pending)

    def about(self, ids: Iterable[str]) -> "list[Finding]":
        """The open errors and warnings about any of these, errors first; none while they are not known."""
        report = self.report_now
        if report is None:
            return []
        if self._by_subject is None or self._by_subject[0] is not report:
            self._by_subject = report, by_subject.BySubject(report)
        found: list[Finding] = self._by_subject[1].about(self._document.design, ids)
        return found

    def known(self) -> "Live | None":
        """The findings of the design as it stands, for a worker to go on with; None while they are not all known."""
        return self._live.snapshot() if self._live is not None and self.is_followed else None

    def schedule(self, *, behind_heat: bool, edit: Edit | None = None) -> None:
        """The design changed, by an edit or all of it: check what the edit touches, and the rest in a moment.

        Or when the heat is there.
        """
        self._waits_for_heat = behind_heat
        if edit is not None:
            self.news.edit_comes()
        if edit is None or self._live is None or not self._live.follow(self._document.design, edit):
            self._live = None
        elif self._live.pending:
            self._show(self._live.report(self._document.design))
        else:
            self.put(self._live)
            self._set("current")
            return
        self.ask(self._validated, BEHIND_HEAT_MS if behind_heat else DEBOUNCE_MS)

    def heat_is_there(self) -> None:
        """The simulation came to an end, or was given up."""
        if self._waits_for_heat:
            self._waits_for_heat = False
            self.start_in(DEBOUNCE_MS)

    def check_all(self) -> None:
        """Check everything again at once, and report what waited too."""
        self._construction.end()
        self._live = None
        self.news.forget_edit()
        self.value, self.waiting = self._whole, frozenset()
        self.ask(self._validated)

    def forget(self) -> None:
        """Another design takes the place of this one."""
        self._live, self._whole, self.waiting = None, None, frozenset()
        self.news.forget()
        super().forget()

    def put(self, value: "Report | Live | Whole") -> None:
        """Findings that were kept up to date, of the design as it stands; says nothing of it."""
        super().put(cast("Report", value))

    def _keep(self, value: "Report | Live | Whole") -> None:
        if isinstance(value, dict):
            assert self._live is not None
            self._live.take(value)
        else:
            self._live = cast("Live", value)
        self._show(self._live.report(self._document.design))

    def _show(self, report: "Report") -> None:
        self._whole = report
        self.waiting = frozenset(self._construction.devices)
        self.value = waiting.apart(report, self._document.design, self.waiting)
        self.news.take(self.value)
        self._note_saved()

    def _note_file(self) -> None:
        self._is_save_open = self._document.path is not None
        self.news.note_saved(is_known=False)
        self._note_saved()

    def _note_saved(self) -> None:
        """The design as it is in its file is checked: what is found later is new."""
        if self._is_save_open and not self._document.dirty and self.is_current:
            self._is_save_open = False
            self.news.note_saved(is_known=True)

    def _validated(self) -> Work:
        design, live = self._document.snapshot(), self._live
        if live is None or not self.is_followed:
            return lambda progress: engine.live(design, progress)
        codes = live.pending
        return lambda progress: engine.check_whole(design, codes, progress)


class OfferedFixes(QObject):
    """What fixes a finding, tried in a worker: what each fix clears and adds, the best first."""

    changed = Signal()

    def __init__(self, document: Document, jobs: Jobs, validation: "ValidationJob") -> None:
        super().__init__(validation)
        self._document, self._jobs, self._validation = document, jobs, validation
        self._finding: Finding | None = None
        self._revision = -1
        self._found: tuple[Any, ...] | None = None
        self._is_tried = False
        """Whether the fixes of the finding were tried, or are about to be."""
        self._then: Callable[[], None] | None = None
        self._rests = later(self, PATIENCE_MS, self._try)

    @property
    def known(self) -> tuple[Any, ...]:
        """The proposals for the finding that is read, for the design as it stands; none until they are known."""
        return self._found or () if self._revision == self._document.design.revision else ()

    @property
    def is_trying(self) -> bool:
        """Whether somebody waits for what the fix would change, to apply it."""
        return self._then is not None

    def read(self, finding: "Finding | None") -> None:
        """A finding is read in full, or none: try what fixes it in a moment."""
        revision = self._document.design.revision
        if finding != self._finding or revision != self._revision:
            self._finding, self._revision, self._found, self._then = finding, revision, None, None
            self._is_tried = False
            self._jobs.cancel(FIXES)
            self._rests.stop()
        is_open = finding is not None and finding.waiver is None
        is_due = is_open and not self._is_tried and self._validation.is_current
        if is_due and len(self._document.design.links) <= TRIED_LINKS_MOST:
            self._is_tried = True
            self._rests.start()

    def apply(self, finding: "Finding", choose: Callable[[Sequence[Any]], Any]) -> None:
        """Apply the proposal that `choose` takes of those for a finding, once they are known.

        One that adds an error says so first, and is applied by a click on that.
        """
        self.read(finding)
        if self._found is None:
            self._then = lambda: self._apply(choose)
            self.changed.emit()
            self._try()
        else:
            self._apply(choose)

    def _try(self) -> None:
        self._rests.stop()
        design, known, finding = self._document.snapshot(), self._validation.known(), self._finding
        self._jobs.run(FIXES, lambda progress: proposals.proposals(design, finding, known, progress), self._take)

    def _take(self, outcome: Outcome) -> None:
        then, self._then = self._then, None
        if outcome.error is not None:
            self._document.message.emit(outcome.error)
        if outcome.value is None or self._revision != self._document.design.revision:
            self._finding = None
        else:
            self._found = outcome.value
        self.changed.emit()
        if then is not None and self._found is not None:
            then()

    def _apply(self, choose: Callable[[Sequence[Any]], Any]) -> None:
        document, proposal, finding = self._document, choose(self.known), self._finding
        if proposal is None or finding is None:
            return
        edit = partial(keep_numbered, document.design, proposal.edit)
        if proposal.n_errors_added:
            document.offered.emit(f"{proposal.label}. {proposal.warning}", "Apply Anyway", edit)
        elif document.attempt(edit):
            document.message.emit(" ".join(filter(None, (f"Fixed {finding.code}: {proposal.label}.", proposal.effect))))
