"""Makes the page of published designs: every row of the reference, expected and generated, and the reason for more."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from make_file_format import table

from designer.catalog.catalog import load
from designer.fields import kinds
from designer.fields.field import Field, fields_of
from designer.topologies.network_parameters import NetworkParameters
from designer.topologies.presets import Preset, family_of, published_designs, source_text, word_of_endpoints
from designer.topologies.published_figures import Compared, agreement, compared

EQUAL, REASON, DIFFERS, NOT_MADE = "equal", "equal, with a reason", "differs", "not generated"

ENDS = {"servers", "endpoints", "nics", "server-leaf"}
"""Figures about what a fabric joins, and not about the fabric."""

MEANINGS = {
    EQUAL: "every figure comes out, and nothing had to be assumed",
    REASON: "every figure comes out; the source is ambiguous, or silent where something had to be assumed",
    DIFFERS: "a printed figure does not come out, as other figures of the same source contradict it",
    NOT_MADE: "no family builds it, or the source states too little",
}

SHORT = {
    "servers": "servers",
    "endpoints": "GPUs",
    "host-ports": "host ports",
    "leaf": "leaf",
    "spine": "spine",
    "core": "core",
    "switches": "switches",
    "switch-chips": "switch chips",
    "server-leaf": "server-leaf links",
    "leaf-spine": "leaf-spine links",
    "spine-core": "spine-core links",
    "leaf-leaf": "leaf-leaf links",
    "local": "local links",
    "global": "global links",
    "switch-links": "switch links",
    "links": "links",
}
"""Words of the figures in the first table; those left out there are in the table of the design."""


@dataclass(frozen=True, slots=True)
class _Row:
    """A published design and how it compares."""

    preset: Preset
    figures: Sequence[Compared]

    @property
    def result(self) -> str:
        if not self.preset.family:
            return NOT_MADE
        if not all(one.equal for one in self.figures):
            return DIFFERS
        return REASON if self.preset.unclear or self.preset.assumed else EQUAL

    @property
    def reason(self) -> str:
        one = self.preset
        parts = (one.not_generated, *one.contradicted.values(), one.assumed, one.unclear)
        stated = (f"{part[:1].upper()}{part[1:].rstrip('.')}." for part in parts if part)
        return " ".join(dict.fromkeys(stated))


def published() -> str:
    """The page: a table of all designs, then each with its figures, sources and what was assumed."""
    catalog = load()
    rows = [_Row(one, compared(one, catalog) if one.family else ()) for one in published_designs()]
    lines = ["# Published designs", "", *_summary(rows), "", *_table(rows)]
    for row in rows:
        if row.preset.family:
            lines += _details(row)
    lines += ["", "## Not generated", ""]
    left = [row.preset for row in rows if not row.preset.family]
    cells = [(one.title, one.not_generated, _source(one).removeprefix("Source: "), one.notes) for one in left]
    lines.append(table(("design", "why", "source", "what is known"), [tuple(map(_cell, row)) for row in cells]))
    return "\n".join(lines) + "\n"


def _summary(rows: Sequence[_Row]) -> Iterator[str]:
    n_made = sum(bool(row.preset.family) for row in rows)
    yield (
        f"{len(rows)} published designs, collected on 2026-11-20 and 2026-11-22, with their sources, among them all "
        f"rows of that reference. {n_made} can be generated: *File > Generate Fabric* shows them as presets, and "
        "`generate preset NAME` makes them, with the options of their family."
    )
    yield ""
    results = [row.result for row in rows]
    cells = [
        (word, str(results.count(word)), f"{results.count(word) / len(rows):.0%}", meaning)
        for word, meaning in MEANINGS.items()
    ]
    yield table(("result", "designs", "share", "meaning"), cells)
    yield ""
    figures = [one for row in rows for one in row.figures]
    yield (
        f"Figures: {_figures(figures, printed=True)} that sources print come out equal, and "
        f"{_figures(figures, printed=False)} that do not stand in the source and were derived here from what it "
        "states. Figures that neither print nor follow are not listed. Links are logical: one port to one port, both "
        "directions together."
    )

    yield ""
    n_ends = sum(row.result != NOT_MADE and {one.name for one in row.figures} <= ENDS for row in rows)
    yield (
        f"For {n_ends} of the generated designs, no number of switches or of links between them is known: servers, "
        "GPUs and NICs alone are compared, and the switches that join them stand in."
    )


def _figures(figures: Sequence[Compared], *, printed: bool) -> str:
    several = [one for one in figures if one.printed == printed]
    return f"{sum(one.equal for one in several)} of {len(several)}"


def _table(rows: Sequence[_Row]) -> Iterator[str]:
    yield "Figures in parentheses are derived here."
    yield ""
    cells = []
    for row in rows:
        shown = [one for one in row.figures if one.name in SHORT]
        words = SHORT | {"endpoints": f"{word_of_endpoints(row.preset)}s"}
        expected = ", ".join(_short(words, one, one.expected) for one in shown) or _known(row.preset)
        made = "the same" if row.result in (EQUAL, REASON) else ", ".join(_short(words, one, one.made) for one in shown)
        cells.append((_link(row.preset), expected, made, row.result, _cell(row.reason)))
    yield table(("design", "expected", "generated", "result", "reason"), cells)


def _short(words: Mapping[str, str], one: Compared, number: int) -> str:
    text = f"{number:,} {words[one.name].removesuffix('s') if number == 1 else words[one.name]}"
    return text if one.printed else f"({text})"


def _known(preset: Preset) -> str:
    """The figures of a design that is not generated."""
    printed = [f"{number:,} {SHORT[name]}" for name, number in preset.published.items() if name in SHORT]
    derived = [f"({number:,} {SHORT[name]})" for name, number in preset.derived.items() if name in SHORT]
    return ", ".join((*printed, *derived))


def _link(preset: Preset) -> str:
    title = _cell(preset.title)
    return f"[{title}](#{_anchor(preset.title)})" if preset.family else title


def _anchor(title: str) -> str:
    kept = "".join(letter for letter in title.lower() if letter.isalnum() or letter in " -_")
    return kept.replace(" ", "-")


def _details(row: _Row) -> Iterator[str]:
    preset = row.preset
    described = fields_of(family_of(preset).parameters) | fields_of(NetworkParameters)
    values = {**preset.parameters, **preset.networks}
    options = " ".join(_typed(described[name], str(value)) for name, value in values.items())
    yield from ("", f"## {preset.title}", "")
    yield from (f"`generate preset {preset.id}`, the same as `generate {preset.family} {options}`.", "")
    if stated := _source(preset):
        yield from (stated, "")
    for word, text in (("Assumed", preset.assumed), ("Open in the source", preset.unclear)):
        if text:
            yield from (f"{word}: {_cell(text).rstrip('.')}.", "")
    yield from (f"{agreement(row.figures)}.", "")
    cells = [(one.title, f"{one.expected:,}", _origin(one), f"{one.made:,}", _verdict(one)) for one in row.figures]
    yield table(("figure", "expected", "from", "generated", ""), cells)


def _origin(one: Compared) -> str:
    return "printed" if one.printed else "derived here"


def _verdict(one: Compared) -> str:
    if one.equal:
        return "equal"
    return f"differs: {_cell(one.contradicted)}" if one.contradicted else "differs"


def _typed(field: Field, value: str) -> str:
    return field.option if field.kind is kinds.FLAG else f"{field.option} {value}"


def _source(preset: Preset) -> str:
    return _cell(source_text(preset))


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "/").replace("<", "&lt;")
