"""Measured constants from measurements: least squares over logarithms of times, each constant from several records.

A time is start + hops + pipeline fill + bytes over rate (execution.py), and every constant a factor in it. Constants
are fitted as steps: what holds everywhere, what a transport or a generation of GPUs adds to that, and what a transport
adds on one generation. A step is only fitted where two records at least depend on it; else what stands above it holds.
Steps cost a little, so that few measurements move a constant little.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import exp, log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from designer.simulation.libraries.execution import (
    ANY,
    BETWEEN,
    IN,
    INSIDE,
    KEYS,
    ONE,
    SHARES,
    Fitted,
    Key,
    Measured,
    Terms,
    time_us,
)

FEWEST_RECORDS = 2
FEWEST_IN_EFFECT = 1.2
"""How many records stand behind a constant in effect: 2 where two tell as much of it, near 1 where one row of a second
record is all that joins the first. With less it would be fitted to a single record."""
LARGE_BYTES = 64 * 2**20
LARGE_SIGMA, SMALL_SIGMA = 0.04, 0.15
"""What a residual is weighed by: bandwidth at large sizes is wanted within 5 %, times of small ones within 25 %."""
RIGID, FREE = 0.12, 0.9
"""How far a step goes without costing: the shares of port rates that are published hardly, latencies a lot."""
RIGID_NAMES = ("share", "nvls")
STIFF = 0.35
"""The same for latencies inside nodes, which the library's own constants describe best."""
DOUBTED, DOUBT = 0.25, 5.0
"""A time that hangs so much on a constant which no two records support says little of the others."""
MOST_STEPS, MOST_DAMPING, LEAST_GAIN = 60, 1e9, 1e-5
NUMBERS = tuple(name for name in Terms.__dataclass_fields__ if name != "keys")
STEP = 1e-5
TOUCHED = 0.02
"""A record depends on a constant where one of its times does, by so much of itself."""


@dataclass(frozen=True, slots=True)
class Sample:
    """A measurement made ready: what each of its times is made of, and how long it took."""

    record: str
    machine: str
    terms: tuple[Terms, ...]
    times_us: tuple[float, ...]


@dataclass(frozen=True, slots=True, eq=False)
class _Rows:
    """The rows of all samples as arrays."""

    terms: Terms
    keys: NDArray[np.int64]  # (len(KEYS), n_rows) places among the keys
    names: tuple[Key, ...]
    log_us: NDArray[np.float64]  # (n_rows,)
    sigma: NDArray[np.float64]  # (n_rows,)
    record: NDArray[np.int64]  # (n_rows,)
    is_share: NDArray[np.bool_]
    """(len(names),) constants that are a share of a port's rate, at most 1."""

    def log_times(self, logs: NDArray[np.float64]) -> NDArray[np.float64]:
        """Logarithms of the times under constants whose logarithms are given, by place."""
        values = np.exp(np.where(self.is_share, np.minimum(logs, 0.0), logs))
        found: NDArray[np.float64] = np.log(time_us(self.terms, lambda place: values[self.keys[place]]))
        return found

    def slopes(self, logs: NDArray[np.float64], matrix: NDArray[np.float64]) -> NDArray[np.float64]:
        """(n_rows, n_steps) how the logarithms of times follow steps, which `matrix` adds up to keys."""
        values = np.exp(np.where(self.is_share, np.minimum(logs, 0.0), logs))
        grows = np.where(self.is_share & (logs > 0), 0.0, 1.0)
        own = [values[row] for row in self.keys]
        base = np.log(time_us(self.terms, lambda place: own[place]))
        found = np.zeros((len(base), matrix.shape[1]))
        for at, row in enumerate(self.keys):
            moved = [*own[:at], own[at] * exp(STEP), *own[at + 1 :]]
            slope = (np.log(time_us(self.terms, moved.__getitem__)) - base) / STEP * grows[row]
            found += slope[:, None] * matrix[row]
        return found


def fitted(samples: Sequence[Sample], library: str, date: str, source: str) -> Measured:
    """The constants that make the samples' times least wrong; what too few records depend on keeps its rule."""
    rows = _rows(samples)
    rules = np.array([log(_rule(key)) for key in rows.names])
    support = _supported(rows, rules)
    steps, matrix = _steps(rows, support)
    rows = _doubted(rows, support, rules)
    if not steps:
        return Measured(library=library, date=date, source=source, inside={}, between={})
    scales = np.array([_scale(key) * (1.0 if key[0][3:] == ANY else 0.6) for key in steps])

    def residuals(x: NDArray[np.float64]) -> NDArray[np.float64]:
        off = (rows.log_times(rules + matrix @ x) - rows.log_us) / rows.sigma
        return np.concatenate([_tamed(off), x / scales])

    def slopes(x: NDArray[np.float64]) -> NDArray[np.float64]:
        off = (rows.log_times(rules + matrix @ x) - rows.log_us) / rows.sigma
        own = rows.slopes(rules + matrix @ x, matrix) / rows.sigma[:, None]
        return np.concatenate([_taming(off)[:, None] * own, np.diag(1 / scales)])

    best = _least_squares(residuals, slopes, np.zeros(len(steps)))
    return _as_constants(rows, steps, matrix, rules, best, samples, support, (library, date, source))


