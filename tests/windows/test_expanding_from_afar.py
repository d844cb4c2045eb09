"""View > Expand goes near to what is one box because it is far away."""

from designer.drawing.folding import levels
from designer.topologies.families import FAMILIES
from designer.windows.commands import arrange_commands


def test_expand_goes_near_to_what_is_closed_from_afar(window, catalog):
    session, views = window.session, window.views
    row = next(one for one in FAMILIES if one.name == "k-ary-fat-tree")
    session.push(row.build(session.design, row.parameters(k=12), catalog))
    n_steps = session.undo_stack.count()
    views.canvas.zoom_to_fit()
    pod = next(one.id for one in session.design.groups.values() if one.kind == "pod")
    expand = window.actions_table.rows["view.expand"]
    session.select(())
    assert not expand.enabled(window.desk)
    session.select((pod,))
    assert expand.enabled(window.desk)
    window.actions_table.trigger("view.expand")
    assert pod not in views.canvas.fabric.seen_at(views.canvas.camera.scale).projection.row_of
    assert not expand.enabled(window.desk) and session.undo_stack.count() == n_steps


def test_whether_commands_can_run_is_found_at_one_distance_and_without_sorting_the_selection(
    window, catalog, monkeypatch
):
    session, canvas = window.session, window.views.canvas
    row = next(one for one in FAMILIES if one.name == "k-ary-fat-tree")
    session.push(row.build(session.design, row.parameters(k=12), catalog))
    canvas.zoom_to_fit()
    canvas.fabric.seen_at(canvas.camera.scale)
    folded, sorted_ids, fold, order = [], [], levels.folded_from_afar, arrange_commands.order_key
    monkeypatch.setattr(levels, "folded_from_afar", lambda *given: folded.append(given) or fold(*given))
    monkeypatch.setattr(arrange_commands, "order_key", lambda one: sorted_ids.append(one) or order(one))
    session.select([*session.design.devices, *session.design.links])
    rows = window.actions_table.rows
    can_run = [rows[one].enabled(window.desk) for one in ("align.left", "distribute.x", "view.expand")]
    assert can_run == [True, True, False]
    assert not folded and not sorted_ids
