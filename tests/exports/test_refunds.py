"""Refunds to pay are exported once, as CSV and for the bank, and a batch can be downloaded again."""

import asyncio
import csv
import io
import xml.etree.ElementTree as ET
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
import sepaxml
import xmlschema
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import update
from sqlmodel import col, select

from portal.cases.api import CaseMove, CasesApi
from portal.contract.errors import Conflict, InvalidInput, NotFound
from portal.exports.api import BatchChoice, ChosenRefunds, ExportsApi
from portal.exports.provider.refunds import SCHEMA, as_payment, payment_day, sepa_text
from portal.kernel.codes import Code
from portal.kernel.days import local_day
from portal.privacy.provider.erasure import delete_expired
from portal.provider.application import Application
from portal.provider.hourly import purge
from portal.returns.api import RefundAccount
from portal.settings import Settings
from portal.tables.cases import CaseRow
from portal.tables.customers import CustomerRow
from portal.tables.exchange import RefundAccountRow, RefundBatchRow, RefundPaymentRow, WebhookAttemptRow, WebhookRow
from portal.tables.orders import OrderRow
from portal.tables.returns import ReturnRow
from portal.tables.staff import AuditRow, StaffRow
from portal.vocabulary.cases import CaseEventType, CaseKind, CaseState
from portal.vocabulary.exchange import RefundWay
from portal.vocabulary.returns import ReturnKind, ReturnStatus
from portal.vocabulary.staff import Role
from tests.exports.telling import Telling
from tests.support.receiver import Receiver

IBAN = "BE71096123456769"
ACCOUNT = RefundAccount(holder="Zoë & Łukasz van den Bérg", iban="BE71 0961 2345 6769")
SPACE = f"{{urn:iso:std:iso:20022:tech:xsd:{SCHEMA}}}"


def exports_of(telling: Telling) -> ExportsApi:
    return telling.application.services.ask(ExportsApi)


def finance(telling: Telling) -> str:
    return telling.tokens[Role.FINANCE]


async def decided(telling: Telling, count: int = 2) -> list[str]:
    """So many returns whose refund was decided, and none else; their references."""
    async with telling.context.database.transaction() as session:
        await session.exec(update(ReturnRow).values(status=ReturnStatus.CANCELLED, refund_amount=None))
        rows = (await session.exec(select(ReturnRow).order_by(col(ReturnRow.id)).limit(count))).all()
        for number, row in enumerate(rows, 1):
            row.status, row.refund_amount = ReturnStatus.CLOSED, Decimal(f"{number}99.05")
            row.updated_at = telling.clock()
    assert len(rows) == count
    return [row.reference for row in rows]


def rows_of(content: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(content.decode("utf-8-sig")), delimiter=";"))


async def export(telling: Telling, way: RefundWay = RefundWay.ACCOUNT) -> Any:
    return await exports_of(telling).export_refunds(finance(telling), BatchChoice(way=way))


async def test_a_refund_is_listed_with_its_account_until_it_is_paid(shop_telling: Telling) -> None:
    first, second = await decided(shop_telling)
    await exports_of(shop_telling).enter_refund_account(finance(shop_telling), first, ACCOUNT)
    listed = await exports_of(shop_telling).refunds_to_pay(finance(shop_telling))
    assert {entry.reference: (entry.amount, entry.account, entry.holder, entry.entered_by) for entry in listed} == {
        first: (Decimal("199.05"), "BE71 … 6769", ACCOUNT.holder, "Finance"),
        second: (Decimal("299.05"), "", "", ""),
    }
    batch = await export(shop_telling)
    assert (batch.count, batch.total, batch.made_by) == (1, Decimal("199.05"), "Finance")
    listed = await exports_of(shop_telling).refunds_to_pay(finance(shop_telling))
    assert [(entry.reference, entry.batch) for entry in listed] == [(first, batch.id), (second, "")]
    wanted = ChosenRefunds(references=[first, second, "ZZZZ9999", first])
    paid = await exports_of(shop_telling).record_refunds_paid(finance(shop_telling), wanted)
    assert [each.code for each in paid] == [None, None, Code.NOT_FOUND, None]
    assert await exports_of(shop_telling).refunds_to_pay(finance(shop_telling)) == []
    rows = {row.reference: row for row in await shop_telling.rows(ReturnRow)}
    assert {(rows[each].status, rows[each].refunded_at) for each in (first, second)} == {
        (ReturnStatus.REFUND_PROCESSED, shop_telling.clock())
    }
    mailed = [mail.template for mail in await shop_telling.mails()]
    assert mailed.count("return_moved") == 2


