"""Notices that the mouse rests on a device; while it moves it costs no more than to start a timer."""

from PySide6.QtWidgets import QWidget

from designer.canvas.hits import NOTHING, Target
from designer.canvas.pointer import Pointer
from designer.canvas.subject import Subject
from designer.session.timers import later

REST_MS = 350
LEAVE_MS = 150
"""So long the mouse may be between two devices without what is lit going out."""


class Resting:
    """Lights a device that the mouse stays on, and from then on each that it comes to, until it leaves them all."""

    def __init__(self, view: QWidget, subject: Subject) -> None:
        self._subject = subject
        self._target: Target = NOTHING
        self._pressed: Target = NOTHING
        self._at: Pointer | None = None
        """Where the mouse came to rest, if it did."""
        self._is_lit = False
        self._rests = later(view, REST_MS, self._light)
        self._leaves = later(view, LEAVE_MS, self._leave)

    def over(self, target: Target, at: Pointer) -> None:
        """The mouse moved to that place, on that, with nothing under way."""
        if target and target == self._pressed:
            return
        self._pressed = NOTHING
        is_other, self._target = target != self._target, target
        if target.device_id is None:
            self._rests.stop()
            if self._is_lit and not self._leaves.isActive():
                self._leaves.start()
        elif self._is_lit:
            self._leaves.stop()
            if is_other:
                self._light()
        elif is_other or self._at is None or at.far_from(self._at):
            self._at = at
            self._rests.start()

    def press(self, target: Target) -> None:
        """A button went down on that: nothing is lit, nor will that be before the mouse has left it."""
        self.stop()
        self._pressed = target

    def stop(self) -> None:
        """The mouse is doing something else: all is shown at once as it is."""
        self.pause()
        self._leaves.stop()
        self._is_lit, self._target = False, NOTHING
        self._subject.rest_on(None)

    def pause(self) -> None:
        """Something else may be under the mouse now; what is lit stays so until it moves."""
        self._rests.stop()
        self._at = None

    def leave(self) -> None:
        """The mouse left the view."""
        self.pause()
        self._leave()

    def _light(self) -> None:
        self._is_lit = self._subject.rest_on(self._target)

    def _leave(self) -> None:
        self._leaves.stop()
        self._is_lit, self._target = False, NOTHING
        self._subject.rest_on(NOTHING)
