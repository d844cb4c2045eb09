"""Generate a fabric: choose a family or a published design, fill in its numbers, see what would be built meanwhile."""

from collections.abc import Callable
from functools import partial
from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFrame,
    QHBoxLayout,
    QListWidget,
    QRadioButton,
    QScrollArea,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from designer.analysis.growth import growing
from designer.analysis.new_designs import addition
from designer.analysis.stated_limits import limits_sentence
from designer.errors import DesignerError, sentence
from designer.model.design import Design
from designer.model.edit import Edit
from designer.model.entities import FABRIC, Link, Rack
from designer.model.shown_text import in_menu
from designer.panels.widgets import fitting
from designer.panels.widgets.field_form import ParameterForm
from designer.panels.widgets.labels import label
from designer.panels.widgets.progress import ShareBar
from designer.panels.widgets.rows import DetailDelegate
from designer.panels.widgets.wrapping import Wrapping, show_counts
from designer.placement.floor import place_of
from designer.placement.preparation import Totals, unrouted
from designer.session.jobs import Outcome, Progress
from designer.session.prepared import Prepared, prepared
from designer.session.timers import later
from designer.topologies.counted import sentences
from designer.topologies.families import FAMILIES, Family
from designer.topologies.network_parameters import NetworkParameters
from designer.topologies.parameters import CableParameters
from designer.topologies.presets import Preset, networks_of, parameters_of, said_of, values_of
from designer.units import shortened
from designer.windows.desk import Desk
from designer.windows.dialogs.build_figures import count_rows, ports_used, price_of, server_types
from designer.windows.dialogs.growth import GrowthDialog
from designer.windows.dialogs.miniature import Miniature
from designer.windows.dialogs.preset_list import PresetList, Units, likeness
from designer.windows.dialogs.worker_dialog import CANCEL
from designer.windows.files.places import in_its_place
from designer.windows.files.saving import leave_document

LANE, PICTURE_LANE = "generate", "generate-preview"
MADE = 0.85
"""So much of the time a fabric takes to be made; the rest, to be drawn."""
MOST_IN_MINIATURE = 3_000
"""Devices; past that, building would lag behind typing."""
PREVIEW_MS, NAME_AIR_PX = 60, 12
ANSWER_LINES = 12
"""Lines of text that the counts, the remark and the error have room for; a fixed number, so that no field moves while
somebody types into it. On a low screen they have a quarter of its height."""
WIDTH_PX, HEIGHT_PX, AROUND_PX = 1200, 880, 40
LISTS_PX = 340
"""The width of both lists, on a narrow screen a third of it: nothing moves where the other one is shown."""


