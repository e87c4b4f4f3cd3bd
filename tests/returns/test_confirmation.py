"""The mailed link confirms a return of the older flow (part-2 §4; edge-cases 43-47)."""

from datetime import timedelta

import pytest
from sqlmodel import delete, select

from portal.backend.security import decrypt
from portal.contract.errors import InvalidInput, ProviderError, Refused
from portal.deliveries.rules import days
from portal.flow.api import FlowApi, Submission
from portal.kernel.address import Country
from portal.kernel.codes import Code
from portal.kernel.days import now
from portal.links.api import LinkEntry, LinksApi
from portal.provider.hourly import purge
from portal.returns.api import ReturnsApi
from portal.tables.customers import LimitWindow
from portal.tables.messages import ConfirmationLinkRow, OutboxMail
from portal.tables.returns import ReturnRow
from portal.vocabulary.links import LinkPurpose, LinkState
from portal.vocabulary.returns import ReturnStatus
from tests.support.customers import NOOR, PIETER, ROOS
from tests.support.furnished import Furnished
from tests.support.returning import ORDER_RETURN, PARTLY, PENDING, begin, fill, item, order_return, send

NAME = f"{PARTLY}-1"


async def _requested(shop: Furnished, token: str) -> tuple[str, LinkEntry]:
    """Request a return that waits for confirmation; its id and its link."""
    receipt = await send(
        shop.provider, token, ORDER_RETURN, await order_return(shop.provider, token, PARTLY, f"{NAME}*2")
    )
    assert receipt.summary["status"] == ReturnStatus.PENDING_CONFIRMATION
    return receipt.summary["return_id"], await _link(shop)


async def _link(shop: Furnished) -> LinkEntry:
    query = select(OutboxMail).where(OutboxMail.template == "confirm_return")
    async with shop.context.database.session() as session:
        mail = list(await session.exec(query))[-1]
    return LinkEntry(purpose=LinkPurpose.ORDER_RETURN, hash=decrypt(shop.context.settings, mail.sealed))


async def _expire(shop: Furnished, return_id: str) -> None:
    past = now() - timedelta(seconds=1)
    await shop.change(ReturnRow, {"confirm_until": past}, public_id=return_id)
    async with shop.context.database.transaction() as session:
        for row in await session.exec(select(ConfirmationLinkRow)):
            row.expires_at, row.created_at = past, past - timedelta(hours=24)
        # The limits also have to expire.
        await session.exec(delete(LimitWindow))


async def test_a_return_waits_for_its_link_and_can_be_confirmed_once(furnished: Furnished) -> None:
    token = await furnished.log_in(ROOS)
    return_id, link = await _requested(furnished, token)
    waiting = await furnished.ask(ReturnsApi).return_detail(token, return_id)
    assert waiting.pending
    assert (waiting.timeline, waiting.has_label, waiting.pending.email) == ([], False, "roos@example.com")
    assert (await furnished.ask(LinksApi).link(link)).state is LinkState.VALID
    assert (await furnished.ask(LinksApi).confirm_link(link)).state is LinkState.CONFIRMED
    assert (await furnished.ask(LinksApi).confirm_link(link)).state is LinkState.USED
    confirmed = await furnished.ask(ReturnsApi).return_detail(token, return_id)
    assert (confirmed.status, confirmed.has_label, confirmed.pending) == (ReturnStatus.REQUEST_RECEIVED, True, None)


async def test_a_second_return_of_an_order_that_waits_is_refused(furnished: Furnished) -> None:
    token = await furnished.log_in(ROOS)
    draft = await begin(furnished.provider, token, ORDER_RETURN)
    with pytest.raises(InvalidInput) as caught:
        await fill(furnished.provider, token, draft, {"items": {"order": PENDING, "items": [f"{PENDING}-2*1"]}})
    assert caught.value.fields["order"] is Code.RETURN_REQUEST_ALREADY_EXISTS


async def test_an_unconfirmed_return_expires_after_a_day_and_releases_its_units(furnished: Furnished) -> None:
    token = await furnished.log_in(ROOS)
    return_id, link = await _requested(furnished, token)
    assert (await item(furnished.provider, token, NAME))["max"] == 1
    await _expire(furnished, return_id)
    assert (await furnished.ask(ReturnsApi).return_detail(token, return_id)).status is ReturnStatus.EXPIRED
    assert (await item(furnished.provider, token, NAME))["max"] == 3
    assert (await furnished.ask(LinksApi).confirm_link(link)).state is LinkState.EXPIRED
    await purge(furnished.context)
    steps = await order_return(furnished.provider, token, PARTLY, f"{NAME}*3")
    other = await send(furnished.provider, token, ORDER_RETURN, steps)
    with pytest.raises(Refused) as caught:
        await furnished.ask(ReturnsApi).resend_return(token, return_id)
    assert caught.value.code is Code.RETURN_REQUEST_ALREADY_EXISTS
    await furnished.ask(ReturnsApi).cancel_return(token, other.summary["return_id"])
    # After a resend it waits again, and holds its units again.
    await furnished.ask(LinksApi).resend_link(link)
    assert (await item(furnished.provider, token, NAME))["max"] == 1
    assert (await furnished.ask(LinksApi).confirm_link(await _link(furnished))).state is LinkState.CONFIRMED


