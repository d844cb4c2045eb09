"""`train FILE`: how long a training step takes on the fabric, and where the time goes."""

from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from designer.cli.files import open_design
from designer.cli.json_text import json_text
from designer.cli.main import say
from designer.cli.options import DESIGN_ARGUMENT, FORMAT_OPTION, reading, whole_number
from designer.errors import ParameterError
from designer.simulation.catalogue import COLLECTIVES, ORDERS, ROUTINGS
from designer.simulation.training.formulas import short
from designer.simulation.training.request import LAYOUTS, PRESETS, Model, Training
from designer.tables.columns import Column, as_json, percent
from designer.tables.table import ResultTable, aligned, facts
from designer.units import format_count, format_memory, format_time, parse_amount

if TYPE_CHECKING:
    from designer.simulation.training.step import Step

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]
MODEL_FIELDS = tuple(field.name for field in fields(Model) if field.name not in ("name", "source"))


def degree(text: str) -> int | None:
    """None from "auto"."""
    return None if text == "auto" else whole_number(text)


def _number(name: str, help_: str, **more: Any) -> Decorator:
    return click.option(name, metavar="N", callback=reading(whole_number), help=help_, **more)


def _amount(name: str, help_: str, **more: Any) -> Decorator:
    return click.option(name, metavar="N", callback=reading(parse_amount), help=help_, **more)


@click.command()
@DESIGN_ARGUMENT
@click.option("--model", "preset", metavar="M", help=f"One of {', '.join(model.name for model in PRESETS)}.")
@_amount("--parameters", "Parameters: 70B, 174.6e9; those of a GPT model of the dimensions where not given.")
@_number("--layers", "Layers.")
@_number("--hidden", "Hidden size.")
@_number("--sequence", "Tokens of a sequence.")
@_number("--vocabulary", "Words of the vocabulary; counts where parameters are not given.")
@_number("--global-batch", "Sequences of a step.")
@_number("--micro-batch", "Sequences of a replica at a time.")
@_amount("--bytes-per-element", "Of weights and activations.")
@_amount("--gradient-bytes", "Of an element of the gradients on the wire.")
@_number("--experts", "Mixture of experts: experts of each layer.")
@_number("--top-k", "Mixture of experts: experts that a token goes to.")
@_amount("--expert-parameters", "Mixture of experts: how many of all parameters are in experts.")
@click.option(
    "--tensor",
    default="auto",
    show_default=True,
    metavar="auto|N",
    callback=reading(degree),
    help="Tensor degree; auto stays inside a scale-up domain.",
)
@_number("--pipeline", "Pipeline stages.", default="1", show_default=True)
@click.option(
    "--data",
    default="auto",
    show_default=True,
    metavar="auto|N",
    callback=reading(degree),
    help="Data-parallel replicas; auto takes the most that GPUs and batch allow.",
)
@_number("--expert", "Expert degree: data ranks that share out the experts.", default="1", show_default=True)
@_number("--zero", "ZeRO stage, 0 to 3.", default="0", show_default=True)
@click.option(
    "--layout",
    default=LAYOUTS[0],
    show_default=True,
    metavar="L",
    help=f"Which ranks are neighbours, the nearest first: {', '.join(LAYOUTS)}.",
)
@_amount("--gpu-tflops", "Peak of a GPU at the precision used, from its data sheet.", required=True)
@_amount("--utilization", "Share of the peak that computation alone reaches.", default="0.5", show_default=True)
@_amount("--overlap", "Share of the data-parallel collectives behind computing.", default="0", show_default=True)
@_amount(
    "--tensor-overlap",
    "Share of the tensor-parallel collectives hidden behind computing.",
    default="0",
    show_default=True,
)
@click.option("--recompute", is_flag=True, help="Recompute activations in the backward pass.")
@_amount("--tokens", "Tokens to train on: 300e9.")
@click.option("--algorithm", metavar="A", help=f"Of all-reduces: {', '.join(COLLECTIVES[0].algorithms)}.")
@click.option(
    "--routing", default="spray", show_default=True, metavar="POLICY", help=", ".join(row.name for row in ROUTINGS)
)
@click.option("--order", default="design", show_default=True, metavar="ORDER", help=f"Of ranks: {', '.join(ORDERS)}.")
@_number("--seed", "For hashes and random orders.", default="0", show_default=True)
@click.option("--fail", "failed", multiple=True, metavar="NAME[:PORT]", help="As with simulate; repeatable.")
@FORMAT_OPTION
def command(file: Path, preset: str | None, format_: str, **choices: Any) -> None:
    """Estimate a training step: computing, every collective simulated over the fabric, tokens per second, days."""
    given = {name: choices.pop(name) for name in MODEL_FIELDS}
    training = Training(model=_model(preset, {k: v for k, v in given.items() if v is not None}), **choices)
    design = open_design(file)
    from designer.graph.arrays import build
    from designer.simulation.training.step import train_step

    step = train_step(build(design, failed=frozenset(training.failed)), training)
    say(json_text(as_json(step)) if format_ == "json" else _text(design.name, step))


