"""`cost`: what a design costs, as text, JSON and CSV, and what it says of bad input."""

import csv
import json

import pytest

from designer.analysis.new_designs import new_design
from designer.catalog.catalog import load
from designer.regeneration.recipes import family_named
from designer.storage import document

OLD = "part number,price,currency,date,discount class\nDGX H100,300000,USD,2026-10-01,A\nQM9700,25000,EUR,2026-10-01,\n"
NEW = "part number,price,currency,date\nQM9700,20000,EUR,2026-11-01\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("cost")
    values = {"server": "dgx-h100", "servers": 4, "switch": "nvidia-qm9700"}
    document.save(new_design(family_named("fat-tree"), values, load(), "Pod", "auto").design, folder / "pod.fabric")
    (folder / "old.csv").write_text(OLD)
    (folder / "new.csv").write_text(NEW)
    return folder


def costed(fabric_designer, folder, *more):
    prices = ("--prices", folder / "old.csv", "--prices", folder / "new.csv")
    return fabric_designer("cost", folder / "pod.fabric", *prices, *more)


def test_json_has_every_figure_and_what_is_not_known(fabric_designer, folder):
    done = costed(fabric_designer, folder, "--format", "json", "--discounts", "A=50%", "--energy-price", "0.1 USD")
    found = json.loads(done.out)
    whole = found["rows"][0]
    assert whole["capital"] == {"by_currency": {"EUR": 20000.0, "USD": 600000.0}, "is_least": True}
    assert whole["cooling"] is None and whole["total"] is None and whole["power"]["by_currency"]["USD"] > 0
    assert found["lines_without_price"] == len(found["cost"]["lines_without_price"]) > 0
    assert found["price_list"] == "old.csv, new.csv" and found["gpus"] == 32


def test_text_lists_what_has_no_price_and_csv_the_shares(fabric_designer, folder):
    text = costed(fabric_designer, folder).out
    assert "capital" in text and "Without a price:" in text and "no PUE is stated" in text
    rows = list(csv.reader(costed(fabric_designer, folder, "--format", "csv").out.splitlines()))
    assert not any("Amounts(" in cell for row in rows for cell in row) and rows[1][1].startswith("at least ")
    assert [row[0] for row in rows[1:]] == ["The whole design", "Per GPU", "Per Gb/s of bisection"]


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        (("--rates", "EUR=1.1"), "state that too, like USD"),
        (("--energy-price", "0.12"), "write amount and currency, like 0.12 USD"),
        (("--prices", "gone.csv"), "the price list gone.csv cannot be read"),
    ],
)
def test_bad_input_is_one_sentence(fabric_designer, folder, more, sentence):
    done = costed(fabric_designer, folder, *more)
    assert done.code == 2 and sentence in done.err and "Traceback" not in done.err
