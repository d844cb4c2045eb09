"""Connect…: the form of ports, opened by its command on the canvas of the window."""

from designer.windows.picker.port_form import PortForm


def test_connect_asks_for_the_ports_of_two_selected_devices_once_in_one_form(window, add):
    session = window.session
    a, b = add("nvidia-qm9700"), add("dgx-h100")
    session.select([a, b])
    for _ in range(2):
        window.actions_table.trigger("link.choose_ports")
        (form,) = window.views.canvas.findChildren(PortForm)
        assert [one.chosen.end.device_id for one in form.lists] == [a, b] and form.isVisible()
        form.close_form()
    assert not session.design.links
    window.actions_table.trigger("link.choose_ports")
    form.accept()
    assert len(session.design.links) == 1
