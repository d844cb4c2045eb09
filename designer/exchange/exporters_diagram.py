"""What diagrams are drawn with: the theme, the networks and the heat that options name."""

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any, Protocol

from designer.analysis.matrix import matrix_of
from designer.analysis.matrix_axes import AXES, MOST_LINES, RANK, Axes
from designer.drawing.colour_by import Status
from designer.drawing.colouring import Choice, Colouring
from designer.drawing.heat import Heat
from designer.drawing.matrix.document import MOST_LINES_ON_PAPER, matrix_document
from designer.drawing.matrix.ranks import ShadedRanks, ordered_ranks, rank_matrix, shaded_ranks, units_of
from designer.drawing.matrix.shading import Shaded, links_without, shaded
from designer.drawing.overlay import Overlay, worst_by_subject
from designer.drawing.parts.document import SLIDE, Document, Size, document
from designer.drawing.parts.room_document import Coloured, elevation_document, floor_document
from designer.drawing.parts.ruler import Ruler
from designer.drawing.projection import Projection
from designer.drawing.run_heat import heat_of_run
from designer.drawing.theme import DARK, LIGHT, Theme
from designer.errors import ExportError, ParameterError
from designer.exchange.diagram_options import AS_SAVED, FULL, USUAL, DiagramOptions
from designer.exchange.infiniband.routings import routing_fields
from designer.graph.failures import broken
from designer.late import Late
from designer.model import collapsing, operations
from designer.model.annotation import TITLE_BLOCK
from designer.model.bookmarking import bookmark_named, keys_of, look_edit
from designer.model.colour_keys import STATUS
from designer.model.design import Design, from_entities
from designer.model.entities import Device, Group, Rack
from designer.model.fragments import copy_fragment
from designer.model.networks import NETWORKS
from designer.model.settings import UNTITLED
from designer.simulation.catalogue import COLLECTIVES, PATTERNS, takes_tables
from designer.simulation.paths.place import Place, place_named
from designer.simulation.scenario import Scenario
from designer.simulation.traffic.rank_rows import RANKS_MOST
from designer.units import shortened

rules = Late("designer.validation.engine")
designs = Late("designer.simulation.designs")
between = Late("designer.simulation.paths.between")
ranks = Late("designer.simulation.traffic.rank_traffic")


class HeatOptions(Protocol):
    """What options say of the traffic whose heat is drawn."""

    @property
    def heat(self) -> str:
        """The traffic; "" for none."""

    @property
    def size(self) -> float:
        """Its size, in bytes."""

    @property
    def routing(self) -> str:
        """Its routing."""

    @property
    def tables(self) -> str:
        """The file of tables that this goes by; "" for none."""

    @property
    def fail(self) -> tuple[str, ...]:
        """What has failed."""


Drawing = Callable[[Ruler], Document]
"""Draws one page with the fonts of whoever writes it."""


def drawing_of(design: Design, options: DiagramOptions, size: Size = SLIDE) -> Drawing:
    """The view that the options name, to be drawn; `size` is that of a canvas of which not every detail is asked for.

    Raises ExportError, or what `heat_of` raises.
    """
    design, options = at_bookmark(design, options)
    theme, racks = theme_of(options), None
    if options.racks:
        racks = racks_named(design, options.racks)
    if options.view == "canvas":
        wanted = (racks or frozenset()) | things_named(design, options.only)
        shown = from_entities(copy_fragment(design, wanted).entities(), design.settings) if wanted else design
        shown = with_lines(with_boxes(shown, options.boxes), options.link_lines)
        heat, hidden, overlay = heat_of(design, options), hidden_of(options), overlay_of(design, options)
        if options.bookmark:
            overlay = replace(overlay, opened=tuple(keys_of(shown, bookmark_named(design, options.bookmark).opened)))
        room = None if options.detail == FULL else size
        return lambda ruler: document(shown, theme, heat, hidden, overlay, ruler, room)
    if options.view == "matrix":
        return _matrix_drawing(design, options)
    findings = rules.validate(design).open if options.findings else ()
    elevated = partial(elevation_document, rear=options.side == "rear")
    on_floor = partial(floor_document, annotations=options.annotations)
    drawn = on_floor if options.view == "floor" else elevated
    coloured = Coloured(colouring_of(design, options), options.legend)
    return lambda ruler: drawn(design, theme, ruler, racks, findings, coloured=coloured)


def colouring_of(design: Design, options: DiagramOptions) -> Colouring:
    """What the options color the devices of a room by. Raises UnknownEntityError for what is marked as failed."""
    colouring = Colouring(Projection(design))
    colouring.choose(colours_of(options))
    if colouring.needs_findings:
        dead, found = broken(design, frozenset(options.fail)), rules.validate(design).open
        colouring.show_status(Status(worst_by_subject(found), dead.devices | dead.links))
    return colouring


