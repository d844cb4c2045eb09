"""The sheet as a page of HTML: what is expected, what was measured, what explains the difference, and the commands."""

from collections.abc import Iterator, Sequence

from designer.drawing.parts.chart import Chart, Series
from designer.drawing.parts.ruler import EstimatedRuler
from designer.drawing.theme import themed
from designer.errors import sentence
from designer.exchange import diagram_svg
from designer.exchange.acceptance.commands import MPIRUN, SRUN, command_of
from designer.exchange.acceptance.sheet import AcceptanceSheet, PartRun
from designer.exchange.pack import html
from designer.exchange.pack.pictures import inlined
from designer.simulation.acceptance.evidence import Evidence
from designer.simulation.acceptance.expected import ExpectedPart, ExpectedRow, share_text
from designer.simulation.acceptance.explain import Diagnosis
from designer.simulation.acceptance.parts import PAIR, RAIL, UNIT, WHOLE
from designer.simulation.catalogue import collective, model_title
from designer.tables.columns import exact_percent, percent, pick
from designer.tables.table import ResultTable
from designer.units import format_count, format_counted, format_size

EXPLANATIONS_SHOWN = 5
RUNS_IN_USE = "runs on a machine in use, the median down to the worst"
JUDGED = (
    "Judged are sizes at which bandwidth decides. At smaller ones start-up and latency take much of the time, so that "
    "a shortfall says little about cables: they are stated for comparison."
)
SCRIPTS_HERE = "Run run-mpirun.sh or run-srun.sh of this folder, or single commands in it; logs go to logs/."
SCRIPTS_MADE = (
    "The hand-over package has these commands as scripts, together with the lists of hosts that they read (hosts/) and "
    "a folder for logs; so has this sheet where it is exported as .zip."
)
VARIABLES = (
    "TESTS is the folder with the programs of nccl-tests or rccl-tests. OPTIONS is what your launcher needs in "
    "addition, such as the partition or the network interface, and may be empty."
)
KIND_TITLES = {WHOLE: "Whole fabric", UNIT: "Each unit", RAIL: "Each rail", PAIR: "Each pair of units"}
DIAGNOSED = "probability residual_sigma residual title n_alike"


def acceptance_page(sheet: AcceptanceSheet, diagnosis: Diagnosis | None = None, *, is_alone: bool = False) -> str:
    """The page; with measurements, what came of them stands first. One that is alone has no scripts next to it."""
    title = f"{sheet.design_name}: acceptance"
    body = [
        html.title(title),
        html.paragraph(_what(sheet), "muted"),
        html.paragraph(sentence(sheet.issue), "muted"),
        html.tiles(_tiles(sheet, diagnosis)),
        *(_measured(sheet, diagnosis) if diagnosis is not None else ()),
        html.heading("Expected"),
        html.figure(_picture(sheet, diagnosis), _caption(sheet, diagnosis)),
        html.result_table(ResultTable(ExpectedPart.COLUMNS, _expected(sheet))),
        *(html.paragraph(note, "muted") for note in sheet.notes),
        html.heading("By size"),
        html.paragraph(JUDGED, "muted"),
        *_by_size(sheet),
        html.heading("Commands"),
        html.paragraph(f"{SCRIPTS_MADE if is_alone else SCRIPTS_HERE} {VARIABLES}"),
        html.table(("Part", "mpirun", "srun"), [_commands(sheet, run) for run in sheet.parts], whole=(0,)),
        html.heading("What the expectation rests on"),
        html.facts(_model(sheet)),
        html.signature(("Measured by, date", "Accepted by, date", "Deviations agreed")),
    ]
    return html.page(title, body)


def _what(sheet: AcceptanceSheet) -> str:
    scenario = sheet.scenario
    row = collective(scenario.collective or "")
    name = row.title if row is not None else ""
    sizes = f"{format_size(sheet.sizes[0])} to {format_size(sheet.sizes[-1])}"
    model = model_title(scenario.model)
    algorithm = scenario.algorithm if scenario.is_calibrated else scenario.algorithm_used
    return ", ".join(filter(None, (name, algorithm, f"routing {scenario.routing_text}", model, sizes)))


def _tiles(sheet: AcceptanceSheet, diagnosis: Diagnosis | None) -> Iterator[tuple[str, str, str]]:
    best = sheet.whole.expected.best
    yield f"{best.busbw_gbytes_per_s:.1f} GB/s", f"expected busbw, whole fabric, {format_size(best.size_bytes)}", ""
    yield f"{best.least_gbytes_per_s:.1f} GB/s", f"accepted from, {exact_percent(sheet.tolerance)} below", ""
    yield format_count(len(sheet.whole.part.ranks)), "GPUs", ""
    yield format_count(len(sheet.parts)), "parts to measure", ""
    if diagnosis is not None:
        verdicts = [one.is_accepted(sheet.tolerance) for one in diagnosis.evidence]
        good, bad = verdicts.count(True), verdicts.count(False)
        yield format_count(good), "measurements accepted", "good" if good else ""
        yield format_count(bad), "fall short", "error" if bad else ""


