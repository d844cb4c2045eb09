"""The bill of materials: every part once, spares rounded up, prices where they are known and no zero elsewhere."""

import dataclasses
import math
from collections import Counter
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from designer.analysis.billing.bill import bill_of
from designer.analysis.billing.kinds import KINDS, ORDERED
from designer.analysis.billing.passive import fan_out_lines
from designer.analysis.billing.price import Price
from designer.analysis.billing.prices import PriceList, key_of
from designer.analysis.billing.spares import SpareRule, parse_spares, require_used, spares_of, spares_text
from designer.analysis.new_designs import new_design
from designer.analysis.optical_parts import optical_parts, order_length_m, sold_as
from designer.analysis.parts import parts
from designer.analysis.power import power
from designer.analysis.summary import summarize
from designer.analysis.survey import survey
from designer.errors import ParameterError
from designer.exchange.cable_plan import cable_rows
from designer.model.circuits import circuit_switch
from designer.model.design import Design, from_entities
from designer.model.edit import Change, Edit
from designer.model.entities import Device, End, Link
from designer.model.hardware.device_ports import switch_ports
from designer.model.hardware.media import MediumPart, MediumType
from designer.model.hardware.ports import CageGroup, PortMode
from designer.model.hardware.switches import SwitchType
from designer.placement.preparation import prepare
from designer.regeneration.recipes import family_named
from designer.topologies.presets import family_of, parameters_of, preset_named


def price(amount, currency="USD", date="2026-11-01", discount=None):
    return Price(Decimal(amount), currency, date, None if discount is None else Decimal(discount))


def price_list(prices):
    return PriceList("prices.csv", {key_of(name): one for name, one in prices.items()})


@pytest.fixture(scope="module")
def pod(catalog):
    """A SuperPOD H100 of four units with all its networks, prepared. Not to be changed: take a snapshot."""
    values = {
        "server": "dgx-h100",
        "servers": 127,
        "servers_per_su": 32,
        "reserve_leaf_ports": 4,
        "storage_switch": "nvidia-qm9700",
        "oob_switch": "nvidia-sn2201",
    }
    return new_design(family_named("rail-optimized"), values, catalog, "SuperPOD", "auto").design


@pytest.fixture(scope="module")
def bill(pod, catalog):
    return bill_of(pod, catalog.types)


def line(bill, **wanted):
    return next(one for one in bill.lines if all(getattr(one.item, key) == value for key, value in wanted.items()))


def total(bill, kind, network=None):
    items = [one.item for one in bill.lines if one.item.kind == kind]
    return sum(one.quantity for one in items if network is None or one.networks == (network,))


def test_the_compute_network_of_a_superpod_has_the_parts_of_the_reference_architecture(bill):
    """Physical parts of 4 SU H100 in the reference architectures: 2,040 fibers, 1,536 and 508 twin-port modules."""
    compute = bill.networks["compute"]
    assert (compute.fibres, compute.switch_transceivers, compute.server_transceivers) == (2040, 1536, 508)


def test_lines_hold_the_parts_that_are_counted(bill, pod):
    counted = bill.counts
    assert counted == parts(survey(pod))
    optics = [one.item for one in bill.lines if one.item.kind == "transceiver"]
    assert sum(one.at_switches for one in optics) == counted.switch_transceivers
    assert sum(one.at_servers for one in optics) == counted.server_transceivers
    assert total(bill, "transceiver") == counted.transceivers
    assert total(bill, "fiber") == counted.fibres
    assert total(bill, "cable") + total(bill, "splitter") == counted.cables - counted.fibres
    assert total(bill, "rack") == len(pod.racks) and total(bill, "server") == 127


def test_a_twin_port_module_is_one_module_with_its_part_number_by_shell(bill):
    flat = line(bill, part_number="980-9I51A-00NS00").item
    assert (flat.quantity, flat.at_servers, flat.at_switches, flat.model) == (508, 508, 0, "MMA4Z00-NS-FLT")
    assert "flat-top" in flat.description and flat.networks == ("compute",)


def test_fibres_stand_by_the_length_that_is_sold(bill):
    fibres = [one.item for one in bill.lines if one.item.kind == "fiber"]
    assert [one.part_number for one in fibres] == [f"MFP7E10-N{one.length_m:03.0f}" for one in fibres]
    assert all(one.needed_m <= one.length_m for one in fibres)
    assert [one.length_m for one in fibres] == sorted(one.length_m for one in fibres)


