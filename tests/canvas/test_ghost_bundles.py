"""A comparison over a collapsed drawing: what only the other side has is gathered to its boxes and bundles."""

from itertools import combinations

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QFont, QImage, QPainter

from designer.analysis.comparing import compare
from designer.analysis.new_designs import new_design
from designer.canvas import comparison_layer, fabric_picture
from designer.canvas.ghost_bundles import ROLE_WIDTH, OtherSide, _free_place, paint_bundles, paint_counts
from designer.canvas.glyphs import Fonts
from designer.canvas.marks import Frame
from designer.drawing.camera import Camera
from designer.drawing.composition import Composition
from designer.drawing.counts import Taken
from designer.drawing.folding.levels import Levels
from designer.drawing.palette import colour_in
from designer.drawing.parts.picture import over_links
from designer.drawing.parts.primitives import Group, Rect, Text
from designer.drawing.theme import DARK, LIGHT
from designer.exchange.comparison.marking import both, marked_changes
from designer.model import collapsing, removing
from designer.model.collapsing import BoxKey
from designer.regeneration.recipes import family_named
from designer.storage import document


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


def test_counts_of_the_other_side_stand_clear_of_those_of_the_drawing_on_every_bundle(
    view, session, catalog, qtbot, tmp_path, monkeypatch
):
    """The drawing writes its own once more over the dashed lines; the smaller view has hardly room for both."""
    family, values = family_named("rail-optimized"), {"servers": 256, "servers_per_su": 32}
    ours, theirs = (
        new_design(family, {**values, "oversubscription": one}, catalog, "", "none").design for one in (2, 1)
    )
    document.save(theirs, tmp_path / "theirs.fabric")
    session.replace(ours, None)
    job = session.workbench.comparison
    job.compare(tmp_path / "theirs.fabric")
    qtbot.waitUntil(lambda: job.found is not None, timeout=30_000)
    written, plates = [], []

    def noted(picture, sheet):
        written[:] = [one._replace(parts=tuple(one.parts)) for one in over_links(picture, sheet)]
        return written

    def counted(*given):
        plates[:] = paint_counts(*given)

    monkeypatch.setattr(fabric_picture, "over_links", noted)
    monkeypatch.setattr(comparison_layer, "paint_counts", counted)
    for size in ((1000, 700), (620, 300)):
        view.resize(*size)
        view.zoom_to_fit()
        view._come_to_rest()
        view.grab()
        own = [QRectF(*rect[:4]) for rect, text in pairs_of(written) if text == "128 × 400G"]
        assert len(plates) == 8 and own, "one of each bundle"
        assert not any(plate.intersects(other) for plate in plates for other in own)
        assert not any(a.intersects(b) for a, b in combinations(plates, 2))


def test_a_count_stands_beside_its_line_where_all_of_that_is_written_on():
    line, taken = np.array((100.0, 0.0, 100.0, 200.0)), Taken(np.array(((99.0, 0.0, 101.0, 200.0),)))
    x, y = _free_place(line, 0, 36.0, 16.0, taken)
    assert 18 < abs(x - 100) < 30 and 0 < y < 200 and not taken.are_covered(np.array(((x, y),)), 36.0, 16.0).any()
    taken.take(0.0, 0.0, 200.0, 200.0)
    assert _free_place(line, 0, 36.0, 16.0, taken) is None


def pairs_of(parts):
    """The plates among these parts, each with its first line."""
    for part in parts:
        if isinstance(part, Group):
            inside = tuple(part.parts)
            if len(inside) > 1 and isinstance(inside[0], Rect) and isinstance(inside[1], Text):
                yield inside[0], inside[1].text
            yield from pairs_of(inside)
