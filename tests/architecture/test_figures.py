"""The figures of how the program is built count what is hidden: imports in functions, and those for typing alone."""

import json

import figures
import pytest

SOURCES = {
    "__init__": '"""The program."""\n',
    "low": '''\
"""Below."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from designer import high


class Scenario:
    """What is run."""

    seed: int = 0

    def size(self, what: "high.Wish") -> Any: ...

    def order(self) -> None: ...


@compiled
def kernel(a, b, c, d, e, f, g, h, i):
    # a note
    return a
''',
    "high": '''\
"""Above."""

import json

from designer.low import Scenario


def run(scenario: Scenario) -> None:
    """Runs it."""
    import math
    from designer import lone

    lone.done(math.pi, scenario.seed)
    return None  # fmt: skip


def _private(x):
'''
    + "".join(f"    if x == {n}:\n        return {n}\n" for n in range(13)),
    "lone": '"""Alone."""\n\nLATE = "designer.later:START"\n\n\ndef done(*all): ...\n',
    "later": '"""Loaded by its place, as text."""\n\nSTART = 1\n',
}


@pytest.fixture(scope="module")
def checkout(tmp_path_factory):
    folder = tmp_path_factory.mktemp("checkout")
    (folder / "designer").mkdir()
    for name, source in SOURCES.items():
        (folder / "designer" / f"{name}.py").write_text(source)
    (folder / "tests" / "model").mkdir(parents=True)
    (folder / "tests" / "model" / "test_one.py").write_text("def test_a(): ...\n\n\ndef helper(): ...\n")
    return folder


def test_what_is_hidden_counts_as_what_is_seen(checkout):
    found = figures.figures(checkout)

    assert found["cycles"] == [["designer.high", "designer.low"]] and found["modules in cycles"] == 2
    assert (found["hidden imports"], found["hidden imports of the program's own"]) == (2, 1)
    assert (found["files"], found["TYPE_CHECKING blocks"], found["Any"], found["fmt: skip"]) == (5, 1, 1, 1)
    assert found["lines"] == sum(source.count("\n") for source in SOURCES.values())
    assert found["code lines"] == 10 + 8 + 26 + 2 + 1
    assert found["classes with most methods"] == [("low.Scenario", 2)]
    assert found["kernels with most parameters"] == [("low.kernel", 9)]
    assert found["kernels with more than 8 parameters"] == 1
    assert (found["public names"], found["public names with a docstring"]) == (6, 2)
    assert found["files that name a scenario field"] == [("seed", 2)]
    assert found["tests by room"] == [("model", 1)]
    if found["most complex"] is not None:
        assert found["most complex"] == [("high._private", 14)]


def test_the_place_of_what_is_loaded_later_counts_as_an_import(checkout):
    graph = figures.imports(figures.modules_of(checkout))

    assert set(graph.successors("designer.lone")) == {"designer.later"}


def test_figures_are_printed_as_a_table_and_as_json(checkout, capsys):
    assert figures.main([str(checkout)]) == 0
    stated = capsys.readouterr().out
    assert "modules in cycles" in stated and "33.3%" in stated and "    2  high, low" in stated
    assert figures.main([str(checkout), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["modules in cycles"] == 2
