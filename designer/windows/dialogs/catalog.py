"""The catalog browser: every type with its facts and their sources, types of one's own, NetBox files."""

from html import escape
from pathlib import Path

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from designer.catalog import own_types
from designer.catalog.catalog import load
from designer.catalog.headline import headline, search_text
from designer.errors import CatalogError
from designer.model.hardware.media import MediumType
from designer.model.hardware.modules import ModuleType
from designer.model.hardware.types import HardwareType
from designer.model.shown_text import plain_text
from designer.panels.inspector.facts import facts, unverified_facts
from designer.panels.widgets.fields import Combo
from designer.panels.widgets.fitting import keep_on_screen
from designer.panels.widgets.labels import EmptyState, enlarged, label, linked_label
from designer.panels.widgets.rows import DETAIL_ROLE, ID_ROLE, DetailDelegate
from designer.panels.widgets.wrapping import Wrapping
from designer.paths import own_types_dir
from designer.windows.commands.adding import add_type
from designer.windows.desk import Desk
from designer.windows.dialogs.netbox_import import NetboxImport, Taken
from designer.windows.dialogs.own_type import OwnTypeDialog

LIST_PX = 330
KINDS = (
    ("", "All kinds"),
    ("switch", "Switches"),
    ("server", "Servers"),
    ("nic", "NICs"),
    ("line-card", "Line cards"),
    ("rack", "Racks"),
    ("cable", "Cables and optics"),
    ("own", "My own types"),
)


