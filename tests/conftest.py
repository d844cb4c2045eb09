"""The ground every test stands on: no user's folders touched, no thread left behind, repeatable random examples."""

import os
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

_HOME = tempfile.TemporaryDirectory(prefix="fabric-designer-tests-")
for _name, _folder in (
    ("HOME", "."),
    ("XDG_CONFIG_HOME", "config"),
    ("XDG_STATE_HOME", "state"),
    ("XDG_DATA_HOME", "data"),
    ("XDG_CACHE_HOME", "cache"),
    ("XDG_RUNTIME_DIR", "runtime"),
):
    _path = Path(_HOME.name, _folder)
    _path.mkdir(mode=0o700, exist_ok=True)
    os.environ[_name] = str(_path)
if not os.environ.get("DISPLAY") and os.name != "nt":
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import pytest  # noqa: E402  (after the environment is set)
from hypothesis import HealthCheck, settings  # noqa: E402

settings.register_profile(
    "project", deadline=None, derandomize=bool(os.environ.get("CI")), suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("project")


@pytest.fixture(autouse=True)
def no_thread_left_behind() -> Iterator[None]:
    """A test that leaves a non-daemon thread running fails."""
    before = set(threading.enumerate())
    yield
    left = [thread for thread in threading.enumerate() if thread not in before and not thread.daemon]
    for thread in left:
        thread.join(5)
    alive = [thread.name for thread in left if thread.is_alive()]
    assert not alive, f"threads left running: {alive}"
