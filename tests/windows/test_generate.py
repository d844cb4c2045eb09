"""The generator's dialog: a form made of the parameters, counts while typing, one undo step."""

from collections import Counter
from dataclasses import fields, replace

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QPixmap
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QScrollArea

from designer.analysis.new_designs import addition, new_design
from designer.errors import Cancelled
from designer.model import operations
from designer.model.design import Design
from designer.model.operations import set_settings
from designer.model.policies import set_policy
from designer.model.policy import Policy
from designer.panels.widgets.field_form import ParameterForm
from designer.storage import document
from designer.topologies.families import FAMILIES
from designer.topologies.network_parameters import NetworkParameters
from designer.topologies.presets import family_of, networks_of, parameters_of, preset_named, values_of
from designer.topologies.rail_optimized import RailOptimizedParameters
from designer.validation.engine import validate
from designer.windows.dialogs.preset_list import card_text, picture_of

pytestmark = pytest.mark.own_window


@pytest.fixture
def dialog(window):
    window.actions_table.trigger("file.generate")
    return window.dialogs["generate"]


def preview(dialog):
    parts = (dialog.preview.itemAt(number).widget() for number in range(dialog.preview.count()))
    texts = [[one.text() for one in part.findChildren(QLabel)] for part in parts]
    return {name: count for count, name in texts}


def choose(dialog, name):
    dialog.list.setCurrentRow([family.name for family in FAMILIES].index(name))


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_the_form_as_shown_gives_the_default_parameters(family, qtbot, catalog):
    form = ParameterForm(family.parameters, catalog)
    qtbot.addWidget(form)
    assert form.parameters() == family.parameters()


def test_a_ratio_is_shown_once_as_a_ratio(qtbot, catalog):
    form = ParameterForm(RailOptimizedParameters, catalog)
    qtbot.addWidget(form)
    assert "1:1" in [line.text() for line in form.findChildren(QLineEdit)]
    assert ": 1" not in [one.text() for one in form.findChildren(QLabel)]


def test_both_lists_are_as_wide_so_that_nothing_moves_from_one_to_the_other(dialog, qtbot):
    def places():
        qtbot.waitUntil(lambda: dialog.sides.currentWidget().isVisible())
        QApplication.processEvents()
        return dialog.geometry(), dialog.sides.geometry(), dialog._form_place.geometry()

    families = places()
    dialog.sides.setCurrentIndex(1)
    assert places() == families
    dialog.sides.setCurrentIndex(0)
    assert places() == families


def test_counts_follow_the_typing(dialog, qtbot):
    choose(dialog, "rail-optimized")
    for field, text in (
        ("switch", "nvidia-qm9700"),
        ("server", "dgx-h100"),
        ("servers", "127"),
        ("servers_per_su", "32"),
    ):
        dialog.form.set_text(field, text)
    qtbot.waitUntil(lambda: preview(dialog).get("leaf switches") == "32")
    assert preview(dialog)["spine switches"] == "16"
    assert preview(dialog)["leaf-spine links"] == "1,024"
    assert preview(dialog)["servers"] == "127"


def test_nonsense_in_a_field_is_refused_with_a_sentence_and_nothing_can_be_generated(dialog):
    choose(dialog, "fat-tree")
    for text in ("", "many", "-3", "0", "1.5", "99999999999999"):
        dialog.form.set_text("servers", text)
        dialog.show_preview()
        assert dialog.refusal.isVisible(), text
        assert dialog.refusal.text().endswith("."), text
        assert not dialog.generate.isEnabled(), text
        dialog.form.set_text("servers", "16")
        dialog.show_preview()
        assert not dialog.refusal.isVisible(), text
        assert dialog.generate.isEnabled(), text


def test_generating_is_one_edit_that_undo_takes_back(window, dialog, qtbot):
    choose(dialog, "rail-optimized")
    dialog.form.set_text("servers", "8")
    before = list(window.session.design.entities())
    dialog.build()
    qtbot.waitUntil(lambda: bool(window.session.design.devices), timeout=60_000)
    assert len(window.session.design.servers()) == 8
    assert window.session.undo_stack.count() == 1
    window.actions_table.trigger("edit.undo")
    assert list(window.session.design.entities()) == before


