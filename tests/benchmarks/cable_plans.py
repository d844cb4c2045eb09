"""Time and memory for cable plans: 3,444 cables, and those of 16,384 GPUs, as each kind of file.

    python tests/benchmarks/cable_plans.py [superpod] [16384]

Each design is generated, prepared, recorded as a revision and changed a little; then each line is one file: seconds by
the wall clock and of processor time. The last line is the most memory that the process held.
"""

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from designer import api  # noqa: E402  (after the path is set)
from designer.analysis.cable_numbers import number_cables  # noqa: E402
from designer.catalog.catalog import load  # noqa: E402
from designer.exchange.exporters import BUILT_IN  # noqa: E402
from designer.exchange.revisions import RevisionOptions, record  # noqa: E402
from designer.model.design import Design  # noqa: E402
from designer.placement import floor  # noqa: E402
from designer.placement.preparation import prepare  # noqa: E402

DESIGNS = {
    "superpod": {
        "servers": 127,
        "servers_per_su": 32,
        "reserve_leaf_ports": 4,
        "storage_switch": "nvidia-qm9700",
        "in_band_switch": "nvidia-sn4600c",
        "oob_switch": "nvidia-sn2201",
    },
    "16384": {"servers": 2048, "servers_per_su": 32},
}
TARGETS_S = {("superpod", "cable-plan-xlsx"): 2.0, ("16384", "cable-plan"): 3.0, ("16384", "cable-plan-xlsx"): 30.0}
"""Seconds that a release has to keep on a quiet machine."""
FILES = (
    ("cable-plan", ".csv"),
    ("cable-plan-xlsx", ".xlsx"),
    ("change-order", ".csv"),
    ("change-order", ".xlsx"),
    ("p2p-infiniband", ".xlsx"),
    ("avd", ".csv"),
)


def timed(what: str, work: Callable[[], object], limit_s: float | None = None) -> None:
    started, busy = time.perf_counter(), time.process_time()
    work()
    limit = f"   (limit {limit_s:g} s)" if limit_s is not None else ""
    wall_s, processor_s = time.perf_counter() - started, time.process_time() - busy
    print(f"  {what:<28} {wall_s:6.2f} s  processor {processor_s:6.2f} s{limit}", flush=True)


def made(name: str) -> Design:
    design = api.generate("rail-optimized", **DESIGNS[name])
    design.apply(prepare(design, load().types).edit)
    design.apply(number_cables(design))
    return design


def measure(name: str, folder: Path) -> None:
    design = made(name)
    print(f"{name}: {len(design.links):,} links, {len(design.racks):,} racks, {len(design.switches()):,} switches")
    timed("record a revision", lambda: design.apply(record(design, RevisionOptions(revision="A"))))
    rack = next(iter(design.racks.values()))
    assert rack.x_m is not None and rack.y_m is not None
    design.apply(floor.place_racks(design, {rack.id: (rack.x_m + 5, rack.y_m)}))
    exporters = {one.name: one for one in BUILT_IN}
    for format_, suffix in FILES:
        path = folder / f"plan{suffix}"
        limit_s = TARGETS_S.get((name, format_))
        timed(f"{format_} ({suffix})", lambda: exporters[format_].write(design, path), limit_s)  # noqa: B023


def main(names: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        for name in names or list(DESIGNS):
            measure(name, Path(folder))
    status = Path("/proc/self/status").read_text() if Path("/proc/self/status").exists() else ""
    print(next((line for line in status.splitlines() if line.startswith("VmHWM")), ""))


if __name__ == "__main__":
    main(sys.argv[1:])
