"""Drives the real program on a real X server with xdotool, through the main job, and takes pictures on the way.

    python tests/gui/drive_with_xdotool.py [FOLDER FOR PICTURES] [light|dark]

Needs Xvfb, xdotool and openbox (a window manager, for drag and drop and the focus). It starts an Xvfb of its own. The
program is the one that `fabric-designer` starts; only where things are on the screen is read from its widgets.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
DISPLAY = ":83"
SIZE = (1600, 1000)
PATIENCE_S = 120.0


def start_display() -> list[subprocess.Popen[bytes]]:
    for program in ("Xvfb", "xdotool", "openbox"):
        if shutil.which(program) is None:
            sys.exit(f"{program} is not installed: apt-get install xvfb xdotool openbox")
    server = subprocess.Popen(["Xvfb", DISPLAY, "-screen", "0", f"{SIZE[0]}x{SIZE[1]}x24"], stderr=subprocess.DEVNULL)
    os.environ["DISPLAY"] = DISPLAY
    os.environ["QT_QPA_PLATFORM"] = "xcb"
    time.sleep(1.0)
    manager = subprocess.Popen(["openbox"], stderr=subprocess.DEVNULL)
    time.sleep(0.5)
    return [manager, server]


def xdotool(*words: object) -> None:
    subprocess.run(["xdotool", *map(str, words)], check=True, timeout=30)


class User(threading.Thread):
    """Moves the mouse and types; looks at the program only to find things and to take pictures."""

    def __init__(self, window: Any, ask: Callable[[Callable[[], Any]], Any], pictures: Path) -> None:
        super().__init__(name="user", daemon=True)
        self.window = window
        self.ask = ask
        self.pictures = pictures
        self.failure: str | None = None

    def run(self) -> None:
        try:
            self.do_the_main_job()
        except Exception as error:
            self.failure = f"{type(error).__name__}: {error}"
            self.picture("failure")
        self.ask(self.leave)

    def leave(self) -> None:
        self.window.session.undo_stack.setClean()
        self.window.window().close()

    # -- hands ----------------------------------------------------------------------------------------------------

    def drag(self, start: tuple[int, int], end: tuple[int, int]) -> None:
        xdotool("mousemove", *start, "mousedown", 1)
        for share in range(1, 11):
            x, y = (round(a + (b - a) * share / 10) for a, b in zip(start, end, strict=True))
            xdotool("mousemove", x, y)
            time.sleep(0.02)
        time.sleep(0.1)
        xdotool("mousemove", *end, "mouseup", 1)
        time.sleep(0.25)

    def click(self, at: tuple[int, int], button: int = 1) -> None:
        xdotool("mousemove", *at, "click", button)
        time.sleep(0.25)

    def key(self, keys: str) -> None:
        xdotool("key", keys)
        time.sleep(0.25)

    def type(self, text: str) -> None:
        xdotool("type", "--delay", 15, text)
        time.sleep(0.25)

    # -- eyes -----------------------------------------------------------------------------------------------------

    def picture(self, name: str) -> None:
        time.sleep(0.3)
        path = self.pictures / f"{name}.png"
        self.ask(lambda: self.window.screen().grabWindow(0).save(str(path)))
        print(path)

    def wait(self, test: Callable[[], bool], what: str) -> None:
        end = time.monotonic() + PATIENCE_S
        while not self.ask(test):
            if time.monotonic() > end:
                raise TimeoutError(f"waited too long: {what}")
            time.sleep(0.05)

    def palette_row(self, type_id: str) -> tuple[int, int]:
        return self.ask(lambda: self._palette_row(type_id))

    def _palette_row(self, type_id: str) -> tuple[int, int]:
        from designer.panels.widgets.rows import ID_ROLE, rows_under, sections

        tree = self.window.docks.palette.tree
        rows = [row for s in sections(tree) if s.text(0) != "Recently used" for row in rows_under(s)]
        row = next(row for row in rows if row.data(0, ID_ROLE) == type_id)
        tree.scrollToItem(row)
        at = tree.viewport().mapToGlobal(tree.visualItemRect(row).center())
        return at.x(), at.y()

    def on_canvas(self, x: float, y: float) -> tuple[int, int]:
        """The point of the screen at these shares of the canvas's width and height."""

        def find() -> tuple[int, int]:
            from PySide6.QtCore import QPoint

            canvas = self.window.views.canvas
            at = canvas.mapToGlobal(QPoint(round(canvas.width() * x), round(canvas.height() * y)))
            return at.x(), at.y()

        return self.ask(find)

    def box(self, device_id: str) -> tuple[int, int]:
        def find() -> tuple[int, int]:
            at = self.window.views.canvas.mapToGlobal(self.window.views.canvas.box_px(device_id).center().toPoint())
            return at.x(), at.y()

        return self.ask(find)

    def line(self, a_id: str, b_id: str) -> tuple[int, int]:
        """The middle of the line of a link between two devices."""

        def find() -> tuple[int, int]:
            links = self.window.session.design.links_of(a_id)
            link = next(link for link in links if b_id in (link.a.device_id, link.b.device_id))
            at = self.window.views.canvas.mapToGlobal(self.window.views.canvas.link_px(link.id).center().toPoint())
            return at.x(), at.y()

        return self.ask(find)

    def add(self, type_id: str, x: float, y: float) -> str:
        before = self.ask(lambda: set(self.window.session.design.devices))
        self.drag(self.palette_row(type_id), self.on_canvas(x, y))
        self.wait(lambda: set(self.window.session.design.devices) != before, f"{type_id} dropped on the canvas")
        (new,) = self.ask(lambda: set(self.window.session.design.devices)) - before
        return new

    # -- the job --------------------------------------------------------------------------------------------------

    def do_the_main_job(self) -> None:
        from designer.windows.commands.document_commands import open_after_asking

        session = self.window.session
        time.sleep(1.0)
        self.picture("01-welcome")
        self.key("ctrl+n")
        self.picture("02-empty")
        spines = [self.add("nvidia-qm9700", x, 0.15) for x in (0.38, 0.62)]
        leafs = [self.add("nvidia-qm9700", x, 0.42) for x in (0.38, 0.62)]
        servers = [self.add("dgx-h100", x, 0.70) for x in (0.2, 0.4, 0.6, 0.8)]
        self.picture("03-dragged-in")
        self.click(self.on_canvas(0.05, 0.05))
        self.key("c")
        for number, server in enumerate(servers):
            for _ in range(2):  # two servers a leaf, so that a ring of all climbs to the spines
                self.drag(self.box(server), self.box(leafs[number // 2]))
        for leaf in leafs:
            for spine in spines:
                self.drag(self.box(leaf), self.box(spine))
        self.key("v")
        n_links = self.ask(lambda: len(session.design.links))
        if n_links != 12:
            raise AssertionError(f"{n_links} links were drawn, not 12")
        self.wait(lambda: session.workbench.validation.is_current, "the check of the drawn fabric")
        self.picture("04-connected")
        self.key("F5")
        self.wait(lambda: session.workbench.simulation.heat is not None, "the all-reduce")
        self.picture("05-all-reduce")
        before = self.ask(lambda: dict(session.workbench.simulation.heat.utilization))
        self.key("F6")
        self.click(self.line(leafs[0], spines[0]))
        self.picture("06-uplink-selected")
        self.key("Delete")
        self.wait(
            lambda: session.workbench.simulation.heat is not None and len(session.design.links) == 11,
            "heat without the uplink",
        )
        self.picture("07-uplink-deleted")
        if self.ask(lambda: dict(session.workbench.simulation.heat.utilization)) == before:
            raise AssertionError("the heat did not change")
        self.key("ctrl+z")
        self.wait(
            lambda: session.workbench.simulation.heat is not None and len(session.design.links) == 12, "heat after undo"
        )
        if self.ask(lambda: dict(session.workbench.simulation.heat.utilization)) != before:
            raise AssertionError("undo did not bring the heat back")
        self.picture("08-undone")
        self.click(self.box(spines[0]), button=3)
        self.picture("09-context-menu")
        self.key("Escape")
        self.click(self.box(spines[0]))
        self.key("x")
        self.wait(lambda: session.workbench.simulation.heat is not None, "heat with a broken spine")
        self.picture("10-spine-broken")
        self.key("shift+x")
        self.key("ctrl+k")
        self.type("dark")
        self.picture("11-command-palette")
        self.key("Escape")
        target = Path(tempfile.mkdtemp()) / "drawn.fabric"
        self.key("ctrl+s")
        time.sleep(1.0)
        self.picture("12-save-dialog")
        self.key("ctrl+a")
        self.type(str(target))
        self.key("Return")
        self.wait(lambda: target.is_file() and not session.dirty, "the file")
        saved = self.ask(lambda: list(session.design.entities()))
        self.key("ctrl+n")
        self.wait(lambda: not session.design.devices, "an empty design")
        self.key("ctrl+o")
        time.sleep(1.0)
        self.key("ctrl+a")
        self.type(str(target))
        self.key("Return")
        self.wait(lambda: bool(session.design.devices), "the file opened again")
        if self.ask(lambda: list(session.design.entities())) != saved:
            raise AssertionError("the design came back different")
        self.picture("13-reopened")
        example = ROOT / "examples" / "superpod-h100-4su.fabric"
        self.ask(lambda: open_after_asking(self.window.desk, example))
        self.wait(lambda: session.workbench.validation.is_current, "the check of the example")
        self.key("F5")
        self.wait(lambda: session.workbench.simulation.heat is not None, "the all-reduce on the example")
        self.picture("14-superpod")


def main() -> int:
    pictures = Path(sys.argv[1] if len(sys.argv) > 1 else "out/pictures")
    pictures.mkdir(parents=True, exist_ok=True)
    home = tempfile.mkdtemp(prefix="fabric-designer-user-")
    for name in ("HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"):
        os.environ[name] = home
    helpers = start_display()
    sys.path.insert(0, str(ROOT))
    try:
        return drive(pictures, sys.argv[2] if len(sys.argv) > 2 else "light")
    finally:
        for helper in helpers:
            helper.terminate()
            helper.wait(10)


def drive(pictures: Path, theme: str) -> int:
    from PySide6.QtCore import QObject, Qt, QTimer, Signal

    from designer.session.preferences import Preferences
    from designer.windows import application

    class Bridge(QObject):
        """Runs a question of the user's thread in the window's."""

        asked = Signal(object)

        def __init__(self) -> None:
            super().__init__()
            self.asked.connect(self._answer, Qt.ConnectionType.QueuedConnection)

        def __call__(self, question: Callable[[], Any]) -> Any:
            box: dict[str, Any] = {}
            ready = threading.Event()
            self.asked.emit((question, box, ready))
            if not ready.wait(60):
                raise TimeoutError("the window does not answer")
            if "error" in box:
                raise box["error"]
            return box["answer"]

        def _answer(self, request: tuple[Callable[[], Any], dict[str, Any], threading.Event]) -> None:
            question, box, ready = request
            try:
                box["answer"] = question()
            except Exception as error:
                box["error"] = error
            ready.set()

    Preferences(Path(os.environ["XDG_CONFIG_HOME"]) / "fabric-designer" / "window.ini").theme = theme
    users: list[User] = []
    bridges: list[Bridge] = []

    def begin(window: Any) -> None:
        window.window().showMaximized()
        bridges.append(Bridge())
        users.append(User(window, bridges[0], pictures))
        users[0].start()

    class DrivenWindow(application.TabWindow):
        def show(self) -> None:
            super().show()
            QTimer.singleShot(800, self, lambda: begin(self.current))

    application.TabWindow = DrivenWindow  # type: ignore[misc]
    code = application.run_application(["fabric-designer"])
    users[0].join(10)
    if users[0].failure is not None:
        print(f"failed: {users[0].failure}", file=sys.stderr)
        return 1
    print("The main job was done.")
    return code


if __name__ == "__main__":
    sys.exit(main())
