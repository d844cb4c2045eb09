"""The file of preferences: what is in it is data, whoever wrote it."""

import os

import pytest
from PySide6.QtCore import QSettings

from designer.session.preferences import Preferences


class Trap:
    """Leaves a mark when it is unpickled."""

    def __init__(self, mark):
        self.mark = mark

    def __reduce__(self):
        return (os.mkdir, (str(self.mark),))


@pytest.mark.parametrize("written", [b"@Variant(", rb"\x40Variant(", rb"\100Variant(", rb"@V\x61riant(", b'@Var"iant('])
def test_an_object_in_the_file_is_never_made(tmp_path, written):
    # Files of different names: Qt keeps what it has read of a file as long as size and time stay the same.
    original, path, opened, mark = (tmp_path / name for name in ("original.ini", "window.ini", "opened.ini", "mark"))
    settings = QSettings(str(original), QSettings.Format.IniFormat)
    settings.setValue("window/theme", "dark")
    settings.setValue("blobs/geometry", Trap(mark))
    settings.sync()
    whole = original.read_bytes()
    assert b"@Variant(" in whole
    path.write_bytes(whole.replace(b"@Variant(", written))
    opened.write_bytes(path.read_bytes())
    QSettings(str(opened), QSettings.Format.IniFormat).value("blobs/geometry")
    if mark.exists():  # this spelling would have done it
        mark.rmdir()
    else:
        assert written == b'@Var"iant('
    kept = Preferences(path)
    assert kept.blob("geometry").isEmpty()
    assert kept.theme == "dark"
    assert not mark.exists()


@pytest.mark.parametrize(("written", "size_pt"), [("14", 14), ("7", 0), ("21", 0), ("large", 0), ("", 0), ("-12", 0)])
def test_a_text_size_that_is_not_offered_is_that_of_the_system(tmp_path, written, size_pt):
    path = tmp_path / "window.ini"
    path.write_text(f"[window]\ntext_size_pt={written}\n")
    assert Preferences(path).text_size_pt == size_pt
