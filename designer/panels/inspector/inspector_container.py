"""Inspector page of a rack or a group: its name and what stands in it."""

from collections import Counter
from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from designer.analysis.cable_places import by_name
from designer.analysis.selecting.counted import counted
from designer.analysis.tiers import device_word, server_word
from designer.fields.field import fields_of
from designer.model import operations
from designer.model.design import Design
from designer.model.entities import GROUP_KINDS, Group, Rack
from designer.model.hardware.racks import RackType
from designer.panels.inspector.own_fields import OwnFields, align_names
from designer.panels.inspector.position import PositionFields, floor_fields
from designer.panels.widgets.fields import ChoiceField, TextField, add_row, form, try_edit
from designer.panels.widgets.labels import ElidedLabel, label
from designer.panels.widgets.rows import DETAIL_ROLE, DetailDelegate
from designer.placement import floor
from designer.placement.layouts.tidy import LAYOUT_WORDS, tidy
from designer.placement.many import set_common
from designer.placement.many_records import RackFields
from designer.placement.rack_contents import rack_power
from designer.placement.row_order import rename_row
from designer.session.session import Session
from designer.units import format_counted, format_power

ID_ROLE = int(Qt.ItemDataRole.UserRole)


FRONTS = [("", "looks down the plan"), ("up", "looks up the plan")]
LAYOUT_CHOICES = [(word.name, word.title) for word in LAYOUT_WORDS]


class ContainerPage(QWidget):
    """Shows one rack or group; activate a member to go there."""

    going = Signal(object)

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._id = ""
        self._members: list[str] = []
        self.kind = label("", "heading")
        self.name = TextField("Name", self._rename)
        self.position = PositionFields(session)
        self.floor_position, self.place_in_row = floor_fields(session), ElidedLabel()
        self.row = TextField("Name of the row", self._rename_row, "letter from the top")
        self.front = ChoiceField("Front", self._turn)
        self.what = ElidedLabel()
        self.power = ElidedLabel()
        self.budget = TextField("Power budget in kilowatts", self._set_budget, "not set")
        self.feeds = TextField("Power feeds in kilowatts", partial(self._set_figure, "feeds_kw"), "not set")
        self.load = TextField("What it carries, in kilograms", partial(self._set_figure, "max_weight_kg"), "not set")
        self.kind_field = ChoiceField("Kind", self._set_kind)
        self.layout_field = ChoiceField("Layout", self._lay_out)
        self.own = OwnFields(session)
        self.list = QListWidget()
        self.list.setItemDelegate(DetailDelegate(self.list))
        self.list.setAccessibleName("Members")
        self.list.itemActivated.connect(self._go)
        self.list.itemClicked.connect(self._go)
        self.empty = label("", "muted", wrap=True)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 10, 12, 12)
        column.setSpacing(8)
        column.addWidget(self.kind)
        fields = form()
        add_row(fields, "Name", self.name)
        add_row(fields, "Kind", self.kind_field)
        add_row(fields, "Holds", self.what)
        add_row(fields, "Position", self.position)
        add_row(fields, "On the floor, m", self.floor_position)
        add_row(fields, "Row", self.row)
        add_row(fields, "Place in row", self.place_in_row)
        add_row(fields, "Front", self.front)
        add_row(fields, "Power", self.power)
        add_row(fields, "Power budget, kW", self.budget)
        add_row(fields, "Power feeds, kW", self.feeds)
        add_row(fields, "Weight limit, kg", self.load)
        add_row(fields, "Layout", self.layout_field)
        align_names(fields)
        column.addLayout(fields)
        self._fields = fields
        column.addWidget(self.own)
        column.addWidget(self.empty)
        column.addWidget(self.list, 1)

    def show_container(self, container_id: str) -> None:
        """Show a rack with its height, power and devices, the top one first; or a group with its members."""
        self._id = container_id
        design = self._session.design
        entity = design.entity(container_id)
        assert isinstance(entity, Rack | Group)
        self.name.show_value(entity.name)
        self.own.show_things([container_id])
        if isinstance(entity, Rack):
            rack_type = design.types[entity.type_id]
            self.kind.setText(f"Rack, {rack_type.units} U" if hasattr(rack_type, "units") else "Rack")
            members = _top_first(design, design.mounted(entity.id))
            self._show_power(entity)
            self.empty.setText("This rack is empty. Drag devices into it, or select it as the rack of a device.")
        else:
            self.kind.setText(entity.kind[:1].upper() + entity.kind[1:])
            members = _in_order(design, design.members(entity.id))
            self.layout_field.show_choices(LAYOUT_CHOICES, entity.layout)
            self.kind_field.show_choices(_kinds(entity), entity.kind)
            self.empty.setText("This group is empty.")
        for field in (self.power, self.budget, self.feeds, self.load):
            self._fields.setRowVisible(field, isinstance(entity, Rack))
        for choice in (self.kind_field, self.layout_field):
            self._fields.setRowVisible(choice, isinstance(entity, Group))
        self._fields.setRowVisible(self.position, self.position.show_thing(container_id))
        self._show_on_floor(container_id)
        self.what.set_text(_in_words(design, members))
        self.empty.setVisible(not members)
        self.list.setVisible(bool(members))
        self.list.clear()
        for member in members:
            self.list.addItem(_item(design, member, has_rack=isinstance(entity, Group)))

    def _show_on_floor(self, container_id: str) -> None:
        """Where a rack stands on the floor, in which row, and where its front looks."""
        design = self._session.design
        stands = self.floor_position.show_thing(container_id)
        for field in (self.floor_position, self.row, self.place_in_row, self.front):
            self._fields.setRowVisible(field, stands)
        if stands:
            row = next(one for one in floor.rows(design) if container_id in one.rack_ids)
            self.row.show_value(row.name)
            self.place_in_row.set_text(f"{row.rack_ids.index(container_id) + 1} of {len(row.rack_ids)}")
            self.front.show_choices(FRONTS, design.racks[container_id].facing)

    def _rename_row(self, text: str) -> str | None:
        return try_edit(self._session, lambda: rename_row(self._session.design, self._id, text))

    def _turn(self, facing: str) -> None:
        design = self._session.design
        if facing != design.racks[self._id].facing:
            self._session.attempt(lambda: floor.turn_racks(design, [self._id]))

    def _show_power(self, rack: Rack) -> None:
        design = self._session.design
        power = rack_power(design, rack.id)
        bound = "at least" if power.unknown else "up to"
        known = f"{bound} {format_power(power.draw_w)}; " if power.draw_w or not power.unknown else ""
        unknown = (
            f"not known for {', '.join(design.types[one].model for one in power.unknown)}" if power.unknown else ""
        )
        self.power.set_text(f"{known}{unknown}".removesuffix("; "))
        self.budget.show_value("" if power.budget_w is None else f"{power.budget_w / 1000:g}")

        type_ = design.types[rack.type_id]
        feeds_w = rack.feeds_w or (type_.feeds_w if isinstance(type_, RackType) else ())
        self.feeds.show_value(", ".join(f"{watts / 1000:g}" for watts in feeds_w))
        stated_kg = type_.max_weight_kg if isinstance(type_, RackType) else None
        load_kg = rack.max_weight_kg if rack.max_weight_kg is not None else stated_kg
        self.load.show_value("" if load_kg is None else f"{load_kg:g}")

    def _set_figure(self, name: str, text: str) -> str | None:
        """Set a figure of the rack as the form of many racks does."""
        design, field = self._session.design, fields_of(RackFields)[name]
        return try_edit(
            self._session,
            lambda: set_common(design, [self._id], Rack, name, field.read(text) if text else field.default, {}),
        )

    def _set_budget(self, text: str) -> str | None:
        try:
            budget_w = float(text) * 1000 if text else None
        except ValueError:
            return f"{text!r} is not a number of kilowatts."
        return try_edit(self._session, lambda: floor.set_power_budget(self._session.design, [self._id], budget_w))

    def _lay_out(self, layout: str) -> None:
        group_id = self._id
        n_things = len(self._session.design.members(group_id))
        self._session.large_edits.attempt("Laying out", n_things, lambda design: tidy(design, [group_id], layout))
        found = self._session.design.groups.get(group_id)
        if found is not None:  # as before, where it was refused
            self.layout_field.show_choices(LAYOUT_CHOICES, found.layout)

    def _set_kind(self, kind: str) -> None:
        self._session.attempt(lambda: operations.set_group_kind(self._session.design, self._id, kind))

    def _rename(self, text: str) -> str | None:
        if not text:
            return "Enter a name."
        return try_edit(self._session, lambda: operations.rename(self._session.design, self._id, text))

    def _go(self, item: QListWidgetItem) -> None:
        self.going.emit(frozenset((str(item.data(ID_ROLE)),)))


