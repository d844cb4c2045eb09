"""What networks are built of at a glance: those of direct networks with their links and diameter."""

from designer.analysis.summary import network_shapes
from designer.analysis.summary_text import shape_lines
from designer.analysis.tiers import server_word, switch_word
from designer.model import operations
from designer.model.design import Design
from designer.topologies import networks
from designer.topologies.network_parameters import NetworkParameters


def lines(design):
    (shape,) = network_shapes(design)
    return shape_lines(shape, server_word(design), switch_word(design))


def test_a_torus_says_its_links_their_rate_and_its_diameter(generate):
    found = lines(generate("torus", dims=(4, 4, 2)))
    assert any(line.startswith("80 torus links at 400G") for line in found), found
    assert "Diameter: 5 hops router to router" in found


def test_a_dragonfly_tells_local_links_from_global_ones(generate):
    found = lines(generate("dragonfly"))
    assert any(line.startswith("54 local links at ") for line in found), found
    assert any(line.startswith("36 global links at ") for line in found), found
    assert "Diameter: 3 hops router to router" in found


def test_a_fabric_of_tiers_has_its_oversubscription_and_no_lines_about_links(generate):
    found = lines(generate("fat-tree", switch="generic-switch-8x400g", server="generic-host", servers=16))
    assert not any("links" in line or "Diameter" in line for line in found)
    assert any(line.startswith("2 tiers: ") for line in found)


def test_servers_on_one_switch_are_no_direct_network_and_servers_alone_are_none(generate, catalog):
    found = lines(generate("fat-tree", servers=2, switch="generic-switch-48x400g", server="generic-host"))
    assert not any("links at" in line or "Diameter" in line for line in found), found
    design = Design()
    design.apply(operations.add_device(design, catalog.get("dgx-h100"), 0, 0, catalog_types=catalog.types))
    assert network_shapes(design) == ()


def test_a_network_on_the_switches_of_another_says_so(generate, catalog):
    design = generate("rail-optimized", servers=4, servers_per_su=4, server="dgx-b200")
    parameters = NetworkParameters(storage_switch="nvidia-sn5600", in_band_on="storage")
    design.apply(networks.build(design, parameters, catalog))
    found = {one.network: shape_lines(one) for one in network_shapes(design)}
    assert "On switches of: storage" in found["in-band"]
    assert not any("On switches of" in line for line in (*found["compute"], *found["storage"]))
