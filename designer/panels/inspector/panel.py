"""The inspector: what is selected, as fields to edit. Nothing selected shows the design's own settings."""

from functools import cached_property
from typing import Any

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QScrollArea, QStackedWidget, QVBoxLayout, QWidget

from designer.late import Late
from designer.model.entities import Device, Group, Link, Module, Rack, order_key
from designer.panels.inspector.inspector_design import DesignPage
from designer.panels.inspector.own_fields import OwnFields
from designer.panels.widgets.appearance import Appearance
from designer.panels.widgets.fields import TextField
from designer.panels.widgets.labels import enlarged
from designer.session.session import Session
from designer.session.timers import later

annotations = Late("designer.panels.inspector.inspector_annotation")
containers = Late("designer.panels.inspector.inspector_container")
devices = Late("designer.panels.inspector.inspector_device")
failed_bars = Late("designer.panels.inspector.failed_bar")
findings_bars = Late("designer.panels.inspector.findings_bar")
fixtures = Late("designer.panels.inspector.inspector_fixture")
one_link = Late("designer.panels.inspector.inspector_link")
several_links = Late("designer.panels.inspector.inspector_links")
many = Late("designer.panels.inspector.inspector_many")

LEAST_PX = 280
MOST_SHARE = 0.36
"""Of the window's width for a page whose fields need that much."""
MOST_PX = 165
"""The same in terms of usual letters: a page that is being filled may want more for a moment."""