@pytest.mark.parametrize(
    ("cables", "source", "has_media"), [("auto", "routed", True), ("lengths", "routed", False), ("none", "", False)]
)
def test_cables_come_with_the_fabric_as_far_as_asked(window, dialog, qtbot, cables, source, has_media):
    choose(dialog, "rail-optimized")
    dialog.form.set_text("servers", "8")
    dialog.cables.set_text("cables", cables)
    dialog.build()
    qtbot.waitUntil(lambda: bool(window.session.design.devices), timeout=60_000)
    links = window.session.design.links.values()
    assert {link.length_source for link in links} == {source}
    assert all(bool(link.medium_id) is has_media for link in links)
    assert window.session.undo_stack.count() == 1


def test_the_preview_neither_places_nor_routes(window, dialog, qtbot):
    choose(dialog, "rail-optimized")
    dialog.show()
    seen = []
    dialog.miniature.show_design = seen.append
    dialog.form.set_text("servers", "8")
    qtbot.waitUntil(lambda: bool(seen), timeout=60_000)
    assert {link.length_source for link in seen[-1].links.values()} == {""}


def test_the_preview_has_a_picture_the_ports_in_use_and_what_is_known_of_the_cost(make_window, qtbot):
    window = make_window()
    window.show()
    window.actions_table.trigger("file.generate")
    dialog = window.dialogs["generate"]
    torus = next(number for number, family in enumerate(dialog.families) if family.name == "torus")
    dialog.list.setCurrentRow(torus)
    dialog.form.set_text("dims", "3 x 4")
    qtbot.waitUntil(lambda: "router ports used: 5 of 5" in dialog.more.text())
    assert "cost not known: no price for Host 1600G" in dialog.more.text()
    assert dialog.form.editors["node"].currentText() == "Host, made to fit its links", "not a rate it will not have"
    picture = dialog.miniature.grab().toImage()
    colours = {picture.pixel(x, y) for x in range(0, picture.width(), 3) for y in range(0, picture.height(), 3)}
    assert len(colours) > 3
    dialog.form.set_text("dims", "64 x 64")
    qtbot.waitUntil(lambda: dialog.miniature._note_text == "Too large for a preview.")
    dialog.form.set_text("dims", "1 x 4")
    qtbot.waitUntil(lambda: not dialog.generate.isEnabled())
    assert "A dimension should be 2 to 100,000, not 1" in dialog.refusal.text()


def test_all_wrong_fields_are_marked_and_told(dialog):
    choose(dialog, "dragonfly")
    for field, text in (("p", "0"), ("a", "many"), ("h", "-1"), ("groups", "0")):
        dialog.form.set_text(field, text)
    dialog.show_preview()
    marked = [name for name, editor in dialog.form.editors.items() if editor.property("refused")]
    assert marked == ["p", "a", "h", "groups"]
    assert "p should be 1 or more, not 0" in dialog.refusal.text()
    assert "'many' is not a whole number" in dialog.refusal.text()
    for field, text in (("p", "2"), ("a", "4"), ("h", "2"), ("groups", "")):
        dialog.form.set_text(field, text)
    dialog.show_preview()
    assert not [name for name, editor in dialog.form.editors.items() if editor.property("refused")]


def test_a_generic_router_is_named_as_what_it_becomes(dialog):
    choose(dialog, "dragonfly")
    assert dialog.form.editors["switch"].currentText() == "Generic, made with the ports needed"
    assert dialog.form.parameters().switch == "generic-switch"


