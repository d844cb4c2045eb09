"""`simulate FILE`: a collective or a traffic pattern over the fabric; loads, times, hot links."""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click

from designer.cli.files import open_design
from designer.cli.json_text import json_text
from designer.cli.main import say
from designer.cli.options import DESIGN_ARGUMENT, FORMAT_OPTION, PATH, reading, whole_number
from designer.errors import ParameterError
from designer.model.networks import COMPUTE, NETWORKS
from designer.simulation.catalogue import (
    CHUNK_BYTES,
    CHUNKED,
    COLLECTIVES,
    CONGESTIONS,
    IN_NETWORK,
    ORDERS,
    PATTERNS,
    ROUTINGS,
    CollectiveRow,
    PatternRow,
    RoutingRow,
)
from designer.simulation.scenario import MEMORY_LIMIT_BYTES, Scenario, algorithm_and_dims
from designer.simulation.traffic.rank_lists import RANKS_USAGE, read_ranks
from designer.tables.columns import as_json
from designer.units import format_memory, format_size, parse_size

LINKS_SHOWN = 20


def links_wanted(text: str) -> int | None:
    """20 from "top:20", None from "all"."""
    if text == "all":
        return None
    match = re.fullmatch(r"top:([0-9]{1,9})", text)
    if match is None:
        raise ParameterError(f"{text!r} is neither all nor top:N")
    return int(match[1])


def efficiency_wanted(text: str) -> float | None:
    """None from "auto": by protocol and MTU."""
    if text == "auto":
        return None
    try:
        efficiency = float(text)
    except ValueError:
        efficiency = 0.0
    if not 0 < efficiency <= 1:
        raise ParameterError(f"{text!r} is neither auto nor a number above 0 and up to 1")
    return efficiency


def _names(rows: Iterable[CollectiveRow | PatternRow | RoutingRow]) -> str:
    """ "shift:DISTANCE, incast:SENDERS, broadcast"."""
    parameters = ((row.name, getattr(row, "parameter", "").upper()) for row in rows)
    return ", ".join(f"{name}:{parameter}" if parameter else name for name, parameter in parameters)


SWEEP_KINDS = ("link", "optic", "switch", "nic", "server", "rack", "plane")


def sweep_wanted(text: str) -> tuple[str, str]:
    """("single", "link") from "single-link", ("monte-carlo", "1000") from "monte-carlo:1000". Raises ParameterError."""
    name, colon, number = text.partition(":")
    if name == "monte-carlo" and colon:
        whole_number(number)
        return name, number
    way, dash, kind = text.partition("-")
    if dash and way in ("single", "pairs") and kind in SWEEP_KINDS:
        return way, kind
    kinds = ", ".join(SWEEP_KINDS)
    raise ParameterError(f"{text!r} is not a sweep: write single-KIND, pairs-KIND (of {kinds}) or monte-carlo:SAMPLES")


def sizes_wanted(text: str) -> tuple[int, ...]:
    from designer.simulation.curve import sizes_from

    return sizes_from(text)


def rates_wanted(_ctx: click.Context, _parameter: click.Parameter, values: tuple[str, ...]) -> dict[str, float]:
    rates: dict[str, float] = {}
    for text in values:
        kind, _, number = text.partition("=")
        try:
            rates[kind] = float(number)
        except ValueError:
            raise click.BadParameter(f"{text!r} is not a rate: write it like link=0.001") from None
        if kind not in SWEEP_KINDS:
            raise click.BadParameter(f"there is nothing called {kind!r} to fail; there is {', '.join(SWEEP_KINDS)}")
    return rates


ALGORITHM_NAMES = ", ".join(dict.fromkeys(name for row in COLLECTIVES for name in row.algorithms))
CHUNK_HELP = (
    f"What {', '.join(CHUNKED)} pass on at a time; {format_size(CHUNK_BYTES)} if not given, less in trees for "
    f"small buffers."
)
REDUCTION_HELP = (
    f"All-reduce by {', '.join(IN_NETWORK)}: switches add up (SHARP, NVLS), and every rank sends its buffer once."
)
ALGORITHM_HELP = (
    f"{ALGORITHM_NAMES}; the collective's own where not given. Ranks that fill no torus take dimensions: bucket:16x16."
)


