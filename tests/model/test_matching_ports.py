"""Which ports a cable joins, and what is said when none does."""

from dataclasses import replace

import pytest

from designer.model import matching, operations
from designer.model.entities import End
from designer.model.hardware.media import MediumType
from designer.model.hardware.ports import Port
from designer.model.operations import port_compatibility

OSFP_FINNED = Port("1/1", 400, "OSFP", "finned", 1, 1, 2, ("infiniband",))
OSFP_FLAT = Port("rail1", 400, "OSFP", "flat-top", 1, 1, 2, ("infiniband", "ethernet"))
QSFP112 = Port("storage1", 400, "QSFP112", "", 1, 1, 1, ("infiniband", "ethernet"))
QSFP56 = Port("7", 200, "QSFP56", "", 7, 1, 1, ("infiniband",))
PLAIN = Port("1", 400, "", "", 1, 1, 1, ("ethernet",))


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (OSFP_FINNED, OSFP_FLAT),
        (OSFP_FINNED, QSFP112),
        (OSFP_FLAT, QSFP112),
        (QSFP56, QSFP56),
        (PLAIN, OSFP_FLAT),
        (replace(OSFP_FINNED, rate_gbps=200, ports_per_cage=4), replace(QSFP112, rate_gbps=200)),
        (replace(OSFP_FINNED, rate_gbps=200, ports_per_cage=2), QSFP56),
        (replace(OSFP_FLAT, ports_per_cage=1), OSFP_FINNED),
    ],
)
def test_ports_of_one_rate_and_one_lane_speed_join_whatever_their_shells_and_fins(a, b):
    assert port_compatibility(a, b) is None
    assert port_compatibility(b, a) is None


def test_different_rates_never_join():
    assert port_compatibility(OSFP_FINNED, QSFP56) == "port 1/1 runs at 400G, port 7 at 200G"


def test_different_protocols_never_join():
    ethernet = replace(OSFP_FLAT, protocols=("ethernet",))
    assert port_compatibility(OSFP_FINNED, ethernet) == "port 1/1 speaks InfiniBand, port rail1 Ethernet"


def test_lanes_of_different_speed_do_not_join_even_at_one_rate():
    quarter = replace(OSFP_FINNED, rate_gbps=200, ports_per_cage=4)
    expected = (
        "port 1/1 needs lanes of 100G (OSFP), port 7 has lanes of 50G at most (QSFP56): no cable connects them, "
        "nor do optics in the catalog"
    )
    assert port_compatibility(quarter, QSFP56) == expected
    assert port_compatibility(QSFP56, quarter) == expected


QSFP_DD = Port("swp2", 400, "QSFP-DD", "", 2, 1, 1, ("ethernet",))


@pytest.mark.parametrize("other", [QSFP112, OSFP_FLAT, replace(OSFP_FLAT, ports_per_cage=1)])
def test_optics_that_gear_their_lanes_join_ports_with_lanes_of_different_speed(other, catalog):
    assert port_compatibility(QSFP_DD, other) is None and port_compatibility(other, QSFP_DD) is None
    assert matching.are_geared(QSFP_DD, other) and matching.are_geared(other, QSFP_DD)
    optics = [one for one in catalog.types.values() if isinstance(one, MediumType) and one.kind == "transceiver"]
    optics = [one for one in optics if one.link_gbps == 400 and "ethernet" in one.protocols]
    near, far = (
        {
            (one.socket, one.fibre)
            for one in optics
            if one.links == port.ports_per_cage and any(matching.port_takes(port, end) for end in one.ends)
        }
        for port in (QSFP_DD, other)
    )
    assert near & far, "the catalog has optics for both"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (replace(QSFP_DD, ports_per_cage=2, rate_gbps=200), replace(OSFP_FINNED, rate_gbps=200, ports_per_cage=4)),
        (QSFP_DD, replace(QSFP112, form_factor="QSFP-DD800", ports_per_cage=2)),
        (replace(QSFP_DD, protocols=("infiniband",)), QSFP112),
    ],
)
def test_without_such_optics_for_both_they_do_not_join(one, other):
    assert "nor do optics in the catalog" in port_compatibility(one, replace(other, protocols=one.protocols))


def test_form_factors_nobody_published_are_not_judged():
    odd = replace(OSFP_FLAT, form_factor="SuperPlug")
    assert port_compatibility(OSFP_FINNED, odd) is None


def test_a_switch_with_a_mode_of_the_right_rate_is_named_as_the_way_out(pen, design):
    leaf = pen.add("nvidia-qm9700", "leaf-07")
    host = pen.add("generic-host-200g", "gpu-001")
    reason = matching.why_not(design, End(leaf, "1/1"), End(host, "nic1"))
    assert reason == (
        "leaf-07 port 1/1 runs at 400G, gpu-001 port nic1 at 200G: set the switch to a 200G mode or select another NIC"
    )


def test_a_mode_whose_lanes_do_not_match_is_not_offered(pen, design):
    leaf, server = pen.add("nvidia-qm9700", "leaf-07"), pen.add("dgx-a100", "gpu-001")
    reason = matching.why_not(design, End(leaf, "1/1"), End(server, "rail1"))
    assert reason == "leaf-07 port 1/1 runs at 400G, gpu-001 port rail1 at 200G: select another NIC or another switch"


def test_a_switch_with_links_is_not_named_where_one_without_has_the_mode(pen, design):
    leaf, spine = pen.add("nvidia-sn5600", "leaf-1"), pen.add("nvidia-sn5600", "spine-1")
    pen.do(operations.set_port_mode(design, leaf, "128x400G"))
    ends = End(leaf, "swp9s0"), End(spine, "swp1")
    assert "set leaf-1 to an 800G mode or" in matching.why_not(design, *ends)
    pen.join(pen.add("dgx-h100", "gpu-1"), leaf)
    assert "set spine-1 to a 400G mode or" in matching.why_not(design, *ends)


def test_between_two_switches_the_one_with_the_mode_is_named(pen, design):
    big, small = pen.add("nvidia-sn5600", "spine-1"), pen.add("generic-switch-64x400g", "leaf-1")
    reason = matching.why_not(design, End(small, "1"), End(big, "swp1"))
    assert reason == (
        "leaf-1 port 1 runs at 400G, spine-1 port swp1 at 800G: set spine-1 to a 400G mode or select another switch"
    )


def test_lanes_and_protocols_that_do_not_match_have_a_way_out_too(pen, design):
    leaf, server = pen.add("nvidia-qm8700", "leaf-07"), pen.add("dgx-h100", "gpu-001")
    slow = design.ports(leaf)[0]
    fast = replace(design.port_map(server)["rail1"], rate_gbps=200, ports_per_cage=4)
    reason = matching.explain(design, leaf, slow, server, fast)
    assert reason is not None and reason.endswith("; select another NIC or another switch"), reason