def at_bookmark(design: Design, options: DiagramOptions) -> tuple[Design, DiagramOptions]:
    """The design as the bookmark colors and collapses it, and options that name what it shows; as given without one.

    Raises ParameterError where the design has no bookmark of that name.
    """
    if not options.bookmark:
        return design, options
    one = bookmark_named(design, options.bookmark)
    edit = look_edit(design, one)
    if edit:
        design = design.snapshot()
        design.apply(edit)
    shown = tuple(name for name in NETWORKS if name not in one.hidden_networks)
    known = {kind.name for kind in AXES}
    lines = (one.rows, one.columns) if {one.rows, one.columns} <= known else (options.rows, options.columns)
    return design, replace(
        options,
        view=one.view,
        side=one.side or "front",
        rows=lines[0],
        columns=lines[1],
        networks=options.networks or (shown if one.hidden_networks else ()),
    )


def with_boxes(design: Design, boxes: str) -> Design:
    """The design with "all" collapsed or "none"; as it is saved for any other word."""
    keys = collapsing.collapsed_keys(design)
    if boxes == "none" and keys:
        design = design.snapshot()
        design.apply(collapsing.expand_all(design))
    elif boxes == "all" and any(collapsing.box_of(design, one) is None for one in design.devices):
        design = design.snapshot()
        with suppress(ParameterError):  # a device alone of its role is no box
            design.apply(collapsing.collapse_all(design))
    return design


def with_lines(design: Design, lines: str) -> Design:
    """The design with links that run as the word says; as it is saved for AS_SAVED."""
    if lines in (AS_SAVED, design.settings.link_lines):
        return design
    design = design.snapshot()
    design.apply(operations.set_settings(design, link_lines=lines))
    return design


def shaded_matrix(design: Design, options: DiagramOptions, theme: Theme, most: int = MOST_LINES) -> Shaded:
    """The matrix that the options name, with heat, failures and findings. Raises ParameterError, or as `heat_of`."""
    if RANK in (options.rows, options.columns):
        return shaded_traffic(design, options, theme, most)
    axes = Axes(design, hidden_of(options), options.order)
    rows, columns = ("" if one == USUAL else one for one in (options.rows, options.columns))
    matrix = matrix_of(axes, rows, columns, most)
    heat, overlay = heat_of(design, options), overlay_of(design, options)
    return shaded(matrix, theme, heat, links_without(design, overlay.failed), overlay.badges)


def shaded_traffic(design: Design, options: DiagramOptions, theme: Theme, most: int) -> ShadedRanks:
    """What ranks send to each other in the traffic that the options name. Raises ParameterError without one."""
    scenario = scenario_of(options)
    if scenario is None:
        raise ParameterError("what ranks send to each other is of a traffic: name one as Traffic, such as all-reduce")
    if {options.rows, options.columns} - {RANK, USUAL}:
        raise ParameterError("rows and columns are ranks both: choose rank for both, or another kind for both")
    graph, known = designs.graph_for(design, scenario)
    traffic = ranks.rank_traffic(graph, known, units_of(design), min(most, RANKS_MOST))
    return shaded_ranks(rank_matrix(ordered_ranks(traffic, design, options.order)), theme, scenario.summary)


def _matrix_drawing(design: Design, options: DiagramOptions) -> Drawing:
    shown = shaded_matrix(design, options, theme_of(options), MOST_LINES_ON_PAPER)
    return lambda ruler: matrix_document(design.name, shown, ruler, legend=options.legend)


def racks_named(design: Design, names: Iterable[str]) -> frozenset[str]:
    """The ids of the racks of these names. Raises ExportError for a name that no rack has."""
    found: dict[str, list[str]] = {}
    for rack in design.racks.values():
        found.setdefault(rack.name, []).append(rack.id)
    chosen: list[str] = []
    for name in names:
        if name not in found:
            raise ExportError(f"there is no rack {shortened(name)!r}: write names of racks with commas between them")
        chosen += found[name]
    return frozenset(chosen)


def things_named(design: Design, names: Iterable[str]) -> frozenset[str]:
    """The ids of the devices, racks and groups of these names. Raises ExportError for a name that nothing has."""
    found: dict[str, list[str]] = {}
    things: tuple[Device | Rack | Group, ...] = (
        *design.devices.values(),
        *design.racks.values(),
        *design.groups.values(),
    )
    for one in things:
        found.setdefault(one.name, []).append(one.id)
    chosen: list[str] = []
    for name in names:
        if name not in found:
            raise ExportError(f"there is no device, rack or group {shortened(name)!r}: write names with commas between")
        chosen += found[name]
    return frozenset(chosen)


