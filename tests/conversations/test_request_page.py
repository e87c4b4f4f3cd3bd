"""Conversations about insurance, a delivery day and a cancellation: on both sides, by mail and on the dashboard."""

import pytest

from portal.contract.errors import Conflict
from portal.conversations.api import ConversationsApi, StaffConversationsApi, TemplateChoice, TemplateEntry
from portal.conversations.provider.staff_service import delivered
from portal.kernel.days import today
from portal.overview.api import OverviewApi
from portal.subjects import MODULES
from portal.tables.customers import CustomerRow
from portal.vocabulary.cases import CONVERSATION_PAGES, Asks, CaseKind, CaseState
from portal.vocabulary.staff import Role
from tests.support.conversing import (
    ON_REQUEST_PAGE,
    CaseName,
    answer,
    case_on_request_page,
    finish,
    message,
    staff_token,
)
from tests.support.furnished import Furnished

every_kind = pytest.mark.parametrize("kind", ON_REQUEST_PAGE)


async def told(shop: Furnished, kind: CaseKind) -> tuple[CaseName, str, str]:
    """A case, a session of its customer, and one of the service desk."""
    case = await case_on_request_page(shop.context, kind)
    customer = await shop.log_in(ON_REQUEST_PAGE[kind].customer)
    return case, customer, await staff_token(shop.context, Role.SERVICE_DESK)


def test_a_conversation_has_a_page_for_every_kind_but_the_alarm_of_a_return() -> None:
    from portal.frontend.registry import pages_of

    assert set(CaseKind) - set(CONVERSATION_PAGES) == {CaseKind.BATTERY_ALARM, CaseKind.UNKNOWN}
    details = {"/" + page.route.partition("/[")[0] for page in pages_of(MODULES) if page.route.endswith("]")}
    assert set(CONVERSATION_PAGES.values()) <= details


@every_kind
async def test_a_question_waits_for_the_customer_until_the_photo_is_there(furnished: Furnished, kind: CaseKind) -> None:
    case, customer, desk = await told(furnished, kind)
    staff, own = furnished.ask(StaffConversationsApi), furnished.ask(ConversationsApi)
    before = await staff.case_conversation(desk, case.kind, case.reference)
    assert (before.reachable, before.asks) == (True, Asks.NOTHING)
    sent = await staff.send_message(desk, case.kind, case.reference, message(asks=Asks.PHOTO))
    assert (sent.state, sent.asks) == (CaseState.WAITING, Asks.PHOTO)
    read = await own.conversation(customer, case.kind, case.reference)
    assert (read.asks, read.unread, read.messages[-1].text) == (Asks.PHOTO, 1, "Kun je een foto sturen?")
    news, path = furnished.ask(OverviewApi).dashboard, f"/requests/{case.reference}"
    assert [(entry.kind, entry.asks, entry.page) for entry in (await news(customer)).news] == [(kind, Asks.PHOTO, path)]
    answered = await answer(furnished, customer, case, "Alsjeblieft", "sleutel.jpg")
    assert (await news(customer)).news == []
    assert (answered.asks, answered.open) == (Asks.NOTHING, True)
    seen = await staff.case_conversation(desk, case.kind, case.reference)
    assert (seen.state, seen.asks, seen.unread) == (CaseState.OPEN, Asks.NOTHING, 1)
    assert [file.name for file in seen.messages[-1].files] == ["sleutel.jpg"]
    await finish(furnished.context, case)
    read = await own.conversation(customer, case.kind, case.reference)
    assert (read.open, len(read.messages)) == (False, 2)
    with pytest.raises(Conflict):
        await own.begin_answer(customer, case.kind, case.reference)


@pytest.mark.parametrize("kind", CONVERSATION_PAGES)
def test_every_kind_with_a_conversation_has_templates_of_its_own(kind: CaseKind) -> None:
    assert any(kind in template.kinds and template.asks is not Asks.NOTHING for template in delivered().values())


@every_kind
@pytest.mark.parametrize("locale", ["nl", "en"])
async def test_the_templates_of_a_kind_are_offered_and_filled_in(
    furnished: Furnished, kind: CaseKind, locale: str
) -> None:
    case, customer, desk = await told(furnished, kind)
    await furnished.change(
        CustomerRow, {"locale": locale, "first_name": "Noor"}, email=ON_REQUEST_PAGE[kind].customer[1]
    )
    staff = furnished.ask(StaffConversationsApi)
    offered = {each.name: each for each in await staff.case_templates(desk, case.kind, case.reference)}
    own = {name for name, template in delivered().items() if kind in template.kinds}
    assert own < offered.keys()
    for name in sorted(own):
        choice = TemplateChoice(template=name, day=today() if offered[name].needs_day else None)
        shown = await staff.preview_template(desk, case.kind, case.reference, choice)
        assert shown.text.startswith({"nl": "Hoi Noor,", "en": "Hi Noor,"}[locale])
        assert "{" not in shown.text
        assert "\\" not in shown.text
        entry = TemplateEntry(**choice.model_dump(), key=f"key-of-{name}")
        sent = await staff.send_template(desk, case.kind, case.reference, entry)
        assert (sent.messages[-1].text, sent.messages[-1].asks) == (shown.text, delivered()[name].asks)
    read = await furnished.ask(ConversationsApi).conversation(customer, case.kind, case.reference)
    assert len(read.messages) == len(own)
