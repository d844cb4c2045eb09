"""Colours that tell jobs apart on the canvas and in tables."""

JOB_COLOURS = (
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7a5195", "#8c6d31", "#5f6b7a", "#b0413e",
)  # fmt: skip
"""The first six: M. Okabe, K. Ito, "Color Universal Design" (2008), told apart by any eyes."""


def job_colour(number: int) -> str:
    """#rrggbb; colours come again after the last one."""
    return JOB_COLOURS[number % len(JOB_COLOURS)]
