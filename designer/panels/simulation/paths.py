"""The paths: every one between two places, its hops, and which of them is brought out on the canvas."""

from functools import partial
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSplitter, QVBoxLayout, QWidget

from designer.errors import sentence
from designer.model.entities import End
from designer.model.hardware.servers import ServerType
from designer.model.port_labels import port_label
from designer.model.shown_text import in_menu, plain_text
from designer.panels.studies.study_parts import copy, csv_writer
from designer.panels.widgets.cut_texts import ARROW, ENDS_ROLE, EndDelegate, WayDelegate
from designer.panels.widgets.fields import ChoiceField
from designer.panels.widgets.labels import EmptyState, label
from designer.panels.widgets.row_table import RowTable
from designer.session.session import Session
from designer.simulation.catalogue import ROUTINGS
from designer.simulation.paths import rows
from designer.simulation.paths.place import Place
from designer.simulation.paths.rows import FlowPath, PathHop, PathsBetween
from designer.tables.columns import Column, pick
from designer.tables.table import ResultTable
from designer.units import all_of, format_counted

WHOLE = "all"
LEAST_PX = 250
WIDE_PX = 460
"""In less than that, the list of paths has their way, share and load alone."""


class PathsPanel(QWidget):
    """`going` carries the links of a hop that is clicked; `saving` a title, a suffix and what writes the file."""

    going = Signal(object)
    saving = Signal(str, str, object)

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session, self._job = session, session.workbench.paths
        self._path: FlowPath | None = None
        self._ways: dict[FlowPath, tuple[str, ...]] = {}
        """What distinguishes the listed paths."""
        self.ends = (
            ChoiceField("From", lambda value: self._narrow(0, value)),
            ChoiceField("To", lambda value: self._narrow(1, value)),
        )
        self.summary = label("", wrap=True)
        self.note = label("", "muted", wrap=True)
        self.paths = RowTable("Paths", (), stretch="way", tip=self._tip, look=self._look)
        self.paths.chosen.connect(self._choose_path)
        self.paths.resized.connect(self._fit)
        self.paths.setUniformRowHeights(False)  # a way is wrapped to the width of its column
        self.paths.header().sectionResized.connect(lambda *_sizes: self.paths.scheduleDelayedItemsLayout())
        self.paths.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.paths.setItemDelegateForColumn(0, WayDelegate(self.paths))
        self.way = label("", "muted", wrap=True)
        self.hops = RowTable("Hops of the path", (), stretch="end far_end", tip=_tip_of_hop, look=self._look_of_hop)
        self.hops.resized.connect(self._fit)
        for column in range(2):
            self.hops.setItemDelegateForColumn(column, EndDelegate(self.hops))
        self.hops.chosen.connect(self._choose_hop)
        self.empty = EmptyState(
            "Which way does the traffic go?",
            "Select two servers, switches or links, then Show Paths (P): every path that the routing uses is lit "
            "on the canvas, hop by hop. Esc ends it.",
        )
        self.buttons: dict[str, QPushButton] = {}
        self._lay_out()
        self._job.changed.connect(self.refresh)
        self.refresh()

    def _lay_out(self) -> None:
        bar = QHBoxLayout()
        bar.addWidget(self.ends[0], 1)
        bar.addWidget(label("to", "muted"))
        bar.addWidget(self.ends[1], 1)
        for name, tip, act in (
            ("Swap", "Show the paths of the other direction", self._swap),
            ("Copy", "Copy the hops of all paths, for a spreadsheet", lambda: copy(self.results())),
            ("CSV…", "Save the hops of all paths", self._save),
            ("Close", "Show no paths any more (Esc)", self._job.end),
        ):
            button = self.buttons[name] = QPushButton(name)
            button.setToolTip(plain_text(tip))
            button.clicked.connect(act)
            bar.addWidget(button)
        self._tables = QSplitter(Qt.Orientation.Horizontal)
        of_path = QWidget()
        below = QVBoxLayout(of_path)
        below.setContentsMargins(0, 0, 0, 0)
        below.setSpacing(4)
        below.addWidget(self.way)
        below.addWidget(self.hops, 1)
        for part in (self.paths, of_path):
            part.setMinimumWidth(LEAST_PX)
            self._tables.addWidget(part)
        self._tables.setChildrenCollapsible(False)
        self._tables.setSizes([LEAST_PX, 400])
        self._shown = QWidget()
        column = QVBoxLayout(self._shown)
        column.setContentsMargins(10, 8, 8, 4)
        column.setSpacing(4)
        column.addLayout(bar)
        column.addWidget(self.summary)
        column.addWidget(self.note)
        column.addWidget(self._tables, 1)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(self._shown, 1)
        outer.addWidget(self.empty, 1)

    # -- doing it -----------------------------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc ends the paths."""
        if event.key() == Qt.Key.Key_Escape and self._job.asked is not None:
            self._job.end()
        else:
            super().keyPressEvent(event)

    def _narrow(self, end: int, value: str) -> None:
        """Keep to one GPU or port of a device, or to all of it."""
        asked = self._job.asked
        if asked is not None:
            kind, _, name = value.partition(":")
            gpu, port = (int(name) if kind == "gpu" else None), (name if kind == "port" else None)
            narrowed = Place(asked[end].device_id, gpu, port)
            self._job.show((narrowed, asked[1]) if end == 0 else (asked[0], narrowed))

    def _swap(self) -> None:
        if self._job.asked is not None:
            self._job.show((self._job.asked[1], self._job.asked[0]))

    def _choose_path(self, path: FlowPath) -> None:
        self._path = path
        self._show_hops()
        self._job.choose(path.link_ids)

    def _choose_hop(self, hop: PathHop) -> None:
        """Bring a hop out, and select its links."""
        self._job.choose(frozenset(hop.link_ids))
        if hop.link_ids:
            self._session.select(hop.link_ids)

    def results(self) -> ResultTable:
        """The hops of all listed paths, each under the number of its path."""
        found = self._job.found
        listed: tuple[Any, ...] = rows.numbered_hops(found) if found is not None else ()
        return ResultTable(rows.NUMBERED_HOPS if listed else (), listed)

    def _save(self) -> None:
        self.saving.emit("Paths as CSV", ".csv", csv_writer(self.results()))

    # -- showing ------------------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Show the paths of the session, or how to ask for some."""
        job, found = self._job, self._job.found
        self._shown.setVisible(job.asked is not None)
        self.empty.setVisible(job.asked is None)
        if job.asked is None:
            self._path = None
            return
        for field, place in zip(self.ends, job.asked, strict=True):
            field.show_choices(self._choices(place), _value(place))
        has_paths = found is not None and bool(found.paths)
        self._tables.setVisible(has_paths)
        for name in ("Copy", "CSV…"):
            self.buttons[name].setEnabled(has_paths)
        self.summary.setText(_summary(found) if found is not None else sentence(job.error or "Finding paths …"))
        self.note.setText(_note(found) if found is not None else "")
        self.note.setVisible(bool(self.note.text()))
        if found is None or not found.paths:
            return
        self._ways = dict(zip(found.paths, found.ways_apart, strict=True))
        self.paths.show_rows(found.paths, self._columns(found))
        if self._path not in found.paths:
            self._path = found.paths[0]
        self._show_hops()

    def _show_hops(self) -> None:
        if self._path is not None:
            self.way.setText(self._about(self._path))
            from_, to = (
                Column(key, title, partial(self._end, key)) for key, title in (("end", "From"), ("far_end", "To"))
            )
            figures = pick(PathHop.COLUMNS, "share capacity_gbps utilization latency_ns")
            self.hops.show_rows(self._path.hops, (from_, to, *figures))
            self._fit()

    def _about(self, path: FlowPath) -> str:
        """Of the path that is shown hop by hop: its ends, and how long it takes from one to the other."""
        ends = f"{self._brief(path.source)} → {self._brief(path.target)}"
        return f"{ends}: {format_counted(len(path.hops), 'hop')}, latency {_shown(path, 'latency_ns')} in all"

    def _end(self, key: str, hop: PathHop) -> str:
        """A device and its ports, of the ends without the names that stand above."""
        name, (ports, _first) = self._named_end(key, hop)
        return f"{name} {ports}".strip()

    def _named_end(self, key: str, hop: PathHop) -> tuple[str, tuple[str, str]]:
        """A device, and its ports whole and as "21/1 +3"."""
        name, ports = (hop.source, hop.port) if key == "end" else (hop.target, hop.target_port)
        n_more = len(hop.link_ids) - 1
        first = ports.partition(", ")[0].partition(" to ")[0]
        return self._brief(name), (ports, f"{first} +{n_more}" if first and n_more > 0 else ports)

    def _look_of_hop(self, hop: Any, column: Column, role: int) -> Any:
        """What the delegate of the ends asks for."""
        return self._named_end(column.key, hop) if role == ENDS_ROLE and column.key in ("end", "far_end") else None

    def _brief(self, name: str) -> str:
        asked, devices = self._job.asked, self._session.design.devices
        for place in asked or ():
            if place.device_id in devices and name.startswith(f"{devices[place.device_id].name} "):
                return name.removeprefix(f"{devices[place.device_id].name} ")
        return name

    def _fit(self) -> None:
        """Leave out what the hops say as well where there is little room, and of hops what their tooltips say."""
        _hide(self.paths, "paths capacity_gbps latency_ns", self.paths.width() < WIDE_PX)
        _hide(self.hops, "capacity_gbps latency_ns", self.hops.viewport().width() < self.hops.least_width_px())

    def _columns(self, found: PathsBetween) -> tuple[Column, ...]:
        """Without the ends where all paths have the same, and without loads where nothing was run."""
        load = "utilization " if any(path.utilization is not None for path in found.paths) else ""
        way = Column("way", "Path", self._text if found.have_same_ends else self._text_with_ends)
        via = pick(FlowPath.COLUMNS, "via") if any(path.via for path in found.paths) else ()
        return (way, *via, *pick(FlowPath.COLUMNS, f"share paths capacity_gbps {load}latency_ns"))

    def _text(self, path: FlowPath) -> str:
        return ARROW.join(self._ways.get(path, ())) or path.story

    def _text_with_ends(self, path: FlowPath) -> str:
        return f"{self._text(path)}\n{self._brief(path.source)}{ARROW}{self._brief(path.target)}"

    def _look(self, path: Any, column: Column, role: int) -> Any:
        """The names on the way, for its delegate."""
        return self._ways.get(path) if role == ENDS_ROLE and column.key == "way" else None

    def _tip(self, path: Any, _column: Column) -> str:
        ways = f"{path.count} choices of parallel links\n" if path.count > 1 else ""
        return f"{path.source} → {path.story} → {path.target}\n{ways}Click to bring it out"

    def _choices(self, place: Place) -> list[tuple[str, str]]:
        """All of the device, its GPUs, and its ports that have a link."""
        design = self._session.design
        device, type_ = design.device(place.device_id), design.device_type(place.device_id)
        gpus = range(type_.gpus) if isinstance(type_, ServerType) and type_.gpus > 1 else ()
        ports = [port.name for port in design.ports(device.id) if design.links_at(End(device.id, port.name))]
        return [
            (WHOLE, in_menu(device.name)),
            *((f"gpu:{number}", in_menu(f"{device.name} GPU {number}")) for number in gpus),
            *((f"port:{port}", in_menu(f"{device.name} {port_label(design, End(device.id, port))}")) for port in ports),
        ]


