"""Price lists: what is read, and what is refused with line, column and a way out."""

import os
import threading
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from designer.analysis.billing.price import Price
from designer.errors import FileFormatError
from designer.exchange.bills import price_list
from designer.exchange.bills.price_list import parse_price_list, read_price_list

HEAD = "part number,price,currency,date,discount\n"


def read(text):
    return parse_price_list(text.encode(), "prices.csv")


def test_every_line_is_a_price():
    found = read(f'{HEAD}980-9I510-00NS00,"1,200.50",USD,2026-11-01,12.5%\n\nMFP7E10-N005,80,EUR,2026-09-30,\n')
    assert found.prices == {
        "980-9i510-00ns00": Price(Decimal("1200.50"), "USD", "2026-11-01", Decimal("0.125")),
        "mfp7e10-n005": Price(Decimal(80), "EUR", "2026-09-30"),
    }
    assert (found.name, found.dates) == ("prices.csv", ("2026-09-30", "2026-11-01"))


@pytest.mark.parametrize(
    "text",
    [
        "\ufeffPart Number;Price;Currency;Date\nA;1.5;USD;2026-11-01\n",
        "date\tcurrency\tprice\tpart_number\r\n2026-11-01\tUSD\t1.5\tA\r\n",
        'part number,price,currency,date,description,vendor\nA,1.5,USD,2026-11-01,"a, b",Acme\n',
        "\n\npart number,price,currency,date\n A , 1.5 ,USD,2026-11-01,,\n",
    ],
)
def test_other_separators_orders_and_columns_for_readers_are_taken(text):
    assert read(text).prices == {"a": Price(Decimal("1.5"), "USD", "2026-11-01")}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "prices.csv is empty: the first line should name the columns part number, price, currency, date"),
        ("part number,price,date\n", "line 1: there is no column 'currency': the first line should name"),
        ("part number,price,price,currency,date\n", "line 1: there are two columns 'price': keep one"),
        ("part number,price,currency,date,cost\n", "line 1, column 5: 'cost' is no column of a price list"),
        (f"{HEAD},1,USD,2026-11-01,\n", "line 2, column part number: enter the part number, or the model"),
        (f"{HEAD}A,,USD,2026-11-01,\n", "line 2, column price: enter the price, or remove the line"),
        (f"{HEAD}A,$5,USD,2026-11-01,\n", r"line 2, column price: '\$5' is not a price: write it like 1234.50"),
        (f'{HEAD}A,"1.234,50",USD,2026-11-01,\n', "line 2, column price: '1.234,50' is not a price"),
        (f'{HEAD}A,"12,34",USD,2026-11-01,\n', "line 2, column price: '12,34' is not a price"),
        (f"{HEAD}A,-1,USD,2026-11-01,\n", "line 2, column price: '-1' is not a price"),
        (f"{HEAD}A,1e3,USD,2026-11-01,\n", "line 2, column price: '1e3' is not a price"),
        (f"{HEAD}A,\u0661,USD,2026-11-01,\n", "line 2, column price"),
        (f"{HEAD}A,1,usd,2026-11-01,\n", "line 2, column currency: 'usd' is not a currency: write its three letters"),
        (f"{HEAD}A,1,,2026-11-01,\n", "line 2, column currency: '' is not a currency"),
        (f"{HEAD}A,1,USD,1.11.2026,\n", "line 2, column date: '1.11.2026' is not a date: write it like 2026-11-22"),
        (f"{HEAD}A,1,USD,2026-02-30,\n", "line 2, column date: '2026-02-30' is not a date"),
        (f"{HEAD}A,1,USD,2026-11-01,0.15\n", "line 2, column discount: '0.15' is not a discount: write it like 15%"),
        (f"{HEAD}A,1,USD,2026-11-01,101%\n", "line 2, column discount: '101%' is not a discount"),
        (f"{HEAD}A,1,USD\n", "line 2, column date: '' is not a date"),
        (f"{HEAD}A,1,USD,2026-11-01,1%,5\n", "line 2 has 6 cells for 5 columns: put quotes around texts"),
        (f"{HEAD}A,1,USD,2026-11-01,\n\n a ,2,USD,2026-11-01,\n", "line 4, column part number: ' a ' stands on line 2"),
        (f'{HEAD}"A,1,USD\n', "cannot be read as CSV"),
    ],
)
def test_what_cannot_be_read_is_refused_with_line_and_column(text, sentence):
    with pytest.raises(FileFormatError, match=sentence):
        read(text)


def test_bytes_that_are_no_text_are_refused():
    with pytest.raises(FileFormatError, match=r"prices.csv is not UTF-8 text: save the price list as CSV UTF-8"):
        parse_price_list(HEAD.encode("utf-16"), "prices.csv")


def test_a_file_too_large_for_a_price_list_is_not_read(tmp_path, monkeypatch):
    path = tmp_path / "prices.csv"
    path.write_text(HEAD)
    assert read_price_list(path).prices == {}
    monkeypatch.setattr(price_list, "MOST_BYTES", len(HEAD) - 1)
    with pytest.raises(FileFormatError, match="too large for a price list"):
        read_price_list(path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
def test_no_more_is_read_than_a_price_list_has_where_the_system_states_no_size(tmp_path, monkeypatch):
    path = tmp_path / "prices.csv"
    os.mkfifo(path)
    monkeypatch.setattr(price_list, "MOST_BYTES", len(HEAD) - 1)
    writing = threading.Thread(target=path.write_text, args=(HEAD,))
    writing.start()
    with pytest.raises(FileFormatError, match="too large for a price list"):
        read_price_list(path)
    writing.join()


@given(
    st.one_of(st.binary(max_size=80), st.text(max_size=80).map(lambda text: f"{HEAD}{text}".encode(errors="replace")))
)
def test_any_bytes_are_prices_or_a_sentence(data):
    try:
        parse_price_list(data, "prices.csv")
    except FileFormatError as error:
        assert str(error).startswith("prices.csv")


def test_a_part_may_stand_there_again_with_another_date_and_the_latest_counts():
    found = read(f"{HEAD}A,1,USD,2026-11-01,\na,2,EUR,2026-12-01,\nA,3,USD,2026-10-01,\n")
    assert found.prices == {"a": Price(Decimal(2), "EUR", "2026-12-01")} and found.n_replaced == 2


def test_a_discount_class_is_kept_and_refused_where_it_could_not_be_named_in_the_terms():
    head = "part number,price,currency,date,discount class\n"
    assert read(f"{head}A,1,USD,2026-11-01, switches \n").classes == ("switches",)
    with pytest.raises(FileFormatError, match=r"line 2, column discount class: 'a=b' is not a discount class"):
        read(f"{head}A,1,USD,2026-11-01,a=b\n")