@pytest.mark.parametrize(
    ("family", "fields", "counted", "refused"),
    [
        ("hyperx", {"dims": "3 x 4", "widths": "2, 1"}, "42 router-router", {"widths": "2"}),
        ("scale-up", {"servers": "9", "groups": "2", "cross_links": "36"}, "648 leaf-leaf", {"cross_links": "37"}),
        ("slim-fly", {"q": "7", "p": ""}, "539 router-router", {"q": "6"}),
        ("jellyfish", {"switches": "30", "degree": "5"}, "75 router-router", {"degree": "30"}),
        ("graph", {"graph": "petersen", "arguments": ""}, "15 router-router", {"arguments": "3"}),
    ],
)
def test_families_of_routers_are_counted_while_typing_and_built(dialog, qtbot, family, fields, counted, refused):
    choose(dialog, family)
    for name, text in fields.items():
        dialog.form.set_text(name, text)
    dialog.show_preview()
    assert counted.split()[0] in shown(dialog), shown(dialog)
    assert dialog.generate.isEnabled()
    for name, text in refused.items():
        dialog.form.set_text(name, text)
    dialog.show_preview()
    assert not dialog.generate.isEnabled()
    assert dialog.refusal.text().endswith(".")


def shown(dialog):
    """The words of the preview's counts."""
    return " ".join(part for name, count in preview(dialog).items() for part in (count, name))


def test_units_built_out_for_more_servers_are_told_of(dialog):
    choose(dialog, "rail-optimized")
    dialog.form.set_text("servers", "8")
    dialog.show_preview()
    assert not dialog.remark.isVisible()
    dialog.form.set_text("servers_per_su", "32")
    dialog.show_preview()
    assert (
        dialog.remark.text() == "SU 1 has 8 of 32 servers; its uplinks are built for all 32 to leave room for growth."
    )


def test_a_fabric_comes_beside_what_stands_there_or_into_a_new_design(window, dialog, add, answers, qtbot):
    assert not dialog.beside.isVisible()
    switch = add("nvidia-qm9700")
    assert dialog.beside.isVisible()
    assert dialog.beside.text() == "Into Untitled, next to what is there"
    choose(dialog, "fat-tree")
    dialog.form.set_text("servers", "4")
    dialog.from_scratch.setChecked(True)
    answers.on_unsaved = ["cancel"]
    dialog.build()
    assert set(window.session.design.devices) == {switch}
    answers.on_unsaved = ["discard"]
    dialog.build()
    qtbot.waitUntil(lambda: len(window.session.design.servers()) == 4, timeout=60_000)
    assert "switch-01" not in {device.name for device in window.session.design.devices.values()}
    assert window.session.undo_stack.count() == 1


def test_generating_from_the_welcome_screen_makes_a_new_design(window, add):
    add("nvidia-qm9700")
    window.views.show_welcome()
    window.actions_table.trigger("file.generate")
    assert window.dialogs["generate"].from_scratch.isChecked()
    window.dialogs["generate"].close()
    window.views.show_canvas()
    window.actions_table.trigger("file.generate")
    assert window.dialogs["generate"].beside.isChecked()