async def test_finance_sees_the_case_and_the_number_of_the_payment_provider(shop_telling: Telling) -> None:
    (reference,) = await decided(shop_telling, 1)
    async with shop_telling.context.database.transaction() as session:
        row = (await session.exec(select(ReturnRow).where(ReturnRow.reference == reference))).one()
        row.kind = ReturnKind.WITHDRAWAL
        paid_by = update(OrderRow).where(col(OrderRow.order_number) == row.order_number)
        await session.exec(paid_by.values(payment_reference="tr_7UhSN1zuXS"))
    (listed,) = await exports_of(shop_telling).refunds_to_pay(finance(shop_telling))
    assert (listed.case_kind, listed.payment_reference) == (CaseKind.WITHDRAWAL, "tr_7UhSN1zuXS")
    batch = await export(shop_telling, RefundWay.ORIGINAL)
    file = await exports_of(shop_telling).refund_list(finance(shop_telling), batch.id)
    assert rows_of(file.content)[0]["payment_reference"] == "tr_7UhSN1zuXS"


async def closed_by_the_desk(telling: Telling, amount: str) -> str:
    """A return that somebody of the service desk closed, with a refund of so much."""
    cases = telling.application.services.ask(CasesApi)
    async with telling.context.database.transaction() as session:
        query = select(ReturnRow).join(CaseRow, col(CaseRow.reference) == col(ReturnRow.reference))
        query = query.where(col(CaseRow.kind) == CaseKind.RETURN).order_by(col(ReturnRow.id)).limit(1)
        row = (await session.exec(query)).one()
        row.status, row.kind, row.refund_amount = ReturnStatus.RECEIVED, ReturnKind.ACCESSORIES, None
        settled = {"kind": "item", "amount": amount, "item": "Kuststreek", "quantity": 1}
        row.settlement = {"lines": [settled], "total": amount, "refund": amount, "open": "0.00"}
        case_of_it = update(CaseRow).where(col(CaseRow.reference) == row.reference)
        await session.exec(case_of_it.values(status=ReturnStatus.RECEIVED.value, state=CaseState.OPEN))
        await session.exec(update(OrderRow).values(paid=Decimal(99999)))
        reference = row.reference
    desk = telling.tokens[Role.SERVICE_DESK]
    case = await cases.case(desk, "return", reference)
    await cases.move_case(desk, "return", reference, CaseMove(status="return_closed", seen=case.version))
    return reference


async def test_above_the_setting_a_second_person_confirms_before_it_is_paid(shop_telling: Telling) -> None:
    await decided(shop_telling, 0)
    reference, exports = await closed_by_the_desk(shop_telling, "500.01"), exports_of(shop_telling)
    await exports.enter_refund_account(finance(shop_telling), reference, ACCOUNT)
    chosen, administrator = ChosenRefunds(references=[reference]), shop_telling.administrator
    (waiting,) = await exports.refunds_to_pay(finance(shop_telling))
    assert waiting.waits
    with pytest.raises(Conflict):
        await export(shop_telling)
    (refused,) = await exports.record_refunds_paid(administrator, chosen)
    assert refused.code is Code.SECOND_PERSON_REQUIRED
    (refused,) = await exports.confirm_refunds(finance(shop_telling), chosen)  # entered the account
    assert refused.code is Code.SECOND_PERSON_REQUIRED
    assert [each.code for each in await exports.confirm_refunds(administrator, chosen)] == [None]
    (confirmed,) = await exports.refunds_to_pay(finance(shop_telling))
    assert (confirmed.waits, confirmed.confirmed_by) == (False, "Administrator")
    # Another account needs another confirmation.
    await exports.enter_refund_account(finance(shop_telling), reference, ACCOUNT)
    assert (await exports.refunds_to_pay(finance(shop_telling)))[0].waits
    await exports.confirm_refunds(administrator, chosen)
    assert (await export(shop_telling)).count == 1
    assert [each.code for each in await exports.record_refunds_paid(finance(shop_telling), chosen)] == [None]


async def test_up_to_the_setting_nobody_else_is_needed(shop_telling: Telling) -> None:
    await decided(shop_telling, 0)
    reference = await closed_by_the_desk(shop_telling, "500.00")
    (listed,) = await exports_of(shop_telling).refunds_to_pay(finance(shop_telling))
    assert (listed.reference, listed.waits) == (reference, False)
    chosen = ChosenRefunds(references=[reference])
    (refused,) = await exports_of(shop_telling).confirm_refunds(finance(shop_telling), chosen)
    assert refused.code is Code.STATUS_NOT_ALLOWED
    (paid,) = await exports_of(shop_telling).record_refunds_paid(finance(shop_telling), chosen)
    assert paid.code is None


