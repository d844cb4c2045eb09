"""What a view shows, apart from how it is looked at: a fabric, a floor plan, a rack elevation."""

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from PySide6.QtCore import QObject, QRectF, Signal
from PySide6.QtGui import QFont, QPainter

from designer.canvas.dropping import Landing
from designer.canvas.framing import Fit, PartsAt
from designer.canvas.hits import Target
from designer.canvas.pointer import Pointer
from designer.canvas.sight import Sight
from designer.drawing.camera import Camera, fitting
from designer.drawing.geometry import Rect, around
from designer.model.design import Design
from designer.model.edit import Edit
from designer.model.hardware.types import HardwareType
from designer.model.several import ONE, Wanted
from designer.session.session import Session

CLOSE_SCALE = 2.0
MARGIN_PX = 60.0
"""Around what fills a view alone."""


class Drag(Protocol):
    """Things under way with the mouse. The picture moves; the design stays as it is until they are let go."""

    def move(self, at: Pointer, sight: Sight) -> str | None:
        """Take the things along; returns why they cannot be let go here, None where they can."""

    def end(self) -> None:
        """Put the picture back as it was."""

    def copied(self) -> tuple[tuple[str, ...], Callable[[Design], Edit]] | None:
        """What letting go copies, and how, asked after the end; None where it moves."""

    def edit(self) -> Edit | None:
        """What letting go does, asked after the end; None where it does nothing. Raises DesignerError."""

    def paint(self, painter: QPainter, sight: Sight) -> None:
        """What the drag shows over the picture."""


class Plate(Protocol):
    """A legend over the picture that a hand moves and folds."""

    def move(self, dx: float, dy: float) -> None:
        """Take it along, by so many pixels in all."""

    def drop(self, sight: Sight) -> None:
        """Let it go: it keeps to the nearest corner; a click, that moved nothing, folds it to titles or opens it."""


