"""A search: every candidate is built and judged, the same wherever and however often it is done, and says why."""

import json
import math
import multiprocessing
import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from designer.analysis.billing.terms import CostTerms
from designer.catalog.catalog import load
from designer.cli.explore_report import as_text
from designer.cli.json_text import json_text
from designer.cli.main import DONE, FOUND_ERRORS, UNUSABLE, run
from designer.errors import DesignerError, FileFormatError, ParameterError
from designer.exchange.bills.costs import costing_for
from designer.exchange.bills.options import BillOptions
from designer.exploring import search as searching
from designer.exploring.bounds import bounds
from designer.exploring.candidates import all_candidates, counted, design_name
from designer.exploring.evaluation import _run, design_of
from designer.exploring.figures import CABLES, GPUS, LOSS, TIME, Evaluated, evaluated_from
from designer.exploring.judging import over_figures
from designer.exploring.optics import allowed_types
from designer.exploring.pareto import beaten_by, dominators
from designer.exploring.request import OPTICS, Exploration, Limits, Workload
from designer.exploring.results import CANNOT_WIN, DOMINATED, FRONT, OVER_LIMIT, UNBUILDABLE, WRONG_SIZE, Outcome
from designer.exploring.search import explore
from designer.exploring.spec_text import Basis, read_search, search_in
from designer.fields.field import fields_of
from designer.graph.building.build import build
from designer.model import operations
from designer.model.design import Design
from designer.model.entities import End
from designer.model.hardware.media import MediumType
from designer.model.networks import COMPUTE
from designer.simulation.designs import simulate_design
from designer.simulation.failures.sweep import single
from designer.simulation.failures.worst import _Sorts, _unlike, slowdown_text, worst_failures
from designer.simulation.inference.service import serve
from designer.storage import document
from designer.tables.columns import as_json
from designer.units import format_time
from designer.validation.engine import validate
from designer.workers.store import Store
from designer.workers.where import HERE, Where

ROOT = Path(__file__).resolve().parents[2]
PRICES = """part number,price,currency,date,notes
DGX H100,300000,USD,2026-01-01,made-up example
nvidia-qm9700,30000,USD,2026-01-01,made-up example
"""
SPEC = """
name: twenty
gpus: 128
growth: 256
tolerance: 0
workloads:
  - {name: gradients, collective: all-reduce, size: 1GiB, weight: 3}
  - {name: experts, collective: all-to-all, size: 16MiB}
families:
  - family: rail-optimized
    server: dgx-h100
    switch: nvidia-qm9700
    servers_per_su: [4, 8, 16]
    oversubscription: [1, 2]
    spines: [1, 2, 4]
  - family: fat-tree
    server: dgx-h100
    switch: nvidia-qm9700
    servers: [16, 17]
    oversubscription: [1, 2]
    optics: [simplest, transceivers]
limits: {racks: 8, worst_failure: 90%}
"""


EXPERTS = "collective: all-to-all, size: 16MiB"
SERVED = "inference: llama3-70b, gpu_tflops: 980, memory_gbytes_per_s: 3350"


def parsed(text: str = SPEC, folder: Path = ROOT) -> Exploration:
    return search_in(text, "twenty.yaml", folder)


def said(found) -> str:
    return json_text(as_json(found))


@pytest.fixture(scope="module")
def search() -> Exploration:
    return parsed()


@pytest.fixture(scope="module")
def found(search):
    return explore(search, HERE)


@pytest.fixture(scope="module")
def by_time():
    return explore(parsed(f"{SPEC}compare: [time, cables]\n"), HERE)


def by_number(found):
    return {one.candidate.number: one for one in found.outcomes}


def test_every_combination_is_a_candidate_and_none_is_left_without_a_word(search, found):
    candidates = all_candidates(search, load())
    assert len(candidates) == 18 + 8 and [one.number for one in candidates] == list(range(1, 27))
    assert [one.candidate for one in found.outcomes] == list(candidates)
    assert all(one.why for one in found.outcomes if one.status != FRONT)
    assert {WRONG_SIZE, UNBUILDABLE, FRONT} <= set(found.counts)
    wrong = next(one for one in found.outcomes if one.status == WRONG_SIZE)
    assert wrong.why == "it has 136 GPUs, wanted are 128" and "Servers 17" in wrong.candidate.title
    assert "DGX" not in wrong.candidate.title and "dgx" not in wrong.candidate.title
    assert "server dgx-h100" in wrong.candidate.full_text and "servers 17" in wrong.candidate.full_text
    assert len({one.title for one in candidates}) == len(candidates)


