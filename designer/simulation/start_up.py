"""What a collective's start-up, which is not counted, is worth compared with a time."""

from designer.units import format_size, format_time

START_S = 8.4e-6
"""What NCCL's own cost model gives a ring or a tree to begin with (src/graph/tuning.cc, Simple): not counted here."""
TELLING_TIMES = 10
"""A time of so many starts is right to a tenth in spite of that."""


def is_telling(time_s: float) -> bool:
    """Whether it takes long enough that the start of a collective, which is not counted, hardly matters."""
    return time_s >= TELLING_TIMES * START_S


def start_note(time_s: float) -> str:
    """That a time is too short to be stated without the start of a collective; "" where it is not."""
    if is_telling(time_s):
        return ""
    return f"less than {format_time(TELLING_TIMES * START_S)}: {_NOT_COUNTED}"


def start_note_by_size(largest_bytes: float) -> str:
    """The same of all sizes up to one."""
    limit = format_time(TELLING_TIMES * START_S)
    return f"up to {format_size(largest_bytes)} it takes less than {limit}: {_NOT_COUNTED}"


_NOT_COUNTED = f"a start-up, {format_time(START_S)} by NCCL's cost model, is not counted"
