"""Measured collectives against the models of NCCL and RCCL: how far off they are, by hardware.

Run with: python tests/benchmarks/measured_collectives.py [FILE...] [--fit] [--write] [--rows RECORD]
A FILE is in the layout of those in resources/measurements, which are taken where none is named. For every record the
machine that it names is built from the catalog and a topology family, its collective predicted at every size, and the
median errors printed by hardware: of busbw from 64 MiB on (wanted under 5 %), of time from 8 B to 1 MiB (wanted under
25 %); with the delivered constants, and with constants that were fitted without any record of the same machine. Then,
for times from 2 to 256 MiB, the library's own estimate next to the prediction. Several files are shown one by one.
Records whose notes say "outlier only" are failures of machines: they are never fitted, and listed by themselves.
--fit fits the constants to all the files first, --write stores them in resources/calibration.
"""

import argparse
import re
import statistics
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from measured_machines import Machine, Unbuildable, machine_of

from designer.errors import DesignerError
from designer.graph.arrays import Graph
from designer.graph.building.build import build
from designer.measurements.reading import read_measurements
from designer.measurements.records import Measurement
from designer.simulation import catalogue
from designer.simulation.libraries.constants import LIBRARIES, PROTOCOLS, calibration_dir
from designer.simulation.libraries.execution import Measured, RunSpread, measured
from designer.simulation.libraries.fitting import Sample, errors, fitted, without
from designer.simulation.libraries.port_loads import PortLoads
from designer.simulation.libraries.runs import Forced, Run, Setup, prepare
from designer.simulation.libraries.writing import constants_text
from designer.simulation.scenario import Scenario

DELIVERED = sorted(
    (Path(__file__).parents[2] / "resources" / "measurements").glob("*.json"), key=lambda path: path.stem
)
MIDDLE_BYTES = 2 * 2**20, 256 * 2**20
LARGE_BYTES, SMALL_BYTES = 64 * 2**20, 2**20
SMALLEST_BYTES = 8
LARGE_BAR, SMALL_BAR = 0.05, 0.25
ONE_HOST_THREAD_US = 23.5
"""What a loop of PyTorch adds to each call, 20 to 27 us (notes of h200-ar-8-nvls); taken too where one process starts
the kernels of all GPUs."""
LAUNCH_US = {"one-host-thread": ONE_HOST_THREAD_US}
ONE_HOST_THREAD = re.compile("torch|one process")
ALL = ("ring", "tree", "nvls", "nvls-tree", "collnet-direct", "collnet-chain", "pat")
Loads = dict[tuple[int, tuple[int, ...], str], dict[str, PortLoads]]


@dataclass(frozen=True, slots=True)
class Kept:
    """A record that can be predicted: its sample, how it is shown, and whether constants may be fitted to it."""

    measurement: Measurement
    library: str
    hardware: str
    sample: Sample
    is_fitted: bool
    estimates_us: tuple[float | None, ...]
    """The library's own, by row; None where it has no choice."""
    file: Path = Path()

    @property
    def to_fit(self) -> Sample:
        """The sample without the small sizes of a record that calls them unusually slow: a fault is no constant."""
        if "unusually slow" not in self.measurement.notes:
            return self.sample
        rows = zip(self.sample.terms, self.sample.times_us, strict=True)
        terms, times = zip(*((one, time) for one, time in rows if one.size_bytes >= LARGE_BYTES), strict=True)
        return replace(self.sample, terms=terms, times_us=times)


def main() -> None:
    """Print the table of errors."""
    asked = argparse.ArgumentParser(description="Measured collectives against the models of NCCL and RCCL.")
    asked.add_argument("files", nargs="*", type=Path, default=DELIVERED)
    asked.add_argument("--fit", action="store_true", help="fit the constants to the files first")
    asked.add_argument("--write", action="store_true", help="store what was fitted in resources/calibration")
    asked.add_argument("--rows", metavar="RECORD", help="every size of one record")
    wanted = asked.parse_args()
    kept, left_out = [], {}
    measurements: list[Measurement] = []
    for file in wanted.files:
        own = read_measurements(file)
        measurements += own
        found, without_machine = prepared(own)
        kept += [replace(one, file=file) for one in found]
        for reason, ids in without_machine.items():
            left_out.setdefault(reason, []).extend(ids)
    constants = {name: measured(name) for name in LIBRARIES}
    for name in LIBRARIES if wanted.fit else ():
        new = _fitted(kept, name, wanted.files)
        constants[name] = replace(new, spread=spread_of(measurements, name), launch_us=LAUNCH_US)
        if wanted.write:
            (calibration_dir() / f"{name}-measured.yaml").write_text(constants_text(constants[name]), "utf-8")
    if wanted.rows:
        _print_rows([one for one in kept if one.measurement.id == wanted.rows], constants)
        return
    without_own = _left_out_errors(kept)
    for file in wanted.files:
        print(f"{file.name}\n")
        own_kept = [one for one in kept if one.file == file]
        for line in (*table(own_kept, constants, without_own), "", *middle(own_kept, constants), ""):
            print(line)
    print("left out")
    for reason, ids in left_out.items():
        print(f"  {reason}: {', '.join(ids)}")