def _kinds(group: Group) -> list[tuple[str, str]]:
    """The kinds of groups, and the one that it is."""
    return [(kind, kind.capitalize()) for kind in dict.fromkeys((*GROUP_KINDS, group.kind))]


def _top_first(design: Design, ids: list[str]) -> list[str]:
    return sorted(ids, key=lambda i: -(design.placements[i].unit or 0))


def _in_order(design: Design, ids: Sequence[str]) -> list[str]:
    """Groups, devices and racks, each as people look them up by name."""
    tables = (design.groups, design.devices, design.racks)
    return [one.id for table in tables for one in sorted((table[i] for i in ids if i in table), key=by_name)]


def _item(design: Design, member: str, *, has_rack: bool) -> QListWidgetItem:
    """A member with its rack unit and model; where members are in several racks, with its rack too."""
    entity = design.entity(member)
    item = QListWidgetItem(str(getattr(entity, "name", member)))
    item.setData(ID_ROLE, member)
    placement = design.placements.get(member)
    if member in design.devices:
        rack_id = placement.rack_id if placement is not None else None
        rack = f"{design.racks[rack_id].name}  " if has_rack and rack_id is not None else ""
        unit = f"U {placement.unit}  " if placement is not None and placement.unit is not None else ""
        item.setData(DETAIL_ROLE, rack + unit + design.device_type(member).model)
    return item


def _in_words(design: Design, members: Sequence[str]) -> str:
    """Devices by role, and what else there is by kind: "576 servers, 24 leaf switches, 24 spines"."""
    devices = [design.devices[one] for one in members if one in design.devices]
    servers = server_word(design, (one.id for one in devices if design.is_server(one.id)))
    words = Counter(device_word(design, one.id) if design.is_switch(one.id) else servers for one in devices)
    others = [one for one in members if one not in design.devices]
    held = [format_counted(n, word) for word, n in words.items()]
    return ", ".join((*held, counted(design, others)) if others or not held else held)
