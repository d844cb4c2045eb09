"""Help > Guide in the real window: F1 leads to the page of what is in use, search finds, links lead on."""

import pytest
from PySide6.QtCore import QPoint, Qt, QUrl
from PySide6.QtWidgets import QApplication, QDialogButtonBox

from designer.model import operations
from designer.model.hardware.racks import RackType
from designer.windows.dialogs.open_dialogs import GUIDE
from designer.windows.guide.pages import sections

PATIENCE_MS = 20_000


@pytest.fixture
def guide(window):
    window.actions_table.trigger("help.guide")
    return window.dialogs[GUIDE]


def listed(guide):
    """Titles of the sections that the list shows."""
    rows = []
    left = [guide.tree.topLevelItem(row) for row in range(guide.tree.topLevelItemCount())]
    while left:
        item = left.pop(0)
        if not item.isHidden():
            rows.append(item.text(0))
            left = [item.child(row) for row in range(item.childCount())] + left
    return rows


def at_top(guide):
    """The text of the block at the top of the page."""
    return guide.page.cursorForPosition(QPoint(40, 30)).block().text()


def test_f1_on_the_canvas_opens_the_first_page_and_on_a_selected_rack_its_page(window, qtbot, add):
    qtbot.keyClick(window.views.canvas, Qt.Key.Key_F1)
    guide = window.dialogs[GUIDE]
    assert guide.isVisible()
    assert guide.shown.title == "Draw a fabric"
    guide.close()
    racks = [one.id for one in window.session.catalog.types.values() if isinstance(one, RackType)]
    window.session.select([add(racks[0])])
    window.views.canvas.setFocus()
    qtbot.keyClick(window.views.canvas, Qt.Key.Key_F1)
    assert guide.shown.title == "Place racks in the room"


def test_f1_in_a_panel_leads_to_its_page(window, qtbot):
    window.docks.show("failures")
    window.docks.focus("failures")
    window.actions_table.trigger("help.guide")
    assert window.dialogs[GUIDE].shown.title == "Find the failure that hurts most"


def test_the_rule_of_a_finding_is_a_click_and_f1_in_the_panel_away(window, qtbot, add):
    first, second = add("nvidia-qm9700"), add("nvidia-qm9700")
    session = window.session
    session.push(operations.connect_devices(session.design, first, second))
    findings = window.docks.findings
    qtbot.waitUntil(lambda: session.workbench.validation.is_current and bool(findings.model.rows), timeout=PATIENCE_MS)
    findings.step(1)
    code = findings.current_row().code
    assert findings.explain.text() == f"About {code}"
    qtbot.mouseClick(findings.explain, Qt.MouseButton.LeftButton)
    assert window.dialogs[GUIDE].shown.title.startswith(f"{code}: ")
    window.docks.show("failures")
    window.docks.focus("failures")
    window.actions_table.trigger("help.guide")
    assert not window.dialogs[GUIDE].shown.title.startswith(f"{code}: ")
    window.docks.show("findings")
    window.docks.focus("findings")
    window.actions_table.trigger("help.guide")
    assert window.dialogs[GUIDE].shown.title.startswith(f"{code}: ")


def test_the_help_button_and_f1_of_a_dialog_lead_to_its_page(window, qtbot):
    window.actions_table.trigger("file.generate")
    dialog = window.dialogs["generate"]
    dialog.list.setCurrentRow([family.name for family in dialog.families].index("torus"))
    buttons = dialog.findChild(QDialogButtonBox)
    qtbot.mouseClick(buttons.button(QDialogButtonBox.StandardButton.Help), Qt.MouseButton.LeftButton)
    guide = window.dialogs[GUIDE]
    assert guide.shown.page == "fabrics"
    assert guide.shown.title == dialog.family.title
    guide.close()
    window.actions_table.trigger("file.generate")  # brings it to the front
    dialog.list.setFocus()
    qtbot.waitUntil(lambda: QApplication.focusWidget() is dialog.list)
    dialog.list.setCurrentRow([family.name for family in dialog.families].index("dragonfly"))
    qtbot.keyClick(dialog.list, Qt.Key.Key_F1)
    assert guide.isVisible()
    assert guide.shown.title == dialog.family.title


def test_search_lists_the_sections_with_all_words_and_enter_shows_the_first(guide, qtbot):
    everything = listed(guide)
    qtbot.keyClicks(guide.search, "head-of-line victim")
    assert "See where congestion spreads" in listed(guide)
    assert len(listed(guide)) < len(everything)
    qtbot.keyClick(guide.search, Qt.Key.Key_Return)
    assert guide.shown.title == "See where congestion spreads"
    assert {mark.cursor.selectedText().lower() for mark in guide.page.extraSelections()} == {"head-of-line", "victim"}
    guide.search.setText("no such words anywhere")
    assert listed(guide) == []
    assert guide.none.isVisible()
    guide.search.clear()
    assert listed(guide) == everything
    assert not guide.none.isVisible()


def test_links_and_back(guide, qtbot):
    guide.show_topic("check#read-a-finding")
    guide.page.anchorClicked.emit(QUrl("rules.md"))
    assert guide.shown.title == "Rules"
    guide.page.anchorClicked.emit(QUrl("#no-such-heading"))
    assert guide.shown.title == "Rules"
    qtbot.mouseClick(guide.back, Qt.MouseButton.LeftButton)
    assert guide.shown.title == "Read a finding"


def test_a_section_stands_at_the_top_of_the_page(guide):
    guide.show_topic("simulation#find-the-failure-that-hurts-most")
    assert at_top(guide) == "Find the failure that hurts most"


def test_pictures_of_the_guide_are_shown_no_wider_than_the_page_and_no_other_file_is_read(guide, tmp_path):
    image = guide.page.loadResource(2, QUrl("jobs.png"))
    assert 0 < image.width() <= 760
    assert guide.page.loadResource(2, QUrl.fromLocalFile(str(tmp_path / "stranger.png"))) is None


def test_every_line_of_a_rule_is_on_the_page(window, guide, qtbot):
    """Also those that begin in bold type: the example, what to do, the fix."""
    guide._show(next(one for one in sections() if one.title.startswith("RACK-008: ")))
    block, unseen = guide.page.document().begin(), []
    while block.isValid():
        if block.text() and not block.layout().lineCount():
            unseen.append(block.text())
        block = block.next()
    assert unseen == []
