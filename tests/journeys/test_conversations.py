"""A conversation about a request in the customer's browser; staff write by the operations of their page."""

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from playwright.sync_api import Page, expect

from portal.conversations.api import StaffConversation, StaffConversationsApi
from portal.provider.application import Application
from portal.settings import Settings
from portal.vocabulary.cases import Asks
from portal.vocabulary.staff import Role
from tests.journeys.file_steps import payload
from tests.journeys.test_account import word
from tests.support.browser import ON_A_PHONE, Visitor, assert_accessible
from tests.support.conversing import CaseName, case_of_repair, message, staff_token
from tests.support.people import SANNE
from tests.support.server import PortalServer

T = TypeVar("T")


def desk(server: PortalServer, act: Callable[[Application, CaseName, str], Awaitable[T]]) -> T:
    """Let a mechanic of the store do something about the newest request of Sanne."""

    async def about_it(application: Application) -> T:
        case = await case_of_repair(application.context, SANNE[1])
        token = await staff_token(application.context, Role.MECHANIC, case.partner_id)
        return await act(application, case, token)

    return at_the_back(server, about_it)


def at_the_back(server: PortalServer, act: Callable[[Application], Awaitable[T]]) -> T:
    """Do something with the data of a running portal, as another process does."""

    async def work() -> T:
        application = Application(Settings.model_validate({"data_dir": server.data_dir}))
        try:
            return await act(application)
        finally:
            await application.context.database.close()

    # The browser has the event loop of this thread.
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(lambda: asyncio.run(work())).result()


def asks(server: PortalServer, text: str, what: Asks = Asks.PHOTO) -> CaseName:
    """Write to the customer."""

    async def act(application: Application, case: CaseName, token: str) -> CaseName:
        staff = application.services.ask(StaffConversationsApi)
        await staff.send_message(token, case.kind, case.reference, message(text, asks=what))
        return case

    return desk(server, act)


def seen(server: PortalServer) -> StaffConversation:
    """The conversation as the mechanic sees it."""

    async def act(application: Application, case: CaseName, token: str) -> StaffConversation:
        staff = application.services.ask(StaffConversationsApi)
        return await staff.case_conversation(token, case.kind, case.reference)

    return desk(server, act)


def field(page: Page, visitor: Visitor):
    return page.get_by_role("textbox", name=word(visitor, "Je bericht", "Your message"))


@ON_A_PHONE
def test_a_question_reaches_the_open_page_and_a_photo_goes_back(sanne_crosswise: Visitor) -> None:
    server = sanne_crosswise.server
    ready = f"Je fiets staat klaar. {sanne_crosswise.language}"
    # Both languages write in one conversation.
    photo = f"tandwiel-{sanne_crosswise.language}.jpg"
    case = asks(server, ready, Asks.NOTHING)
    page = sanne_crosswise.page()
    page.goto(f"/maintenance/{case.reference}")
    expect(page.get_by_text(ready)).to_be_visible()
    expect(field(page, sanne_crosswise)).to_have_count(0)
    question = f"Kun je een foto sturen? {sanne_crosswise.language}"
    asks(server, question)
    expect(page.get_by_text(question)).to_be_visible()
    link = page.get_by_role("link", name="Stuur een foto")
    expect(link).to_be_visible()
    assert_accessible(page)
    send = page.get_by_role("button", name="Verstuur bericht")
    send.click()
    summary = page.locator("[aria-labelledby=error-summary]")
    expect(summary).to_be_focused()
    assert_accessible(page)
    field(page, sanne_crosswise).fill("Alsjeblieft")
    page.locator("#files").set_input_files([payload(photo)])
    expect(page.locator("main li[data-state=done]")).to_have_count(1)
    send.click()
    sent = "Je bericht is verstuurd. We lezen"
    expect(page.get_by_text(sent)).to_be_visible()
    expect(link).to_have_count(0)
    expect(page.get_by_role("img", name=f"Foto {photo}")).to_be_visible()
    assert_accessible(page)
    answered = seen(server)
    assert (answered.asks, answered.messages[-1].text) == (Asks.NOTHING, "Alsjeblieft")
    assert [file.name for file in answered.messages[-1].files] == [photo]
