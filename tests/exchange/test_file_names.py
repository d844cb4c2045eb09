"""Default names of exported files say which design it is, and what is in the file."""

from dataclasses import replace

import pytest

from designer.exchange.exporters import EXPORTERS
from designer.exchange.file_names import export_name, file_stem
from designer.model.design import Design
from designer.model.settings import Settings


def called(name: str, stem: str = "") -> Design:
    design = Design(replace(Settings(), name=name))
    design.file_stem = stem
    return design


@pytest.mark.parametrize(
    ("name", "stem"),
    [
        ("DGX SuperPOD, 4 SU", "dgx-superpod-4-su"),
        ("pod_7.b", "pod_7.b"),
        ("../../etc/passwd", "etc-passwd"),
        ("数据中心 1", "数据中心-1"),
        ("?!", "design"),
    ],
)
def test_a_design_name_becomes_a_file_name_without_surprises(name, stem):
    assert file_stem(name) == stem


def test_a_file_is_called_after_the_designs_file_and_what_is_in_it():
    design = called("DGX SuperPOD", "dgx-superpod-h100-4su")
    assert export_name(design, "cable-plan-xlsx", ".xlsx") == "dgx-superpod-h100-4su-cable-plan.xlsx"
    assert export_name(design, "cable-plan", ".csv") == "dgx-superpod-h100-4su-cable-plan.csv"
    assert export_name(design, "pdf", ".pdf") == "dgx-superpod-h100-4su-diagram.pdf"
    assert export_name(design, "bill-of-materials", ".json") == "dgx-superpod-h100-4su-bill-of-materials.json"


def test_a_design_without_a_file_lends_its_name():
    assert export_name(called("Pod 7"), "labels", ".csv") == "pod-7-labels.csv"


def test_no_two_formats_have_one_default_name():
    names = [export_name(Design(), one.name, one.suffix) for one in EXPORTERS.built_in]
    assert len(set(names)) == len(names)
