"""Makes the pictures of the README and the gallery: the real window on the examples, grabbed by itself.

    python docs/make_pictures.py [NAME ...]  (a picture, a published design by its id, "examples", "presets")

Works with and without a display.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
os.environ["XDG_CONFIG_HOME"] = tempfile.mkdtemp()
if not os.environ.get("DISPLAY"):
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import numpy as np  # noqa: E402
from PySide6.QtCore import QDeadlineTimer, QEventLoop, Qt, QTimer  # noqa: E402
from PySide6.QtGui import QColor, QImage, QPainter  # noqa: E402
from PySide6.QtSvg import QSvgRenderer  # noqa: E402
from PySide6.QtTest import QTest  # noqa: E402
from PySide6.QtWidgets import QApplication, QScrollArea  # noqa: E402

from designer.analysis.billing.prices import Price, PriceList  # noqa: E402
from designer.catalog.catalog import Catalog, load  # noqa: E402
from designer.drawing.theme import THEMES  # noqa: E402
from designer.exchange.acceptance.options import USUAL_TOLERANCE  # noqa: E402
from designer.exchange.acceptance.page import acceptance_page  # noqa: E402
from designer.exchange.acceptance.sheet import acceptance_sheet  # noqa: E402
from designer.exchange.findings.report_page import report_page  # noqa: E402
from designer.graph.building.build import build  # noqa: E402
from designer.measurements.records import MeasuredRow, Measurement  # noqa: E402
from designer.model import operations  # noqa: E402
from designer.model.design import Design  # noqa: E402
from designer.model.edit import Change, Edit  # noqa: E402
from designer.model.entities import End, order_key  # noqa: E402
from designer.panels.widgets.appearance import Appearance  # noqa: E402
from designer.phases.handover import plan_svg  # noqa: E402
from designer.phases.making import phases_of_family  # noqa: E402
from designer.phases.request import WorkTimes  # noqa: E402
from designer.phases.steps import phase_steps  # noqa: E402
from designer.regeneration import recipes  # noqa: E402
from designer.session.preferences import Preferences  # noqa: E402
from designer.session.session import Session  # noqa: E402
from designer.simulation.acceptance.evidence import MeasuredPart  # noqa: E402
from designer.simulation.acceptance.explain import diagnose  # noqa: E402
from designer.simulation.acceptance.faults import HALF as HALF_RATE  # noqa: E402
from designer.simulation.acceptance.faults import Fault, Faults, degraded  # noqa: E402
from designer.simulation.curve import curve as bandwidth  # noqa: E402
from designer.simulation.scenario import Scenario  # noqa: E402
from designer.storage import document  # noqa: E402
from designer.topologies.families import FAMILIES  # noqa: E402
from designer.topologies.presets import family_of, parameters_of, presets  # noqa: E402
from designer.units import format_time  # noqa: E402
from designer.validation.engine import validate  # noqa: E402
from designer.windows.application import make_application  # noqa: E402
from designer.windows.dialogs import preset_list  # noqa: E402
from designer.windows.dialogs.miniature import Miniature  # noqa: E402
from designer.windows.dialogs.questions import Questions  # noqa: E402
from designer.windows.files.examples import example_files, picture_of  # noqa: E402
from designer.windows.guide import topics  # noqa: E402
from designer.windows.shell.main_window import MainWindow  # noqa: E402
from designer.windows.shell.tab_window import TabWindow  # noqa: E402
from designer.windows.shell.welcome import PICTURE  # noqa: E402

SIZE = (1500, 920)
HALF = (960, 700)
PATIENCE_MS = 120_000
EXAMPLES, PRESETS = "examples", "presets"
"""The words for the pictures of the welcome screen and of *Generate Fabric*."""
COLOURS = 96
"""Of a small picture of a published design."""
SHIFTED = 300
"""By how many adapters every one of the SuperPOD sends ahead."""
BROWSERS = ("chromium", "google-chrome", "chromium-browser")
MEASURED = "h100-ib-ar-16-309"
"""A record of two nodes of 8 H100 over InfiniBand: resources/measurements."""
RACK_SHEET = 61
"""A sheet of the SuperPOD that shows a rack of servers."""


def wait(test: Callable[[], bool], least_ms: int = 200) -> None:
    """Let the program run until the test holds, and a little longer so that all is painted."""
    end = QDeadlineTimer(PATIENCE_MS)
    while not test():
        if end.hasExpired():
            sys.exit("the picture did not come about")
        rest(20)
    rest(least_ms)


def rest(milliseconds: int) -> None:
    loop = QEventLoop()
    QTimer.singleShot(milliseconds, loop.quit)
    loop.exec()


def open_example(window: MainWindow, name: str, scenario: Scenario | None = None) -> None:
    window.session.open(ROOT / "examples" / f"{name}.fabric")
    window.views.show_canvas()
    rest(200)
    window.views.canvas.zoom_to_fit()
    if scenario is not None:
        window.session.workbench.simulation.scenario = scenario
        window.session.workbench.simulation.run()
        wait(lambda: window.session.workbench.heat_view.heat is not None)
    wait(lambda: window.session.workbench.validation.is_current)


def superpod(window: MainWindow) -> None:
    open_example(window, "superpod-h100-4su", Scenario(traffic="permutation:1", routing="ecmp", size_bytes=1 << 30))
    window.docks.show("simulation")
    rest(300)


def oversubscribed(window: MainWindow) -> None:
    window.appearance.choice = "dark"
    open_example(window, "fat-tree-16-2to1", Scenario(traffic="permutation:1", routing="ecmp", size_bytes=1 << 30))
    leaf = next(device for device in window.session.design.devices.values() if device.role == "leaf")
    window.session.select([leaf.id])
    window.docks.show("inspector")
    rest(300)


def faults(window: MainWindow) -> None:
    open_example(window, "faults")
    window.docks.focus("findings")
    rest(300)


def generated(window: MainWindow, family: str, **parameters: object) -> None:
    """A design as the generator's dialog makes it."""
    session, row = window.session, next(row for row in FAMILIES if row.name == family)
    session.push(recipes.generated(session.design, row, row.parameters(**parameters), window.session.catalog))
    window.views.show_canvas()
    wait(lambda: session.workbench.validation.is_current)
    window.views.canvas.zoom_to_fit()


