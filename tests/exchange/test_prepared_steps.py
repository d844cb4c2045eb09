"""What the steps of a preparation report: of racks those that were placed, and apart from them those that stood."""

from dataclasses import replace

from designer.exchange.prepared_steps import _racks
from designer.model.design import Design
from designer.model.edit import Change, Edit, added
from designer.model.entities import Rack
from designer.model.hardware.racks import RackType


def test_racks_that_stood_on_the_floor_before_are_not_counted_as_placed(catalog):
    before, kind = Design(), next(one for one in catalog.types.values() if isinstance(one, RackType))
    racks = [Rack(f"r{n}", f"rack-{n}", kind.id, x_m=float(n), y_m=0.0) for n in (1, 2)]
    waiting = Rack("r3", "rack-3", kind.id)
    before.apply(Edit("Add", added([kind, *racks, waiting])))
    after = before.snapshot()
    after.apply(Edit("Place", (Change(waiting, replace(waiting, x_m=3.0, y_m=0.0)),)))
    step = _racks(before, after)
    assert step.done.startswith("1 rack placed; the floor has ") and step.skipped == "2 already on the floor"
