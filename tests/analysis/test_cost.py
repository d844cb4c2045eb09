"""Cost: list prices where there are any, never a guess."""

from dataclasses import replace

from designer.analysis.cost import cost
from designer.analysis.summary import summarize
from designer.catalog.catalog import load
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.topologies import rail_optimized
from designer.topologies.rail_optimized import RailOptimizedParameters


def priced(**prices: float) -> Design:
    design = Design()
    design.apply(rail_optimized.build(design, RailOptimizedParameters(servers=4), load()))
    changes = []
    for type_id, price in prices.items():
        type_ = design.types[type_id.replace("_", "-")]
        changes.append(Change(type_, replace(type_, price_usd=price)))
    design.apply(Edit("Prices", tuple(changes)))
    return design


def test_without_prices_nothing_is_known_and_what_has_none_is_named():
    found = cost(priced())
    assert (found.known_usd, found.total_usd) == (0.0, None)
    assert found.unpriced == (("dgx-h100", 4), ("nvidia-qm9700", 9))
    assert summarize(priced()).cost_usd is None


def test_prices_of_servers_include_the_nics_they_are_delivered_with():
    assert summarize(priced(dgx_h100=1000.0, nvidia_qm9700=10.0)).cost_usd == 4 * 1000 + 9 * 10
    partly = cost(priced(nvidia_qm9700=10.0))
    assert (partly.known_usd, partly.unpriced) == (90.0, (("dgx-h100", 4),))


def test_nics_that_come_with_their_servers_cost_nothing_more():
    assert summarize(priced(dgx_h100=1000.0, nvidia_qm9700=10.0, connectx_7_ndr=5.0)).cost_usd == 4 * 1000 + 9 * 10