def dragonfly(window: MainWindow) -> None:
    generated(window, "dragonfly-plus", leafs=4, spines=4, p=4, h=2, groups=9)


def torus(window: MainWindow) -> None:
    generated(window, "torus", dims=(4, 4, 4))


def floor(window: MainWindow) -> None:
    open_example(window, "superpod-h100-4su")
    window.actions_table.trigger("room.auto_place")
    window.views.show_view(window.views.floor)
    rest(300)
    window.views.floor.zoom_to_fit()


def elevation(window: MainWindow) -> None:
    open_example(window, "superpod-h100-4su")
    racks = sorted(window.session.design.racks, key=order_key)
    window.actions_table.trigger("room.auto_place")
    window.views.show_view(window.views.elevation)
    rest(300)
    window.views.elevation.zoom_to(frozenset(racks[:6]))


def opened_server(window: MainWindow) -> None:
    open_example(window, "superpod-h100-4su")
    server = next(iter(window.session.design.servers()))
    window.views.canvas.zoom_onto([server.id])
    window.views.canvas.move_camera(
        window.views.canvas.camera.zoomed(8.5 / window.views.canvas.camera.scale, *middle(window))
    )


def middle(window: MainWindow) -> tuple[float, float]:
    return window.views.canvas.width() / 2, window.views.canvas.height() / 2


def run(window: MainWindow, **scenario: Any) -> None:
    window.session.workbench.simulation.scenario = Scenario(**scenario)
    window.session.workbench.simulation.run()
    wait(lambda: window.session.workbench.simulation.state == "current")


def curve(window: MainWindow) -> None:
    open_example(window, "superpod-h100-4su")
    window.actions_table.trigger("study.curve")
    study = window.docks.studies.curve
    study.algorithms.tick(["ring", "hierarchical", "double-binary-tree", "halving-doubling"])
    study.routings.tick(["spray", "ecmp"])
    window.docks.give_room("studies", 520)
    study.run.click()
    wait(lambda: window.session.workbench.curves.state == "current", 400)


def measured_over_models(window: MainWindow) -> None:
    """All-reduce on two DGX H100: the ideal model, NCCL's with its band of runs, and what was measured."""
    generated(window, "rail-optimized", server="dgx-h100", servers=2)
    records = json.loads((ROOT / "resources" / "measurements" / "collectives.json").read_text("utf-8"))
    one = [record for record in records if record["id"] == MEASURED]
    log = Path(tempfile.mkdtemp()) / "measured.json"
    log.write_text(json.dumps(one), "utf-8")
    window.actions_table.trigger("study.curve")
    study = window.docks.studies.curve
    study.models.tick(["ideal", "nccl"])
    study.algorithms.tick(["ring"])
    study.routings.tick(["spray"])
    window.session.workbench.curves.logs = (log,)
    window.docks.give_room("studies", 620)
    study.run.click()
    wait(lambda: window.session.workbench.curves.state == "current", 400)


