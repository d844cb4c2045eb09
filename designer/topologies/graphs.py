"""Where a graph comes from: a generator of networkx by its name in a table, or a GraphML file.

Names are looked up in `GENERATORS` and nowhere else, arguments are numbers, and what a generator would make is counted
before it runs. A file is data of a limited size, read without declarations of entities.
"""

import math
import stat
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from typing import Any

from designer.errors import ParameterError
from designer.late import Late
from designer.topologies.sizing import MOST_DEVICES, require_holdable
from designer.units import format_count, format_counted

networkx = Late("networkx")

MOST_BYTES = 64_000_000
"""Of a file: a million links of sixty characters."""

LONGEST_NAME = 60


@dataclass(frozen=True, slots=True)
class Graph:
    """Routers by number and the pairs that links join, ascending; a pair of several links is there as often."""

    names: tuple[str, ...]
    """Of the routers, all different; () where only numbers tell them apart."""
    n_routers: int
    edges: tuple[tuple[int, int], ...]

    @property
    def degree(self) -> int:
        """Most links of a router."""
        of = [0] * self.n_routers
        for a, b in self.edges:
            of[a] += 1
            of[b] += 1
        return max(of)


@dataclass(frozen=True, slots=True)
class Generator:
    """A function of networkx."""

    function: str
    takes: tuple[str, ...]
    """Names of its arguments, in order; one that ends in "..." takes all numbers left. "p" is a share, others whole."""
    size: Callable[..., tuple[int, int]]
    """Nodes and links that it makes at most."""


def _tree(branches: int, height: int) -> tuple[int, int]:
    nodes = sum(branches**level for level in range(min(height, MOST_DEVICES.bit_length()) + 1))
    nodes = max(nodes, height)
    return nodes, nodes


def _kneser(members: int, subset: int) -> tuple[int, int]:
    if subset > members or (min(subset, members - subset) > 8 and members > 32):
        return 2 * MOST_DEVICES, 0  # more than can be, and no number to be printed
    nodes = math.comb(members, subset)
    return nodes, nodes * math.comb(members - subset, subset) // 2


