"""One open document with all that works on it: its file, its workbench, its undo and its unsaved work."""

import os
from pathlib import Path

from designer.analysis.selecting.finder import Finder
from designer.catalog.catalog import Catalog
from designer.errors import DesignerError
from designer.model.annotating import with_pinned
from designer.model.design import Design
from designer.model.edit import Edit
from designer.placement.following import with_cables
from designer.placement.row_order import with_row_names
from designer.session.async_undo import AsyncUndo
from designer.session.autosave import Autosave
from designer.session.copies import Copies
from designer.session.costs import CostJob
from designer.session.disk_watch import DiskWatch
from designer.session.document import Document
from designer.session.drafting import DraftingChoice
from designer.session.jobs import Jobs
from designer.session.large_edits import LargeEdits
from designer.session.placing import Placing
from designer.session.workbench import Workbench
from designer.storage import document
from designer.storage.on_disk import FileVersion


class Session(Document):
    """The open document, the workers that serve it, and the catalog that it is built from."""

    def __init__(self, catalog: Catalog, design: Design | None = None, path: Path | None = None) -> None:
        super().__init__(design, path)
        self.catalog = catalog
        self.jobs = Jobs(self)
        self.workbench = Workbench(self, self.jobs, lambda: self.catalog)
        self.costs = CostJob(self, self.jobs, lambda: self.catalog.types)
        self.workbench.comparison.pricing = lambda: (self.costs.prices, self.costs.terms)
        self.costs.priced_anew.connect(self.workbench.comparison.price_anew)
        self.autosave = Autosave(self, self.jobs)
        self.disk = DiskWatch(self, self.jobs)
        self.async_undo = AsyncUndo(self, self.jobs)
        self.large_edits = LargeEdits(self, self.jobs)
        self.placing = Placing(self)
        self.copies = Copies()
        self.drafting = DraftingChoice(self)
        self.held_bend: tuple[float, float] | None = None
        """The bend that was clicked last, of the links that are selected."""
        self._finder: tuple[int, Finder] | None = None
        self.reset.connect(self._forget_finder)
        self.selection_changed.connect(self._let_go_of_bend)

    def completed(self, design: Design, edit: Edit) -> Edit:
        """The edit with what follows from it: cables, pinned annotations, rows that keep names. Raises EditError."""
        return with_cables(design, with_pinned(design, with_row_names(design, edit)), self.catalog.types)

    @property
    def finder(self) -> Finder:
        """What answers expressions about the design as it stands; the same one until the next edit."""
        if self._finder is None or self._finder[0] != self.design.revision:
            self._finder = self.design.revision, Finder(self.design)
        return self._finder[1]

    def _forget_finder(self) -> None:
        self._finder = None

    def _let_go_of_bend(self) -> None:
        self.held_bend = None

    def show_annotations(self, shown: bool) -> None:
        """Draw annotations, or leave them out; what is left out is not selected."""
        if shown != self.annotations_shown:
            self.annotations_shown = shown
            if not shown:
                self.select(self.selection - self.design.annotations.keys())
            self.annotations_shown_changed.emit()

    def new(self) -> None:
        """Make an empty design without a file the document."""
        self.replace(Design(), None)

    def open(self, path: Path, *, read_only: bool = False) -> None:
        """Read a file and make it the document. Raises FileFormatError with everything as it was."""
        design, version = document.load_version(path)
        self.replace(design, path, version=version, read_only=read_only)

    def save(self, path: Path | None = None) -> None:
        """Write the document to `path`, or where it came from. On DesignerError or OSError the file is as it was.

        Raises ChangedOnDiskError where it came from and something else was written since.
        """
        target = path or self.path
        if target is None:
            raise DesignerError("this design has no file yet: choose one with Save As")
        version = document.save(self.design, target, self.version_to_write_over(target), self.autosave.mark())
        self.note_saved(target, self.design.revision, version)

    def version_to_write_over(self, path: Path) -> FileVersion | None:
        """What the document's own file must still be to be saved without a question; None for other files."""
        own = self.path is not None and os.path.realpath(self.path) == os.path.realpath(path)
        return self.file_version if own else None

    def close(self) -> None:
        """Stop all background work; the session is not used afterwards."""
        self.async_undo.cancel()
        self.large_edits.cancel()
        self.workbench.stop()
        self.workbench.pins.keep_at_once()
        self.jobs.shut_down()
        self.autosave.close()
