"""The cost of a design: capital by currency, power and cooling over years, shares, and what is not known."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from designer.analysis.billing.amounts import Amounts, added
from designer.analysis.billing.costing import costing_of
from designer.analysis.billing.price import Price
from designer.analysis.billing.prices import NO_PRICES, PriceList, key_of, merged
from designer.analysis.billing.spares import parse_spares
from designer.analysis.billing.terms import CostTerms
from designer.analysis.new_designs import new_design
from designer.errors import ParameterError
from designer.fields.field import fields_of
from designer.regeneration.recipes import family_named

FIELDS = fields_of(CostTerms)


def price(amount, currency="USD", date="2026-11-01", **more):
    return Price(Decimal(amount), currency, date, **more)


def listed(prices, name="prices.csv"):
    return PriceList(name, {key_of(part): one for part, one in prices.items()})


def terms(**texts):
    return CostTerms(**{name: FIELDS[name].read(text) for name, text in texts.items()})


@pytest.fixture(scope="module")
def pod(catalog):
    """Four DGX H100 on a switch. Not to be changed."""
    values = {"server": "dgx-h100", "servers": 4, "switch": "nvidia-qm9700"}
    return new_design(family_named("fat-tree"), values, catalog, "Pod", "auto").design


def test_without_prices_nothing_is_zero(pod, catalog):
    found = costing_of(pod, catalog.types)
    assert found.capital is None and found.power is None and found.cooling is None and found.operation is None
    assert found.n_unpriced_lines > 3 and found.n_unpriced_parts > len(pod.links)
    whole, per_gpu = found.rows
    assert whole.total is None and per_gpu.capital is None and per_gpu.count == 32
    assert "no energy price is stated; no PUE is stated" in found.gaps


def test_capital_is_at_least_what_is_priced_and_currencies_stay_apart(pod, catalog):
    prices = listed({"DGX H100": price(300000), "QM9700": price(20000, "EUR")})
    n_switches = sum(pod.is_switch(one) for one in pod.devices)
    found = costing_of(pod, catalog.types, prices)
    assert found.capital == Amounts((("EUR", Decimal(20000 * n_switches)), ("USD", Decimal(1200000))), is_least=True)
    assert found.rows[1].capital.sums[1] == ("USD", Decimal(37500))


def test_rates_convert_what_they_name_and_nothing_else(pod, catalog):
    prices = listed({"DGX H100": price(1), "QM9700": price(100, "EUR"), "980-9I510-00NS00": price(1, "JPY")})
    found = costing_of(pod, catalog.types, prices, terms=terms(currency="USD", rates="EUR=1.5"))
    n_switches = sum(pod.is_switch(one) for one in pod.devices)
    assert dict(found.capital.sums)["USD"] == 4 + 150 * n_switches
    assert [name for name, _ in found.capital.sums] == ["JPY", "USD"]
    assert "1 EUR = 1.5 USD" in found.basis


def test_a_class_has_its_agreed_discount_and_a_price_its_own_first(pod, catalog):
    prices = listed(
        {"DGX H100": price(100, discount_class="a"), "QM9700": price(100, discount_class="A", discount=Decimal("0.5"))}
    )
    found = costing_of(pod, catalog.types, prices, terms=terms(discounts="A=10%"))
    n_switches = sum(pod.is_switch(one) for one in pod.devices)
    assert found.capital.sums == (("USD", Decimal(4 * 90 + 50 * n_switches)),)


def test_power_and_cooling_follow_price_pue_load_and_years(pod, catalog):
    prices = listed({"DGX H100": price(300000)})
    stated = terms(energy_price="0.10 USD", pue="1.25", years="2", load="50%")
    found = costing_of(pod, catalog.types, prices, terms=stated)
    watts = found.priced.power.max_w
    assert found.draw.n_unknown == 0 and found.power_w == watts / 2 and found.facility_w == watts / 2 * 1.25
    kwh = watts / 2 / 1000 * 8760 * 2
    assert found.energy_kwh == pytest.approx(kwh)
    assert float(found.power.sums[0][1]) == pytest.approx(kwh * 0.10)
    assert float(found.cooling.sums[0][1]) == pytest.approx(kwh * 0.10 * 0.25)
    assert float(found.rows[0].total.sums[0][1]) == pytest.approx(1200000 + kwh * 0.10 * 1.25)
    assert found.rows[0].total.is_least and not found.power.is_least


def test_devices_without_a_known_power_are_counted(pod, catalog):
    found = costing_of(pod, catalog.types, terms=terms(energy_price="0.10 USD", draw="typical"))
    assert found.draw.n_unknown == 4 and found.power.is_least
    assert "4 of 5 devices without a known typical power" in found.gaps
    assert found.draw_text.startswith("at least ") and found.cooling is None


def test_shares_are_of_bisection_and_of_tokens(pod, catalog):
    prices = listed({"DGX H100": price(300000)})
    found = costing_of(pod, catalog.types, prices, terms=terms(years="1"), bisection_gbps=1000, tokens_per_s=1e6)
    rows = {row.name: row for row in found.rows}
    assert rows["Per Gb/s of bisection"].capital.sums == (("USD", Decimal(1200)),)
    millions = 365 * 24 * 3600
    assert float(rows["Per million trained tokens"].capital.sums[0][1]) == pytest.approx(1200000 / millions)


def test_spares_are_part_of_the_capital_and_said(pod, catalog):
    prices = listed({"QM9700": price(100)})
    found = costing_of(pod, catalog.types, prices, parse_spares("switch:20%"))
    n_switches = sum(pod.is_switch(one) for one in pod.devices)
    assert found.capital.sums == (("USD", Decimal(100 * (n_switches + 1))),)
    assert found.spares.sums == (("USD", Decimal(100)),) and not found.spares.is_least


def test_of_several_lists_the_latest_date_wins_and_of_one_date_the_last_list():
    old = listed({"A": price(1, date="2026-01-01"), "B": price(1, date="2026-03-01")}, "old.csv")
    new = listed({"A": price(2, date="2026-02-01"), "B": price(2, date="2026-02-01"), "C": price(2)}, "new.csv")
    both = merged([old, new])
    assert {name: (one.amount, one.source) for name, one in both.prices.items()} == {
        "a": (2, "new.csv"),
        "b": (1, "old.csv"),
        "c": (2, "new.csv"),
    }
    assert (both.name, both.n_replaced) == ("old.csv, new.csv", 2)
    same_day = merged([listed({"A": price(1)}, "one.csv"), listed({"A": price(2)}, "two.csv")])
    assert same_day.prices["a"].source == "two.csv"
    assert merged([]) is NO_PRICES and merged([old]) is old


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("currency", "usd", "'usd' is not a currency"),
        ("rates", "EUR:1.08", "'EUR:1.08' is not an exchange rate: write what one of each is worth"),
        ("rates", "EUR=1.08,eur=2", "eur is given twice"),
        ("rates", "EUR=0", "EUR should be worth more than 0"),
        ("rates", "EUR=-1", "'-1' is not a number"),
        ("rates", "Euro=1", "'Euro' is not a currency"),
        ("discounts", "A=0.15", "'0.15' is not a discount: write classes with percent"),
        ("discounts", "A=101%", "a discount goes up to 100%"),
        ("energy_price", "0.12", "'0.12' is not a price of energy: write amount and currency, like 0.12 USD"),
        ("energy_price", "cheap USD", "'cheap' is not a number"),
    ],
)
def test_terms_that_cannot_be_read_are_refused_with_the_way_out(name, text, sentence):
    with pytest.raises(ParameterError, match=sentence):
        terms(**{name: text})


@pytest.mark.parametrize(
    ("texts", "sentence"),
    [
        ({"rates": "EUR=1.1"}, "state that too, like USD"),
        ({"rates": "USD=1", "currency": "USD"}, "rates of other currencies only"),
        ({"pue": "0.9"}, "PUE should be 1 to 10"),
        ({"years": "0"}, "years should be above 0"),
        ({"load": "0"}, "average load should be above 0"),
    ],
)
def test_terms_that_make_no_sense_are_refused(texts, sentence):
    with pytest.raises(ParameterError, match=sentence):
        terms(**texts)


@given(st.decimals(0, 1000, places=2), st.decimals("0.01", 100, places=4))
def test_terms_are_written_as_they_are_read(share, rate):
    made = terms(currency="USD", rates=f"EUR={rate}", discounts=f"A={min(share, 100)}%", energy_price=f"{rate} EUR")
    for name, field in FIELDS.items():
        assert field.read(field.write(getattr(made, name))) == getattr(made, name)


def test_what_is_not_known_is_not_added():
    known = Amounts((("USD", Decimal(1)),))
    assert added((known, None)) is None
    assert added((known, Amounts((("EUR", Decimal(2)),), is_least=True))).text == "at least 2.00 EUR and 1.00 USD"
