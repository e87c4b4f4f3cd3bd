"""Read: whatever way a shop writes its files, they are read, or one sentence says why not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from portal.imports.rules.cleaning import cleaned
from portal.imports.rules.files import records_of
from portal.imports.rules.reading import RawRecord, read_file
from portal.imports.rules.reasons import Reason, WrongFile
from portal.imports.rules.records import CustomerRecord, OrderRecord
from portal.vocabulary.exchange import ImportForm, Rejection

HEAD = "external_id;first_name;last_name;email;phone;street;house_number;post_code;city;country_code"
ROW = "k1;Chloé;Böhm;chloe@example.be;0470123456;Sint-Jansstraat;5;9000;Gent;BE"
ORDER = "external_id;customer;order_number;country_code;ordered_at;payment_status;payment_method;paid"
LINES = "lines.name;lines.sku;lines.kind;lines.unit_price"
SOLD = 'o7;k1;870005007;NL;2026-06-01T10:00:00+02:00;paid;ideal;"2.318,50";Duinroos;DR;e_bike;€ 2318,50'


def people(path: Path, content: bytes) -> list[CustomerRecord]:
    """The customers of a file of one's own."""
    path.write_bytes(content)
    return [cleaned(CustomerRecord, raw.values)[0] for raw in records_of("customers", ImportForm.OWN, path)]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "cp1252"])
def test_a_file_is_read_in_the_encodings_of_offices(tmp_path: Path, encoding: str) -> None:
    content = ("\ufeff" if encoding == "utf-16-le" else "") + f"{HEAD}\n{ROW}\n"
    (found,) = people(tmp_path / "customers.csv", content.encode(encoding))
    assert (found.first_name, found.last_name) == ("Chloé", "Böhm")


def test_a_file_that_was_cut_off_in_a_sign_is_utf_8_still(tmp_path: Path) -> None:
    path = tmp_path / "customers.jsonl"
    path.write_bytes('{"external_id": "é"}\n{"external_id": "é'.encode()[:-1])
    assert [(raw.values, raw.error is None) for raw in read_file(path)] == [({"external_id": "é"}, True), ({}, False)]


@pytest.mark.parametrize("above", ["", "sep=;\n", '"sep=;"\r\n'])
def test_amounts_with_a_comma_and_a_line_that_names_the_separator_are_read(tmp_path: Path, above: str) -> None:
    path = tmp_path / "orders.csv"
    path.write_text(f"{above}{ORDER};{LINES}\n{SOLD}\n", "utf-8")
    (raw,) = records_of("orders", ImportForm.OWN, path)
    record, notes = cleaned(OrderRecord, raw.values)
    assert (raw.line, str(record.paid), str(record.lines[0].unit_price), notes) == (
        2 + bool(above),
        "2318.50",
        "2318.50",
        [],
    )


@pytest.mark.parametrize(
    ("head", "reason"),
    [
        (HEAD.replace("phone", "email"), Reason(Rejection.DOUBLE_COLUMN, {"column": "email"})),
        (f"{HEAD};nota", Reason(Rejection.UNKNOWN_COLUMNS, {"unknown": "nota"})),
        (
            HEAD.replace("city", "plaats").replace("email", "mail"),
            Reason(Rejection.OTHER_COLUMNS, {"unknown": "mail, plaats", "missing": "city, email"}),
        ),
    ],
)
def test_wrong_columns_are_one_sentence(tmp_path: Path, head: str, reason: Reason) -> None:
    with pytest.raises(WrongFile) as refused:
        people(tmp_path / "customers.csv", f"{head}\n{ROW}{';' if 'nota' in head else ''}\n".encode())
    assert refused.value.reason.code == reason.code
    assert {name: set(str(value).split(", ")) for name, value in refused.value.reason.values.items()} == {
        name: set(str(value).split(", ")) for name, value in reason.values.items()
    }


def test_an_id_that_is_there_twice_is_no_second_row_of_its_record(tmp_path: Path) -> None:
    path = tmp_path / "customers.csv"
    path.write_text(f"{HEAD}\n{ROW}\n{ROW.replace('Chloé', 'Zoë')}\n", "utf-8")
    first, second = records_of("customers", ImportForm.OWN, path)
    assert (first.error, second.line, second.error) == (None, 3, Reason(Rejection.DOUBLE_ID, {"id": "k1"}))


def test_a_cell_that_is_too_long_for_a_reader_costs_its_row(tmp_path: Path) -> None:
    path = tmp_path / "customers.csv"
    path.write_text(f"{HEAD}\n{'x' * 200_000};b\n{ROW}\n", "utf-8")
    first, second = records_of("customers", ImportForm.OWN, path)
    assert first.error
    assert (first.error.code, second.values["external_id"]) == (Rejection.WRONG_CELLS, "k1")


