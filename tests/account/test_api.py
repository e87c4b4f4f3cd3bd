"""Own data and the dashboard: the same whichever way the provider is reached."""

from __future__ import annotations

import asyncio

import pytest

from portal.account.api import AccountApi, CustomerUpdate
from portal.contract.common_api import SessionApi
from portal.contract.errors import InvalidInput, NotAuthenticated, Refused
from portal.contract.models import OngoingKind
from portal.contract.session import LocaleChoice
from portal.kernel.codes import Code
from portal.login.api import EmailChange, EmailChangeCode, LoginApi
from portal.overview.api import OverviewApi
from portal.vocabulary.actions import BUTTONS, TILES, Feature, Opening, Reason
from tests.contract.operations import UPDATE
from tests.support.connections import Shop
from tests.support.people import AMBER, EVA, JORIS, MAX, NOOR, PIETER, SANNE

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_a_customer_sees_their_own_data(shop_each_way: Shop) -> None:
    found = await shop_each_way.ask(SessionApi).customer_info(await shop_each_way.token(*SANNE))
    assert (found.customer.first_name, found.customer.email) == ("Sanne", SANNE[1])
    assert found.customer.address.country_code == "NL"
    assert found.customer.address.phone.startswith("+31")
    assert found.order
    assert found.order.order_number == SANNE[0]
    assert Feature.REPAIR in found.features


async def test_a_change_of_own_data_is_kept_in_our_form(shop_each_way: Shop) -> None:
    token = await shop_each_way.token(*NOOR)
    typed = UPDATE.model_copy(update={"first_name": "  Noor  ", "post_code": "3511lx", "phone": "06-12345678"})
    changed = await shop_each_way.ask(AccountApi).update_customer(token, typed)
    assert changed.customer.first_name == "Noor"
    assert changed.customer.address.post_code == "3511 LX"
    assert changed.customer.address.phone == "+31612345678"
    assert await shop_each_way.ask(SessionApi).customer_info(token) == changed


async def test_everything_that_is_wrong_with_a_change_is_reported_at_once(shop_each_way: Shop) -> None:
    token = await shop_each_way.token(*NOOR)
    before = await shop_each_way.ask(SessionApi).customer_info(token)
    wrong = CustomerUpdate(
        first_name=" ",
        prefix="x" * 500,
        last_name="Visser",
        post_code="12",
        house_number="12a",
        street="",
        city="Utrecht",
        country_code="NL",
        phone="12",
    )
    with pytest.raises(InvalidInput) as caught:
        await shop_each_way.ask(AccountApi).update_customer(token, wrong)
    assert caught.value.code is Code.INVALID_INPUT
    assert caught.value.fields == {
        "first_name": Code.REQUIRED,
        "prefix": Code.TOO_LONG,
        "post_code": Code.INVALID_POSTCODE,
        "house_number": Code.INVALID_HOUSE_NUMBER,
        "street": Code.REQUIRED,
        "phone": Code.INVALID_PHONE,
    }
    with pytest.raises(InvalidInput) as caught:
        await shop_each_way.ask(AccountApi).update_customer(token, UPDATE.model_copy(update={"country_code": "XX"}))
    assert caught.value.fields == {"country_code": Code.INVALID_COUNTRY}
    assert await shop_each_way.ask(SessionApi).customer_info(token) == before


@pytest.mark.parametrize("name", ["<script>alert(1)</script>", "Robert'); DROP TABLE customers;--", "Zoë 🚲", "李"])
async def test_a_name_is_only_a_name(shop_each_way: Shop, name: str) -> None:
    token = await shop_each_way.token(*NOOR)
    changed = await shop_each_way.ask(AccountApi).update_customer(token, UPDATE.model_copy(update={"last_name": name}))
    assert changed.customer.last_name == name


async def test_the_language_is_kept(shop_each_way: Shop) -> None:
    token = await shop_each_way.token(*AMBER)
    for locale in ("en", "nl"):
        await shop_each_way.ask(SessionApi).change_locale(token, LocaleChoice(locale=locale))
        assert (await shop_each_way.ask(SessionApi).customer_info(token)).locale == locale
        assert (await shop_each_way.ask(SessionApi).check_session(token)).locale == locale


@pytest.mark.parametrize(
    ("typed", "code"),
    [("", Code.REQUIRED), ("nobody", Code.INVALID_EMAIL), ("MAX@example.com", Code.SAME_EMAIL)],
)
async def test_a_new_email_address_is_checked(shop_each_way: Shop, typed: str, code: Code) -> None:
    with pytest.raises(InvalidInput) as caught:
        await shop_each_way.ask(LoginApi).request_email_change(
            await shop_each_way.token(*MAX), EmailChange(email=typed)
        )
    assert (caught.value.code, caught.value.fields) == (code, {"email": code})


