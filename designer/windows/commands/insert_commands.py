"""Commands that put annotations on the canvas, and fixtures on the floor: each gives the mouse its tool."""

from collections.abc import Callable
from pathlib import Path

from designer.errors import DesignerError, ParameterError
from designer.fields.field import Word
from designer.model.annotating import change_annotations, detach, is_led, point_to
from designer.model.annotation import COMMENT, DIMENSION, IMAGE, KINDS, PINNABLE, ZONE
from designer.model.bookmark import CANVAS, FLOOR
from designer.model.edit import Edit
from designer.model.fixture import BUILT, MARKINGS
from designer.model.images import BYTES_MOST, Picture, checked_picture
from designer.windows.commands.actions import ActionRow, always, needs
from designer.windows.desk import Desk

INSERT = "Insert"
IMAGE_FILTER = "Images (*.png *.jpg *.jpeg)"
SHORTCUTS = {"text": "T", "note": "N"}
ON_FLOOR_TOO = frozenset(word.name for word in MARKINGS)
"""Kinds of annotations that the floor plan takes, in meters, where it is in front."""
ICONS = {"text": "text", "note": "note"}


def _tool(kind: str) -> Callable[[Desk], None]:
    def choose(desk: Desk) -> None:
        if desk.views.name == FLOOR and kind in ON_FLOOR_TOO:
            _floor_tool(kind)(desk)
            return
        desk.views.show_canvas()
        if kind == ZONE and desk.views.canvas.annotate_around(kind, _boxed(desk)):
            return
        desk.views.choose_tool(f"annotate.{kind}")
        desk.views.canvas.setFocus()  # letters typed now are for it, and not for a list or for shortcuts

    return choose


def _boxed(desk: Desk) -> frozenset[str]:
    """What is selected of what a zone can be put around."""
    selected = desk.session.selected
    return selected.devices | selected.racks | selected.groups


def _floor_tool(kind: str) -> Callable[[Desk], None]:
    def choose(desk: Desk) -> None:
        desk.views.show_view(desk.views.floor)
        desk.views.choose_tool(f"room.{kind}")
        desk.views.floor.setFocus()

    return choose


def _floor_tool_in_hand(kind: str) -> Callable[[Desk], bool]:
    return lambda desk: desk.views.tool == f"room.{kind}"


def _in_hand(kind: str) -> Callable[[Desk], bool]:
    return lambda desk: desk.views.tool in (f"annotate.{kind}", f"room.{kind}")


@needs("These annotations go on the canvas: go there first.")
def off_floor(desk: Desk) -> bool:
    """Whether the canvas is in front."""
    return desk.views.name == CANVAS


@needs("Annotations go on the canvas and the floor plan: go to one of these first.")
def where_annotated(desk: Desk) -> bool:
    """Whether a view that takes annotations is in front."""
    return desk.views.name in (CANVAS, FLOOR)


def insert_image(desk: Desk) -> None:
    """Give the mouse a PNG or JPEG that the user chooses to put on the canvas; its bytes go into the design."""
    path = desk.questions.open_path("Insert image", desk.preferences.folder("images"), IMAGE_FILTER)
    if path is None:
        return
    desk.preferences.set_folder("images", path.parent)
    try:
        picture = read_picture(path)
    except DesignerError as error:
        desk.notice.complain(str(error))
        return
    desk.session.placing.picture = picture
    _tool(IMAGE)(desk)


def read_picture(path: Path) -> Picture:
    """The picture in a file. Raises ParameterError naming the file."""
    try:
        with path.open("rb") as file:
            data = file.read(BYTES_MOST + 1)
    except OSError as error:
        raise ParameterError(f"{path.name} cannot be read: {error.strerror}") from None
    try:
        return checked_picture(data)
    except ParameterError as error:
        raise ParameterError(f"{path.name}: {error}") from None


def _comments(desk: Desk) -> list[str]:
    notes = desk.session.design.annotations
    return [one for one in desk.session.selected.annotations if notes[one].kind == COMMENT]


@needs("Select a comment.")
def has_comments(desk: Desk) -> bool:
    """Whether a comment is selected."""
    return bool(_comments(desk))


