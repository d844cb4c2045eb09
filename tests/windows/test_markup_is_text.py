"""What comes from a file is shown as it is written: markup in it opens no file and marks no letter."""

import json
import os
import re
from dataclasses import replace
from pathlib import Path

import pytest
from disposal import dispose_of_window
from PySide6 import QtGui
from PySide6.QtCore import QAbstractItemModel, QEvent, QModelIndex, Qt
from PySide6.QtGui import QAction, QHelpEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QLabel,
    QMessageBox,
    QTextEdit,
    QToolTip,
    QTreeView,
)

from designer.catalog import own_types
from designer.catalog.catalog import load
from designer.exchange.diagram_svg import svg_of
from designer.model import operations
from designer.panels.widgets.appearance import Appearance
from designer.session.preferences import Preferences
from designer.session.session import Session
from designer.simulation.scenario import Scenario
from designer.windows.commands import document_commands
from designer.windows.dialogs.questions import Questions
from designer.windows.shell.main_window import MainWindow

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "faults.fabric"
TURNS = "\u202e"
SHOWN = (
    "edit.settings",
    "catalog.browse",
    "edit.find",
    "file.generate",
    "fabric.regenerate",
    "help.about",
    "help.shortcuts",
    "simulate.training",
    "fabric.networks",
    "room.measures",
    "view.command_palette",
)
STUDIES = (
    "study.curve",
    "study.runs",
    "study.timeline",
    "study.tiers",
    "job.show",
    "failures.sweep",
    "simulate.why",
    "view.floor",
    "view.elevation",
    "view.canvas",
)


@pytest.fixture
def trap(tmp_path, monkeypatch):
    """Markup that stops the program for good where it is taken for such: nobody writes into the pipe it shows."""
    monkeypatch.chdir(tmp_path)  # so that names stay short
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "p")
    return f'<img src="p">{TURNS}<b>&amp;</b>&lt;'


def poisoned(trap):
    """The example with markup in every text that may be anything."""
    found = json.loads(EXAMPLE.read_text("utf-8"))
    slots = {slot["name"]: trap + slot["name"] for type_ in found["server_types"] for slot in type_["slots"]}
    types = {one["id"]: f"<b>&amp;{one['id']}</b>" for name in found if name.endswith("_types") for one in found[name]}
    modes = {mode["name"]: f"{trap}{mode['name']}"[:60] for one in found["switch_types"] for mode in one["modes"]}

    def changed(value, key=""):
        if isinstance(value, dict):
            return {name: changed(inner, name) for name, inner in value.items()}
        if isinstance(value, list):
            return [changed(inner, key) for inner in value]
        if not isinstance(value, str) or key in ("format", "role", "network", "collective", "traffic", "servers"):
            return value
        if key in ("slot", "a", "b") and value in slots:
            return slots[value]
        if value in types:
            return types[value]
        if key in ("name", "port_mode") and value in modes:
            return modes[value]
        if key in ("name", "label", "notes", "model", "vendor", "gpu_model", "host_interface", "kind") and value:
            return trap + slots.get(value, value) if value not in slots else slots[value]
        return value

    kinds = {table: [one.pop("kind") for one in found[table]] for table in ("medium_types", "fixtures")}
    found = changed(found)
    for table, values in kinds.items():
        for one, kind in zip(found[table], values, strict=True):
            one["kind"] = kind
    for number, link in enumerate(found["links"]):
        link["label"] = f"{trap}{number}"
    return found


def texts_of(model: QAbstractItemModel, parent: QModelIndex, depth=0):
    """Every tooltip of a model's rows, as far down as they go."""
    try:
        n_columns = model.columnCount(parent)
    except TypeError:  # lists have one and hide it
        n_columns = 1
    for row in range(min(model.rowCount(parent), 60)):
        for column in range(n_columns):
            index = model.index(row, column, parent)
            for role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.WhatsThisRole, Qt.ItemDataRole.StatusTipRole):
                yield f"row {row}, column {column}", index.data(role)
        if depth < 4:
            yield from texts_of(model, model.index(row, 0, parent), depth + 1)


def guessed(widgets):
    """Where Qt guesses whether a text is markup, and the text."""
    for widget in widgets:
        where = f"{type(widget).__name__} {widget.objectName()}"
        for what in ("toolTip", "whatsThis", "statusTip"):
            yield f"{where} {what}", getattr(widget, what)()
        for action in widget.actions():
            yield f"{where} {action.text()!r}", action.toolTip()
        if isinstance(widget, QLabel) and widget.textFormat() == Qt.TextFormat.AutoText:
            yield where, widget.text()
        if isinstance(widget, QMessageBox) and widget.textFormat() == Qt.TextFormat.AutoText:
            yield where, widget.text()
        if isinstance(widget, QTreeView) and widget.model() is not None:
            across, role = Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole
            columns = range(widget.model().columnCount())
            yield from ((f"{where} heading", widget.model().headerData(at, across, role)) for at in columns)
        if isinstance(widget, QAbstractItemView) and widget.model() is not None:
            yield from ((f"{where} {at}", text) for at, text in texts_of(widget.model(), QModelIndex()))


def assert_shown(text, where=""):
    """A text that Qt guesses at is none of markup, or the program's own with the names in it escaped."""
    assert TURNS not in text, (where, text)
    if QtGui.Qt.mightBeRichText(text):
        assert tags_of(text) <= {"b", "p", "table", "tr", "td"}, (where, text)
        assert "<b>&amp;<" not in text, (where, text)


