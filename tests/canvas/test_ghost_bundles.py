"""A comparison over a collapsed drawing: what only the other side has is gathered to its boxes and bundles."""

import numpy as np
import pytest
from PySide6.QtGui import QColor, QFont, QImage, QPainter

from designer.analysis.comparing import compare
from designer.analysis.new_designs import new_design
from designer.canvas.ghost_bundles import ROLE_WIDTH, OtherSide, paint_bundles
from designer.canvas.glyphs import Fonts
from designer.canvas.marks import Frame
from designer.drawing.camera import Camera
from designer.drawing.composition import Composition
from designer.drawing.folding.levels import Levels
from designer.drawing.palette import colour_in
from designer.drawing.theme import DARK, LIGHT
from designer.exchange.comparison.marking import both, marked_changes
from designer.model import collapsing, removing
from designer.model.collapsing import BoxKey
from designer.regeneration.recipes import family_named


def pod(catalog, **values):
    made = new_design(family_named("rail-optimized"), {"servers_per_su": 8, **values}, catalog, "Pod", "none").design
    made.apply(collapsing.collapse_all(made))
    return made


@pytest.fixture
def compared(catalog):
    """Two units, compared with three; a link of the first is missing there."""
    ours, theirs = pod(catalog, servers=16), pod(catalog, servers=24)
    between = next(
        link.id
        for link in theirs.links.values()
        if theirs.is_switch(link.a.device_id) and theirs.is_switch(link.b.device_id) and link.id in ours.links
    )
    theirs.apply(removing.delete(theirs, [between]))
    marked = marked_changes(ours, compare(ours, theirs), ("ours", "theirs"))
    drawing = Composition(ours)
    drawing.colouring.show_marks(marked.marks)
    return ours, marked, drawing


def test_links_that_only_the_other_design_has_are_one_line_per_pair_of_boxes(compared):
    ours, marked, drawing = compared
    whole = both(ours, marked)
    found = OtherSide(ours, whole, marked.marks).gathered(drawing)
    new = [one for one in whole.links if one not in ours.links]
    assert 0 < len(found.lines) <= 12 < len(new) and set(found.codes) <= marked.marks.ghosts
    inside = [
        one
        for one in new
        if {whole.devices[end.device_id].group_id for end in (whole.links[one].a, whole.links[one].b)}
        == {group.id for group in whole.groups.values() if group.name == "SU 3"}
    ]
    assert sum(found.counts) == len(new) - len(inside), "those inside a box are not drawn"
    ((box, name),) = found.boxes
    assert name == "SU 3", "a box like those of its kind"
    assert all(
        box[0] >= x + w or box[2] <= x or box[1] >= y + h or box[3] <= y for x, y, w, h in drawing.boxes.tolist()
    )
    left, top, width, height = drawing.boxes.T
    ends = found.lines.reshape(-1, 2)
    for x, y in ends.tolist():
        at_box = (x >= left - 1) & (x <= left + width + 1) & (y >= top - 1) & (y <= top + height + 1)
        assert at_box.any() or any(a - 1 <= x <= c + 1 and b - 1 <= y <= d + 1 for (a, b, c, d), _ in found.boxes)


def test_every_color_of_the_comparison_is_in_the_legend(compared):
    _, marked, drawing = compared
    picture = drawing.picture(LIGHT, drawing.detail_at(0.5))
    said = {swatch.text for key in picture.keys for swatch in key.swatches}
    assert {marked.marks.classes[code].title for code in marked.marks.ghosts} <= said


def test_a_bundle_says_how_many_of_its_links_differ(compared):
    _, marked, drawing = compared
    texts = {}
    for bundle in range(len(drawing.bundles.pairs)):
        rows = np.flatnonzero(drawing.bundles.of_link == bundle)
        differ = sum(marked.marks.of.get(drawing.projection.link_ids[row], 0) > 0 for row in rows.tolist())
        texts[bundle] = (differ, len(rows), drawing.link_texts(rows)[0])
    some = [(differ, total, text) for differ, total, text in texts.values() if 0 < differ < total]
    assert some and all(text == f"{differ} of {total} differ" for differ, total, text in some)
    drawing.colouring.show_marks(None)
    assert not any("differ" in drawing.link_texts(np.flatnonzero(drawing.bundles.of_link == one))[0] for one in texts)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_they_are_painted_in_the_colors_of_their_classes(compared, theme, qapp):
    ours, marked, drawing = compared
    found = OtherSide(ours, both(ours, marked), marked.marks).gathered(drawing)
    left, top, _right, _bottom = drawing.bounds
    frame = Frame(drawing, Camera(0.5, left - 50, top - 50), drawing.detail_at(0.5), theme)
    image = QImage(900, 700, QImage.Format.Format_RGB32)
    image.fill(QColor(theme.background))
    painter = QPainter(image)
    paint_bundles(painter, frame, found, marked.marks, Fonts(QFont()))
    painter.end()
    seen = {image.pixelColor(x, y).name() for x in range(900) for y in range(700)}
    wanted = {colour_in(marked.marks.classes[code].colour, theme, "") for code in found.codes}
    assert wanted <= seen


def test_switches_of_a_role_that_is_open_in_parts_are_one_box_beside_these(catalog):
    """Not 16 boxes of which each has a line to every unit, across the boxes that are there."""
    family, values = family_named("rail-optimized"), {"servers": 256, "servers_per_su": 32}
    ours, theirs = (
        new_design(family, {**values, "oversubscription": one}, catalog, "", "none").design for one in (2, 1)
    )
    marked = marked_changes(ours, compare(ours, theirs), ("ours", "theirs"))
    (fabric,) = (one.id for one in ours.groups.values() if one.kind == "fabric")
    drawing = Levels(Composition(ours), {BoxKey(fabric, "spine"): None}).at(0.09)
    drawing.colouring.show_marks(marked.marks)
    found = OtherSide(ours, both(ours, marked), marked.marks).gathered(drawing)
    ((left, top, right, bottom), name) = found.boxes[0]
    assert len(found.boxes) == 1 and name == "16 spines"
    projection = drawing.projection
    titles = {projection.title_at(row): drawing.boxes[row].tolist() for row in range(len(projection.device_ids))}
    x, y, width, height = titles["Spines 9-16"]
    assert left > x + width and (top, bottom, right - left) == pytest.approx((y, y + height, ROLE_WIDTH * width))
    assert len(found.lines) == 8 and found.counts == (128,) * 8, "a line to each unit"
