"""The pages of mailed links without a login, through the event processor of the framework (part-2 §10)."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any

import pytest

from portal.client.remote import HttpProvider
from portal.contract import registry
from portal.frontend.load import FAILED
from portal.kernel.codes import Code
from portal.kernel.days import now
from portal.links.api import LinkAbout
from portal.links.pages import REFUSED, MailedLink
from portal.vocabulary.links import PATHS, LinkPurpose, LinkState, new_hash
from tests.client.fault_server import fault_server, refuses
from tests.support.connections import Shop
from tests.support.links import planted
from tests.support.mailbox import text_of
from tests.support.people import DAAN, FLEUR, ROOS
from tests.support.pipeline import Pipeline, Tab, running_pipeline
from tests.support.ports import free_port

pytestmark = pytest.mark.asyncio(loop_scope="module")
CUSTOMERS = {LinkPurpose.ORDER_RETURN: ROOS, LinkPurpose.DELIVERY_DATE: DAAN, LinkPurpose.INSURANCE: FLEUR}

INSURANCE_WAITS = (
    "UPDATE insurance_requests SET status = 'waiting_for_input', waits_for_link = 1"
    " WHERE bike_id IN (SELECT bikes.id FROM bikes JOIN orders ON orders.id = bikes.order_id"
    " WHERE order_number = '900000082')"
)

DATE_WAITS = (
    "UPDATE date_changes SET status = 'waiting_for_customer'"
    " WHERE order_id IN (SELECT id FROM orders WHERE order_number = '900000072')"
)
"""Whatever a test before did to them, they wait for their links again."""


async def link_of(shop: Shop, purpose: LinkPurpose, **times: Any) -> str:
    """The path of a link to the request that waits in the demonstration."""
    end = new_hash()
    assert await shop.alter(*planted(purpose, end, CUSTOMERS[purpose][1], **times)) == 1
    return f"{PATHS[purpose]}/{end}"


def view_state(tab: Tab) -> str:
    return tab.shown(MailedLink, "view_state")


@asynccontextmanager
async def elsewhere(shop: Shop, address: str) -> AsyncIterator[None]:
    """Ask another provider for a while."""
    other = HttpProvider(address, api_key="k")
    registry.connect(other)
    try:
        yield
    finally:
        registry.connect(shop.provider)
        await other.close()


@pytest.mark.parametrize(
    ("purpose", "told"),
    [
        (LinkPurpose.ORDER_RETURN, {"order_number": "900000725"}),
        (LinkPurpose.DELIVERY_DATE, {"order_number": "900000072"}),
        (LinkPurpose.INSURANCE, {}),
    ],
)
async def test_only_the_button_confirms_and_only_once(
    tabs: Pipeline, shop: Shop, purpose: LinkPurpose, told: dict[str, str]
) -> None:
    path = await link_of(shop, purpose)
    for name in ("scanner", "again"):
        await tabs.tab(f"{purpose}-{name}").send(MailedLink.load, path=path)
        assert view_state(tabs.tab(f"{purpose}-{name}")) == LinkState.VALID
    tab = tabs.tab(f"{purpose}-customer")
    await tab.send(MailedLink.load, path=path)
    about = tab.shown(MailedLink, "about")
    assert {name: getattr(about, name) for name in told} == told
    described = tab.shown(MailedLink, "account").facts
    assert bool(described) == (purpose is not LinkPurpose.ORDER_RETURN), "a request with an account shows its facts"
    await tab.send(MailedLink.confirm, path=path, form={})
    assert (view_state(tab), tab.shown(MailedLink, "turn")) == (LinkState.CONFIRMED, 1)
    # Pressed twice, or after a lost connection: what this page did, it did.
    await tab.send(MailedLink.confirm, path=path, form={})
    await tab.send(MailedLink.load, path=path)
    assert view_state(tab) in (None, LinkState.CONFIRMED)
    other = tabs.tab(f"{purpose}-later")
    await other.send(MailedLink.load, path=path)
    assert view_state(other) == LinkState.USED
    await other.send(MailedLink.confirm, path=path, form={})
    assert not other.shown(MailedLink, "problem")


@pytest.mark.parametrize("purpose", CUSTOMERS)
@pytest.mark.parametrize("end", ["a" * 43, "cut-off", "..%2f", "🚲"])
async def test_an_unknown_link_is_invalid(tabs: Pipeline, shop: Shop, purpose: LinkPurpose, end: str) -> None:
    assert shop
    path, tab = f"{PATHS[purpose]}/{end}", tabs.tab(f"invalid-{purpose}-{end}")
    await tab.send(MailedLink.load, path=path)
    assert view_state(tab) == LinkState.INVALID
    await tab.send(MailedLink.confirm, path=path, form={})
    assert tab.shown(MailedLink, "problem") == Code.INVALID_HASH
    await tab.send(MailedLink.resend, path=path, form={})
    assert tab.shown(MailedLink, "sent_to") is None


async def test_an_expired_link_is_mailed_again_to_the_same_address(tabs: Pipeline, shop: Shop) -> None:
    await shop.alter(DATE_WAITS)
    path = await link_of(shop, LinkPurpose.DELIVERY_DATE, expires_at=now() - timedelta(minutes=1))
    tab, seen = tabs.tab("expired"), len(shop.mailbox.mails_to(DAAN[1]))
    await tab.send(MailedLink.load, path=path)
    assert view_state(tab) == LinkState.EXPIRED
    await tab.send(MailedLink.confirm, path=path, form={})
    assert view_state(tab) == LinkState.EXPIRED, "too late is too late"
    await tab.send(MailedLink.resend, path=path, form={})
    assert tab.shown(MailedLink, "sent_to") == "d…@…com"
    assert tab.shown(MailedLink, "sent_until")
    mail = await asyncio.to_thread(shop.mailbox.wait_for, DAAN[1], after=seen)
    assert PATHS[LinkPurpose.DELIVERY_DATE] in text_of(mail)


async def test_a_refusal_by_a_rule_is_shown_and_the_link_is_not_used(tabs: Pipeline, shop: Shop) -> None:
    await shop.alter(DATE_WAITS)
    path, tab = await link_of(shop, LinkPurpose.DELIVERY_DATE), tabs.tab("refused")
    number = "900000072"
    for statement, code in (
        ("UPDATE orders SET delivery_status = 'driver_on_the_way' WHERE order_number = ?", Code.ALREADY_HANDED_OVER),
        ("UPDATE orders SET delivery_status = 'in_stock' WHERE order_number = ?", None),
    ):
        await shop.alter(statement, number)
        await tab.send(MailedLink.load, path=path)
        if code:
            await tab.send(MailedLink.confirm, path=path, form={})
            assert (view_state(tab), tab.shown(MailedLink, "problem")) == (REFUSED, code)
    assert view_state(tab) == LinkState.VALID
    await shop.alter(
        "INSERT OR REPLACE INTO delivery_days (country_code, day, capacity, taken) "
        "SELECT country_code, new_day, 0, 0 FROM date_changes WHERE status = 'waiting_for_customer'"
    )
    await tab.send(MailedLink.confirm, path=path, form={})
    assert (view_state(tab), tab.shown(MailedLink, "problem")) == (REFUSED, Code.DELIVERY_DAY_TAKEN)


async def test_a_bike_that_was_insured_meanwhile_is_not_insured_by_its_link(tabs: Pipeline, shop: Shop) -> None:
    bike = "WHERE order_id = (SELECT id FROM orders WHERE order_number = '900000082')"
    await shop.alter(INSURANCE_WAITS)
    path, tab = await link_of(shop, LinkPurpose.INSURANCE), tabs.tab("insured")
    await shop.alter(f"UPDATE bikes SET insurance = 'theft' {bike}")
    await tab.send(MailedLink.load, path=path)
    await tab.send(MailedLink.confirm, path=path, form={})
    await shop.alter(f"UPDATE bikes SET insurance = '' {bike}")
    assert (view_state(tab), tab.shown(MailedLink, "problem")) == (REFUSED, Code.INSURANCE_EXISTS)


async def test_after_a_failed_call_the_customer_can_try_again(tabs: Pipeline, shop: Shop) -> None:
    await shop.alter(INSURANCE_WAITS)
    path, tab = await link_of(shop, LinkPurpose.INSURANCE), tabs.tab("no-answer")
    nowhere = f"http://127.0.0.1:{free_port()}"
    async with elsewhere(shop, nowhere):
        await tab.send(MailedLink.load, path=path)
        assert view_state(tab) == FAILED
    await tab.send(MailedLink.load, path=path)
    assert view_state(tab) == LinkState.VALID
    async with elsewhere(shop, nowhere):
        await tab.send(MailedLink.confirm, path=path, form={})
    assert (view_state(tab), tab.shown(MailedLink, "problem")) == (None, Code.NETWORK_ERROR)
    await tab.send(MailedLink.confirm, path=path, form={})
    assert view_state(tab) == LinkState.CONFIRMED


@pytest.mark.parametrize(
    ("code", "status", "after"),
    [
        (Code.MAIL_SENT_RECENTLY, 429, None),
        (Code.RETURN_REQUEST_ALREADY_EXISTS, 403, REFUSED),
        (Code.INVALID_TIME, 403, REFUSED),
        (Code.INVALID_HASH, 403, LinkState.INVALID),
        (Code.NOT_FOUND, 404, LinkState.INVALID),
    ],
)
async def test_the_reason_why_no_new_link_was_mailed_is_shown(
    tabs: Pipeline, shop: Shop, code: Code, status: int, after: str | None
) -> None:
    path, tab = f"{PATHS[LinkPurpose.ORDER_RETURN]}/{'b' * 43}", tabs.tab(f"resend-{code}")
    await tab.send(MailedLink.load, path=path)
    async with fault_server(refuses(code.value, status)) as server, elsewhere(shop, server.address):
        await tab.send(MailedLink.resend, path=path, form={})
    assert (view_state(tab), tab.shown(MailedLink, "problem")) == (after, code)
    assert tab.shown(MailedLink, "failures") == 1


async def test_another_link_in_the_same_tab_resets_the_page(tabs: Pipeline, shop: Shop) -> None:
    await shop.alter(INSURANCE_WAITS)
    tab = tabs.tab("two-links")
    path = await link_of(shop, LinkPurpose.INSURANCE)
    await tab.send(MailedLink.load, path=path)
    await tab.send(MailedLink.confirm, path=path, form={})
    await tab.send(MailedLink.load, path=f"{PATHS[LinkPurpose.INSURANCE]}/{'c' * 43}")
    assert view_state(tab) == LinkState.INVALID
    assert tab.shown(MailedLink, "about") == LinkAbout()


async def test_no_state_contains_the_secret_of_a_link(shop: Shop) -> None:
    path = f"{PATHS[LinkPurpose.ORDER_RETURN]}/{'d' * 43}"
    async with running_pipeline() as tabs:
        tab = tabs.tab("kept")
        await tab.send(MailedLink.load, path=path)
        assert shop
        for delta in tab.deltas:
            assert "d" * 43 not in repr(delta.get(MailedLink.get_full_name(), {}))
