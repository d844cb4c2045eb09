"""Slurm's topology.conf and topology.yaml.

Sources: Slurm, topology.conf(5) and topology.yaml(5).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from designer.analysis.survey import survey
from designer.errors import ExportError
from designer.exchange.node_names import SLURM_SWITCHES, plain_names
from designer.exchange.quoted import quoted
from designer.exchange.schedulers.host_lists import hostlist
from designer.exchange.schedulers.hosts import Host, host_remark, hosts
from designer.exchange.schedulers.options import AUTO, BLOCK, TREE, SlurmOptions
from designer.exchange.schedulers.tree import Branch, domains, tree
from designer.model.design import Design
from designer.units import format_counted


@dataclass(frozen=True, slots=True)
class Slurm:
    """What either file says. Branches have names that Slurm takes; those of a block stand in `blocks`."""

    tops: tuple[Branch, ...]
    names: dict[int, str]
    """By id() of a branch."""
    blocks: tuple[tuple[str, tuple[Host, ...]], ...]
    apart: tuple[Host, ...]
    """Hosts without a link."""
    remark: str
    design: Design


def slurm(design: Design) -> Slurm:
    """The tree and the blocks of a design. Raises ExportError where there is no host, and for names too long."""
    every, surveyed = hosts(design), survey(design)
    tops = tree(surveyed, every)
    branches = [branch for top in tops for branch in top.inside]
    names = plain_names([branch.name for branch in branches], SLURM_SWITCHES, "switch")
    found = domains(surveyed, every)
    blocks = tuple(zip(plain_names(list(found), SLURM_SWITCHES, "block"), found.values(), strict=True))
    inside = {host.name for branch in branches for host in branch.hosts}
    apart = tuple(host for host in every if host.name not in inside)
    by_id = {id(branch): name for branch, name in zip(branches, names, strict=True)}
    return Slurm(tops, by_id, blocks, apart, host_remark(design, every), design)


def write_slurm(design: Design, path: Path, options: SlurmOptions) -> None:
    """Write topology.yaml where the path ends in .yaml, else topology.conf. Raises ExportError."""
    made = slurm(design)
    lines = yaml_lines(made, options.topology) if path.suffix.lower() == ".yaml" else conf_lines(made, options.topology)
    path.write_bytes("".join(f"{line}\n" for line in lines).encode())


def summary(design: Design, _options: SlurmOptions) -> str:
    """ "127 hosts in 4 leaves", with what Slurm calls otherwise than the design."""
    made = slurm(design)
    leaves = sum(bool(branch.hosts) for top in made.tops for branch in top.inside)
    listed = sum(len(branch.hosts) for top in made.tops for branch in top.inside)
    parts = [f"{format_counted(listed, 'host')} in {leaves} {'leaf' if leaves == 1 else 'leaves'}"] if leaves else []
    if made.blocks:
        n_hosts = sum(len(inside) for _, inside in made.blocks)
        parts.append(f"{format_counted(n_hosts, 'host')} in {format_counted(len(made.blocks), 'block')}")
    if made.apart and made.tops:
        parts.append(f"{format_counted(len(made.apart), 'host')} without a link left out")
    return "; ".join(filter(None, (", ".join(parts), made.remark)))


def _wanted(made: Slurm, topology: str, *, may_be_both: bool) -> tuple[bool, bool]:
    """Whether the tree and the blocks are written. Raises ExportError where what is asked for is not there."""
    if topology == BLOCK and not made.blocks:
        raise ExportError(
            "there are no blocks: no two hosts share a scale-up domain. Write the tree instead (topology=tree)"
        )
    if topology == TREE and not made.tops:
        raise ExportError("there is no tree: no server is linked to a switch of the compute network")
    if topology == AUTO and not (made.tops or made.blocks):
        raise ExportError("there is nothing to write: no server is linked to a switch of the compute network")
    has_tree = topology == TREE or (topology == AUTO and bool(made.tops))
    has_blocks = topology == BLOCK or (topology == AUTO and bool(made.blocks) and (may_be_both or not made.tops))
    return has_tree, has_blocks


def conf_lines(made: Slurm, topology: str) -> Iterator[str]:
    """topology.conf, line by line."""
    has_tree, has_blocks = _wanted(made, topology, may_be_both=False)
    yield f"# For slurm.conf: TopologyPlugin=topology/{'block' if has_blocks else 'tree'}"
    yield from _remarks(made)
    if has_tree:
        yield from _tree_conf(made)
    if has_blocks:
        yield from _block_conf(made)


def _remarks(made: Slurm) -> Iterator[str]:
    """Hosts that are in no leaf."""
    if made.apart and made.tops:
        yield f"# Without a link, and in no leaf: {hostlist(host.name for host in made.apart)}"


def _tree_conf(made: Slurm) -> Iterator[str]:
    for top in made.tops:
        for branch in top.inside:
            name = made.names[id(branch)]
            stands_for = _stands_for(made, branch)
            if stands_for:
                yield f"# {name} stands for {stands_for}"
            yield f"SwitchName={name} {'Switches' if branch.children else 'Nodes'}={_children(made, branch)}"


def _stands_for(made: Slurm, branch: Branch) -> str:
    """The switches of a branch that is not one switch."""
    if len(branch.switches) < 2:
        return ""
    drawn = [made.design.device(one).name or one for one in branch.switches]
    return hostlist(plain_names(drawn, SLURM_SWITCHES, "switch"))


def _children(made: Slurm, branch: Branch) -> str:
    if branch.children:
        return hostlist(made.names[id(child)] for child in branch.children)
    return hostlist(host.name for host in branch.hosts)


def _block_conf(made: Slurm) -> Iterator[str]:
    for name, inside in made.blocks:
        yield f"BlockName={name} Nodes={hostlist(host.name for host in inside)}"
    yield f"BlockSizes={_base_size(made)}"


def _base_size(made: Slurm) -> int:
    """Hosts of the smallest block: each block must have at least as many as the base size."""
    return min(len(inside) for _, inside in made.blocks)


def yaml_lines(made: Slurm, topology: str) -> Iterator[str]:
    """topology.yaml, line by line."""
    has_tree, has_blocks = _wanted(made, topology, may_be_both=True)
    yield from _remarks(made)
    if has_tree:
        yield from _tree_yaml(made)
    if has_blocks:
        yield from _block_yaml(made, is_default=not has_tree)


def _tree_yaml(made: Slurm) -> Iterator[str]:
    yield from _head("tree", is_default=True)
    yield "    switches:"
    for top in made.tops:
        for branch in top.inside:
            stands_for = _stands_for(made, branch)
            if stands_for:
                yield f"      # Stands for {stands_for}"
            yield f"      - switch: {quoted(made.names[id(branch)])}"
            yield f"        {'children' if branch.children else 'nodes'}: {quoted(_children(made, branch))}"


def _block_yaml(made: Slurm, *, is_default: bool) -> Iterator[str]:
    yield from _head("block", is_default=is_default)
    yield "    block_sizes:"
    yield f"      - {_base_size(made)}"
    yield "    blocks:"
    for name, inside in made.blocks:
        yield f"      - block: {quoted(name)}"
        yield f"        nodes: {quoted(hostlist(host.name for host in inside))}"


def _head(kind: str, *, is_default: bool) -> Sequence[str]:
    default = "true" if is_default else "false"
    return f"- topology: {'fabric' if kind == 'tree' else 'scale-up'}", f"  cluster_default: {default}", f"  {kind}:"
