"""The texts that the primitives of a picture write."""

from designer.drawing.parts.primitives import Group, Text


def texts(parts):
    """What is written, in the order of painting."""
    for part in parts:
        if isinstance(part, Group):
            yield from texts(part.parts)
        elif isinstance(part, Text):
            yield part.text