def _least_squares(
    residuals: Callable[[NDArray[np.float64]], NDArray[np.float64]],
    slopes: Callable[[NDArray[np.float64]], NDArray[np.float64]],
    x: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Where the sum of squares is least, from x on: Levenberg's method with Marquardt's damping."""
    off, damping = residuals(x), 1e-2
    for _ in range(MOST_STEPS):
        slope = slopes(x)
        normal, down = slope.T @ slope, slope.T @ off
        while damping < MOST_DAMPING:
            tried = x - np.linalg.solve(normal + damping * np.diag(np.diag(normal)), down)
            new = residuals(tried)
            if new @ new < off @ off:
                break
            damping *= 4
        else:
            return x
        gained = 1 - (new @ new) / (off @ off)
        x, off, damping = tried, new, damping / 3
        if gained < LEAST_GAIN:
            return x
    return x


def _tamed(off: NDArray[np.float64]) -> NDArray[np.float64]:
    """Residuals whose squares grow as their sizes where they are large: a failure moves no constant."""
    found: NDArray[np.float64] = np.sign(off) * np.sqrt(2 * (np.sqrt(1 + off**2) - 1))
    return found


def _taming(off: NDArray[np.float64]) -> NDArray[np.float64]:
    """The slopes of that."""
    root, tamed = np.sqrt(1 + off**2), np.abs(_tamed(off))
    found: NDArray[np.float64] = np.where(tamed > 1e-9, np.abs(off) / (root * np.maximum(tamed, 1e-9)), 1.0)
    return found


def _rows(samples: Sequence[Sample]) -> _Rows:
    terms = [one for sample in samples for one in sample.terms]
    names = sorted({key for one in terms for key in one.keys})
    place = {key: number for number, key in enumerate(names)}
    arrays: dict[str, Any] = {
        name: np.array([getattr(one, name) for one in terms], dtype=np.float64) for name in NUMBERS
    }
    keys = np.array([[place[one.keys[at]] for one in terms] for at in range(len(KEYS))])
    sizes = arrays["size_bytes"]
    counts = np.concatenate([np.full(len(one.terms), max(1.0, len(one.terms) / 12)) for one in samples])
    sigma = np.where(sizes >= LARGE_BYTES, LARGE_SIGMA, SMALL_SIGMA) * np.sqrt(counts)
    times = np.array([time for sample in samples for time in sample.times_us])
    record = np.repeat(np.arange(len(samples)), [len(one.terms) for one in samples])
    return _Rows(
        Terms(**arrays), keys, tuple(names), np.log(times), sigma, record, np.array([key[1] in SHARES for key in names])
    )


def _rule(key: Key) -> float:
    if key == ONE:
        return 1.0
    return (INSIDE if key[0].startswith(IN) else BETWEEN)[key[1]]


def _scale(key: Key) -> float:
    if key[1] in RIGID_NAMES:
        return RIGID
    return STIFF if key[0].startswith(IN) and key[1] != "ramp_us" else FREE


def parents(place: str) -> tuple[str, ...]:
    """Where a constant's steps stand: "in:any" and "in:Hopper"; "to:any", "to:efa" and "to:efa@Hopper"."""
    room, plain = place[:3], place[3:]
    if plain == ANY:
        return (place,)
    transport, at, _ = plain.partition("@")
    if room != IN:
        return (room + transport, place) if at else (place,)
    return (room + ANY, place)


def _support(rows: _Rows, rules: NDArray[np.float64]) -> Mapping[Key, frozenset[int]]:
    """The records that depend on each step."""
    base, step = rows.log_times(rules), 0.1
    found: dict[Key, set[int]] = defaultdict(set)
    for number, key in enumerate(rows.names):
        if key == ONE:
            continue
        moved = rules.copy()
        moved[number] += step
        touched = np.abs(rows.log_times(moved) - base) / step > TOUCHED
        # What the rules hide, as the slower of two ports does, may still be seen once the other is fitted.
        moved[number] -= 4 * step
        touched |= np.abs(rows.log_times(moved) - base) / (3 * step) > TOUCHED
        for place in parents(key[0]):
            found[place, key[1]] |= set(rows.record[touched].tolist())
    return {key: frozenset(records) for key, records in found.items()}


def _records_in_effect(rows: _Rows, rules: NDArray[np.float64]) -> Mapping[Key, float]:
    """By step how many records stand behind it, each counted by how much its times tell of the constant."""
    slopes = (rows.slopes(rules, np.eye(len(rows.names))) / rows.sigma[:, None]) ** 2
    summed = np.zeros((int(rows.record.max(initial=0)) + 1, len(rows.names)))
    np.add.at(summed, rows.record, slopes)
    sums: dict[Key, NDArray[np.float64]] = {}
    for number, key in enumerate(rows.names):
        for place in parents(key[0]) if key != ONE else ():
            at = (place, key[1])
            sums[at] = sums.get(at, 0.0) + summed[:, number]
    return {key: float(of.sum() ** 2 / np.maximum((of**2).sum(), 1e-300)) for key, of in sums.items()}


def _supported(rows: _Rows, rules: NDArray[np.float64]) -> Mapping[Key, frozenset[int]]:
    """The records that depend on each step that may be fitted: several, none of them nearly alone."""
    found, in_effect = _support(rows, rules), _records_in_effect(rows, rules)
    return {key: of for key, of in found.items() if in_effect.get(key, 0.0) >= FEWEST_IN_EFFECT}


def _steps(rows: _Rows, support: Mapping[Key, frozenset[int]]) -> tuple[list[Key], NDArray[np.float64]]:
    """The steps to fit, and which of them each key adds up."""
    steps = sorted(key for key, records in support.items() if len(records) >= FEWEST_RECORDS)
    place = {key: number for number, key in enumerate(steps)}
    matrix = np.zeros((len(rows.names), len(steps)))
    for number, key in enumerate(rows.names):
        for parent in parents(key[0]) if key != ONE else ():
            if (parent, key[1]) in place:
                matrix[number, place[parent, key[1]]] = 1.0
    return steps, matrix


def _doubted(rows: _Rows, support: Mapping[Key, frozenset[int]], rules: NDArray[np.float64]) -> _Rows:
    """The rows, those weighed less that hang on a constant without support."""
    alone = [
        key != ONE and all(len(support.get((place, key[1]), ())) < FEWEST_RECORDS for place in parents(key[0]))
        for key in rows.names
    ]
    slopes = rows.slopes(rules, np.diag(np.array(alone, dtype=np.float64)))
    doubted = np.abs(slopes).sum(axis=1) > DOUBTED
    return replace(rows, sigma=np.where(doubted, DOUBT * rows.sigma, rows.sigma))


def _as_constants(
    rows: _Rows,
    steps: list[Key],
    matrix: NDArray[np.float64],
    rules: NDArray[np.float64],
    x: NDArray[np.float64],
    samples: Sequence[Sample],
    support: Mapping[Key, frozenset[int]],
    about: tuple[str, str, str],
) -> Measured:
    total = dict(zip(steps, x.tolist(), strict=True))
    values: dict[str, dict[str, float]] = defaultdict(dict)
    for place, name in steps:
        step = sum(total.get((parent, name), 0.0) for parent in parents(place))
        value = _rule((place, name)) * exp(step)
        values[place][name] = float(f"{min(value, 1.0) if name in SHARES else value:.4g}")
    records: dict[str, set[str]] = defaultdict(set)
    for (place, name), touched in support.items():
        if (place, name) in total:
            records[place] |= {samples[number].record for number in touched}
    rooms = [
        {
            place[3:]: Fitted(values=dict(sorted(values[place].items())), records=tuple(sorted(records[place])))
            for place in sorted(values)
            if place.startswith(room)
        }
        for room in (IN, "to:")
    ]
    library, date, source = about
    return Measured(library=library, date=date, source=source, inside=rooms[0], between=rooms[1])


def errors(samples: Iterable[Sample], constants: Measured) -> dict[str, NDArray[np.float64]]:
    """By record: (rows, 3) of size in bytes, predicted time and measured time in microseconds."""
    found = {}
    for sample in samples:
        predicted = [_time_us(one, constants) for one in sample.terms]
        sizes = [one.size_bytes for one in sample.terms]
        found[sample.record] = np.array([sizes, predicted, sample.times_us]).T
    return found


def _time_us(of: Terms, constants: Measured) -> float:
    return float(time_us(of, lambda place: constants.value(of.keys[place])))


def without(samples: Sequence[Sample], machines: Collection[str]) -> list[Sample]:
    """The samples of other machines."""
    return [one for one in samples if one.machine not in machines]
