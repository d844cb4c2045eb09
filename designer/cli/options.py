"""Arguments and options that several commands share, and how their text is read."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from designer.errors import DesignerError
from designer.fields import kinds
from designer.fields.field import Field
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


def option_of(field: Field, *, required: bool = False) -> click.Option:
    """The option that a field is set by; without a default where it is required."""
    names = [field.option, field.name]
    if field.kind is kinds.FLAG:
        return click.Option(names, is_flag=True, help=field.help)
    if required:
        reads = reading(field.read)
        return click.Option(names, metavar=field.kind.metavar, callback=reads, required=True, help=field.help)
    default = None if field.default is ... else field.default
    if field.kind is kinds.CHOICE:
        return click.Option(
            names, type=click.Choice(field.choices), default=default, show_default=True, help=field.help
        )
    text = default if isinstance(default, str | None) else f"{default:g}"
    return click.Option(
        names,
        metavar=field.kind.metavar,
        callback=reading(field.read),
        default=text,
        show_default=bool(default),
        help=field.help,
    )


def whole_number(text: str) -> int:
    return parse_whole(text, -MOST_WHOLE)
