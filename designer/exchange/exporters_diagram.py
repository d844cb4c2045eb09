"""What diagrams are drawn with: the theme, the networks and the heat that options name."""

from designer.drawing.heat import Heat
from designer.drawing.overlay import Overlay, worst_by_subject
from designer.drawing.theme import DARK, LIGHT, Theme
from designer.errors import ExportError
from designer.exchange.diagram_options import DiagramOptions
from designer.graph.failures import broken
from designer.late import Late
from designer.model.design import Design
from designer.model.networks import NETWORKS
from designer.simulation.catalogue import COLLECTIVES, PATTERNS
from designer.simulation.result import Result
from designer.simulation.scenario import Scenario

rules = Late("designer.validation.engine")
designs = Late("designer.simulation.designs")


def theme_of(options: DiagramOptions) -> Theme:
    """The colour table that the options name."""
    return {"light": LIGHT, "dark": DARK}[options.theme]


def hidden_of(options: DiagramOptions) -> frozenset[str]:
    """The networks that the options do not list; none where they list none."""
    return frozenset(NETWORKS) - frozenset(options.networks) if options.networks else frozenset()


def overlay_of(design: Design, options: DiagramOptions) -> Overlay:
    """What options `jobs`, `fail` and `findings` lay over the picture. Raises UnknownEntityError."""
    gone = broken(design, frozenset(options.fail))
    badges = worst_by_subject(rules.validate(design).findings) if options.findings else {}
    return Overlay(options.jobs, gone.devices | gone.links, badges)


def heat_of(design: Design, options: DiagramOptions) -> Heat | None:
    """The utilization that the traffic of option `heat` causes; None without the option.

    Raises ExportError for traffic there is not, ParameterError or GraphError for what cannot be run.
    """
    if not options.heat:
        return None
    name, _, algorithm = options.heat.partition(":")
    collective = name if any(row.name == name for row in COLLECTIVES) else None
    if collective is None and not any(row.name == name for row in PATTERNS):
        names = ", ".join(dict.fromkeys(row.name for row in (*COLLECTIVES, *PATTERNS)))
        raise ExportError(f"there is no traffic {name!r} for the heat: choose one of {names}")
    scenario = Scenario(
        collective=collective,
        traffic=None if collective else options.heat,
        algorithm=algorithm or None if collective else None,
        size_bytes=options.size,
        routing=options.routing,
        failed=tuple(sorted(set(options.fail))),
    )
    return heat_of_result(design, designs.simulate_design(design, scenario), scenario.summary)


def heat_of_result(design: Design, result: Result, label: str) -> Heat:
    """The utilization of links that a simulation of the design found; the label names its traffic."""
    measure = "peak" if result.are_peaks_known else "mean"
    congested = result.congested_links()
    return Heat(design.revision, result.link_utilization(), label, measure, congested=congested)
