"""The program from Python: open, generate, edit, save, validate, simulate, and what a notebook needs to plot.

What is named in `__all__` is public and keeps its meaning; nothing here needs Qt or a display. Verbs that change a
design return an Edit, which `design.apply(edit)` performs and `design.apply(edit.inverted())` takes back. Everything
that can go wrong raises a DesignerError whose message is one sentence. The guide is docs/python.md.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from designer.analysis.billing.bill import Bill
from designer.analysis.billing.spares import parse_spares
from designer.analysis.new_designs import new_design
from designer.analysis.renaming.renaming import RenameOptions, renaming
from designer.analysis.selecting.finder import Finder
from designer.analysis.summary import Summary, summarize
from designer.catalog.catalog import load as load_catalog
from designer.drawing.parts.document import SLIDE
from designer.drawing.run_heat import heat_of_run
from designer.errors import DesignerError, ParameterError, UnknownEntityError
from designer.exchange.bills.costs import bill_for
from designer.exchange.bills.options import BillOptions
from designer.exchange.diagram_options import FULL, SCREEN
from designer.exchange.diagram_svg import svg_of
from designer.exchange.exporters import EXPORTERS
from designer.graph.networkx_view import as_networkx
from designer.model import operations
from designer.model.design import Design
from designer.model.edit import Edit
from designer.model.entities import End
from designer.model.hardware.servers import ServerType
from designer.model.hardware.switches import SwitchType
from designer.regeneration.recipes import family_named
from designer.simulation import curve, designs
from designer.simulation.curve import Curve, sizes_from
from designer.simulation.explain.link_table import LinkTable, link_table
from designer.simulation.failures import sweep as failures
from designer.simulation.failures.survivors import as_numbered
from designer.simulation.failures.sweep import Sweep
from designer.simulation.result import Result
from designer.simulation.scenario import Scenario
from designer.storage import document
from designer.validation import engine
from designer.validation.findings import Report

__all__ = [
    "Bill",
    "Curve",
    "Design",
    "DesignerError",
    "Edit",
    "LinkTable",
    "Report",
    "Result",
    "Scenario",
    "Summary",
    "Sweep",
    "add",
    "as_networkx",
    "bandwidth",
    "bill",
    "connect",
    "delete",
    "export",
    "generate",
    "link_table",
    "open",
    "picture",
    "rename",
    "save",
    "select",
    "simulate",
    "summary",
    "sweep",
    "tag",
    "validate",
]

Progress = Callable[[float], None]


def open(path: Path | str) -> Design:
    """The design in a .fabric file. Raises FileFormatError, which names the place, and changes no file."""
    return document.load(path)


def save(design: Design, path: Path | str) -> None:
    """Write the design's file; what stood there is replaced in one step, whole or not at all. Raises SaveError."""
    document.save(design, path)


def generate(family: str, *, name: str = "", cables: str = "auto", **parameters: Any) -> Design:
    """A new design from a topology family: the names and parameters of the command line, with underscores.

    Without a `name` it is called after its fabric.
    Rates are numbers in Gb/s, dimensions tuples. `cables` says what is done once racks stand on the floor: "auto"
    routes and chooses cables and optics, "lengths" only routes, "none" neither. Raises ParameterError for what cannot
    be built, UnknownEntityError for a family or a type that there is not.
    """
    return new_design(family_named(family), parameters, load_catalog(), name, cables).design


def add(design: Design, type_id: str, name: str | None = None, *, x: float = 0.0, y: float = 0.0) -> Edit:
    """A new server with its NICs, or a switch, of a type of the design or the catalog; x and y in canvas units.

    Without a name it gets the next of its kind. Raises UnknownEntityError, and ParameterError for a type that is
    neither a server nor a switch.
    """
    types = {**load_catalog().types, **design.types}
    type_ = types.get(type_id) or load_catalog().get(type_id)
    if not isinstance(type_, ServerType | SwitchType):
        raise ParameterError(f"{type_id} is neither a server nor a switch")
    return operations.add_device(design, type_, x, y, catalog_types=types, name=name)


def connect(design: Design, a: str, b: str, count: int = 1) -> Edit:
    """Links between two devices, over the next free ports that match; or one between two ports named "leaf-01:7".

    Raises PortError, PortInUseError, PortMismatchError, NoFreePortError, ParameterError or UnknownEntityError.
    """
    end_a, end_b = _port(design, a), _port(design, b)
    if (end_a is None) != (end_b is None):
        raise ParameterError(f"{a} and {b} are a port and a device: name both ports, or both devices")
    if end_a is None or end_b is None:
        return operations.connect_devices(design, design.find(a).id, design.find(b).id, count)
    if count != 1:
        raise ParameterError(f"two ports take one link, not {count}")
    return operations.connect(design, end_a, end_b)


def delete(design: Design, *names: str) -> Edit:
    """Without the devices and links of these names, and what hangs on them: "leaf-01", "leaf-01:7", or any id.

    Raises UnknownEntityError.
    """
    ids: list[str] = []
    for name in names:
        end = _port(design, name)
        if design.entity(name) is not None:
            ids.append(name)
        elif end is not None:
            ids += design.links_at(end)
        else:
            ids.append(design.find(name).id)
    return operations.delete(design, ids)


