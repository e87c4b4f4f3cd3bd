"""The conversation on the page of a request, run through Reflex: asked, answered, refused, and live."""

from typing import Any

import pytest

from portal.contract.errors import Unavailable
from portal.conversations.api import ConversationsApi, StaffConversationsApi
from portal.conversations.pages.state import AnswerForm, ShownConversation
from portal.frontend import watch
from portal.frontend.load import MISSING, READY
from portal.frontend.session import SessionState
from portal.overview.pages.state import DashboardPage
from portal.provider.application import Application
from portal.vocabulary.cases import Asks
from portal.vocabulary.staff import Role
from portal.work_orders.pages.requests import RequestPage
from tests.frontend.test_live import begin
from tests.support.connections import Shop
from tests.support.conversing import CaseName, case_of_repair, message, staff_token
from tests.support.people import JORIS, SANNE
from tests.support.pipeline import Pipeline, Tab, signed_in
from tests.support.waiting import until

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def asked(office: Application, asks: Asks = Asks.PHOTO, text: str = "Kun je een foto sturen?") -> CaseName:
    """A case of Sanne about which a mechanic has written."""
    case = await case_of_repair(office.context, SANNE[1])
    mechanic = await staff_token(office.context, Role.MECHANIC, case.partner_id)
    staff = office.services.ask(StaffConversationsApi)
    await staff.close_question(mechanic, case.kind, case.reference)
    await staff.send_message(mechanic, case.kind, case.reference, message(text, asks=asks))
    return case


async def opened(tabs: Pipeline, shop: Shop, case: CaseName, name: str, who: tuple[str, str] = SANNE) -> Tab:
    tab = signed_in(tabs.tab(name), await shop.token(*who))
    await tab.send(RequestPage.load, path=f"/maintenance/{case.reference}")
    return tab


def talk_of(tab: Tab) -> ShownConversation:
    """The conversation that the server stores for a tab."""
    talk = tab.stored(RequestPage).talk
    assert talk is not None
    return talk


def form_of(tab: Tab) -> AnswerForm:
    form = tab.stored(RequestPage).answer
    assert form is not None
    return form


async def test_a_question_shows_the_form_at_once(tabs: Pipeline, shop: Shop, office: Application) -> None:
    case = await asked(office)
    tab = await opened(tabs, shop, case, "asked")
    talk = tab.shown(RequestPage, "talk")
    assert (talk.asks, talk.open, talk.messages[-1].text) == ("photo", True, "Kun je een foto sturen?")
    assert (talk.messages[-1].fresh, talk.messages[-1].sender.split(",")[0]) == (True, "Mila")
    assert form_of(tab).draft


async def test_without_a_question_the_customer_begins(tabs: Pipeline, shop: Shop, office: Application) -> None:
    case = await asked(office, Asks.NOTHING, "Hij is klaar.")
    tab = await opened(tabs, shop, case, "begins")
    path = f"/maintenance/{case.reference}"
    before = form_of(tab).draft
    await tab.send(RequestPage.begin_answer, path=path)
    draft = form_of(tab).draft
    assert draft
    assert before in (None, "", draft)
    await tab.send(RequestPage.keep_answer, path=path, text="Half getypt")
    again = await opened(tabs, shop, case, "begins again")
    assert (form_of(again).draft, form_of(again).typed) == (draft, "Half getypt")