def ecmp_beside_spray(window: MainWindow) -> QImage:
    generated(window, "pgft", children=(8, 8), parents=(1, 8))
    make_bare(window)
    shown = []
    for routing, title in (("ecmp", "ECMP"), ("spray", "Spray")):
        run(window, collective="all-to-all", routing=routing)
        shown.append((f"All-to-all, {title}: {busbw(window)}", canvas(window)))
    return side_by_side(shown)


def designs_beside(window: MainWindow) -> QImage:
    """Two designs under one traffic in one window, which has tabs: the given one has none."""
    catalog, preferences, appearance = window.session.catalog, window.preferences, window.appearance

    def window_of(of: TabWindow) -> MainWindow:
        return MainWindow(Session(catalog), preferences, appearance, Questions(), of)

    tabs = TabWindow(window_of, preferences, lambda _made: None)
    tabs.resize(*SIZE)
    tabs.show()
    traffic = Scenario(traffic="permutation:1", routing="ecmp", size_bytes=1 << 30)
    tabs.current.docks.put_away()
    open_example(tabs.current, "superpod-h100-4su", traffic)
    tabs.add(lambda desk: open_example(tabs.current, "fat-tree-16-2to1", traffic))
    tabs.current.docks.put_away()
    tabs.beside.show(*(one.session for one in tabs.windows[::-1]))
    tabs.current.notice.hide()
    rest(500)
    tabs.current.views.canvas.zoom_to_fit()
    rest(500)
    shown = tabs.grab().toImage()
    for session in tabs.sessions:
        session.undo_stack.setClean()
    tabs.close()
    return shown


def opensm_engines(window: MainWindow) -> QImage:
    """A shift in the order of `ftree`, under that engine and under `updn`. Needs OpenSM and ibsim."""
    sys.path.append(str(ROOT / "tests" / "exchange" / "infiniband"))
    from fabric_tools import simulated

    from designer.exchange.infiniband.opensm import read_tables

    generated(
        window,
        "rail-optimized",
        switch="nvidia-qm9700",
        server="dgx-h100",
        servers=127,
        servers_per_su=32,
        reserve_leaf_ports=4,
        racks="none",
    )
    make_bare(window)
    design, shown = window.session.design, []
    rank_of = {f"{one.name} mlx5_{gpu}": 8 * at + gpu for at, one in enumerate(design.servers()) for gpu in range(8)}
    os.chdir(tempfile.mkdtemp())
    for engine in ("ftree", "updn"):
        with simulated(design, Path(engine), "gpu-001 mlx5_0") as subnet:
            subnet.managed(engine)
        if engine == "ftree":
            lines = Path("ftree/opensm-ftree-ca-order.dump").read_text().splitlines()
            order = [rank_of.get(line.split("\t")[-1]) for line in lines]
            pairs = zip(order, order[SHIFTED:] + order[:SHIFTED], strict=True)
            rows = (f"{a},{b},67108864\n" for a, b in pairs if a is not None and b is not None)
            Path(f"shift-{SHIFTED}.csv").write_text("source,destination,bytes\n" + "".join(rows))
        tables = read_tables(Path(engine))
        run(window, collective=None, traffic=f"pairs:shift-{SHIFTED}.csv", routing="tables", tables=tables)
        result = window.session.workbench.simulation.current_result
        reported = format_time(result.time_s) if result is not None else ""
        shown.append((f"Shift by {SHIFTED}, OpenSM with {engine}: {reported}", canvas(window)))
    return side_by_side(shown)


def torus_bucket(window: MainWindow) -> None:
    generated(window, "torus", dims=(8, 8))
    run(window, collective="all-reduce", algorithm="bucket", routing="dimension-order")
    window.actions_table.trigger("study.timeline")
    window.docks.show("simulation")
    window.views.canvas.zoom_to_fit()
    window.session.workbench.heat_view.show_phase(1)
    rest(300)


def dragonfly_minimal_and_adaptive(window: MainWindow) -> QImage:
    generated(window, "dragonfly", p=2, a=4, h=2)
    make_bare(window)
    shown = []
    for routing, title in (("spray", "Minimal"), ("adaptive", "Adaptive (UGAL)")):
        run(window, traffic="shift:8", routing=routing)
        result = window.session.workbench.simulation.current_result
        reported = format_time(result.time_s) if result is not None else ""
        shown.append((f"Every group sends 1 GiB a host to the next, {title}: {reported}", canvas(window)))
    return side_by_side(shown)