def theme_of(options: DiagramOptions) -> Theme:
    """The color table that the options name."""
    return {"light": LIGHT, "dark": DARK}[options.theme]


def hidden_of(options: DiagramOptions) -> frozenset[str]:
    """The networks that the options do not list; none where they list none."""
    return frozenset(NETWORKS) - frozenset(options.networks) if options.networks else frozenset()


def overlay_of(design: Design, options: DiagramOptions) -> Overlay:
    """What the options lay over the picture, and leave out of it. Raises UnknownEntityError."""
    dead = broken(design, frozenset(options.fail))
    colours = colours_of(options)
    by = colours.devices or design.settings.color_devices_by, colours.links or design.settings.color_links_by
    worst = worst_by_subject(rules.validate(design).open) if options.findings or STATUS in by else {}
    failed = dead.devices | dead.links
    lit_links, lit_ends = lit_paths(design, options) if options.paths else (frozenset(), ())
    return Overlay(
        options.jobs,
        failed,
        worst if options.findings else {},
        labels=options.labels,
        legend=options.legend,
        heading=options.heading and options.labels and not is_titled(design, options),
        annotations=options.annotations,
        faceplates=options.faceplates,
        lit_links=lit_links,
        lit_ends=lit_ends,
        lit_names=tuple(place.name(design) for place in _ends_of(design, options)) if options.paths else (),
        colours=colours,
        status=Status(worst, failed),
    )


def is_titled(design: Design, options: DiagramOptions) -> bool:
    """Whether a title block on the canvas says what it is of, or nobody has given it a name."""
    blocks = (one for one in design.annotations.values() if one.kind == TITLE_BLOCK and not one.is_on_floor)
    return design.name == UNTITLED or (options.annotations and any(blocks))


def lit_paths(design: Design, options: DiagramOptions) -> tuple[frozenset[str], tuple[str, ...]]:
    """Links of the paths that the options name, and the devices at their ends.

    Those of the traffic of option `paths_of` or `heat`, without these of one flow for each GPU. Raises
    ExportError, or what `paths_between` raises.
    """
    first, last = _ends_of(design, options)
    traffic = options.paths_of or options.heat
    scenario = scenario_of(replace(options, heat=traffic or COLLECTIVES[0].name))
    assert scenario is not None
    graph, known = designs.graph_for(design, scenario)
    found = between.paths_between(design, graph, known, (first, last), is_run=bool(traffic))
    return frozenset(found.links), tuple(dict.fromkeys((first.device_id, last.device_id)))


def _ends_of(design: Design, options: DiagramOptions) -> tuple[Place, Place]:
    """What the options name paths between. Raises ExportError, or what `place_named` raises."""
    if len(options.paths) != 2:
        raise ExportError("paths need two ends: write two devices, GPUs or ports with a comma between them")
    first, last = (place_named(design, name) for name in options.paths)
    return first, last


def colours_of(options: DiagramOptions) -> Choice:
    """What the options color devices and links by; "" for what the design says."""
    chosen = options.color_devices_by, options.color_links_by
    return Choice(*("" if key == AS_SAVED else key for key in chosen))


def heat_of(design: Design, options: HeatOptions) -> Heat | None:
    """The utilization that the traffic of option `heat` causes; None without the option.

    Raises ExportError for traffic there is not, ParameterError or GraphError for what cannot be run.
    """
    scenario = scenario_of(options)
    if scenario is None:
        return None
    return heat_of_run(design.revision, designs.simulate_design(design, scenario), scenario.summary)


def scenario_of(options: HeatOptions) -> Scenario | None:
    """The traffic of option `heat`; None without. Raises ExportError for traffic there is not."""
    if not options.heat:
        return None
    name, _, algorithm = options.heat.partition(":")
    collective = name if any(row.name == name for row in COLLECTIVES) else None
    if collective is None and not any(row.name == name for row in PATTERNS):
        names = ", ".join(dict.fromkeys(row.name for row in (*COLLECTIVES, *PATTERNS)))
        raise ExportError(f"there is no traffic {name!r} for the heat: choose one of {names}")
    return Scenario(
        collective=collective,
        traffic=None if collective else options.heat,
        algorithm=algorithm or None if collective else None,
        size_bytes=options.size,
        **_routing_of(options),
        failed=tuple(sorted(set(options.fail))),
    )


def _routing_of(options: HeatOptions) -> dict[str, Any]:
    """Fields of a scenario. Raises ExportError where the tables that the routing goes by are not named."""
    if not takes_tables(options.routing):
        return {"routing": options.routing}
    if not options.tables:
        raise ExportError(f"routing {options.routing} needs a dump of OpenSM: name its file as Forwarding tables")
    return routing_fields(f"{options.routing}:{options.tables}")
