"""A case whose customer did not use the mailed link in time comes back to the queue, and says so."""

from __future__ import annotations

from datetime import timedelta

from sqlmodel import col, select

from portal.cases.api import CasesApi, QueuePage
from portal.cases.provider.subjects import take_back
from portal.contract.session import Origin
from portal.conversations.api import StaffConversationsApi
from portal.insurance.api import InsuranceApi
from portal.links.api import LinkEntry, LinksApi
from portal.provider.hourly import purge
from portal.tables.cases import CaseEventRow, CaseRow
from portal.vocabulary.cases import CaseEventType, CaseKind, CaseState, CaseView
from portal.vocabulary.conversations import Asks
from portal.vocabulary.links import LinkPurpose, lifetime
from portal.vocabulary.staff import Role
from portal.withdrawals.api import GuestWithdrawal, WithdrawalsApi
from tests.support.conversing import case_of_repair, message
from tests.support.customers import JORIS, ROOS
from tests.support.living import FLEUR, Living
from tests.support.returning import BUNDLE

_S = CaseState


async def stored(shop: Living, reference: str) -> CaseRow:
    async with shop.context.database.session() as session:
        return (await session.exec(select(CaseRow).where(CaseRow.reference == reference))).one()


async def told(shop: Living, reference: str) -> list[str]:
    async with shop.context.database.session() as session:
        query = select(CaseEventRow.type).join(CaseRow).where(CaseRow.reference == reference)
        return list(await session.exec(query.order_by(col(CaseEventRow.id))))


async def insurance(shop: Living) -> str:
    """Reference of an insurance that waits for its link."""
    token = await shop.log_in(FLEUR)
    steps = (
        ("insurance", {"type": "theft", "insurer": "fietsvast", "key_number": "B12345"}),
        ("account", {"iban": "NL91 ABNA 0417 1643 00", "agreed": "yes"}),
    )
    bike = await shop.bike_of(token, "900000081")
    return (await shop.send(token, await shop.fill(token, "insurance-request", bike, *steps))).reference


async def withdrawal(shop: Living) -> str:
    """Reference of a declaration of a guest that waits for its link."""
    entry = GuestWithdrawal(order_number=BUNDLE, email=ROOS[1], name="Wie dan ook", key="stranger-1")
    return (await shop.ask(WithdrawalsApi).guest_withdraw(entry, Origin(address="192.0.2.9"))).reference


async def test_an_expired_link_brings_its_case_back_as_overdue(living: Living) -> None:
    reference = await insurance(living)
    waits = await stored(living, reference)
    assert (waits.state, waits.promised_at) == (_S.WAITING, None)
    living.clock.forward(seconds=lifetime(LinkPurpose.INSURANCE).total_seconds() + 1)
    await purge(living.context)
    back = await stored(living, reference)
    assert (back.state, back.waiting_since, back.version) == (_S.NEW, None, waits.version + 1)
    assert back.promised_at == waits.waiting_until
    assert await told(living, reference) == [CaseEventType.OPENED, CaseEventType.LINK_EXPIRED]
    desk = await living.log_in_staff(Role.SERVICE_DESK)
    overdue = await living.ask(CasesApi).queue(desk, QueuePage(view=CaseView.OVERDUE, kind=CaseKind.INSURANCE))
    assert reference in [entry.reference for entry in overdue.items]


async def test_a_link_that_is_still_valid_leaves_its_case_waiting(living: Living) -> None:
    reference = await insurance(living)
    living.clock.forward(seconds=lifetime(LinkPurpose.INSURANCE).total_seconds() - 60)
    await take_back(living.context)
    assert (await stored(living, reference)).state is _S.WAITING


async def test_a_declaration_of_a_guest_comes_back_too_and_waits_again_for_a_new_link(living: Living) -> None:
    reference = await withdrawal(living)
    end = await living.end(ROOS[1], LinkPurpose.WITHDRAWAL)
    living.clock.forward(seconds=lifetime(LinkPurpose.WITHDRAWAL).total_seconds() + 1)
    await take_back(living.context)
    assert (await stored(living, reference)).state is _S.NEW
    await living.ask(LinksApi).resend_link(LinkEntry(purpose=LinkPurpose.WITHDRAWAL, hash=end))
    again = await stored(living, reference)
    assert (again.state, again.promised_at) == (_S.WAITING, None)
    assert again.waiting_until == living.clock.now + lifetime(LinkPurpose.WITHDRAWAL)
    await take_back(living.context)
    assert (await stored(living, reference)).state is _S.WAITING


async def test_a_case_of_a_person_comes_back_to_that_person(living: Living) -> None:
    reference = await insurance(living)
    async with living.context.database.transaction() as session:
        row = (await session.exec(select(CaseRow).where(CaseRow.reference == reference))).one()
        row.assigned_to = 1
    living.clock.forward(days=3)
    await take_back(living.context)
    assert (await stored(living, reference)).state is _S.OPEN


async def test_an_open_question_keeps_the_case_waiting(living: Living) -> None:
    case = await case_of_repair(living.context, JORIS[1])
    desk = await living.log_in_staff(Role.SERVICE_DESK)
    question = message("Welke sleutel hoort erbij?", asks=Asks.ANSWER)
    await living.ask(StaffConversationsApi).send_message(desk, case.kind, case.reference, question)
    await living.change(CaseRow, {"waiting_until": living.clock.now - timedelta(minutes=1)}, reference=case.reference)
    await take_back(living.context)
    assert (await stored(living, case.reference)).state is _S.WAITING
    await living.ask(StaffConversationsApi).close_question(desk, case.kind, case.reference)
    assert (await stored(living, case.reference)).state is _S.OPEN


async def test_a_finished_case_stays_finished(living: Living) -> None:
    reference = await insurance(living)
    await living.ask(InsuranceApi).cancel_insurance(await living.log_in(FLEUR), reference)
    living.clock.forward(days=3)
    await take_back(living.context)
    assert (await stored(living, reference)).state is _S.DONE
