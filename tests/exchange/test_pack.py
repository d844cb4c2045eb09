"""The pack: what is in it, its index and digests, the same bytes each time, and a summary that is one page of text."""

import hashlib
import html
import io
import json
import math
import re
import zipfile
from dataclasses import replace
from decimal import Decimal
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace

import openpyxl
import pytest

from designer import api
from designer.analysis.billing.spares import parse_spares
from designer.analysis.billing.terms import CostTerms, EnergyPrice
from designer.canvas.formats import formats
from designer.catalog.catalog import load
from designer.drawing.run_heat import heat_of_run
from designer.errors import Cancelled, ExportError, ParameterError
from designer.exchange import diagram_svg
from designer.exchange.bills.costs import bill_for, costing_for
from designer.exchange.bills.options import BillOptions
from designer.exchange.comparison.figure_rows import RunOfDesign
from designer.exchange.exporter import Exporter, plan_gaps_of
from designer.exchange.findings.report_page import report_page
from designer.exchange.options import ExportOptions
from designer.exchange.pack import html as pages
from designer.exchange.pack import pack, pictures, results, runs
from designer.exchange.pack import summary as summary_module
from designer.exchange.pack.contents import CONTENTS
from designer.exchange.pack.options import PackOptions
from designer.exchange.pack.runs import HELPFUL_SHOWN, Asked, Runs, simulated
from designer.exchange.pack.summary import by_purpose
from designer.exchange.revisions import RevisionOptions, design_digest, record
from designer.fields.field import fields_of
from designer.graph.building.build import build
from designer.model import operations, removing
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.model.entities import Revision
from designer.placement.preparation import prepare
from designer.placement.rack_contents import port_side_point
from designer.simulation.advice.advise import Situation, advise
from designer.simulation.engine import simulate
from designer.simulation.failures.survivors import with_failures
from designer.simulation.failures.worst import slowdown_text
from designer.simulation.reported import REPORTED_TRAFFIC, fabric_failures
from designer.simulation.scenario import Scenario
from designer.storage import document
from designer.storage.saving import SaveError
from designer.tables.columns import Column, exact_percent
from designer.tables.table import ResultTable
from designer.units import format_bandwidth, format_change, format_counted, format_time
from designer.validation.engine import RULES, validate
from designer.validation.judging import new_error

EXAMPLE = Path(__file__).parents[2] / "examples" / "fat-tree-16-2to1.fabric"
LIGHT = PackOptions(without=("drawings", "labels", "plan", "bill"))
"""Without what takes long to write."""
HOSTILE = '<script src="http://evil/x.js">alert(1)</script>"\'&'


@pytest.fixture(scope="module")
def small():
    """Two switches and a cable, with a name that is markup."""
    design, catalog = Design(), load()
    for x in (0, 300):
        design.apply(operations.add_device(design, catalog.get("nvidia-qm9700"), x, 0, catalog_types=catalog.types))
    design.apply(operations.connect_devices(design, *design.devices, 1))
    design.apply(operations.rename(design, "d1", HOSTILE))
    design.apply(operations.set_settings(design, name="Two switches", customer=HOSTILE, notes=f"First\n{HOSTILE}"))
    return design


@pytest.fixture(scope="module")
def example():
    return document.load(EXAMPLE)


@pytest.fixture(scope="module")
def made(example):
    return pack.make(example, formats(), replace(LIGHT, revision="A", date="2026-11-22"))


