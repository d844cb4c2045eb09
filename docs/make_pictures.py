"""Makes the pictures of the README and the gallery: the real window on the examples, grabbed by itself.

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
from designer.model.entities import order_key  # noqa: E402
from designer.panels.appearance import Appearance  # noqa: E402
from designer.regeneration import recipes  # noqa: E402
from designer.session.preferences import Preferences  # noqa: E402
from designer.session.session import Session  # noqa: E402
from designer.simulation.scenario import Scenario  # noqa: E402
from designer.topologies.families import FAMILIES  # noqa: E402
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


def generated(window: MainWindow, family: str, **parameters: object) -> None:
    """A design as the generator's dialog makes it."""
    session, row = window.session, next(row for row in FAMILIES if row.name == family)
    session.push(recipes.generated(session.design, row, row.parameters(**parameters), window.catalog))
    window.show_canvas()
    wait(lambda: session.report_current)
    window.canvas.zoom_to_fit()


def dragonfly(window: MainWindow) -> None:
    generated(window, "dragonfly-plus", leafs=4, spines=4, p=4, h=2, groups=9)


def torus(window: MainWindow) -> None:
    generated(window, "torus", dims=(4, 4, 4))


def floor(window: MainWindow) -> None:
    open_example(window, "superpod-h100-4su")
    window.actions_table.trigger("room.auto_place")
    window.show_view(window.floor)
    rest(300)
    window.floor.zoom_to_fit()


def elevation(window: MainWindow) -> None:
    open_example(window, "superpod-h100-4su")
    racks = sorted(window.session.design.racks, key=order_key)
    window.actions_table.trigger("room.auto_place")
    window.show_view(window.elevation)
    rest(300)
    window.elevation.zoom_to(frozenset([*racks[2:6], *racks[-5:-4]]))


def opened_server(window: MainWindow) -> None:
    open_example(window, "superpod-h100-4su")
    server = next(iter(window.session.design.servers()))
    window.canvas.zoom_onto([server.id])
    window.canvas.move_camera(window.canvas.camera.zoomed(8.5 / window.canvas.camera.scale, *middle(window)))


def middle(window: MainWindow) -> tuple[float, float]:
    return window.canvas.width() / 2, window.canvas.height() / 2


PICTURES = {
    "superpod-4su-heat": superpod, "fat-tree-dark": oversubscribed, "faults": faults, "dragonfly-plus": dragonfly,
    "torus-3d": torus, "floor-plan": floor, "rack-elevation": elevation, "opened-server": opened_server,
}  # fmt: skip
OF_THE_VIEW_ALONE = ("dragonfly-plus", "torus-3d", "floor-plan", "rack-elevation", "opened-server")


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
        (window.view if name in OF_THE_VIEW_ALONE else window).grab().save(str(target))
        print(target.relative_to(ROOT))
        session.undo_stack.setClean()
        window.close()
        session.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