def select(design: Design, expression: str) -> tuple[str, ...]:
    """Ids of what an expression such as "role:leaf su:2" fits, in design order. Raises DesignerError."""
    return Finder(design).find(expression).ids


def rename(design: Design, expression: str, pattern: str, **options: Any) -> Edit:
    """The edit that names what an expression fits by a pattern such as "leaf-{su}-r{rail:02}", in the order as drawn.

    `options` are the other fields of RenameOptions: start, find, replacement, ... Raises DesignerError where a name
    would be empty or used twice.
    """
    made = renaming(design, select(design, expression), RenameOptions(pattern=pattern, **options))
    if made.edit is None:
        raise ParameterError(made.summary)
    return made.edit


def tag(design: Design, expression: str, *tags: str) -> Edit:
    """The edit that adds tags to what an expression fits. Raises DesignerError."""
    return operations.add_tags(design, select(design, expression), tags)


def summary(design: Design) -> Summary:
    """Counts, oversubscription, bisection bandwidth, diameter, power and cost; None stands for what is not known."""
    return summarize(design)


def bill(design: Design, *, prices: Path | str | None = None, spares: str = "") -> Bill:
    """Every part to order, with spares as "cable:2%:1,transceiver:2%:2" and the prices of a price list, a CSV file.

    Raises ParameterError for spares and FileFormatError for a price list that cannot be read.
    """
    return bill_for(design, BillOptions(prices=str(prices or ""), spares=parse_spares(spares)))


def validate(design: Design) -> Report:
    """Every finding of every rule, errors first, and what could not be checked; the design is not changed."""
    return engine.validate(design)


def simulate(
    design: Design, scenario: Scenario | None = None, *, progress: Progress | None = None, **fields: Any
) -> Result:
    """What a collective or a traffic pattern does to the fabric: time, bandwidth, bottlenecks, loads of every link.

    Give a Scenario, or its fields: `collective="all-reduce", size_bytes=2**30`. `progress` hears the share done, 0 to
    1. Raises ParameterError for what makes no sense, GraphError for ranks that cannot reach each other.
    """
    return designs.simulate_design(design, _scenario(scenario, fields), progress)


def bandwidth(
    design: Design, scenario: Scenario | None = None, *, sizes: str | Sequence[float] = curve.USUAL_SIZES, **fields: Any
) -> Curve:
    """Time and bandwidth of a collective by size, as nccl-tests prints them; sizes in bytes, or as "8:8GiB"."""
    graph, asked = designs.graph_for(design, _scenario(scenario, fields))
    of = sizes_from(sizes) if isinstance(sizes, str) else tuple(sizes)
    return curve.curves(graph, [asked], of, design=design)[0]


def sweep(
    design: Design,
    scenario: Scenario | None = None,
    *,
    kind: str = "link",
    pairs: bool = False,
    progress: Progress | None = None,
    **fields: Any,
) -> Sweep:
    """The scenario with everything of a kind failed in turn, or every two together, the worst outcome first.

    `kind` is "link", "optic", "switch", "nic", "server", "rack" or "plane". Large sweeps use several processes, with
    the extra `cluster`. Raises ParameterError where the design has none of the kind, and what `simulate` raises.
    """
    asked = as_numbered(design, _scenario(scenario, fields))
    return (failures.pairs if pairs else failures.single)(design, asked, kind, progress)


def export(design: Design, path: Path | str, format: str, options: Mapping[str, str] | None = None) -> None:
    """Write a hand-over file; formats and options are those of `export --list`, but png and pdf, which need Qt.

    Raises ExportError for a format or option that there is not, and SaveError.
    """
    exporter = EXPORTERS.named(format)
    if exporter is None:
        names = ", ".join(one.name for one in EXPORTERS)
        raise ParameterError(f"there is no export format {format!r}; there is {names}")
    exporter.write(design, Path(path), options)


def picture(
    design: Design, result: Result | None = None, *, theme: str = "light", detail: Literal["screen", "full"] = "screen"
) -> str:
    """The diagram as the text of an SVG, its links colored by the peak utilization of a result where one is given.

    It shows what can be read in a window of 1600 pixels, and with `detail="full"` every name and label, to zoom in.
    Raises ExportError where there is nothing to draw, ParameterError for another detail.
    """
    if detail not in (SCREEN, FULL):
        raise ParameterError(f"detail should be {SCREEN} or {FULL}, not {detail!r}")
    heat = None if result is None else heat_of_run(design.revision, result, result.model.traffic)
    return svg_of(design, theme, heat, size=None if detail == FULL else SLIDE)


def _scenario(scenario: Scenario | None, fields: Mapping[str, Any]) -> Scenario:
    """The scenario with these fields changed, or one made of them."""
    try:
        return Scenario(**fields) if scenario is None else replace(scenario, **fields)
    except TypeError as error:
        raise ParameterError(f"a scenario has no such field: {error}") from None


def _port(design: Design, name: str) -> End | None:
    """The port that "leaf-01:7" names; None where the name is a device's. Raises UnknownEntityError."""
    device_name, colon, port = name.rpartition(":")
    if not colon or any(device.name == name for device in design.devices.values()):
        return None
    device = design.find(device_name)
    if port not in design.port_map(device.id):
        raise UnknownEntityError(f"{device.name} has no port {port!r}")
    return End(device.id, port)
