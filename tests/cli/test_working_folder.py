"""Nothing in the folder where the user stands, or where the design lies, is run: it may come from anybody."""

import os
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

from designer.graph.compiled_files import private_folder
from designer.paths import compiled_dir

ROOT = Path(__file__).parent.parent.parent
EXAMPLE = ROOT / "examples" / "fat-tree-16-2to1.fabric"
MODULES = ("click", "yaml", "numba", "numpy", "msgspec", "platformdirs", "pathlib", "sitecustomize", "typing")

WATCHED = """
import os, sys
here, log = os.environ["WATCHED"], open(os.environ["WATCHED_LOG"], "a", buffering=1)
def watch(event, arguments):
    if event in ("open", "os.listdir", "os.scandir"):
        for one in arguments[:1]:
            if isinstance(one, (str, bytes)):
                path = os.path.abspath(os.fsdecode(one))
                if path.startswith(here + os.sep):
                    log.write(event + " " + os.path.relpath(path, here) + "\\n")
sys.addaudithook(watch)
"""

SIMULATE = "from designer.__main__ import main; sys.exit(main({arguments!r}))"

WINDOW = """
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from designer.windows import application
from designer.session.jobs import Jobs
application.WARM_UP_MS = 0
run = QApplication.exec
def until_warm(app):
    jobs = next(one for one in app.children() if isinstance(one, Jobs))
    timer = QTimer(app)
    timer.timeout.connect(lambda: None if jobs.busy("warm-up") else app.quit())
    timer.start(300)
    return run()
QApplication.exec = lambda app=None: until_warm(QApplication.instance())
sys.exit(application.run_application(["fabric-designer", {design!r}]))
"""


class Trap:
    """Leaves a mark when it is unpickled."""

    def __init__(self, mark):
        self.mark = mark

    def __reduce__(self):
        return (os.mkdir, (str(self.mark),))


def poison(folder, mark, kernels):
    """Fill a folder with all that was ever run from one: settings, compiled kernels, modules, Qt's plugins."""
    folder.mkdir()
    (folder / ".numba_config.yaml").write_text("cache_dir: ./poison\ndeveloper_mode: 1\n")
    for kernel in kernels:
        trap = folder / "poison" / kernel
        trap.parent.mkdir(parents=True, exist_ok=True)
        trap.write_bytes(pickle.dumps(Trap(mark)))
    touch = f"import os; os.path.isdir({str(mark)!r}) or os.mkdir({str(mark)!r})\n"
    for name in MODULES:
        (folder / f"{name}.py").write_text(touch)
    (folder / "designer").mkdir()
    (folder / "designer" / "__init__.py").write_text(touch)
    (folder / "qt.conf").write_text("[Paths]\nPlugins = plugins\nPrefix = .\n")
    (folder / "platforms").mkdir()
    (folder / "platforms" / "libqoffscreen.so").write_bytes(b"no library")
    (folder / "fabric-designer.ini").write_text("[start]\nwelcome=false\n")
    design = folder / "pod.fabric"
    design.write_bytes(EXAMPLE.read_bytes())
    return design


@pytest.fixture(scope="module")
def kernels(tmp_path_factory):
    """Where compiled kernels lie in the folder they are kept in, after a simulation has run."""
    done = run(tmp_path_factory.mktemp("first"), SIMULATE.format(arguments=simulate(EXAMPLE)))
    assert done.returncode == 0, done.stderr
    return [path.relative_to(compiled_dir()) for path in compiled_dir().glob("*/*.nb?")]


def simulate(path):
    return ["simulate", str(path), "--collective", "all-reduce", "--size", "1GB"]


def run(folder, code, **environment):
    return subprocess.run(
        [sys.executable, "-P", "-c", f"import sys\n{code}"],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=280,
        check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT), "QT_QPA_PLATFORM": "offscreen", **environment},
    )


@pytest.mark.timeout(300)
@pytest.mark.parametrize("kind", ["simulate", "window"])
def test_nothing_that_lies_in_the_working_folder_is_run_or_even_read(tmp_path, kernels, kind):
    assert kernels
    mark, log = tmp_path / "mark", tmp_path / "log"
    watched = tmp_path / "standing"
    design = poison(watched, mark, kernels)
    code = SIMULATE.format(arguments=simulate(design)) if kind == "simulate" else WINDOW.format(design=str(design))
    done = run(watched, WATCHED + code, WATCHED=str(watched), WATCHED_LOG=str(log))
    assert done.returncode == 0, done.stderr
    assert not mark.exists()
    assert "Traceback" not in done.stderr
    assert set(log.read_text().splitlines()) <= {"open pod.fabric"}


