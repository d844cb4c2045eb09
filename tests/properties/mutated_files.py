"""Damaged files into every reader: each is read or refused in a sentence, in 2 s and 500 MB, and nothing else happens.

By hand: `python tests/properties/mutated_files.py COUNT [SEED] [READER...]`; prints what each reader did with how many.
"""

import json
import random
import re
import resource
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import yaml
from PySide6.QtCore import QByteArray

from designer.catalog import data_files, own_types
from designer.catalog.catalog import Catalog, load
from designer.errors import DesignerError
from designer.exchange import netbox
from designer.session.preferences import Preferences
from designer.simulation.jobs.job_text import fields_in, job_from
from designer.simulation.scenario import Scenario
from designer.simulation.traffic.patterns import pattern_phases
from designer.simulation.traffic.texts import read_ranks
from designer.storage import document, recovery

ROOT = Path(__file__).resolve().parents[2]
LONGEST_S = 2.0
MOST_BYTES = 500_000_000
SENTENCE_LONGEST = 2_000
ODD_VALUES: tuple[Any, ...] = (
    None,
    True,
    0,
    -1,
    1,
    10**9,
    10**18,
    2**63,
    -(2**63),
    10**400,
    1e300,
    -1e-300,
    0.5,
    "",
    " ",
    "x",
    "\u2028",
    "\x00",
    "<b>",
    "1e9",
    "../../etc/passwd",
    "a" * 5000,
    "\U0001f9f5",
    "\udcff",
    "{cage}" * 50,
    "%n%s",
    [],
    {},
    [[]],
    [None] * 50,
    [1] * 3000,
    {"": ""},
    {"id": "d1"},
    "9" * 5000,
    "1-999999999",
    "d1-99999999",
    "0x10",
    ".inf",
    "nan",
)
ODD_BYTES = (
    b"\x00",
    b"\xff",
    b"\xfe\xff",
    b"\xef\xbb\xbf",
    b"\x1b[31m",
    b"\xc2\x85",
    b"\xe2\x80\xa8",
    b"\r",
    b"\n\n",
    b"\t",
    b'"',
    b"'",
    b"{",
    b"}",
    b"[",
    b"]",
    b",",
    b":",
    b"- ",
    b"&a ",
    b"*a",
    b"!!python/object:os.system ",
    b"<<: ",
    b"? ",
    b"| ",
    b"\\ud800",
    b"\\u0000",
    b"NaN",
    b"-Infinity",
    b"1e999",
    b"9" * 400,
    b"[" * 3000,
    b'{"a":' * 2000,
    b"%YAML 9.9\n",
    b"--- ",
    b"...",
    b"#",
    b"-",
    b"@Variant(\x00\x00\x00\x7f)",
    b"@ByteArray(\\0\\0)",
    b"@Invalid()",
)
ODD_NUMBERS = (b"0", b"-1", b"1e308", b"99999999999", b"4294967296", b"1000000", b"0.0001", b"9" * 5000, b"x")

MOST_PLACES = 100_000
"""Of one file; one whose parts are repeated by references has far more."""


class Hung(BaseException):
    """A reader went over its time."""


@dataclass(frozen=True)
class Reader:
    """A kind of file: whole ones to damage, and how the program reads one."""

    name: str
    suffix: str
    whole: tuple[bytes, ...]
    read: Callable[[Path], object]


def readers(catalog: Catalog, folder: Path) -> list[Reader]:
    """Every kind of file that the program opens, each with a few whole ones."""
    designs = [path.read_bytes() for path in sorted((ROOT / "tests" / "golden").glob("*.fabric"))]
    designs.append((ROOT / "examples" / "faults.fabric").read_bytes())
    small = document.load(next(iter(sorted((ROOT / "tests" / "golden").glob("*.fabric"), reverse=True))))
    recovery.keep(small, "pod.fabric", folder / "pod.fabric", folder / "whole.recovery")
    jobs = (
        b"- {name: a, collective: all-reduce, size: 1GiB, ranks: 0-7, loop: no}\n"
        b"- {name: b, traffic: 'shift:1', size: 1M}\n",
        b'{"jobs": [{"name": "a", "collective": "all-to-all", "size": "1048576", '
        b'"ranks": [0, 1, "4-7"], "start": "2ms"}]}',
    )
    types = tuple(
        own_types.save(type_, folder / "types").read_bytes()
        for type_ in (_renamed(catalog, name) for name in ("nvidia-qm9700", "dgx-h100", "connectx-7-ndr", "rack-42u"))
    )
    data = tuple(path.read_bytes() for path in sorted((ROOT / "resources" / "catalog").rglob("*.yaml"))[:6])
    found = tuple(path.read_bytes() for path in sorted((ROOT / "tests/exchange/data/netbox").rglob("*.yaml"))[:30])
    return [
        Reader("design", ".fabric", tuple(designs), document.load),
        Reader("recovery", ".recovery", ((folder / "whole.recovery").read_bytes(),), _recovered),
        Reader("jobs", ".yaml", jobs, _jobs),
        Reader("own type", ".yaml", types, own_types.read),
        Reader("netbox", ".yaml", found, netbox.read),
        Reader("pairs", ".csv", (b"src,dst,bytes\n0,1,1000\n1,2,5e6\n7,3,12\n",), _traffic("pairs")),
        Reader("permutation", ".txt", (b"1\n2\n3\n4\n5\n6\n7\n0\n",), _traffic("permutation")),
        Reader("ranks", ".txt", (b"0-7,16\n18 - 20\n24+25\n",), lambda path: read_ranks(str(path))),
        Reader("preferences", ".ini", (_preferences(folder),), _preferred),
    ] + ([Reader("catalog", ".yaml", data, _data_file)] if data else [])


