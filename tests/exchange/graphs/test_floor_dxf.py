"""The floor plan as DXF: ezdxf, which knows the format, finds what the plan shows, to scale and without a fault."""

import base64
import io
from dataclasses import replace

import ezdxf
import pytest

from designer.catalog.catalog import load
from designer.drawing.room.floor_plan import floor_plan
from designer.drawing.theme import LIGHT
from designer.errors import ExportError
from designer.exchange.exporters import BUILT_IN
from designer.exchange.file_names import export_name
from designer.exchange.previews import preview
from designer.exchange.redacting import BLANK_IMAGE
from designer.exchange.svg_writing import svg_text
from designer.model import furnishing
from designer.model.annotating import annotate, annotate_image
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.model.fixture import Tie
from designer.model.fixture_shape import corners_m
from designer.model.images import checked_picture
from designer.placement import floor
from designer.topologies import rail_optimized

CATALOG = load()
EXPORTER = next(one for one in BUILT_IN if one.name == "dxf")


@pytest.fixture(scope="module")
def room():
    made = Design()
    wanted = {"switch": "nvidia-sn5600", "server": "dgx-h100", "servers": 16, "servers_per_su": 4}
    made.apply(rail_optimized.build(made, rail_optimized.RailOptimizedParameters(**wanted), CATALOG))
    made.apply(floor.auto_place(made))
    made.apply(floor.turn_racks(made, [next(iter(made.racks))]))
    made.apply(furnishing.add_fixture(made, "wall", (-2.0, -9.0, 14.0, -8.8)))
    made.apply(furnishing.add_fixture(made, "door", (1.0, -9.0, 2.2, -8.8)))
    made.apply(furnishing.add_fixture(made, "column", (25.0, 1.5, 25.5, 2.0)))
    made.apply(furnishing.add_fixture(made, "cooling", (28.0, 2.0, 29.0, 3.2), "CRAC %%u 1"))
    door = next(one.id for one in made.fixtures.values() if one.kind == "door")
    made.apply(furnishing.turn_fixtures(made, [door], 30.0))
    return made


def written(design, path, **options):
    EXPORTER.write(design, path, options)
    document = ezdxf.readfile(path)
    audit = document.audit()
    assert not audit.errors and not audit.fixes
    return document


def corners(line):
    return [(round(x, 4), round(y, 4)) for x, y, *_ in line.get_points()]


@pytest.mark.parametrize(("unit", "per_m", "code"), [("mm", 1000.0, 4), ("m", 1.0, 6)])
def test_racks_are_blocks_where_they_stand(room, unit, per_m, code, tmp_path):
    document = written(room, tmp_path / "room.dxf", units=unit)
    assert document.units == code
    racks = {one.get_attrib("NAME").dxf.text: one for one in document.modelspace().query("INSERT")}
    assert racks.keys() == {one.name for one in room.racks.values()}
    for rack in room.racks.values():
        insert = racks[rack.name]
        assert tuple(insert.dxf.insert)[:2] == pytest.approx((rack.x_m * per_m, -rack.y_m * per_m))
        assert insert.dxf.rotation == (180 if rack.facing == "up" else 0)
        assert insert.get_attrib("UNITS").dxf.text.endswith(" U")
    assert {one.dxf.rotation for one in racks.values()} == {0, 180}
    outline = next(iter(document.blocks.get("RACK").query("LWPOLYLINE")))
    half = room.settings.rack_width_m / 2 * per_m, room.settings.rack_depth_m / 2 * per_m
    assert max(corners(outline)) == pytest.approx(half)


