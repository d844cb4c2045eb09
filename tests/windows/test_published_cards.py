"""The cards of published designs: whole titles, and what a search finds."""

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QFont, QFontMetrics
from PySide6.QtWidgets import QStyleOptionViewItem

from designer.panels.widgets.rows import DETAIL_ROLE, CardDelegate
from designer.windows.dialogs.preset_list import rows_found


@pytest.fixture
def published(window):
    window.actions_table.trigger("file.generate")
    dialog = window.dialogs["generate"]
    dialog.sides.setCurrentIndex(1)
    return dialog.published


def test_cards_have_room_for_all_of_their_titles_in_a_narrow_list(published):
    """What tells 16 SU from 4 SU stands at the end."""
    cards, bold = published.list, QFont(published.list.font())
    cards.resize(330, 400)
    bold.setBold(True)
    room = QRect(0, 0, cards.viewport().width() - cards.iconSize().width() - 4 * CardDelegate.MARGIN, 1 << 15)
    option, n_lines = QStyleOptionViewItem(), set()
    cards.initViewItemOption(option)
    for row in range(cards.count()):
        item, heights = cards.item(row), []
        for font, text in ((bold, item.text()), (cards.font(), item.data(DETAIL_ROLE))):
            heights.append(QFontMetrics(font).boundingRect(room, int(Qt.TextFlag.TextWordWrap), text).height())
        n_lines.add(heights[0] // QFontMetrics(bold).lineSpacing())
        hint = cards.itemDelegate().sizeHint(option, cards.model().index(row, 0))
        assert hint.height() >= sum(heights) + 2 * CardDelegate.MARGIN
    assert max(n_lines) > 2


def test_what_a_search_finds_is_shown_from_the_top(published):
    published.list.scrollToBottom()
    assert published.list.verticalScrollBar().value() > 0
    published.search.setText("nvidia")
    assert published.list.verticalScrollBar().value() == 0


def test_a_number_in_a_search_is_a_whole_one(published):
    found = [published.presets[row].title for row in rows_found(published.presets, "16 su")]
    assert "NVIDIA DGX SuperPOD B200, 16 SU" in found
    assert not any("128 nodes (32 SU of 4)" in one for one in found), "whose source is called 00016"
