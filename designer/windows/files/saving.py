"""Saving the design: where to, and what to do where its file is another by now."""

from collections.abc import Callable
from pathlib import Path

from designer.errors import DesignerError, sentence
from designer.exchange.file_names import file_stem
from designer.session.disk_watch import RELOADING, SAVING
from designer.session.jobs import Outcome
from designer.storage import document
from designer.storage.document import ChangedOnDiskError
from designer.storage.on_disk import FileVersion
from designer.windows.desk import Desk
from designer.windows.files import large_files

FABRIC_FILTER = "Fabric designs (*.fabric);;All files (*)"
SUFFIX = ".fabric"


def save(desk: Desk, *, at_once: bool = False) -> bool:
    """Write the design to its file, or ask for one. True when it is written; a large one is later, unless at once."""
    path = desk.session.path
    return save_as(desk, at_once=at_once) if path is None else save_to(desk, path, at_once=at_once)


def save_as(desk: Desk, *, at_once: bool = False, suggestion: Path | None = None) -> bool:
    """Ask where to, and write the design there. True when it is written."""
    session = desk.session
    folder = desk.preferences.folder("designs")
    shown = suggestion or session.path or Path(folder) / f"{file_stem(session.name)}{SUFFIX}"
    path = desk.questions.save_path("Save design", str(shown), FABRIC_FILTER)
    return path is not None and save_to(desk, path if path.suffix else path.with_suffix(SUFFIX), at_once=at_once)


def save_to(desk: Desk, path: Path, *, at_once: bool = False) -> bool:
    """Write the design; where it is large and nobody waits for the end, in the background. True when it is written."""
    if large_files.is_large(desk.session.design) and not at_once:
        _save_large(desk, path)
        return False
    try:
        desk.session.save(path)
    except ChangedOnDiskError as error:
        return _ask(desk, path, error.found, at_once=at_once)
    except (DesignerError, OSError) as error:
        desk.notice.complain(refusal(error, path))
        return False
    _after_saving(desk, path)
    return True


def _save_large(desk: Desk, path: Path) -> None:
    """Write the design as it stands now. What is changed meanwhile stays unsaved."""
    session = desk.session
    design, snapshot, over = session.design, session.snapshot(), session.version_to_write_over(path)
    announce = session.autosave.mark()

    def work(_progress: object) -> FileVersion | ChangedOnDiskError:
        try:
            return document.save(snapshot, path, over, announce)
        except ChangedOnDiskError as error:
            return error

    def take(outcome: Outcome) -> None:
        desk.notice.done()
        if outcome.value is None:
            desk.notice.complain(outcome.error or f"{path.name} was not saved.")
        elif session.design is not design:
            return
        elif isinstance(outcome.value, ChangedOnDiskError):
            _ask(desk, path, outcome.value.found)
        else:
            session.note_saved(path, snapshot.revision, outcome.value)
            _after_saving(desk, path)

    session.jobs.run(SAVING, work, take)
    desk.notice.wait(f"Saving {path.name} …", lambda: None)


def _ask(desk: Desk, path: Path, found: FileVersion, *, at_once: bool = False) -> bool:
    """What to do where the file is not what the design goes on from. True when the design is written."""
    answer = desk.questions.changed_on_disk(path.name)
    if answer == "overwrite":
        desk.session.note_version(found)  # this version and no later one
        return save_to(desk, path, at_once=at_once)
    if answer == "save-as":
        return save_as(desk, at_once=at_once, suggestion=free_name(path))
    if answer == "reload":
        reload(desk)
    return False


def leave_document(desk: Desk, then: Callable[[], None]) -> None:
    """Do `then`, which takes the document away, unless the user wants to keep unsaved changes."""
    if desk.session.dirty:
        answer = desk.questions.unsaved(desk.session.name)
        if answer == "cancel":
            return
        if answer == "save" and not save(desk, at_once=True):
            return
    then()


def reload(desk: Desk) -> None:
    """Show what the design's file holds now, in a while."""
    jobs = desk.session.jobs
    desk.notice.wait(f"Reloading {desk.session.name} …", lambda: jobs.cancel(RELOADING))
    desk.session.disk.reload()


def _after_saving(desk: Desk, path: Path) -> None:
    desk.preferences.add_recent_file(path)
    desk.preferences.set_folder("designs", path.resolve().parent)
    desk.notice.say(f"Saved {path.name}")


def free_name(path: Path) -> Path:
    """A name like that of the file which no file beside it has: pod-2.fabric."""
    number = 2
    while (free := path.with_name(f"{path.stem}-{number}{path.suffix}")).exists():
        number += 1
    return free


def refusal(error: Exception, path: Path) -> str:
    """Why a file was not read or written, as a sentence that names it."""
    if isinstance(error, OSError) and not isinstance(error, DesignerError):
        return f"{path.name}: {error.strerror or error}."
    return sentence(str(error))
