"""Commands about bookmarks: the view in front under a name, saved with the design."""

from collections.abc import Callable
from functools import partial
from typing import Any

from designer.model import operations
from designer.model.bookmark import CANVAS, ELEVATION, MATRIX, REAR, Bookmark
from designer.model.bookmarking import keys_of, next_name
from designer.model.networks import NETWORKS
from designer.model.records import ordered
from designer.panels.bookmarks import VIEW_TITLES, detail_of, run_title
from designer.windows.commands.actions import ActionRow, has_devices, needs
from designer.windows.desk import Desk
from designer.windows.picker.quick_picker import Answer, Choice

BOOKMARKS = "Bookmarks"
DECIMALS = 2


@needs("The design has no bookmarks yet.")
def has_bookmarks(desk: Desk) -> bool:
    """Whether the design has any bookmark."""
    return bool(desk.session.design.bookmarks)


def seen_now(desk: Desk) -> dict[str, Any]:
    """What a bookmark of the view in front says about where it looks and of the run in sight, if there is one.

    Colors and boxes are the design's to say.
    """
    views, session = desk.views, desk.session
    name, view = views.name, views.current
    seen: dict[str, Any] = {"view": name}
    opened = name == CANVAS and views.canvas.fabric.levels.opened
    if opened or not view.shows_all:  # all of it takes more room where what was opened has moved others outwards
        seen["seen"] = tuple(round(one, DECIMALS) for one in view.camera.seen(*view.extent))
    if name == CANVAS:
        seen["opened"] = tuple(str(key) for key in views.canvas.fabric.levels.opened)
    if name == MATRIX:
        seen["rows"], seen["columns"] = views.matrix.cells.chosen
    if name == ELEVATION and views.elevation.rear:
        seen["side"] = REAR
    hidden = tuple(one for one in NETWORKS if one in session.hidden_networks)
    return {**seen, "hidden_networks": hidden, **session.workbench.bookmarked.kept()}


def add(desk: Desk, name: str) -> None:
    """Make a bookmark of the view in front."""
    session = desk.session
    if session.attempt(lambda: operations.add_bookmark(session.design, name, **seen_now(desk))):
        desk.views.bookmark = next(one.id for one in session.design.bookmarks.values() if one.name == name)
        kept = next(one for one in session.design.bookmarks.values() if one.name == name)
        desk.notice.say_of_edit(f"Bookmark {name} added{_with_run(kept)}: it is saved with the design")


def update(desk: Desk, bookmark_id: str) -> None:
    """Let a bookmark stand for the view in front."""
    session, one = desk.session, desk.session.design.bookmarks[bookmark_id]
    if session.attempt(lambda: operations.update_bookmark(session.design, bookmark_id, **seen_now(desk))):
        now = session.design.bookmarks[bookmark_id]
        desk.notice.say_of_edit(f"Bookmark {one.name} now shows this view{_with_run(now)}")


def _with_run(one: Bookmark) -> str:
    return f" with the run of {run_title(one)}" if one.run else ""


def go_to(desk: Desk, bookmark_id: str) -> None:
    """Show what a bookmark stands for; colors and boxes change as an edit, where they differ."""
    session, views = desk.session, desk.views
    one = session.design.bookmarks[bookmark_id]
    session.attempt(lambda: operations.look_edit(session.design, one), is_look=True)
    session.hide_networks(one.hidden_networks)
    if one.view == MATRIX:
        views.matrix.cells.choose(one.rows, one.columns)
    if one.view == ELEVATION:
        views.elevation.show_rear(one.side == REAR)
    views.show_named(one.view)
    if one.view == CANVAS:
        views.canvas.fabric.levels.open_exactly(keys_of(session.design, one.opened))
        views.canvas.fabric.changed.emit()
    if one.seen:
        left, top, right, bottom = one.seen
        views.current.look_at((left, top, right, bottom))
    else:
        views.current.zoom_to_fit()
    views.bookmark = bookmark_id
    said = session.workbench.bookmarked.show(one)
    if said:
        desk.notice.say(said)


