"""The docks of the main window: which panel stands where.

Panels that a first window does not show are made when they are first shown or used: it opens sooner without them.
"""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDockWidget, QMainWindow, QTabWidget, QWidget

from designer.late import Late
from designer.panels.findings.panel import FindingsPanel
from designer.panels.inspector.panel import InspectorPanel
from designer.panels.outline import OutlinePanel
from designer.panels.palette import PalettePanel
from designer.panels.widgets.appearance import Appearance
from designer.panels.widgets.fitting import Scrolled
from designer.panels.widgets.labels import enlarged
from designer.session.preferences import Preferences
from designer.session.session import Session
from designer.windows.shell.minimap import Minimap

if TYPE_CHECKING:
    from designer.panels.comparison import ComparisonPanel
    from designer.panels.simulation.failures import FailuresPanel
    from designer.panels.simulation.panel import SimulationPanel
    from designer.panels.simulation.paths import PathsPanel
    from designer.panels.studies.panel import StudiesPanel
    from designer.panels.tables import TablesPanel

simulations = Late("designer.panels.simulation.panel")
studies = Late("designer.panels.studies.panel")
failures = Late("designer.panels.simulation.failures")
paths = Late("designer.panels.simulation.paths")
comparisons = Late("designer.panels.comparison")
tables = Late("designer.panels.tables")

MADE_LATE = ("minimap", "simulation", "studies", "failures", "paths", "comparison", "tables")
"""Panels that are loaded and made when they are first shown or used; the minimap comes from the canvas."""

SIDE = Qt.DockWidgetArea
PLACES = {
    "palette": ("Palette", SIDE.LeftDockWidgetArea, 272),
    "outline": ("Outline", SIDE.LeftDockWidgetArea, 272),
    "minimap": ("Minimap", SIDE.LeftDockWidgetArea, 180),
    "inspector": ("Inspector", SIDE.RightDockWidgetArea, 370),
    "simulation": ("Simulation", SIDE.RightDockWidgetArea, 370),
    "findings": ("Findings", SIDE.BottomDockWidgetArea, 236),
    "studies": ("Studies", SIDE.BottomDockWidgetArea, 340),
    "failures": ("Failures", SIDE.BottomDockWidgetArea, 340),
    "paths": ("Paths", SIDE.BottomDockWidgetArea, 270),
    "comparison": ("Comparison", SIDE.BottomDockWidgetArea, 340),
    "tables": ("Tables", SIDE.BottomDockWidgetArea, 270),
}

GROUPED_BY = "findings/group"

LEAST_WIDTHS = {"palette": 200, "outline": 200, "simulation": 280}
"""Narrower than this a side panel says nothing; the canvas gives way first. The inspector states its own least."""
SIDES = ("palette", "inspector")
NARROW_WIDTHS = {"palette": 224, "inspector": 280}
"""In a narrow window."""
MOST_SHARES = {"palette": 0.24, "inspector": 0.285}
"""Of a narrow window, where letters are large: the panels at the bottom need the rest next to the inspector."""
WIDE = ("studies", "failures", "paths", "comparison", "tables")
"""Panels wider than a small window leaves room for: they scroll sideways rather than push the others aside."""

LARGEST_SHARE = 0.28
"""Of the window's height for a panel at the bottom: most of a low window stays the drawing's."""
LARGER_SHARES = {"comparison": 0.46}
"""Of panels whose figures are what somebody wants to see."""
NARROW_PX = 1280
"""A window that leaves less than half of its width to what stands between palette and inspector."""

TABBED = ("outline", "inspector", "simulation", "studies", "failures", "paths", "comparison", "tables")


