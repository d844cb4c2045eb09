"""The formats in which a run's figures and loads are written."""

from collections.abc import Callable
from dataclasses import dataclass

from designer.exchange.metrics.prometheus import prometheus_text
from designer.exchange.metrics.run import Run
from designer.exchange.metrics.tables import csv_bytes, parquet_bytes


@dataclass(frozen=True, slots=True)
class MetricsFormat:
    """A format by the word of the command line. `is_text`: whether a terminal can show it."""

    name: str
    title: str
    suffix: str
    is_text: bool
    render: Callable[[Run], bytes]


def _prometheus(run: Run) -> bytes:
    return prometheus_text(run).encode("utf-8")


FORMATS = (
    MetricsFormat("csv", "CSV", ".csv", True, csv_bytes),
    MetricsFormat("prometheus", "Prometheus text", ".prom", True, _prometheus),
    MetricsFormat("parquet", "Parquet", ".parquet", False, parquet_bytes),
)
