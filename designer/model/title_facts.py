"""What documents state first: which design it is, and whose."""

from designer.model.design import Design

HEADINGS = {
    "design": "Design",
    "drawing_number": "Drawing number",
    "project": "Project",
    "customer": "Customer",
    "site": "Site",
    "author": "Author",
}
"""By fact, what it is called, the design's own name first."""


def title_facts(design: Design) -> dict[str, str]:
    """Each of these facts; "" where the design does not state it."""
    settings = design.settings
    return {name: design.name if name == "design" else getattr(settings, name) for name in HEADINGS}


def stated_facts(design: Design) -> list[tuple[str, str]]:
    """Heading and value of each fact that the design states."""
    return [(HEADINGS[name], value) for name, value in title_facts(design).items() if value]
