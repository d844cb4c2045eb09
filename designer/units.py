"""Units: text to numbers at the edge, numbers to text at the edge. Factors of 8 and 1000 live here and nowhere else."""

import datetime
import math
import re
from collections.abc import Iterable, Sequence

from designer.errors import ParameterError

BYTES_PER_S_PER_GBPS = 1e9 / 8
BYTES_PER_S_PER_GBYTES_PER_S = 1e9
BYTES_PER_GB = 1e9
SECONDS_PER_NS = 1e-9
SECONDS_PER_US = 1e-6
HOURS_PER_YEAR = 365 * 24
SECONDS_PER_YEAR = HOURS_PER_YEAR * 3600

_DECIMAL = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12, "p": 10**15}
_BINARY = {"ki": 2**10, "mi": 2**20, "gi": 2**30, "ti": 2**40, "pi": 2**50}
MOST_WHOLE = 10**12
SIZE_LIMIT_BYTES = 2**63
LENGTH_MOST_M = 1e6
RATE_MOST_GBPS, RATIO_MOST = 1e7, 1e6
QUOTED_MOST = 24
_WHOLE = re.compile(r"[+-]?(?:[0-9]+|[0-9]{1,3}(?:,[0-9]{3})+)")  # "4,4" is two numbers, not one
_NUMBER = re.compile(r"\s*([0-9]+(?:\.[0-9]*)?(?:e[+-]?[0-9]+)?|\.[0-9]+)\s*([a-z/]*)\s*", re.IGNORECASE)


def parse_rate(text: str) -> float:
    """Gb/s from "400G", "400", "1.6T", "100 Gb/s". Raises ParameterError."""
    match = _NUMBER.fullmatch(text)
    if match:
        unit = match[2].lower().removesuffix("/s").removesuffix("bps").removesuffix("b")
        if unit in ("", "g", "t", "m"):
            gbps = float(match[1]) * {"": 1.0, "g": 1.0, "t": 1000.0, "m": 0.001}[unit]
            if not 0 < gbps <= RATE_MOST_GBPS:
                raise ParameterError(f"a rate should be above 0 and at most 10,000T, not {shortened(text)!r}")
            return gbps
    raise ParameterError(f"{shortened(text)!r} is not a rate: write it like 400G or 1.6T")


def parse_whole(text: str, least: int = 0, most: int = MOST_WHOLE) -> int:
    """1536 from "1536", "1,536". Raises ParameterError that tells what is no whole number from what is out of range."""
    if not _WHOLE.fullmatch(text.strip()):
        raise ParameterError(f"{shortened(text)!r} is not a whole number")
    digits = text.strip().replace(",", "")
    sign, figures = -1 if digits[0] == "-" else 1, digits.lstrip("+-").lstrip("0") or "0"
    value = sign * int(figures[:30])  # more figures than any limit has stay more
    if not least <= value <= most:
        far = "large" if value > most else "small"
        raise ParameterError(f"{shortened(digits)} is too {far}: it should be {least:,} to {most:,}")
    return value


def shortened(text: str) -> str:
    """What somebody typed, so short that a message can hold it."""
    return text if len(text) <= QUOTED_MOST else f"{text[: QUOTED_MOST - 1]}\u2026"


def parse_size(text: str) -> int:
    """Bytes from "1GiB", "1G", "512k", "1e9" (K, M, G are decimal, Ki, Mi, Gi binary). Raises ParameterError."""
    match = _NUMBER.fullmatch(text)
    if match:
        unit = match[2].lower().removesuffix("b")
        factor = _DECIMAL.get(unit) or _BINARY.get(unit)
        if factor is not None:
            size_bytes = float(match[1]) * factor
            if not 0 < size_bytes < SIZE_LIMIT_BYTES:
                raise ParameterError(f"a size should be above 0 and below 8 EiB, not {shortened(text)!r}")
            return max(1, round(size_bytes))
    raise ParameterError(f"{shortened(text)!r} is not a size: write it like 1GiB, 64M or 1000000")


def parse_amount(text: str) -> float:
    """A count from "300e9", "300B", "1,536" (K, M, B or G, and T are decimal). Raises ParameterError."""
    match = _NUMBER.fullmatch(text.replace(",", ""))
    factor = ({"b": 10**9} | _DECIMAL).get(match[2].lower()) if match else None
    value = float(match[1]) * factor if match and factor is not None else math.nan
    if not math.isfinite(value):
        raise ParameterError(f"{shortened(text)!r} is not a number: write it like 300e9 or 300B")
    return value


def format_amount(value: float) -> str:
    """ "174.6e9", "3.2e18": a count in engineering notation."""
    power = 0
    while abs(value) >= 1000:
        value, power = value / 1000, power + 3
    return f"{value:.4g}e{power}" if power > 3 else f"{value * 10**power:.6g}"


MINUS = "\u2212"
"""The sign of a negative number in texts: a hyphen is none."""

