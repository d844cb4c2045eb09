"""Growth in phases: each phase holds what its design has, and every cable and part of the step to it."""

import json
from collections import Counter
from dataclasses import replace
from decimal import Decimal

import openpyxl
import pytest

from designer.analysis.billing.price import Price
from designer.analysis.billing.prices import PriceList
from designer.analysis.billing.terms import CostTerms
from designer.analysis.new_designs import new_design
from designer.catalog import yaml_text
from designer.cli.main import run
from designer.errors import DesignerError, ParameterError
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.model.networks import OUT_OF_BAND, STORAGE, network_of_link, network_of_switch
from designer.phases.handover import plan_svg, write_plan
from designer.phases.making import phases_of_family, phases_of_files, phases_of_marks
from designer.phases.picture import growth_picture
from designer.phases.request import DISMOUNT, INSTALL, WorkTimes
from designer.phases.spec import plan_from
from designer.phases.steps import UNPLUGGED, PhaseStep, phase_steps
from designer.regeneration.recipes import family_named
from designer.storage import document

PRICES = PriceList("p.csv", {"dgx h100": Price(Decimal(1000), "USD", "2026-11-01")})
STAGES = (
    ("Now", {"server": "dgx-h100", "switch": "nvidia-qm9700", "servers": "8"}),
    ("More", {"servers": "16"}),
    ("Less", {"servers": "8"}),
    ("Again", {"servers": "12"}),
)


@pytest.fixture(scope="module")
def phases(catalog):
    """Eight servers, sixteen, eight again, and twelve. Not to be changed."""
    return phases_of_family("fat-tree", STAGES, catalog, "Pod")


@pytest.fixture(scope="module")
def steps(phases, catalog):
    return phase_steps(phases, catalog.types, PRICES)


def test_each_phase_accounts_for_every_cable_and_device(steps, phases):
    before = Design()
    n_cables = 0
    for step, phase in zip(steps, phases, strict=True):
        counts = step.order.counts
        stayed = step.order.n_untouched + counts["move"] + counts["swap"]
        assert stayed + counts["remove"] <= n_cables + counts["relabel"] + counts["swap"]
        assert len(step.cables) == len(phase.design.links)
        assert len(step.cables) - n_cables == counts["pull"] - counts["remove"]
        assert step.count(INSTALL) == len(phase.design.devices.keys() - before.devices.keys())
        assert step.count(DISMOUNT) == len(before.devices.keys() - phase.design.devices.keys())
        before, n_cables = phase.design, len(step.cables)


def test_what_a_phase_leaves_over_is_not_bought_again(steps):
    servers = [next(part for part in step.parts if part.kind == "server") for step in steps]
    assert [(one.need, one.owned, one.bought, one.spare) for one in servers] == [
        (8, 0, 8, 0),
        (16, 8, 8, 0),
        (8, 16, 0, 8),
        (12, 16, 0, 4),
    ]
    assert [one.cost for one in servers] == [8000, 8000, 0, 0]
    assert steps[0].capital.sums == (("USD", Decimal(8000)),) and steps[0].capital.is_least
    assert steps[0].n_unpriced > 0


def test_cables_that_are_unplugged_have_both_ends_before_and_after(steps):
    more = steps[1]
    moved = [one for one in more.unplugged if one.action == "move"]
    assert moved and more.count(UNPLUGGED) > 0
    for one in moved:
        assert one.before.number == one.after.number
        assert {plug.place for end in one.before.ends for plug in end.plugs} != {
            plug.place for end in one.after.ends for plug in end.plugs
        }
    cable = next(one for one in more.json["unplugged"] if one["action"] == "move")
    assert cable["before"] != cable["after"] and len(cable["before"]) == len(cable["after"]) == 2


def test_time_is_not_known_until_the_minutes_of_all_work_are_stated(phases, catalog, steps):
    assert steps[0].minutes is None and steps[0].time_text == "not known: minutes to install, pull"
    timed = phase_steps(phases[:1], catalog.types, times=WorkTimes(pull=10, install=30, crew=2))[0]
    assert timed.work_minutes == 10 * timed.count("pull") + 30 * timed.count(INSTALL)
    assert timed.minutes == timed.work_minutes / 2
    work, elapsed = (f"{minutes / 60:,.1f} h" for minutes in (timed.work_minutes, timed.minutes))
    assert timed.time_text == f"{work}, {elapsed} for 2 people" and timed.sentence.endswith(f"Work {timed.time_text}.")
    alone = replace(timed, times=WorkTimes(pull=10, install=30))
    assert alone.time_text == work and not alone.renamed
    label = next(one for one in timed.order.changes if one.action == "pull")
    renamed = replace(label, action="relabel", ends="device")
    order = replace(timed.order, changes=(*timed.order.changes, renamed))
    named = replace(timed, order=order)
    assert named.work_minutes == timed.work_minutes
    assert named.sentence.endswith("Relabeling 1 device is not counted.")
    assert timed.capital is None


