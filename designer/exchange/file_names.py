"""What a hand-over file is called where nobody named it: the design's file or name, then what is in it."""

import re

from designer.model.design import Design

DIAGRAM = "diagram"
"""What is in a file whose format is named by its suffix alone, as svg is."""

CONTENTS = {"dxf": "floor"}
"""What is in files of other formats whose name does not say it."""

MOST_BYTES, FIRST_KEPT, LAST_KEPT = 180, 30, 30
"""Of a name in an archive, and how many letters of a longer one stay; the last say what is in the file."""
_NO_NAME = re.compile('[\x00-\x1f\x7f-\x9f<>:"/\\\\|?*\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f\ud800-\udfff]')


def file_stem(name: str) -> str:
    """A design's name as a file name without surprises: "DGX SuperPOD, 4 SU" is dgx-superpod-4-su."""
    kept = "".join(letter if letter.isalnum() or letter in "-_." else "-" for letter in name)
    return re.sub(r"-{2,}", "-", kept).strip("-.").lower() or "design"


def portable(name: str) -> str:
    """A file name that every system takes, and takes for a name: no part of it is a path, hidden or too long."""
    kept = _NO_NAME.sub("-", name).lstrip(". ")
    return kept if len(kept.encode()) <= MOST_BYTES else kept[:FIRST_KEPT] + kept[-LAST_KEPT:]


def export_name(design: Design, format_: str, suffix: str) -> str:
    """The default name of an exported file, as pod-cable-plan.xlsx; `format_` and `suffix` are the exporter's.

    The design's file lends its name, else the design does. The part that names the file's kind is not said twice.
    """
    kind = suffix.removeprefix(".")
    content = CONTENTS.get(format_) or (DIAGRAM if format_ == kind else format_.removesuffix(f"-{kind}"))
    return f"{design.file_stem or file_stem(design.name)}-{content}{suffix}"