async def test_whoever_closed_a_return_does_not_confirm_or_pay_it(shop_telling: Telling) -> None:
    await decided(shop_telling, 0)
    reference = await closed_by_the_desk(shop_telling, "900.00")
    chosen, desk = ChosenRefunds(references=[reference]), shop_telling.tokens[Role.SERVICE_DESK]
    for operation in (exports_of(shop_telling).confirm_refunds, exports_of(shop_telling).record_refunds_paid):
        with pytest.raises(NotFound):
            await operation(desk, chosen)
    cases = shop_telling.application.services.ask(CasesApi)
    case = await cases.case(desk, "return", reference)
    assert "refund_processed" not in {step.status for step in case.steps}
    with pytest.raises(InvalidInput) as refusal:
        await cases.move_case(desk, "return", reference, CaseMove(status="refund_processed", seen=case.version))
    assert refusal.value.fields == {"status": Code.STATUS_NOT_ALLOWED}
    # The person got another role since.
    await shop_telling.change(StaffRow, {"role": Role.FINANCE}, role=Role.SERVICE_DESK)
    (refused,) = await exports_of(shop_telling).confirm_refunds(desk, chosen)
    assert refused.code is Code.SECOND_PERSON_REQUIRED
    with pytest.raises(Conflict) as conflict:
        await exports_of(shop_telling).enter_refund_account(desk, reference, ACCOUNT)
    assert conflict.value.code is Code.SECOND_PERSON_REQUIRED


async def test_the_customer_is_mailed_the_last_digits_and_the_timeline_names_who_entered_them(
    shop_telling: Telling,
) -> None:
    await decided(shop_telling, 0)
    reference = await closed_by_the_desk(shop_telling, "100.00")
    await exports_of(shop_telling).enter_refund_account(finance(shop_telling), reference, ACCOUNT)
    mail = (await shop_telling.mails())[-1]
    assert (mail.template, mail.details["digits"]) == ("refund_account", "6769")
    assert mail.details["holder"] == ACCOUNT.holder
    case = await shop_telling.application.services.ask(CasesApi).case(finance(shop_telling), "return", reference)
    entered = case.events[-1]
    assert (entered.who, entered.text.nl) == ("Finance", f"{ACCOUNT.holder}, … 6769")
    fact = next(fact for fact in case.account.facts if fact.label.en == "Refund to account")
    assert fact.lines[0].nl == f"{ACCOUNT.holder}, … 6769"


async def test_a_batch_is_listed_by_its_way(shop_telling: Telling) -> None:
    first, second = await decided(shop_telling)
    await exports_of(shop_telling).enter_refund_account(finance(shop_telling), first, ACCOUNT)
    files = [
        await exports_of(shop_telling).refund_list(finance(shop_telling), (await export(shop_telling, way)).id)
        for way in (RefundWay.ACCOUNT, RefundWay.ORIGINAL)
    ]
    by_account, as_paid = (rows_of(file.content) for file in files)
    assert [(row["reference"], row["amount"], row["iban"]) for row in by_account] == [(first, "199,05", IBAN)]
    assert [(row["reference"], row["amount"], row["iban"]) for row in as_paid] == [(second, "299,05", "")]
    assert as_paid[0]["payment_method"]