class GenerateDialog(QDialog):
    """Stays open beside the window; Generate adds the fabric as one edit that Undo takes back.

    It is added to what the design holds, or into a new design.
    """

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk.window)
        self._desk = desk
        self.families: tuple[Family, ...] = tuple(FAMILIES)
        self._parameters: Any = None
        self.setWindowTitle("Generate Fabric")
        self.list = QListWidget()
        self.list.setItemDelegate(DetailDelegate(self.list))
        self.list.addItems([family.title for family in self.families])
        self.list.setAccessibleName("Families")
        self.published = PresetList(desk.appearance)
        self.sides = QTabWidget()
        self.sides.setDocumentMode(True)
        self.sides.addTab(self.list, "Families")
        self.sides.addTab(self.published, "Published")
        self.sides.setTabToolTip(1, "Published designs, with their sources")
        self._preset: Preset | None = None
        self._place_is_chosen = False
        self.units = Units()
        self.form: ParameterForm
        self._form_place = QScrollArea()
        self._form_place.setObjectName("form")
        self._form_place.setFrameShape(QFrame.Shape.NoFrame)
        self._form_place.setWidgetResizable(True)
        self._answer_place = QScrollArea()
        self.cables = ParameterForm(CableParameters, desk.catalog)
        self._description = label("", "muted", wrap=True)
        self.preview = Wrapping(18, 3)
        self.refusal = label("", "error", wrap=True)
        self.miniature = Miniature(desk.appearance)
        self.more = label("", "muted", wrap=True)
        self.remark = label("", wrap=True)
        self.beside, self.from_scratch = QRadioButton(), QRadioButton("In a new design")
        self.beside.setChecked(True)
        self._progress, self.share = ShareBar(), label("", "muted")
        desk.session.jobs.lane(LANE).progressed.connect(self._show_share)
        self.buttons = QDialogButtonBox()
        self.generate = self.buttons.addButton("Generate", QDialogButtonBox.ButtonRole.AcceptRole)
        self.generate.setProperty("kind", "primary")
        self.generate.setDefault(True)
        self.compare = self.buttons.addButton("Compare Sizes…", QDialogButtonBox.ButtonRole.ActionRole)
        self.compare.clicked.connect(self._compare)
        self.growth: GrowthDialog | None = None
        self.buttons.addButton(QDialogButtonBox.StandardButton.Close)
        self.buttons.accepted.connect(self._build_or_stop)
        self.buttons.rejected.connect(self.close)
        self._later = later(self, PREVIEW_MS, self.show_preview)
        self._lay_out()
        self._show_work(is_begun=False)
        self.list.currentRowChanged.connect(self._choose_family)
        self.published.chosen.connect(self._choose_preset)
        self.units.changed.connect(self._grow)
        room_px, names_px = fitting.room_for(self).width() - AROUND_PX, self.list.sizeHintForColumn(0)
        least_px = max(self.sides.tabBar().sizeHint().width(), names_px + NAME_AIR_PX)
        self.sides.setFixedWidth(max(min(LISTS_PX, room_px // 3), least_px))
        self.list.setCurrentRow(next((n for n, f in enumerate(self.families) if f.name == "rail-optimized"), 0))
        for changed in (desk.session.changed, desk.session.reset, desk.session.path_changed):
            changed.connect(self._offer_places)
        self.resize(min(WIDTH_PX, room_px), HEIGHT_PX)

    def _lay_out(self) -> None:
        card = QFrame()
        card.setProperty("surface", "card")
        inside = QVBoxLayout(card)
        inside.setContentsMargins(14, 10, 14, 12)
        inside.addWidget(self.refusal)
        inside.addLayout(self.preview)
        inside.addWidget(self.remark)
        inside.addWidget(self.more)
        inside.addStretch(1)
        self._answer_place.setFrameShape(QFrame.Shape.NoFrame)
        self._answer_place.setWidgetResizable(True)
        self._answer_place.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._answer_place.setWidget(card)
        lines_px = ANSWER_LINES * self.fontMetrics().lineSpacing()
        self._answer_place.setFixedHeight(min(lines_px, self.screen().availableSize().height() // 4))
        right = QVBoxLayout()
        right.setSpacing(12)
        right.addWidget(self._description)
        right.addWidget(self.units)
        middle = QHBoxLayout()
        middle.setSpacing(14)
        middle.addWidget(self._form_place, 3)
        middle.addWidget(self.miniature, 2)
        right.addLayout(middle, 1)
        right.addWidget(self.cables)
        right.addWidget(self._answer_place)
        body = QHBoxLayout()
        body.setSpacing(16)
        body.addWidget(self.sides)
        body.addLayout(right, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 14, 14, 14)
        column.setSpacing(12)
        column.addLayout(body, 1)
        work = QHBoxLayout()
        work.addWidget(self._progress, 1)
        work.addWidget(self.share)
        column.addLayout(work)
        places = QHBoxLayout()
        places.setSpacing(18)
        for one in (self.beside, self.from_scratch):
            places.addWidget(one)
            one.clicked.connect(self._choose_place)
        places.addStretch(1)
        column.addLayout(places)
        column.addWidget(self.buttons)

    def showEvent(self, event: QShowEvent) -> None:
        """Offer where the fabric goes."""
        if not event.spontaneous():
            self._place_is_chosen = False
            self._suggest_place()
            self._offer_places()
        super().showEvent(event)

    def _choose_place(self) -> None:
        self._place_is_chosen = True

    def _suggest_place(self) -> None:
        """A new design from the welcome screen, for a published one, and where a fabric was generated already.

        Else next to what was drawn. Whoever chose is not asked.
        """
        if not self._place_is_chosen:
            has_fabric = any(one.kind == FABRIC for one in self._desk.session.design.groups.values())
            is_apart = has_fabric or self._preset is not None or self._desk.views.on_welcome()
            (self.from_scratch if is_apart else self.beside).setChecked(True)

    def _offer_places(self) -> None:
        """Where the fabric is to come, where there is something beside which it could."""
        session = self._desk.session
        anything = bool(session.design.devices or session.design.racks)
        self.beside.setText(in_menu(f"Into {shortened(session.name)}, next to what is there"))
        for one in (self.beside, self.from_scratch):
            one.setVisible(anything)

    @property
    def family(self) -> Family:
        """The family of topologies that is chosen."""
        return self.families[max(0, self.list.currentRow())]

    def _choose_family(self, row: int) -> None:
        family = self.families[max(0, row)]
        self._preset = None
        self._suggest_place()
        self._show_form(family)
        self._description.setText(family.description)
        self.show_preview()

    def _choose_preset(self, preset: Preset) -> None:
        self._preset = preset
        self._suggest_place()
        row = next(n for n, family in enumerate(self.families) if family.name == preset.family)
        with QSignalBlocker(self.list):
            self.list.setCurrentRow(row)
        self._show_form(self.families[row])
        parameters = parameters_of(preset)
        self.form.show_values(parameters)
        if getattr(parameters, "planes", 1) > 1 and self.family.counts(parameters, self._desk.catalog).too_large:
            self.form.show_value("only_plane", 1)  # the planes are alike: one shows what can be drawn of them
        self._description.setText("\n".join((preset.title, *said_of(preset))))
        self.show_preview()

    def _grow(self, units: int) -> None:
        """Fill in what so many units of the published design make."""
        if self._preset is not None:
            for name, value in values_of(self._preset, units).items():
                self.form.show_value(name, value)

    def _show_form(self, family: Family) -> None:
        self.setProperty("family", family.name)
        self.units.show_of(self._preset)
        self.form = ParameterForm(family.parameters, self._desk.catalog)
        self.form.changed.connect(self._later.start)
        inset = QWidget()
        lines = QVBoxLayout(inset)
        lines.setContentsMargins(0, 0, 12, 0)
        lines.addWidget(self.form)
        lines.addStretch(1)
        self._form_place.setWidget(inset)
        self.miniature.show_nothing("")  # that of another family would mislead

    # -- preview --------------------------------------------------------------------------------------------------

    def show_preview(self) -> None:
        """Counts of what would be built, or why it cannot be."""
        self._later.stop()
        try:
            self._parameters = self.form.parameters()
            counts = self.family.counts(self._parameters, self._desk.catalog)
        except DesignerError as error:
            self._parameters = None
            show_counts(self.preview, ())
            self.refusal.setText(sentence(str(error)))
            self.remark.hide()
        else:
            show_counts(self.preview, count_rows(counts, server_types(self._parameters, self._desk.catalog)))
            self.refusal.setText(counts.too_large and sentence(counts.too_large))
            remark = " ".join(
                filter(None, (counts.remark, likeness(self._preset, self._parameters, self._desk.catalog)))
            )
            self.remark.setText(remark)
            self.remark.setVisible(bool(remark))
        self.refusal.setVisible(bool(self.refusal.text()))
        self.generate.setEnabled(self.is_at_work or not self.refusal.text())
        self.compare.setEnabled(self._parameters is not None and growing(self.family, self._preset) is not None)
        self._draw_small()

    def _draw_small(self) -> None:
        """Build what the form says in a worker, for its picture, ports and prices; not where it is very large."""
        self.more.setText("")
        parameters, family, catalog = self._parameters, self.family, self._desk.catalog
        if parameters is None:
            self.miniature.show_nothing("")
            return
        counts = family.counts(parameters, catalog)
        self.more.setText(" ".join(sentences(counts)))
        if counts.servers + sum(counts.switches.values()) > MOST_IN_MINIATURE:
            self.miniature.show_nothing("Too large for a preview.")
            return

        def build(_progress: Progress) -> Design:
            design = Design()
            design.apply(family.build(design, parameters, catalog))
            return design

        self._desk.session.jobs.run(PICTURE_LANE, build, self._show_small)

    def _show_small(self, outcome: Outcome) -> None:
        if outcome.error is not None or outcome.value is None or not self.isVisible():
            return
        design: Design = outcome.value
        self.miniature.show_design(design)
        more = " · ".join((*ports_used(design), price_of(design)))
        self.more.setText("\n".join(filter(None, (more, self.more.text()))))

    def _compare(self) -> None:
        """Show which links stay and move as the fabric of the form grows."""
        grown = growing(self.family, self._preset)
        if grown is not None and self._parameters is not None:
            self.growth = self.growth or GrowthDialog(self._desk, self)
            self.growth.show_of(self.family, grown, self._parameters)

    # -- building -------------------------------------------------------------------------------------------------

    @property
    def is_at_work(self) -> bool:
        """Whether a fabric is being built, which the button cancels."""
        return not self._progress.isHidden()

    def _build_or_stop(self) -> None:
        if self.is_at_work:
            self._desk.session.jobs.cancel(LANE)
            self._show_work(is_begun=False)
            self.show_preview()
        else:
            self.build()

    def _show_work(self, *, is_begun: bool) -> None:
        self._progress.show_busy()
        self.share.setText("Building …")
        for one in (self._progress, self.share):
            one.setVisible(is_begun)
        self.generate.setText(CANCEL if is_begun else "Generate")
        self.generate.setEnabled(True)

    def _show_share(self, share: float) -> None:
        self._progress.show_share(share)
        self.share.setText(f"Building: {round(100 * share)} %")

    def build(self) -> None:
        """Make the edit in a worker, then push it: next to what is there, or in a new design, with tabs in one."""
        self.show_preview()
        if not self.generate.isEnabled():
            return
        if not self.from_scratch.isChecked() or self.from_scratch.isHidden():
            self._build(self._desk.session.snapshot(), self._push)
        elif self._desk.tabs is not None:
            self._build(Design(), self._push_in_tab)
        else:
            leave_document(self._desk, self._build_anew)

    def _build_anew(self) -> None:
        self._desk.session.new()
        self._build(self._desk.session.snapshot(), self._push)

    def _build(self, design: Design, push: Callable[[Prepared, str], None]) -> None:
        session, catalog = self._desk.session, self._desk.catalog
        hidden = session.hidden_networks
        family, parameters, cables = self.family, self._parameters, self.cables.parameters().cables
        preset = self._preset
        others = NetworkParameters(**networks_of(preset)) if preset is not None else NetworkParameters()
        self._show_work(is_begun=True)

        def build(progress: Progress) -> tuple[Prepared, str]:
            made = addition(
                design, family, parameters, others, catalog, cables, preset, lambda share: progress(MADE * share)
            )
            progress(MADE)
            drawn = prepared(design, made.edit, hidden, lambda share: progress(MADE + (1 - MADE) * share))
            return drawn, _cabled(design, made.edit, made.prepared.totals)

        session.jobs.run(LANE, build, partial(self._take, push))

    def _take(self, push: Callable[[Prepared, str], None], outcome: Outcome) -> None:
        self._show_work(is_begun=False)
        if outcome.error is not None:
            self._refuse(outcome.error)
            return
        try:
            push(*outcome.value)
        except DesignerError as error:
            self._refuse(f"The design has changed in the meantime: {error}")

    def _push(self, made: Prepared, done: str) -> None:
        self._desk.session.push_prepared(made)
        self.close()
        _show_made(self._desk, made, done)

    def _push_in_tab(self, made: Prepared, done: str) -> None:
        def begin(desk: Desk) -> None:
            desk.session.replace(made.base, None)
            desk.session.push_prepared(made)
            _show_made(desk, made, done)

        self.close()
        in_its_place(self._desk, begin)

    def _refuse(self, text: str) -> None:
        self.refusal.refuse(text)


def _cabled(design: Design, edit: Edit, totals: Totals) -> str:
    """What the new cables add up to, and which links have no length and why; "done" where none was to be routed."""
    are_placed = (isinstance(one.after, Rack) and place_of(one.after) is not None for one in edit.changes)
    if not totals.n_cables and not any(are_placed):
        return "done"
    made = design.snapshot()
    made.apply(edit)
    links = (change.after for change in edit.changes if isinstance(change.after, Link))
    left = unrouted(made, [link for link in links if link.length_m is None])
    return "; ".join((totals.sentence, *(one.sentence for one in left)))


def _show_made(desk: Desk, made: Prepared, done: str) -> None:
    desk.views.show_whole()
    allowed = limits_sentence(made.base.policy, desk.session.design.policy)
    desk.notice.say(f"{made.edit.label}: {done}{'. ' if allowed else ''}{allowed}")
