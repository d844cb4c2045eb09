"""The file of the open design changed on disk: a bar above the design says so; nothing waits for the answer."""

from designer.model.shown_text import plain_text
from designer.windows.desk import Desk
from designer.windows.files import saving
from designer.windows.shell.bar import Bar, button


class DiskBar(Bar):
    """Offers to take what is on disk or to go on with what is here. Hidden while the two agree."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        disk = desk.session.disk
        self.reload_button = button(
            "Reload", lambda: saving.reload(desk), "Show the file as it is on disk; Undo brings back your version"
        )
        self.reload_button.setProperty("kind", "primary")
        self.save_button = button("Save", lambda: saving.save(desk), "Write the file again")
        self.save_button.setProperty("kind", "primary")
        self.keep_button = button("Keep Mine", disk.keep_mine, "Continue with your unsaved version; saving asks again")
        super().__init__("disk-bar", desk.appearance, (self.reload_button, self.save_button, self.keep_button))
        disk.changed.connect(self._show)
        disk.reloaded.connect(self._say_reloaded)

    def _show(self) -> None:
        session = self._desk.session
        state = session.disk.state
        if state == "changed":
            mine = " This window has unsaved changes." if session.dirty else ""
            self.text.setText(f"{session.name} changed on disk.{mine}")
        elif state == "gone":
            self.text.setText(f"{session.name} is no longer on disk. The design in this window is not saved anywhere.")
        self.text.setToolTip(plain_text(str(session.path or "")))
        self.reload_button.setVisible(state == "changed")
        self.save_button.setVisible(state == "gone")
        self.setVisible(state != "same")

    def _say_reloaded(self) -> None:
        self._desk.notice.say(f"Reloaded {self._desk.session.name}: Undo brings back your version")