def _measured(sheet: AcceptanceSheet, diagnosis: Diagnosis) -> Iterator[str]:
    yield html.heading("Measured")
    rows = [_verdict(one, sheet.tolerance) for one in diagnosis.evidence]
    headings = ("Part", "Measurement", "Residual", "Worst size", "Sizes judged", "Result")
    yield html.table(headings, rows, right=(2, 3, 4))
    yield html.heading("What would explain it")
    yield html.paragraph(
        "Single faults of the design, each simulated for every part that was measured. Probabilities are among these; "
        f"runs scatter by {percent(diagnosis.noise)}.",
        "muted",
    )
    shown = diagnosis.explanations[:EXPLANATIONS_SHOWN]
    yield html.result_table(ResultTable(pick(shown[0].COLUMNS, DIAGNOSED), shown))
    if shown[0].alike:
        yield html.paragraph(shown[0].alike_sentence)


def _verdict(one: Evidence, tolerance: float) -> tuple[str, ...]:
    accepted = one.is_accepted(tolerance)
    return (
        one.part.title,
        one.title,
        share_text(one.ratio) if one.ratio is not None else "",
        one.worst_text,
        format_count(one.n_judged),
        "too small to judge" if accepted is None else "accepted" if accepted else "falls short",
    )


def _expected(sheet: AcceptanceSheet) -> Sequence[ExpectedPart]:
    return [run.expected for run in sheet.parts]


def _picture(sheet: AcceptanceSheet, diagnosis: Diagnosis | None) -> str:
    chart = chart_of(sheet, diagnosis)
    return inlined(lambda theme: diagram_svg.text_of(chart.document(themed(theme), EstimatedRuler())), "chart")


def chart_of(sheet: AcceptanceSheet, diagnosis: Diagnosis | None = None) -> Chart:
    """Expected busbw of the whole and of one part of each other kind, with what is accepted; measured points on it."""
    first: dict[str, PartRun] = {}
    for run in sheet.parts:
        first.setdefault(run.part.kind, run)
    series = [_series(KIND_TITLES[kind], run.expected.rows) for kind, run in first.items()]
    series += _runs_in_use(sheet.whole.expected.rows)
    if diagnosis is not None:
        for kind in first:
            rows = [row for one in diagnosis.evidence if one.part.kind == kind for row in one.rows]
            if rows:
                sizes = tuple(float(row.size_bytes) for row in rows)
                values = tuple(row.measured_gbytes_per_s for row in rows)
                series.append(Series("measured", sizes, values, is_dots=True, of=KIND_TITLES[kind]))
    return Chart(f"Expected busbw of {sheet.design_name}", "busbw, GB/s", tuple(series))


def _series(title: str, rows: Sequence[ExpectedRow]) -> Series:
    return Series(
        title,
        tuple(float(row.size_bytes) for row in rows),
        tuple(row.busbw_gbytes_per_s for row in rows),
        tuple(row.least_gbytes_per_s for row in rows),
    )


def _runs_in_use(rows: Sequence[ExpectedRow]) -> list[Series]:
    """The band of runs of the whole on a machine in use, from the median to the worst; empty where nobody knows."""
    known = [row for row in rows if row.median_gbytes_per_s is not None and row.worst_gbytes_per_s is not None]
    if not known:
        return []
    sizes = tuple(float(row.size_bytes) for row in known)
    medians = tuple(row.median_gbytes_per_s or 0.0 for row in known)
    worst = tuple(row.worst_gbytes_per_s or 0.0 for row in known)
    return [Series(RUNS_IN_USE, sizes, medians, worst, is_dashed=True)]


def _caption(sheet: AcceptanceSheet, diagnosis: Diagnosis | None) -> str:
    dots = "; dots are measured" if diagnosis is not None else ""
    runs = f"; dashed are {RUNS_IN_USE}" if _runs_in_use(sheet.whole.expected.rows) else ""
    return f"Expected busbw by size; bands are what is accepted, {exact_percent(sheet.tolerance)} below{runs}{dots}"


def _by_size(sheet: AcceptanceSheet) -> Iterator[str]:
    """One table for parts that expect the same at every size."""
    alike: dict[tuple[float, ...], list[PartRun]] = {}
    for run in sheet.parts:
        alike.setdefault(tuple(round(row.busbw_gbytes_per_s, 2) for row in run.expected.rows), []).append(run)
    for runs in alike.values():
        titles = ", ".join(run.part.title for run in runs[:6])
        more = f" and {format_count(len(runs) - 6)} more" if len(runs) > 6 else ""
        yield html.subheading(titles + more)
        rows = runs[0].expected.rows
        spread = "median_gbytes_per_s worst_gbytes_per_s" if _runs_in_use(rows) else ""
        columns = pick(
            ExpectedRow.COLUMNS, f"size_bytes time_us busbw_gbytes_per_s least_gbytes_per_s {spread} is_judged"
        )
        yield html.result_table(ResultTable(columns, rows))


def _commands(sheet: AcceptanceSheet, run: PartRun) -> tuple[str, str, str]:
    return run.part.title, command_of(sheet, run, MPIRUN) or "by hand", command_of(sheet, run, SRUN) or "by hand"


def _model(sheet: AcceptanceSheet) -> Iterator[tuple[str, str]]:
    model = sheet.model
    yield "Model", model.kind
    yield "Size means", model.size_bytes_means
    yield "Routing", f"{model.routing}: {model.routing_means}"
    yield "Payload", ", ".join(f"{kind} {exact_percent(share)}" for kind, share in model.efficiency.items())
    yield "Not modeled", "; ".join(model.not_modelled)
    if model.measured_constants:
        yield "Constants", "; ".join(model.measured_constants)
    assumed = (*(model.assumed_latencies or ()), *model.unknown_to_the_library)
    if assumed:
        yield "Assumed", "; ".join(assumed)
    yield "Scope", format_counted(len(sheet.parts), "part")
