"""Commands that put annotations on canvas and floor plan, and fixtures on the floor: each gives the mouse its tool."""

from collections.abc import Callable
from pathlib import Path

from designer.errors import DesignerError, ParameterError
from designer.fields.field import Word
from designer.model.annotating import can_point_to, change_annotations, detach, is_led, point_to
from designer.model.annotation import COMMENT, DIMENSION, IMAGE, KINDS, PINNABLE, ZONE
from designer.model.bookmark import CANVAS, FLOOR
from designer.model.edit import Edit
from designer.model.fixture import BUILT, MARKINGS
from designer.model.images import BYTES_MOST, Picture, checked_picture
from designer.windows.commands.actions import ActionRow, needs
from designer.windows.desk import Desk

INSERT = "Insert"
IMAGE_FILTER = "Images (*.png *.jpg *.jpeg)"
SHORTCUTS = {"text": "T", "note": "N"}
MEASURED = frozenset(word.name for word in MARKINGS)
"""Kinds that are fixtures on the floor plan."""
ICONS = {"text": "text", "note": "note"}


def _tool(kind: str) -> Callable[[Desk], None]:
    def choose(desk: Desk) -> None:
        if desk.views.name == FLOOR:
            _choose_on_floor(desk, f"room.{kind}" if kind in MEASURED else f"annotate.{kind}")
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
    return lambda desk: _choose_on_floor(desk, f"room.{kind}")


def _choose_on_floor(desk: Desk, tool: str) -> None:
    desk.views.show_view(desk.views.floor)
    desk.views.choose_tool(tool)
    desk.views.floor.setFocus()


def _floor_tool_in_hand(kind: str) -> Callable[[Desk], bool]:
    return lambda desk: desk.views.tool == f"room.{kind}"


def _in_hand(kind: str) -> Callable[[Desk], bool]:
    return lambda desk: desk.views.tool in (f"annotate.{kind}", f"room.{kind}")


@needs("Annotations go on the canvas and the floor plan: go to one of these first.")
def where_annotated(desk: Desk) -> bool:
    """Whether a view that takes annotations is in front."""
    return desk.views.name in (CANVAS, FLOOR)


def insert_image(desk: Desk) -> None:
    """Give the mouse a PNG or JPEG that the user chooses to put down; its bytes go into the design."""
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
    """What is selected that the selected annotations could point to: on the floor plan racks."""
    selected, design = desk.session.selected, desk.session.design
    notes = [design.annotations[one] for one in _leading(desk)]
    found = selected.racks if notes and notes[0].is_on_floor else selected.devices | selected.links
    return frozenset(one for one in found if all(can_point_to(design, note, one) for note in notes))


@needs("Select notes or callouts, and the one device, link or rack that they point to.")
def can_attach(desk: Desk) -> bool:
    """Whether annotations are selected with the one thing that they could point to."""
    return bool(_leading(desk)) and len(_things(desk)) == 1


def attach(desk: Desk) -> None:
    """Lead the selected notes, callouts and comments to what is selected with them."""
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
            where_annotated,
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
        where_annotated,
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
        hint="Let the selected callout, note or comment point to the device, link or rack selected with it",
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
