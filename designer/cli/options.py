"""Arguments and options that several commands share, and how their text is read."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from designer.errors import DesignerError, ParameterError
from designer.units import MOST_WHOLE, parse_whole

PATH = click.Path(path_type=Path)
DESIGN_ARGUMENT = click.argument("file", type=PATH)
FORMAT_OPTION = click.option(
    "--format", "format_", type=click.Choice(["text", "json"]), default="text", show_default=True, help="What to print."
)
FORCE_OPTION = click.option("--force", is_flag=True, help="Replace the output if it exists.")


def reading(read: Callable[[str], Any]) -> Callable[[click.Context, click.Parameter, Any], Any]:
    """A callback that turns an option's text into its value; what `read` refuses is said with the option's name."""

    def convert(ctx: click.Context, parameter: click.Parameter, value: Any) -> Any:
        if not isinstance(value, str):
            return value
        try:
            return read(value)
        except DesignerError as error:
            raise click.BadParameter(str(error), ctx, parameter) from error

    return convert


def whole_number(text: str) -> int:
    return parse_whole(text, -MOST_WHOLE)


def whole_numbers(text: str) -> tuple[int, ...]:
    """(8, 8) from "8,8"."""
    try:
        return tuple(int(part) for part in text.split(","))
    except ValueError:
        raise ParameterError(f"{text!r} is not a row of whole numbers: write it like 8,8") from None


def dimensions(text: str) -> tuple[int, ...]:
    """(16, 16) from "16x16"."""
    try:
        return tuple(int(part) for part in text.lower().replace("\u00d7", "x").split("x"))
    except ValueError:
        raise ParameterError(f"{text!r} are not dimensions: write them like 16x16x16") from None
