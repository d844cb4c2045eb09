"""A default that is within its limits needs no look; one that is not is found like any other value."""

from dataclasses import dataclass

from designer.model.limits import record_faults


@dataclass(frozen=True)
class Cage:
    count: int = 0
    notes: str = ""
    tags: tuple[str, ...] = ()


def test_a_default_beyond_its_limits_is_a_fault_too():
    assert [field for field, _ in record_faults(Cage())] == ["count"]
    assert list(record_faults(Cage(count=4))) == []


def test_values_other_than_the_default_are_looked_at():
    faults = list(record_faults(Cage(count=4, notes="\ud800", tags=("a\x1bb",))))
    assert [field for field, _ in faults] == ["notes", "tags[0]"]