def are_resolved(desk: Desk) -> bool:
    """Whether the selected comments are resolved."""
    notes = desk.session.design.annotations
    return has_comments(desk) and all(notes[one].resolved for one in _comments(desk))


def resolve(desk: Desk) -> None:
    """Mark the selected comments as resolved, or as open again."""
    to = not are_resolved(desk)

    def change() -> Edit:
        return change_annotations(desk.session.design, _comments(desk), resolved=to)

    desk.session.attempt(change)


def _leading(desk: Desk) -> list[str]:
    """The selected annotations that can have a leader."""
    notes = desk.session.design.annotations
    return [one for one in desk.session.selected.annotations if notes[one].kind in PINNABLE]


def _things(desk: Desk) -> frozenset[str]:
    selected = desk.session.selected
    return frozenset(selected.devices) | frozenset(selected.links)


@needs("Select notes or callouts, and the one device or link that they point to.")
def can_attach(desk: Desk) -> bool:
    """Whether annotations are selected with the one device or link that they could point to."""
    return bool(_leading(desk)) and len(_things(desk)) == 1


def attach(desk: Desk) -> None:
    """Lead the selected notes, callouts and comments to the device or link selected with them."""
    (thing,) = _things(desk)
    desk.session.attempt(lambda: point_to(desk.session.design, _leading(desk), thing))


@needs("Select a callout or note that points to something.")
def can_detach(desk: Desk) -> bool:
    """Whether a selected annotation points to something."""
    design = desk.session.design
    return any(is_led(design, design.annotations[one]) for one in _leading(desk))


def detach_leaders(desk: Desk) -> None:
    """Lead the selected notes, callouts and comments to nothing."""
    desk.session.attempt(lambda: detach(desk.session.design, _leading(desk)))


def toggle_annotations(desk: Desk) -> None:
    """Draw annotations, or leave them out."""
    desk.session.show_annotations(not desk.session.annotations_shown)


def _explained(word: Word) -> str:
    on_floor = " On the floor plan it measures meters." if word.name == DIMENSION else ""
    return f"{word.explanation}.{on_floor}" if on_floor else word.explanation


ROWS: tuple[ActionRow, ...] = (
    *(
        ActionRow(
            f"insert.{word.name}",
            f"Insert {word.title}",
            SHORTCUTS.get(word.name, ""),
            ICONS.get(word.name, ""),
            where_annotated if word.name in ON_FLOOR_TOO else off_floor,
            _tool(word.name),
            menu=INSERT,
            checked=_in_hand(word.name),
            hint=_explained(word),
        )
        for word in KINDS
        if word.name != IMAGE
    ),
    *(
        ActionRow(
            f"insert.{word.name}",
            f"Insert {word.title}",
            run=_floor_tool(word.name),
            menu=INSERT,
            checked=_floor_tool_in_hand(word.name),
            hint=f"{word.explanation}. On the floor plan",
        )
        for word in BUILT
    ),
    ActionRow(
        "insert.image",
        "Insert Image…",
        "",
        "",
        off_floor,
        insert_image,
        menu=INSERT,
        hint="A PNG or JPEG, kept in the file",
    ),
    ActionRow(
        "insert.resolve",
        "Resolve Comment",
        "",
        "",
        has_comments,
        resolve,
        INSERT,
        are_resolved,
        "Mark the selected comments as resolved, or as open again",
    ),
    ActionRow(
        "insert.attach",
        "Attach Callout or Note to Selection",
        "",
        "",
        can_attach,
        attach,
        INSERT,
        hint="Let the selected callout, note or comment point to the device or link selected with it",
    ),
    ActionRow(
        "insert.detach",
        "Detach Callout or Note",
        "",
        "",
        can_detach,
        detach_leaders,
        INSERT,
        hint="Let the selected callout, note or comment point to nothing",
    ),
    ActionRow(
        "layer.annotations",
        "Annotations",
        "",
        "",
        run=toggle_annotations,
        menu="Layers",
        checked=lambda desk: desk.session.annotations_shown,
        hint="Show or hide texts, notes, zones and comments, on screen and in diagrams",
    ),
)
