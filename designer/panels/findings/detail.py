"""One finding in full, next to the table: its sentence, why it matters, where it is, and what can be done about it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from designer.errors import sentence
from designer.model.shown_text import in_menu, plain_text
from designer.panels.findings.findings_model import LOOKS, FindingRow
from designer.panels.findings.grouping import GroupHead, Shown
from designer.panels.widgets.labels import ElidedLabel, Label, label


@dataclass(frozen=True, slots=True)
class Offer:
    """An edit that fixes a finding: what it does, and what it clears and adds; "" while that is not known."""

    label: str
    effect: str = ""


def best(found: Sequence[Any]) -> Any:
    """Of the proposals for a finding the first; None where there is none."""
    return next(iter(found), None)


def second(found: Sequence[Any]) -> Any:
    """The one after the best; None where there is none."""
    return next(iter(found[1:]), None)


def own(found: Sequence[Any]) -> Any:
    """The fix that the finding itself offers; None where it offers none."""
    return next((one for one in found if one.is_own), None)


LEAST_WIDTH_PX, WIDTH_PX, LEAST_HEIGHT_PX, HEAD_PX = 230, 340, 110, 26
BOLD = 1.15
"""By how much bold letters may be wider than usual ones."""


class FindingDetail(QWidget):
    """Follows the current row of the table. Its buttons do what the signals say."""

    fix_wanted = Signal()
    preview_wanted = Signal()
    other_wanted = Signal()
    preview_other_wanted = Signal()
    fixes_wanted = Signal()
    previews_wanted = Signal()
    waiver_wanted = Signal()
    rule_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("surface", "base")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setMinimumWidth(LEAST_WIDTH_PX)
        self._quiet_px = HEAD_PX
        """What the quiet buttons of the head need."""
        self.title = ElidedLabel("", "strong")
        self.message, self.reason, self.where, self.fix_label, self.other_label = (
            _selectable("" if number == 0 else "muted") for number in range(5)
        )
        self.fix = self._button("Apply Fix", self.fix_wanted)
        self.preview = self._button("Preview", self.preview_wanted, "Show on the canvas what the fix would do")
        self.other = self._button("Apply Other Fix", self.other_wanted)
        self.preview_other = self._button(
            "Preview Other", self.preview_other_wanted, "Show on the canvas what the other fix would do"
        )
        self.fix_all = self._button("", self.fixes_wanted)
        self.preview_all = self._button(
            "Preview All",
            self.previews_wanted,
            "Show on the canvas what the fixes of all findings of the rule would do",
        )
        self.waive = self._button("Waive…", self.waiver_wanted)
        self.explain = self._button("", self.rule_wanted, "What the rule checks, why, and how to fix it")
        self._head, quiets = QBoxLayout(QBoxLayout.Direction.LeftToRight), QHBoxLayout()
        self._head.setContentsMargins(10, 2, 8, 0)
        self._head.addWidget(self.title, 1)
        self._head.addLayout(quiets)
        for line in (self._head, quiets):
            line.setSpacing(4)
        quiets.addStretch(1)
        for quiet in (self.waive, self.explain):
            quiet.setProperty("kind", "quiet")
            quiet.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
            quiets.addWidget(quiet)
        text = QWidget()
        text.setProperty("surface", "base")
        text.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        lines = QVBoxLayout(text)
        lines.setContentsMargins(10, 0, 6, 4)
        lines.setSpacing(4)
        for one in (self.message, self.fix_label, self.other_label, self.reason, self.where):
            lines.addWidget(one)
        lines.addStretch(1)
        self._scroll = QScrollArea()
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scroll.setWidget(text)
        buttons = QGridLayout()
        buttons.setContentsMargins(10, 0, 8, 6)
        buttons.setSpacing(6)
        rows = ((self.fix, self.preview), (self.other, self.preview_other), (self.fix_all, self.preview_all))
        for number, row in enumerate(rows):
            for place, button in enumerate(row):
                buttons.addWidget(button, number, place)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addLayout(self._head)
        column.addWidget(self._scroll, 1)
        column.addLayout(buttons)

    def sizeHint(self) -> QSize:
        """A third of a wide panel."""
        return QSize(WIDTH_PX, 160)

    def minimumSizeHint(self) -> QSize:
        """The same height whatever is shown: the panel stays as high as it is."""
        return QSize(LEAST_WIDTH_PX, LEAST_HEIGHT_PX)

    def show_row(
        self,
        row: Shown | None,
        where: str,
        n_alike: int,
        offers: Sequence[Offer],
        *,
        is_current: bool,
        holds: bool,
        connected: str = "",
    ) -> None:
        """Show a finding, a heading, or nothing.

        `where` names what it is about, `n_alike` is how many findings of its rule have a fix, `offers` are what fixes
        it, the best first; `is_current` says whether the check is of the design as it stands, `holds` whether that of
        its rule is. `connected` names the ports of the links that the first one adds or moves.
        """
        finding = row if isinstance(row, FindingRow) else None
        code = row.code if row is not None else ""
        self._show_text(row, where, offers, connected)
        self.explain.setVisible(bool(code))
        self.explain.setText(f"About {code}")
        for number, pair in enumerate(((self.fix, self.preview), (self.other, self.preview_other))):
            for one in pair:
                one.setVisible(finding is not None and len(offers) > number)
                one.setEnabled(holds)
            pair[0].setToolTip(plain_text(f"Fix: {offers[number].label}" if len(offers) > number else ""))
        for one in (self.fix_all, self.preview_all):
            one.setVisible(n_alike > 1)
            one.setEnabled(is_current)
        self.fix_all.setText(in_menu(f"Fix all {n_alike} of {code}"))
        may_waive = (finding is not None and finding.finding is not None) or isinstance(row, GroupHead)
        self.waive.setVisible(may_waive)
        is_waived = row is not None and row.severity == "waived"
        self.waive.setText("Withdraw Waiver" if is_waived else "Waive…")
        shown = [one.sizeHint().width() for one in (self.waive, self.explain) if not one.isHidden()]
        self._quiet_px = sum(shown) + HEAD_PX
        self.setMinimumWidth(max(LEAST_WIDTH_PX, self._quiet_px))
        self._lay_out_head()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the severity a line of its own where it has no room before the buttons."""
        super().resizeEvent(event)
        self._lay_out_head()

    def _lay_out_head(self) -> None:
        said = self.title.fontMetrics().horizontalAdvance(self.title.whole_text.partition(" ")[0])
        is_narrow = self.width() < self._quiet_px + said * BOLD
        self._head.setDirection(QBoxLayout.Direction.TopToBottom if is_narrow else QBoxLayout.Direction.LeftToRight)

    def _show_text(self, row: Shown | None, where: str, offers: Sequence[Offer], connected: str) -> None:
        self._scroll.verticalScrollBar().setValue(0)
        if row is None:
            said = "", "Select a finding to read it in full.", "", "", "", ""
        elif isinstance(row, GroupHead):
            said = row.title, row.summary, "", "", "", ""
        else:
            title = f"{LOOKS[row.severity].singular.capitalize()}  ·  {row.code}"  # cut, the code is in the list too
            to_do = _offered("Fix", offers[:1], connected) or (f"By hand: {row.remedy}" if row.remedy else "")
            said = title, row.message, to_do, _offered("Or", offers[1:2]), row.reason, where
        self.title.set_text(said[0])
        shown = (self.message, self.fix_label, self.other_label, self.reason, self.where)
        for line, text in zip(shown, said[1:], strict=True):
            line.setText(text)
            line.setVisible(bool(text))

    def _button(self, text: str, signal: object, tip: str = "") -> QPushButton:
        button = QPushButton(text)
        button.setProperty("kind", "small")
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves the keyboard in the list
        button.setToolTip(plain_text(tip))
        button.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        button.clicked.connect(lambda _checked=False: signal.emit())  # type: ignore[attr-defined]
        return button


def _offered(word: str, offers: Sequence[Offer], connected: str = "") -> str:
    """ "Fix: Add 1 uplink to leaf-07. Clears 2 errors (OVER-001). Connects …"; "" where nothing is offered."""
    for one in offers:
        first = f"{word}: {one.label}"
        more = " ".join(filter(None, (sentence(one.effect) if one.effect else "", connected)))
        return f"{sentence(first)} {more}" if more else first
    return ""


def _selectable(kind: str) -> Label:
    made = label("", kind, wrap=True)
    made.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    made.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.MinimumExpanding)
    return made
