"""A training step as text. Loads the engine."""

from designer.graph.building.build import build
from designer.model.design import Design
from designer.simulation.training.records import Step
from designer.simulation.training.request import Training
from designer.simulation.training.step import train_step
from designer.tables.columns import Column, percent
from designer.tables.table import ResultTable, aligned, facts
from designer.units import format_amount, format_count, format_memory, format_time


def train(design: Design, training: Training) -> Step:
    """A step over the design, without what the training names as failed."""
    return train_step(build(design, failed=frozenset(training.failed)), training)


def as_text(name: str, step: Step) -> str:
    """The report of a training step: figures, where the time goes, collectives, formulas and notes."""
    training, model, degrees = step.training, step.training.model, step.degrees
    head = [
        ("model", f"{model.name}: {model.parameter_count / 1e9:.4g} billion parameters, {model.layers} layers"),
        (
            "degrees",
            f"tensor {degrees.tensor} x pipeline {degrees.pipeline} x data {degrees.data} = "
            f"{format_count(degrees.ranks)} GPUs" + (f", ZeRO {training.zero}" if training.zero else ""),
        ),
        ("step", format_time(step.step_s)),
        ("tokens", f"{step.tokens_per_s:,.0f} per second"),
        ("MFU", f"{100 * step.mfu:.1f} %"),
        (
            "memory",
            f"{format_memory(step.state_bytes)} per GPU for weights, gradients and optimizer, "
            f"without activations; {step.memory_check}",
        ),
    ]
    if step.idle:
        head.insert(2, ("idle", step.idle))
    if step.days is not None:
        head.insert(-2, ("training", f"{step.days:.4g} days for {format_amount(training.tokens or 0)} tokens"))
    share = Column("share", "", lambda part: part.time_s / step.step_s, percent, right=True)
    parts = ResultTable((*step.parts[0].COLUMNS, share), step.parts).texts
    sections = [f"training step on {name}\n{facts(head)}", f"where the time goes\n{aligned(parts, (1, 2), '  ')}"]
    if step.communications:
        listed = ResultTable.of(
            step.communications, "title method shape size_bytes count time_s total_s exposed_s"
        ).text()
        sections.append(f"collectives, all groups at once\n{listed}")
    rows = [(f"  {f.name}", f"= {f.symbols}\n= {f.numbers} = {f.value}") for f in step.formulas]
    sections.append(f"formulas\n{facts(rows)}")
    stated = [f"source of the model: {model.source}"] if model.source else []
    sections.append("\n".join([*stated, *step.notes]))
    sections.append(f"computed in {format_time(step.wall_s)}")
    return "\n\n".join(section for section in sections if section)