def test_the_note_says_whose_part_it_is_where_its_type_has_no_vendor(pod, catalog):
    design = pod.snapshot()
    dac = catalog.get("gen-dac-100")
    link = next(link for link in design.links.values() if link.medium_id == "tr-800-2sr4")
    bought = dataclasses.replace(link, medium_id=dac.id, length_m=2.5)
    design.apply(Edit("copper", (Change(None, dac), Change(link, bought))))
    found = line(bill_of(design, catalog.types), part_number="QT-Q28-PC3")
    assert (found.item.vendor, found.note) == ("Generic", "QSFPTEK; no price")


def test_lines_stand_in_the_order_of_kinds_and_are_numbered(bill):
    order = list(KINDS)
    assert [order.index(one.item.kind) for one in bill.lines] == sorted(
        order.index(one.item.kind) for one in bill.lines
    )
    assert [one.number for one in bill.lines] == list(range(1, len(bill.lines) + 1))


def test_nics_that_come_with_their_servers_are_listed_and_not_ordered(bill):
    nic = line(bill, type_id="connectx-7-ndr")
    assert (nic.item.quantity, nic.item.included, nic.to_order, nic.is_unpriced) == (1016, 1016, 0, False)
    assert nic.note == "1,016 delivered with the servers"
    assert nic not in bill.unnumbered


def test_the_power_is_that_of_the_summary(bill, pod):
    assert bill.power == summarize(pod).power
    assert bill.power == dataclasses.replace(power(survey(pod)), n_transceivers=bill.counts.transceivers)


def test_a_link_without_a_cable_is_a_line_of_its_own_with_no_part_number(pod, catalog):
    design = pod.snapshot()
    links = [link for link in design.links.values() if link.medium_id == "tr-800-2sr4"][:3]
    design.apply(Edit("none", tuple(Change(one, dataclasses.replace(one, medium_id="")) for one in links)))
    bill = bill_of(design, catalog.types, policy=parse_spares("all:2%:1"))
    found = line(bill, description="Cable or optics, not selected")
    assert (found.spares, found.to_order) == (0, 3)
    assert (found.item.quantity, found.item.part_number, found.note) == (3, "", "no cable is selected; no price")


def test_a_cable_without_a_length_has_no_part_number_and_says_why(pod, catalog):
    design = pod.snapshot()
    dac = next(link for link in design.links.values() if design.types[link.medium_id].kind == "DAC")
    lanes = [link for link in design.links.values() if link.cable == dac.cable]
    design.apply(Edit("none", tuple(Change(one, dataclasses.replace(one, length_m=None)) for one in lanes)))
    found = line(bill_of(design, catalog.types), gap="the length of the link is not known")
    assert (found.item.quantity, found.item.length_m, found.item.part_number) == (1, None, "")


def test_cables_that_are_sold_by_no_known_length_are_a_line_for_each_length_to_order(bill, pod):
    patches = [one.item for one in bill.lines if one.item.type_id.startswith("gen-cat6")]
    lengths_m = [link.length_m for link in pod.links.values() if link.medium_id == patches[0].type_id]
    assert {one.order_m: one.quantity for one in patches} == Counter(float(math.ceil(one)) for one in lengths_m)
    assert sum(one.quantity for one in patches) == bill.networks["oob"].cables and max(lengths_m) < 20
    for one in patches:
        assert (one.length_m, one.part_number, one.model) == (None, "", "Cat6 patch cord, RJ45")
        assert one.gap == "no part number and no stock length are known: rounded up to the next 1 m"
        assert one.needed_m <= one.order_m < one.needed_m + 1


@pytest.mark.parametrize(
    ("length_m", "ordered_m"),
    [(0.2, 1), (1.0, 1), (1.1, 2), (19.9, 20), (20.0, 20), (20.1, 25), (99.0, 100), (100.0, 100), (100.1, 110)],
)
def test_lengths_are_rounded_up_to_whole_steps_where_no_stock_length_is_known(length_m, ordered_m):
    assert order_length_m(dataclasses.replace(DAC, lengths_m=(), parts=()), length_m) == ordered_m
    assert order_length_m(DAC, 1.5) == 2 and order_length_m(DAC, None) is None


