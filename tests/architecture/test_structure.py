"""The house holds: layers, Qt's line, and doors that re-export nothing."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

WITHOUT_QT = """
import sys
class NoQt:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("PySide6", "shiboken6", "pyqtgraph"):
            raise ImportError(f"{name} is not installed here")
sys.meta_path.insert(0, NoQt())
from designer.__main__ import main
sys.exit(main())
"""


@pytest.mark.parametrize("door", sorted((ROOT / "designer").rglob("__init__.py")), ids=lambda p: p.parent.name)
def test_a_package_door_holds_one_docstring_and_nothing_else(door: Path) -> None:
    body = ast.parse(door.read_text(encoding="utf-8")).body
    assert len(body) == 1
    assert ast.get_docstring(ast.Module(body, [])), f"{door} has no docstring"


def test_the_import_contracts_hold() -> None:
    done = subprocess.run(
        [sys.executable, "-c", "from importlinter.cli import lint_imports_command as run; run()", "--no-cache"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("arguments", [["--help"], ["generate", "--help"], ["export", "--list"]], ids=" ".join)
def test_the_command_line_works_where_qt_cannot_be_imported(arguments: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_QT, *arguments], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()


def test_starting_the_command_line_loads_no_solver() -> None:
    slow = ("numba", "scipy", "networkx", "PySide6")
    code = f"import sys, designer.cli.main, designer.__main__; print([m for m in {slow} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_no_form_has_a_field_that_the_wheel_changes_without_a_click() -> None:
    """Combo boxes and spin boxes are those of panels.widgets.fields, which know when the wheel is meant for them."""
    turned = {"QComboBox", "QSpinBox", "QDoubleSpinBox", "QSlider", "QDial", "QDateTimeEdit"}
    made, derived = [], []
    for path in sorted((ROOT / "designer").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in turned:
                made.append(f"{path.name}:{node.lineno}")
            elif isinstance(node, ast.ClassDef) and turned & {getattr(base, "id", "") for base in node.bases}:
                derived.append(f"{path.name}: {node.name}")
    assert made == []
    assert derived == ["fields.py: Combo", "fields.py: Spin"]