def test_the_figures_are_those_that_the_engine_gives_the_design(search, found):
    catalog = load()
    best = found.front[0]
    design = design_of(counted(best.candidate, catalog), search, catalog)
    figures = best.figures
    assert [run.time_s for run in figures.runs] == [simulate_design(design, one.run).time_s for one in search.workloads]
    assert figures.time_s == pytest.approx((3 * figures.runs[0].time_s + figures.runs[1].time_s) / 4)
    assert figures.errors == validate(design).errors == 0
    assert (figures.switches, figures.links, figures.racks) == (
        len(design.switches()),
        len(design.links),
        len(design.racks),
    )
    assert figures.row_m > 0 and figures.moved is not None


@pytest.mark.parametrize(("result", "statuses"), [("found", {FRONT}), ("by_time", {FRONT, DOMINATED})])
def test_the_front_is_not_beaten_and_all_others_are(request, result, statuses):
    found = request.getfixturevalue(result)
    assert statuses <= set(found.counts)
    best = [one.figures for one in found.front]
    for one in found.outcomes:
        if one.status in (FRONT, DOMINATED):
            values = [objective.of(one.figures) for objective in found.objectives]
            better = [
                other
                for other in best
                if all(objective.of(other) <= value for objective, value in zip(found.objectives, values, strict=True))
                and any(objective.of(other) < value for objective, value in zip(found.objectives, values, strict=True))
            ]
            assert bool(better) == (one.status == DOMINATED)


def test_what_the_worst_failure_cuts_off_and_how_long_others_take_are_figures_of_their_own(found):
    built = [one.figures for one in found.outcomes if one.figures is not None and one.figures.loss is not None]
    assert any(one.cut_off for one in built) or any(one.slowdown > 1 for one in built)
    for one in built:
        stated = f"{one.cut_off} GPUs of {one.gpus} cut off, the others: " if one.cut_off else ""
        assert one.worst.endswith(f": {stated}{slowdown_text(one.slowdown)}")
        assert one.loss == pytest.approx(1 - (one.gpus - one.cut_off) / one.gpus * min(1, 1 / one.slowdown), abs=1e-9)


def test_candidates_are_compared_by_what_is_asked_for_alone(found, by_time):
    assert [one.name for one in by_time.objectives] == ["time", "cables"]
    assert len(by_time.front) < len(found.front)
    assert {one.candidate.number for one in by_time.front} <= {one.candidate.number for one in found.front}


def test_each_workload_has_its_time_in_the_sheet(search, found):
    (column,) = (one for one in Outcome.COLUMNS if one.key == "times")
    first, second = found.front[0].figures.runs
    assert column.of(found.front[0]) == (f"gradients {format_time(first.time_s)}, experts {format_time(second.time_s)}")


def test_a_limit_that_cannot_be_checked_is_named_at_each_candidate():
    asked = replace(parsed(), limits=Limits(cost=1e6))
    for one in explore(replace(asked, choices=asked.choices[1:]), HERE).front:
        assert one.why == "limit not checked: budget"


def test_no_bound_exceeds_what_is_found(search, found):
    catalog = load()
    for one in found.outcomes:
        if one.figures is not None:
            bound = bounds(counted(one.candidate, catalog), search, catalog)
            assert 0 < bound.time_s <= one.figures.time_s
            assert 0 < bound.power_w <= one.figures.money.power_w
            assert 0 < bound.cables <= one.figures.cables
            assert bound.racks == one.figures.racks


def test_what_cannot_win_is_not_built_and_leaves_no_gap(search, monkeypatch):
    """With a tolerance candidates are left out that can be better by no more than it; the others stay as they were."""
    monkeypatch.setattr(searching, "ROUND", 1)
    choices = (replace(search.choices[1], optics=("transceivers",)),)
    asked = replace(search, growth=None, choices=choices, workloads=search.workloads[:1])
    whole, loose = explore(asked, HERE), explore(replace(asked, tolerance=0.5), HERE)
    left_out = [one for one in loose.outcomes if one.status == CANNOT_WIN]
    assert left_out and loose.n_built == whole.n_built - len(left_out)
    for one in left_out:
        best = by_number(loose)[int(one.why.rpartition("#")[2])]
        mine = by_number(whole)[one.candidate.number].figures
        for objective in whole.objectives:
            margin = 0.5 * (objective.whole or objective.of(mine))
            assert objective.of(best.figures) <= objective.of(mine) + margin


