"""Reading pages again: what is written on them, layer by layer, and what sticks out."""

from designer.drawing.parts.primitives import Group, Text


def texts(parts):
    """All texts of parts, those in groups too."""
    for part in parts:
        if isinstance(part, Group):
            yield from texts(part.parts)
        elif isinstance(part, Text):
            yield part


def words(page, layer=None):
    """What is written on a page, or in one layer of it."""
    return [one.text for group in page.layers() if layer in (None, group.id) for one in texts([group])]


def parts_of(parts):
    """All parts but groups, those in groups too."""
    for part in parts:
        if isinstance(part, Group):
            yield from parts_of(part.parts)
        else:
            yield part
