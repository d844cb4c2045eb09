"""The loads of a run's links as a table: CSV, and Parquet with the figures of the run in its metadata."""

import io
import json

from designer.errors import ExportError
from designer.exchange.metrics.run import Run
from designer.late import Late
from designer.tables.table import delimited, encoded

pyarrow = Late("pyarrow")
parquet = Late("pyarrow.parquet")

HEADINGS = (
    "link",
    "device",
    "port",
    "peer_device",
    "peer_port",
    "capacity_gbps",
    "bytes",
    "utilization_mean",
    "utilization_peak",
)
PEAK = "utilization_peak"
NOT_INSTALLED = "Parquet needs pyarrow: install it with python -m pip install 'fabric-designer[metrics]', or write CSV"
METADATA = b"fabric-designer"


def csv_bytes(run: Run) -> bytes:
    """A row for each direction of each link, the hottest first."""
    columns = _columns(run)
    return encoded(delimited(list(columns), zip(*columns.values(), strict=True)))


def parquet_bytes(run: Run) -> bytes:
    """The same rows; design, scenario and figures stand in the file's metadata, as JSON under "fabric-designer".

    Raises ExportError where pyarrow is not installed.
    """
    try:
        table = pyarrow.table({name: list(cells) for name, cells in _columns(run).items()})
        figures = {figure.name: figure.value for figure in run.figures}
        text = json.dumps({"design": run.design, "scenario": run.scenario, **figures}, ensure_ascii=True)
        table = table.replace_schema_metadata({METADATA: text.encode("utf-8")})
        out = io.BytesIO()
        parquet.write_table(table, out, compression="zstd")
    except ImportError:
        raise ExportError(NOT_INSTALLED) from None
    return out.getvalue()


def _columns(run: Run) -> dict[str, list[str] | list[float]]:
    """The cells by heading; peaks are left out where they are not known."""
    links = run.links
    cells: tuple[list[str] | list[float], ...] = (
        list(links.link_ids),
        list(links.source),
        list(links.source_port),
        list(links.target),
        list(links.target_port),
        links.capacity_gbps.tolist(),
        links.bytes.tolist(),
        links.utilization_mean.tolist(),
        links.utilization_peak.tolist(),
    )
    found = dict(zip(HEADINGS, cells, strict=True))
    if not run.are_peaks_known:
        del found[PEAK]
    return found
