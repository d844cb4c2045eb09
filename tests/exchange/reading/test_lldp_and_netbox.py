"""Neighbors of lldpctl and cables of NetBox as networks, in each of their forms."""

import json

import pytest

from designer.exchange.importers import guess_importer
from designer.exchange.reading import lldp, netbox_cables
from designer.exchange.reading.found import SWITCH, ImportFailure

DESCRIPTION = "Cumulus Linux version 5.9 running on Nvidia SN5600"


def seen(neighbour, port, id_type="ifname", **more):
    """What lldpctl says of an interface."""
    return {
        "via": "LLDP",
        "chassis": {neighbour: {"id": {"type": "mac", "value": "aa:bb:cc:00:11:22"}, "descr": DESCRIPTION, **more}},
        "port": {"id": {"type": id_type, "value": port}, "descr": "swp9", "ttl": "120"},
    }


def output(*interfaces):
    return {"lldp": {"interface": list(interfaces)}}


def ends(network):
    return {(one.a.node, one.a.port, one.b.node, one.b.port) for one in network.links}


def test_a_folder_of_hosts_gives_each_link_once(tmp_path):
    (tmp_path / "gpu-1.json").write_text(json.dumps(output({"eth0": seen("leaf-1", "swp1")})), encoding="utf-8")
    back = {"swp1": seen("gpu-1", "eth0", descr="Ubuntu 24.04")}
    (tmp_path / "leaf-1.json").write_text(json.dumps(output(back)), encoding="utf-8")
    assert guess_importer(tmp_path).name == "lldp"
    network = lldp.read(tmp_path)
    assert ends(network) == {("gpu-1", "eth0", "leaf-1", "swp1")}
    assert network.reporters == ("gpu-1", "leaf-1"), "a comparison misses no link of others"
    leaf = next(one for one in network.nodes if one.name == "leaf-1")
    assert (leaf.kind, leaf.model) == (SWITCH, "Nvidia SN5600")
    assert network.links[0].spot.file == "gpu-1.json" and network.links[0].spot.column == "eth0"


def test_one_file_may_hold_all_hosts_one_interface_and_the_longer_form(tmp_path):
    path = tmp_path / "all.json"
    longer = {
        "lldp": [
            {
                "interface": [
                    {
                        "name": "eth1",
                        "chassis": [{"name": [{"value": "leaf-2"}], "id": [{"type": "mac", "value": "00"}]}],
                        "port": [{"id": [{"type": "ifname", "value": "swp2"}], "descr": [{"value": "x"}]}],
                    }
                ]
            }
        ]
    }
    one = {"lldp": {"interface": {"eth0": seen("leaf-1", "swp1")}}}
    path.write_text(json.dumps({"gpu-1": one, "gpu-2": longer}), encoding="utf-8")
    assert guess_importer(path).name == "lldp"
    assert ends(lldp.read(path)) == {("gpu-1", "eth0", "leaf-1", "swp1"), ("gpu-2", "eth1", "leaf-2", "swp2")}


def test_an_address_for_a_port_gives_way_to_its_description_and_who_says_nothing_is_listed(tmp_path):
    path = tmp_path / "gpu-1.json"
    silent = {"chassis": {"id": {"type": "mac", "value": "00:11:22:33:44:55"}}, "port": {}}
    interfaces = {"eth0": seen("leaf-1", "00:11:22:33:44:55", "mac")}, {"eth1": silent}, {"eth2": seen("gpu-1", "eth3")}
    path.write_text(json.dumps(output(*interfaces)), encoding="utf-8")
    network = lldp.read(path)
    assert ends(network) == {("gpu-1", "eth0", "leaf-1", "swp9")}
    assert [one.spot.text for one in network.unread] == ["gpu-1.json, column eth1", "gpu-1.json, column eth2"]
    assert "states no port" in network.unread[0].sentence and "own host" in network.unread[1].sentence


@pytest.mark.parametrize(
    ("content", "words"),
    [("{}", "nor such outputs by host"), ('{"lldp": {}}', "no neighbors"), ("{", "line 1"), ("[" * 9**5, "deeper")],
)
def test_what_is_no_output_of_lldpctl_is_refused_in_a_sentence(tmp_path, content, words):
    path = tmp_path / "x.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(ImportFailure, match=words):
        lldp.read(path)


def test_the_table_of_netbox_has_its_ends_in_columns_of_their_own(tmp_path):
    path = tmp_path / "cables.csv"
    path.write_text(
        "ID,Label,Site A,Location A,Rack A,Device A,Termination A,Site B,Rack B,Device B,Termination B,Status,Type,"
        "Length,Color\n"
        '7,C0001,DC1,Hall 1,R1,leaf-1,"swp1,swp2",DC1,R2,spine-1,"swp3,swp4",Connected,SMF,5.00 m,00bcd4\n',
        encoding="utf-8",
    )
    assert guess_importer(path).name == "netbox-cables"
    network = netbox_cables.read(path)
    assert ends(network) == {("leaf-1", "swp1", "spine-1", "swp3"), ("leaf-1", "swp2", "spine-1", "swp4")}
    assert {(one.rack, one.model, one.unit) for one in network.nodes} == {("R1", "", None), ("R2", "", None)}
    (link, _) = network.links
    assert (link.medium, link.length_m, link.label) == ("SMF", 5.0, "C0001")
    assert not network.unread


def test_the_form_of_netbox_is_read_too(tmp_path):
    path = tmp_path / "cables.csv"
    path.write_text(
        "side_a_device,side_a_type,side_a_name,side_b_device,side_b_type,side_b_name,type,length,length_unit\n"
        "leaf-1,dcim.interface,swp1s0,gpu-1,dcim.interface,rail1,dac-passive,300,cm\n",
        encoding="utf-8",
    )
    network = netbox_cables.read(path)
    assert ends(network) == {("leaf-1", "swp1s0", "gpu-1", "rail1")}
    assert (network.links[0].medium, network.links[0].length_m) == ("dac-passive", 3.0)
    assert {one.model for one in network.nodes} == {""}


def test_what_the_api_answers_is_read_with_what_is_no_interface_listed(tmp_path):
    def end(device, name, kind="dcim.interface"):
        return [{"object_type": kind, "object": {"name": name, "device": {"name": device}}}]

    path = tmp_path / "cables.json"
    rows = [
        {"a_terminations": end("leaf-1", "swp1"), "b_terminations": end("gpu-1", "rail1"), "type": {"value": "aoc"},
         "length": 3.5, "length_unit": {"value": "m"}},
        {"a_terminations": end("pdu", "1", "dcim.poweroutlet"), "b_terminations": end("gpu-1", "psu1")},
    ]  # fmt: skip
    path.write_text(json.dumps({"count": 9, "next": "http://x/?offset=2", "results": rows}), encoding="utf-8")
    assert guess_importer(path).name == "netbox-cables"
    network = netbox_cables.read(path)
    assert ends(network) == {("leaf-1", "swp1", "gpu-1", "rail1")}
    assert network.links[0].length_m == 3.5
    assert ["row 2" in one.spot.text for one in network.unread] == [True, False]
    assert "one page of several" in network.unread[1].sentence
