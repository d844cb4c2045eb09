"""The formulas of a training step, in symbols and with its numbers put in."""

from collections.abc import Iterator

from designer.simulation.communication import Communication, Formula
from designer.simulation.training.records import Step
from designer.units import format_amount, format_carried, format_count, format_time

LETTERS = (
    ("P", "parameters a token meets"),
    ("L", "layers"),
    ("h", "hidden size"),
    ("s", "sequence"),
    ("B", "global batch"),
    ("b", "micro-batch"),
    ("t, p, d", "tensor, pipeline, data degree"),
    ("m", "micro-batches of a replica"),
    ("n", "GPUs, t p d"),
    ("e", "bytes of an element"),
    ("E, k", "experts, and how many a token goes to"),
)


def formulas(step: Step) -> tuple[Formula, ...]:
    """Every figure of the step in the order it is calculated."""
    return (*_computing(step), *_collectives(step), *_time(step), *_yield(step))


def _computing(step: Step) -> Iterator[Formula]:
    training, model, degrees = step.training, step.training.model, step.degrees
    yield Formula(
        "Micro-batches m",
        "B / (d b)",
        f"{model.global_batch} / ({degrees.data} x {model.micro_batch})",
        str(degrees.micro_batches),
    )
    if model.experts:
        yield Formula(
            "Parameters a token meets P",
            "all - in experts x (1 - k / E)",
            f"{format_amount(model.parameter_count)} - {format_amount(model.expert_parameters)} x (1 - {model.top_k} / "
            f"{model.experts})",
            format_amount(model.active_parameters),
        )
    yield Formula(
        "Model FLOPs F",
        "B s (6 P + 12 L h s)",
        f"{model.global_batch} x {model.sequence} x (6 x {format_amount(model.active_parameters)} + 12 x "
        f"{model.layers} x {model.hidden} x {model.sequence})",
        format_amount(step.model_flops),
    )
    again = ("4/3 ", "4/3 x ") if training.recompute else ("", "")
    yield Formula(
        "Compute",
        f"{again[0]}F / (n x peak x utilization)",
        f"{again[1]}{format_amount(step.model_flops)} / ({format_count(degrees.ranks)} x {training.gpu_tflops:g}e12 x "
        f"{training.utilization:g})",
        format_time(step.compute_s),
    )


def _collectives(step: Step) -> Iterator[Formula]:
    model = step.training.model
    activations = f"{model.micro_batch} x {model.sequence} x {model.hidden} x {model.bytes_per_element:g}"
    for one in step.communications:
        symbols, numbers = _size(step, one, activations)
        yield Formula(f"{one.title}: size", symbols, numbers, format_carried(one.size_bytes))
        symbols, numbers = _count(step, one)
        simulated, times = "simulated", format_time(one.time_s)
        if one.kind == "pipeline":
            simulated, times = _there_and_back(one)
        yield Formula(
            f"{one.title}: time", f"{symbols} x {simulated}", f"{numbers} x {times}", format_time(one.total_s)
        )


def _size(step: Step, one: Communication, activations: str) -> tuple[str, str]:
    model, degrees = step.training.model, step.degrees
    if one.kind == "tensor":
        return "b s h e", activations
    if one.kind == "pipeline":
        return "b s h e / t", f"{activations} / {degrees.tensor}"
    if one.kind == "expert":
        return "b s h e k / t", f"{activations} x {model.top_k} / {degrees.tensor}"
    element = model.bytes_per_element if "all-gather" in one.title else model.gradient_bytes
    split = f"{degrees.tensor} x {degrees.pipeline}"
    if one.title.endswith("experts"):
        return "expert parameters e / (t p expert degree)", (
            f"{format_amount(model.expert_parameters)} x {element:g} / ({split} x {degrees.expert})"
        )
    shared = model.parameter_count - (model.expert_parameters if degrees.expert > 1 else 0)
    return "parameters e / (t p)", f"{format_amount(shared)} x {element:g} / ({split})"


def _there_and_back(one: Communication) -> tuple[str, str]:
    """What a micro-batch does between stages, in words and in times: as training_groups.along_pipelines has it."""
    words = ("to the next stage", "back", "all-gathers in the tensor groups")
    phases = one.result.phases
    times = " + ".join(format_time(phase.repeat * phase.time_s) for phase in phases)
    return f"({' + '.join(words[: len(phases)])}, simulated)", f"({times})"


def _count(step: Step, one: Communication) -> tuple[str, str]:
    degrees, layers = step.degrees, step.training.model.layers
    if one.kind in ("tensor", "expert"):
        times = 6 if step.training.recompute else 4
        return f"{times} m L / p", f"{times} x {degrees.micro_batches} x {layers} / {degrees.pipeline}"
    if one.kind == "pipeline":
        return "m", str(degrees.micro_batches)
    if step.training.zero == 3:
        return ("2 m", f"2 x {degrees.micro_batches}") if "gather" in one.title else ("m", str(degrees.micro_batches))
    return "1", "1"


def _time(step: Step) -> Iterator[Formula]:
    degrees, training = step.degrees, step.training
    for kind, overlap in (("tensor", training.tensor_overlap), ("data", training.overlap)):
        here = [one for one in step.communications if one.kind == kind]
        if here and overlap:
            total_s = sum(one.total_s for one in here)
            yield Formula(
                f"{kind.capitalize()}-parallel, exposed",
                "total - min(overlap x total, compute)",
                f"{format_time(total_s)} - min({overlap:g} x {format_time(total_s)}, {format_time(step.compute_s)})",
                format_time(sum(one.exposed_s for one in here)),
            )
    data_s = sum(one.exposed_s for one in step.communications if one.kind == "data")
    in_turn_s = step.step_s - step.bubble_s - data_s
    if degrees.pipeline > 1:
        yield Formula(
            "Pipeline bubble",
            "(p - 1) / m x (compute + exposed)",
            f"{degrees.pipeline - 1} / {degrees.micro_batches} x {format_time(in_turn_s)}",
            format_time(step.bubble_s),
        )
    parts = [part for part in step.parts if part.time_s]
    yield Formula(
        "Step",
        "compute + exposed" + (" + bubble" if step.bubble_s else ""),
        " + ".join(format_time(part.time_s) for part in parts),
        format_time(step.step_s),
    )


def _yield(step: Step) -> Iterator[Formula]:
    training, model, degrees = step.training, step.training.model, step.degrees
    yield Formula(
        "Tokens per second",
        "B s / step",
        f"{model.global_batch} x {model.sequence} / {format_time(step.step_s)}",
        f"{step.tokens_per_s:,.0f}",
    )
    yield Formula(
        "Model-FLOPs utilization",
        "F / (n x peak x step)",
        f"{format_amount(step.model_flops)} / ({format_count(degrees.ranks)} x {training.gpu_tflops:g}e12 x "
        f"{format_time(step.step_s)})",
        f"{100 * step.mfu:.1f} %",
    )
    if training.tokens is not None and step.days is not None:
        yield Formula(
            "Training",
            "tokens / tokens per second",
            f"{format_amount(training.tokens)} / {step.tokens_per_s:,.0f} / s",
            f"{step.days:.4g} days",
        )