def ask_and_add(desk: Desk) -> None:
    """Ask for a name: a new one adds a bookmark of this view, that of another bookmark brings it up to date."""
    there = {one.name: one for one in ordered(desk.session.design.bookmarks)}
    usual = next_name(desk.session.design)

    def answer(text: str) -> Answer:
        name = text.strip() or usual
        if name in there:
            return Answer("", [Choice(f"Update {name} with this view", "", partial(update, desk, there[name].id))])
        adding = Choice(f"Add bookmark {name}", VIEW_TITLES[desk.views.name], partial(add, desk, name))
        same = [Choice(f"Update {old}", "", partial(update, desk, one.id)) for old, one in there.items()]
        return Answer("", [adding, *(same if not text.strip() else ())])

    desk.picker.ask("Name of the bookmark", (), answer=answer)


def _choose(question: str, then: Callable[[Desk, str], None]) -> Callable[[Desk], None]:
    def ask(desk: Desk) -> None:
        desk.picker.ask(
            question,
            [
                Choice(one.name, detail_of(one), partial(then, desk, one.id))
                for one in ordered(desk.session.design.bookmarks)
            ],
        )

    return ask


def _rename(desk: Desk, bookmark_id: str) -> None:
    session, was = desk.session, desk.session.design.bookmarks[bookmark_id].name

    def give(name: str) -> None:
        session.attempt(lambda: operations.rename_bookmark(session.design, bookmark_id, name))

    def answer(text: str) -> Answer:
        return Answer("", [Choice(f"Rename {was} to {text.strip()}", "", partial(give, text))] if text.strip() else [])

    desk.picker.ask(f"New name of {was}", (), answer=answer)


def _delete(desk: Desk, bookmark_id: str) -> None:
    desk.session.attempt(lambda: operations.delete_bookmark(desk.session.design, bookmark_id))


def _step(by: int) -> Callable[[Desk], None]:
    def step(desk: Desk) -> None:
        ids = [one.id for one in ordered(desk.session.design.bookmarks)]
        at = desk.views.bookmark
        first = 0 if by > 0 else -1
        go_to(desk, ids[(ids.index(at) + by) % len(ids)] if at in ids else ids[first])
        one = desk.session.design.bookmarks[desk.views.bookmark]
        if not one.run:  # else it was said what becomes of its run
            desk.notice.say(_called(one, ids))

    return step


def _called(one: Bookmark, ids: list[str]) -> str:
    return f"{one.name}: bookmark {ids.index(one.id) + 1} of {len(ids)}"


ROWS: tuple[ActionRow, ...] = (
    ActionRow(
        "bookmark.add",
        "Add Bookmark…",
        "Ctrl+B",
        "",
        has_devices,
        ask_and_add,
        BOOKMARKS,
        hint="Keep what is seen, its colors, which boxes are open and the run under a name, in the file of the design",
    ),
    ActionRow(
        "bookmark.go",
        "Go to Bookmark…",
        "Ctrl+Shift+B",
        "",
        has_bookmarks,
        _choose("Go to bookmark", go_to),
        BOOKMARKS,
    ),
    ActionRow("bookmark.next", "Next Bookmark", "Alt+PgDown", "", has_bookmarks, _step(1), BOOKMARKS),
    ActionRow("bookmark.previous", "Previous Bookmark", "Alt+PgUp", "", has_bookmarks, _step(-1), BOOKMARKS),
    ActionRow(
        "bookmark.update",
        "Update Bookmark…",
        "",
        "",
        has_bookmarks,
        _choose("Bookmark to update with this view", update),
        BOOKMARKS,
    ),
    ActionRow(
        "bookmark.rename", "Rename Bookmark…", "", "", has_bookmarks, _choose("Bookmark to rename", _rename), BOOKMARKS
    ),
    ActionRow(
        "bookmark.delete", "Delete Bookmark…", "", "", has_bookmarks, _choose("Bookmark to delete", _delete), BOOKMARKS
    ),
)
