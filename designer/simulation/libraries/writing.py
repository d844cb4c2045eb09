"""Measured constants as the text of a file, as resources/calibration has them."""

from collections.abc import Iterator, Mapping

from designer.simulation.libraries.execution import Fitted, Measured

HEAD = """\
# What measurements say of a library's speed, written by tests/benchmarks/measured_collectives.py --fit --write, or by
# `calibrate`. "inside" is by generation of GPUs, "between" by transport, or by transport on a generation; "any" holds
# where there is no more than one record. Scales are of the library's own latencies; shares are of the line rate.
"""


def constants_text(found: Measured) -> str:
    """The file; it reads back as the same constants."""
    return HEAD + "\n".join(_lines(found)) + "\n"


def _lines(found: Measured) -> Iterator[str]:
    yield f"library: {found.library}"
    yield f'date: "{found.date}"'
    yield f'source: "{found.source}"'
    for name, room in (("inside", found.inside), ("between", found.between)):
        yield f"{name}:{'' if room else ' {}'}"
        for place, fitted in room.items():
            yield from _fitted(place, fitted)
    yield f"launch_us: {_flow(found.launch_us)}"
    yield f"spread:{'' if found.spread else ' []'}"
    for one in found.spread:
        values = f"nodes: {one.nodes}, median: {one.median:.4g}, worst: {one.worst:.4g}"
        yield f"  - {{{values}, records: [{', '.join(one.records)}]}}"


def _fitted(place: str, fitted: Fitted) -> Iterator[str]:
    yield f'  "{place}":'
    yield f"    values: {_flow(fitted.values)}"
    if fitted.records:
        yield f"    records: [{', '.join(fitted.records)}]"


def _flow(values: Mapping[str, float]) -> str:
    return "{" + ", ".join(f"{name}: {value:.6g}" for name, value in values.items()) + "}"
