"""Entry of the command line: the table of commands, and the edge where every error becomes one sentence."""

import difflib
import importlib
import logging
import os
import sys
import traceback
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TextIO

import click

from designer import plugins
from designer.errors import DesignerError, ExportError, missing_package
from designer.model.shown_text import visible, visible_line
from designer.paths import user_state_dir
from designer.process import INTERRUPTED
from designer.version import version_text

PROGRAM = "fabric-designer"
DONE, FOUND_ERRORS, UNUSABLE = 0, 1, 2
"""Exit codes: done; done, and it found errors; unusable arguments or file. INTERRUPTED is another."""

COMPILER = "designer.graph.compiler"
"""The logger that says when kernels are compiled."""


@dataclass(frozen=True, slots=True)
class CommandRow:
    """A command: its help line stands here so that listing the commands loads none of them."""

    name: str
    module: str
    help: str


COMMANDS: tuple[CommandRow, ...] = (
    CommandRow("generate", "designer.cli.generate", "Make a design from parameters."),
    CommandRow("prepare", "designer.cli.prepare", "Place racks, route cables, choose cables and optics."),
    CommandRow("arrange", "designer.cli.arrange", "Lay out the boxes of a design again."),
    CommandRow("info", "designer.cli.info", "Counts, tiers, oversubscription, bisection, diameter, power."),
    CommandRow("cost", "designer.cli.cost", "Capital by price lists, power and cooling over years, shares, unknowns."),
    CommandRow("phases", "designer.cli.phases", "Growth in phases: what each buys, moves, unplugs, costs and takes."),
    CommandRow("list", "designer.cli.list_", "List devices, racks, links and NICs, all or those an expression fits."),
    CommandRow("rename", "designer.cli.rename", "Rename what an expression selects, by a pattern or from a list."),
    CommandRow("matrix", "designer.cli.matrix", "Links between leaf switches and spines and the like, cell by cell."),
    CommandRow("diff", "designer.cli.diff", "What was added, removed, moved and changed between two designs."),
    CommandRow("merge", "designer.cli.merge", "Merge what two people made of one design; exit code 1 with conflicts."),
    CommandRow("validate", "designer.cli.validate", "Check whether a design can be built; exit code 1 if not."),
    CommandRow("fix", "designer.cli.fix", "Apply the fixes of the findings, where they raise no new ones."),
    CommandRow("rules", "designer.cli.rules", "The rules of the validation: what they find, why, what to do."),
    CommandRow("simulate", "designer.cli.simulate", "Run a collective or a traffic pattern; loads, times, hot links."),
    CommandRow("paths", "designer.cli.paths", "List the paths between two places that a routing uses, hop by hop."),
    CommandRow("queues", "designer.cli.queues", "Queues, pauses and tails at bottlenecks of lossless Ethernet."),
    CommandRow("place", "designer.cli.place", "Find the servers and the rank order with which a job takes least time."),
    CommandRow("advise", "designer.cli.advise", "Say what would make a run faster, each change computed by a run."),
    CommandRow(
        "train", "designer.cli.train", "Estimate a training step: where its time goes, tokens per second, days."
    ),
    CommandRow(
        "infer", "designer.cli.infer", "Bound how fast a fabric serves a model: first token, each token, requests."
    ),
    CommandRow("calibrate", "designer.cli.calibrate", "Fit a library's model to logs measured on a design."),
    CommandRow("accept", "designer.cli.accept", "Write what a built fabric should measure; say why it measures less."),
    CommandRow("explore", "designer.cli.explore", "Search many fabrics for the best under a budget and other limits."),
    CommandRow("export", "designer.cli.export", "Write a cable plan or a diagram."),
    CommandRow("pack", "designer.cli.pack", "Write the whole hand-over of a design into one file."),
    CommandRow("import", "designer.cli.import_", "Make a design from another tool's files."),
    CommandRow("compile", "designer.cli.compile", "Compile the simulation, so that the first run answers at once."),
    CommandRow("catalog", "designer.cli.catalog", "Hardware types: list, show, import types of your own."),
)


