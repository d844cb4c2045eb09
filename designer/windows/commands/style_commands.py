"""Commands about the looks of annotations and links: what lies over what, and named styles."""

from functools import partial
from itertools import chain

from designer.errors import DesignerError, sentence
from designer.model.annotating import bring_to_front, send_to_back
from designer.model.annotation import AnnotationStyle
from designer.model.annotation_styles import (
    apply_style,
    delete_style,
    make_style,
    rename_style,
    style_of,
    use_text,
    users_of,
)
from designer.model.records import ordered
from designer.model.shown_text import visible_line
from designer.windows.commands.actions import ActionRow, needs
from designer.windows.desk import Desk
from designer.windows.picker.quick_picker import Answer, Choice

ARRANGE, STYLE = "Arrange", "Style"


@needs("Select annotations.")
def has_annotations(desk: Desk) -> bool:
    """Whether an annotation is selected."""
    return bool(desk.session.selected.annotations)


@needs("Select annotations or links.")
def has_looked(desk: Desk) -> bool:
    """Whether an annotation or a link is selected."""
    return bool(desk.session.selected.annotations or desk.session.selected.links)


def _looked(desk: Desk) -> tuple[str, ...]:
    """Ids of what is selected and can have a style."""
    return (*desk.session.selected.annotations, *desk.session.selected.links)


def _style(desk: Desk) -> AnnotationStyle | None:
    """The style that the selected annotations and links share; of many without one, the first says so."""
    design, selected = desk.session.design, desk.session.selected
    chosen = chain(map(design.annotations.get, selected.annotations), map(design.links.get, selected.links))
    styles = (style_of(design, one) for one in chosen if one is not None)
    first = next(styles, None)
    return first if first is not None and all(one is first for one in styles) else None


@needs("Select annotations or links that share a style.")
def has_style(desk: Desk) -> bool:
    """Whether the selected annotations and links share a style."""
    return _style(desk) is not None


@needs("Select annotations or links, once the design has a style for them.")
def can_apply(desk: Desk) -> bool:
    """Whether an annotation or a link is selected and there is a style for it."""
    return has_looked(desk) and bool(desk.session.design.annotation_styles)


def to_front(desk: Desk) -> None:
    """The selected annotations over everything."""
    desk.session.attempt(lambda: bring_to_front(desk.session.design, desk.session.selected.annotations))


def to_back(desk: Desk) -> None:
    """The selected annotations behind everything."""
    desk.session.attempt(lambda: send_to_back(desk.session.design, desk.session.selected.annotations))


def new(desk: Desk) -> None:
    """A style that looks as the selected annotation or link does."""
    design = desk.session.design
    edit = make_style(design, _looked(desk))
    if desk.session.attempt(lambda: edit):
        rename(desk)


def apply(desk: Desk) -> None:
    """Offer the styles for the selected annotations and links."""
    session, ids = desk.session, _looked(desk)
    icon = desk.appearance.icon("text", "muted")

    def take(style_id: str) -> None:
        session.attempt(lambda: apply_style(session.design, ids, style_id))

    choices = [
        Choice(visible_line(one.name), f"{use_text(session.design, one)} it", partial(take, one.id), icon)
        for one in ordered(session.design.annotation_styles)
    ]
    desk.picker.ask("Style", [*choices, Choice("Own look", "no style", partial(take, ""), icon)])


def rename(desk: Desk) -> None:
    """Ask for another name of the style that is selected."""
    style, session = _style(desk), desk.session
    if style is None:
        return
    style_id, icon = style.id, desk.appearance.icon("text", "muted")

    def take(text: str) -> None:
        session.attempt(lambda: rename_style(session.design, style_id, text))

    def answer(text: str) -> Answer:
        if not text.strip():
            return Answer("Type a name, such as Warning or Customer note.", ())
        try:
            rename_style(session.design, style_id, text)
        except DesignerError as error:
            return Answer(sentence(str(error)), (), is_refused=True)
        return Answer("", [Choice(f"Name it {visible_line(text)}", "Enter", partial(take, text), icon)])

    desk.picker.ask(f"Name of the style: {visible_line(style.name)}", (), answer=answer)


def delete(desk: Desk) -> None:
    """Delete the style that is selected; annotations and links keep their look."""
    style = _style(desk)
    if style is not None:
        desk.session.attempt(lambda: delete_style(desk.session.design, style.id))


def select_users(desk: Desk) -> None:
    """Select all annotations and links with the same style."""
    style = _style(desk)
    if style is not None:
        desk.session.select(frozenset(one.id for one in users_of(desk.session.design, style.id)))


ROWS: tuple[ActionRow, ...] = (
    ActionRow(
        "arrange.to_front",
        "Bring to Front",
        "",
        "",
        has_annotations,
        to_front,
        ARRANGE,
        hint="Draw the selected annotations over all others; zones stay behind the fabric",
    ),
    ActionRow(
        "arrange.to_back",
        "Send to Back",
        "",
        "",
        has_annotations,
        to_back,
        ARRANGE,
        hint="Draw the selected annotations behind the fabric and all others",
    ),
    ActionRow(
        "style.new",
        "New Style from Selection…",
        "",
        "",
        has_looked,
        new,
        STYLE,
        hint="A look with a name: annotations and links that have it follow when it changes",
    ),
    ActionRow(
        "style.apply",
        "Apply Style…",
        "",
        "",
        can_apply,
        apply,
        STYLE,
        hint="Give the selected annotations and links a style",
    ),
    ActionRow("style.rename", "Rename Style…", "", "", has_style, rename, STYLE, hint="Rename the style selected"),
    ActionRow(
        "style.select",
        "Select All with This Style",
        "",
        "",
        has_style,
        select_users,
        STYLE,
        hint="Select every annotation and link with the same style",
    ),
    ActionRow(
        "style.delete", "Delete Style", "", "", has_style, delete, STYLE, hint="What has the style keeps its look"
    ),
)
