"""Own data: what it shows, and what changing it accepts."""

import pytest

from portal.account.api import AccountApi, CustomerUpdate
from portal.contract.common_api import SessionApi
from portal.contract.errors import InvalidInput
from portal.contract.session import LocaleChoice
from portal.kernel.address import Country
from portal.kernel.codes import Code
from portal.vocabulary.actions import Feature
from tests.support.customers import EVA, IRIS, NOOR, PIETER, SANNE
from tests.support.furnished import Furnished

MOVED = CustomerUpdate(
    first_name="  Sanne ",
    prefix="",
    last_name="de  Groot",
    post_code="3512la",
    house_number=" 77 ",
    house_number_addon="bis",
    street="Nieuwegracht",
    city="Utrecht",
    country_code="nl",
    phone="06 - 1234 5678",
)


async def test_user_data_holds_the_customer_and_the_login_order(furnished: Furnished) -> None:
    data = await furnished.ask(SessionApi).customer_info(await furnished.log_in(SANNE))
    assert (data.customer.first_name, data.customer.prefix, data.customer.last_name) == ("Sanne", "van", "Dijkstra")
    assert data.customer.address.phone == "+31612345601"
    assert data.order
    assert data.order.order_number == "900000001"
    assert data.order.invoiced_at
    assert set(data.features) == set(Feature)


async def test_what_is_not_there_is_empty(furnished: Furnished) -> None:
    noor = await furnished.ask(SessionApi).customer_info(await furnished.log_in(NOOR))
    assert (noor.customer.address.phone, noor.locale) == ("", "en")
    iris = await furnished.ask(SessionApi).customer_info(await furnished.log_in(IRIS))
    assert (iris.order, iris.features) == (None, [])
    assert (await furnished.ask(SessionApi).customer_info(await furnished.log_in(EVA))).features == []


async def test_a_change_is_kept_in_its_normal_form(furnished: Furnished) -> None:
    token = await furnished.log_in(SANNE)
    changed = await furnished.ask(AccountApi).update_customer(token, MOVED)
    assert (changed.customer.first_name, changed.customer.last_name) == ("Sanne", "de Groot")
    assert changed.customer.prefix == ""
    address = changed.customer.address
    assert (address.post_code, address.house_number, address.house_number_addon) == ("3512 LA", "77", "bis")
    assert address.phone == "+31612345678"
    assert changed == await furnished.ask(SessionApi).customer_info(token)
    assert changed.customer.email == "sanne@example.com"


async def test_a_change_touches_nobody_else(furnished: Furnished) -> None:
    before = await furnished.ask(SessionApi).customer_info(await furnished.log_in(PIETER))
    await furnished.ask(AccountApi).update_customer(await furnished.log_in(SANNE), MOVED)
    assert await furnished.ask(SessionApi).customer_info(await furnished.log_in(PIETER)) == before


async def test_everything_that_is_wrong_is_reported_at_once(furnished: Furnished) -> None:
    token = await furnished.log_in(SANNE)
    before = await furnished.ask(SessionApi).customer_info(token)
    with pytest.raises(InvalidInput) as refusal:
        await furnished.ask(AccountApi).update_customer(
            token,
            CustomerUpdate(
                first_name=" ",
                last_name="x" * 61,
                post_code="1234 SS",
                house_number="12a",
                house_number_addon="y" * 11,
                street="\u200b",
                city="",
                country_code="NL",
                phone="12",
            ),
        )
    assert refusal.value.fields == {
        "first_name": Code.REQUIRED,
        "last_name": Code.TOO_LONG,
        "post_code": Code.INVALID_POSTCODE,
        "house_number": Code.INVALID_HOUSE_NUMBER,
        "house_number_addon": Code.TOO_LONG,
        "street": Code.REQUIRED,
        "city": Code.REQUIRED,
        "phone": Code.INVALID_PHONE,
    }
    assert await furnished.ask(SessionApi).customer_info(token) == before


@pytest.mark.parametrize(
    ("country", "post_code", "phone", "kept"),
    [
        (Country.BE, "9000", "0470 12 34 05", ("9000", "+32470123405")),
        (Country.DE, "20095", "040 428131200", ("20095", "+4940428131200")),
        (Country.FR, "75001", "01 40 20 50 50", ("75001", "+33140205050")),
        (Country.NL, "1011AB", "+32 470 12 34 05", ("1011 AB", "+32470123405")),
    ],
)
async def test_postcode_and_phone_follow_the_country(
    furnished: Furnished, country: Country, post_code: str, phone: str, kept: tuple[str, str]
) -> None:
    update = MOVED.model_copy(update={"country_code": country.value, "post_code": post_code, "phone": phone})
    address = (await furnished.ask(AccountApi).update_customer(await furnished.log_in(SANNE), update)).customer.address
    assert (address.post_code, address.phone) == kept


async def test_the_language_of_mails_is_remembered(furnished: Furnished) -> None:
    token = await furnished.log_in(SANNE)
    await furnished.ask(SessionApi).change_locale(token, LocaleChoice(locale="en"))
    assert (await furnished.ask(SessionApi).customer_info(token)).locale == "en"
    assert (await furnished.ask(SessionApi).check_session(token)).locale == "en"
