"""Options of hand-over formats, as formats read them."""

from collections.abc import Mapping
from typing import Any

from designer.errors import ExportError

Options = Mapping[str, Any]
"""Options by name: texts from the command line; the window may hand over the objects they stand for."""

YES, NO = ("yes", "true", "on", "1"), ("no", "false", "off", "0", "")


def flag(options: Options, name: str) -> bool:
    """A yes-or-no option; no where it is not given. Raises ExportError."""
    value = str(options.get(name, "no")).lower()
    if value not in YES and value not in NO:
        raise ExportError(f"option {name} is {value!r}: write {name}=yes or {name}=no")
    return value in YES
