"""A picture that takes long is refined piece by piece, and comes out as if it had been painted in one go."""

from itertools import count, islice

import numpy as np
import pytest
from PySide6.QtGui import QFont, QImage, QPainter

from designer.canvas import backing as backing_module
from designer.canvas.backing import LATE_S, QUICK_BUDGET_S, Backing, Same
from designer.canvas.glyphs import Fonts
from designer.canvas.painting import paint
from designer.drawing.camera import Camera, Viewport
from designer.drawing.parts.primitives import Circle, Group, Ink, Lines, Pen, Rect, Text, pieces

SIZE = 120, 90
VIEW = Viewport(Camera(), *map(float, SIZE))
THIN, WIDE = Pen("#3060c0", 1.0, 0.4), Pen("#c03030", 3.0, 0.5)


def crossing(n):
    """Lines that cross each other, (n, 4)."""
    return np.random.default_rng(n).random((n, 4)) * (*SIZE, *SIZE)


def scene():
    yield Rect(0, 0, *SIZE, Ink("#ffffff"), crisp=True)
    yield Group(iter((Lines(crossing(100), THIN), Lines(crossing(7), WIDE))), "links")
    yield Group((Circle(30, 30, 12, Ink("#20a020", 0.5)), Lines(crossing(70), WIDE)), at=(9.0, 5.0), zoom=1.5)
    yield Group((Lines(crossing(40), THIN),), zoom=1.25)
    yield Lines(crossing(90), Pen("#803080", 0.9))
    yield Group((Lines(crossing(41), WIDE),), clip=(10.0, 10.0, 60.0, 40.0))
    yield Text(20, 50, "leaf-01", 12, "#000000")


class Screen:
    """Shows pictures by a backing, and notes with which lines each was begun."""

    def __init__(self, has_paper=True):
        self.backing, self.begun, self.image = Backing(has_paper=has_paper), [], QImage()
        self.has_paper, self.fails = has_paper, False

    def show(self, view=VIEW, content="a", moving=False, ratio=1.0):
        def draw(smooth):
            self.begun.append(smooth)
            yield from islice(scene(), 0 if self.has_paper else 1, 3 if self.fails else None)
            if self.fails:
                raise RuntimeError("cannot be drawn")

        self.image = QImage(*SIZE, QImage.Format.Format_RGB32)
        self.image.fill(0)
        painter = QPainter(self.image)
        try:
            return self.backing.show(painter, view, ratio, content, moving, "#ffffff", Fonts(QFont()), draw)
        finally:
            painter.end()

    def pixel(self, x, y):
        return self.image.pixelColor(x, y).name()

    def seem_large(self):
        self.backing._smooth_s = self.backing._quick_s = 2 * LATE_S


@pytest.fixture
def screen(qapp):
    return Screen()


@pytest.fixture
def slow(monkeypatch):
    """A clock by which any piece takes as long as may be painted at a time."""
    ticks = count()
    monkeypatch.setattr(backing_module.time, "thread_time", lambda: next(ticks) * backing_module.SLICE_S)
    monkeypatch.setattr("designer.canvas.backing.pieces", lambda parts: pieces(parts, 16))


@pytest.mark.parametrize("smooth", [True, False])
@pytest.mark.parametrize("ratio", [1.0, 1.25, 2.0])
def test_a_picture_that_is_kept_is_painted_as_any_other(screen, smooth, ratio):
    if not smooth:
        screen.seem_large()
    screen.show(ratio=ratio, moving=not smooth)
    assert screen.begun == [smooth]
    kept = screen.backing._image
    plain = QImage(kept.size(), kept.format())
    plain.setDevicePixelRatio(ratio)
    painter = QPainter(plain)
    paint(painter, scene(), Fonts(QFont()), smooth=smooth)
    painter.end()
    assert bytes(kept.constBits()) == bytes(plain.constBits())


def test_what_is_too_large_to_be_compared_is_the_same_where_it_is_the_very_one():
    one, other = frozenset("ab"), frozenset("ba")
    assert one == other
    assert Same(one) == Same(one)
    assert hash(Same(one)) == hash(Same(one))
    assert Same(one) != Same(other)
    assert Same(one) != one


