"""The import command: format by the file, a summary before anything is written, types to correct, into a design."""

import json

import pytest

from designer.model.hardware.media import MediumType
from designer.storage import document

LINKS = "A-Node,A-Port,Z-Node,Z-Port,Speed\ngpu-1,rail1,leaf-1,1/1,400G\ngpu-2,rail1,leaf-1,1/2,400G\n"


@pytest.fixture
def links(tmp_path):
    path = tmp_path / "links.csv"
    path.write_text(LINKS, encoding="utf-8")
    return path


def test_a_dry_run_prints_what_was_found_and_guessed_and_writes_nothing(fabric_designer, links, tmp_path):
    stated = fabric_designer("import", links, "--dry-run")
    assert stated.code == 0
    assert "2 servers, 1 switch and 2 links" in stated.out
    assert "gpu-#" in stated.out and "guessed" in stated.out
    assert [one.name for one in tmp_path.iterdir()] == ["links.csv"]


def test_an_import_writes_the_design_and_json_has_the_whole_summary(fabric_designer, links, tmp_path):
    path = tmp_path / "made.fabric"
    stated = fabric_designer(
        "import", "cable-list", links, "-o", path, "--format", "json", "--type", "leaf-*=nvidia-qm9700", "--type",
        "gpu-*=dgx-h100",
    )  # fmt: skip
    assert stated.code == 0
    assert stated.json["found"] == {"server": 2, "switch": 1, "link": 2, "rack": 0}
    assert {one["type"] for one in stated.json["types"]} == {"nvidia-qm9700", "dgx-h100"}
    design = document.load(path)
    assert design.settings.name == "made" and len(design.links) == 2


def test_types_may_stand_in_a_file_and_options_come_before_it(fabric_designer, links, tmp_path):
    types = tmp_path / "types.csv"
    types.write_text("# types\nleaf-*,nvidia-qm9700\ngpu-*=dgx-h100\n", encoding="utf-8")
    stated = fabric_designer(
        "import", links, "--dry-run", "--types", types, "--type", "gpu-*=dgx-h200", "--format", "json"
    )
    assert {one["type"] for one in stated.json["types"]} == {"nvidia-qm9700", "dgx-h200"}
    types.write_text("nothing\n", encoding="utf-8")
    fabric_designer("import", links, "--dry-run", "--types", types).assert_refused("types.csv, line 1", "NAME=TYPE")


def test_into_a_design_it_adds_and_keeps_what_is_there(fabric_designer, links, tmp_path):
    first, both = tmp_path / "first.fabric", tmp_path / "both.fabric"
    fabric_designer("import", links, "-o", first)
    stated = fabric_designer("import", links, "-o", both, "--into", first)
    assert stated.code == 0
    design = document.load(both)
    assert design.settings.name == "first" and len(design.devices) == 6


def test_what_is_not_understood_is_named_and_is_exit_code_one(fabric_designer, links, tmp_path):
    links.write_text(LINKS + "gpu-3,,leaf-1,2/1,400G\n", encoding="utf-8")
    stated = fabric_designer("import", links, "-o", tmp_path / "made.fabric")
    assert stated.code == 1
    assert "links.csv, row 4, column A-Port: there is no A port" in stated.err
    assert (tmp_path / "made.fabric").exists()


def test_refusals_name_the_way_out(fabric_designer, links, tmp_path):
    out = tmp_path / "made.fabric"
    fabric_designer("import", links).assert_refused("-o FILE", "--dry-run")
    fabric_designer("import", tmp_path / "none.csv", "-o", out).assert_refused("none.csv")
    fabric_designer("import", links, "-o", out, "--type", "leaf").assert_refused("NAME=TYPE")
    fabric_designer("import", links, "-o", out, "--type", "leaf-1=nothing").assert_refused("nothing")
    (tmp_path / "x.bin").write_bytes(b"x")
    fabric_designer("import", tmp_path / "x.bin", "-o", out).assert_refused("x.bin", "cable-list")
    fabric_designer("import", "cable-list", tmp_path, "-o", out).assert_refused("is not a file")
    assert not out.exists()


def test_the_list_names_every_format(fabric_designer):
    out = fabric_designer("import", "--list").out
    assert "cable-list" in out and "netbox-devicetypes" in out


def test_names_that_would_command_a_terminal_or_run_as_formulas_stay_text(fabric_designer, links, tmp_path):
    links.write_text("A-Node,A-Port,Z-Node,Z-Port\n\x1b[31mgpu,1,'=cmd(),2\n", encoding="utf-8")
    stated = fabric_designer("import", links, "-o", tmp_path / "made.fabric", "--format", "json")
    assert "\x1b" not in stated.out + stated.err
    names = {name for one in json.loads(stated.out)["types"] for name in one["devices"]}
    assert names == {"[31mgpu", "=cmd()"}


GENERIC = "fat-tree", "--switch", "generic-switch-8x200g", "--server", "generic-host-4x200g", "--servers", "12"


@pytest.mark.parametrize(
    "generated",
    [GENERIC, pytest.param(("preset", "lumi-g"), marks=pytest.mark.slow)],
    ids=["fat-tree", "lumi-g"],
)
def test_a_drawing_comes_back_with_all_links_and_the_types_of_the_design(fabric_designer, tmp_path, generated):
    """By the commands that a person types; ids of these types begin with those of generic types of the catalog."""
    first, drawing, back = (tmp_path / name for name in ("first.fabric", "first.drawio", "back.fabric"))
    fabric_designer("generate", *generated, "-o", first)
    fabric_designer("export", first, "--to", "drawio", "-o", drawing)
    stated = fabric_designer("import", "drawio", drawing, "-o", back)
    assert stated.code == 0 and "by its model" in stated.err and "not understood" not in stated.err
    before, after = document.load(first), document.load(back)
    hardware = [
        {one.id: one for one in design.types.values() if not isinstance(one, MediumType)} for design in (before, after)
    ]
    assert hardware[0] == hardware[1] and any(one.startswith("generic-host-") for one in hardware[1])
    assert len(before.links) == len(after.links) > 0
    differing = fabric_designer("diff", first, back, "--format", "json").json
    assert not [one for one in differing["differences"] if one["kind"] in ("link", "module", "type")]


def test_what_a_drawing_does_not_have_is_listed_as_left_open(fabric_designer, tmp_path):
    first, drawing = tmp_path / "first.fabric", tmp_path / "first.drawio"
    fabric_designer("generate", "preset", "dgx-superpod-h100-1su", "-o", first)
    fabric_designer("export", first, "--to", "drawio", "-o", drawing)
    stated = fabric_designer("import", drawing, "--dry-run")
    assert stated.code == 0
    listed = stated.out.split("left open\n")[1]
    assert "racks without a place on the floor" in listed and "groups without a kind" in listed
    sentences = [
        one["sentence"] for one in fabric_designer("import", drawing, "--dry-run", "--format", "json").json["left_open"]
    ]
    assert len(sentences) == 2 and all(one in listed for one in sentences)
