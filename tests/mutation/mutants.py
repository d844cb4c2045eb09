"""Small changes of the program's code that some test should notice: where they are, and what they make of a line."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

SWAPPED = {
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"),
    ast.In: ("in", "not in"),
    ast.NotIn: ("not in", "in"),
}
TERMS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/"}
LEAVING = (ast.Return, ast.Continue, ast.Break, ast.Raise, ast.Expr)


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change: the text from `start` to `end` (offsets into the file) becomes `text`."""

    path: Path
    line: int
    start: int
    end: int
    text: str
    kind: str
    """"boundary", "comparison", "guard", "term", "condition", "negation" or "number"."""

    def applied(self, source: str) -> str:
        return source[: self.start] + self.text + source[self.end :]


def mutants_of(path: Path, source: str) -> list[Mutant]:
    """All mutants of a file, in the order of the text."""
    tree = ast.parse(source)
    starts = _line_starts(source)

    def offset(line: int, column: int) -> int:
        row = source[starts[line - 1] :].split("\n", 1)[0]
        return starts[line - 1] + len(row.encode()[:column].decode())

    def span(node: ast.expr) -> tuple[int, int]:
        return offset(node.lineno, node.col_offset), offset(node.end_lineno or 0, node.end_col_offset or 0)

    found: list[Mutant] = []
    for node in _code(tree):
        for start, end, text, kind in _changes(node, source, span):
            mutated = source[:start] + text + source[end:]
            try:
                ast.parse(mutated)
            except SyntaxError:
                continue
            found.append(Mutant(path, getattr(node, "lineno", 0), start, end, text, kind))
    return sorted(set(found), key=lambda one: (one.start, one.end, one.text))


def _changes(node: ast.AST, source: str, span) -> Iterator[tuple[int, int, str, str]]:  # type: ignore[no-untyped-def]
    if isinstance(node, ast.Compare):
        left: ast.expr = node.left
        for operator, right in zip(node.ops, node.comparators, strict=True):
            old, new = SWAPPED[type(operator)]
            at = source.find(old, span(left)[1], span(right)[0])
            if at >= 0:
                kind = "boundary" if type(operator) in (ast.Lt, ast.LtE, ast.Gt, ast.GtE) else "comparison"
                yield at, at + len(old), new, kind
            left = right
    elif isinstance(node, ast.If) and not node.orelse and isinstance(node.body[-1], LEAVING):
        yield *span(node.test), "False", "guard"
    elif isinstance(node, ast.BinOp) and type(node.op) in TERMS and not _is_text(node):
        (_first, middle), (_, last) = span(node.left), span(node.right)
        yield middle, last, "", "term"
        if isinstance(node.op, ast.Mult | ast.Div):
            at = source.find(TERMS[type(node.op)], middle)
            yield at, at + 1, "/" if isinstance(node.op, ast.Mult) else "*", "term"
    elif isinstance(node, ast.BoolOp):
        for before, after in zip(node.values, node.values[1:], strict=False):
            yield span(before)[1], span(after)[1], "", "condition"
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        start, end = span(node)
        yield start, end, source[slice(*span(node.operand))], "negation"
    elif isinstance(node, ast.Constant) and type(node.value) in (int, float) and node.value not in (0, 1):
        new = node.value + 1 if isinstance(node.value, int) else node.value * 1.1
        yield *span(node), repr(new), "number"


def _is_text(node: ast.BinOp) -> bool:
    """Whether texts or tuples are joined, as far as one can see."""
    inside = (ast.JoinedStr, ast.Tuple, ast.List)
    return any(
        isinstance(one, inside) or (isinstance(one, ast.Constant) and isinstance(one.value, str))
        for one in (node.left, node.right)
    )


def _code(tree: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a tree but for annotations, decorators, asserts, texts and what is there for typing alone."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Assert | ast.JoinedStr):
            continue
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            continue
        yield node
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from (*node.args.defaults, *(one for one in node.args.kw_defaults if one is not None))
            for statement in node.body:
                yield statement
                yield from _code(statement)
        elif isinstance(node, ast.AnnAssign):
            if node.value is not None:
                yield node.value
                yield from _code(node.value)
        elif isinstance(node, ast.ClassDef):
            for statement in node.body:
                yield statement
                yield from _code(statement)
        else:
            yield from _code(node)


def _line_starts(source: str) -> list[int]:
    starts = [0]
    for line in source.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    return starts
