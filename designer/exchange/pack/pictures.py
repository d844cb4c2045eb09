"""Pictures within a page of HTML: the drawing as SVG, in the colors of light and of dark screens."""

import re
from collections.abc import Callable, Iterator

_TAG = re.compile(r"<[^>]*>")
_COLOUR = re.compile("#[0-9a-f]{6}")
_PAINTED = re.compile(r' (fill|stroke)="(#[0-9a-f]{6})"')
_IDS = re.compile(r'( id="|url\(#)([\w-]+)')
_LABELLED = re.compile(r'aria-labelledby="([^"]*)"')
_SIZE = re.compile(r' width="[\d.]+" height="[\d.]+"( style="[^"]*")?')
_DECLARATION = re.compile(r"^<\?xml[^>]*\?>\s*")

Draw = Callable[[str], str]
"""The text of an SVG in the theme of that name."""


def inlined(draw: Draw, name: str) -> str:
    """The picture as an element of a page, with the rules that recolor it on dark screens; paper has the light ones.

    `name` keeps its ids and rules apart from those of other pictures.
    """
    light, dark = draw("light"), draw("dark")
    rules = ""
    if _COLOUR.sub("", light) == _COLOUR.sub("", dark):
        light, pairs = _told_apart(light, _colours(dark))
        rules = _rules(light, pairs, name)
    text = _DECLARATION.sub("", light).strip()
    return rules + _TAG.sub(lambda tag: _named(tag[0], name), text)


def _named(tag: str, name: str) -> str:
    """A tag with ids of this picture's own; that of the picture itself fills what it stands in."""
    tag = _IDS.sub(lambda found: f"{found[1]}{name}-{found[2]}", tag)
    if tag.startswith("<svg "):
        ids = _LABELLED.search(tag)
        labels = " ".join(f"{name}-{one}" for one in ids[1].split()) if ids else ""
        tag = _LABELLED.sub(f'aria-labelledby="{labels}"', tag)
        tag = _SIZE.sub(f' class="{name}"', tag, count=1)
    return tag


def _colours(text: str) -> Iterator[str]:
    """Those of the tags, in their order; texts between may hold what looks like one."""
    return (colour for tag in _TAG.findall(text) for colour in _COLOUR.findall(tag))


def _told_apart(light: str, dark: Iterator[str]) -> tuple[str, dict[str, str]]:
    """The light picture, in which no color stands for two of the dark one: they differ by a hair; and the pairs."""
    taken: dict[str, str] = {}
    known: dict[tuple[str, str], str] = {}

    def one(found: re.Match[str]) -> str:
        colour, other = found[0], next(dark)
        if (colour, other) not in known:
            shade = colour
            while taken.get(shade, other) != other:
                shade = _next(shade)
            taken[shade], known[colour, other] = other, shade
        return known[colour, other]

    return _TAG.sub(lambda tag: _COLOUR.sub(one, tag[0]), light), taken


def _next(colour: str) -> str:
    """The color next to it, which no eye can distinguish from it."""
    number = int(colour[1:], 16)
    return f"#{number - 1 if number & 0xFF else number + 1:06x}"


def _rules(light: str, pairs: dict[str, str], name: str) -> str:
    used = sorted({one for tag in _TAG.findall(light) for one in _PAINTED.findall(tag)})
    lines = "".join(f'.{name} [{what}="{colour}"]{{{what}:{pairs[colour]}}}' for what, colour in used)
    return f"<style>@media screen and (prefers-color-scheme: dark){{{lines}}}</style>"
