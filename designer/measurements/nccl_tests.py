"""The output of nccl-tests and rccl-tests, of all versions: with root or without, error or #wrong, in and out of place.

Sources: nccl-tests 2.0 to 2.19, src/common.cu and src/util.cu (writeBenchmarkHeader, writeResultHeader); rccl-tests,
src/common.cu.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from designer.errors import FileFormatError
from designer.measurements.limits import MOST_ENVIRONMENT, MOST_RANKS, MOST_ROWS, MOST_RUNS
from designer.measurements.lines import Line, number_of, numbers_of, variables_in
from designer.measurements.records import Hardware, MeasuredRow, Measurement, RankPlace, Spread, our_name
from designer.outside_files import clean

_TOOL = re.compile(
    r"\b(all_reduce|all_gather|reduce_scatter|alltoallv?|broadcast|reduce|sendrecv|gather|scatter|hypercube)_perf"
)
_RANK = re.compile(
    r"#?\s*Rank\s+(\d{1,7})\s+(?:Group\s+\d+\s+)?Pid\s+\d+\s+on\s+(\S{1,300})\s+device\s+(\d{1,4})\s+\[[^\]]*\]\s*(.*)"
)
_LIBRARY = re.compile(r"\b(NCCL|RCCL) version\s*:?\s*([0-9][\w.+:-]{0,40})")
_LIBRARY_CODE = re.compile(r"nccl-library=(\d{4,6})")
_DATE = re.compile(r"\b(20\d\d-[01]\d-[0-3]\d)\b")
WITHOUT_MPI = "every process ran by itself: the test was built without MPI, so these are results of single processes"


@dataclass(slots=True)
class _Run:
    """A run as far as it has been read."""

    line: int
    part: str
    tool: str = ""
    library: str = ""
    environment: dict[str, str] = field(default_factory=dict)
    ranks: list[tuple[int, RankPlace]] = field(default_factory=list)
    gpu: str = ""
    date: str = ""
    redop: str = ""
    root: str = ""
    out_of_place: list[MeasuredRow] = field(default_factory=list)
    in_place: list[MeasuredRow] = field(default_factory=list)

    @property
    def has_rows(self) -> bool:
        return bool(self.out_of_place or self.in_place)


def nccl_runs(lines: Sequence[Line], file: str) -> list[tuple[int, Measurement]]:
    """The runs of the log with the line at which each begins. Raises FileFormatError where there are too many."""
    reader = _Reader(file)
    for line in lines:
        reader.read(line)
    return [(run.line, _measurement(run, file)) for run in reader.runs if run.has_rows]


class _Reader:
    """Goes through a log once; `runs` grow."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._tool = ""
        self._columns: list[str] = []
        self._measures = 0
        self._stamps = 0
        self._is_in_place_only = False
        self._n_rows = 0
        self.runs: list[_Run] = []

    def read(self, line: Line) -> None:
        """Take a line into account."""
        text = line.text
        first = text[:1]
        if (first.isdigit() or first == " ") and self._columns and self.runs and self._is_row(text):
            return
        if not text.strip():
            return
        self._read_words(line)

    def _read_words(self, line: Line) -> None:
        text = line.text
        is_header = "algbw" in text and "busbw" in text and "size" in text
        if is_header or ("minBytes" in text and "nThread" in text) or "Collective test starting" in text:
            self._begin(line, keeps=is_header)
        if (match := _TOOL.search(text)) is not None:
            self._name(match[1], is_end="concluded" in text)
        run = self._run(line)
        if is_header:
            self._read_header(text)
        elif "in-place" in text:
            self._is_in_place_only = "out-of-place" not in text
        elif "Rank" in text and (match := _RANK.match(text)) is not None:
            self._read_rank(run, match)
        self._read_context(run, text)

    def _run(self, line: Line) -> _Run:
        if not self.runs:
            self._begin(line, keeps=False)
        return self.runs[-1]

    def _begin(self, line: Line, *, keeps: bool) -> None:
        """A new run, where the last one has rows already; it keeps where the ranks run if that is not listed again."""
        before = self.runs[-1] if self.runs else None
        if before is not None and not before.has_rows:
            before.part = line.part
            return
        if len(self.runs) >= MOST_RUNS:
            raise FileFormatError(f"{self._file} has more than {MOST_RUNS:,} runs: read it in parts")
        run = _Run(line.number, line.part, self._tool)
        if before is not None:
            run.library, run.environment, run.date = before.library, dict(before.environment), before.date
            if keeps:
                run.ranks, run.gpu, run.tool = list(before.ranks), before.gpu, self._tool or before.tool
        self.runs.append(run)
        self._tool = ""
        self._columns = []

    def _name(self, tool: str, *, is_end: bool) -> None:
        if self.runs and (is_end or not self.runs[-1].has_rows):
            self.runs[-1].tool = tool
        else:
            self._tool = tool

    def _read_rank(self, run: _Run, match: re.Match[str]) -> None:
        if len(run.ranks) < MOST_RANKS and not run.has_rows:
            run.ranks.append((int(match[1]), RankPlace(clean(match[2]), int(match[3]))))
            run.gpu = run.gpu or clean(match[4])[:100]

    def _read_context(self, run: _Run, text: str) -> None:
        if "version" in text and (match := _LIBRARY.search(text)) is not None:
            run.library = f"{match[1]} {match[2]}"
        elif "nccl-library=" in text and (match := _LIBRARY_CODE.search(text)) is not None:
            run.library = run.library or f"NCCL {library_version(int(match[1]))}"
        for name, value in variables_in(text):
            if len(run.environment) < MOST_ENVIRONMENT:
                run.environment[name] = value
        if not run.date and "20" in text and (found := _DATE.search(text)) is not None:
            run.date = found[1]

    def _read_header(self, text: str) -> None:
        columns = text.replace("#wrong", "wrong").lstrip("# ").split()
        start = next((place for place, name in enumerate(columns) if name in ("time", "cputime")), None)
        if start is None or columns[0] != "size":
            return
        self._stamps = 2 if columns[-1] == "timestamp" else 0
        self._columns = columns[:start]
        self._measures = len(columns) - start - (1 if self._stamps else 0)

    def _is_row(self, text: str) -> bool:
        """Whether a line is one of the table; if so it is kept."""
        tokens = text.split()
        if self._stamps and len(tokens) > self._stamps:
            tokens = tokens[: -self._stamps]
        n_facts = len(tokens) - self._measures
        if not 3 <= n_facts <= len(self._columns) or not (tokens[0].isdigit() and tokens[1].isdigit()):
            return False
        halves = [_measure(tokens[0], half) for half in self._halves(tokens[n_facts:])]
        if not any(halves):
            return False
        run = self.runs[-1]
        facts = dict(zip(self._columns[3:], tokens[3:n_facts], strict=False))
        run.redop, run.root = facts.get("redop", ""), facts.get("root", "")
        self._n_rows += 1
        if self._n_rows > MOST_ROWS:
            raise FileFormatError(f"{self._file} has more than {MOST_ROWS:,} rows: read it in parts")
        if int(tokens[0]) == 0:
            return True  # fewer bytes than ranks: the benchmark rounds to nothing
        first, second = (
            halves if len(halves) == 2 else (None, halves[0]) if self._is_in_place_only else (halves[0], None)
        )
        if first is not None:
            run.out_of_place.append(first)
        if second is not None:
            run.in_place.append(second)
        return True

    def _halves(self, measures: Sequence[str]) -> list[Sequence[str]]:
        """Out of place and in place, or the only one."""
        if self._measures >= 6:
            half = self._measures // 2
            return [measures[:half], measures[half:]]
        return [measures]