def test_a_second_fabric_is_a_new_design_unless_somebody_chooses_otherwise(window, dialog, qtbot):
    choose(dialog, "fat-tree")
    dialog.form.set_text("servers", "4")
    dialog.build()
    qtbot.waitUntil(lambda: len(window.session.design.servers()) == 4, timeout=60_000)
    window.actions_table.trigger("file.generate")
    assert dialog.from_scratch.isChecked() and dialog.beside.isVisible()
    QTest.mouseClick(dialog.beside, Qt.MouseButton.LeftButton, pos=QPoint(8, dialog.beside.height() // 2))
    choose(dialog, "torus")
    assert dialog.beside.isChecked()


def test_the_defaults_of_the_form_build_racks_of_trays(dialog):
    choose(dialog, "rail-optimized")
    dialog.form.set_text("server", "gb200-nvl72")
    dialog.show_preview()
    assert not dialog.refusal.text()
    assert dialog.generate.isEnabled()


def test_spines_cores_pods_and_nic_modes_are_fields_of_the_form(dialog):
    choose(dialog, "fat-tree")
    for field, text in (("servers", "64"), ("spines", "16"), ("cores", "16"), ("pod_size", "8")):
        dialog.form.set_text(field, text)
    made = dialog.form.parameters()
    assert (made.spines, made.cores, made.pod_size, made.nic_mode) == (16, 16, 8, "")
    dialog.form.set_text("nic_mode", "2x400G")
    assert dialog.form.parameters().nic_mode == "2x400G"
    dialog.form.set_text("nic_mode", "")
    dialog.form.set_text("cores", "7")
    dialog.show_preview()
    assert "8 cores at least are needed" in dialog.refusal.text()


def wheel(widget):
    """One notch of the wheel towards the user over a widget, as the window system delivers it."""
    at = widget.mapTo(widget.window(), QPoint(12, widget.height() // 2))
    QTest.wheelEvent(widget.window().windowHandle(), QPointF(at), QPoint(0, -120))


def test_the_wheel_over_a_combo_box_scrolls_the_form_and_changes_nothing(dialog, qtbot):
    choose(dialog, "rail-optimized")
    dialog.resize(dialog.width(), 500)
    dialog.show()
    combo, bar = dialog.form.editors["server"], dialog.findChild(QScrollArea, "form").verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 100)
    assert not combo.hasFocus()
    shown = combo.currentIndex()
    wheel(combo)
    assert combo.currentIndex() == shown
    assert bar.value() > 0
    assert not combo.hasFocus()
    combo.setFocus(Qt.FocusReason.MouseFocusReason)
    qtbot.waitUntil(combo.hasFocus)
    bar.setValue(0)
    wheel(combo)
    assert combo.currentIndex() == shown + 1
    assert bar.value() == 0


def test_an_error_moves_no_field_of_the_form(dialog, qtbot):
    choose(dialog, "rail-optimized")
    dialog.show()
    fields = [dialog.form.editors[name] for name in ("servers", "reserve_leaf_ports", "full_units")]

    def places():
        QApplication.sendPostedEvents()
        dialog.layout().activate()
        return [field.mapTo(dialog, QPoint(0, 0)) for field in fields]

    dialog.form.set_text("servers", "32")
    dialog.show_preview()
    bar = dialog.findChild(QScrollArea, "form").verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 0)
    bar.setValue(bar.maximum())  # where a form that grows or shrinks moves what it shows
    before = places()
    for text in ("", "many", "128", "99999999999999"):
        dialog.form.set_text("servers", text)
        dialog.form.set_text("reserve_leaf_ports", "4")
        dialog.show_preview()
        assert places() == before
        QApplication.processEvents()
        assert places() == before


def test_the_fields_used_most_come_first_and_no_scrolling_is_needed_for_them(dialog):
    choose(dialog, "rail-optimized")
    assert list(dialog.form.editors)[:6] == [
        "switch",
        "server",
        "servers",
        "oversubscription",
        "reserve_leaf_ports",
        "servers_per_su",
    ]


def test_reserved_leaf_ports_are_named_a_total(dialog):
    choose(dialog, "rail-optimized")
    field = dialog.form.editors["reserve_leaf_ports"]
    assert field.accessibleName() == "Reserved leaf ports, in total"
    assert "not per leaf switch" in field.toolTip()
    for name, text in (("servers", "127"), ("servers_per_su", "32"), ("reserve_leaf_ports", "9")):
        dialog.form.set_text(name, text)
    dialog.show_preview()
    assert dialog.refusal.text() == (
        "9 leaf ports cannot be reserved: with 127 servers, 8 are free in the whole fabric. "
        "Reserve at most 8, or generate fewer servers, each of which uses 8 leaf ports."
    )


# -- published designs ------------------------------------------------------------------------------------------------


def take_preset(dialog, preset_id):
    dialog.sides.setCurrentIndex(1)
    dialog.published.list.setCurrentRow([one.id for one in dialog.published.presets].index(preset_id))


def test_a_published_design_fills_in_the_form_and_says_its_source_and_that_its_figures_match(dialog):
    take_preset(dialog, "dgx-superpod-h100-4su")
    assert dialog.family.name == "rail-optimized"
    assert dialog.form.parameters() == parameters_of(preset_named("dgx-superpod-h100-4su"))
    assert preview(dialog)["spine switches"] == "16"
    assert "Source: NVIDIA DGX SuperPOD RA-11333-001" in dialog._description.text()
    assert dialog.remark.text() == "6 of 6 printed figures match; 2 of 2 figures derived here match."


def test_what_a_source_leaves_open_is_said(dialog):
    take_preset(dialog, "google-tpu-v7-ironwood")
    assert dialog.family.name == "torus"
    assert "Assumed: The dimensions are not published" in dialog._description.text()
    assert "Open in the source: torus dimensions not published" in dialog._description.text()


def test_a_published_design_grows_by_units(dialog, qtbot):
    take_preset(dialog, "dgx-superpod-h100-4su")
    assert dialog.units.isVisibleTo(dialog) and dialog.units.number.value() == 4
    dialog.units.number.setValue(2)
    qtbot.waitUntil(lambda: preview(dialog)["leaf switches"] == "16")
    assert preview(dialog)["servers"] == "63"
    assert "match" not in dialog.remark.text()
    take_preset(dialog, "dgx-basepod-4")
    assert not dialog.units.isVisibleTo(dialog)


def test_a_bent_published_design_is_generated(dialog, window, qtbot):
    take_preset(dialog, "juniper-qpp-400g-4srv")
    dialog.form.set_text("servers", "6")
    dialog.build()
    qtbot.waitUntil(lambda: len(window.session.design.servers()) == 6, timeout=20_000)
    settings = window.session.design.settings
    assert settings.name.startswith("Juniper QPP/BGP-DPF lab fabric, 400G uplinks")
    assert "Source: Juniper JVD: IP fabric GPU backend" in settings.notes
    assert settings.notes.endswith("Other than published: Servers.")
    assert window.docks.inspector.design_page.notes.toPlainText() == settings.notes
    window.session.undo_stack.undo()
    assert (window.session.design.settings.name, window.session.design.settings.notes) == ("Untitled", "")


def test_a_named_design_keeps_name_and_notes_where_a_published_one_comes_in(dialog, window, qtbot):
    design = window.session.design
    window.session.push(set_settings(design, name="Hall 3", notes="Mine."))
    take_preset(dialog, "era-289-1su")
    dialog.build()
    qtbot.waitUntil(lambda: len(design.servers()) == 4, timeout=20_000)
    assert design.settings.name == "Hall 3"
    assert design.settings.notes.startswith("Mine.\n\nStarted from a published design: NVIDIA Enterprise RA")


def test_another_family_leaves_the_published_design(dialog):
    take_preset(dialog, "dgx-superpod-h100-4su")
    dialog.sides.setCurrentIndex(0)
    assert dialog.form.parameters().servers == 127  # going back to the families alone changes nothing
    choose(dialog, "torus")
    assert "figures" not in dialog.remark.text()
    assert not dialog.units.isVisibleTo(dialog)


def test_published_designs_are_found_by_all_words_of_a_search(dialog):
    dialog.sides.setCurrentIndex(1)
    shown = dialog.published
    shown.search.setText("nvidia 4su")
    titles = [shown.list.item(n).text() for n in range(shown.list.count()) if not shown.list.item(n).isHidden()]
    assert "NVIDIA DGX SuperPOD H100, 4 SU (127 nodes)" in titles
    assert len(titles) < 10
    shown.search.setText("nvidia zebra")
    assert all(shown.list.item(n).isHidden() for n in range(shown.list.count()))
    assert shown._nothing.isVisibleTo(shown)


def test_every_published_design_has_a_picture_in_both_themes(dialog):
    for preset in dialog.published.presets:
        for theme in ("light", "dark"):
            assert not QPixmap(str(picture_of(preset, theme))).isNull(), preset.id


def test_a_figure_that_differs_is_named(dialog):
    take_preset(dialog, "dgx-superpod-h100-4su")
    other = replace(dialog._preset, published={"leaf": 32, "spine": 12}, derived={})
    dialog._preset = other
    dialog.show_preview()
    assert dialog.remark.text() == "1 of 2 printed figures match; expected: spine switches 12."


def test_a_fabric_too_large_is_counted_and_one_plane_of_it_can_be_generated(dialog, qtbot):
    take_preset(dialog, "openai-mrc-131072")
    assert dialog.form.parameters().only_plane == 1 and dialog.generate.isEnabled(), "what fits is filled in"
    assert preview(dialog)["leaf switches"] == "512"
    assert "Plane 1 of 8; all planes have 4,096 leaf switches" in dialog.remark.text()
    dialog.form.set_text("only_plane", "")
    qtbot.waitUntil(lambda: not dialog.generate.isEnabled())
    assert preview(dialog)["leaf switches"] == "4,096"
    assert dialog.refusal.text().startswith("2,097,152 links are more than a design holds: 1,000,000 links; ")
    take_preset(dialog, "deepseek-mpft-16384")
    assert dialog.form.parameters().only_plane is None and dialog.generate.isEnabled()


def test_other_networks_of_a_large_published_design_are_not_built_to_compare_them(dialog):
    take_preset(dialog, "dgx-superpod-rubin-nvl8-16su-north-south")
    assert dialog.remark.text().endswith(
        "1 of 1 printed figure matches; 1 of 1 figure derived here matches; 2 figures of other networks: see the guide."
    )


def test_a_published_design_goes_into_a_new_design_unless_somebody_chose_otherwise(window, dialog):
    session = window.session
    types = session.catalog.types
    session.push(operations.add_device(session.design, types["nvidia-qm9700"], 0, 0, catalog_types=types))
    dialog.close()
    dialog.show()
    assert dialog.beside.isChecked()
    take_preset(dialog, "dgx-superpod-h100-4su")
    assert dialog.from_scratch.isChecked()
    dialog.list.setCurrentRow(0)
    dialog.list.setCurrentRow(1)
    assert dialog.beside.isChecked()
    dialog.beside.click()
    take_preset(dialog, "dgx-superpod-b200-2su")
    assert dialog.beside.isChecked(), "chosen by hand"


def test_a_card_says_figures_source_and_date():
    assert card_text(preset_named("dgx-superpod-h100-4su")) == (
        "1,016 GPUs, 32 leaf switches, 16 spines\nNVIDIA DGX SuperPOD RA-11333-001 (DGX H100)"
    )
    assert card_text(preset_named("dgx-superpod-b200-2su")) == "512 GPUs, 16 leaf switches, 8 spines"
    assert card_text(preset_named("openai-mrc-131072")).startswith(
        "131,072 GPUs; derived: 4,096 leaf switches, 2,048 spines\n"
    )
    assert card_text(preset_named("two-level-64")).startswith("derived: 2,048 GPUs, 64 leaf switches, 32 spines")
    assert card_text(preset_named("aurora")).startswith("10,624 hosts, 5,600 switches; derived: 89,600 host ports\n")
    assert "2025-05" in card_text(preset_named("deepseek-mpft-16384"))


def test_a_published_design_brings_its_other_networks(dialog, window, qtbot):
    take_preset(dialog, "dgx-superpod-b200-4su-all-networks")
    assert dialog.remark.text() == "10 of 10 printed figures match; 2 of 2 figures derived here match."
    dialog.build()
    qtbot.waitUntil(lambda: len(window.session.design.links) > 2000, timeout=30_000)
    switches = Counter((one.network, one.role) for one in window.session.design.switches())
    assert (switches["storage", "leaf"], switches["storage", "spine"], switches["oob", "leaf"]) == (8, 4, 16)
    window.session.undo_stack.undo()
    assert not window.session.design.devices


# -- sizes compared ----------------------------------------------------------------------------------------------------


def test_sizes_of_the_form_are_compared_and_others_can_be_typed(dialog, qtbot):
    choose(dialog, "fat-tree")
    dialog.form.set_text("servers", "64")
    qtbot.waitUntil(lambda: preview(dialog).get("servers") == "64")
    dialog.compare.click()
    growth = dialog.growth
    qtbot.waitUntil(lambda: len(growth.table.rows) == 3)
    assert growth.caption.text() == "Numbers of servers"
    assert growth.sizes.text() == "64, 128, 256"
    assert growth.remarks.text().splitlines()[0] == "From 64 to 128 servers: of 512 leaf-spine links 256 move."
    growth.sizes.selectAll()
    QTest.keyClicks(growth.sizes, "64,96")
    qtbot.waitUntil(lambda: [row.size for row in growth.table.rows] == [64, 96])
    QTest.keyClicks(growth.sizes, ",x")
    qtbot.waitUntil(lambda: growth.refusal.isVisible())
    assert growth.refusal.text() == "'64,96,x' should be whole numbers from 1 up, such as 1,2,4."
    assert not growth.table.rows


def test_families_that_cannot_grow_by_a_number_compare_no_sizes(dialog, qtbot):
    choose(dialog, "torus")
    qtbot.waitUntil(lambda: not dialog.compare.isEnabled())
    choose(dialog, "rail-optimized")
    qtbot.waitUntil(lambda: dialog.compare.isEnabled())


def test_one_plane_of_several_and_what_fails_with_a_link_are_stated_beneath_the_counts(dialog, qtbot):
    choose(dialog, "fat-tree")
    dialog.form.show_values(parameters_of(preset_named("openai-mrc-131072")))
    said = "Each of the 8 planes has 512 leaf switches, 256 spine switches; links: 131,072 server-leaf, "
    qtbot.waitUntil(lambda: said in dialog.more.text())
    for sentence in (
        "If one link of a NIC fails, the NIC loses 12.5 % of its capacity.",
        "If one uplink of a leaf switch fails, the leaf switch loses 0.3906 % of its uplink capacity.",
        "If one plane fails, the fabric loses 12.5 % of its capacity.",
    ):
        assert sentence in dialog.more.text()


def test_a_fabric_in_an_empty_design_names_it_and_undo_takes_the_name_back(dialog, window, qtbot):
    dialog.form.set_text("servers", "16")
    dialog.form.set_text("servers_per_su", "8")
    dialog.build()
    qtbot.waitUntil(lambda: len(window.session.design.servers()) == 16, timeout=20_000)
    settings = window.session.design.settings
    assert settings.name == "Rail-optimized, 2 SU, 16 servers"
    window.session.undo_stack.undo()
    assert window.session.design.settings.name == "Untitled"


def test_a_fabric_leaves_the_name_of_a_design_that_has_one(dialog, window, qtbot):
    window.session.push(set_settings(window.session.design, name="Hall 3"))
    dialog.build()
    qtbot.waitUntil(lambda: bool(window.session.design.servers()), timeout=20_000)
    assert window.session.design.settings.name == "Hall 3"


def test_links_that_are_not_routed_are_counted_after_those_that_are(dialog, window, qtbot):
    take_preset(dialog, "xai-colossus-100k")
    dialog.form.set_text("servers", "16")
    dialog.show_preview()
    dialog.build()
    qtbot.waitUntil(lambda: len(window.session.design.servers()) == 16, timeout=20_000)
    said = window.notice.text.text()
    assert "cables routed: " in said
    assert "; 128 links without a length: gpu-01 and 15 more stand in no rack" in said


def test_a_fabric_of_which_no_cable_is_routed_says_why(dialog, window, qtbot):
    take_preset(dialog, "meta-24k-roce")
    dialog.form.set_text("servers", "16")
    dialog.show_preview()
    dialog.build()
    qtbot.waitUntil(lambda: len(window.session.design.servers()) == 16, timeout=20_000)
    said = window.notice.text.text()
    n_links = len(window.session.design.links)
    assert f": no cables routed; {n_links} links without a length: leaf-" in said and "more stand in no rack" in said


def test_a_fabric_next_to_devices_names_nothing(dialog, window, add, qtbot):
    add("dgx-h100")
    dialog.build()
    qtbot.waitUntil(lambda: len(window.session.design.servers()) > 1, timeout=20_000)
    assert window.session.design.settings.name == "Untitled"


@pytest.mark.parametrize(
    ("family", "texts"),
    [
        ("rail-optimized", {"servers": "16", "servers_per_su": "8", "oversubscription": "2:1"}),
        ("fat-tree", {"servers": "24", "oversubscription": "3:1", "cables": "none"}),
        ("dragonfly", {}),
    ],
)
def test_the_window_makes_the_same_file_as_the_command_line(dialog, window, qtbot, catalog, family, texts):
    choose(dialog, family)
    cables = texts.get("cables", "auto")
    for name, text in texts.items():
        (dialog.cables if name == "cables" else dialog.form).set_text(name, text)
    dialog.show_preview()
    values = {one.name: getattr(dialog.form.parameters(), one.name) for one in fields(dialog.form.parameters())}
    dialog.build()
    qtbot.waitUntil(lambda: bool(window.session.design.servers()), timeout=60_000)
    made = new_design(dialog.family, values, catalog, "", cables).design
    assert document.encode(window.session.design) == document.encode(made)
    asked = float(texts.get("oversubscription", "1:1").partition(":")[0])
    assert window.session.design.policy.leaf_oversubscription == asked
    assert not [one for one in validate(window.session.design).findings if one.code == "OVER-001"]


def test_a_published_design_is_the_same_file_from_the_window_and_the_command_line(dialog, window, qtbot, catalog):
    take_preset(dialog, "dgx-superpod-h100-4su")
    dialog.build()
    qtbot.waitUntil(lambda: bool(window.session.design.servers()), timeout=60_000)
    preset = preset_named("dgx-superpod-h100-4su")
    values = {**values_of(preset), **networks_of(preset)}
    made = new_design(dialog.family, values, catalog, "", "auto", preset).design
    assert document.encode(window.session.design) == document.encode(made)


def test_an_oversubscribed_fabric_next_to_devices_raises_the_limit_and_undo_lowers_it(dialog, window, add, qtbot):
    add("dgx-h100")
    dialog.form.set_text("servers", "16")
    dialog.form.set_text("oversubscription", "2:1")
    dialog.build()
    qtbot.waitUntil(lambda: len(window.session.design.servers()) > 1, timeout=60_000)
    assert window.session.design.policy.leaf_oversubscription == 2
    assert "The policy now allows an oversubscription of 2:1 at leaf switches." in window.notice.text.text()
    window.session.undo_stack.undo()
    assert window.session.design.policy.leaf_oversubscription == 1


def test_the_limits_of_a_policy_with_a_name_stay(dialog, window, qtbot):
    window.session.push(set_policy(window.session.design, Policy(name="Acme 2027")))
    dialog.form.set_text("servers", "16")
    dialog.form.set_text("oversubscription", "2:1")
    dialog.build()
    qtbot.waitUntil(lambda: bool(window.session.design.servers()), timeout=60_000)
    assert window.session.design.policy == Policy(name="Acme 2027")


def test_a_long_build_shows_its_share_and_is_cancelled_by_its_button(dialog, qtbot):
    session = dialog._desk.session
    dialog.show()
    choose(dialog, "fat-tree")
    dialog.form.set_text("servers", "8192")
    dialog.show_preview()
    shown = []
    session.jobs.lane("generate").progressed.connect(lambda _share: shown.append(dialog.share.text()))
    before = session.undo_stack.count()
    dialog.generate.click()
    assert dialog.is_at_work and dialog.generate.text() == "Cancel" and dialog.generate.isEnabled()
    assert dialog.share.text() == "Building …"
    qtbot.waitUntil(lambda: len(shown) > 0, timeout=30_000)
    assert shown[0].startswith("Building: ") and shown[0].endswith(" %")
    dialog.generate.click()
    assert not dialog.is_at_work and dialog.generate.text() == "Generate"
    session.jobs.lane("generate").shut_down()
    qtbot.wait(10)
    assert session.undo_stack.count() == before and not session.design.devices and dialog.isVisible()
    dialog.form.set_text("servers", "16")
    dialog.show_preview()
    dialog.generate.click()
    qtbot.waitUntil(lambda: session.undo_stack.count() == before + 1, timeout=30_000)
    assert len(session.design.servers()) == 16 and not dialog.is_at_work


def test_shares_of_a_fabric_rise_and_a_cancelled_one_ends(catalog):
    shares = []
    preset = preset_named("dgx-superpod-h100-4su")
    family, values = family_of(preset), parameters_of(preset)
    addition(Design(), family, values, NetworkParameters(), catalog, "auto", preset, shares.append)
    assert len(shares) >= 6 and shares == sorted(shares) and 0 < shares[0] < shares[-1] < 1

    def cancelled(_share):
        raise Cancelled("cancelled")

    with pytest.raises(Cancelled):
        addition(Design(), family, values, NetworkParameters(), catalog, "auto", preset, cancelled)
