"""Prints figures of how the program is built: size, cycles, hidden imports, long classes, kernels, docstrings.

    python tests/architecture/figures.py [CHECKOUT] [--json]

Read from the sources of a checkout, this one if not given; nothing of it is run. Imports count wherever they stand:
in functions, under TYPE_CHECKING and as text ("designer.windows.dialogs.about:AboutDialog") too.
"""

import argparse
import ast
import io
import json
import re
import shutil
import subprocess
import sys
import tokenize
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import networkx

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = "designer"
TOP = 10
MOST_COMPLEX = 12
SCENARIO = "Scenario"
PLACE = re.compile(rf"({PACKAGE}(?:\.\w+)+):\w+")
"""The place of something that is loaded when it is first used."""
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True, slots=True)
class Module:
    name: str
    path: Path
    source: str
    tree: ast.Module


def modules_of(checkout: Path) -> list[Module]:
    """All modules of the program, in the order of their names."""
    found = []
    for path in sorted((checkout / PACKAGE).rglob("*.py")):
        parts = path.relative_to(checkout).with_suffix("").parts
        source = path.read_text(encoding="utf-8")
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        found.append(Module(name, path, source, ast.parse(source)))
    return found


def figures(checkout: Path) -> dict[str, Any]:
    """The figures by name; lists hold (name, number) with the largest first."""
    modules = modules_of(checkout)
    graph = imports(modules)
    cyclic = [sorted(group) for group in networkx.strongly_connected_components(graph) if len(group) > 1]
    hidden = [row for module in modules for row in hidden_imports(module)]
    public = [row for module in modules for row in public_names(module)]
    documented = sum(has for _, has in public)
    kernels = _largest((name, n) for module in modules for name, n in kernels_in(module))
    lengths = _largest((_short(module.name), module.source.count("\n")) for module in modules)
    touched = _largest(files_naming_fields(modules))
    complex_ = complex_functions(checkout, modules)
    return {
        "lines": sum(n for _, n in lengths),
        "code lines": sum(code_lines(module) for module in modules),
        "files": len(modules),
        "modules in cycles": sum(map(len, cyclic)),
        "cycles": sorted(cyclic, key=len, reverse=True),
        "hidden imports": len(hidden),
        "hidden imports of the program's own": sum(name.startswith(PACKAGE) for name in hidden),
        "TYPE_CHECKING blocks": sum(map(type_checking_blocks, modules)),
        "Any": sum(map(count_any, modules)),
        "public names": len(public),
        "public names with a docstring": documented,
        "share with a docstring": round(documented / max(1, len(public)), 4),
        f"functions over complexity {MOST_COMPLEX}": None if complex_ is None else len(complex_),
        "most complex": complex_,
        "fmt: skip": sum(module.source.count("# fmt: skip") for module in modules),
        "fmt: skip in tests": sum(path.read_text("utf-8").count("# fmt: skip") for path in _tests(checkout)),
        "longest files": lengths[:TOP],
        "classes with most methods": _largest(row for module in modules for row in methods_in(module))[:TOP],
        "kernels": len(kernels),
        "kernels with more than 8 parameters": sum(n > 8 for _, n in kernels),
        "kernels with most parameters": kernels[:TOP],
        "files that name a scenario field": touched,
        "files that name a scenario field, median": touched[len(touched) // 2][1] if touched else None,
        "tests": sum(tests_by_room(checkout).values()),
        "tests by room": _largest(tests_by_room(checkout).items()),
    }


def _largest(rows: Any) -> list[tuple[str, int]]:
    return sorted(rows, key=lambda row: (-row[1], row[0]))


def _short(name: str) -> str:
    return name.removeprefix(f"{PACKAGE}.")


def imports(modules: Sequence[Module]) -> "networkx.DiGraph[str]":
    """Which module imports which, wherever in the module."""
    names = {module.name for module in modules}
    graph: networkx.DiGraph[str] = networkx.DiGraph()
    graph.add_nodes_from(names)
    for module in modules:
        for node in ast.walk(module.tree):
            graph.add_edges_from((module.name, other) for other in imported(node) if other in names)
    graph.remove_edges_from(list(networkx.selfloop_edges(graph)))
    # A package's door holds nothing but a docstring.
    graph.remove_nodes_from([module.name for module in modules if module.path.name == "__init__.py"])
    return graph


def imported(node: ast.AST) -> Iterator[str]:
    """What an import may mean: the module that it names, and those of that name in a package."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
        yield node.module
        yield from (f"{node.module}.{alias.name}" for alias in node.names)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str) and (named := PLACE.fullmatch(node.value)):
        yield named[1]
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Late":
        yield from (argument.value for argument in node.args if isinstance(argument, ast.Constant))


def late_modules(module: Module) -> dict[str, str]:
    """The modules that load late, by the name they have here."""
    return {
        target.id: place
        for node in module.tree.body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call)
        for place in imported(node.value)
        for target in node.targets
        if isinstance(target, ast.Name)
    }


def asked_of_late(module: Module) -> Iterator[tuple[str, str]]:
    """Each name that is asked of a module that loads late, with the module."""
    late = late_modules(module)
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in late:
            yield late[node.value.id], node.attr


def top_level_names(module: Module) -> set[str]:
    """What a module defines or imports at its top level."""
    names = set()
    for node in module.tree.body:
        match node:
            case ast.ClassDef(name=name) | ast.FunctionDef(name=name):
                names.add(name)
            case ast.Assign(targets=targets):
                names |= {one.id for target in targets for one in ast.walk(target) if isinstance(one, ast.Name)}
            case ast.AnnAssign(target=ast.Name(id=name)):
                names.add(name)
            case ast.Import(names=aliases) | ast.ImportFrom(names=aliases):
                names |= {alias.asname or alias.name for alias in aliases}
    return names


def hidden_imports(module: Module) -> Iterator[str]:
    """The modules that imports inside functions name, one for each import."""
    seen = set()
    for function in ast.walk(module.tree):
        if isinstance(function, FUNCTIONS):
            for node in ast.walk(function):
                if node not in seen and (name := next(imported(node), "")):
                    seen.add(node)
                    yield name


def type_checking_blocks(module: Module) -> int:
    return sum(isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test) for node in ast.walk(module.tree))


def count_any(module: Module) -> int:
    """How often Any stands in the module, other than in its import."""
    return sum(
        (isinstance(node, ast.Name) and node.id == "Any") or (isinstance(node, ast.Attribute) and node.attr == "Any")
        for node in ast.walk(module.tree)
    )


def code_lines(module: Module) -> int:
    """Lines with code on them: not blank, no comment, no docstring."""
    texts = {
        line
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }
    aside = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
    with_code = set()
    for token in tokenize.generate_tokens(io.StringIO(module.source).readline):
        if token.type not in aside:
            with_code.update(range(token.start[0], token.end[0] + 1))
    return len(with_code - texts)


def methods_in(module: Module) -> Iterator[tuple[str, int]]:
    """Each class with the number of functions in its body, properties among them."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.ClassDef):
            yield f"{_short(module.name)}.{node.name}", sum(isinstance(one, FUNCTIONS) for one in node.body)


def kernels_in(module: Module) -> Iterator[tuple[str, int]]:
    """Each compiled function with the number of its parameters."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.FunctionDef) and is_kernel(node):
            taken = node.args.posonlyargs + node.args.args + node.args.kwonlyargs
            yield f"{_short(module.name)}.{node.name}", len(taken)


def is_kernel(function: ast.FunctionDef) -> bool:
    return any("compiled" in ast.unparse(one) or "njit" in ast.unparse(one) for one in function.decorator_list)


def public_names(module: Module) -> Iterator[tuple[str, bool]]:
    """Classes, functions and methods without an underscore before their name or class; whether each is described."""
    yield from _public_in(module.tree.body, _short(module.name), module)


def _public_in(body: Sequence[ast.stmt], place: str, module: Module) -> Iterator[tuple[str, bool]]:
    for node in body:
        if isinstance(node, (ast.ClassDef, *FUNCTIONS)) and not node.name.startswith("_"):
            name = f"{place}.{node.name}"
            yield name, ast.get_docstring(node) is not None
            if isinstance(node, ast.ClassDef):
                yield from _public_in(node.body, name, module)


def complex_functions(checkout: Path, modules: Sequence[Module]) -> list[tuple[str, int]] | None:
    """Functions over the most complexity (ruff's C901) that are no kernels; None where ruff is not installed."""
    ruff = Path(sys.executable).with_name("ruff")
    command = str(ruff) if ruff.exists() else shutil.which("ruff")
    if command is None:
        return None
    done = subprocess.run(
        [
            command,
            "check",
            "--isolated",
            "--select",
            "C901",
            "--config",
            f"lint.mccabe.max-complexity={MOST_COMPLEX}",
            "--ignore-noqa",
            "--no-cache",
            "--output-format",
            "json",
            PACKAGE,
        ],
        cwd=checkout,
        capture_output=True,
        text=True,
        check=False,
    )
    kernels = {
        (str(module.path.resolve()), node.name)
        for module in modules
        for node in ast.walk(module.tree)
        if isinstance(node, ast.FunctionDef) and is_kernel(node)
    }
    found = []
    for row in json.loads(done.stdout):
        reported = re.search(r"`(.+)` is too complex \((\d+)", row["message"])
        if reported is not None and (str(Path(row["filename"]).resolve()), reported[1]) not in kernels:
            found.append((f"{Path(row['filename']).stem}.{reported[1]}", int(reported[2])))
    return _largest(found)


def files_naming_fields(modules: Sequence[Module]) -> Iterator[tuple[str, int]]:
    """Each field of a scenario, its own or inherited, with the number of files that name it in code or in a text."""
    records = [record for module in modules for record in ast.walk(module.tree) if isinstance(record, ast.ClassDef)]
    scenario = next((record for record in records if record.name == SCENARIO), None)
    parts = {SCENARIO, *(ast.unparse(base) for base in scenario.bases)} if scenario is not None else set()
    fields = [
        node.target.id
        for record in records
        if record.name in parts
        for node in record.body
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
    ]
    naming: Counter[str] = Counter()
    for module in modules:
        naming.update(_words(module.tree) & set(fields))
    return ((field, naming[field]) for field in fields)


def _words(tree: ast.Module) -> set[str]:
    words = set()
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=word) | ast.Attribute(attr=word) | ast.arg(arg=word) | ast.keyword(arg=str(word)):
                words.add(word)
            case ast.Constant(value=str(word)):
                words.add(word)
    return words


def _tests(checkout: Path) -> list[Path]:
    return sorted((checkout / "tests").rglob("*.py"))


def tests_by_room(checkout: Path) -> dict[str, int]:
    """Functions that are tests in each folder of tests; one that runs with many parameters counts once."""
    counts: Counter[str] = Counter()
    for path in _tests(checkout):
        if path.name.startswith("test_"):
            parts = path.relative_to(checkout / "tests").parts
            tree = ast.parse(path.read_text(encoding="utf-8"))
            counts[parts[0] if len(parts) > 1 else "(top)"] += sum(
                isinstance(node, FUNCTIONS) and node.name.startswith("test_") for node in ast.walk(tree)
            )
    return dict(counts)


def table(found: dict[str, Any]) -> str:
    """The figures as lines of text: single numbers first, then the lists."""
    single = {name: value for name, value in found.items() if not isinstance(value, list)}
    width = max(map(len, single))
    lines = [f"{name:{width}}  {_reported(value)}" for name, value in single.items()]
    for name, rows in found.items():
        if isinstance(rows, list):
            lines += ["", name]
            lines += [f"  {row[1]:>5,}  {row[0]}" if isinstance(row, tuple) else f"  {_cycle(row)}" for row in rows]
    return "\n".join(lines)


def _reported(value: float | None) -> str:
    if value is None:
        return "unknown"
    return f"{value:.1%}" if isinstance(value, float) else f"{value:,}"


def _cycle(names: Sequence[str]) -> str:
    return f"{len(names):>5,}  {', '.join(_short(name) for name in names)}"


def main(arguments: Sequence[str] | None = None) -> int:
    description, _, usage = (__doc__ or "").partition("\n\n")
    parser = argparse.ArgumentParser(
        description=description, epilog=usage, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("checkout", nargs="?", type=Path, default=ROOT)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args(arguments)
    found = figures(asked.checkout.resolve())
    print(json.dumps(found, indent=1) if asked.json else table(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