def _measure(size: str, tokens: Sequence[str]) -> MeasuredRow | None:
    """Time, algbw, busbw and what the check found; what follows is of single iterations."""
    values = numbers_of(tokens[:3])
    if values is None or len(values) < 3 or len(size) > 18:
        return None
    wrong = number_of(tokens[3].rstrip("*")) if len(tokens) > 3 else None
    return MeasuredRow(int(size), values[0], values[1], values[2], None if wrong is None else _n_wrong(wrong))


def _n_wrong(value: float) -> int:
    """Values that are wrong; releases before 2.12 print the greatest error, which is tiny where nothing is wrong."""
    return int(value) if value >= 1 else 0


def library_version(code: int) -> str:
    """ "2.27.3" from 22703, "2.8.4" from 2804: ncclGetVersion."""
    major = 10_000 if code >= 10_000 else 1_000
    return f"{code // major}.{code % major // 100}.{code % 100}"


def _measurement(run: _Run, file: str) -> Measurement:
    numbers = {number for number, _ in run.ranks}
    is_alone = len(numbers) < len(run.ranks)
    ranks = () if is_alone else tuple(place for _, place in sorted(run.ranks, key=lambda rank: rank[0]))
    n_gpus = len(numbers) or None
    n_nodes = len({place.host for place in ranks}) or None
    per_node = n_gpus // n_nodes if n_gpus and n_nodes and n_gpus % n_nodes == 0 else None
    tool = run.tool or _tool_of(file)
    rows, spread = best_of(run.out_of_place or run.in_place)
    notes = (WITHOUT_MPI if is_alone else "", "" if run.out_of_place else "measured in place only")
    return Measurement(
        id=f"{file}:{run.line}",
        source=file,
        date=run.date,
        tool=f"{tool}_perf" if tool else "",
        hardware=Hardware(gpu=run.gpu, gpus_per_node=per_node),
        library=run.library,
        algorithm=run.environment.get("NCCL_ALGO", ""),
        protocol=run.environment.get("NCCL_PROTO", ""),
        environment=run.environment,
        collective=our_name(tool) if tool else _guessed(run, n_gpus, rows),
        n_gpus=n_gpus,
        n_nodes=n_nodes,
        rows=rows,
        in_place_rows=best_of(run.in_place)[0] if run.out_of_place else (),
        spread=spread,
        notes="; ".join(filter(None, notes)),
        ranks=ranks,
        part=run.part,
    )


