"""Three-way merge of designs: what two people made of one, as one edit of ours, with the conflicts between them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from designer.errors import EditError
from designer.model.design import Design
from designer.model.edit import Change, Edit, added, removed
from designer.model.entities import Entity
from designer.model.merging import clashes
from designer.model.merging.conflicts import Conflict
from designer.model.merging.deletions import settle_deletions
from designer.model.merging.incoming import Renumbered, incoming
from designer.model.merging.resolution import Resolution
from designer.model.merging.versions import MergeError, Side, Versions

LABEL = "Merge a Colleague's Changes"
ROUNDS_MOST = 60
"""Each round settles at least one clash for good; a merge that takes more is given up."""


@dataclass(frozen=True, slots=True)
class Merge:
    """What a merge would do to ours, and what is left for people to decide."""

    versions: Versions
    """The three designs: theirs with ids, names and cable numbers that do not clash with ours."""
    edit: Edit
    """Makes the merged design of ours. It takes ours in conflicts that nobody has decided."""
    made: Design
    """The merged design."""
    conflicts: tuple[Conflict, ...]
    """Those that were decided are among them."""
    renumbered: tuple[Renumbered, ...]

    @property
    def open(self) -> tuple[Conflict, ...]:
        """The conflicts that nobody has decided."""
        return tuple(one for one in self.conflicts if not one.decided)


def prepare(
    base: Design | None, ours: Design, theirs: Design, progress: Callable[[float], None] = lambda _share: None
) -> tuple[Versions, tuple[Renumbered, ...]]:
    """What all merges of three versions begin with, whatever is chosen; it takes longer than the choosing."""
    progress(0.0)
    found = incoming(base, ours, theirs)
    progress(0.4)
    return Versions(base, ours, found.design, lambda share: progress(0.4 + 0.6 * share)), found.renumbered


def merge(
    base: Design | None,
    ours: Design,
    theirs: Design,
    choices: Mapping[str, Side] | None = None,
    prefer: Side | None = None,
    progress: Callable[[float], None] = lambda _share: None,
) -> Merge:
    """The changes from base to theirs as an edit of ours, by record and field.

    What one side changed is taken, what both changed alike is taken once, what both changed differently is a conflict.
    Without a base nobody knows who changed what, and every difference of content is a conflict.
    `choices` settles conflicts by their places, `prefer` the others. `progress` may raise Cancelled. Raises MergeError
    where no choice leads to a design.
    """
    versions, renumbered = prepare(base, ours, theirs, lambda share: progress(0.5 * share))
    return merge_versions(versions, renumbered, choices or {}, prefer, lambda share: progress(0.5 + 0.5 * share))


def merge_versions(
    versions: Versions,
    renumbered: tuple[Renumbered, ...],
    choices: Mapping[str, Side],
    prefer: Side | None = None,
    progress: Callable[[float], None] = lambda _share: None,
) -> Merge:
    """The same with versions that were prepared: for other choices."""
    resolution = Resolution(versions, lambda place: choices.get(place, prefer))
    for number in range(ROUNDS_MOST):
        first = 1 - 0.5**number  # nobody knows how many rounds there are: each takes half of what is left
        progress(first)
        resolution.combine()
        progress(first + 0.2 * 0.5**number)
        settle_deletions(resolution)
        progress(first + 0.3 * 0.5**number)
        if clashes.settle_kinds(resolution) or clashes.settle_nesting(resolution) or clashes.settle_clashes(resolution):
            continue
        edit = _edit(resolution)
        made = versions.ours.snapshot()
        progress(first + 0.4 * 0.5**number)
        try:
            made.apply(edit)
        except EditError as error:
            raise MergeError(f"the designs cannot be merged: {error}") from error
        if not clashes.settle_ports(resolution, made):
            return Merge(versions, edit, made, resolution.conflicts, renumbered)
    raise MergeError("the designs cannot be merged: too many of their ports, slots and rack units clash in chains")


def _edit(resolution: Resolution) -> Edit:
    """What is removed first, then what changes, then what is added: in the order of tables and ids."""
    deleted: list[Entity] = []
    changed: list[Change] = []
    new: list[Entity] = []
    for _key, before, after in resolution.changes():
        if before is not None and after is not None and type(before) is type(after):
            changed.append(Change(before, after))
            continue
        if before is not None:
            deleted.append(before)
        if after is not None:
            new.append(after)
    return Edit(LABEL, (*removed(deleted), *changed, *added(new)))
