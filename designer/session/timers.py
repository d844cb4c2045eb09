"""Timers that ring once, a while after they were last started."""

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer


def later(owner: QObject, interval_ms: int, act: Callable[[], object]) -> QTimer:
    """A timer of the owner's that calls `act` so long after it was last started; at 0 once all else has been done."""
    timer = QTimer(owner)
    timer.setSingleShot(True)
    timer.setInterval(interval_ms)
    timer.timeout.connect(act)
    return timer
