"""Messages both ways about a case: who may read and write, what goes out, and what waits for whom."""

import asyncio
from datetime import timedelta

import pytest

from portal.contract.errors import Conflict, InvalidInput, NotFound, Refused
from portal.conversations.api import AnswerEntry, AnswerText, ConversationsApi, StaffConversationsApi
from portal.flow.api import FlowApi
from portal.kernel.codes import Code
from portal.tables.cases import CaseEventRow, CaseRow
from portal.tables.customers import CustomerRow
from portal.tables.drafts import DraftRow
from portal.tables.messages import CaseMessageRow, OutboxMail
from portal.tables.staff import AuditRow
from portal.vocabulary.cases import MAX_CHARACTERS, Asks, CaseEventType, CaseState, Outcome, Way
from portal.vocabulary.staff import Role
from tests.support.conversing import CaseName, answer, case_of_repair, case_row, finish, message, staff_token, upload
from tests.support.customers import JORIS, SANNE
from tests.support.furnished import Furnished


async def told(shop: Furnished) -> tuple[CaseName, str, str]:
    """A case, a session of its customer, and one of a mechanic of its store."""
    case = await case_of_repair(shop.context, SANNE[1])
    return case, await shop.log_in(SANNE), await staff_token(shop.context, Role.MECHANIC, case.partner_id)


async def test_a_question_and_its_answer_are_seen_on_both_sides(furnished: Furnished) -> None:
    case, customer, mechanic = await told(furnished)
    staff, own = furnished.ask(StaffConversationsApi), furnished.ask(ConversationsApi)
    before = (await case_row(furnished.context, case)).version
    sent = await staff.send_message(mechanic, case.kind, case.reference, message(asks=Asks.PHOTO))
    assert (sent.state, sent.asks, sent.customer) == (CaseState.WAITING, Asks.PHOTO, "Sanne")
    read = await own.conversation(customer, case.kind, case.reference)
    assert (read.asks, read.unread, read.messages[0].text) == (Asks.PHOTO, 1, "Kun je een foto sturen?")
    assert (read.messages[0].author, bool(read.messages[0].store)) == ("Mila", True)
    answered = await answer(furnished, customer, case, "Alsjeblieft", "a.jpg", "b.jpg")
    assert (answered.asks, answered.unread, answered.draft) == (Asks.NOTHING, 0, None)
    seen = await staff.case_conversation(mechanic, case.kind, case.reference)
    assert (seen.state, seen.asks, seen.unread) == (CaseState.OPEN, Asks.NOTHING, 1)
    assert [(entry.author, entry.by_customer, entry.answered) for entry in seen.messages] == [
        ("Mila", False, True),
        ("Sanne", True, False),
    ]
    assert [file.name for file in seen.messages[1].files] == ["a.jpg", "b.jpg"]
    row = await case_row(furnished.context, case)
    assert (row.waiting_since, row.version) == (None, before + 2)


async def test_each_message_is_an_event_of_the_case_and_in_the_audit(furnished: Furnished) -> None:
    case, customer, mechanic = await told(furnished)
    case_id = (await case_row(furnished.context, case)).id
    before = len(await furnished.rows(CaseEventRow, case_id=case_id))
    await furnished.ask(StaffConversationsApi).send_message(
        mechanic, case.kind, case.reference, message("GEHEIM", asks=Asks.ANSWER)
    )
    await answer(furnished, customer, case, "GEHEIM")
    found = (await furnished.rows(CaseEventRow, case_id=case_id))[before:]
    kinds = [(event.type, event.by_customer, event.staff_id is not None) for event in found]
    assert kinds == [
        (CaseEventType.MESSAGE_FROM_STAFF, False, True),
        (CaseEventType.MESSAGE_FROM_CUSTOMER, True, False),
    ]
    written = await furnished.rows(AuditRow)
    assert [(row.action, row.kind, row.reference) for row in written] == [("send_message", case.kind, case.reference)]
    assert "GEHEIM" not in str([*(event.details for event in found), *(row.details for row in written)])


