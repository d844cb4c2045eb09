"""Inference on the fabric: first token, time per token, requests per second, hot links, and the formulas."""

from collections.abc import Mapping
from typing import Any, ClassVar

from PySide6.QtWidgets import QPushButton

from designer.graph.arrays import Graph
from designer.session.jobs import Progress
from designer.simulation.inference.formulas import LETTERS
from designer.simulation.inference.records import Pool, Service
from designer.simulation.inference.service import serve
from designer.units import format_count, format_memory, format_time
from designer.windows.desk import Desk
from designer.windows.dialogs.inference_form import InferenceForm
from designer.windows.dialogs.workload import Shown, WorkloadDialog


class InferenceDialog(WorkloadDialog):
    """How the fabric serves a model, calculated as one types and as the design changes."""

    title = "Inference"
    lane = "inference"
    figure_tips: ClassVar[Mapping[str, str]] = {
        "First token": "A pass of the prefill pool, for a request that waits for no other",
        "Per token": "A pass of the decode pool",
        "Cache transfer": "From the prefill pool to the decode pool, all prefill replicas at once",
        "Requests per second": "The rate asked for, or the most that both pools and the fabric sustain",
        "Output tokens/s per GPU": "Over the GPUs of both pools",
        "Hottest link": "Mean load of the busiest link at that rate",
    }
    bar_titles: ClassVar[tuple[str, ...]] = ("Prefill: a prompt", "Decode: a token")
    collectives_title = "What is sent, all units at once"
    letters: ClassVar[tuple[tuple[str, str], ...]] = LETTERS

    def __init__(self, desk: Desk) -> None:
        self.load_button = QPushButton("Show Load")
        self.load_button.setToolTip("Color the canvas by the mean load of all links at the rate of requests")
        super().__init__(desk, InferenceForm(desk.appearance))
        self.load_button.clicked.connect(self.show_load)

    @property
    def service(self) -> Service | None:
        """What the form and the design come to; None while it is calculated, or where it cannot be."""
        found: Service | None = self.found
        return found

    def heat_buttons(self) -> tuple[QPushButton, ...]:
        """Loads at the rate, and the heat of one collective."""
        return (self.load_button, self.heat_button)

    def work(self, graph: Graph, asked: Any, progress: Progress) -> Service:
        """The service, calculated."""
        return serve(graph, asked, progress)

    def shown(self, found: Service) -> Shown:
        """What is shown of a service."""
        hottest = found.load.links(1)
        texts = {
            "First token": format_time(found.ttft_s),
            "Per token": format_time(found.tpot_s),
            "Cache transfer": format_time(found.transfer_s),
            "Requests per second": f"{found.rate_per_s:,.4g}",
            "Output tokens/s per GPU": f"{found.output_tokens_per_s_per_gpu:,.4g}",
            "Hottest link": f"{100 * hottest[0].utilization_mean:.1f} %" if hottest else "–",
        }
        pools = (_of_pool(found.prefill), _of_pool(found.decode))
        best = (
            f"With all communication hidden a first token takes {format_time(found.ttft_bound_s)} and each further one "
            f"{format_time(found.tpot_bound_s)}"
        )
        limit = f"{found.limit[0].upper()}{found.limit[1:]}"
        return Shown(
            texts,
            (found.prefill.parts, found.decode.parts),
            found.communications,
            found.formulas,
            tuple(f"{text[0].upper()}{text[1:]}" for text in found.warnings),
            (*pools, limit, best, *(f"{note[0].upper()}{note[1:]}" for note in found.notes)),
        )

    def show_load(self) -> None:
        """Color the canvas by the mean loads at the rate."""
        if self.service is not None:
            self.colour(self.service.load, self.service.load.model.traffic)


def _of_pool(pool: Pool) -> str:
    unit = format_count(pool.degrees.unit)
    return (
        f"{pool.title}: {format_count(pool.units)} × {unit} GPUs, {pool.tokens_per_s_per_gpu:,.0f} tokens/s per GPU, "
        f"{100 * pool.busy:.0f} % busy, {format_memory(pool.memory_bytes)} on a GPU"
    )
