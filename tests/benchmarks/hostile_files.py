"""Processor time of hostile files, for every format that is read.

python tests/benchmarks/hostile_files.py [FORMAT ...]

Prints the three files that take longest; `!` marks what takes more than two seconds.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
READING = ROOT / "tests" / "exchange" / "reading"
sys.path[:0] = [str(ROOT), str(READING)]

from hostile_files import write_all  # noqa: E402  (after the path is set)

from designer.exchange.importers import BUILT_IN  # noqa: E402

MOST_S = 2.0


def main() -> None:
    """Measure each format, or those named."""
    for reader in BUILT_IN:
        if sys.argv[1:] and reader.name not in sys.argv[1:]:
            continue
        with tempfile.TemporaryDirectory() as folder:
            write_all(Path(folder), [one for one in reader.suffixes if one != "/"])
            asked = [sys.executable, str(READING / "read_within.py"), reader.name, folder]
            found = json.loads(subprocess.run(asked, capture_output=True, check=True).stdout)
        for one in sorted(found, key=lambda one: -one["seconds"])[:3]:
            mark = " !" if one["seconds"] > MOST_S else ""
            print(f"{reader.name:<20} {one['file']:<34} {one['seconds']:6.2f} s  {one['outcome']}{mark}", flush=True)


if __name__ == "__main__":
    main()
