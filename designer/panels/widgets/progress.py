"""Bars of how far something is."""

from PySide6.QtWidgets import QProgressBar, QWidget

WHOLE = 1000


def keep_place(widget: QWidget) -> None:
    """Let a widget take its room while it is hidden too, so that nothing moves when it comes."""
    policy = widget.sizePolicy()
    policy.setRetainSizeWhenHidden(True)
    widget.setSizePolicy(policy)


class ShareBar(QProgressBar):
    """A plain bar of the share that is done."""

    def __init__(self) -> None:
        super().__init__()
        self.setTextVisible(False)
        self.setRange(0, WHOLE)

    def show_busy(self) -> None:
        """Say no more than that something is under way, until there is a share to show."""
        self.setRange(0, 0)

    def show_share(self, share: float) -> None:
        """Fill the bar to a share from 0 to 1."""
        self.setRange(0, WHOLE)
        self.setValue(round(share * WHOLE))


class BusyBar(QProgressBar):
    """A bar that says no more than that something is under way; hidden until then."""

    def __init__(self) -> None:
        super().__init__()
        self.setTextVisible(False)
        self.setRange(0, 0)
        self.hide()
