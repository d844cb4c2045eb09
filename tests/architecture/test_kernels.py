"""What holds for every kernel."""

import ast
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from figures import ROOT, imported, kernels_in, modules_of

DECORATOR = "designer.graph.compiled"


def test_kernels_take_nothing_from_files_without_kernels():
    """Numba freezes the constants and records that a kernel names: a change in their file has to be noticed."""
    with_kernels = [module for module in modules_of(ROOT) if any(kernels_in(module))]
    noticed = {DECORATOR, *(module.name for module in with_kernels)}
    imports = {
        (module.name, frozenset(name for name in imported(node) if name.startswith("designer.")))
        for module in with_kernels
        for node in ast.walk(module.tree)
    }
    assert [(name, sorted(names)) for name, names in imports if names and not names & noticed] == []
