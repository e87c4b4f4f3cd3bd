"""The retailer's people are told by mail what a customer sent: the right ones, once, and without personal data."""

from __future__ import annotations

import asyncio
import re
from datetime import timedelta
from pathlib import Path

import pytest
from sqlmodel import select

from portal.backend.mail import Template
from portal.backend.staff import StaffSessions, acting
from portal.backend.transports import list_messages, read_message
from portal.exports.rules import recipients_of
from portal.tables.cases import CaseRow
from portal.tables.staff import StaffRow
from portal.vocabulary.cases import KIND_OF_PATH, CaseEventType, CaseKind
from portal.vocabulary.exchange import Mailbox
from portal.vocabulary.staff import Role
from tests.exports.telling import Telling, telling_on

OPENED = CaseEventType.OPENED


@pytest.mark.parametrize(
    ("kind", "has_store", "box"),
    [
        (CaseKind.REPAIR, True, Mailbox.STORE),
        (CaseKind.REPAIR, False, Mailbox.DESK),
        (CaseKind.SERVICE, True, Mailbox.STORE),
        (CaseKind.CLAIM, True, Mailbox.STORE),
        (CaseKind.RETURN, True, Mailbox.STORE),
        (CaseKind.RETURN, False, Mailbox.WAREHOUSE),
        (CaseKind.WITHDRAWAL, False, Mailbox.DESK),
        (CaseKind.INSURANCE, False, Mailbox.DESK),
        (CaseKind.DATE_CHANGE, True, Mailbox.DESK),
        (CaseKind.CONTRACT_END, False, Mailbox.DESK),
    ],
)
def test_a_new_case_is_told_to_whoever_works_on_it(kind: CaseKind, has_store: bool, box: Mailbox) -> None:
    assert recipients_of(kind, OPENED, "new", by_customer=True, has_store=has_store) == {box}


@pytest.mark.parametrize(
    ("has_store", "boxes"), [(True, {Mailbox.STORE, Mailbox.WAREHOUSE}), (False, {Mailbox.WAREHOUSE})]
)
def test_a_battery_alarm_is_told_to_those_who_may_get_the_battery(has_store: bool, boxes: set[Mailbox]) -> None:
    assert recipients_of(CaseKind.BATTERY_ALARM, OPENED, "new", by_customer=True, has_store=has_store) == boxes


@pytest.mark.parametrize("kind", [CaseKind.RETURN, CaseKind.WITHDRAWAL])
def test_a_refund_that_was_decided_is_told_to_finance(kind: CaseKind) -> None:
    changed = CaseEventType.STATUS_CHANGED
    for moved, boxes in ((True, {Mailbox.FINANCE}), (False, set())):
        found = recipients_of(kind, changed, "return_closed", moved=moved, by_customer=False, has_store=True)
        assert found == boxes


def test_what_the_customer_has_to_confirm_first_is_told_once_it_is_confirmed() -> None:
    about = {"by_customer": True, "has_store": False}
    assert recipients_of(CaseKind.INSURANCE, OPENED, "waiting_for_input", waiting=True, **about) == set()
    confirmed = recipients_of(CaseKind.INSURANCE, CaseEventType.STATUS_CHANGED, "created", moved=True, **about)
    assert confirmed == {Mailbox.DESK}


@pytest.mark.parametrize("happened", [each for each in CaseEventType if each not in {OPENED}])
def test_what_staff_do_is_not_told_to_them_unless_a_case_comes_to_a_store(happened: CaseEventType) -> None:
    boxes = recipients_of(CaseKind.REPAIR, happened, "planned", by_customer=False, has_store=True)
    assert boxes == ({Mailbox.STORE} if happened is CaseEventType.MOVED_TO_STORE else set())


@pytest.mark.parametrize("happened", [CaseEventType.MESSAGE_FROM_CUSTOMER, CaseEventType.CLOSED])
def test_what_a_customer_does_later_is_told(happened: CaseEventType) -> None:
    assert recipients_of(CaseKind.REPAIR, happened, "cancelled", by_customer=True, has_store=True) == {Mailbox.STORE}


async def recipients(telling: Telling) -> list[str]:
    return [mail.recipient for mail in await telling.mails() if mail.template == Template.CASE_NEWS]


async def test_a_mail_goes_to_the_address_of_the_store_or_of_the_desk(telling: Telling) -> None:
    await telling.happen("AAAA2222", store=1)
    await telling.happen("BBBB2222", store=2)
    await telling.happen("CCCC2222", store=None)
    await telling.work()
    assert await recipients(telling) == ["utrecht@shop.example", "balie@shop.example", "balie@shop.example"]


