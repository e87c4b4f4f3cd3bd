"""Pick-ups: addresses and days in six countries, and the text message on the day before (part-2 §3, §9)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from sqlmodel import select

from portal.backend.backoffice import TransitionRequest
from portal.backend.text_messages import TextMessages
from portal.contract.errors import InvalidInput
from portal.kernel.address import PICKUP_COUNTRIES
from portal.kernel.codes import Code
from portal.kernel.days import AMSTERDAM
from portal.kernel.validation import in_groups
from portal.returns.api import ReturnsApi
from portal.tables.messages import TextMessageRow
from portal.vocabulary.returns import ReturnStatus
from tests.returns.back_office import stored
from tests.support.customers import ROOS
from tests.support.furnished import Furnished
from tests.support.returning import ACCESSORIES, PARTLY, accessories, begin, fill, pick_up, send
from tests.support.text_gateway import GatewayProcess

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
    token = await furnished.log_in(ROOS)
    provider = furnished.provider
    assert set(ADDRESSES) == {country.value for country in PICKUP_COUNTRIES}
    steps = {**await accessories(provider, token, f"{PARTLY}-2*1"), "method": {"method": "pick_up"}}
    for country, (typed, kept, street, phone) in ADDRESSES.items():
        draft = await fill(provider, token, await begin(provider, token, ACCESSORIES), steps)
        where = {
            "address": "other",
            "pickup_name": "Buren van 12",
            "country_code": country,
            "post_code": typed,
            "house_number": "12",
            "house_number_addon": "A",
            "street": street,
            "city": "Stad",
            "phone": phone,
            "remarks": "Bel twee keer.",
            "pickup_day": draft.facts["pickup_days"][country][0],
            "pickup_window": "evening",
        }
        for wrong, code in (("12", Code.INVALID_POSTCODE), ("", Code.REQUIRED)):
            with pytest.raises(InvalidInput) as caught:
                await fill(provider, token, draft, {"pickup": {**where, "post_code": wrong}})
            assert caught.value.fields == {"post_code": code}
        with pytest.raises(InvalidInput) as caught:
            await fill(provider, token, draft, {"pickup": {**where, "pickup_day": "2020-01-01"}})
        assert caught.value.fields["pickup_day"] is Code.INVALID_TIME
        receipt = await send(provider, token, ACCESSORIES, {**steps, "pickup": where})
        detail = await provider.ask(ReturnsApi).return_detail(token, receipt.summary["return_id"])
        assert detail.account.handover
        assert detail.account.handover.place == ["Buren van 12", f"{street} 12 A", f"{kept} Stad"]
        row = await stored(furnished, receipt.reference)
        assert (row.address or {})["country_code"] == country
        assert row.remarks == "Bel twee keer."
        assert row.phone.startswith("+")
        await provider.ask(ReturnsApi).cancel_return(token, detail.return_id)


async def _planned(shop: Furnished) -> TextMessageRow:
    async with shop.context.database.session() as session:
        return (await session.exec(select(TextMessageRow))).one()


async def _at(shop: Furnished, gateway: GatewayProcess, moment: datetime, row: TextMessageRow) -> list[dict[str, str]]:
    """The text messages that were sent until a moment."""
    settings = shop.context.settings.model_copy(update={"text_gateway": gateway.settings()})
    await TextMessages(replace(shop.context, settings=settings, clock=lambda: moment)).deliver(row.id)
    return [request["content"] for request in await gateway.received()]


@pytest.mark.each_database
async def test_a_text_message_is_sent_once_on_the_day_before_the_pick_up(
    furnished: Furnished, text_gateway: GatewayProcess
) -> None:
    token = await furnished.log_in(ROOS)
    where = await pick_up(furnished.provider, token)
    steps = {**await accessories(furnished.provider, token, f"{PARTLY}-2*1"), "method": {"method": "pick_up"}}
    receipt = await send(furnished.provider, token, ACCESSORIES, {**steps, "pickup": where})
    assert receipt.account
    assert "text message" in receipt.account.next_steps[1].en
    row = await _planned(furnished)
    day_before = datetime.fromisoformat(str(where["pickup_day"])).date() - timedelta(days=1)
    assert row.due_at.astimezone(AMSTERDAM).date() == day_before
    await _at(furnished, text_gateway, row.due_at, row)
    (message,) = await _at(furnished, text_gateway, row.due_at, row)
    assert message["to"] == "+31612345611"
    assert in_groups(receipt.reference) in message["text"]
    assert "tussen 09:00 en" in message["text"]


@pytest.mark.parametrize("end", ["cancelled", "arrived", "late"])
async def test_no_text_message_is_sent_for_a_pick_up_that_does_not_take_place(
    furnished: Furnished, text_gateway: GatewayProcess, end: str
) -> None:
    token = await furnished.log_in(ROOS)
    steps = {**await accessories(furnished.provider, token, f"{PARTLY}-2*1"), "method": {"method": "pick_up"}}
    steps |= {"pickup": await pick_up(furnished.provider, token)}
    receipt = await send(furnished.provider, token, ACCESSORIES, steps)
    late = timedelta(hours=12 if end == "late" else 0)
    if end == "cancelled":
        await furnished.ask(ReturnsApi).cancel_return(token, receipt.summary["return_id"])
    if end == "arrived":
        asked = TransitionRequest.model_validate({"status": ReturnStatus.RECEIVED})
        await furnished.application.back_office.move("return", receipt.reference, asked)
    row = await _planned(furnished)
    assert await _at(furnished, text_gateway, row.due_at + late, row) == []
    assert (await _planned(furnished)).dropped_at
