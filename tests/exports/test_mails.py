"""The retailer's people are told by mail what a customer sent: the right ones, once, and without personal data."""

import asyncio
import re
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from sqlmodel import select

from portal.backend.mail import Template
from portal.backend.staff import StaffSessions, acting
from portal.cases.api import CaseFilter, CaseNoteEntry, CasesApi
from portal.exports.api import ExportsApi
from portal.exports.provider.digest import JOB, Digest
from portal.exports.rules import recipients_of
from portal.kernel.days import AMSTERDAM
from portal.provider.application import Application
from portal.tables.cases import CaseRow
from portal.tables.messages import JobRow, OutboxMail
from portal.tables.staff import StaffRow
from portal.vocabulary.cases import KIND_OF_PATH, CaseEventType, CaseKind, CaseState
from portal.vocabulary.exchange import Mailbox
from portal.vocabulary.staff import Role
from portal.vocabulary.work_orders import WorkOrderStatus
from tests.exports.telling import Telling, telling_on
from tests.support.customers import JORIS
from tests.support.furnished import Furnished
from tests.support.mailbox import list_messages, read_message
from tests.support.receiver import Receiver
from tests.work_orders.history import reference_of

OPENED, MOVED = CaseEventType.OPENED, CaseEventType.STATUS_CHANGED


BY_CUSTOMER = {"by_customer": True, "has_store": True}
STORE, DESK, WAREHOUSE, FINANCE = Mailbox.STORE, Mailbox.DESK, Mailbox.WAREHOUSE, Mailbox.FINANCE


@pytest.mark.parametrize(
    ("kind", "in_store", "elsewhere"),
    [
        (CaseKind.REPAIR, {STORE}, {DESK}),
        (CaseKind.SERVICE, {STORE}, {DESK}),
        (CaseKind.CLAIM, {STORE}, {DESK}),
        (CaseKind.RETURN, {STORE}, {WAREHOUSE}),
        (CaseKind.WITHDRAWAL, {DESK}, {DESK}),
        (CaseKind.INSURANCE, {DESK}, {DESK}),
        (CaseKind.DATE_CHANGE, {DESK}, {DESK}),
        (CaseKind.CONTRACT_END, {DESK}, {DESK}),
        (CaseKind.BATTERY_ALARM, {STORE, WAREHOUSE}, {WAREHOUSE}),
    ],
)
def test_a_new_case_is_told_to_whoever_works_on_it(
    kind: CaseKind, in_store: set[Mailbox], elsewhere: set[Mailbox]
) -> None:
    for has_store, boxes in ((True, in_store), (False, elsewhere)):
        assert recipients_of(kind, OPENED, "new", by_customer=True, has_store=has_store) == boxes


@pytest.mark.parametrize("kind", [CaseKind.RETURN, CaseKind.WITHDRAWAL])
def test_a_refund_that_was_decided_is_told_to_finance(kind: CaseKind) -> None:
    for moved, boxes in ((True, {FINANCE}), (False, set())):
        found = recipients_of(kind, MOVED, "return_closed", moved=moved, by_customer=False, has_store=True)
        assert found == boxes


def test_what_the_customer_has_to_confirm_first_is_told_once_it_is_confirmed() -> None:
    assert recipients_of(CaseKind.INSURANCE, OPENED, "waiting_for_input", waiting=True, **BY_CUSTOMER) == set()
    assert recipients_of(CaseKind.INSURANCE, MOVED, "created", moved=True, **BY_CUSTOMER) == {DESK}


def test_later_a_customer_is_told_of_and_of_staff_only_that_a_case_comes_to_a_store() -> None:
    for happened in set(CaseEventType) - {OPENED}:
        boxes = recipients_of(CaseKind.REPAIR, happened, "planned", by_customer=False, has_store=True)
        assert boxes == ({STORE} if happened is CaseEventType.MOVED_TO_STORE else set())
    for happened in (CaseEventType.MESSAGE_FROM_CUSTOMER, CaseEventType.CLOSED):
        assert recipients_of(CaseKind.REPAIR, happened, "cancelled", **BY_CUSTOMER) == {STORE}


async def recipients(telling: Telling) -> list[str]:
    return [mail.recipient for mail in await telling.mails() if mail.template == Template.CASE_NEWS]


async def test_a_mail_goes_to_the_address_of_the_store_or_of_the_desk(telling: Telling) -> None:
    await telling.happen("AAAA2222", store=1)
    await telling.happen("BBBB2222", store=2)
    await telling.happen("CCCC2222", store=None)
    await telling.work()
    assert await recipients(telling) == ["utrecht@shop.example", "balie@shop.example", "balie@shop.example"]


@pytest.mark.parametrize(
    ("mailboxes", "store", "told"),
    [
        ({"warehouse": "utrecht@shop.example"}, 1, ["utrecht@shop.example"]),
        # Without addresses of their own all mail goes to the desk, which was mailed the number to call.
        ({"desk": "balie@shop.example"}, None, []),
    ],
)
async def test_mailboxes_with_the_same_address_get_one_mail(
    tables_url: str, tmp_path: Path, mailboxes: dict[str, str], store: int | None, told: list[str]
) -> None:
    async with telling_on(tables_url, tmp_path, mailboxes=mailboxes) as telling:
        await telling.happen(kind=CaseKind.BATTERY_ALARM, store=store)
        await telling.work()
        assert await recipients(telling) == told


async def test_an_event_of_yesterday_is_no_news(telling: Telling) -> None:
    await telling.happen("AAAA2222")
    telling.clock.forward(hours=25)
    await telling.happen("BBBB2222")
    await telling.work()
    assert len(await recipients(telling)) == 1