def test_counts_are_those_of_the_lines_where_no_cable_is_selected(pod, catalog):
    design = pod.snapshot()
    links = [link for link in design.links.values() if link.medium_id == "tr-800-2sr4"]
    design.apply(Edit("none", tuple(Change(one, dataclasses.replace(one, medium_id="")) for one in links)))
    found = bill_of(design, catalog.types)
    assert found.counts.links_without_medium == len(links)
    assert (found.counts.fibres, found.counts.transceivers) == (total(found, "fiber"), total(found, "transceiver"))
    assert found.counts.cables == sum(total(found, kind) for kind in ("cable", "splitter", "fiber"))
    assert parts(survey(design)).transceivers > found.counts.transceivers


def test_what_goes_into_ports_of_unknown_form_is_an_assumption_that_the_line_states():
    known = line(bill_of(joined(DAC), {}), kind="cable")
    assert (known.item.n_assumed, bill_of(joined(DAC), {}).assumed) == (0, ())
    bill = bill_of(joined(DAC, form_factor=""), {})
    found = line(bill, kind="cable")
    assert found.item.n_assumed == found.item.quantity and bill.assumed == (found,)
    assert found.note.startswith("assumed form factor: all go into ports whose form factor is not known")


def test_the_plan_names_the_same_parts_as_often(bill, pod, catalog):
    """The cable plan looks parts up row by row: cables by piece, modules by the cage they are in."""
    rows = cable_rows(pod, parts=optical_parts({**catalog.types, **pod.types}.values()))
    cables = {row.piece: (row.cable_pn or row.cable_model, row.stock_length_m) for row in rows}
    modules = {(row.a_id, row.a_cage): row.a_optic_pn for row in rows if row.a_optic_pn}
    modules.update({(row.z_id, row.z_cage): row.z_optic_pn for row in rows if row.z_optic_pn})
    billed_cables, billed_modules = Counter(), Counter()
    for item in (one.item for one in bill.lines):
        named = item.part_number
        if item.kind in ("cable", "splitter", "fiber"):
            billed_cables[named or item.model, item.length_m] += item.quantity
        elif item.kind == "transceiver":
            billed_modules[named or item.model] += item.quantity
    assert billed_cables == Counter(cables.values())
    assert billed_modules == Counter(modules.values())


# -- two switches and a cable -----------------------------------------------------------------------------------------

DAC = MediumType("dac", "Acme", "DAC-xxx", "DAC", links=2, link_gbps=400, lengths_m=(1.0, 2.0, 3.0))


def joined(medium, n_links=4, length_m=1.5, n_cages=4, form_factor="OSFP", **price_usd):
    modes = (PortMode("2x400G", 2, 400.0),)
    switch = SwitchType("s", "Acme", "S", ("ethernet",), (CageGroup(n_cages, form_factor),), modes, **price_usd)
    names = [port.name for port in switch_ports(switch)[:n_links]]
    links = [
        Link(f"l{n}", End("d1", name), End("d2", name), medium.id, length_m) for n, name in enumerate(names, start=1)
    ]
    return from_entities([switch, medium, Device("d1", "a", "s"), Device("d2", "b", "s"), *links])


@pytest.mark.parametrize(
    ("parts_", "length_m", "number", "stock_m", "gap"),
    [
        ((MediumPart("N2", length_m=2.0), MediumPart("N3", length_m=3.0)), 1.5, "N2", 2.0, ""),
        ((MediumPart("N2", length_m=2.0), MediumPart("N3", length_m=3.0)), 2.0000001, "N2", 2.0, ""),
        ((MediumPart("ANY"),), 1.5, "ANY", 2.0, ""),
        ((MediumPart("N3", length_m=3.0),), 1.5, "N3", 3.0, ""),
        ((), 1.5, "", 2.0, "no part number is known"),
        ((), 4.0, "", None, "a link is longer than any that is sold"),
        ((), None, "", None, "the length of the link is not known"),
    ],
)
def test_a_cable_is_ordered_by_its_length_or_says_why_not(parts_, length_m, number, stock_m, gap):
    design = joined(dataclasses.replace(DAC, parts=parts_), length_m=length_m)
    found = line(bill_of(design, {}), kind="cable").item
    assert (found.quantity, found.part_number, found.length_m, found.gap) == (2, number, stock_m, gap)


