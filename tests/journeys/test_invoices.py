"""An invoice that is not paid: from the dashboard to its page, and what a banking app needs (part-1 §3)."""

import io
import re
from pathlib import Path

import zxingcpp
from PIL import Image
from playwright.sync_api import Page, expect

from tests.support.browser import Visitor, assert_accessible
from tests.support.invoices import codes_on
from tests.support.people import NOOR

_HEADING = {"nl": "Betaal met je bank-app", "en": "Pay with your banking app"}


def _code_on(page: Page) -> str:
    """What a phone reads from the screen."""
    picture = page.locator("main img[src^='data:image/svg']").screenshot()
    (code,) = zxingcpp.read_barcodes(Image.open(io.BytesIO(picture)))
    return code.text


def test_an_open_invoice_is_paid_from_its_page(abroad: Visitor) -> None:
    abroad.context.grant_permissions(["clipboard-read", "clipboard-write"])
    abroad.log_in(*NOOR)
    page = abroad.page()
    page.goto("/dashboard")
    page.get_by_role("main").get_by_role("link").first.click()
    page.wait_for_url("**/invoices/*")
    expect(page.get_by_role("heading", level=1, name=re.compile("F900000005-1"))).to_be_focused()
    main = page.get_by_role("main")
    expect(main.get_by_role("heading", name=_HEADING[abroad.language])).to_be_visible()
    assert_accessible(page)
    copied = []
    for button in main.get_by_role("button", name=re.compile("Kopieer|Copy")).all():
        button.click()
        copied.append(page.evaluate("navigator.clipboard.readText()"))
    assert copied == ["749,00", "NL91ABNA0417164300", "Bovenbuis", "F900000005-1"]
    with page.expect_download() as download:
        main.locator("a[href^='/files/invoices/']").click()
    assert codes_on(Path(download.value.path()).read_bytes()) == [_code_on(page)]