@click.command()
@DESIGN_ARGUMENT
@click.option("--collective", metavar="C", help=f"One of {_names(COLLECTIVES)}.")
@click.option("--algorithm", metavar="A", help=ALGORITHM_HELP)
@click.option("--traffic", metavar="T", help=f"One of {_names(PATTERNS)}; A+B for several at once.")
@click.option(
    "--size",
    "size_bytes",
    metavar="BYTES",
    callback=reading(parse_size),
    help="Buffer per rank of a collective, as nccl-tests counts it, or bytes of each flow: 1GiB, 64M, 1000000.",
)
@click.option(
    "--sizes",
    metavar="FROM:TO[:FACTOR]",
    callback=reading(sizes_wanted),
    help="In place of --size: a table by size as nccl-tests prints it, 8:8GiB; --algorithm and --routing may then be "
    "several, with commas between.",
)
@click.option("--routing", default="spray", show_default=True, metavar="POLICY", help=f"{_names(ROUTINGS)}.")
@click.option("--seed", default="0", metavar="N", callback=reading(whole_number), help="For hashes and random orders.")
@click.option(
    "--ranks", metavar="N|LIST|FILE", callback=reading(read_ranks), help="The first N GPUs, or a list: 0-7,16,18-20."
)
@click.option("--order", default="design", show_default=True, metavar="ORDER", help=f"{', '.join(ORDERS)}.")
@click.option("--channels", metavar="N", callback=reading(whole_number), help="Rings at once; default: one per NIC.")
@click.option(
    "--chunk",
    "chunk_bytes",
    metavar="BYTES",
    callback=reading(parse_size),
    help=CHUNK_HELP,
)
@click.option("--in-network-reduction", is_flag=True, help=REDUCTION_HELP)
@click.option(
    "--congestion",
    default="none",
    show_default=True,
    metavar="|".join(row.name for row in CONGESTIONS),
    help="Whether a full port also slows flows that do not use it, over the cables that it pauses.",
)
@click.option(
    "--efficiency",
    default="auto",
    show_default=True,
    metavar="auto|NUMBER",
    callback=reading(efficiency_wanted),
    help="Payload share of the line rate.",
)
@click.option(
    "--latency", type=click.Choice(["auto", "none"]), default="auto", show_default=True, help="none leaves latency out."
)
@click.option(
    "--memory-limit",
    "memory_limit_bytes",
    default=format_memory(MEMORY_LIMIT_BYTES).replace(" ", ""),
    show_default=True,
    metavar="BYTES",
    callback=reading(parse_size),
    help="Refuse a run whose flows would take more memory, with the figure: 16GB.",
)
@click.option("--exact", is_flag=True, help="Do not merge flow ends that are close together.")
@click.option(
    "--links",
    "n_links",
    default=f"top:{LINKS_SHOWN}",
    show_default=True,
    metavar="top:N|all",
    callback=reading(links_wanted),
    help="How many links to list, the hottest first.",
)
@click.option(
    "--fail",
    "failed",
    multiple=True,
    metavar="NAME[:PORT]",
    help="A device, or the link on a port, to mark as failed; repeatable.",
)
@click.option(
    "--through",
    metavar="NAME:PORT",
    help="Why a link is hot: list the flows that leave through this port, and its parallel links.",
)
@click.option(
    "--compare",
    is_flag=True,
    help="With --fail: compare with the healthy fabric; ranks that are cut off are left out and counted.",
)
@click.option(
    "--sweep",
    metavar="SWEEP",
    callback=reading(sweep_wanted),
    help="Fail everything in turn: single-link, single-optic, single-switch, single-nic, single-server, single-rack, "
    "single-plane; "
    "pairs-link, ...; or monte-carlo:SAMPLES at the --failure-rate of each kind.",
)
@click.option(
    "--failure-rate",
    "rates",
    multiple=True,
    metavar="KIND=RATE",
    callback=rates_wanted,
    help="For monte-carlo: the probability that one of a kind fails, as link=0.001; repeatable.",
)
@click.option(
    "--job",
    "job_texts",
    multiple=True,
    metavar="FIELDS",
    help="One of several jobs that run at once, as name=train,collective=all-reduce,ranks=0-63,size=1GiB; repeatable. "
    f"Ranks may be a list, as {RANKS_USAGE}. "
    "Fields: name, collective, traffic, algorithm, size, ranks, order, channels, chunk, in-network-reduction, "
    "start (2ms), loop (yes, or no); what a job does not say is as given by the options.",
)
@click.option("--jobs", "job_files", multiple=True, type=PATH, metavar="FILE", help="Jobs from a YAML or JSON file.")
@click.option("--design-jobs", is_flag=True, help="The jobs of the design, in addition to those of --job and --jobs.")
@click.option(
    "--network",
    type=click.Choice(NETWORKS),
    default=COMPUTE,
    show_default=True,
    help="Which network carries it; a GPU reaches others over its server's ports for that network.",
)
@FORMAT_OPTION
def command(
    file: Path,
    collective: str | None,
    traffic: str | None,
    latency: str,
    n_links: int | None,
    format_: str,
    sweep: tuple[str, str] | None,
    rates: dict[str, float],
    size_bytes: int | None,
    sizes: tuple[int, ...] | None,
    through: str | None,
    compare: bool,
    job_texts: tuple[str, ...],
    job_files: tuple[Path, ...],
    design_jobs: bool,
    **choices: Any,
) -> None:
    """Run a collective or a traffic pattern over the fabric: time, bandwidth, hot links, and why."""
    if job_texts or job_files or design_jobs:
        if sweep is not None or sizes is not None or through is not None or rates:
            raise click.UsageError("jobs go with none of --sweep, --sizes, --through, --failure-rate.")
        from designer.cli.simulate_jobs import run_jobs

        choices |= {"collective": collective, "traffic": traffic, "size_bytes": size_bytes}
        common = choices | {"latency": latency == "auto"}
        run_jobs(file, job_texts, job_files, design_jobs, common, n_links, format_)
        return
    if (collective is None) == (traffic is None):
        raise click.UsageError("Give either --collective or --traffic, or --design-jobs to run the jobs of the design.")
    if (size_bytes is None) == (sizes is None):
        raise click.UsageError("Give either --size or --sizes.")
    choices |= {"collective": collective, "traffic": traffic, "latency": latency == "auto"}
    if sizes is not None:
        if sweep is not None or through is not None:
            raise click.UsageError("--sweep and --through take one --size.")
        from designer.cli.simulate_sizes import run_sizes

        run_sizes(open_design(file), choices, sizes, format_)
        return
    choices["algorithm"], choices["dims"] = algorithm_and_dims(choices["algorithm"])
    if sweep is not None and through is not None:
        raise click.UsageError("--through looks at one run: leave out --sweep, or name the failure with --fail.")
    scenario = Scenario(**{**choices, "size_bytes": size_bytes})
    design = open_design(file)
    if sweep is not None:
        from designer.cli.simulate_sweep import run_sweep
        from designer.simulation.failures.survivors import as_numbered

        scenario = as_numbered(design, scenario)
        run_sweep(design, scenario, sweep, rates, n_links, format_)
        return
    if rates:
        raise click.UsageError("--failure-rate goes with --sweep monte-carlo:SAMPLES.")
    if compare:
        if not scenario.failed:
            raise click.UsageError("--compare goes with --fail NAME.")
        from designer.cli.simulate_impact import run_compared

        run_compared(design, scenario, n_links, format_)
        return
    from designer.simulation.designs import graph_for

    graph, scenario = graph_for(design, scenario)
    if through is not None:
        from designer.cli.simulate_link import run_flows_on_link

        run_flows_on_link(graph, scenario, through, n_links, format_)
        return
    from designer.simulation.engine import simulate
    from designer.simulation.explain.collisions import hash_collisions

    result = simulate(graph, scenario)
    hashed = hash_collisions(result, scenario)
    if format_ == "json":
        row = result.as_dict(n_links)
        if hashed:
            row["collisions"] = as_json(hashed)
        say(json_text(row))
    else:
        from designer.cli.simulate_text import report

        say(report(design, scenario, result, n_links, hashed))
