"""Time and memory of drawings and graphs: written and read back, of 16,384 GPUs.

python tests/benchmarks/graph_files.py
"""

import resource
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from designer.catalog.catalog import load  # noqa: E402  (after the path is set)
from designer.exchange.exporters import BUILT_IN  # noqa: E402
from designer.exchange.graphs.reading.rows import IMPORTERS  # noqa: E402
from designer.model.design import Design  # noqa: E402
from designer.topologies import rail_optimized  # noqa: E402

FORMATS = (
    ("drawio", "drawio", {}),
    ("drawio", "drawio", {"links": "all"}),
    ("graphml", "graphml", {}),
    ("graphml-yed", "graphml", {}),
    ("gexf", "gexf", {}),
    ("dot", "dot", {}),
    ("dot-ptm", "dot", {}),
    ("dot-cvt", "dot", {}),
)
LIMIT_S = 20.0


def main() -> None:
    """Write each format, then read it."""
    design = Design()
    wanted = {"switch": "nvidia-sn5600", "server": "dgx-h100", "servers": 2048, "servers_per_su": 64}
    design.apply(rail_optimized.build(design, rail_optimized.RailOptimizedParameters(**wanted), load()))
    exporters, readers = {one.name: one for one in BUILT_IN}, {one.name: one.found for one in IMPORTERS}
    print(f"{len(design.devices):,} devices, {len(design.links):,} links; limit {LIMIT_S:g} s to write")
    with tempfile.TemporaryDirectory() as folder:
        for name, reader, options in FORMATS:
            path = Path(folder) / f"graph{exporters[name].suffix}"
            begun = time.process_time()
            exporters[name].write(design, path, options)
            written = time.process_time()
            network = readers[reader](path)
            read_s, size = time.process_time() - written, path.stat().st_size / 1e6
            print(f"  {name:<12} {options or ''!s:<20} {written - begun:6.2f} s  {size:6.1f} MB  read {read_s:6.2f} s")
            assert len(network.links) == len(design.links)
    print(f"  memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:,.0f} MB")


if __name__ == "__main__":
    main()
