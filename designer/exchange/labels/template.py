r"""Templates of cable labels: text with fields in braces, filled from a row of the cable plan.

`{near.rack}` and `{far.port}` are facts of the two ends, as seen from the end that the label is on; `{cable}` and
`{length}` are facts of the cable. `{near.unit:02}` fills a number with zeros, `\n` begins a new line.
"""

import difflib
import re
import string
from collections.abc import Mapping
from dataclasses import dataclass

from designer.errors import ParameterError
from designer.units import shortened

LONGEST = 500
"""Characters of a template."""

END_FIELDS: Mapping[str, str] = {
    "site": "site of the design",
    "row": "row of racks on the floor",
    "rack": "rack",
    "unit": "lowest rack unit of the device",
    "place": "rack and unit, as A01-40; the device where it stands in no rack",
    "device": "device",
    "type": "model of the device",
    "role": "role of the device, as leaf",
    "port": "port; of a cable with several lanes all of its ports",
    "cage": "cage, as the chassis is labelled",
    "lane": "lane in the cage",
    "optic": "part number of the transceiver",
}
"""Fields that each end has, and what they hold."""

CABLE_FIELDS: Mapping[str, str] = {
    "cable": "number of the cable, as C0001",
    "end": "A at the end nearer to the servers, Z at the other",
    "network": "network",
    "rail": "rail",
    "su": "scalable unit",
    "tier": "tiers that the cable joins, as leaf-spine",
    "speed": "speed, as 400G",
    "medium": "medium, as DAC",
    "connector": "connector",
    "part": "part number of the cable",
    "length": "length in meters",
    "stock": "stock length in meters",
    "bundle": "bundle",
    "colour": "color of the jacket",
    "design": "design",
    "project": "project",
    "customer": "customer",
    "slash": "a slash, with blanks around it where a name on the label holds one",
}
"""Fields of the cable and of the design."""

NEAR, FAR = "near.", "far."
FIELDS: Mapping[str, str] = {
    **{f"{NEAR}{name}": f"{what}, at this end" for name, what in END_FIELDS.items()},
    **{f"{FAR}{name}": f"{what}, at the other end" for name, what in END_FIELDS.items()},
    **CABLE_FIELDS,
}
"""All fields, and what they hold."""

Value = str | int | float | None


@dataclass(frozen=True, slots=True)
class Preset:
    """A template that is ready to use."""

    name: str
    title: str
    template: str
    explanation: str


PRESETS: tuple[Preset, ...] = (
    Preset(
        "tia-606-b",
        "TIA-606-B",
        "{near.place}:{near.port}{slash}{far.place}:{far.port}",
        "rack, unit and port of this end, a slash, those of the other end",
    ),
    Preset(
        "number-and-ends",
        "Number and ends",
        "{cable}\\n{near.place}:{near.port}\\n{far.place}:{far.port}",
        "the cable's number, then each end in a line of its own",
    ),
    Preset(
        "devices",
        "Devices and ports",
        "{near.device}:{near.port}{slash}{far.device}:{far.port}",
        "device and port of this end, a slash, those of the other end",
    ),
    Preset("number", "Number", "{cable}", "the cable's number alone"),
)
DEFAULT = PRESETS[0]


@dataclass(frozen=True, slots=True)
class Template:
    """A template that was read: texts and fields in turn."""

    parts: tuple[tuple[str, str, str], ...]
    """Text, the field after it or "", and how wide that is."""

    @property
    def fields(self) -> frozenset[str]:
        """The fields it names."""
        return frozenset(field for _, field, _ in self.parts if field)

    def filled(self, values: Mapping[str, Value]) -> str:
        """The text with the values in it; a fact that is not known leaves nothing."""
        made = []
        for text, field, width in self.parts:
            made.append(text)
            if field and field != "slash":
                made.append(written(values.get(field), width))
            elif field:
                made.append("\0")
        whole = "".join(made)
        rest = whole.replace("\0", "")
        return whole.replace("\0", " / " if "/" in rest else "/")


def parse(text: str) -> Template:
    """The template that a preset's name or a text stands for. Raises ParameterError with one sentence."""
    written = next((one.template for one in PRESETS if one.name == text.strip()), text)
    if not written.strip():
        raise ParameterError("the label template is empty: write fields in braces, such as {near.rack}")
    if len(written) > LONGEST:
        raise ParameterError(f"the label template has {len(written):,} characters, the most is {LONGEST}")
    try:
        parts = list(string.Formatter().parse(written))
    except ValueError:
        raise ParameterError(
            f"the label template {shortened(written)!r} has a brace without its partner: "
            "write fields like {near.rack}, and {{ for a brace"
        ) from None
    return Template(tuple(_part(*one) for one in parts))


def _part(text: str, field: str | None, width: str | None, conversion: str | None) -> tuple[str, str, str]:
    text = text.replace("\\n", "\n")
    if field is None:
        return text, "", ""
    name = re.sub("^(near|far)_", r"\1.", field.strip())
    if name not in FIELDS:
        raise ParameterError(_unknown(name))
    if conversion or not re.fullmatch(r"(0?[1-9])?", width or ""):
        raise ParameterError(
            f"the label template may hold {{{name}}} or {{{name}:02}}, which fills a number with zeros, "
            f"not {shortened('{' + field + ('!' + conversion if conversion else '') + ':' + (width or '') + '}')}"
        )
    return text, name, width or ""


def _unknown(name: str) -> str:
    near = difflib.get_close_matches(name, FIELDS, n=1, cutoff=0.5)
    meant = near[0] if near else f"{NEAR}{name}" if name in END_FIELDS else ""
    hint = f"did you mean {{{meant}}}?" if meant else f"there are {{near.rack}}, {{far.port}}, {', '.join(_some())}"
    return f"the label template has no field {{{shortened(name)}}}: {hint}"


def _some() -> list[str]:
    return [f"{{{name}}}" for name in CABLE_FIELDS]


def written(value: Value, width: str = "") -> str:
    """The value as it stands on a label, a number at least that wide."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value.zfill(int(width)) if width and value.isdecimal() else value
    number = f"{value:.9g}"
    return number.zfill(int(width)) if width else number
