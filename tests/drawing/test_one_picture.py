"""Screen, PNG, PDF and SVG show the same things: all are written from one stream of parts."""

import xml.etree.ElementTree as ET
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pdf_reading
import pytest
from PySide6.QtGui import QColor, QFont, QImage

from designer.canvas.export import render_pdf, render_png
from designer.canvas.glyphs import Fonts
from designer.drawing.camera import Camera, Viewport
from designer.drawing.composition import Composition
from designer.drawing.display_list import CONGESTED_CLASS, colour_of_class
from designer.drawing.heat import Heat
from designer.drawing.overlay import Overlay, PauseReach
from designer.drawing.parts.document import MARGIN, SCREEN_WIDTH, document, document_picture
from designer.drawing.parts.marks import badges
from designer.drawing.parts.picture import layers, legend_of_loads, legends, states
from designer.drawing.parts.primitives import Group, Text
from designer.drawing.parts.ruler import EstimatedRuler
from designer.drawing.parts.sheet import Sheet
from designer.drawing.theme import THEMES, Theme
from designer.exchange.diagram_svg import write_svg
from designer.model.design import Design
from designer.model.placed_jobs import servers_by_colour
from designer.model.records import ordered
from designer.storage import document as storage
from designer.validation.findings import Severity

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "fat-tree-16-2to1.fabric"
SVG = "{http://www.w3.org/2000/svg}"


@dataclass
class Shown:
    """A fabric with everything over it that can be: heat, jobs, failures, pauses, badges."""

    design: Design
    heat: Heat
    overlay: Overlay
    theme: Theme

    @property
    def arguments(self):
        return {"theme": self.theme, "heat": self.heat, "overlay": self.overlay}

    def page(self, ruler):
        """With every name and count, in canvas units."""
        return document(self.design, self.theme, self.heat, frozenset(), self.overlay, ruler, None)


@pytest.fixture(params=["light", "dark"])
def shown(request):
    design = storage.load(EXAMPLE)
    links, devices = list(design.links), list(design.devices)
    loads = {one: (number % 23 / 20, number % 7 / 10) for number, one in enumerate(links)}
    overlay = Overlay(
        jobs=True,
        failed=frozenset({devices[0], links[5]}),
        badges={devices[1]: Severity.ERROR, devices[2]: Severity.WARNING, links[9]: Severity.WARNING},
        pauses=PauseReach(((links[20],), (links[60],)), (devices[3],)),
    )
    return Shown(design, Heat(design.revision, loads, "all-reduce, ring"), overlay, THEMES[request.param])


def texts(parts):
    """All that is written, in drawing order."""
    for part in parts:
        if isinstance(part, Group):
            yield from texts(part.parts)
        elif isinstance(part, Text) and part.text:
            yield part.text


def by_layer(groups):
    return {group.id: list(texts([group])) for group in groups}


def expected(design, written):
    """By kind of thing, what everyone has to show."""
    boxes = written["boxes"]
    devices = list(design.devices.values())
    used = {f"{len(design.used_ports(one.id))}/{len(design.ports(one.id))}" for one in devices}
    models = {design.device_type(one.id).model[:6] for one in devices}
    return {
        "names": sum(text in {one.name for one in devices} for text in boxes) == len(devices),
        "type lines": sum(text[:6] in models for text in boxes) == len(devices),
        "port counts": sum(text in used for text in boxes) == len(devices),
        "link counts": len(written["counts"]) > 12 and all("×" in text or " hot" in text for text in written["counts"]),
        "badges": written["findings"] == ["!"] * 3,
        "legend": "Peak utilization, busier direction" in written["legend"] and "idle" in written["legend"],
        "jobs": written["job-names"] == [job.name for job in ordered(design.jobs)],
    }


def test_the_page_has_every_kind_of_thing(shown):
    kinds = expected(shown.design, by_layer(shown.page(EstimatedRuler()).layers))
    assert all(kinds.values()), kinds


def test_an_svg_has_all_that_the_page_has_layer_by_layer(shown, tmp_path):
    write_svg(shown.design, tmp_path / "x.svg", **shown.arguments, size=None)
    page = by_layer(shown.page(EstimatedRuler()).layers)
    found = {one.get("id"): one for one in ET.parse(tmp_path / "x.svg").getroot().findall(f"{SVG}g")}
    for name, written in page.items():
        assert [one.text for one in found[name].iter(f"{SVG}text")] == written if name in found else not written, name
    assert {"jobs", "broken", "paused", "findings", "legend", "job-names"} <= set(found)


