"""Imports stand at the top of files, and modules do not import each other; what is left may only become less."""

import tomllib

import figures
import networkx

TYPE_CHECKING_BLOCKS = 24
METHODS_MOST = 30

HIDDEN = {
    "__main__": (3, "a command does not load the window, a missing package gets a sentence, Qt is loaded last"),
    "canvas.formats": (1, "a machine without Qt gets a sentence"),
    "graph.compiled": (1, "numba is loaded at the first call of a kernel"),
    "plugins": (1, "reading the metadata of packages is slow, and few have plug-ins"),
}
"""Modules that import inside functions: how often at most, and why."""


def test_imports_stand_at_the_top_of_files_but_for_those_with_a_reason(modules):
    found = {one.name.removeprefix("designer."): len(list(figures.hidden_imports(one))) for one in modules}
    more = {name: number for name, number in found.items() if number > HIDDEN.get(name, (0, ""))[0]}
    assert not more, "move these imports to the top, or give the reason here"
    assert set(HIDDEN) <= set(found), "a module that is gone stands in the list"


def test_no_modules_import_each_other_for_typing_or_late_either(modules):
    graph = figures.imports(modules)
    groups = networkx.strongly_connected_components(graph)
    assert len(graph) > 400
    cycles = [sorted(group) for group in groups if len(group) > 1]
    assert not cycles, "pass what is needed: a desk (designer/windows/desk.py), a document, a record, a protocol"
    assert sum(map(figures.type_checking_blocks, modules)) <= TYPE_CHECKING_BLOCKS


def test_no_class_has_more_methods_than_can_be_overseen(modules):
    methods = [row for one in modules for row in figures.methods_in(one)]
    assert "canvas.stage_view.StageView" in dict(methods)
    assert not [(name, number) for name, number in methods if number > METHODS_MOST]


def test_what_is_asked_of_modules_that_load_late_is_there(modules):
    """Nobody else looks: type checkers do not follow `Late`."""
    names = {one.name: figures.top_level_names(one) for one in modules}
    asked = [(one.name, place, name) for one in modules for place, name in figures.asked_of_late(one)]
    assert len(asked) > 40
    assert not [row for row in asked if row[1].startswith("designer.") and row[2] not in names.get(row[1], ())]


def test_modules_that_load_late_are_of_rooms_below(modules):
    """As the layers of pyproject.toml have it for all other imports."""
    contract = tomllib.loads((figures.ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"][0]
    level = {room: number for number, rooms in enumerate(contract["layers"]) for room in rooms.split(" | ")}
    places = [(one.name, place) for one in modules for place in figures.late_modules(one).values()]
    rooms = [tuple(name.split(".")[1] for name in pair) for pair in places if pair[1].startswith("designer.")]
    assert not [(user, used) for user, used in rooms if user != used and level[user] >= level[used]]