def test_limits_are_stated_with_figure_and_limit(search):
    catalog = load()
    one = next(one for one in all_candidates(search, catalog) if one.family == "fat-tree")
    racks = bounds(counted(one, catalog), search, catalog).racks
    for limits, why in (
        (Limits(racks=racks - 1), f"racks {racks}, limit {racks - 1}"),
        (Limits(power_kw=1), "power at"),
    ):
        outcome = by_number(explore(replace(search, limits=limits), HERE))[one.number]
        assert outcome.status == OVER_LIMIT and outcome.why.startswith(why) and outcome.figures is None


def test_without_a_price_list_a_budget_is_not_checked_and_that_is_stated(search, found):
    assert "cost" not in [one.name for one in found.objectives]
    asked = replace(search, limits=Limits(cost=1.0), choices=search.choices[1:])
    unchecked = explore(asked, HERE)
    assert unchecked.front and any("budget could not be checked" in note for note in unchecked.all_notes)


def test_parts_without_a_price_are_counted_and_never_free(search, tmp_path):
    (tmp_path / "prices.csv").write_text(PRICES, encoding="utf-8")
    text = SPEC.replace("limits: {racks: 8", "prices: prices.csv\nlimits: {cost: 5M, racks: 8")
    priced = parsed(text, tmp_path)
    priced = replace(priced, choices=priced.choices[1:])
    result = explore(priced, HERE)
    figures = next(one.figures.money for one in result.outcomes if one.figures is not None)
    assert figures.cost is None and figures.known_cost >= 16 * 300_000 and figures.unpriced
    assert any("Cost is not compared" in note and " x " in note for note in result.notes)
    catalog = load()
    bound = bounds(counted(all_candidates(priced, catalog)[0], catalog), priced, catalog)
    assert 16 * 300_000 < bound.cost <= figures.known_cost
    over = explore(replace(priced, limits=Limits(cost=1e6)), HERE)
    assert {one.status for one in over.outcomes} <= {OVER_LIMIT, WRONG_SIZE, UNBUILDABLE} and over.n_built == 0
    assert any("cost at least 4,9" in one.why and "limit 1,000,000 USD" in one.why for one in over.outcomes)


TERMS = """currency: EUR
prices: [prices.csv]
terms: {rates: USD=0.5, energy_price: 0.2 EUR, pue: 1.5, years: 4, load: 50%, spares: "switch:0%:1"}
"""


def test_capital_and_operation_are_those_of_the_cost_of_the_design(search, tmp_path):
    """Every candidate is priced by the costing of `cost`: rates, spares, energy and cooling over the years."""
    catalog = load()
    plain = replace(search, choices=(replace(search.choices[1], optics=("simplest",)),))
    design = design_of(counted(all_candidates(plain, catalog)[0], catalog), plain, catalog)
    names = {line.item.names[0] for line in costing_for(design).priced.lines}
    rows = "".join(f"{name},1000,USD,2026-01-01\n" for name in sorted(names))
    (tmp_path / "prices.csv").write_text("part number,price,currency,date\n" + rows, encoding="utf-8")
    priced = parsed(SPEC.replace("growth: 256\n", TERMS), tmp_path)
    assert priced.has_operation and priced.currency == "EUR"
    assert priced.basis == (
        "costs by prices.csv in EUR, 1 USD = 0.5 EUR, power and cooling over 4 years at 0.2 EUR per kWh, PUE 1.5"
    )
    one = replace(priced, choices=plain.choices)
    outcome = by_number(explore(one, HERE))[1]
    money = outcome.figures.money
    options = BillOptions(
        **{name: getattr(priced.terms, name) for name in fields_of(CostTerms)},
        prices=str(tmp_path / "prices.csv"),
        spares=priced.spares,
    )
    costing = costing_for(design, options)
    assert money.known_cost == round(float(dict(costing.capital.sums)["EUR"]), 2) > 16 * 500
    assert [line.spares for line in costing.priced.lines if line.item.kind == "switch"] == [1]
    assert money.power_cost == round(float(dict(costing.power.sums)["EUR"]), 2)
    assert money.cooling_cost == pytest.approx(money.power_cost / 2, abs=0.02)
    assert money.facility_w == costing.facility_w == 0.75 * money.power_w
    assert not money.unpriced and money.cost == money.known_cost
    assert money.total_cost == pytest.approx(money.cost + money.power_cost + money.cooling_cost)
    bound = bounds(counted(outcome.candidate, catalog), one, catalog)
    assert 0 < bound.total_cost - bound.cost <= money.power_cost + money.cooling_cost
    over = explore(replace(one, limits=Limits(facility_kw=1, total_cost=1e9)), HERE)
    assert over.n_built == 0 and any("power of the building at least" in row.why for row in over.outcomes)
    over = explore(replace(one, limits=Limits(total_cost=bound.total_cost / 2)), HERE)
    assert any("cost with operation at least" in row.why and " EUR, limit " in row.why for row in over.outcomes)