@pytest.mark.parametrize(
    ("locale", "subject", "act"),
    [("nl", "Nieuw: Reparatie ABCD 2345", "Bekijk de aanvraag"), ("en", "New: Repair ABCD 2345", "Open the case")],
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


MARKER = "zqnote"


async def test_a_note_is_in_no_event_mail_or_list(shop_telling: Telling, receiver: Receiver) -> None:
    shop, administrator = Furnished(shop_telling.application), shop_telling.administrator
    reference = await reference_of(shop, JORIS, status=WorkOrderStatus.IN_REPAIR)
    await shop_telling.hook(receiver.url)
    entry = CaseNoteEntry(text=f"{MARKER}: belt vaak")
    detail = await shop.ask(CasesApi).add_note(administrator, CaseKind.REPAIR.value, reference, entry)
    assert MARKER in detail.model_dump_json()
    await shop_telling.work()
    left = [request.content for request in receiver.received]
    assert '"case.note_added"' in left[0]
    listed = await shop.ask(CasesApi).case_list(administrator, CaseFilter())
    left += [chunk.decode() async for chunk in listed.chunks]
    left += [(await shop.ask(ExportsApi).insurance_list(administrator)).content.decode()]
    left += [str(mail) for mail in await shop_telling.rows(OutboxMail)]
    assert reference in "".join(left)
    assert MARKER not in "".join(left)


async def promise(telling: Telling, reference: str, **values: object) -> None:
    await telling.change(CaseRow, {**values}, reference=reference)


async def digests(telling: Telling) -> list[tuple[str, int]]:
    mails = [mail for mail in await telling.mails() if mail.template == Template.CASES_OVERDUE]
    return sorted((mail.recipient, mail.details.get("count", 0)) for mail in mails)


async def planned(telling: Telling) -> list[datetime]:
    return [job.due_at.astimezone(AMSTERDAM) for job in await telling.rows(JobRow) if job.kind == JOB]


def local(*moment: int) -> datetime:
    return datetime(*moment, tzinfo=AMSTERDAM)


async def only_digests(telling: Telling) -> None:
    for job in await telling.rows(JobRow):
        if job.kind == JOB and job.due_at <= telling.clock():
            await Digest(telling.context).send(job.reference)


async def test_a_store_is_mailed_what_is_overdue_and_others_theirs(telling: Telling) -> None:
    telling.clock.go_to(local(2026, 11, 23, 7, 0))
    past, later = telling.clock() - timedelta(days=1), telling.clock() + timedelta(days=1)
    for reference, store in (("AAAA2222", 1), ("BBBB2222", 1), ("CCCC2222", 2), ("DDDD2222", 1), ("EEEE2222", 1)):
        await telling.happen(reference, store=store)
        await promise(telling, reference, promised_at=past)
    await promise(telling, "DDDD2222", promised_at=later)
    await promise(telling, "EEEE2222", state=CaseState.WAITING)
    await promise(telling, "BBBB2222", urgent=True)
    await Digest(telling.context).plan()
    telling.clock.go_to(local(2026, 11, 23, 7, 29))
    await only_digests(telling)
    assert await digests(telling) == []
    telling.clock.go_to(local(2026, 11, 23, 7, 30))
    await only_digests(telling)
    assert await digests(telling) == [("balie@shop.example", 1), ("utrecht@shop.example", 2)]
    (store,) = [mail.details for mail in await telling.mails() if mail.recipient == "utrecht@shop.example"]
    assert [case["reference"] for case in store["cases"]] == ["BBBB2222", "AAAA2222"]
    assert {case["day"] for case in store["cases"]} == {"22\u00a0november 2026"}
    assert store["link"].endswith("/cases?view=overdue")


@pytest.mark.each_database
async def test_two_processes_send_one_digest_and_plan_one(telling: Telling) -> None:
    telling.clock.go_to(local(2026, 11, 23, 7, 0))
    await telling.happen()
    await promise(telling, "ABCD2345", promised_at=telling.clock() - timedelta(days=1))
    other = Application(telling.context.settings, clock=telling.clock)
    processes = [Digest(telling.context), Digest(other.context)]
    await asyncio.gather(*[process.plan() for process in processes])
    (job,) = [row for row in await telling.rows(JobRow) if row.kind == JOB]
    telling.clock.go_to(local(2026, 11, 23, 7, 30))
    await asyncio.gather(*[process.send(job.reference) for process in processes])
    await other.context.database.close()
    assert await digests(telling) == [("utrecht@shop.example", 1)]
    assert await planned(telling) == [local(2026, 11, 24, 7, 30)]


@pytest.mark.parametrize("day", [(2026, 3, 28), (2026, 3, 29), (2026, 10, 24), (2026, 10, 25), (2026, 12, 31)])
async def test_the_next_digest_is_at_the_same_local_time_when_clocks_change(
    telling: Telling, day: tuple[int, int, int]
) -> None:
    telling.clock.go_to(local(*day, 6, 0))
    await Digest(telling.context).plan()
    telling.clock.go_to(local(*day, 7, 30))
    await only_digests(telling)
    (following,) = await planned(telling)
    assert (following.hour, following.minute) == (7, 30)
    assert following.date() == datetime(*day).date() + timedelta(days=1)


async def test_a_digest_that_is_late_by_a_day_is_left_out_and_the_next_is_planned(telling: Telling) -> None:
    telling.clock.go_to(local(2026, 11, 23, 7, 0))
    await telling.happen()
    await promise(telling, "ABCD2345", promised_at=telling.clock() - timedelta(days=1))
    await Digest(telling.context).plan()
    telling.clock.go_to(local(2026, 11, 25, 9, 0))
    await only_digests(telling)
    assert await digests(telling) == []
    assert await planned(telling) == [local(2026, 11, 26, 7, 30)]
