"""What the quick picker offers: commands, files, and named things."""

import re
from functools import partial
from pathlib import Path

from PySide6.QtGui import QKeySequence

from designer.analysis.cable_numbers import cable_name
from designer.catalog.headline import headline, search_text
from designer.late import Late
from designer.model.annotating import title_of
from designer.model.entities import Link, Module
from designer.model.furnishing import TITLES
from designer.model.furnishing import title_of as fixture_title
from designer.model.hardware.types import HardwareType
from designer.model.records import ordered
from designer.model.several import ONE, Wanted, request
from designer.model.tagging import Tagged
from designer.panels.palette import ICON_OF
from designer.windows.commands import adding, document_commands, job_commands
from designer.windows.commands.access_keys import plain
from designer.windows.commands.actions import Actions
from designer.windows.commands.keywords import KEYWORDS
from designer.windows.desk import Desk
from designer.windows.files.examples import example_files, short_folder
from designer.windows.picker.quick_picker import MOST_ROWS, Choice

ports = Late("designer.analysis.selecting.ports_typed")

FOLDER_MOST = 36
"""Letters; more would leave no room for the name."""
_DEVICES, _PLACES, _JOBS, _PARTS = range(4)
"""In which order things come whose names match alike: devices, racks and groups, jobs, then cables and the rest."""
_CABLE_NUMBER = re.compile(r"[cC](\d+)")
NOT_OFFERED = ("view.command_palette",)


def commands(desk: Desk, actions: Actions) -> list[Choice]:
    """Every action; those that cannot be done now come last and are dimmed.

    Examples, recent files and hardware to add follow.
    """
    choices = [_command(desk, actions, action_id) for action_id in actions.rows if action_id not in NOT_OFFERED]
    choices.sort(key=lambda choice: not choice.enabled)
    examples = example_files()
    recent = [path for path in desk.preferences.recent_files if path not in examples]
    choices += [_opening(desk, path, _end_of(short_folder(path.parent))) for path in recent]
    choices += [_opening(desk, path, "Example") for path in examples]
    return [*choices, *_additions(desk, ONE)]


def asked_for(desk: Desk, text: str) -> tuple[str, list[Choice]] | None:
    """What "12 dgx h100 as gpu-1" searches for, and the hardware to add so much of; None for any other text."""
    wanted, words = request(text)
    return None if wanted == ONE else (words, _additions(desk, wanted))


def _additions(desk: Desk, wanted: Wanted) -> list[Choice]:
    """Adding so many of each type of the catalog, as from the palette."""

    def adding_of(type_: HardwareType) -> Choice:
        def add() -> None:
            desk.session.placing.ask(wanted)
            adding.add_type(desk, type_.id)

        icon, name = desk.appearance.icon(ICON_OF[type(type_)], "muted"), f"Add {type_.model}"
        text = f"Add {wanted.count} × {type_.model}" if wanted.count > 1 else name
        text += f", from {wanted.name}" if wanted.name else ""
        return Choice(text, headline(type_), add, icon, also=search_text(type_), name=name)

    return [adding_of(one) for one in desk.catalog.types.values() if type(one) in ICON_OF]


def _command(desk: Desk, actions: Actions, action_id: str) -> Choice:
    row, action = actions.rows[action_id], actions[action_id]
    keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
    icon = desk.appearance.icon(row.icon or "chevron-right", "text" if row.icon else "muted")
    also = f"{row.menu} {row.hint} {KEYWORDS.get(action_id, '')}"
    reason = "" if action.isEnabled() else row.reason_on(desk)
    return Choice(
        plain(action.text()),
        reason or keys or row.menu,
        partial(actions.trigger, action_id),
        icon,
        action.isEnabled(),
        also,
        row.text,  # Undo and Redo tell an edit as well, which is not what a search for a command means
    )


def _opening(desk: Desk, path: Path, detail: str) -> Choice:
    icon = desk.appearance.icon("open", "muted")
    return Choice(
        f"Open {path.name}",
        detail,
        partial(document_commands.open_listed, desk, path),
        icon,
        also=f"{detail} {path.parent}",
    )