def failed_spine(window: MainWindow) -> None:
    open_example(window, "superpod-h100-4su")
    run(window, collective="all-to-all", size_bytes=1 << 30)
    window.session.workbench.pins.pin()
    spine = next(device for device in window.session.design.devices.values() if device.role == "spine")
    window.session.set_failed(frozenset((spine.id,)))
    run(window, collective="all-to-all", size_bytes=1 << 30)
    window.actions_table.trigger("study.runs")
    window.docks.show("simulation")
    window.views.canvas.zoom_to_fit()
    rest(300)


def busbw(window: MainWindow) -> str:
    result = window.session.workbench.simulation.current_result
    return f"busbw {result.busbw_gbytes_per_s:.1f} GB/s" if result is not None else ""


def make_bare(window: MainWindow) -> None:
    """Leave only the drawing, in half the width."""
    window.docks.put_away()
    window.toolbar.hide()
    window.resize(*HALF)
    rest(500)
    window.views.canvas.zoom_to_fit()


def canvas(window: MainWindow) -> QImage:
    """The drawing alone, as it is seen."""
    rest(200)
    window.views.canvas.zoom_to_fit()
    rest(200)
    return window.views.canvas.grab().toImage()


def side_by_side(pictures: list[tuple[str, QImage]]) -> QImage:
    """Pictures in a row, each beneath its title."""
    head, gap = 34, 12
    width = sum(picture.width() for _, picture in pictures) + gap * (len(pictures) - 1)
    whole = QImage(width, pictures[0][1].height() + head, QImage.Format.Format_RGB32)
    whole.fill(QColor("#ffffff"))
    painter = QPainter(whole)
    font = painter.font()
    font.setBold(True)
    font.setPixelSize(17)
    painter.setFont(font)
    left = 0
    for title, picture in pictures:
        painter.drawText(left + 12, 23, title)
        painter.drawImage(left, head, picture)
        left += picture.width() + gap
    painter.end()
    return whole


def failures(window: MainWindow) -> None:
    open_example(window, "superpod-h100-4su", Scenario(collective="all-to-all"))
    window.actions_table.trigger("failures.sweep")
    panel = window.docks.failures
    panel.controls.show_kind("switch")
    panel.run()
    wait(lambda: window.session.workbench.failures.state == "current")
    panel.take(next(row for row in panel.table.shown.rows if row.failed.name.startswith("spine")))
    wait(lambda: panel.compared.failure_impact is not None, 600)


def congestion(window: MainWindow) -> None:
    generated(window, "pgft", children=(8, 8), parents=(1, 8))
    run(window, traffic="incast:8+shift:1", routing="destination", congestion="head-of-line")
    window.docks.show("simulation")
    window.views.canvas.zoom_to_fit()
    for area in window.docks.simulation.findChildren(QScrollArea):
        area.ensureWidgetVisible(window.docks.simulation.victims)
    rest(300)


def incast(window: MainWindow) -> None:
    """1,024 of 8,192 hosts send to one: the link that is hot is found from afar."""
    generated(window, "pgft", children=(32, 16, 16), parents=(1, 16, 16))
    window.docks.put_away()
    run(window, traffic="incast:1024", routing="ecmp", size_bytes=1 << 20)
    rest(300)
    window.views.canvas.zoom_to_fit()
    rest(600)


def matrix(window: MainWindow) -> None:
    """Leaf switches by spines, close enough to read."""
    open_example(window, "superpod-h100-4su", Scenario(traffic="permutation:1", routing="ecmp", size_bytes=1 << 30))
    window.actions_table.trigger("view.matrix")
    for name in ("palette", "findings"):
        window.docks.toggle(name)
    rest(300)
    view = window.views.matrix
    view.zoom_to_fit()
    view.move_camera(view.camera.zoomed(42 / 24 / view.camera.scale, 0, 0))
    left, top = view.camera.to_view(0.0, 0.0)
    view.move_camera(view.camera.moved(120 - left, 120 - top))
    window.session.select(view.cells.matrix.links_in(3, 8))
    rest(600)


def training(window: MainWindow) -> QImage:
    open_example(window, "superpod-h100-4su")
    window.actions_table.trigger("simulate.training")
    dialog = window.dialogs["training"]
    dialog.resize(1280, 860)
    for name, text in (("gpu_tflops", "989"), ("pipeline", "8"), ("tokens", "300B")):
        dialog.form.set_text(name, text)
    wait(lambda: dialog.step is not None, 400)
    return dialog.grab().toImage()


