"""The matrix under the hand: clicks, keys and bands select links, and what is selected elsewhere lights up."""

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QHelpEvent, QImage, QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip

from designer.canvas.fabric import Fabric
from designer.canvas.matrix.picture import MOST_CELL_PX, TOP_PX
from designer.canvas.matrix.view import MatrixView
from designer.drawing.heat import Heat
from designer.drawing.matrix.parts import CELL
from designer.drawing.theme import LIGHT
from designer.errors import ExportError
from designer.model import operations
from designer.model.design import Design
from designer.regeneration import recipes
from designer.storage import document

LEFT, NO_KEYS = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


@pytest.fixture
def view(qtbot, session, repository):
    session.replace(document.load(repository / "examples" / "superpod-h100-4su.fabric"), None)
    fabric = Fabric(session)
    view = MatrixView(session, fabric)
    view.fabric = fabric  # as the window keeps it
    view.cells.choose("leaf", "spine")
    qtbot.addWidget(view)
    view.resize(1200, 900)
    view.show()
    qtbot.waitExposed(view)
    view.zoom_to_fit()
    return view


@pytest.fixture
def repository(request):
    return request.config.rootpath


def test_a_long_matrix_lies_on_its_side_until_its_rows_are_chosen(view, session, catalog):
    family = recipes.family_named("fat-tree")
    parameters = family.parameters(servers=256, switch="nvidia-qm9700", server="dgx-h100", racks="none")
    session.replace(Design(), None)
    session.push(recipes.generated(session.design, family, parameters, catalog))
    subject = view.subject
    n_leafs = sum(one.role == "leaf" for one in session.design.switches())
    assert n_leafs > 12 and subject.chosen == ("spine", "leaf")
    assert subject.matrix.shape[0] < subject.matrix.shape[1] == n_leafs
    subject.choose("leaf", "spine")
    assert subject.chosen == ("leaf", "spine")


def middle(view, row, column) -> QPoint:
    spot = view.camera.to_view((column + 0.5) * CELL, (row + 0.5) * CELL)
    return QPointF(*spot).toPoint()


def click(view, at) -> None:
    QTest.mouseMove(view, at)
    QTest.mouseClick(view, LEFT, NO_KEYS, at)


def pixel(view, at) -> str:
    image = view.grab().toImage()
    return image.pixelColor(at).name()


def around(view, row, column) -> set[str]:
    """The colors from the middle of a cell to that of the one before it."""
    end, start, image = middle(view, row, column), middle(view, row, column - 1), view.grab().toImage()
    return {image.pixelColor(x, end.y()).name() for x in range(start.x(), end.x())}


def test_a_click_on_a_cell_selects_its_links(view):
    click(view, middle(view, 3, 4))
    assert view.session.selection == frozenset(view.cells.matrix.links_in(3, 4))
    assert len(view.session.selection) == 2
    design = view.session.design
    names = {
        design.device(end.device_id).name
        for one in view.session.selection
        for end in (design.links[one].a, design.links[one].b)
    }
    assert names == {view.cells.matrix.rows.labels[3], view.cells.matrix.columns.labels[4]}


def test_a_click_on_a_heading_selects_what_it_stands_for(view):
    row = middle(view, 7, 0)
    left = view.camera.to_view(0, 0)[0]
    click(view, QPoint(round(left - 20), row.y()))
    assert view.session.selection == frozenset(view.cells.matrix.rows.members[7])
    view.cells.choose("rail", "unit")
    view.zoom_to_fit()
    click(view, QPoint(round(view.camera.to_view(0, 0)[0] - 20), middle(view, 1, 0).y()))
    assert view.session.selection == frozenset(view.cells.matrix.rows.members[1])
    assert len(view.session.selection) > 1


def test_what_is_selected_elsewhere_lights_its_cells_and_headings(view):
    matrix = view.cells.matrix
    view.session.select([*matrix.links_in(2, 3), matrix.rows.members[9][0]])
    lit = view.cells._lit_now()
    assert [tuple(place) for place in zip(*lit.cells.nonzero(), strict=True)] == [(2, 3)]
    assert lit.rows.nonzero()[0].tolist() == [2, 9]
    assert lit.columns.nonzero()[0].tolist() == [3]
    assert view.theme.accent in around(view, 2, 3)
    view.session.select([])
    assert view.cells._lit_now() is None
    assert view.theme.accent not in around(view, 2, 3)


