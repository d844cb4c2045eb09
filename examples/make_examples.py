"""Makes the example designs: `python examples/make_examples.py [FOLDER]`. The same bytes every time.

A test regenerates them and compares, so a change of catalog, generators or file format shows here as a diff.
"""

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from designer.analysis.cable_numbers import number_cables  # noqa: E402  (the checkout's own package)
from designer.catalog.catalog import Catalog, load  # noqa: E402
from designer.model import operations, waiving  # noqa: E402
from designer.model.design import Design  # noqa: E402
from designer.model.edit import Change, Edit, added, removed  # noqa: E402
from designer.model.entities import (  # noqa: E402
    DRAGONFLY_GROUP,
    Allocation,
    Device,
    End,
    Group,
    Link,
    Module,
    PlacedJob,
    Placement,
    Rack,
)
from designer.model.furnishing import add_fixture  # noqa: E402
from designer.model.hardware.modules import NicType, Slot  # noqa: E402
from designer.model.hardware.servers import ServerType  # noqa: E402
from designer.model.hardware.switches import FRONT_TO_REAR  # noqa: E402
from designer.model.placed_jobs import whole  # noqa: E402
from designer.model.settings import Settings  # noqa: E402
from designer.model.waiver import Waiver  # noqa: E402
from designer.placement.metrics import ROW_PITCH  # noqa: E402
from designer.placement.preparation import prepare  # noqa: E402
from designer.regeneration import recipes  # noqa: E402
from designer.storage import document  # noqa: E402
from designer.topologies.fat_tree import FatTreeParameters  # noqa: E402
from designer.topologies.rail_optimized import RailOptimizedParameters  # noqa: E402


def superpod(catalog: Catalog) -> Design:
    """The published NVIDIA DGX SuperPOD H100 of four scalable units."""
    design = Design(
        Settings(
            name="DGX SuperPOD H100, 4 SU",
            notes="Reference design published by NVIDIA: 127 DGX H100, 32 leafs and 16 spines QM9700. "
            "The server missing in SU 4 makes room for 4 ports of UFM.",
        )
    )
    parameters = RailOptimizedParameters(
        switch="nvidia-qm9700", server="dgx-h100", servers=127, servers_per_su=32, reserve_leaf_ports=4
    )
    family = recipes.family_named("rail-optimized")
    design.apply(recipes.generated_and_prepared(design, family, parameters, catalog, "auto").edit)
    design.apply(number_cables(design))
    return design


def oversubscribed(catalog: Catalog) -> Design:
    """A small fat-tree at 2:1 whose limit is 1:1, so that the leafs are found oversubscribed; two jobs share it."""
    design = Design(
        Settings(
            name="Fat-tree of 16 servers at 2:1",
            default_cable_length_m=10.0,
            notes="Every leaf has 32 links down and 16 up: 2:1, against a limit of 1:1. No port of a leaf is free for "
            "more uplinks: change the limit in Check > Policy, or waive the findings with a reason. Two jobs lie "
            "across the leafs: run them together to see how one slows the other down. The switch is a generic one and "
            "stands in no rack: every cable has the design's default length.",
        )
    )
    parameters = FatTreeParameters(
        switch="generic-switch-48x400g", server="dgx-h100", servers=16, oversubscription=2.0, racks="none"
    )
    design.apply(recipes.generated(design, recipes.family_named("fat-tree"), parameters, catalog))
    design.apply(prepare(design, catalog.types).edit)
    design.apply(number_cables(design))
    servers = [server.id for server in design.servers()]
    for name, part, collective in (("training", servers[::2], "all-reduce"), ("experts", servers[1::2], "all-to-all")):
        edit = operations.add_job(design, name, servers=whole(part), collective=collective, size_bytes=2**30)
        design.apply(edit)
    return design


def faulty(catalog: Catalog) -> Design:
    """A small rail-optimized fabric with one deliberate fault for every rule of the default policy."""
    lines = sorted(f"{code}: {what}." for code, what, _ in FAULTS)
    notes = "\n".join(["Deliberate faults, one for every rule of the default policy:", *lines])
    design = Design(Settings(name="Deliberate faults", notes=notes))
    parameters = RailOptimizedParameters(servers=12, servers_per_su=8, rails=2, reserve_leaf_ports=1)
    design.apply(recipes.generated(design, recipes.family_named("rail-optimized"), parameters, catalog))
    for _, what, fault in FAULTS:
        design.apply(Edit(what, fault(design, catalog)))
    design.apply(prepare(design, catalog.types).edit)
    design.apply(_late_rack(design))
    design.apply(Edit("Fill a low rack", _full_rack(design, catalog)))
    design.apply(number_cables(design))
    return design


Changes = tuple[Change, ...]


def _duplicate_name(design: Design, catalog: Catalog) -> Changes:
    return (_changed(design.find("gpu-02"), name="gpu-01"),)


def _no_such_port(design: Design, catalog: Catalog) -> Changes:
    link = _link_at(design, "gpu-03", "rail1")
    return (_changed(link, b=End(link.b.device_id, "40/1")),)


def _port_used_twice(design: Design, catalog: Catalog) -> Changes:
    link, other = _link_at(design, "gpu-04", "rail1"), _link_at(design, "gpu-04", "rail3")
    return (_changed(link, b=other.b),)