def prepared(measurements: Iterable[Measurement]) -> tuple[list[Kept], dict[str, list[str]]]:
    """What can be predicted of each record, and the ids of the others by the reason why not."""
    kept: list[Kept] = []
    left_out: dict[str, list[str]] = defaultdict(list)
    graphs: dict[int, Graph] = {}
    loads: Loads = {}
    for one in measurements:
        try:
            kept.append(_kept(one, graphs, loads))
        except (Unbuildable, DesignerError) as reason:
            left_out[str(reason)].append(one.id)
    return kept, dict(left_out)


def _kept(one: Measurement, graphs: dict[int, Graph], loads: Loads) -> Kept:
    rows = [row for row in one.rows if row.size_bytes and row.time_us and row.size_bytes >= SMALLEST_BYTES]
    if not rows:
        raise Unbuildable("no times by size")
    library = _library(one)
    if catalogue.collective(one.collective) is None:
        raise Unbuildable(f"{one.collective or 'nothing'} is no collective")
    machine = machine_of(one)
    key = id(machine.design)
    if key not in graphs:
        graphs[key] = build(machine.design)
    run = _run(one, library, machine, graphs[key])
    run.loads = loads.setdefault((key, machine.ranks, one.collective), {})
    launch = ONE_HOST_THREAD_US if ONE_HOST_THREAD.search(f"{one.library} {one.notes}".lower()) else 0.0
    sizes = [float(row.size_bytes or 0) for row in rows]
    sample = Sample(
        one.id,
        _machine_name(one),
        tuple(run.terms(size, launch) for size in sizes),
        tuple(float(row.time_us or 0) for row in rows),
    )
    hardware = f"{one.hardware.family}, {run.machine.transport or 'one node'}"
    best = [run.chosen(size)[0] for size in sizes]
    own_us = tuple(choice and launch + choice.time_us(size) for choice, size in zip(best, sizes, strict=True))
    return Kept(one, library, hardware, sample, "outlier only" not in one.notes, own_us)


def _library(one: Measurement) -> str:
    text = f"{one.library} {one.environment.get('setup', '')}".lower()
    if "sockets" in text:
        raise Unbuildable("TCP sockets in place of a plugin: a failure mode")
    if "mscclpp" in text or "msccl++" in text:
        raise Unbuildable("kernels of MSCCL++, neither NCCL nor RCCL")
    return "rccl" if "rccl" in text else "nccl"


def _run(one: Measurement, library: str, machine: Machine, graph: Graph) -> Run:
    scenario = Scenario(
        collective=one.collective,
        ranks=machine.ranks,
        model=library,
        in_network_reduction=one.collective == "all-reduce" and one.environment.get("NCCL_COLLNET_ENABLE") == "1",
    )
    return prepare(machine.design, graph, scenario, Setup(model=library, forced=_forced(one)))


def _forced(one: Measurement) -> Forced:
    named = one.environment.get("NCCL_ALGO", "").lower()
    algorithms: tuple[str, ...] | None = (named,) if named in ALL else None
    if one.environment.get("NCCL_NVLS_ENABLE") == "0":
        algorithms = tuple(name for name in ALL if "nvls" not in name)
    words = [word.lower() for word in PROTOCOLS]
    protocol = one.environment.get("NCCL_PROTO", "").lower()
    return Forced(algorithms, words.index(protocol) if protocol in words else None)


def _machine_name(one: Measurement) -> str:
    """What is left out together: records of one machine, by its name, or by what the source calls its fabric."""
    hardware = one.hardware
    return hardware.system or f"{hardware.family}, {hardware.fabric}, {re.sub('/blob/.*', '', one.source)}"


def _fitted(kept: list[Kept], library: str, files: list[Path]) -> Measured:
    samples = [one.to_fit for one in kept if one.library == library and one.is_fitted]
    names = " and ".join(file.name for file in files)
    dates = [one.measurement.date[:10] for one in kept if one.library == library and one.is_fitted]
    found = fitted(samples, library, max(dates, default=""), f"least squares over {len(samples)} records of {names}")
    return found


def spread_of(measurements: Iterable[Measurement], library: str) -> tuple[RunSpread, ...]:
    """How runs of one job differ, by number of nodes: over the sizes the median of the ratios to the best time."""
    by_nodes: dict[int, list[Measurement]] = defaultdict(list)
    for one in measurements:
        if one.spread and one.n_nodes and ("rccl" in one.library.lower()) == (library == "rccl"):
            by_nodes[one.n_nodes].append(one)
    found, most = [], (1.0, 1.0)
    for nodes, records in sorted(by_nodes.items()):
        times = [size.times_us for record in records for size in record.spread if size.times_us]
        median = statistics.median(statistics.median(runs) / runs[0] for runs in times)
        worst = statistics.median(runs[-1] / runs[0] for runs in times)
        # More nodes meet no fewer neighbors: what little fewer runs found of it is chance.
        most = (max(most[0], median), max(most[1], worst))
        found.append(RunSpread(nodes=nodes, median=most[0], worst=most[1], records=tuple(one.id for one in records)))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Errors:
    """Relative errors of one record: of busbw at large sizes, and of time at small ones."""

    large: tuple[float, ...]
    small: tuple[float, ...]


