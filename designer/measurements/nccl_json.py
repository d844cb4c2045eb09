"""The report that nccl-tests writes as JSON (`-J FILE`). Source: nccl-tests 2.17 to 2.19, src/util.cu."""

from collections.abc import Mapping
from pathlib import PurePath
from typing import Any

from designer.measurements.limits import MOST_ENVIRONMENT, MOST_RANKS, MOST_ROWS
from designer.measurements.nccl_tests import best_of, library_version
from designer.measurements.records import Hardware, MeasuredRow, Measurement, RankPlace, our_name
from designer.outside_files import clean


def is_report(data: Any) -> bool:
    """Whether the JSON is such a report."""
    return isinstance(data, dict) and isinstance(data.get("results"), list) and "config" in data


def report_measurement(data: Mapping[str, Any], file: str) -> list[Measurement]:
    """The run of a report; none where it has no result. What is not of the kind that it should be is left out."""
    results = [one for one in data["results"][:MOST_ROWS] if isinstance(one, dict)]
    first = [row for one in results if (row := _row(one, "out_of_place")) is not None]
    second = [row for one in results if (row := _row(one, "in_place")) is not None]
    rows, spread = best_of(first or second)
    if not rows:
        return []
    ranks, gpu = _ranks(data)
    tool = _tool(data)
    environment = _environment(data)
    code = data.get("nccl_version")
    made = Measurement(
        id=file,
        source=file,
        date=str(data.get("start_time", ""))[:10],
        tool=tool,
        hardware=Hardware(gpu=gpu),
        library=f"NCCL {library_version(code)}" if isinstance(code, int) and code > 0 else "",
        algorithm=environment.get("NCCL_ALGO", ""),
        protocol=environment.get("NCCL_PROTO", ""),
        environment=environment,
        collective=our_name(tool.removesuffix("_perf")),
        n_gpus=len(ranks) or None,
        n_nodes=len({rank.host for rank in ranks}) or None,
        rows=rows,
        in_place_rows=best_of(second)[0] if first else (),
        spread=spread,
        ranks=ranks,
        notes="" if first else "measured in place only",
    )
    return [made]


def _row(result: Mapping[str, Any], half: str) -> MeasuredRow | None:
    measured, size = result.get(half), result.get("size")
    if not isinstance(measured, dict) or not isinstance(size, int) or not 0 < size < 10**18:
        return None
    values = [_number(measured.get(key)) for key in ("time", "alg_bw", "bus_bw", "nwrong")]
    if values[0] is None:
        values[0] = _number(measured.get("cpu_time"))
    wrong = values[3]
    return MeasuredRow(size, values[0], values[1], values[2], None if wrong is None else int(wrong))


def _number(value: Any) -> float | None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < 1e18
    return float(value) if is_number else None


def _ranks(data: Mapping[str, Any]) -> tuple[tuple[RankPlace, ...], str]:
    """Where the ranks ran, and what their GPUs are called."""
    listed = data.get("devices")
    devices = [one for one in listed[:MOST_RANKS] if isinstance(one, dict)] if isinstance(listed, list) else []
    found = sorted(
        (_whole(one.get("rank")), clean(str(one.get("hostname"))), _whole(one.get("device"))) for one in devices
    )
    gpu = clean(str(devices[0].get("device_info", "")))[:100] if devices else ""
    return tuple(RankPlace(host, device) for _, host, device in found), gpu


def _whole(value: Any) -> int:
    return value if isinstance(value, int) and 0 <= value < 10**7 else 0


def _tool(data: Mapping[str, Any]) -> str:
    args = data.get("args")
    return clean(PurePath(args[0]).name)[:60] if isinstance(args, list) and args and isinstance(args[0], str) else ""


def _environment(data: Mapping[str, Any]) -> dict[str, str]:
    """Variables of the library, from a list of NAME=value; the others say nothing of a measurement."""
    listed = data.get("env")
    texts = [one for one in listed if isinstance(one, str)] if isinstance(listed, list) else []
    pairs = [text.partition("=") for text in texts if text.startswith(("NCCL_", "RCCL_"))]
    return {clean(name): clean(value)[:300] for name, _, value in pairs[:MOST_ENVIRONMENT]}
