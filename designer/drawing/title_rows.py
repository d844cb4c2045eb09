"""What a title block on the canvas says of the design."""

from designer.model.design import Design
from designer.model.records import ordered
from designer.model.shown_text import visible_line


def title_rows(design: Design) -> tuple[tuple[str, str], ...]:
    """Names and values, those that are known; the design's name always. Of a numbered drawing also sheet and scale."""
    settings, revisions = design.settings, ordered(design.revisions)
    last = revisions[-1] if revisions else None
    is_numbered = bool(settings.drawing_number)
    rows = (
        ("Design", design.name),
        ("Drawing number", settings.drawing_number),
        ("Project", settings.project),
        ("Customer", settings.customer),
        ("Site", settings.site),
        ("Author", settings.author),
        ("Revision", last.number if last is not None else ""),
        ("Date", last.date if last is not None else ""),
        ("Sheet", "1 of 1" if is_numbered else ""),
        ("Scale", "Not to scale" if is_numbered else ""),
    )
    return tuple((name, visible_line(value)) for name, value in rows if value or name == "Design")
