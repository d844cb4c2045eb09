"""View > Expand goes near to what is one box because it is far away."""

from designer.topologies.families import FAMILIES


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
