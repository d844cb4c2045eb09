"""An installed plug-in shows up wherever built-in rows do."""

import json
from pathlib import Path

import pytest

ACME = Path(__file__).parent / "acme"

WINDOW = """
import json, os, sys
from pathlib import Path
from PySide6.QtWidgets import QApplication, QLabel, QMenu
from designer.catalog.catalog import load
from designer.panels.widgets.appearance import Appearance
from designer.panels.simulation.simulation_controls import SimulationControls
from designer.session.preferences import Preferences
from designer.session.session import Session
from designer.storage import document
from designer.windows.application import report_plugins
from designer.windows.dialogs.about import AboutDialog
from designer.windows.dialogs.generate import GenerateDialog
from designer.windows.dialogs.questions import Questions
from designer.windows.shell.main_window import MainWindow

class Answers(Questions):
    def save_path(self, title, suggestion, file_filter):
        return Path("from-window.adj")

def texts(box):
    return [box.itemText(row) for row in range(box.count())]

app = QApplication(["test"])
session = Session(load())
window = MainWindow(session, Preferences(Path("window.ini")), Appearance(app, "light"), Answers())
complaints = []
window.notice.complain = complaints.append
report_plugins(window)
dialog = GenerateDialog(window.desk)
dialog.list.setCurrentRow([family.name for family in dialog.families].index("star"))
session.design.adopt(document.load("star.fabric"))
window.actions_table.trigger("export.plugin.adjacency")
while session.jobs.busy("export"):
    app.processEvents()
export = window.actions_table["export.plugin.adjacency"].text().replace("&", "")
controls = window.docks.simulation.findChildren(SimulationControls)[0]
print(json.dumps({
    "families": [dialog.list.item(row).text() for row in range(dialog.list.count())],
    "export": export,
    "in menu": any(export in [one.text().replace("&", "") for one in menu.actions()]
                   for menu in window.findChildren(QMenu)),
    "about": [one.text() for one in AboutDialog(window.desk).findChildren(QLabel)],
    "algorithms": texts(controls.algorithm),
    "routings": texts(controls.fields["routing"]),
    "complaints": complaints,
}))
sys.stdout.flush()
os._exit(0)  # threads of previews need not be waited for
"""


def test_the_plug_in_is_small() -> None:
    assert sum(len(path.read_text("utf-8").splitlines()) for path in ACME.glob("*.*")) < 200


def test_the_version_lists_plug_ins_without_loading_them(with_acme) -> None:
    (with_acme.site / "acme_fabrics.py").touch()
    stated = with_acme("--version")
    assert stated.code == 0 and stated.out.startswith("fabric-designer ")
    assert stated.out.splitlines()[1] == (
        "plug-in acme-fabrics 1.2: collective algorithm parameter-server; export format adjacency; "
        "topology family star; import format host-list; routing policy static-hash; rule ACME-001"
    )


def test_every_command_knows_the_rows_of_the_plug_in(with_acme) -> None:
    assert "star" in with_acme("generate", "--help").out
    assert "--hosts N" in with_acme("generate", "star", "--help").out
    made = with_acme("generate", "star", "--hosts", 4, "-o", "star.fabric")
    assert made.code == 0 and "4 hosts; 1 leaf" in made.err and "links: 4 server-leaf" in made.err

    found = with_acme("validate", "star.fabric", "--format", "json")
    findings = [finding for finding in json.loads(found.out)["findings"] if finding["code"] == "ACME-001"]
    assert [finding["message"] for finding in findings] == ["hub-01 has no spare port"]
    assert "ACME-001" in with_acme("validate", "--help").out

    assert with_acme("export", "star.fabric", "--to", "adjacency", "-o", "a.adj", "--option", "sorted=yes").code == 0
    lines = (with_acme.folder / "a.adj").read_text("utf-8").splitlines()
    assert lines == [f"host-{n:02d} hub-01" for n in range(1, 5)]
    assert "sorted=yes|no" in with_acme("export", "--list").out

    (with_acme.folder / "names.txt").write_text("a1\na2\n")
    assert "2 hosts" in with_acme("import", "host-list", "names.txt", "-o", "hosts.fabric").err
    assert "host-list" in with_acme("import", "--list").out


def test_the_algorithm_and_the_policy_are_simulated_and_explained(with_acme) -> None:
    with_acme("generate", "star", "--hosts", 4, "-o", "star.fabric")
    wanted = ("--collective", "all-reduce", "--algorithm", "parameter-server", "--routing", "static-hash")
    stated = with_acme("simulate", "star.fabric", *wanted, "--size", "1GB", "--latency", "none", "--format", "json")
    assert stated.code == 0, stated.err
    result = json.loads(stated.out)
    # 3 GB into one port of 400 Gb/s, and 3 GB out of it.
    assert result["time_s"] == pytest.approx(2 * 3 * 8 / 400)
    assert result["model"]["algorithm"] == "parameter-server"
    assert result["model"]["routing_means"].startswith("Flows between two ranks are hashed onto one path")
    helped = " ".join(with_acme("simulate", "--help").out.split())
    assert "parameter-server" in helped and "static-hash" in helped
    other = with_acme(
        "simulate", "star.fabric", "--collective", "broadcast", "--algorithm", "parameter-server", "--size", "1GB"
    )
    assert other.code == 2 and "there is no algorithm of broadcast 'parameter-server'" in other.err


def test_the_window_offers_what_the_plug_in_adds(with_acme) -> None:
    with_acme("generate", "star", "--hosts", 4, "-o", "star.fabric")
    stated = with_acme.python("-c", WINDOW)
    assert stated.code == 0 and stated.out, stated.err
    shown = json.loads(stated.out)
    assert shown["families"][-1] == "Star"
    assert shown["export"] == "Adjacency List…" and shown["in menu"]
    assert (with_acme.folder / "from-window.adj").read_text("utf-8").count("hub-01") == 4
    assert any(text.startswith("Plug-in acme-fabrics 1.2: ") for text in shown["about"])
    assert shown["complaints"] == []
    assert "Parameter server" in shown["algorithms"] and "Static hash" in shown["routings"]
