"""Regenerate a fabric: other parameters, and before anything is done what comes, goes and stays."""

from html import escape
from typing import Any

from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QFrame,
    QHBoxLayout,
    QListWidget,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from designer.analysis.regenerating import regenerated
from designer.catalog.catalog import Catalog
from designer.errors import DesignerError, sentence
from designer.late import Late
from designer.model.design import Design
from designer.panels.studies.study_parts import copy
from designer.panels.widgets.field_form import ParameterForm
from designer.panels.widgets.fields import ChoiceField
from designer.panels.widgets.labels import label, linked_label
from designer.panels.widgets.progress import BusyBar
from designer.panels.widgets.wrapping import Wrapping, show_counts
from designer.regeneration import recipes
from designer.regeneration.continuity import is_any_labelled
from designer.regeneration.recipes import family_of
from designer.regeneration.regenerate import Regeneration
from designer.session.jobs import Outcome, Progress
from designer.session.prepared import LARGE_EDIT, Prepared, prepared
from designer.session.timers import later
from designer.units import format_count, format_counted
from designer.windows.commands.compare_commands import show_by_hand
from designer.windows.commands.room_commands import generated_groups
from designer.windows.desk import Desk
from designer.windows.dialogs.regeneration_lists import ChangeLists, as_table

comparing = Late("designer.analysis.comparing")
generated = Late("designer.regeneration.as_generated")

LANE, BY_HAND_LANE = "regenerate", "changes by hand"
PREVIEW_MS = 250


