"""Lines of one width in SVG files of plots, whatever program reads them."""

import re
from xml.etree import ElementTree

SVG = "http://www.w3.org/2000/svg"
_MATRIX = re.compile(r"matrix\(([^)]*)\)")
_POINT = re.compile(r"(-?\d[\d.e+-]*),(-?\d[\d.e+-]*)")
_EFFECT, _EVEN = "vector-effect", "non-scaling-stroke"


def with_even_strokes(svg: bytes) -> bytes:
    """The drawing with points where their group's transform puts them, instead of strokes that must not scale.

    Many readers know no `vector-effect` (librsvg, ImageMagick, office programs) and draw such lines as thick as the
    scale of the plot is large.
    """
    ElementTree.register_namespace("", SVG)
    root = ElementTree.fromstring(svg)
    for group in root.iter(f"{{{SVG}}}g"):
        found = _MATRIX.fullmatch(group.get("transform", "").strip())
        if found is None or not len(group) or any(child.get(_EFFECT) != _EVEN for child in group):
            continue
        matrix = [float(number) for number in found[1].split(",")]
        for child in group:
            for name in ("d", "points"):
                if name in child.attrib:
                    child.set(name, _placed(child.attrib[name], matrix))
            del child.attrib[_EFFECT]
        del group.attrib["transform"]
    for parent in list(root.iter()):
        for child in [one for one in parent if one.tag == f"{{{SVG}}}g" and not len(one)]:
            parent.remove(child)  # Qt writes a group for each change of pen, most of them empty
    written: bytes = ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)
    return written


def _placed(points: str, matrix: list[float]) -> str:
    a, b, c, d, e, f = matrix

    def place(found: re.Match[str]) -> str:
        x, y = float(found[1]), float(found[2])
        return f"{a * x + c * y + e:.2f},{b * x + d * y + f:.2f}"

    return _POINT.sub(place, points)
