"""A run as Prometheus text (exposition format 0.0.4), for the textfile collector or a push gateway.

Source: Prometheus documentation, "Exposition formats" and "Metric and label naming", 2025.
"""

import math
from collections.abc import Iterable, Iterator

from designer.exchange.metrics.run import Run
from designer.units import BYTES_PER_S_PER_GBPS

PREFIX = "fabric_designer"


def prometheus_text(run: Run) -> str:
    """Gauges with help and type: the figures of the run, then those of each direction of each link."""
    return "".join(f"{line}\n" for line in _lines(run))


def _lines(run: Run) -> Iterator[str]:
    whose = {"design": run.design, "scenario": run.scenario}
    for figure in run.figures:
        name = f"{PREFIX}_run_{figure.name}"
        yield from _head(name, figure.help)
        yield _sample(name, whose, figure.value)
    links = run.links
    families = [
        (
            "capacity_bytes_per_second",
            "Line rate of one direction of a link.",
            links.capacity_gbps * BYTES_PER_S_PER_GBPS,
        ),
        ("transmit_bytes", "Bytes that one direction of a link carries in the run.", links.bytes),
        (
            "utilization_mean_ratio",
            "Mean utilization of one direction of a link, a share of its payload rate.",
            links.utilization_mean,
        ),
    ]
    if run.are_peaks_known:
        text = "Peak utilization of one direction of a link, a share of its payload rate."
        families.append(("utilization_peak_ratio", text, links.utilization_peak))
    labels = [
        {**whose, "device": device, "port": port, "peer_device": peer, "peer_port": peer_port}
        for device, port, peer, peer_port in zip(
            links.source, links.source_port, links.target, links.target_port, strict=True
        )
    ]
    for family, text, values in families:
        name = f"{PREFIX}_link_{family}"
        yield from _head(name, text)
        for one, value in zip(labels, values.tolist(), strict=True):
            yield _sample(name, one, value)


def _head(name: str, text: str) -> Iterable[str]:
    escaped = text.replace("\\", r"\\").replace("\n", r"\n")
    return f"# HELP {name} {escaped}", f"# TYPE {name} gauge"


def _sample(name: str, labels: dict[str, str], value: float) -> str:
    inside = ",".join(f'{label}="{_escaped(text)}"' for label, text in labels.items())
    return f"{name}{{{inside}}} {_number(value)}"


def _escaped(text: str) -> str:
    """A label's value: backslash, quote and line feed are escaped; half of a character becomes a question mark."""
    whole = text.encode("utf-8", errors="replace").decode("utf-8")
    return whole.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")


def _number(value: float) -> str:
    if math.isinf(value):
        return "+Inf" if value > 0 else "-Inf"
    return "NaN" if math.isnan(value) else repr(value)
