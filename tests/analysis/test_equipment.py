"""Equipment and parts of links: everything counted once, and nothing bought twice that comes with something else."""

import dataclasses

import pytest

from designer.analysis.equipment import equipment
from designer.analysis.parts import link_parts, parts
from designer.analysis.survey import survey
from designer.model.edit import Change, Edit
from designer.model.networks import NETWORKS
from designer.topologies import networks
from designer.topologies.network_parameters import NetworkParameters


def by_type(design):
    return {one.type.id: (one.count, one.included, one.ordered_apart) for one in equipment(design)}


def test_servers_come_with_their_nics_and_switches_and_racks_are_ordered(superpod):
    assert by_type(superpod) == {
        "dgx-h100": (127, 0, 127),
        "nvidia-qm9700": (48, 0, 48),
        "connectx-7-ndr": (1016, 1016, 0),
        "rack-42u": (len(superpod.racks), 0, len(superpod.racks)),
    }


def test_a_nic_of_another_type_than_the_delivered_one_is_ordered_apart(superpod, catalog):
    design = superpod.snapshot()
    module = next(iter(design.modules.values()))
    other = catalog.get("connectx-8-xdr")
    changed = Change(module, dataclasses.replace(module, type_id=other.id))
    design.apply(Edit("Another NIC", (Change(None, other), changed)))
    assert by_type(design)["connectx-8-xdr"] == (1, 0, 1)
    assert by_type(design)["connectx-7-ndr"] == (1015, 1015, 0)


def test_a_rack_scale_system_comes_with_its_rack(generate):
    design = generate("rail-optimized", server="gb200-nvl72", switch="nvidia-qm9700", servers=2)
    systems = sum(design.is_server(device_id) for device_id in design.devices)
    racks = [one for one in equipment(design) if one.type.id.startswith("rack")]
    assert systems == 2
    assert sum(one.included for one in racks) == 2
    assert sum(one.count for one in racks) == len(design.racks)


@pytest.fixture(scope="module")
def with_networks(catalog, generate):
    design = generate("rail-optimized", servers=16, servers_per_su=16)
    wanted = NetworkParameters(storage_switch="nvidia-qm9700", oob_switch="nvidia-sn2201")
    design.apply(networks.build(design, wanted, catalog))
    return design


def test_parts_of_the_networks_add_up_to_those_of_all(with_networks):
    surveyed = survey(with_networks)
    found = link_parts(surveyed)
    counts = [dataclasses.astuple(found.counts(network)) for network in NETWORKS]
    assert tuple(map(sum, zip(*counts, strict=True))) == dataclasses.astuple(parts(surveyed))
    assert found.counts("storage").links and found.counts("oob").links and not found.counts("in-band").links
