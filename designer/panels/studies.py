"""The studies: what takes more room than the simulation panel has, a tab each."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QTabWidget, QVBoxLayout, QWidget

from designer.panels.appearance import Appearance
from designer.panels.study_curve import CurveStudy
from designer.panels.study_jobs import JobsStudy
from designer.session.session import Session


class StudiesPanel(QWidget):
    """`going` carries ids to go to; `saving` a title, a suffix and what writes the file."""

    going = Signal(object)
    saving = Signal(str, str, object)

    def __init__(self, session: Session, appearance: Appearance) -> None:
        super().__init__()
        self.curve = CurveStudy(session, appearance)
        self.curve.saving.connect(self.saving)
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        self.tabs.addTab(self.curve, "Bandwidth by size")
        self.jobs = JobsStudy(session, appearance)
        self.jobs.saving.connect(self.saving)
        self.tabs.addTab(self.jobs, "Jobs")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.tabs)

    def show_study(self, study: QWidget) -> None:
        self.tabs.setCurrentWidget(study)
