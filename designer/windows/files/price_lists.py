"""The price lists and terms that the window shows costs by: chosen, remembered, read again at the next start."""

from typing import Any

from designer.errors import DesignerError, sentence
from designer.late import Late
from designer.units import format_counted
from designer.windows.desk import Desk

costs = Late("designer.exchange.bills.costs")
options = Late("designer.exchange.options")
terms_of = Late("designer.analysis.billing.terms")

FILTER = "Price lists (*.csv *.txt)"
TERMS = "prices/terms"


def choose(desk: Desk) -> None:
    """Ask for a price list and show what the design costs by it from now on."""
    path = desk.questions.open_path("Price list", desk.preferences.folder("prices"), FILTER)
    if path is None or not _use(desk, str(path.resolve())):
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
    """Read the price lists that were chosen last."""
    if desk.preferences.price_list:
        _use(desk, desk.preferences.price_list)


def use(desk: Desk, prices: str, terms: Any) -> None:
    """Show costs by these lists and terms, now and at the next start. Raises DesignerError."""
    read = costs.prices_in(prices) if prices else None
    desk.preferences.price_list = prices
    desk.preferences.set_text(TERMS, "\n".join(f"{key}={text}" for key, text in options.texts_of(terms).items()))
    desk.session.costs.use(read, terms)


def stored_texts(desk: Desk) -> dict[str, str]:
    """The terms that were stated last, as texts by option."""
    pairs = (line.partition("=") for line in desk.preferences.text(TERMS).splitlines())
    return {key: text for key, equals, text in pairs if equals}


def stored_terms(desk: Desk) -> Any:
    """The CostTerms that were stated last; those of a file that nobody can read any more are none."""
    try:
        made: Any = options.read_options(terms_of.CostTerms, stored_texts(desk), "the cost")
    except DesignerError:
        made = terms_of.CostTerms()
    return made


def _use(desk: Desk, prices: str) -> bool:
    """Whether the price lists could be read; why they could not is reported."""
    try:
        desk.session.costs.use(costs.prices_in(prices), stored_terms(desk))
    except DesignerError as error:
        desk.notice.complain(sentence(str(error)))
        return False
    return True
