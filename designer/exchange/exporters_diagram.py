"""What diagrams are drawn with: the theme, the networks and the heat that options name."""

from collections.abc import Mapping
from typing import Any

from designer.drawing.heat import Heat
from designer.drawing.overlay import Overlay, worst_by_subject
from designer.drawing.theme import DARK, LIGHT, Theme
from designer.errors import ExportError
from designer.exchange.options import flag
from designer.graph.failures import broken
from designer.late import Late
from designer.model.design import Design
from designer.model.networks import NETWORKS
from designer.simulation.catalogue import COLLECTIVES, PATTERNS
from designer.simulation.scenario import Scenario
from designer.units import parse_size

rules = Late("designer.validation.engine")
designs = Late("designer.simulation.designs")
DEFAULT_SIZE = "1GiB"


def theme_of(options: Mapping[str, Any]) -> Theme:
    """The colour table that option `theme` is, or names. Raises ExportError."""
    theme = options.get("theme") or "light"
    if not isinstance(theme, str):
        return theme  # type: ignore[no-any-return]
    themes = {"light": LIGHT, "dark": DARK}
    if theme not in themes:
        raise ExportError(f"there is no theme {theme!r}: choose light or dark")
    return themes[theme]


def hidden_of(options: Mapping[str, Any]) -> frozenset[str]:
    """The networks that option `networks` does not list; none without it. Raises ExportError."""
    wanted = options.get("networks")
    if not wanted:
        return frozenset()
    names = wanted.split(",") if isinstance(wanted, str) else list(wanted)
    for name in names:
        if name not in NETWORKS:
            raise ExportError(f"there is no network {name!r}: choose {', '.join(NETWORKS)}, with commas between")
    return frozenset(NETWORKS) - frozenset(names)


def overlay_of(design: Design, options: Mapping[str, Any]) -> Overlay:
    """What options `jobs`, `fail` and `findings` lay over the picture. Raises ExportError or UnknownEntityError."""
    gone = broken(design, failed_of(options))
    badges = {}
    if flag(options, "findings"):
        badges = worst_by_subject(rules.validate(design).findings)
    return Overlay(flag(options, "jobs"), gone.devices | gone.links, badges)


def failed_of(options: Mapping[str, Any]) -> frozenset[str]:
    """What option `fail` names, with commas between."""
    return frozenset(name.strip() for name in str(options.get("fail") or "").split(",") if name.strip())


def heat_of(design: Design, options: Mapping[str, Any]) -> Heat | None:
    """The heat that option `heat` is, or the utilization its traffic causes; None without the option.

    Raises ExportError for traffic there is not, ParameterError or GraphError for what cannot be run.
    """
    wanted = options.get("heat")
    if not wanted:
        return None
    if not isinstance(wanted, str):
        return wanted  # type: ignore[no-any-return]
    name, _, algorithm = wanted.partition(":")
    collective = name if any(row.name == name for row in COLLECTIVES) else None
    if collective is None and not any(row.name == name for row in PATTERNS):
        names = ", ".join(dict.fromkeys(row.name for row in (*COLLECTIVES, *PATTERNS)))
        raise ExportError(f"there is no traffic {name!r} for the heat: choose one of {names}")
    scenario = Scenario(
        collective=collective,
        traffic=None if collective else wanted,
        algorithm=algorithm or None if collective else None,
        size_bytes=parse_size(str(options.get("size") or DEFAULT_SIZE)),
        routing=str(options.get("routing") or "spray"),
        failed=tuple(sorted(failed_of(options))),
    )
    result = designs.simulate_design(design, scenario)
    measure = "peak" if result.are_peaks_known else "mean"
    congested = result.congested_links()
    return Heat(design.revision, result.link_utilization(), scenario.summary, measure, congested=congested)
