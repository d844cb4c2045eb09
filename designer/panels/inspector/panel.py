"""The inspector: what is selected, as fields to edit. Nothing selected shows the design's own settings."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QScrollArea, QStackedWidget, QVBoxLayout, QWidget

from designer.model.entities import Device, Group, Link, Module, Rack, order_key
from designer.panels.inspector.inspector_annotation import AnnotationPage
from designer.panels.inspector.inspector_container import ContainerPage
from designer.panels.inspector.inspector_design import DesignPage
from designer.panels.inspector.inspector_device import DevicePage
from designer.panels.inspector.inspector_fixture import FixturePage
from designer.panels.inspector.inspector_link import LinkPage
from designer.panels.inspector.inspector_links import MOST_LINKS, LinksPage
from designer.panels.inspector.inspector_many import ManyPage
from designer.panels.inspector.own_fields import OwnFields
from designer.panels.widgets.appearance import Appearance
from designer.panels.widgets.fields import TextField
from designer.session.session import Session
from designer.session.timers import later


class InspectorPanel(QWidget):
    """Chooses the page for the selection. `going` carries ids to select and bring into view.

    `entered` follows when a field took what was typed and Enter was pressed: the keyboard is free again.
    """

    going = Signal(object)
    entered = Signal()

    def __init__(self, session: Session, appearance: Appearance) -> None:
        super().__init__()
        self._session = session
        self.design_page = DesignPage(session)
        self.device_page = DevicePage(session, appearance)
        self.link_page = LinkPage(session, appearance)
        self.container_page = ContainerPage(session)
        self.many_page = ManyPage(session)
        self.links_page = LinksPage(session)
        self.annotation_page = AnnotationPage(session)
        self.fixture_page = FixturePage(session)
        self._pages = QStackedWidget()
        for page in (
            self.design_page,
            self.device_page,
            self.link_page,
            self.container_page,
            self.many_page,
            self.links_page,
            self.annotation_page,
            self.fixture_page,
        ):
            self._pages.addWidget(_scrolled(page))
        for going in (self.device_page, self.link_page, self.container_page, self.links_page):
            going.going.connect(self.going)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._pages)
        for field in self.findChildren(TextField):
            field.entered.connect(self.entered)
        for own in self.findChildren(OwnFields):
            own.entered.connect(self.entered)
        for page in (self.many_page, self.links_page):
            page.entered.connect(self.entered)
        self._later = later(self, 0, self.refresh)
        session.selection_changed.connect(self._refresh_soon)
        session.changed.connect(self._refresh_soon)
        session.reset.connect(self._refresh_soon)
        session.path_changed.connect(self._refresh_soon)
        session.workbench.simulation.state_changed.connect(self._refresh_soon)
        self.refresh()

    def focus_name(self) -> None:
        """Put the cursor into the name of what is shown."""
        self.refresh()
        field = getattr(self._page(), "name", None)
        if isinstance(field, TextField):
            field.line.setFocus(Qt.FocusReason.ShortcutFocusReason)
            field.line.selectAll()

    def _refresh_soon(self) -> None:
        self._later.start()

    def refresh(self) -> None:
        """Show the page of what is selected: a device, link, rack, group or several; the design where nothing is."""
        selection, design = self._session.selection, self._session.design
        if not selection:
            self._show(0)
            self.design_page.refresh()
            return
        if 1 < len(selection) <= MOST_LINKS and len(self._session.selected.links) == len(selection):
            self._show(5)
            self.links_page.refresh()
            return
        notes = self._session.selected.annotations
        if notes == selection:
            self._show(6)
            self.annotation_page.show_annotations(sorted(notes, key=order_key))
            return
        if (fixtures := self._session.selected.fixtures) == selection:
            self._show(7)
            self.fixture_page.show_fixtures(sorted(fixtures, key=order_key))
            return
        if len(selection) > 1:
            self._show(4)
            self.many_page.refresh()
            return
        (only,) = selection
        entity = design.entity(only)
        if isinstance(entity, Module):
            self._show(1)
            self.device_page.show_device(entity.device_id, entity.id)
        elif isinstance(entity, Device):
            self._show(1)
            self.device_page.show_device(entity.id)
        elif isinstance(entity, Link):
            self._show(2)
            self.link_page.show_link(entity.id)
        elif isinstance(entity, Rack | Group):
            self._show(3)
            self.container_page.show_container(entity.id)
        else:
            self._show(0)
            self.design_page.refresh()

    def _page(self) -> QWidget | None:
        scroll = self._pages.currentWidget()
        return scroll.widget() if isinstance(scroll, QScrollArea) else None

    def _show(self, number: int) -> None:
        if self._pages.currentIndex() != number:
            self._pages.setCurrentIndex(number)


def _scrolled(page: QWidget) -> QScrollArea:
    page.setProperty("surface", "base")
    scroll = QScrollArea()
    scroll.setFrameShape(QFrame.Shape.NoFrame)
    scroll.setWidgetResizable(True)
    scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    scroll.setWidget(page)
    return scroll
