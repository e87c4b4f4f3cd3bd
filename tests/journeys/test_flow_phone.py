"""Photos by phone: the code on the computer, the page on the telephone, and what appears where."""

import re
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.file_steps import Begin, payload, row, rows
from tests.support import files
from tests.support.browser import assert_accessible
from tests.support.walks import UPLOAD


@pytest.fixture
def phone(at_files: Begin, request: pytest.FixtureRequest) -> Iterator[tuple[Page, Page]]:
    """The step on the computer with its code shown, and the page on the telephone that has scanned it."""
    computer = at_files(language=request.param, width=1280).page
    computer.context.grant_permissions(["clipboard-read", "clipboard-write"])
    beside = computer.locator("[data-phone=photos]")
    beside.get_by_role("button").first.click()
    expect(beside.get_by_role("img")).to_be_visible()
    beside.get_by_role("button").last.click()
    computer.wait_for_function("async () => /photos/.test(await navigator.clipboard.readText())")
    link = urlsplit(computer.evaluate("navigator.clipboard.readText()")).path
    assert computer.context.browser
    window = computer.context.browser.new_context(
        base_url=f"{urlsplit(computer.url).scheme}://{urlsplit(computer.url).netloc}",
        viewport={"width": 375, "height": 700},
    )
    telephone = window.new_page()
    telephone.goto(link)
    yield computer, telephone
    window.close()


@pytest.mark.parametrize("phone", ["nl", "en"], indirect=True)
def test_a_photo_of_the_telephone_appears_on_the_computer_until_the_code_is_ended(phone: tuple[Page, Page]) -> None:
    computer, telephone = phone
    expect(telephone).to_have_url(re.compile(r"/photos$"))
    expect(telephone.get_by_role("heading", level=1)).to_have_text(re.compile("^(Foto’s toevoegen|Add photos)$"))
    expect(telephone.get_by_role("main")).to_contain_text("Lindegracht")
    expect(telephone.locator("body")).not_to_contain_text("Sanne")
    assert_accessible(telephone)
    expect(computer.locator("[data-phone] p[role=status]")).to_have_text(re.compile("verbonden|connected"))
    assert_accessible(computer)
    telephone.locator("#photos").set_input_files([payload("telefoon.jpg"), payload("stuk.jpg", files.PROGRAM)])
    expect(row(telephone, "telefoon.jpg")).to_have_attribute("data-state", "done", timeout=UPLOAD)
    expect(row(telephone, "stuk.jpg")).to_have_attribute("data-state", "failed", timeout=UPLOAD)
    expect(row(computer, "telefoon.jpg")).to_have_attribute("data-state", "done", timeout=UPLOAD)
    expect(rows(computer)).to_have_count(1)
    row(telephone, "stuk.jpg").get_by_role("button").last.click()
    telephone.reload()
    expect(row(telephone, "telefoon.jpg").locator("img")).to_be_visible()
    assert_accessible(telephone)
    row(telephone, "telefoon.jpg").get_by_role("button").first.click()
    telephone.get_by_role("alertdialog").get_by_role("button").last.click()
    expect(rows(computer)).to_have_count(0, timeout=UPLOAD)
    computer.locator("[data-phone] button").first.click()
    expect(telephone.get_by_role("heading", level=1)).to_have_text(
        re.compile("Deze link werkt niet meer|This link no longer works"), timeout=UPLOAD
    )
    assert_accessible(telephone)
