"""The worst failure that reports state: of what, and where none is looked for."""

from designer.simulation import reported


def test_the_worst_failure_is_not_looked_for_in_a_large_design(generate, monkeypatch):
    design = generate("rail-optimized", servers=6, servers_per_su=3)
    assert reported.fabric_failures(design).worst.loss
    monkeypatch.setattr(reported, "MOST_FAILED", len(design.links) - 1)
    failures = reported.fabric_failures(design)
    found = failures.worst
    assert failures.severing.cut_off is None and failures.slowing.slowdown is None
    assert found.loss is None and found.text == f"not looked for in a design of more than {len(design.links) - 1} links"


def test_gpus_that_a_failure_cuts_off_and_the_longer_time_of_the_others_are_apart(generate):
    """A leaf switch of a fat-tree cuts its GPUs off; one of a rail leaves them seven NICs of eight."""
    tree = reported.fabric_failures(generate("fat-tree", switch="nvidia-qm9700", server="dgx-h100", servers=8))
    assert tree.severing.cut_off == 32 and tree.severing.part.startswith("switch leaf-")
    assert tree.severing.text.endswith(": 32 GPUs of 64 cut off, the others: no slowdown")
    rail = reported.fabric_failures(generate("rail-optimized", servers=6, servers_per_su=3))
    assert rail.severing.part == "switch spine-01" and rail.severing.cut_off == 24
    assert rail.slowing.part.startswith("switch leaf-") and rail.slowing.slowdown > 1.5 and not rail.slowing.cut_off
    assert rail.severing.slowdown < 1 and rail.severing.text.endswith("no slowdown")
