"""Prices and terms: price lists, exchange rates, discounts, energy price, PUE and years, and the cost by them."""

from typing import Any

from PySide6.QtWidgets import QDialog, QDialogButtonBox, QVBoxLayout

from designer.analysis.billing.costing import CostRow
from designer.analysis.billing.terms import CostTerms
from designer.errors import DesignerError, ParameterError, sentence
from designer.exchange.bills.costs import prices_in
from designer.exchange.bills.options import BillOptions
from designer.fields.field import fields_of
from designer.panels.widgets.field_form import FieldForm
from designer.panels.widgets.fields import form
from designer.panels.widgets.labels import label
from designer.panels.widgets.row_table import RowTable
from designer.session.timers import later
from designer.tables.columns import pick
from designer.windows.desk import Desk
from designer.windows.files import price_lists

TYPED_MS = 500
SHOWN = "name capital power cooling total"
WIDTH_PX, HEIGHT_PX, TABLE_PX = 860, 560, 130


class CostTermsDialog(QDialog):
    """Stays open next to the window; what is typed takes effect at once, and the cost follows every edit."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk.window)
        self._desk, self._costs = desk, desk.session.costs
        self.setWindowTitle("Prices and Terms")
        self.form = FieldForm(desk.catalog)
        rows = form()
        self.form.setLayout(rows)
        self._fields = {"prices": fields_of(BillOptions)["prices"], **fields_of(CostTerms)}
        for field in self._fields.values():
            self.form.add(field, rows)
        self.refusal = label("", "error", wrap=True)
        self.table = RowTable("Cost of the design", pick(CostRow.COLUMNS, SHOWN), stretch="name")
        self.table.setMinimumHeight(TABLE_PX)
        self.basis = label("", "muted", wrap=True)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.close)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(12)
        column.addWidget(self.form)
        column.addWidget(self.refusal)
        column.addWidget(self.table, 1)
        column.addWidget(self.basis)
        column.addWidget(buttons)
        self._fill_in()
        self._later = later(self, TYPED_MS, self.apply)
        self.form.changed.connect(lambda *_changed: self._later.start())
        self._costs.state_changed.connect(self.refresh)
        self.refresh()
        self.resize(WIDTH_PX, HEIGHT_PX)

    def _fill_in(self) -> None:
        self.form.show_value("prices", self._desk.preferences.price_list)
        terms = price_lists.stored_terms(self._desk)
        for name in fields_of(CostTerms):
            self.form.show_value(name, getattr(terms, name))

    def apply(self) -> None:
        """Use what stands in the form from now on, unless it is refused."""
        self._later.stop()
        try:
            prices, terms = self._read()
            price_lists.use(self._desk, prices, terms)
            self._refuse("")
        except (DesignerError, OSError) as error:
            self._refuse(str(error))

    def _read(self) -> tuple[str, CostTerms]:
        values, wrong = self.form.read()
        self.form.mark(set(wrong))
        if wrong:
            raise ParameterError("; ".join(wrong.values()))
        prices: Any = values.pop("prices")
        prices_in(prices)  # what cannot be read is said before anything is given up
        return prices, CostTerms(**values)

    def _refuse(self, why: str) -> None:
        self.refusal.refuse(why)

    def refresh(self) -> None:
        """Show the cost of the design as it stands."""
        costing = self._costs.costing
        self.table.show_rows(costing.rows if costing is not None else ())
        if costing is not None:
            lacks = f"Without what is not known: {costing.gaps}. " if costing.gaps else ""
            self.basis.setText(f"{lacks}{costing.basis}")
        elif self._costs.prices is None:
            self.basis.setText("Choose a price list: the cost of the design is shown here and in the status bar.")
        else:
            self.basis.setText("Counting parts …" if self._costs.error is None else sentence(self._costs.error))
