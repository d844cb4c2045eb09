"""A diagram of the window is what the window shows: loads, jobs, what is broken, badges of findings, layers."""

import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtGui import QColor, QImage

from designer.model.placed_jobs import servers_by_colour
from designer.simulation.scenario import Scenario
from designer.windows.commands import document_commands

pytestmark = pytest.mark.own_window

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "fat-tree-16-2to1.fabric"
SVG = "{http://www.w3.org/2000/svg}"
PATIENCE_MS = 60_000


@pytest.fixture
def shown(window, qtbot):
    """A window with two jobs, a run with a spine marked as failed, and four findings."""
    document_commands.open_path(window.desk, EXAMPLE)
    session = window.session
    spine = next(one.id for one in session.design.devices.values() if one.name == "spine-01")
    session.mark_as_failed(frozenset({spine}), "Fail spine-01")
    session.workbench.simulation.scenario = Scenario(collective="all-reduce", size_bytes=1 << 30)
    session.workbench.simulation.run()
    qtbot.waitUntil(
        lambda: session.workbench.heat_view.heat is not None and session.workbench.validation.is_current,
        timeout=PATIENCE_MS,
    )
    return window


@pytest.fixture
def exported(shown, answers, tmp_path):
    def export(suffix: str) -> Path:
        path = tmp_path / f"diagram.{suffix}"
        answers.on_save.append(path)
        shown.actions_table.trigger(f"export.{suffix}")
        return path

    return export


def layers(path: Path) -> dict[str | None, ET.Element]:
    return {group.get("id"): group for group in ET.parse(path).getroot().findall(f"{SVG}g")}


def count_pixels(path: Path, colour: str) -> int:
    image = QImage(str(path)).convertToFormat(QImage.Format.Format_RGB32)
    pixels = np.frombuffer(image.constBits(), np.uint32).reshape(image.height(), -1) & 0xFFFFFF
    return int((pixels == QColor(colour).rgb() & 0xFFFFFF).sum())


def test_an_svg_has_the_layers_that_are_shown(shown, exported):
    found = layers(exported("svg"))
    assert {"jobs", "job-names", "broken", "findings", "legend"} <= set(found)
    assert len(found["findings"]) == 4
    assert len(found["jobs"]) == 2
    assert [one.text for one in found["job-names"].iter(f"{SVG}text")] == ["training", "experts"]
    shown.actions_table.trigger("job.marks")
    shown.actions_table.trigger("layer.badges")
    shown.actions_table.trigger("simulate.restore_all")
    left = layers(exported("svg"))
    assert not {"jobs", "job-names", "broken", "findings"} & set(left)


def test_a_png_has_what_is_shown(shown, exported):
    colours = [*servers_by_colour(shown.session.design), shown.appearance.theme.error]
    marked = [count_pixels(exported("png"), colour) for colour in colours]
    assert min(marked) > 300
    shown.actions_table.trigger("job.marks")
    shown.actions_table.trigger("layer.badges")
    shown.actions_table.trigger("simulate.restore_all")
    assert [count_pixels(exported("png"), colour) for colour in colours] == [0, 0, 0]


def test_a_pdf_is_one_page_of_the_size_of_the_drawing_and_larger_with_what_is_shown(shown, exported):
    path = exported("pdf")
    marked = path.read_bytes()
    assert marked.startswith(b"%PDF-") and marked.count(b"/Type /Page\n") == 1
    shown.actions_table.trigger("job.marks")
    shown.actions_table.trigger("layer.badges")
    assert len(exported("pdf").read_bytes()) < len(marked)


def test_badges_are_hidden_on_the_screen_too(shown, qtbot):
    with_badges = shown.views.canvas.grab().toImage()
    shown.actions_table.trigger("layer.badges")
    assert not shown.actions_table["layer.badges"].isChecked()
    assert shown.views.canvas.grab().toImage() != with_badges
    shown.actions_table.trigger("layer.badges")
    assert shown.views.canvas.grab().toImage() == with_badges


def test_pauses_are_in_the_svg_as_on_the_screen(window, qtbot, answers, tmp_path):
    document_commands.open_path(window.desk, EXAMPLE)
    session = window.session
    session.workbench.simulation.scenario = Scenario(traffic="incast:32", size_bytes=1 << 30, congestion="head-of-line")
    session.workbench.simulation.run()
    qtbot.waitUntil(lambda: session.workbench.heat_view.heat is not None, timeout=PATIENCE_MS)
    answers.on_save.append(tmp_path / "diagram.svg")
    window.actions_table.trigger("export.svg")
    assert window.views.canvas.fabric.overlay.pauses is not None
    assert "paused" in layers(tmp_path / "diagram.svg")
    legend = window.views.canvas.fabric._legend
    assert [key.text for key in legend.keys if key.hatched] == ["paused"] and legend.label.startswith("incast:32 ·")
