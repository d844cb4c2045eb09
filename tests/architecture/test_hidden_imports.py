"""Imports stand at the top of files, and modules do not import each other; what is left may only become less."""

import figures
import networkx
import pytest

IN_CYCLES, TYPE_CHECKING_BLOCKS = 0, 25
START = "the window starts without the simulation and the rules"
HELP = "the help of the command and the list of formats load no engine"
SCIPY, NETWORKX, QT = "scipy takes long to load", "networkx takes long to load", "only the window and pictures need Qt"
PLOT, FOLDERS = "pyqtgraph takes long to load", "platformdirs is asked for folders only where one is used"

METHODS_IN_WINDOWS = 30

HIDDEN = {
    "__main__": (2, "a command does not load the window, and the reader of a missing package gets a sentence"),
    "cli.catalog": (1, HELP),
    "cli.compile": (1, "a machine that is ready compiles nothing"),
    "cli.files": (1, HELP),
    "cli.png": (3, QT),
    "cli.simulate": (11, HELP),
    "cli.simulate_impact": (1, HELP),
    "cli.train": (1, HELP),
    "exchange.exporters": (10, HELP),
    "exchange.exporters_diagram": (8, HELP),
    "graph.components": (2, SCIPY),
    "graph.compiled": (1, "numba is loaded at the first call of a kernel"),
    "panels.simulation.failures_compared": (1, START),
    "panels.simulation.failures_controls": (1, START),
    "panels.studies.histogram": (1, PLOT),
    "panels.studies.plots": (1, PLOT),
    "panels.simulation.simulation_summary": (2, START),
    "panels.studies.study_curve": (3, START),
    "panels.studies.study_tiers": (1, PLOT),
    "paths": (3, FOLDERS),
    "plugins": (1, "reading the metadata of packages is slow, and few have plug-ins"),
    "simulation.catalogue": (1, "the names of policies load no kernels: only a plug-in's policy needs them"),
    "simulation.flows.relays": (1, SCIPY),
    "simulation.explain.link_leafs": (1, SCIPY),
    "topologies.graphs": (1, NETWORKX),
}
"""Modules that import inside functions: how often at most, and why."""


@pytest.fixture(scope="module")
def modules():
    return figures.modules_of(figures.ROOT)


def test_imports_stand_at_the_top_of_files_but_for_those_with_a_reason(modules):
    found = {one.name.removeprefix("designer."): len(list(figures.hidden_imports(one))) for one in modules}
    more = {name: number for name, number in found.items() if number > HIDDEN.get(name, (0, ""))[0]}
    assert not more, "move these imports to the top, or give the reason here"
    assert set(HIDDEN) <= set(found), "a module that is gone stands in the list"


def test_no_more_modules_import_each_other_than_did(modules):
    groups = networkx.strongly_connected_components(figures.imports(modules))
    assert sum(len(group) for group in groups if len(group) > 1) <= IN_CYCLES
    assert sum(map(figures.type_checking_blocks, modules)) <= TYPE_CHECKING_BLOCKS


def test_no_modules_of_the_windows_import_each_other(modules):
    graph = figures.imports([one for one in modules if one.name.startswith("designer.windows.")])
    cycles = [sorted(group) for group in networkx.strongly_connected_components(graph) if len(group) > 1]
    assert not cycles, "what commands and dialogs need of the window is in designer/windows/desk.py"


def test_no_class_of_the_windows_has_more_methods_than_can_be_overseen(modules):
    methods = (row for one in modules if one.name.startswith("designer.windows.") for row in figures.methods_in(one))
    assert not [(name, number) for name, number in methods if number > METHODS_IN_WINDOWS]
