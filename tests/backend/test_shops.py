"""Several shops in one installation: each speaks to its own customers, in its own name."""

from __future__ import annotations

from dataclasses import replace
from email import message_from_bytes
from email.policy import default
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from portal.backend.transports import mail_directory
from portal.contract.errors import InvalidInput, Refused
from portal.imports.provider.importer import Importer
from portal.kernel.codes import Code
from portal.orders.provider.service import OrdersService
from portal.setting_groups import Brand
from portal.settings import Settings
from portal.shown_settings import shown_settings
from tests.support.application import SANNE, TestApplication, refusal
from tests.support.shop_records import customer, order, raw

BRAND = {name: f"{name} of the second shop" for name in Brand.model_fields} | {
    "name": "Fietsland",
    "shop_url": "https://www.fietsland.example",
    "phone": "+31201234567",
    "email": "hallo@fietsland.example",
    "post_code": "1011 AB",
    "iban": "NL20INGB0001234567",
}
SHOP = {
    "brand": BRAND,
    "mail_from": "Fietsland <post@fietsland.example>",
    "public_url": "https://mijn.fietsland.example",
    "order_number": "FL[0-9]{5}",
    "text_sender": "Fietsland",
}
PERSON = ("FL00001", "noor1@example.com")


def of_process(application: TestApplication, shop: str) -> TestApplication:
    """The same database, served by the process of a shop."""
    folder = application.data_dir
    settings = Settings.model_validate(
        {"data_dir": folder, "shops": {"fietsland": SHOP}, "shop": shop, "code_wait_seconds": 0}
    )
    return TestApplication(replace(application.context, settings=settings), application.clock)


async def imported(application: TestApplication) -> tuple[TestApplication, TestApplication]:
    """Import a customer of the second shop; return the processes of the main shop and of that one."""
    main, other = of_process(application, ""), of_process(application, "fietsland")
    importer = Importer(main.context, "fietsland")
    assert (await importer.store("customers", raw(customer(1)))).created == 1
    assert (await importer.store("orders", raw(order(1, order_number="FL-00001")))).created == 1
    return main, other


async def test_a_mail_comes_from_the_shop_of_its_customer(sqlite_application: TestApplication) -> None:
    main, other = await imported(sqlite_application)
    await other.ask(PERSON)
    await main.ask(SANNE)
    # Whichever process delivers it.
    await main.deliver()
    messages = [
        message_from_bytes(path.read_bytes(), policy=default) for path in mail_directory(main.data_dir).glob("*.eml")
    ]
    for address, sender, name in (
        (PERSON[1], "post@fietsland.example", "Fietsland"),
        (SANNE[1], "noreply@bovenbuis.example", "Bovenbuis"),
    ):
        (mail,) = await main.mails(address)
        (message,) = [message for message in messages if address in message["To"]]
        assert message["From"].addresses[0].addr_spec == sender
        assert name in mail.text
        assert ("Fietsland" in mail.text) == (name == "Fietsland")


async def test_a_customer_is_known_at_the_host_of_their_shop_only(sqlite_application: TestApplication) -> None:
    main, other = await imported(sqlite_application)
    assert await other.logged_in(PERSON)
    assert await main.logged_in(SANNE)
    refused = await refusal(other.ask(("", SANNE[1])))
    assert isinstance(refused, InvalidInput)
    sanne = SANNE[0].replace("9", "F", 1)
    refused = await refusal(other.ask((sanne, SANNE[1])))
    assert isinstance(refused, InvalidInput)


async def test_an_order_number_has_the_form_of_its_shop(sqlite_application: TestApplication) -> None:
    main, other = await imported(sqlite_application)
    for process, number in ((main, PERSON[0]), (other, SANNE[0])):
        refused = await refusal(process.ask((number, PERSON[1])))
        assert isinstance(refused, InvalidInput)
        assert refused.fields == {"order_number": Code.INVALID_ORDER_ID}
    report = await Importer(main.context, "fietsland").store("orders", raw(order(2, order_number="870000002")))
    assert [(problem.field, problem.reason) for problem in report.problems] == [
        ("order_number", "Invalid order id format")
    ]


async def test_an_address_alone_finds_no_customer_of_another_shop(sqlite_application: TestApplication) -> None:
    main, other = await imported(sqlite_application)
    for process, address in ((main, PERSON[1]), (other, SANNE[1])):
        await process.ask((None, address))
        assert await process.mails(address) == []
    await other.ask((None, PERSON[1]))
    assert len(await other.mails(PERSON[1])) == 1


async def test_a_wrong_shop_is_refused_like_a_wrong_pair(sqlite_application: TestApplication) -> None:
    main, _ = await imported(sqlite_application)
    anywhere = Settings.model_validate({**main.context.settings.model_dump(), "order_number": "[A-Z0-9]{3,20}"})
    process = TestApplication(replace(main.context, settings=anywhere), main.clock)
    refused = await refusal(process.ask(PERSON))
    assert isinstance(refused, Refused)
    assert refused.code is Code.INVALID_CREDENTIALS


async def test_a_document_names_the_shop_of_its_customer(sqlite_application: TestApplication) -> None:
    main, other = await imported(sqlite_application)
    invoice = {
        "external_id": "i1",
        "order": "o1",
        "number": "F1",
        "invoice_date": "2026-03-02",
        "expire_date": "2026-03-16",
        "status": "paid",
        "lines": [{"name": "Kuststreek", "unit_price": "999.00"}],
    }
    await Importer(main.context, "fietsland").store("invoices", raw(invoice))
    token = await other.logged_in(PERSON)
    # A session counts in every process of the installation.
    for process in (main, other):
        service = OrdersService(process.context, process.sessions)
        (found,) = (await service.invoices(token)).items
        document = await service.invoice_pdf(token, found.invoice_id, "nl")
        assert b"Fietsland" in document.content
        assert b"Bovenbuis" not in document.content


def test_the_pages_of_a_process_are_those_of_its_shop(tmp_path: Path) -> None:
    main = Settings.model_validate({"data_dir": tmp_path, "shops": {"fietsland": SHOP}})
    other = Settings.model_validate({"data_dir": tmp_path, "shops": {"fietsland": SHOP}, "shop": "fietsland"})
    assert (main.brand.name, other.brand.name) == ("Bovenbuis", "Fietsland")
    assert (other.address, other.text_gateway.sender) == ("https://mijn.fietsland.example", "Fietsland")
    assert (shown_settings(main)["brand"], shown_settings(other)["brand"]) == ("Bovenbuis", "Fietsland")
    assert main.of("fietsland").brand == other.brand
    assert other.of("").brand == other.of("webshop").brand == main.brand
    assert other.of("").of("fietsland").mail_from == SHOP["mail_from"]


@pytest.mark.parametrize(
    "wrong",
    [
        {"shop": "unknown"},
        {"shops": {"Fietsland": SHOP}},
        {"shops": {"fietsland": {**SHOP, "brand": {"name": "Fietsland"}}}},
        {"shops": {"fietsland": {**SHOP, "order_number": "["}}},
        {"shops": {"fietsland": SHOP}, "shop": "fietsland", "api_root": "https://provider.example"},
    ],
)
def test_a_shop_that_is_not_whole_stops_the_start(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Settings.model_validate(wrong)