@pytest.mark.each_database
async def test_an_expired_return_can_be_resent_after_its_links_are_deleted(furnished: Furnished) -> None:
    token = await furnished.log_in(ROOS)
    return_id, _ = await _requested(furnished, token)
    await _expire(furnished, return_id)
    await purge(furnished.context)
    async with furnished.context.database.transaction() as session:
        await session.exec(delete(ConfirmationLinkRow))
    coming = days(now(), Country.NL)[-1]
    for day, again in ((coming, True), (now().date() - timedelta(days=1), False)):
        await furnished.change(ReturnRow, {"pickup_day": day}, public_id=return_id)
        found = await furnished.ask(ReturnsApi).return_detail(token, return_id)
        assert found.pending
        pending = found.pending
        assert (pending.expired, pending.email, pending.can_resend) == (True, "roos@example.com", again)
        listed = {entry.return_id: entry.can_resend for entry in (await furnished.ask(ReturnsApi).returns(token)).items}
        assert listed[return_id] is again
    with pytest.raises(Refused) as caught:
        await furnished.ask(ReturnsApi).resend_return(token, return_id)
    assert caught.value.code is Code.INVALID_TIME


@pytest.mark.parametrize(
    ("customer", "code"), [(PIETER, Code.ORDER_NOT_SHIPPED), (NOOR, Code.OLDER_THAN_100_DAYS)]
)  # fmt: skip
async def test_a_customer_of_whom_no_order_can_be_returned_is_told_why(
    furnished: Furnished, customer: tuple[str, str], code: Code
) -> None:
    with pytest.raises(Refused) as caught:
        await begin(furnished.provider, await furnished.log_in(customer), ORDER_RETURN)
    assert caught.value.code is code


@pytest.mark.parametrize(
    ("answered", "code"),
    [
        ([], Code.MISSING_ITEM),
        (["items", "condition", "reason"], Code.MISSING_PICKUP_DATE),
        (["items", "condition", "reason", "day"], Code.MISSING_PICKUP_ADDRESS),
    ],
)
async def test_an_unfinished_return_is_refused_with_what_is_missing(
    furnished: Furnished, answered: list[str], code: Code
) -> None:
    token, provider = await furnished.log_in(ROOS), furnished.provider
    steps = await order_return(provider, token, PARTLY, f"{NAME}*1")
    draft = await begin(provider, token, ORDER_RETURN)
    draft = await fill(provider, token, draft, {name: steps[name] for name in answered})
    with pytest.raises(ProviderError) as caught:
        await furnished.ask(FlowApi).submit_draft(token, draft.draft_id, Submission(key=draft.key))
    assert caught.value.code is code


async def test_a_day_that_is_not_offered_and_another_reason_without_text_are_refused(furnished: Furnished) -> None:
    token = await furnished.log_in(ROOS)
    steps = dict(await order_return(furnished.provider, token, PARTLY, f"{NAME}*1"))
    first = {name: steps[name] for name in ("items", "condition")}
    draft = await fill(furnished.provider, token, await begin(furnished.provider, token, ORDER_RETURN), first)
    for text, found in (("x" * 19, Code.TOO_SHORT), ("x" * 301, Code.TOO_LONG), ("", Code.REQUIRED)):
        with pytest.raises(InvalidInput) as caught:
            await fill(furnished.provider, token, draft, {"reason": {"reason": "other", "reason_text": text}})
        assert caught.value.fields == {"reason_text": found}
    draft = await fill(furnished.provider, token, draft, {"reason": steps["reason"]})
    for day in ("2020-01-01", "tomorrow"):
        with pytest.raises(InvalidInput) as caught:
            await fill(furnished.provider, token, draft, {"day": {"pickup_day": day, "pickup_window": "day"}})
        assert (caught.value.code, caught.value.fields["pickup_day"]) == (Code.INVALID_TIME, Code.INVALID_TIME)
    with pytest.raises(InvalidInput) as caught:
        await fill(furnished.provider, token, draft, {"items": {"order": "900000001", "items": [f"{NAME}*1"]}})
    assert caught.value.fields["order"] is Code.INVALID_ORDER
