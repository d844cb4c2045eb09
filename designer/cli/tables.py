"""Plain text tables for people at a terminal."""

from collections.abc import Iterable, Sequence

GAP = "  "


def table(
    rows: Iterable[Sequence[str]], *, headings: Sequence[str] = (), right: Sequence[int] = (), indent: str = ""
) -> str:
    """Aligned columns under headings; the columns numbered in `right` end flush, the others start so."""
    lines = [list(headings)] if headings else []
    lines += [list(row) for row in rows]
    widths = [max(len(cell) for cell in column) for column in zip(*lines, strict=True)]
    return "\n".join(
        indent
        + GAP.join(
            cell.rjust(width) if number in right else cell.ljust(width)
            for number, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )


def facts(rows: Iterable[tuple[str, str]]) -> str:
    """ "name   value" lines, values aligned; a value of several lines hangs below its first."""
    rows = list(rows)
    width = max((len(name) for name, _ in rows), default=0)
    hanging = "\n" + " " * (width + len(GAP))
    hung = [(name, value.removesuffix("\n").replace("\n", hanging)) for name, value in rows]
    return "\n".join(f"{name.ljust(width)}{GAP}{value}".rstrip() for name, value in hung)
