"""The application: starts light, survives defects, remembers its user."""

import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest
import shiboken6
from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QDockWidget, QTabBar, QWidget

import designer
from designer.panels.widgets.appearance import LIGHT_CHROME, style_sheet
from designer.session.preferences import Preferences
from designer.windows import known_to_qt
from designer.windows.application import guard_against_defects, start_logging

pytestmark = pytest.mark.own_window

HEAVY = ("numba", "scipy", "pyqtgraph", "networkx", "openpyxl", "numpy.random", "urllib.request", "ssl", "email")
LATE = (
    "designer.canvas.export",
    "designer.canvas.formats",
    "designer.drawing.sheets",
    "designer.exchange.exporters",
    "designer.exchange.svg_writing",
    "designer.panels.inspector.inspector_device",
    "designer.simulation.engine",
    "designer.topologies.families",
    "designer.validation.engine",
    "designer.windows.dialogs.generate",
    "designer.windows.files.exporting",
    "designer.windows.files.packing",
)
"""What the first window does without."""
OWN_MODULES_MOST = 510
"""A module takes about a millisecond to load. Load what few windows need with `Late`, rather than raise this."""


def test_the_window_is_imported_without_numba_scipy_or_pyqtgraph():
    code = "import sys, designer.windows.application; print(*sys.modules)"
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    loaded = answer.stdout.split()
    assert not {*HEAVY, *LATE} & set(loaded)
    assert len([name for name in loaded if name.startswith("designer.")]) <= OWN_MODULES_MOST


def test_a_defect_is_logged_and_told_and_the_design_stays(window, add, tmp_path, monkeypatch, caplog):
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    monkeypatch.setattr("threading.excepthook", lambda args: None)
    add("nvidia-qm9700")
    guard_against_defects(window, tmp_path / "x.log")
    try:
        raise ZeroDivisionError("a defect")
    except ZeroDivisionError as error:
        sys.excepthook(ZeroDivisionError, error, error.__traceback__)
    assert window.notice.isVisible()
    assert "ZeroDivisionError" in window.notice.text.text()
    assert "x.log" in window.notice.text.text()
    assert "a defect" in caplog.text
    assert window.session.design.devices


def test_the_log_goes_to_the_users_folder(tmp_path):
    import logging

    before = list(logging.getLogger().handlers)
    path = start_logging(tmp_path / "state")
    try:
        logging.getLogger("designer").error("something in \x1b[31mred")
        assert "something in \\u001b[31mred" in path.read_text("utf-8")
    finally:
        for handler in set(logging.getLogger().handlers) - set(before):
            logging.getLogger().removeHandler(handler)
            handler.close()


def test_preferences_survive_a_restart_and_ignore_nonsense(tmp_path, qapp):
    path = tmp_path / "window.ini"
    first = Preferences(path)
    first.theme = "dark"
    first.start_on_welcome = False
    first.memory_limit_gb = 16.0
    first.add_recent_type("dgx-h100")
    first.flush()
    second = Preferences(path)
    assert second.theme == "dark"
    assert not second.start_on_welcome
    assert second.memory_limit_gb == 16.0
    assert second.recent_types == ["dgx-h100"]
    path.write_text("[window]\ntheme=purple\n[recent]\ntypes=@Invalid()\n[simulation]\nmemory_limit_gb=lots\n")
    assert Preferences(path).theme == "system"
    assert Preferences(path).memory_limit_gb == 8.0


class StylesGiven(QObject):
    """Counts how often widgets are given a style."""

    def __init__(self) -> None:
        super().__init__()
        self.count = 0

    def eventFilter(self, _to: QObject, event: QEvent) -> bool:
        self.count += event.type() == QEvent.Type.StyleChange
        return False


def test_a_window_gives_its_widgets_their_style_once(make_window, qapp):
    styles = StylesGiven()
    qapp.installEventFilter(styles)
    window = make_window()
    qapp.removeEventFilter(styles)
    assert qapp.styleSheet() == style_sheet(LIGHT_CHROME)
    assert 0 < styles.count <= 2 * len(window.findChildren(QWidget))


def test_a_window_takes_all_its_widgets_along(make_window, qtbot, qapp):
    """Qt styles every widget there is with each window that opens: what stays makes each later one slower."""
    before = set(qapp.allWidgets())
    window = make_window()
    window.show()
    qtbot.waitExposed(window)
    window.views.show_canvas()
    window.close()
    shiboken6.delete(window)
    assert set(qapp.allWidgets()) <= before


def test_docks_start_with_their_sizes(window):
    docks = {dock.objectName(): dock for dock in window.findChildren(QDockWidget)}
    assert [docks[name].width() for name in ("palette", "inspector")] == [272, 370]
    assert docks["findings"].height() == 236


def test_no_tab_bar_without_a_use_lies_over_the_palette(make_window, qtbot):
    first = make_window()
    first.show()
    first.views.show_canvas()
    first.docks.show("studies")
    first.close()
    for window in (first, make_window()):  # the second comes back as the first was left
        window.show()
        qtbot.waitExposed(window)
        window.views.show_canvas()
        palette = window.findChild(QDockWidget, "palette").geometry()
        bars = [bar for bar in window.findChildren(QTabBar) if bar.parent() is window and bar.isVisible()]
        assert bars and not any(bar.geometry().intersects(palette) for bar in bars)


def test_what_is_loaded_before_qt_neither_loads_qt_nor_what_the_first_window_does_without():
    code = "import sys, designer.windows.before_qt; print(*sys.modules)"
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert not {"PySide6", *HEAVY, *LATE} & set(answer.stdout.split())


def test_the_first_window_is_built_without_what_it_does_without(tmp_path):
    """A partial of a function of a `Late` module loads it: what is connected looks its names up when it is called."""
    code = (
        "import sys\nfrom designer import __main__\nfrom PySide6.QtWidgets import QApplication\n"
        "QApplication.exec = lambda app: print(*sys.modules) or 0\n__main__.main([])"
    )
    environment = {**os.environ, "XDG_CONFIG_HOME": str(tmp_path), "XDG_STATE_HOME": str(tmp_path)}
    answer = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True, env=environment
    )
    assert not {*HEAVY, *LATE} & set(answer.stdout.split())


def test_pyside_reads_no_source_of_the_program():
    code = (
        "import linecache; from designer.windows import known_to_qt; known_to_qt.tell();"
        "import designer.windows.application; print(*linecache.cache, sep='\\n')"
    )
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    own = str(Path(designer.__file__).parent)
    assert {name for name in answer.stdout.splitlines() if name.startswith(own)} <= {designer.__file__}


def test_a_pyside_that_keeps_no_list_of_modules_is_left_alone(monkeypatch):
    monkeypatch.setitem(sys.modules, "shibokensupport.feature", ModuleType("shibokensupport.feature"))
    known_to_qt.tell()
    monkeypatch.delitem(sys.modules, "shibokensupport.feature")
    known_to_qt.tell()
