"""Inspector page of one switch or server: name, type, role, ports, NICs, place and links."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from designer.analysis.tiers import server_word, switch_word
from designer.errors import ParameterError, sentence
from designer.model import operations
from designer.model.cage_runs import cages, parse_cages, ports_text
from designer.model.collapsing import is_storage_server
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.model.entities import Device, End
from designer.model.hardware.ports import Port
from designer.model.hardware.servers import ServerType
from designer.model.hardware.switches import SwitchType
from designer.model.networks import NETWORKS, TITLES, network_of_switch, sharing_choices
from designer.model.port_labels import reserved_text
from designer.model.records import ordered
from designer.panels.inspector.facts import tooltip
from designer.panels.inspector.link_list import LinkList, LinkRow
from designer.panels.inspector.many_fields import CAGES_WIDTH, ManyFields, cages_text, in_one_row
from designer.panels.inspector.module_slots import ModuleSlots
from designer.panels.inspector.own_fields import MIXED, OwnFields, align_names
from designer.panels.inspector.port_map import PortCell, PortMap
from designer.panels.inspector.position import PositionFields
from designer.panels.inspector.type_sections import type_sections
from designer.panels.widgets.appearance import Appearance
from designer.panels.widgets.fields import ChoiceField, TextField, add_row, form, try_edit
from designer.panels.widgets.labels import ElidedLabel, label, rule
from designer.panels.widgets.search_field import SearchField
from designer.placement.many import gathered, role_choices
from designer.placement.rack_stacks import racked
from designer.session.session import Session
from designer.units import format_counted, format_rate, parse_whole

RACK_UNITS_MOST = 1000

_MIXED_MODES = "\0mixed"

IN_ROWS = frozenset({"type", "role", "network", "carries", "port_mode", "rack"})
"""Fields that the page has rows of its own for."""
NO_LINKS = "No links yet. Drag from the dot on its edge to another device, or press C and drag."


class DevicePage(QWidget):
    """Shows one device; `show_device` again refreshes it in place."""

    going = Signal(object)
    entered = Signal()

    def __init__(self, session: Session, appearance: Appearance) -> None:
        super().__init__()
        self._session = session
        self._device_id = ""
        self._named_cages = ""
        self.kind = label("", "heading")
        self.name = TextField("Name", self._rename)
        self.type = SearchField("Type", self._set_type)
        self.type.refused.connect(session.message)
        self.type.entered.connect(self.entered)
        self.role = ChoiceField("Role", self._set_role)
        self.network = ChoiceField("Network", self._set_network)
        self.carries = ChoiceField("Also carries", self._set_carried)
        self.mode = ChoiceField("Port mode", self._set_mode)
        self.cages = cages_text(self._choose_cages)
        self._mode_row = in_one_row(self.mode, self.cages, CAGES_WIDTH)
        self.runs = label("", wrap=True)
        self.rack = ChoiceField("Rack", self._set_rack)
        self.unit = TextField("Lowest rack unit", self._set_unit, "U")
        self.position = PositionFields(session)
        self.jobs = ElidedLabel()
        self.budget = ElidedLabel()
        self.port_map = PortMap(appearance)
        self.port_map.link_clicked.connect(lambda link_id: self.going.emit(frozenset((link_id,))))
        self.slots = ModuleSlots(session, appearance)
        self.links = LinkList(appearance)
        self.links.going.connect(self.going)
        self.others = ManyFields(session, IN_ROWS, has_own=False)
        self.others.entered.connect(self.entered)
        self.own = OwnFields(session)
        self._own_title = label("", "section")
        self._fields = form()
        self._lay_out()

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 10, 12, 12)
        column.setSpacing(8)
        column.addWidget(self.kind)
        for name, field in (
            ("Name", self.name),
            ("Type", self.type),
            ("Role", self.role),
            ("Network", self.network),
            ("Also carries", self.carries),
            ("Port mode", self._mode_row),
            ("Cages", self.runs),
            ("Rack", in_one_row(self.rack, self.unit, 64)),
            ("Position", self.position),
            ("Jobs", self.jobs),
        ):
            add_row(self._fields, name, field)
        align_names(self._fields)
        column.addLayout(self._fields)
        column.addWidget(self.others)
        column.addWidget(self._own_title)
        column.addWidget(self.own)
        column.addWidget(rule())
        self._slots_title = label("NICs", "section")  # above the ports, of which a chassis has hundreds
        column.addWidget(self._slots_title)
        column.addWidget(self.slots)
        column.addWidget(label("Ports", "section"))
        column.addWidget(self.budget)
        column.addWidget(self.port_map)
        column.addWidget(label("Links", "section"))
        column.addWidget(self.links, 1)

    # -- showing --------------------------------------------------------------------------------------------------

    def show_device(self, device_id: str, module_id: str = "") -> None:
        """Show a switch or server: fields, ports, slots and links, as the design has them now.

        Tags and fields are those of the module where one is named, which is selected then.
        """
        design = self._session.design
        if device_id != self._device_id or not _has_cages(design.cage_count(device_id), self._named_cages):
            self._named_cages = ""
            self.cages.show_value("")
        self._device_id = device_id
        self._own_title.setText(f"Of slot {design.modules[module_id].slot}" if module_id else "")
        self._own_title.setVisible(bool(module_id))
        self.own.show_things([module_id or device_id])
        device, type_ = design.device(device_id), design.device_type(device_id)
        switch = isinstance(type_, SwitchType)
        self.kind.setText("Chassis" if switch and type_.slots else _kind(design, device))
        self.name.show_value(device.name)
        self.type.show_sections(type_sections(self._session.catalog, [type_]), device.type_id)
        self.type.setToolTip(tooltip(type_))
        self.role.show_choices(role_choices([device], {type(type_)}), device.role)
        self.network.show_choices([(one, TITLES[one]) for one in NETWORKS], network_of_switch(device))
        self.carries.show_choices(sharing_choices([device]), ",".join(device.carries))
        for field in (self.network, self.carries):
            self._fields.setRowVisible(field, switch)
        self._show_modes(self.cages.line.text())
        self._show_place()
        self.others.show_gathered(gathered(design, [device_id], self._session.catalog.types))
        jobs = self._session.workbench.placed_jobs.names_on(device_id)
        self._fields.setRowVisible(self.jobs, bool(jobs))
        self.jobs.set_text(", ".join(jobs))
        self._show_ports(device)
        has_slots = bool(type_.slots) or not switch
        self._slots_title.setText("Line cards" if switch else "NICs")
        self._slots_title.setVisible(has_slots)
        self.slots.setVisible(has_slots)
        if has_slots:
            self.slots.show_device(device_id)
        self.links.show_rows(list(self._link_rows()), NO_LINKS)

    def _show_modes(self, chosen: str) -> None:
        """The mode of the cages that are named, and the runs of cages in unlike modes."""
        design = self._session.design
        there = cages(design, self._device_id)
        try:
            numbers = parse_cages(chosen, len(there))
        except ParameterError:  # the field says so
            numbers, chosen = parse_cages("", len(there)), ""
        own = [there[number - 1] for number in numbers]
        offered = [mode.name for mode in design.port_modes(self._device_id)]
        if chosen:
            every = [{mode.name for mode in cage.modes} for cage in own]
            offered = [mode.name for mode in own[0].modes if all(mode.name in names for names in every)]
        else:
            own = [cage for cage in own if not cage.group.modes]
        now = {cage.mode.name for cage in own}
        has_choice = any(len(cage.modes) > 1 for cage in there) or len(design.port_modes(self._device_id)) > 1
        self._fields.setRowVisible(self._mode_row, has_choice)
        if own:
            mixed = [(_MIXED_MODES, MIXED)] if len(now) > 1 else []
            self.mode.show_choices([*mixed, *((name, name) for name in offered)], _MIXED_MODES if mixed else now.pop())
        self._fields.setRowVisible(self.runs, len({cage.mode.name for cage in there}) > 1)
        self.runs.setText(ports_text(there))

    def _show_place(self) -> None:
        design = self._session.design
        placement = design.placements.get(self._device_id)
        rack_id = placement.rack_id if placement is not None else None
        racks = [("", "not in a rack"), *((rack.id, rack.name) for rack in ordered(design.racks))]
        self.rack.show_choices(racks, rack_id or "")
        unit = placement.unit if placement is not None else None
        self.unit.show_value("" if unit is None else str(unit))
        self.unit.setVisible(rack_id is not None)
        self._fields.setRowVisible(self.position, self.position.show_thing(self._device_id))

    def _show_ports(self, device: Device) -> None:
        design = self._session.design
        ports = design.ports(device.id)
        used, known = design.used_ports(device.id), {port.name for port in ports}
        parts = [f"{len([name for name in used if name in known])} used", f"{design.n_free_ports(device.id)} free"]
        if device.reserved_ports:
            purposes = Counter(purpose for _, purpose in device.reserved_for)
            named = ", ".join(f"{count} for {purpose}" for purpose, count in purposes.items())
            parts.append(f"{len(device.reserved_ports)} reserved" + (f" ({named})" if named else ""))
        missing = "line card" if design.is_switch(device.id) else "NIC"
        managing = design.management_ports(device.id)
        said = f"No ports: install a {missing} first."
        if ports:
            said = f"{format_counted(len(ports), 'port')}:  {',  '.join(parts)}"
        self.budget.set_text(f"{said};  {format_counted(len(managing), 'management port')}" if managing else said)
        every = (*ports, *managing)
        self.port_map.show_cells([self._cell(device, port, used.get(port.name, ())) for port in every])
        self.port_map.setVisible(bool(every))

    def _cell(self, device: Device, port: Port, link_ids: tuple[str, ...]) -> PortCell:
        if len(link_ids) > 1:
            use, what = "twice", f"used by {len(link_ids)} links"
        elif link_ids:
            use, what = "used", f"linked to {self._far_end(link_ids[0], device.id)}"
        elif reserved := reserved_text(device, port.name):
            use, what = "reserved", reserved
        elif port.purpose != "fabric":
            use, what = "other", f"for {port.purpose}"
        else:
            use, what = "free", "free"
        printed = f" ({port.label})" if port.label else ""
        return PortCell(port.name, use, f"Port {port.name}{printed}, {format_rate(port.rate_gbps)}: {what}", link_ids)

    def _far_end(self, link_id: str, device_id: str) -> str:
        design = self._session.design
        link = design.links[link_id]
        return design.end_name(link.b if link.a.device_id == device_id else link.a)

    def _link_rows(self) -> Iterable[LinkRow]:
        design, heat = self._session.design, self._session.workbench.simulation.heat
        order = {name: number for number, name in enumerate(design.port_map(self._device_id))}
        rows: list[tuple[int, LinkRow]] = []
        for link in design.links_of(self._device_id):
            here, there = (link.a, link.b) if link.a.device_id == self._device_id else (link.b, link.a)
            load = max(heat.utilization.get(link.id, (0.0, 0.0))) if heat is not None else None
            rows.append(
                (order.get(here.port, len(order)), LinkRow(link.id, here.port, _far(self._session, there), load))
            )
        return [row for _, row in sorted(rows, key=lambda pair: pair[0])]

    # -- editing --------------------------------------------------------------------------------------------------

    def _rename(self, text: str) -> str | None:
        if not text:
            return "Enter a name for the device."
        return try_edit(self._session, lambda: operations.rename(self._session.design, self._device_id, text))

    def _set_type(self, type_id: str) -> None:
        session = self._session
        catalog_types = session.catalog.types
        type_ = catalog_types.get(type_id) or session.design.types[type_id]
        if isinstance(type_, SwitchType | ServerType) and type_id != session.design.device(self._device_id).type_id:
            session.attempt(
                lambda: operations.set_type(session.design, self._device_id, type_, catalog_types=catalog_types)
            )
            self.show_device(self._device_id)

    def _set_role(self, role: str) -> None:
        self._session.attempt(lambda: _role_edit(self._session.design.device(self._device_id), role))

    def _set_network(self, network: str) -> None:
        design = self._session.design
        self._session.attempt(lambda: operations.set_network(design, [self._device_id], network))

    def _set_carried(self, networks: str) -> None:
        design = self._session.design
        named = networks.split(",") if networks else []
        self._session.attempt(lambda: operations.share_switches(design, [self._device_id], named))

    def _choose_cages(self, text: str) -> str | None:
        try:
            parse_cages(text, self._session.design.cage_count(self._device_id))
        except ParameterError as error:
            return sentence(str(error))
        self._named_cages = text
        self._show_modes(text)
        return None

    def _set_mode(self, mode: str) -> None:
        if mode != _MIXED_MODES:
            self._session.attempt(lambda: self._in_mode(mode))
        self.show_device(self._device_id)

    def _in_mode(self, mode: str) -> Edit:
        """The cages that are named in a mode; with none named the whole switch, of a chassis the cards that have it."""
        design, chosen = self._session.design, self.cages.line.text()
        if not chosen.strip():
            return operations.set_port_mode(design, self._device_id, mode)
        numbers = parse_cages(chosen, design.cage_count(self._device_id))
        return operations.set_cage_modes(design, self._device_id, numbers, mode)

    def _set_rack(self, rack_id: str) -> None:
        self._session.attempt(lambda: self._mounted(rack_id or None))
        self.show_device(self._device_id)

    def _set_unit(self, text: str) -> str | None:
        try:
            unit = parse_whole(text, 1, RACK_UNITS_MOST) if text else None
        except ParameterError as error:
            return sentence(f"a rack unit: {error}")
        rack_id = self.rack.value or None
        return try_edit(self._session, lambda: self._mounted(rack_id, unit))

    def _mounted(self, rack_id: str | None, unit: int | None = None) -> Edit:
        design = self._session.design
        return racked(design, operations.mount(design, self._device_id, rack_id, unit))


def _has_cages(n_cages: int, named: str) -> bool:
    try:
        parse_cages(named, n_cages)
    except ParameterError:
        return False
    return True


def _kind(design: Design, device: Device) -> str:
    """The heading: "Server", "Host" or "Node", "Storage server"; "Switch", or "Router" by its role."""
    if is_storage_server(device, design.device_type(device.id)):
        return "Storage server"
    return (switch_word if design.is_switch(device.id) else server_word)(design, [device.id]).capitalize()


def _role_edit(device: Device, role: str) -> Edit:
    if device.role == role:
        return Edit("Set role", ())
    return Edit(f"Set role of {device.name}", (Change(device, replace(device, role=role)),))


def _far(session: Session, end: End) -> str:
    return f"{session.design.device(end.device_id).name}  {end.port}"
