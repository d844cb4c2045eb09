"""Time and memory for presets: built, validated, an all-reduce and an all-to-all simulated, cable plan written.

    python tests/benchmarks/large_presets.py [NAME...]

Without names all presets of more than 900 devices that a design holds, each in a process of its own.
"""

import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from designer import api  # noqa: E402  (after the path is set)
from designer.analysis.new_designs import new_design  # noqa: E402
from designer.catalog.catalog import load  # noqa: E402
from designer.errors import DesignerError  # noqa: E402
from designer.topologies.presets import (  # noqa: E402
    family_of,
    networks_of,
    parameters_of,
    preset_named,
    presets,
    values_of,
)
from designer.validation.engine import validate  # noqa: E402
from designer.validation.findings import Severity  # noqa: E402

ALONE = "--alone"
"""Before the name that a process of its own is for."""
SMALL = 900
"""Devices; smaller presets are built by the tests."""

T = TypeVar("T")


def timed(what: str, work: Callable[[], T]) -> T | None:
    started = time.perf_counter()
    try:
        found = work()
    except DesignerError as error:
        print(f"  {what:<12} {time.perf_counter() - started:6.1f} s  {error}", flush=True)
        return None
    print(f"  {what:<12} {time.perf_counter() - started:6.1f} s", flush=True)
    return found


def run(name: str) -> None:
    preset, catalog = preset_named(name), load()
    values = {**values_of(preset), **networks_of(preset)}
    print(name, flush=True)
    made = timed("built", lambda: new_design(family_of(preset), values, catalog, name, "auto"))
    if made is None:
        return
    design = made.design
    report = timed("validated", lambda: validate(design))
    if report is not None:
        codes = sorted({one.code for one in report.findings if one.severity is not Severity.INFO})
        print(f"  {format(len(design.devices), ',')} devices, {format(len(design.links), ',')} links, findings {codes}")
    for collective in ("all-reduce", "all-to-all"):
        timed(collective, lambda: api.simulate(design, collective=collective, size_bytes=2**26))  # noqa: B023
    with tempfile.TemporaryDirectory() as folder:
        timed("cable plan", lambda: api.export(design, Path(folder) / "plan.csv", "cable-plan"))
    print(f"  {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:,.0f} MB at most", flush=True)


def large() -> list[str]:
    catalog, found = load(), []
    for preset in presets():
        counts = family_of(preset).counts(parameters_of(preset), catalog)
        if counts.servers + sum(counts.switches.values()) > SMALL and not counts.too_large:
            found.append(preset.id)
    return found


if __name__ == "__main__":
    if sys.argv[1:2] == [ALONE]:
        run(sys.argv[2])
    else:
        for name in sys.argv[1:] or large():
            subprocess.run([sys.executable, __file__, ALONE, name], check=False)
