"""`train FILE`: how long a training step takes on the fabric, and where the time goes."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from designer.cli.files import open_design
from designer.cli.json_text import json_text
from designer.cli.main import say
from designer.cli.options import DESIGN_ARGUMENT, FORMAT_OPTION, reading, whole_number
from designer.errors import ParameterError
from designer.simulation.catalogue import COLLECTIVES, ORDERS, ROUTINGS
from designer.simulation.training.request import LAYOUTS, MODEL_FIELDS, PRESETS, Model, Training
from designer.tables.columns import as_json
from designer.units import parse_amount

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


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
@click.option(
    "--order",
    default="design",
    show_default=True,
    metavar="ORDER",
    help=f"Of ranks: {', '.join(row.name for row in ORDERS)}.",
)
@_number("--seed", "For hashes and random orders.", default="0", show_default=True)
@click.option("--fail", "failed", multiple=True, metavar="NAME[:PORT]", help="As with simulate; repeatable.")
@FORMAT_OPTION
def command(file: Path, preset: str | None, format_: str, **choices: Any) -> None:
    """Estimate a training step: computing, every collective simulated over the fabric, tokens per second, days."""
    given = {name: choices.pop(name) for name in MODEL_FIELDS}
    training = Training(model=_model(preset, {k: v for k, v in given.items() if v is not None}), **choices)
    design = open_design(file)
    from designer.cli import train_report

    step = train_report.train(design, training)
    say(json_text(as_json(step)) if format_ == "json" else train_report.as_text(design.name, step))


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
