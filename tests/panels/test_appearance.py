"""Icons, colors and the style sheet."""

from dataclasses import fields

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QIcon
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QComboBox, QLabel, QLineEdit, QListWidget, QPushButton, QTabBar, QVBoxLayout, QWidget

from designer.panels.widgets.appearance import DARK_CHROME, LIGHT_CHROME, Appearance, style_sheet
from designer.panels.widgets.icons import Icons
from designer.paths import resources_dir

ICONS = sorted((resources_dir() / "icons").glob("*.svg"))


@pytest.mark.parametrize("path", ICONS, ids=lambda path: path.stem)
def test_an_icon_can_be_drawn_and_takes_its_colour_from_the_theme(path, qapp, appearance):
    assert QSvgRenderer(str(path)).isValid()
    source = path.read_text("utf-8")
    assert "currentColor" in source
    assert "#" not in source
    image = appearance.icon(path.stem, "error").pixmap(32, 32).toImage()
    inks = {
        image.pixelColor(x, y).name()
        for x in range(image.width())
        for y in range(image.height())
        if image.pixelColor(x, y).alphaF() == 1
    }
    assert inks == {QColor(LIGHT_CHROME.error).name()}


def test_a_disabled_icon_is_fainter(appearance):
    normal = appearance.icon("play").pixmap(32, 32, QIcon.Mode.Normal).toImage()
    disabled = appearance.icon("play").pixmap(32, 32, QIcon.Mode.Disabled).toImage()
    assert max(disabled.pixelColor(x, 16).alphaF() for x in range(32)) < max(
        normal.pixelColor(x, 16).alphaF() for x in range(32)
    )


def test_both_style_sheets_have_every_colour_filled_in():
    for chrome in (LIGHT_CHROME, DARK_CHROME):
        sheet = style_sheet(chrome)
        assert "$" not in sheet
        assert chrome.accent in sheet


def _luminance(colour: str) -> float:
    parts = [QColor(colour).redF(), QColor(colour).greenF(), QColor(colour).blueF()]
    linear = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a: str, b: str) -> float:
    high, low = sorted((_luminance(a), _luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("chrome", [LIGHT_CHROME, DARK_CHROME], ids=["light", "dark"])
def test_text_is_legible_on_every_surface(chrome):
    for surface in (chrome.window, chrome.base, chrome.raised, chrome.accent_soft):
        assert contrast(chrome.text, surface) >= 7
    for surface in (chrome.window, chrome.base, chrome.raised):
        for ink in (chrome.muted, chrome.error, chrome.warning, chrome.good, chrome.info):
            assert contrast(ink, surface) >= 4.5, (ink, surface)
    assert contrast(chrome.on_accent, chrome.accent) >= 4.5


def test_switching_the_theme_is_told_once_and_changes_the_colours(qapp):
    appearance = Appearance(qapp, "light")  # its own: the others' must stay light
    heard = []
    appearance.changed.connect(lambda: heard.append(appearance.dark))
    appearance.choice = "dark"
    appearance.choice = "dark"
    assert heard == [True]
    assert appearance.chrome is DARK_CHROME
    appearance.choice = "light"
    assert heard == [True, False]


def test_letters_of_open_windows_and_their_headings_follow_the_text_size(qapp, qtbot):
    usual, appearance = qapp.font(), Appearance(qapp, "light")
    label, title = QLabel("leaf-01"), QLabel("Fabric")
    title.setProperty("kind", "title")
    for one in (label, title):
        qtbot.addWidget(one)
        one.show()
    before = [one.fontMetrics().height() for one in (label, title)]
    try:
        appearance.set_text_size(20)
        assert label.font().pointSize() == 20
        large = [one.fontMetrics().height() for one in (label, title)]
        assert all(now > 1.4 * was for now, was in zip(large, before, strict=True))
        appearance.set_text_size(0)
        assert [one.fontMetrics().height() for one in (label, title)] == before and qapp.font() == usual
    finally:
        qapp.setFont(usual)


def test_widgets_look_the_same_whether_they_were_there_or_are_made_after_a_switch(qapp, qtbot):
    appearance = Appearance(qapp, "light")

    def form():
        made = QWidget()
        column = QVBoxLayout(made)
        for widget in (
            QLabel("Name"),
            QLineEdit("leaf-01"),
            QPushButton("Apply"),
            QComboBox(),
            QTabBar(),
            QListWidget(),
        ):
            column.addWidget(widget)
        qtbot.addWidget(made)
        made.resize(300, 400)
        return made

    there = form()
    light = there.grab().toImage()
    appearance.choice = "dark"
    dark = there.grab().toImage()
    assert dark == form().grab().toImage() != light
    appearance.choice = "light"
    assert there.grab().toImage() == light


def test_the_look_of_the_system_is_taken_unless_one_is_chosen(qapp, appearance):
    is_dark = qapp.styleHints().colorScheme() == Qt.ColorScheme.Dark
    assert Appearance(qapp, "system").dark == is_dark
    assert qapp.styleSheet() == style_sheet(DARK_CHROME if is_dark else LIGHT_CHROME)
    Appearance(qapp, "light")


def test_widgets_made_meanwhile_are_styled_at_the_end_even_after_a_failure(qapp, appearance):
    sheet = qapp.styleSheet()
    assert sheet == style_sheet(LIGHT_CHROME)
    with appearance.styled_at_the_end():
        assert qapp.styleSheet() == ""
    assert qapp.styleSheet() == sheet
    with pytest.raises(OSError, match="no room"), appearance.styled_at_the_end():
        raise OSError("no room")
    assert qapp.styleSheet() == sheet


def test_an_icon_is_drawn_once_for_each_colour_and_a_disabled_one_in_the_faint_colour(qapp):
    icons = Icons()
    red = icons.icon("play", "#ff0000", "#0000ff")
    assert icons.icon("play", "#ff0000", "#0000ff") is red
    for mode, name in ((QIcon.Mode.Normal, "#ff0000"), (QIcon.Mode.Disabled, "#0000ff")):
        image = red.pixmap(32, 32, mode).toImage()
        strongest = max((image.pixelColor(x, 16) for x in range(32)), key=lambda colour: colour.alpha())
        assert strongest.name() == name
    assert icons.icon("play", "#00ff00", "#0000ff").pixmap(32, 32).toImage() != red.pixmap(32, 32).toImage()


def test_every_colour_has_a_value_in_both_themes():
    for field in fields(LIGHT_CHROME):
        assert QColor(getattr(LIGHT_CHROME, field.name)).isValid()
        assert QColor(getattr(DARK_CHROME, field.name)).isValid()
