"""What a collective library believes of hardware: the constants of its own choice, read from resources/calibration."""

import difflib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, is_dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, get_args, get_type_hints

import msgspec

from designer.catalog import yaml_text
from designer.errors import CatalogError
from designer.paths import resources_dir
from designer.units import shortened

LIBRARIES = ("nccl", "rccl")
PROTOCOLS = ("LL", "LL128", "Simple")
LL, LL128, SIMPLE = 0, 1, 2
RING, TREE, NVLS, NVLS_TREE, PAT = "ring", "tree", "nvls", "nvls-tree", "pat"
COLLNET_DIRECT, COLLNET_CHAIN, DIRECT = "collnet-direct", "collnet-chain", "direct"

Triple = tuple[float, float, float]
NONE: Triple = (0.0, 0.0, 0.0)
R = TypeVar("R")


@dataclass(frozen=True, slots=True, kw_only=True)
class Generation:
    """A generation of GPUs as the library sees it. Rates are GB/s in one direction; triples are by number of nodes."""

    name: str
    gpus: tuple[str, ...]
    source: str
    compute_capability: float
    link_line_gbytes_per_s: float
    """Of one scale-up link by the data sheet, by which links are counted."""
    link_gbytes_per_s: float
    """What the library takes such a link to carry."""
    speeds_one_node: tuple[float, ...]
    speeds_more_nodes: tuple[float, ...]
    ll_most_gbytes_per_s: float = float("inf")
    ring_ll128_per_channel: Triple = NONE
    tree_ll128_per_channel: Triple = NONE
    tree_per_channel: Triple = NONE
    nvls_tree_per_channel: Triple = NONE
    nvls_share: float = 0.0
    """0 where the GPUs know no NVLS."""
    nvls_channels: int = 0
    plateau: float = 1.0
    """By how much a ring's latency grows across nodes with Simple."""
    tuning: str = ""
    host_interfaces: Mapping[str, str] = field(default_factory=dict)
    """Of each GPU, by its word in `gpus`: "PCIe Gen5 x16"; one that is not there is joined to its CPU otherwise."""
    ll_most_rank_bytes: Mapping[str, float] = field(default_factory=dict)
    """Between nodes, by collective: the largest part of a rank that is sent with LL, whatever was estimated; of an
    all-reduce the whole buffer, which is what each of its ranks sends."""
    ll128_most_rank_bytes: Mapping[str, float] = field(default_factory=dict)
    """The same of LL128; larger parts are sent with Simple."""
    ll128_all_reduce_more_nodes: float = 1.0
    """By how much LL128 reaches farther in an all-reduce over more than two nodes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tuning:
    """Latencies in microseconds by algorithm, each for LL, LL128 and Simple."""

    name: str
    base_us: Mapping[str, Triple]
    scale_up_us: Mapping[str, Triple]
    pcie_us: Mapping[str, Triple]
    network_us: Mapping[str, Triple]
    tree_correction: tuple[tuple[float, ...], ...] = ()
    """By protocol: factors of bandwidth from 64 B on, each size twice the one before."""
    ring_correction: tuple[tuple[float, ...], ...] = ()
    ratios_two_nodes: Mapping[str, Triple] = field(default_factory=dict)
    ratios_more_nodes: Mapping[str, Triple] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Plugin:
    """What the plugin of a transport tells the library, by which the library then chooses."""

    transport: str
    """A family of NICs, or one with a generation of GPUs: "efa@Blackwell"."""
    latency_us: float = 0.0
    """Of a message; a Simple hop counts it twice, for the flush."""
    protocols: tuple[str, ...] = PROTOCOLS
    """Those that it allows."""
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Library:
    """A collective library's beliefs, with their source and date."""

    name: str
    title: str
    version: str
    date: str
    source: str
    generations: tuple[Generation, ...]
    tuning: tuple[Tuning, ...]
    ll_most_two_nodes: Mapping[str, float]
    """By vendor of the CPU."""
    ll_most_more_nodes: Mapping[str, float]
    net_overhead_us: Mapping[str, float]
    pcie_gbytes_per_s: float
    plugins: tuple[Plugin, ...] = ()
    inter_all_reduce_per_node: bool = False
    """Whether an all-reduce counts two network hops for each node, not for each node but one."""

    def tuning_of(self, generation: Generation) -> Tuning:
        """The latencies that hold for a generation; the first where it names none."""
        return next((one for one in self.tuning if one.name == generation.tuning), self.tuning[0])

    def plugin_of(self, transport: str, generation: Generation) -> Plugin | None:
        """What a transport's plugin says on GPUs of a generation; None where the library has no need of one."""
        names = (f"{transport}@{generation.name}", transport)
        return next((one for name in names for one in self.plugins if one.transport == name), None)

    def generation_of(self, gpu_model: str) -> Generation | None:
        """The generation of a GPU by its model, "H100 80 GB"; None where the library's constants name none."""
        return next((one for one in self.generations if _words(gpu_model) & set(one.gpus)), None)


def host_interface_of(generation: Generation, gpu_model: str) -> str:
    """The host interface of a GPU by its model; "" where none is stated, and where it is joined to its CPU."""
    named = _words(gpu_model) & set(generation.gpus)
    stated = {generation.host_interfaces.get(gpu, "") for gpu in named}
    return "" if "" in stated else min(stated, default="")


def _words(gpu_model: str) -> set[str]:
    return set(re.findall(r"[A-Za-z0-9]+", gpu_model.upper()))


def calibration_dir() -> Path:
    """The folder of the constants."""
    return resources_dir() / "calibration"


@cache
def library(name: str) -> Library:
    """The delivered constants of "nccl" or "rccl". Raises CatalogError naming file, field and fault."""
    return read(calibration_dir() / f"{name}.yaml", Library)


def read(path: Path, record: type[R]) -> R:
    """A file of constants as a record. Raises CatalogError naming file, field and fault in one sentence."""
    text = yaml_text.read(path)
    for place, fault in _unknown(text.value, record, ""):
        line = f", line {text.lines[place]}" if place in text.lines else ""
        raise CatalogError(f"{path.name}{line}, {place}: {fault}")
    try:
        return msgspec.convert(text.value, record)
    except msgspec.ValidationError as error:
        what, _, place = str(error).partition(" - at `$")
        where = place.strip("`.") or "the whole file"
        raise CatalogError(f"{path.name}, {where}: {what[:1].lower()}{what[1:]}") from None


def _unknown(value: Any, kind: Any, place: str) -> Iterator[tuple[str, str]]:
    """Fields that a record does not have, each with its place and the name that is nearest: none is passed over."""
    inner = get_args(kind)
    if is_dataclass(kind) and isinstance(value, dict):
        kinds = get_type_hints(kind)
        for key, one in value.items():
            at = f"{place}.{key}" if place else str(key)
            if key in kinds:
                yield from _unknown(one, kinds[key], at)
            else:
                yield at, no_such("field", str(key), tuple(kinds))
    elif isinstance(value, dict) and len(inner) == 2:
        for key, one in value.items():
            yield from _unknown(one, inner[1], f"{place}.{key}")
    elif isinstance(value, list) and inner:
        for number, one in enumerate(value):
            yield from _unknown(one, inner[0], f"{place}[{number}]")


def no_such(noun: str, name: str, known: Sequence[str]) -> str:
    """ "there is no field 'betwen': did you mean 'between'?", or what there is where nothing is near."""
    near = difflib.get_close_matches(name, known, n=1, cutoff=0.6)
    hint = f"did you mean {near[0]!r}?" if near else f"there is {', '.join(known)}"
    return f"there is no {noun} {shortened(name)!r}: {hint}"
