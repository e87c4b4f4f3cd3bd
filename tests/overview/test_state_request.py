"""The page of a request, run through Reflex: both sides of a conversation about each kind that is shown there."""

from typing import Any

import pytest

import portal.cases.desk.case
from portal.conversations.api import StaffConversationsApi
from portal.conversations.pages.state import AnswerForm, ShownConversation
from portal.frontend import watch
from portal.frontend.load import MISSING
from portal.overview.pages.state import OwnRequestPage
from portal.provider.application import Application
from portal.vocabulary.cases import Asks, CaseKind, kind_path
from portal.vocabulary.staff import Role
from tests.frontend.test_live import begin
from tests.support.connections import Shop
from tests.support.conversing import ON_REQUEST_PAGE, CaseName, case_on_request_page, message, staff_token
from tests.support.people import SANNE
from tests.support.pipeline import Pipeline, Tab, signed_in
from tests.support.waiting import until

pytestmark = pytest.mark.asyncio(loop_scope="module")
assert portal.cases.desk.case

every_kind = pytest.mark.parametrize("kind", ON_REQUEST_PAGE)


async def written(office: Application, kind: CaseKind, text: str, asks: Asks = Asks.NOTHING) -> CaseName:
    """A case about which the service desk has written."""
    case = await case_on_request_page(office.context, kind)
    desk = await staff_token(office.context, Role.SERVICE_DESK)
    staff = office.services.ask(StaffConversationsApi)
    await staff.send_message(desk, case.kind, case.reference, message(text, asks=asks))
    return case


async def opened(tabs: Pipeline, shop: Shop, case: CaseName, who: tuple[str, str]) -> Tab:
    tab = signed_in(tabs.tab(f"{who[1]}-{case.kind}"), await shop.token(*who))
    await tab.send(OwnRequestPage.load, path=f"/requests/{case.reference}")
    return tab


def talk_of(tab: Tab) -> ShownConversation:
    """The conversation that the server stores for a tab."""
    talk = tab.stored(OwnRequestPage).talk
    assert talk is not None
    return talk


def form_of(tab: Tab) -> AnswerForm:
    form = tab.stored(OwnRequestPage).answer
    assert form is not None
    return form


@every_kind
async def test_the_customer_reads_the_question_and_answers(
    tabs: Pipeline, shop: Shop, office: Application, kind: CaseKind
) -> None:
    case = await written(office, kind, "Klopt dit?", Asks.ANSWER)
    tab = await opened(tabs, shop, case, ON_REQUEST_PAGE[kind].customer)
    shown = tab.stored(OwnRequestPage).shown
    assert shown
    assert (kind_path(shown.kind), shown.reference, bool(shown.account.title)) == (case.kind, case.reference, True)
    assert (talk_of(tab).asks, talk_of(tab).messages[-1].text) == ("answer", "Klopt dit?")
    path = f"/requests/{case.reference}"
    form: dict[str, Any] = {"message-draft": form_of(tab).draft, "message-text": " "}
    await tab.send(OwnRequestPage.send_answer, path=path, form=form)
    assert (form_of(tab).text_error, talk_of(tab).asks) == ("required", "answer")
    await tab.send(OwnRequestPage.send_answer, path=path, form={**form, "message-text": "Ja, dat klopt"})
    assert (form_of(tab).sent, talk_of(tab).asks, talk_of(tab).messages[-1].text) == (1, "nothing", "Ja, dat klopt")
    await tab.send(OwnRequestPage.begin_answer, path=path)
    assert (form_of(tab).problem, bool(form_of(tab).draft)) == ("", True)


@every_kind
async def test_somebody_else_sees_nothing_of_it(
    tabs: Pipeline, shop: Shop, office: Application, kind: CaseKind
) -> None:
    case = await written(office, kind, "ZQ alleen voor de klant")
    tab = await opened(tabs, shop, case, SANNE)
    assert tab.shown(OwnRequestPage, "view_state") == MISSING
    await tab.send(OwnRequestPage.begin_answer, path=f"/requests/{case.reference}")
    assert "ZQ" not in repr(tab.deltas)
    assert (tab.stored(OwnRequestPage).talk, tab.stored(OwnRequestPage).shown) == (None, None)


async def test_a_message_appears_while_the_page_is_open(
    tabs: Pipeline, shop: Shop, office: Application, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch, "SETTLED_SECONDS", 0.05)
    case = await written(office, CaseKind.DATE_CHANGE, "Eerst")
    tab = await opened(tabs, shop, case, ON_REQUEST_PAGE[CaseKind.DATE_CHANGE].customer)
    future = await begin(tab, OwnRequestPage.watch, f"/requests/{case.reference}")
    await written(office, CaseKind.DATE_CHANGE, "En nu live")
    await until(lambda: talk_of(tab).messages[-1].text == "En nu live", 60)
    future.cancel()
