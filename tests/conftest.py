"""The ground every test stands on: no user's folders touched, no thread left behind, repeatable random examples."""

import atexit
import contextlib
import gc
import importlib
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import warnings
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

_HOME = tempfile.TemporaryDirectory(prefix="fabric-designer-tests-")
for _name, _folder in (
    ("HOME", "."),
    ("XDG_CONFIG_HOME", "config"),
    ("XDG_STATE_HOME", "state"),
    ("XDG_DATA_HOME", "data"),
    ("XDG_RUNTIME_DIR", "runtime"),
):
    _path = Path(_HOME.name, _folder)
    _path.mkdir(mode=0o700, exist_ok=True)
    os.environ[_name] = str(_path)
# Compiled kernels outlive a run: compiling them takes longer than most tests together.
_CACHE = Path(__file__).resolve().parents[1] / ".cache"
os.environ["XDG_CACHE_HOME"] = str(_CACHE if os.access(_CACHE.parent, os.W_OK) else Path(_HOME.name, "cache"))


def _start_display() -> None:
    """A display for this process alone, or Qt's offscreen platform where Xvfb does not start."""
    reads, writes = os.pipe()
    command = ["Xvfb", "-displayfd", str(writes), "-screen", "0", "1600x1000x24", "-nolisten", "tcp"]
    server = subprocess.Popen(command, pass_fds=(writes,), stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    os.close(writes)
    with os.fdopen(reads, "rb") as stream:
        number = stream.readline().decode().strip()  # "" once Xvfb has ended
    if number:
        os.environ["DISPLAY"] = f":{number}"
        atexit.register(server.wait)
        atexit.register(server.terminate)
    else:
        os.environ["QT_QPA_PLATFORM"] = "offscreen"


if os.environ.get("TESTS_START_XVFB"):
    _start_display()
elif not os.environ.get("DISPLAY") and os.name != "nt":
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

sys.path.insert(0, str(Path(__file__).parent))
gc.disable()  # at once: collecting tests makes objects by the hundred thousand, and all of them stay

import pytest  # noqa: E402  (after the environment is set)
import shiboken6  # noqa: E402
import timed  # noqa: E402
from hypothesis import HealthCheck, settings  # noqa: E402
from PySide6.QtCore import QCoreApplication, QEvent, QThread  # noqa: E402
from PySide6.QtWidgets import QApplication, QGraphicsView  # noqa: E402

from designer.catalog.catalog import Catalog, load  # noqa: E402
from designer.model.design import Design  # noqa: E402
from designer.panels.widgets.icons import Icons  # noqa: E402
from designer.paths import user_state_dir  # noqa: E402
from designer.session import kept_pins  # noqa: E402
from designer.session.garbage import collect_what_is_due  # noqa: E402
from designer.topologies.families import FAMILIES  # noqa: E402

settings.register_profile(
    "project", deadline=None, derandomize=bool(os.environ.get("CI")), suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("project")


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--quick` for `packaging/test --engine`."""
    parser.addoption("--quick", action="store_true", help="leave out every test that tests/timed_tests.txt lists")


def pytest_sessionstart(session: pytest.Session) -> None:
    """In a checkout that has never run, each of several processes translates its share of the tests for all of them.

    pytest rewrites what an imported test file asserts and keeps it; else each process would do so for every file, at
    the same time.
    """
    worker = getattr(session.config, "workerinput", None)
    if worker is None or sys.dont_write_bytecode:
        return
    named = [Path(str(one).split("::")[0]).resolve() for one in session.config.args]
    files = sorted(file for one in named for file in ([one] if one.is_file() else one.rglob("test_*.py")))
    left_out = {Path(one).resolve() for one in session.config.getoption("ignore") or ()}
    for file in files[int(worker["workerid"].removeprefix("gw")) :: worker["workercount"]]:
        if left_out.isdisjoint(file.parents):
            _translate(file)


def _translate(file: Path) -> None:
    """Import a test file, as collecting it does; what is wrong with it is reported when it is collected."""
    if str(file.parent) not in sys.path:
        sys.path.insert(0, str(file.parent))
    with warnings.catch_warnings(), contextlib.suppress(Exception):
        warnings.simplefilter("error")
        importlib.import_module(file.stem)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what is slow, unless it is asked for or the checks before landing run.

    In a checkout that has never run, one process compiles all kernels first, while others run tests without kernels.
    """
    items.sort(key=_place)
    taken = timed.seconds()
    for item in items:
        if taken.get(item.nodeid, 0.0) >= timed.SLOW_S:
            item.add_marker("slow")
    if config.getoption("--quick"):
        left_out = {item for item in items if item.nodeid in taken or item.get_closest_marker("slow")}
    elif not os.environ.get("CI") and not config.getoption("-m"):
        left_out = {item for item in items if item.get_closest_marker("slow")}
    else:
        return
    config.hook.pytest_deselected(items=[item for item in items if item in left_out])
    items[:] = [item for item in items if item not in left_out]


def _place(item: pytest.Item) -> tuple[bool, bool]:
    """False comes first."""
    folders = item.path.parent.relative_to(item.config.rootpath).parts
    return item.path.name != timed.COMPILES, not timed.WITH_KERNELS.isdisjoint(folders)


def pytest_collection_finish() -> None:
    """Keep the collector from walking through all tests there are each time it runs."""
    gc.collect()
    gc.freeze()


_PINS = user_state_dir() / kept_pins.FOLDER


@pytest.fixture(autouse=True)
def no_pinned_run_is_kept() -> Iterator[None]:
    """A design that the next test opens has the pinned runs of that test alone."""
    yield
    if os.path.lexists(_PINS):
        shutil.rmtree(_PINS, ignore_errors=True)


_wanted = threading.Event()
_freeze, gc.freeze = gc.freeze, _wanted.set


@pytest.fixture
def passes_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """The program passes over a large design, and all there is then, at once, as it does for its user."""
    monkeypatch.setattr(gc, "freeze", _freeze)


@pytest.fixture(autouse=True)
def no_garbage_is_passed_over() -> None:
    """What the program would pass over in a test is passed over after it, once its windows and sessions are freed."""
    if _wanted.is_set():
        gc.collect()
        _freeze()
        _wanted.clear()


@pytest.fixture(autouse=True, scope="session")
def no_disk_is_waited_for(request: pytest.FixtureRequest) -> Iterator[None]:
    """What is written outlives a program that is killed, and no test cuts the power; benchmarks wait as users do."""
    wait = os.fsync
    if not any("benchmarks" in item.path.parts for item in request.session.items):
        os.fsync = os.fstat  # type: ignore[assignment]  # raises as it does for what is not open
    yield
    os.fsync = wait


_started: weakref.WeakSet[QThread] = weakref.WeakSet()
_start = QThread.start


def _start_noting(thread: QThread, *priority: QThread.Priority) -> None:
    _started.add(thread)
    _start(thread, *priority)


# Qt has no list of its threads, so those started are noted.
QThread.start = _start_noting  # type: ignore[method-assign,assignment]


def _running() -> set[QThread]:
    return {thread for thread in _started if shiboken6.isValid(thread) and thread.isRunning()}


@pytest.fixture(autouse=True, scope="session")
def garbage_stays_with_the_main_thread() -> Iterator[None]:
    """As in the program: a worker that collects would destroy Qt objects in the wrong thread."""
    yield
    gc.enable()


@pytest.fixture(scope="session")
def icons() -> Icons:
    """Drawn once for all windows of a run."""
    return Icons()


@pytest.fixture(scope="session")
def catalog() -> Catalog:
    """The catalog that is delivered; no own types. Not to be changed."""
    return load()


@pytest.fixture(scope="session")
def generate(catalog: Catalog) -> Callable[..., Design]:
    """generate("fat-tree", servers=16, ...) -> Design."""

    def make(family_name: str, **parameters: Any) -> Design:
        family = FAMILIES.named(family_name)
        assert family is not None, f"there is no family {family_name!r}"
        design = Design()
        design.apply(family.build(design, family.parameters(**parameters), catalog))
        return design

    return make


@pytest.fixture(autouse=True)
def no_window_left_behind() -> Iterator[None]:
    """A test fails that leaves widgets without a parent behind: style sheets are set on them too, test after test.

    So do dialogs of the program that make a widget and put it nowhere.
    """
    before = len(_without_parent()) if QApplication.instance() is not None else 0
    yield
    if QApplication.instance() is not None:
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        left = _without_parent()
        assert len(left) <= before or len(left) <= before + _graphics_views(), f"widgets left behind: {left}"


def _graphics_views() -> int:
    """Qt has a widget without a parent for each of them: for those of a window that is emptied, not destroyed."""
    return sum(isinstance(widget, QGraphicsView) for widget in QApplication.allWidgets())


def _without_parent() -> list[str]:
    return [repr(widget) for widget in QApplication.topLevelWidgets() if widget.parentWidget() is None]


@pytest.fixture(autouse=True)
def no_thread_left_behind() -> Iterator[None]:
    """A test that leaves a non-daemon thread or a QThread running fails."""
    before, before_in_qt = set(threading.enumerate()), _running()
    yield
    collect_what_is_due()
    left_in_qt = [thread for thread in _running() - before_in_qt if not thread.wait(2000)]
    for qt_thread in left_in_qt:
        qt_thread.quit()
        qt_thread.wait(2000)
    names = [qt_thread.objectName() or "QThread" for qt_thread in left_in_qt]
    assert not left_in_qt, f"QThreads left running: {names}"
    left = [thread for thread in threading.enumerate() if thread not in before and not thread.daemon]
    for thread in left:
        thread.join(5)
    alive = [thread.name for thread in left if thread.is_alive()]
    assert not alive, f"threads left running: {alive}"
