"""What injectors of faults have in common: a choice at random, links of a kind, and limits that a design just keeps."""

from dataclasses import replace

from designer.model.edit import Change, added
from designer.model.entities import Link


def changed(entity, **fields):
    return Change(entity, replace(entity, **fields))


def one_of(random, candidates):
    found = list(candidates)
    return random.choice(found) if found else None


def up_links(design):
    """Links between switches."""
    switches = {one.id for one in design.switches()}
    return [one for one in design.links.values() if {one.a.device_id, one.b.device_id} <= switches]


def down_links(design):
    """Links of servers."""
    servers = {one.id for one in design.servers()}
    return [one for one in design.links.values() if servers & {one.a.device_id, one.b.device_id}]


def with_free_ports(design, least):
    return [one for one in design.switches() if len(design.free_ports(one.id)) >= least]


def joined(design, a, b):
    return added([Link(design.new_ids("links", 1)[0], a, b)])


def under(design, **limits):
    """The change of the design's policy to these limits."""
    return changed(design.settings, policy=replace(design.policy, **limits))
