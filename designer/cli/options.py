"""Arguments and options that several commands share, and how their text is read."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from designer.errors import DesignerError
from designer.fields import kinds
from designer.fields.field import Field
from designer.late import Late
from designer.units import MOST_WHOLE, parse_whole

own_constants = Late("designer.exchange.acceptance.own_constants")

PATH = click.Path(path_type=Path)
DESIGN_ARGUMENT = click.argument("file", type=PATH)
FORMAT_OPTION = click.option(
    "--format", "format_", type=click.Choice(["text", "json"]), default="text", show_default=True, help="What to print."
)
CONSTANTS_OPTION = click.Option(
    ["--constants"],
    type=PATH,
    metavar="FILE",
    help="With --model nccl or rccl: constants of your own, as calibrate writes them, in place of the delivered ones.",
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


def constants_wanted(path: Path | None) -> dict[str, Any]:
    """The field of a scenario that carries constants of one's own; nothing where no file is named."""
    return {} if path is None else {"constants": own_constants.read_constants(path)}


def option_of(field: Field, *, required: bool = False, shows_zero: bool = False) -> click.Option:
    """The option that a field is set by; without a default where it is required."""
    names, help_ = [field.option, field.name], field.help_text
    words = [choice.name for choice in field.offered] if field.kind in (kinds.CHOICE, kinds.FLAG) else []
    metavar = field.metavar or field.kind.metavar
    if field.kind is kinds.NAMES:
        return click.Option(names, multiple=True, metavar=metavar, help=help_)
    if field.kind is kinds.FLAG and "yes" in words:
        both = [f"{field.option}/--no-{field.key}", field.name] if field.default else names
        return click.Option(both, is_flag=True, default=bool(field.default), help=help_)
    if required:
        return click.Option(names, metavar=metavar, callback=reading(field.typed), required=True, help=help_)
    default = _default_text(field)
    if words:
        read = reading(field.truth_of) if field.kind is kinds.FLAG else None
        return click.Option(
            names, type=click.Choice(words), default=default, show_default=True, callback=read, help=help_
        )
    return click.Option(
        names,
        metavar=metavar,
        callback=reading(field.typed),
        default=default,
        show_default=default not in ((None, "") if shows_zero else (None, "", "0")),
        help=help_,
    )


Beside = Mapping[str, Sequence["click.Option | str"]]
"""What follows the option of a field in the help: other options, and fields that stand elsewhere in the record."""


def laid_out(options: Mapping[str, click.Option], beside: Beside) -> Iterator[click.Parameter]:
    """The options by the names of their fields, in the order of the help; those beside "" come first."""
    moved = {one for others in beside.values() for one in others if isinstance(one, str)}
    for name in ("", *(name for name in options if name not in moved)):
        if name:
            yield options[name]
        for one in beside.get(name, ()):
            yield options[one] if isinstance(one, str) else one


def _default_text(field: Field) -> str | None:
    """The default as somebody would type it; None where the command line has none."""
    if field.is_asked or field.default is ...:
        return None
    if field.default is None:
        return field.word or None
    if field.kind is kinds.FLAG:
        return next(field.offered).name
    if field.kind is kinds.SIZE:
        return field.show(field.default).replace(" ", "")
    if isinstance(field.default, tuple):
        return field.write(field.default)
    return str(field.default) if isinstance(field.default, str) else f"{field.default:g}"


def whole_number(text: str) -> int:
    """A whole number of either sign from "1536" or "1,536". Raises ParameterError."""
    return parse_whole(text, -MOST_WHOLE)
