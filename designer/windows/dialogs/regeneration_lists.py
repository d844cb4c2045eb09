"""What a regeneration changes, by name: one list for each kind of change, with how many there are."""

from dataclasses import dataclass
from operator import itemgetter

from PySide6.QtWidgets import QListWidget, QTabWidget

from designer.regeneration.regenerate import Regeneration
from designer.tables.columns import Column
from designer.tables.table import ResultTable
from designer.units import format_count

MOST_NAMES = 2_000
HEADINGS = ("Change", "Before", "After")

Row = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Listed:
    """One list: its title, and of every row what was and, where it stays, what will be."""

    title: str
    rows: tuple[Row, ...]


def listed(found: Regeneration | None) -> tuple[Listed, ...]:
    """The lists in the order of their tabs; empty ones while there is nothing to show."""
    if found is None:
        return tuple(Listed(title, ()) for title in TITLES)
    rows: tuple[tuple[Row, ...], ...] = (
        tuple((name,) for name in found.added),
        tuple((name,) for name in found.removed),
        tuple((f"{name}: {old}", new) for name, old, new in found.moved),
        found.renamed,
        found.replugged,
        tuple((link,) for link in found.unplugged),
        tuple((name,) for name in found.kept),
    )
    return tuple(Listed(title, its) for title, its in zip(TITLES, rows, strict=True))


TITLES = ("Added", "Removed", "Moved", "Renamed", "Links on Other Ports", "Links Removed", "Kept")


class ChangeLists(QTabWidget):
    """The lists as tabs, each with its number."""

    def __init__(self) -> None:
        super().__init__()
        self.lists = {title: QListWidget() for title in TITLES}
        self.setUsesScrollButtons(True)
        for title, names in self.lists.items():
            names.setAccessibleName(title)
            names.setUniformItemSizes(True)
            self.addTab(names, title)

    def show_changes(self, found: Regeneration | None) -> None:
        """List up to 2,000 names in each kind of change, and how many there are; None empties the lists."""
        for number, one in enumerate(listed(found)):
            names = self.lists[one.title]
            names.clear()
            names.addItems([" → ".join(row) for row in one.rows[:MOST_NAMES]])
            if len(one.rows) > MOST_NAMES:
                names.addItem(f"and {format_count(len(one.rows) - MOST_NAMES)} more: Copy Changes has them all")
            self.setTabText(number, f"{one.title} {format_count(len(one.rows))}" if found is not None else one.title)


def as_table(found: Regeneration) -> ResultTable:
    """Every change for a spreadsheet; what stays as it is is left out."""
    columns = tuple(Column(name, name, itemgetter(number), sheet=name) for number, name in enumerate(HEADINGS))
    rows = [(one.title, *row, "")[:3] for one in listed(found) if one.title != "Kept" for row in one.rows]
    return ResultTable(columns, rows)
