"""Explanations, questions before something final, and copying (flow-standard F53, F58)."""

from collections.abc import Callable

from playwright.sync_api import expect

from tests.journeys.gallery_page import Gallery
from tests.support.browser import assert_accessible

Open = Callable[..., Gallery]


def test_a_popup_closes_by_a_press_beside_it(open_gallery: Open) -> None:
    page = open_gallery(language="en").open("/")
    page.get_by_role("button", name="Where do I find my order number?").click()
    page.get_by_role("dialog").get_by_text("at the top left").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    page.mouse.click(5, 400)
    expect(page.get_by_role("dialog")).to_be_hidden()


def test_a_final_question_starts_on_the_safe_answer(open_gallery: Open) -> None:
    page = open_gallery(language="en").open("/")
    opener = page.locator("main").get_by_role("button", name="Log out", exact=True)
    opener.click()
    question = page.get_by_role("alertdialog", name="Log out")
    expect(question.get_by_role("button", name="Stay logged in")).to_be_focused()
    assert_accessible(page)
    page.keyboard.press("Enter")
    expect(question).to_be_hidden()
    expect(page.locator("#confirmed")).to_have_text("0")
    opener.click()
    question.get_by_role("button", name="Log out").click()
    expect(page.locator("#confirmed")).to_have_text("1")
    expect(opener).to_be_focused()


def test_copying_says_so(open_gallery: Open) -> None:
    gallery = open_gallery(language="en")
    gallery.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = gallery.open("/")
    page.get_by_role("button", name="Your frame number", exact=True).click()
    expect(page.get_by_role("status").filter(has_text="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == "GZ4821"
