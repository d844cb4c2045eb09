"""Arrays: copies in rows and columns, edge to edge as far apart as asked, named on, in one edit."""

import pytest

from designer.errors import DesignerError
from designer.model import operations
from designer.model.annotating import annotate
from designer.model.design import Design
from designer.placement.arrays import MOST_COPIES, array
from designer.storage import document


@pytest.fixture
def pod(catalog):
    design = Design()
    for type_id, name, y in (("nvidia-qm9700", "leaf-1", 0.0), ("dgx-h100", "gpu-1", 100.0)):
        edit = operations.add_devices(design, catalog.get(type_id), [(0, y)], catalog_types=catalog.types, name=name)
        design.apply(edit)
    leaf, server = design.devices
    design.apply(operations.connect_devices(design, server, leaf))
    return design


def test_copies_stand_in_columns_and_rows_with_their_links_and_go_on_in_names(pod):
    before = document.encode(pod)
    edit = array(pod, list(pod.devices), 3, 2, 20, 30)
    pod.apply(edit)
    names = {device.name: (pod.placements[one].x, pod.placements[one].y) for one, device in pod.devices.items()}
    across, down = 120.0 + 20, 144.0 + 30
    numbered = {number: (number - 1) % 3 * across for number in range(1, 7)}
    assert {name: x for name, (x, _) in names.items()} == {
        f"{word}-{number}": x for word in ("leaf", "gpu") for number, x in numbered.items()
    }
    assert names["gpu-4"] == (0.0, 100.0 + down)
    assert [len(pod.links_of(one)) for one in pod.devices] == [1] * 12
    pod.apply(edit.inverted())
    assert document.encode(pod) == before


def test_all_devices_are_named_from_what_is_given_the_original_first(pod):
    server = next(one for one in pod.devices if pod.is_server(one))
    pod.apply(array(pod, [server], 3, 1, 0, 0, "gpu-101"))
    assert [one.name for one in pod.devices.values()] == ["leaf-1", "gpu-101", "gpu-102", "gpu-103"]


@pytest.mark.parametrize(("columns", "rows"), [(1, 1), (0, 4), (MOST_COPIES + 2, 1)])
def test_an_array_of_one_none_or_too_many_is_refused(pod, columns, rows):
    with pytest.raises(DesignerError, match="places"):
        array(pod, list(pod.devices), columns, rows, 24, 24)


def test_an_array_of_more_devices_than_a_preview_can_follow_is_refused(pod, monkeypatch):
    monkeypatch.setattr("designer.placement.arrays.MOST_DEVICES", 5)
    with pytest.raises(DesignerError, match="5 devices at most"):
        array(pod, list(pod.devices), 4, 1, 24, 24)


def test_racks_are_repeated_with_what_stands_in_them(pod, catalog):
    pod.apply(operations.add_rack(pod, catalog.get("rack-42u"), 0.0, 400.0))
    (rack,) = pod.racks
    pod.apply(operations.mount(pod, next(iter(pod.devices)), rack))
    pod.apply(array(pod, [rack], 2, 2, 24, 24))
    assert [len(pod.mounted(one)) for one in pod.racks] == [1, 1, 1, 1]


def test_annotations_are_copied_along_and_are_as_large_as_they_are_drawn(pod):
    pod.apply(annotate(pod, "zone", (-100.0, -100.0), (100.0, 200.0), text="Pod"))
    pod.apply(array(pod, [*pod.devices, *pod.annotations], 2, 1, 50, 0))
    assert sorted(pod.placements[one].x for one in pod.annotations) == [0.0, 250.0]
    assert sorted(pod.placements[one].x for one in pod.devices) == [0.0, 0.0, 250.0, 250.0]


def test_all_copies_go_aside_where_something_stands_and_the_originals_stay(pod):
    asked = []

    def aside(places):
        asked.extend(places)
        return 500.0

    first = next(iter(pod.devices))
    before = pod.placements[first]
    pod.apply(array(pod, [first], 2, 2, 20, 30, aside=aside))
    assert pod.placements[first] == before and len(asked) == 3
    stand = [
        (at.x - before.x, at.y - before.y)
        for one, at in pod.placements.items()
        if one not in (first, *list(pod.devices)[:2])
    ]
    assert stand == [(640.0, 0.0), (500.0, 74.0), (640.0, 74.0)]
    assert [(x1 - before.x + 60.0, y1 - before.y + 22.0) for x1, y1, _, _ in asked] == [
        (140.0, 0.0),
        (0.0, 74.0),
        (140.0, 74.0),
    ]
