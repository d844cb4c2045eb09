"""Writes the tables of file-format.md from the schema that files are read by: `python docs/make_file_format.py`.

The text around the tables is written by hand. A test fails where the page is not what this makes of it.
"""

import ast
import dataclasses
import inspect
import re
import sys
import textwrap
import types
import typing
from pathlib import Path
from typing import Any

PAGE = Path(__file__).with_name("file-format.md")
sys.path.insert(0, str(PAGE.parents[1]))

from designer.fields.field import fields_of  # noqa: E402
from designer.fields.ranges import Range  # noqa: E402
from designer.model import limits  # noqa: E402  (after the path is set)
from designer.model.entities import Allocation, End  # noqa: E402
from designer.model.limits import Length  # noqa: E402
from designer.model.settings import Settings  # noqa: E402
from designer.storage import document, migrations, schema  # noqa: E402
from designer.units import format_count  # noqa: E402

UNITS = {
    "_gbps": "Gb/s",
    "_tbps": "Tb/s",
    "_gbytes_per_s": "GB/s",
    "gbytes_per_s_per_gpu": "GB/s",
    "gbytes_per_s_per_pair": "GB/s",
    "_bytes": "bytes",
    "_m": "m",
    "_mm": "mm",
    "_kg": "kg",
    "_w": "W",
    "_ns": "ns",
    "_s": "s",
    "_usd": "USD",
    "units": "U",
}
"""By the end of a field's name."""

BLOCK = re.compile(r"(<!-- (\w+): made of the schema -->\n)(.*?)(<!-- end -->)", re.DOTALL)


def page(text: str) -> str:
    """The page with its tables as the schema is now. Raises KeyError for a block of an unknown name."""
    blocks = {"numbers": _numbers(), "records": _records(), "settings": _record(Settings, "settings")}
    blocks |= {name: _record(record, name) for name, record in schema.TABLES.items()}
    missing = blocks.keys() - {found[2] for found in BLOCK.finditer(text)}
    if missing:
        raise KeyError(f"the page lacks {', '.join(sorted(missing))}")
    return BLOCK.sub(lambda found: f"{found[1]}\n{blocks[found[2]]}\n\n{found[4]}", text)


def _numbers() -> str:
    """Limits of whole files."""
    return table(
        ("what", "limit"),
        [
            ("version that is written", str(migrations.VERSION)),
            ("versions that are read", f"{min(migrations.MIGRATIONS)} to {migrations.VERSION}"),
            ("size of a file", f"{document.SIZE_MOST // 2**20} MiB"),
            (
                "memory it may take to read",
                f"{document.MEMORY_MOST_BYTES / 1e9:g} GB; `{document.MEMORY_VARIABLE}=4GB` allows more",
            ),
            ("records", format_count(limits.RECORDS_MOST)),
            ("ports of different kinds", format_count(limits.PORTS_IN_ALL_MOST)),
            ("GPUs", format_count(limits.GPUS_IN_ALL_MOST)),
            ("links on a port", format_count(limits.LINKS_PER_PORT_MOST)),
            ("groups inside each other", format_count(limits.GROUP_DEPTH_MOST)),
        ],
    )


def _records() -> str:
    """The records that stand inside rows, each once."""
    found: dict[type, None] = {}
    for record in schema.TABLES.values():
        _collect(record, found)
    return "\n\n".join(f"### {one.__name__}\n\n{_record(one, one.__name__)}" for one in found)


def _collect(record: type, found: dict[type, None]) -> None:
    for hint in typing.get_type_hints(record).values():
        for one in (hint, *_parts(hint)):
            if dataclasses.is_dataclass(one) and isinstance(one, type) and one is not End and one not in found:
                found[one] = None
                _collect(one, found)


def _parts(hint: Any) -> list[Any]:
    parts = []
    for one in typing.get_args(hint):
        parts += [one, *_parts(one)]
    return parts


def _record(record: type, name: str) -> str:
    """What a record is, and its fields."""
    hints, meanings = typing.get_type_hints(record), _meanings(record)
    rows = []
    for field in dataclasses.fields(record):
        if record is Settings and field.name == "id":
            continue
        limit = limits.limit_of(record, field.name)
        rows.append(
            (
                f"`{field.name}`",
                _type(hints[field.name]),
                _unit(field.name),
                _limit(hints[field.name], limit),
                _default(field.default),
                meanings.get(field.name, ""),
            )
        )
    about = " ".join(inspect.cleandoc(record.__doc__ or "").split()).replace("None", "none")
    return f"{about}\n\n{table(('field', 'value', 'unit', 'limits', 'if left out', 'meaning'), rows)}"


def _type(hint: Any) -> str:
    if hint is End:
        return "[device id, port]"
    arguments = typing.get_args(hint)
    if typing.get_origin(hint) is types.UnionType:
        return _type(next(one for one in arguments if one is not types.NoneType))
    if typing.get_origin(hint) is tuple:
        if arguments == (Allocation, ...):
            return 'list of Allocation, or of text as "d7:0-3"'
        if arguments[-1] is Ellipsis:
            return f"list of {_type(arguments[0])}"
        return f"[{', '.join(map(_type, arguments))}]"
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        return hint.__name__
    return {str: "text", int: "whole number", float: "number", bool: "true or false"}[hint]


def _unit(name: str) -> str:
    return next((unit for end, unit in UNITS.items() if name.endswith(end)), "")


def _limit(hint: Any, limit: Range | Length | None) -> str:
    kinds = {one for one in (hint, *_parts(hint)) if one in (int, float, str)}
    if bool in (hint, *_parts(hint)) or len(kinds) != 1:
        return ""
    limit = limit or limits.OF_TYPE[kinds.pop()]
    each = "each " if typing.get_origin(hint) is tuple else ""
    if isinstance(limit, Length):
        return f"{each}{limit.least} to {format_count(limit.most)} characters"
    least = f"above {limit.least:g}" if limit.is_above else f"{limit.least:,.10g}"
    least = f"{each}{least}"
    return f"{least} to {limit.most:,.10g}" if abs(limit.most) < 1e9 else f"{least} to {limit.most:.3g}"


def _default(default: Any) -> str:
    if default is dataclasses.MISSING:
        return "(required)"
    if default is None:
        return "none"
    if default == ():
        return "[]"
    if isinstance(default, bool):
        return str(default).lower()
    return '""' if default == "" else f"{default}"


def _meanings(record: type) -> dict[str, str]:
    """The texts that stand under fields in the source."""
    module = sys.modules[record.__module__]
    tree = ast.parse(textwrap.dedent(inspect.getsource(module)))
    body = next(one.body for one in tree.body if isinstance(one, ast.ClassDef) and one.name == record.__name__)
    found, last = {name: field.help for name, field in fields_of(record).items()}, ""
    for line in body:
        if isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name):
            last = line.target.id
        elif isinstance(line, ast.Expr) and isinstance(line.value, ast.Constant) and last:
            found[last] = " ".join(str(line.value.value).split()).replace("None", "none")
    return found


def table(headings: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    """Rows as a table of a page."""
    lines = [headings, tuple("---" for _ in headings), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
