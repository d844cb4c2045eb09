"""The palette lists the catalog, finds types, and hands over ids."""

import pytest
from PySide6.QtCore import Qt

from designer.catalog.headline import headline
from designer.model.several import ONE, Wanted
from designer.panels.inspector.facts import facts, tooltip
from designer.panels.palette import MIME_TYPE, TYPE_ROLE, PalettePanel
from designer.panels.widgets.rows import kept_detail
from designer.session.placing import Placing


@pytest.fixture
def placing(qapp):
    return Placing()


@pytest.fixture
def palette(qtbot, catalog, placing, appearance, preferences):
    panel = PalettePanel(catalog, placing, appearance, preferences)
    qtbot.addWidget(panel)
    panel.resize(270, 600)
    panel.show()
    return panel


def items(palette):
    tree = palette.tree
    sections = [tree.topLevelItem(row) for row in range(tree.topLevelItemCount())]
    return [section.child(row) for section in sections for row in range(section.childCount())]


def shown_ids(palette):
    return [item.data(0, TYPE_ROLE) for item in items(palette) if not item.isHidden()]


def test_every_switch_server_nic_and_rack_of_the_catalog_is_listed_once_by_kind_and_vendor(palette, catalog):
    kinds = (catalog.switches, catalog.servers, catalog.nics, catalog.line_cards, catalog.racks)
    expected = []
    for kind in kinds:
        vendors = list(dict.fromkeys(one.vendor for one in kind()))
        expected += [one.id for one in sorted(kind(), key=lambda one: vendors.index(one.vendor))]
    assert shown_ids(palette) == expected
    tree = palette.tree
    titles = [tree.topLevelItem(row).text(0) for row in range(tree.topLevelItemCount())]
    assert titles[:2] == ["NVIDIA switches", "Arista switches"]
    assert "Broadcom NICs: drop onto a server" in titles
    assert len(titles) == len(set(titles))


def test_the_ports_of_every_type_are_seen_however_long_its_name_is(palette, catalog):
    metrics = palette.tree.fontMetrics()
    for type_ in catalog.types.values():
        figures = headline(type_)
        shown, width = kept_detail(215, figures, metrics)
        assert width >= metrics.horizontalAdvance(shown) and shown.replace(" ", "") == figures.replace(" ", "")
    assert kept_detail(200, "", metrics) == ("", 0)
    assert kept_detail(400, "48 × 1G + 4 × 10G", metrics)[0] == "48 × 1G + 4 × 10G"
    assert kept_detail(60, "48 × 1G + 4 × 10G", metrics)[1] < metrics.horizontalAdvance("48×1G+4×10G")


def test_a_name_gives_way_to_the_ports_of_its_type(palette, qtbot):
    palette.search.setText("DCS-7010TX-48-F")
    (item,) = (one for one in items(palette) if not one.isHidden())
    palette.resize(230, 600)
    row = palette.tree.visualItemRect(item)
    painted = palette.tree.viewport().grab(row).toImage()
    right = [painted.pixelColor(x, y).lightness() for x in range(row.width() - 40, row.width() - 12) for y in range(26)]
    assert max(right) - min(right) > 50, "letters stand there"


def test_search_keeps_what_matches_all_words_and_says_when_nothing_does(palette, qtbot):
    qtbot.keyClicks(palette.search, "infiniband 64")
    assert "nvidia-qm9700" in shown_ids(palette)
    assert "nvidia-sn5600" not in shown_ids(palette)
    palette.search.setText("no such thing")
    assert shown_ids(palette) == []
    assert not palette.tree.isVisible()
    palette.search.clear()
    assert palette.tree.isVisible()


@pytest.mark.parametrize(
    ("words", "found", "left_out"),
    [
        ("server", "dgx-h100", "nvidia-qm9700"),
        ("nvidia servers", "dgx-h100", "generic-host"),
        ("storage", "generic-storage", "dgx-h100"),
        ("switch 800g", "nvidia-sn5600", "nvidia-sn2201"),
        ("switch 200g", "nvidia-qm9700", "nvidia-sn2201"),
        ("generic server 4", "generic-host", "dgx-h100"),
        ("nics connectx", "connectx-7-ndr", "dgx-h100"),
    ],
)
def test_search_finds_types_by_the_words_of_their_headings_and_by_figures(palette, words, found, left_out):
    palette.search.setText(words)
    assert found in shown_ids(palette) and left_out not in shown_ids(palette)


def test_enter_on_a_type_and_enter_in_the_search_line_ask_for_it(palette, qtbot):
    first = palette.tree.topLevelItem(0).child(0)
    palette.tree.setCurrentItem(first)
    with qtbot.waitSignal(palette.type_activated) as caught:
        qtbot.keyClick(palette.tree, Qt.Key.Key_Return)
    assert caught.args == [first.data(0, TYPE_ROLE)]
    qtbot.keyClicks(palette.search, "dgx h100")
    with qtbot.waitSignal(palette.type_activated) as caught:
        qtbot.keyClick(palette.search, Qt.Key.Key_Return)
    assert caught.args == ["dgx-h100"]


