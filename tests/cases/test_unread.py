"""A case is unread while the customer has sent something that nobody of staff has opened."""

from portal.backend import cases
from portal.backend.cases import CaseFacts
from portal.backend.staff import StaffSessions
from portal.cases.api import CaseHandOver, CasesApi, CountsFilter, QueuePage
from portal.conversations.api import StaffConversationsApi
from portal.vocabulary.cases import CaseEventType, CaseKind, CaseView
from portal.vocabulary.staff import Role
from portal.vocabulary.work_orders import WorkOrderStatus
from tests.exports.conftest import shop_telling, telling
from tests.exports.telling import Telling
from tests.support.customers import JORIS
from tests.support.furnished import Furnished
from tests.work_orders.history import reference_of

__all__ = ["shop_telling", "telling"]

UNREAD = QueuePage(view=CaseView.UNREAD)


async def count(telling: Telling, role: Role) -> int:
    """The number in the navigation."""
    found = await telling.application.services.ask(CasesApi).counts(telling.tokens[role], CountsFilter())
    return next(view.count for view in found.views if view.view is CaseView.UNREAD)


async def read(telling: Telling, role: Role, reference: str) -> None:
    """Open a case."""
    await telling.application.services.ask(StaffConversationsApi).mark_case_read(
        telling.tokens[role], "repair", reference
    )


async def test_a_case_is_unread_until_it_is_opened_and_again_when_the_customer_sends_more(telling: Telling) -> None:
    await telling.happen("AAAA2222")
    assert await count(telling, Role.MECHANIC) == 1
    await read(telling, Role.MECHANIC, "AAAA2222")
    assert await count(telling, Role.MECHANIC) == await count(telling, Role.STORE_MANAGER) == 0
    await telling.happen("AAAA2222", CaseEventType.FILE_ADDED)
    await telling.happen("AAAA2222", CaseEventType.MESSAGE_FROM_CUSTOMER)
    assert await count(telling, Role.STORE_MANAGER) == 1


async def test_what_staff_or_the_portal_did_is_not_unread(telling: Telling) -> None:
    await telling.happen("AAAA2222", by_customer=False)
    token = telling.tokens[Role.SERVICE_DESK]
    async with StaffSessions(telling.context).changing(token, CasesApi.hand_over) as (_, session):
        facts = CaseFacts(CaseKind.REPAIR, "BBBB2222", None, "new", partner_id=1)
        await cases.record(session, facts, CaseEventType.OPENED, telling.clock(), by_customer=True)
    assert await count(telling, Role.ADMINISTRATOR) == 0


async def test_a_done_case_with_news_of_the_customer_is_unread(telling: Telling) -> None:
    async with telling.context.database.transaction() as session:
        facts = CaseFacts(CaseKind.REPAIR, "AAAA2222", None, "cancelled", final=True, partner_id=1)
        for happened in (CaseEventType.OPENED, CaseEventType.STATUS_CHANGED):
            await cases.record(session, facts, happened, telling.clock(), by_customer=True)
    assert await count(telling, Role.MECHANIC) == 1


async def test_the_other_store_has_not_seen_a_case_that_is_handed_over(shop_telling: Telling) -> None:
    shop, token = Furnished(shop_telling.application), shop_telling.administrator
    reference = await reference_of(shop, JORIS, status=WorkOrderStatus.IN_REPAIR)
    await read(shop_telling, Role.ADMINISTRATOR, reference)
    detail = await shop.ask(CasesApi).case(token, "repair", reference)
    assert not detail.unread
    stores = (await shop.ask(CasesApi).case_choices(token)).all_stores
    other = next(store for store in stores if not detail.store or store.store_id != detail.store.store_id)
    await shop.ask(CasesApi).hand_over(
        token, "repair", reference, CaseHandOver(store=other.store_id, seen=detail.version)
    )
    assert reference in {entry.reference for entry in (await shop.ask(CasesApi).queue(token, UNREAD)).items}