def test_the_room_is_drawn_in_layers(room, tmp_path):
    space = written(room, tmp_path / "room.dxf", units="m").modelspace()
    for kind, layer in (("wall", "WALLS"), ("door", "DOORS"), ("column", "COLUMNS"), ("cooling", "COOLING")):
        fixture = next(one for one in room.fixtures.values() if one.kind == kind)
        found = next(one for one in space.query(f'LWPOLYLINE[layer=="{layer}"]') if one.closed)
        assert corners(found) == [(round(x, 4), round(-y, 4)) for x, y in corners_m(fixture)]
    (swing,) = space.query('ARC[layer=="DOORS"]')
    assert swing.dxf.radius == pytest.approx(1.2)
    assert (swing.dxf.start_angle % 360, swing.dxf.end_angle % 360) == pytest.approx((330, 60))
    names = {one.dxf.text for one in space.query('TEXT[layer=="ROWS"]')}
    assert names == {one.name for one in floor.rows(room)}
    assert [one.dxf.text for one in space.query("TEXT") if "aisle" in one.dxf.text]


def test_trays_are_bands_those_drawn_in_place_of_those_assumed(room, tmp_path):
    space = written(room, tmp_path / "room.dxf").modelspace()
    assert len(space.query('LWPOLYLINE[layer=="TRAYS-ASSUMED"]')) == len(floor.rows(room))
    assert not space.query('LWPOLYLINE[layer=="TRAYS"]'), "nobody drew one"
    laid = room.snapshot()
    laid.apply(furnishing.add_tray(laid, [(-1.0, -1.5), (9.0, -1.5), (9.0, 0.5)]))
    space = written(laid, tmp_path / "laid.dxf", units="m").modelspace()
    (tray,) = space.query('LWPOLYLINE[layer=="TRAYS"]')
    assert not space.query('LWPOLYLINE[layer=="TRAYS-ASSUMED"]')
    assert corners(tray) == [(-1.0, 1.5), (9.0, 1.5), (9.0, -0.5)]
    assert tray.dxf.const_width == pytest.approx(next(one for one in laid.fixtures.values() if one.points_m).width_m)
    assert tray.transparency == pytest.approx(0.75, abs=0.01)


def test_a_cad_program_opens_it_as_a_whole_and_the_window_shows_it_first(room, tmp_path):
    document = written(room, tmp_path / "room.dxf", units="m")
    (left, bottom, *_), (right, top, *_) = document.header["$EXTMIN"], document.header["$EXTMAX"]
    for rack in room.racks.values():
        assert left < rack.x_m < right and bottom < -rack.y_m < top
    view = document.viewports.get("*Active")[0].dxf
    assert (view.center[0], view.center[1]) == pytest.approx(((left + right) / 2, (bottom + top) / 2))
    assert view.height >= top - bottom
    (page,) = preview(EXPORTER, room, EXPORTER.read({})).pages
    assert "rack-01" in svg_text((0, 0, 1, 1), "", "", page.document.layers)
    assert export_name(room, "dxf", ".dxf").endswith("-floor.dxf")


def test_annotations_are_lines_and_texts_to_scale_in_a_layer_of_their_own(room, tmp_path):
    noted = room.snapshot()
    rack = next(iter(noted.racks))
    noted.apply(annotate(noted, "arrow", (100, 200), (500, 200), on_floor=True, colour="#c8321e"))
    noted.apply(annotate(noted, "note", (600, 100), (900, 200), on_floor=True, text="Dock", pinned_to=rack))
    space = written(noted, tmp_path / "room.dxf", units="m").modelspace()
    lines = space.query('LWPOLYLINE[layer=="ANNOTATIONS"]')
    assert any(corners(one)[0] == (1.0, -2.0) and one.dxf.true_color == 0xC8321E for one in lines)
    (sheet,) = (one for one in lines if (6.0, -1.0) in corners(one) and one.closed)
    assert (9.0, -2.0) in corners(sheet)
    (text,) = space.query('TEXT[layer=="ANNOTATIONS"]')
    assert text.dxf.text == "Dock" and 0.08 < text.dxf.height < 0.1
    at = text.dxf.insert
    assert 6.0 < at[0] < 6.3 and -1.4 < at[1] < -1.0


