"""The status bar shows what the design costs, by the user's price list and only with one."""

import csv

import pytest
from PySide6.QtWidgets import QToolButton

from designer.analysis.billing.spares import spares_text
from designer.model import operations
from designer.panels.widgets import file_dialog

pytestmark = pytest.mark.own_window

PRICES = "part number,price,currency,date\nQM9700,25000,USD,2026-11-01\nDGX H100,300000,EUR,2026-10-01\n"


@pytest.fixture
def listed(tmp_path):
    path = tmp_path / "prices.csv"
    path.write_text(PRICES)
    return path


def settled(window, qtbot):
    qtbot.waitUntil(lambda: window.session.costs.state in ("current", "failed"))
    return window.status.cost.text()


def choose(window, answers, path):
    answers.on_open.append(path)
    window.actions_table.trigger("room.prices")


def test_without_a_price_list_no_cost_is_shown_or_computed(window, add):
    add("nvidia-qm9700")
    assert not window.status.cost.isVisible()
    assert window.session.costs.state == "idle"
    assert not window.actions_table["room.no_prices"].isEnabled()


def test_the_cost_follows_every_edit_and_its_undo(window, add, answers, listed, qtbot):
    choose(window, answers, listed)
    assert window.notice.text.text() == "2 prices read from prices.csv. The status bar shows the cost."
    assert settled(window, qtbot) == "Cost: nothing to order"
    add("nvidia-qm9700")
    assert settled(window, qtbot) == "Cost 25,000 USD"
    for _ in range(4):
        add("dgx-h100")
    assert settled(window, qtbot) == "Cost 1.20 M EUR and 25,000 USD"
    window.session.undo_stack.undo()
    assert settled(window, qtbot) == "Cost 900,000 EUR and 25,000 USD"
    assert window.status.cost.isVisible()


def test_what_has_no_price_is_counted_and_named_by_kind(window, add, answers, listed, qtbot):
    choose(window, answers, listed)
    add("nvidia-qm9700")
    add("nvidia-sn2201")
    assert settled(window, qtbot) == "Cost 25,000 USD without 1 unpriced line"
    window.status.cost.click()
    shown = window.notice.text.text()
    assert "Cost: 25,000.00 USD without 1 line whose price is unknown." in shown
    assert "Switch: 25,000.00 USD, 1 without a price" in shown
    assert "By prices.csv, prices of 2026-11-01, 1 price not used: DGX H100; without spares." in shown
    assert "25,000.00 USD" in window.status.cost.toolTip()


def test_nothing_with_a_price_is_not_known_rather_than_zero(window, add, answers, listed, qtbot):
    choose(window, answers, listed)
    add("nvidia-sn2201")
    assert settled(window, qtbot) == "Cost not known"


def test_another_design_is_costed_by_the_same_list(window, add, answers, listed, qtbot):
    choose(window, answers, listed)
    add("nvidia-qm9700")
    assert settled(window, qtbot) == "Cost 25,000 USD"
    window.session.new()
    qtbot.waitUntil(lambda: window.session.costs.is_current)
    assert window.status.cost.text() == "Cost: nothing to order"


def test_the_list_is_remembered_and_read_again_until_it_is_given_up(window, make_window, answers, listed, qtbot):
    choose(window, answers, listed)
    window.preferences.flush()
    again = make_window(answers)
    assert len(again.session.costs.prices.prices) == 2
    qtbot.waitUntil(lambda: again.session.costs.bill is not None)
    again.actions_table.trigger("room.no_prices")
    assert again.session.costs.bill is None and again.session.costs.state == "idle"
    assert again.session.costs.prices is None and not again.status.cost.isVisible()
    assert again.preferences.price_list == ""


