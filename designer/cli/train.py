"""`train FILE`: how long a training step takes on the fabric, and where the time goes."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from designer.cli.files import open_design
from designer.cli.json_text import json_text
from designer.cli.main import say
from designer.cli.options import FORMAT_OPTION, PATH, laid_out, option_of
from designer.fields.field import fields_of
from designer.late import Late
from designer.simulation.training.request import MODEL_FIELDS, PRESETS, Model, Training
from designer.simulation.transformer import model_named
from designer.tables.columns import as_json

train_report = Late("designer.cli.train_report")

PRESET = click.Option(["--model", "preset"], metavar="M", help=f"One of {', '.join(model.name for model in PRESETS)}.")
MODEL = {name: option_of(field) for name, field in fields_of(Model).items()}
TRAINING = {
    name: option_of(field, required=field.default is ..., shows_zero=True)
    for name, field in fields_of(Training).items()
}


@click.command(
    params=[
        click.Argument(["file"], type=PATH),
        *laid_out(MODEL, {"": (PRESET, "parameters")}),
        *laid_out(TRAINING, {"layout": ("gpu_tflops",)}),
    ]
)
@FORMAT_OPTION
def command(file: Path, preset: str | None, format_: str, **choices: Any) -> None:
    """Estimate a training step: computing, every collective simulated over the fabric, tokens per second, days."""
    given = {name: choices.pop(name) for name in MODEL_FIELDS}
    training = Training(model=_model(preset, {k: v for k, v in given.items() if v is not None}), **choices)
    design = open_design(file)
    step = train_report.train(design, training)
    say(json_text(as_json(step)) if format_ == "json" else train_report.as_text(design.name, step))


def _model(preset: str | None, given: dict[str, Any]) -> Model:
    if preset is None:
        needed = ("layers", "hidden", "sequence", "global_batch")
        missing = [f"--{name.replace('_', '-')}" for name in needed if name not in given]
        if missing:
            raise click.UsageError(f"Give a --model, or else {' and '.join(missing)} of one of your own.")
        return Model(name="own model", **({"vocabulary": 0} | given))
    model = model_named(PRESETS, preset)
    if {"layers", "hidden"} & set(given) and "parameters" not in given:
        given["parameters"] = None  # those of the preset no longer fit
    return replace(model, **given)