def inference(window: MainWindow) -> QImage:
    open_example(window, "superpod-h100-4su")
    window.actions_table.trigger("simulate.inference")
    dialog = window.dialogs["inference"]
    dialog.resize(1280, 860)
    dialog.form.choose_setup("deepseek-2025")
    for name, text in (("gpu_tflops", "1979"), ("memory_gbytes_per_s", "3350")):
        dialog.form.set_text(name, text)
    wait(lambda: dialog.service is not None, 400)
    return dialog.grab().toImage()


def queues(window: MainWindow) -> QImage:
    """An incast of 16 flows over the fat-tree, with a rate step for its ports."""
    open_example(window, "fat-tree-16-2to1")
    window.session.workbench.simulation.scenario = Scenario(traffic="incast:16", size_bytes=16e6)
    window.actions_table.trigger("simulate.queues")
    dialog: Any = window.dialogs["queues"]
    dialog.resize(1240, 720)
    dialog.form.set_text("rate_ai_gbps", "400M")
    dialog.run_button.click()
    wait(lambda: dialog.found is not None)
    rest(500)
    return dialog.grab().toImage()


def explore(window: MainWindow) -> QImage:
    """The search that the dialog begins with, its best candidate chosen."""
    window.actions_table.trigger("simulate.explore")
    dialog: Any = window.dialogs["explore"]
    dialog.resize(1240, 820)
    dialog.run_button.click()
    wait(lambda: dialog.job.found is not None)
    dialog.best.choose(0)
    rest(500)
    return dialog.grab().toImage()


def export_dialog(window: MainWindow) -> QImage:
    """The drawings of a SuperPOD in the export dialog, at the sheet of a rack."""
    open_example(window, "superpod-h100-4su")
    window.actions_table.trigger("file.export")
    dialog = window.dialogs["export"]
    dialog.choose("drawings")
    dialog.resize(1400, 860)
    wait(lambda: dialog.preview.current is dialog.preview.pages, 3000)
    dialog.preview.pages.list.setCurrentRow(RACK_SHEET)
    rest(3000)
    return dialog.grab().toImage()


def merge_conflict(window: MainWindow) -> QImage:
    """A link that both rewired, in the dialog that merges a colleague's changes."""
    dialog = _merging(window)
    dialog.conflicts.choose(next(n for n, row in enumerate(dialog.conflicts.rows) if row.what == "ends"))
    rest(300)
    return dialog.grab().toImage()


def merge_incoming(window: MainWindow) -> QImage:
    """The colleague's changes on the drawing, in the same dialog, dark."""
    window.appearance.choice = "dark"
    dialog = _merging(window)
    dialog.tabs.setCurrentIndex(1)
    rest(300)
    return dialog.grab().toImage()


def _merging(window: MainWindow) -> Any:
    """The dialog over a fat-tree that two people changed since it was saved."""
    base = document.load(ROOT / "examples" / "fat-tree-16-2to1.fabric")
    leafs = [one.id for one in base.devices.values() if one.role == "leaf"]
    spines = [one.id for one in base.devices.values() if one.role == "spine"]
    uplink = next(link for link in base.links_of(leafs[0]) if spines[0] in (link.a.device_id, link.b.device_id))
    theirs, folder = base.snapshot(), Path(tempfile.mkdtemp())
    document.save(base, folder / "fat-tree.fabric")
    session = window.session
    session.open(folder / "fat-tree.fabric")
    window.views.show_canvas()
    both = ((session.design, "leaf-A1", -1, session.push), (theirs, "tor-01", -2, theirs.apply))
    for design, name, port, steps in both:
        steps(operations.rename(design, leafs[0], name))
        free = design.free_ports(spines[1])[port].name
        ends = {"a" if uplink.a.device_id == spines[0] else "b": End(spines[1], free)}
        steps(Edit("Rewire", (Change(uplink, replace(uplink, **ends)),)))
    place = theirs.placements[leafs[-1]]
    type_ = theirs.device_type(leafs[-1])
    theirs.apply(
        operations.add_device(theirs, type_, place.x + 300, place.y, catalog_types={}, role="leaf", name="leaf-05")
    )
    for spine in spines:
        theirs.apply(operations.connect_devices(theirs, list(theirs.devices)[-1], spine, 4))
    theirs.apply(operations.delete(theirs, [theirs.servers()[9].id]))
    session.push(operations.delete(session.design, [session.design.servers()[2].id]))
    theirs.apply(operations.rename(theirs, theirs.servers()[2].id, "gpu-lab"))
    document.save(theirs, folder / "from-kim.fabric")
    window.dialogs.show("merge")
    dialog = window.dialogs["merge"]
    dialog.resize(1100, 700)
    dialog._use(folder / "fat-tree.fabric", folder / "from-kim.fabric")
    wait(lambda: dialog.merging.merged is not None, 500)
    return dialog


