"""Time and memory for large designs: generated, saved, reopened, described, and opened in the window.

    python tests/benchmarks/large_designs.py [superpod] [k64]

Each line is a process of its own: seconds by the wall clock and of processor time, and the most memory it held. For the
window: seconds from the request until the design is painted and until all is at rest, and the longest that the window
did not answer.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

DESIGNS = {
    "superpod": (
        "rail-optimized",
        "--switch",
        "nvidia-qm9700",
        "--server",
        "dgx-b200",
        "--servers",
        "512",
        "--tiers",
        "3",
    ),
    "k64": ("k-ary-fat-tree", "--k", "64"),
}
"""DGX SuperPOD B200 of 16 scalable units (4,096 GPUs); k-ary fat-tree of 65,536 hosts."""
TARGETS_S = {"superpod": (2.0, 3.0), "k64": (20.0, 15.0)}
"""Seconds to generate, and to open, that a release has to keep on a quiet machine."""
BEAT_MS = 5


def run(*arguments: str) -> tuple[float, float, float]:
    """(wall seconds, processor seconds, megabytes at most) of a process of its own, its modules compiled before."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    started = time.perf_counter()
    process = subprocess.Popen([sys.executable, *arguments], cwd=ROOT, stdout=subprocess.DEVNULL, env=environment)
    _, status, usage = os.wait4(process.pid, 0)
    wall_s = time.perf_counter() - started
    if status:
        raise SystemExit(f"{' '.join(arguments)} failed")
    return wall_s, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def show(what: str, wall_s: float, processor_s: float, megabytes: float, limit_s: float | None = None) -> None:
    limit = f"   (limit {limit_s:g} s)" if limit_s is not None else ""
    print(f"  {what:<28} {wall_s:6.2f} s  processor {processor_s:6.2f} s  memory {megabytes:6,.0f} MB{limit}")
    sys.stdout.flush()


def say(text: str) -> None:
    print(f"    {text}", file=sys.stderr, flush=True)


def measure(name: str, folder: Path) -> None:
    path = folder / f"{name}.fabric"
    generate_s, open_s = TARGETS_S[name]
    print(name)
    show("generate", *run("-m", "designer", "generate", *DESIGNS[name], "-o", str(path)), generate_s)
    print(f"  {'file':<28} {path.stat().st_size / 1e6:6.1f} MB")
    show("save and reopen", *run(__file__, "--reopen", str(path)), open_s)
    show("info", *run("-m", "designer", "info", str(path)), open_s if name == "superpod" else None)
    show("validate", *run("-m", "designer", "validate", str(path)))
    show("window, whole process", *run(__file__, "--window", str(path)))
    sys.stdout.flush()


def reopen(path: Path) -> None:
    """Load, save under another name, load again."""
    from designer.storage import document

    started = time.perf_counter()
    design = document.load(path)
    loaded = time.perf_counter()
    document.save(design, path.with_suffix(".again"))
    saved = time.perf_counter()
    del design
    document.load(path.with_suffix(".again"))
    done = time.perf_counter()
    assert path.read_bytes() == path.with_suffix(".again").read_bytes()
    say(f"load {loaded - started:.2f} s, save {saved - loaded:.2f} s, load {done - saved:.2f} s")


def open_in_window(path: Path) -> None:
    from PySide6.QtCore import QElapsedTimer, QEvent, QEventLoop, QObject, QTimer

    from designer.catalog.catalog import load
    from designer.panels.widgets.appearance import Appearance
    from designer.session.garbage import GarbageCollector
    from designer.session.preferences import Preferences
    from designer.session.session import Session
    from designer.windows.application import make_application
    from designer.windows.commands import document_commands
    from designer.windows.dialogs.questions import Questions
    from designer.windows.shell.main_window import MainWindow

    class PaintWatch(QObject):
        def __init__(self, watched: QObject) -> None:
            super().__init__(watched)
            watched.installEventFilter(self)
            self.painted = False

        def forget(self) -> None:
            self.painted = False

        def eventFilter(self, watched: QObject, event: QEvent) -> bool:
            self.painted = self.painted or event.type() == QEvent.Type.Paint
            return False

    def rest(milliseconds: int) -> None:
        loop = QEventLoop()
        QTimer.singleShot(milliseconds, loop.quit)
        loop.exec()

    def until(test: Callable[[], bool]) -> None:
        while not test():
            rest(1)

    born = time.perf_counter()
    app = make_application(sys.argv)
    GarbageCollector(app).start()
    catalog = load()
    session = Session(catalog)
    preferences = Preferences(Path(tempfile.mkdtemp()) / "window.ini")
    window = MainWindow(session, preferences, Appearance(app, "light"), Questions())
    window.resize(1600, 1000)
    window.views.show_canvas()
    window.show()
    until(lambda: window.isActiveWindow() or time.perf_counter() - born > 1)
    gaps: list[tuple[float, float]] = []
    since = QElapsedTimer()
    started = time.perf_counter()

    def beat() -> None:
        gaps.append((since.restart(), time.perf_counter() - started))

    timer = QTimer()
    timer.setInterval(BEAT_MS)
    timer.timeout.connect(beat)
    since.start()
    timer.start()
    watch = PaintWatch(window.views.canvas)
    session.reset.connect(watch.forget)
    document_commands.open_path(window.desk, path)
    until(lambda: bool(session.design.devices) and watch.painted)
    painted_s = time.perf_counter() - started
    until(lambda: session.workbench.validation.is_current)
    rest(200)
    beat()
    rest_s = time.perf_counter() - started
    say(
        f"painted after {painted_s:.2f} s, checked after {rest_s:.2f} s; did not answer for at most "
        + ", ".join(f"{gap:.0f} ms (at {at:.2f} s)" for gap, at in sorted(gaps, reverse=True)[:5])
    )
    for name, action in (("zoom to fit", window.views.canvas.zoom_to_fit), ("zoom in", window.views.canvas.zoom_in)):
        started = time.perf_counter()
        action()
        window.views.canvas.repaint()
        say(f"{name}: {(time.perf_counter() - started) * 1e3:.0f} ms")
    session.undo_stack.setClean()
    window.close()


def main() -> int:
    if not os.environ.get("DISPLAY"):
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    if len(sys.argv) == 3 and sys.argv[1] in STEPS:
        STEPS[sys.argv[1]](Path(sys.argv[2]))
        return 0
    with tempfile.TemporaryDirectory() as folder:
        for name in sys.argv[1:] or DESIGNS:
            measure(name, Path(folder))
    return 0


STEPS = {"--reopen": reopen, "--window": open_in_window}

if __name__ == "__main__":
    sys.exit(main())