def _speed_mismatch(design: Design, catalog: Catalog) -> Changes:
    leaf = design.find("leaf-su2-r2")
    cage = design.port_map(leaf.id)[_link_at(design, "gpu-09", "rail2").b.port].cage
    return (_changed(leaf, cage_modes=((cage, "128x200G"),)),)


def _breakout_mismatch(design: Design, catalog: Catalog) -> Changes:
    return (_changed(design.find("spine-01"), cage_modes=((3, "32x800G"),)),)


def _ports_exceeded(design: Design, catalog: Catalog) -> Changes:
    """The server's 8 ports are all in use."""
    server, leaf = design.find("gpu-11").id, design.find("leaf-su2-r1").id
    return added([_new_link(design, End(server, "rail7"), End(leaf, design.free_ports(leaf)[-1].name))])


def _reserved_port_in_use(design: Design, catalog: Catalog) -> Changes:
    leaf = next(device for device in design.switches() if device.reserved_ports)
    return (_changed(_link_at(design, "gpu-12", "rail7"), b=End(leaf.id, leaf.reserved_ports[0])),)


def _protocol_mismatch(design: Design, catalog: Catalog) -> Changes:
    sn5600 = catalog.get("nvidia-sn5600")
    (device_id,) = design.new_ids("devices", 1)
    spine, right_spine = design.find("spine-01").id, design.placements[design.find("spine-02").id]
    return added(
        [
            sn5600,
            Device(device_id, "storage-01", sn5600.id, port_mode="128x400G"),
            Placement(device_id, right_spine.x + 240, right_spine.y),
            _new_link(design, End(device_id, "swp1s0"), End(spine, design.free_ports(spine)[0].name)),
        ]
    )


def _link_to_itself(design: Design, catalog: Catalog) -> Changes:
    leaf = design.find("leaf-su2-r2").id
    one, other = design.free_ports(leaf)[-2:]
    return added([_new_link(design, End(leaf, one.name), End(leaf, other.name))])


def _nic_slots_exceeded(design: Design, catalog: Catalog) -> Changes:
    first, second = design.new_ids("modules", 2)
    return added(
        [
            Module(first, design.find("gpu-07").id, "rail9", "connectx-7-ndr"),
            Module(second, design.find("gpu-08").id, "rail1", "connectx-7-ndr"),
        ]
    )


def _nic_does_not_fit(design: Design, catalog: Catalog) -> Changes:
    connectx6 = catalog.get("connectx-6-hdr")
    (module_id,) = design.new_ids("modules", 1)
    return added([connectx6, Module(module_id, design.find("gpu-10").id, "storage1", connectx6.id)])


def _uncabled_nics(design: Design, catalog: Catalog) -> Changes:
    return removed([_link_at(design, "gpu-06", port) for port in ("rail3", "rail4")])


def _missing_nic(design: Design, catalog: Catalog) -> Changes:
    server = design.find("gpu-08").id
    (module,) = (one for one in design.modules_of(server) if one.slot == "rail6")
    return removed([_link_at(design, "gpu-08", "rail6"), module])


def _unreachable(design: Design, catalog: Catalog) -> Changes:
    (device_id,) = design.new_ids("devices", 1)
    neighbour = design.find("gpu-09")
    lonely = Device(device_id, "gpu-13", neighbour.type_id, group_id=neighbour.group_id, unit=neighbour.unit)
    place = design.placements[neighbour.id]
    return added([lonely, Placement(device_id, place.x, place.y + 2 * ROW_PITCH)])


def _fabric_in_pieces(design: Design, catalog: Catalog) -> Changes:
    """A server on leaf switches of the fabric and on one that has no uplink."""
    (lab_id,) = design.new_ids("devices", 1)
    leaf = design.find("leaf-su2-r1")
    lab = Device(lab_id, "lab-leaf", leaf.type_id, role=leaf.role)
    place = design.placements[leaf.id]
    link = _new_link(design, End(design.find("gpu-06").id, "rail4"), End(lab_id, "1/1"))
    return added([lab, Placement(lab_id, place.x + 900, place.y), replace(link, length_m=8.0, length_source="typed")])


def _oversubscribed_leaf(design: Design, catalog: Catalog) -> Changes:
    """Four uplinks to each spine are gone: 32 links down, 24 up."""
    return removed(_uplinks(design, "leaf-su1-r2", "spine-01")[-4:] + _uplinks(design, "leaf-su1-r2", "spine-02")[-4:])


def _uneven_uplinks(design: Design, catalog: Catalog) -> Changes:
    return removed(_uplinks(design, "leaf-su2-r2", "spine-01")[-3:])


def _rail_crossed(design: Design, catalog: Catalog) -> Changes:
    a, b = _link_at(design, "gpu-05", "rail1"), _link_at(design, "gpu-05", "rail2")
    return _changed(a, b=b.b), _changed(b, b=a.b)


def _rack_units(design: Design, catalog: Catalog) -> Changes:
    below, above = (design.placements[design.find(name).id] for name in ("gpu-05", "gpu-06"))
    return (_changed(above, unit=below.unit),)