_SECONDS = {"": 1.0, "s": 1.0, "ms": 1e-3, "us": 1e-6, "\u00b5s": 1e-6, "ns": 1e-9, "min": 60.0, "h": 3600.0}
_TIME = re.compile(r"\s*([0-9]+(?:\.[0-9]*)?(?:e[+-]?[0-9]+)?|\.[0-9]+)\s*([a-z\u00b5]*)\s*", re.IGNORECASE)


def parse_time(text: str) -> float:
    """Seconds from "2 ms", "1.5s", "10us", "3". Raises ParameterError."""
    match = _TIME.fullmatch(text)
    if match and match[2].lower() in _SECONDS:
        time_s = float(match[1]) * _SECONDS[match[2].lower()]
        if math.isfinite(time_s):
            return time_s
    raise ParameterError(f"{shortened(text)!r} is not a time: write it like 2ms or 1.5s")


def parse_date(text: str) -> str:
    """The day as "2026-11-22". Raises ParameterError for any other way to write it, and for a day there is not."""
    try:
        if re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", text):
            return datetime.date.fromisoformat(text).isoformat()
    except ValueError:  # no such day
        pass
    raise ParameterError(f"{shortened(text)!r} is not a date: write it like 2026-11-22")


def parse_length(text: str) -> float:
    """Meters of a cable from "30", "30 m" or "2.5m". Raises ParameterError."""
    try:
        length = float(text.strip().lower().removesuffix("m").strip())
    except ValueError:
        length = math.nan
    if not math.isnan(length) and not 0 < length <= LENGTH_MOST_M:
        raise ParameterError(f"a length should be above 0 and at most {LENGTH_MOST_M:,.0f} m, not {shortened(text)!r}")
    if math.isnan(length):
        raise ParameterError(f"{text!r} is not a length: write meters, like 30 or 2.5 m")
    return length


def parse_ratio(text: str) -> float:
    """2.0 from "2:1" or "2", 1.5 from "3:2". Raises ParameterError."""
    head, _, tail = text.partition(":")
    try:
        ratio = float(head) / (float(tail) if tail.strip() else 1.0)
    except (ValueError, ZeroDivisionError):
        ratio = math.nan
    if not math.isnan(ratio) and not 0 < ratio <= RATIO_MOST:
        raise ParameterError(f"a ratio should be above 0 and at most 1,000,000:1, not {shortened(text)!r}")
    if math.isnan(ratio):
        raise ParameterError(f"{shortened(text)!r} is not a ratio: write it like 2:1, 3:2 or 1.5")
    return ratio


def format_rate(rate_gbps: float) -> str:
    """ "400G", "1.6T", "25G"."""
    return f"{rate_gbps / 1000:g}T" if rate_gbps >= 1000 else f"{rate_gbps:g}G"


WHOLE_TBPS = 999.95
"""From here on four digits are no fraction, and thousands are grouped."""


def format_capacity(rate_gbps: float) -> str:
    """ "12.8 Tb/s", "1,152 Tb/s", "400 Gb/s"."""
    if rate_gbps < 1000:
        return f"{rate_gbps:.4g} Gb/s"
    rate_tbps = rate_gbps / 1000
    return f"{rate_tbps:,.0f} Tb/s" if rate_tbps >= WHOLE_TBPS else f"{rate_tbps:.4g} Tb/s"


def format_bandwidth(bandwidth_gbytes_per_s: float) -> str:
    """ "382.44 GB/s": algbw or busbw."""
    return f"{bandwidth_gbytes_per_s:.2f} GB/s"


def format_size(size_bytes: float) -> str:
    """ "1 GiB", "512 KiB", "1.5 GB": a size that somebody chose (binary where it comes out whole and short)."""
    for name in _BINARY_NAMES:
        factor = _BINARY[name.lower()]
        if size_bytes % factor == 0 and factor <= size_bytes < 10_000 * factor:
            return f"{size_bytes / factor:.0f} {name}B"
    return format_memory(size_bytes)


def is_decimal_size(size_bytes: float) -> bool:
    """Whether a size was chosen in kB, MB, GB or TB, as `format_size` shows it: 1 GB, not 1 GiB or 512 B."""
    return format_size(size_bytes).endswith(("kB", "MB", "GB", "TB", "PB"))


def format_carried(carried_bytes: float, beside_bytes: float = 0.0, *, given_bytes: float | None = None) -> str:
    """ "3.51 GiB", "768 B": bytes that came out of a run, of one family, so that rows compare at a glance.

    In the unit of a larger number that it stands beside; decimal ("3.77 GB") where `given_bytes`, the size that the
    run was given, is decimal.
    """
    if given_bytes is not None and is_decimal_size(given_bytes):
        return _in_decimal(carried_bytes, max(carried_bytes, beside_bytes))
    for name in _BINARY_NAMES:
        factor = _BINARY[name.lower()]
        if max(carried_bytes, beside_bytes) >= factor:
            return f"{carried_bytes / factor:.4g} {name}B"
    return f"{carried_bytes:.4g} B"


def format_memory(memory_bytes: float) -> str:
    """ "80 GB", "1.5 TB": decimal, as data sheets state memory."""
    return _in_decimal(memory_bytes, memory_bytes)