async def test_mailboxes_with_the_same_address_get_one_mail(tables_url: str, tmp_path: Path) -> None:
    async with telling_on(tables_url, tmp_path, mailboxes={"warehouse": "utrecht@shop.example"}) as telling:
        await telling.happen(kind=CaseKind.BATTERY_ALARM)
        await telling.work()
        assert await recipients(telling) == ["utrecht@shop.example"]


async def test_the_desk_gets_no_second_mail_about_a_battery_alarm(tables_url: str, tmp_path: Path) -> None:
    # Without addresses of their own all mail goes to the desk, which was mailed the number to call.
    async with telling_on(tables_url, tmp_path, mailboxes={"desk": "balie@shop.example"}) as telling:
        await telling.happen(kind=CaseKind.BATTERY_ALARM, store=None)
        await telling.work()
        assert await recipients(telling) == []


async def test_an_event_of_yesterday_is_no_news(telling: Telling) -> None:
    await telling.happen("AAAA2222")
    telling.clock.forward(hours=25)
    await telling.happen("BBBB2222")
    await telling.work()
    assert len(await recipients(telling)) == 1


@pytest.mark.parametrize(
    ("locale", "subject", "act"),
    [
        ("nl", "Nieuw: Reparatie ABCD 2345", "Bekijk de aanvraag"),
        ("en", "New: Repair ABCD 2345", "Open the case"),
    ],
)
async def test_a_mail_leads_to_the_case_and_names_no_customer(
    locale: str, subject: str, act: str, tables_url: str, tmp_path: Path
) -> None:
    public = {"public_url": "https://mijn.shop.example", "desk_locale": locale}
    async with telling_on(tables_url, tmp_path, **public) as telling:
        await telling.happen(note="zq-note", customer="Sanne Vermeer")
        await telling.work()
        (listed,) = await asyncio.to_thread(list_messages, tmp_path)
        mail = read_message(tmp_path, listed.name)
    assert mail.subject == subject
    assert "https://balie.shop.example/cases/repair/ABCD2345" in mail.text
    assert act in mail.text
    assert "Winkel Utrecht" in mail.text
    assert "zq-note" not in mail.text + mail.html
    assert "Sanne" not in mail.text + mail.html


async def test_a_mail_and_a_webhook_of_an_event_are_made_together_or_not_at_all(
    telling: Telling, monkeypatch: pytest.MonkeyPatch
) -> None:
    await telling.hook("http://127.0.0.1:9/events")
    await telling.happen()

    async def fails(*_: object, **__: object) -> None:
        raise ConnectionError

    with monkeypatch.context() as broken:
        broken.setattr("portal.backend.outbox.Outbox.post", fails)
        await telling.work()
    assert (await telling.deliveries(), await telling.mails()) == ([], [])
    telling.clock.forward(seconds=timedelta(minutes=2).total_seconds())
    await telling.work()
    assert (len(await telling.deliveries()), len(await telling.mails())) == (1, 1)


async def test_a_mail_about_any_kind_leads_to_an_address_of_its_case(telling: Telling) -> None:
    kinds = sorted(set(CaseKind) - {CaseKind.UNKNOWN})
    for number, kind in enumerate(kinds):
        await telling.happen(f"ABCD234{number + 2}", kind=kind, store=1)
    await telling.work()
    directory = telling.context.settings.data_dir
    texts = [read_message(directory, mail.name).text for mail in await asyncio.to_thread(list_messages, directory)]
    paths = [re.search(r"/cases/([^/]+)/ABCD234", text) for text in texts]
    assert {KIND_OF_PATH[found[1]] for found in paths if found} == set(kinds)


async def test_who_handles_a_case_hears_what_others_do_and_nothing_of_their_own(telling: Telling) -> None:
    await telling.happen(store=None)
    async with telling.context.database.transaction() as session:
        mechanic = (await session.exec(select(StaffRow).where(StaffRow.role == Role.MECHANIC))).one()
        (await session.exec(select(CaseRow))).one().assigned_to = mechanic.id
        address = mechanic.email
    await telling.work()

    async def heard(happened: CaseEventType, *, by_customer: bool) -> bool:
        before = len(await recipients(telling))
        await telling.happen(happened=happened, store=None, by_customer=by_customer)
        await telling.work()
        return address in (await recipients(telling))[before:]

    assert await heard(CaseEventType.MESSAGE_FROM_CUSTOMER, by_customer=True)
    assert await heard(CaseEventType.FILE_ADDED, by_customer=True)
    assert await heard(CaseEventType.ASSIGNED, by_customer=False)
    assert await heard(CaseEventType.NOTE_ADDED, by_customer=False)
    assert not await heard(CaseEventType.PLANNED, by_customer=False)
    async with telling.context.database.transaction() as session:
        member = await StaffSessions(telling.context).by_id(session, mechanic.id)
    own = acting.set(member)
    try:
        assert not await heard(CaseEventType.NOTE_ADDED, by_customer=False)
    finally:
        acting.reset(own)