PLACE = {"address_1": "Brink 7", "address_2": "", "city": "Deventer", "postcode": "7411 BR", "country": "NL"}
LINE: dict[str, Any] = {
    "id": 1, "name": "Slot &#8211; zwart &amp; groen", "product_id": 9, "quantity": 1, "sku": "SL",
    "subtotal": "20.66", "subtotal_tax": "4.34", "total": "20.66", "total_tax": "4.34", "meta_data": [],
}  # fmt: skip


def woo(number: int, **changes: Any) -> dict[str, Any]:
    """An order of WooCommerce."""
    return {
        "id": number, "number": str(870006000 + number), "status": "completed", "currency": "EUR",
        "date_created_gmt": "2026-06-02T10:00:00", "date_paid_gmt": "2026-06-02T10:01:00",
        "date_completed_gmt": "2026-06-03T10:00:00", "discount_total": "0", "discount_tax": "0",
        "shipping_total": "0", "shipping_tax": "0", "total": "25.00", "customer_id": 0, "payment_method": "ideal",
        "billing": {**PLACE, "first_name": "Bo", "last_name": "Vos", "email": f"bo{number}@example.nl"},
        "shipping": {}, "line_items": [LINE], "shipping_lines": [], "fee_lines": [], "refunds": [], "meta_data": [],
        **changes,
    }  # fmt: skip


def read(path: Path, kind: str, form: ImportForm, answer: Any) -> list[RawRecord]:
    """What is read of an answer of a shop."""
    path.write_text(json.dumps(answer), "utf-8")
    return list(records_of(kind, form, path))


def test_lists_of_php_and_entities_of_html_are_read(tmp_path: Path) -> None:
    kind = {"3": {"id": 7, "key": "kind", "value": "cargo_bike"}}
    order = woo(1, line_items={"0": {**LINE, "meta_data": kind}}, shipping=[], meta_data=[])
    for answer in ([order], {"0": order}):
        (raw,) = read(tmp_path / "orders.json", "orders", ImportForm.WOOCOMMERCE, answer)
        record = cleaned(OrderRecord, raw.values)[0]
        assert [(line.name, line.kind) for line in record.lines] == [("Slot – zwart & groen", "cargo_bike")]


@pytest.mark.parametrize("kind", ["orders", "customers"])
def test_drafts_and_the_trash_are_left_out(tmp_path: Path, kind: str) -> None:
    answer = [woo(number, status=status) for number, status in enumerate(("trash", "checkout-draft", "completed"))]
    found = read(tmp_path / "orders.json", kind, ImportForm.WOOCOMMERCE, answer)
    assert [(raw.line, raw.left_out) for raw in found] == [(1, True), (2, True), (3, False)]


@pytest.mark.parametrize(
    "wrong",
    [{"number": None, "line_items": None}, {"id": None}, {"date_created_gmt": 5, "billing": "x"}, {"total": "gratis"}],
)
def test_whatever_an_export_holds_it_costs_one_record(tmp_path: Path, wrong: dict[str, Any]) -> None:
    answer = [woo(1), {**woo(2), **wrong}, woo(3), {"id": 4}, {}]
    found = read(tmp_path / "orders.json", "orders", ImportForm.WOOCOMMERCE, answer)
    assert [raw.line for raw in found] == [1, 2, 3, 4, 5]
    assert [(raw.error.code, bool(raw.field)) for raw in found[3:] if raw.error] == [(Rejection.OTHER_FORM, True)] * 2
    assert all(cleaned(OrderRecord, found[place].values) for place in (0, 2))


def test_edges_of_graphql_and_flat_lines_are_the_same(tmp_path: Path) -> None:
    money = {"shopMoney": {"amount": "9.50", "currencyCode": "EUR"}}
    line = {"id": "gid://shopify/LineItem/4", "name": "Bel", "sku": "BEL", "quantity": 1, "originalUnitPriceSet": money}
    place = {"name": "Bo Vos", "address1": "Brink 7", "zip": "7411 BR", "city": "Deventer", "countryCodeV2": "NL"}
    order = {
        "id": "gid://shopify/Order/3", "name": "#870007003", "createdAt": "2026-06-01T10:00:00Z", "cancelledAt": None,
        "customer": {"id": "gid://shopify/Customer/8"}, "shippingAddress": place, "billingAddress": None,
        "displayFinancialStatus": "PAID", "totalReceivedSet": money, "totalPriceSet": money, "fulfillments": [],
    }  # fmt: skip
    flat = tmp_path / "orders.jsonl"
    flat.write_text("\n".join(map(json.dumps, (order, {**line, "__parentId": order["id"]}))), "utf-8")
    answer = {"data": {"orders": {"edges": [{"node": {**order, "lineItems": {"edges": [{"node": line}]}}}]}}}
    edges = read(tmp_path / "orders.json", "orders", ImportForm.SHOPIFY, answer)
    lines = list(records_of("orders", ImportForm.SHOPIFY, flat))
    assert [cleaned(OrderRecord, raw.values) for raw in edges] == [cleaned(OrderRecord, raw.values) for raw in lines]
    assert len(lines) == 1