async def test_another_customers_conversation_and_its_files_are_not_found(furnished: Furnished) -> None:
    case, customer, mechanic = await told(furnished)
    await furnished.ask(StaffConversationsApi).send_message(mechanic, case.kind, case.reference, message())
    own = furnished.ask(ConversationsApi)
    draft = await own.begin_answer(customer, case.kind, case.reference)
    file = await upload(furnished, customer, draft.draft_id)
    stranger, others = await furnished.log_in(JORIS), await case_of_repair(furnished.context, JORIS[1])
    entry = AnswerEntry(draft_id=draft.draft_id, text="van mij", files=[file.upload_id])
    for call in (
        lambda: own.conversation(stranger, case.kind, case.reference),
        lambda: own.begin_answer(stranger, case.kind, case.reference),
        lambda: own.keep_answer(stranger, case.kind, case.reference, AnswerText(draft_id=draft.draft_id, text="x")),
        lambda: own.send_answer(stranger, case.kind, case.reference, entry),
        lambda: own.mark_read(stranger, case.kind, case.reference),
    ):
        with pytest.raises(NotFound):
            await call()
    with pytest.raises(NotFound):
        await own.send_answer(stranger, others.kind, others.reference, entry)
    assert len(await furnished.rows(CaseMessageRow)) == 1
    theirs = await own.begin_answer(stranger, others.kind, others.reference)
    entry = AnswerEntry(draft_id=theirs.draft_id, text="x", files=[file.upload_id])
    with pytest.raises(InvalidInput) as caught:
        await own.send_answer(stranger, others.kind, others.reference, entry)
    assert caught.value.fields == {"files": Code.UNRESOLVED_FILES}


@pytest.mark.each_database
async def test_a_double_press_sends_once(furnished: Furnished) -> None:
    case, customer, mechanic = await told(furnished)
    staff, own = furnished.ask(StaffConversationsApi), furnished.ask(ConversationsApi)
    entry = message(asks=Asks.ANSWER)
    await asyncio.gather(*(staff.send_message(mechanic, case.kind, case.reference, entry) for _ in range(3)))
    assert (
        len(await furnished.rows(CaseMessageRow)),
        len(await furnished.rows(OutboxMail, template="case_message")),
    ) == (1, 1)
    draft = await own.begin_answer(customer, case.kind, case.reference)
    reply = AnswerEntry(draft_id=draft.draft_id, text="Ja")
    await asyncio.gather(*(own.send_answer(customer, case.kind, case.reference, reply) for _ in range(3)))
    assert [row.text for row in await furnished.rows(CaseMessageRow)] == [entry.text, "Ja"]


async def test_a_key_of_another_case_is_refused(furnished: Furnished) -> None:
    case, _, mechanic = await told(furnished)
    other = await case_of_repair(furnished.context, JORIS[1])
    staff, entry = furnished.ask(StaffConversationsApi), message()
    await staff.send_message(mechanic, case.kind, case.reference, entry)
    with pytest.raises(Conflict) as caught:
        await staff.send_message(mechanic, other.kind, other.reference, entry)
    assert caught.value.code is Code.IDEMPOTENCY_KEY_REUSED


async def test_two_tabs_and_the_next_session_continue_one_answer(furnished: Furnished) -> None:
    case, customer, _ = await told(furnished)
    own = furnished.ask(ConversationsApi)
    first, second = await asyncio.gather(*(own.begin_answer(customer, case.kind, case.reference) for _ in range(2)))
    assert first.draft_id == second.draft_id
    await own.keep_answer(customer, case.kind, case.reference, AnswerText(draft_id=first.draft_id, text="Half"))
    await upload(furnished, customer, first.draft_id)
    found = (await own.conversation(await furnished.log_in(SANNE), case.kind, case.reference)).draft
    assert found
    assert (found.text, [file.name for file in found.files]) == ("Half", ["foto.jpg"])