@pytest.fixture(scope="module", autouse=True)
def advice_once():
    """What would help in a run of a design is the same for every pack of it, so it is worked out once."""
    found, work_out = {}, runs._advice

    def kept(design, asked, *of):
        key = design_digest(design), asked, runs.RANKS_TRIED
        if key not in found:
            found[key] = work_out(design, asked, *of)
        return found[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(runs, "_advice", kept)
        yield


def opened(made):
    archive = zipfile.ZipFile(io.BytesIO(made.data))
    return {one.filename: archive.read(one) for one in archive.infolist() if not one.is_dir()}


def test_the_index_lists_every_other_file_with_its_digest(made):
    files = opened(made)
    assert next(iter(files)) == "index.json"
    index = json.loads(files.pop("index.json"))
    assert [one["name"] for one in index["files"]] == list(files)
    for one in index["files"]:
        data = files[one["name"]]
        assert one["sha256"] == hashlib.sha256(data).hexdigest() and one["size_bytes"] == len(data)
    assert index["revision"] == {"number": "A", "date": "2026-11-22", "author": "", "note": ""}
    assert index["findings"]["errors"] == made.report.errors > 0
    assert index["left_out"] == []


def test_the_design_in_the_pack_has_the_revision_and_the_digest_that_the_index_states(made, example):
    files = opened(made)
    inside = document.decode(next(data for name, data in files.items() if name.endswith(".fabric")))
    assert [one.number for one in inside.revisions.values()] == ["A"]
    assert not example.revisions
    after = example.snapshot()
    after.apply(made.edit)
    assert document.encode(after) == document.encode(inside)
    assert json.loads(files["index.json"])["digest"] == design_digest(inside) == inside.revisions["v1"].digest


def test_the_same_design_gives_the_same_bytes(small, qapp):
    options = PackOptions(revision="1")
    first, second = (pack.make(small.snapshot(), formats(), options) for _ in range(2))
    assert first.data == second.data
    times = {one.date_time for one in zipfile.ZipFile(io.BytesIO(first.data)).infolist()}
    assert times == {(1980, 1, 1, 0, 0, 0)}


def test_what_is_left_out_is_not_made(example):
    named = opened(pack.make(example, formats(), LIGHT))
    assert not [name for name in named if name.endswith((".pdf", ".xlsx"))]
    assert {"index.json", "summary.html"} < set(named)


def test_the_pack_has_the_scripts_and_host_lists_that_its_acceptance_sheet_speaks_of(made):
    files, archive = opened(made), zipfile.ZipFile(io.BytesIO(made.data))
    (name,) = (one for one in files if one.endswith("acceptance.html"))
    folder = name.removesuffix("acceptance.html")
    page = html.unescape(files[name].decode())
    for one in ("run-mpirun.sh", "run-srun.sh"):
        assert one in page and files[folder + one].startswith(b"#!/bin/bash")
        assert archive.getinfo(folder + one).external_attr >> 16 & 0o111, "the script cannot be run as unpacked"
    assert archive.getinfo(f"{folder}logs/").is_dir()
    named = set(re.findall(r"hosts/[\w.-]+\.txt", page))
    assert "hosts/whole.txt" in named and {folder + one for one in named} <= set(files)
    assert "OPTIONS is what your launcher needs" in page
    assert {one.about for one in made.files if one.name.endswith(".sh")} == {
        "Measures every part, or those that are named, and keeps a log of each"
    }


def test_files_of_a_folder_for_the_same_purpose_are_one_row_for_people(made):
    hosts = [one for one in made.files if "/hosts/" in one.name]
    (row,) = (one for one in by_purpose(made.files) if "/hosts/" in one.name)
    assert row.name.endswith(f"-acceptance/hosts/ ({len(hosts)} files)") and len(hosts) > 2
    assert row.size_bytes == sum(one.size_bytes for one in hosts)
    assert row.name in opened(made)["summary.html"].decode()


def broken(error):
    def render(_design, _path, _options, _progress):
        raise error

    return [Exporter("svg", "Broken", ".svg", ExportOptions, render)]


def test_a_file_that_cannot_be_made_is_left_out_with_its_reason(example):
    made = pack.make(example, broken(ExportError("the printer is out of ink")), LIGHT)
    assert made.left_out == ("fat-tree-16-2to1-diagram.svg is not in the pack: the printer is out of ink.",)
    files = opened(made)
    assert "out of ink" in files["summary.html"].decode()
    assert json.loads(files["index.json"])["left_out"] == list(made.left_out)


@pytest.mark.parametrize("error", [SaveError("no space"), Cancelled("cancelled"), OSError(28, "no space")])
def test_a_full_disk_and_a_cancelled_pack_leave_no_pack(example, error):
    with pytest.raises((SaveError, Cancelled)):
        pack.make(example, broken(error), LIGHT)


def test_progress_goes_up_to_the_end_and_can_cancel(example):
    shares = []
    pack.make(example, formats(), LIGHT, shares.append)
    assert shares == sorted(shares) and shares[-1] <= 1.0 and len(shares) > 10

    def cancel(share):
        if share > 0.5:
            raise Cancelled("enough")

    with pytest.raises(Cancelled):
        pack.make(example, formats(), LIGHT, cancel)


def test_a_redacted_pack_names_nobody_and_records_nothing(small):
    made = pack.make(small, formats(), replace(LIGHT, redact=True))
    assert not made.edit
    for name, data in opened(made).items():
        assert b"evil" not in data and "two" not in name, name
    with pytest.raises(ParameterError, match="records no revision"):
        pack.make(small, formats(), replace(LIGHT, redact=True, revision="1"))


def test_a_later_issue_has_the_change_order_since_the_one_before(small):
    design = small.snapshot()
    first = pack.make(design, formats(), replace(LIGHT, revision="A"))
    assert not [name for name in opened(first) if "change-order" in name]
    design.apply(first.edit)
    design.apply(operations.connect_devices(design, "d1", "d2", 1))
    second = opened(pack.make(design, formats(), replace(LIGHT, revision="B")))
    assert [name for name in second if "change-order" in name] == ["two-switches-change-order.xlsx"]
    said = " ".join(Page(second["summary.html"].decode()).text)
    assert "Cables since revision A: " in said and "Pull 1 cable" in said


# -- the page -------------------------------------------------------------------------------------------------------


class Page(HTMLParser):
    """Elements and attributes of a page, and its text."""

    def __init__(self, text):
        super().__init__()
        self.open, self.tags, self.attributes, self.text = [], set(), [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        self.attributes += attributes
        if tag not in ("meta", "rect", "path", "circle", "line"):
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.tags.add(tag)
        self.attributes += attributes

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)


def summary(design, **options):
    return opened(pack.make(design, formats(), replace(LIGHT, **options)))["summary.html"].decode()


def test_the_summary_states_findings_figures_pictures_assumptions_and_revisions(made):
    text = opened(made)["summary.html"].decode()
    page = Page(text)
    assert page.open == []
    said = " ".join(page.text)
    for heading in ("Open findings", "Contents", "Figures", "Pictures", "Simulation", "Assumptions", "Revisions"):
        assert heading in said
    assert "all-reduce, ring · spray, 1 GiB, 128 ranks" in said and " instead of Ring: " in said
    assert "Simulation: all-to-all, direct · spray, 1 GiB, 128 ranks" in said
    assert said.index("Simulation: all-reduce") < said.index("Simulation: all-to-all") < said.index("Worst failure")
    assert "Selected simulation" not in said
    assert text.count("<svg ") == 2
    for finding in made.report.findings:
        assert html.escape(finding.message) in text
    assert "revision A" in said


def test_the_summary_names_the_worst_failure_and_the_traffic_that_it_is_of(made, example):
    failures, said = fabric_failures(example), " ".join(Page(opened(made)["summary.html"].decode()).text)
    worst = failures.worst
    assert worst.loss and worst.text in said and exact_percent(worst.loss) in said
    assert failures.severing.cut_off == 32 and "GPUs cut off at most 32, by switch leaf-01" in said
    assert f"Slowdown of the others at most {slowdown_text(failures.slowing.slowdown)}" in said
    assert "all-reduce, ring · spray, 1 GiB, 128 ranks, in the ideal model" in said


def test_the_summary_begins_with_results_and_ends_with_what_only_machines_read(made):
    said = " ".join(Page(opened(made)["summary.html"].decode()).text)
    parts = (
        "Results",
        "Figures",
        "Open findings",
        "Pictures",
        "Simulation: all-reduce",
        "Bill of materials",
        "Revisions",
    )
    places = [
        said.index(f" {one} ") if one[:3] != "Sim" else said.index(one) for one in (*parts, "Not checked", "Contents")
    ]
    assert places == sorted(places) and said.index("SHA-256") > places[-1]
    first = said[: places[1]]
    assert "all-reduce, ring · spray, 1 GiB, 128 ranks" in first and " GB/s " in first
    assert "Worst single failure: switch leaf-01" in first
    assert "->" not in said and "16 with 128 GPUs" in said


def test_pinned_runs_are_compared_with_what_was_added_since(example):
    traffic = REPORTED_TRAFFIC[1]
    before = example.snapshot()
    spine = [one.id for one in before.devices.values() if one.role == "spine"]
    before.apply(removing.delete(before, spine[:1]))
    kept = [RunOfDesign(simulate(build(before), traffic), before)]
    page = opened(pack.make(example, formats(), LIGHT, asked=Asked(traffic), kept=kept))["summary.html"].decode()
    said = " ".join(Page(page).text)
    now = simulate(build(example), traffic)
    assert (
        f" Pinned run 16 servers, {len(before.switches())} switches, {len(before.links)} links, oversubscription "
        in said.partition("Compared with pinned runs")[2]
    )
    assert said.count(f" links, oversubscription 2:1 {now.run_text} ") == 1, "this design"
    share = format_change(now.time_s / kept[0].result.time_s - 1)
    assert f" {format_time(now.time_s)} {format_bandwidth(now.busbw_gbytes_per_s)} {share} " in said
    assert re.search(r" switch \S.*? \d+ \d+ \+1 ", said), "what was added"
    assert "No price list is stated: what the change costs is not known." in said


def test_loads_of_the_first_pinned_run_are_shown_before_those_of_the_design(example):
    traffic = REPORTED_TRAFFIC[1]
    before = example.snapshot()
    before.apply(removing.delete(before, [one.id for one in before.devices.values() if one.role == "spine"][:1]))
    kept = [RunOfDesign(simulate(build(one), traffic), one) for one in (before, example)]

    def captions(options):
        page = opened(pack.make(example, formats(), options, kept=kept))["summary.html"].decode()
        return [html.unescape(one) for one in re.findall(r"<figcaption>(.*?)</figcaption>", page)]

    found = [one for one in captions(LIGHT) if one.startswith(("Pinned run", "This design"))]
    assert [one.partition(":")[0] for one in found] == ["Pinned run 1", "This design"]
    assert all("all-to-all" in one for one in found) and format_time(kept[0].result.time_s) in found[0]
    redacted = captions(replace(LIGHT, redact=True))
    assert redacted and not any(one.startswith("Pinned run") for one in redacted), "names of the pinned design"


def test_pinned_runs_of_other_traffic_are_listed_and_compared_with_nothing(example):
    incast = Scenario(traffic="incast:8", size_bytes=2.0**20)
    asked = (incast, replace(REPORTED_TRAFFIC[0], size_bytes=2.0**20))
    kept = [RunOfDesign(simulate(build(example), one), example) for one in asked]
    found = " ".join(Page(opened(pack.make(example, formats(), LIGHT, kept=kept))["summary.html"].decode()).text)
    listed = found.partition("Pinned runs of other traffic")[2].partition("Figures")[0]
    for number, one in enumerate(kept, start=1):
        assert f" Pinned run {number} 16 servers, " in listed and one.result.run_text in listed
    assert "Compared with pinned runs" not in found and "Both need the same parts" not in found
    before = example.snapshot()
    before.apply(removing.delete(before, [one.id for one in before.devices.values() if one.role == "spine"][:1]))
    usual = RunOfDesign(simulate(build(before), REPORTED_TRAFFIC[0]), before)
    both = " ".join(
        Page(opened(pack.make(example, formats(), LIGHT, kept=[*kept, usual]))["summary.html"].decode()).text
    )
    compared = both.partition("Compared with pinned runs")[2].partition("Change in parts")[0]
    assert "Pinned run 3 " in compared and "Pinned run 1 " not in compared and "incast" not in compared


def test_a_pinned_run_of_the_design_itself_is_compared_with_nothing_and_named(example):
    """Drawn elsewhere it is the same fabric; a run by another routing, or with a spare switch, is compared."""
    elsewhere = example.snapshot()
    elsewhere.apply(operations.move(elsewhere, dict.fromkeys(list(elsewhere.devices)[:1], (0.0, 0.0))))
    before = example.snapshot()
    before.apply(removing.delete(before, [next(iter(before.links))]))
    spare = example.snapshot()
    switch = spare.device_type(spare.switches()[0].id)
    spare.apply(operations.add_device(spare, switch, 0.0, 0.0, catalog_types=spare.types))
    ring = REPORTED_TRAFFIC[0]
    asked = ((ring, elsewhere), (replace(ring, routing="ecmp"), example), (ring, before), (ring, spare))
    kept = [RunOfDesign(simulate(build(design), one), design, number) for number, (one, design) in enumerate(asked, 4)]
    runs = simulated(example)
    assert results.same_runs(example, kept, runs) == (kept[0],)
    pinned = results.KeptRuns(tuple(kept), (bill_for(before, BillOptions()),), are_drawn=False, same=(kept[0],))
    said = " ".join(
        Page("".join(results.result_sections(example, runs, pinned, bill_for(example, BillOptions())))).text
    )
    assert f"Pinned run 4 is listed above: {kept[0].result.run_text}, of this design as it stands." in said
    compared = said.partition("Compared with pinned runs")[2]
    assert [number for number in range(4, 8) if f"Pinned run {number} " in compared] == [5, 6, 7]


def test_the_loads_that_are_drawn_are_those_of_the_congested_run(example):
    """At 2:1 the all-to-all waits for links between switches, and the all-reduce for its NICs alone."""
    reduced, exchanged = simulated(example).usual
    assert reduced.n_congested == 0 < exchanged.n_congested
    of = fabric_failures(example)
    assert Runs(None, (reduced, exchanged), of).drawn == (exchanged,)
    assert Runs(None, (reduced,), of).drawn == (reduced,)
    assert Runs(reduced, (exchanged,), of).drawn == (reduced, exchanged), "what was on the screen is shown first"
    assert Runs(exchanged, (reduced,), of).drawn == (exchanged,)
    refused = replace(reduced, result=None, refusal="No.")
    assert Runs(refused, (exchanged,), of).drawn == (exchanged,) and Runs(None, (refused,), of).drawn == (refused,)
    captions = "".join(summary_module._pictures(example, (reduced, exchanged)))
    assert f"100 % utilized; {format_counted(exchanged.n_congested, 'congested link')}</figcaption>" in captions
    assert "heat1" not in captions and 'id="heat2-' in captions


def test_racks_are_drawn_row_by_row_so_that_their_names_can_be_read(monkeypatch):
    design = api.generate("rail-optimized", servers=40, servers_per_su=20)
    design.apply(prepare(design, load().types).edit)
    parts = list(summary_module._racks(design))
    assert len(design.racks) > 8 and len(parts) > 1
    rows = [re.search(r"<figcaption>(.*) from the front", one)[1] for one in parts]
    assert rows[0].startswith("rack-01 to ") or rows[0].startswith("net-")
    assert len({re.search(r'viewBox="\S+ \S+ (\S+ \S+)"', one)[1] for one in parts}) == 1, "at one scale"
    monkeypatch.setattr(summary_module, "RACKS_SHOWN", len(design.racks) - 1)
    (only,) = summary_module._racks(design)
    assert f"each of the {len(design.racks)} racks" in only


@pytest.mark.parametrize(("racks", "sizes"), [(0, []), (8, [8]), (10, [5, 5]), (11, [6, 5]), (17, [6, 6, 5])])
def test_racks_of_a_row_are_shown_in_even_parts(racks, sizes):
    line = [str(number) for number in range(racks)]
    parts = list(summary_module._even_parts(line))
    assert [len(one) for one in parts] == sizes and [one for part in parts for one in part] == line


def test_the_run_of_the_window_comes_first_with_what_was_marked_as_failed(example):
    scenario = Scenario(collective="all-reduce", algorithm="double-binary-tree", size_bytes=2**20, routing="ecmp")
    spine = next(one for one in example.devices.values() if one.role == "spine")
    made = pack.make(example, formats(), LIGHT, asked=Asked(scenario, frozenset((spine.id, "d999"))))
    page = opened(made)["summary.html"].decode()
    said = " ".join(Page(page).text)
    title = "Selected simulation: all-reduce, double-binary-tree · ecmp, 1 MiB, 128 ranks"
    assert title in said and f"Marked as failed {spine.name} " in said
    assert f"failed {spine.name} " in said and spine.id not in said.split(), "assumptions name it too"
    assert f"utilized; marked as failed: {spine.name}" in said
    assert page.count('id="heat-broken"') == 1, "crossed out in the picture"
    assert said.index(title) < said.index("Simulation: all-reduce, ring") < said.index("Simulation: all-to-all")
    assert (
        "Other assumptions: all-reduce, ring" in said
        and said.count("Load of the links: all-reduce, double-binary-tree") == 1
    )


def test_the_summary_has_no_figures_of_the_programs_own_way_to_calculate(made):
    said = " ".join(Page(opened(made)["summary.html"].decode()).text)
    assumed = said.partition(" Assumptions ")[2]
    assert "Traffic model fluid flows" in assumed and "Not modeled PCIe" in assumed
    for words in ("solves", "computed, times", "Rates", "Ends merged", "Seed", "odelled"):
        assert words not in assumed, words


def test_the_summary_lists_what_would_help_as_the_window_and_advise_do(example, monkeypatch):
    spine = next(one for one in example.devices.values() if one.role == "spine")
    asked = Asked(Scenario(collective="all-to-all", size_bytes=2**20, routing="ecmp"), frozenset((spine.id,)))
    (run, *others) = simulated(example, asked).shown
    healthy = build(example)
    graph, scenario, _ = with_failures(example, asked.failed, asked.scenario, healthy)
    now = Situation(example, asked.scenario, asked.failed, healthy, simulate(graph, scenario), load(), new_error)
    of_advise = [one.sentence for one in advise(now, budget_s=math.inf).helpful]
    assert len(of_advise) > HELPFUL_SHOWN and any("repaired" in one for one in of_advise)
    assert [one.sentence for one in run.advice.helpful] == of_advise
    said = " ".join(Page(opened(pack.make(example, formats(), LIGHT, asked=asked))["summary.html"].decode()).text)
    listed = "\n".join((*of_advise[:HELPFUL_SHOWN], f"and {len(of_advise) - HELPFUL_SHOWN} more"))
    assert f"What would help {listed} " in said
    monkeypatch.setattr(runs, "RANKS_TRIED", others[0].result.ranks - 1)
    assert all(one.advice is None for one in simulated(example).shown), "too large to try all in time"


def test_a_run_that_the_summary_has_anyway_is_shown_once(example):
    made = pack.make(example, formats(), LIGHT, asked=Asked(REPORTED_TRAFFIC[1]))
    said = " ".join(Page(opened(made)["summary.html"].decode()).text)
    assert said.count("Selected simulation: all-to-all") == 1 and "Simulation: all-to-all" not in said


def test_a_design_of_very_many_links_is_shown_by_its_groups(monkeypatch):
    design = api.generate("dragonfly", p=1, a=2, h=1)
    monkeypatch.setattr(summary_module, "LINKS_TWICE", 1)
    text = summary(design)
    said = " ".join(Page(text).text)
    assert "The design: its groups and their links" in said and "Load of the links" in said
    assert all(f">Group {number}</text>" in text for number in (1, 2, 3))
    assert "3 links between 3 groups: 1 link between each of the 3 pairs." in said


def test_a_design_changed_since_its_revision_is_not_called_so(small):
    design = small.snapshot()
    design.apply(record(design, RevisionOptions(revision="7")))
    assert "Hand-over pack, revision 7." in summary(design)
    design.apply(operations.rename(design, "d2", "other"))
    made = opened(pack.make(design, formats(), LIGHT))
    assert "changed since revision 7" in made["summary.html"].decode()
    assert json.loads(made["index.json"])["revision"] is None


def test_the_bill_of_the_summary_names_models_and_units_and_breaks_no_word(made):
    page = opened(made)["summary.html"].decode()
    heads = next(one for one in re.findall(r"<thead>(.*?)</thead>", page) if "Part number" in one)
    titles = re.findall(r"<th[^>]*>(.*?)</th>", heads)
    assert titles[:7] == ["Line", "Status", "Kind", "Part number", "Model", "Description", "Order length (m)"]
    assert "Spares" not in titles
    assert "<td>DGX H100</td>" in page and '<td class="whole">MFP7E10-N010</td>' in page
    assert "td.whole{white-space:nowrap}" in page
    assert re.search(r"^th,td\{[^}]*overflow-wrap:break-word", page, re.MULTILINE)
    assert "maximum not known for 6 of 22 devices (Switch 48 x 400G); the other 16 draw 163.2 kW" in page


def test_the_bill_of_the_summary_has_spares_where_some_are_ordered(example):
    page = opened(pack.make(example, formats(), replace(LIGHT, spares=parse_spares("all:2%"))))["summary.html"].decode()
    assert ">Spares<" in page


def test_a_pack_with_spares_of_what_the_bill_has_none_of_is_refused_before_anything_is_made(example):
    heard: list[float] = []
    with pytest.raises(ParameterError, match="spares line-card:2% are for no part of this bill: it has "):
        pack.make(example, formats(), replace(LIGHT, spares=parse_spares("line-card:2%")), heard.append)
    assert not heard


def test_a_kept_run_whose_design_lacks_a_kind_with_spares_is_packed_all_the_same(example):
    kept = RunOfDesign(simulate(build(example), REPORTED_TRAFFIC[0]), Design())
    options = replace(LIGHT, spares=parse_spares("switch:2%"))
    assert pack.make(example, formats(), options, kept=[kept]).files


def test_the_summary_states_the_bill_with_prices_where_there_are_some(small, tmp_path):
    bare = Page(summary(small))
    assert (
        "Bill of materials" in bare.text and "QM9700" in " ".join(bare.text) and "Unit price" not in " ".join(bare.text)
    )
    prices = tmp_path / "prices.csv"
    switch = small.device_type("d1")
    prices.write_text(f"part number,price,currency,date\n{switch.model},1234.50,EUR,2026-11-01\n")
    priced = Page(summary(small, prices=str(prices)))
    assert "Unit price (EUR)" in priced.text and "1,234.50" in priced.text and "2,469.00" in priced.text
    assert "Together" not in bare.text
    assert json.loads(opened(pack.make(small, formats(), LIGHT))["index.json"])["cost"] is None
    terms = CostTerms(energy_price=EnergyPrice(Decimal("0.31"), "EUR"), pue=1.25, years=3)
    stated = {name: getattr(terms, name) for name in fields_of(CostTerms)}
    options = replace(LIGHT, prices=str(prices), without=("drawings", "labels", "plan"), **stated)
    files = opened(pack.make(small, formats(), options))
    costing = costing_for(small, BillOptions(prices=str(prices), **stated))
    page = Page(files["summary.html"].decode())
    assert "Together" in page.text
    assert page.text.count(costing.cost_text) == 2, "among the figures and below the bill"
    assert not [text for text in page.text if "no price" in text and "not known" in text]
    assert [row.name for row in costing.rows if row.name in page.text] == [row.name for row in costing.rows]
    assert {costing.rows[0].capital.text, costing.rows[0].power.text} <= set(page.text)
    assert any("3 years, 0.31 EUR per kWh, PUE 1.25" in text for text in page.text)
    index = json.loads(files["index.json"])["cost"]
    assert index["rows"][0]["capital"]["by_currency"] == {"EUR": 2469.0} and index["pue"] == 1.25
    workbook = next(data for name, data in files.items() if name.endswith("bill-of-materials.xlsx"))
    book = openpyxl.load_workbook(io.BytesIO(workbook))
    cells = [str(cell.value) for row in book["Cost"].rows for cell in row]
    assert any("0.31 EUR per kWh" in cell for cell in cells)
    assert {row.name for row in costing.rows} <= set(cells)
    hidden = opened(pack.make(small, formats(), replace(options, without=LIGHT.without, redact=True)))
    secrets = (b"1234.5", b"1,234.5", b"0.31")
    assert not [name for name, data in hidden.items() if any(one in data for one in secrets)]


def test_the_summary_loads_and_runs_nothing(small):
    text = summary(small)
    page = Page(text)
    assert not page.tags & {"script", "link", "img", "iframe", "object", "image", "use", "foreignobject", "a", "base"}
    assert not [name for name, _ in page.attributes if name.startswith("on") or name in ("src", "href", "xlink:href")]
    assert "default-src 'none'" in dict(page.attributes)["content"] or "default-src &#x27;none&#x27;" in text
    assert not re.search(r"@import|url\((?!#)", text)
    assert HOSTILE not in text and html.escape(HOSTILE) in text


def test_racks_that_stand_on_the_floor_are_shown_from_above_and_from_the_front():
    design = document.load(EXAMPLE.with_name("superpod-h100-4su.fabric"))
    text = summary(design)
    not_checked = validate(design).not_checked
    assert not_checked
    assert f" {len(not_checked)} not checked " in " ".join(Page(text).text), "as many as it lists, like the window"
    fronts = re.findall(r"<figcaption>[^<]+ from the front", text)
    assert "Floor plan" in text and len(fronts) >= len(design.racks) / summary_module.RACKS_ABREAST > 1
    assert text.count("<svg ") == 3 + len(fronts)
    assert all(one.name in text.partition("<figcaption>Floor plan")[2] for one in design.racks.values())
    floor = text.partition("<figcaption>Floor plan")[0].rpartition("<svg ")[2]
    assert next(iter(design.racks.values())).name in floor
    side = port_side_point(design)
    gaps = plan_gaps_of(design)
    assert side and {f"port side: {side}"} < {one.note for one in gaps.undecided}
    assert "Room &gt;" not in text and "Room >" not in text, "how the program is used is said in the program"
    assert all(html.escape(one.note) in text for one in gaps.gaps), "the same points as on the sheet of the plan"
    assert f" {len(gaps.undecided)} points to be decided " in " ".join(Page(text).text)
    made = pack.make(design, formats(), PackOptions(without=tuple(one.key for one in CONTENTS)))
    assert made.open_findings.endswith(f"; {gaps.counts}") and "to be decided: 2 points" in gaps.counts
    decide = json.loads(opened(made)["index.json"])["to_be_decided"]
    assert [(one["what"], one["links"], one["devices"]) for one in decide] == [
        (one.what, len(one.links), len(one.devices)) for one in gaps.undecided
    ]


def test_the_name_of_a_design_is_text_too(small):
    design = small.snapshot()
    design.apply(operations.set_settings(design, name=HOSTILE))
    text = summary(design)
    assert "script" not in Page(text).tags and HOSTILE not in text


def test_a_design_that_cannot_be_simulated_says_why(small):
    assert "Not simulated: " in summary(small)


def test_tables_of_the_summary_are_printed_small_enough_for_their_notes(small):
    styles, _, printed = summary(small).partition("</style>")[0].partition("@media print{")
    assert "table{font-size:8pt}" in printed and "td.prose{min-width:8.5rem}" in styles


def test_a_table_of_a_page_leaves_out_empty_columns_and_states_one_currency_in_headings():
    columns = (
        Column("name", "Name"),
        Column("status", "Status"),
        Column("unit_price", "Unit price", right=True),
        Column("currency", "Currency"),
        Column("line_price", "Line price", right=True),
    )

    def shown(*currencies):
        rows = [
            SimpleNamespace(name="a" * 40, status="", unit_price=1, currency=one, line_price=2) for one in currencies
        ]
        return Page(pages.result_table(ResultTable(columns, rows))).text

    headings = ["Name", "Unit price (USD)", "Line price (USD)"]
    assert shown("USD", "USD")[:3] == shown("USD", "")[:3] == headings
    assert shown("USD", "EUR")[:4] == ["Name", "Unit price", "Currency", "Line price"]
    assert shown("")[:3] == ["Name", "Unit price", "Line price"], "nothing is known of its currency"
    assert shown()[:2] == ["Name", "Status"]
    row = pages.table(("A", "B"), [["x" * 40, "y"]])
    assert '<td class="prose">xxx' in row and "<td>y" in row


@pytest.mark.parametrize("revision", ["", "B"])
def test_the_date_of_a_pack_is_stated_with_and_without_a_revision(small, revision):
    with_drawings = replace(LIGHT, without=tuple(one for one in LIGHT.without if one != "drawings"))
    files = opened(pack.make(small, formats(), replace(with_drawings, revision=revision, date=" 2026-11-23 ")))
    assert json.loads(files["index.json"])["date"] == "2026-11-23"
    stated = "Hand-over pack, revision B, 2026-11-23" if revision else "Hand-over pack of 2026-11-23. No revision"
    assert stated in files["summary.html"].decode()
    given = {"issue": None, "date": "2026-11-23", "paper": "a4", "earlier": None}
    drawings = next(one for one in CONTENTS if one.key == "drawings")
    assert drawings.options(given)["date"] == "2026-11-23"
    undated = Revision("v1", "B", "")
    assert drawings.options({**given, "issue": undated})["date"] == "2026-11-23"
    dated = replace(undated, date="2026-11-01")
    assert drawings.options({**given, "issue": dated})["date"] == "2026-11-01"
    with pytest.raises(ParameterError):
        pack.make(small, formats(), replace(LIGHT, date="2026-13-40"))


def test_a_pack_of_an_earlier_revision_states_both_dates(small):
    design = small.snapshot()
    design.apply(record(design, RevisionOptions(revision="A", date="2026-11-01")))
    files = opened(pack.make(design, formats(), replace(LIGHT, date="2026-11-23")))
    assert "Hand-over pack of 2026-11-23, revision A, 2026-11-01" in files["summary.html"].decode()


def test_a_pack_without_a_date_states_none(small):
    files = opened(pack.make(small, formats(), LIGHT))
    assert (
        json.loads(files["index.json"])["date"] is None
        and "Hand-over pack. No revision" in files["summary.html"].decode()
    )


def test_an_empty_design_has_a_summary():
    text = summary(Design())
    assert "there is nothing to draw" in text.lower()


# -- pictures -------------------------------------------------------------------------------------------------------


def test_a_picture_takes_the_colours_of_dark_screens_and_the_names_stay(small):
    dark = diagram_svg.svg_of(small, "dark")
    made = pictures.inlined(lambda theme: diagram_svg.svg_of(small, theme), "p")
    rules = dict(re.findall(r'\.p \[(?:fill|stroke)="(#\w{6})"\]\{(?:fill|stroke):(#\w{6})\}', made))
    drawn = made.partition("</style>")[2]
    recoloured = re.sub(r'(fill|stroke)="(#\w{6})"', lambda one: f'{one[1]}="{rules[one[2]]}"', drawn)
    painted = re.compile(r'(?:fill|stroke)="(#\w{6})"')
    assert painted.findall(recoloured) == painted.findall(dark)
    assert "@media screen and (prefers-color-scheme: dark)" in made


def test_a_light_colour_that_stands_for_two_dark_ones_is_told_apart():
    drawn = '<svg width="1" height="1"><rect fill="{}"/><rect fill="{}"/></svg>'
    themes = {"light": drawn.format("#ffffff", "#ffffff"), "dark": drawn.format("#111111", "#222222")}
    made = pictures.inlined(themes.__getitem__, "p")
    rules = dict(re.findall(r'\[fill="(#\w{6})"\]\{fill:(#\w{6})\}', made))
    shades = re.findall(r'<rect fill="(#\w{6})"', made)
    assert [rules[one] for one in shades] == ["#111111", "#222222"] and len(set(shades)) == 2


def test_two_pictures_on_a_page_share_no_ids(small):
    ids = []
    for name in ("a", "b"):
        made = pictures.inlined(lambda theme: diagram_svg.svg_of(small, theme), name)
        ids += re.findall(r' id="([^"]+)"', made)
        for used in re.findall(r"url\(#([^)]+)\)", made):
            assert used in ids
    assert len(ids) == len(set(ids))


def test_texts_that_look_like_colours_or_ids_stay(small):
    design = small.snapshot()
    design.apply(operations.rename(design, "d1", '#ffffff id="x" url(#grid)'))
    made = pictures.inlined(lambda theme: diagram_svg.svg_of(design, theme), "p")
    assert '#ffffff id="x" url(#grid)' in made


def test_a_revision_whose_plan_is_damaged_does_not_hold_up_the_pack(small):
    design = small.snapshot()
    design.apply(Edit("", (Change(None, Revision("v1", "A", "2026-11-22", plan="cGxhbg==")),)))
    made = pack.make(design, formats(), replace(PackOptions(), without=("drawings", "labels", "bill", "acceptance")))
    (sentence,) = made.left_out
    assert sentence.startswith(
        "Change order (XLSX) is not in the pack: the cable plan of revision A of 2026-11-22 is damaged"
    )
    files = opened(made)
    assert sentence in html.unescape(files["summary.html"].decode())
    (book,) = [data for name, data in files.items() if name.endswith("cable-plan.xlsx")]
    texts = zipfile.ZipFile(io.BytesIO(book)).read("xl/sharedStrings.xml").decode()
    assert "the cable plan of revision A of 2026-11-22 is damaged" in texts


@pytest.mark.parametrize(
    "stem", ["..\\..\\evil", "../../evil", "a:b*?", "n\udcffme", ".hidden", "\u202egnp", "\U0001f525" * 250]
)
def test_names_in_the_pack_are_names_on_every_system(small, stem):
    design = small.snapshot()
    design.file_stem = stem
    without = tuple(one.key for one in CONTENTS if one.key != "bill-csv")
    names = list(opened(pack.make(design, formats(), PackOptions(without=without))))
    assert names[2].endswith("-bill-of-materials.csv")
    for name in names:
        assert not re.search(r'[<>:"/\\|?*\u202e\ud800-\udfff]|^\.', name)
        assert len(name.encode()) < 255


def test_what_to_do_about_a_finding_without_a_fix_is_what_its_rule_says(made):
    page = html.unescape(opened(made)["summary.html"].decode())
    assert made.report.open and not any(one.fix for one in made.report.open if one.code == "OVER-001")
    remedy = RULES.named("OVER-001").remedy
    count = sum(one.code == "OVER-001" for one in made.report.open)
    assert remedy and page.count(f">{remedy}</td>") == count


def test_documents_say_what_closes_a_finding_and_not_where_that_is_in_the_program():
    design = document.load(EXAMPLE.with_name("faults.fabric"))
    turned = RULES.named("RACK-005")
    report = validate(design)
    assert turned.how and any(one.code == turned.code for one in report.open)
    for page in (summary(design), report_page(design, report)):
        assert turned.remedy in html.unescape(page) and turned.how not in html.unescape(page)


def test_pictures_of_the_design_are_laid_out_for_the_room_on_the_page():
    design = document.load(EXAMPLE.with_name("superpod-h100-4su.fabric"))
    heads = re.findall(r'<svg [^>]*viewBox="0 0 (\S+) (\S+)"', summary(design))
    assert len(heads) == 2
    for width, height in heads:
        assert float(width) == pages.PICTURE.width and float(height) <= pages.PICTURE.height


def test_pictures_of_the_page_fill_what_they_stand_in(made):
    page = opened(made)["summary.html"].decode()
    heads = re.findall("<svg [^>]*>", page)
    assert heads and not [one for one in heads if "max-height" in one or " width=" in one]


def test_the_summary_counts_the_congested_links_that_its_picture_shows(example):
    """Of the flows of a permutation some are wanted more than a link carries that others before it hold back."""
    run = simulated(example, Asked(Scenario(traffic="permutation:1", routing="ecmp"))).chosen
    heat = heat_of_run(example.revision, run.result, "")
    wanted = sum(max(pair) > 0 for pair in run.result.congested_links().values())
    assert run.n_congested == heat.n_congested < wanted
    caption = "".join(summary_module._loads(example, run, "heat"))
    assert f"; {format_counted(heat.n_congested, 'congested link')}<" in caption
    assert f"({heat.n_congested} congested)" in caption
