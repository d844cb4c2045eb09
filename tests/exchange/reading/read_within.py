"""Reads files in a process that has little memory: python read_within.py READER FOLDER prints what came of each."""

import json
import resource
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from designer.errors import DesignerError
from designer.exchange.importers import IMPORTERS

MOST_BYTES = 500 * 10**6


def outcome(read, path):
    """ "read", "refused", or what else came of a file."""
    try:
        read(path)
    except (DesignerError, OSError):
        return "refused"
    except MemoryError:
        return "out of memory"
    except Exception as error:
        return repr(error)
    return "read"


def main(name, folder):
    """Print the outcome and the processor time of each file of the folder."""
    importer = IMPORTERS.named(name)
    read = importer.found or importer.read
    paths = sorted(Path(folder).iterdir())
    outcome(read, min(paths, key=lambda path: path.stat().st_size))  # so that its libraries are there
    held = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (held + MOST_BYTES, resource.RLIM_INFINITY))
    found = []
    for path in paths:
        begun = time.process_time()
        came = outcome(read, path)
        found.append({"file": path.name, "outcome": came, "seconds": round(time.process_time() - begun, 3)})
    print(json.dumps(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
