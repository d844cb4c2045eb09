"""What a title block on the canvas says of the design."""

from designer.model.design import Design
from designer.model.records import ordered
from designer.model.shown_text import visible_line


def title_rows(design: Design) -> tuple[tuple[str, str], ...]:
    """Names and values, those that are known; the design's name always."""
    settings, revisions = design.settings, ordered(design.revisions)
    last = revisions[-1] if revisions else None
    rows = (
        ("Design", design.name),
        ("Project", settings.project),
        ("Customer", settings.customer),
        ("Site", settings.site),
        ("Author", settings.author),
        ("Revision", last.number if last is not None else ""),
        ("Date", last.date if last is not None else ""),
    )
    return tuple((name, visible_line(value)) for name, value in rows if value or name == "Design")
