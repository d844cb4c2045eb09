"""Options that make a file show what the window shows of the design now."""

from typing import Any

from designer.fields.field import fields_of
from designer.model.design import Design
from designer.model.entities import Device, Group, Rack
from designer.model.networks import NETWORKS
from designer.simulation.paths.place import Place
from designer.simulation.scenario import Scenario
from designer.windows.desk import Desk
from designer.windows.files import price_lists

LOOKS = {"theme", "networks", "heat"}
"""Options with all of these are of a drawing of the canvas, not of pages for paper."""


def as_shown(desk: Desk, options: type[Any]) -> dict[str, Any]:
    """Values by field, those that the options have: view, theme, networks, jobs, badges, failures, heat, prices."""
    described = fields_of(options)
    found: dict[str, Any] = {"prices": desk.preferences.price_list}
    if "energy_price" in described:
        terms = price_lists.stored_terms(desk)
        found |= {one.name: getattr(terms, one.name) for one in fields_of(type(terms)).values()}
    if set(described).issuperset(LOOKS):
        found |= _looks(desk)
    return {name: value for name, value in found.items() if name in described}


def selected_names(desk: Desk) -> tuple[str, ...]:
    """Names of the devices, racks and groups that are selected; links go with what they join."""
    design = desk.session.design
    things = (design.entity(one) for one in sorted(desk.session.selection))
    return tuple(dict.fromkeys(one.name for one in things if isinstance(one, Device | Rack | Group)))


def _looks(desk: Desk) -> dict[str, Any]:
    session = desk.session
    fabric = desk.views.canvas.fabric
    overlay, hidden = fabric.overlay, session.hidden_networks
    return {
        "view": desk.views.name,
        "side": "rear" if desk.views.elevation.rear else "front",
        **_lines(desk),
        "theme": "dark" if desk.appearance.dark else "light",
        "networks": tuple(one for one in NETWORKS if one not in hidden) if hidden else (),
        "annotations": overlay.annotations,
        "faceplates": fabric.detail(desk.views.canvas.camera.scale).faceplates,
        "jobs": overlay.jobs and bool(session.design.jobs),
        "findings": bool(overlay.badges),
        "fail": tuple(_name(session.design, one) for one in sorted(session.failed)),
        **_heat(desk),
        **_paths(desk),
    }


def _lines(desk: Desk) -> dict[str, str]:
    """Rows and columns of the matrix that is in front."""
    views, cells = desk.views, desk.views.matrix.cells
    if views.current is not views.matrix:
        return {}
    return {**dict(zip(("rows", "columns"), cells.chosen, strict=True)), "order": cells.order}


def _paths(desk: Desk) -> dict[str, Any]:
    """The ends of the paths that are lit, where somebody could type them, and their routing."""
    job, design = desk.session.workbench.paths, desk.session.design
    if job.asked is None or job.found is None:
        return {}
    names, scenario = tuple(_written(design, one) for one in job.asked), desk.session.workbench.simulation.scenario
    return {"paths": names, "paths_of": _traffic(scenario), "size": scenario.size_bytes, **_routing(scenario)}


def _written(design: Design, place: Place) -> str:
    """A place as the option reads it."""
    device = _name(design, place.device_id)
    if place.gpu is not None:
        return f"{device}:gpu{place.gpu}"
    return device if place.port is None else f"{device}:{place.port}"


def _name(design: Design, failed_id: str) -> str:
    """As somebody would type it: "spine-01", or "leaf-01:7" of a link."""
    link = design.links.get(failed_id)
    end = link.a if link is not None else None
    device = design.devices.get(end.device_id if end is not None else failed_id)
    if device is None or sum(one.name == device.name for one in design.devices.values()) > 1:
        return failed_id
    return device.name if end is None else f"{device.name}:{end.port}"


def _heat(desk: Desk) -> dict[str, Any]:
    """The traffic whose heat is shown, where the options can say it; nothing else stands for none."""
    workbench = desk.session.workbench
    scenario = workbench.simulation.result_scenario
    if workbench.heat_view.heat is None or scenario is None:
        return {}
    plain = Scenario(
        collective=scenario.collective,
        traffic=scenario.traffic,
        algorithm=scenario.algorithm,
        size_bytes=scenario.size_bytes,
        routing=scenario.routing,
        tables=scenario.tables,
        failed=scenario.failed,
        memory_limit_bytes=scenario.memory_limit_bytes,
    )
    if plain != scenario:
        return {}
    return {"heat": _traffic(scenario), "size": scenario.size_bytes, **_routing(scenario)}


def _routing(scenario: Scenario) -> dict[str, str]:
    """The routing, and the file of the tables that it takes."""
    tables = scenario.tables.file if scenario.goes_by_tables and scenario.tables is not None else ""
    return {"routing": scenario.routing, "tables": tables}


def _traffic(scenario: Scenario) -> str:
    """As the options name it: "all-reduce:ring", "permutation:1"."""
    return scenario.traffic or (scenario.collective or "") + (f":{scenario.algorithm}" if scenario.algorithm else "")