def named_things(desk: Desk) -> list[Choice]:
    """Devices, racks, groups and jobs by name; picking one selects it, or its servers, and brings it into view."""
    design, icon = desk.session.design, desk.appearance.icon

    def going(entity_id: str) -> Choice:
        entity = design.entity(entity_id)
        name = str(getattr(entity, "name", entity_id))
        if entity_id in design.devices:
            what, drawn = design.device_type(entity_id).model, "switch" if design.is_switch(entity_id) else "server"
        else:
            what, drawn = ("rack", "rack") if entity_id in design.racks else ("group", "group")
        return Choice(
            name,
            what,
            lambda: desk.views.go_to(frozenset((entity_id,))),
            icon(drawn, "muted"),
            clues=_clues(entity) if isinstance(entity, Tagged) else (),
            entity_id=entity_id,
            order=_DEVICES if entity_id in design.devices else _PLACES,
        )

    tables = (ordered(design.devices), ordered(design.racks), ordered(design.groups))
    jobs = [
        Choice(
            job.name,
            "job",
            partial(job_commands.go_to, desk, job.id),
            icon("play", "muted"),
            order=_JOBS,
            clues=_clues(job),
        )
        for job in ordered(design.jobs)
    ]
    return [
        *(going(entity.id) for table in tables for entity in table),
        *jobs,
        *_noted_parts(desk),
        *_annotations(desk),
        *_fixtures(desk),
    ]


def numbered_cables(desk: Desk, text: str) -> list[Choice]:
    """Links whose cables have the number that is typed, as "C0421", "c42" or the beginning of one; none without."""
    found = _CABLE_NUMBER.fullmatch(text.strip())
    if found is None:
        return []
    design, icon = desk.session.design, desk.appearance.icon("link", "muted")
    typed = f"C{found[1]}"
    number = int(found[1])
    links = [
        one
        for one in design.links.values()
        if one.cable and (one.cable == number or cable_name(one.cable).startswith(typed))
    ]
    links.sort(key=lambda one: (one.cable != number, one.cable))
    return [
        Choice(
            cable_name(one.cable),
            f"{design.end_name(one.a)} to {design.end_name(one.b)}",
            partial(desk.views.go_to, frozenset((one.id,))),
            icon,
            also=typed,
            entity_id=one.id,
            order=_PARTS,
        )
        for one in links[:MOST_ROWS]
    ]


def typed_ports(desk: Desk, text: str) -> list[Choice]:
    """The ports that are typed, as "leaf-03 port 17" or "leaf-03/17": picking one selects its link, else its device."""
    design, icon = desk.session.design, desk.appearance.icon("link", "muted")
    found = []
    for end in ports.ports_typed(design, text, MOST_ROWS):
        chosen = next(iter(design.links_at(end)), end.device_id)
        run = partial(desk.views.go_to, frozenset((chosen,)))
        named, use = ports.port_text(design, end), ports.port_use(design, end)
        found.append(Choice(named, use, run, icon, also=text, entity_id=chosen, order=_PARTS))
    return found


def _annotations(desk: Desk) -> list[Choice]:
    """Annotations by their words."""
    icon, written = desk.appearance.icon("note", "muted"), ordered(desk.session.design.annotations)
    return [
        Choice(title_of(one), one.kind, partial(desk.views.go_to, frozenset((one.id,))), icon, order=_PARTS)
        for one in written
        if one.text
    ]


def _fixtures(desk: Desk) -> list[Choice]:
    """Walls, trays and the like by name; on the floor plan."""
    icon = desk.appearance.icon("floor", "muted")
    return [
        Choice(
            fixture_title(one),
            TITLES[one.kind].lower(),
            partial(desk.views.go_to, frozenset((one.id,))),
            icon,
            clues=_clues(one),
            entity_id=one.id,
            order=_PARTS,
        )
        for one in ordered(desk.session.design.fixtures)
    ]


def _noted_parts(desk: Desk) -> list[Choice]:
    """Links with a label, a tag or a field, and NICs and line cards with one of these two."""
    design, icon = desk.session.design, desk.appearance.icon

    def going(one: Link | Module, name: str, what: str, drawn: str) -> Choice:
        run = partial(desk.views.go_to, frozenset((one.id,)))
        return Choice(name, what, run, icon(drawn, "muted"), clues=_clues(one), entity_id=one.id, order=_PARTS)

    def of_link(link: Link) -> Choice:
        ends = f"{design.end_name(link.a)} to {design.end_name(link.b)}"
        return going(link, link.label, ends, "link") if link.label else going(link, ends, "link", "link")

    links = (one for one in design.links.values() if one.label or one.tags or one.fields)
    modules = (one for one in design.modules.values() if one.tags or one.fields)
    return [
        *map(of_link, links),
        *(going(one, f"{design.device(one.device_id).name} {one.slot}", "NIC", "nic") for one in modules),
    ]


def _clues(one: Tagged) -> tuple[tuple[str, str], ...]:
    """Tags and fields of a thing, to find it by."""
    return (*(("tag", tag) for tag in one.tags), *one.fields)


def _end_of(folder: str) -> str:
    return folder if len(folder) <= FOLDER_MOST else f"…{folder[1 - FOLDER_MOST :]}"
