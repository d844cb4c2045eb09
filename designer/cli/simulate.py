"""`simulate FILE`: a collective or a traffic pattern over the fabric; loads, times, hot links."""

import re
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import click

from designer.cli.files import check_output, open_design
from designer.cli.options import (
    CONSTANTS_OPTION,
    FORCE_OPTION,
    PATH,
    Beside,
    constants_wanted,
    laid_out,
    option_of,
    reading,
    whole_number,
)
from designer.errors import ParameterError
from designer.exchange.infiniband.routings import routed
from designer.fields import kinds
from designer.fields.field import fields_of
from designer.late import Late
from designer.model.design import Design
from designer.simulation.catalogue import IDEAL
from designer.simulation.failures.request import RATES
from designer.simulation.jobs.job import Job
from designer.simulation.scenario import Scenario, Traffic
from designer.simulation.traffic.texts import RANKS_USAGE, algorithm_and_dims
from designer.workers.where import Where

curve = Late("designer.simulation.curve")
once = Late("designer.cli.simulate_once")
metrics = Late("designer.cli.simulate_metrics")
jobs = Late("designer.cli.simulate_jobs")
sizes = Late("designer.cli.simulate_sizes")
sweeps = Late("designer.cli.simulate_sweep")
impact = Late("designer.cli.simulate_impact")

LINKS_SHOWN = 20
METRICS = ("csv", "prometheus", "parquet")
"""Formats for other programs, with all links unless --links says how many."""


def links_wanted(text: str) -> int | None:
    """20 from "top:20", None from "all"."""
    if text == "all":
        return None
    match = re.fullmatch(r"top:([0-9]{1,9})", text)
    if match is None:
        raise ParameterError(f"{text!r} is neither all nor top:N")
    return int(match[1])


def sweep_wanted(text: str) -> tuple[str, str]:
    """("single", "link") from "single-link", ("monte-carlo", "1000") from "monte-carlo:1000". Raises ParameterError."""
    name, colon, number = text.partition(":")
    if name == "monte-carlo" and colon:
        whole_number(number)
        return name, number
    way, dash, kind = text.partition("-")
    if dash and way in ("single", "pairs") and kind in RATES:
        return way, kind
    names = ", ".join(RATES)
    raise ParameterError(f"{text!r} is not a sweep: write single-KIND, pairs-KIND (of {names}) or monte-carlo:SAMPLES")


def sizes_wanted(text: str) -> tuple[int, ...]:
    """Sizes in bytes from FROM:TO or FROM:TO:FACTOR, as "8:8GiB". Raises ParameterError."""
    sizes_bytes: tuple[int, ...] = curve.sizes_from(text)
    return sizes_bytes


def rates_wanted(_ctx: click.Context, _parameter: click.Parameter, values: tuple[str, ...]) -> dict[str, float]:
    """Failure rates by kind, as shares, from texts like "link=0.001". Raises click.BadParameter."""
    rates: dict[str, float] = {}
    for text in values:
        kind, _, number = text.partition("=")
        try:
            rates[kind] = kinds.parse_share(number)
        except ParameterError:
            raise click.BadParameter(f"{text!r} is not a rate: write it like link=0.001") from None
        if kind not in RATES:
            raise click.BadParameter(f"there is nothing called {kind!r} to fail; there is {', '.join(RATES)}")
    return rates


