"""Time and memory of the commands that exchange designs of 16,384 GPUs, each whole and in a process of its own.

    python tests/benchmarks/exchange_speed.py [NAME...]

Seconds by the clock and of the processor, with those that Python takes to start, the most memory, and the limits. Two
people edit one design: each tags, cables, copies and deletes, a thousand servers and links the same as the other.
Bills and all-reduce times of both designs come on top of comparing; their kernels have to be compiled before.
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from designer.catalog.catalog import load  # noqa: E402
from designer.exchange.infiniband.files import ibsim_text  # noqa: E402
from designer.exchange.infiniband.subnet import Subnet, subnet  # noqa: E402
from designer.model import operations  # noqa: E402
from designer.model.design import Design  # noqa: E402
from designer.regeneration import recipes  # noqa: E402
from designer.storage.document import encode  # noqa: E402
from designer.topologies.rail_optimized import RailOptimizedParameters  # noqa: E402

SERVERS = 2048
MEMORY_LIMIT_MB = 3000
FIRST_GUID = 0x98039B0300000000


class Case(NamedTuple):
    """A command, and the seconds that it may take."""

    limit_s: float
    arguments: str


CASES = {
    "compare": Case(5.0, "diff base.fabric ours.fabric -o changes.json --format json"),
    "compare-figures": Case(12.0, "diff base.fabric ours.fabric --figures -o figures.json --format json"),
    "compare-as-built": Case(5.0, "diff base.fabric built.ibnetdiscover -o built.json --format json"),
    "merge": Case(5.0, "merge base.fabric ours.fabric theirs.fabric -o merged.fabric"),
    "netbox": Case(20.0, "export base.fabric --to netbox -o netbox.zip"),
    "ibnetdiscover": Case(5.0, "import ibnetdiscover built.ibnetdiscover -o discovered.fabric"),
    "ibsim": Case(5.0, "import ibsim built.net -o simulated.fabric"),
}


def side(base: Design, first: int, tag: str, length_m: float) -> bytes:
    """The file of somebody who edits a part of the servers and links."""
    design = base.snapshot()
    servers, links = [one.id for one in design.servers()], list(design.links)
    design.apply(operations.add_tags(design, servers[first : first + 1000], [tag]))
    design.apply(operations.set_cable(design, links[first * 14 : first * 14 + 8000], None, length_m))
    design.apply(operations.duplicate(design, servers[first : first + 64], 5, 5))
    design.apply(operations.delete(design, servers[1900 + first // 100 : 1910]))
    return encode(design)


def discovered(made: Subnet) -> str:
    """What ibnetdiscover would print of a subnet: every link from both ends, with names and rates."""

    def title(at: int) -> str:
        return f'"{"S" if made.nodes[at].is_switch else "H"}-{FIRST_GUID + at:016x}"'

    lines = []
    for at, node in enumerate(made.nodes):
        lines.append(f'\n{"Switch" if node.is_switch else "Ca"}\t{node.n_ports} {title(at)}\t\t# "{node.name}"')
        for wire in node.wires:
            peer = made.nodes[wire.peer].name
            lines.append(f'[{wire.port}]\t{title(wire.peer)}[{wire.peer_port}]\t\t# "{peer}" lid {wire.peer + 1} 4xNDR')
    return "\n".join(lines)


def prepare(folder: Path) -> None:
    """Write the files that the commands read."""
    base = Design()
    parameters = RailOptimizedParameters(servers=SERVERS, servers_per_su=32)
    base.apply(recipes.generated(base, recipes.family_named("rail-optimized"), parameters, load()))
    (folder / "base.fabric").write_bytes(encode(base))
    (folder / "ours.fabric").write_bytes(side(base, 0, "ours", 3.0))
    (folder / "theirs.fabric").write_bytes(side(base, 500, "theirs", 5.0))
    made = subnet(base)
    (folder / "built.net").write_text(ibsim_text(made), encoding="utf-8")
    (folder / "built.ibnetdiscover").write_text(discovered(made), encoding="utf-8")


def measure(name: str, folder: Path) -> None:
    """Prints the row of a command."""
    case = CASES[name]
    asked = [sys.executable, "-m", "designer", *case.arguments.split(), "--force"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    began = time.perf_counter()
    with subprocess.Popen(
        asked, cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    ) as done:
        assert done.stderr is not None
        said = done.stderr.read().decode()
        _pid, status, used = os.wait4(done.pid, 0)
        done.returncode = os.waitstatus_to_exitcode(status)
    wall_s = time.perf_counter() - began
    if done.returncode not in (0, 1):
        print(f"{name:<18} failed: {said.strip()}", flush=True)
        return
    print(
        f"{name:<18} {wall_s:6.2f} s (limit {case.limit_s:g} s)  processor {used.ru_utime + used.ru_stime:6.2f} s  "
        f"memory {used.ru_maxrss / 1024:6,.0f} MB (limit {MEMORY_LIMIT_MB:,} MB)",
        flush=True,
    )


def main() -> None:
    """Measure every command, or those named."""
    with tempfile.TemporaryDirectory() as folder:
        prepare(Path(folder))
        for name in sys.argv[1:] or CASES:
            measure(name, Path(folder))


if __name__ == "__main__":
    main()