def _errors(kept: Iterable[Kept], constants: dict[str, Measured]) -> dict[str, Errors]:
    found = {}
    for one in kept:
        rows = errors([one.sample], constants[one.library])[one.sample.record]
        large = [abs(time / predicted - 1) for size, predicted, time in rows.tolist() if size >= LARGE_BYTES]
        small = [abs(predicted / time - 1) for size, predicted, time in rows.tolist() if size <= SMALL_BYTES]
        found[one.sample.record] = Errors(tuple(large), tuple(small))
    return found


def _left_out_errors(kept: list[Kept]) -> dict[str, Errors]:
    """The same with constants that were fitted without the machine of the record."""
    found: dict[str, Errors] = {}
    for library in LIBRARIES:
        own = [one for one in kept if one.library == library]
        samples = [one.to_fit for one in own if one.is_fitted]
        for machine in dict.fromkeys(one.sample.machine for one in own):
            constants = fitted(without(samples, [machine]), library, "", "")
            found |= _errors([one for one in own if one.sample.machine == machine], {library: constants})
    return found


def table(kept: list[Kept], constants: dict[str, Measured], left: dict[str, Errors]) -> Iterable[str]:
    """The table's lines: fit and leave-one-machine-out side by side, then the outliers."""
    fit = _errors(kept, constants)
    yield f"{'':34} {'busbw from 64 MiB on':>26}   {'time, 8 B to 1 MiB':>26}"
    yield f"{'hardware':34} {'rows':>6} {'fit':>9} {'left out':>9}   {'rows':>6} {'fit':>9} {'left out':>9}  records"
    groups: dict[str, list[Kept]] = defaultdict(list)
    for one in kept:
        groups[one.hardware if one.is_fitted else f"outlier only: {one.hardware}"].append(one)
    for name in sorted(groups, key=lambda name: (name.startswith("outlier"), name)):
        yield _line(name, groups[name], fit, left)
    yield _line("all", [one for one in kept if one.is_fitted], fit, left)


def middle(kept: list[Kept], constants: dict[str, Measured]) -> Iterable[str]:
    """Lines on times from 2 to 256 MiB, by hardware: how far off the library's own estimate is, and the prediction."""
    groups: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for one in kept:
        rows = errors([one.sample], constants[one.library])[one.sample.record].tolist()
        for (size, predicted, time), own in zip(rows, one.estimates_us, strict=True):
            if one.is_fitted and own is not None and MIDDLE_BYTES[0] <= size <= MIDDLE_BYTES[1]:
                groups[one.hardware].append((abs(own / time - 1), abs(predicted / time - 1)))
    yield f"{'time, 2 to 256 MiB':34} {'rows':>6} {'library':>9} {'ours':>9}"
    for name, pairs in (*sorted(groups.items()), ("all", [pair for of in groups.values() for pair in of])):
        if pairs:
            library, ours = (statistics.median(values) for values in zip(*pairs, strict=True))
            yield f"{name:34} {len(pairs):6} {library:9.1%} {ours:9.1%}"


def _line(name: str, kept: list[Kept], fit: dict[str, Errors], left: dict[str, Errors]) -> str:
    cells = [f"{name:34}"]
    for part, bar in (("large", LARGE_BAR), ("small", SMALL_BAR)):
        both = [[error for one in kept for error in getattr(of[one.sample.record], part)] for of in (fit, left)]
        shown = [_shown(values, bar) for values in both]
        cells.append(f" {len(both[0]):6} {shown[0]:>9} {shown[1]:>9}  ")
    return "".join(cells) + f" {len(kept)}"


def _shown(values: list[float], bar: float) -> str:
    """The median, with a star where it is above the bar."""
    if not values:
        return "-"
    middle = statistics.median(values)
    return f"{middle:.1%}{' ' if middle <= bar else '*'}"


def _print_rows(kept: list[Kept], constants: dict[str, Measured]) -> None:
    for one in kept:
        rows = errors([one.sample], constants[one.library])[one.sample.record].tolist()
        for (size, predicted, time), terms in zip(rows, one.sample.terms, strict=True):
            how = f"{terms.keys[1][1]} {terms.keys[3][1]}"
            print(f"{size:14.0f} {predicted:12.1f} {time:12.1f} {predicted / time - 1:+8.1%}  {how}")


if __name__ == "__main__":
    main()
