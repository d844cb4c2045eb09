"""What a training step comes to: its collectives, the parts of its time, and its figures."""

from dataclasses import dataclass
from typing import ClassVar

from designer.simulation.communication import Communication, Formula, Part
from designer.simulation.training.request import Degrees, Training
from designer.tables.columns import Column, Columns, keys, record
from designer.units import format_count, format_memory

SECONDS_PER_DAY = 86_400


MODEL = keys(
    "name parameters=parameter_count active_parameters layers hidden sequence vocabulary global_batch micro_batch "
    "bytes_per_element gradient_bytes experts top_k expert_parameters source"
)
DEGREES = keys(
    "tensor=degrees.tensor pipeline=degrees.pipeline data=degrees.data expert=degrees.expert zero=training.zero "
    "micro_batches=degrees.micro_batches gpus=degrees.ranks layout=training.layout"
)
ASSUMED = keys("gpu_tflops utilization overlap tensor_overlap recompute routing")


@dataclass(frozen=True, slots=True)
class Step:
    """A training step. `parts` add up to `step_s`."""

    training: Training
    degrees: Degrees
    compute_s: float
    bubble_s: float
    communications: tuple[Communication, ...]
    step_s: float
    model_flops: float
    """Of all GPUs in a step, without what is computed again."""
    mfu: float
    """Model-FLOPs utilization: model FLOPs over what all GPUs could do at their peak in the time."""
    state_bytes: float
    """Of weights, gradients and optimizer on a GPU (mixed precision, Adam: 16 bytes a parameter before ZeRO)."""
    gpu_memory_bytes: float | None
    """Of a GPU, the smallest of those that take part; None where the catalog does not state it."""
    idle_gpus: int
    idle_why: str
    notes: tuple[str, ...]
    wall_s: float
    formulas: tuple[Formula, ...] = ()
    """Every figure in the order it is computed."""

    COLUMNS: ClassVar[Columns] = (
        Column("model", value=lambda step: record(step.training.model, MODEL)),
        Column("degrees", value=lambda step: record(step, DEGREES)),
        Column("assumed", value=lambda step: record(step.training, ASSUMED)),
        Column("step_s"),
        Column("parts", value=lambda step: {part.name: part.time_s for part in step.parts}),
        *keys("exposed_communication_s=exposed_s communications tokens_per_s mfu tokens=training.tokens days"),
        *keys("model_flops state_bytes_per_gpu=state_bytes gpu_memory_bytes fits_memory memory_check idle_gpus"),
        Column("idle_why", value=lambda step: step.idle_why or None),
        *keys("formulas notes wall_s"),
    )

    @property
    def tokens_per_s(self) -> float:
        """Tokens trained per second, over all GPUs."""
        return self.training.model.tokens_per_step / self.step_s

    @property
    def fits_memory(self) -> bool | None:
        """Whether a GPU holds its weights, gradients and optimizer; None where its memory is not known."""
        return None if self.gpu_memory_bytes is None else self.state_bytes <= self.gpu_memory_bytes

    @property
    def memory_check(self) -> str:
        """What is reported about the memory, in addition to what it takes."""
        if self.gpu_memory_bytes is None:
            return "not checked: the catalog does not state the memory of these GPUs"
        memory = format_memory(self.gpu_memory_bytes)
        return f"a GPU has {memory}" if self.fits_memory else f"does not fit: a GPU has {memory}"

    @property
    def idle(self) -> str:
        """ "248 of 1,016 GPUs idle: why"; "" where all take part."""
        of = format_count(self.degrees.ranks + self.idle_gpus)
        return f"{format_count(self.idle_gpus)} of {of} GPUs idle: {self.idle_why}" if self.idle_gpus else ""

    @property
    def days(self) -> float | None:
        """For the tokens asked for."""
        tokens = self.training.tokens
        return None if tokens is None else tokens / self.tokens_per_s / SECONDS_PER_DAY

    @property
    def exposed_s(self) -> float:
        """Communication that is waited for, without that in the pipeline's bubble."""
        return sum(one.exposed_s for one in self.communications)

    @property
    def parts(self) -> tuple[Part, ...]:
        """Where the time of the step goes: compute, each kind of exposed communication, and the pipeline bubble."""
        found = [Part("compute", "Compute", self.compute_s)]
        for kind, title in PART_TITLES.items():
            here = [one.exposed_s for one in self.communications if one.kind == kind]
            if here:
                found.append(Part(kind, title, sum(here)))
        found.insert(-1 if found[-1].name == "data" else len(found), Part("bubble", "Pipeline bubble", self.bubble_s))
        return tuple(found)


PART_TITLES = {
    "tensor": "Tensor-parallel, exposed",
    "expert": "Expert-parallel, exposed",
    "pipeline": "Between stages",
    "data": "Data-parallel, exposed",
}