async def test_a_change_of_email_address_needs_the_code_sent_to_the_old_one(shop_each_way: Shop) -> None:
    token, new = await shop_each_way.log_in(*PIETER), "piet@example.net"
    elsewhere = await shop_each_way.log_in(*PIETER)
    with pytest.raises(Refused) as caught:
        await shop_each_way.ask(LoginApi).confirm_email_change(token, EmailChangeCode(code="123456"))
    assert caught.value.code is Code.NO_CHALLENGE

    seen = len(shop_each_way.mailbox.mails_to(PIETER[1]))
    sent = await shop_each_way.ask(LoginApi).request_email_change(token, EmailChange(email=new))
    assert sent.email != new
    code = await shop_each_way.code(PIETER[1], seen)
    assert not shop_each_way.mailbox.mails_to(new)
    for wrong, why in ((f"{(int(code) + 1) % 10**6:06}", Code.INVALID_CODE), ("abc", Code.INVALID_CODE)):
        with pytest.raises(Refused) as caught:
            await shop_each_way.ask(LoginApi).confirm_email_change(token, EmailChangeCode(code=wrong))
        assert caught.value.code is why
    with pytest.raises(InvalidInput) as missing:
        await shop_each_way.ask(LoginApi).confirm_email_change(token, EmailChangeCode(code=""))
    assert missing.value.fields == {"code": Code.REQUIRED}
    with pytest.raises(Refused) as caught:
        await shop_each_way.ask(LoginApi).confirm_email_change(elsewhere, EmailChangeCode(code=code))
    assert caught.value.code is Code.NO_CHALLENGE

    changed = await shop_each_way.ask(LoginApi).confirm_email_change(token, EmailChangeCode(code=code))
    assert changed.customer.email == new
    assert await shop_each_way.ask(SessionApi).customer_info(token) == changed
    with pytest.raises(NotAuthenticated):
        await shop_each_way.ask(SessionApi).customer_info(elsewhere)
    with pytest.raises(Refused) as caught:
        await shop_each_way.ask(LoginApi).confirm_email_change(token, EmailChangeCode(code=code))
    assert caught.value.code is Code.CODE_USED_UP
    await asyncio.to_thread(shop_each_way.mailbox.wait_for, new)


async def test_a_code_for_a_new_address_expires_and_is_used_up(shop_each_way: Shop) -> None:
    token = await shop_each_way.log_in(*EVA)
    seen = len(shop_each_way.mailbox.mails_to(EVA[1]))
    await shop_each_way.ask(LoginApi).request_email_change(token, EmailChange(email="eva@example.net"))
    code = await shop_each_way.code(EVA[1], seen)
    await shop_each_way.alter(
        "UPDATE email_changes SET expires_at = '2020-01-01 00:00:00.000000' WHERE used_at IS NULL"
    )
    with pytest.raises(Refused) as caught:
        await shop_each_way.ask(LoginApi).confirm_email_change(token, EmailChangeCode(code=code))
    assert caught.value.code is Code.CODE_EXPIRED

    await shop_each_way.ask(LoginApi).request_email_change(token, EmailChange(email="eva@example.net"))
    code = await shop_each_way.code(EVA[1], seen + 1)
    for _ in range(5):
        with pytest.raises(Refused):
            await shop_each_way.ask(LoginApi).confirm_email_change(
                token, EmailChangeCode(code=f"{(int(code) + 1) % 10**6:06}")
            )
    with pytest.raises(Refused) as caught:
        await shop_each_way.ask(LoginApi).confirm_email_change(token, EmailChangeCode(code=code))
    assert caught.value.code is Code.CODE_USED_UP


async def test_the_dashboard_shows_what_can_be_started_and_what_goes_on(shop_each_way: Shop) -> None:
    dashboard = await shop_each_way.ask(OverviewApi).dashboard(await shop_each_way.token(*JORIS))
    assert dashboard.first_name == "Joris"
    assert dashboard.has_features
    assert {action.feature for action in dashboard.actions} == {*TILES, *BUTTONS}
    repair = next(action for action in dashboard.actions if action.feature is Feature.REPAIR)
    assert (repair.opening, repair.reason) == (Opening.CLOSED, Reason.REQUEST_OPEN)
    assert [entry for entry in dashboard.ongoing if entry.kind is OngoingKind.REQUEST]


async def test_a_dashboard_without_features_says_so(shop_each_way: Shop) -> None:
    dashboard = await shop_each_way.ask(OverviewApi).dashboard(await shop_each_way.log_in(*EVA))
    assert not dashboard.has_features