def jobs(window: MainWindow) -> None:
    """Two jobs on a SuperPOD, hashed: a ring beside an all-to-all."""
    open_example(window, "superpod-h100-4su")
    session = window.session
    session.workbench.simulation.scenario = Scenario(collective="all-reduce", routing="ecmp")
    servers = [server.id for server in session.design.servers()]
    placed = session.workbench.placed_jobs
    for name, part, collective in (("training", servers[:80], "all-reduce"), ("experts", servers[80:], "all-to-all")):
        session.select(part)
        window.actions_table.trigger("job.from_selection")
        placed.change(placed.jobs[-1], name=name, collective=collective)
    session.select([])
    window.actions_table.trigger("job.run")
    wait(lambda: placed.state == "current")
    table = window.docks.studies.jobs.table
    table.choose(0)
    window.views.canvas.zoom_to_fit()


def as_built(window: MainWindow) -> None:
    """A pod whose list of cables as built has crossed rails, swapped uplinks, missing cables and a leaf switch less."""
    generated(window, "rail-optimized", servers=32, servers_per_su=16)
    design = window.session.design
    link_of = {
        (design.device(end.device_id).name, end.port): one for one in design.links.values() for end in (one.a, one.b)
    }
    crossed = (("gpu-03", "rail1"), ("gpu-03", "rail2")), (("leaf-su1-r4", "32/1"), ("leaf-su1-r6", "25/1"))
    built = dict(design.links)
    for one, other in ((link_of[near], link_of[far]) for near, far in crossed):
        built[one.id], built[other.id] = replace(one, b=other.b), replace(other, b=one.b)
    for near in (("gpu-12", "rail7"), ("leaf-su1-r7", "32/1"), ("leaf-su1-r7", "32/2")):
        del built[link_of[near].id]
    lost = design.find("leaf-su2-r8").id
    rows = ["A-Node,A-Port,Z-Node,Z-Port"]
    for link in built.values():
        if lost not in (link.a.device_id, link.b.device_id):
            ends = (f"{design.device(end.device_id).name},{end.port}" for end in (link.a, link.b))
            rows.append(",".join(ends))
    path = Path(tempfile.mkdtemp()) / "cables-as-built.csv"
    path.write_text("\n".join(rows))
    window.docks.show("comparison")
    window.session.workbench.comparison.compare(path)
    wait(lambda: window.session.workbench.comparison.figures is not None)
    window.docks.give_room("comparison", 320)
    rest(300)
    window.views.canvas.zoom_to_fit()
    rest(300)


def budgets(window: MainWindow) -> QImage:
    """A line that is being drawn: what every device has left for it, with a veil over what cannot take it."""
    open_example(window, "faults")
    view, design = window.views.canvas, window.session.design
    window.docks.put_away()
    rest(300)
    view.zoom_onto([design.find(name).id for name in ("spine-01", "nas-01", "leaf-su1-r1", "leaf-su2-r2", "gpu-13")])
    view.set_tool("connect")
    rest(300)
    handle = window.windowHandle()
    start, end = (
        view.mapTo(window, view.box_px(design.find(name).id).center().toPoint()) for name in ("leaf-su2-r1", "spine-02")
    )
    QTest.mouseMove(handle, start)
    QTest.mousePress(handle, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, start)
    for share in range(1, 11):
        QTest.mouseMove(handle, start + (end - start) * share / 10)
        rest(20)
    shown = view.grab().toImage()
    view.gesture.cancel()
    QTest.mouseRelease(handle, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, end)
    return shown


def fix_preview(window: MainWindow) -> None:
    """All fixes of a design at once, before they are applied."""
    open_example(window, "faults")
    window.actions_table.trigger("check.preview_all")
    wait(window.construction.isVisible, 300)
    window.docks.put_away()
    window.docks.show("findings")
    rest(300)
    window.views.canvas.zoom_to_fit()
    rest(600)


def findings_by_rule(window: MainWindow) -> None:
    open_example(window, "faults")
    panel = window.docks.findings
    panel.group("rule")
    window.docks.show("findings")
    window.docks.give_room("findings", 400)
    panel.table.choose(next(n for n, row in enumerate(panel.model.rows) if row.code == "PORT-002" and row.finding))
    panel.table.scrollTo(panel.table.currentIndex(), panel.table.ScrollHint.PositionAtCenter)
    rest(300)
    panel.going.emit(frozenset(panel.current_finding().subjects))
    rest(600)


