"""Names for other programs: of their letters, all different, the same each time, and those that fit kept."""

import re

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from designer.errors import ExportError
from designer.exchange.labs.containerlab import NODES
from designer.exchange.node_names import (
    HOST_NAMES,
    KUBERNETES_NAMES,
    SLURM_SWITCHES,
    changed_names,
    plain_names,
)
from designer.exchange.quoted import quoted
from designer.exchange.schedulers.host_lists import hostlist
from designer.exchange.simulators.infragraph import INSTANCES
from designer.exchange.simulators.vertex_names import SIMULATED

RULES = {
    "hosts": (HOST_NAMES, r"[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?"),
    "kubernetes": (KUBERNETES_NAMES, r"[a-z0-9]([a-z0-9-]*[a-z0-9])?"),
    "slurm": (SLURM_SWITCHES, r"[A-Za-z0-9_.]([A-Za-z0-9_.-]*[A-Za-z0-9_.])?"),
    "containerlab": (NODES, r"[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?"),
    "infragraph": (INSTANCES, r"[A-Za-z0-9_]([A-Za-z0-9_-]*[A-Za-z0-9_])?"),
    "simulations": (SIMULATED, r"[A-Za-z0-9_.:]([A-Za-z0-9_.:-]*[A-Za-z0-9_.:])?"),
}
NAMES = st.lists(st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=12), max_size=8)


@pytest.mark.parametrize("kind", RULES)
@given(texts=NAMES)
def test_every_name_is_one_that_the_program_takes_and_no_two_are_one(kind, texts):
    rule, pattern = RULES[kind]
    made = plain_names(texts, rule)
    assert len(made) == len(texts)
    assert all(re.fullmatch(pattern, name) and name.lower() not in rule.reserved for name in made)
    keys = [name.lower() for name in made] if rule.is_one_case else made
    assert len(set(keys)) == len(made)
    assert plain_names(made, rule) == made


@given(texts=NAMES)
def test_a_list_of_hosts_names_each_once_in_order(texts):
    names = plain_names(texts, HOST_NAMES)
    text = hostlist(names)
    assert text.count("[") == text.count("]")
    for name in names:
        assert name.rstrip("0123456789") in text


@given(text=st.text(max_size=30))
def test_a_quoted_text_is_that_text_in_yaml(text):
    found = yaml.safe_load(f"key: {quoted(text)}")["key"]
    assert isinstance(found, str) and "\n" not in quoted(text)
    if text.isprintable():
        assert found == text


def test_a_name_that_fits_is_kept_whatever_stands_before_it():
    assert plain_names(["a b", "a-b", "a_b"], HOST_NAMES) == ("a-b-2", "a-b", "a-b-3")
    assert plain_names(["1.2.3.4", "7", "ALL", "x..y", ""], HOST_NAMES) == (
        "host-1-2-3-4",
        "host-7",
        "ALL-2",
        "x-.y",
        "node",
    )
    assert plain_names(["leaf", "LEAF"], SLURM_SWITCHES) == ("leaf", "LEAF")


def test_a_name_made_different_keeps_to_the_length():
    long = "x" * 63
    assert plain_names([long, long], HOST_NAMES) == (long, f"{'x' * 61}-2")
    with pytest.raises(ExportError, match="has 64 letters, and a host has at most 63: give it a shorter name"):
        plain_names(["x" * 64], HOST_NAMES)


def test_a_sentence_tells_of_three_changed_names_and_counts_the_others():
    before = ["a b", "c", "d e", "f g", "<b>h i</b>"]
    said = changed_names(before, plain_names(before, HOST_NAMES), HOST_NAMES)
    assert said == "4 names changed to what a host can be called: a b is a-b, d e is d-e, f g is f-g and 1 more"
    assert changed_names(["c"], ["c"], HOST_NAMES) == ""
    assert len(changed_names(["x " * 100], ["x"], HOST_NAMES)) < 120
