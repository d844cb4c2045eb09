"""A training step on the fabric: where its time goes, tokens per second, days, and the formulas with their numbers."""

from collections.abc import Mapping
from typing import Any, ClassVar

from designer.graph.arrays import Graph
from designer.session.jobs import Progress
from designer.simulation.training.formulas import LETTERS
from designer.simulation.training.records import Step
from designer.simulation.training.step import train_step
from designer.units import format_count, format_memory, format_time
from designer.windows.desk import Desk
from designer.windows.dialogs.training_form import TrainingForm
from designer.windows.dialogs.workload import Shown, WorkloadDialog


class TrainingDialog(WorkloadDialog):
    """A training step, calculated as one types and as the design changes."""

    title = "Training Step"
    lane = "training"
    figure_tips: ClassVar[Mapping[str, str]] = {
        "Step": "",
        "Tokens per second": "",
        "MFU": "Model-FLOPs utilization: the model's FLOPs over the peak of all its GPUs",
        "Training": "",
        "Waiting": "Share of the step spent waiting for communication, not counting the pipeline bubble",
        "State per GPU": "Weights, gradients, optimizer (mixed precision, Adam); no activations",
    }
    collectives_title = "Collectives, all groups of a kind at once"
    letters: ClassVar[tuple[tuple[str, str], ...]] = LETTERS

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk, TrainingForm(desk.appearance))

    @property
    def step(self) -> Step | None:
        """The step of what the form and the design say; None while it is calculated, or where it cannot be."""
        found: Step | None = self.found
        return found

    def work(self, graph: Graph, asked: Any, progress: Progress) -> Step:
        """The step, calculated."""
        return train_step(graph, asked, progress)

    def shown(self, found: Step) -> Shown:
        """What is shown of a step."""
        texts = {
            "Step": format_time(found.step_s),
            "Tokens per second": f"{found.tokens_per_s:,.0f}",
            "MFU": f"{100 * found.mfu:.1f} %",
            "Training": "–" if found.days is None else f"{found.days:.3g} days",
            "Waiting": f"{100 * found.exposed_s / found.step_s:.1f} %",
            "State per GPU": format_memory(found.state_bytes),
        }
        degrees = found.degrees
        used = (
            f"Tensor {degrees.tensor} × pipeline {degrees.pipeline} × data {degrees.data} = "
            f"{format_count(degrees.ranks)} GPUs"
        )
        memory = f"Memory of a GPU {found.memory_check}" if found.fits_memory is None else ""
        wrong = (
            f"State of {format_memory(found.state_bytes)} {found.memory_check}" if found.fits_memory is False else ""
        )
        return Shown(
            texts,
            (found.parts,),
            found.communications,
            found.formulas,
            (found.idle, wrong),
            (used, *found.notes, memory),
        )
