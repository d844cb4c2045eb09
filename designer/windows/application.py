"""The application: starts the window on a file or the welcome screen, and keeps defects from taking it down."""

import logging
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Sequence
from logging.handlers import RotatingFileHandler
from pathlib import Path
from types import TracebackType
from typing import Protocol

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from designer import plugins
from designer.catalog.catalog import load
from designer.errors import sentence
from designer.late import Late
from designer.model.shown_text import visible
from designer.panels.widgets.appearance import Appearance
from designer.paths import recovery_dir, user_config_dir, user_state_dir
from designer.session.garbage import GarbageCollector
from designer.session.jobs import Jobs
from designer.session.preferences import Preferences
from designer.session.session import Session
from designer.session.warm_up import WarmUp
from designer.windows.commands import document_commands
from designer.windows.desk import Tabs
from designer.windows.dialogs.questions import Questions
from designer.windows.files import reopening
from designer.windows.shell.main_window import MainWindow
from designer.windows.shell.notice import Notice
from designer.windows.shell.tab_window import TabWindow

log = logging.getLogger(__name__)

plugin_check = Late("designer.windows.shell.plugin_check")

LOG_BYTES = 1_000_000
WARM_UP_MS = 400
HEARD_EVERY_MS = 200
"""So often signals are heard while nothing happens."""
TURN_S = 0.001
"""So long a worker may keep the window waiting for its turn; Python's own 5 ms add up to a slow frame."""


class Noticing(Protocol):
    """A window that says things, and that can be closed."""

    @property
    def notice(self) -> Notice:
        """Where it says them."""

    def close(self) -> bool:
        """Close it; False where the user cancels."""


def follow_preferences(session: Session, preferences: Preferences) -> None:
    """Have a session run by itself what the user wants to be run, now and after each change of the settings."""
    simulation, advice = session.workbench.simulation, session.workbench.advice
    simulation.live = preferences.live_at_start
    session.workbench.rerun_after_failures(preferences.reruns_after_failures)
    preferences.reruns_changed.connect(session.workbench.rerun_after_failures)
    advice.let_by_itself(preferences.advises)
    preferences.advises_changed.connect(advice.let_by_itself)


def follow_text_size(appearance: Appearance, preferences: Preferences) -> None:
    """Write in letters of the size that the user wants, now and after each change of the settings."""
    preferences.text_size_changed.connect(appearance.set_text_size)
    appearance.set_text_size(preferences.text_size_pt)


def run_application(argv: Sequence[str]) -> int:
    """Open the window on the files that `argv` names, in tabs, or on the welcome screen; returns the exit code."""
    log_path = start_logging(user_state_dir())
    app = make_application(argv)
    collector = GarbageCollector(app)
    collector.start()
    preferences = Preferences(user_config_dir() / "window.ini")
    appearance = Appearance(app, preferences.theme)
    follow_text_size(appearance, preferences)
    catalog = load()

    def make(tabs: Tabs) -> MainWindow:
        session = Session(catalog)
        follow_preferences(session, preferences)
        return MainWindow(session, preferences, appearance, Questions(), tabs)

    window = TabWindow(make, preferences, lambda made: keep_unsaved_work(made, recovery_dir(), offers=False))
    first = window.current
    guard_against_defects(window, log_path)
    app.setWindowIcon(appearance.icon("app", "accent"))
    window.show()
    files = [Path(argument) for argument in argv[1:] if not argument.startswith("-")]
    reopens = not files and reopening.reopens(preferences)
    files = reopening.left_open(preferences) if reopens else files
    if preferences.start_on_welcome and not files:
        first.views.show_welcome()
    else:
        first.views.show_canvas()
        document_commands.open_all(first.desk, files)
        if reopens:
            window.beside.restore()
    keep_unsaved_work(first, recovery_dir())
    own_jobs = Jobs(app)
    warm_up = WarmUp(own_jobs)
    QTimer.singleShot(WARM_UP_MS, window, warm_up.start)
    QTimer.singleShot(WARM_UP_MS, window, lambda: report_plugins(window))
    heartbeat = leave_on_signal(app, lambda: list(window.sessions))
    code = app.exec()
    heartbeat.stop()
    warm_up.stop()
    own_jobs.shut_down()
    for session in window.sessions:
        session.close()
    collector.stop()
    return code