def _renamed(catalog: Catalog, type_id: str) -> Any:
    return replace(catalog.get(type_id), id=f"own-{type_id}")


def _recovered(path: Path) -> object:
    found = recovery.describe(path)
    return None if found is None else recovery.load(found)


def _jobs(path: Path) -> object:
    return [job_from(fields, number, {}) for number, fields in enumerate(fields_in(path), start=1)]


def _traffic(pattern: str) -> Callable[[Path], object]:
    ranks = np.arange(8)
    return lambda path: pattern_phases(Scenario(traffic=f"{pattern}:{path}", size_bytes=1000), ranks, ranks)


def _data_file(path: Path) -> object:
    return data_files._parsed(path)


def _preferences(folder: Path) -> bytes:
    kept = Preferences(folder / "whole.ini")
    kept.add_recent_file(ROOT / "examples" / "faults.fabric")
    kept.theme, kept.start_on_welcome = "dark", False
    kept.add_recent_type("dgx-h100")
    kept.set_blob("geometry", QByteArray(b"\x01\xd9\xd0\xcb\x00\x03"))
    kept.set_folder("design", folder)
    kept.flush()
    return (folder / "whole.ini").read_bytes()


def _preferred(path: Path) -> object:
    kept = Preferences(path)
    found = (
        kept.recent_files,
        kept.recent_types,
        kept.theme,
        kept.start_on_welcome,
        kept.live_at_start,
        kept.reruns_after_failures,
        kept.advises,
        kept.keeps_unsaved,
        kept.blob("geometry"),
        kept.folder("design"),
    )
    kept.add_recent_type("dgx-h200")
    return found


# -- damage ---------------------------------------------------------------------------------------------------------


def damaged(data: bytes, other: bytes, chance: random.Random) -> bytes:
    """The bytes with one to six faults in them, some where a program would not look for them."""
    for _ in range(chance.choice((1, 1, 1, 2, 3, 6))):
        data = chance.choice(DAMAGES)(data, other, chance)[:2_000_000]
    return data


def _value(data: bytes, _other: bytes, chance: random.Random) -> bytes:
    """One value of JSON or YAML becomes another; a mapping loses, gains or repeats an entry."""
    head, newline, rest = data.partition(b"\n") if b'"fabric-recovery"' in data[:200] else (b"", b"", data)
    try:
        found = json.loads(rest)
        written: Callable[[Any], str] = json.dumps
    except (ValueError, RecursionError):
        if len(data) > 20_000:
            return _bytes(data, _other, chance)
        try:
            found = yaml.safe_load(rest)
        except (yaml.YAMLError, ValueError, RecursionError, TypeError, AttributeError, KeyError):
            return _bytes(data, _other, chance)
        written = lambda value: yaml.safe_dump(value, allow_unicode=True)  # noqa: E731
    places = list(islice(_places(found), MOST_PLACES))
    if not places:
        return _bytes(data, _other, chance)
    holder, key = chance.choice(places)
    deed = chance.randrange(4)
    if deed == 0:
        holder[key] = chance.choice(ODD_VALUES)
    elif deed == 1:
        del holder[key]
    elif deed == 2:
        holder[key] = chance.choice(places)[0]
    elif isinstance(holder, list):
        holder.extend([holder[key]] * chance.choice((1, 2, 300)))
    else:
        holder[chance.choice(("x", "id", "name", "", "kind", "\x00"))] = chance.choice(ODD_VALUES)
    try:
        return head + newline + written(found).encode("utf-8", "surrogatepass")
    except (ValueError, RecursionError, yaml.YAMLError, TypeError, MemoryError):
        return data


def _places(value: Any, depth: int = 0) -> Iterator[tuple[Any, Any]]:
    if depth > 12:
        return
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in list(pairs):
        yield value, key
        yield from _places(inner, depth + 1)


def _bytes(data: bytes, _other: bytes, chance: random.Random) -> bytes:
    at = chance.randrange(len(data) + 1)
    return data[:at] + chance.choice(ODD_BYTES) + data[at + chance.choice((0, 0, 1, 4)) :]


