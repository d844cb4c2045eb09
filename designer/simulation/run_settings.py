"""Settings that several sorts of runs have: routing, rank order, seed, failures, peak of a GPU. Needs no numpy."""

from typing import Any

from designer.fields import kinds
from designer.fields.field import setting
from designer.fields.ranges import ANY, Range
from designer.simulation import catalogue


def gpu_peak_setting() -> Any:
    """The field of what a GPU computes at most; every model needs one."""
    return setting(
        title="GPU peak, TFLOP/s",
        noun="the peak of a GPU in TFLOP/s",
        help="Peak TFLOP/s of a GPU at the precision used, from its data sheet.",
        tip_text="Of one GPU at the precision used, dense, from its data sheet",
        kind=kinds.AMOUNT,
        within=Range(0, 1e6, is_above=True),
        empty="from the data sheet",
    )


def routing_setting(section: str) -> Any:
    """The field of a routing that needs nothing next to it."""
    return setting(
        "spray",
        title="Routing",
        help="{names}.",
        section=section,
        kind=kinds.NAME,
        choices=catalogue.routings_alone,
        metavar="POLICY",
    )


def order_setting() -> Any:
    """The field of the order of the ranks, where no form shows it."""
    return setting(
        "design",
        title="Rank order",
        help="Order of the ranks: {names}.",
        kind=kinds.NAME,
        choices=catalogue.ORDERS,
        metavar="ORDER",
        is_shown=False,
    )


def seed_setting() -> Any:
    """The field of a seed, where no form shows it."""
    return setting(0, title="Seed", help="For hashes and random orders.", kind=kinds.COUNT, within=ANY, is_shown=False)


def failed_setting() -> Any:
    """The field of what is marked as failed; in the window that is marked on the canvas."""
    return setting(
        (),
        title="Failed",
        help="A device, or the link on a port, to mark as failed; repeatable.",
        kind=kinds.NAMES,
        option="--fail",
        metavar="NAME[:PORT]",
        is_shown=False,
    )
