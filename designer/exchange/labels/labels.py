"""The labels of a design's cables: what is printed on each end of each."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from designer.analysis.optical_parts import OpticalParts
from designer.errors import ExportError
from designer.exchange.cable_plan import CableRow, cable_rows
from designer.exchange.labels.options import BY_CABLE, CUT, FAR_FIRST, REFUSE, WRAP, LabelOptions
from designer.exchange.labels.template import DEFAULT, END_FIELDS, FAR, NEAR, Template, Value, parse
from designer.model.design import Design
from designer.units import format_counted, format_rate, shortened

BREAK_AFTER = re.compile(r"(?<=[/:,;_ +-])")
"""Where a line is broken rather than elsewhere."""
MARK = "…"
"""At the end of a line that was cut."""
BETWEEN = ","
"""Between the ports of a cable with several lanes."""
SLASH = "/"
A, Z = "A", "Z"


@dataclass(frozen=True, slots=True)
class Label:
    """What is printed on one end of a cable."""

    cable: str
    """Its number, which the QR code holds; "" where it has none yet."""
    end: str
    """A at the end nearer to the servers, Z at the other, as in the cable plan."""
    lines: tuple[str, ...]
    is_cut: bool
    """Whether a line is shorter than the template made it."""
    values: Mapping[str, Value]
    """The facts that its template could name."""

    @property
    def text(self) -> str:
        """The printed text, line by line."""
        return "\n".join(self.lines)


def labels_of(design: Design, options: LabelOptions, parts: OpticalParts) -> list[Label]:
    """The labels, in the order in which they are put on.

    A label that somebody typed for a link goes before the template. Raises ParameterError for a template that cannot be
    read, and ExportError where labels are longer than the limit and may not be.
    """
    template = template_of(design, options)
    made = [_label(design, end, template, options) for end in _ends(design, options, parts)]
    if options.length is not None and options.too_long == REFUSE:
        _refuse_long(made, options.length)
    return made


def template_of(design: Design, options: LabelOptions) -> Template:
    """The template of the options; that of the design where they have none of their own. Raises ParameterError."""
    return parse(options.template or design.settings.label_template or DEFAULT.name)


def with_own_labels(design: Design, rows: list[CableRow]) -> list[CableRow]:
    """The rows of a plan with labels by the design's template, where it has one; typed labels stay.

    Each row names its own ports, those of a cable with several lanes too. Raises ParameterError.
    """
    if not design.settings.label_template:
        return rows
    template = parse(design.settings.label_template)
    return [row if design.links[row.link_id].label else _relabeled(design, row, template) for row in rows]


def _relabeled(design: Design, row: CableRow, template: Template) -> CableRow:
    near = _values(design, row)
    far = _exchanged(near) | {"end": A if row.is_turned else Z}
    return replace(row, label_a=template.filled(near), label_b=template.filled(far))


class _CableEnd(NamedTuple):
    """An end of a cable: the rows of the links that leave through it, seen from there."""

    rows: Sequence[CableRow]
    letter: str


def _ends(design: Design, options: LabelOptions, parts: OpticalParts) -> list[_CableEnd]:
    """Each end of each cable once, in the order of the options."""
    grouped: dict[tuple[object, ...], list[CableRow]] = {}
    for row in cable_rows(design, both_ways=True, parts=parts):
        if not options.networks or row.network in options.networks:
            letter = Z if row.is_turned else A
            if options.ends.upper() in (letter, "BOTH"):
                cage = row.a_cage if row.a_cage is not None else row.a_port_id
                grouped.setdefault((row.piece, letter, row.a_id, cage), []).append(row)
    ends = [_CableEnd(rows, str(key[1])) for key, rows in grouped.items()]
    return _by_cable(ends) if options.order == BY_CABLE else ends


def _by_cable(ends: list[_CableEnd]) -> list[_CableEnd]:
    """By number, the ends of each cable together; those without a number last, as the plan has them."""
    first: dict[str, int] = {}
    for number, end in enumerate(ends):
        first.setdefault(end.rows[0].piece, number)

    def key(end: _CableEnd) -> tuple[object, ...]:
        row = end.rows[0]
        return not row.cable_id, len(row.cable_id), row.cable_id, first[row.piece], end.letter

    return sorted(ends, key=key)


# -- facts ----------------------------------------------------------------------------------------------------------


def _values(design: Design, row: CableRow) -> dict[str, Value]:
    """What templates can name of a link, as seen from the A end of its row."""
    settings = design.settings
    near = (row.a_site, row.a_row, row.a_rack, row.a_u, _place(row.a_rack, row.a_u, row.a_device), row.a_device)
    far = (row.z_site, row.z_row, row.z_rack, row.z_u, _place(row.z_rack, row.z_u, row.z_device), row.z_device)
    near_port = (row.a_device_type, row.a_role, row.a_port, row.a_cage, row.a_lane, row.a_optic_model)
    far_port = (row.z_device_type, row.z_role, row.z_port, row.z_cage, row.z_lane, row.z_optic_model)
    return {
        **{NEAR + name: value for name, value in zip(END_FIELDS, (*near, *near_port), strict=True)},
        **{FAR + name: value for name, value in zip(END_FIELDS, (*far, *far_port), strict=True)},
        "cable": row.cable_id,
        "end": Z if row.is_turned else A,
        "network": row.network,
        "rail": row.rail,
        "su": row.su,
        "tier": row.tier,
        "speed": format_rate(row.speed_gbps) if row.speed_gbps else "",
        "medium": row.medium,
        "connector": row.connector,
        "part": row.cable_pn or row.cable_model,
        "length": row.length_m,
        "stock": row.stock_length_m,
        "bundle": row.bundle,
        "colour": row.color,
        "design": design.name,
        "project": settings.project,
        "customer": settings.customer,
    }


def _place(rack: str, unit: int | None, device: str) -> str:
    return f"{rack}-{unit:02d}" if rack and unit is not None else device


def _merged(values: Sequence[Mapping[str, Value]]) -> Mapping[str, Value]:
    """The facts of all links in a cable: one where they agree, else all of them."""
    if len(values) == 1:
        return values[0]
    found: dict[str, Value] = {}
    for name in values[0]:
        different = list(dict.fromkeys(one[name] for one in values))
        if len(different) == 1:
            found[name] = different[0]
        else:
            found[name] = BETWEEN.join(
                "" if one is None else f"{one:g}" if isinstance(one, float) else str(one) for one in different
            )
    return found


# -- texts ----------------------------------------------------------------------------------------------------------


def _label(design: Design, end: _CableEnd, template: Template, options: LabelOptions) -> Label:
    values = _merged([_values(design, row) for row in end.rows])
    typed = next((label for row in end.rows if (label := design.links[row.link_id].label)), "")
    shown = _exchanged(values) if options.first == FAR_FIRST else values
    texts = [" ".join(line.split()) for line in (typed or template.filled(shown)).split("\n")]
    lines = [line for line in texts if line] or [""]
    fitted = lines
    if options.length is not None and options.too_long == WRAP:
        fitted = [part for line in lines for part in wrapped(line, options.length)]
    elif options.length is not None and options.too_long == CUT:
        fitted = [_cut(line, options.length) for line in lines]
    is_cut = options.too_long == CUT and fitted != lines
    return Label(end.rows[0].cable_id, end.letter, tuple(fitted), is_cut, values)


def _exchanged(values: Mapping[str, Value]) -> dict[str, Value]:
    """The facts with the two ends in each other's place."""
    found = dict(values)
    for name in END_FIELDS:
        found[NEAR + name], found[FAR + name] = values[FAR + name], values[NEAR + name]
    return found


