"""The grid that is drawn, and what a drag comes into line with: of the window, remembered between runs."""

from dataclasses import dataclass, fields, replace

from PySide6.QtCore import QObject, Signal

SPACINGS = (12, 24, 48, 96)


@dataclass(frozen=True, slots=True)
class Drafting:
    """Whether the grid shows and how far its dots are apart, and whether drags keep to it and to neighbors."""

    grid_shown: bool = True
    spacing: int = 24
    to_neighbours: bool = True
    to_grid: bool = False

    @property
    def snap_grid(self) -> float:
        """The grid that drags keep to; 0 where they do not."""
        return float(self.spacing) if self.to_grid else 0.0


def written(drafting: Drafting) -> str:
    """The settings as one line of text."""
    return " ".join(f"{field.name}={int(getattr(drafting, field.name))}" for field in fields(Drafting))


def read(text: str) -> Drafting:
    """The settings that a line states; what it does not state, or not so that it can be, is as at first."""
    stated = dict(part.split("=", 1) for part in text.split() if "=" in part)
    found = Drafting()
    for name in ("grid_shown", "to_neighbours", "to_grid"):
        if stated.get(name) in ("0", "1"):
            found = replace(found, **{name: stated[name] == "1"})
    spacing = stated.get("spacing", "")
    return replace(found, spacing=int(spacing)) if spacing in map(str, SPACINGS) else found


class DraftingChoice(QObject):
    """What is chosen now."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.now = Drafting()
        self._is_hidden = False

    @property
    def grid_shown(self) -> bool:
        """Whether the dots of the grid are drawn now."""
        return self.now.grid_shown and not self._is_hidden

    def hide_grid(self, hidden: bool) -> None:
        """Draw no dots for a while, as in a presentation, whatever is chosen."""
        if hidden != self._is_hidden:
            self._is_hidden = hidden
            self.changed.emit()

    def choose(self, drafting: Drafting) -> None:
        """Use these settings from now on."""
        if drafting != self.now:
            self.now = drafting
            self.changed.emit()