def test_no_leader_leads_to_a_rack_that_is_left_out(room, tmp_path):
    noted = room.snapshot()
    rack = next(iter(noted.racks))
    noted.apply(annotate(noted, "note", (600, 100), (900, 200), on_floor=True, pinned_to=rack))
    counts = []
    for place in (noted.racks[rack], None):
        if place is None:
            noted.apply(floor.place_racks(noted, {rack: None}))
        space = written(noted, tmp_path / "room.dxf").modelspace()
        counts.append(len(space.query('LWPOLYLINE[layer=="ANNOTATIONS"]')))
    assert counts[1] == counts[0] - 2, "a line and a dot"


def test_a_legend_has_swatches_and_an_image_its_frame(room, tmp_path):
    noted = room.snapshot()
    noted.apply(annotate(noted, "legend", (600, 100), (900, 200), on_floor=True))
    picture = checked_picture(base64.b64decode(BLANK_IMAGE))
    noted.apply(annotate_image(noted, picture, 0, 500, 200, on_floor=True))
    space = written(noted, tmp_path / "room.dxf", units="m").modelspace()
    words = {one.dxf.text for one in space.query('TEXT[layer=="ANNOTATIONS"]')}
    assert {"Racks by kind of devices", "Server"} <= words
    lines = space.query('LWPOLYLINE[layer=="ANNOTATIONS"]')
    colours = {one.dxf.true_color for one in lines if one.dxf.hasattr("true_color")}
    assert colours == {int(LIGHT.boxes[kind].stripe[1:], 16) for kind in {one.kind for one in floor_plan(noted).racks}}
    assert any(set(corners(one)) == {(-1.0, -4.0), (1.0, -4.0), (1.0, -6.0), (-1.0, -6.0)} for one in lines)


def test_percent_signs_are_no_codes(room, tmp_path):
    space = written(room, tmp_path / "room.dxf").modelspace()
    (name,) = (one for one in space.query('TEXT[layer=="COOLING"]'))
    assert name.plain_text() == "CRAC %%u 1"


def test_the_same_design_gives_the_same_bytes_and_the_settings_of_ezdxf_stay(room, tmp_path):
    was = ezdxf.options.write_fixed_meta_data_for_testing
    written(room, tmp_path / "one.dxf")
    written(room.snapshot(), tmp_path / "two.dxf")
    assert (tmp_path / "one.dxf").read_bytes() == (tmp_path / "two.dxf").read_bytes()
    assert ezdxf.options.write_fixed_meta_data_for_testing == was
    assert io.StringIO((tmp_path / "one.dxf").read_text()).readline().strip() == "0"


def test_racks_without_a_place_are_left_out_and_counted(room, tmp_path):
    made = room.snapshot()
    first = next(iter(made.racks.values()))
    made.apply(Edit("lift", (Change(first, replace(first, x_m=None, y_m=None)),)))
    assert len(written(made, tmp_path / "room.dxf").modelspace().query("INSERT")) == len(made.racks) - 1
    said = EXPORTER.outcome(made, EXPORTER.read({}))
    assert said == f"{len(made.racks) - 1} racks and 4 fixtures drawn; 1 rack without a place on the floor left out"


def test_an_empty_floor_is_refused(tmp_path):
    with pytest.raises(ExportError, match="no rack has a place on the floor: use Room > Place Racks on Floor"):
        EXPORTER.write(Design(), tmp_path / "room.dxf")


def test_a_dimension_between_things_that_touch_states_that_nothing_is_between(room, tmp_path):
    made = room.snapshot()
    made.apply(furnishing.add_fixture(made, "wall", (40.0, 0.0, 40.2, 4.0)))
    made.apply(furnishing.add_fixture(made, "wall", (42.0, 0.0, 42.2, 4.0)))
    one, other = [fixture.id for fixture in made.fixtures.values()][-2:]
    start, end = ((40.2, 2.0), Tie(one, 1.0)), ((42.0, 2.0), Tie(other, -1.0))
    made.apply(furnishing.add_dimension(made, start, end))
    made.apply(furnishing.move_fixtures(made, [other], -1.8, 0.0))
    document = written(made, tmp_path / "room.dxf", units="m")
    assert "0 m" in {text.dxf.text for text in document.modelspace().query('TEXT[layer=="DIMENSIONS"]')}