def _too_long(design: Design, catalog: Catalog) -> Changes:
    medium = catalog.get("dac-ndr-twin")
    lanes = _uplinks(design, "leaf-su1-r1", "spine-01")[:2]
    return added([medium]) + tuple(
        _changed(link, medium_id=medium.id, length_m=5.0, length_source="typed") for link in lanes
    )


def _rack(design: Design, name: str) -> Rack:
    return next(rack for rack in design.racks.values() if rack.name == name)


def _rack_power(design: Design, catalog: Catalog) -> Changes:
    return (_changed(_rack(design, "rack-01"), power_budget_w=20_000.0),)


def _racks_overlap(design: Design, catalog: Catalog) -> Changes:
    one, other = _rack(design, "rack-02"), _rack(design, "rack-03")
    return _changed(one, x_m=0.0, y_m=0.0), _changed(other, x_m=0.3, y_m=0.0)


def _column_in_rack(design: Design, catalog: Catalog) -> Changes:
    return add_fixture(design, "column", (-0.2, -0.2, 0.2, 0.2)).changes


def _too_short(design: Design, catalog: Catalog) -> Changes:
    near, far = _rack(design, "net-02"), _rack(design, "net-03")
    link = _uplinks(design, "leaf-su2-r1", "spine-02")[0]
    return (
        _changed(near, x_m=0.0, y_m=10.0),
        _changed(far, x_m=12.0, y_m=10.0),
        _changed(link, length_m=5.0, length_source="typed"),
    )


def _turned_round(design: Design, catalog: Catalog) -> Changes:
    return (_changed(_rack(design, "rack-01"), x_m=0.0, y_m=12.4, facing=""),)


def _storage_networks(design: Design, catalog: Catalog) -> Changes:
    """One storage switch for most servers, another for one of these, and a link from the first to a spine."""
    servers, like, nic = design.servers(), design.find("spine-02"), catalog.get("connectx-7-ndr-2p")
    place = design.placements[like.id]
    first, second = design.new_ids("devices", 2)
    modules = dict(zip((one.id for one in servers[:10]), design.new_ids("modules", 10), strict=True))
    joined = [(one.id, first if number < len(modules) - 1 else second) for number, one in enumerate(servers[:10])]
    ids = iter(design.new_ids("links", len(joined) + 1))
    spine = design.find("spine-02")
    links = [
        Link(next(ids), End(server, "storage2/1"), End(switch, f"{number // 2 + 1}/{number % 2 + 1}"))
        for number, (server, switch) in enumerate(joined)
    ]
    return added(
        [
            nic,
            Device(first, "nas-01", like.type_id, network="storage"),
            Device(second, "nas-02", like.type_id, network="storage"),
            Placement(first, place.x + 480, place.y),
            Placement(second, place.x + 720, place.y),
            *(Module(module, server, "storage2", nic.id) for server, module in modules.items()),
            *links,
            Link(next(ids), End(first, "32/2"), End(spine.id, design.free_ports(spine.id)[0].name)),
        ]
    )


def _jobs(design: Design, catalog: Catalog) -> Changes:
    """Two jobs that share a server, and one on a single GPU."""
    first, second, third = design.new_ids("jobs", 3)
    servers = [server.id for server in design.servers()]
    lonely = (Allocation(servers[4], (0,)),)
    return added(
        [
            PlacedJob(first, "train", 2**30, "all-reduce", servers=whole(servers[:3]), colour="#0072b2"),
            PlacedJob(second, "infer", 2**26, "all-gather", servers=whole(servers[2:4]), colour="#cc79a7"),
            PlacedJob(third, "lonely", 2**30, "all-reduce", servers=lonely, colour="#00a6a0"),
        ]
    )


def _idle_waiver(design: Design, catalog: Catalog) -> Changes:
    waiver = Waiver("", "LINK-001", (design.find("leaf-su1-r1").id,), reason="a loop for tests", date="2026-11-22")
    return waiving.add_waivers(design, [waiver]).changes


def _idle_switch(design: Design, catalog: Catalog) -> Changes:
    type_ = catalog.get("nvidia-qm9700")
    return operations.add_device(design, type_, 1400, -200, catalog_types=catalog.types, name="spare-01").changes


def _empty_group(design: Design, catalog: Catalog) -> Changes:
    (group,) = design.new_ids("groups", 1)
    return added([Group(group, "SU 3", "scalable unit")])


def _hot_modules(design: Design, catalog: Catalog) -> Changes:
    """A transceiver of the user's own that draws 20 W, in cages that supply 17 W."""
    hot = replace(catalog.get("tr-800-2dr4-100"), id="own-hot-optic", model="Own 800G optic", end_power_w=20.0)
    links = _uplinks(design, "leaf-su1-r1", "spine-02")[2:4]
    return added([hot]) + tuple(
        _changed(link, medium_id=hot.id, length_m=20.0, length_source="typed") for link in links
    )


def _no_stock(design: Design, catalog: Catalog) -> Changes:
    """A copper cable of the user's own, sold up to 1 m, that would carry 3 m."""
    cable = replace(
        catalog.get("dac-ndr-twin"),
        id="own-short-dac",
        model="Own DAC",
        lengths_m=(0.5, 1.0),
        max_length_m=3.0,
        parts=(),
    )
    links = _uplinks(design, "leaf-su2-r1", "spine-01")[2:4]
    return added([cable]) + tuple(
        _changed(link, medium_id=cable.id, length_m=2.0, length_source="typed") for link in links
    )


