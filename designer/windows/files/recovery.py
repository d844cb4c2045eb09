"""Unsaved work that a killed window left behind is offered in a bar above the design; nothing waits for the answer."""

from collections.abc import Sequence
from datetime import datetime
from functools import partial
from pathlib import Path

from designer.drawing.composition import Composition
from designer.model.shown_text import plain_text
from designer.session.autosave import Found, Offer, find_leftovers, is_of, set_aside
from designer.session.jobs import Outcome
from designer.storage import recovery
from designer.storage.on_disk import FileVersion
from designer.units import format_counted
from designer.windows.desk import Desk
from designer.windows.files import opening
from designer.windows.files.places import in_its_tab
from designer.windows.shell.bar import Bar, button

LANE = "recovery"
MOST_NAMED = 3
"""Further offers that a sentence names."""


class RecoveryBar(Bar):
    """Offers one piece of unsaved work after the other, newest first. Hidden while there is none."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._folder: Path | None = None
        self.offers: list[Offer] = []
        self._then_look: Path | None = None
        restored = "Open the recovered version; the file does not change until you save"
        self.restore_button = button("Restore", self.restore, restored)
        self.restore_button.setProperty("kind", "primary")
        self.discard_button = button("Discard", self.discard, "Delete the recovered version")
        self.later_button = button("Later", self.postpone, "Ask again at the next start or when the file is opened")
        buttons = (self.restore_button, self.discard_button, self.later_button)
        super().__init__("recovery-bar", desk.appearance, buttons)

    def start(self, folder: Path, *, now: bool = True) -> None:
        """Look for what killed windows left in this folder: whenever a file is opened, and now if wanted."""
        self._folder = folder
        if now:
            self.look()

    def look(self, path: Path | None = None) -> None:
        """Offer what was left, or what was left of one file, in a moment."""
        folder, jobs = self._folder, self._desk.session.jobs
        self.offers.sort(key=lambda offer: path is None or not is_of(offer.leftover, path))
        self._show()
        if folder is None:
            return
        if jobs.busy(LANE):
            self._then_look = path
        else:
            jobs.run(LANE, lambda _progress: find_leftovers(folder, path), self._take)

    def restore(self) -> None:
        """Make what is offered a document, unsaved: in the tab of its file, else in a new tab.

        Without tabs, where that which is open may go.
        """
        if self.offers:
            offer = self.offers[0]
            in_its_tab(self._desk, offer.leftover.path, partial(self._read, offer))

    def discard(self) -> None:
        """Delete the unsaved work that is offered, and offer the next."""
        if self.offers:
            self._done_with(self.offers[0]).claim.remove()

    def postpone(self) -> None:
        """Offer no more of it for now."""
        for offer in self.offers:
            offer.claim.let_go()
        self.offers = []
        self._show()

    def _take(self, outcome: Outcome) -> None:
        if outcome.value is None:
            return
        found: Found = outcome.value
        self.offers = [*found.offers, *self.offers]
        if found.refused:
            self._desk.notice.complain(" ".join(found.refused))
        self._show()
        if self._then_look is not None:
            path, self._then_look = self._then_look, None
            self.look(path)

    def _read(self, offer: Offer, desk: Desk) -> None:
        def take(drawing: Composition) -> None:
            version = FileVersion(offer.leftover.began_from or "")
            if offer not in self.offers:
                return  # discarded or postponed meanwhile
            self._done_with(offer)
            desk.session.replace(drawing.design, offer.leftover.path, drawing, unsaved=True, version=version)
            desk.session.autosave.adopt(offer.claim)
            desk.views.show_whole()
            desk.notice.say(f"Restored {offer.leftover.name}: it is not saved yet")
            desk.session.disk.look()

        def refused(why: str) -> None:
            if offer in self.offers:
                desk.notice.complain(set_aside(self._done_with(offer).claim, why))

        opening.read_in_background(
            desk, offer.leftover.name, lambda progress: recovery.load(offer.leftover, progress), take, refused
        )

    def _done_with(self, offer: Offer) -> Offer:
        if offer in self.offers:
            self.offers.remove(offer)
        self._show()
        return offer

    def _show(self) -> None:
        if self.offers:
            leftover = self.offers[0].leftover
            self.text.setText(sentence(self.offers[0], self.offers[1:]))
            self.text.setToolTip(plain_text(str(leftover.path or leftover.file)))
        self.setVisible(bool(self.offers))


def sentence(offer: Offer, others: Sequence[Offer]) -> str:
    """What is offered: of which design, how large, from when, what to mind, and what is offered next."""
    leftover = offer.leftover
    facts = ["never saved to a file"] if leftover.path is None else []
    if offer.n_devices is not None:
        facts.append(format_counted(offer.n_devices, "device"))
    known = f" ({', '.join(facts)})" if facts else ""
    parts = [f"Unsaved work on {leftover.name}{known} from {_when(leftover.kept_at_s)} was found."]
    if offer.file_changed_s is not None:
        parts.append(f"The file has been changed since then, at {_when(offer.file_changed_s)}.")
    elif leftover.path is not None and not leftover.path.exists():
        parts.append("The file itself no longer exists.")
    if others:
        named = [f"{one.leftover.name} from {_when(one.leftover.kept_at_s)}" for one in others[:MOST_NAMED]]
        more = f" and {len(others) - MOST_NAMED} more" if len(others) > MOST_NAMED else ""
        parts.append(f"Next: {', '.join(named)}{more}.")
    return " ".join(parts)


def _when(time_s: float) -> str:
    """The time of day, with the date where it is not today."""
    then = datetime.fromtimestamp(time_s)
    return f"{then:%H:%M}" if then.date() == datetime.now().date() else f"{then:%Y-%m-%d %H:%M}"