class Subject(QObject):
    """What can be hit, selected, moved, dropped onto and painted, and how near one gets to it."""

    ending = Signal()
    """The picture is about to change: end what is being done with it."""
    changed = Signal()
    """Paint it again."""
    changed_now = Signal()
    """Paint it again at once."""
    legends_changed = Signal()
    """Another legend stands over the picture, or none."""
    replaced = Signal()
    """Another picture has taken its place: show all of it."""

    name = ""
    """What the view is called for those who hear it."""
    walks = False
    """Whether arrow keys go from place to place; else they move what is selected."""
    readable_scale = 0.45
    """Going to something shows it at least this large."""
    fit = Fit()
    """How large everything is where all of it is shown."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self.parts_at: PartsAt = lambda _scale: None
        """Rectangles around the parts of the drawing at a scale, (n, 4); None where all of it counts as one."""
        self.bounds_at: Callable[[float], Rect | None] = lambda _scale: self.bounds()
        """Around everything at a scale, where what is open may take more room."""
        self.close_at: Callable[[float], None] = lambda _scale: None
        """Draw closed there and farther off what a hand has opened; 0.0 for nowhere."""

    # -- where things are -----------------------------------------------------------------------------------------

    def bounds(self) -> Rect | None:
        """Left, top, right, bottom of everything; None where there is nothing."""
        raise NotImplementedError

    def covered_px(self, sight: Sight) -> Rect:
        """What headings and legends keep for themselves at the left, top, right and bottom of a view, pixels."""
        return 0.0, 0.0, 0.0, 0.0

    def rect_of(self, entity_id: str) -> Rect | None:
        """Where something is drawn; None where it is not."""
        raise NotImplementedError

    def takers(self, sight: Sight) -> list[tuple[str, QRectF]]:
        """The devices and racks in sight that something could be dragged onto, by id, with their boxes in pixels."""
        return []

    def target_at(self, at: Pointer, sight: Sight) -> Target:
        """What is under the mouse."""
        raise NotImplementedError

    def handle_at(self, at: Pointer, sight: Sight, found: Target, hovered: Target) -> Target | None:
        """What a press on `found` here pulls a line from, None where it does not; `hovered` shows its knobs."""
        return None

    def within(self, rect: Rect) -> list[str]:
        """What a rubber band around that part of the canvas selects."""
        raise NotImplementedError

    def opened_by(self, target: Target) -> tuple[str, ...]:
        """What a double click on that fills the view with."""
        return target.ids

    def expanded(self, target: Target) -> Edit | None:
        """What a double click on that changes in the design; None where it only goes there. Raises DesignerError."""
        return None

    def camera_onto(self, ids: Iterable[str], sight: Sight) -> Camera | None:
        """The view that these fill, opened where they are one box of many; None where none of them is drawn."""
        rect = around(found for one in ids if (found := self.rect_of(one)) is not None)
        return None if rect is None else fitting(rect, sight.width, sight.height, CLOSE_SCALE, MARGIN_PX)

    def name_rect(self, entity_id: str, sight: Sight) -> QRectF | None:
        """Where its name is written, in pixels of the view; None where it is renamed elsewhere."""
        return None

    def label_rect(self, link_ids: Sequence[str], sight: Sight) -> QRectF | None:
        """Where links are labelled, in pixels of the view; None where they are of several lines, or elsewhere."""
        return None

    def named_at(self, found: Target, at: Pointer, sight: Sight) -> tuple[str, ...]:
        """What a double click there renames; () where it does something else."""
        return ()

    def next_named(self, entity_id: str, step: int) -> str | None:
        """What is named after it in reading order, or before it at step -1; None where there is none."""
        return None

    def rest_on(self, target: Target | None) -> bool:
        """The mouse rests on that, or on nothing any more, None for at once; whether all but that is dimmed now."""
        return False

    def leave(self) -> bool:
        """End what is shown until Esc; whether there was anything."""
        return False

    # -- what the hand does to them -------------------------------------------------------------------------------

    def movable(self, ids: Iterable[str]) -> tuple[str, ...]:
        """What arrow keys move among these."""
        raise NotImplementedError

    def nudged(self, dx: int, dy: int, *, fine: bool) -> Edit | None:
        """The selection moved by one step with an arrow key. Raises DesignerError."""
        raise NotImplementedError

    def step(self, dx: int, dy: int) -> Rect | None:
        """Select what is one place further, where arrow keys or Alt with them go; its rectangle, None for nowhere."""
        return None

    def drag(self, target: Target, start: Pointer) -> Drag | None:
        """The drag that begins with a press on that; None where it cannot be moved."""
        raise NotImplementedError

    def landing(self, type_: HardwareType, at: Pointer, sight: Sight, wanted: Wanted = ONE) -> Landing:
        """What so many of a type of the palette become where they are let go here."""
        raise NotImplementedError

    def taken_px(self, sight: Sight, *, soon: bool = False) -> tuple[Rect, ...]:
        """What lies over the picture, in pixels of the view: legends too, and `soon` those that a run brings."""
        return sight.covered

    def plate_at(self, at: Pointer, sight: Sight) -> Plate | None:
        """The legend under the mouse that can be moved and folded; None where there is none."""
        return None

    # -- what is said and shown -----------------------------------------------------------------------------------

    def sentence(self, target: Target) -> str:
        """What the status bar says of that."""
        raise NotImplementedError

    def tooltip(self, target: Target) -> str:
        """Rich text about that; "" where there is nothing to say."""
        return ""

    def set_font(self, font: QFont) -> None:
        """Use this font from now on."""

    def paint(self, painter: QPainter, sight: Sight, hovered: Target, *, connectable: bool) -> bool:
        """Paint all but what a gesture shows; returns whether it should be painted again, finer, when things rest."""
        raise NotImplementedError

    @property
    def is_at_work(self) -> bool:
        """Whether a finer picture is begun and should be continued at once."""
        return False

    def paint_over(self, painter: QPainter, sight: Sight) -> None:
        """Paint what stands over gestures too: legends."""
