"""Every open case has an end of its time: the queue and the digest say when it is over."""

from datetime import timedelta

import pytest
from pydantic import ValidationError
from sqlalchemy import inspect, text

from portal.backend.migrations import migrate, migration_engine
from portal.cases.api import CasesApi, QueuePage
from portal.conversations.api import ConversationsApi, StaffConversationsApi
from portal.kernel.days import in_working_days, local_day
from portal.settings import Settings
from portal.tables.cases import CaseRow
from portal.tables.work_orders import RequestRow
from portal.vocabulary.cases import ANSWER_DAYS, Asks, CaseKind, CaseState, CaseView, due_of
from portal.vocabulary.staff import Role
from portal.vocabulary.status import Turn
from portal.vocabulary.work_orders import WorkOrderStatus
from tests.support.conversing import case_of_repair, message
from tests.support.customers import JORIS
from tests.support.living import Living


async def stored(shop: Living, reference: str) -> CaseRow:
    return await shop.row(CaseRow, reference=reference)


async def is_overdue(shop: Living, reference: str) -> bool:
    desk = await shop.log_in_staff(Role.SERVICE_DESK)
    asked = QueuePage(view=CaseView.OVERDUE, kind=CaseKind.REPAIR, search=reference)
    return bool((await shop.ask(CasesApi).queue(desk, asked)).items)


@pytest.mark.parametrize("status", ["wait_for_parts", "wait_for_customer"])
async def test_what_nobody_moves_on_is_overdue_after_the_days_of_its_status(living: Living, status: str) -> None:
    reference = (await case_of_repair(living.context, JORIS[1])).reference
    await living.move("work-order", reference, status)
    due, now = due_of(CaseKind.REPAIR, status), living.clock.now
    assert due
    desk = await living.log_in_staff(Role.SERVICE_DESK)
    assert (await stored(living, reference)).promised_at == in_working_days(now, due.days)
    assert not await is_overdue(living, reference)
    (entry,) = [
        entry
        for entry in (await living.ask(CasesApi).queue(desk, QueuePage(search=reference))).items
        if entry.kind is CaseKind.REPAIR
    ]
    assert entry.turn is (Turn.PARTNER if status == "wait_for_parts" else Turn.CUSTOMER)
    # A note to the customer does not prolong it.
    living.clock.forward(days=1)
    await living.move("work-order", reference, status, note="Nog even geduld.")
    assert (await stored(living, reference)).promised_at == in_working_days(now, due.days)
    living.clock.forward(days=3 * due.days)
    assert await is_overdue(living, reference)


async def test_a_planned_day_counts_before_the_days_of_the_status(living: Living) -> None:
    reference = (await case_of_repair(living.context, JORIS[1])).reference
    await living.change(RequestRow, {"status": WorkOrderStatus.NEW, "planned_date": None}, reference=reference)
    await living.change(CaseRow, {"status": "new"}, reference=reference)
    day = local_day(living.clock.now) + timedelta(days=40)
    await living.move("work-order", reference, "accepted", planned_date=day)
    assert local_day((await stored(living, reference)).promised_at or living.clock.now) == day


async def test_a_question_that_is_not_answered_is_overdue_and_can_still_be_answered(living: Living) -> None:
    case = await case_of_repair(living.context, JORIS[1])
    desk = await living.log_in_staff(Role.SERVICE_DESK)
    question = message("Welke sleutel hoort erbij?", asks=Asks.ANSWER)
    await living.ask(StaffConversationsApi).send_message(desk, case.kind, case.reference, question)
    row = await stored(living, case.reference)
    assert (row.state, row.waiting_until) == (CaseState.WAITING, in_working_days(living.clock.now, ANSWER_DAYS))
    assert not await is_overdue(living, case.reference)
    living.clock.forward(days=3 * ANSWER_DAYS)
    assert await is_overdue(living, case.reference)
    token = await living.log_in(JORIS)
    assert (await living.ask(ConversationsApi).conversation(token, case.kind, case.reference)).asks is Asks.ANSWER


def test_days_can_be_set_for_statuses_that_are_open_only() -> None:
    assert Settings(due_days={"repair.in_repair": 5, "question": 9}).due_days == {"repair.in_repair": 5, "question": 9}
    for wrong in ({"repair.done": 5}, {"bicycle.new": 5}, {"repair.in_repair": 0}):
        with pytest.raises(ValidationError):
            Settings(due_days=wrong)


@pytest.mark.each_database
def test_open_cases_of_an_earlier_version_get_a_promise(empty_url: str) -> None:
    migrate(empty_url, "0003")
    values = "(kind, reference, source, state, status, urgent, version, opened_at, changed_at)"
    with migration_engine(empty_url).begin() as connection:
        for reference, state in (("AAAA2222", "open"), ("BBBB2222", "waiting"), ("CCCC2222", "done")):
            row = f"('repair', '{reference}', '', '{state}', 'accepted', false, 1, :moment, :moment)"
            connection.execute(
                text(f"INSERT INTO cases {values} VALUES {row}"), {"moment": "2026-11-01 10:00:00.000000"}
            )
    migrate(empty_url)
    with migration_engine(empty_url).connect() as connection:
        assert {index["name"] for index in inspect(connection).get_indexes("cases")} >= {"ix_cases_changed_at"}
        found = dict(connection.execute(text("SELECT reference, promised_at FROM cases")).all())
    assert str(found["AAAA2222"]).startswith("2026-11-15")
    assert (found["BBBB2222"], found["CCCC2222"]) == (None, None)