def test_pieces_are_the_same_drawing_in_the_same_order():
    found = list(pieces(scene(), 32))
    kinds = [type(one) for one in found]
    assert kinds == [Rect, *[Lines] * 5, *[Group] * 2, *[Lines] * 3, Group, Text]
    np.testing.assert_array_equal(np.concatenate([one.xy for one in found[1:5]]), crossing(100))
    assert {one.pen for one in found[1:5]} == {THIN} and max(len(one.xy) for one in found[1:5]) == 32


def test_a_refined_picture_is_that_painted_in_one_go(screen, slow):
    assert not screen.show()
    in_one_go = screen.image
    screen.backing._smooth_s = 2 * LATE_S
    assert screen.show(content="b") and screen.begun == [True, False], "first quickly, to show what has changed"
    quick, shown = screen.image, 0
    assert quick != in_one_go and not screen.backing.is_at_work
    while screen.show(content="b"):
        assert screen.backing.is_at_work and screen.image == quick
        shown += 1
    assert shown > 5 and screen.image == in_one_go
    assert screen.begun == [True, False, True] and not screen.backing.is_at_work
    assert not screen.show(content="b") and len(screen.begun) == 3


def test_what_lies_over_the_picture_is_refined_without_paper(qapp, slow):
    over = Screen(has_paper=False)
    over.show()
    in_one_go = over.image
    over.show(content="b")
    assert over.image == in_one_go, "nothing is left of what was painted before"
    over.seem_large()
    for _ in range(40):
        over.show(content="b")
    assert over.image == in_one_go and not over.backing.is_at_work


def test_while_a_picture_of_elsewhere_is_refined_the_last_one_is_shifted(screen, slow):
    screen.show()
    in_place = screen.image
    screen.backing._quick_s = 2 * QUICK_BUDGET_S
    moved = Viewport(Camera().moved(30.0, 0.0), *map(float, SIZE))
    assert screen.show(view=moved, moving=True) and not screen.backing.is_at_work
    shifted = screen.image
    assert screen.pixel(5, 5) == "#ffffff", "paper, where nothing was seen before"
    assert shifted.copy(30, 0, 90, 90) == in_place.copy(0, 0, 90, 90)
    assert screen.show(view=moved) and screen.backing.is_at_work and screen.image == shifted
    while screen.show(view=moved):
        pass
    assert screen.begun == [True, True]


def test_what_is_half_painted_is_given_up_when_something_moves_or_changes(screen, slow):
    screen.show()
    screen.seem_large()
    screen.show(content="b")
    screen.show(content="b")
    assert screen.backing.is_at_work
    screen.show(content="b", moving=True)
    assert not screen.backing.is_at_work
    screen.show(content="b")
    screen.show(content="c")
    assert not screen.backing.is_at_work and screen.begun[-1] is False
    screen.show(content="c")
    assert screen.backing.is_at_work
    screen.backing.leave()
    assert not screen.backing.is_at_work


def test_a_small_picture_is_refined_at_once(screen):
    screen.show()
    screen.seem_large()
    screen.show(content="b")
    assert not screen.show(content="b") and screen.backing.painted == 3


def test_what_takes_long_is_drawn_with_quick_lines_while_it_moves(screen, slow):
    screen.show()
    screen.show(content="b", moving=True)
    assert screen.begun == [True, False]


@pytest.mark.parametrize("has_paper", [True, False])
def test_of_a_picture_that_fails_half_way_nothing_is_shown_later(qapp, slow, has_paper):
    screen = Screen(has_paper=has_paper)
    screen.show()
    whole = screen.image
    screen.fails = True
    with pytest.raises(RuntimeError):
        screen.show(content="b")
    screen.fails = False
    while screen.show():
        pass
    assert screen.image == whole
    screen.seem_large()
    screen.show(content="b")
    screen.fails = True
    with pytest.raises(RuntimeError):
        while screen.show(content="b"):
            pass
    screen.fails = False
    while screen.show(content="b"):
        pass
    assert screen.image == whole, "refined anew"


def test_on_a_screen_of_finer_pixels_the_picture_is_as_large(screen):
    screen.show()
    usual = to_array(screen.image)
    screen.show(content="b", ratio=2.0)
    assert np.abs(usual - to_array(screen.image)).mean() < 12.0


def to_array(image):
    """(height, width, 4)."""
    return np.frombuffer(image.constBits(), np.uint8).reshape(SIZE[1], SIZE[0], 4).astype(float)
