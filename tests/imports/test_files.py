"""Files of shops: own CSV and JSON Lines, Shopify and WooCommerce; and the command that reads them."""

from __future__ import annotations

import argparse
import io
import json
import re
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from portal.imports.provider.command import steps_of
from portal.imports.rules.cleaning import RecordRefused, cleaned, split_street
from portal.imports.rules.order_records import OrderRecord
from portal.imports.rules.reading import RawRecord, read_csv, read_file, read_json_lines
from portal.imports.rules.reasons import Reason
from portal.imports.rules.records import RECORDS, CustomerRecord, ProductRecord
from portal.imports.rules.shopify import SHOPIFY
from portal.imports.rules.woocommerce import WOOCOMMERCE
from portal.provider.__main__ import main
from portal.vocabulary.exchange import Rejection

SAMPLES = Path(__file__).parents[2] / "docs" / "samples"


def test_csv_rows_of_one_order_are_its_lines() -> None:
    found = [cleaned(OrderRecord, record.values)[0] for record in read_file(SAMPLES / "orders.csv")]
    assert [(order.external_id, len(order.lines), str(order.charged)) for order in found] == [
        ("o11", 2, "1049.90"),
        ("o12", 1, "9.95"),
    ]
    assert found[0].shipping_address
    assert found[0].shipping_address.street == "Oudegracht"


def test_csv_with_semicolons_and_a_cell_too_many_is_read() -> None:
    file = io.StringIO("external_id;name\np1;Bel\np2;Slot;9\n\np3;Tas\n", newline="")
    found = list(read_csv(file))
    assert [(record.line, record.values, record.error) for record in found] == [
        (2, {"external_id": "p1", "name": "Bel"}, None),
        (3, {}, Reason(Rejection.WRONG_CELLS, {"found": 3, "expected": 2})),
        (5, {"external_id": "p3", "name": "Tas"}, None),
    ]


def test_a_line_that_is_no_object_does_not_stop_the_others() -> None:
    file = io.StringIO('{"external_id": "a"}\n[1]\n{"external_id": \n\n{"external_id": "b"}\n')
    found = list(read_json_lines(file))
    assert [(record.line, bool(record.error)) for record in found] == [(1, False), (2, True), (3, True), (5, False)]


@given(st.binary(max_size=300))
def test_whatever_stands_in_a_file_is_read_or_reported(content: bytes) -> None:
    text = content.decode("utf-8", "replace")
    for record in [*read_json_lines(io.StringIO(text)), *read_csv(io.StringIO(text, newline=""))]:
        assert isinstance(record.values, dict)


def shopify_records(kind: str) -> list[dict[str, Any]]:
    """The records of a sample export."""
    read = read_file(SAMPLES / f"shopify-{kind}.jsonl")
    return [record.values for record in SHOPIFY.records(kind, read)]


def test_a_shopify_order_is_an_order_with_lines_and_shipment() -> None:
    (record,) = [cleaned(OrderRecord, values)[0] for values in shopify_records("orders")]
    assert (record.order_number, record.customer, str(record.charged)) == ("870000101", "7001234567890", "1249.00")
    assert [(line.kind, line.quantity) for line in record.lines] == [("city_bike", 1), (None, 2)]
    address = record.shipping_address
    assert address
    assert (address.street, address.house_number, address.house_number_addon) == ("Oudegracht", "50", "A 2 hoog")
    assert [parcel.tracking_code for parcel in record.shipments] == ["KP123456789"]


def test_shopify_customers_and_variants_are_customers_and_products() -> None:
    (person,) = [cleaned(CustomerRecord, values)[0] for values in shopify_records("customers")]
    assert (person.last_name, person.phone) == ("de Wit", "+31612345678")
    products = [cleaned(ProductRecord, values)[0] for values in shopify_records("products")]
    assert [(product.frame_size, product.item_color, product.stock) for product in products] == [
        ("53", "Groen", 4),
        ("57", "Groen", 0),
    ]


def test_a_shopify_line_without_its_parent_is_reported() -> None:
    found = list(SHOPIFY.records("orders", [RawRecord(1, {"id": "gid://shopify/LineItem/1", "__parentId": "x"})]))
    assert found[0].error == Reason(Rejection.NO_PARENT)


