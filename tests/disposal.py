"""Sessions and windows that a test made are destroyed after it.

Qt keeps what the signals of a session are connected to, and that keeps the session, its design and its window: without
this every later test would have those of all tests before it in memory, and its style sheet would be set on them too.
"""

from PySide6.QtWidgets import QWidget
from shiboken6 import delete, isValid

from designer.session.session import Session


def dispose_of(session: Session) -> None:
    """Close the session and destroy it."""
    if isValid(session):
        session.close()
        delete(session)


def dispose_of_window(window: QWidget, *sessions: Session) -> None:
    """Close the window without questions, and destroy it and its sessions: now, not when the next event loop begins."""
    for session in filter(isValid, sessions):
        session.undo_stack.setClean()
    if isValid(window):
        window.close()
        delete(window)
    for session in sessions:
        dispose_of(session)
