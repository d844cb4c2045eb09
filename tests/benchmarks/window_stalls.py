"""How long the window does not answer while large work goes on: opening, edits, undo and redo, regenerating, autosave.

    python tests/benchmarks/window_stalls.py [K]

On the k-ary fat-tree of that k (64: 65,536 hosts), made first. Each line: seconds until the work is done and all is at
rest, and the longest times between two beats of a timer, with the processor time that the window's thread took of it:
the rest is other programs' and workers'.
"""

import gc
import os
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

from PySide6.QtCore import QElapsedTimer, QEventLoop, QTimer  # noqa: E402

from designer.catalog.catalog import Catalog, load  # noqa: E402
from designer.model import operations  # noqa: E402
from designer.model.design import Design  # noqa: E402
from designer.model.edit import Edit  # noqa: E402
from designer.panels.widgets.appearance import Appearance  # noqa: E402
from designer.regeneration import recipes  # noqa: E402
from designer.session.garbage import GarbageCollector  # noqa: E402
from designer.session.jobs import Progress  # noqa: E402
from designer.session.preferences import Preferences  # noqa: E402
from designer.session.prepared import prepared  # noqa: E402
from designer.session.session import Session  # noqa: E402
from designer.storage import document  # noqa: E402
from designer.topologies.k_ary_fat_tree import KAryFatTreeParameters  # noqa: E402
from designer.windows.application import make_application  # noqa: E402
from designer.windows.commands import document_commands  # noqa: E402
from designer.windows.dialogs.questions import Questions  # noqa: E402
from designer.windows.dialogs.regenerate import RegenerateDialog  # noqa: E402
from designer.windows.shell.main_window import MainWindow  # noqa: E402

BEAT_MS = 5
REST_MS = 300
LONG_COLLECTION_MS = 30


def rest(milliseconds: int) -> None:
    loop = QEventLoop()
    QTimer.singleShot(milliseconds, loop.quit)
    loop.exec()


def until(test: Callable[[], bool]) -> None:
    while not test():
        rest(1)


class Heart:
    """Beats while something goes on."""

    def __init__(self) -> None:
        self._gaps: list[tuple[int, float, int]] = []
        self._own_s = 0.0
        self._since = QElapsedTimer()
        self._started = 0.0
        self._collecting_s = 0.0
        self._collected: list[tuple[int, float, int]] = []
        self._timer = QTimer()
        self._timer.setInterval(BEAT_MS)
        self._timer.timeout.connect(self._beat)

    def _beat(self) -> None:
        own_s = time.thread_time()
        own_ms, self._own_s = round((own_s - self._own_s) * 1e3), own_s
        self._gaps.append((self._since.restart(), time.perf_counter() - self._started, own_ms))

    def note_collection(self, phase: str, info: dict[str, int]) -> None:
        now = time.perf_counter()
        if phase == "start":
            self._collecting_s = now
        else:
            took_ms = round((now - self._collecting_s) * 1e3)
            self._collected.append((took_ms, now - self._started, info["generation"]))

    def watch(self, what: str, action: Callable[[], object], done: Callable[[], bool]) -> None:
        self._gaps.clear()
        self._collected.clear()
        self._started = time.perf_counter()
        self._since.start()
        self._own_s = time.thread_time()
        self._timer.start()
        action()
        until(done)
        took_s = time.perf_counter() - self._started
        rest(REST_MS)
        self._beat()
        self._timer.stop()
        worst = ", ".join(f"{gap} (own {own}, at {at:.2f} s)" for gap, at, own in sorted(self._gaps, reverse=True)[:4])
        print(f"  {what:<38} {took_s:6.2f} s   no answer for {worst} ms", flush=True)
        for took_ms, at_s, generation in sorted(self._collected, reverse=True)[:2]:
            if took_ms > LONG_COLLECTION_MS:
                print(f"    garbage of generation {generation} collected in {took_ms} ms (at {at_s:.2f} s)")


def main(k: int) -> int:
    app = make_application(sys.argv)
    GarbageCollector(app).start()
    catalog, folder, heart = load(), Path(tempfile.mkdtemp()), Heart()
    session = Session(catalog)
    window = MainWindow(session, Preferences(folder / "w.ini"), Appearance(app, "light"), Questions())
    window.resize(1600, 1000)
    window.views.show_canvas()
    window.show()
    rest(1000)
    gc.callbacks.append(heart.note_collection)
    path = folder / "large.fabric"
    made = Design()
    made.apply(edit_for(made, k, catalog))
    document.save(made, path)
    del made
    undo_stack = session.undo_stack

    def checked() -> bool:
        return session.workbench.validation.is_current and not session.jobs.busy(WORK) and bool(session.design.devices)

    heart.watch("open", lambda: document_commands.open_path(window.desk, path), checked)
    links = iter(list(session.design.links))
    for number in ("first", "second"):
        edit = operations.delete(session.design, [next(links)])
        heart.watch(f"delete a link, {number}", lambda edit=edit: session.push(edit), checked)  # type: ignore[misc]
    heart.watch("undo it", undo_stack.undo, checked)
    session.autosave.start(folder / "recovery")
    heart.watch("keep it", session.autosave.keep_now, lambda: session.autosave.kept_revision == session.design.revision)
    session.autosave.stop()
    session.new()
    heart.watch("generate", lambda: generate(window, k), checked)
    heart.watch("undo generating", lambda: window.actions_table.trigger("edit.undo"), lambda: at_rest(session, False))
    heart.watch("redo generating", lambda: window.actions_table.trigger("edit.redo"), lambda: at_rest(session, True))
    heart.watch("regenerate, worked out", lambda: show_regenerate(window, k), lambda: is_worked_out(window))
    heart.watch("regenerate, applied", lambda: window.dialogs["regenerate"].regenerate(), lambda: is_applied(window))
    heart.watch("undo regenerating", lambda: window.actions_table.trigger("edit.undo"), lambda: at_rest(session, True))
    undo_stack.setClean()
    window.close()
    return 0


WORK = "generate"


def show_regenerate(window: MainWindow, k: int) -> None:
    window.dialogs.show("regenerate")
    dialog = window.dialogs["regenerate"]
    assert isinstance(dialog, RegenerateDialog) and dialog.form is not None
    dialog.form.show_values(KAryFatTreeParameters(k=k - 4))
    dialog.preview()


def is_worked_out(window: MainWindow) -> bool:
    dialog = window.dialogs["regenerate"]
    assert isinstance(dialog, RegenerateDialog)
    return dialog.regeneration is not None


def is_applied(window: MainWindow) -> bool:
    return not window.dialogs["regenerate"].isVisible() and window.session.workbench.validation.is_current


def at_rest(session: Session, full: bool) -> bool:
    return (
        bool(session.design.devices) == full
        and session.workbench.validation.is_current
        and not session.async_undo.waiting
    )


def edit_for(design: Design, k: int, catalog: Catalog) -> Edit:
    return recipes.generated(design, recipes.family_named("k-ary-fat-tree"), KAryFatTreeParameters(k=k), catalog)


def generate(window: MainWindow, k: int) -> None:
    session, catalog = window.session, window.session.catalog
    design, hidden = session.snapshot(), session.hidden_networks

    def work(_progress: Progress) -> object:
        return prepared(design, edit_for(design, k, catalog), hidden)

    session.jobs.run(WORK, work, lambda outcome: session.push_prepared(outcome.value))


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 64))