def make_application(argv: Sequence[str]) -> QApplication:
    """The Qt application under its name, with worker turns short enough to keep the window moving."""
    sys.setswitchinterval(TURN_S)
    app = QApplication(list(argv[:1]))
    app.setApplicationName("fabric-designer")
    app.setApplicationDisplayName("")
    app.setDesktopFileName("fabric-designer")
    return app


def keep_unsaved_work(window: MainWindow, folder: Path, *, offers: bool = True) -> None:
    """Keep unsaved work in the folder from now on, unless the user does not want it.

    What killed windows left there is offered; with `offers` False, as in later tabs, only that of files opened.
    """

    def follow(keeps: bool) -> None:
        if keeps:
            window.session.autosave.start(folder)
        else:
            window.session.autosave.stop()

    window.preferences.keeps_unsaved_changed.connect(follow)
    follow(window.preferences.keeps_unsaved)
    window.recovery.start(folder, now=offers)


def report_plugins(window: Noticing) -> None:
    """Say in the window which plug-ins cannot be used, and why; takes no time where none is installed."""
    if plugins.entries():
        found = plugin_check.check()  # loads every table, which the start does without
        if found:
            window.notice.complain(" ".join(map(sentence, found)))


class _Visible(logging.Formatter):
    """Names in a message do not command the terminal that shows it."""

    def format(self, record: logging.LogRecord) -> str:
        return visible(super().format(record))


def start_logging(folder: Path) -> Path | None:
    """Write warnings and errors to a file in the user's folder; None where it cannot be written."""
    to_terminal = logging.StreamHandler()
    to_terminal.setFormatter(_Visible("%(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=logging.WARNING, handlers=[to_terminal])
    path = folder / "fabric-designer.log"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handler = RotatingFileHandler(path, maxBytes=LOG_BYTES, backupCount=2, encoding="utf-8", delay=True)
    except OSError as error:
        log.warning("no log file: %s", error)
        return None
    handler.setFormatter(_Visible("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.getLogger().addHandler(handler)
    return path


def guard_against_defects(window: Noticing, log_path: Path | None) -> None:
    """From now on an exception nobody caught is logged and reported in the window; the program goes on."""

    def reported(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            window.close()
            return
        log.error("not caught", exc_info=(kind, error, trace))
        where = f" Details are in {log_path}." if log_path is not None else ""
        window.notice.complain(
            f"Something went wrong inside the program ({kind.__name__}). Your design is kept.{where}"
        )

    sys.excepthook = reported
    threading.excepthook = lambda args: log.error(
        "not caught in a thread",
        exc_info=(args.exc_type, args.exc_value or args.exc_type(), args.exc_traceback),
    )


def leave_on_signal(app: QApplication, sessions: Callable[[], Iterable[Session]]) -> QTimer:
    """End the program without a question on Ctrl+C, a closed terminal, an ended session or a shutdown.

    Unsaved work is kept for the next window. Python only hears of signals while it runs: the timer lets it.
    """

    def keep() -> None:
        for session in sessions():
            session.autosave.keep_at_once()

    def leave(number: int) -> None:
        keep()
        app.exit(128 + number)

    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
            # Not at once: an edit may be half done.
            signal.signal(number, lambda caught, _frame: QTimer.singleShot(0, app, lambda: leave(caught)))
    app.commitDataRequest.connect(lambda _manager: keep())
    timer = QTimer(app)
    timer.start(HEARD_EVERY_MS)
    timer.timeout.connect(lambda: None)
    return timer