JOB_FIELDS = (
    "name",
    *(field.key for field in fields_of(Traffic).values()),
    *(f"{field.key} ({field.metavar})" for field in fields_of(Job).values()),
)
BESIDE: Beside = {
    "collective": ("algorithm",),
    "model": (CONSTANTS_OPTION,),
    "size_bytes": (
        click.Option(
            ["--sizes"],
            metavar="FROM:TO[:FACTOR]",
            callback=reading(sizes_wanted),
            help="In place of --size: a table by size as nccl-tests prints it, 8:8GiB; --algorithm and --routing "
            "may then be lists separated by commas.",
        ),
        click.Option(
            ["--measured"],
            multiple=True,
            type=PATH,
            metavar="LOG",
            help="With --sizes: how far the times of this log of nccl-tests, rccl-tests, OSU or perftest are from the "
            "predicted ones; repeatable.",
        ),
        "routing",
        "seed",
    ),
    "exact": (
        click.Option(
            ["--links", "n_links"],
            default=f"top:{LINKS_SHOWN}",
            show_default=True,
            metavar="top:N|all",
            callback=reading(links_wanted),
            help="How many links to list, the hottest first.",
        ),
    ),
    "failed": (
        click.Option(
            ["--through"],
            metavar="NAME:PORT",
            help="Show why a link is hot: list the flows that leave through this port, and its parallel links.",
        ),
        click.Option(
            ["--compare"],
            is_flag=True,
            help="With --fail: compare with the healthy fabric; ranks that are cut off are left out and counted.",
        ),
        click.Option(
            ["--sweep"],
            metavar="SWEEP",
            callback=reading(sweep_wanted),
            help="Fail everything of one kind in turn: single-link, single-optic, single-switch, single-nic, "
            "single-server, single-rack, single-plane; every pair: pairs-link, ...; or monte-carlo:SAMPLES at "
            "the --failure-rate of each kind.",
        ),
        click.Option(
            ["--failure-rate", "rates"],
            multiple=True,
            metavar="KIND=RATE",
            callback=rates_wanted,
            help="For monte-carlo: the probability that one of a kind fails, such as link=0.001; repeatable.",
        ),
        *(option_of(field) for field in fields_of(Where).values()),
        click.Option(
            ["--job", "job_texts"],
            multiple=True,
            metavar="FIELDS",
            help="One of several jobs that run at once, such as name=train,collective=all-reduce,ranks=0-63,size=1GiB; "
            f"repeatable. Ranks may be a list, as {RANKS_USAGE}. "
            f"Fields: {', '.join(JOB_FIELDS)}; for what a job leaves out, the options of the command apply.",
        ),
        click.Option(
            ["--jobs", "job_files"], multiple=True, type=PATH, metavar="FILE", help="Jobs from a YAML or JSON file."
        ),
        click.Option(
            ["--design-jobs"], is_flag=True, help="The jobs of the design, in addition to those of --job and --jobs."
        ),
    ),
}
"""What the help lists after an option of the scenario, by its field: the command's own, and fields out of order."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What the command line asks for; `values` are those of the scenario."""

    file: Path
    values: dict[str, Any]
    format_: str
    n_links: int | None
    sizes: tuple[int, ...] | None
    measured: tuple[Path, ...]
    through: str | None
    compare: bool
    sweep: tuple[str, str] | None
    rates: dict[str, float]
    job_texts: tuple[str, ...]
    job_files: tuple[Path, ...]
    design_jobs: bool
    scheduler: str
    workers: int | None
    output: Path | None
    folder: Path | None
    force: bool

    @property
    def where(self) -> Where:
        """Who does the work of a sweep. Raises ParameterError."""
        return Where(self.scheduler, self.workers)


@click.command(
    params=[
        click.Argument(["file"], type=PATH),
        *laid_out({name: option_of(field) for name, field in fields_of(Scenario).items()}, BESIDE),
    ]
)
@click.option(
    "--format",
    "format_",
    type=click.Choice(["text", "json", *METRICS]),
    default="text",
    show_default=True,
    help="What to print; csv, prometheus and parquet have all links, unless --links says how many.",
)
@click.option("-o", "--output", type=PATH, metavar="FILE", help="With csv, prometheus or parquet: the file to write.")
@click.option(
    "--tensorboard",
    "folder",
    type=PATH,
    metavar="FOLDER",
    help="Add the run, or with --sizes each curve, to a folder of runs that TensorBoard reads.",
)
@FORCE_OPTION
def command(file: Path, **given: Any) -> None:
    """Run a collective or a traffic pattern over the fabric: time, bandwidth, hot links, and why."""
    values = {name: given.pop(name) for name in fields_of(Scenario)} | constants_wanted(given.pop("constants"))
    if given["sizes"] is None:  # else there may be several, with commas between
        values = routed(values)
    asked = Asked(file=file, values=values, **given)
    _check_model(asked)
    _check_metrics(asked)
    if asked.job_texts or asked.job_files or asked.design_jobs:
        _run_jobs(asked)
        return
    if (values["collective"] is None) == (values["traffic"] is None):
        raise click.UsageError("Give either --collective or --traffic, or --design-jobs to run the jobs of the design.")
    if (values["size_bytes"] is None) == (asked.sizes is None):
        raise click.UsageError("Give either --size or --sizes.")
    if asked.sizes is not None:
        _run_sizes(asked, asked.sizes)
        return
    if asked.measured:
        raise click.UsageError("--measured goes with --sizes.")
    values["algorithm"], values["dims"] = algorithm_and_dims(values["algorithm"])
    if asked.sweep is not None and asked.through is not None:
        raise click.UsageError("--through looks at one run: leave out --sweep, or name the failure with --fail.")
    scenario = Scenario(**values)
    design = open_design(file)
    if asked.sweep is not None:
        _run_sweep(asked, design, scenario, asked.sweep)
    elif asked.rates:
        raise click.UsageError("--failure-rate goes with --sweep monte-carlo:SAMPLES.")
    elif asked.compare:
        _run_compared(asked, design, scenario)
    else:
        _run_once(asked, design, scenario)