def _dragonfly(design: Design, catalog: Catalog) -> Changes:
    """A dragonfly for trials, of three groups of three routers and one of four, still without servers."""
    sizes = (3, 3, 3, 4)
    type_, place = catalog.get("generic-switch-8x400g"), design.placements[design.find("spine-01").id]
    groups = [
        Group(one, f"Trial group {number}", DRAGONFLY_GROUP)
        for number, one in enumerate(design.new_ids("groups", len(sizes)), start=1)
    ]
    homes = [(group, number) for group, size in zip(groups, sizes, strict=True) for number in range(size)]
    routers = [
        Device(one, f"trial-{group.name[-1]}-{number + 1}", type_.id, role="router", group_id=group.id)
        for one, (group, number) in zip(design.new_ids("devices", len(homes)), homes, strict=True)
    ]
    placements = [
        Placement(router.id, place.x + 240 * number, place.y - 400 - 160 * int(group.name[-1]))
        for router, (group, number) in zip(routers, homes, strict=True)
    ]
    named = {router.name.removeprefix("trial-"): router.id for router in routers}
    local = [(f"{group}-{a}", f"{group}-{b}") for group in (1, 2, 3) for a, b in ((1, 2), (1, 3), (2, 3))]
    local += [("4-1", "4-2"), ("4-1", "4-3"), ("4-2", "4-3"), ("4-2", "4-4"), ("4-3", "4-4")]
    far = [("1-1", "2-1")] * 5 + [("1-2", "3-1"), ("1-3", "4-1"), ("2-2", "4-2"), ("3-2", "4-3")]
    free = {one: iter(range(1, 9)) for one in named}
    pairs = local + far
    links = [
        Link(
            one,
            End(named[a], str(next(free[a]))),
            End(named[b], str(next(free[b]))),
            length_m=3.0,
            length_source="typed",
        )
        for one, (a, b) in zip(design.new_ids("links", len(pairs)), pairs, strict=True)
    ]
    return added([type_, *groups, *routers, *placements, *links])


def _rack_limits(design: Design, catalog: Catalog) -> Changes:
    """Four servers of 130 kg in a rack that carries 500 kg; they draw 40.8 kW from two feeds of 30 kW."""
    return (_changed(_rack(design, "rack-02"), max_weight_kg=500.0, feeds_w=(30_000.0, 30_000.0)),)


def _deep_switch(design: Design, catalog: Catalog) -> Changes:
    """spine-02 is of a type of the user's own, 1,300 mm deep, with air from the ports back, and is turned round."""
    deep = replace(
        catalog.get("nvidia-qm9700"),
        id="own-deep-switch",
        model="Own deep switch",
        depth_mm=1300.0,
        airflow=FRONT_TO_REAR,
    )
    spine = design.find("spine-02")
    return *added([deep]), _changed(spine, type_id=deep.id), _changed(design.placements[spine.id], side="rear")


def _full_rack(design: Design, catalog: Catalog) -> Changes:
    """rack-04 is of a type of two units, in which two switches stand."""
    low = replace(catalog.get("rack-42u"), id="own-low-rack", model="Own rack 2U", units=2)
    rack = next(one for one in design.racks.values() if one.name == "rack-04")
    places = (design.placements[design.find(name).id] for name in ("spare-01", "nas-02"))
    mounted = (_changed(place, rack_id=rack.id, unit=unit) for unit, place in enumerate(places, 1))
    return *added([low]), _changed(rack, type_id=low.id), *mounted


def _stale_type(design: Design, catalog: Catalog) -> Changes:
    """The design's copy of a NIC has another latency than the catalog."""
    return (Change(design.types["connectx-6-hdr"], replace(catalog.get("connectx-6-hdr"), latency_ns=700.0)),)


def _labels_alike(design: Design, catalog: Catalog) -> Changes:
    return tuple(_changed(_link_at(design, "gpu-12", port), label="A-17") for port in ("rail1", "rail2"))


def _unmanaged(design: Design, catalog: Catalog) -> Changes:
    """A switch for the out-of-band network, which no management port is linked to yet."""
    type_, (device_id,) = catalog.get("nvidia-sn2201"), design.new_ids("devices", 1)
    return added([type_, Device(device_id, "oob-01", type_.id, network="oob"), Placement(device_id, 1400.0, -400.0)])


def _storage_misfit(design: Design, catalog: Catalog) -> Changes:
    """gpu-11 has a storage NIC of 200G, the storage switches have ports of 400G left."""
    (module_id,) = design.new_ids("modules", 1)
    return added([Module(module_id, design.find("gpu-12").id, "storage1", "connectx-6-hdr")])


def _late_rack(design: Design) -> Edit:
    """A rack that comes when all others have been placed on the floor."""
    like = _rack(design, "rack-03")
    return Edit("Add rack-04", added([Rack(design.new_ids("racks", 1)[0], "rack-04", like.type_id)]))