def test_the_longest_lane_of_a_cable_says_how_long_it_is():
    design = joined(DAC, n_links=2, length_m=1.0)
    link = design.links["l2"]
    design.apply(Edit("longer", (Change(link, dataclasses.replace(link, length_m=2.5)),)))
    found = line(bill_of(design, {}), kind="cable").item
    assert (found.quantity, found.length_m, found.needed_m) == (1, 3.0, 2.5)


def test_what_is_needed_of_a_line_is_the_longest_of_its_links():
    design = joined(dataclasses.replace(DAC, links=1), n_links=3, length_m=1.5)
    for link_id, length_m in (("l1", 1.2), ("l3", 1.1)):
        link = design.links[link_id]
        design.apply(Edit("other", (Change(link, dataclasses.replace(link, length_m=length_m)),)))
    found = line(bill_of(design, {}), kind="cable").item
    assert (found.quantity, found.length_m, found.needed_m) == (3, 2.0, 1.5)


def test_a_length_that_is_a_whole_number_of_metres_but_for_noise_is_not_one_more():
    design = joined(dataclasses.replace(DAC, lengths_m=()), length_m=5.0000001)
    assert line(bill_of(design, {}), kind="cable").item.order_m == 5.0


def test_an_optic_with_two_fibres_per_link_takes_two_and_sits_once_in_a_cage_of_two_media():
    optic = MediumType("o", "Acme", "Optic", "transceiver", links=1, link_gbps=400, ends=("OSFP",), fibres=2)
    design = joined(optic, n_links=2)
    link = design.links["l1"]
    design.apply(Edit("mixed", (Change(None, DAC), Change(link, dataclasses.replace(link, medium_id="dac")))))
    bill = bill_of(design, {})
    assert (bill.counts.fibres, bill.counts.cables, bill.counts.cages, bill.counts.transceivers) == (2, 3, 2, 2)
    link = design.links["l2"]
    design.apply(Edit("swap", (Change(link, dataclasses.replace(link, medium_id="dac")),)))
    first = design.links["l1"]
    design.apply(Edit("swap", (Change(first, dataclasses.replace(first, medium_id="o")),)))
    assert bill_of(design, {}).counts.transceivers == 2


def test_a_splitter_is_a_kind_of_its_own():
    assert line(bill_of(joined(dataclasses.replace(DAC, kind="DAC splitter")), {}), kind="splitter").item.quantity == 2


def test_a_fibre_that_is_selected_by_itself_leaves_the_transceivers_open():
    fibre = MediumType("f", "Acme", "Fiber", "fiber", links=1, fibre="MM", connector="MPO", parts=(MediumPart("F"),))
    found = bill_of(joined(fibre), {})
    assert line(found, kind="fiber").item.part_number == "F"
    optic = line(found, kind="transceiver").item
    assert (optic.quantity, optic.part_number, optic.gap) == (4, "", "only a fiber is selected")


def test_an_optic_without_a_known_fibre_or_far_module_says_so():
    optic = MediumType("o", "Acme", "Optic", "transceiver", links=2, link_gbps=400, ends=("QSFP-DD",), fibre="SM")
    found = bill_of(joined(optic), {})
    assert "opposite Optic" in line(found, kind="transceiver").item.gap
    fibre = line(found, kind="fiber").item
    assert (fibre.quantity, fibre.gap) == (4, "the catalog has no fiber for Optic that is known to reach that far")


@given(st.floats(0.01, 100), st.lists(st.floats(0.5, 100), max_size=6))
def test_a_stock_length_is_the_shortest_that_is_long_enough(length_m, lengths_m):
    _part, found = sold_as(dataclasses.replace(DAC, lengths_m=tuple(lengths_m)), length_m)
    enough = [one for one in lengths_m if one >= length_m - 1e-6]
    assert found == (min(enough) if enough else None)


