"""Own data is changed, refused and kept; the e-mail address changes with a code from the old one."""

from typing import Any

import pytest

from portal.account.pages.state import ADDRESS, CODE, EmailChangePage, MyData
from portal.contract import registry
from portal.contract.common_api import SessionApi
from portal.frontend.load import READY
from portal.frontend.session import SessionState
from portal.frontend.toasts import Toasts
from portal.web.session import checks
from tests.frontend.test_pages import provider_is_down
from tests.support.connections import Shop
from tests.support.people import AMBER, JORIS, NOOR, PIETER
from tests.support.pipeline import Pipeline, Tab, signed_in

pytestmark = pytest.mark.asyncio(loop_scope="module")

ADDRESS_IN_UTRECHT = {
    "country_code": "NL",
    "post_code": "3511bd",
    "house_number": "40",
    "house_number_addon": "bis",
    "street": "Vredenburg",
    "city": "Utrecht",
}


async def my_data_of(tabs: Pipeline, shop: Shop, customer: tuple[str, str], name: str) -> Tab:
    """A tab that shows the data of somebody who just logged in."""
    checks._answers.clear()
    tab = signed_in(tabs.tab(f"{name}-{customer[0]}"), await shop.log_in(*customer))
    await tab.send(MyData.load, path="/my-data")
    assert tab.shown(MyData, "view_state") == READY
    return tab


async def test_a_section_is_changed_and_the_rest_stays(tabs: Pipeline, shop: Shop) -> None:
    tab = await my_data_of(tabs, shop, JORIS, "change")
    before = tab.shown(MyData, "data")
    await tab.send(MyData.edit, section="address")
    assert tab.shown(MyData, "editing") == "address"
    await tab.send(MyData.save, form=ADDRESS_IN_UTRECHT)
    after = tab.shown(MyData, "data")
    changed = {"post_code": "3511 BD", "house_number": "40", "house_number_addon": "bis", "street": "Vredenburg"}
    address = before.address.model_copy(update={**changed, "city": "Utrecht"})
    assert after == before.model_copy(update={"address": address})
    assert (tab.shown(MyData, "editing"), tab.shown(MyData, "saved")) == ("", "address")
    assert tab.shown(SessionState, "person").address.street == "Vredenburg"
    assert [item["kind"] for item in tab.shown(Toasts, "items")] == ["success"]


async def test_fields_that_are_wrong_are_named_and_nothing_is_kept(tabs: Pipeline, shop: Shop) -> None:
    tab = await my_data_of(tabs, shop, AMBER, "wrong")
    await tab.send(MyData.edit, section="address")
    wrong = ADDRESS_IN_UTRECHT | {"post_code": "35", "house_number": "12a", "city": " ", "street": "x" * 2000}
    await tab.send(MyData.save, form=wrong)
    assert tab.shown(MyData, "errors") == {
        "post_code": "invalid_postcode",
        "house_number": "invalid_house_number",
        "city": "required",
        "street": "too_long",
    }
    # The form stays open, so that the browser keeps what was typed.
    assert tab.shown(MyData, "editing") is None
    assert (tab.shown(MyData, "answered"), tab.shown(MyData, "attempt")) == (1, 1)
    kept = (await shop.ask(SessionApi).customer_info(await shop.token(*AMBER))).customer.address
    assert kept.street != "x" * 2000
    assert kept.city


@pytest.mark.parametrize("form", [{}, {"phone": ["06 12345678", "x"]}, {"phone": None}, {"first_name": "Mallory"}])
async def test_what_does_not_belong_to_the_section_is_ignored(tabs: Pipeline, shop: Shop, form: dict[str, Any]) -> None:
    tab = await my_data_of(tabs, shop, NOOR, f"ignored-{form}")
    await tab.send(MyData.edit, section="contact")
    await tab.send(MyData.save, form=form)
    customer = (await shop.ask(SessionApi).customer_info(await shop.token(*NOOR))).customer
    assert customer.first_name == "Noor"
    assert customer.address.phone == ""


async def test_nothing_is_saved_while_nothing_is_edited(tabs: Pipeline, shop: Shop) -> None:
    tab = await my_data_of(tabs, shop, NOOR, "not-editing")
    await tab.send(MyData.edit, section="__class__")
    assert tab.shown(MyData, "editing") is None
    await tab.send(MyData.save, form={"first_name": "Mallory", "last_name": "M"})
    assert (await shop.ask(SessionApi).customer_info(await shop.token(*NOOR))).customer.first_name == "Noor"


