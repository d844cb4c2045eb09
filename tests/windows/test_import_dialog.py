"""The import dialog in the real window: what a file holds, types to correct, one step to undo, drops, refusals."""

import shutil
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication

from designer.exchange.importers import IMPORTERS
from designer.windows.commands import import_commands
from designer.windows.importing.dialog import LANE

LIBRARY = Path(__file__).parents[1] / "exchange" / "data" / "netbox"
LINKS = "A-Node,A-Port,Z-Node,Z-Port\ngpu-1,rail1,leaf-1,1/1\ngpu-2,rail1,leaf-1,1/2\ngpu-3,,leaf-1,2/1\n"


@pytest.fixture
def links(tmp_path):
    path = tmp_path / "links.csv"
    path.write_text(LINKS, encoding="utf-8")
    return path


@pytest.fixture
def settled(window, qtbot):
    def settle():
        qtbot.waitUntil(lambda: not window.session.jobs.busy(LANE), timeout=20_000)
        return window.dialogs["import"]

    return settle


@pytest.fixture
def dialog(window, links, answers, settled):
    answers.on_open.append(links)
    window.actions_table.trigger("file.import")
    return settled()


def names(window):
    return {one.name for one in window.session.design.devices.values()}


def test_it_shows_what_was_found_and_not_understood_and_changes_nothing(window, dialog):
    assert dialog.summary.text().startswith("Found 2 servers, 1 switch and 2 links.")
    assert [row.key for row in dialog.types.table.rows] == ["leaf-#", "gpu-#"]
    assert "row 4, column A-Port" in dialog.points.rows[0].place
    assert dialog.points_title.text().startswith("1 place not understood")
    assert not window.session.design.devices and not window.session.dirty


def test_what_stays_open_is_listed_and_counted(window, answers, settled, tmp_path):
    path = tmp_path / "links.csv"
    path.write_text("A-Rack,A-Node,A-Port,Z-Node,Z-Port\nR1,gpu-1,rail1,leaf-1,1/1\n", encoding="utf-8")
    answers.on_open.append(path)
    window.actions_table.trigger("file.import")
    dialog = settled()
    (left,) = [row for row in dialog.points.rows if row.what == "left open"]
    assert left.sentence == "1 rack without a place on the floor, which is not in the file"
    assert dialog.points_title.text().endswith(", 1 left open")


def test_a_type_chosen_for_a_row_is_taken_and_as_found_takes_it_back(window, dialog, settled):
    table, choice = dialog.types.table, dialog.types.choice
    table.choose(1)
    assert dialog.types.of.text() == "Type of gpu-#"
    choice.setCurrentIndex(choice.findData("dgx-h100"))
    choice.activated.emit(choice.currentIndex())
    settled()
    assert table.current.type_.id == "dgx-h100" and table.current.key == "gpu-#"
    choice.activated.emit(0)
    settled()
    assert table.current.type_.id != "dgx-h100"


def test_enter_imports_but_not_in_the_list_of_types(window, dialog, qtbot, settled):
    dialog.types.choice.setFocus()
    qtbot.keyClick(dialog.types.choice, Qt.Key.Key_Return)
    assert dialog.isVisible() and not window.session.jobs.busy(LANE)
    dialog.format.setFocus()
    qtbot.keyClick(dialog.format, Qt.Key.Key_Return)
    settled()
    assert names(window) == {"gpu-1", "gpu-2", "leaf-1"}


def test_import_is_one_step_to_undo_and_names_a_new_design(window, dialog, settled):
    dialog.take.click()
    settled()
    assert not dialog.isVisible()
    assert names(window) == {"gpu-1", "gpu-2", "leaf-1"}
    assert window.session.design.settings.name == "links"
    assert window.session.undo_stack.count() == 1
    window.actions_table.trigger("edit.undo")
    assert not window.session.design.devices and window.session.design.settings.name == "Untitled"


def test_next_to_what_is_there_it_keeps_that(window, add, links, answers, settled):
    device = add("nvidia-qm9700")
    answers.on_open.append(links)
    window.actions_table.trigger("file.import")
    dialog = settled()
    assert dialog.beside.isVisible() and dialog.from_scratch.isChecked()
    dialog.beside.setChecked(True)
    dialog.take.click()
    settled()
    assert device in window.session.design.devices and names(window) > {"gpu-1", "leaf-1"}


def test_a_list_of_what_was_built_that_is_dropped_is_compared_with_the_open_design(window, add, links, qtbot, settled):
    device = add("nvidia-qm9700")
    import_commands.import_file(window.desk, links)
    dialog = settled()
    assert dialog.compare.isVisible()
    dialog.compare.click()
    job = window.session.workbench.comparison
    assert not dialog.isVisible() and job.path == links
    qtbot.waitUntil(lambda: job.found is not None, timeout=20_000)
    assert job.found.is_as_built and set(window.session.design.devices) == {device}


