"""Links by which switches are managed: round the boxes of their own pod, not round those of another."""

from dataclasses import replace

import numpy as np

from designer.drawing.composition import Composition
from designer.model import operations
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.model.networks import OUT_OF_BAND


def test_lines_of_management_stay_beside_their_own_pod(catalog):
    design, switches = Design(), []
    for left in (0.0, 3000.0):
        for x, y in ((0, 0), (400, 0), (100, 250), (500, 250), (300, 250), (250, 600)):
            type_ = catalog.get("nvidia-sn2201" if y == 600 else "nvidia-qm9700")
            design.apply(edit := operations.add_device(design, type_, left + x, y, catalog_types=catalog.types))
            switches.append(next(c.after for c in edit.changes if c.after.id in design.devices))
    for first in (0, 6):
        *fabric, oob = switches[first : first + 6]
        design.apply(Edit("network", (Change(oob, replace(oob, network=OUT_OF_BAND)),)))
        for one in fabric:
            design.apply(operations.connect_devices(design, one.id, oob.id))
    composition = Composition(design)
    of_first = [composition.projection.row_of[one.id] for one in switches[:6]]
    own = np.isin(composition.bundles.pairs, of_first).any(axis=1)
    xy, of = composition.detours.xy, composition.detours.bundles
    assert own[of].any() and (~own)[of].any()
    assert xy[own[of]][:, ::2].max() < 1000.0
