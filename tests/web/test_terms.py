"""The cookie with the periods that the shop of this process changed."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from portal.contract import registry
from portal.web.session import shown_terms
from tests.support.asking import nobody_answers
from tests.support.connections import Shop
from tests.support.http_browser import Browser, cookies_of

pytestmark = pytest.mark.asyncio(loop_scope="module")

INSERT = "INSERT INTO shop_terms (shop, term, valid_from, value) VALUES (?, ?, '2026-01-01', ?)"


@pytest_asyncio.fixture(loop_scope="module")
async def changed(shop: Shop) -> AsyncIterator[Shop]:
    """A shop with other periods than the settings: one of its own, one as it was compiled, one of another shop."""
    for row in (("", "return_days", 120), ("", "withdrawal_days", 14), ("other", "insurance_days", 99)):
        await shop.alter(INSERT, *row)
    shown_terms.forget()
    yield shop
    await shop.alter("DELETE FROM shop_terms WHERE valid_from = '2026-01-01'")
    shown_terms.forget()


async def test_a_page_brings_the_periods_that_differ_and_once(http_browser: Browser, changed: Shop) -> None:
    assert changed
    first, second = [await http_browser.open("/terms") for _ in range(2)]
    cookie = cookies_of(first)["terms"]
    assert (cookie.value, cookie["httponly"]) == ("return_days:120", "")
    assert "terms" not in cookies_of(second)
    assert "terms" not in cookies_of(await http_browser.open("/assets/page.js"))


async def test_a_period_that_is_usual_again_takes_the_cookie_away(http_browser: Browser, changed: Shop) -> None:
    await http_browser.open("/terms")
    await changed.alter("DELETE FROM shop_terms WHERE term = 'return_days'")
    assert "terms" not in cookies_of(await http_browser.open("/terms")), "an answer counts for a while"
    shown_terms.forget()
    gone = cookies_of(await http_browser.open("/terms"))["terms"]
    assert (gone.value, gone["max-age"]) == ("", "0")
    assert "terms" not in cookies_of(await http_browser.open("/terms"))


async def test_while_nobody_answers_the_last_answer_holds(http_browser: Browser, changed: Shop) -> None:
    await http_browser.open("/terms")
    async with nobody_answers(changed):
        shown_terms.forget()
        assert registry
        assert "terms" not in cookies_of(await http_browser.open("/terms"))