def test_without_a_design_there_is_nothing_to_compare_with(dialog):
    assert not dialog.compare.isVisible()


def test_as_a_new_design_it_asks_about_unsaved_changes_first(window, add, links, answers, settled):
    device = add("nvidia-qm9700")
    answers.on_open.append(links)
    window.actions_table.trigger("file.import")
    dialog = settled()
    answers.on_unsaved.append("cancel")
    dialog.take.click()
    settled()
    assert device in window.session.design.devices and "gpu-1" not in names(window)
    answers.on_unsaved.append("discard")
    dialog.take.click()
    settled()
    assert names(window) == {"gpu-1", "gpu-2", "leaf-1"}


def test_a_file_that_cannot_be_read_is_refused_in_a_sentence(window, links, answers, settled):
    links.write_text("what,who\nx,y\n", encoding="utf-8")
    answers.on_open.append(links)
    window.actions_table.trigger("file.import")
    dialog = settled()
    assert "name the columns A-Node" in dialog.refusal.text() and not dialog.points_title.text()
    assert not dialog.take.isEnabled() and not dialog.bar.isVisible()
    links.unlink()
    dialog.read()
    settled()
    assert "links.csv could not be read" in dialog.refusal.text()


def drag(window, path):
    """Whether the window accepts a file that is dragged in, and the data dragged."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    how = Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(QPoint(5, 5), *how)
    enter.ignore()
    QApplication.sendEvent(window, enter)
    return enter.isAccepted(), how


def test_a_list_of_cables_dropped_on_the_window_is_shown_first(window, links, qtbot, settled):
    is_accepted, how = drag(window, links)
    assert is_accepted
    QApplication.sendEvent(window, QDropEvent(QPointF(5, 5), *how))
    qtbot.waitUntil(lambda: "import" in window.dialogs._made)
    assert settled().proposal is not None
    assert not window.session.design.devices


def test_a_file_of_no_format_is_not_accepted(window, tmp_path):
    assert not drag(window, tmp_path / "picture.png")[0]


def test_the_bar_shows_the_share_once_it_is_known(window, dialog, settled):
    dialog.read()
    assert dialog.bar.isVisible() and dialog.bar.maximum() == 0  # busy: readers know no share
    lane = window.session.jobs.lane(LANE)
    lane.progressed.emit(0.0)
    assert dialog.bar.maximum() == 0
    lane.progressed.emit(0.25)
    assert dialog.bar.value() * 4 == dialog.bar.maximum()
    settled()
    assert not dialog.bar.isVisible()


def test_stop_gives_up_and_says_so(window, dialog):
    dialog.read()
    dialog.stop.click()
    assert "Stopped" in dialog.refusal.text() and not window.session.jobs.busy(LANE)


@pytest.fixture
def types(tmp_path):
    folder = tmp_path / "library"
    folder.mkdir()
    shutil.copy(LIBRARY / "SN5600.yaml", folder / "leaf.yaml")
    (folder / "bad.yaml").write_text("manufacturer: [", encoding="utf-8")
    return folder


def test_a_format_that_makes_the_design_itself_is_a_new_design_in_one_step(window, add, types, settled):
    add("nvidia-qm9700")
    import_commands.import_file(window.desk, types)
    dialog = settled()
    assert dialog.refusal.text() == ""
    assert dialog.file.text().startswith("library: NetBox device and rack types")
    assert dialog.summary.text() == "Found 1 device types."
    assert not dialog.beside.isVisible() and dialog.from_scratch.isChecked()
    assert "1 place not understood" in dialog.points_title.text()
    assert any(row.what == "read" and "nvidia-sn5600" in row.sentence for row in dialog.points.rows)
    window.session.undo_stack.setClean()
    dialog.take.click()
    settled()
    assert {one.type_id for one in window.session.design.devices.values()} == {"nvidia-sn5600"}
    assert window.session.design.settings.name == "library"


def test_of_a_folder_without_a_type_that_can_be_read_nothing_is_imported(window, types, settled):
    (types / "leaf.yaml").unlink()
    import_commands.import_file(window.desk, types)
    dialog = settled()
    assert "holds no device type that could be read" in dialog.refusal.text()
    assert not dialog.take.isEnabled()


def test_every_format_of_the_table_can_be_chosen(window, dialog):
    offered = {dialog.format.itemData(place) for place in range(dialog.format.count())}
    assert offered == {"", *(one.name for one in IMPORTERS)}
