"""Small pictures in dialogs have room for what is written above the topmost boxes."""

from pathlib import Path

from designer.drawing.composition import Composition
from designer.storage import document
from designer.windows.dialogs.miniature import Miniature

EXAMPLE = Path(__file__).parents[2] / "examples" / "fat-tree-16-2to1.fabric"


def test_the_title_of_the_top_tier_and_the_note_at_the_foot_are_not_cut(window, qtbot):
    picture = Miniature(window.appearance)
    qtbot.addWidget(picture)
    picture.resize(900, 200)  # so wide that the height sets the scale
    design = document.load(EXAMPLE)
    assert Composition(design).tier_titles, "a title stands above the topmost boxes"
    picture.show_design(design)
    image = picture.grab().toImage()
    ground = image.pixelColor(0, 0)

    def has_ink(row):
        return any(image.pixelColor(x, row) != ground for x in range(image.width()))

    assert has_ink(image.height() // 2)
    assert not any(map(has_ink, (0, 1, image.height() - 2, image.height() - 1)))


def test_a_preview_follows_the_theme_of_the_window(window, qtbot):
    appearance = window.appearance
    picture = Miniature(appearance)
    qtbot.addWidget(picture)
    picture.resize(300, 200)
    picture.show_design(document.load(EXAMPLE))
    before = appearance.choice
    try:
        for choice in ("dark", "light"):
            appearance.choice = choice
            ground = picture.grab().toImage().pixelColor(0, 0)
            assert ground.name() == appearance.theme.background
    finally:
        appearance.choice = before