class CatalogDialog(QDialog):
    """Stays open beside the window. What it changes is in the user's folder; the palette follows."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk.window)
        self._desk = desk
        self.editor: OwnTypeDialog | None = None
        self.setWindowTitle("Catalog")
        self.search = QLineEdit()
        self.search.setPlaceholderText("Search: vendor, model, protocol, rate")
        self.search.setClearButtonEnabled(True)
        self.search.setAccessibleName("Search")
        self.search.textChanged.connect(self.refresh)
        self.kind = Combo()
        for word, title in KINDS:
            self.kind.addItem(title, word)
        self.kind.setAccessibleName("Kind")
        self.kind.currentIndexChanged.connect(self.refresh)
        self.list = QTreeWidget()
        self.list.setHeaderHidden(True)
        self.list.setRootIsDecorated(False)
        self.list.setUniformRowHeights(True)
        self.list.setItemDelegate(DetailDelegate(self.list))
        self.list.setAccessibleName("Types")
        self.list.currentItemChanged.connect(lambda *_: self._show_type())
        self._nothing = EmptyState("No matches.", "Try fewer words or another kind.")
        self._facts = QScrollArea()
        self._facts.setFrameShape(QFrame.Shape.NoFrame)
        self._facts.setWidgetResizable(True)
        self._facts.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.add = QPushButton("Add to Design")
        self.add.clicked.connect(self._add)
        self.copy = QPushButton("Copy to My Own…")
        self.copy.clicked.connect(self._copy)
        self.edit = QPushButton("Edit…")
        self.edit.clicked.connect(self._edit)
        self.delete = QPushButton("Delete")
        self.delete.clicked.connect(self._delete)
        self.import_ = QPushButton("Import NetBox File…")
        self.import_.clicked.connect(self._import_file)
        self.import_folder = QPushButton("Import NetBox Folder…")
        self.import_folder.clicked.connect(self._import_folder)
        self.netbox = NetboxImport(desk)
        self.netbox.done.connect(self._follow_import)
        self.finished.connect(self.netbox.stop)
        self._lay_out()
        self.refresh()
        self.resize(940, 640)

    def _lay_out(self) -> None:
        left = QVBoxLayout()
        left.setSpacing(8)
        left.addWidget(self.search)
        left.addWidget(self.kind)
        left.addWidget(self.list, 1)
        left.addWidget(self._nothing, 1)
        left_side = QWidget()
        left.setContentsMargins(0, 0, 0, 0)
        left_side.setLayout(left)
        left_side.setFixedWidth(enlarged(LIST_PX))
        actions = Wrapping()
        for button in (self.add, self.copy, self.edit, self.delete):
            actions.addWidget(button)
        right = QVBoxLayout()
        right.setSpacing(10)
        right.addWidget(self._facts, 1)
        right.addLayout(actions)
        body = QHBoxLayout()
        body.setSpacing(18)
        body.addWidget(left_side)
        body.addLayout(right, 1)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        for button in (self.import_, self.import_folder):
            buttons.addButton(button, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.rejected.connect(self.close)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 14)
        column.setSpacing(12)
        column.addLayout(body, 1)
        column.addWidget(self.netbox)
        column.addWidget(buttons)

    # -- contents -------------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """The list as search and kind have it; the chosen type stays chosen where it is still there."""
        catalog = self._desk.catalog
        with QSignalBlocker(self.list):  # each row that goes would make the next one the chosen type, and show it
            self._fill_list(self.chosen)
        self._show_type()
        any_shown = self.list.topLevelItemCount() > 0
        self.list.setVisible(any_shown)
        self._nothing.setVisible(not any_shown)
        if catalog.skipped and self.netbox.is_silent:
            self.netbox.say("Problems in your own types:", catalog.skipped)

    def _fill_list(self, chosen: HardwareType | None) -> None:
        """What fits search and kind, with that type chosen, or the first."""
        catalog = self._desk.catalog
        kind, words = self.kind.currentData(), self.search.text().lower().split()
        self.list.clear()
        for type_ in catalog.types.values():
            is_own = type_.id in catalog.own
            if kind and (not is_own if kind == "own" else own_types.kind_of(type_) != kind):
                continue
            if not all(word in search_text(type_) for word in words):
                continue
            item = QTreeWidgetItem([type_.model])
            item.setData(0, ID_ROLE, type_.id)
            item.setData(0, DETAIL_ROLE, f"own · {headline(type_)}" if is_own else headline(type_))
            item.setToolTip(0, plain_text(f"{type_.vendor} {type_.model}"))
            self.list.addTopLevelItem(item)
            if chosen is not None and type_.id == chosen.id:
                self.list.setCurrentItem(item)
        first = self.list.topLevelItem(0)
        if self.list.currentItem() is None and first is not None:
            self.list.setCurrentItem(first)

    @property
    def chosen(self) -> HardwareType | None:
        """The hardware type that is chosen in the list; None where none is."""
        item = self.list.currentItem()
        return self._desk.catalog.types.get(str(item.data(0, ID_ROLE))) if item is not None else None

    def choose(self, type_id: str) -> None:
        """Make a type the chosen one, where the list shows it."""
        for number in range(self.list.topLevelItemCount()):
            item = self.list.topLevelItem(number)
            if item is not None and item.data(0, ID_ROLE) == type_id:
                self.list.setCurrentItem(item)

    def bring_up(self, type_id: str) -> None:
        """Show a type, whatever was searched for before."""
        self.search.clear()
        self.kind.setCurrentIndex(0)
        self.choose(type_id)

    def say(self, text: str) -> None:
        """Show a sentence at the foot of the dialog; "" hides it."""
        self.netbox.say(text)

    def _show_type(self) -> None:
        type_, catalog = self.chosen, self._desk.catalog
        is_own = type_ is not None and type_.id in catalog.own
        self.add.setEnabled(type_ is not None and not isinstance(type_, MediumType))
        self.add.setText("Install in Selection" if isinstance(type_, ModuleType) else "Add to Design")
        self.copy.setEnabled(type_ is not None)
        self.edit.setEnabled(is_own)
        self.delete.setEnabled(is_own)
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 12, 0)
        column.setSpacing(8)
        if type_ is not None:
            column.addWidget(label(f"{type_.vendor} {type_.model}", "heading", wrap=True))
            date = catalog.dates.get(type_.id)
            stated = "your own" if is_own else f"figures of {date}" if date else "any radix and rate"
            column.addWidget(label(f"{type_.id} · {stated}", "muted", wrap=True))
            rows = QFormLayout()
            rows.setHorizontalSpacing(18)
            rows.setVerticalSpacing(5)
            for name, value in facts(type_):
                text = label(value or "not published", "" if value else "muted", wrap=True)
                rows.addRow(label(name, "muted"), text)
            column.addLayout(rows)
            if unverified := unverified_facts(type_):
                column.addWidget(label(f"Not verified: {', '.join(unverified)}", "warning", wrap=True))
            for note in type_.notes:
                column.addWidget(label(note, wrap=True))
            if type_.sources:
                column.addSpacing(6)
                column.addWidget(label("Sources", "section"))
            for source_id in type_.sources:
                column.addWidget(self._source(source_id))
        column.addStretch(1)
        self._facts.setWidget(page)

    def _source(self, source_id: str) -> QWidget:
        source = self._desk.catalog.sources.get(source_id)
        if source is None:
            return label(source_id, wrap=True)
        reported = f"{source.document}, {source.kind}, {source.date}".removeprefix(", ")
        if not source.url:
            return label(f"{source.title} ({reported})", wrap=True)
        text = linked_label()
        text.setText(f'<a href="{escape(source.url)}">{escape(source.title)}</a> ({escape(reported)})')
        text.setToolTip(plain_text(source.url))
        return text

    # -- doing ----------------------------------------------------------------------------------------------------

    def _add(self) -> None:
        if self.chosen is not None:
            add_type(self._desk, self.chosen.id)

    def _copy(self) -> None:
        if self.chosen is not None:
            self._open_editor(self.chosen, copy=True)

    def _edit(self) -> None:
        if self.chosen is not None:
            self._open_editor(self.chosen, copy=False)

    def _open_editor(self, type_: HardwareType, copy: bool) -> None:
        taken = set(self._desk.catalog.types)
        self.editor = OwnTypeDialog(self, type_, taken, self._desk.questions, copy=copy)
        self.editor.saved.connect(self._saved)
        self.editor.open()
        keep_on_screen(self.editor)

    def _saved(self, type_id: str) -> None:
        self.reload()
        self.search.clear()
        self.kind.setCurrentIndex(self.kind.findData("own"))
        self.choose(type_id)
        self.say(f"{type_id} is saved with your own types; a design that uses it contains a copy.")

    def _delete(self) -> None:
        type_ = self.chosen
        if type_ is None:
            return
        try:
            own_types.delete(type_.id, own_types_dir())
        except CatalogError as error:
            self.say(str(error))
            return
        self.reload()
        self.say(f"{type_.id} is deleted; designs that use it keep their copy.")

    def _import_file(self) -> None:
        path = self._desk.questions.open_path("Import NetBox Type", str(Path.home()), "YAML (*.yaml *.yml)")
        if path is not None:
            self.netbox.begin(path)

    def _import_folder(self) -> None:
        path = self._desk.questions.open_folder("Import NetBox Folder", str(Path.home()))
        if path is not None:
            self.netbox.begin(path)

    def _follow_import(self, taken: Taken) -> None:
        self._desk.use_catalog(taken.catalog)
        self.refresh()
        if taken.type_ids:
            self.search.clear()
            self.kind.setCurrentIndex(self.kind.findData("own"))
            self.choose(taken.type_ids[-1])

    def reload(self) -> None:
        """Read the catalog again, for the whole desk."""
        self._desk.use_catalog(load())
        self.refresh()