def best_of(rows: Sequence[MeasuredRow]) -> tuple[tuple[MeasuredRow, ...], tuple[Spread, ...]]:
    """The quickest row of each size, in the order of the sizes, and all runs of sizes that ran more than once."""
    counts = Counter(row.size_bytes for row in rows)
    best: dict[int, MeasuredRow] = {}
    times: dict[int, list[tuple[float, float]]] = {}
    for row in rows:
        size, time_us = row.size_bytes or 0, row.time_us or 0.0
        if size not in best or time_us < (best[size].time_us or 0.0):
            best[size] = row
        if counts[row.size_bytes] > 1:
            times.setdefault(size, []).append((time_us, row.busbw_gbytes_per_s or 0.0))
    spread = tuple(
        Spread(size, tuple(sorted(time_us for time_us, _ in runs)), tuple(sorted((bw for _, bw in runs), reverse=True)))
        for size, runs in sorted(times.items())
    )
    return tuple(best[size] for size in sorted(best)), spread


def _tool_of(file: str) -> str:
    """The collective that a file is named after."""
    plain = file.lower().replace("-", "_")
    names = (
        "all_reduce",
        "allreduce",
        "all_gather",
        "allgather",
        "reduce_scatter",
        "alltoall",
        "sendrecv",
        "broadcast",
    )
    return next((name for name in names if name in plain), "")


def _guessed(run: _Run, n_gpus: int | None, rows: Sequence[MeasuredRow]) -> str:
    """The collective by its reduction, its root and busbw over algbw; "" where several would fit."""
    telling = [row for row in rows if row.algbw_gbytes_per_s and row.algbw_gbytes_per_s >= 1]
    if run.root not in ("", "-1"):
        return "broadcast" if run.redop == "none" else "reduce"
    if not telling or run.redop in ("none", "") or n_gpus is None or n_gpus < 3:
        return ""
    ratio = (telling[-1].busbw_gbytes_per_s or 0.0) / (telling[-1].algbw_gbytes_per_s or 1.0)
    return "all-reduce" if ratio > 1 else "reduce-scatter"