async def test_the_payment_is_valid_pays_every_refund_and_is_the_same_file_later(shop_telling: Telling) -> None:
    references = await decided(shop_telling, 3)
    for reference in references:
        await exports_of(shop_telling).enter_refund_account(finance(shop_telling), reference, ACCOUNT)
    batch = await export(shop_telling)
    file = await exports_of(shop_telling).refund_payment(finance(shop_telling), batch.id)
    schema = Path(sepaxml.__file__).parent / "schemas" / f"{SCHEMA}.xsd"
    xmlschema.XMLSchema(schema).validate(file.content.decode())
    root = ET.fromstring(file.content)  # noqa: S314 - our own file
    assert [each.text for each in root.iter(f"{SPACE}EndToEndId")] == references
    assert [each.text for each in root.iter(f"{SPACE}InstdAmt")] == ["199.05", "299.05", "399.05"]
    assert {each.text for each in root.iter(f"{SPACE}CtrlSum")} == {"897.15"}
    assert [each.text for each in root.iter(f"{SPACE}IBAN")] == ["NL91ABNA0417164300", *[IBAN] * 3]
    assert {each.text for each in root.iter(f"{SPACE}Nm")} == {"Bovenbuis", "Zoe Lukasz van den Berg"}
    # No BIC is known. The agent of the shop's account is required, those of the customers are not.
    (agent,) = root.iter(f"{SPACE}DbtrAgt")
    assert [(each.tag, each.text) for each in agent.iter() if each.text] == [(f"{SPACE}Id", "NOTPROVIDED")]
    assert not list(root.iter(f"{SPACE}CdtrAgt"))
    (day,) = (date.fromisoformat(each.text or "") for each in root.iter(f"{SPACE}Dt"))
    assert day == payment_day(local_day(shop_telling.clock()))
    assert batch.id.encode() in file.content
    await shop_telling.later(days=3)
    again = await exports_of(shop_telling).refund_payment(finance(shop_telling), batch.id)
    assert again.content == file.content


async def test_a_payment_names_the_shop_that_its_customer_knows(shop_telling: Telling) -> None:
    first, second = await decided(shop_telling)
    for reference in (first, second):
        await exports_of(shop_telling).enter_refund_account(finance(shop_telling), reference, ACCOUNT)
    settings = shop_telling.context.settings
    shop = {
        "brand": settings.brand.model_dump() | {"name": "Zadelpen"},
        "mail_from": "noreply@zadelpen.example",
        "public_url": "http://zadelpen.localhost",
    }
    batch = await export(shop_telling)
    async with shop_telling.context.database.transaction() as session:
        owner = (await session.exec(select(ReturnRow.customer_id).where(ReturnRow.reference == first))).one()
        await session.exec(update(CustomerRow).where(col(CustomerRow.id) == owner).values(source="zadelpen"))
        others = select(ReturnRow.customer_id).where(ReturnRow.reference == second)
        same = (await session.exec(others)).one() == owner
        row = (await session.exec(select(RefundBatchRow).where(RefundBatchRow.public_id == batch.id))).one()
        shops = settings.model_copy(update={"shops": {}}).model_dump() | {"shops": {"zadelpen": shop}}
        file = await as_payment(session, Settings.model_validate(shops), row)
    root = ET.fromstring(file.content)  # noqa: S314 - our own file
    said = [each.text or "" for each in root.iter(f"{SPACE}Ustrd")]
    assert [text.split()[0] for text in said] == ["Zadelpen", "Zadelpen" if same else "Bovenbuis"]


@pytest.mark.each_database
async def test_two_exports_at_the_same_time_have_each_refund_once(shop_telling: Telling) -> None:
    await decided(shop_telling, 3)
    other = Telling(Application(shop_telling.context.settings, clock=shop_telling.clock), shop_telling.clock)
    other.tokens = shop_telling.tokens
    made = await asyncio.gather(
        *[export(each, RefundWay.ORIGINAL) for each in (shop_telling, other, shop_telling, other)],
        return_exceptions=True,
    )
    await other.context.database.close()
    batches = [each for each in made if not isinstance(each, BaseException)]
    refused = [each for each in made if isinstance(each, Conflict)]
    assert sum(batch.count for batch in batches) == 3
    assert len(batches) + len(refused) == 4
    assert {each.code for each in refused} == {Code.NOTHING_TO_EXPORT}
    assert len(await shop_telling.rows(RefundPaymentRow)) == 3
    assert len(await shop_telling.rows(RefundBatchRow)) == len(batches)


async def test_an_account_is_checked_and_cannot_change_after_the_export(shop_telling: Telling) -> None:
    (reference,) = await decided(shop_telling, 1)
    enter = exports_of(shop_telling).enter_refund_account
    for iban in ("BE71 0961 2345 6760", "US00 1234", "BR1800360305000010009795493C1"):
        with pytest.raises(InvalidInput) as refusal:
            await enter(finance(shop_telling), reference, RefundAccount(holder="S. Bakker", iban=iban))
        assert refusal.value.fields == {"iban": Code.INVALID_IBAN}
    with pytest.raises(NotFound):
        await enter(finance(shop_telling), "ZZZZ9999", ACCOUNT)
    await enter(finance(shop_telling), reference, ACCOUNT)
    await export(shop_telling)
    with pytest.raises(Conflict) as conflict:
        await enter(finance(shop_telling), reference, ACCOUNT)
    assert conflict.value.code is Code.REFUND_EXPORTED