def test_prices_and_terms_that_a_search_does_not_state_are_those_given_along(tmp_path):
    (tmp_path / "prices.csv").write_text(PRICES.replace("USD", "CHF"), encoding="utf-8")
    own = parsed(SPEC.replace("growth: 256", "prices: prices.csv"), tmp_path)
    assert own.currency == "CHF"
    basis = Basis(own.prices, CostTerms(pue=1.2))
    given = search_in(SPEC, "twenty.yaml", tmp_path, basis)
    assert given.prices == own.prices and given.terms.pue == 1.2 and given.currency == "CHF"
    assert search_in(SPEC + "terms: {pue: 1.4}\n", "twenty.yaml", tmp_path, basis).terms.pue == 1.4
    assert parsed().basis == "no price list: costs are not compared"


def test_results_of_another_version_are_done_again_and_that_is_said(tmp_path):
    path = tmp_path / "old.sqlite"
    with Store(path) as store:
        assert not store.outdated
        store.keep("a", {})
        store.note(version="0.0.1")
    with Store(path) as store:
        assert store.outdated.startswith("old.sqlite has 1 result of version 0.0.1, and this is version ")
    with Store(path) as store:
        assert not store.outdated and store.found(["a"]) == {"a": {}}


def test_inference_is_a_workload_and_counts_by_the_measure_asked_for(search):
    """Its times are those of `infer` on the design; what cannot be served falls out with the reason."""
    found = []
    for measure in ("first-token", "token", "request", "answer"):
        text = SPEC.replace(EXPERTS, f"{SERVED}, measure: {measure}")
        found.append(parsed(text).workloads[1])
    catalog = load()
    design = design_of(counted(all_candidates(search, catalog)[1], catalog), search, catalog)
    graph = build(design)
    service = serve(graph, found[0].run)
    times = [_run(design, graph, one).time_s for one in found]
    assert times == [service.ttft_s, service.tpot_s, 1 / service.most_per_s, service.answer_s]
    assert search_in(SPEC.replace(f"name: experts, {EXPERTS}", SERVED), "s", ROOT).workloads[1].name == (
        "inference of llama3-70b"
    )
    assert _run(design, graph, found[0]).bottleneck == service.limit
    with pytest.raises(ParameterError, match=r"experts: .* requests/s are more than is sustained"):
        _run(design, graph, Workload("experts", 1, replace(found[0].run, rate=1e9)))
    with pytest.raises(ParameterError, match=r"decode needs .* on a GPU for weights and cache, a GPU has 80"):
        _run(design, graph, Workload("experts", 1, replace(found[0].run, decode_batch=4000)))
    deployed = SERVED.replace("inference: llama3-70b", "setup: sglang-96-h100, decode_batch: 9")
    published = parsed(SPEC.replace(EXPERTS, deployed)).workloads[1].run
    assert (published.model.name, published.decode_expert, published.decode_batch) == ("deepseek-v3", 72, 9)


@pytest.mark.parametrize(("spines", "first"), [("4", "cable"), ("2", "switch")])
def test_no_failure_of_a_switch_cable_optic_or_nic_is_worse(search, spines, first):
    """With two links to each of four spines one of them costs more than a spine; all are tried to compare."""
    catalog, run = load(), search.workloads[1].run
    stated = {"server": "dgx-h100", "switch": "nvidia-qm9700", "servers": "8", "servers_per_leaf": "1"}
    values = tuple((name, (text,)) for name, text in (*stated.items(), ("spines", spines)))
    asked = replace(search, choices=(replace(search.choices[1], values=values, optics=("simplest",)),))
    design = design_of(counted(all_candidates(asked, catalog)[0], catalog), asked, catalog)
    fabric, server = worst_failures(design, build(design), search.workloads[1:])
    losses = {True: {}, False: {}}
    for kind in ("switch", "link", "optic", "nic"):
        swept = single(design, run, kind, where=HERE)
        for outcome in swept.outcomes:
            ids = outcome.failed.ids
            links = [link for link in design.links.values() if link.id in ids]
            at_server = kind == "nic" or any(design.is_server(e.device_id) for link in links for e in (link.a, link.b))
            ranks, time_s = swept.healthy.ranks, outcome.time_s or math.inf
            left = (ranks - outcome.lost_ranks) / ranks * min(1.0, swept.healthy.time_s / time_s)
            losses[at_server][kind] = max(losses[at_server].get(kind, 0.0), 1 - left)
    assert fabric.loss == pytest.approx(max(losses[False].values()), abs=1e-3)
    assert server.loss == pytest.approx(max(losses[True].values()), abs=1e-3)
    assert fabric.text.startswith(first) and fabric.text.endswith("× the time")


