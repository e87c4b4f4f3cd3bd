"""The page of a request, run through Reflex: both sides of a conversation about each kind that is shown there."""

from __future__ import annotations

from typing import Any

import pytest

import portal.cases.desk.case
from portal.cases.desk.case_state import CasePage
from portal.conversations.pages.state import ConversationView
from portal.frontend import watch
from portal.frontend.load import MISSING, READY
from portal.overview.pages.state import OwnRequestPage
from portal.provider.application import Application
from portal.vocabulary.cases import CaseKind
from portal.vocabulary.staff import Role
from tests.frontend.test_live import begin, until
from tests.support.connections import Shop
from tests.support.conversing import ON_REQUEST_PAGE, CaseName, case_on_request_page, staff_token
from tests.support.people import SANNE
from tests.support.pipeline import Pipeline, Tab, on_duty, signed_in

pytestmark = pytest.mark.asyncio(loop_scope="module")
assert portal.cases.desk.case

every_kind = pytest.mark.parametrize("kind", ON_REQUEST_PAGE)


async def case_page(tabs: Pipeline, office: Application, kind: CaseKind) -> tuple[Tab, CaseName, str]:
    """A tab of the service desk with a case, and the path of its page."""
    case = await case_on_request_page(office.context, kind)
    tab = on_duty(tabs.tab(f"desk-{case.kind}"), await staff_token(office.context, Role.SERVICE_DESK))
    path = f"/cases/{case.kind}/{case.reference}"
    await tab.send(CasePage.load, path=path)
    return tab, case, path


async def opened(tabs: Pipeline, shop: Shop, case: CaseName, who: tuple[str, str]) -> Tab:
    tab = signed_in(tabs.tab(f"{who[1]}-{case.kind}"), await shop.token(*who))
    await tab.send(OwnRequestPage.load, path=f"/requests/{case.reference}")
    return tab


def talk_of(tab: Tab) -> ConversationView:
    """The conversation that the server stores for a tab."""
    talk = tab.stored(OwnRequestPage).talk
    assert talk is not None
    return talk


@every_kind
async def test_the_desk_asks_and_sees_what_the_customer_answers(
    tabs: Pipeline, desk_tabs: Pipeline, shop: Shop, office: Application, kind: CaseKind
) -> None:
    desk, case, path = await case_page(desk_tabs, office, kind)
    page = desk.stored(CasePage)
    assert (page.view_state, page.talk.reachable, page.talk.may_write) == (READY, True, True)
    await desk.send(CasePage.choose_asks, path=path, asks="answer")
    await desk.send(CasePage.send_message, path=path, form={"message": f"Klopt dit? {kind}"})
    assert desk.stored(CasePage).talk.asks == "answer"
    tab = await opened(tabs, shop, case, ON_REQUEST_PAGE[kind].customer)
    shown = tab.stored(OwnRequestPage).shown
    assert (shown.kind, shown.reference, bool(shown.account.title)) == (case.kind, case.reference, True)
    assert (talk_of(tab).asks, talk_of(tab).messages[-1].text) == ("answer", f"Klopt dit? {kind}")
    own = f"/requests/{case.reference}"
    form: dict[str, Any] = {"message-draft": talk_of(tab).draft, "message-text": " "}
    await tab.send(OwnRequestPage.send_answer, path=own, form=form)
    assert (talk_of(tab).text_error, talk_of(tab).asks) == ("required", "answer")
    await tab.send(OwnRequestPage.send_answer, path=own, form={**form, "message-text": "Ja, dat klopt"})
    assert (talk_of(tab).sent, talk_of(tab).asks, talk_of(tab).messages[-1].by_customer) == (1, "nothing", True)
    await desk.send(CasePage.load, path=path)
    talk = desk.stored(CasePage).talk
    assert (talk.asks, talk.said[-1].kind, talk.said[-1].text) == ("nothing", "customer", "Ja, dat klopt")


@every_kind
async def test_the_customer_begins_without_a_question(
    tabs: Pipeline, shop: Shop, office: Application, kind: CaseKind
) -> None:
    case = await case_on_request_page(office.context, kind)
    tab = await opened(tabs, shop, case, ON_REQUEST_PAGE[kind].customer)
    await tab.send(OwnRequestPage.begin_answer, path=f"/requests/{case.reference}")
    assert (talk_of(tab).problem, bool(talk_of(tab).draft)) == ("", True)


@every_kind
async def test_somebody_else_sees_nothing_of_it(
    tabs: Pipeline, desk_tabs: Pipeline, shop: Shop, office: Application, kind: CaseKind
) -> None:
    desk, case, path = await case_page(desk_tabs, office, kind)
    await desk.send(CasePage.send_message, path=path, form={"message": "ZQ alleen voor de klant"})
    tab = await opened(tabs, shop, case, SANNE)
    assert tab.shown(OwnRequestPage, "view_state") == MISSING
    await tab.send(OwnRequestPage.begin_answer, path=f"/requests/{case.reference}")
    assert "ZQ" not in repr(tab.deltas)
    assert (tab.stored(OwnRequestPage).talk, tab.stored(OwnRequestPage).shown.reference) == (None, "")


async def test_a_message_appears_while_the_page_is_open(
    tabs: Pipeline, desk_tabs: Pipeline, shop: Shop, office: Application, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch, "SETTLED_SECONDS", 0.05)
    desk, case, path = await case_page(desk_tabs, office, CaseKind.DATE_CHANGE)
    tab = await opened(tabs, shop, case, ON_REQUEST_PAGE[CaseKind.DATE_CHANGE].customer)
    future = await begin(tab, OwnRequestPage.watch, f"/requests/{case.reference}")
    await desk.send(CasePage.send_message, path=path, form={"message": "En nu live"})
    await until(lambda: talk_of(tab).messages[-1].text == "En nu live", 10)
    future.cancel()
