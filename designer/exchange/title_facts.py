"""What documents state first: which design it is, and whose."""

from designer.model.design import Design


def title_facts(design: Design) -> list[tuple[str, str]]:
    """Name and value of each such fact that the design states, its own name first."""
    settings = design.settings
    facts = (
        ("Design", design.name),
        ("Project", settings.project),
        ("Customer", settings.customer),
        ("Site", settings.site),
        ("Author", settings.author),
    )
    return [(name, value) for name, value in facts if value]
