"""What holds for every kernel."""

import ast

from figures import imported, is_kernel, kernels_in

DECORATOR = "designer.graph.compiled"
MOST_PARAMETERS = 8


def test_kernels_take_nothing_from_files_without_kernels(modules):
    """Numba freezes the constants and records that a kernel names: a change in their file has to be noticed."""
    with_kernels = [module for module in modules if any(kernels_in(module))]
    noticed = {DECORATOR, *(module.name for module in with_kernels)}
    imports = {
        (module.name, frozenset(name for name in imported(node) if name.startswith("designer.")))
        for module in with_kernels
        for node in ast.walk(module.tree)
    }
    assert [(name, sorted(names)) for name, names in imports if names and not names & noticed] == []


def test_no_kernel_has_more_than_eight_parameters(modules):
    """Arrays that belong together come as one record: see transport_kernels."""
    kernels = [row for module in modules for row in kernels_in(module)]
    assert kernels
    assert [(name, count) for name, count in kernels if count > MOST_PARAMETERS] == []


def test_one_place_says_what_a_next_hop_is(modules):
    """A bundle is one where the distance falls by just what the bundle costs: only transport looks at costs so."""
    comparing = {
        module.name
        for module in modules
        for function in ast.walk(module.tree)
        if isinstance(function, ast.FunctionDef) and is_kernel(function)
        for node in ast.walk(function)
        if isinstance(node, ast.Compare) and "- cost[" in ast.unparse(node)
    }
    assert comparing == {"designer.routing.transport_kernels"}
