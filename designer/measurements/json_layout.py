"""Measurements in JSON: the report of nccl-tests, or a list of records, or an object with such a list under "records".

A record has id, source, date, quality, hardware, library, algorithm, protocol, env, collective, n_gpus, n_nodes, rows
of [size in bytes, time in us, algbw, busbw in GB/s], notes, and where there are any facts, spread and latency_us.
"""

import json
import math
from collections.abc import Mapping
from typing import Any

from designer.errors import FileFormatError
from designer.measurements.limits import LONGEST_TEXT, MOST_ENVIRONMENT, MOST_ROWS, MOST_RUNS
from designer.measurements.nccl_json import is_report, report_measurement
from designer.measurements.records import Hardware, MeasuredRow, Measurement, Spread, our_name
from designer.outside_files import clean
from designer.units import format_count

LARGEST = 1e18
"""Beyond any size, time or rate."""


def read_json_layout(text: str, file: str) -> list[Measurement]:
    """The records of a JSON text. Raises FileFormatError, which names the record and the field."""
    try:
        data = json.loads(text, parse_constant=_no_number)
    except json.JSONDecodeError as error:
        raise FileFormatError(f"{file}, line {error.lineno}, cannot be read as JSON: {error.msg}") from None
    except RecursionError:
        raise FileFormatError(f"{file} nests lists far deeper than any measurement: it cannot be read") from None
    except ValueError:
        raise FileFormatError(f"{file} holds a number that no measurement has: it cannot be read") from None
    if is_report(data):
        return report_measurement(data, file)
    if isinstance(data, dict):
        data = data.get("records")
    if not isinstance(data, list):
        raise FileFormatError(f'{file} should hold a list of records, or an object with that list under "records"')
    if len(data) > MOST_RUNS:
        raise FileFormatError(f"{file} has more than {format_count(MOST_RUNS)} records: read it in parts")
    found = [_Record(one, file, number).measurement() for number, one in enumerate(data, 1)]
    if sum(len(one.rows) for one in found) > MOST_ROWS:
        raise FileFormatError(f"{file} has more than {format_count(MOST_ROWS)} rows: read it in parts")
    return found


def _no_number(text: str) -> float:
    raise ValueError(text)


class _Record:
    """One record of the file, and how a fault of it is named."""

    def __init__(self, data: Any, file: str, number: int) -> None:
        self._place = f"{file}, record {number}"
        if not isinstance(data, dict):
            raise FileFormatError(f"{self._place} should be an object with id, collective and rows")
        self._data: dict[str, Any] = data
        self._number = number

    def measurement(self) -> Measurement:
        """What the record says. Raises FileFormatError naming the field."""
        data = self._data
        rows = tuple(self._row(row, number) for number, row in enumerate(self._list(data, "rows"), 1))
        return Measurement(
            id=self._text(data, "id") or f"record {self._number}",
            source=self._text(data, "source"),
            date=self._text(data, "date"),
            quality=self._text(data, "quality"),
            tool=self._text(data, "tool"),
            hardware=self._hardware(),
            library=self._text(data, "library"),
            algorithm=self._text(data, "algorithm"),
            protocol=self._text(data, "protocol"),
            environment=self._environment(),
            collective=our_name(self._text(data, "collective")),
            n_gpus=self._whole(data, "n_gpus"),
            n_nodes=self._whole(data, "n_nodes"),
            rows=rows,
            spread=tuple(self._spread(one) for one in self._list(data, "spread")),
            facts=self._object("facts"),
            latency_us=self._number_of(data.get("latency_us"), "latency_us"),
            notes=self._text(data, "notes"),
            part=self._text(data, "part"),
        )

    def _hardware(self) -> Hardware:
        data = self._object("hardware")
        return Hardware(
            family=self._text(data, "family"),
            gpu=self._text(data, "gpu"),
            gpus_per_node=self._whole(data, "gpus_per_node"),
            scale_up=self._text(data, "scale_up"),
            nics_per_node=self._whole(data, "nics_per_node"),
            nic_gbps=self._number_of(data.get("nic_gbps"), "nic_gbps"),
            fabric=self._text(data, "fabric"),
            system=self._text(data, "system"),
        )

    def _environment(self) -> dict[str, str]:
        return {clean(name): clean(str(value)) for name, value in list(self._object("env").items())[:MOST_ENVIRONMENT]}

    def _row(self, row: Any, number: int) -> MeasuredRow:
        if not isinstance(row, list) or len(row) != 4:
            raise FileFormatError(f"{self._place}, row {number}, should be [size in bytes, time in us, algbw, busbw]")
        size, time_us, algbw, busbw = (self._number_of(value, f"row {number}") for value in row)
        return MeasuredRow(None if size is None else round(size), time_us, algbw, busbw)

    def _spread(self, one: Any) -> Spread:
        if not isinstance(one, dict) or not isinstance(one.get("size"), int) or isinstance(one["size"], bool):
            raise self._fault("spread", "objects with size, time_us_all_runs and busbw_all_runs")
        times = (self._number_of(value, "spread") for value in self._list(one, "time_us_all_runs"))
        rates = (self._number_of(value, "spread") for value in self._list(one, "busbw_all_runs"))
        return Spread(
            one["size"],
            tuple(sorted(value for value in times if value is not None)),
            tuple(sorted((value for value in rates if value is not None), reverse=True)),
        )

    def _object(self, key: str) -> Mapping[str, Any]:
        value = self._data.get(key)
        if value is None:
            return {}
        if not isinstance(value, dict):
            raise self._fault(key, "an object")
        return value

    def _list(self, data: Mapping[str, Any], key: str) -> list[Any]:
        value = data.get(key)
        if value is None:
            return []
        if not isinstance(value, list):
            raise self._fault(key, "a list")
        return value

    def _text(self, data: Mapping[str, Any], key: str) -> str:
        value = data.get(key)
        if value is None:
            return ""
        if not isinstance(value, str):
            raise self._fault(key, "a text")
        return clean(value[:LONGEST_TEXT])

    def _whole(self, data: Mapping[str, Any], key: str) -> int | None:
        value = self._number_of(data.get(key), key)
        if value is not None and value != int(value):
            raise self._fault(key, "a whole number")
        return None if value is None else int(value)

    def _number_of(self, value: Any, key: str) -> float | None:
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= LARGEST:
            raise self._fault(key, "a number from 0")
        return float(value) if math.isfinite(value) else None

    def _fault(self, key: str, wanted: str) -> FileFormatError:
        return FileFormatError(f"{self._place}: {key} should be {wanted}")