def test_a_number_typed_over_the_list_says_how_many(palette, placing, qtbot):
    palette.tree.setCurrentItem(palette.tree.topLevelItem(0).child(0))
    palette.tree.setFocus()
    qtbot.keyClicks(palette.tree, "12")
    assert placing.wanted == Wanted(12)
    assert palette._count.isVisible() and palette._count.whole_text.startswith("12 at once")
    qtbot.keyClick(palette.tree, Qt.Key.Key_Backspace)
    seen = []
    palette.type_activated.connect(lambda _id: seen.append(placing.wanted))
    qtbot.keyClick(palette.tree, Qt.Key.Key_Return)
    assert seen == [Wanted(1)]
    qtbot.keyClicks(palette.tree, "7")
    qtbot.keyClick(palette.tree, Qt.Key.Key_Escape)
    assert placing.wanted == ONE and not palette._count.isVisible()
    qtbot.keyClicks(palette.tree, "9999")
    assert placing.wanted == Wanted(512)


def test_digits_that_follow_letters_go_on_with_the_search_of_a_row(palette, placing, qtbot):
    palette.tree.setFocus()
    qtbot.keyClicks(palette.tree, "QM9")
    assert placing.wanted == ONE
    assert palette.tree.currentItem().text(0).startswith("QM9")


def test_the_search_line_asks_for_several_under_a_name(palette, placing, qtbot):
    seen = []
    palette.type_activated.connect(lambda type_id: (seen.append((type_id, placing.wanted)), placing.forget()))
    qtbot.keyClicks(palette.search, "8x dgx h100 as gpu-1")
    assert "dgx-h100" in shown_ids(palette)
    for _ in range(2):
        qtbot.keyClick(palette.search, Qt.Key.Key_Return)
    assert seen == [("dgx-h100", Wanted(8, "gpu-1"))] * 2
    assert palette.search.selectedText() == palette.search.text()
    palette.search.setText("dgx")
    assert placing.wanted == ONE


def test_digits_of_a_drag_are_counted_wherever_they_are_typed(palette, placing, qtbot):
    placing.follow_keys()
    qtbot.keyClicks(palette.search, "16")
    placing.leave_keys()
    assert (placing.wanted, palette.search.text()) == (Wanted(16), "")
    qtbot.keyClicks(palette.search, "3")
    assert palette.search.text() == "3"


def test_what_is_dragged_is_the_id_of_the_type(palette):
    item = next(item for item in items(palette) if item.data(0, TYPE_ROLE) == "nvidia-qm9700")
    data = palette.tree.mimeData([item])
    assert bytes(data.data(MIME_TYPE).data()) == b"nvidia-qm9700"


def test_what_was_used_last_is_on_top(palette, preferences):
    preferences.add_recent_type("dgx-a100")
    preferences.add_recent_type("nvidia-qm8790")
    assert palette.tree.topLevelItem(0).text(0) == "Recently used"
    assert shown_ids(palette)[:2] == ["nvidia-qm8790", "dgx-a100"]


def test_rows_stay_under_the_mouse_when_a_type_joins_those_recently_used(palette, preferences, qtbot):
    row = next(item for item in items(palette) if item.data(0, TYPE_ROLE) == "nvidia-sn5600")
    at = palette.tree.visualItemRect(row).top()
    for type_id in ("dgx-a100", "nvidia-qm8790", "dgx-a100"):
        preferences.add_recent_type(type_id)
        assert palette.tree.visualItemRect(row).top() == at
    palette.tree.scrollToTop()
    assert shown_ids(palette)[:2] == ["nvidia-qm8790", "dgx-a100"]  # using one again moves none of them


def test_a_search_finds_a_recently_used_type_once(palette, preferences, qtbot):
    preferences.add_recent_type("dgx-h100")
    qtbot.keyClicks(palette.search, "dgx h100")
    assert shown_ids(palette).count("dgx-h100") == 1
    palette.search.clear()
    assert shown_ids(palette).count("dgx-h100") == 2


def test_the_palette_opens_on_what_was_used_last(qtbot, catalog, placing, appearance, preferences):
    preferences.add_recent_type("dgx-h100")
    panel = PalettePanel(catalog, placing, appearance, preferences)
    qtbot.addWidget(panel)
    panel.resize(270, 600)
    panel.show()
    assert panel.tree.visualItemRect(panel.tree.topLevelItem(0)).top() == 0


def test_a_tooltip_tells_the_facts_and_names_what_is_not_published(catalog):
    type_ = catalog.get("nvidia-qm9700")
    assert headline(type_) == "64 × 400G"
    text = tooltip(type_)
    assert "64 × 400G" in text
    unknown = [name.lower() for name, value in facts(type_) if value is None]
    assert "price" in unknown
    assert f"Not published: {', '.join(unknown)}" in text


def test_every_type_of_the_catalog_has_facts_and_a_headline(catalog):
    for type_ in catalog.types.values():
        assert headline(type_)
        assert facts(type_)


@pytest.mark.parametrize(("text", "model"), [("64x400", "QM9700"), ("64x400g", "SN5400"), ("bmc", "NIC 1G")])
def test_search_finds_ports_as_data_sheets_write_them_and_nics_by_use(palette, text, model):
    palette.search.setText(text)
    shown = [item.text(0) for item in items(palette) if not item.isHidden()]
    assert model in shown and len(shown) < 12


def test_in_a_narrow_palette_the_ports_stand_below_the_name(palette, qtbot):
    (item,) = (one for one in items(palette) if one.data(0, TYPE_ROLE) == "nvidia-qm9700")
    line = palette.tree.fontMetrics().height()
    assert palette.tree.visualItemRect(item).height() < 2 * line
    palette.resize(150, 600)
    qtbot.waitUntil(lambda: palette.tree.visualItemRect(item).height() >= 2 * line)
    palette.resize(270, 600)
    qtbot.waitUntil(lambda: palette.tree.visualItemRect(item).height() < 2 * line)