# -- spares -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("policy", "kind", "quantity", "spares"),
    [
        ("cable:2%:1", "cable", 100, 2),
        ("cable:2%:1", "cable", 101, 3),
        ("cable:2%:1", "cable", 3, 1),
        ("cable:2%:5", "cable", 3, 5),
        ("cable:2%:5", "cable", 0, 0),
        ("cable:2%", "transceiver", 1000, 0),
        ("all:10%,cable:2%", "transceiver", 15, 2),
        ("all:10%,cable:2%", "cable", 15, 1),
        ("cable:7%", "cable", 100, 7),
        ("cable:0.5 %", "cable", 200, 1),
        ("cable:0%:2", "cable", 200, 2),
        ("", "cable", 200, 0),
        ("cable:2%", "fiber", 100, 2),
        ("cable:2%", "splitter", 100, 2),
        ("cable:2%", "circuit-fiber", 100, 2),
        ("cable:2%", "fan-out", 100, 0),
        ("cable:2%,fiber:10%", "fiber", 100, 10),
        ("fiber:10%,cable:2%", "cable", 100, 2),
        ("all:10%,cable:2%", "fiber", 100, 2),
        ("fiber:10%", "cable", 100, 0),
    ],
)
def test_spares_are_percent_rounded_up_and_a_minimum(policy, kind, quantity, spares):
    assert spares_of(parse_spares(policy), kind, quantity) == spares


@given(
    st.lists(
        st.builds(
            SpareRule,
            st.sampled_from([*ORDERED, "all"]),
            st.integers(0, 10_000).map(lambda n: Fraction(n, 100)),
            st.integers(0, 99),
        ),
        unique_by=lambda rule: rule.kind,
    )
)
def test_the_text_of_a_policy_is_read_back(rules):
    assert parse_spares(spares_text(tuple(rules))) == tuple(rules)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("plug:2%", "'plug' is no kind of part: choose from server, switch, circuit-switch, "),
        ("cable", "'cable' does not say how many spares: write kinds with percent and minimum, like cable:2%:1"),
        ("cable:2", "'cable:2' does not say how many"),
        ("cable:2%:1:1", "does not say how many"),
        ("cable:-2%", "'-2%' is not a percentage"),
        ("cable:x%", "'x%' is not a percentage"),
        ("cable:1001%", "1001% is too much: spares go up to 1000 %"),
        ("cable:2%:-1", "-1 is too small: it should be 0 to"),
        ("cable:2%:x", "'x' is not a whole number"),
        ("cable:2%,cable:3%", "spares for cable are given twice"),
    ],
)
def test_a_policy_that_cannot_be_read_is_refused_with_the_way_out(text, sentence):
    with pytest.raises(ParameterError, match=sentence.replace("(", r"\(")):
        parse_spares(text)


@pytest.mark.parametrize("policy", ["", "all:2%", "cable:2%", "fiber:2%,cable:1%", "switch:0%:1"])
def test_spares_are_accepted_where_the_bill_has_parts_that_they_are_for(policy):
    require_used(parse_spares(policy), ("server", "switch", "fiber"))
    require_used(parse_spares(policy), ())


@pytest.mark.parametrize(
    ("policy", "kinds", "sentence"),
    [
        (
            "switch:1%,splitter:5%:1",
            ("switch", "fiber", "server"),
            "spares splitter:5%:1 are for no part of this bill: it has server, switch, cable (of every kind), fiber",
        ),
        ("fiber:2%", ("cable",), "spares fiber:2% are for no part of this bill: it has cable (of every kind)"),
        ("cable:2%", ("server", "rack"), "spares cable:2% are for no part of this bill: it has server, rack"),
    ],
)
def test_spares_that_are_for_no_part_of_a_bill_are_refused_with_the_kinds_it_has(policy, kinds, sentence):
    with pytest.raises(ParameterError) as refused:
        require_used(parse_spares(policy), kinds)
    assert str(refused.value) == sentence


def test_a_bill_says_how_many_spares_it_has(pod, catalog):
    assert bill_of(pod, catalog.types).spares_text == "none"
    bill = bill_of(pod, catalog.types, policy=parse_spares("nic:1%,switch:0%:1"))
    spares = [one.spares for one in bill.lines if one.spares]
    assert bill.spares_text == f"{sum(spares)} pieces on {len(spares)} lines" and len(spares) > 2


def test_spares_are_ordered_in_addition_also_of_what_comes_with_something_else(pod, catalog):
    bill = bill_of(pod, catalog.types, policy=parse_spares("nic:1%,switch:0%:1"))
    nic, switch = line(bill, type_id="connectx-7-ndr"), line(bill, type_id="nvidia-qm9700")
    assert (nic.spares, nic.to_order) == (11, 11)
    assert (switch.spares, switch.to_order) == (1, switch.item.quantity + 1)


# -- prices -----------------------------------------------------------------------------------------------------------