def test_the_worst_failure_is_that_of_the_workload_that_loses_most_whatever_its_weight(search):
    """A light workload in any place that loses more than the heaviest decides, and is named."""
    catalog = load()
    heavy, light = search.workloads
    stated = (("server", ("dgx-h100",)), ("switch", ("nvidia-qm9700",)), ("servers_per_su", ("16",)))
    asked = replace(search, choices=(replace(search.choices[0], values=stated),))
    design = design_of(counted(all_candidates(asked, catalog)[0], catalog), asked, catalog)
    graph = build(design)
    alone = {one.name: worst_failures(design, graph, [one])[0] for one in (heavy, light)}
    assert heavy.weight > light.weight and alone["experts"].loss > 2 * alone["gradients"].loss
    for both in ((heavy, light), (light, heavy)):
        fabric, server = worst_failures(design, graph, both)
        assert fabric == alone["experts"] and fabric.workload == "experts" and ", running experts: " in fabric.text
        assert server.workload in alone
    found = explore(replace(asked, growth=None), HERE)
    (one,) = found.outcomes
    assert one.figures.loss == alone["experts"].loss and one.figures.worst_workload == "experts"
    assert "running experts" in one.failure
    assert all("experts" in text.split() for text in as_text(found).splitlines() if " 1:1" in text)
    limited = explore(replace(asked, growth=None, limits=Limits(worst_failure=alone["gradients"].loss + 0.01)), HERE)
    assert limited.outcomes[0].status == OVER_LIMIT and "running experts" in limited.outcomes[0].why


@pytest.mark.parametrize(
    ("limits", "why"),
    [
        (Limits(worst_failure=0.5), "x: loses 50.005 %, limit 50 %"),
        (Limits(row_m=30), "longest row 30.0004 m, limit 30 m"),
        (Limits(power_kw=400), "power 400.02 kW, limit 400.0 kW"),
        (Limits(cost=1000), "cost 1,000.4 USD, limit 1,000 USD"),
    ],
)
def test_a_figure_over_its_limit_never_looks_like_the_limit(search, found, limits, why):
    figures = replace(found.front[0].figures, loss=0.500046, worst="x", row_m=30.0004)
    money = replace(figures.money, power_w=400_020.0, known_power_w=400_020.0, cost=1000.4, known_cost=1000.4)
    assert over_figures(replace(figures, money=money), replace(search, limits=limits)) == why


def test_a_cable_of_three_between_two_switches_and_a_single_one_are_both_tried():
    """Two leaf switches, each with three links to a spine switch of its own and one to the other."""
    catalog, design = load(), Design()
    switch = catalog.get("generic-switch-64x400g")
    for name in ("leaf-1", "leaf-2", "spine-1", "spine-2"):
        design.apply(
            operations.add_device(
                design, switch, 0, 0, catalog_types=catalog.types, name=name, role=name.partition("-")[0]
            )
        )
    ids = {device.name: device.id for device in design.devices.values()}
    cables = (("leaf-1", "spine-1", 3), ("leaf-1", "spine-2", 1), ("leaf-2", "spine-1", 1), ("leaf-2", "spine-2", 3))
    for leaf, spine, count in cables:
        for _ in range(count):
            ends = (End(ids[one], design.free_ports(ids[one])[0].name) for one in (leaf, spine))
            design.apply(operations.connect(design, *ends))
    tried = [one.name for kind, one, _links in _unlike(design, _Sorts(design), COMPUTE) if kind == "link"]
    assert tried == ["leaf-1 1 - spine-1 1", "leaf-1 4 - spine-2 1"]


def test_a_search_without_collectives_fails_parts_under_its_model(search):
    catalog = load()
    training = parsed(SPEC.replace("collective: all-reduce, size: 1GiB", "training: llama2-70b, gpu_tflops: 980"))
    training = replace(training, workloads=training.workloads[:1])
    design = design_of(counted(all_candidates(search, catalog)[1], catalog), search, catalog)
    for worst in worst_failures(design, build(design), training.workloads):
        assert 0 < worst.loss < 1 and worst.text.endswith("x the tokens per second")


