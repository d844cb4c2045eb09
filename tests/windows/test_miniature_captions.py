"""Small pictures in dialogs have room for what is written above the topmost boxes."""

from pathlib import Path

from designer.drawing.composition import Composition
from designer.drawing.theme import LIGHT
from designer.storage import document
from designer.windows.dialogs.miniature import Miniature

EXAMPLE = Path(__file__).parents[2] / "examples" / "fat-tree-16-2to1.fabric"


def test_the_title_of_the_top_tier_and_the_note_at_the_foot_are_not_cut(qtbot):
    picture = Miniature(LIGHT)
    qtbot.addWidget(picture)
    picture.resize(900, 200)  # so wide that the height sets the scale
    design = document.load(EXAMPLE)
    assert Composition(design).tier_titles, "a title stands above the topmost boxes"
    picture.show_design(design, LIGHT)
    image = picture.grab().toImage()
    ground = image.pixelColor(0, 0)

    def has_ink(row):
        return any(image.pixelColor(x, row) != ground for x in range(image.width()))

    assert has_ink(image.height() // 2)
    assert not any(map(has_ink, (0, 1, image.height() - 2, image.height() - 1)))