class InspectorPanel(QWidget):
    """Chooses the page for the selection. `going` carries ids to select and bring into view.

    `entered` follows when a field took what was typed and Enter was pressed: the keyboard is free again.
    """

    going = Signal(object)
    entered = Signal()
    restoring = Signal()
    """What is selected and marked as failed is to be restored."""
    finding_wanted = Signal(object)
    """A finding about what is selected is to be shown."""
    by_hand_wanted = Signal()
    """What was changed by hand since the fabric was generated is to be listed."""

    def __init__(self, session: Session, appearance: Appearance) -> None:
        super().__init__()
        self._session = session
        self._appearance = appearance
        self._pages = QStackedWidget()
        self._scrolls: dict[QWidget, QScrollArea] = {}
        self.design_page: DesignPage = self._added(DesignPage(session))
        self.design_page.by_hand_wanted.connect(self.by_hand_wanted)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._pages, 1)
        self._column = column
        self._later = later(self, 0, self.refresh)
        session.selection_changed.connect(self._refresh_soon)
        session.failed_changed.connect(self._refresh_soon)
        session.changed.connect(self._refresh_soon)
        session.reset.connect(self._refresh_soon)
        session.path_changed.connect(self._refresh_soon)
        session.workbench.simulation.state_changed.connect(self._refresh_soon)
        session.workbench.validation.state_changed.connect(self._refresh_findings)
        self.refresh()

    # Pages are loaded and made when something of their kind is selected first, so that the window is up soon.

    @cached_property
    def failed_bar(self) -> Any:
        """What of the selection is marked as failed, above the page; made when something is."""
        bar = failed_bars.FailedBar(self._session)
        bar.restoring.connect(self.restoring)
        self._column.insertWidget(0, bar)
        return bar

    @cached_property
    def findings_bar(self) -> Any:
        """What is found wrong with what is selected, below the page, whose fields stay where they are when it comes."""
        bar = findings_bars.FindingsBar(self._session)
        bar.finding_wanted.connect(self.finding_wanted)
        self._column.addWidget(bar)
        return bar

    def _refresh_findings(self) -> None:
        if self._session.selection or "findings_bar" in self.__dict__:
            self.findings_bar.refresh()

    @cached_property
    def device_page(self) -> Any:
        """The page of a device or one of its modules."""
        return self._added(devices.DevicePage(self._session, self._appearance))

    @cached_property
    def link_page(self) -> Any:
        """The page of a link."""
        return self._added(one_link.LinkPage(self._session, self._appearance))

    @cached_property
    def container_page(self) -> Any:
        """The page of a rack or group."""
        return self._added(containers.ContainerPage(self._session))

    @cached_property
    def many_page(self) -> Any:
        """The page of things of several kinds, or of very many."""
        return self._added(many.ManyPage(self._session))

    @cached_property
    def links_page(self) -> Any:
        """The page of some links."""
        return self._added(several_links.LinksPage(self._session))

    @cached_property
    def annotation_page(self) -> Any:
        """The page of annotations."""
        return self._added(annotations.AnnotationPage(self._session))

    @cached_property
    def fixture_page(self) -> Any:
        """The page of what stands in the room and is no rack."""
        return self._added(fixtures.FixturePage(self._session))

    def _added(self, page: Any) -> Any:
        self._scrolls[page] = _PageScroll(page)
        self._pages.addWidget(self._scrolls[page])
        for field in (*page.findChildren(TextField), *page.findChildren(OwnFields)):
            field.entered.connect(self.entered)
        for name, own in (("going", self.going), ("entered", self.entered)):
            if hasattr(page, name):
                getattr(page, name).connect(own)
        return page

    def focus_name(self) -> None:
        """Put the cursor into the name of what is shown, or the label of a link."""
        self.refresh()
        field = getattr(self._page(), "name", None) or getattr(self._page(), "label", None)
        if isinstance(field, TextField):
            field.line.setFocus(Qt.FocusReason.ShortcutFocusReason)
            field.line.selectAll()

    def _refresh_soon(self) -> None:
        self._later.start()

    def refresh(self) -> None:
        """Show the page of what is selected: a device, link, rack, group or several; the design where nothing is."""
        selection, selected = self._session.selection, self._session.selected
        if self._session.failed or "failed_bar" in self.__dict__:
            self.failed_bar.refresh()
        self._refresh_findings()
        if not selection:
            self._show(self.design_page)
            self.design_page.refresh()
        elif 1 < len(selection) <= several_links.MOST_LINKS and len(selected.links) == len(selection):
            self._show(self.links_page)
            self.links_page.refresh()
        elif selected.annotations == selection:
            self._show(self.annotation_page)
            self.annotation_page.show_annotations(sorted(selection, key=order_key))
        elif selected.fixtures == selection:
            self._show(self.fixture_page)
            self.fixture_page.show_fixtures(sorted(selection, key=order_key))
        elif len(selection) > 1:
            self._show(self.many_page)
            self.many_page.refresh()
        else:
            (only,) = selection
            self._refresh_one(only)

    def _refresh_one(self, entity_id: str) -> None:
        entity = self._session.design.entity(entity_id)
        if isinstance(entity, Module):
            self._show(self.device_page)
            self.device_page.show_device(entity.device_id, entity.id)
        elif isinstance(entity, Device):
            self._show(self.device_page)
            self.device_page.show_device(entity.id)
        elif isinstance(entity, Link):
            self._show(self.link_page)
            self.link_page.show_link(entity.id)
        elif isinstance(entity, Rack | Group):
            self._show(self.container_page)
            self.container_page.show_container(entity.id)
        else:
            self._show(self.design_page)
            self.design_page.refresh()

    def _page(self) -> QWidget | None:
        scroll = self._pages.currentWidget()
        return scroll.widget() if isinstance(scroll, QScrollArea) else None

    def _show(self, page: QWidget) -> None:
        if self._page() is not page:
            self._pages.setCurrentWidget(self._scrolls[page])


class _PageScroll(QScrollArea):
    """Scrolls a page down, and is so wide that nothing in it is cut, as far as the window has room for that."""

    def __init__(self, page: QWidget) -> None:
        super().__init__()
        self._page = page
        page.setProperty("surface", "base")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWidget(page)
        page.installEventFilter(self)

    def minimumSizeHint(self) -> QSize:
        """As wide as the page needs for large letters, at most a share of the window."""
        least = super().minimumSizeHint().expandedTo(QSize(LEAST_PX, 0))
        wanted = self._page.minimumSizeHint().width() + self.verticalScrollBar().sizeHint().width()
        most = min(enlarged(MOST_PX), round(MOST_SHARE * self.window().width()))
        return QSize(max(least.width(), min(wanted, most)), least.height())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow what the page needs."""
        if event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
        return super().eventFilter(watched, event)