@pytest.mark.parametrize("policy", [word.name for word in OPTICS])
def test_every_optics_policy_keeps_to_its_kinds(policy):
    catalog = load()
    kinds = {one.kind for one in allowed_types(catalog, policy).values() if isinstance(one, MediumType)}
    assert {"transceiver"} <= kinds
    assert ("DAC" in kinds) == (policy in ("simplest", "passive-copper", "no-aoc"))
    assert ("ACC" in kinds) == (policy in ("simplest", "no-aoc"))
    assert ("AOC" in kinds) == (policy in ("simplest", "no-copper"))


def test_growth_counts_links_that_move(search):
    grown = explore(replace(search, limits=Limits(moved_links=0), choices=search.choices[:1]), HERE)
    assert all(one.figures.moved == 0 for one in grown.front)
    assert any("links moved by growth" in one.why or "cannot grow" in one.why for one in grown.outcomes)


def test_a_search_killed_half_way_goes_on_and_ends_the_same(search, found, tmp_path):
    """The command is killed as a power cut would; what it had done is not done again."""
    spec, results = tmp_path / "twenty.yaml", tmp_path / "results.sqlite"
    spec.write_text(SPEC, encoding="utf-8")
    command = [sys.executable, "-m", "designer", "explore", str(spec), "-o", str(results), "--workers", "1"]
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    for line in process.stderr:
        if b" done" in line:
            break
    process.send_signal(signal.SIGKILL)
    process.communicate()
    with Store(results) as store:
        half = len(store._file.execute("SELECT key FROM results").fetchall())
        assert 0 < half < found.n_built
        resumed = explore(search, HERE, store)
        assert resumed.n_built == found.n_built - half
        again = explore(replace(search, limits=Limits(racks=8, worst_failure=0.05)), HERE, store)
    assert said(resumed) == said(found) and again.n_built == 0


def test_what_a_stranger_wrote_into_a_file_of_results_is_not_taken(search, found, tmp_path):
    assert evaluated_from({"figures": {"gpus": "many"}}) is None and evaluated_from([1]) is None
    figures = found.front[0].figures
    assert evaluated_from(json.loads(json.dumps(Evaluated(figures).kept()))) == Evaluated(figures)


def test_a_search_is_ended_by_what_hears_of_it(search):
    class Enough(Exception):
        pass

    def heard(progress, _new):
        if progress.done >= 2:
            raise Enough

    with pytest.raises(Enough):
        explore(search, HERE, heard=heard)


