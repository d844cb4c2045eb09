"""`diff DESIGN LIST`: cables as they were built against the design, from a list that another tool wrote."""

import csv
import json

import pytest

from designer.catalog.catalog import load
from designer.exchange.exporters import EXPORTERS
from designer.model.design import Design
from designer.storage import document
from designer.topologies import rail_optimized


@pytest.fixture(scope="module")
def plan(tmp_path_factory):
    """A design file, and the lines of its cable plan with the columns by name."""
    folder = tmp_path_factory.mktemp("built")
    design = Design()
    parameters = rail_optimized.RailOptimizedParameters(
        switch="nvidia-qm9700", server="dgx-h100", servers=8, servers_per_su=8, reserve_leaf_ports=4
    )
    design.apply(rail_optimized.build(design, parameters, load()))
    document.save(design, folder / "pod.fabric")
    EXPORTERS.named("cable-plan").write(design, folder / "plan.csv")
    with (folder / "plan.csv").open(newline="", encoding="utf-8-sig") as file:
        return folder / "pod.fabric", list(csv.DictReader(file))


def written(rows, path):
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    return path


def test_a_true_copy_gives_no_difference(fabric_designer, plan, tmp_path):
    design, rows = plan
    said = fabric_designer("diff", design, written(rows, tmp_path / "built.csv"))
    assert (said.code, said.out) == (0, f"{len(rows)} of {len(rows)} planned cables found as planned; no differences\n")


def swapped(rows):
    """The first two cables in each other's port at their far ends, and the third missing."""
    one, other = rows[:2]
    far = [{key: value for key, value in row.items() if key.startswith("z_")} for row in (one, other)]
    return [{**one, **far[1]}, {**other, **far[0]}, *rows[3:]]


def test_swapped_and_missing_cables_are_listed_by_port(fabric_designer, plan, tmp_path):
    design, rows = plan
    path = written(swapped(rows), tmp_path / "built.csv")
    said = fabric_designer("diff", design, path, "--format", "json")
    found = json.loads(said.out)
    assert said.code == 1 and found["planned"] == len(rows) and found["as_planned"] == len(rows) - 3
    assert sum(found["counts"].values()) == 3 and found["counts"]["missing"] == 1
    text = fabric_designer("diff", design, path).out
    assert all(fault["name"] in text for fault in found["faults"])


def test_the_design_as_built_differs_from_the_plan_in_just_that(fabric_designer, plan, tmp_path):
    design, rows = plan
    path, built = written(swapped(rows), tmp_path / "built.csv"), tmp_path / "as-built.fabric"
    said = fabric_designer("diff", design, path, "--as-built", built)
    assert said.code == 1 and f"wrote {built}: {len(rows) - 1} links" in said.err
    assert fabric_designer("diff", built, path).code == 0
    assert "2 links miswired" in fabric_designer("diff", design, built).out
    again = fabric_designer("diff", design, path, "--as-built", built)
    assert again.code == 2 and "add --force" in again.err


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--from", "nothing"), "there is no format 'nothing' of networks"),
        (("--from", "netbox-devicetypes"), "there is no format 'netbox-devicetypes' of networks"),
        ((), "notes.txt"),
    ],
)
def test_what_is_no_list_of_cables_is_refused_with_a_sentence(fabric_designer, plan, tmp_path, arguments, sentence):
    path = tmp_path / "notes.txt"
    path.write_text("to do: look for the cables\n")
    said = fabric_designer("diff", plan[0], path, *arguments)
    assert said.code == 2 and sentence in said.err and "Traceback" not in said.err


def test_a_design_as_b_is_not_taken_for_what_was_built(fabric_designer, plan, tmp_path):
    said = fabric_designer("diff", plan[0], plan[0], "--as-built", tmp_path / "x.fabric")
    assert said.code == 2 and "is a design itself" in said.err and not (tmp_path / "x.fabric").exists()
