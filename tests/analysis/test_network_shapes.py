"""What networks are built of at a glance: those of direct networks with their links and diameter."""

from designer.analysis.summary import network_shapes
from designer.analysis.summary_text import shape_lines


def lines(design):
    (shape,) = network_shapes(design)
    return shape_lines(shape)


def test_a_torus_says_its_links_their_rate_and_its_diameter(generate):
    found = lines(generate("torus", dims=(4, 4, 2)))
    assert any(line.startswith("80 torus links at 400G") for line in found), found
    assert "Diameter: 5 hops switch to switch" in found


def test_a_dragonfly_tells_local_links_from_global_ones(generate):
    found = lines(generate("dragonfly"))
    assert any(line.startswith("54 local links at ") for line in found), found
    assert any(line.startswith("36 global links at ") for line in found), found
    assert "Diameter: 3 hops switch to switch" in found


def test_a_fabric_of_tiers_has_its_oversubscription_and_no_lines_about_links(generate):
    found = lines(generate("fat-tree", switch="generic-switch-8x400g", server="generic-host", servers=16))
    assert not any("links" in line or "Diameter" in line for line in found)
    assert any(line.startswith("2 tiers: ") for line in found)
