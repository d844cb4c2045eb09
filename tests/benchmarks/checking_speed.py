"""Time of checks: the full one, and what follows one edit, of large designs.

    python tests/benchmarks/checking_speed.py [superpod] [16384] [65536]

For each design: seconds of a full check, of one whose findings are kept, and of fixing a name that is used twice and
two leafs that lack an uplink, with the findings known as in the window and without; then milliseconds until the
findings after an edit are there, the rules about the whole fabric apart, which the window has a worker check. Each edit
is made and undone a few times; the middle figure counts. `!` marks what is above its bar. All is processor time
of one core, so that a busy machine gives the same figures.
"""

import gc
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from designer.catalog.catalog import load  # noqa: E402  (after the path is set)
from designer.model import operations  # noqa: E402
from designer.model.design import Design  # noqa: E402
from designer.model.edit import Change, Edit, removed  # noqa: E402
from designer.model.entities import Link  # noqa: E402
from designer.regeneration.recipes import family_named  # noqa: E402
from designer.topologies.fat_tree import FatTreeParameters  # noqa: E402
from designer.topologies.k_ary_fat_tree import KAryFatTreeParameters  # noqa: E402
from designer.topologies.rail_optimized import RailOptimizedParameters  # noqa: E402
from designer.validation.engine import validate  # noqa: E402
from designer.validation.fixing import fixed  # noqa: E402
from designer.validation.live import Live, check_whole  # noqa: E402

DESIGNS = {
    "superpod": (
        "rail-optimized",
        RailOptimizedParameters(server="dgx-b200", servers=512, servers_per_su=32, tiers="3"),
    ),
    "16384": ("fat-tree", FatTreeParameters(switch="nvidia-qm9700", server="generic-host", servers=16_384, tiers="3")),
    "65536": ("k-ary-fat-tree", KAryFatTreeParameters(k=64)),
}
FULL_S = {"superpod": 0.5, "16384": 2.5, "65536": 10.0}
EDIT_MS = {"superpod": 10.0, "16384": 20.0, "65536": None}
FIXED_S = 3.0
TIMES = 5


def seconds(work: Callable[[], object]) -> float:
    gc.collect()
    started = time.process_time()
    work()
    return time.process_time() - started


def edits(design: Design) -> Iterator[Edit]:
    """One edit of each kind that hands make most."""
    links = list(design.links.values())
    link = links[len(links) // 2]
    yield Edit("delete a link", removed([link]))
    yield Edit("link a used port", (Change(None, Link(*design.new_ids("links", 1), links[0].a, link.b)),))
    yield Edit("enter a length", (Change(link, replace(link, length_m=50.0, length_source="typed")),))
    switch = design.switches()[-1]
    yield Edit("rename a switch", (Change(switch, replace(switch, name="renamed")),))
    yield Edit("reserve a port", (Change(switch, replace(switch, reserved_ports=(design.ports(switch.id)[0].name,))),))
    server = next(iter(design.servers()))
    yield replace(operations.delete(design, [server.id]), label="delete a server")


def with_faults(design: Design) -> Design:
    """The design with two leafs that lack an uplink each, and two leafs of one name."""
    broken, leafs = design.snapshot(), [one for one in design.switches() if one.role == "leaf"]
    spines = {one.id for one in design.switches()}
    up = [
        next(link for link in design.links_of(leaf.id) if {link.a.device_id, link.b.device_id} <= spines)
        for leaf in (leafs[0], leafs[-1])
    ]
    renamed = Change(leafs[2], replace(leafs[2], name=leafs[3].name))
    broken.apply(Edit("break", (*removed(up), renamed)))
    return broken


def followed_ms(live: Live, design: Design, edit: Edit) -> float:
    design.apply(edit)
    if not live.follow(design, edit):
        raise SystemExit(f"{edit.label} is not followed")
    started = time.process_time()
    live.report(design)
    reported_s = time.process_time() - started
    design.apply(edit.inverted())
    live.follow(design, edit.inverted())
    design.apply(edit)
    spent_s = seconds(lambda: live.follow(design, edit))
    design.apply(edit.inverted())
    live.follow(design, edit.inverted())
    return (spent_s + reported_s) * 1000


def mark(value: float, bar: float | None) -> str:
    return "" if bar is None else f"  (bar {bar:g}{'' if value <= bar else ' !'})"


def measure(name: str) -> None:
    family, parameters = DESIGNS[name]
    design = Design()
    design.apply(family_named(family).build(design, parameters, load()))
    print(f"{name}: {len(design.devices):,} devices, {len(design.links):,} links", flush=True)
    gc.freeze()
    full_s = min(seconds(lambda: validate(design)) for _ in range(2))
    print(f"  full check               {full_s:8.2f} s {mark(full_s, FULL_S[name])}", flush=True)
    made: list[Live] = []
    kept_s = seconds(lambda: made.append(Live(design)))
    print(f"  the same, findings kept  {kept_s:8.2f} s", flush=True)
    live = made[0]
    broken = with_faults(design)
    known = Live(broken)
    print(f"  fix all, findings known  {seconds(lambda: fixed(broken, live=known)):8.2f} s", flush=True)
    fixed_s = seconds(lambda: fixed(broken))
    print(f"  fix all                  {fixed_s:8.2f} s {mark(fixed_s, FIXED_S)}", flush=True)
    for edit in edits(design):
        spent = statistics.median(followed_ms(live, design, edit) for _ in range(TIMES))
        pending = live.pending
        whole_s = seconds(lambda codes=pending: live.take(check_whole(design, codes)))
        tail = f"the whole follows, {len(pending)} rules in {whole_s:.2f} s"
        print(f"  {edit.label:<24} {spent:8.1f} ms{mark(spent, EDIT_MS[name])}; {tail}", flush=True)


if __name__ == "__main__":
    for one in sys.argv[1:] or DESIGNS:
        measure(one)