def test_without_a_price_list_nothing_is_known(bill):
    assert bill.totals == () and bill.cost_text == "not known: no price list"
    assert all(one.line_price is None for one in bill.lines)


def test_what_has_a_price_is_added_and_the_rest_is_counted(pod, catalog):
    prices = price_list(
        {"DGX H100": price(1000, discount="0.1"), "980-9I510-00NS00": price("10.005"), "other": price(1)}
    )
    bill = bill_of(pod, catalog.types, prices)
    assert line(bill, type_id="dgx-h100").line_price == Decimal("114300.00")
    optic = line(bill, part_number="980-9I510-00NS00")
    assert optic.line_price == (Decimal("10.005") * optic.to_order).quantize(Decimal("0.01"), "ROUND_HALF_UP")
    assert dict(bill.totals) == {"USD": Decimal("114300.00") + optic.line_price}
    n = len([one for one in bill.lines if one.to_order]) - 2
    assert bill.cost_text == f"{bill.totals[0][1]:,.2f} USD without {n} lines whose price is unknown"
    assert (bill.unused_prices, bill.price_dates) == (("other",), ("2026-11-01", "2026-11-01"))


def test_each_kind_has_its_sum_and_counts_what_it_must_order_without_a_price(pod, catalog):
    bill = bill_of(pod, catalog.types, price_list({"DGX H100": price(1000)}))
    kinds = {kind: (amounts, unpriced) for kind, amounts, unpriced in bill.totals_by_kind}
    assert kinds["server"] == ((("USD", Decimal("127000.00")),), 0)
    assert "nic" not in kinds, "they come with the servers"
    assert sum(unpriced for _, unpriced in kinds.values()) == len(bill.unpriced)


def test_a_nic_is_in_the_networks_that_its_ports_are_linked_in(bill):
    assert line(bill, type_id="connectx-7-ndr").item.networks == ("compute",)
    assert line(bill, type_id="connectx-7-ndr-2p").item.networks == ("storage",)
    assert line(bill, type_id="dgx-h100").item.networks == ("compute", "storage", "oob")


def test_a_part_number_comes_before_a_model_and_case_does_not_matter():
    design = joined(dataclasses.replace(DAC, parts=(MediumPart("N-2", model="DAC-2", length_m=2.0),)))
    for name, amount in (("n-2", 1), ("DAC-2", 2), ("dac", 3)):
        found = bill_of(design, {}, price_list({name: price(amount), "DAC-xxx": price(9)}))
        assert line(found, kind="cable").price.amount == amount
    both = bill_of(design, {}, price_list({"DAC-2": price(2), " N-2 ": price(1)}))
    assert line(both, kind="cable").price.amount == 1
    assert line(bill_of(joined(DAC), {}, price_list({"DAC-xxx": price(9)})), kind="cable").price is None


def test_two_currencies_are_never_added():
    design = joined(dataclasses.replace(DAC, parts=(MediumPart("N-2", length_m=2.0),)))
    bill = bill_of(design, {}, price_list({"N-2": price(5, "EUR"), "S": price(7)}))
    assert bill.totals == (("EUR", Decimal("10.00")), ("USD", Decimal("14.00")))
    assert bill.cost_text == "10.00 EUR and 14.00 USD"


def test_the_price_that_a_type_of_the_design_states_counts_where_the_list_has_none():
    design = joined(dataclasses.replace(DAC, parts=(MediumPart("N-2", length_m=2.0),)), price_usd=99.5)
    assert bill_of(design, {}).cost_text == "199.00 USD without 1 line whose price is unknown"
    bill = bill_of(design, {}, price_list({"S": price(7, "EUR")}))
    assert line(bill, kind="switch").price == price(7, "EUR")
    assert bill.cost_text == "14.00 EUR without 1 line whose price is unknown"


def test_the_price_of_a_cable_type_and_of_nothing_to_order():
    cable = dataclasses.replace(DAC, price_usd=2.5, parts=(MediumPart("N-2", length_m=2.0),))
    assert line(bill_of(joined(cable), {}), kind="cable").line_price == Decimal("5.00")


def test_a_price_of_what_comes_with_something_else_is_no_part_of_the_total(pod, catalog):
    nic = line(bill_of(pod, catalog.types, price_list({"ConnectX-7": price(100)})), type_id="connectx-7-ndr")
    assert (nic.price, nic.line_price) == (price(100), None)


