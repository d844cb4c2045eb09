"""Time and memory for the bill of materials of a large design, as XLSX, CSV and JSON.

    python tests/benchmarks/bills.py [SERVERS]

A fat-tree of 2,048 DGX H100 (16,384 GPUs, 49,152 links) unless given otherwise. Each line is a process of its own:
seconds by the wall clock and of processor time, and the most memory it held.
"""

import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from large_designs import run, show

SERVERS = "2048"
LIMIT_S = 3.0
"""What a release has to keep on a quiet machine of two cores."""
PRICES = "part number,price,currency,date,discount\nDGX H100,300000,USD,2026-11-01,10%\nQM9700,25000,EUR,2026-10-01,\n"


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        design, prices = Path(folder) / "pod.fabric", Path(folder) / "prices.csv"
        prices.write_text(PRICES, encoding="utf-8")
        servers = sys.argv[1] if len(sys.argv) > 1 else SERVERS
        generate = ("-m", "designer", "generate", "fat-tree", "--server", "dgx-h100", "--servers", servers)
        show("generate", *run(*generate, "-o", str(design)))
        for suffix in (".xlsx", ".csv", ".json"):
            wanted = ("--to", "bill-of-materials", "--option", f"prices={prices}", "--option", "spares=all:2%:1")
            bill = str(design.with_suffix(suffix))
            show(f"bill as {suffix}", *run("-m", "designer", "export", str(design), *wanted, "-o", bill), LIMIT_S)
    return 0


if __name__ == "__main__":
    sys.exit(main())