class _Commands(click.Group):
    """A group that loads a command when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [row.name for row in COMMANDS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        for row in COMMANDS:
            if row.name == cmd_name:
                command: click.Command = importlib.import_module(row.module).command
                return command
        return None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(row.name, row.help) for row in COMMANDS])


def _show_version(ctx: click.Context, _parameter: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        say("\n".join([f"{PROGRAM} {version_text()}", *(f"plug-in {line}" for line in plugins.summary())]))
        ctx.exit()


@click.group(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
    subcommand_metavar="COMMAND [OPTIONS]",
    options_metavar="",
    epilog=f"{PROGRAM} [FILE ...] without a command opens the window, with a tab for each file. "
    "Exit codes: 0 done; 1 done, and it found errors; 2 unusable arguments or file; 130 interrupted.",
)
@click.option(
    "--version",
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=_show_version,
    help="Show the version, the commit and the plug-ins.",
)
def commands() -> None:
    """Draw the network of a GPU cluster, check it, and see what collective traffic does to it."""


def run(arguments: Sequence[str]) -> int:
    """Perform a command line and return its exit code. What goes wrong is one sentence on stderr, never a traceback."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")
    _report_compiling()
    try:
        code = commands.main(list(arguments), prog_name=PROGRAM, standalone_mode=False)
        _put("")
        return code if isinstance(code, int) else DONE
    except click.UsageError as error:
        return _misused(error)
    except click.ClickException as error:
        return _refuse(error.format_message())
    except (click.Abort, KeyboardInterrupt):
        _refuse("interrupted")
        return INTERRUPTED
    except SystemExit:  # how click leaves where a reader of its help went away
        _drop(sys.stdout)
        return DONE
    except DesignerError as error:
        return _refuse(str(error))
    except MemoryError:
        return _refuse("the computation needs more memory than there is")
    except OSError as error:
        return _refuse(os_sentence(error))
    except ImportError as error:
        stated = missing_package(error)
        return _refuse(stated or f"something went wrong inside the program (ImportError){_kept_traceback()}")
    except Exception as error:  # the outer edge: a defect of the program, not of the input
        return _refuse(f"something went wrong inside the program ({type(error).__name__}){_kept_traceback()}")


def refuse_word(word: str) -> int:
    """Says that a word is neither a file nor a command, and which command may have been meant."""
    near = difflib.get_close_matches(word, [row.name for row in COMMANDS], n=1)
    return _refuse(f"there is no file and no command {word!r}" + (f"; did you mean {near[0]}?" if near else ""))


def say(text: str) -> None:
    """Print to stdout. A reader that went away is not an error: the rest goes nowhere. Raises ExportError."""
    _put(visible(text) + "\n")


def tell(text: str) -> None:
    """A message to stderr, apart from the output itself; nowhere where nobody can hear it."""
    try:
        print(visible_line(text), file=sys.stderr, flush=True)
    except OSError:
        _drop(sys.stderr)


def os_sentence(error: OSError) -> str:
    """ "out/plan.csv: No space left on device"."""
    reason = error.strerror or str(error) or type(error).__name__
    return f"{error.filename}: {reason}" if error.filename is not None else f"cannot go on: {reason}"


class _Told(logging.Handler):
    """Messages go to stderr."""

    def emit(self, record: logging.LogRecord) -> None:
        tell(record.getMessage())


def _report_compiling() -> None:
    """Say on the terminal that the simulation is being compiled, where somebody waits for it."""
    if not sys.stderr.isatty():
        return
    logger = logging.getLogger(COMPILER)
    logger.setLevel(logging.INFO)
    logger.handlers = [_Told()]


def _put(text: str) -> None:
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        _drop(sys.stdout)
    except OSError as error:
        _drop(sys.stdout)
        raise ExportError(f"the output could not be written: {error.strerror}") from None


def _drop(stream: TextIO) -> None:
    """Later writes, and the flush at exit, go nowhere instead of failing again."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, stream.fileno())
    except (OSError, ValueError):
        name = "stdout" if stream is sys.stdout else "stderr"
        setattr(sys, name, open(nowhere, "w"))  # noqa: SIM115, PTH123  (a descriptor)
    else:
        os.close(nowhere)


def _misused(error: click.UsageError) -> int:
    """What a command line without a command lacks, as its help; else the fault and where the help is."""
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        for line in error.format_message().splitlines():
            tell(line)
        return UNUSABLE
    where = error.ctx.command_path if error.ctx is not None else PROGRAM
    return _refuse(f"{error.format_message().rstrip('.')}; see {where} --help")


def _refuse(message: str) -> int:
    """One sentence on stderr; the code of unusable input."""
    tell(f"{PROGRAM}: {' '.join(message.split())}")
    try:
        sys.stdout.flush()
    except OSError:
        _drop(sys.stdout)
    return UNUSABLE


def _kept_traceback() -> str:
    """Writes the traceback to the log and says where; says nothing where no log can be written."""
    log = user_state_dir() / "last-error.txt"
    try:
        log.parent.mkdir(parents=True, exist_ok=True)
        log.write_text(traceback.format_exc(), encoding="utf-8")
    except OSError:
        return ""
    return f"; details are in {log}"