def _trial_hosts(design: Design, catalog: Catalog) -> Changes:
    """A host in each of three trial groups, and one link from the trial dragonfly to the fabric; planes in disorder."""
    type_, nic = catalog.get("generic-host"), catalog.get("generic-nic")
    homes = ("trial-1-3", "trial-2-3", "trial-3-3")
    hosts = [
        Device(one, f"trial-host-{number}", type_.id)
        for number, one in enumerate(design.new_ids("devices", len(homes)), start=1)
    ]
    places = [design.placements[design.find(home).id] for home in homes]
    modules = [
        Module(one, host.id, type_.slots[0].name, nic.id)
        for one, host in zip(design.new_ids("modules", len(hosts)), hosts, strict=True)
    ]
    placements = [Placement(host.id, at.x + 240, at.y) for host, at in zip(hosts, places, strict=True)]
    spine, gate = design.find("spine-02").id, design.find("trial-1-2").id
    ends = [(End(host.id, "nic1"), End(design.find(home).id, "8")) for host, home in zip(hosts, homes, strict=True)]
    ends.append((End(gate, "8"), End(spine, design.free_ports(spine)[0].name)))
    links = [
        Link(one, a, b, length_m=3.0, length_source="typed")
        for one, (a, b) in zip(design.new_ids("links", len(ends)), ends, strict=True)
    ]
    planes = {"trial-1-1": 2, "trial-1-3": 2, "trial-3-1": 2} | {f"trial-4-{number}": 1 for number in range(1, 5)}
    stated = tuple(_changed(design.find(name), plane=plane) for name, plane in planes.items())
    return (*added([type_, nic, *hosts, *modules, *placements, *links]), *stated)