def test_half_a_cent_is_rounded_up():
    assert price("0.005").of(1) == Decimal("0.01") and price("0.125").of(1) == Decimal("0.13")


def test_a_list_without_a_price_for_any_line_is_named():
    assert bill_of(joined(DAC), {}, price_list({"other": price(1)})).cost_text == "not known: no price in prices.csv"


def test_an_empty_design_has_nothing_to_order():
    empty = bill_of(from_entities([]), {})
    assert (empty.lines, empty.networks, empty.cost_text) == ((), {}, "nothing to order")


@given(st.decimals(0, 10**6, places=2), st.integers(1, 10**5), st.integers(0, 100))
def test_a_line_costs_its_count_times_the_discounted_price_to_the_cent(amount, count, percent):
    found = price(amount, discount=Decimal(percent) / 100).of(count)
    assert abs(Fraction(found) - Fraction(amount) * count * (100 - percent) / 100) <= Fraction(1, 200)
    assert found == found.quantize(Decimal("0.01"))


# -- what lies between the ends of links -------------------------------------------------------------------------------


def bill_of_preset(catalog, name, **other):
    preset = preset_named(name)
    design = Design()
    parameters = replace(parameters_of(preset), **other)
    design.apply(family_of(preset).build(design, parameters, catalog))
    return design, bill_of(design, catalog.types)


def test_kinds_of_earlier_options_are_read_in_their_old_spelling():
    assert spares_text(parse_spares("fibre:2%,circuit-fibre:1%")) == "fiber:2%,circuit-fiber:1%"


def test_circuit_switches_and_the_fibres_behind_them_are_counted_and_said_to_be_unknown(catalog):
    design, found = bill_of_preset(catalog, "google-tpu-v4-superpod", dims=(8, 8, 4))
    through = [one for one in design.links.values() if circuit_switch(one)]
    names = {circuit_switch(one) for one in through}
    switches, fibres = line(found, kind="circuit-switch"), line(found, kind="circuit-fiber")
    assert (switches.item.quantity, fibres.item.quantity) == (len(names), len(through))
    assert 0 < len(names) < len(through)
    assert switches.item.description == f"Optical circuit switch, {2 * len(through) // len(names)} ports in use"
    assert "not known" in switches.item.gap and "not known" in fibres.item.gap
    assert switches.item.part_number == fibres.item.part_number == ""
    # Each of the links is two fibers, and two transceivers that are not selected yet.
    assert found.counts.cables == sum(total(found, kind) for kind in ("cable", "splitter", "fiber", "circuit-fiber"))
    assert total(found, "fiber") == total(found, "circuit-fiber") == len(through)
    assert total(found, "transceiver") == found.counts.transceivers == 2 * len(through)


def test_a_design_without_them_has_no_such_lines(bill):
    assert not {one.item.kind for one in bill.lines} & {"circuit-switch", "circuit-fiber", "fan-out"}


def test_nics_whose_ports_lead_to_several_switches_take_a_fan_out_each(catalog):
    _, found = bill_of_preset(catalog, "openai-mrc-131072", servers=64)
    one = line(found, kind="fan-out").item
    assert one.quantity == 64
    assert one.description == "Shuffle cable or optical fan-out of a NIC, to 8 devices, if its ports share a cage"
    assert one.gap and not one.part_number


def test_a_cage_that_leads_to_two_switches_may_take_a_twin_port_transceiver():
    lines = list(fan_out_lines({(2, True): 3, (4, True): 1}, {"compute"}))
    assert [text.split(",")[0] for _, _, text, *_ in lines] == [
        "Twin-port transceiver",
        "Shuffle cable or optical fan-out of a NIC",
    ]
    assert all("no cable is selected" in gap for *_, gap, _ in lines)


def test_a_split_cage_whose_transceiver_is_selected_has_no_fan_out_besides(catalog):
    preset = preset_named("era-2-8-9-800-4su-single-tier")
    design, bare = bill_of_preset(catalog, preset.id)
    assert line(bare, kind="fan-out").item.description.endswith("to 2 devices")
    assert line(bare, kind="fan-out").item.quantity == 128
    design.apply(prepare(design, catalog.types).edit)
    assert "fan-out" not in {one.item.kind for one in bill_of(design, catalog.types).lines}
