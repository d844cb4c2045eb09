"""The studies: what takes more room than the simulation panel has, a tab each."""

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QTabWidget, QVBoxLayout, QWidget

from designer.panels.studies.study_curve import CurveStudy
from designer.panels.studies.study_jobs import JobsStudy
from designer.panels.studies.study_runs import RunsStudy
from designer.panels.studies.study_tiers import TierStudy
from designer.panels.studies.study_timeline import TimelineStudy
from designer.panels.widgets.appearance import Appearance
from designer.session.session import Session


class _Tabs(QTabWidget):
    """Takes the height it is given: a text that grows in one study must not push the buttons of all out of sight.

    Asks for the room of the study that is shown, whatever the others would need.
    """

    def __init__(self) -> None:
        super().__init__()
        self.setDocumentMode(True)
        self.currentChanged.connect(self.updateGeometry)

    def hasHeightForWidth(self) -> bool:
        return False

    def minimumSizeHint(self) -> QSize:
        bar, page = self.tabBar().minimumSizeHint(), self.currentWidget()
        least = page.minimumSizeHint() if page is not None else QSize()
        return QSize(max(bar.width(), least.width()), bar.height() + least.height())


class StudiesPanel(QWidget):
    """`going` carries ids to go to; `saving` a title, a suffix and what writes the file."""

    going = Signal(object)
    saving = Signal(str, str, object)

    def __init__(self, session: Session, appearance: Appearance) -> None:
        super().__init__()
        self.curve = CurveStudy(session, appearance)
        self.runs = RunsStudy(session, appearance)
        self.timeline = TimelineStudy(session, appearance)
        self.tiers = TierStudy(session, appearance)
        self.jobs = JobsStudy(session, appearance)
        self.tabs = _Tabs()
        for title, study in (
            ("Bandwidth by size", self.curve),
            ("Runs", self.runs),
            ("Phases", self.timeline),
            ("Load by tier", self.tiers),
            ("Jobs", self.jobs),
        ):
            study.saving.connect(self.saving)
            self.tabs.addTab(study, title)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.tabs)

    def show_study(self, study: QWidget) -> None:
        """Bring the tab of that study to the front."""
        self.tabs.setCurrentWidget(study)
