"""The page with the customer's passkeys, through the events of a tab."""

import pytest

from portal.frontend.load import FAILED, READY
from portal.frontend.toasts import Toasts
from portal.login.api import NewPasskey, PasskeyPage, PasskeysApi
from portal.login.pages.passkeys import MyPasskeys
from portal.web.session import checks
from tests.frontend.test_pages import provider_is_down
from tests.support.authenticator import SITE, Authenticator
from tests.support.connections import Shop
from tests.support.people import AMBER, JORIS, PIETER
from tests.support.pipeline import Pipeline, Tab, signed_in

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def added(shop: Shop, token: str) -> None:
    """Add a passkey, as the form of the page does over HTTP."""
    asked = await shop.ask(PasskeysApi).begin_passkey(token, PasskeyPage(origin=SITE))
    credential = Authenticator().make(asked.options)
    await shop.ask(PasskeysApi).add_passkey(
        token, NewPasskey(origin=SITE, challenge=asked.challenge, credential=credential)
    )


async def opened(tabs: Pipeline, token: str, name: str) -> Tab:
    checks._answers.clear()
    tab = signed_in(tabs.tab(name), token)
    await tab.send(MyPasskeys.load, path="/my-data/passkeys")
    assert tab.shown(MyPasskeys, "view_state") == READY
    return tab


async def test_a_passkey_that_was_added_appears_and_goes_when_it_is_removed(tabs: Pipeline, shop: Shop) -> None:
    token = await shop.log_in(*JORIS)
    tab = await opened(tabs, token, "passkeys")
    assert not tab.shown(MyPasskeys, "passkeys")
    await added(shop, token)
    await tab.send(MyPasskeys.added)
    passkey = tab.shown(MyPasskeys, "passkeys")[0]
    assert (passkey.device, passkey.last_used_at) == ("Google Password Manager", None)
    assert (tab.shown(MyPasskeys, "done"), tab.shown(MyPasskeys, "times")) == ("added", 1)
    await tab.send(MyPasskeys.remove, passkey_id=passkey.passkey_id)
    assert not tab.shown(MyPasskeys, "passkeys")
    assert (tab.shown(MyPasskeys, "done"), tab.shown(MyPasskeys, "times")) == ("removed", 2)
    await tab.send(MyPasskeys.load)
    assert tab.shown(MyPasskeys, "done") == ""


async def test_a_passkey_that_is_gone_already_leaves_the_list(tabs: Pipeline, shop: Shop) -> None:
    token = await shop.log_in(*AMBER)
    await added(shop, token)
    tab = await opened(tabs, token, "passkeys-gone")
    passkey_id = tab.shown(MyPasskeys, "passkeys")[0].passkey_id
    await shop.ask(PasskeysApi).remove_passkey(token, passkey_id)
    await tab.send(MyPasskeys.remove, passkey_id=passkey_id)
    assert not tab.shown(MyPasskeys, "passkeys")


async def test_a_failure_keeps_the_list_and_says_so(tabs: Pipeline, shop: Shop) -> None:
    token = await shop.log_in(*PIETER)
    await added(shop, token)
    tab = await opened(tabs, token, "passkeys-failing")
    shown = tab.shown(MyPasskeys, "passkeys")
    async with provider_is_down(shop):
        await tab.send(MyPasskeys.remove, passkey_id=shown[0].passkey_id)
    assert tab.shown(MyPasskeys, "passkeys") is None, "the page keeps what it shows"
    (toast,) = tab.shown(Toasts, "items")
    assert (toast["kind"], toast["quiet"]) == ("error", False), "nothing else tells it"


async def test_a_list_that_cannot_be_loaded_is_an_error(tabs: Pipeline, shop: Shop) -> None:
    token = await shop.log_in(*PIETER)
    tab = await opened(tabs, token, "passkeys-down")
    async with provider_is_down(shop):
        await tab.send(MyPasskeys.load)
    assert tab.shown(MyPasskeys, "view_state") == FAILED
