"""How long the set of drawings of a design takes: `python tests/benchmarks/drawings.py FILE.fabric OUT.pdf`.

Of a fat-tree of 16,384 GPUs in 545 racks (`generate fat-tree --server dgx-h100 --servers 2048`) it writes about 2,000
pages. A set of 700 racks is to take 60 s at most.
"""

import resource
import sys
import time
from collections import Counter
from pathlib import Path

from designer.canvas.export import write_pages
from designer.exchange.drawing_options import DrawingOptions
from designer.exchange.drawings import drawing_pages
from designer.storage import document


def main(source: Path, target: Path) -> None:
    """Time planning and drawing apart."""
    design = document.load(source)
    start = time.perf_counter()
    pages = drawing_pages(design, DrawingOptions())
    planned = time.perf_counter()
    write_pages(target, design.name, pages)
    done = time.perf_counter()
    used = resource.getrusage(resource.RUSAGE_SELF)
    print(f"{len(design.racks):,} racks, {len(pages):,} pages: {dict(Counter(page.section for page in pages))}")
    print(
        f"planned in {planned - start:.1f} s, drawn in {done - planned:.1f} s; {used.ru_utime:.1f} s of a core in all"
    )
    print(f"{target.stat().st_size / 1e6:.1f} MB; at most {used.ru_maxrss / 1e6:.2f} GB of memory")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
