"""The fix of crossed rails: two links that are crossed with each other are swapped, others move to the right leaf."""

from collections import Counter
from collections.abc import Sequence

from designer.analysis.survey import Run
from designer.model.edit import Edit
from designer.validation.inspection import Inspection
from designer.validation.joining import Moves

Railed = tuple[Run, int, int]
"""A link of a server, the rail of the leaf it goes to, and the rail that its slot is on elsewhere."""


class Crossed:
    """The links of servers with the rails they are on and should be on."""

    def __init__(self, seen: Inspection, railed: Sequence[Railed]) -> None:
        self._seen = seen
        self._rails = {run.link.id: (rail, wanted) for run, rail, wanted in railed}
        self._astray = [run for run, rail, wanted in railed if rail != wanted]
        self._leafs: dict[tuple[int | None, int], Counter[str]] = {}
        for leaf in seen.survey.switches if self._astray else ():
            if leaf.rail is not None:
                self._leafs.setdefault((leaf.unit, leaf.rail), Counter())[leaf.id] = 0
        for run, rail, wanted in railed if self._astray else ():
            if rail == wanted:
                self._leafs.setdefault((self._unit(run), rail), Counter())[run.high.device_id] += 1

    def uncrossed(self, run: Run) -> Edit | None:
        """The edit that brings a link to the leaf of its rail that its neighbors are on; None where ports run out.

        A link that is there in the place of this one takes its port.
        """
        moves = Moves(self._seen)
        label = self._bring(moves, run)
        return moves.edit(label) if label else None

    def all_uncrossed(self, runs: Sequence[Run], label: str) -> Edit | None:
        """The edit that does so for several links at once; None where it cannot for each of them."""
        moves = Moves(self._seen)
        return moves.edit(label) if all(self._bring(moves, run) for run in runs) else None

    def _bring(self, moves: Moves, run: Run) -> str:
        """Put the link to the leaf of its rail among the moves, and say how; "" where it cannot go there."""
        rail, wanted = self._rails[run.link.id]
        leafs = self._leafs.get((self._unit(run), wanted))
        if leafs is None:
            return ""
        target = max(leafs, key=lambda one: (leafs[one], one))
        name = self._seen.design.end_name(run.low)
        for other in self._astray:
            is_mirror = other.high.device_id == target and self._rails[other.link.id] == (wanted, rail)
            if is_mirror and moves.swap(run.link.id, run.high.device_id, other.link.id, target):
                return f"Swap the links at {name} and {self._seen.design.end_name(other.low)}"
        if moves.move(run.link.id, run.high.device_id, target):
            return f"Move the link at {name} to {self._seen.name(target)}"
        return ""

    def _unit(self, run: Run) -> int | None:
        return self._seen.design.device(run.low.device_id).unit