@pytest.mark.parametrize(
    ("text", "code"), [("", Code.REQUIRED), (" \n\u200e ", Code.REQUIRED), ("x" * (MAX_CHARACTERS + 1), Code.TOO_LONG)]
)
async def test_an_answer_needs_a_text_or_a_file(furnished: Furnished, text: str, code: Code) -> None:
    case, customer, mechanic = await told(furnished)
    own = furnished.ask(ConversationsApi)
    draft = await own.begin_answer(customer, case.kind, case.reference)
    for call in (
        lambda: own.send_answer(customer, case.kind, case.reference, AnswerEntry(draft_id=draft.draft_id, text=text)),
        lambda: furnished.ask(StaffConversationsApi).send_message(mechanic, case.kind, case.reference, message(text)),
    ):
        with pytest.raises(InvalidInput) as caught:
            await call()
        assert caught.value.fields == {"text": code}
    file = await upload(furnished, customer, draft.draft_id)
    entry = AnswerEntry(draft_id=draft.draft_id, files=[file.upload_id])
    assert (await own.send_answer(customer, case.kind, case.reference, entry)).messages[-1].files


async def test_a_finished_case_takes_neither_a_question_nor_an_answer(furnished: Furnished) -> None:
    case, customer, mechanic = await told(furnished)
    own, staff = furnished.ask(ConversationsApi), furnished.ask(StaffConversationsApi)
    draft = await own.begin_answer(customer, case.kind, case.reference)
    await finish(furnished.context, case)
    entry = AnswerEntry(draft_id=draft.draft_id, text="Ja")
    for call in (
        lambda: own.begin_answer(customer, case.kind, case.reference),
        lambda: own.send_answer(customer, case.kind, case.reference, entry),
        lambda: staff.send_message(mechanic, case.kind, case.reference, message(asks=Asks.ANSWER)),
    ):
        with pytest.raises(Conflict) as caught:
            await call()
        assert caught.value.code is Code.CASE_CLOSED
    await staff.send_message(mechanic, case.kind, case.reference, message("Tot ziens"))
    found = await own.conversation(customer, case.kind, case.reference)
    assert (found.open, found.messages[-1].text) == (False, "Tot ziens")


async def test_an_answer_that_was_begun_long_ago_has_expired(furnished: Furnished) -> None:
    case, customer, _ = await told(furnished)
    own = furnished.ask(ConversationsApi)
    draft = await own.begin_answer(customer, case.kind, case.reference)
    past = furnished.context.clock() - timedelta(minutes=1)
    await furnished.change(DraftRow, {"expires_at": past}, public_id=draft.draft_id)
    entry = AnswerEntry(draft_id=draft.draft_id, text="Ja")
    with pytest.raises(Refused) as caught:
        await own.send_answer(customer, case.kind, case.reference, entry)
    assert caught.value.code is Code.ANSWER_EXPIRED
    assert (await own.begin_answer(customer, case.kind, case.reference)).draft_id != draft.draft_id


async def test_closing_the_question_ends_the_wait(furnished: Furnished) -> None:
    case, customer, mechanic = await told(furnished)
    staff = furnished.ask(StaffConversationsApi)
    await staff.send_message(mechanic, case.kind, case.reference, message(asks=Asks.ANSWER))
    assert (await case_row(furnished.context, case)).waiting_since
    closed = await staff.close_question(mechanic, case.kind, case.reference)
    assert (closed.state, closed.asks, closed.messages[0].answered) == (CaseState.OPEN, Asks.NOTHING, True)
    assert (await furnished.ask(ConversationsApi).conversation(customer, case.kind, case.reference)).asks == "nothing"
    again = await staff.close_question(mechanic, case.kind, case.reference)
    assert again.version == closed.version


