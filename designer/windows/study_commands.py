"""Commands about studies: what takes more room and more runs than the simulation panel."""

from typing import TYPE_CHECKING

from designer.windows.actions import ActionRow
from designer.windows.document_commands import has_links

if TYPE_CHECKING:
    from designer.windows.main_window import MainWindow

SIMULATE = "Simulate"


def show_curve(window: "MainWindow") -> None:
    window.studies.show_study(window.studies.curve)
    window.focus_panel("studies")


ROWS: tuple[ActionRow, ...] = (
    ActionRow(
        "study.curve",
        "Bandwidth by Size…",
        "Ctrl+F5",
        "histogram",
        has_links,
        show_curve,
        SIMULATE,
        hint="Time and bandwidth from 8 B to 8 GiB, as nccl-tests prints them, for several algorithms and routings",
    ),
)
