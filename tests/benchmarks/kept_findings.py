"""Findings kept edit by edit against full checks, over very many random sequences of edits.

    python tests/benchmarks/kept_findings.py [SEQUENCES [FIRST]]

Prints how many edits were followed, and every seed whose findings differ; ends with exit code 1 where one does.
"""

import sys
import time
import traceback
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "properties")]

from random_edits import run  # noqa: E402  (after the path is set)

from designer.catalog.catalog import load  # noqa: E402

SEQUENCES = 10_000


def main(sequences: int = SEQUENCES, first: int = 0) -> int:
    catalog, started, followed, differ = load(), time.perf_counter(), 0, 0
    for seed in range(first, first + sequences):
        try:
            followed += run(seed, catalog)
        except Exception:  # whatever it is, the next seed is tried too
            differ += 1
            print(f"seed {seed}:\n{traceback.format_exc()[-2000:]}", flush=True)
        if (seed - first + 1) % 1000 == 0:
            spent_s = time.perf_counter() - started
            print(f"{seed - first + 1:,} sequences, {followed:,} edits followed, {spent_s:.0f} s", flush=True)
    print(f"{sequences:,} sequences, {followed:,} edits followed, {differ:,} differ")
    return 1 if differ else 0


if __name__ == "__main__":
    raise SystemExit(main(*map(int, sys.argv[1:])))