def _model(preset: str | None, given: dict[str, Any]) -> Model:
    if preset is None:
        needed = ("layers", "hidden", "sequence", "global_batch")
        missing = [f"--{name.replace('_', '-')}" for name in needed if name not in given]
        if missing:
            raise click.UsageError(f"Give a --model, or else {' and '.join(missing)} of one of your own.")
        return Model(name="own model", **({"vocabulary": 0} | given))
    model = next((model for model in PRESETS if model.name == preset), None)
    if model is None:
        names = ", ".join(model.name for model in PRESETS)
        raise ParameterError(f"there is no model {preset!r}; there is {names}")
    if {"layers", "hidden"} & set(given) and "parameters" not in given:
        given["parameters"] = None  # those of the preset no longer fit
    return replace(model, **given)


def _text(name: str, step: "Step") -> str:
    training, model, degrees = step.training, step.training.model, step.degrees
    head = [
        ("model", f"{model.name}: {model.parameter_count / 1e9:.4g} billion parameters, {model.layers} layers"),
        (
            "degrees",
            f"tensor {degrees.tensor} x pipeline {degrees.pipeline} x data {degrees.data} = "
            f"{format_count(degrees.ranks)} GPUs" + (f", ZeRO {training.zero}" if training.zero else ""),
        ),
        ("step", format_time(step.step_s)),
        ("tokens", f"{step.tokens_per_s:,.0f} a second"),
        ("MFU", f"{100 * step.mfu:.1f} %"),
        (
            "memory",
            f"{format_memory(step.state_bytes)} a GPU for weights, gradients and optimizer, "
            f"without activations; {step.memory_check}",
        ),
    ]
    if step.idle:
        head.insert(2, ("idle", step.idle))
    if step.days is not None:
        head.insert(-2, ("training", f"{step.days:.4g} days for {short(training.tokens or 0)} tokens"))
    share = Column("share", "", lambda part: part.time_s / step.step_s, percent, right=True)
    parts = ResultTable((*step.parts[0].COLUMNS, share), step.parts).texts
    sections = [f"training step on {name}\n{facts(head)}", f"where the time goes\n{aligned(parts, (1, 2), '  ')}"]
    if step.communications:
        listed = ResultTable.of(step.communications, "title shape size_bytes count time_s total_s exposed_s").text()
        sections.append(f"collectives, all groups at once\n{listed}")
    rows = [(f"  {f.name}", f"= {f.symbols}\n= {f.numbers} = {f.value}") for f in step.formulas]
    sections.append(f"formulas\n{facts(rows)}")
    said = [f"source of the model: {model.source}"] if model.source else []
    sections.append("\n".join([*said, *step.notes]))
    sections.append(f"computed in {format_time(step.wall_s)}")
    return "\n\n".join(section for section in sections if section)
