"""Commands that select: by expression, and what is the same as what is selected."""

from functools import partial

from designer.analysis.selecting.alike import ALIKE, alike
from designer.analysis.selecting.counted import counted
from designer.analysis.selecting.expression import ExpressionError
from designer.errors import DesignerError, sentence
from designer.windows.commands.actions import ActionRow, has_devices, needs
from designer.windows.desk import Desk
from designer.windows.picker.pickers import named_things, numbered_cables, typed_ports
from designer.windows.picker.quick_picker import Answer, Choice

EDIT = "Edit"
ROWS_MOST = 40


def find(desk: Desk) -> None:
    """Offer devices, racks, groups and jobs by name, tag or field, cables by number, and ports of a device.

    To go to one, or to select all hits.
    """

    def take_all(choices: list[Choice]) -> None:
        _select(desk, frozenset(one.entity_id for one in choices if one.entity_id))

    things = named_things(desk)

    def read(text: str) -> tuple[str, list[Choice]] | None:
        parts = [*numbered_cables(desk, text), *typed_ports(desk, text)]
        return (text, [*parts, *things]) if parts else None

    placeholder = "Name, tag or field; cable, as C0421; port, as leaf-03/17"
    desk.picker.ask(placeholder, things, take_all=take_all, read=read)


def select_by_expression(desk: Desk) -> None:
    """Ask for an expression, count what it fits while it is typed, and select that."""
    icon = desk.appearance.icon

    def answer(text: str) -> Answer:
        finder = desk.session.finder
        fills = [
            Choice(one.word, one.about, lambda: None, icon("chevron-right", "muted"), fills=one.text)
            for one in finder.completions(text)[:ROWS_MOST]
        ]
        if not text.strip():
            return Answer("Such as role:leaf su:2, free>0, tag:spare, kind:link length>30", fills)
        try:
            found = finder.find(text)
        except ExpressionError as error:
            return Answer(sentence(str(error)), fills, is_refused=True)
        if not found.ids:
            return Answer(finder.why_nothing(text), fills, is_empty=True)
        run = partial(_select, desk, frozenset(found.ids))
        return Answer("", [Choice(f"Select {found.text}", "Enter", run, icon("select", "text")), *fills])

    desk.picker.ask("What to select: role:leaf su:2", (), answer=answer)


def select_alike(desk: Desk, name: str) -> None:
    """Select all that has the same type, role, rack, rail, network or unit as something selected."""
    session = desk.session
    try:
        found = alike(session.design, session.selection, name)
    except DesignerError as error:
        session.message.emit(sentence(str(error)))
        return
    _select(desk, found)


def _select(desk: Desk, ids: frozenset[str]) -> None:
    """Select these as far as they are shown, and say how many there are."""
    session = desk.session
    shown = frozenset(filter(session.is_shown, ids))
    session.select(shown)
    hidden = len(ids) - len(shown)
    left_out = f"; {counted(session.design, ids - shown)} on hidden layers left out" if hidden else ""
    desk.notice.say(sentence(f"{counted(session.design, shown)} selected{left_out}"))


@needs("Select something first.")
def may_share(desk: Desk) -> bool:
    """Whether anything is selected that could share a fact with others."""
    return bool(desk.session.selection)


ROWS: tuple[ActionRow, ...] = (
    ActionRow(
        "edit.find",
        "Find…",
        "Ctrl+F",
        "search",
        has_devices,
        find,
        EDIT,
        hint="Go to a device, rack or group by name, tag or field, a cable by number, or a port, as leaf-03/17",
    ),
    ActionRow(
        "select.expression",
        "Select by Expression…",
        "Ctrl+/",
        "search",
        has_devices,
        select_by_expression,
        EDIT,
        hint="Select what an expression fits, such as role:leaf su:2 free>0 or kind:link length>30",
    ),
    *(
        ActionRow(
            f"select.same_{one.name}",
            f"Same {one.title}",
            "",
            "",
            may_share,
            partial(select_alike, name=one.name),
            EDIT,
            hint=f"Select everything of the same {one.title.lower()} as what is selected",
        )
        for one in ALIKE
    ),
)
SAME = tuple(f"select.same_{one.name}" for one in ALIKE)
"""The rows of the menu Select Same."""