def tags_of(text):
    return set(re.findall(r"<\s*/?\s*([a-zA-Z!]+)", text))


def assert_plain(seen):
    """Nothing that is on the screen, or would be under the pointer, renders what the trap holds."""
    widgets = QApplication.allWidgets()
    for where, text in guessed(widgets):
        assert_shown(text or "", where)
        seen.add("tip" if text and "img" in text else "")
    for widget in widgets:
        assert not isinstance(widget, QTextEdit), widget
        if isinstance(widget, QLabel) and widget.textFormat() == Qt.TextFormat.RichText:
            assert tags_of(widget.text()) <= {"a", "p", "br"}, widget.text()
            seen.add("linked" if "&lt;img" in widget.text() else "")
        if isinstance(widget, QLabel):
            assert TURNS not in widget.text(), widget.text()
            seen.add("label" if "<img" in widget.text() else "")
        if isinstance(widget, QAbstractButton) and "amp;" in widget.text():
            assert "&&amp;" in widget.text(), widget.text()
            seen.add("button")
        assert TURNS not in widget.windowTitle()
    for action in (one for widget in widgets for one in widget.actions() if "amp;" in one.text()):
        assert isinstance(action, QAction) and re.search("&&amp;", action.text()), action.text()
        seen.add("action")


@pytest.fixture
def window(qapp, icons, trap, tmp_path, qtbot):
    """A window on the design, with a type of the user's own that is as bad, and the file among the recent ones."""
    kept = replace(load().types["nvidia-qm9700"], id="own-switch", vendor=trap, model=trap, notes=(trap,), sources=())
    own_types.save(kept, tmp_path / "types")
    path = tmp_path / f"{trap.replace('/', '')}[*].fabric"
    path.write_text(json.dumps(poisoned(trap)), "utf-8")
    preferences = Preferences(tmp_path / "window.ini")
    preferences.add_recent_file(path)
    catalog = load(own_folder=tmp_path / "types")
    window = MainWindow(Session(catalog), preferences, Appearance(qapp, "light", icons), Questions())
    window.resize(1600, 1000)
    window.show()
    window.views.show_canvas()
    document_commands.open_path(window.desk, path)
    session = window.session
    qtbot.waitUntil(lambda: bool(session.design.devices) and session.workbench.validation.is_current, timeout=20_000)
    yield window
    dispose_of_window(window, session)


def test_markup_in_any_text_of_a_file_is_shown_as_text(window, qtbot, trap):
    seen = set()
    session, design = window.session, window.session.design
    assert trap in design.settings.name and "own-switch" in window.session.catalog.own
    assert "[*]" in window.windowTitle().replace("[*][*]", "", 1), "the last of three marks unsaved changes"
    assert_plain(seen)
    tables = (design.devices, design.links, design.racks, design.groups, design.modules)
    switch = next(one.id for one in design.devices.values() if "leaf" in one.name)
    chosen = [{next(iter(table))} for table in tables]
    for selection in (*chosen, {switch}, set(list(design.links)[:5]), set(list(design.devices)[:5])):
        session.select(frozenset(selection))
        assert_plain(seen)
    session.push(operations.rename(design, switch, f"{trap}again"))
    servers = [one.id for one in design.devices.values() if one.id != switch and "gpu" in one.name]
    session.workbench.simulation.scenario = Scenario(traffic="shift:1", ranks=tuple(range(16)))
    session.workbench.simulation.run()
    qtbot.waitUntil(lambda: session.workbench.simulation.state in ("current", "failed"), timeout=30_000)
    session.set_failed(frozenset(servers[:1]))
    for action in (*STUDIES, *SHOWN):
        window.actions_table.trigger(action)
        assert_plain(seen)
        for widget in QApplication.topLevelWidgets():
            if widget is not window and widget.isVisible():
                widget.close()
    window.views.show_welcome()
    for say in (window.notice.say, window.notice.complain):
        say(f"{session.name}: {trap}")
        assert_plain(seen)
    assert {"tip", "label", "action"} <= seen, seen


def test_the_pointer_over_a_device_or_a_link_shows_its_name_as_text(qtbot, window, trap, monkeypatch):
    shown = []
    monkeypatch.setattr(QToolTip, "showText", lambda at, text, *_: shown.append(text))
    canvas = window.views.canvas

    def point() -> bool:
        for found in (next(iter(window.session.design.devices)), next(iter(window.session.design.racks))):
            box = canvas.box_px(found)
            if box is not None:
                at = box.center().toPoint()
                QTest.mouseMove(canvas, at)
                QApplication.sendEvent(canvas, QHelpEvent(QEvent.Type.ToolTip, at, canvas.mapToGlobal(at)))
        return bool(shown)

    qtbot.waitUntil(point, timeout=10_000)  # the canvas is drawn a little later than the window is shown
    for text in shown:
        assert "img" in text
        assert_shown(text)


@pytest.mark.parametrize("question", ["unsaved", "changed_on_disk"])
def test_a_question_shows_a_file_s_name_as_text(qtbot, trap, question, monkeypatch):
    boxes = []
    monkeypatch.setattr(QMessageBox, "exec", lambda box: boxes.append(box) or 0)
    getattr(Questions(), question)(trap)
    (box,) = boxes
    assert box.textFormat() == Qt.TextFormat.PlainText
    assert "<img" in box.text() and TURNS not in box.text()


def test_a_diagram_as_svg_shows_names_as_text(window, trap):
    svg = svg_of(window.session.design)
    assert "<img" not in svg and "&lt;img" in svg
