"""Keeps the findings of a design up to date: what an edit touches at once, the rest in a worker."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, cast

from designer.late import Late
from designer.model.edit import Edit
from designer.session.computation import Computation
from designer.session.document import Document
from designer.session.jobs import Jobs, Work
from designer.session.under_construction import UnderConstruction
from designer.validation.news import News

if TYPE_CHECKING:
    from designer.validation.findings import Finding, Report
    from designer.validation.live import Live, Whole

by_subject = Late("designer.validation.by_subject")
engine = Late("designer.session.engine")
waiting = Late("designer.validation.waiting")

DEBOUNCE_MS = 15
BEHIND_HEAT_MS = 2000
# With Live on, links are recolored first, unless that takes very long: two Python threads at once only slow each
# other down.
LANE = "validation"


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
