"""The price list that the window shows costs by: chosen, remembered, read again at the next start."""

from pathlib import Path

from designer.errors import DesignerError, sentence
from designer.late import Late
from designer.units import format_counted
from designer.windows.desk import Desk

reader = Late("designer.exchange.bills.price_list")

FILTER = "Price lists (*.csv *.txt)"


def choose(desk: Desk) -> None:
    """Ask for a price list and show what the design costs by it from now on."""
    path = desk.questions.open_path("Price list", desk.preferences.folder("prices"), FILTER)
    if path is None or not _use(desk, path):
        return
    desk.preferences.price_list = str(path.resolve())
    desk.preferences.set_folder("prices", path.resolve().parent)
    prices = desk.session.costs.prices
    count = len(prices.prices) if prices is not None else 0
    desk.notice.say(f"{format_counted(count, 'price')} read from {path.name}. The status bar shows the cost.")


def forget(desk: Desk) -> None:
    """Show no costs any more."""
    desk.preferences.price_list = ""
    desk.session.costs.use(None)


def restore(desk: Desk) -> None:
    """Read the price list that was chosen last."""
    if desk.preferences.price_list:
        _use(desk, Path(desk.preferences.price_list))


def _use(desk: Desk, path: Path) -> bool:
    """Whether the price list could be read; why it could not is reported."""
    try:
        desk.session.costs.use(reader.read_price_list(path))
    except (DesignerError, OSError) as error:
        why = f"{path.name} was not read: {error.strerror or error}" if isinstance(error, OSError) else str(error)
        desk.notice.complain(sentence(why))
        return False
    return True