def test_two_workers_of_a_cluster_find_the_same(search, found):
    """A Dask cluster that the test starts, as somebody else would have one."""
    distributed = pytest.importorskip("distributed")
    cluster = distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address="127.0.0.1:0",
        scheduler_kwargs={"dashboard": False}, silence_logs=60,
    )  # fmt: skip
    with cluster:
        spread = explore(search, Where(cluster.scheduler_address))
    assert said(spread) == said(found) and spread.n_built == found.n_built
    assert not [child for child in multiprocessing.active_children() if child.is_alive() and "Worker" in child.name]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("gpus: 128\n", "lacks workloads"),
        (SPEC.replace("gpus: 128", "gpus: many"), "line 3, gpus: 'many' is not a whole number"),
        (SPEC.replace("gpus: 128", "gpus: 300-200"), "range such as 1024-2048"),
        (SPEC.replace("growth: 256", "growth: 64"), "growth should be to more GPUs"),
        (SPEC.replace("tolerance: 0", "tolerance: 2"), "line 5, tolerance: tolerance should be 0 to 0.5"),
        (SPEC.replace("oversubscription: [1, 2]\n    spines", "oversubscription: [0]\n    spines"), "oversubscription"),
        (SPEC.replace("spines:", "spine:"), "there is no 'spine'; there is family, optics,"),
        (SPEC.replace("family: fat-tree", "family: thin-tree"), "there is no family 'thin-tree'"),
        (SPEC.replace("collective: all-reduce", "collective: all-red"), "there is no collective 'all-red'"),
        (SPEC.replace("weight: 3", "weight: 0"), "a weight should be above 0"),
        (SPEC.replace("collective: all-to-all", "traffic: pairs:/etc/passwd"), "only read where the command line"),
        (SPEC.replace("racks: 8", "rackz: 8"), "limits.rackz: there is no 'rackz'"),
        (SPEC.replace("simplest", "magic"), "there is no 'magic'; there is simplest"),
        (SPEC + "prices: ../x.csv\n", "give the name of the file alone"),
        (SPEC + "terms: {pue: 0.5}\n", "terms.pue: PUE should be 1 to 10"),
        (SPEC + "terms: {peu: 1.5}\n", "terms.peu: there is no 'peu'; there is currency, rates,"),
        (SPEC + "terms: 5\n", "write terms with their names"),
        (SPEC + "terms: {rates: EUR=2}\n", "exchange rates lead to the currency of the total"),
        (SPEC + "currency: euros\n", "currency: 'euros' is not a currency"),
        (SPEC.replace("racks: 8", "total_cost: 1M"), "needs terms with energy_price and pue"),
        (SPEC.replace("racks: 8", "facility_kw: 9"), "needs terms with its pue"),
        (SPEC + "prices: none.csv\n", "price list none.csv cannot be read"),
        (SPEC.replace("gpus: 128", "gpus: 128\nseed: 1"), "there is no 'seed'"),
        ("- 1\n", "holds no search"),
        (SPEC.replace(EXPERTS, "training: gpt5"), "there is no model 'gpt5'"),
        (SPEC.replace(EXPERTS, "inference: gpt5"), "there is no model 'gpt5'"),
        (SPEC.replace(EXPERTS, "setup: best"), "there is no setup 'best'"),
        (SPEC.replace(EXPERTS, SERVED.replace("980", "")), "gpu_tflops: enter a value"),
        (SPEC.replace(EXPERTS, SERVED + ", measure: x"), "there is no 'x'; there is answer"),
        (SPEC.replace(EXPERTS, SERVED + ", size: 1"), "there is no 'size'; there is name,"),
    ],
)  # fmt: skip
def test_a_mistake_in_a_search_is_one_sentence_with_its_place(text, sentence):
    with pytest.raises(FileFormatError) as fault:
        parsed(text)
    assert sentence in str(fault.value) and str(fault.value).startswith("twenty.yaml") and "\n" not in str(fault.value)


def test_values_that_multiply_to_too_many_candidates_are_refused(search):
    many = tuple(("planes", tuple(map(str, range(1, 201)))) for _ in range(1))
    huge = replace(search.choices[0], values=(*many, ("spines", tuple(map(str, range(1, 201))))))
    with pytest.raises(ParameterError, match="40,000 candidates"):
        all_candidates(replace(search, choices=(huge,)), load())


@given(hnp.arrays(np.float64, st.tuples(st.integers(1, 12), st.integers(1, 4)), elements=st.integers(0, 4)))
def test_dominators_are_those_of_the_definition(values):
    for row, better in zip(values, dominators(values), strict=True):
        is_beaten = any((other <= row).all() and (other < row).any() for other in values)
        assert (better is not None) == is_beaten
        assert better is None or ((values[better] <= row).all() and (values[better] < row).any())
    assert beaten_by(values, values.min(axis=0), np.zeros(values.shape[1])) is None


@given(hnp.arrays(np.float64, st.tuples(st.integers(1, 12), st.integers(1, 4)), elements=st.integers(0, 6)))
def test_small_differences_neither_beat_nor_save_and_lead_in_no_circle(values):
    found = dominators(values, 1.0)
    assert None in found
    for row, better in zip(values, found, strict=True):
        if better is None:
            front = [values[other] for other, why in enumerate(found) if why is None]
            beats = [(o <= row + 1).all() and (o < row - 1).any() and o.sum() < row.sum() for o in front]
            assert not any(beats)
        else:
            assert found[better] is None
            assert (values[better] <= row + 1).all() and (values[better] < row - 1).any()


def test_a_figure_is_scaled_by_shares_of_itself_and_a_failure_by_points():
    assert TIME.scaled(0.00404, 0.01) - TIME.scaled(0.004, 0.01) == pytest.approx(1)
    assert GPUS.scaled(-256, 0.01) < GPUS.scaled(-128, 0.01) and GPUS.scaled(-1.01, 0.01) == pytest.approx(-1)
    assert LOSS.scaled(0.49, 0.01) - LOSS.scaled(0.48, 0.01) == pytest.approx(1)
    assert LOSS.scaled(0.0, 0.01) == 0 and CABLES.scaled(0, 0.01) < CABLES.scaled(1, 0.01)
    assert TIME.scaled(0.3, 0) == 0.3


