"""The table of hand-over formats, from which the command line and the window's Export menu are built."""

import re
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from designer.errors import DesignerError, ExportError, PluginError
from designer.exchange.options import Options
from designer.late import Late
from designer.model.design import Design
from designer.plugins import Entry, Table, guarded, of_kind
from designer.process import Temporary
from designer.storage.saving import SaveError, reason, replace_file

if TYPE_CHECKING:
    from designer.exchange.plan_gaps import PlanGaps

plans = Late("designer.exchange.exporters_plan")
diagrams = Late("designer.exchange.exporters_svg")


@dataclass(frozen=True, slots=True)
class Option:
    """An option of a format; `values` says what may stand after the equals sign."""

    name: str
    values: str
    help: str


@dataclass(frozen=True, slots=True)
class Exporter:
    """A hand-over format. `render` makes the file in a place of its own; `write` puts it where it belongs."""

    name: str
    title: str
    suffix: str
    options: tuple[Option, ...]
    render: Callable[[Design, Path, Options], None]
    gaps: Callable[[Design], "PlanGaps"] | None = None
    """What the file will lack, where the format has facts that may be missing."""

    def check(self, options: Options) -> None:
        """Raises ExportError naming an option the format does not have."""
        known = [option.name for option in self.options]
        for name in options:
            if name not in known:
                offered = f"it has {', '.join(known)}" if known else "it has none"
                raise ExportError(f"{self.name} has no option {name!r}: {offered}")

    def write(self, design: Design, path: Path, options: Options) -> None:
        """Write the file, whole or not at all: what was there stays until the new one is complete.

        Raises ExportError for an option, and DesignerError or OSError where it cannot be written.
        """
        self.check(options)
        with tempfile.TemporaryDirectory(prefix="fabric-designer-") as folder, Temporary(folder):
            made = Path(folder) / path.name  # what cannot be written there is said of the file that was asked for
            try:
                self.render(design, made, options)
                data = made.read_bytes()
            except OSError as error:
                if isinstance(error, DesignerError):
                    raise
                raise SaveError(f"{path.name} could not be saved: {reason(error, made)}") from None
        if path.exists() and not path.is_file() and not path.is_dir():
            path.write_bytes(data)  # a pipe or a device: nothing there to keep
        else:
            replace_file(path, data)


def plan_gaps_of(design: Design) -> "PlanGaps":
    """What the design's cable plan lacks, as the shipped catalog and the design's own types allow it to be filled."""
    gaps: PlanGaps = plans.plan_gaps_of(design)
    return gaps


def _cable_plan(design: Design, path: Path, options: Options) -> None:
    plans.write_csv(design, path, options)


def _cable_plan_xlsx(design: Design, path: Path, options: Options) -> None:
    plans.write_xlsx(design, path, options)


def _svg(design: Design, path: Path, options: Options) -> None:
    diagrams.write_svg(design, path, options)


BOTH_WAYS = Option("both-ways", "yes|no", "list each link twice, once from each end")
DIAGRAM_OPTIONS = (
    Option("theme", "light|dark", "colours; default: light"),
    Option("heat", "COLLECTIVE[:ALGORITHM]|TRAFFIC", "colour the links by the load of this traffic"),
    Option("size", "BYTES", "size of that traffic; default: 1GiB"),
    Option("routing", "POLICY", "routing of that traffic; default: spray"),
    Option("networks", "NETWORK,...", "networks to draw, of compute, storage, in-band, oob; default: all"),
    Option("jobs", "yes|no", "colour the servers by the design's jobs; default: no"),
    Option("fail", "NAME[:PORT],...", "devices to mark as failed; the traffic of the heat avoids them"),
    Option("findings", "yes|no", "badges on what has errors or warnings; default: no"),
)

BUILT_IN: tuple[Exporter, ...] = (
    Exporter(
        "cable-plan",
        "Cable plan as CSV",
        ".csv",
        (BOTH_WAYS, Option("bom", "yes|no", "start with a byte order mark, which Excel needs")),
        _cable_plan,
        plan_gaps_of,
    ),
    Exporter("cable-plan-xlsx", "Cable plan as workbook", ".xlsx", (BOTH_WAYS,), _cable_plan_xlsx, plan_gaps_of),
    Exporter("svg", "Diagram as SVG", ".svg", DIAGRAM_OPTIONS, _svg),
)


def _accept(row: object, entry: Entry) -> Exporter:
    exporter = of_kind(row, Exporter)
    if not re.fullmatch(r"\.[a-z0-9]{1,16}", exporter.suffix):
        raise PluginError(f"its suffix {exporter.suffix!r} should look like .csv")
    gaps = None if exporter.gaps is None else guarded(exporter.gaps, entry)
    return replace(exporter, render=guarded(exporter.render, entry), gaps=gaps)


EXPORTERS: Table[Exporter] = Table("fabric_designer.exporters", BUILT_IN, _accept, reserved=("png", "pdf"))
"""Formats that need no window, those of plug-ins too; PNG is the canvas's and joins in designer.cli.png."""
