"""How fast the window is: opening, edit to new heat, and frames while panning, zooming and recolouring.

    python tests/benchmarks/window_speed.py [DEVICES ...]

Prints medians in milliseconds, on the SuperPOD example and on fat-trees of about so many devices.
"""

import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
os.environ["XDG_CONFIG_HOME"] = tempfile.mkdtemp()
if not os.environ.get("DISPLAY"):
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QEventLoop, QTimer  # noqa: E402
from PySide6.QtGui import QPixmap  # noqa: E402

from designer.catalog.catalog import load  # noqa: E402
from designer.drawing.heat import Heat  # noqa: E402
from designer.model import operations  # noqa: E402
from designer.model.design import Design  # noqa: E402
from designer.panels.widgets.appearance import Appearance  # noqa: E402
from designer.session.preferences import Preferences  # noqa: E402
from designer.session.session import Session  # noqa: E402
from designer.simulation.scenario import Scenario  # noqa: E402
from designer.simulation.warm_up import warm_up  # noqa: E402
from designer.topologies import pgft  # noqa: E402
from designer.windows.application import make_application  # noqa: E402
from designer.windows.dialogs.questions import Questions  # noqa: E402
from designer.windows.shell.main_window import MainWindow  # noqa: E402

REPEATS = 9


def rest(milliseconds: int) -> None:
    loop = QEventLoop()
    QTimer.singleShot(milliseconds, loop.quit)
    loop.exec()


def until(test: Callable[[], bool]) -> None:
    while not test():
        rest(1)


def clock(action: Callable[[], None]) -> float:
    """Milliseconds of an action."""
    start = time.perf_counter()
    action()
    return (time.perf_counter() - start) * 1e3


def paint(window: MainWindow) -> None:
    target = QPixmap(window.views.canvas.size())
    window.views.canvas.render(target)


def opening(window: MainWindow, path: Path) -> None:
    def run() -> None:
        window.session.open(path)
        window.views.show_canvas()
        paint(window)

    took = [clock(run) for _ in range(3)]
    print(f"open {path.stem} until painted: {statistics.median(took):.0f} ms")


def large_edits(window: MainWindow) -> None:
    """On 16,384 hosts below three tiers."""
    design = Design()
    design.apply(pgft.build(design, pgft.PgftParameters((32, 16, 32), (1, 32, 16)), load()))
    window.session.replace(design, None)
    paint(window)
    live_edits(window, "16,384 hosts, ring all-reduce", Scenario(collective="all-reduce"))
    live_edits(window, "16,384 hosts, all-to-all spray", Scenario(traffic="all-to-all", size_bytes=1 << 20))


def live_edits(window: MainWindow, title: str, scenario: Scenario) -> None:
    session = window.session
    session.workbench.simulation.scenario = scenario
    session.workbench.simulation.live = True
    until(lambda: session.workbench.simulation.heat is not None and session.workbench.validation.is_current)
    spines = [d.id for d in session.design.devices.values() if d.role == "spine"]
    took = []
    for number in range(REPEATS):
        link = session.design.links_of(spines[number % len(spines)])[number]

        def edit(link_id: str = link.id) -> None:
            session.push(operations.delete(session.design, [link_id]))
            until(lambda: session.workbench.simulation.heat is not None)
            paint(window)

        took.append(clock(edit))
        session.undo_stack.undo()
        until(lambda: session.workbench.simulation.heat is not None and session.workbench.validation.is_current)
    session.workbench.simulation.live = False
    print(f"edit to new heat painted, {title}: {statistics.median(took):.0f} ms (most {max(took):.0f})")


def frames(window: MainWindow, devices: int) -> None:
    session, canvas = window.session, window.views.canvas
    design = Design()
    pods = max(1, round(devices / (32 * 16 * 1.1)))
    design.apply(pgft.build(design, pgft.PgftParameters((32, 16, pods), (1, 16, 16)), load()))
    opened = clock(lambda: (session.replace(design, None), paint(window)))
    heat_of = [
        Heat(design.revision, {one: ((n * 7 + k) % 100 / 100,) * 2 for n, one in enumerate(design.links)})
        for k in range(3)
    ]

    def recolour(number: int) -> None:
        canvas.fabric._heat = heat_of[number % 3]
        paint(window)

    def pan(number: int) -> None:
        canvas.move_camera(canvas.camera.moved(5.0 if number % 2 else -5.0, 3.0))
        paint(window)

    def zoom(number: int) -> None:
        canvas.move_camera(canvas.camera.zoomed(1.1 if number % 2 else 1 / 1.1, 500, 300))
        paint(window)

    print(f"{len(design.devices):,} devices, {len(design.links):,} links: shown after {opened:.0f} ms")
    for where in ("fit", "near"):
        canvas.zoom_to_fit()
        if where == "near":
            canvas.zoom_by(1.0 / canvas.camera.scale)
        for name, action in (("pan", pan), ("zoom", zoom), ("recolour", recolour)):
            took = [clock(lambda n=n, act=action: act(n)) for n in range(REPEATS)]
            canvas.fabric.composition.generation += 1
            canvas._come_to_rest()
            rested = clock(lambda: paint(window))
            middle = statistics.median(took)
            print(f"  {where:5}{name:9} {middle:7.1f} ms (most {max(took):.1f}), at rest {rested:.0f} ms")


def main(sizes: list[int]) -> int:
    app = make_application(sys.argv)
    catalog = load()
    session = Session(catalog)
    window = MainWindow(session, Preferences(Path(tempfile.mkdtemp()) / "w.ini"), Appearance(app, "light"), Questions())
    window.resize(1600, 900)
    window.show()
    warm_up()
    opening(window, ROOT / "examples" / "superpod-h100-4su.fabric")
    live_edits(window, "SuperPOD, ring all-reduce", Scenario(collective="all-reduce"))
    live_edits(window, "SuperPOD, all-to-all spray", Scenario(traffic="all-to-all", size_bytes=1 << 20))
    large_edits(window)
    for size in sizes:
        frames(window, size)
    session.undo_stack.setClean()
    window.close()
    session.close()
    return 0


if __name__ == "__main__":
    sys.exit(main([int(one) for one in sys.argv[1:]] or [1000, 10_000]))
