"""How long it takes to merge two designs of 16,384 GPUs that grew from one: python tests/benchmarks/merge_speed.py

Each side tags, cables, copies, renames and deletes things, a thousand of them the same as the other side. The bar is
5 s for the merge with its lists, on two cores; reading the files and checking the merged design are listed apart.
"""

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from designer.analysis.merge_report import report_of
from designer.catalog.catalog import load
from designer.model import operations
from designer.model.design import Design
from designer.model.merging.merging import merge_versions, prepare
from designer.regeneration import recipes
from designer.storage.document import decode, encode
from designer.topologies.rail_optimized import RailOptimizedParameters
from designer.validation.merged import findings_of_merge

T = TypeVar("T")
SERVERS = 2048


def timed(what: str, work: Callable[[], T]) -> T:
    """What the work gives; the seconds are printed, by the clock and of the processor."""
    began, used = time.perf_counter(), time.process_time()
    made = work()
    print(f"{what:28} {time.perf_counter() - began:6.2f} s, processor {time.process_time() - used:6.2f} s")
    return made


def side(base: Design, first: int, tag: str, length_m: float) -> bytes:
    """The file of somebody who edits a part of the servers and links."""
    design = base.snapshot()
    servers, links = [one.id for one in design.servers()], list(design.links)
    design.apply(operations.add_tags(design, servers[first : first + 1000], [tag]))
    design.apply(operations.set_cable(design, links[first * 14 : first * 14 + 8000], None, length_m))
    design.apply(operations.duplicate(design, servers[first : first + 64], 5, 5))
    design.apply(operations.delete(design, servers[1900 + first // 100 : 1910]))
    return encode(design)


def main() -> None:
    """Print the seconds of each part."""
    catalog = load()
    parameters = RailOptimizedParameters(servers=SERVERS, servers_per_su=32)
    base = Design()
    base.apply(recipes.generated(base, recipes.family_named("rail-optimized"), parameters, catalog))
    files = encode(base), side(base, 0, "ours", 3.0), side(base, 500, "theirs", 5.0)
    designs = timed("read three files", lambda: [decode(one) for one in files])
    versions, renumbered = timed("align and compare", lambda: prepare(*designs))
    found = timed("merge", lambda: merge_versions(versions, renumbered, {}))
    report = timed("list", lambda: report_of(found))
    timed("check", lambda: findings_of_merge(found.made, (versions.ours, versions.theirs)))
    timed("write", lambda: encode(found.made))
    print(report.summary)


if __name__ == "__main__":
    main()
