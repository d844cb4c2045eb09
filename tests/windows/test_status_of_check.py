"""The status bar says what was checked, and of what is under construction that it was not."""

from PySide6.QtCore import Qt

from designer.model import operations
from designer.windows.shell.status import CHECK_ALL, SHOW_FINDINGS


def checked(qtbot, window):
    qtbot.waitUntil(lambda: window.session.workbench.validation.is_current, timeout=10_000)
    return window.status.check


def same_icon(button, window, name, color):
    return button.icon().pixmap(16).toImage() == window.desk.appearance.icon(name, color).pixmap(16).toImage()


def test_no_errors_is_said_only_of_what_is_connected_and_a_click_checks_the_rest(window, catalog, qtbot):
    session = window.session
    spots = [(0.0, 0.0), (120.0, 0.0)]
    session.push(operations.add_devices(session.design, catalog.get("dgx-h100"), spots, catalog_types=catalog.types))
    check = checked(qtbot, window)
    assert check.text() == "No errors in what is connected; 2 devices under construction"
    assert same_icon(check, window, "validate", "muted") and not same_icon(check, window, "validate", "good")
    assert check.toolTip() == CHECK_ALL
    qtbot.mouseClick(check, Qt.MouseButton.LeftButton)
    assert checked(qtbot, window).text().startswith("2 errors")
    assert check.toolTip() == SHOW_FINDINGS
    session.push(operations.delete(session.design, [*session.design.devices]))
    session.push(
        operations.add_devices(session.design, catalog.get("nvidia-qm9700"), [(0.0, 0.0)], catalog_types=catalog.types)
    )
    assert checked(qtbot, window).text() == "No errors in what is connected; 1 device under construction"
    qtbot.mouseClick(check, Qt.MouseButton.LeftButton)
    assert checked(qtbot, window).text() == "No errors"
    assert same_icon(check, window, "validate", "good")


def test_a_pattern_that_lacks_its_file_is_said_to_be_incomplete(window):
    simulation, shown = window.session.workbench.simulation, window.status.simulation
    simulation._set("current")
    assert shown.text() == "Simulation current"
    simulation.unfinished = "pairs"
    simulation.state_changed.emit()
    assert shown.text() == "Simulation settings incomplete"
    assert same_icon(shown, window, "play", "muted") and not same_icon(shown, window, "play", "good")
    simulation.unfinished = ""
    simulation.state_changed.emit()
    assert shown.text() == "Simulation current"


def test_hosts_and_nodes_without_gpus_are_counted_apart(window, catalog):
    session, counts = window.session, window.status.counts
    for number, type_id in enumerate(("generic-host", "generic-host", "generic-node")):
        types, type_ = catalog.types, catalog.get(type_id)
        session.push(operations.add_device(session.design, type_, 300 * number, 0, catalog_types=types))
        if number == 1:
            assert counts.text().startswith("2 hosts  ·")
    assert counts.text().startswith("3 nodes (2 hosts, 1 without GPUs)  ·")