def test_the_trap_would_have_been_run(tmp_path):
    """With numba left to itself: the test above tests something."""
    module = tmp_path / "kernel.py"
    module.write_text("import numba\n@numba.njit(cache=True)\ndef twice(x):\n    return 2 * x\nprint(twice(2))\n")
    first = run(tmp_path, "import kernel", PYTHONPATH=str(tmp_path), NUMBA_CACHE_DIR=str(tmp_path / "clean"))
    assert first.stdout == "4\n", first.stderr
    kept = [path.relative_to(tmp_path / "clean") for path in (tmp_path / "clean").glob("*/*.nb?")]
    poison(tmp_path / "standing", tmp_path / "mark", kept)
    for name in MODULES:
        (tmp_path / "standing" / f"{name}.py").unlink()
    run(tmp_path / "standing", "import kernel", PYTHONPATH=str(tmp_path))
    assert (tmp_path / "mark").exists()


def test_a_module_in_the_working_folder_hides_no_library_from_python_m(tmp_path, kernels):
    mark = tmp_path / "mark"
    design = poison(tmp_path / "standing", mark, kernels)
    (tmp_path / "standing" / "designer" / "__init__.py").unlink()
    (tmp_path / "standing" / "designer").rmdir()  # the program itself is found before any of it runs
    (tmp_path / "standing" / "sitecustomize.py").unlink()
    done = subprocess.run(
        [sys.executable, "-m", "designer", "info", str(design)],
        cwd=tmp_path / "standing",
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert done.returncode == 0, done.stderr
    assert not mark.exists()


posix = pytest.mark.skipif(os.name != "posix", reason="needs a POSIX system")


@posix
def test_kernels_are_kept_in_a_folder_of_the_user_alone(tmp_path):
    made = private_folder(tmp_path / "cache" / "kernels")
    assert made is not None
    assert made.stat().st_mode & 0o777 == 0o700
    assert private_folder(made) == made


@posix
@pytest.mark.parametrize("mode", [0o770, 0o707, 0o755])
def test_a_folder_that_others_may_enter_keeps_no_kernels(tmp_path, mode):
    (tmp_path / "kernels").mkdir()
    (tmp_path / "kernels").chmod(mode)
    assert private_folder(tmp_path / "kernels") is None


@posix
def test_a_folder_that_another_may_swap_or_that_is_a_link_or_a_file_keeps_no_kernels(tmp_path):
    (tmp_path / "real").mkdir(mode=0o700)
    (tmp_path / "link").symlink_to(tmp_path / "real")
    (tmp_path / "file").write_text("")
    (tmp_path / "open").mkdir()
    (tmp_path / "open").chmod(0o777)
    for folder in ("link", "file", "file/under", "open/kernels", "open/under/kernels"):
        assert private_folder(tmp_path / folder) is None, folder
    assert private_folder(Path("kernels")) is None, "beside whatever the user happens to stand in"
    (tmp_path / "open").chmod(0o1777)
    assert private_folder(tmp_path / "open" / "kernels") is not None


@posix
@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root gives folders away")
@pytest.mark.parametrize("path", ["kernels", "."])
def test_a_folder_of_another_user_keeps_no_kernels(tmp_path, path):
    (tmp_path / "theirs" / "kernels").mkdir(mode=0o700, parents=True)
    os.chown(tmp_path / "theirs" / path, 12345, 12345)
    assert private_folder(tmp_path / "theirs" / "kernels") is None


@posix
@pytest.mark.parametrize(("mode", "kept"), [(0o700, ["kernel.nbc", "kernel.nbi"]), (0o777, [])])
def test_kernels_are_kept_there_or_nowhere(tmp_path, mode, kept):
    folder = tmp_path / "cache" / "fabric-designer" / "kernels"
    folder.mkdir(parents=True)
    folder.chmod(mode)
    source = ("from designer.graph.compiled import compiled", "@compiled", "def kernel(x):", "    return x + 1")
    (tmp_path / "one.py").write_text("\n".join((*source, "print(kernel(1))", "")))
    done = run(tmp_path, f"sys.path.append({str(tmp_path)!r}); import one", XDG_CACHE_HOME=str(tmp_path / "cache"))
    assert done.stdout == "2\n", done.stderr
    found = list(tmp_path.rglob("*.nb?"))
    assert all(path.is_relative_to(folder) for path in found)
    assert sorted(f"kernel{path.suffix}" for path in found) == kept
