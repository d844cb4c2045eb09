"""One hand-over format: what it is called, its options, and how its file is made and put in place."""

import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from designer.drawing.pages import Page
from designer.errors import DesignerError
from designer.exchange.options import Progress, read_options, unheard
from designer.late import Late
from designer.model.design import Design
from designer.process import Temporary
from designer.storage.saving import SaveError, reason, replace_file

if TYPE_CHECKING:
    from designer.exchange.plan_gaps import PlanGaps

plans = Late("designer.exchange.exporters_plan")

DRAWINGS, CABLES, PARTS = "Drawings", "Cables", "Parts"
GRAPHS, INVENTORY, INFINIBAND = "Graphs and diagrams", "Inventory", "InfiniBand"
SIMULATORS, DEPLOYMENT = "Simulators", "Deployment"
OTHER_TOOLS, ADDED = "Other tools", "Plug-ins"
GROUPS = (DRAWINGS, CABLES, PARTS, GRAPHS, INVENTORY, INFINIBAND, SIMULATORS, DEPLOYMENT, OTHER_TOOLS, ADDED)
"""Under what formats are listed, in this order; others follow by name."""


@dataclass(frozen=True, slots=True)
class Exporter:
    """A hand-over format. `render` makes the file in a place of its own; `write` puts it where it belongs.

    `render(design, path, options, progress)` takes a record of the format's own `options` type, whose fields are
    settings: `--option`, `export --list`, the docs and the form of the window are made of them. What takes longer than
    a second calls `progress` with the share done, which may raise Cancelled.
    """

    name: str
    title: str
    suffix: str
    options: type[Any]
    render: Callable[[Design, Path, Any, Progress], None]
    gaps: Callable[[Design], "PlanGaps"] | None = None
    """What the file will lack, where the format has facts that may be missing."""
    pages: Callable[[Design, Any, Progress], Sequence[Page]] | None = None
    """The pages of a drawing, each drawn when it is looked at, for preview and print; other files are read back."""
    group: str = OTHER_TOOLS
    """Under what the window lists it."""
    other_suffixes: tuple[str, ...] = ()
    """Where the suffix of the path chooses between kinds of file: the others that `render` can make."""
    about: str = ""
    """What the file is for, in a sentence."""
    outcome: Callable[[Design, Any], str] | None = None
    """What a written file says, in a line; reported after writing."""

    def read(self, texts: Mapping[str, str]) -> Any:
        """The options that texts by name stand for. Raises ExportError naming an option the format does not have."""
        return read_options(self.options, texts, self.name)

    def write(self, design: Design, path: Path, options: Any = None, progress: Progress = unheard) -> None:
        """Write the file, whole or not at all: what was there stays until the new one is complete.

        `options` are a record of the format's type, or texts by name, or None for the defaults. Raises ExportError for
        an option, and DesignerError or OSError where it cannot be written.
        """
        record = options if isinstance(options, self.options) else self.read(options or {})
        with tempfile.TemporaryDirectory(prefix="fabric-designer-") as folder, Temporary(folder):
            made = Path(folder) / path.name  # what cannot be written there is reported for the file that was asked for
            try:
                self.render(design, made, record, progress)
                data = made.read_bytes()
                progress(1.0)  # the last chance to stop
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


def rendered_by(find: Callable[[], Callable[..., None]], *, hears: bool = False) -> Callable[..., None]:
    """What renders a file by `write(design, path, options)`, found when it is first needed: its module loads late.

    With `hears`, `write` takes progress as well.
    """

    def render(design: Design, path: Path, options: Any, progress: Progress) -> None:
        find()(design, path, options, *((progress,) if hears else ()))

    return render


def said_by(find: Callable[[], Callable[[Design, Any], str]]) -> Callable[[Design, Any], str]:
    """What says of a written file, by a function of a module that loads late."""

    def outcome(design: Design, options: Any) -> str:
        return find()(design, options)

    return outcome
