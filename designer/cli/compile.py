"""`compile`: the simulation as machine code, before somebody waits for it."""

import sys

import click

from designer.cli.main import tell
from designer.graph.compiled_files import is_complete, mark_complete
from designer.late import Late

engine = Late("designer.simulation.warm_up")

PERCENT = 100


@click.command("compile")
def command() -> None:
    """Compile the simulation for this machine, so that the first run answers at once.

    The result is kept in the user's cache folder. Does nothing if it is already there.
    """
    if is_complete():
        return

    label = "Compiling the simulation (once, about a minute)"
    with click.progressbar(length=PERCENT, label=label, file=sys.stderr) as bar:

        def show(share: float) -> None:
            bar.update(round(share * PERCENT) - bar.pos)

        engine.warm_up(show)
        show(1.0)
    if not mark_complete():
        tell("The compiled simulation could not be kept: the user's cache folder cannot be written.")