def _flip(data: bytes, _other: bytes, chance: random.Random) -> bytes:
    if not data:
        return b"\x00"
    at = chance.randrange(len(data))
    return data[:at] + bytes([data[at] ^ (1 << chance.randrange(8))]) + data[at + 1 :]


def _cut(data: bytes, _other: bytes, chance: random.Random) -> bytes:
    begin, end = sorted((chance.randrange(len(data) + 1), chance.randrange(len(data) + 1)))
    return data[:end] if chance.random() < 0.5 else data[:begin] + data[begin + min(end - begin, 200) :]


def _repeat(data: bytes, _other: bytes, chance: random.Random) -> bytes:
    begin, end = sorted((chance.randrange(len(data) + 1), chance.randrange(len(data) + 1)))
    return data[:end] + data[begin:end][:2000] * chance.choice((1, 3, 200)) + data[end:]


def _splice(data: bytes, other: bytes, chance: random.Random) -> bytes:
    return data[: chance.randrange(len(data) + 1)] + other[chance.randrange(len(other) + 1) :]


def _number(data: bytes, _other: bytes, chance: random.Random) -> bytes:
    numbers = list(re.finditer(rb"[0-9]+", data))
    if not numbers:
        return _bytes(data, _other, chance)
    found = chance.choice(numbers)
    return data[: found.start()] + chance.choice(ODD_NUMBERS) + data[found.end() :]


DAMAGES = (_value, _value, _value, _bytes, _flip, _cut, _repeat, _splice, _number, _number)


# -- reading --------------------------------------------------------------------------------------------------------


def outcome_of(reader: Reader, path: Path) -> str:
    """ "read", "refused", or what should not have happened."""

    def hung(*_: object) -> None:
        raise Hung

    signal.signal(signal.SIGVTALRM, hung)
    began_s = time.process_time()
    signal.setitimer(signal.ITIMER_VIRTUAL, 5 * LONGEST_S)
    try:
        reader.read(path)
        found = "read"
    except DesignerError as error:
        found = _fault_in(str(error))
    except Hung:
        return f"over {5 * LONGEST_S:g} s"
    except Exception as error:
        return f"{type(error).__name__}: {str(error)[:200]}"
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    took_s = time.process_time() - began_s
    return found if took_s <= LONGEST_S else f"{took_s:.1f} s"


def _fault_in(sentence: str) -> str:
    if not sentence or len(sentence) > SENTENCE_LONGEST or "Traceback" in sentence or "\n" in sentence.strip():
        return f"a bad sentence: {sentence[:300]!r}"
    return "refused"


@dataclass
class Tally:
    counts: dict[str, Counter[str]]
    faults: list[tuple[str, int, str]]
    slowest_s: float = 0.0


def run(count: int, seed: int, only: tuple[str, ...] = (), keep: Path | None = None) -> Tally:
    """Damage `count` files and read each; those that were neither read nor refused are kept in the folder."""
    tally = Tally({}, [])
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        every = [one for one in readers(load(), folder) if not only or one.name in only]
        for number in range(count):
            chance = random.Random(f"{seed}-{number}")
            reader = every[number % len(every)]
            data, other = chance.choice(reader.whole), chance.choice(chance.choice(every).whole)
            path = folder / f"f{reader.suffix}"
            bad = damaged(data, other, chance)
            path.write_bytes(bad)
            began_s = time.process_time()
            found = outcome_of(reader, path)
            tally.slowest_s = max(tally.slowest_s, time.process_time() - began_s)
            known = found in ("read", "refused")
            tally.counts.setdefault(reader.name, Counter())[found if known else "fault"] += 1
            if not known:
                tally.faults.append((reader.name, number, found))
                if keep is not None:
                    keep.mkdir(parents=True, exist_ok=True)
                    (keep / f"{reader.name.replace(' ', '-')}-{seed}-{number}{reader.suffix}").write_bytes(bad)
    return tally


def main(arguments: list[str]) -> int:
    count, seed = int(arguments[0]), int(arguments[1]) if len(arguments) > 1 else 1
    readers(load(), Path(tempfile.mkdtemp()))  # all that is loaded once is loaded
    at_first = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    size = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (size + MOST_BYTES, resource.RLIM_INFINITY))
    tally = run(count, seed, tuple(arguments[2:]), Path("out") / "mutated")
    for name, counts in tally.counts.items():
        print(f"{name:<12} " + ", ".join(f"{number:,} {what}" for what, number in sorted(counts.items())))
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 - at_first
    print(f"slowest {tally.slowest_s:.2f} s, {grown / 1e6:.0f} MB more than at first")
    for name, number, found in tally.faults[:60]:
        print(f"{name} {number}: {found}")
    return 1 if tally.faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
