"""Files from staff to a customer and back, and the photo of what arrived, in the browsers of both sides."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from portal.kernel.texts import catalogue
from portal.vocabulary.cases import CaseKind
from tests.journeys.desk_steps import assert_well_made, at_desk
from tests.journeys.file_steps import payload
from tests.journeys.test_conversations import asks, at_the_back
from tests.support import files
from tests.support.browser import Visitor, assert_accessible
from tests.support.conversing import case_on_request_page
from tests.support.mailbox import text_of
from tests.support.people import FLEUR, SANNE
from tests.support.server import DeskServer
from tests.support.stored import execute
from tests.support.walks import UPLOAD

OpenDesk = Callable[..., Page]
_RECEIVABLE = "SELECT reference FROM returns WHERE status = 'request_received' AND urgent = 0 AND method = 'store'"


def _say(text: str) -> str:
    return catalogue("nl").gettext(text)


@pytest.fixture
def open_desk(visit: Callable[..., Visitor], desk_server: DeskServer) -> OpenDesk:
    """The staff site of somebody of the demonstration: `open_desk("esra@example.com", "/cases")`."""

    def window(email: str, path: str, *, width: int = 1440) -> Page:
        page = at_desk(visit, desk_server, email, path, width=width)
        expect(page.locator("main [aria-busy=true]")).to_have_count(0)
        return page

    return window


def _drawn(page: Page, picture: Locator) -> None:
    """The picture is there, not the sign of a broken one."""
    expect(picture).to_be_visible()
    page.wait_for_function("image => image.complete && image.naturalWidth > 0", arg=picture.element_handle())


def test_a_photo_goes_to_the_customer_and_a_video_comes_back(
    desk_server: DeskServer, visit: Callable[..., Visitor], open_desk: OpenDesk
) -> None:
    case = asks(desk_server, "We kijken ernaar.")
    desk = open_desk("esra@example.com", f"/cases/{case.kind}/{case.reference}")
    desk.get_by_role("textbox", name=re.compile("^Bericht aan")).fill("Dit is de kabel die vervangen moet worden.")
    desk.locator("#message-files").set_input_files(
        [payload("kabel.jpg", files.jpg()), payload("offerte.pdf", files.pdf())]
    )
    expect(desk.locator("main li[data-state=done]")).to_have_count(2, timeout=UPLOAD)
    assert_well_made(desk)
    desk.get_by_role("button", name=_say("Send to the customer")).click()
    expect(desk.get_by_role("button", name="kabel.jpg")).to_be_visible()
    expect(desk.locator("main li[data-state]")).to_have_count(0)

    customer = visit(server=desk_server)
    customer.log_in(*SANNE)
    page = customer.page()
    page.goto(f"/maintenance/{case.reference}")
    _drawn(page, page.get_by_role("img", name="Foto kabel.jpg"))
    assert_well_made(page)
    with page.expect_download() as saved:
        page.get_by_role("link", name=re.compile("offerte.pdf")).click()
    assert saved.value.path().read_bytes().startswith(b"%PDF-")
    page.get_by_role("textbox", name=_say("Your message")).fill("Zo klinkt het.")
    page.locator("#files").set_input_files([payload("rammel.mp4", files.film())])
    expect(page.locator("main li[data-state=done]")).to_have_count(1, timeout=UPLOAD)
    page.get_by_role("button", name=_say("Send message")).click()

    # A photo zooms and turns by key, and the dialog gives the focus back.
    opener = desk.get_by_role("button", name="kabel.jpg")
    opener.click()
    dialog = desk.get_by_role("dialog", name="kabel.jpg")
    photo = dialog.get_by_role("region", name=_say("Photo")).get_by_role("img")
    _drawn(desk, photo)
    assert_well_made(desk)
    pressed = (("+", "150", "0"), ("+", "225", "0"), ("-", "150", "0"), ("r", "150", "1"), ("0", "100", "1"))
    for key, zoom, turns in pressed:
        desk.keyboard.press(key)
        expect(photo).to_have_attribute("data-zoom", zoom)
        expect(photo).to_have_attribute("data-turns", turns)
    dialog.get_by_role("button", name=_say("Rotate")).click()
    expect(photo).to_have_attribute("data-turns", "2")
    desk.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(opener).to_be_focused()

    # A video is asked for in parts.
    with desk.expect_response(lambda answer: "/files/messages/" in answer.url and answer.status == 206):
        desk.get_by_role("button", name="rammel.mp4").click()
    expect(desk.get_by_role("dialog", name="rammel.mp4")).to_be_visible()
    assert_accessible(desk)


def test_a_question_about_insurance_is_answered_with_a_photo(
    desk_server: DeskServer, visit: Callable[..., Visitor], open_desk: OpenDesk
) -> None:
    case = at_the_back(desk_server, lambda portal: case_on_request_page(portal.context, CaseKind.INSURANCE))
    desk = open_desk("esra@example.com", f"/cases/{case.kind}/{case.reference}")
    customer = visit(language="en", width=375, server=desk_server)
    customer.log_in(*FLEUR)
    page = customer.page()
    page.goto("/insurance-package")
    link = page.get_by_role("link", name=f"Messages about this request {case.reference}")
    assert_accessible(page)
    link.click()
    page.wait_for_url(f"**/requests/{case.reference}")
    expect(page.get_by_role("heading", level=1, name="Your insurance has been requested")).to_be_visible()
    assert_well_made(page)

    mailed = len(desk_server.mailbox.mails_to(FLEUR[1]))
    question = "Kun je een foto van de sleutel sturen?"
    desk.get_by_role("textbox", name=re.compile("^Bericht aan")).fill(question)
    desk.get_by_role("button", name=_say("Ask for a photo")).click()
    desk.get_by_role("button", name=_say("Send and wait for the customer")).click()
    expect(desk.get_by_text(re.compile("^Wacht op een foto van Fleur"))).to_be_visible()
    expect(page.get_by_text(question)).to_be_visible()
    expect(page.get_by_role("link", name="Send a photo")).to_be_visible()
    mail = desk_server.mailbox.wait_for(FLEUR[1], after=mailed)
    assert question in text_of(mail)
    assert text_of(mail).count(f"/requests/{case.reference}") == 1

    page.locator("#files").set_input_files([payload("sleutel.jpg", files.jpg())])
    expect(page.locator("main li[data-state=done]")).to_have_count(1, timeout=UPLOAD)
    assert_well_made(page)
    page.get_by_role("button", name="Send message").click()
    expect(page.get_by_role("img", name="Photo sleutel.jpg")).to_be_visible()
    expect(page.get_by_role("link", name="Send a photo")).to_have_count(0)
    expect(desk.get_by_role("button", name="sleutel.jpg")).to_be_visible()
    assert_well_made(desk)


def test_a_photo_of_what_arrived_is_taken_on_a_phone(desk_server: DeskServer, open_desk: OpenDesk) -> None:
    reference = execute(desk_server, f"{_RECEIVABLE} LIMIT 1")[0][0]
    phone = open_desk("nienke@example.com", "/receive", width=390)
    code = phone.locator("#code")
    expect(code).to_be_focused()
    phone.keyboard.press("Enter")
    expect(phone.locator("#code-error")).to_be_visible()
    assert_well_made(phone)
    # A hand scanner types the code of the label and presses Enter.
    code.fill(f"{desk_server.desk_url}/receive/{reference}")
    code.press("Enter")
    phone.wait_for_url(f"**/receive/{reference}")
    camera = phone.locator("input[type=file]").first
    expect(camera).to_have_attribute("capture", "environment")
    expect(camera).to_have_attribute("accept", "image/*")
    assert_well_made(phone)
    camera.set_input_files([payload("IMG_0001.jpg", files.jpg())])
    expect(phone.locator("main li[data-state=done]")).to_have_count(1, timeout=UPLOAD)
    assert_well_made(phone)
    phone.get_by_role("button", name=_say("Receive and tell the customer")).click()
    expect(phone.get_by_role("link", name=_say("Next return"))).to_be_visible()
    phone.goto(f"/cases/return/{reference}")
    expect(phone.get_by_role("heading", name=_say("Photos of what arrived"))).to_be_visible()
    assert_well_made(phone)
