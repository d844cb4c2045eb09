"""JSON of strangers: texts of files as objects, without numbers and depths that would stop the program."""

import json
from pathlib import Path
from typing import Any

from designer.exchange.reading.found import ImportFailure
from designer.exchange.reading.texts import read_text


def read_json(path: Path) -> Any:
    """What a JSON file holds. Raises ImportFailure, which names the line, or OSError."""
    text = read_text(path)
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise ImportFailure(f"{path.name}, line {error.lineno}, cannot be read as JSON: {error.msg}") from None
    except RecursionError:
        raise ImportFailure(f"{path.name} nests lists far deeper than any network: it cannot be imported") from None
    except ValueError:
        raise ImportFailure(f"{path.name} holds a number that no network has: it cannot be imported") from None


def as_list(value: Any) -> list[Any]:
    """A list as it is; anything else as the only item, None and "" as none."""
    if isinstance(value, list):
        return value
    return [] if value is None or value == "" else [value]


def text_at(value: Any, *keys: str) -> str:
    """The text at keys inside objects; lists of one item stand for the item. "" where there is none."""
    for key in keys:
        if isinstance(value, list):
            value = value[0] if value else None
        value = value.get(key) if isinstance(value, dict) else None
    if isinstance(value, list):
        value = value[0] if value else None
    if isinstance(value, dict):
        value = value.get("value")
    return value if isinstance(value, str) else str(value) if isinstance(value, int | float) else ""