def test_arrow_keys_go_from_cell_to_cell_and_bring_it_into_view(view):
    said = []
    view.cursor_message.connect(said.append)
    click(view, middle(view, 3, 4))
    QTest.keyClick(view, Qt.Key.Key_Right)
    QTest.keyClick(view, Qt.Key.Key_Down)
    assert view.cells.cursor == (4, 5)
    assert view.session.selection == frozenset(view.cells.matrix.links_in(4, 5))
    assert said[-1] == "leaf-su1-r5 – spine-06: links 2"
    view.zoom_by(6)
    for _ in range(40):
        QTest.keyClick(view, Qt.Key.Key_Down)
    assert view.cells.cursor == (31, 5)
    assert view.rect().contains(middle(view, 31, 5))
    legend = view.subject._legend_rect(view.subject.shaded(LIGHT), view.sight)
    assert view.camera.to_view(0.0, 32 * CELL)[1] <= legend[1]


def test_arrow_keys_are_the_matrix_own_before_shortcuts_of_the_window(view):
    event = QKeyEvent(QEvent.Type.ShortcutOverride, Qt.Key.Key_Right, NO_KEYS)
    event.ignore()
    QApplication.sendEvent(view, event)
    assert event.isAccepted()


def test_a_band_selects_the_links_of_all_cells_it_touches(view):
    matrix = view.cells.matrix
    rect = (CELL * 1.5, CELL * 2.5, CELL * 2.5, CELL * 3.5)
    expected = {one for row in (2, 3) for column in (1, 2) for one in matrix.links_in(row, column)}
    assert set(view.cells.within(rect)) == expected
    assert len(view.cells.within((-1e6, -1e6, 1e6, 1e6))) == matrix.n_links


def test_the_tooltip_names_both_ends_and_what_is_known(view):
    QTest.mouseMove(view, middle(view, 0, 0))
    QApplication.sendEvent(view, QHelpEvent(QEvent.Type.ToolTip, middle(view, 0, 0), view.mapToGlobal(QPoint(5, 5))))
    text = QToolTip.text()
    assert "leaf-su1-r1" in text and "spine-01" in text and "Links" in text
    QToolTip.hideText()


def test_an_edit_changes_the_count_and_undo_brings_it_back(view):
    session = view.session
    (one, other) = view.cells.matrix.links_in(0, 0)
    session.push(operations.delete(session.design, [one]))
    assert view.cells.matrix.links_in(0, 0) == (other,)
    session.undo_stack.undo()
    assert view.cells.matrix.counts[0, 0] == 2


def test_heat_and_failures_of_the_canvas_show_in_the_cells(view):
    session, matrix = view.session, view.cells.matrix
    before = pixel(view, middle(view, 5, 5))
    (one, _) = matrix.links_in(5, 5)
    view.fabric._heat = Heat(session.design.revision, {one: (0.95, 0.0)})
    shown = view.cells.shaded(view.theme)
    assert shown.loads_of_cells[shown.matrix.place(5, 5)] == 0.95
    assert pixel(view, middle(view, 5, 5)) != before
    assert shown.legend is not None
    session.set_failed(frozenset({matrix.rows.members[6][0]}))
    shown = view.cells.shaded(view.theme)
    assert (shown.matrix.spread(shown.failed_of_cells, 0)[6] == 2).all()


def test_rows_and_columns_that_the_next_design_has_not_give_way_to_the_usual_ones(view, qtbot):
    view.cells.choose("rail", "unit")
    assert view.cells.matrix.shape == (8, 4)
    types = view.session.catalog.types
    design = Design()
    design.apply(operations.add_device(design, types["nvidia-qm9700"], 0, 0, catalog_types=types))
    view.session.replace(design, None)
    assert view.cells.chosen == ("switch", "switch")
    assert view.cells.matrix.shape == (1, 1)
    view.session.replace(Design(), None)
    assert view.cells.matrix is None
    assert view.cells.bounds() is None
    view.grab()
    QTest.keyClick(view, Qt.Key.Key_Down)
    assert view.cells.cursor is None