async def test_an_empty_answer_is_refused_beside_the_field_and_a_good_one_is_sent(
    tabs: Pipeline, shop: Shop, office: Application
) -> None:
    case = await asked(office)
    tab = await opened(tabs, shop, case, "answers")
    path = f"/maintenance/{case.reference}"
    form: dict[str, Any] = {"message-draft": form_of(tab).draft, "message-text": " "}
    await tab.send(RequestPage.send_answer, path=path, form=form)
    assert form_of(tab).text_error == "required"
    assert form_of(tab).failures == 1
    assert form_of(tab).draft == form["message-draft"]
    await tab.send(RequestPage.send_answer, path=path, form={**form, "message-text": "Komt eraan"})
    talk = tab.shown(RequestPage, "talk")
    assert (talk.asks, talk.messages[-1].text, talk.messages[-1].by_customer) == ("nothing", "Komt eraan", True)
    assert form_of(tab).sent == 1
    assert not form_of(tab).draft
    sent = len(talk.messages)
    await tab.send(RequestPage.send_answer, path=path, form={**form, "message-text": "Komt eraan"})
    assert len(talk_of(tab).messages) == sent


async def test_a_failure_of_the_provider_keeps_the_form(
    tabs: Pipeline, shop: Shop, office: Application, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = await asked(office)
    tab = await opened(tabs, shop, case, "fails")

    async def fail(*_: object) -> None:
        raise Unavailable

    draft = form_of(tab).draft
    monkeypatch.setattr(shop.ask(ConversationsApi), "send_answer", fail)
    form = {"message-draft": draft, "message-text": "Komt eraan"}
    await tab.send(RequestPage.send_answer, path=f"/maintenance/{case.reference}", form=form)
    assert form_of(tab).problem == "general_error"
    assert form_of(tab).draft == draft


async def test_the_end_of_the_session_is_noticed(tabs: Pipeline, shop: Shop, office: Application) -> None:
    case = await asked(office)
    tab = signed_in(tabs.tab("ends"), await shop.log_in(*SANNE))
    path = f"/maintenance/{case.reference}"
    await tab.send(RequestPage.load, path=path)
    draft = form_of(tab).draft
    await shop.alter("UPDATE sessions SET revoked_at = created_at WHERE id = (SELECT max(id) FROM sessions)")
    await tab.send(RequestPage.send_answer, path=path, form={"message-draft": draft, "message-text": "Te laat"})
    assert tab.shown(SessionState, "signed_out")


async def test_somebody_else_sees_nothing_of_it(tabs: Pipeline, shop: Shop, office: Application) -> None:
    case = await asked(office, text="ZQ alleen voor Sanne")
    tab = await opened(tabs, shop, case, "stranger", JORIS)
    assert tab.shown(RequestPage, "view_state") == MISSING
    await tab.send(RequestPage.begin_answer, path=f"/maintenance/{case.reference}")
    assert "ZQ" not in repr(tab.deltas)
    assert tab.stored(RequestPage).talk is None


async def test_a_message_appears_while_the_page_is_open(
    tabs: Pipeline, shop: Shop, office: Application, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch, "SETTLED_SECONDS", 0.05)
    case = await asked(office, Asks.NOTHING, "Eerst")
    tab = await opened(tabs, shop, case, "live")
    future = await begin(tab, RequestPage.watch, f"/maintenance/{case.reference}")
    await asked(office, Asks.PHOTO, "En nu live")
    await until(lambda: talk_of(tab).messages[-1].text == "En nu live")
    assert form_of(tab).draft
    future.cancel()


async def test_the_dashboard_says_who_waits(tabs: Pipeline, shop: Shop, office: Application) -> None:
    case = await asked(office)
    tab = signed_in(tabs.tab("dashboard news"), await shop.token(*SANNE))
    await tab.send(DashboardPage.load, path="/dashboard")
    assert tab.shown(DashboardPage, "view_state") == READY
    news = tab.shown(DashboardPage, "requests_news")
    assert [(entry.page, entry.asks) for entry in news] == [(f"/maintenance/{case.reference}", "photo")]
    page = await opened(tabs, shop, case, "answers news")
    form = {"message-draft": form_of(page).draft, "message-text": "Hier"}
    await page.send(RequestPage.send_answer, path=f"/maintenance/{case.reference}", form=form)
    await tab.send(DashboardPage.load, path="/dashboard")
    assert tab.shown(DashboardPage, "requests_news") == []
