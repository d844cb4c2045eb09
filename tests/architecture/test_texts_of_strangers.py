"""Texts that may come from a file are shown in one way: these doors are the only ones."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MODULES = sorted(
    path for room in ("windows", "panels", "canvas", "session") for path in (ROOT / "designer" / room).rglob("*.py")
)
LABELS, QUESTIONS, CANVAS = "panels/widgets/labels.py", "windows/dialogs/questions.py", "canvas/stage_view.py"
ONLY_IN = {
    "QLabel": LABELS,
    "QMessageBox": QUESTIONS,
    "QTextBrowser": "",
    "QTextEdit": "",
    "QErrorMessage": "",
    "QGraphicsTextItem": "",
    "QStaticText": "",
    "QTextDocument": "",
    "QInputDialog": "",
    "QWhatsThis": "",
}
"""Classes that take markup or guess at it, and the one module that may make them."""
TIPS = {"setToolTip": -1, "setWhatsThis": -1, "setTabToolTip": -1, "showText": 1}
"""Calls that show a text which Qt guesses at, and which of their arguments it is."""

PLAIN = ("plain_text", "tooltip")
"""What may be shown so: the last is markup of the program's own, with all names in it escaped, as tooltip_of() is."""


def found_in(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            yield from _calls(path, node)
        elif isinstance(node, ast.Attribute) and node.attr == "RichText" and not path.as_posix().endswith(LABELS):
            yield f"line {node.lineno}: markup is for linked_label()"
        elif isinstance(node, ast.FunctionDef) and node.name == "data" and _tips_raw(ast.dump(node)):
            yield f"line {node.lineno}: {node.name} gives a tooltip that is not plain_text()"


def _tips_raw(function: str) -> bool:
    return "ToolTipRole" in function and "plain_text" not in function


def _calls(path: Path, node: ast.Call) -> Iterator[str]:
    name = getattr(node.func, "id", getattr(node.func, "attr", ""))
    if name in ONLY_IN and not (ONLY_IN[name] and path.as_posix().endswith(ONLY_IN[name])):
        yield f"line {node.lineno}: {name} is made in {ONLY_IN[name] or 'no module'} alone"
    if name in TIPS and not path.as_posix().endswith(CANVAS) and not _is_plain(node.args[TIPS[name]]):
        yield f"line {node.lineno}: {name} takes a text of the program's own, or plain_text()"
    if name == "addAction" and node.args and isinstance(node.args[0], ast.JoinedStr):
        yield f"line {node.lineno}: a menu's text with a name in it is in_menu()"


def _is_plain(text: ast.expr) -> bool:
    if isinstance(text, ast.IfExp):
        return _is_plain(text.body) and _is_plain(text.orelse)
    if isinstance(text, ast.Call):
        return isinstance(text.func, ast.Name) and text.func.id in PLAIN
    return isinstance(text, ast.Constant)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(ROOT / "designer").as_posix())
def test_no_module_shows_a_text_past_the_one_place_for_it(path: Path) -> None:
    assert list(found_in(path)) == []