def _value(place: Place) -> str:
    if place.gpu is not None:
        return f"gpu:{place.gpu}"
    return WHOLE if place.port is None else f"port:{place.port}"


def _summary(found: PathsBetween) -> str:
    """ "Routing: Spray. 1 flow, 576 paths; the first 100 are listed."."""
    row = ROUTINGS.named(found.routing)
    return f"Routing: {row.title if row is not None else found.routing}. {found.summary}."


def _note(found: PathsBetween) -> str:
    """What there is to know of all paths, and what all lead through, which their rows leave out."""
    others = "; others may lead elsewhere" if len(found.paths) < found.n_groups else ""
    common = f"All listed paths lead through {all_of(found.common)}{others}." if found.common else ""
    return " ".join(one for one in (found.note, common) if one)


def _shown(row: FlowPath | PathHop, key: str) -> str:
    """A fact of a path or hop as its column has it."""
    (column,) = pick(row.COLUMNS, key)
    return column.shown(column.of(row))


def _hide(table: RowTable, keys: str, is_hidden: bool) -> None:
    """Hide the columns of these keys that the table has, or show them."""
    for number, column in enumerate(table.shown.columns):
        table.setColumnHidden(number, is_hidden and column.key in keys.split())


def _tip_of_hop(hop: Any, _column: Column) -> str:
    capacity, load, latency = (_shown(hop, key) for key in ("capacity_gbps", "utilization", "latency_ns"))
    click = "\nClick to select it" if hop.link_ids else ""
    ends = f"{hop.source} {hop.port} to {hop.target} {hop.target_port}"
    return f"{ends}\ncapacity {capacity}, load {load}, latency {latency}{click}"