def _twin_hosts(design: Design, catalog: Catalog) -> Changes:
    """Two planes, hosts with NICs of two ports, and one with its GPUs on each other's rails."""
    switch, at = catalog.get("generic-switch-8x400g"), design.placements[design.find("spine-02").id]
    twin = NicType("own-twin-nic", "", "Own twin NIC", ("ethernet",), 2, 400, host_interface="PCIe Gen4 x16")
    nic = NicType("own-nic", "", "Own NIC", ("ethernet",), 1, 400, host_interface="PCIe Gen5 x16")
    host = ServerType("own-host", "", "Own host", 1, slots=(Slot("a", 0, nic_type_id=twin.id), Slot("b", None)))
    swapped = ServerType(
        "own-swapped", "", "Own swapped host", 2, slots=(Slot("a", 0), Slot("b", 1), Slot("c", nic_type_id=nic.id))
    )
    ids = design.new_ids("devices", 6)
    devices = [
        Device(ids[0], "plane-1", switch.id, role="leaf", rail=1, plane=1, unit=3),
        Device(ids[1], "plane-2", switch.id, role="leaf", rail=2, plane=2, unit=4),
        *(Device(ids[number + 1], f"twin-{number}", host.id, unit=3) for number in (1, 2, 3)),
        Device(ids[5], "swapped-1", swapped.id),
    ]
    held = [(1, "a", twin), (1, "b", nic), (2, "a", twin), (3, "a", twin), (4, "a", nic), (4, "b", nic)]
    modules = [
        Module(one, ids[number + 1], slot, type_.id)
        for one, (number, slot, type_) in zip(design.new_ids("modules", len(held)), held, strict=True)
    ]
    placements = [
        Placement(one, at.x + 1200 + 240 * (number % 2), at.y + 700 + 160 * (number // 2))
        for number, one in enumerate(ids)
    ]
    ends = [(2, "a/1", 0), (2, "a/2", 1), (3, "a/1", 0), (3, "a/2", 1), (4, "a/1", 0), (4, "a/2", 0)]
    ends += [(5, "a", 1), (5, "b", 0)]
    links = [
        Link(one, End(ids[server], port), End(ids[leaf], str(number)), length_m=3.0, length_source="typed")
        for number, (one, (server, port, leaf)) in enumerate(
            zip(design.new_ids("links", len(ends)), ends, strict=True), start=1
        )
    ]
    return added([twin, nic, host, swapped, *devices, *placements, *modules, *links])


def _in_another_unit(design: Design, catalog: Catalog) -> Changes:
    link, leaf = _link_at(design, "gpu-03", "rail5"), design.find("leaf-su2-r1").id
    return (_changed(link, b=End(leaf, design.free_ports(leaf)[-1].name)),)


def _torus(design: Design, catalog: Catalog) -> Changes:
    """Three rows of three routers, rings but for one, and three columns, one of them with a gap."""
    type_, at = catalog.get("generic-switch-8x400g"), design.placements[design.find("spine-02").id]
    ids = dict(
        zip(((row, column) for row in range(3) for column in range(3)), design.new_ids("devices", 9), strict=True)
    )
    routers = [Device(one, f"torus-{x + 1}-{y + 1}", type_.id, role="router") for (y, x), one in ids.items()]
    placements = [Placement(one, at.x + 1200 + 240 * x, at.y + 1300 + 160 * y) for (y, x), one in ids.items()]
    steps = [((y, x), (y, (x + 1) % 3), "1", "2") for y in range(3) for x in range(3) if (y, x) != (1, 2)]
    steps += [((y, x), (y + 1, x), "3", "4") for y in range(2) for x in range(3) if (y, x) != (1, 1)]
    links = [
        Link(one, End(ids[a], out), End(ids[b], back), length_m=3.0, length_source="typed")
        for one, (a, b, out, back) in zip(design.new_ids("links", len(steps)), steps, strict=True)
    ]
    return added([*routers, *placements, *links])


def _thin_leaf(design: Design, catalog: Catalog) -> Changes:
    """Three leafs with a host each below a spine of their own; the third has one uplink, the others two."""
    switch, host, nic = catalog.get("generic-switch-8x400g"), catalog.get("generic-host"), catalog.get("generic-nic")
    at = design.placements[design.find("spine-02").id]
    names = ("pod-spine", *(f"pod-{word}-{number}" for word in ("leaf", "host") for number in (1, 2, 3)))
    ids = dict(zip(names, design.new_ids("devices", len(names)), strict=True))
    devices = [
        Device(one, name, host.id if "host" in name else switch.id, role="" if "host" in name else name.split("-")[1])
        for name, one in ids.items()
    ]
    placements = [
        Placement(one, at.x + 2200 + 240 * (number % 3), at.y + 160 * ((number + 2) // 3))
        for number, one in enumerate(ids.values())
    ]
    modules = [
        Module(one, ids[f"pod-host-{number}"], host.slots[0].name, nic.id)
        for number, one in enumerate(design.new_ids("modules", 3), start=1)
    ]
    ends = [(f"pod-host-{number}", "nic1", f"pod-leaf-{number}", "1") for number in (1, 2, 3)]
    ends += [
        (f"pod-leaf-{leaf}", str(port), "pod-spine", str(2 * leaf + port - 3)) for leaf in (1, 2, 3) for port in (2, 3)
    ]
    links = [
        Link(one, End(ids[a], a_port), End(ids[b], b_port), length_m=3.0, length_source="typed")
        for one, (a, a_port, b, b_port) in zip(design.new_ids("links", len(ends) - 1), ends[:-1], strict=True)
    ]
    return added([*devices, *placements, *modules, *links])


def _slow_parallel_link(design: Design, catalog: Catalog) -> Changes:
    """One link of leaf-su2-r1 to spine-02 is on cages that are split to 200G at both ends."""
    link = _uplinks(design, "leaf-su2-r1", "spine-02")[-1]
    changes, ends = [], []
    for end in (link.a, link.b):
        device = design.device(end.device_id)
        ports = design.port_map(device.id)
        used = {ports[name].cage for name in design.used_ports(device.id) if name in ports}
        kept = used | {ports[name].cage for name in device.reserved_ports} | {cage for cage, _ in device.cage_modes}
        cage = max({port.cage for port in design.free_ports(device.id)} - kept)
        changes.append(_changed(device, cage_modes=(*device.cage_modes, (cage, "128x200G"))))
        ends.append(End(device.id, f"{cage}/1"))
    return (*changes, _changed(link, a=ends[0], b=ends[1]))


def _ring_of_switches(design: Design, catalog: Catalog) -> Changes:
    """Four switches in a ring, each with a host: all of their traffic can wait for itself."""
    switch, host, nic = catalog.get("generic-switch-8x400g"), catalog.get("generic-host"), catalog.get("generic-nic")
    at, n = design.placements[design.find("spine-02").id], 4
    ids = design.new_ids("devices", 2 * n)
    devices = [Device(one, f"ring-{number}", switch.id) for number, one in enumerate(ids[:n], start=1)]
    devices += [Device(one, f"ring-host-{number}", host.id) for number, one in enumerate(ids[n:], start=1)]
    placements = [
        Placement(one, at.x + 2200 + 240 * (number % n), at.y + 700 + 160 * (number // n))
        for number, one in enumerate(ids)
    ]
    modules = [
        Module(one, server, host.slots[0].name, nic.id)
        for one, server in zip(design.new_ids("modules", n), ids[n:], strict=True)
    ]
    ends = [(End(ids[number], "1"), End(ids[(number + 1) % n], "2")) for number in range(n)]
    ends += [(End(ids[n + number], "nic1"), End(ids[number], "8")) for number in range(n)]
    links = [
        Link(one, a, b, length_m=3.0, length_source="typed")
        for one, (a, b) in zip(design.new_ids("links", len(ends)), ends, strict=True)
    ]
    return added([*devices, *placements, *modules, *links])


def _half_cages(design: Design, catalog: Catalog) -> Changes:
    """Two links between two switches, each in a twin-port cage of its own."""
    type_, at = catalog.get("nvidia-qm9700"), design.placements[design.find("spine-02").id]
    ids = design.new_ids("devices", 2)
    devices = [Device(one, f"half-{number}", type_.id) for number, one in enumerate(ids, start=1)]
    placements = [Placement(one, at.x + 2200 + 240 * number, at.y + 1100) for number, one in enumerate(ids)]
    links = [
        Link(one, End(ids[0], f"{cage}/1"), End(ids[1], f"{cage}/1"), length_m=3.0, length_source="typed")
        for cage, one in enumerate(design.new_ids("links", 2), start=1)
    ]
    return added([*devices, *placements, *links])


def _link_in_a_tier(design: Design, catalog: Catalog) -> Changes:
    one, other = design.find("leaf-su1-r1").id, design.find("leaf-su1-r2").id
    ends = (End(leaf, design.free_ports(leaf)[-1].name) for leaf in (one, other))
    return added([_new_link(design, *ends)])


def _blocks(design: Design, catalog: Catalog) -> Changes:
    """Two blocks of an in-band network, each with a spine; one leaf of the second has a link to the other spine too."""
    type_, place = catalog.get("generic-switch-8x400g"), design.placements[design.find("spine-02").id]
    names = ("in-spine-1", "in-spine-2", "in-leaf-1", "in-leaf-2", "in-leaf-3", "in-leaf-4", "in-leaf-5")
    ids = dict(zip(names, design.new_ids("devices", len(names)), strict=True))
    switches = [Device(one, name, type_.id, role=name.split("-")[1], network="in-band") for name, one in ids.items()]
    placements = [
        Placement(one, place.x + 1200 + 240 * (number % 4), place.y + 160 * (number // 2))
        for number, one in enumerate(ids.values())
    ]
    pairs = [(1, 1), (2, 1), (3, 2), (4, 2), (5, 2), (5, 1)]
    links = [
        Link(
            one,
            End(ids[f"in-leaf-{leaf}"], str(spine)),
            End(ids[f"in-spine-{spine}"], str(leaf)),
            length_m=3.0,
            length_source="typed",
        )
        for one, (leaf, spine) in zip(design.new_ids("links", len(pairs)), pairs, strict=True)
    ]
    return added([*switches, *placements, *links])


def _nothing_more(design: Design, catalog: Catalog) -> Changes:
    """What is wrong has been made with the fault before."""
    return ()


FAULTS: tuple[tuple[str, str, Callable[[Design, Catalog], Changes]], ...] = (
    ("NAME-001", "two servers are called gpu-01", _duplicate_name),
    ("PORT-001", "gpu-03 rail1 goes to port 40/1 of a switch with 32 cages", _no_such_port),
    ("PORT-002", "gpu-04 rail1 and rail3 go to the same port of their leaf", _port_used_twice),
    ("PORT-003", "the cage of leaf-su2-r2 that serves gpu-09 is split to 200G", _speed_mismatch),
    ("PORT-004", "cage 3 of spine-01 is in a mode that the switch does not have", _breakout_mismatch),
    ("PORT-005", "gpu-11 has 9 links on 8 ports", _ports_exceeded),
    ("PORT-006", "gpu-12 rail7 takes the leaf port reserved for management", _reserved_port_in_use),
    ("LINK-001", "leaf-su2-r2 is linked to itself", _link_to_itself),
    ("NIC-001", "gpu-07 has a NIC in a slot that does not exist, gpu-08 two in one slot", _nic_slots_exceeded),
    ("NIC-002", "gpu-10 has a QSFP56 NIC in a QSFP112 slot", _nic_does_not_fit),
    ("NIC-003", "gpu-06 has no cable at rail3", _uncabled_nics),
    ("NIC-004", "slot rail6 of gpu-08 is empty", _missing_nic),
    ("REACH-001", "gpu-13 has no link", _unreachable),
    ("OVER-001", "leaf-su1-r2 lacks 8 of its 32 uplinks", _oversubscribed_leaf),
    ("SPREAD-001", "leaf-su2-r2 has fewer links to spine-01 than to spine-02", _uneven_uplinks),
    ("PORT-007", "an Ethernet switch, storage-01, is linked to an InfiniBand spine", _protocol_mismatch),
    ("RAIL-001", "rail1 and rail2 of gpu-05 are swapped", _rail_crossed),
    ("RACK-001", "gpu-05 and gpu-06 stand in the same rack units", _rack_units),
    ("MEDIA-001", "5 m of a passive copper cable that reaches 2 m", _too_long),
    ("RACK-002", "the servers of rack-01 draw twice its budget of 20 kW", _rack_power),
    ("RACK-003", "rack-02 and rack-03 stand in each other", _racks_overlap),
    ("RACK-004", "rack-02 stands in a column", _column_in_rack),
    ("MEDIA-002", "5 m of cable between two racks that stand 12 m apart", _too_short),
    ("RACK-005", "the front of net-02 faces the back of rack-01", _turned_round),
    ("NET-001", "storage switch nas-01 is linked to spine-02 of the compute network", _storage_networks),
    ("NET-002", "gpu-11, gpu-12 and gpu-13 have no storage link", _nothing_more),
    ("NET-003", "gpu-10 is on a storage switch of its own, nas-02", _nothing_more),
    ("JOB-001", "the job lonely has a single GPU", _jobs),
    ("JOB-002", "the jobs train and infer share gpu-03", _nothing_more),
    ("OVER-002", "the link of spine-01 to storage-01 makes that a core, 57 times too slow", _nothing_more),
    ("DOC-001", "a waiver accepts a second link from a device to itself, of which there is none", _idle_waiver),
    ("TIER-001", "spare-01 is linked to nothing", _idle_switch),
    ("DOC-003", "the group SU 3 has nothing in it", _empty_group),
    ("MEDIA-004", "two links of leaf-su1-r1 have an optic that draws more than its cages supply", _hot_modules),
    ("MEDIA-005", "two links of leaf-su2-r1 have a cable that is not sold as long as they are", _no_stock),
    ("MEDIA-007", "these are copper, the other links from leaf-su2-r1 to spine-01 are fiber", _nothing_more),
    (
        "MEDIA-008",
        "nothing in the catalog joins the 400G ports of gpu-09 and its neighbors to a cage of 200G",
        _nothing_more,
    ),
    (
        "DOC-004",
        "the copy of the ConnectX-6 in the design has a latency of 700 ns, the catalog one of 600",
        _stale_type,
    ),
    ("DOC-005", "two cables of gpu-12 have the label A-17", _labels_alike),
    ("NET-005", "there is an out-of-band switch, oob-01, and no management port is linked to it", _unmanaged),
    ("NET-006", "nas-01 has ports of 400G left, gpu-12 has a storage NIC of 200G", _storage_misfit),
    ("RACK-006", "spine-02 is deeper than its rack", _deep_switch),
    ("RACK-007", "the servers of rack-02 weigh 522 kg, the rack carries 500 kg", _rack_limits),
    ("RACK-008", "rack-02 draws 40.8 kW from two feeds of 30 kW", _nothing_more),
    ("RACK-009", "gpu-13 stands in no rack", _nothing_more),
    ("RACK-010", "rack-04 was added when the others had been placed on the floor", _nothing_more),
    ("RACK-011", "spine-02 draws in air at the back of its rack", _nothing_more),
    ("REACH-002", "gpu-06 rail4 alone joins lab-leaf to the fabric", _fabric_in_pieces),
    ("DFLY-001", "no link joins trial group 2 to trial group 3", _dragonfly),
    ("DFLY-002", "trial-4-1 is not linked to trial-4-4", _nothing_more),
    ("DFLY-003", "trial groups 1 and 2 have five links, all between the same two routers", _nothing_more),
    ("DFLY-004", "the trial dragonfly has groups of three routers with 1.67 global links each", _nothing_more),
    ("SPOF-001", "one link joins the trial dragonfly to the fabric", _trial_hosts),
    ("SPOF-002", "spine-02 and trial-1-2, at its ends, are alone too", _nothing_more),
    ("SPOF-004", "all other ways from trial-1-2 lead over switches of plane 2", _nothing_more),
    ("TIER-002", "a link joins leaf-su1-r1 to leaf-su1-r2", _link_in_a_tier),
    ("TIER-003", "lab-leaf has a server and no uplink", _nothing_more),
    ("PLANE-001", "a link of the trial dragonfly joins plane 2 to plane 1", _nothing_more),
    ("PLANE-002", "twin-3 has both of its links in plane 1", _twin_hosts),
    ("NIC-005", "the NICs of the twin hosts have two ports of 400G behind PCIe Gen4", _nothing_more),
    ("NIC-006", "twin-1 has NICs of 800G and 400G", _nothing_more),
    ("NIC-007", "both ports of the NIC of twin-3 are on one switch", _nothing_more),
    ("NIC-008", "slot c of swapped-1 is empty", _nothing_more),
    ("RAIL-002", "unit 3 has a leaf for rail 1 and none for rail 2", _nothing_more),
    ("RAIL-003", "gpu-03 rail5 of unit 1 is on a leaf of unit 2", _in_another_unit),
    ("RAIL-004", "the GPUs of swapped-1 are on each other's rails", _nothing_more),
    ("TORUS-001", "the ring of torus-1-2 is open", _torus),
    ("TORUS-002", "the column of torus-2-1 ends at its second router", _nothing_more),
    ("SPREAD-002", "pod-leaf-3 has one uplink, pod-leaf-1 and pod-leaf-2 have two", _thin_leaf),
    ("SPREAD-003", "one of the links from leaf-su2-r1 to spine-02 runs at 200G", _slow_parallel_link),
    ("DEADLOCK-001", "ring-1 to ring-4 form a ring that lossless traffic can block", _ring_of_switches),
    ("PORT-009", "two links from half-1 to half-2 take two cages with two ports each", _half_cages),
    ("TIER-004", "in-leaf-5 is linked to the spines of two blocks of the in-band network", _blocks),
    ("TIER-005", "storage-01, above the spines of one fabric, joins nothing", _nothing_more),
    ("RACK-012", "spare-01 and nas-02 fill rack-04, a rack of two units", _nothing_more),
)
"""Rule, what is wrong, and how it is made; in the order they are made."""


def _changed(entity: Device | Link | Placement | Rack, **fields: Any) -> Change:
    return Change(entity, replace(entity, **fields))


def _link_at(design: Design, device_name: str, port: str) -> Link:
    (link_id,) = design.links_at(End(design.find(device_name).id, port))
    return design.links[link_id]


def _new_link(design: Design, a: End, b: End) -> Link:
    return Link(design.new_ids("links", 1)[0], a, b)


def _uplinks(design: Design, leaf_name: str, spine_name: str) -> list[Link]:
    leaf, spine = design.find(leaf_name).id, design.find(spine_name).id
    return [link for link in design.links_of(leaf) if link.a.device_id == leaf and link.b.device_id == spine]


EXAMPLES: dict[str, Callable[[Catalog], Design]] = {
    "superpod-h100-4su.fabric": superpod,
    "fat-tree-16-2to1.fabric": oversubscribed,
    "faults.fabric": faulty,
}


def make(folder: Path) -> None:
    """Writes every example into a folder."""
    catalog = load()
    for name, example in EXAMPLES.items():
        document.save(example(catalog), folder / name)


if __name__ == "__main__":
    make(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE)
