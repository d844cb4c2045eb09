"""The catalog browser, types of one's own and NetBox files, in the real window."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialogButtonBox, QLabel, QTableWidgetItem

from designer.catalog.catalog import load
from designer.paths import own_types_dir

NETBOX = Path(__file__).parent.parent / "exchange" / "data" / "netbox"


@pytest.fixture
def browser(make_window, qtbot):
    window = make_window()
    window.show()
    window.actions_table.trigger("catalog.browse")
    dialog = window.dialogs["catalog"]
    yield window, dialog
    dialog.close()
    for path in own_types_dir().glob("*.yaml"):
        path.unlink()


def shown(dialog) -> str:
    return "\n".join(part.text() for part in dialog._facts.widget().findChildren(QLabel))


def test_search_and_kind_narrow_the_list_and_facts_come_with_their_sources(browser, qtbot):
    _, dialog = browser
    assert dialog.list.topLevelItemCount() == len(load().types)
    qtbot.keyClicks(dialog.search, "nvidia infiniband")
    dialog.kind.setCurrentIndex(dialog.kind.findData("switch"))
    dialog.choose("nvidia-qm9700")
    assert dialog.chosen.id == "nvidia-qm9700"
    assert "NVIDIA QM9700" in shown(dialog) and "NVIDIA QM97XX user manual" in shown(dialog)
    assert "not published" in shown(dialog)  # its price
    dialog.search.setText("no such thing")
    assert dialog.chosen is None and not dialog.add.isEnabled() and dialog._nothing.isVisible()


def test_a_letter_of_the_search_shows_one_type_and_none_of_those_that_go(browser, monkeypatch):
    _, dialog = browser
    dialog.choose("nvidia-qm9700")
    pages = []
    monkeypatch.setattr(dialog._facts, "setWidget", pages.append)
    dialog.search.setText("n")
    assert len(pages) == 1
    dialog.search.setText("arista")
    assert len(pages) == 2 and dialog.chosen.vendor == "Arista"


def test_a_type_is_added_to_the_design_from_the_browser(browser, qtbot):
    window, dialog = browser
    dialog.choose("nvidia-sn5610")
    qtbot.mouseClick(dialog.add, Qt.MouseButton.LeftButton)
    assert [device.type_id for device in window.session.design.devices.values()] == ["nvidia-sn5610"]


def test_a_copy_is_edited_saved_used_and_deleted(browser, qtbot):
    window, dialog = browser
    dialog.choose("nvidia-qm9700")
    qtbot.mouseClick(dialog.copy, Qt.MouseButton.LeftButton)
    editor = dialog.editor
    assert editor.lines["id"].text() == "my-nvidia-qm9700"
    editor.lines["latency_ns"].setText("fast")
    qtbot.mouseClick(editor.buttons.button(QDialogButtonBox.StandardButton.Save), Qt.MouseButton.LeftButton)
    assert "Latency (ns): 'fast' is not a number" in editor.refusal.text()
    editor.lines["latency_ns"].setText("99")
    editor.lines["rack_units"].setText("99999")
    qtbot.mouseClick(editor.buttons.button(QDialogButtonBox.StandardButton.Save), Qt.MouseButton.LeftButton)
    assert editor.refusal.text() == "A height of 99,999 U is more than any hardware has: 100 U at most."
    editor.lines["rack_units"].setText("1")
    editor.lines["price_usd"].setText("")
    editor.tables["cages"].item(0, 0).setText("16")
    qtbot.mouseClick(editor.buttons.button(QDialogButtonBox.StandardButton.Save), Qt.MouseButton.LeftButton)
    assert dialog.chosen.id == "my-nvidia-qm9700" and dialog.chosen.latency_ns == 99
    assert window.session.catalog.own == {"my-nvidia-qm9700"}
    qtbot.mouseClick(dialog.add, Qt.MouseButton.LeftButton)
    (device,) = window.session.design.devices.values()
    assert len(window.session.design.ports(device.id)) == 32
    qtbot.mouseClick(dialog.edit, Qt.MouseButton.LeftButton)
    dialog.editor.lines["id"].setText("quiet-switch")
    dialog.editor.save()
    assert window.session.catalog.own == {"quiet-switch"}
    qtbot.mouseClick(dialog.delete, Qt.MouseButton.LeftButton)
    assert (
        window.session.catalog.own == frozenset()
        and "designs that use it keep their copy" in dialog.netbox.summary.text()
    )
    assert window.session.design.device_type(device.id).latency_ns == 99


def test_a_cable_shows_its_part_numbers_by_length_and_sources_their_dates(browser):
    _, dialog = browser
    dialog.choose("dac-ndr-split2")
    assert "2 m: MCP7Y00-N002, 980-9I924-00N002" in shown(dialog)
    assert "(official, 2025-06-24)" in shown(dialog)
    dialog.choose("tr-800-2sr4")
    assert "OSFP flat-top: MMA4Z00-NS-FLT, 980-9I51A-00NS00" in shown(dialog)


@pytest.mark.parametrize(
    "type_id", ["dgx-b200", "connectx-8-xdr", "rack-42u", "dac-ndr-twin", "gaudi2-hls2", "vera-rubin-nvl72"]
)
def test_every_kind_of_type_can_be_copied_as_it_is(browser, type_id):
    _, dialog = browser
    dialog.choose(type_id)
    dialog._copy()
    dialog.editor.save()
    assert dialog.editor.refusal.text() == ""
    assert dialog.chosen.id == f"my-{type_id}"


def test_an_id_that_is_taken_is_refused(browser):
    _, dialog = browser
    dialog.choose("rack-42u")
    dialog._copy()
    dialog.editor.lines["id"].setText("rack-48u")
    dialog.editor.save()
    assert "rack-48u already" in dialog.editor.refusal.text()
    dialog._desk.questions.on_discard = [True]
    dialog.editor.reject()


def test_what_was_typed_is_not_given_up_without_a_question(browser, qtbot):
    _, dialog = browser
    answers = dialog._desk.questions
    dialog.choose("nvidia-qm9700")
    dialog._copy()
    editor = dialog.editor
    qtbot.keyClick(editor, Qt.Key.Key_Escape)
    assert not editor.isVisible() and not answers.asked, "nothing was typed"
    dialog._copy()
    editor = dialog.editor
    editor.lines["latency_ns"].setText("99")
    answers.on_discard = [False, False, True]
    qtbot.keyClick(editor, Qt.Key.Key_Escape)
    assert editor.isVisible() and editor.lines["latency_ns"].text() == "99"
    editor.close()
    assert editor.isVisible()
    assert answers.asked == ["discard QM9700 (copy)"] * 2
    qtbot.mouseClick(editor.buttons.button(QDialogButtonBox.StandardButton.Cancel), Qt.MouseButton.LeftButton)
    assert not editor.isVisible()
    assert "my-nvidia-qm9700" not in dialog._desk.catalog.types


def test_a_type_that_was_saved_is_closed_without_a_question(browser):
    _, dialog = browser
    dialog.choose("nvidia-qm9700")
    dialog._copy()
    dialog.editor.lines["latency_ns"].setText("99")
    dialog.editor.save()
    assert not dialog.editor.isVisible() and not dialog._desk.questions.asked


def imported(dialog, qtbot) -> str:
    qtbot.waitUntil(lambda: not dialog.netbox.busy)
    return f"{dialog.netbox.summary.text()}\n{dialog.netbox.details.toPlainText()}"


def test_netbox_files_are_imported_and_what_was_skipped_is_told(browser, answers, tmp_path, qtbot):
    window, dialog = browser
    path = tmp_path / "mine.yaml"
    path.write_text((NETBOX / "SN5600.yaml").read_text().replace("nvidia-sn5600", "my-sn5600"))
    window.desk.questions.on_open += [path, NETBOX]
    dialog._import_file()
    assert imported(dialog, qtbot).startswith("1 type imported")
    assert window.session.catalog.own == {"my-sn5600"} and dialog.chosen.id == "my-sn5600"
    dialog._import_folder()
    reported = imported(dialog, qtbot)
    assert "DGC-A100.yaml, line" in reported
    assert "the catalog has nvidia-qm9700 already" in reported
    window.desk.questions.on_open.append(tmp_path / "nowhere")
    dialog._import_folder()
    assert "neither a file nor a folder" in imported(dialog, qtbot)


def test_an_import_that_is_cancelled_takes_nothing_in(browser, answers, tmp_path, qtbot):
    window, dialog = browser
    text = (NETBOX / "SN5600.yaml").read_text()
    for number in range(200):
        (tmp_path / f"{number}.yaml").write_text(text.replace("nvidia-sn5600", f"my-sn{number}"))
    window.desk.questions.on_open.append(tmp_path)
    dialog._import_folder()
    assert dialog.netbox.cancel.isVisible()
    qtbot.mouseClick(dialog.netbox.cancel, Qt.MouseButton.LeftButton)
    assert "cancelled" in dialog.netbox.summary.text() and not dialog.netbox.cancel.isVisible()
    window.session.jobs.shut_down()
    assert load().own == frozenset()


def put(table, row, **values):
    for name, text in values.items():
        column = [one.name for one in table._fields].index(name)
        table.setItem(row, column, QTableWidgetItem(text))


def test_port_groups_are_rows_of_a_table_that_grows_and_shrinks(browser):
    window, dialog = browser
    dialog.choose("nvidia-sn5600")
    dialog._copy()
    editor = dialog.editor
    cages = editor.tables["cages"]
    assert cages.rowCount() == 2 and not cages._text(1, 0), "the last row is for one more"
    put(cages, 1, count="many", form_factor="SFP28")
    assert cages.rowCount() == 3
    editor.save()
    assert "Cages, row 2, Count: 'many' is not a number" in editor.refusal.text()
    put(cages, 1, count="2")
    editor.save()
    assert not editor.isVisible()
    made = window.session.catalog.types["my-nvidia-sn5600"]
    assert [(one.count, one.form_factor) for one in made.cages] == [(64, "OSFP"), (2, "SFP28")]
    dialog._edit()
    put(dialog.editor.tables["cages"], 1, count="", form_factor="")
    dialog.editor.save()
    assert [one.count for one in window.session.catalog.types["my-nvidia-sn5600"].cages] == [64]


def test_modes_of_uplinks_are_a_cell_of_the_table_of_cages(browser):
    window, dialog = browser
    dialog.choose("nvidia-sn2201")
    dialog._copy()
    cages = dialog.editor.tables["cages"]
    column = [one.name for one in cages._fields].index("modes")
    assert cages._text(0, column) == ""
    assert cages._text(1, column) == "[{name: 4x100G, ports_per_cage: 1, rate_gbps: 100.0, port_name: 'swp{cage}'}]"
    put(cages, 1, modes="[{name: 4x40G, ports_per_cage")
    dialog.editor.save()
    assert dialog.editor.refusal.text().startswith("Cages, row 2, Modes: ")
    put(cages, 1, modes="[{name: 4x40G, ports_per_cage: 1, rate_gbps: 40, port_name: 'swp{cage}'}]")
    dialog.editor.tabs.setCurrentIndex(1)
    assert "name: 4x40G" in dialog.editor.yaml.toPlainText()
    dialog.editor.tabs.setCurrentIndex(0)
    dialog.editor.lines["capacity_tbps"].setText("0.208")
    dialog.editor.save()
    made = window.session.catalog.types["my-nvidia-sn2201"]
    assert [(one.count, [mode.name for mode in one.modes]) for one in made.cages] == [(48, []), (4, ["4x40G"])]


def test_form_and_yaml_state_the_same_and_each_shows_what_the_other_was_given(browser):
    window, dialog = browser
    dialog.choose("nvidia-qm9700")
    dialog._copy()
    editor = dialog.editor
    editor.lines["latency_ns"].setText("99")
    editor.tabs.setCurrentIndex(1)
    text = editor.yaml.toPlainText()
    assert "kind: switch" in text and "latency_ns: 99" in text and "form_factor: OSFP" in text
    for wrong in (("latency_ns: 99", "latency_ns: fast"), ("kind: switch", "kind: rack")):
        editor.yaml.setPlainText(text.replace(*wrong))
        editor.tabs.setCurrentIndex(0)
        assert editor.tabs.currentIndex() == 1 and editor.refusal.isVisible(), "the form cannot show it"
    editor.yaml.setPlainText(text.replace("latency_ns: 99", "latency_ns: 77") + "sources: [my-sheet]\n")
    editor.tabs.setCurrentIndex(0)
    assert editor.tabs.currentIndex() == 0 and not editor.refusal.isVisible()
    assert editor.lines["latency_ns"].text() == "77"
    editor.lines["latency_ns"].setText("slow")
    editor.tabs.setCurrentIndex(1)
    assert editor.tabs.currentIndex() == 0 and "is not a number" in editor.refusal.text()
    editor.lines["latency_ns"].setText("78")
    editor.tabs.setCurrentIndex(1)
    assert "latency_ns: 78" in editor.yaml.toPlainText() and "my-sheet" in editor.yaml.toPlainText()
    editor.yaml.setPlainText(editor.yaml.toPlainText().replace("latency_ns: 78", "latency_ns: 79"))
    editor.save()
    made = window.session.catalog.types["my-nvidia-qm9700"]
    assert made.latency_ns == 79 and made.sources == ("my-sheet",)


def test_what_was_typed_as_yaml_is_not_given_up_without_a_question_either(browser, qtbot):
    _, dialog = browser
    dialog.choose("nvidia-qm9700")
    dialog._copy()
    editor, answers = dialog.editor, dialog._desk.questions
    editor.tabs.setCurrentIndex(1)
    editor.tabs.setCurrentIndex(0)
    assert not editor.is_changed, "only looked at"
    editor.tabs.setCurrentIndex(1)
    editor.yaml.setPlainText(editor.yaml.toPlainText() + "airflow: front-to-rear\n")
    editor.tabs.setCurrentIndex(0)
    answers.on_discard = [False, True]
    qtbot.keyClick(editor, Qt.Key.Key_Escape)
    assert editor.isVisible()
    qtbot.keyClick(editor, Qt.Key.Key_Escape)
    assert not editor.isVisible()
