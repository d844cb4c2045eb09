"""Verbs about bookmarks: views of the design under names, kept in its file, so that colleagues find them too."""

from collections.abc import Iterable
from dataclasses import fields, replace
from typing import Any

from designer.errors import EditError, ParameterError, UnknownEntityError
from designer.model import collapsing
from designer.model.bookmark import Bookmark
from designer.model.bookmark_limits import BOOKMARKS_MOST, NAME_LONGEST, bookmark_faults
from designer.model.collapsing import BoxKey
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.model.naming import checked_name
from designer.model.records import ordered
from designer.model.settings import Settings
from designer.units import shortened


def next_name(design: Design) -> str:
    """The first of View 1, View 2 and on that no bookmark has."""
    taken = {one.name for one in design.bookmarks.values()}
    return next(name for n in range(1, len(taken) + 2) if (name := f"View {n}") not in taken)


def add_bookmark(design: Design, name: str = "", **values: Any) -> Edit:
    """A bookmark with these fields; colors and what is collapsed are those of the design where they are not given.

    Raises EditError for a name that is taken, ParameterError for a field that cannot be, and for one too many.
    """
    if len(design.bookmarks) >= BOOKMARKS_MOST:
        raise ParameterError(f"a design has {BOOKMARKS_MOST} bookmarks at most: delete one first")
    one = Bookmark(design.new_ids("bookmarks", 1)[0], name or next_name(design), **{**look_of(design), **values})
    return Edit(f"Bookmark {one.name}", (Change(None, _checked(design, one)),))


def update_bookmark(design: Design, bookmark_id: str, **values: Any) -> Edit:
    """The bookmark under its name with what is seen now. Raises as `add_bookmark` does."""
    was = _bookmark(design, bookmark_id)
    now = _checked(design, Bookmark(was.id, was.name, **{**look_of(design), **values}))
    return Edit(f"Update {was.name}", () if now == was else (Change(was, now),))


def rename_bookmark(design: Design, bookmark_id: str, name: str) -> Edit:
    """The bookmark under another name. Raises EditError for one that is taken or that no label could show."""
    was = _bookmark(design, bookmark_id)
    now = _checked(design, replace(was, name=name))
    return Edit(f"Rename {was.name} to {now.name}", () if now == was else (Change(was, now),))


def delete_bookmark(design: Design, bookmark_id: str) -> Edit:
    """The design without the bookmark."""
    one = _bookmark(design, bookmark_id)
    return Edit(f"Delete {one.name}", (Change(one, None),))


def bookmark_named(design: Design, name: str) -> Bookmark:
    """The bookmark of that name. Raises ParameterError that lists those there are."""
    for one in design.bookmarks.values():
        if one.name == name:
            return one
    names = ", ".join(shortened(one.name) for one in ordered(design.bookmarks))
    there = f"choose one of {names}" if names else "the design has none"
    raise ParameterError(f"there is no bookmark {shortened(name)!r}: {there}")


def look_of(design: Design) -> dict[str, Any]:
    """What a bookmark keeps of the design itself: colors, and what is collapsed."""
    settings = design.settings
    return {
        "color_devices_by": settings.color_devices_by,
        "color_links_by": settings.color_links_by,
        "collapsed": tuple(str(key) for key in collapsing.collapsed_keys(design)),
    }


def look_edit(design: Design, one: Bookmark) -> Edit:
    """The design colored and collapsed as the bookmark says; an empty edit where it is so.

    Groups and racks that are no longer there are passed over.
    """
    edit = collapsing.collapse_exactly(design, keys_of(design, one.collapsed))
    before = design.settings
    after = next((change.after for change in edit.changes if isinstance(change.after, Settings)), before)
    after = replace(
        after,
        color_devices_by=one.color_devices_by or before.color_devices_by,
        color_links_by=one.color_links_by or before.color_links_by,
    )
    others = tuple(change for change in edit.changes if not isinstance(change.subject, Settings))
    return Edit(f"Go to {one.name}", others if after == before else (*others, Change(before, after)))


def keys_of(design: Design, texts: Iterable[str]) -> list[BoxKey]:
    """The boxes that a bookmark names, without those of groups and racks that are not there."""
    return [key for text in texts if (key := _key(design, text)) is not None]


def _key(design: Design, text: str) -> BoxKey | None:
    """The box that a text names; None where the group or rack is not there."""
    if text in design.groups or text in design.racks:
        return BoxKey(text)
    id_, slash, role = text.rpartition("/")
    return BoxKey(id_, role) if slash and (not id_ or id_ in design.groups) else None


def _bookmark(design: Design, bookmark_id: str) -> Bookmark:
    one = design.bookmarks.get(bookmark_id)
    if one is None:
        raise UnknownEntityError(f"there is no bookmark with id {bookmark_id!r}")
    return one


def _checked(design: Design, one: Bookmark) -> Bookmark:
    """The bookmark as it goes into the design. Raises EditError or ParameterError."""
    one = replace(one, name=checked_name(one.name, "the name of a bookmark"))
    if len(one.name) > NAME_LONGEST:
        raise EditError(f"the name of a bookmark can have {NAME_LONGEST} characters at most, not {len(one.name)}")
    if any(other.name == one.name and other.id != one.id for other in design.bookmarks.values()):
        raise EditError(f"there is a bookmark {one.name} already: choose another name, or update that one")
    titles = {field.name: field.name.replace("_", " ") for field in fields(Bookmark)}
    for field, fault in bookmark_faults(one):
        raise ParameterError(f"{titles[field]} of {one.name}: {fault}")
    return one
