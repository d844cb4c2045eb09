"""Dialogs that choose a file or a folder: the system's own where it has one, else Qt's, where a path can be typed."""

from PySide6.QtWidgets import QFileDialog, QLineEdit, QListView, QWidget


def opened_files(parent: QWidget | None, title: str, place: str, file_filter: str = "", *, several: bool) -> list[str]:
    """The existing files that the user chooses, one at most unless several; `place` is a folder or a first file."""
    dialog = QFileDialog(parent, title, place, file_filter)
    dialog.setFileMode(QFileDialog.FileMode.ExistingFiles if several else QFileDialog.FileMode.ExistingFile)
    return _chosen(dialog)


def opened_folder(parent: QWidget | None, title: str, place: str) -> str:
    """The folder that the user chooses; empty where they cancel."""
    dialog = QFileDialog(parent, title, place)
    dialog.setFileMode(QFileDialog.FileMode.Directory)
    dialog.setOption(QFileDialog.Option.ShowDirsOnly)
    return "".join(_chosen(dialog)[:1])


def saved_file(parent: QWidget | None, title: str, suggestion: str, file_filter: str) -> str:
    """The file that the user chooses to save to, asked before one is replaced; empty where they cancel."""
    dialog = QFileDialog(parent, title, suggestion, file_filter)
    dialog.setFileMode(QFileDialog.FileMode.AnyFile)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    return "".join(_chosen(dialog)[:1])


def _chosen(dialog: QFileDialog) -> list[str]:
    prefer_typed_paths(dialog)
    paths = dialog.selectedFiles() if dialog.exec() else []
    dialog.deleteLater()
    return paths


def prefer_typed_paths(dialog: QFileDialog) -> None:
    """Have Return open a typed path.

    While a path is typed, Qt's dialog selects each folder on the way and keeps it selected: on Return it would enter
    that folder and empty the field.
    """
    field, files = dialog.findChild(QLineEdit, "fileNameEdit"), dialog.findChild(QListView, "listView")
    if field is None or files is None:
        return  # the system's own dialog

    def typed(text: str) -> None:
        if "/" in text:
            files.selectionModel().clearSelection()

    field.textChanged.connect(typed)
