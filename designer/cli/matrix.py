"""`matrix FILE`: links between rows and columns of a design cell by cell, with the load of a traffic."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from designer.analysis.matrix import caption
from designer.cli.files import open_design
from designer.cli.json_text import json_text
from designer.cli.main import say
from designer.cli.options import DESIGN_ARGUMENT, option_of
from designer.drawing.matrix.cells import LOADED, PLAIN, matrix_cells
from designer.drawing.matrix.ranks import ShadedRanks, rank_cells
from designer.drawing.theme import LIGHT
from designer.exchange.diagram_options import DiagramOptions
from designer.exchange.exporters_diagram import shaded_matrix
from designer.fields.field import fields_of
from designer.tables.columns import as_json
from designer.tables.table import ResultTable
from designer.units import format_counted

SET_BY = ("rows", "columns", "order", "networks", "fail", "heat", "size", "routing")
"""Fields of diagrams that are options here too."""
SENT = "row column bytes share"
SHOWN = 40


@click.command(params=[option_of(fields_of(DiagramOptions)[name]) for name in SET_BY])
@DESIGN_ARGUMENT
@click.option("--top", type=click.IntRange(1), default=SHOWN, show_default=True, help="Cells in the text.", metavar="N")
@click.option(
    "--format",
    "format_",
    type=click.Choice(["text", "json", "csv"]),
    default="text",
    show_default=True,
    help="What to print; json and csv have all cells with links.",
)
def command(file: Path, top: int, format_: str, **values: Any) -> None:
    """Links between leaf switches and spines, groups and groups and the like, cell by cell, the busiest first.

    With --rows rank and a traffic: what each rank sends to each other.
    """
    design = open_design(file)
    options = replace(DiagramOptions(findings=True), **values)
    shown = shaded_matrix(design, options, LIGHT)
    matrix = shown.matrix
    if isinstance(shown, ShadedRanks):
        cells: list[Any] = list(rank_cells(shown.matrix))
        table, about = ResultTable.of(cells, SENT), f"; {shown.label}"
    else:
        cells = list(matrix_cells(shown))
        table = ResultTable.of(cells, LOADED if shown.heat is not None else PLAIN)
        about = f"; {shown.heat.label}" if shown.heat is not None else ""
    if format_ == "json":
        sides = {"rows": matrix.rows, "columns": matrix.columns}
        stated = {name: {"kind": axis.name, "names": list(axis.labels)} for name, axis in sides.items()}
        links = {} if isinstance(shown, ShadedRanks) else {"links": matrix.n_links}
        say(json_text({**stated, **links, "cells": as_json(cells)}))
    elif format_ == "csv":
        say(table.csv().replace("\r\n", "\n").removesuffix("\n"))
    else:
        head = f"{design.name}: {caption(matrix)}{about}"
        more = len(cells) - top
        lines = [head, ResultTable(table.columns, cells[:top]).text()]
        say("\n".join([*lines, f"  and {format_counted(more, 'cell')} more"] if more > 0 else lines))
