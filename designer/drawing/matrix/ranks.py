"""What each rank sends to each as a matrix of cells: shades by bytes, with numbers in them."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from designer.analysis.matrix import Matrix
from designer.analysis.matrix_axes import Axis, ordered_lines
from designer.drawing.bundles import Floats
from designer.drawing.display_list import Legend
from designer.drawing.heat import BUCKETS, LegendStop, bucket_colours, hex_of, percent
from designer.drawing.matrix.shading import EMPTY, Shaded, empty_colour
from designer.drawing.theme import Theme
from designer.model.design import Design
from designer.simulation.traffic.rank_rows import RankTraffic
from designer.tables.columns import Column, Columns, fine_percent
from designer.units import format_carried, format_counted

TITLE = "Sent in all of the run"


def _size(size: float) -> str:
    return format_carried(size)


@dataclass(frozen=True, eq=False)
class RankMatrix(Matrix):
    """Rows send to columns; a cell has no links, and a click on it selects the servers of both."""

    sent: Floats  # (n, n)

    def links_in(self, row: int, column: int) -> tuple[str, ...]:
        """Ids of the servers at both ends."""
        return tuple(dict.fromkeys((*self.rows.members[row], *self.columns.members[column])))

    @property
    def contents(self) -> str:
        """ "992 pairs that send, 62 GiB"."""
        n_pairs = int(np.count_nonzero(self.sent))
        return f"{format_counted(n_pairs, 'pair')} that {'sends' if n_pairs == 1 else 'send'}, {_size(self.sent.sum())}"


@dataclass(frozen=True)
class ShadedRanks(Shaded):
    """A matrix of ranks with its colors; `label` names the traffic."""

    matrix: RankMatrix
    label: str = ""

    @property
    def legend(self) -> Legend | None:
        """From nothing to the most that one cell sends."""
        most = float(self.matrix.sent.max(initial=0.0))
        stops = (LegendStop(0.0, "0"), LegendStop(0.5, format_carried(most / 2, most)), LegendStop(1.0, _size(most)))
        return Legend(TITLE, self.label, f"most in one cell {_size(most)}", stops if most else stops[:1], None)

    def text(self, row: int, column: int) -> tuple[str, str]:
        """The bytes; "" for none."""
        sent = float(self.matrix.sent[row, column])
        return (_size(sent), "") if sent else ("", "")

    def facts(self, row: int, column: int) -> list[tuple[str, str]]:
        """What is known of a cell, as names and values."""
        sent, total = float(self.matrix.sent[row, column]), float(self.matrix.sent.sum())
        return [("Sent", _size(sent))] + ([("Share of all", percent(sent / total))] if sent else [])


@dataclass(frozen=True, slots=True)
class RankCell:
    """What a row sends to a column."""

    row: str
    column: str
    bytes: float
    share: float

    COLUMNS: ClassVar[Columns] = (
        Column("row", "From"),
        Column("column", "To"),
        Column("bytes", "Sent", text=_size, right=True, unit="bytes"),
        Column("share", "Share of all", text=fine_percent, right=True),
    )


def rank_cells(matrix: RankMatrix) -> list[RankCell]:
    """The cells that send, the most first, then as they stand."""
    total = float(matrix.sent.sum())
    order = np.argsort(-matrix.sent.ravel()[matrix.cells], kind="stable")
    found = []
    for cell in matrix.cells[order].tolist():
        row, column = divmod(cell, len(matrix.columns))
        sent = float(matrix.sent[row, column])
        found.append(RankCell(matrix.rows.labels[row], matrix.columns.labels[column], sent, sent / total))
    return found


def units_of(design: Design) -> dict[str, str]:
    """The unit or pod of each server that is in one, by name."""
    return {one: f"unit {device.unit}" for one, device in design.devices.items() if device.unit is not None}


def ordered_ranks(traffic: RankTraffic, design: Design, order: str) -> RankTraffic:
    """The traffic with its rows by name, rail, unit or plane; ranks of one rail are those of one GPU of each server."""
    names, by_gpu = range(len(traffic.labels)), order == "rail" and bool(traffic.gpus)
    if by_gpu:
        return traffic.taken(sorted(names, key=lambda row: traffic.gpus[row]))
    shown = [label.partition(" ")[2] if traffic.gpus else label for label in traffic.labels]
    lines = [(label, [str(row)], list(traffic.device_ids[row])) for row, label in enumerate(shown)]
    return traffic.taken([int(ids[0]) for _, ids, _ in ordered_lines(design, lines, order)])


def rank_matrix(traffic: RankTraffic) -> RankMatrix:
    """The matrix of a traffic."""
    of_device = {one: number for number, ids in enumerate(traffic.device_ids) for one in ids}
    axis = Axis(traffic.each, traffic.labels, traffic.device_ids, of_device, len(traffic.labels))
    cells = np.flatnonzero(traffic.bytes).astype(np.int64)
    number = np.arange(len(cells))
    return RankMatrix(
        axis, axis, ("",) * len(cells), cells, number, number, np.zeros(len(cells), np.bool_), False, traffic.bytes
    )


def shaded_ranks(matrix: RankMatrix, theme: Theme, label: str) -> ShadedRanks:
    """The matrix with a color for each cell that sends, by the bytes; `label` names the traffic."""
    sent = matrix.sent.ravel()[matrix.cells]
    most = float(sent.max(initial=0.0)) or 1.0
    levels = np.minimum(sent / most * BUCKETS, BUCKETS - 1).astype(np.uint8) + EMPTY + 1
    palette = (empty_colour(theme), *(hex_of(colour) for colour in bucket_colours(theme)))
    none, unmarked = np.zeros(len(sent), np.int64), np.zeros(len(matrix.rows), np.int8)
    wrong = np.zeros(len(sent), np.int8)
    return ShadedRanks(matrix, theme, levels, palette, None, None, None, none, wrong, unmarked, unmarked, None, label)
