"""Every code of part-2 §8 that returns can be refused with, in the same process and over HTTP."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from itertools import takewhile
from typing import Any

import pytest

from portal.bikes.api import BikesApi
from portal.client.remote import HttpProvider
from portal.contract.errors import ProviderError
from portal.contract.session import CodeRequest, LeaseRequest, Origin
from portal.flow.api import DraftStart, FlowApi, Submission
from portal.kernel.codes import MESSAGES, Code
from portal.kernel.texts import catalogue
from portal.links.api import LinkEntry, LinksApi
from portal.login.api import LoginApi
from portal.returns.api import ReturnsApi
from portal.vocabulary.links import LinkPurpose
from portal.vocabulary.returns import ReturnStatus
from portal.withdrawals.api import GuestOrder, WithdrawalsApi
from tests.client.fault_server import answers, fault_server
from tests.support.connections import Shop
from tests.support.people import LEASE, NOOR, PIETER, ROOS, SANNE
from tests.support.returning import (
    ACCESSORIES,
    BUNDLE,
    ORDER_RETURN,
    PARTLY,
    PENDING,
    RETURN,
    UNCLEAR,
    accessories,
    begin,
    fill,
    full_van,
    order_return,
    send,
)

pytestmark = pytest.mark.asyncio(loop_scope="module")
HERE = Origin(address="192.0.2.80")

MEANINGS: dict[str, str] = {
    "order_not_shipped": "nog niet verzonden",
    "older_than_100_days": "meer dan 100 dagen geleden verzonden",
    "return_request_exists": "Hiervoor loopt al een aanvraag",
    "return_request_already_exists": "is al een retour aangemeld",
    "multiple_entries": "niet mogelijk. Neem contact op met de klantenservice",
    "nothing_found": "geen artikelen gevonden",
    "item_return_does_not_exist": "deze retour niet vinden",
    "order_id_not_found": "deze bestelling niet vinden",
    "missing_item": "Kies wat je wilt retourneren",
    "invalid_order": "Kies een bestelling",
    "invalid_itme": "Deze dag is niet meer beschikbaar",
    "missing_email_address": "Vul het e-mailadres van je bestelling in",
    "missing_id_param": "Deze link is niet compleet",
    "missing_pickup_address": "Vul het adres in",
    "missing_pickup_date": "Kies een dag voor het ophalen",
    "email_failed": "konden de e-mail niet versturen",
    "missing_hash": "Ongeldige doorverwijzing. Neem contact op met onze klantenservice.",
    "invalid_hash": "Ongeldige doorverwijzing. Neem contact op met onze klantenservice.",
    "no_delivery_options": "geen bezorgopties. Probeer het over een uur opnieuw",
    "general_error": "Netwerkfout. Probeer het later nog eens.",
    "lease_order_not_allowed": "leaseportaal",
    "not_lease_order": "geen leasebestelling",
}
"""The codes of the table in part-2 §8, in its order, each with a part of its Dutch message."""

Case = Callable[[Shop], Awaitable[Code | str | None]]
CASES: dict[str, Case] = {}
"""By code: a function that provokes the refusal."""


def provokes(code: str) -> Callable[[Case], Case]:
    """Register a function as the case of a code."""

    def register(case: Case) -> Case:
        CASES[code] = case
        return case

    return register


async def test_every_code_of_the_table_has_a_case_and_a_message() -> None:
    assert list(CASES) == list(MEANINGS)
    for code, meaning in MEANINGS.items():
        assert meaning in catalogue("nl").gettext(MESSAGES[Code(code)]), code


@pytest.mark.parametrize("code", MEANINGS)
async def test_each_case_is_refused_with_its_code(shop_each_way: Shop, code: str) -> None:
    assert await CASES[code](shop_each_way) == code


async def refusal(attempt: Awaitable[Any]) -> ProviderError:
    """The error with which the attempt is refused."""
    with pytest.raises(ProviderError) as caught:
        await attempt
    return caught.value


async def unfinished(shop: Shop, *without: str) -> Code:
    """The code with which an order return is refused when these steps are not answered."""
    token = await shop.token(*ROOS)
    steps = await order_return(shop.provider, token, BUNDLE, f"{BUNDLE}-3*1")
    answered = {name: answers for name, answers in steps.items() if name not in without}
    draft = await fill(shop.provider, token, await begin(shop.provider, token, ORDER_RETURN), answered)
    return (await refusal(shop.ask(FlowApi).submit_draft(token, draft.draft_id, Submission(key=draft.key)))).code


async def answered(shop: Shop, flow: str, step: str, field: str, **answers: Any) -> Code:
    """The code with which an answer is refused."""
    token = await shop.token(*ROOS)
    steps: dict[str, Any] = {step: answers}
    if flow == ORDER_RETURN and step != "items":
        whole = await order_return(shop.provider, token, BUNDLE, f"{BUNDLE}-3*1")
        steps = dict(takewhile(lambda entry: entry[0] != step, whole.items())) | steps
    return (await refusal(fill(shop.provider, token, await begin(shop.provider, token, flow), steps))).fields[field]


@provokes("order_not_shipped")
async def _begin_before_anything_was_shipped(shop: Shop) -> Code:
    return (await refusal(shop.ask(FlowApi).open_draft(await shop.token(*PIETER), DraftStart(flow=ORDER_RETURN)))).code


@provokes("older_than_100_days")
async def _begin_when_it_is_too_late(shop: Shop) -> Code:
    return (await refusal(shop.ask(FlowApi).open_draft(await shop.token(*NOOR), DraftStart(flow=ORDER_RETURN)))).code


@provokes("return_request_exists")
async def _look_at_what_is_on_its_way(shop: Shop) -> Code | None:
    token, pump = await shop.token(*ROOS), f"{PARTLY}-2"
    receipt = await send(shop.provider, token, ACCESSORIES, await accessories(shop.provider, token, f"{pump}*1"))
    again = await answered(shop, ACCESSORIES, "items", "items", items=[f"{pump}*1"])
    await shop.ask(ReturnsApi).cancel_return(token, receipt.summary["return_id"])
    return again


@provokes("return_request_already_exists")
async def _choose_an_order_that_waits_for_its_link(shop: Shop) -> Code:
    return await answered(shop, ORDER_RETURN, "items", "order", order=PENDING, items=[f"{PENDING}-2*1"])


@provokes("multiple_entries")
async def _choose_an_order_of_which_more_was_shipped_than_sold(shop: Shop) -> Code | None:
    return await answered(shop, ORDER_RETURN, "items", "order", order=UNCLEAR, items=[f"{UNCLEAR}-1*1"])


@provokes("nothing_found")
async def _choose_an_item_of_nobody(shop: Shop) -> Code:
    return await answered(shop, RETURN, "item", "item", item="999999999-1")


@provokes("item_return_does_not_exist")
async def _open_a_return_of_nobody(shop: Shop) -> Code:
    return (await refusal(shop.ask(ReturnsApi).return_detail(await shop.token(*ROOS), "ABCDEFGH23"))).code


@provokes("order_id_not_found")
async def _ask_for_an_order_of_nobody(shop: Shop) -> Code:
    return (await refusal(shop.ask(WithdrawalsApi).withdrawable(await shop.token(*ROOS), "999999999"))).code


@provokes("missing_item")
async def _send_without_an_item(shop: Shop) -> Code:
    return await unfinished(shop, "items", "condition", "reason", "day", "pickup")


@provokes("invalid_order")
async def _ask_for_what_is_no_order_number(shop: Shop) -> Code:
    return (await refusal(shop.ask(WithdrawalsApi).withdrawable(await shop.token(*ROOS), "12AB"))).code


@provokes("invalid_itme")
async def _choose_a_day_that_is_past(shop: Shop) -> Code:
    return await answered(shop, ORDER_RETURN, "day", "pickup_day", pickup_day="2020-01-01", pickup_window="day")


@provokes("missing_email_address")
async def _withdraw_without_an_address(shop: Shop) -> Code:
    return (
        await refusal(shop.ask(WithdrawalsApi).guest_withdrawable(GuestOrder(order_number=BUNDLE, email=" "), HERE))
    ).code


@provokes("missing_id_param")
async def _open_a_return_without_its_id(shop: Shop) -> Code:
    return (await refusal(shop.ask(ReturnsApi).return_detail(await shop.token(*ROOS), ""))).code


@provokes("missing_pickup_address")
async def _send_without_an_address(shop: Shop) -> Code:
    return await unfinished(shop, "pickup")


@provokes("missing_pickup_date")
async def _send_without_a_day(shop: Shop) -> Code:
    return await unfinished(shop, "day", "pickup")


@provokes("email_failed")
async def _wait_for_a_mail_that_could_not_be_sent(shop: Shop) -> Code | None:
    token = await shop.token(*ROOS)
    found = next(entry for entry in (await shop.ask(ReturnsApi).returns(token)).items if entry.can_resend)
    await shop.ask(ReturnsApi).resend_return(token, found.return_id)
    await shop.alter("UPDATE outbox_mails SET dropped_at = created_at WHERE template = 'confirm_return'")
    detail = await shop.ask(ReturnsApi).return_detail(token, found.return_id)
    assert detail.status is ReturnStatus.PENDING_CONFIRMATION, "the return must be stored although the mail failed"
    return Code.EMAIL_FAILED if detail.pending and detail.pending.failed else None


@provokes("missing_hash")
async def _follow_a_link_without_its_end(shop: Shop) -> Code:
    return (await refusal(shop.ask(LinksApi).confirm_link(LinkEntry(purpose=LinkPurpose.ORDER_RETURN, hash="")))).code


@provokes("invalid_hash")
async def _follow_a_link_that_nobody_made(shop: Shop) -> Code:
    return (
        await refusal(shop.ask(LinksApi).confirm_link(LinkEntry(purpose=LinkPurpose.ORDER_RETURN, hash="a" * 43)))
    ).code


@provokes("no_delivery_options")
async def _ask_for_a_pick_up_while_every_van_is_full(shop: Shop) -> Code:
    token = await shop.token(*ROOS)
    steps = dict(await order_return(shop.provider, token, BUNDLE, f"{BUNDLE}-3*1"))
    del steps["pickup"]
    async with full_van(shop):
        draft = await begin(shop.provider, token, ORDER_RETURN)
        return (await refusal(fill(shop.provider, token, draft, steps))).fields["pickup_day"]


@provokes("general_error")
async def _list_returns_while_the_provider_fails(_shop: Shop) -> Code:
    async with fault_server(answers({"oops": True}, status=500)) as server:
        provider = HttpProvider(server.address, api_key="k")
        try:
            return (await refusal(provider.ask(ReturnsApi).returns("token"))).code
        finally:
            await provider.close()


@provokes("lease_order_not_allowed")
async def _log_in_with_a_lease_order(shop: Shop) -> Code:
    return (
        await refusal(shop.ask(LoginApi).request_code(CodeRequest(email=LEASE[1], order_number=LEASE[0]), HERE))
    ).code


@provokes("not_lease_order")
async def _log_in_for_lease_with_a_bike_of_ones_own(shop: Shop) -> Code:
    frame = (await shop.ask(BikesApi).bikes(await shop.token(*SANNE))).items[0].frame_number
    return (await refusal(shop.ask(LoginApi).request_lease(LeaseRequest(lease=frame), HERE))).code
