"""Pick-ups: addresses and days in six countries, and the text message on the day before (part-2 §3, §9)."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from portal.backend.text_messages import TextMessages
from portal.contract.errors import InvalidInput
from portal.kernel.address import PICKUP_COUNTRIES
from portal.kernel.codes import Code
from portal.kernel.days import AMSTERDAM
from portal.kernel.validation import in_groups
from portal.returns.api import ReturnsApi
from portal.tables.messages import TextMessageRow
from portal.vocabulary.returns import ReturnStatus
from tests.returns.back_office import move, stored
from tests.support.customers import ROOS
from tests.support.furnished import Furnished
from tests.support.returning import ACCESSORIES, PARTLY, accessories, begin, fill, pick_up, send
from tests.support.text_gateway import Gateway

ADDRESSES: Mapping[str, tuple[str, str, str, str]] = {
    "NL": ("3523ab", "3523 AB", "Balijelaan", "030 231 1234"),
    "DE": ("50667", "50667", "Domstraße", "0221 2345678"),
    "BE": ("9000", "9000", "Veldstraat", "09 234 56 78"),
    "SE": ("11455", "114 55", "Storgatan", "08 123 456 78"),
    "DK": ("2100", "2100", "Østerbrogade", "32 12 34 56"),
    "NO": ("0150", "0150", "Storgata", "22 12 34 56"),
}
"""Postcode as entered and as stored, street, and a phone number without country prefix."""


async def test_an_address_in_each_of_six_countries_is_stored_in_the_form_of_its_country(furnished: Furnished) -> None:
    token, provider = await furnished.log_in(ROOS), furnished.provider
    assert set(ADDRESSES) == {country.value for country in PICKUP_COUNTRIES}
    steps = {**await accessories(provider, token, f"{PARTLY}-2*1"), "method": {"method": "pick_up"}}
    for country, (typed, kept, street, phone) in ADDRESSES.items():
        draft = await fill(provider, token, await begin(provider, token, ACCESSORIES), steps)
        where = {
            "address": "other", "pickup_name": "Buren van 12", "country_code": country, "post_code": typed,
            "house_number": "12", "house_number_addon": "A", "street": street, "street_addition": "Gebouw C",
            "city": "Stad", "phone": phone, "pickup_email": "buren@Example.BE", "remarks": "Bel twee keer.",
            "pickup_day": draft.facts["pickup_days"][country][0], "pickup_window": "evening",
        }  # fmt: skip
        for field, wrong, code in (
            ("post_code", "12", Code.INVALID_POSTCODE),
            ("post_code", "", Code.REQUIRED),
            ("pickup_email", "buren@example.be, x@example.be", Code.INVALID_EMAIL),
            ("pickup_day", "2020-01-01", Code.INVALID_TIME),
        ):
            with pytest.raises(InvalidInput) as caught:
                await fill(provider, token, draft, {"pickup": {**where, field: wrong}})
            assert caught.value.fields == {field: code}
        receipt = await send(provider, token, ACCESSORIES, {**steps, "pickup": where})
        detail = await provider.ask(ReturnsApi).return_detail(token, receipt.summary["return_id"])
        assert detail.account.handover
        assert detail.account.handover.place == ["Buren van 12", f"{street} 12 A", "Gebouw C", f"{kept} Stad"]
        assert "buren@example.be" in [line.nl for fact in detail.account.facts for line in fact.lines]
        row = await stored(furnished, receipt.reference)
        assert ((row.address or {})["country_code"], row.remarks) == (country, "Bel twee keer.")
        assert row.phone.startswith("+")
        await provider.ask(ReturnsApi).cancel_return(token, detail.return_id)


async def _at(shop: Furnished, gateway: Gateway, moment: datetime, row: TextMessageRow) -> list[dict[str, str]]:
    """The text messages that were sent until a moment."""
    settings = shop.context.settings.model_copy(update={"text_gateway": gateway.settings()})
    await TextMessages(replace(shop.context, settings=settings, clock=lambda: moment)).deliver(row.id)
    return [request["content"] for request in gateway.received]


@pytest.mark.parametrize("end", ["", "cancelled", "arrived", "late"])
async def test_a_text_message_is_sent_once_on_the_day_before_a_pick_up_that_takes_place(
    furnished: Furnished, text_gateway: Gateway, end: str
) -> None:
    token = await furnished.log_in(ROOS)
    where = await pick_up(furnished.provider, token)
    steps = {**await accessories(furnished.provider, token, f"{PARTLY}-2*1"), "method": {"method": "pick_up"}}
    receipt = await send(furnished.provider, token, ACCESSORIES, {**steps, "pickup": where})
    assert receipt.account
    assert "text message" in receipt.account.next_steps[1].en
    if end == "cancelled":
        await furnished.ask(ReturnsApi).cancel_return(token, receipt.summary["return_id"])
    if end == "arrived":
        await move(furnished, receipt.reference, ReturnStatus.RECEIVED)
    row = await furnished.one(TextMessageRow)
    if end:
        assert await _at(furnished, text_gateway, row.due_at + timedelta(hours=12 * (end == "late")), row) == []
        assert (await furnished.one(TextMessageRow)).dropped_at
        return
    day_before = datetime.fromisoformat(str(where["pickup_day"])).date() - timedelta(days=1)
    assert row.due_at.astimezone(AMSTERDAM).date() == day_before
    await _at(furnished, text_gateway, row.due_at, row)
    (message,) = await _at(furnished, text_gateway, row.due_at, row)
    assert message["to"] == "+31612345611"
    assert in_groups(receipt.reference) in message["text"]
    assert "tussen 09:00 en" in message["text"]
