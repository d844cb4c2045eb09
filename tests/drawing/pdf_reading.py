"""Reading a PDF of Qt's again: the texts on its page, and the colors that anything is drawn in."""

import re
import zlib


def objects(data: bytes) -> dict[int, bytes]:
    return {int(m[1]): m[2] for m in re.finditer(rb"(?:^|\n)(\d+) 0 obj\n(.*?)\nendobj", data, re.DOTALL)}


def stream(obj: bytes) -> bytes:
    body = re.search(rb"stream\r?\n(.*)\r?\nendstream", obj, re.DOTALL)[1]
    return zlib.decompress(body) if b"/FlateDecode" in obj else body


def letters(cmap: bytes) -> dict[str, str]:
    """What each glyph of a font stands for."""
    found = {}
    for first, last, targets in re.findall(rb"<(\w{4})> <(\w{4})> \[(.*?)\]", cmap, re.DOTALL):
        for glyph, target in zip(
            range(int(first, 16), int(last, 16) + 1), re.findall(rb"<(\w+)>", targets), strict=False
        ):
            found[f"{glyph:04x}"] = bytes.fromhex(target.decode()).decode("utf-16-be")
    return found


def read(path):
    """Texts in drawing order, and colors as #rrggbb."""
    found = objects(path.read_bytes())
    resources = b"".join(one for one in found.values() if b"/Font" in one)
    fonts = {}
    for name, number in re.findall(rb"/(F\d+) (\d+) 0 R", resources):
        cmap = re.search(rb"/ToUnicode (\d+) 0 R", found[int(number)])
        fonts[name] = letters(stream(found[int(cmap[1])]))
    page = next(text for one in found.values() if b"/FlateDecode" in one and b"BT" in (text := stream(one)))
    texts = []
    for block in re.findall(rb"BT\n(.*?)\nET", page, re.DOTALL):
        font = fonts[re.search(rb"/(F\d+) ", block)[1]]
        glyphs = re.findall(rb"<(\w{4})> Tj", block)
        texts.append("".join(font[glyph.decode().lower()] for glyph in glyphs).replace("\t", " "))
    colours = set()
    for red, green, blue in re.findall(rb"([\d.]+) ([\d.]+) ([\d.]+) (?:scn|SCN)", page):
        colours.add("#" + "".join(f"{round(float(one) * 255):02x}" for one in (red, green, blue)))
    return texts, colours
