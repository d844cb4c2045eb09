"""The tour of the README, step by step in the real window: each step shows what the README promises."""

import os
import re
from collections import Counter
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel
from test_main_job import CONTROL, Driver

from designer.topologies.families import FAMILIES

README = Path(__file__).resolve().parents[2] / "README.md"
PLAIN = " ".join(re.sub(r"[*`]", "", README.read_text("utf-8")).split())
SHIFT = Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def driver(window, qtbot):
    return Driver(window, qtbot)


def promised(sentence: str) -> None:
    """What is checked next stands in the README, word for word."""
    assert " ".join(sentence.split()) in PLAIN


def counts(dialog) -> set[tuple[str, str]]:
    """The figures of the preview with their names."""
    parts = (dialog.preview.itemAt(number).widget() for number in range(dialog.preview.count()))
    return {tuple(one.text() for one in part.findChildren(QLabel)) for part in parts}


def select(session, ids) -> None:
    session.select(ids)
    QTest.qWait(50)  # commands follow the selection in the next turn of the event loop


def look(window, name: str) -> None:
    """Keeps a picture where FABRIC_TOUR_PICTURES names a folder."""
    folder = os.environ.get("FABRIC_TOUR_PICTURES")
    if folder:
        QTest.qWait(400)
        window.grab().save(f"{folder}/{name}.png")


def test_the_tour_shows_what_it_promises(driver, window):
    session = window.session

    # 1. Generate.
    driver.key(Qt.Key.Key_N, CONTROL | SHIFT)
    dialog = window.dialogs["generate"]
    dialog.list.setCurrentRow([family.name for family in FAMILIES].index("rail-optimized"))
    for field, text in (("servers", "127"), ("servers_per_su", "32"), ("reserve_leaf_ports", "4")):
        dialog.form.set_text(field, text)
    promised("Rail-optimized, QM9700, DGX H100, 127 servers, 32 servers per SU, 4 reserved leaf ports")
    promised("The counts appear as you type.")
    driver.wait(lambda: counts(dialog) >= {("127", "servers"), ("32", "leaf switches"), ("16", "spine switches")})
    look(dialog, "1-dialog")
    dialog.generate.click()
    driver.wait(lambda: len(session.design.servers()) == 127)
    promised("127 servers, 32 leaf switches and 16 spine switches in racks, with every cable routed and selected")
    roles = Counter(switch.role for switch in session.design.switches())
    assert roles == {"leaf": 32, "spine": 16}
    assert session.design.racks
    assert all(link.medium_id and link.length_m for link in session.design.links.values())
    promised("Findings shows 0 errors and 0 warnings")
    driver.wait(lambda: session.workbench.validation.is_current)
    assert session.workbench.validation.report.findings == ()
    look(window, "1")

    # 2. Run.
    window.activateWindow()
    driver.wait(window.isActiveWindow)
    driver.key(Qt.Key.Key_F5)
    driver.wait(lambda: session.workbench.simulation.heat is not None)
    promised("here the NICs set the pace, not the fabric")
    shown = {one.text() for one in window.docks.simulation.findChildren(QLabel) if one.isVisibleTo(window)}
    assert [text for text in shown if "the NIC sets the pace, not the fabric" in text]
    look(window, "2")

    # 3. Live: delete an uplink, undo.
    driver.key(Qt.Key.Key_F6)
    assert session.workbench.simulation.live
    leaf, spine = session.design.find("leaf-su1-r1").id, session.design.find("spine-01").id
    uplink = next(link.id for link in session.design.links_of(leaf) if spine in (link.a.device_id, link.b.device_id))
    window.views.go_to(frozenset({leaf}))
    select(session, [uplink])
    driver.key(Qt.Key.Key_Delete)
    assert uplink not in session.design.links
    driver.wait(
        lambda: (
            session.workbench.simulation.heat is not None
            and uplink not in session.workbench.simulation.heat.utilization
        )
    )
    driver.wait(lambda: session.workbench.validation.is_current)
    promised("oversubscribed and uneven (OVER-001, SPREAD-001), each with the fix Add 1 uplink")
    found = {finding.code: finding for finding in session.workbench.validation.report.findings}
    assert set(found) == {"OVER-001", "SPREAD-001"}
    assert {finding.fix.label for finding in found.values()} == {"Add 1 uplink to leaf-su1-r1"}
    look(window, "3")
    driver.key(Qt.Key.Key_Z, CONTROL)
    assert uplink in session.design.links
    driver.wait(
        lambda: (
            session.workbench.simulation.heat is not None and uplink in session.workbench.simulation.heat.utilization
        )
    )

    # 4. A spine switch marked as failed, and restored.
    select(session, [spine])
    driver.key(Qt.Key.Key_X)
    assert spine in session.failed
    driver.wait(
        lambda: (
            session.workbench.simulation.heat is not None
            and session.workbench.simulation.heat.utilization.get(uplink, (0, 0)) == (0, 0)
        )
    )
    promised("its links carry nothing")
    look(window, "4")
    promised("Shift+X restores it")
    select(session, [spine])
    driver.key(Qt.Key.Key_X, SHIFT)
    assert spine not in session.failed

    # 5. A switch dragged in and joined by a drag with the connect tool.
    window.actions_table.trigger("view.zoom_fit")
    new, other = (driver.drag_in("nvidia-qm9700", x, 60) for x in (60, 400))
    driver.key(Qt.Key.Key_C)
    driver.drag_on_canvas(driver.box(new), driver.box(other))
    assert [{link.a.device_id, link.b.device_id} for link in session.design.links_of(new)] == [{new, other}]
    driver.key(Qt.Key.Key_V)
    look(window, "5")

    # 6. Two jobs.
    servers = [server.id for server in session.design.servers()]
    for some in (servers[:16], servers[16:32]):
        window.views.canvas.setFocus()
        select(session, some)
        driver.key(Qt.Key.Key_J)
    assert [len(job.servers) for job in session.design.jobs.values()] == [16, 16]
    look(window, "6")

    # 7. Palette and guide.
    window.views.canvas.setFocus()
    driver.key(Qt.Key.Key_K, CONTROL)
    assert window.picker.isVisible()
    look(window, "7")
    QTest.keyClick(window.picker.line, Qt.Key.Key_Escape)
    driver.key(Qt.Key.Key_F1)
    assert window.dialogs["guide"].isVisible()