def test_a_candidate_that_is_better_by_less_than_the_tolerance_alone_is_not_best(by_time):
    """The default tolerance beats what an exact comparison keeps; the reason says in what, and by how much not."""
    assert parsed(SPEC.replace("tolerance: 0\n", "")).tolerance == 0.01
    exact, loose = by_time, explore(parsed(f"{SPEC}compare: [time, cables]\n".replace("ce: 0\n", "ce: 0.01\n")), HERE)
    one = next(one for one in exact.outcomes if one.status == DOMINATED)
    assert one.why.startswith("#") and one.why.endswith(", and worse in nothing")
    fallen = {one.candidate.number: one for one in loose.outcomes if one.status == DOMINATED}
    more = [fallen[one.candidate.number] for one in exact.front if one.candidate.number in fallen]
    assert more and loose.front
    for one in more:
        assert one.why.endswith(", and in nothing worse by more than 1 %")
        better = by_number(loose)[int(one.why[1:].partition(" ")[0])]
        assert better.status == FRONT
        for objective in loose.objectives:
            assert objective.of(better.figures) <= objective.of(one.figures) * 1.0101
        (noun,) = [what.noun for what in loose.objectives if what.of(better.figures) < what.of(one.figures) / 1.01]
        assert f" is better in {noun}, and " in one.why
    assert loose.rule == "no other is better in something by more than 1 % and worse by more than 1 % in nothing"
    assert f"best: {loose.rule}" in as_text(loose) and '"tolerance": 0.01' in said(loose)


def test_the_command_prints_all_forms_and_writes_the_design_of_a_candidate(search, found, tmp_path, capsys):
    spec, results, design = tmp_path / "twenty.yaml", tmp_path / "kept.sqlite", tmp_path / "best.fabric"
    spec.write_text(SPEC, encoding="utf-8")
    with Store(results) as store:
        explore(search, HERE, store)
    number = found.front[0].candidate.number
    arguments = ["explore", str(spec), "-o", str(results), "--resume", "--workers", "1"]
    assert run([*arguments, "--design", str(number), str(design)]) == DONE
    out = capsys.readouterr()
    assert out.out.startswith("twenty: 26 candidates: ") and "fell out" in out.out
    assert "0 candidates built" in out.err and len(document.load(design).servers()) == 16
    assert run([*arguments, "--format", "json"]) == DONE
    assert json.loads(capsys.readouterr().out)["front"] == [one.candidate.number for one in found.front]
    assert run([*arguments, "--format", "csv"]) == DONE
    assert len(capsys.readouterr().out.strip().splitlines()) == 27
    assert run(arguments[:4]) == UNUSABLE
    assert "is there already: go on with --resume, or replace it with --force" in capsys.readouterr().err
    spec.write_text(SPEC.replace("racks: 8", "racks: 1"), encoding="utf-8")
    assert run(arguments) == FOUND_ERRORS
    assert run(["explore", str(tmp_path / "none.yaml")]) == UNUSABLE


def test_the_examples_are_searches():
    files = sorted((ROOT / "examples").glob("explore*.yaml"))
    assert files
    for path in files:
        try:
            asked = read_search(path)
        except DesignerError as error:
            pytest.fail(str(error))
        assert len(all_candidates(asked, load())) >= 500


def test_a_design_is_called_by_its_search_its_family_and_what_varies_in_words():
    text = """
name: Cluster 512
gpus: 256
workloads:
  - {name: gradients, collective: all-reduce, size: 1GiB}
families:
  - {family: fat-tree, server: dgx-h100, switch: [nvidia-qm9700, nvidia-sn5600], oversubscription: [1, 2],
     optics: [no-copper]}
  - {family: rail-optimized, servers_per_su: [16, 32], optics: [no-copper]}
"""
    catalog = load()

    def names(text):
        search = search_in(text, "s", ROOT)
        made = [counted(one, catalog) for one in all_candidates(search, catalog)]
        assert design_of(made[0], search, catalog).name == design_name(made[0], search)
        return [design_name(one, search) for one in made]

    assert names(text) == [
        "Cluster 512: Fat-tree, QM9700, 1:1",
        "Cluster 512: Fat-tree, QM9700, 2:1",
        "Cluster 512: Fat-tree, SN5600, 1:1",
        "Cluster 512: Fat-tree, SN5600, 2:1",
        "Cluster 512: Rail-optimized, Servers per SU 16",
        "Cluster 512: Rail-optimized, Servers per SU 32",
    ]
    both = names(text.replace("name: Cluster 512\n", "").replace("[no-copper]", "[simplest, no-copper]"))
    assert both[0] != both[1] and both[1].endswith(", no copper")
    assert len(set(both)) == len(both) == 12