async def test_a_provider_that_is_down_loses_nothing_that_was_typed(tabs: Pipeline, shop: Shop) -> None:
    tab = await my_data_of(tabs, shop, NOOR, "down")
    await tab.send(MyData.edit, section="name")
    form = {"first_name": "Noortje", "prefix": "", "last_name": "Bakker"}
    async with provider_is_down(shop):
        await tab.send(MyData.save, form=form)
        assert tab.shown(MyData, "refusal")
        assert tab.shown(MyData, "attempt") == 1
        assert tab.shown(MyData, "editing") is None
        toast = tab.shown(Toasts, "items")[0]
        assert (toast["title"]["nl"], toast["quiet"]) == ("Er ging iets mis", True)
    await tab.send(MyData.save, form=form)
    assert tab.shown(MyData, "data").first_name == "Noortje"
    await tab.send(MyData.edit, section="name")
    await tab.send(MyData.save, form=form | {"first_name": "Noor"})


async def test_the_email_address_changes_with_the_code_that_went_to_the_old_one(tabs: Pipeline, shop: Shop) -> None:
    number, old = JORIS
    tab = await my_data_of(tabs, shop, JORIS, "email")
    await tab.send(EmailChangePage.begin)
    assert tab.shown(EmailChangePage, "step") == ADDRESS
    for typed, problem in (("", "required"), ("joris@", "invalid_email"), (old.upper(), "same_email")):
        await tab.send(EmailChangePage.request, form={"email": typed})
        assert tab.shown(EmailChangePage, "problem") == problem
    seen = len(shop.mailbox.mails_to(old))
    await tab.send(EmailChangePage.request, form={"email": " joris.nieuw@example.com "})
    assert tab.shown(EmailChangePage, "step") == CODE
    # Whoever looks for the mail reads the whole address.
    assert tab.shown(EmailChangePage, "sent").email == old
    code = await shop.code(old, seen)
    await tab.send(EmailChangePage.confirm, form={"code": "000000" if code != "000000" else "111111"})
    assert tab.shown(EmailChangePage, "problem") == "invalid_code"
    assert (await shop.ask(SessionApi).customer_info(await shop.token(*JORIS))).customer.email == old
    await tab.send(EmailChangePage.confirm, form={"code": f" {code[:3]}-{code[3:]} "})
    assert tab.shown(EmailChangePage, "step") == ""
    assert tab.shown(MyData, "data").email == "joris.nieuw@example.com"
    assert (tab.shown(MyData, "saved"), tab.shown(SessionState, "person").email) == ("email", "joris.nieuw@example.com")
    await shop.log_in(number, "joris.nieuw@example.com")


async def test_another_code_replaces_the_first_and_says_so(tabs: Pipeline, shop: Shop) -> None:
    tab = await my_data_of(tabs, shop, PIETER, "resend")
    await tab.send(EmailChangePage.begin)
    seen = len(shop.mailbox.mails_to(PIETER[1]))
    await tab.send(EmailChangePage.request, form={"email": "pieter.nieuw@example.org"})
    first = await shop.code(PIETER[1], seen)
    await tab.send(EmailChangePage.resend)
    assert tab.shown(EmailChangePage, "resent") is True
    second = await shop.code(PIETER[1], seen + 1)
    if first != second:
        await tab.send(EmailChangePage.confirm, form={"code": first})
        assert tab.shown(EmailChangePage, "problem") == "invalid_code"
    await tab.send(EmailChangePage.back)
    assert (tab.shown(EmailChangePage, "step"), tab.shown(EmailChangePage, "problem")) == (ADDRESS, "")
    await tab.send(EmailChangePage.close)
    assert tab.shown(EmailChangePage, "step") == ""


async def test_a_code_that_was_guessed_too_often_says_that_only_a_new_one_helps(tabs: Pipeline, shop: Shop) -> None:
    tab = await my_data_of(tabs, shop, NOOR, "used-up")
    await tab.send(EmailChangePage.begin)
    await tab.send(EmailChangePage.confirm, form={"code": "123456"})
    assert tab.shown(EmailChangePage, "problem") == "no_challenge"
    seen = len(shop.mailbox.mails_to(NOOR[1]))
    await tab.send(EmailChangePage.request, form={"email": "noor.nieuw@example.com"})
    right = await shop.code(NOOR[1], seen)
    wrong = "000000" if right != "000000" else "111111"
    problems = []
    for _ in range(6):
        await tab.send(EmailChangePage.confirm, form={"code": wrong})
        problems.append(tab.shown(EmailChangePage, "problem"))
    assert problems[0] == "invalid_code"
    await tab.send(EmailChangePage.confirm, form={"code": right})
    assert tab.shown(EmailChangePage, "step") is None
    assert (await shop.ask(SessionApi).customer_info(await shop.token(*NOOR))).customer.email == NOOR[1]
    assert registry.connected() is shop.provider
