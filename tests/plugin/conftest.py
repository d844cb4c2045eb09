"""A plug-in that is really installed, and processes of the program that find it."""

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ACME = Path(__file__).parent / "acme"


@dataclass(frozen=True, slots=True)
class Ran:
    """What a process left behind."""

    code: int
    out: str
    err: str


@dataclass(frozen=True, slots=True)
class Program:
    """The program with a folder of installed packages."""

    site: Path
    folder: Path
    """Where it is started."""

    def __call__(self, *arguments: object) -> Ran:
        return self.python("-m", "designer", *arguments)

    def python(self, *arguments: object, cwd: Path | None = None) -> Ran:
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(self.site)])}
        done = subprocess.run(
            [sys.executable, *map(str, arguments)],
            cwd=cwd or self.folder,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=110,
        )
        return Ran(done.returncode, done.stdout, done.stderr)


@pytest.fixture(scope="session")
def acme_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that pip installed the plug-in into."""
    work = tmp_path_factory.mktemp("acme")
    shutil.copytree(ACME, work / "source", ignore=shutil.ignore_patterns("__pycache__"))
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "pip",
            "install",
            "-q",
            "--no-deps",
            "--no-build-isolation",
            "--no-index",
            "--disable-pip-version-check",
            "--target",
            str(work / "site"),
            str(work / "source"),
        ],
        capture_output=True,
        text=True,
        check=False,
        timeout=110,
    )
    assert done.returncode == 0, done.stderr
    return work / "site"


@pytest.fixture
def with_acme(acme_site: Path, tmp_path: Path) -> Program:
    return Program(acme_site, tmp_path)


@pytest.fixture
def with_package(tmp_path: Path):
    """The program with one package, given by its entry points and its module's text."""

    def install(entry_points: str, module: str, name: str = "bad", site: Path | None = None) -> Program:
        site = site or tmp_path / "site"
        info = site / f"{name}-0.1.dist-info"
        info.mkdir(parents=True)
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 0.1\n")
        (info / "entry_points.txt").write_text(entry_points)
        (site / f"{name}.py").write_text(module)
        (tmp_path / "elsewhere").mkdir(exist_ok=True)
        return Program(site, tmp_path / "elsewhere")

    return install
