"""`arrange` lays out a file's boxes again."""

import pytest

from designer.model.bending import bend_links
from designer.model.collapsing import collapse_all
from designer.storage import document


@pytest.fixture
def torus(fabric_designer, tmp_path):
    path = tmp_path / "a.fabric"
    assert fabric_designer("generate", "torus", "--dims", "3x3x3", "-o", path).code == 0
    return path


def test_a_design_is_laid_out_as_asked(fabric_designer, torus, tmp_path):
    out = tmp_path / "b.fabric"
    said = fabric_designer("arrange", torus, "--layout", "cube", "-o", out)
    assert said.code == 0
    assert "things moved" in said.err
    before, after = document.load(torus), document.load(out)
    assert before.devices == after.devices
    assert before.placements != after.placements


def test_it_says_whose_bends_the_layout_removes(fabric_designer, torus, tmp_path):
    design, out = document.load(torus), tmp_path / "b.fabric"
    for link in list(design.links.values()):
        design.apply(bend_links(design, [link.id], [(5.0, 5.0)], link.a.device_id))
    document.save(design, torus)
    said = fabric_designer("arrange", torus, "--layout", "cube", "-o", out)
    left = sum(bool(link.bends) for link in document.load(out).links.values())  # of those whose ends move alike
    assert left < len(design.links)
    assert said.err.rstrip().endswith(f"things moved. Bends of {len(design.links) - left} links are removed.")


def test_only_what_is_named_is_laid_out(fabric_designer, torus, tmp_path):
    out, names = tmp_path / "b.fabric", [f"router-{number}-0-0" for number in range(3)]
    only = [part for name in names for part in ("--only", name)]
    assert fabric_designer("arrange", torus, *only, "--layout", "circle", "-o", out).code == 0
    before, after = document.load(torus), document.load(out)
    moved = {before.devices[one].name for one in before.placements if before.placements[one] != after.placements[one]}
    assert moved <= set(names)
    assert len(moved) > 1
    said = fabric_designer("arrange", torus, "--only", "nobody", "-o", tmp_path / "c.fabric")
    assert (said.code, said.out) == (2, "")
    assert "no group, rack or device is named 'nobody'" in said.err


def test_a_layout_that_does_not_fit_is_refused_with_a_sentence(fabric_designer, tmp_path):
    path = tmp_path / "a.fabric"
    assert fabric_designer("generate", "fat-tree", "--servers", 4, "--server", "dgx-h100", "-o", path).code == 0
    said = fabric_designer("arrange", path, "--layout", "sheets", "-o", tmp_path / "b.fabric")
    assert said.code == 2
    assert "this is no torus or mesh" in said.err
    said = fabric_designer("arrange", path, "-o", path)
    assert said.code == 2
    assert "add --force" in said.err


def test_a_file_is_closed_up_around_what_is_collapsed(fabric_designer, tmp_path):
    path, out = tmp_path / "a.fabric", tmp_path / "b.fabric"
    assert fabric_designer("generate", "rail-optimized", "--server", "dgx-h100", "--servers", 64, "-o", path).code == 0
    said = fabric_designer("arrange", path, "--close-up", "-o", out)
    assert said.code == 2
    assert "nothing is collapsed" in said.err
    design = document.load(path)
    design.apply(collapse_all(design))
    document.save(design, path)
    assert fabric_designer("arrange", path, "--close-up", "-o", out).code == 0
    xs = [[place.x for place in document.load(one).placements.values()] for one in (path, out)]
    assert max(xs[1]) - min(xs[1]) < max(xs[0]) - min(xs[0])
    said = fabric_designer("arrange", path, "--close-up", "--layout", "grid", "-o", out, "--force")
    assert said.code == 2
    assert "give it without --layout and --only" in said.err
