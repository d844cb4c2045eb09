"""Pairs of ids, one of each design, in which every id is once."""

from collections.abc import Iterable, Iterator, Mapping


class Pairs:
    """Ids of the later design by those of the earlier one, and back."""

    def __init__(self) -> None:
        self.later: dict[str, str] = {}
        self.earlier: dict[str, str] = {}

    def join(self, before: str, after: str) -> bool:
        """Whether the two are a pair now: neither was in one."""
        if before in self.later or after in self.earlier:
            return False
        self.later[before], self.earlier[after] = after, before
        return True

    def join_equal(self, befores: Mapping[object, str], afters: Mapping[object, str]) -> int:
        """How many pairs are made of ids under equal keys."""
        return sum(self.join(one, afters[key]) for key, one in befores.items() if key in afters)

    def left_before(self, ids: Iterable[str]) -> Iterator[str]:
        """Those of the earlier design without a partner."""
        return (one for one in ids if one not in self.later)

    def left_after(self, ids: Iterable[str]) -> Iterator[str]:
        """Those of the later design without a partner."""
        return (one for one in ids if one not in self.earlier)