def test_going_to_a_link_or_device_shows_its_cell_or_line(view):
    matrix = view.cells.matrix
    (one, _) = matrix.links_in(30, 15)
    assert view.subject.rect_of(one) == (15 * CELL, 30 * CELL, 16 * CELL, 31 * CELL)
    assert view.subject.rect_of(matrix.columns.members[2][0]) == (2 * CELL, 0.0, 3 * CELL, 32 * CELL)
    server = next(iter(view.session.design.servers()))
    assert view.subject.rect_of(server.id) is None
    view.zoom_by(5)
    view.zoom_to([one])
    assert view.rect().contains(middle(view, 30, 15))


def test_headings_stay_below_the_bar_and_over_the_cells(view):
    view.zoom_by(8)
    view.move_camera(view.camera.moved(-2000, -2000))
    at = QPoint(20, round(TOP_PX) + 4)
    assert view.target_at(_pointer(view, at)).ids == ()
    assert pixel(view, at) == view.theme.plate


def _pointer(view, at):
    from designer.canvas.pointer import pointer_at

    return pointer_at(view.camera, QPointF(at))


def test_the_matrix_is_written_as_a_picture_and_an_empty_one_is_refused(view, tmp_path):
    view.render_png(tmp_path / "m.png")
    view.render_pdf(tmp_path / "m.pdf")
    assert QImage(str(tmp_path / "m.png")).width() > 1000
    assert (tmp_path / "m.pdf").read_bytes().startswith(b"%PDF")
    view.session.replace(Design(), None)
    with pytest.raises(ExportError, match="nothing to draw"):
        view.render_png(tmp_path / "none.png")


def test_zoom_to_fit_shows_the_first_and_the_last_cell_below_bar_and_names(view):
    for size in ((1200, 900), (460, 380)):
        view.resize(*size)
        view.zoom_to_fit()
        for row, column in ((0, 0), (31, 15)):
            target = view.target_at(_pointer(view, middle(view, row, column)))
            assert target.link_ids == view.cells.matrix.links_in(row, column)


@pytest.mark.parametrize("size", [(1200, 900), (900, 400), (467, 283), (300, 400)])
def test_a_matrix_is_as_large_as_its_view_allows_and_names_all_its_lines(view, size):
    view.cells.choose("", "")
    view.resize(*size)
    view.zoom_to_fit()
    subject, sight = view.subject, view.sight
    drawn = subject.shaded(LIGHT)
    at, legend = subject._layout(drawn, sight), subject._legend_rect(drawn, sight)
    left, top = at.left, at.top
    right, low = at.x + at.cell * at.columns.stop, at.y + at.cell * at.rows.stop
    assert (len(at.rows), len(at.columns)) == drawn.matrix.shape == (16, 32), "all of it is in sight"
    assert left >= 0 and top >= TOP_PX and right <= size[0] and low <= size[1]
    assert low <= legend[1] or left >= legend[2], "clear of the legend"
    assert min(size[0] - (right - left), legend[1] - TOP_PX - (low - top)) < 40, "no free room on one of the two axes"


def test_cells_of_a_small_matrix_are_of_moderate_size(view):
    view.cells.choose("group", "group")
    view.zoom_to_fit()
    view.zoom_to_fit()
    assert CELL * view.camera.scale == MOST_CELL_PX


def test_without_heat_the_view_shows_what_its_shades_mean_below_the_cells(view):
    drawn = view.subject.shaded(LIGHT)
    assert drawn.keys and drawn.legend is None
    sight = view.sight
    left, top, right, bottom = view.subject._legend_rect(drawn, sight)
    assert (left, top, right, bottom) in view.subject.taken_px(sight)
    assert 0 < left < right and bottom < sight.height
    shown = view.grab().toImage()
    colours = {
        shown.pixelColor(x, y).name() for x in range(int(left), int(right)) for y in range(int(top), int(bottom))
    }
    assert {one.colour for one in drawn.keys[0].swatches} <= colours