def rule_page(window: MainWindow) -> QImage:
    open_example(window, "faults")
    window.dialogs.show_guide("rules")
    guide = window.dialogs["guide"]
    guide.resize(1200, 820)
    rest(600)
    window.dialogs.show_guide(topics.of_rule("PORT-003"))
    rest(600)
    return guide.grab().toImage()


def findings_report(window: MainWindow) -> QImage:
    """The page that `validate --format html` writes, as a browser shows it."""
    open_example(window, "faults")
    design = window.session.design
    return web_page(window, report_page(design, validate(design)))


def web_page(window: MainWindow, text: str) -> QImage:
    """A page of HTML as a browser shows it, in the theme of the window."""
    browser = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    if browser is None:
        sys.exit(f"the picture of a web page needs a browser: install {' or '.join(BROWSERS)}")
    folder = Path(tempfile.mkdtemp())
    page, shot = folder / "page.html", folder / "page.png"
    page.write_text(text, encoding="utf-8")
    theme = ["--blink-settings=preferredColorScheme=0"] if window.appearance.dark else []
    flags = ("--headless", "--no-sandbox", "--hide-scrollbars", "--window-size=1100,1500", f"--user-data-dir={folder}")
    subprocess.run([browser, *flags, *theme, f"--screenshot={shot}", page.as_uri()], check=True, capture_output=True)
    return QImage(str(shot))


def acceptance(window: MainWindow) -> QImage:
    """An acceptance sheet with synthetic results: half of a rail's cables run at half rate."""
    open_example(window, "superpod-h100-4su")
    design, scenario = window.session.design, Scenario(collective="all-reduce", size_bytes=1.0)
    sheet, graph = acceptance_sheet(design, scenario, "64MiB:8GiB", 0.1), build(design)
    cables = Faults(design, graph, scenario, np.zeros((1, len(graph.link_ids)))).rail_links()[3][::2]
    slow = degraded(graph, Fault("rail-half", "", 1.0, tuple(cables), HALF_RATE))
    noise, tests = np.random.default_rng(16), []
    for part in (run.part for run in sheet.parts):
        found = bandwidth(slow, replace(scenario, ranks=part.ranks), sheet.sizes, lambda _share: None)
        rows = []
        for point in found.points:
            rate = point.busbw_gbytes_per_s * 0.96 * (1 + noise.normal(0, 0.02))
            time_us = point.time_us * point.busbw_gbytes_per_s / rate
            rows.append(MeasuredRow(round(point.size_bytes), time_us, None, rate))
        measurement = Measurement(id=part.name, collective="all-reduce", rows=tuple(rows), part=part.name)
        tests.append(MeasuredPart(part, measurement))
    diagnosis = diagnose(design, graph, scenario, tests, USUAL_TOLERANCE, lambda _share: None)
    return web_page(window, acceptance_page(sheet, diagnosis))


def growth(window: MainWindow) -> QImage:
    """A fat-tree in three phases; the third takes it to another tier."""
    stages = (
        ("Now", {"server": "dgx-h100", "switch": "nvidia-qm9700", "servers": "64"}),
        ("Next year", {"servers": "128"}),
        ("Third tier", {"servers": "512"}),
    )
    catalog = window.session.catalog
    prices = PriceList("", {"dgx h100": Price(Decimal(300_000), "USD"), "qm9700": Price(Decimal(27_000), "USD")})
    times = WorkTimes(pull=12, move=8, remove=4, install=90, crew=6)
    steps = phase_steps(phases_of_family("fat-tree", stages, catalog, "Pod"), catalog.types, prices, times=times)
    renderer = QSvgRenderer(plan_svg("Pod", steps).encode())
    image = QImage(renderer.defaultSize(), QImage.Format.Format_RGB32)
    painter = QPainter(image)
    renderer.render(painter)
    painter.end()
    return image


