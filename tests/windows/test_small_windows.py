"""A small window: the canvas gives way first, the panels stay readable, and everything comes back."""


def widths(window):
    return {name: window.docks._docks[name].width() for name in ("palette", "inspector")}


def test_the_canvas_gives_way_first_and_the_panels_are_as_before_when_the_window_grows(window, qtbot):
    window.resize(1440, 900)
    qtbot.waitUntil(lambda: window.views.canvas.width() > 700)
    before = widths(window)
    window.resize(1100, 700)
    qtbot.waitUntil(lambda: window.views.canvas.width() < 600)
    assert window.width() == 1100
    assert widths(window) == before
    window.resize(1590, 960)
    qtbot.waitUntil(lambda: window.views.canvas.width() > 800)
    assert widths(window) == before


def test_no_side_panel_gets_narrower_than_its_fields_and_studies_leave_them_their_room(window, qtbot):
    window.resize(1000, 650)
    window.docks.show("studies")
    qtbot.waitUntil(lambda: window.docks.studies.isVisible())
    assert window.width() == 1000
    assert widths(window)["palette"] >= 200
    assert widths(window)["inspector"] >= 280


def test_the_welcome_screen_fits_a_small_window(window, qtbot):
    window.views.show_welcome()
    qtbot.waitUntil(lambda: window.minimumWidth() <= 700)
    window.resize(700, 600)
    qtbot.waitUntil(lambda: window.width() == 700)
    card = window.views.welcome.buttons["file.open"]
    assert card.mapTo(window, card.rect().topRight()).x() <= 700