def _in_decimal(size_bytes: float, largest_bytes: float) -> str:
    """In the unit that suits the largest."""
    for name, scale in (("P", 1e15), ("T", 1e12), ("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if largest_bytes >= scale:
            return f"{size_bytes / scale:.4g} {name}B"
    return f"{size_bytes:.4g} B"


_BINARY_NAMES = ("Pi", "Ti", "Gi", "Mi", "Ki")


def format_time(time_s: float, more: int = 0) -> str:
    """ "1.23 s", "4.56 ms", "7.8 µs", "90 ns"; with `more` digits where asked."""
    for name, factor in (("s", 1.0), ("ms", 1e-3), ("\u00b5s", 1e-6)):
        if time_s >= factor:
            return f"{time_s / factor:.{4 + more}g} {name}"
    return f"{time_s * 1e9:.{4 + more}g} ns"


def format_times(was_s: float, now_s: float) -> str:
    """ "22.7 → 21.44 ms": from one time to another, the unit once where it is the same."""
    was, now = format_time(was_s), format_time(now_s)
    return f"{was.split()[0] if was.split()[-1] == now.split()[-1] else was} → {now}"


def format_change(change: float, digits: int = 1) -> str:
    """ "+77.1 %", "−4.3 %", "0.0 %": a change as a share of what was, never "−0.0 %"."""
    percent = round(100 * change, digits)
    return f"{percent:+,.{digits}f} %".replace("-", MINUS) if percent else f"{0:.{digits}f} %"


FULL_LOAD = 0.995
"""From here on a load is written as 100 %: rounding of a simulated 100 % stays inside."""
HOT_LOAD = 0.8 + 1e-9
"""A link with more is hot, over 80 %: rounding of a simulated 80 % stays outside."""


def format_load(utilization: float) -> str:
    """ "87 %", "0.4 %": whole numbers, except where that would say 0 of something or 100 of less."""
    value = utilization * 100
    if 0 < value < 1 or (utilization < FULL_LOAD and value > 99):
        return f"{min(value, 99.9):.1f} %"
    return f"{value:.0f} %"


def format_signed(value: float, digits: int = 0) -> str:
    """ "+1,024", "−0.50": how much more something is."""
    return f"{value:+,.{digits}f}".replace("-", MINUS)


def format_power(power_w: float) -> str:
    """ "40.8 kW", "650 W", "1.2 MW"."""
    for name, factor in (("MW", 1e6), ("kW", 1e3)):
        if power_w >= factor:
            return f"{power_w / factor:.4g} {name}"
    return f"{power_w:.4g} W"


def format_length(length_m: float) -> str:
    """ "1.2 m", "0.05 m", "120 m"."""
    return f"{round(length_m, 2):g} m"


def format_count(count: int) -> str:
    """ "16,384"."""
    return f"{count:,}"


def format_counted(count: int, word: str) -> str:
    """ "1 spine", "16 leaf switches", "2 switches", "4 storage switches"."""
    if word in _OF_SWITCHES or word.startswith("tier-"):
        word = f"{word} switch"
    plural = f"{word}es" if word.endswith("switch") else f"{word}s"
    return f"{format_count(count)} {word if count == 1 else plural}"


_OF_SWITCHES = ("leaf", "storage", "management")
"""Roles that need the word switch after them."""


def all_of(names: Sequence[str]) -> str:
    """ "a, b and c"."""
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def first_of(name: str, count: int, word: str) -> str:
    """ "host-1 and 3 more servers": the first of so many by its name."""
    return name if count <= 1 else f"{name} and {format_counted(count - 1, f'more {word}')}"


def some_of(names: Sequence[str], most: int = 3) -> str:
    """ "a, b, c and 5 more": the first names, and how many more there are."""
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {format_count(more)} more" if more > 0 else "")


def spans_of(numbers: Iterable[int]) -> list[tuple[int, int]]:
    """First and last of each run of consecutive numbers, in the order given: 1, 2, 3, 7 become (1, 3), (7, 7)."""
    return joined_spans((number, number) for number in numbers)


def joined_spans(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Spans of numbers, (first, last), with each that goes on where the one before it ends added to that."""
    found: list[tuple[int, int]] = []
    for first, last in spans:
        if found and found[-1][1] == first - 1:
            found[-1] = (found[-1][0], last)
        else:
            found.append((first, last))
    return found


def format_span(first: int, last: int, dash: str = "-") -> str:
    """ "1-48", or "50" of one number."""
    return f"{first}" if first == last else f"{first}{dash}{last}"


def format_ratio(value: float) -> str:
    """ "2:1", "1.07:1"."""
    return f"{value:.3g}:1"


def energy_kwh(power_w: float, years: float) -> float:
    """What a constant draw takes in so many years of 365 days, in kWh."""
    return power_w / 1000 * HOURS_PER_YEAR * years


def format_energy(kwh: float) -> str:
    """ "12.3 GWh", "4.56 MWh", "789 kWh"."""
    for name, factor in (("GWh", 1e6), ("MWh", 1e3)):
        if kwh >= factor:
            return f"{kwh / factor:.4g} {name}"
    return f"{kwh:.4g} kWh"
