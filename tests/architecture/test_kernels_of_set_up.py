"""Set-up compiles every kernel that the program calls: none is left for the first run that needs it."""

import ast
import json
import subprocess
import sys
from collections.abc import Iterator
from typing import TypeGuard

import pytest
from figures import Module, is_kernel, late_modules

PATIENCE_S = 600
WARM = """
import importlib, json, sys
from designer.warm_up import warm_up
warm_up()
called = json.loads(sys.stdin.read())
kernels = [(module, name, getattr(importlib.import_module(module), name)) for module, name in called]
json.dump([f"{module}.{name}" for module, name, kernel in kernels if not kernel.dispatcher.signatures], sys.stdout)
"""


def called_kernels(modules: list[Module]) -> set[tuple[str, str]]:
    """(module, name) of the kernels that anything but a kernel names: the others are compiled as parts of these."""
    kernels = {module.name: {node.name for node in ast.walk(module.tree) if _is_kernel(node)} for module in modules}
    return {kernel for module in modules for kernel in _called_in(module, kernels)}


def _called_in(module: Module, kernels: dict[str, set[str]]) -> Iterator[tuple[str, str]]:
    names = {name: (module.name, name) for name in kernels[module.name]}
    rooms = late_modules(module)
    for node in ast.walk(module.tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                name = alias.asname or alias.name
                if alias.name in kernels.get(node.module, ()):
                    names[name] = node.module, alias.name
                rooms[name] = f"{node.module}.{alias.name}"
    for node in _outside_kernels(module.tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in names:
            yield names[node.id]
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            room = rooms.get(node.value.id, "")
            if node.attr in kernels.get(room, ()):
                yield room, node.attr


def _is_kernel(node: ast.AST) -> TypeGuard[ast.FunctionDef]:
    return isinstance(node, ast.FunctionDef) and is_kernel(node)


def _outside_kernels(node: ast.AST) -> Iterator[ast.AST]:
    for child in ast.iter_child_nodes(node):
        if not _is_kernel(child):
            yield child
            yield from _outside_kernels(child)


@pytest.mark.timeout(PATIENCE_S)
def test_set_up_compiles_every_kernel_that_the_program_calls(modules):
    called = sorted(called_kernels(modules))
    assert len(called) > 50
    done = subprocess.run(
        [sys.executable, "-c", WARM],
        input=json.dumps(called),
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE_S,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == []
