"""Makes the pictures of the README: the real window on the examples, grabbed by itself.

    python docs/make_pictures.py [NAME ...]

Works with and without a display.
"""

import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
os.environ["XDG_CONFIG_HOME"] = tempfile.mkdtemp()
if not os.environ.get("DISPLAY"):
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QDeadlineTimer, QEventLoop, QTimer  # noqa: E402

from designer.catalog.catalog import load  # noqa: E402
from designer.panels.appearance import Appearance  # noqa: E402
from designer.session.preferences import Preferences  # noqa: E402
from designer.session.session import Session  # noqa: E402
from designer.simulation.scenario import Scenario  # noqa: E402
from designer.windows.application import make_application  # noqa: E402
from designer.windows.dialogs.questions import Questions  # noqa: E402
from designer.windows.main_window import MainWindow  # noqa: E402

SIZE = (1500, 920)
PATIENCE_MS = 120_000


def wait(test: Callable[[], bool], least_ms: int = 200) -> None:
    """Let the program run until the test holds, and a little longer so that all is painted."""
    end = QDeadlineTimer(PATIENCE_MS)
    while not test():
        if end.hasExpired():
            sys.exit("the picture did not come about")
        rest(20)
    rest(least_ms)


def rest(milliseconds: int) -> None:
    loop = QEventLoop()
    QTimer.singleShot(milliseconds, loop.quit)
    loop.exec()


def open_example(window: MainWindow, name: str, scenario: Scenario | None = None) -> None:
    window.session.open(ROOT / "examples" / f"{name}.fabric")
    window.show_canvas()
    rest(200)
    window.canvas.zoom_to_fit()
    if scenario is not None:
        window.session.simulation.scenario = scenario
        window.session.simulation.run()
        wait(lambda: window.session.heat is not None)
    wait(lambda: window.session.report_current)


def superpod(window: MainWindow) -> None:
    open_example(window, "superpod-h100-4su", Scenario(traffic="permutation:1", routing="ecmp", size_bytes=1 << 30))
    window.show_panel("simulation")
    rest(300)


def oversubscribed(window: MainWindow) -> None:
    window.appearance.choice = "dark"
    open_example(window, "fat-tree-16-2to1", Scenario(traffic="permutation:1", routing="ecmp", size_bytes=1 << 30))
    leaf = next(device for device in window.session.design.devices.values() if device.role == "leaf")
    window.session.select([leaf.id])
    window.show_panel("inspector")
    rest(300)


def faults(window: MainWindow) -> None:
    open_example(window, "faults")
    window.focus_panel("findings")
    rest(300)


PICTURES = {"superpod-4su-heat": superpod, "fat-tree-dark": oversubscribed, "faults": faults}


def main(names: list[str]) -> int:
    app = make_application(sys.argv)
    catalog = load()
    for name in names or list(PICTURES):
        session = Session(catalog)
        preferences = Preferences(Path(tempfile.mkdtemp()) / "window.ini")
        window = MainWindow(session, catalog, preferences, Appearance(app, "light"), Questions())
        window.resize(*SIZE)
        window.show()
        PICTURES[name](window)
        window.notice.hide()
        rest(300)
        target = ROOT / "docs" / f"{name}.png"
        window.grab().save(str(target))
        print(target.relative_to(ROOT))
        session.undo_stack.setClean()
        window.close()
        session.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
