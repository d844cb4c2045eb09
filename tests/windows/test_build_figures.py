"""What the form says of a fabric before it is built: devices by the words of the field."""

import pytest

from designer.topologies.families import BUILT_IN
from designer.windows.dialogs.build_figures import count_rows, server_types

FAMILIES = {family.name: family for family in BUILT_IN}


def shown(catalog, name, **values):
    """The rows of a family, without links and racks."""
    family = FAMILIES[name]
    parameters = family.parameters(**values)
    rows = count_rows(family.counts(parameters, catalog), server_types(parameters, catalog))
    return {what: number for what, number in rows if not what.endswith("links") and what != "racks"}


def test_hosts_and_routers_are_called_so_and_a_host_is_one_endpoint(catalog):
    assert shown(catalog, "dragonfly", p=1, a=4, h=1) == {"hosts": "20", "routers": "20"}
    assert shown(catalog, "torus", dims=(3, 4)) == {"hosts": "12", "routers": "12"}


def test_servers_with_gpus_keep_their_endpoints(catalog):
    found = shown(catalog, "fat-tree", servers=32)
    assert (found["servers"], found["endpoints"]) == ("32", "256")


def test_of_hosts_and_nodes_without_gpus_it_counts_the_hosts(catalog):
    values = {"p": 2, "a": 4, "h": 2, "groups": 3, "other_groups": (("io", (1, 4, 2)),)}
    found = shown(catalog, "dragonfly", kind_servers=(("io", "generic-node"),), **values)
    assert found == {"nodes": "32", "hosts among them": "24", "routers": "16"}


@pytest.mark.parametrize("family", BUILT_IN, ids=lambda one: one.name)
def test_every_family_names_the_types_of_its_servers(catalog, family):
    assert server_types(family.parameters(), catalog)
