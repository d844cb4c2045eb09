"""The wheel: what somebody gets who installs the program instead of running it from a checkout."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from designer import version

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    made = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )
    assert made.returncode == 0, made.stdout + made.stderr
    return zipfile.ZipFile(next(folder.glob("*.whl")))


def test_the_wheel_carries_every_example_and_resource_and_no_script_that_makes_them(wheel):
    names = set(wheel.namelist())
    for folder, pattern in (("examples", "*.fabric"), ("resources", "**/*")):
        for path in (ROOT / folder).glob(pattern):
            inside = path.relative_to(ROOT / "resources" if folder == "resources" else ROOT).as_posix()
            assert path.is_dir() or f"designer/resources/{inside}" in names
    for path in [*(ROOT / "docs").glob("*.md"), *(ROOT / "docs").glob("*.png")]:
        assert f"designer/resources/guide/{path.name}" in names
    assert not [name for name in names if name.endswith(".py") and "make_" in name]


@pytest.mark.parametrize(
    "name",
    [
        "designer/py.typed",
        "designer/resources/third-party-notices.md",
        "share/applications/fabric-designer.desktop",
        "share/icons/hicolor/scalable/apps/fabric-designer.svg",
        "share/mime/packages/fabric-designer.xml",
        "licenses/LICENSE",
        "licenses/packaging/THIRD-PARTY-NOTICES.md",
    ],
)
def test_the_wheel_carries_what_a_desktop_and_a_lawyer_look_for(wheel, name):
    assert [inside for inside in wheel.namelist() if inside.endswith(name)]


def test_the_wheel_records_the_commit_it_was_built_from(wheel):
    if not version.commit():
        pytest.skip("not a git checkout")
    assert wheel.read("designer/resources/commit.txt").decode().startswith(version.commit())


def test_the_notices_name_every_library_that_is_installed_with_the_program(wheel):
    notices = wheel.read("designer/resources/third-party-notices.md").decode().lower()
    lock = (ROOT / "packaging" / "requirements.lock").read_text("utf-8")
    locked = {line.partition("==")[0] for line in lock.splitlines() if "==" in line and not line.startswith((" ", "#"))}
    missing = {name for name in locked if name not in notices and name.replace("-", "_") not in notices}
    assert missing == set()
    assert "lgpl-3.0" in notices
