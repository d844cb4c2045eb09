"""`infer FILE`: how fast a fabric serves a model, what bounds it, and how loaded the links are."""

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
from designer.simulation.inference.models import MODEL_FIELDS, MODELS, ServedModel
from designer.simulation.inference.request import Inference
from designer.simulation.inference.setups import SETUPS, Setup, setup_named
from designer.simulation.transformer import model_named
from designer.tables.columns import as_json

infer_report = Late("designer.cli.infer_report")

PRESET = click.Option(["--model", "preset"], metavar="M", help=f"One of {', '.join(model.name for model in MODELS)}.")
SETUP = click.Option(
    ["--setup"],
    metavar="S",
    help=f"A published deployment with its model: {', '.join(setup.name for setup in SETUPS)}; other options "
    "overrule it.",
)
MODEL = {name: option_of(field) for name, field in fields_of(ServedModel).items()}
INFERENCE = {
    name: option_of(field, required=field.default is ..., shows_zero=True)
    for name, field in fields_of(Inference).items()
}


@click.command(
    params=[
        click.Argument(["file"], type=PATH),
        *laid_out(MODEL, {"": (PRESET, SETUP, "parameters")}),
        *laid_out(INFERENCE, {}),
    ]
)
@FORMAT_OPTION
def command(file: Path, preset: str | None, setup: str | None, format_: str, **choices: Any) -> None:
    """Bound how fast a fabric serves a model: time to first token, time per token, requests per second, hot links."""
    given = {name: choices.pop(name) for name in MODEL_FIELDS}
    deployment = setup_named(setup) if setup is not None else None
    if deployment is not None:
        ctx = click.get_current_context()
        typed = {name for name in choices if ctx.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE}
        choices |= {name: value for name, value in deployment.values.items() if name not in typed}
    model = _model(preset, deployment, {name: value for name, value in given.items() if value is not None})
    inference = Inference(model=model, **choices)
    design = open_design(file)
    service = infer_report.infer(design, inference)
    say(json_text(as_json(service)) if format_ == "json" else infer_report.as_text(design.name, service, deployment))


def _model(preset: str | None, deployment: Setup | None, given: dict[str, Any]) -> ServedModel:
    name = preset if preset is not None else deployment.model if deployment is not None else None
    if name is None:
        needed = ("layers", "hidden", "parameters", "kv_heads", "kv_width", "attention_width")
        missing = [f"--{name.replace('_', '-')}" for name in needed if name not in given]
        if missing:
            raise click.UsageError(f"Give a --model, a --setup, or else {' and '.join(missing)} of one of your own.")
        return ServedModel(name="own model", **given)
    return replace(model_named(MODELS, name), **given)
