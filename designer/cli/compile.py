"""`compile`: the simulation as machine code, before somebody waits for it."""

import logging
import os
import sys

import click

from designer.cli.main import COMPILER, tell
from designer.graph.compiled_files import is_complete, mark_complete, private_folder
from designer.late import Late
from designer.paths import compiled_dir

engine = Late("designer.warm_up")

PERCENT = 100
LOWEST_PRIORITY = 19
NOT_KEPT = (
    "The compiled simulation could not be kept: the user's cache folder cannot be written, or others may write it."
)


@click.command("compile")
@click.option("--low-priority", is_flag=True, help="Let all other programs go first.")
def command(low_priority: bool) -> None:
    """Compile the simulation for this machine, so that the first run answers at once.

    The result is kept in the user's cache folder. Does nothing if it is already there.
    """
    if is_complete():
        return
    if private_folder(compiled_dir()) is None:
        tell(NOT_KEPT)
        return
    if low_priority and hasattr(os, "nice"):
        os.nice(LOWEST_PRIORITY)

    logging.getLogger(COMPILER).setLevel(logging.WARNING)  # the bar says it
    label = "Compiling the simulation (once, about a minute)"
    with click.progressbar(length=PERCENT, label=label, file=sys.stderr) as bar:

        def show(share: float) -> None:
            bar.update(round(share * PERCENT) - bar.pos)

        engine.warm_up(show)
        show(1.0)
    if not mark_complete():
        tell(NOT_KEPT)