def test_a_phase_with_terms_has_its_power_and_currency(phases, catalog):
    stated = PriceList("p.csv", {"dgx h100": Price(Decimal(1000), "EUR", "2026-11-01")})
    terms = CostTerms(currency="USD", rates=CostTerms.__dataclass_fields__["rates"].metadata["setting"].read("EUR=2"))
    step = phase_steps(phases[:1], catalog.types, stated, terms)[0]
    assert step.capital.sums == (("USD", Decimal(16000)),) and step.costing.power_w > 0


def test_the_picture_has_a_bar_for_every_tier_and_the_cables_between(steps):
    picture = growth_picture("Pod", steps)
    assert [name for name, _ in picture.rows][-3:] == ["leaf", "server to leaf cables", "server"]
    for step, column in zip(steps, picture.columns, strict=True):
        of_cables = [column.bars[name] for name, is_cables in picture.rows if is_cables and name in column.bars]
        assert sum(one.total - one.removed for one in of_cables) == len(step.cables)
        assert all(min(one.kept, one.moved, one.new, one.removed) >= 0 for one in column.bars.values())
        assert column.bars["server"].new == step.count(INSTALL) - sum(
            bar.new for name, bar in column.bars.items() if name in ("leaf", "spine", "core", "switch")
        )
    assert plan_svg("Pod <&>", steps).count("Pod &lt;&amp;&gt;") >= 1


def test_power_of_which_a_part_is_not_known_is_the_least_in_picture_and_table(steps):
    draw = steps[0].costing.draw
    assert draw.n_unknown or draw.n_transceivers
    kilowatts = f"{steps[0].costing.power_w / 1000:,.1f} kW"
    assert growth_picture("Pod", steps).columns[0].lines[0].endswith(f", at least {kilowatts}")
    assert next(one for one in PhaseStep.COLUMNS if one.key == "power_kw").of(steps[0]) == f"at least {kilowatts}"


def test_a_drawn_design_is_in_phases_by_its_marks(phases, catalog):
    design = phases[1].design.snapshot()
    servers = list(design.servers())
    changes = [
        *(Change(one, replace(one, fields=(("phase", "2"),))) for one in servers[8:]),
        Change(servers[0], replace(servers[0], fields=(("phase-out", "3"),))),
    ]
    design.apply(Edit("Mark", tuple(changes)))
    found = phases_of_marks(design, ("Today",))
    assert [one.name for one in found] == ["Today", "Phase 2", "Phase 3"]
    assert [sum(1 for _ in one.design.servers()) for one in found] == [8, 16, 15]
    last = phase_steps(found, catalog.types)[2]
    assert (last.count(DISMOUNT), last.count("remove")) == (1, len(design.links_of(servers[0].id)))


def test_marks_that_are_no_phases_and_designs_without_any_are_refused(phases):
    design = phases[0].design.snapshot()
    with pytest.raises(ParameterError, match="has no phases: give devices a field 'phase'"):
        phases_of_marks(design)
    server = next(iter(design.servers()))
    design.apply(Edit("Mark", (Change(server, replace(server, fields=(("phase", "soon"),))),)))
    with pytest.raises(ParameterError, match=f"{server.name}, field phase: 'soon' is not a whole number"):
        phases_of_marks(design)


def test_designs_that_follow_each_other_are_matched_whatever_their_ids(catalog):
    values = {"server": "dgx-h100", "switch": "nvidia-qm9700"}
    small, large = (
        new_design(family_named("fat-tree"), {**values, "servers": n}, catalog, "Pod", "auto").design for n in (2, 4)
    )
    step = phase_steps(phases_of_files((("a", small), ("b", large))), catalog.types)[1]
    assert step.count(INSTALL) == 2 and step.count(DISMOUNT) == 0 and step.order.n_untouched > 0


