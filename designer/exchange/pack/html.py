"""Pages of HTML that need nothing from elsewhere: no script, no font, no picture; they print, in light and in dark."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from designer.drawing.parts.document import Size
from designer.model.shown_text import escaped
from designer.tables.table import ResultTable

POLICY = "default-src 'none'; style-src 'unsafe-inline'"
"""What a browser may load for the page: nothing. Texts of strangers stay texts even so."""

PICTURE = Size(1120.0, 736.0, window=1120.0)
"""The room for a picture on a page of full width, in pixels."""
STYLE = """
:root{--paper:#fff;--ink:#1c2430;--muted:#5b6675;--line:#dde2e8;--band:#f6f8fa;--accent:#2563a8;
--error:#b3261e;--warning:#8a5a00;--good:#2e6b3f;color-scheme:light dark}
@media screen and (prefers-color-scheme: dark){:root{--paper:#181b20;--ink:#dde2e8;--muted:#9aa5b2;--line:#343b45;
--band:#1f242b;--accent:#7fb2e5;--error:#ff8a80;--warning:#e5b567;--good:#86c79a}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:74rem;padding:2rem 1.5rem 4rem;background:var(--paper);color:var(--ink);
font:15px/1.5 "Segoe UI","Noto Sans","DejaVu Sans","Helvetica Neue",Arial,sans-serif;overflow-wrap:anywhere}
h1{font-size:1.8rem;line-height:1.2;margin:0 0 .25rem}
h2{font-size:1.2rem;margin:2.2rem 0 .6rem;padding-bottom:.25rem;border-bottom:1px solid var(--line)}
h3{font-size:1rem;margin:1.2rem 0 .4rem}
p.warns{border-left:4px solid var(--warning);background:var(--band);padding:.5rem .8rem;font-weight:600}
p{margin:.4rem 0}.muted{color:var(--muted)}
.tiles{display:flex;flex-wrap:wrap;gap:.75rem;margin:1rem 0}
.tile{border:1px solid var(--line);border-radius:6px;padding:.6rem 1rem;min-width:8.5rem;background:var(--band)}
.tile b{display:block;font-size:1.5rem;line-height:1.2;font-variant-numeric:tabular-nums}
.tile.error b{color:var(--error)}.tile.warning b{color:var(--warning)}.tile.good b{color:var(--good)}
table{border-collapse:collapse;width:100%;margin:.5rem 0 1rem;font-size:.86rem}
th,td{text-align:left;vertical-align:top;overflow-wrap:break-word;padding:.3rem .35rem;
border-bottom:1px solid var(--line)}
th{font-weight:600;background:var(--band)}td.right,th.right{text-align:right;
font-variant-numeric:tabular-nums}td.right{white-space:nowrap}
td.error{color:var(--error)}td.warning{color:var(--warning)}
code{font:.88em/1.4 "DejaVu Sans Mono",Consolas,Menlo,monospace}
dl{display:grid;grid-template-columns:minmax(9rem,14rem) 1fr;gap:.25rem 1rem;margin:.5rem 0}
dt{color:var(--muted)}dd{margin:0;white-space:pre-line}
figure{margin:1rem 0;border:1px solid var(--line);border-radius:6px;overflow:hidden}
figure svg{display:block;width:100%;height:auto;max-height:46rem}
figure.low svg{max-height:23rem}
.pair{display:flex;gap:1rem;align-items:flex-start}.pair figure{flex:1 1 0;min-width:0}
.pair figure svg{max-height:none}
figcaption{padding:.4rem .8rem;color:var(--muted);border-top:1px solid var(--line);font-size:.9rem}
.scroll{overflow-x:auto}.sign{display:grid;grid-template-columns:repeat(3,1fr);gap:2rem;margin-top:3rem}
td.whole{white-space:nowrap}td.prose{min-width:8.5rem}
.sign span{border-top:1px solid var(--ink);padding-top:.25rem;color:var(--muted)}.text{white-space:pre-wrap}
@page{margin:14mm}
@media print{:root{color-scheme:light}body{max-width:none;padding:0;font-size:10pt}h2,h3{break-after:avoid}
figure,tr,.tile{break-inside:avoid}figure svg{max-height:23cm}figure.low svg{max-height:9cm}
thead{display:table-header-group}
.scroll{overflow:visible}table{font-size:8pt}th,td{padding:.15rem .35rem}.scroll th{overflow-wrap:normal}}
""".strip()


UNBROKEN = frozenset(("part_number",))
"""Columns, by key, whose entries are copied as they stand: no line breaks in them."""


CURRENCY, AMOUNTS = "currency", frozenset(("unit_price", "line_price", "cost"))
"""Columns, by key, of a row's currency and of what is in it."""
PROSE = 28
"""Characters from where on an entry is a sentence, and its column is kept wide enough to read."""


def page(title: str, body: Iterable[str]) -> str:
    """A whole page."""
    parts = [
        "<!DOCTYPE html>",
        '<html lang="en"><head><meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{escaped(POLICY)}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="referrer" content="no-referrer">',
        f"<title>{escaped(title)}</title>",
        f"<style>{STYLE}</style></head><body>",
        *body,
        "</body></html>",
    ]
    return "\n".join(parts) + "\n"


def text_of(text: str) -> str:
    """A text with its own line breaks."""
    return f'<p class="text">{escaped(text)}</p>'


def title(text: str) -> str:
    """The heading of the page."""
    return f"<h1>{escaped(text)}</h1>"


def arrows(text: str) -> str:
    """A text with arrows as people read them."""
    return text.replace("->", "→")


def subheading(text: str) -> str:
    """The heading of a part of a section."""
    return f"<h3>{escaped(text)}</h3>"


def heading(text: str) -> str:
    """The heading of a section."""
    return f"<h2>{escaped(text)}</h2>"


def paragraph(text: str, kind: str = "") -> str:
    """A paragraph; a kind is "muted"."""
    return f"<p{_class(kind)}>{escaped(text)}</p>"


def warning(text: str) -> str:
    """A paragraph that is not to be overlooked."""
    return f'<p class="warns">{escaped(text)}</p>'


def tiles(figures: Iterable[tuple[str, str, str]]) -> str:
    """Figures that are seen first: each with what it counts, and a kind: "error", "warning", "good" or ""."""
    made = (
        f'<div class="{f"tile {kind}".strip()}"><b>{escaped(figure)}</b>{escaped(what)}</div>'
        for figure, what, kind in figures
    )
    return f'<div class="tiles">{"".join(made)}</div>'


def facts(rows: Iterable[tuple[str, str]]) -> str:
    """Names with their values, which may have several lines."""
    made = "".join(
        f"<dt>{escaped(name[:1].upper() + name[1:])}</dt><dd>{escaped(value.strip())}</dd>" for name, value in rows
    )
    return f"<dl>{made}</dl>"


def table(
    headings: Sequence[str],
    rows: Iterable[Sequence[str]],
    right: Iterable[int] = (),
    kinds: int = -1,
    whole: Iterable[int] = (),
) -> str:
    """A table; columns in `right` end flush, entries of those in `whole` stay in one line.

    The words of column `kinds` color themselves.
    """
    flush, unbroken = frozenset(right), frozenset(whole)
    head = "".join(f"<th{_class('right' if n in flush else '')}>{escaped(one)}</th>" for n, one in enumerate(headings))
    rows = list(rows)
    prose = {number for row in rows for number, cell in enumerate(row) if len(cell) > PROSE} - flush - unbroken
    lines = []
    for row in rows:
        cells = []
        for number, cell in enumerate(row):
            place = (
                "right" if number in flush else "whole" if number in unbroken else "prose" if number in prose else ""
            )
            kind = cell if number == kinds and cell in ("error", "warning") else place
            cells.append(f"<td{_class(kind)}>{escaped(cell)}</td>")
        lines.append(f"<tr>{''.join(cells)}</tr>")
    return f'<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>{"".join(lines)}</tbody></table></div>'


def result_table(shown: ResultTable) -> str:
    """A table of results as people read it, with the units in its headings.

    Columns without an entry are left out; a currency that all rows share stands in the headings of their amounts.
    """
    shown = _filled(_in_one_currency(shown))
    right = [number for number, column in enumerate(shown.columns) if column.right]
    headings = [f"{one.title} ({one.unit})" if one.unit else one.title for one in shown.columns]
    whole = [number for number, column in enumerate(shown.columns) if column.key in UNBROKEN]
    return table(headings, shown.texts, right, whole=whole)


def _in_one_currency(shown: ResultTable) -> ResultTable:
    """The table with its one currency as the unit of what it costs; with several, or none, as it is."""
    listed = next((column for column in shown.columns if column.key == CURRENCY), None)
    found = {str(listed.of(row) or "") for row in shown.rows} - {""} if listed is not None else set()
    if len(found) != 1:
        return shown
    (currency,) = found
    columns = (replace(one, unit=currency) if one.key in AMOUNTS else one for one in shown.columns if one is not listed)
    return ResultTable(tuple(columns), shown.rows)


def _filled(shown: ResultTable) -> ResultTable:
    """The table without columns that say nothing in any row."""
    cells = list(zip(*shown.texts, strict=True))
    kept = (
        (column for column, texts in zip(shown.columns, cells, strict=True) if any(texts)) if cells else shown.columns
    )
    return ResultTable(tuple(kept), shown.rows)


def folded(summary: str, inside: Iterable[str]) -> str:
    """What opens below a line when that is clicked; on paper it stays closed."""
    return f"<details><summary>{escaped(summary)}</summary>{''.join(inside)}</details>"


def signature(names: Iterable[str]) -> str:
    """Lines to be filled in by hand."""
    return f'<div class="sign">{"".join(f"<span>{escaped(name)}</span>" for name in names)}</div>'


def figure(picture: str, caption: str, kind: str = "") -> str:
    """A picture that is already written as SVG, with what it shows; a kind is "low": half as high at most."""
    return f"<figure{_class(kind)}>{picture}<figcaption>{escaped(caption)}</figcaption></figure>"


def pair(figures: Iterable[str]) -> str:
    """Figures next to each other, each as wide as the others."""
    return f'<div class="pair">{"".join(figures)}</div>'


def _class(kind: str) -> str:
    return f' class="{kind}"' if kind else ""
