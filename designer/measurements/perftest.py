"""The output of perftest: ib_write_bw, ib_read_bw, ib_send_bw and their latency tests, between two network devices.

Rates under [MB/sec] count 2^20 bytes, as those under [MiB/sec] of later releases do. Of a bidirectional test the rate
of one direction is kept. Source: perftest, src/perftest_parameters.h (RESULT_FMT) and src/perftest_parameters.c.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from designer.measurements.limits import MOST_ROWS
from designer.measurements.lines import Line, number_of
from designer.measurements.nccl_tests import best_of
from designer.measurements.osu import time_us_at
from designer.measurements.records import MeasuredRow, Measurement, rate_gbytes_per_s
from designer.outside_files import clean
from designer.units import BYTES_PER_S_PER_GBPS, BYTES_PER_S_PER_GBYTES_PER_S

_TITLE = re.compile(r"\s*(RDMA_Write|RDMA_Read|Send)\b(.*?)\b(BW|Latency) Test")
_DEVICE = re.compile(r"\bDevice\s*:\s*([\w.-]{1,60})")
_COLUMN = re.compile(
    r"#bytes|#sl|#iterations|BW \w+\[([^\]]*)\]|MsgRate\[[^\]]*\]|t_(\w+)\[usec\]|[\d.]+% percentile\[usec\]|tps"
)
_VERBS = {"RDMA_Write": "write", "RDMA_Read": "read", "Send": "send"}
_BYTES_PER_S = {"MB/sec": 2.0**20, "MiB/sec": 2.0**20, "Gb/sec": BYTES_PER_S_PER_GBPS}


@dataclass(slots=True)
class _Run:
    line: int
    part: str
    verb: str
    is_latency: bool
    n_directions: int
    device: str = ""
    columns: list[str] = field(default_factory=list)
    bytes_per_s: float = 0.0
    rows: list[MeasuredRow] = field(default_factory=list)


def perftest_runs(lines: Sequence[Line], file: str) -> list[tuple[int, Measurement]]:
    """The runs of the log with the line at which each begins."""
    runs: list[_Run] = []
    for line in lines:
        text = line.text
        if " Test" in text and (match := _TITLE.match(text)) is not None:
            both = 2 if "Bidirectional" in match[2] else 1
            runs.append(_Run(line.number, line.part, _VERBS[match[1]], match[3] == "Latency", both))
        elif runs and "Device" in text and (match := _DEVICE.search(text)) is not None:
            runs[-1].device = runs[-1].device or clean(match[1])
        elif runs and "#bytes" in text:
            _read_header(runs[-1], text)
        elif runs and runs[-1].columns and text.lstrip()[:1].isdigit() and len(runs[-1].rows) < MOST_ROWS:
            _read_row(runs[-1], text.split())
    return [(run.line, _measurement(run, file)) for run in runs if run.rows]


def _read_header(run: _Run, text: str) -> None:
    found = list(_COLUMN.finditer(text))
    run.columns = [match[0].partition("[")[0] for match in found]
    units = [match[1] for match in found if match[0].startswith("BW average")]
    run.bytes_per_s = _BYTES_PER_S.get(units[0], 0.0) if units else 0.0


def _read_row(run: _Run, tokens: Sequence[str]) -> None:
    if len(tokens) < len(run.columns) or not tokens[0].isdigit() or len(tokens[0]) > 18:
        return
    by_name = {name: number_of(token) for name, token in zip(run.columns, tokens, strict=False)}
    size_bytes = int(tokens[0])
    if run.is_latency:
        time_us = by_name.get("t_typical") or by_name.get("t_avg")
        if size_bytes and time_us:
            rate = rate_gbytes_per_s(size_bytes, time_us)
            run.rows.append(MeasuredRow(size_bytes, time_us, rate, rate))
        return
    average = by_name.get("BW average")
    if size_bytes and average and run.bytes_per_s:
        rate = average * run.bytes_per_s / run.n_directions / BYTES_PER_S_PER_GBYTES_PER_S
        run.rows.append(MeasuredRow(size_bytes, time_us_at(size_bytes, rate), rate, rate))


def _measurement(run: _Run, file: str) -> Measurement:
    rows, spread = best_of(run.rows)
    return Measurement(
        id=f"{file}:{run.line}",
        source=file,
        tool=f"ib_{run.verb}_{'lat' if run.is_latency else 'bw'}",
        collective="send-recv",
        n_gpus=2,
        n_nodes=2,
        rows=rows,
        spread=spread,
        device=run.device,
        part=run.part,
        notes="" if run.is_latency else "times derived from rates",
    )
