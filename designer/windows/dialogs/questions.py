"""The few questions that must be answered before going on: where a file is, what to do with unsaved changes."""

from pathlib import Path
from typing import Literal

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QColorDialog, QMessageBox, QWidget

from designer.model.shown_text import visible
from designer.panels.widgets import file_dialog

Answer = Literal["save", "discard", "cancel"]
GapsAnswer = Literal["export", "prepare", "cancel"]
ChangedAnswer = Literal["overwrite", "save-as", "reload", "cancel"]

MOST_LISTED = 12
"""Designs that a question names."""


class Questions:
    """Asks with Qt's own dialogs. Tests put their own answers in its place."""

    def __init__(self) -> None:
        self.parent: QWidget | None = None

    def unsaved(self, name: str) -> Answer:
        """What to do with changes of a document that is about to be left."""
        box = self._box("Unsaved changes", f"Save the changes to {name}?")
        box.setInformativeText("If you do not save them, they are lost.")
        buttons = QMessageBox.StandardButton
        box.setStandardButtons(buttons.Save | buttons.Discard | buttons.Cancel)
        box.setDefaultButton(buttons.Save)
        answers: dict[int, Answer] = {int(buttons.Save): "save", int(buttons.Discard): "discard"}
        return answers.get(int(box.exec()), "cancel")

    def several_unsaved(self, designs: list[str]) -> Answer:
        """What to do with the changes of several documents that are about to be left, each named in a line."""
        shown = [f"•  {one}" for one in designs[:MOST_LISTED]]
        if len(designs) > MOST_LISTED:
            shown.append(f"and {len(designs) - MOST_LISTED} more")
        box = self._box("Unsaved changes", f"Save the changes to {len(designs)} designs?")
        box.setInformativeText(visible("\n".join((*shown, "", "If you do not save them, the changes are lost."))))
        buttons = QMessageBox.StandardButton
        box.setStandardButtons(buttons.SaveAll | buttons.Discard | buttons.Cancel)
        box.setDefaultButton(buttons.SaveAll)
        answers: dict[int, Answer] = {int(buttons.SaveAll): "save", int(buttons.Discard): "discard"}
        return answers.get(int(box.exec()), "cancel")

    def discards(self, name: str) -> bool:
        """Whether changes that were typed are given up; False to go on with them."""
        box = self._box("Unsaved changes", f"Discard the changes to {name}?")
        discard = box.addButton("Discard", QMessageBox.ButtonRole.DestructiveRole)
        keep = box.addButton("Keep Editing", QMessageBox.ButtonRole.RejectRole)
        box.setDefaultButton(keep)
        box.setEscapeButton(keep)
        box.exec()
        return box.clickedButton() is discard

    def _box(self, title: str, question: str) -> QMessageBox:
        box = QMessageBox(self.parent)
        box.setIcon(QMessageBox.Icon.NoIcon)
        box.setWindowTitle(title)
        box.setTextFormat(Qt.TextFormat.PlainText)  # a file's name is not markup
        box.setText(visible(question))
        return box

    def changed_on_disk(self, name: str) -> ChangedAnswer:
        """What to do where a design is saved and its file is not the one that was read or last saved."""
        box = self._box("Changed on disk", f"{name} was changed on disk since it was opened or last saved here.")
        box.setInformativeText(
            "Overwriting it discards what another window or program saved there. Reload shows the file; "
            "Undo brings back your version."
        )
        role = QMessageBox.ButtonRole
        answers: dict[object, ChangedAnswer] = {
            box.addButton("Overwrite", role.DestructiveRole): "overwrite",
            box.addButton("Reload", role.ActionRole): "reload",
        }
        save_as = box.addButton("Save As…", role.AcceptRole)
        box.setDefaultButton(save_as)
        box.setEscapeButton(box.addButton(QMessageBox.StandardButton.Cancel))
        box.exec()
        answers[save_as] = "save-as"
        return answers.get(box.clickedButton(), "cancel")

    def plan_gaps(self, title: str, headline: str, reasons: list[str], *, may_prepare: bool) -> GapsAnswer:
        """What to do where the file about to be written lacks facts; preparing is offered where it may help."""
        box = QMessageBox(self.parent)
        box.setIcon(QMessageBox.Icon.NoIcon)
        box.setWindowTitle(title)
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setText(f"{headline}.")
        box.setInformativeText("\n".join(reasons))
        role = QMessageBox.ButtonRole
        prepare = box.addButton("Prepare First", role.ActionRole) if may_prepare else None
        export = box.addButton("Export Anyway", role.AcceptRole)
        box.setDefaultButton(prepare or export)
        box.setEscapeButton(box.addButton(QMessageBox.StandardButton.Cancel))
        box.exec()
        answers: dict[object, GapsAnswer] = {export: "export"}
        if prepare is not None:
            answers[prepare] = "prepare"
        return answers.get(box.clickedButton(), "cancel")

    def open_path(self, title: str, folder: str, file_filter: str) -> Path | None:
        """The file that the user chooses to open; None where they cancel."""
        chosen = file_dialog.opened_files(self.parent, title, folder, file_filter, several=False)
        return Path(chosen[0]) if chosen else None

    def open_folder(self, title: str, folder: str) -> Path | None:
        """The folder that the user chooses; None where they cancel."""
        chosen = file_dialog.opened_folder(self.parent, title, folder)
        return Path(chosen) if chosen else None

    def save_path(self, title: str, suggestion: str, file_filter: str) -> Path | None:
        """The file that the user chooses to save to, asked before one is replaced; None where they cancel."""
        chosen = file_dialog.saved_file(self.parent, title, suggestion, file_filter)
        return Path(chosen) if chosen else None

    def colour(self, title: str, colour: str) -> str | None:
        """A color as #rrggbb, in small letters."""
        chosen = QColorDialog.getColor(QColor(colour), self.parent, title)
        return chosen.name() if chosen.isValid() else None
