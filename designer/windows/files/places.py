"""Where a design that is opened goes: into a new tab, or in place of the one that is open."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from designer.windows.desk import Desk
from designer.windows.files.opening import OPENING
from designer.windows.files.saving import leave_document


def in_its_place(desk: Desk, begin: Callable[[Desk], object]) -> None:
    """Do what makes another design the document: in a new tab, or here where nothing is open yet.

    Without tabs it is done here, after asking what to do with unsaved changes.
    """
    if desk.tabs is None or is_blank(desk):
        leave_document(desk, partial(_done, begin, desk))
        return
    if desk.views.on_welcome():
        desk.views.show_canvas()
    desk.tabs.add(begin)


def in_its_tab(desk: Desk, path: Path | None, begin: Callable[[Desk], object]) -> None:
    """Do what makes another state of a file's design the document: in the tab that has the file open, where one has.

    That tab comes to the front, and asks what to do with unsaved changes.
    """
    if desk.tabs is not None and path is not None and desk.tabs.show_file(path):
        leave_document(desk.tabs.desk, partial(_done, begin, desk.tabs.desk))
    else:
        in_its_place(desk, begin)


def _done(begin: Callable[[Desk], object], desk: Desk) -> None:
    begin(desk)


def back_to_design(desk: Desk) -> bool:
    """Bring the views of an open design back from behind the welcome screen, as they were; whether they were there."""
    is_behind = desk.views.on_welcome() and not is_blank(desk)
    if is_behind:
        desk.views.show_view(desk.views.current)
        desk.views.current.setFocus()
    return is_behind


def is_blank(desk: Desk) -> bool:
    """Whether nothing is open: an empty design without a file, as it was begun."""
    session = desk.session
    is_opening = session.jobs.busy(OPENING)
    is_empty = not session.design.devices and not session.design.racks
    return session.path is None and not session.dirty and is_empty and not is_opening
