"""Whether a changed design has an error that it did not have before: what advice must not bring."""

from designer.model.edit import Edit, removed
from designer.validation.judging import new_error


def test_the_error_that_a_change_brings_is_named_and_one_that_was_there_is_not(generate):
    design = generate("rail-optimized", servers=16, servers_per_su=8)
    leafs = [one for one in design.switches() if one.role == "leaf"][:2]

    def with_fewer_uplinks(of, leaf):
        changed = of.snapshot()
        uplinks = [
            link
            for link in changed.links_of(leaf.id)
            if all(map(changed.is_switch, (link.a.device_id, link.b.device_id)))
        ]
        changed.apply(Edit("Fewer", removed(uplinks[:2])))
        return changed

    thin = with_fewer_uplinks(design, leafs[0])
    assert new_error(design, thin).startswith(f"{leafs[0].name}: ")
    assert new_error(thin, thin) == new_error(thin, design) == ""
    assert new_error(thin, with_fewer_uplinks(thin, leafs[1])).startswith(f"{leafs[1].name}: ")
