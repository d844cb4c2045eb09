"""The public module: what its verbs do and refuse."""

import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from designer import api
from designer.drawing.heat import Heat
from designer.errors import ParameterError
from designer.exchange.diagram_svg import svg_of
from designer.graph.building.build import build
from designer.simulation.engine import simulate

ROOT = Path(__file__).resolve().parents[2]
ALL_REDUCE = api.Scenario(collective="all-reduce", size_bytes=2**26)


@pytest.fixture
def ring() -> api.Design:
    return api.generate("torus", dims=(4,), name="Ring")


def test_the_module_needs_no_qt() -> None:
    code = (
        "import sys; sys.modules['PySide6'] = sys.modules['shiboken6'] = sys.modules['pyqtgraph'] = None\n"
        "from designer import api\n"
        "print(api.picture(api.generate('torus', dims=(2, 2)))[:5])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stdout == "<?xml\n", done.stderr


@pytest.mark.parametrize(
    ("stated", "name"),
    [
        ({"servers": 16, "oversubscription": 2}, "Fat-tree, 2:1, 16 hosts"),
        ({"servers": 16, "oversubscription": 1}, "Fat-tree, 16 hosts"),
        (
            {"servers": 64, "tiers": "3", "spine_oversubscription": 2, "switch": "generic-switch-8x400g"},
            "Fat-tree, 2:1 at spines, 64 hosts",
        ),
    ],
)
def test_the_name_of_a_fabric_tells_how_far_it_is_oversubscribed(stated, name):
    assert api.generate("fat-tree", server="generic-host", **stated).settings.name == name


def test_generate_makes_what_the_command_line_makes(tmp_path: Path) -> None:
    made = api.generate("fat-tree", switch="nvidia-qm9700", server="dgx-h100", servers=8, oob_switch="nvidia-sn2201")
    assert made.settings.name == "Fat-tree, 8 servers"
    arguments = ["--switch", "nvidia-qm9700", "--server", "dgx-h100", "--servers", "8", "--oob-switch", "nvidia-sn2201"]
    done = subprocess.run(
        [sys.executable, "-m", "designer", "generate", "fat-tree", *arguments, "-o", str(tmp_path / "pod.fabric")],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    api.save(made, tmp_path / "api.fabric")
    assert (tmp_path / "api.fabric").read_bytes() == (tmp_path / "pod.fabric").read_bytes()


def test_generate_names_the_parameters_that_there_are() -> None:
    with pytest.raises(
        api.DesignerError,
        match="torus has no parameter 'rows'; it has cube, dimension_rates_gbps, dims, link_rate_gbps, mesh, node",
    ):
        api.generate("torus", rows=3)
    with pytest.raises(api.DesignerError, match="there is no family 'knot'"):
        api.generate("knot")


def test_an_added_device_is_connected_and_deleted_by_name(ring: api.Design) -> None:
    before = len(ring.devices), len(ring.links)
    for name in ("one", "two"):
        ring.apply(api.add(ring, "generic-switch", name, x=100.0, y=-50.0))
    assert ring.placements[ring.find("two").id].x == 100.0 and ring.placements[ring.find("two").id].y == -50.0
    ring.apply(api.connect(ring, "one", "two", 3))
    ring.apply(api.connect(ring, "one:7", "two:9"))
    assert len(ring.links) == before[1] + 4
    ring.apply(api.delete(ring, "one:7", ring.links_of(ring.find("two").id)[0].id))
    assert len(ring.links) == before[1] + 2
    ring.apply(api.delete(ring, "one", "two"))
    assert (len(ring.devices), len(ring.links)) == before


@pytest.mark.parametrize(
    ("act", "sentence"),
    [
        (lambda d: api.connect(d, "router-0:1", "router-1"), "router-0:1 and router-1 are a port and a device"),
        (lambda d: api.connect(d, "router-0:9", "router-1:1"), "router-0 has no port '9'"),
        (lambda d: api.connect(d, "router-0:1", "router-1:1", 2), "two ports take one link, not 2"),
        (lambda d: api.connect(d, "router-0", "nobody"), "no device is called 'nobody'"),
        (lambda d: api.delete(d, "router-0:9"), "router-0 has no port '9'"),
        (lambda d: api.delete(d, "nobody"), "no device is called 'nobody'"),
        (lambda d: api.delete(d, "nobody:1"), "no device is called 'nobody'"),
        (lambda d: api.add(d, "nothing"), "the catalog has no 'nothing'"),
        (lambda d: api.add(d, "generic-nic"), "generic-nic is neither a server nor a switch"),
        (lambda d: api.simulate(d, collectiv="all-reduce"), "a scenario has no such field"),
        (lambda d: api.export(d, "x.png", "png"), "there is no export format 'png'; there is cable-plan"),
        (lambda d: api.sweep(d, ALL_REDUCE, kind="moon"), "there is nothing called 'moon' to fail"),
        (lambda d: api.picture(api.Design()), "the design is empty"),
        (lambda d: api.open("no-such.fabric"), "there is no file no-such.fabric"),
    ],
)
def test_what_cannot_be_done_is_one_sentence(ring: api.Design, act, sentence: str) -> None:
    with pytest.raises(api.DesignerError) as caught:
        act(ring)
    assert sentence in str(caught.value) and "\n" not in str(caught.value)


def test_a_scenario_is_given_whole_or_by_its_fields(ring: api.Design) -> None:
    assert api.simulate(ring, ALL_REDUCE).time_s == simulate(build(ring), ALL_REDUCE).time_s
    by_fields = api.simulate(ring, collective="all-reduce", size_bytes=2**26)
    assert by_fields.time_s == api.simulate(ring, ALL_REDUCE).time_s
    assert api.simulate(ring, ALL_REDUCE, size_bytes=2**20).size_bytes == 2**20


def test_a_curve_and_a_sweep_are_those_of_the_scenario(ring: api.Design) -> None:
    curve = api.bandwidth(ring, ALL_REDUCE, sizes=[2**20, 2**26])
    assert curve.points[1].time_s == pytest.approx(api.simulate(ring, ALL_REDUCE).time_s)
    heard: list[float] = []
    single = api.sweep(ring, ALL_REDUCE, kind="link", progress=heard.append)
    assert single.n_tried == len(ring.links) == 8 and heard
    assert api.sweep(ring, ALL_REDUCE, kind="link", pairs=True).n_tried == 28
    link = next(one for one in ring.links.values() if ring.is_switch(one.a.device_id))
    one_less = api.sweep(ring, replace(ALL_REDUCE, failed=(link.id,)), kind="link")
    assert one_less.healthy.time_s > single.healthy.time_s


def test_the_table_of_links_has_both_directions_and_the_hottest_first(ring: api.Design) -> None:
    result = api.simulate(ring, ALL_REDUCE, algorithm="direct")
    table = api.link_table(result)
    rows = result.links(None)
    assert len(table) == len(rows) == 2 * len(ring.links)
    assert list(table.utilization_peak) == [row.utilization_peak for row in rows]
    assert list(table.bytes) == [row.bytes for row in rows]
    assert list(table.utilization_mean) == [row.utilization_mean for row in rows]
    assert [(a, b) for a, b in zip(table.source, table.source_port, strict=True)] == [
        (row.source, row.source_port) for row in rows
    ]
    assert [(a, b) for a, b in zip(table.target, table.target_port, strict=True)] == [
        (row.target, row.target_port) for row in rows
    ]
    for link_id, name in zip(table.link_ids, table.source, strict=True):
        link = ring.links[link_id]
        assert ring.find(name).id in (link.a.device_id, link.b.device_id)
    assert np.all(np.diff(np.round(table.utilization_peak, 9)) <= 0)


def test_a_picture_is_coloured_by_its_result(ring: api.Design) -> None:
    plain, heated = api.picture(ring), api.picture(ring, api.simulate(ring, ALL_REDUCE))
    assert plain != heated and "all-reduce, ring" in heated
    assert api.picture(ring, theme="dark") != plain


def test_a_picture_in_full_detail_has_every_name() -> None:
    design = api.generate("k-ary-fat-tree", k=16)
    names = {device.name for device in design.devices.values()}
    screen, full = (set(re.findall(r">([^<>]+)<", api.picture(design, detail=one))) for one in ("screen", "full"))
    assert names <= full and not names <= screen
    with pytest.raises(ParameterError, match="detail should be screen or full, not 'some'"):
        api.picture(design, detail="some")  # type: ignore[arg-type]


def test_links_that_are_full_by_design_are_not_coloured_as_congested() -> None:
    design = api.generate("fat-tree", switch="nvidia-qm9700", server="dgx-h100", servers=8)
    result = api.simulate(design, ALL_REDUCE)
    all_congested = Heat(design.revision, result.link_utilization(), "all-reduce, ring")
    assert api.picture(design, result) != svg_of(design, "light", all_congested)


def test_a_colon_in_a_device_s_name_is_no_port(ring: api.Design) -> None:
    for name in ("room:1", "hall"):
        ring.apply(api.add(ring, "generic-switch", name))
    ring.apply(api.connect(ring, "room:1:3", "hall:4"))
    assert [link.a.port for link in ring.links_of(ring.find("room:1").id)] == ["3"]
    ring.apply(api.delete(ring, "room:1"))
    assert "room:1" not in [device.name for device in ring.devices.values()]


def test_ranks_of_a_sweep_count_the_gpus_of_the_whole_design(ring: api.Design) -> None:
    server = ring.servers()[0].name
    found = api.sweep(ring, replace(ALL_REDUCE, failed=(server,), ranks=(1, 2, 3)), kind="link")
    assert found.healthy.ranks == 3


def test_a_bill_has_spares_and_the_prices_of_a_list(tmp_path):
    design = api.generate("fat-tree", switch="nvidia-qm9700", server="dgx-h100", servers=16)
    prices = tmp_path / "prices.csv"
    prices.write_text("part number,price,currency,date\nQM9700,100,USD,2026-11-01\n")
    bill = api.bill(design, prices=prices, spares="switch:0%:1")
    assert bill.totals == (("USD", 700),) and len(bill.unpriced) == len(bill.lines) - 2
    with pytest.raises(api.DesignerError, match="'plug' is no kind of part"):
        api.bill(design, spares="plug:1%")


def test_what_an_expression_fits_is_selected_renamed_and_tagged(ring: api.Design) -> None:
    hosts = api.select(ring, "kind:server")
    assert len(hosts) == len(ring.servers())
    ring.apply(api.tag(ring, "kind:server", "spare"))
    ring.apply(api.rename(ring, "tag:spare", "h{n}", start=7))
    assert sorted(one.name for one in ring.servers())[0] == "h10"
    assert {one.name for one in ring.servers()} == {"h7", "h8", "h9", "h10"}
    for faulty in (lambda: api.select(ring, "rol:x"), lambda: api.rename(ring, "tag:spare", "h")):
        with pytest.raises(api.DesignerError):
            faulty()