def test_a_pdf_has_all_that_the_page_has_in_the_same_colours(shown, qapp, tmp_path):
    render_pdf(shown.design, tmp_path / "x.pdf", **shown.arguments, size=None)
    write_svg(shown.design, tmp_path / "x.svg", **shown.arguments, size=None)
    written, colours = pdf_reading.read(tmp_path / "x.pdf")
    page = by_layer(shown.page(Fonts(QFont())).layers)
    assert Counter(written) == Counter(text for layer in page.values() for text in layer)
    kinds = expected(shown.design, page)
    assert all(kinds.values()), kinds
    root = ET.parse(tmp_path / "x.svg").getroot()
    in_svg = {element.get(name) for element in root.iter() for name in ("fill", "stroke")}
    in_svg = {colour for colour in in_svg if colour and colour.startswith("#")}
    assert {shown.theme.error, shown.theme.warning, *servers_by_colour(shown.design)} <= in_svg == colours


def test_a_screen_at_full_size_shows_what_the_page_has(shown, qapp):
    composition, fonts = Composition(shown.design), Fonts(QFont())
    page = by_layer(shown.page(fonts).layers)
    composition.colouring.failed = shown.overlay.failed
    picture = document_picture(composition, shown.theme, shown.heat)
    left, top, right, bottom = composition.bounds
    view = Viewport(Camera(1.0, left - 40, top - 40), right - left + 80, bottom - top + 200)
    zoom = max(1.0, (right - left + 2 * MARGIN) / SCREEN_WIDTH)  # small text is larger on a wide page
    sheet = replace(Sheet.of_view(view, shown.theme, fonts), zoom=zoom)
    screen = by_layer(
        (
            *layers(picture, sheet),
            *states(composition, picture, sheet, shown.overlay),
            Group(badges(composition, sheet, picture.detail, shown.overlay.badges), "findings"),
            *legends(legend_of_loads(picture, shown.overlay.pauses), ordered(shown.design.jobs), sheet),
        )
    )
    assert {name: written for name, written in page.items() if name not in ("paper", "jobs")} == screen


@pytest.mark.parametrize("struck_by", ["failures", "pauses", "neither"])
def test_no_failed_or_paused_link_strikes_a_title_through(shown, struck_by):
    over = shown.overlay
    if struck_by != "failures":
        over = replace(over, failed=frozenset())
    if struck_by != "pauses":
        over = replace(over, pauses=None)
    ids = [group.id for group in replace(shown, overlay=over).page(EstimatedRuler()).layers]
    assert ids.count("titles") == ids.count("tiers") == 1, "a text is there once to be found"
    is_over = ids.index("tiers") > ids.index("broken")
    assert is_over == (struck_by != "neither") and ("paused" in ids) == (struck_by == "pauses")
    bare = replace(shown, overlay=replace(over, labels=False)).page(EstimatedRuler()).layers
    assert not {"titles", "tiers"} & {group.id for group in bare}


def test_the_legend_explains_the_ticks_of_paused_cables(shown):
    page = by_layer(shown.page(EstimatedRuler()).layers)
    assert page["legend"][-1] == "paused"
    unpaused = replace(shown, overlay=replace(shown.overlay, pauses=None))
    assert "paused" not in by_layer(unpaused.page(EstimatedRuler()).layers)["legend"]


def test_an_image_has_the_colours_of_all_that_is_marked(shown, qapp, tmp_path):
    render_png(shown.design, tmp_path / "x.png", **shown.arguments)
    image = QImage(str(tmp_path / "x.png")).convertToFormat(QImage.Format.Format_RGB32)
    pixels = np.frombuffer(image.constBits(), np.uint32).reshape(image.height(), -1) & 0xFFFFFF
    theme = shown.theme
    hottest = colour_of_class(CONGESTED_CLASS, theme)
    for colour in (theme.error, theme.warning, hottest, theme.plate_border, *servers_by_colour(shown.design)):
        assert (pixels == QColor(colour).rgb() & 0xFFFFFF).sum() > 30, colour