def test_the_networks_of_the_first_phase_are_extended_to_the_servers_that_come(catalog):
    """They come onto free ports, with cables; a network without ports for them is refused, and so is one per rack."""
    first = {"server": "dgx-h100", "switch": "nvidia-qm9700", "servers": "2", "storage_switch": "nvidia-qm9700"}

    def made(last, **more):
        stages = (("Now", {**first, **more}), ("More", {"servers": last}), ("Less", {"servers": "2"}))
        return [one.design for one in phases_of_family("fat-tree", stages, catalog, "Pod")]

    designs = made("8", oob_switch="nvidia-sn2201")
    for design in designs:
        n_switches = len([one for one in design.switches() if network_of_switch(one) != OUT_OF_BAND])
        counts = Counter(network_of_link(design, link) for link in design.links.values())
        n_servers = len(design.servers())
        managed = {end.device_id for link in design.links.values() if network_of_link(design, link) == OUT_OF_BAND
                   for end in (link.a, link.b)}  # fmt: skip
        assert counts[STORAGE] == 4 * n_servers and {one.id for one in design.servers()} <= managed
        assert counts[OUT_OF_BAND] == n_servers + n_switches
        assert all(link.length_m and link.medium_id and link.cable for link in design.links.values())
    assert [len(one.servers()) for one in designs] == [2, 8, 2]
    with pytest.raises(
        ParameterError, match=r"'More': the leaf switches of the storage network have .* ports left and "
    ):
        made("64")
    with pytest.raises(ParameterError, match="a switch in each rack, and racks that come need their own"):
        made("4", oob_switch="nvidia-sn2201", oob_per_rack="yes")
    with pytest.raises(ParameterError, match="storage_switch: the networks are those of the first phase"):
        phases_of_family("fat-tree", (("Now", first), ("More", {"storage_switch": "x"})), catalog, "Pod")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("phases: []\n", "holds no plan: write family and phases"),
        ("family: fat-tree\nphases:\n  - name: A\n    size: 3\n", "line 3, phases.0.: a phase has no 'size'"),
        ("family: fat-tree\nphases:\n  - parameters: {colour: red}\n", "fat-tree has no parameter 'colour'"),
        ("family: fat-tree\nphases:\n  - parameters: {servers: many}\n", "phase 'Phase 1', servers: "),
        ("family: oak\nphases:\n  - parameters: {servers: 2}\n", "oak"),
        (
            "family: fat-tree\nminutes: {nap: 3}\nphases:\n  - parameters: {}\n",
            "line 2, minutes: there is no work 'nap'",
        ),
        ("color: red\nphases: [{}]\n", "line 1, color: a plan has no 'color'"),
    ],
)
def test_a_plan_that_cannot_be_read_is_refused_with_the_place(text, sentence, catalog):
    found = yaml_text.parse(text, "plan.yaml")
    with pytest.raises(DesignerError, match=sentence) as refused:
        plan_from(found.value, "plan.yaml", found.lines, catalog)
    assert str(refused.value).startswith("plan.yaml")


def test_the_command_prints_and_writes_the_plan(tmp_path, capsys, steps):
    plan = tmp_path / "plan.yaml"
    plan.write_text(
        "name: Pod\nfamily: fat-tree\nphases:\n"
        "  - {name: Now, parameters: {server: dgx-h100, switch: nvidia-qm9700, servers: 2}}\n"
        "  - {name: Next, parameters: {servers: 4}}\n"
    )
    assert run(["phases", str(plan), "--minutes-pull", "10", "--minutes-install", "20", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [one["name"] for one in found["phases"]] == ["Now", "Next"]
    assert found["phases"][1]["minutes"] == 10 * found["phases"][1]["cables"]["pull"] + 20 * 2
    assert run(["phases", str(plan)]) == 0
    assert "2. Next: 4 servers with 32 GPUs" in capsys.readouterr().out
    assert run(["phases", str(tmp_path / "gone.yaml")]) == 2
    for suffix in (".xlsx", ".html", ".csv"):
        write_plan("Pod", steps, tmp_path / f"plan{suffix}")
    book = openpyxl.load_workbook(tmp_path / "plan.xlsx")
    assert {"Phases", "What It Takes", "1 Parts", "2 Cables", "2 Devices"} <= set(book.sheetnames)
    sheet = book["Phases"]
    assert [row[2:5] for row in sheet.iter_rows(min_row=3, max_row=2 + len(steps), values_only=True)] == [
        (one.servers, one.gpus, sum(one.switches.values())) for one in steps
    ]
    shown = {cell.value for row in sheet for cell in row}
    assert {column.title for column in PhaseStep.COLUMNS} <= shown
    assert not {one for one in shown if str(one).endswith("(min)")}, "cells say hours or minutes themselves"
    width = sum(dimension.width for dimension in sheet.column_dimensions.values())
    assert sheet.max_column == 7 and width < 140, "in letters of 9 pt a landscape page has room for about 140"
    page = (tmp_path / "plan.html").read_text()
    assert "<svg" in page
    assert {"Fiber cable", "Transceiver"} <= {row[0].value for row in book["1 Parts"]}, "kinds in words"
    assert "<td>Fiber cable</td>" in page and ">fibre<" not in page
    assert "at least 8,000.00 USD" in (tmp_path / "plan.csv").read_text()


def test_a_saved_design_with_marks_is_a_plan(tmp_path, capsys, phases):
    design = phases[0].design.snapshot()
    server = list(design.servers())[-1]
    design.apply(Edit("Mark", (Change(server, replace(server, fields=(("phase", "2"),))),)))
    document.save(design, tmp_path / "pod.fabric")
    assert run(["phases", str(tmp_path / "pod.fabric"), "--format", "csv"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 3