def _check_metrics(asked: Asked) -> None:
    """Raises UsageError for formats and files of a single run that are asked of something else."""
    is_metrics = asked.format_ in METRICS
    if asked.output is not None:
        if not is_metrics:
            raise click.UsageError(f"-o goes with --format {', '.join(METRICS)}.")
        check_output(asked.output, asked.force)
    others = {
        "--sweep": asked.sweep is not None,
        "--compare": asked.compare,
        "--through": asked.through is not None,
        "--job, --jobs and --design-jobs": bool(asked.job_texts or asked.job_files or asked.design_jobs),
        "--sizes": asked.sizes is not None and is_metrics,
    }
    for name, is_given in others.items():
        if is_given and (is_metrics or asked.folder is not None):
            wanted = f"--format {asked.format_}" if is_metrics else "--tensorboard"
            raise click.UsageError(f"{wanted} writes one run: leave it out with {name}.")


def _run_once(asked: Asked, design: Design, scenario: Scenario) -> None:
    keep = None
    if asked.folder is not None:
        keep = partial(metrics.add_run, design, scenario, asked.folder, asked.force)
    if asked.format_ in METRICS:
        source = click.get_current_context().get_parameter_source("n_links")
        n_links = asked.n_links if source is click.core.ParameterSource.COMMANDLINE else None
        metrics.run_metrics(design, scenario, asked.format_, n_links, asked.output, keep)
    else:
        once.run_once(design, scenario, asked.through, asked.n_links, asked.format_, keep)


def _check_model(asked: Asked) -> None:
    """Raises UsageError for what a library's model does not give."""
    others = {
        "--sweep": asked.sweep is not None,
        "--compare": asked.compare,
        "--through": asked.through is not None,
        "--job, --jobs and --design-jobs": bool(asked.job_texts or asked.job_files or asked.design_jobs),
    }
    model = asked.values["model"]
    for name, is_given in others.items():
        if is_given and model != IDEAL:
            raise click.UsageError(f"--model {model} gives times of one run: leave it out with {name}.")


def _run_jobs(asked: Asked) -> None:
    if asked.sweep is not None or asked.sizes is not None or asked.through is not None or asked.rates:
        raise click.UsageError("jobs go with none of --sweep, --sizes, --through, --failure-rate.")
    jobs.run_jobs(
        asked.file, asked.job_texts, asked.job_files, asked.design_jobs, asked.values, asked.n_links, asked.format_
    )


def _run_sizes(asked: Asked, sizes_bytes: tuple[int, ...]) -> None:
    if asked.sweep is not None or asked.through is not None:
        raise click.UsageError("--sweep and --through take one --size.")
    design = open_design(asked.file)
    keep = None if asked.folder is None else partial(metrics.add_curves, design, asked.folder, asked.force)
    sizes.run_sizes(design, asked.values, sizes_bytes, asked.measured, asked.format_, keep)


def _run_sweep(asked: Asked, design: Design, scenario: Scenario, sweep: tuple[str, str]) -> None:
    sweeps.run_sweep(design, scenario, sweep, asked.rates, (asked.n_links, asked.format_), asked.where)


def _run_compared(asked: Asked, design: Design, scenario: Scenario) -> None:
    if not scenario.failed:
        raise click.UsageError("--compare goes with --fail NAME.")
    impact.run_compared(design, scenario, asked.n_links, asked.format_)