def test_a_list_that_cannot_be_read_is_reported_and_the_old_one_stays(window, answers, listed, tmp_path):
    choose(window, answers, listed)
    bad = tmp_path / "bad.csv"
    bad.write_text(PRICES.replace("25000", "cheap"))
    choose(window, answers, bad)
    assert window.notice.text.text().startswith("bad.csv, line 2, column price: 'cheap' is not a price")
    assert window.session.costs.prices.name == "prices.csv"
    choose(window, answers, tmp_path / "gone.csv")
    assert window.notice.text.text() == "The price list gone.csv cannot be read: No such file or directory."
    assert window.preferences.price_list == str(listed)


def test_a_bill_that_the_window_writes_has_the_prices(window, add, answers, listed, tmp_path, qtbot):
    choose(window, answers, listed)
    add("nvidia-qm9700")
    path = tmp_path / "bill.csv"
    answers.on_save.append(path)
    window.actions_table.trigger("export.bill")
    qtbot.waitUntil(path.exists)
    assert [row["line price"] for row in csv.DictReader(path.read_text().splitlines())] == ["25000.00"]


def test_the_export_dialog_begins_with_the_list_and_takes_another(window, add, answers, listed, monkeypatch, tmp_path):
    choose(window, answers, listed)
    add("nvidia-qm9700")
    window.actions_table.trigger("file.export")
    dialog = window.dialogs["export"]
    dialog.choose("bill-of-materials")
    assert dialog.options.record().prices == str(listed)
    other = str(tmp_path / "other.csv")
    for chosen, taken in (([], str(listed)), ([other], other), ([other, str(listed)], f"{other}; {listed}")):
        monkeypatch.setattr(file_dialog, "opened_files", lambda *_asked, chosen=chosen, **_how: chosen)
        dialog.options.form.editors["prices"].findChild(QToolButton).click()
        assert dialog.options.record().prices == taken
    spares = dialog.options.form.editors["spares"]
    assert spares.placeholderText() == "none, or such as cable:5%:1"
    assert "transceiver, cable, splitter, fiber" in spares.toolTip()
    dialog.options.form.set_text("spares", "cable:2%:1")
    assert spares_text(dialog.options.record().spares) == "cable:2%:1"
    dialog.close()


def test_a_change_while_a_bill_is_made_is_reckoned_in(window, add, answers, listed, qtbot):
    choose(window, answers, listed)
    device = add("nvidia-qm9700")
    add("nvidia-qm9700")
    window.session.attempt(lambda: operations.rename(window.session.design, device, "other"))
    assert settled(window, qtbot) == "Cost 50,000 USD"
    assert window.session.costs.is_current


def test_prices_and_terms_are_typed_take_effect_at_once_and_stay(
    window, make_window, add, answers, listed, tmp_path, qtbot
):
    add("nvidia-qm9700")
    window.actions_table.trigger("room.cost")
    dialog = window.dialogs["cost"]
    assert "Choose a price list" in dialog.basis.text() and not dialog.table.rows
    newer = tmp_path / "newer.csv"
    newer.write_text("part number,price,currency,date\nQM9700,20000,EUR,2026-12-01\n")
    for name, value in (("prices", f"{listed}; {newer}"), ("currency", "USD"), ("pue", 1.5)):
        dialog.form.show_value(name, value)
    dialog.form.editors["rates"].setText("EUR=2")
    dialog.form.editors["energy_price"].setText("0.1 USD")
    dialog.apply()
    assert settled(window, qtbot) == "Cost 40,000 USD"
    assert dialog.table.rows[0].total is not None and dialog.refusal.isHidden()
    add("nvidia-qm9700")
    assert window.status.cost.text() == "Cost 80,000 USD"  # followed at once, without a count of all
    assert window.session.costs.is_current
    dialog.form.editors["rates"].setText("EUR=x")
    dialog.apply()
    assert "'x' is not a number" in dialog.refusal.text() and window.status.cost.text() == "Cost 80,000 USD"
    window.preferences.flush()
    again = make_window(answers)
    assert again.session.costs.terms == window.session.costs.terms and len(again.session.costs.prices.prices) == 2
    dialog.close()