class RegenerateDialog(QDialog):
    """Stays open beside the window. The preview is computed as one types; what it shows is what the button does."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk.window)
        self._desk = desk
        self._session = desk.session
        self._group_id = ""
        self._parameters: Any = None
        self.regeneration: Regeneration | None = None
        """What the button does; None while it is calculated, or where it cannot be."""
        self._revision = -1
        self.setWindowTitle("Regenerate Fabric")
        self.fabric = ChoiceField("Fabric", self._choose)
        self._form_place = QScrollArea()
        self._form_place.setFrameShape(QFrame.Shape.NoFrame)
        self._form_place.setWidgetResizable(True)
        self.form: ParameterForm | None = None
        self.counts = Wrapping(22, 3)
        self.refusal = label("", "error", wrap=True)
        self._conflict_title = label("", "muted")
        self.conflicts = QListWidget()
        self.conflicts.setAccessibleName("Hand edits that no longer apply")
        self.conflicts.setWordWrap(True)
        self.by_hand = linked_label(lambda _link: self._list_by_hand())
        self._counted_revision = -1
        """Of the design whose changes by hand are counted."""
        self.remark = label("", wrap=True)
        self.rename = QCheckBox("Rename labelled devices too")
        self.rename.setToolTip(
            "Devices with a label on a cable, and all devices of a design that was handed over, else keep their names"
        )
        self.rename.toggled.connect(self.preview)
        self.changes = ChangeLists()
        self._progress = BusyBar()
        self.buttons = QDialogButtonBox()
        self.accept_button = self.buttons.addButton("Regenerate", QDialogButtonBox.ButtonRole.AcceptRole)
        self.accept_button.setProperty("kind", "primary")
        self.accept_button.setDefault(True)
        self.copy_button = self.buttons.addButton("Copy Changes", QDialogButtonBox.ButtonRole.ActionRole)
        self.copy_button.setToolTip("Copy every change by name, for a spreadsheet")
        self.copy_button.clicked.connect(self._copy)
        self.buttons.addButton(QDialogButtonBox.StandardButton.Close)
        self.buttons.accepted.connect(self.regenerate)
        self.buttons.rejected.connect(self.close)
        self._later = later(self, PREVIEW_MS, self.preview)
        self._lay_out()
        self._session.changed.connect(self._follow)
        self._session.reset.connect(self._follow)
        self.resize(940, 720)

    def _lay_out(self) -> None:
        card = QFrame()
        card.setProperty("surface", "card")
        inside = QVBoxLayout(card)
        inside.setContentsMargins(14, 10, 14, 12)
        inside.setSpacing(8)
        inside.addLayout(self.counts)
        inside.addWidget(self.remark)
        inside.addWidget(self.rename)
        inside.addWidget(self.changes, 3)
        inside.addWidget(self.by_hand)
        inside.addWidget(self._conflict_title)
        inside.addWidget(self.conflicts, 2)
        inside.addWidget(self.refusal)
        left = QVBoxLayout()
        left.setSpacing(10)
        left.addWidget(self.fabric)
        left.addWidget(self._form_place, 1)
        body = QHBoxLayout()
        body.setSpacing(16)
        body.addLayout(left, 2)
        body.addWidget(card, 3)
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 14, 14, 14)
        column.setSpacing(12)
        column.addLayout(body, 1)
        column.addWidget(self._progress)
        column.addWidget(self.buttons)

    def hideEvent(self, event: object) -> None:
        """Cancel the preview that is being computed."""
        self._session.jobs.cancel(LANE)
        self._session.jobs.cancel(BY_HAND_LANE)
        self._counted_revision = -1
        super().hideEvent(event)  # type: ignore[arg-type]

    # -- which fabric -----------------------------------------------------------------------------------------------

    def showEvent(self, event: object) -> None:
        """Offer the generated fabrics of the design, that of the selection chosen."""
        self._offer()
        super().showEvent(event)  # type: ignore[arg-type]

    def _offer(self, keep: bool = False) -> None:
        """The generated fabrics of the design, that of the selection chosen unless the chosen one is to be kept."""
        groups = generated_groups(self._session)
        ids = [group.id for group in groups]
        chosen = self._group_id if keep and self._group_id in ids else next(iter(ids), "")
        self.fabric.setEnabled(bool(groups))
        if groups:
            self.fabric.show_choices([(group.id, group.name) for group in groups], chosen)
        self._choose(chosen)

    def _choose(self, group_id: str) -> None:
        self._group_id, self.form = group_id, None
        inset = QWidget()
        lines = QVBoxLayout(inset)
        lines.setContentsMargins(0, 0, 12, 0)
        if group_id:
            group = self._session.design.groups[group_id]
            try:
                family, parameters = recipes.family_of(group), recipes.parameters_of(group)
            except DesignerError as error:
                self._refuse(str(error))
            else:
                self.form = ParameterForm(family.parameters, self._desk.catalog)
                self.form.show_values(parameters)
                self.form.changed.connect(self._later.start)
                lines.addWidget(self.form)
        lines.addStretch(1)
        self._form_place.setWidget(inset)
        bar = self._form_place.verticalScrollBar().sizeHint().width()
        self._form_place.setMinimumWidth(inset.minimumSizeHint().width() + bar)
        if self.form is not None or not group_id:
            self.preview()

    def _follow(self) -> None:
        """The design changed: what is shown holds no more."""
        if not self.isVisible():
            return
        design = self._session.design
        if self._group_id not in design.groups or design.groups[self._group_id].recipe is None:
            self._offer()
        elif design.revision != self._revision:
            self._session.jobs.cancel(LANE)
            self.regeneration = None
            self.accept_button.setEnabled(False)
            self._later.start()

    # -- changes by hand ----------------------------------------------------------------------------------------------

    def _count_by_hand(self) -> None:
        """Count in a worker what *Show Changes by Hand* lists, once for a design as it stands."""
        design, catalog = self._session.snapshot(), self._desk.catalog
        if self._counted_revision == design.revision:
            return
        self._counted_revision = design.revision
        self.by_hand.setText("Counting the changes by hand …")

        def work(progress: Progress) -> tuple[str, int]:
            found = comparing.compare(generated.as_generated(design, catalog), design, progress, are_versions=True)
            return found.summary, len(found.differences)

        self._session.jobs.run(BY_HAND_LANE, work, self._show_by_hand)

    def _show_by_hand(self, outcome: Outcome) -> None:
        said, count = outcome.value or ("", 0)
        self.by_hand.setVisible(outcome.error is None)
        self._conflict_title.setVisible(bool(count) or outcome.error is not None)
        if not count:
            self.by_hand.setText("Nothing was changed by hand.")
            return
        changed = f"Changed by hand since it was generated: {sentence(said)}"
        self.by_hand.setText(f'{escape(changed)} <a href="list">Show&nbsp;Changes&nbsp;by&nbsp;Hand</a>')

    def _list_by_hand(self) -> None:
        """List them; the dialog goes, as what differs has colors on the canvas."""
        self.close()
        show_by_hand(self._desk)

    # -- preview ----------------------------------------------------------------------------------------------------

    def preview(self) -> None:
        """Calculate, in a worker, what the parameters would lead to."""
        self._later.stop()
        self.regeneration = None
        self.accept_button.setEnabled(False)
        self._session.jobs.cancel(LANE)
        if self.form is None:
            self._refuse("The design has no generated fabric.")
            return
        try:
            parameters = self.form.parameters()
        except DesignerError as error:
            self._refuse(str(error))
            return
        design, catalog, group_id = self._session.snapshot(), self._desk.catalog, self._group_id
        self._revision = design.revision
        self.rename.setVisible(is_any_labelled(design))
        renames = self.rename.isChecked() and is_any_labelled(design)

        def work(progress: Progress) -> tuple[Any, str]:
            found = regenerated(design, group_id, parameters, catalog, progress, renames)
            return found, _remark(design, group_id, parameters, catalog)

        self._progress.show()
        self._session.jobs.run(LANE, work, self._take)
        self._count_by_hand()

    def _take(self, outcome: Outcome) -> None:
        if outcome.error is not None:
            self._refuse(outcome.error)
            return
        found: Regeneration
        found, remark = outcome.value
        self._progress.hide()
        self.refusal.hide()
        self._show(found)
        self.remark.setText(remark)
        self.remark.setVisible(bool(remark))
        self.regeneration = found
        self.accept_button.setEnabled(bool(found.edit))

    def _show(self, found: Regeneration | None) -> None:
        self.changes.show_changes(found)
        self.copy_button.setEnabled(found is not None)
        self.conflicts.clear()
        conflicts = found.conflicts if found is not None else ()
        self.conflicts.addItems([conflict.sentence for conflict in conflicts])
        self.conflicts.setVisible(bool(conflicts))
        many = "1 hand edit no longer applies"
        if len(conflicts) != 1:
            many = f"{format_count(len(conflicts))} hand edits no longer apply"
        self._conflict_title.setText(many if conflicts else _all_kept(found) if found is not None else "")
        show_counts(self.counts, _count_rows(found) if found is not None else ())

    def _refuse(self, text: str) -> None:
        self._progress.hide()
        self._show(None)
        self.remark.hide()
        self.refusal.refuse(text)
        self.accept_button.setEnabled(False)

    def _copy(self) -> None:
        if self.regeneration is not None:
            copy(as_table(self.regeneration))

    # -- doing it ---------------------------------------------------------------------------------------------------

    def regenerate(self) -> None:
        """Push what the preview shows; where it is large a worker does the work, and an edit meanwhile gives it up."""
        found, session = self.regeneration, self._session
        if found is None or session.design.revision != self._revision:
            return
        base, hidden = session.snapshot(), session.hidden_networks
        if len(found.edit.changes) < LARGE_EDIT:
            self._push(found, Prepared(base, found.edit))
            return
        self.regeneration = None
        self.accept_button.setEnabled(False)
        self._progress.show()

        def work(progress: Progress) -> Prepared:
            return prepared(base, found.edit, hidden, progress)

        session.jobs.run(LANE, work, lambda outcome: self._land(found, outcome))

    def _land(self, found: Regeneration, outcome: Outcome) -> None:
        self._progress.hide()
        if outcome.value is None:
            self._refuse(outcome.error or "")
        else:
            self._push(found, outcome.value)

    def _push(self, found: Regeneration, made: Prepared) -> None:
        edit = found.edit
        try:
            self._session.push_prepared(made)
        except DesignerError as error:
            self._refuse(f"The design has changed in the meantime: {error}")
            return
        self._desk.views.canvases.fit()
        self._desk.notice.say(
            f"{edit.label}: {_summary(found)}. {self._conflict_title.text()}{'' if not found.conflicts else '.'}"
        )
        self.close()


def _remark(design: Design, group_id: str, parameters: Any, catalog: Catalog) -> str:
    """What the counts of the catalog's types do not show; "" for types that the design alone has."""
    try:
        return family_of(design.groups[group_id]).counts(parameters, catalog).remark
    except DesignerError:
        return ""


def _summary(found: Regeneration) -> str:
    """What was done, in one line: "16 devices added, 2 removed, 124 links added"."""
    counts = (
        (format_counted(len(found.added), "device"), "added", len(found.added)),
        (format_counted(len(found.removed), "device"), "removed", len(found.removed)),
        (format_counted(found.links_added, "link"), "added", found.links_added),
        (format_counted(found.links_removed, "link"), "removed", found.links_removed),
    )
    return (
        ", ".join(f"{many} {what}" for many, what, number in counts if number) or "no device or link added or removed"
    )


def _all_kept(found: Regeneration) -> str:
    names = found.names_by_hand
    among = f", {format_counted(names, 'name')} given by hand among them" if names else ""
    return f"All hand edits are kept{among}."


def _count_rows(found: Regeneration) -> tuple[tuple[str, str], ...]:
    rows = (
        ("devices added", len(found.added)),
        ("removed", len(found.removed)),
        ("kept", len(found.kept)),
        ("moved", len(found.moved)),
        ("to be renamed", len(found.renamed)),
        ("links added", found.links_added),
        ("removed", found.links_removed),
        ("kept", found.links_kept),
        ("on other ports", len(found.replugged)),
    )
    return tuple((name, format_count(number)) for name, number in rows)