GENERATORS: dict[str, Generator] = {
    "balanced-tree": Generator("balanced_tree", ("branches", "height"), _tree),
    "barabasi-albert": Generator("barabasi_albert_graph", ("nodes", "links", "seed"), lambda n, m, _: (n, n * m)),
    "barbell": Generator("barbell_graph", ("bell", "path"), lambda m, n: (2 * m + n, m * m + n)),
    "circulant": Generator("circulant_graph", ("nodes", "offsets..."), lambda n, *o: (n, n * len(o))),
    "circular-ladder": Generator("circular_ladder_graph", ("rungs",), lambda n: (2 * n, 3 * n)),
    "complete": Generator("complete_graph", ("nodes",), lambda n: (n, n * (n - 1) // 2)),
    "complete-bipartite": Generator("complete_bipartite_graph", ("left", "right"), lambda a, b: (a + b, a * b)),
    "complete-multipartite": Generator(
        "complete_multipartite_graph", ("parts...",), lambda *parts: (sum(parts), sum(parts) ** 2 // 2)
    ),
    "cycle": Generator("cycle_graph", ("nodes",), lambda n: (n, n)),
    "desargues": Generator("desargues_graph", (), lambda: (20, 30)),
    "dodecahedron": Generator("dodecahedral_graph", (), lambda: (20, 30)),
    "grid": Generator("grid_2d_graph", ("rows", "columns"), lambda a, b: (a * b, 2 * a * b)),
    "heawood": Generator("heawood_graph", (), lambda: (14, 21)),
    "hexagonal-lattice": Generator(
        "hexagonal_lattice_graph", ("rows", "columns"), lambda a, b: (2 * (a + 1) * (b + 1), 3 * (a + 1) * (b + 1))
    ),
    "hoffman-singleton": Generator("hoffman_singleton_graph", (), lambda: (50, 175)),
    "hypercube": Generator("hypercube_graph", ("dimensions",), lambda n: (2 ** min(n, 64), n * 2 ** min(n, 64) // 2)),
    "icosahedron": Generator("icosahedral_graph", (), lambda: (12, 30)),
    "kneser": Generator("kneser_graph", ("set", "subset"), _kneser),
    "ladder": Generator("ladder_graph", ("rungs",), lambda n: (2 * n, 3 * n)),
    "path": Generator("path_graph", ("nodes",), lambda n: (n, n)),
    "petersen": Generator("petersen_graph", (), lambda: (10, 15)),
    "random": Generator("gnm_random_graph", ("nodes", "links", "seed"), lambda n, m, _: (n, m)),
    "random-regular": Generator("random_regular_graph", ("degree", "nodes", "seed"), lambda d, n, _: (n, d * n // 2)),
    "small-world": Generator(
        "newman_watts_strogatz_graph", ("nodes", "neighbours", "p", "seed"), lambda n, k, _p, _s: (n, n * k)
    ),
    "star": Generator("star_graph", ("leafs",), lambda n: (n + 1, n)),
    "triangular-lattice": Generator(
        "triangular_lattice_graph", ("rows", "columns"), lambda a, b: ((a + 1) * (b + 1), 3 * (a + 1) * (b + 1))
    ),
    "turan": Generator("turan_graph", ("nodes", "parts"), lambda n, _: (n, n * n // 2)),
    "tutte": Generator("tutte_graph", (), lambda: (46, 69)),
    "wheel": Generator("wheel_graph", ("nodes",), lambda n: (n, 2 * n)),
}
"""By the names that a user chooses from."""


@lru_cache(maxsize=4)
def generated(name: str, arguments: str) -> Graph:
    """The graph of a generator in the table. Raises ParameterError for what it cannot make."""
    row = GENERATORS[name]
    numbers = _numbers(name, row, arguments)
    require_holdable(*row.size(*numbers))
    seed = {"seed": numbers.pop()} if "seed" in row.takes else {}
    if name == "circulant":
        numbers = [numbers[0], numbers[1:]]
    try:
        made = getattr(networkx, row.function)(*numbers, **seed)
    except (networkx.NetworkXException, ValueError, ZeroDivisionError) as error:
        raise ParameterError(f"no {name} graph of {arguments}: {error}") from None
    return _read(made, f"the {name} graph", named=False)


def _numbers(name: str, row: Generator, arguments: str) -> list[Any]:
    """The arguments as numbers. Raises ParameterError saying what the generator takes."""
    texts = [text.strip() for text in arguments.split(",")] if arguments.strip() else []
    rest = bool(row.takes) and row.takes[-1].endswith("...")
    kinds = [*row.takes, *row.takes[-1:] * (len(texts) - len(row.takes))] if rest else list(row.takes)
    wanted = f"takes {', '.join(row.takes)}" if row.takes else "takes no arguments"
    refusal = ParameterError(f"arguments are {arguments!r}: {name} {wanted}")
    if len(texts) != len(kinds):
        raise refusal
    numbers: list[Any] = []
    for text, kind in zip(texts, kinds, strict=True):
        try:
            numbers.append(float(text) if kind == "p" else int(text))
        except ValueError:
            raise refusal from None
        most = 1 if kind == "p" else 2**32 - 1 if kind == "seed" else MOST_DEVICES
        if not 0 <= numbers[-1] <= most:
            raise ParameterError(f"{kind.removesuffix('...')} is {text}: it should be 0 to {format_count(most)}")
    return numbers


def from_file(path: Path) -> Graph:
    """The graph of a GraphML file. Raises ParameterError for one that cannot be read, or is larger than a design."""
    try:
        found = path.stat()
        if not stat.S_ISREG(found.st_mode):
            raise ParameterError(f"{path} is not an ordinary file")
        if found.st_size > MOST_BYTES:
            size, most = f"{found.st_size / 1e6:,.0f} MB", f"{MOST_BYTES / 1e6:,.0f} MB"
            raise ParameterError(f"{path} is {size}: more than {most} are not read")
        return _of_file(path, found.st_mtime_ns, found.st_size)
    except OSError as error:
        raise ParameterError(f"{path} cannot be read: {error.strerror or error}") from None
    except ValueError as error:  # a NUL in the path
        raise ParameterError(f"{path} cannot be read: {error}") from None


@lru_cache(maxsize=2)
def _of_file(path: Path, changed_ns: int, size: int) -> Graph:
    """The file as it was at that time."""
    with path.open("rb") as file:
        data = file.read(MOST_BYTES)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ParameterError(f"{path} is not GraphML: its text is not UTF-8") from None
    if "<!" in text.replace("<!--", ""):
        raise ParameterError(f"{path} declares entities or a document type, which GraphML needs none of")
    require_holdable(text.count("<node"), text.count("<edge"))
    try:
        made = networkx.read_graphml(BytesIO(text.encode()))
    except Exception as error:  # the reader lets out whatever a strange file makes it stumble over
        raise ParameterError(f"{path} is not GraphML that can be read: {error}") from None
    return _read(made, str(path), named=True)


def _read(made: Any, what: str, *, named: bool) -> Graph:
    """The routers and links of a graph of networkx. Raises ParameterError for loops and for what falls into parts."""
    nodes = list(made.nodes)
    number = {node: place for place, node in enumerate(nodes)}
    pairs = [(number[a], number[b]) for a, b in made.edges()]
    if made.is_directed():
        pairs = list(dict.fromkeys((min(pair), max(pair)) for pair in pairs))
    loops = sum(a == b for a, b in pairs)
    if loops:
        raise ParameterError(f"{what} has {format_counted(loops, 'link')} from a node to itself: remove them")
    if len(nodes) < 2:
        raise ParameterError(f"{what} has {format_counted(len(nodes), 'node')}: a network takes two")
    parts = networkx.number_connected_components(made.to_undirected(as_view=True))
    if parts > 1:
        raise ParameterError(f"{what} falls into {format_count(parts)} parts that no link joins: use one of them alone")
    edges = tuple(sorted((min(pair), max(pair)) for pair in pairs))
    return Graph(_names([made.nodes[node] for node in nodes], nodes) if named else (), len(nodes), edges)


def _names(attributes: Sequence[dict[str, Any]], nodes: Sequence[Any]) -> tuple[str, ...]:
    """What the nodes of a file are called: by their label or name where all differ, else by their ids."""
    for key in ("label", "name"):
        names = [_tidy(its.get(key, "")) for its in attributes]
        if all(names) and len(set(names)) == len(names):
            return tuple(names)
    names = [_tidy(node) for node in nodes]
    return tuple(names) if all(names) and len(set(names)) == len(names) else ()


def _tidy(name: object) -> str:
    return " ".join("".join(one if one.isprintable() else " " for one in str(name)).split())[:LONGEST_NAME]