async def test_a_batch_that_is_not_paid_to_accounts_has_no_payment(shop_telling: Telling) -> None:
    await decided(shop_telling)
    batch = await export(shop_telling, RefundWay.ORIGINAL)
    with pytest.raises(NotFound):
        await exports_of(shop_telling).refund_payment(finance(shop_telling), batch.id)
    with pytest.raises(NotFound):
        await exports_of(shop_telling).refund_list(finance(shop_telling), "ABCDEFGH23")


async def test_every_export_and_download_is_in_the_audit_without_the_account(shop_telling: Telling) -> None:
    (reference,) = await decided(shop_telling, 1)
    await exports_of(shop_telling).enter_refund_account(finance(shop_telling), reference, ACCOUNT)
    batch = await export(shop_telling)
    await exports_of(shop_telling).refund_list(finance(shop_telling), batch.id)
    await exports_of(shop_telling).refund_payment(finance(shop_telling), batch.id)
    written = [row for row in await shop_telling.rows(AuditRow) if row.actor == "Finance"]
    done = [("enter_refund_account", reference)]
    done += [(name, batch.id) for name in ("export_refunds", "refund_list", "refund_payment")]
    assert [(row.action, row.reference) for row in written] == done
    assert written[0].details == {"holder": ACCOUNT.holder, "account": "… 6769"}
    assert IBAN not in str(written)


@pytest.mark.parametrize(
    ("day", "paid"),
    [
        ("2026-11-27", "2026-11-27"),
        ("2026-11-28", "2026-11-30"),  # a Saturday
        ("2026-12-25", "2026-12-28"),
        ("2027-03-26", "2027-03-30"),  # Good Friday and Easter Monday
        ("2027-04-27", "2027-04-27"),  # King's Day: banks pay
        ("2027-05-01", "2027-05-03"),
    ],
)
def test_a_payment_is_carried_out_on_a_day_on_which_banks_pay(day: str, paid: str) -> None:
    assert payment_day(date.fromisoformat(day)) == date.fromisoformat(paid)


@given(st.text(max_size=200), st.integers(min_value=5, max_value=140))
def test_texts_of_a_payment_have_only_characters_of_sepa(text: str, most: int) -> None:
    written = sepa_text(text, most)
    assert 1 <= len(written) <= most
    assert set(written) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/-?:().,'+ ")


async def test_deliveries_are_deleted_with_their_attempts_but_not_while_they_wait(
    telling: Telling, receiver: Receiver
) -> None:
    await telling.hook(receiver.url)
    await telling.happen("FIRST222")
    await telling.happen("OTHER222")
    receiver.refused = {"OTHER222"}
    await telling.work()
    await telling.happen("FIRST222", CaseEventType.PLANNED)
    telling.clock.forward(days=89)
    await delete_expired(telling.context)
    assert len(await telling.deliveries()) == 2
    telling.clock.forward(days=2)
    await delete_expired(telling.context)
    assert [row.subject for row in await telling.deliveries()] == ["repair OTHER222"]
    assert len(await telling.rows(WebhookAttemptRow)) == 1


async def test_a_secret_that_no_longer_signs_is_emptied(telling: Telling, receiver: Receiver) -> None:
    added = await telling.hook(receiver.url)
    await telling.webhooks.rotate_secret(telling.administrator, added.id)
    for hours, kept in ((23, True), (2, False)):
        telling.clock.forward(hours=hours)
        await purge(telling.context)
        (row,) = await telling.rows(WebhookRow)
        assert bool(row.previous_secret) is kept


async def test_the_account_of_a_refund_is_emptied_with_its_return(shop_telling: Telling) -> None:
    async with shop_telling.context.database.transaction() as session:
        row = (await session.exec(select(ReturnRow).limit(1))).one()
        done = update(ReturnRow).where(col(ReturnRow.id) == row.id)
        values = {"status": ReturnStatus.REFUND_PROCESSED, "refund_amount": Decimal(1)}
        await session.exec(done.values(updated_at=shop_telling.clock(), **values))
        session.add(
            RefundAccountRow(return_id=row.id, holder="zq", iban="NL91ABNA0417164300", entered_at=shop_telling.clock())
        )
    for days, held in ((729, ("zq", "NL91ABNA0417164300")), (3, ("", ""))):
        shop_telling.clock.forward(days=days)
        await delete_expired(shop_telling.context)
        (account,) = await shop_telling.rows(RefundAccountRow)
        assert (account.holder, account.iban) == held
