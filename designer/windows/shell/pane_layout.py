"""Which views are seen side by side: columns of panes, each view in one pane at most, the canvas in two."""

from collections.abc import Callable
from dataclasses import dataclass

from designer.model.bookmark import CANVAS, ELEVATION, FLOOR, MATRIX, VIEWS

Columns = tuple[tuple[str, ...], ...]
SECOND = "canvas-2"
"""The pane of a second canvas, which has a camera of its own."""
PANES = (*VIEWS, SECOND)


@dataclass(frozen=True, slots=True)
class PaneLayout:
    """Columns from left to right, each of views from top to bottom."""

    columns: Columns = ((CANVAS,),)

    @property
    def names(self) -> tuple[str, ...]:
        """The views that are seen."""
        return tuple(name for column in self.columns for name in column)

    @property
    def missing(self) -> tuple[str, ...]:
        """The views that are not seen, those that go best with a canvas first."""
        return tuple(name for name in PANES if name not in self.names)

    def split_right(self, name: str, new: str) -> "PaneLayout":
        """With a view in a column of its own, to the right of that of another."""
        at = self._column_of(name) + 1
        return PaneLayout((*self.columns[:at], (new,), *self.columns[at:]))

    def split_down(self, name: str, new: str) -> "PaneLayout":
        """With a view right below another."""
        return self._with_column(name, lambda at, column: (*column[: at + 1], new, *column[at + 1 :]))

    def without(self, name: str) -> "PaneLayout":
        """Without a view; the last one stays."""
        if len(self.names) == 1:
            return self
        left = self._with_column(name, lambda at, column: (*column[:at], *column[at + 1 :]))
        return PaneLayout(tuple(filter(None, left.columns)))

    def with_view(self, name: str, new: str) -> "PaneLayout":
        """With a view in place of another; the two change places where both are seen."""
        swapped = {name: new, new: name} if new in self.names else {name: new}
        return PaneLayout(tuple(tuple(swapped.get(one, one) for one in column) for column in self.columns))

    def _column_of(self, name: str) -> int:
        return next(number for number, column in enumerate(self.columns) if name in column)

    def _with_column(self, name: str, change: Callable[[int, tuple[str, ...]], tuple[str, ...]]) -> "PaneLayout":
        return PaneLayout(
            tuple(change(column.index(name), column) if name in column else column for column in self.columns)
        )

    def __str__(self) -> str:
        return "|".join(",".join(column) for column in self.columns)


ALL_FOUR = PaneLayout(((CANVAS, FLOOR), (MATRIX, ELEVATION)))


def read(text: str) -> PaneLayout:
    """The layout that a text says, as `str` writes it; the canvas alone for any other text."""
    layout = PaneLayout(tuple(tuple(filter(None, column.split(","))) for column in text.split("|")))
    names = layout.names
    sound = bool(names) and all(layout.columns) and len(set(names)) == len(names) and set(names) <= set(PANES)
    return layout if sound else PaneLayout()
