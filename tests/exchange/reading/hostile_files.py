"""Hostile and senseless files, by what they are; for tests, and for the benchmark that measures them."""

import io
import json
import zipfile
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from designer.catalog.catalog import load
from designer.exchange.exporters import BUILT_IN
from designer.model.design import Design
from designer.topologies import rail_optimized

HEAD = "A-Node,A-Port,Z-Node,Z-Port,Length,Speed,A-U\n"
SHEET = (
    '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>{}</sheetData></worksheet>'
)
BOOK = (
    '<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships">'
    '<sheets><sheet name="P2P" sheetId="1" r:id="rId1"/></sheets></workbook>'
)
RELATIONS = (
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    '<Relationship Id="rId1" Target="{}" Type="x"/></Relationships>'
)
ENTITIES = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">' + "".join(
    f'<!ENTITY {chr(98 + n)} "{f"&{chr(97 + n)};" * 10}">' for n in range(9)
)
LAUGHS = f"<?xml version='1.0'?>{ENTITIES}]><x>&j;</x>"
FILE_ENTITY = "<?xml version='1.0'?><!DOCTYPE x [<!ENTITY a SYSTEM 'file:///etc/passwd'>]><x>&a;</x>"


def book(sheet="", target="worksheets/sheet1.xml", **parts):
    """A workbook with that sheet."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/workbook.xml", parts.get("workbook", BOOK))
        archive.writestr("xl/_rels/workbook.xml.rels", RELATIONS.format(target))
        archive.writestr("xl/worksheets/sheet1.xml", sheet or SHEET.format(""))
        if "shared" in parts:
            archive.writestr("xl/sharedStrings.xml", parts["shared"])
    return made.getvalue()


def row(*cells):
    return "<row>" + "".join(f'<c t="inlineStr"><is><t>{one}</t></is></c>' for one in cells) + "</row>"


NASTY = {
    "nothing": b"",
    "zeros": b"\0" * 1000,
    "not text": bytes(range(256)) * 50,
    "laughs": LAUGHS.encode(),
    "file entity": FILE_ENTITY.encode(),
    "one long line": b"a," * 3_000_000,
    "only commas": b",,,\n" * 200_000,
    "quotes without end": b'A-Node,A-Port,Z-Node,Z-Port\n"' + b"x,y\n" * 100_000,
    "nested lists": b"[" * 200_000,
    "nested objects": b'{"lldp":' * 50_000,
    "long number": b'{"lldp": ' + b"9" * 10_000 + b"}",
    "counts": f"{HEAD}a,1,b,99999999999,1e10,1e999,10000000000\n".encode(),
    "negative": f"{HEAD}a,1,b,-1,-5,-400G,-3\n".encode(),
    "not numbers": f"{HEAD}a,1,b,1,nan,inf,NaN\n".encode(),
    "names": f"{HEAD}=cmd|'/C calc'!A0,\u202e1,\"b\nc\u2028d\",<img src=x>,,,\n{'x' * 999},1,b,2,,,\n".encode(),
    "wide headings": b"A-Node,A-Port,Z-Node,Z-Port," + b",".join(b"h%d" % n for n in range(900)) + b"\na,1,b,2\n",
    "zip of zeros": book(SHEET.format(" " * 60_000_000)),
    "zip of cells": book(SHEET.format("<row>" + "<c/>" * 2_000_000 + "</row>")),
    "zip of others": book("<x>" + "<y/>" * 2_000_000 + "</x>"),
    "zip with entities": book(LAUGHS),
    "zip with entities in texts": book(shared=LAUGHS),
    "zip that leads out": book(target="../../etc/worksheets/passwd"),
    "zip of far cells": book(SHEET.format('<row r="9999999999999"><c r="ZZZZZZ9"><v>1</v></c><c r="é"/></row>')),
    "zip cut off": book(SHEET.format(row("A-Node", "A-Port")))[:-40],
    "empty zip": b"PK\x05\x06" + b"\0" * 18,
    "graph counts": b"Switch\t99999999999 \"S-1\"\n[1]\t\"S-2\"[99999999999]\n",
    "netbox": json.dumps({"results": [{"a_terminations": 7, "b_terminations": [None, {"object": []}]}, 3]}).encode(),
    "netbox numbers": json.dumps(
        {"results": [{"length": 10**300, "a_terminations": [{"object": {"name": 1, "device": {"name": 2}}}],
                      "b_terminations": [{"object": {"name": 1, "device": {"name": 3}}}]}]}
    ).encode(),
    "lldp of nothing": json.dumps(
        {"lldp": {"interface": [{"eth0": None}, 3, [], {"eth1": {"chassis": [[]]}}]}}
    ).encode(),
}  # fmt: skip


# -- what stands for far more than it is long ----------------------------------------------------------------------

_MANY = 10**10
INFRAGRAPH = {
    "devices": [
        {"name": "box", "components": [{"name": "eth", "choice": "nic", "count": _MANY}]},
        {"name": "tor", "components": [{"name": "p", "choice": "port", "count": _MANY}]},
    ],
    "instances": [{"name": "host", "device": "box", "count": 1000}, {"name": "leaf", "device": "tor", "count": 1000}],
    "edges": [
        {
            "ep1": {"instance": "host", "component": "eth"},
            "ep2": {"instance": "leaf", "component": "p"},
            "scheme": "many2many",
        }
    ],
}
SHORT = {
    "infragraph of many": json.dumps(INFRAGRAPH).encode(),
    "infragraph of edges": json.dumps(INFRAGRAPH | {"edges": INFRAGRAPH["edges"] * 20_000}).encode(),
    "infragraph of instances": json.dumps(INFRAGRAPH | {"instances": INFRAGRAPH["instances"] * 20_000}).encode(),
    "yaml of aliases": b"a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: [*b,*b,*b]\n",
    "yaml of braces": b"{a: " * 100_000,
    "yaml of lists": b"- " * 100_000,
    "yaml of numbers": b"devices: [" + b"1, " * 100_000 + b"1]\ninstances: []\n",
    "graph of sets": b"graph {" + b" ".join(b"{a%d b%d}--{c%d d%d}" % (n, n, n, n) for n in range(2000)) + b"}",
    "graph of a product": b"graph {{" + b" ".join(b"a%d" % n for n in range(5000)) + b"}--{"
    + b" ".join(b"b%d" % n for n in range(5000)) + b"}}",
    "graph of edges": b"graph {" + b"a--b;" * 300_000 + b"}",
    "graph of braces": b"graph " + b"{" * 60_000,
    "xml of elements": b"<graphml><graph>" + b"<node/>" * 120_000 + b"</graph></graphml>",
    "xml of depth": b"<a>" * 80_000,
    "xml of attributes": b"<a " + b" ".join(b'x%d="1"' % n for n in range(50_000)) + b"/>",
    "subnet of ports": b'Switch\t65535 "S-1"\t\t# "x" base port 0 lid 1 lmc 0\n' + b'[1]\t"S-2"[1]\n' * 500_000,
    "subnet of two ports": b'Switch\t36 "S-1"\n' + b'[1]\t"S-2"[1]\n[2]\t"S-2"[2]\n' * 250_000,
    "subnet of noise": b'Switch\t36 "S-1"\n[1]\t"S-2"[1]\n' + b"(1) S-2 (1)\n" * 500_000,
    "subnet of switches": b"".join(b'Switch\t36 "S-%d"\n' % n for n in range(500_000)),
    "topology of systems": b"".join(b"MQM9700 sw%d\n" % n for n in range(500_000)),
    "topology of ports": b"MQM9700 sw1\n" + b"  P1 -> MQM9700 sw2 P1\n" * 500_000,
    "topology of noise": b"MQM9700 sw1\n  P1 -> MQM9700 sw2 P1\n" + b"  P1 goes to sw2\n" * 500_000,
    "list of rows": HEAD.encode() + b"a,1,b,2,3,400G,4\n" * 300_000,
    "list of ports": HEAD.encode() + b"".join(b"a,%d,b,%d,3,400G,4\n" % (n, n) for n in range(300_000)),
    "list of gaps": HEAD.encode() + b"a,1,b,2,3,400G,4\n" + b"a,1,,2,3,400G,4\n" * 300_000,
    "list of names": HEAD.encode() + b"".join(b"a%d,1,b%d,2,3,400G,4\n" % (n, n) for n in range(30_000)),
    "lldp of hosts": json.dumps({f"h{n}": {"lldp": []} for n in range(50_000)}).encode(),
    "netbox of nothing": json.dumps({"results": [{}] * 300_000}).encode(),
}  # fmt: skip
"""By what each is; some of them are large too."""

# -- files of ours that end early ------------------------------------------------------------------------------------

_WRITTEN = ("cable-plan", "cable-plan-xlsx", "ibsim", "topo", "drawio", "graphml", "gexf", "dot", "infragraph")
_SHARES = (0.1, 0.5, 0.9)


@cache
def cut_off():
    """By suffix and share, the beginnings of files that we write of a small pod."""
    pod, found = Design(), {}
    wanted = rail_optimized.RailOptimizedParameters(servers=4, servers_per_su=2)
    pod.apply(rail_optimized.build(pod, wanted, load()))
    with TemporaryDirectory() as folder:
        for one in BUILT_IN:
            if one.name in _WRITTEN:
                path = Path(folder, f"whole{one.suffix}")
                one.write(pod, path, {})
                whole = path.read_bytes()
                for share in _SHARES:
                    found[f"{one.name} to {share:.0%}", one.suffix] = whole[: round(len(whole) * share)]
    return found


LARGE = 10_000
"""Bytes."""


def read_apart(suffixes):
    """Of these suffixes, one for each way of reading: readers look at what is in a file, unless it is named .json."""
    others = [one for one in suffixes if one != ".json"]
    return [*others[:1], *(one for one in suffixes if one == ".json")]


def write_all(folder, suffixes):
    """Write short files with each of these suffixes, and large ones with those that are read apart: their paths."""
    apart = read_apart(suffixes)
    contents = [
        (name, suffix, data)
        for name, data in (NASTY | SHORT).items()
        for suffix in (apart if len(data) > LARGE else suffixes)
    ]
    contents += [(name, suffix, data) for (name, suffix), data in cut_off().items() if suffix in suffixes]
    paths = []
    for name, suffix, data in contents:
        path = folder / f"{name}{suffix}"
        path.write_bytes(data)
        paths.append(path)
    return paths
