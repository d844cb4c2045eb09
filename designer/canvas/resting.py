"""Tells a subject when the mouse rests on something; while it moves it costs no more than to start a timer."""

from PySide6.QtWidgets import QWidget

from designer.canvas.hits import NOTHING, Target
from designer.canvas.subject import Subject
from designer.session.timers import later

REST_MS = 450


class Resting:
    """`over` is called when something else comes under the mouse."""

    def __init__(self, view: QWidget, subject: Subject) -> None:
        self._subject = subject
        self._target: Target = NOTHING
        self._timer = later(view, REST_MS, self._rest)

    def over(self, target: Target) -> None:
        """The mouse is on that now, and may rest there."""
        self._target = target
        self._subject.rest_on(NOTHING)
        self._timer.start()

    def stop(self) -> None:
        """The mouse is doing something else, or elsewhere."""
        self._timer.stop()
        self._subject.rest_on(NOTHING)

    def _rest(self) -> None:
        self._subject.rest_on(self._target)
