"""`catalog` and `import` on the command line."""

import json
from pathlib import Path

from designer.paths import own_types_dir

NETBOX = Path(__file__).parent.parent / "exchange" / "data" / "netbox"


def test_the_catalog_is_listed_and_searched(fabric_designer):
    stated = fabric_designer("catalog", "list", "--kind", "switch", "--search", "nvidia qm")
    assert stated.code == 0
    assert "nvidia-qm9700" in stated.out and "sn5600" not in stated.out
    types = json.loads(fabric_designer("catalog", "list", "--format", "json").out)["types"]
    assert {"id": "dgx-h100", "kind": "server", "vendor": "NVIDIA", "model": "DGX H100", "own": False} in types


def test_a_type_is_shown_with_its_sources(fabric_designer):
    stated = fabric_designer("catalog", "show", "nvidia-qm9700")
    assert stated.code == 0
    assert "source: NVIDIA QM97XX user manual" in stated.out
    shown = json.loads(fabric_designer("catalog", "show", "nvidia-qm9700", "--format", "json").out)
    assert shown["power_max_w"] == 1720 and shown["price_usd"] is None and shown["date"] == "2026-11-22"
    assert "(official, read 2026-11)" in stated.out, "sources have a date"
    rack = fabric_designer("catalog", "show", "gb200-nvl72").out
    assert "tray01-1 to tray18-4 (72), GPU 0 to 71" in rack and "port purposes in-band and storage" in rack
    cable = fabric_designer("catalog", "show", "dac-ndr-split2").out
    assert "number 980-9I924-00N002, model MCP7Y00-N002, length m 2" in cable
    fabric_designer("catalog", "show", "qm9700x").assert_refused("qm9700x", "did you mean")


def test_netbox_types_come_into_the_catalog_unless_it_has_them(fabric_designer, tmp_path):
    text = (NETBOX / "SN5600.yaml").read_text().replace("nvidia-sn5600", "my-sn5600")
    (tmp_path / "mine.yaml").write_text(text)
    stated = fabric_designer("catalog", "import", tmp_path / "mine.yaml")
    try:
        assert stated.code == 0 and "my-sn5600, 64 x 800G" in stated.err
        assert "my-sn5600" in fabric_designer("catalog", "list", "--search", "my-sn5600").out
        again = fabric_designer("catalog", "import", tmp_path / "mine.yaml")
        assert again.code == 1 and "use --force to replace" in again.err
        assert fabric_designer("catalog", "import", tmp_path / "mine.yaml", "--force").code == 0
        fabric = tmp_path / "one.fabric"
        made = fabric_designer(
            "generate",
            "fat-tree",
            "--switch",
            "my-sn5600",
            "--server",
            "generic-server-8x1x800g",
            "--servers",
            "8",
            "-o",
            fabric,
        )
        assert made.code == 0, made
    finally:
        for path in own_types_dir().glob("*.yaml"):
            path.unlink()


def test_files_of_the_library_that_cannot_be_imported_are_told(fabric_designer):
    stated = fabric_designer("catalog", "import", NETBOX)
    assert stated.code == 1
    assert "DGC-A100.yaml, line" in stated.err
    assert "the catalog has nvidia-qm9700 already; its figures are kept" in stated.err
    assert not list(own_types_dir().glob("*.yaml"))


def test_netbox_types_become_a_design(fabric_designer, tmp_path):
    path = tmp_path / "types.fabric"
    stated = fabric_designer("import", "netbox-devicetypes", NETBOX, "-o", path)
    assert stated.code == 1 and "DGC-A100.yaml" in stated.err
    info = json.loads(fabric_designer("info", path, "--format", "json").out)
    assert sum(info["counts"]["switches"].values()) == 3
    fabric_designer("import", "visio", NETBOX, "-o", tmp_path / "x").assert_refused("visio", "netbox-devicetypes")
    fabric_designer("import", "netbox-devicetypes").assert_refused("-o FILE")
    assert "netbox-devicetypes" in fabric_designer("import", "--list").out
