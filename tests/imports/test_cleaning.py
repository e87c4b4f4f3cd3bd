"""Clean: the rules of forms; what does not identify a record is left empty with a note, and rejects nothing."""

from __future__ import annotations

from typing import Any

import pytest

from portal.imports.rules.cleaning import RecordRefused, cleaned, numbered
from portal.imports.rules.records import CustomerRecord, OrderRecord
from portal.kernel.codes import Code
from portal.vocabulary.exchange import Rejection
from tests.support.shop_records import customer, order


def person(**changes: Any) -> tuple[CustomerRecord, list[tuple[str, str, str]]]:
    """A customer as it is cleaned, with the notes."""
    record, notes = cleaned(CustomerRecord, customer(**changes))
    return record, [(note.field, note.reason.code, note.sent) for note in notes]


@pytest.mark.parametrize(
    ("sent", "phone", "code"),
    [
        ("0031 6 1234 5678", "+31612345678", ""),
        ("030-2001234 of 06-12345678", "+31302001234", Rejection.PART_OF_PHONE),
        ("06 12345678 (liefst 's avonds)", "+31612345678", Rejection.PART_OF_PHONE),
        ("onbekend", "", Code.INVALID_PHONE),
        ("06-1234", "", Code.INVALID_PHONE),
    ],
)
def test_an_odd_phone_number_costs_nobody_the_login(sent: str, phone: str, code: str) -> None:
    record, notes = person(phone=sent)
    assert (record.phone, notes) == (phone, [("phone", code, sent)] if code else [])


@pytest.mark.parametrize(
    ("given", "parts"),
    [
        (("Oudegracht 38", "", ""), ("Oudegracht", "38", "")),
        (("Oudegracht 50-A", "", "2 hoog"), ("Oudegracht", "50", "A 2 hoog")),
        (("Lijnbaan", "", "9 ter"), ("Lijnbaan", "9", "ter")),
        (("Lijnbaan", "9ter", ""), ("Lijnbaan", "9", "ter")),
        (("Lijnbaan 9", "9", "ter"), ("Lijnbaan", "9", "ter")),
        (("Plein 1944", "", "6"), ("Plein 1944", "6", "")),
        (("Plein 1944 6", "", ""), ("Plein 1944", "6", "")),
        (("Plein 1944", "6", ""), ("Plein 1944", "6", "")),
        (("Straat van 8 mei 3", "", ""), ("Straat van 8 mei", "3", "")),
        (("Straat van 8 mei", "", ""), ("Straat van 8 mei", "", "")),
        (("2e Atjehstraat 14", "", "1 hoog"), ("2e Atjehstraat", "14", "1 hoog")),
        (("Veldstraat 82 bus 3", "", ""), ("Veldstraat", "82", "bus 3")),
        (("Rue Haute 17 bte 4", "", ""), ("Rue Haute", "17", "bte 4")),
        (("17, rue Haute", "", ""), ("rue Haute", "17", "")),
        (("Singel 4 souterrain", "", ""), ("Singel", "4", "souterrain")),
    ],
)
def test_number_and_addition_are_found_wherever_they_are(given: tuple[str, str, str], parts: tuple[str, ...]) -> None:
    assert numbered(*given) == parts


def test_signs_that_nobody_sees_are_cleaned_as_in_forms() -> None:
    record, notes = person(
        first_name="No\u0000or\u00a0 ", city="\u200bUtrecht\t", post_code="3511ab", country_code="Nederland"
    )
    assert (record.first_name, record.city, record.post_code, record.country_code) == (
        "No or",
        "Utrecht",
        "3511 AB",
        "NL",
    )
    assert notes == []


@pytest.mark.parametrize(
    ("changes", "field", "code"),
    [
        ({"first_name": "x" * 61}, "first_name", "text_too_long"),
        ({"post_code": "12"}, "post_code", Code.INVALID_POSTCODE),
        ({"house_number": "geen"}, "house_number", Code.INVALID_HOUSE_NUMBER),
        ({"locale": "de"}, "locale", "wrong_form"),
        ({"nickname": "Nootje"}, "nickname", "unknown_field"),
        ({"country_code": "Zwitserland"}, "country_code", Rejection.NO_COUNTRY),
        ({"last_name": ["x"]}, "last_name", "not_a_text"),
    ],
)
def test_what_does_not_identify_a_customer_is_left_empty(changes: dict[str, Any], field: str, code: str) -> None:
    record, notes = person(**changes)
    assert [(name, found) for name, found, _ in notes] == [(field, code)]
    assert record.email == "noor1@example.com"


@pytest.mark.parametrize("wrong", [{"email": "geen"}, {"email": ""}, {"external_id": ""}, {"external_id": None}])
def test_what_identifies_a_customer_has_to_be_right(wrong: dict[str, Any]) -> None:
    with pytest.raises(RecordRefused) as refused:
        person(**wrong)
    assert refused.value.field == next(iter(wrong))


@pytest.mark.parametrize("moment", ["0001-01-01T00:00:00+01:00", "9999-12-31T23:59:59-01:00", "0000-00-00T00:00:00"])
def test_a_date_that_means_never_is_none(moment: str) -> None:
    with pytest.raises(RecordRefused) as refused:
        cleaned(OrderRecord, order(ordered_at=moment))
    assert (refused.value.field, refused.value.reason.code) == ("ordered_at", Rejection.NOT_A_MOMENT)


@pytest.mark.parametrize(
    ("sent", "amount"),
    [("1.249,00", "1249.00"), ("1249,5", "1249.5"), ("1,249.00", "1249.00"), ("€ 12", "12"), (12.5, "12.5")],
)
def test_amounts_are_read_as_people_write_them(sent: Any, amount: str) -> None:
    assert str(cleaned(OrderRecord, order(paid=sent))[0].paid) == amount


@pytest.mark.parametrize("sent", ["1.249", "twaalf", "1,2,3"])
def test_an_amount_that_cannot_be_read_rejects_an_order(sent: str) -> None:
    with pytest.raises(RecordRefused) as refused:
        cleaned(OrderRecord, order(paid=sent))
    assert refused.value.field == "paid"
