"""What the return flows ask: a mileage that contradicts 'unused', and the details of a pick-up (part-2 §2, §3)."""

from __future__ import annotations

import pytest

from portal.contract.errors import InvalidInput
from portal.kernel.codes import Code
from portal.kernel.terms import UNUSED_KM
from portal.returns.api import ReturnsApi
from portal.returns.flow.kinds import ORDER_RETURN
from portal.returns.pages.flow_spec import pending_title
from tests.support.customers import ROOS
from tests.support.furnished import Furnished
from tests.support.returning import (
    ACCESSORIES,
    PARTLY,
    PAY_LATER,
    REASON,
    RETURN,
    accessories,
    begin,
    facts,
    fill,
    send,
)

OTHER = {
    "address": "other", "pickup_name": "Buren van 12", "country_code": "BE", "post_code": "9000",
    "house_number": "82", "house_number_addon": "bus 3", "street": "Veldstraat", "street_addition": "Gebouw C",
    "city": "Gent", "phone": "+32 470 12 34 56", "pickup_email": "buren@Example.BE", "pickup_window": "day",
}  # fmt: skip


@pytest.mark.parametrize(
    ("state", "mileage", "asked"),
    [
        ("unused", "1200", True),
        ("unused", f"{UNUSED_KM},01", True),
        ("unused", str(UNUSED_KM), False),
        ("used_without_signs_of_use", "1200", False),
    ],
)
async def test_unused_with_many_kilometres_is_asked_about(
    furnished: Furnished, state: str, mileage: str, asked: bool
) -> None:
    token = await furnished.log_in(ROOS)
    steps = {
        "item": {"item": f"{PAY_LATER}-1"},
        "reason": {"fault": "none", "reason": REASON},
        "condition": {"state": state, "mileage": mileage},
    }
    draft = await fill(furnished.provider, token, await begin(furnished.provider, token, RETURN), steps)
    assert draft.warnings == ({"state": Code.USED_DISTANCE} if asked else {})


async def test_the_pick_up_address_has_an_addition_and_who_hands_over_an_email_address(furnished: Furnished) -> None:
    token, provider = await furnished.log_in(ROOS), furnished.provider
    day = (await facts(provider, token, ACCESSORIES))["pickup_days"]["BE"][0]
    steps = await accessories(provider, token, f"{PARTLY}-1*1")
    steps = {**steps, "method": {"method": "pick_up"}, "pickup": {**OTHER, "pickup_day": day}}
    receipt = await send(provider, token, ACCESSORIES, steps)
    account = (await provider.ask(ReturnsApi).return_detail(token, receipt.summary["return_id"])).account
    assert account.handover
    assert account.handover.place == ["Buren van 12", "Veldstraat 82 bus 3", "Gebouw C", "9000 Gent"]
    assert account.handover.country.nl == "België"
    assert "buren@example.be" in [line.nl for fact in account.facts for line in fact.lines]


async def test_a_wrong_email_address_is_refused_and_none_is_needed(furnished: Furnished) -> None:
    token, provider = await furnished.log_in(ROOS), furnished.provider
    day = (await facts(provider, token, ACCESSORIES))["pickup_days"]["BE"][0]
    steps = {**await accessories(provider, token, f"{PARTLY}-1*1"), "method": {"method": "pick_up"}}
    draft = await fill(provider, token, await begin(provider, token, ACCESSORIES), steps)
    for wrong in ("buren", "buren@example.be, x@example.be"):
        answers = {**OTHER, "pickup_day": day, "pickup_email": wrong}
        with pytest.raises(InvalidInput) as caught:
            await fill(provider, token, draft, {"pickup": answers})
        assert caught.value.fields == {"pickup_email": Code.INVALID_EMAIL}
    draft = await fill(provider, token, draft, {"pickup": {**OTHER, "pickup_day": day, "pickup_email": ""}})
    assert "pickup" not in draft.warnings


def test_the_title_of_the_confirmation_is_its_heading() -> None:
    title = str(pending_title())
    assert "One more step: confirm by email within 24 hours" in title
    assert ORDER_RETURN.sent in title