PICTURES: dict[str, Callable[[MainWindow], QImage | None]] = {
    "superpod-4su-heat": superpod,
    "fat-tree-dark": oversubscribed,
    "faults": faults,
    "dragonfly-plus": dragonfly,
    "torus-3d": torus,
    "floor-plan": floor,
    "rack-elevation": elevation,
    "opened-server": opened_server,
    "bandwidth-by-size": curve,
    "measured-over-models": measured_over_models,
    "ecmp-beside-spray": ecmp_beside_spray,
    "designs-side-by-side": designs_beside,
    "opensm-engines": opensm_engines,
    "torus-bucket": torus_bucket,
    "dragonfly-minimal-adaptive": dragonfly_minimal_and_adaptive,
    "failed-spine": failed_spine,
    "failures": failures,
    "training-step": training,
    "explore": explore,
    "inference": inference,
    "queues": queues,
    "export-dialog": export_dialog,
    "merge": merge_conflict,
    "merge-incoming": merge_incoming,
    "congestion": congestion,
    "incast-8192": incast,
    "matrix": matrix,
    "jobs": jobs,
    "as-built-faults": as_built,
    "budgets": budgets,
    "fix-preview": fix_preview,
    "findings-by-rule": findings_by_rule,
    "rule-page": rule_page,
    "findings-report": findings_report,
    "growth-phases": growth,
    "acceptance-sheet": acceptance,
}
IN_BOTH_THEMES = ("as-built-faults", "budgets", "fix-preview", "findings-by-rule", "rule-page", "findings-report")
OF_THE_VIEW_ALONE = ("dragonfly-plus", "torus-3d", "floor-plan", "rack-elevation", "opened-server")


def of_examples(app: QApplication) -> None:
    """The small pictures of the examples that the welcome screen shows, in both themes."""
    for path in example_files():
        design = document.load(path)
        for theme in THEMES.values():
            shown = Miniature(Appearance(app, theme.name))
            shown.setMinimumSize(1, 1)
            shown.resize(2 * PICTURE)
            shown.show_design(design)
            target = picture_of(path, theme.name)
            shown.grab().toImage().save(str(target))
            print(target.relative_to(ROOT))


def of_presets(app: QApplication, ids: Sequence[str] = ()) -> None:
    """The small pictures of published designs that *Generate Fabric* shows, in both themes; without ids of all."""
    catalog = load()
    for preset in presets():
        if ids and preset.id not in ids:
            continue
        design, family, parameters = Design(), family_of(preset), parameters_of(preset)
        if family.counts(parameters, catalog).too_large:
            parameters = replace(parameters, only_plane=1)
        design.apply(family.build(design, parameters, catalog))
        for theme in THEMES.values():
            shown = Miniature(Appearance(app, theme.name))
            shown.setMinimumSize(1, 1)
            shown.resize(2 * preset_list.PICTURE)
            shown.show_design(design)
            target = preset_list.picture_of(preset, theme.name)
            target.parent.mkdir(exist_ok=True)
            of_few_colours(shown.grab().toImage()).save(str(target))
            print(target.relative_to(ROOT))


def of_few_colours(image: QImage) -> QImage:
    """The image in its most frequent colors, which makes its file a fourth as large."""
    image = image.convertToFormat(QImage.Format.Format_RGB32)
    pixels = np.frombuffer(image.constBits(), np.uint32)
    colours, numbers = np.unique(pixels, return_counts=True)
    table = [int(colour) for colour in colours[np.argsort(-numbers, kind="stable")[:COLOURS]]]
    return image.convertToFormat(QImage.Format.Format_Indexed8, table, Qt.ImageConversionFlag.ThresholdDither)


def main(names: list[str]) -> int:
    app = make_application(sys.argv)
    catalog = load()
    if not names or EXAMPLES in names:
        of_examples(app)
    published = [one.id for one in presets() if one.id in names]
    if not names or PRESETS in names or published:
        of_presets(app, published)
    names = [name for name in names or PICTURES if name not in (EXAMPLES, PRESETS, *published)]
    for name in names:
        for theme in THEMES if name in IN_BOTH_THEMES else ("light",):
            make(app, catalog, name, theme)
    return 0


def make(app: QApplication, catalog: Catalog, name: str, theme: str) -> None:
    """Make one picture from a window of its own, and write it next to the pages."""
    session = Session(catalog)
    preferences = Preferences(Path(tempfile.mkdtemp()) / "window.ini")
    window = MainWindow(session, preferences, Appearance(app, theme), Questions())
    window.resize(*SIZE)
    window.show()
    picture = PICTURES[name](window)
    window.notice.hide()
    rest(300)
    target = ROOT / "docs" / f"{name}{'-dark' if theme == 'dark' else ''}.png"
    shown = window.views.current if name in OF_THE_VIEW_ALONE else window
    image = picture or shown.grab().toImage()
    image.save(str(target))
    print(target.relative_to(ROOT))
    session.undo_stack.setClean()
    window.close()
    session.close()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