def _cut(line: str, most: int) -> str:
    return line if len(line) <= most else line[: most - 1].rstrip() + MARK


def wrapped(line: str, most: int) -> list[str]:
    """The line as several that are not longer, broken after marks between names where that is possible."""
    found, current = [], ""
    for piece in BREAK_AFTER.split(line):
        if len(current + piece.rstrip()) <= most:
            current += piece
            continue
        if current:
            found.append(current)
        current = piece
        while len(current.rstrip()) > most:
            found.append(current[:most])
            current = current[most:]
    return without_lone_slashes([one.strip() for one in (*found, current) if one.strip()])


def without_lone_slashes(lines: list[str]) -> list[str]:
    """The lines of a broken text without those that are a slash alone: the break separates near from far as well."""
    return [line for line in lines if line != SLASH] if len(lines) > 1 else lines


def _refuse_long(labels: Sequence[Label], most: int) -> None:
    longest = [max(map(len, label.lines)) for label in labels]
    count = sum(one > most for one in longest)
    if count:
        worst = labels[longest.index(max(longest))]
        line = max(worst.lines, key=len)
        cable = worst.cable or f"the cable of {worst.values['near.device']} port {worst.values['near.port']}"
        stated = f"{shortened(line)!r}, end {worst.end} of {cable}"
        raise ExportError(
            f"{format_counted(count, 'label')} of {len(labels):,} {'is' if count == 1 else 'are'} longer than {most} "
            f"characters, the longest with {len(line)} ({stated}): raise the length limit, shorten the "
            f"template, or write too-long=wrap or too-long=cut"
        )


def summary(labels: Sequence[Label]) -> str:
    """How many labels there are, and what they lack: "4,080 labels of 2,040 cables; 12 are cut"."""
    cables = len({label.cable for label in labels if label.cable})
    lacking = sum(not label.cable for label in labels)
    parts = [f"{format_counted(len(labels), 'label')} of {format_counted(cables, 'numbered cable')}"]
    if lacking:
        parts.append(f"{lacking:,} without a number, and so without a QR code")
    if cut := sum(label.is_cut for label in labels):
        parts.append(f"{cut:,} cut to the length limit")
    return "; ".join(parts)