class Docks:
    """Makes the panels and their docks; shows, hides and focuses them by name."""

    def __init__(
        self,
        window: QMainWindow,
        session: Session,
        appearance: Appearance,
        preferences: Preferences,
        minimap: Minimap,
    ) -> None:
        self._window, self._session, self._appearance = window, session, appearance
        self._minimap = minimap
        self.palette = PalettePanel(session.catalog, session.placing, appearance, preferences)
        self.outline = OutlinePanel(session, appearance)
        self.inspector = InspectorPanel(session, appearance)
        self.findings = FindingsPanel(session, appearance, preferences.text(GROUPED_BY))
        self.findings.grouping_changed.connect(lambda name: preferences.set_text(GROUPED_BY, name))
        self._panels: dict[str, QWidget] = {
            "palette": self.palette,
            "outline": self.outline,
            "inspector": self.inspector,
            "findings": self.findings,
        }
        self._followers: dict[str, list[Callable[[Any], object]]] = {name: [] for name in MADE_LATE}
        self._docks: dict[str, QDockWidget] = {}
        self._widths = {name: PLACES[name][2] for name in SIDES}
        self.fit_window(window.width())
        self._away: list[str] | None = None
        window.setTabPosition(SIDE.LeftDockWidgetArea | SIDE.RightDockWidgetArea, QTabWidget.TabPosition.North)
        window.setCorner(Qt.Corner.BottomRightCorner, SIDE.RightDockWidgetArea)
        for name, (title, area, _) in PLACES.items():
            dock = QDockWidget(title)
            dock.setObjectName(name)
            dock.setFeatures(
                QDockWidget.DockWidgetFeature.DockWidgetMovable | QDockWidget.DockWidgetFeature.DockWidgetClosable
            )
            window.addDockWidget(area, dock)
            self._docks[name] = dock
            if name in self._panels:
                self._fill(name, self._panels[name])
            else:
                dock.visibilityChanged.connect(partial(self._make_shown, name))
        # Hidden before they become tabs: else a tab bar of no use stays behind, over the palette.
        for name in ("outline", "minimap", "studies", "failures", "paths", "comparison", "tables"):
            self._docks[name].hide()
        window.tabifyDockWidget(self._docks["palette"], self._docks["outline"])
        window.tabifyDockWidget(self._docks["inspector"], self._docks["simulation"])
        window.tabifyDockWidget(self._docks["findings"], self._docks["studies"])
        window.tabifyDockWidget(self._docks["studies"], self._docks["failures"])
        window.tabifyDockWidget(self._docks["failures"], self._docks["paths"])
        window.tabifyDockWidget(self._docks["paths"], self._docks["comparison"])
        window.tabifyDockWidget(self._docks["comparison"], self._docks["tables"])
        for name in TABBED:
            self._docks[name].setTitleBarWidget(QWidget())  # the tab says it already
        self._docks["inspector"].raise_()
        self.findings.counted.connect(self._count_findings)
        self._had_paths, self._job = False, session.workbench.paths
        self._job.changed.connect(self._leave_paths)
        self._had_comparison, self._comparison_job = False, session.workbench.comparison
        self._comparison_job.changed.connect(self._leave_comparison)

    # -- panels made late -----------------------------------------------------------------------------------------

    @property
    def minimap(self) -> Minimap:
        """All of the drawing, taken from the canvas."""
        panel: Minimap = self._made("minimap", self._minimap.go_into_panel)
        return panel

    def give_back_minimap(self, corner: str) -> None:
        """Have the minimap in a corner of the canvas again, and hide its dock."""
        self._docks["minimap"].hide()
        self._panels.pop("minimap", None)
        self._minimap.stand_in(corner)

    @property
    def simulation(self) -> "SimulationPanel":
        """Traffic, its run, and what came of it."""
        panel: SimulationPanel = self._made(
            "simulation", lambda: simulations.SimulationPanel(self._session, self._appearance)
        )
        return panel

    @property
    def studies(self) -> "StudiesPanel":
        """The studies, a tab each."""
        panel: StudiesPanel = self._made("studies", lambda: studies.StudiesPanel(self._session, self._appearance))
        return panel

    @property
    def failures(self) -> "FailuresPanel":
        """What would break most."""
        panel: FailuresPanel = self._made("failures", lambda: failures.FailuresPanel(self._session, self._appearance))
        return panel

    @property
    def paths(self) -> "PathsPanel":
        """The paths between two devices."""
        panel: PathsPanel = self._made("paths", lambda: paths.PathsPanel(self._session))
        return panel

    @property
    def comparison(self) -> "ComparisonPanel":
        """What differs from another design."""
        panel: ComparisonPanel = self._made(
            "comparison", lambda: comparisons.ComparisonPanel(self._session, self._appearance)
        )
        return panel

    @property
    def tables(self) -> "TablesPanel":
        """All devices, cables or ports."""
        panel: TablesPanel = self._made("tables", lambda: tables.TablesPanel(self._session))
        return panel

    def follow(self, name: str, connect: Callable[[Any], object]) -> None:
        """Have `connect` called with the panel: at once, or when it is made."""
        if name in self._panels:
            connect(self._panels[name])
        else:
            self._followers[name].append(connect)

    def _made(self, name: str, make: Callable[[], QWidget]) -> Any:
        """The panel of that name, made where there is none yet."""
        if name not in self._panels:
            made = self._panels[name] = make()
            self._fill(name, made)
            for connect in self._followers.pop(name, ()):
                connect(made)
        return self._panels[name]

    def _panel(self, name: str) -> QWidget:
        panel: QWidget = getattr(self, name)
        return panel

    def _fill(self, name: str, panel: QWidget) -> None:
        """Put the panel into its dock."""
        panel.setMinimumWidth(LEAST_WIDTHS.get(name, panel.minimumWidth()))
        self._docks[name].setWidget(Scrolled(panel) if name in WIDE else panel)

    def _make_shown(self, name: str, is_visible: bool) -> None:
        if is_visible:
            self._panel(name)

    # -- docks ----------------------------------------------------------------------------------------------------

    def fit_window(self, width: int) -> None:
        """In a narrow window the panels at the bottom reach under the palette: they would be of no use as narrow.

        Those at the sides are as wide as need be while it is narrow, and as before when it is so no longer.
        """
        side = SIDE.BottomDockWidgetArea if width < NARROW_PX else SIDE.LeftDockWidgetArea
        if self._window.corner(Qt.Corner.BottomLeftCorner) != side:
            if self._docks and width < NARROW_PX:
                self._widths = {name: self._docks[name].width() for name in SIDES}
            self._window.setCorner(Qt.Corner.BottomLeftCorner, side)
            if self._docks:
                self.take_sizes()

    def take_sizes(self) -> None:
        """Give the docks their sizes, once their panels have their style: in a narrow window the drawing has most."""
        is_narrow = self._window.width() < NARROW_PX
        widths = [self._narrow_width(name) if is_narrow else self._widths[name] for name in SIDES]
        docks = [self._docks[name] for name in SIDES]
        self._window.resizeDocks(docks, widths, Qt.Orientation.Horizontal)
        low = (name for name, (_, area, _) in PLACES.items() if area == SIDE.BottomDockWidgetArea)
        front = next((name for name in low if self.shown(name)), "findings")  # all have the height of that
        self.give_room(front, self._height(front))

    def fit_letters(self) -> None:
        """In a narrow window, give the panels at the sides the widths for letters of another size."""
        if self._window.width() < NARROW_PX:
            self.take_sizes()

    def _narrow_width(self, name: str) -> int:
        """The width of a side panel in a narrow window: wider for larger letters, up to its share of the window."""
        most = round(self._window.width() * MOST_SHARES[name])
        return max(NARROW_WIDTHS[name], min(enlarged(NARROW_WIDTHS[name]), most))

    def show(self, name: str) -> None:
        """Bring a panel to the front by its name, at least as high as it needs at the bottom."""
        self._panel(name)
        dock = self._docks[name]
        dock.show()
        dock.raise_()
        is_low = name == "minimap" or PLACES[name][1] == SIDE.BottomDockWidgetArea
        if dock.height() < self._height(name) and is_low:
            self.give_room(name, self._height(name))

    def _height(self, name: str) -> int:
        """How high a panel at the bottom is by itself: what it needs, in a low window a share of that."""
        return min(PLACES[name][2], round(LARGER_SHARES.get(name, LARGEST_SHARE) * self._window.height()))

    def give_room(self, name: str, height: int) -> None:
        """Make a dock at the bottom so high, as far as the window allows."""
        self._window.resizeDocks([self._docks[name]], [height], Qt.Orientation.Vertical)

    def focus(self, name: str) -> None:
        """Show a panel and give the keyboard to its search line or first field."""
        self.show(name)
        panel = self._panel(name)
        if isinstance(panel, PalettePanel):
            panel.focus_search()
            return
        target = panel.nextInFocusChain()
        while target is not None and target is not panel:
            if _takes_tab(target) and panel.isAncestorOf(target):
                target.setFocus(Qt.FocusReason.ShortcutFocusReason)
                return
            target = target.nextInFocusChain()

    def toggle(self, name: str) -> None:
        """Hide a panel that can be seen; show one that is hidden or behind another."""
        if self.shown(name):
            self._docks[name].hide()
        else:
            self.show(name)

    def shown(self, name: str) -> bool:
        """Whether a panel can be seen, which one behind another cannot."""
        dock = self._docks[name]
        # A dock behind another tab counts as visible to Qt, which keeps it out of sight beyond the window's corner.
        return dock.isVisible() and dock.geometry().intersects(self._window.rect())

    def put_away(self) -> None:
        """Hide all docks, remembering which were open."""
        if self._away is None:
            self._away = [name for name, dock in self._docks.items() if not dock.isHidden()]
            for dock in self._docks.values():
                dock.hide()

    def bring_back(self) -> None:
        """Show again what `put_away` hid."""
        if self._away is not None:
            away, self._away = self._away, None
            for name in away:
                self._docks[name].show()
            if "inspector" in away:
                self._docks["inspector"].raise_()

    def _leave_paths(self) -> None:
        """Bring the findings back to the front when paths are shown no more."""
        had, self._had_paths = self._had_paths, self._job.asked is not None
        if had and not self._had_paths and self.shown("paths"):
            self._docks["findings"].raise_()

    def _leave_comparison(self) -> None:
        """Hide the empty panel when a comparison that was shown ends; where it was stopped, another can be chosen."""
        job = self._comparison_job
        had, self._had_comparison = self._had_comparison, job.found is not None
        if had and job.path is None:
            self._docks["comparison"].hide()

    def show_comparison(self) -> None:
        """Have the panel of a comparison in sight that colors the drawing, wherever another tab had its docks."""
        if self._comparison_job.path is not None and self._docks["comparison"].isHidden():
            self.show("comparison")

    def _count_findings(self, errors: int, warnings: int) -> None:
        count = errors + warnings
        self._docks["findings"].setWindowTitle(f"Findings  ({count:,})" if count else "Findings")


def _takes_tab(widget: QWidget) -> bool:
    return widget.isVisible() and widget.isEnabled() and bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus)
