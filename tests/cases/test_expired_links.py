"""A case whose customer did not use the mailed link in time comes back to the queue, and says so."""

from datetime import timedelta

from portal.cases.api import CasesApi, QueuePage
from portal.cases.provider.subjects import take_back
from portal.conversations.api import StaffConversationsApi
from portal.links.api import LinkEntry, LinksApi
from portal.provider.hourly import purge
from portal.tables.cases import CaseEventRow, CaseRow
from portal.vocabulary.cases import Asks, CaseEventType, CaseKind, CaseState, CaseView
from portal.vocabulary.links import LinkPurpose, lifetime
from portal.vocabulary.staff import Role
from tests.cases.test_in_step import declared, requested_insurance
from tests.support.conversing import case_of_repair, message
from tests.support.customers import JORIS, ROOS
from tests.support.living import Living

_S = CaseState


async def test_an_expired_link_brings_its_case_back_as_overdue(living: Living) -> None:
    _, reference = await requested_insurance(living)
    waits = await living.row(CaseRow, reference=reference)
    assert (waits.state, waits.promised_at) == (_S.WAITING, None)
    living.clock.forward(seconds=lifetime(LinkPurpose.INSURANCE).total_seconds() - 60)
    await take_back(living.context)
    assert (await living.row(CaseRow, reference=reference)).state is _S.WAITING
    living.clock.forward(seconds=61)
    await purge(living.context)
    back = await living.row(CaseRow, reference=reference)
    assert (back.state, back.waiting_since, back.version) == (_S.NEW, None, waits.version + 1)
    assert back.promised_at == waits.waiting_until
    events = [event.type for event in await living.rows(CaseEventRow, case_id=back.id)]
    assert events == [CaseEventType.OPENED, CaseEventType.LINK_EXPIRED]
    desk = await living.log_in_staff(Role.SERVICE_DESK)
    overdue = await living.ask(CasesApi).queue(desk, QueuePage(view=CaseView.OVERDUE, kind=CaseKind.INSURANCE))
    assert reference in [entry.reference for entry in overdue.items]


async def test_a_declaration_of_a_guest_comes_back_too_and_waits_again_for_a_new_link(living: Living) -> None:
    reference = await declared(living)
    end = await living.end(ROOS[1], LinkPurpose.WITHDRAWAL)
    living.clock.forward(seconds=lifetime(LinkPurpose.WITHDRAWAL).total_seconds() + 1)
    await take_back(living.context)
    assert (await living.row(CaseRow, reference=reference)).state is _S.NEW
    await living.ask(LinksApi).resend_link(LinkEntry(purpose=LinkPurpose.WITHDRAWAL, hash=end))
    again = await living.row(CaseRow, reference=reference)
    assert (again.state, again.promised_at) == (_S.WAITING, None)
    assert again.waiting_until == living.clock.now + lifetime(LinkPurpose.WITHDRAWAL)
    await take_back(living.context)
    assert (await living.row(CaseRow, reference=reference)).state is _S.WAITING


async def test_a_case_of_a_person_comes_back_to_that_person(living: Living) -> None:
    _, reference = await requested_insurance(living)
    await living.change(CaseRow, {"assigned_to": 1}, reference=reference)
    living.clock.forward(days=3)
    await take_back(living.context)
    assert (await living.row(CaseRow, reference=reference)).state is _S.OPEN


async def test_an_open_question_keeps_the_case_waiting(living: Living) -> None:
    case = await case_of_repair(living.context, JORIS[1])
    desk = await living.log_in_staff(Role.SERVICE_DESK)
    question = message("Welke sleutel hoort erbij?", asks=Asks.ANSWER)
    await living.ask(StaffConversationsApi).send_message(desk, case.kind, case.reference, question)
    await living.change(CaseRow, {"waiting_until": living.clock.now - timedelta(minutes=1)}, reference=case.reference)
    await take_back(living.context)
    assert (await living.row(CaseRow, reference=case.reference)).state is _S.WAITING
    await living.ask(StaffConversationsApi).close_question(desk, case.kind, case.reference)
    assert (await living.row(CaseRow, reference=case.reference)).state is _S.OPEN
