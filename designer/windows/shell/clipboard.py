"""The clipboard as this window uses it: what was copied, and how far the next paste is put aside."""

from PySide6.QtGui import QGuiApplication

PASTE_STEP = 40.0


class Clipboard:
    """The system's clipboard; the number of times that this window has pasted from it since it last copied."""

    def __init__(self) -> None:
        self._pasted_times = 0
        self._pasted_at: tuple[float, float] | None = None

    def put(self, text: str) -> None:
        """Put a fragment of a design there, as text for this program and others.

        Qt keeps it until the process has ended: data made in Python would outlive Python there, and crash.
        """
        QGuiApplication.clipboard().setText(text)
        self._pasted_times = 0
        self._pasted_at = None

    def content(self) -> bytes:
        """What may be a fragment of a design; nothing where the clipboard is empty."""
        return QGuiApplication.clipboard().text().encode()

    def next_spot(self, x: float, y: float) -> tuple[float, float]:
        """Where the next paste at a point goes: there, or a step further each time that it is the same point."""
        self._pasted_times = self._pasted_times + 1 if self._pasted_at == (x, y) else 0
        self._pasted_at = x, y
        return x + PASTE_STEP * self._pasted_times, y + PASTE_STEP * self._pasted_times

    def next_offset(self) -> float:
        """How far right and down the next paste goes: a step further each time."""
        self._pasted_times += 1
        return PASTE_STEP * self._pasted_times