def test_a_shopify_export_without_groups_gives_the_same_records() -> None:
    text = (SAMPLES / "shopify-orders.jsonl").read_text()
    # Two orders, and the first one once more, as where two exports are in one file.
    lines = list(read_json_lines(io.StringIO(text + re.sub(r"(/[0-9]+)", r"\g<1>9", text))))
    twice = [*lines, *lines[: len(lines) // 2]]
    parents = [line for line in lines if "__parentId" not in line.values]
    apart = [*parents, *(line for line in lines if line not in parents)]
    assert apart != lines
    grouped, ungrouped, again = (
        [line.values for line in SHOPIFY.records("orders", each)] for each in (lines, apart, twice)
    )
    assert len(grouped) == 2
    assert ungrouped == grouped
    assert again == [*grouped, grouped[0]]


def test_a_woocommerce_order_is_told_with_tax() -> None:
    answers = read_file(SAMPLES / "woocommerce-orders.json")
    record, _ = [cleaned(OrderRecord, found.values)[0] for found in WOOCOMMERCE.records("orders", answers)]
    assert (str(record.subtotal), str(record.discount), str(record.charged)) == ("161.02", "12.10", "154.97")
    assert record.shipping_address
    assert (record.shipping_address.house_number, record.shipping_address.house_number_addon) == ("7", "bis")
    people = read_file(SAMPLES / "woocommerce-customers.json")
    (person,) = [cleaned(CustomerRecord, found.values)[0] for found in WOOCOMMERCE.records("customers", people)]
    assert person.phone == "+31570123456"


def test_units_that_do_not_cost_whole_cents_cost_together_what_was_paid() -> None:
    order = next(read_file(SAMPLES / "woocommerce-orders.json")).values
    line = {**order["line_items"][0], "quantity": 3, "subtotal": "8.26", "subtotal_tax": "1.74"}
    values = {**order, "line_items": [line], "transaction_id": "tr_7UhSN1zuXS"}
    (found,) = WOOCOMMERCE.records("orders", [RawRecord(1, values)])
    record = cleaned(OrderRecord, found.values)[0]
    assert (str(record.lines[0].unit_price), str(record.lines[0].costs)) == ("3.33", "10.00")
    assert (str(record.subtotal), record.payment_reference) == ("10.00", "tr_7UhSN1zuXS")


def test_an_order_says_what_the_shop_refunded_of_it() -> None:
    bought = next(read_file(SAMPLES / "woocommerce-orders.json")).values
    refunds = [{"id": 1, "total": "-40.00"}, {"id": 2, "total": "-10.00"}]
    (found,) = WOOCOMMERCE.records("orders", [RawRecord(1, {**bought, "refunds": refunds})])
    assert cleaned(OrderRecord, found.values)[0].refunded == Decimal("50.00")
    values = next(read_file(SAMPLES / "shopify-orders.jsonl")).values
    amount = {"shopMoney": {"amount": "50.0", "currencyCode": "EUR"}}
    (found,) = SHOPIFY.records("orders", [RawRecord(1, {**values, "totalRefundedSet": amount, "lineItems": []})])
    assert Decimal(found.values["refunded"]) == Decimal("50.00")


def test_a_shopify_order_names_the_payment_that_succeeded() -> None:
    values = next(read_file(SAMPLES / "shopify-orders.jsonl")).values
    tried = [
        {"kind": "SALE", "status": "FAILURE", "paymentId": "one"},
        {"kind": "AUTHORIZATION", "status": "SUCCESS", "paymentId": "two"},
        {"kind": "CAPTURE", "status": "SUCCESS", "paymentId": "three"},
    ]
    for transactions, reference in ((tried, "three"), (tried[:2], ""), (None, "")):
        (record,) = SHOPIFY.records("orders", [RawRecord(1, {**values, "transactions": transactions, "lineItems": []})])
        assert record.values["payment_reference"] == reference


def test_who_ordered_without_an_account_is_a_customer_of_woocommerce_once() -> None:
    account, order = (found.values for found in read_file(SAMPLES / "woocommerce-orders.json"))
    moved = {**order["billing"], "city": "Kampen", "email": " bo.mulder@example.nl"}
    later = {**order, "id": 730, "date_created_gmt": "2026-05-01T10:00:00", "billing": moved}
    answers = [RawRecord(place, values) for place, values in enumerate((later, account, order), 1)]
    (guest,) = [cleaned(CustomerRecord, found.values)[0] for found in WOOCOMMERCE.records("customers", answers)]
    assert (guest.first_name, guest.house_number, guest.house_number_addon, guest.city) == ("Bo", "12", "a", "Kampen")
    orders = [cleaned(OrderRecord, found.values)[0] for found in WOOCOMMERCE.records("orders", answers)]
    assert [entry.customer == guest.external_id for entry in orders] == [True, False, True]


def test_a_shopify_order_without_a_customer_is_rejected_for_that() -> None:
    values = {**next(read_file(SAMPLES / "shopify-orders.jsonl")).values, "customer": None, "lineItems": []}
    (record,) = SHOPIFY.records("orders", [RawRecord(1, values)])
    with pytest.raises(RecordRefused) as refused:
        cleaned(OrderRecord, record.values)
    assert (refused.value.field, refused.value.reason) == ("customer", Reason(Rejection.MISSING_FIELD))


@pytest.mark.parametrize(
    ("line", "parts"),
    [
        ("Oudegracht 38", ("Oudegracht", "38", "")),
        ("Plein 1940 12", ("Plein 1940", "12", "")),
        ("Veldstraat 82 bus 3", ("Veldstraat", "82", "bus 3")),
        ("Brink 7bis", ("Brink", "7", "bis")),
        ("Dorpsweg", ("Dorpsweg", "", "")),
    ],
)
def test_street_and_number_in_one_line_are_split(line: str, parts: tuple[str, str, str]) -> None:
    assert split_street(line) == parts


def run(folder: Path, *arguments: str) -> int:
    """Run the command on a database in a folder."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PORTAL_DATA_DIR", str(folder))
        return main(["import", *arguments])


def test_the_command_reports_stores_and_sends_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PORTAL_DATA_DIR", str(tmp_path))
        assert main(["migrate"]) == 0
    assert run(tmp_path, "orders", str(SAMPLES / "orders.csv")) == 0
    assert "waiting 2" in capsys.readouterr().out
    assert run(tmp_path, "customers", str(SAMPLES / "customers.jsonl")) == 0
    assert "read 1, created 1, joined 2" in capsys.readouterr().out
    report = tmp_path / "report.json"
    assert run(tmp_path, "customers", str(SAMPLES / "customers-with-mistakes.jsonl"), "--report", str(report)) == 1
    printed = capsys.readouterr()
    assert "read 4, created 2, rejected 2" in printed.out
    assert "line 4 c10 email: invalid_email" in printed.out
    assert "2 records rejected" in printed.err
    (found,) = json.loads(report.read_text()).values()
    assert [problem["line"] for problem in found["problems"]] == [3, 4]
    assert run(tmp_path, "customers", "--again") == 1
    printed = capsys.readouterr()
    assert "rejected 2" in printed.out
    assert "line 3: not_json" in printed.out
    assert run(tmp_path, "customers", str(SAMPLES / "customers-with-mistakes.jsonl"), "--dry-run") == 1
    assert "2 records would be rejected" in capsys.readouterr().err


def test_a_report_in_json_names_each_problem(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PORTAL_DATA_DIR", str(tmp_path))
        assert main(["migrate"]) == 0
    file, report = tmp_path / "customers.jsonl", tmp_path / "report.json"
    file.write_text('{}\n{"external_id": {}}\n' * 550, "utf-8")
    assert run(tmp_path, "customers", str(file), "--dry-run", "--report", str(report)) == 1
    assert "and 1080 more; --report FILE writes them" in capsys.readouterr().out
    (found,) = json.loads(report.read_text()).values()
    assert [problem["line"] for problem in found["problems"]] == list(range(1, 1101))


def test_a_terminal_shows_how_far_a_file_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PORTAL_DATA_DIR", str(tmp_path))
        assert main(["migrate"]) == 0
    file = tmp_path / "customers.jsonl"
    (line,) = (SAMPLES / "customers.jsonl").read_text("utf-8").splitlines()
    file.write_text("".join(f"{line}\n" for _ in range(1250)), "utf-8")
    terminal = io.StringIO()
    terminal.isatty = lambda: True
    monkeypatch.setattr("sys.stderr", terminal)
    assert run(tmp_path, "customers", str(file)) == 0
    assert terminal.getvalue() == (
        "\rcustomers.jsonl [############..................]  40%  500 records, 0 rejected"
        "\rcustomers.jsonl [########################......]  80%  1,000 records, 0 rejected"
        "\rcustomers.jsonl [##############################] 100%  1,250 records, 0 rejected\n"
    )


def test_the_command_stores_the_exports_of_shops(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PORTAL_DATA_DIR", str(tmp_path))
        assert main(["migrate"]) == 0
    for kind, file, found in (
        ("customers", "shopify-customers.jsonl", "created 1"),
        ("orders", "shopify-orders.jsonl", "created 1"),
        ("customers", "woocommerce-customers.json", "created 1"),
        ("orders", "woocommerce-orders.json", "created 1, waiting 1"),
        ("customers", "woocommerce-orders.json", "created 1, joined 1"),
    ):
        shop = file.partition("-")[0]
        assert run(tmp_path, kind, str(SAMPLES / file), "--format", shop, "--source", shop) == 0
        assert found in capsys.readouterr().out


def test_the_command_says_how_the_tables_are_made(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(tmp_path, "customers", str(SAMPLES / "customers.jsonl"), "--dry-run") == 1
    assert capsys.readouterr().err.splitlines()[-1].endswith("run python -m portal.provider migrate")


def test_the_command_refuses_what_it_cannot_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "orders.xlsx").write_bytes(b"PK")
    for arguments, reason in (
        (["orders", str(tmp_path / "orders.xlsx")], "orders.xlsx: wrong_extension: "),
        (["orders", str(tmp_path / "none.csv")], "No such file"),
        (["orders"], "name at least one file"),
        (["bikes", "x.jsonl", "--format", "shopify"], "x.jsonl: kind_not_in_form: "),
    ):
        assert run(tmp_path, *arguments) == 1
        assert reason in capsys.readouterr().err


@pytest.mark.parametrize("kind", RECORDS)
def test_the_command_prints_a_schema(kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(tmp_path, kind, "--schema") == 0
    schema = json.loads(capsys.readouterr().out)
    assert schema["additionalProperties"] is False
    assert "external_id" in schema["required"]


def samples(folder: Path, form: str) -> Path:
    """A folder of a shop with the samples of a form, and a file that is none."""
    shop = folder / "shop"
    shop.mkdir()
    for path in SAMPLES.iterdir():
        if path.is_file() and (path.name.startswith(f"{form}-") or (form == "own" and path.name.count("-") < 2)):
            (shop / path.name).write_bytes(path.read_bytes())
    (shop / "lees mij.txt").write_text("x")
    return shop


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        ("woocommerce", ["customers", "customers", "products", "orders"]),
        ("shopify", ["customers", "products", "orders"]),
    ],
)
def test_a_folder_is_imported_in_an_order_in_which_nothing_waits(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], form: str, expected: list[str]
) -> None:
    shop = samples(tmp_path, form)
    asked = argparse.Namespace(kind=str(shop), format=form, files=[])
    assert [step.kind for step in steps_of(asked)] == expected
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PORTAL_DATA_DIR", str(tmp_path))
        assert main(["migrate"]) == 0
    capsys.readouterr()
    assert run(tmp_path, str(shop), "--format", form, "--source", form, "--dry-run") == 0
    printed = capsys.readouterr().out
    assert "waiting" not in printed
    *_, pages = printed.partition("Customers as they would be:\n")
    assert ("Lotte Smit, lotte@example.nl" in pages, "order 870000201" in pages) == ((form == "woocommerce"),) * 2
    assert ("Anouk de Wit" in pages, "bike Kuststreek" in pages) == ((form == "shopify"),) * 2
    # Nothing of it was stored.
    assert run(tmp_path, str(shop), "--format", form, "--source", form) == 0
    printed = capsys.readouterr().out
    assert "unchanged" not in printed
    assert "waiting" not in printed


def test_something_that_is_neither_kind_nor_folder_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        run(tmp_path, "customer", "x.csv")
    assert "neither a folder nor one of customers," in capsys.readouterr().err
