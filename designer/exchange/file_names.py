"""What a hand-over file is called where nobody named it: the design's file or name, then what is in it."""

import re

from designer.model.design import Design

DIAGRAM = "diagram"
"""What is in a file whose format is named by its suffix alone, as svg is."""


def file_stem(name: str) -> str:
    """A design's name as a file name without surprises: "DGX SuperPOD, 4 SU" is dgx-superpod-4-su."""
    kept = "".join(letter if letter.isalnum() or letter in "-_." else "-" for letter in name)
    return re.sub(r"-{2,}", "-", kept).strip("-.").lower() or "design"


def export_name(design: Design, format_: str, suffix: str) -> str:
    """The default name of an exported file, as pod-cable-plan.xlsx; `format_` and `suffix` are the exporter's.

    The design's file lends its name, else the design does. The part that names the file's kind is not said twice.
    """
    kind = suffix.removeprefix(".")
    content = DIAGRAM if format_ == kind else format_.removesuffix(f"-{kind}")
    return f"{design.file_stem or file_stem(design.name)}-{content}{suffix}"