async def test_reading_is_recorded_for_the_other_side(furnished: Furnished) -> None:
    case, customer, mechanic = await told(furnished)
    staff, own = furnished.ask(StaffConversationsApi), furnished.ask(ConversationsApi)
    await staff.send_message(mechanic, case.kind, case.reference, message())
    await own.mark_read(customer, case.kind, case.reference)
    assert (await staff.case_conversation(mechanic, case.kind, case.reference)).messages[0].read
    await answer(furnished, customer, case)
    assert not (await own.conversation(customer, case.kind, case.reference)).messages[1].read
    await staff.mark_case_read(mechanic, case.kind, case.reference)
    assert (await own.conversation(customer, case.kind, case.reference)).messages[1].read


async def test_what_went_out_stands_beside_the_message(furnished: Furnished) -> None:
    case, _, mechanic = await told(furnished)
    staff = furnished.ask(StaffConversationsApi)
    sent = await staff.send_message(mechanic, case.kind, case.reference, message())
    assert [(entry.way, entry.outcome) for entry in sent.messages[0].sendings] == [(Way.MAIL, Outcome.WAITING)]
    now = furnished.context.clock()
    for values, outcome in (({"sent_at": now}, Outcome.SENT), ({"sent_at": None, "dropped_at": now}, Outcome.FAILED)):
        await furnished.change(OutboxMail, values, template="case_message")
        found = await staff.case_conversation(mechanic, case.kind, case.reference)
        assert [(entry.outcome, entry.at) for entry in found.messages[0].sendings] == [(outcome, now)]
    await furnished.change(CaseMessageRow, {"mail_id": None}, template="")
    found = await staff.case_conversation(mechanic, case.kind, case.reference)
    assert [entry.outcome for entry in found.messages[0].sendings] == [Outcome.OVER]


async def test_a_guest_cannot_be_written_to(furnished: Furnished) -> None:
    case, _, mechanic = await told(furnished)
    await furnished.change(CaseRow, {"customer_id": None}, reference=case.reference)
    staff = furnished.ask(StaffConversationsApi)
    seen = await staff.case_conversation(mechanic, case.kind, case.reference)
    assert (seen.reachable, seen.ways, seen.customer) == (False, [], "")
    with pytest.raises(Refused) as caught:
        await staff.send_message(mechanic, case.kind, case.reference, message())
    assert caught.value.code is Code.CUSTOMER_UNREACHABLE


async def test_a_customer_without_an_address_reads_it_in_the_portal(furnished: Furnished) -> None:
    case, customer, mechanic = await told(furnished)
    await furnished.change(CustomerRow, {"email": ""}, email=SANNE[1])
    sent = await furnished.ask(StaffConversationsApi).send_message(mechanic, case.kind, case.reference, message())
    assert (sent.ways, sent.messages[0].sendings, await furnished.rows(OutboxMail, template="case_message")) == (
        [Way.TEXT_MESSAGE],
        [],
        [],
    )
    assert (await furnished.ask(ConversationsApi).conversation(customer, case.kind, case.reference)).unread == 1


async def test_staff_open_the_files_of_an_answer(furnished: Furnished) -> None:
    case, customer, mechanic = await told(furnished)
    answered = await answer(furnished, customer, case, "", "a.jpg")
    file = answered.messages[0].files[0]
    staff = furnished.ask(StaffConversationsApi)
    content = await staff.message_file(mechanic, case.kind, case.reference, file.upload_id)
    body = b"".join([piece async for piece in content.chunks])
    assert (content.name, len(body), body[:2]) == ("a.jpg", content.size, b"\xff\xd8")
    preview = await staff.message_preview(mechanic, case.kind, case.reference, file.upload_id)
    assert preview.content[:2] == b"\xff\xd8"
    own = await furnished.ask(FlowApi).upload_preview(customer, file.upload_id)
    assert own.content == preview.content
    other = await staff_token(furnished.context, Role.MECHANIC, case.partner_id + 1)
    for call in (staff.message_file, staff.message_preview):
        with pytest.raises(NotFound):
            await call(other, case.kind, case.reference, file.upload_id)
    unrelated = await case_of_repair(furnished.context, JORIS[1])
    with pytest.raises(NotFound):
        await staff.message_file(mechanic, unrelated.kind, unrelated.reference, file.upload_id)
