"""The worst failure that reports state: of what, and where none is looked for."""

from designer.simulation import reported


def test_the_worst_failure_is_not_looked_for_in_a_large_design(generate, monkeypatch):
    design = generate("rail-optimized", servers=6, servers_per_su=3)
    assert reported.worst_failure(design).loss
    monkeypatch.setattr(reported, "MOST_FAILED", len(design.links) - 1)
    found = reported.worst_failure(design)
    assert found.loss is None and found.text == f"not looked for in a design of more than {len(design.links) - 1} links"
