"""The operations of returns and withdrawals, in the same process and over HTTP."""

from __future__ import annotations

import pytest

from portal.contract.errors import InvalidInput, NotFound, Refused
from portal.contract.session import Origin
from portal.flow.api import FlowApi, Submission
from portal.kernel.codes import Code
from portal.returns.api import ReturnsApi
from portal.vocabulary.returns import ReturnStatus
from portal.withdrawals.api import GuestOrder, WithdrawalEntry, WithdrawalsApi, WithdrawnItem
from tests.support.connections import Shop
from tests.support.people import EVA, ROOS
from tests.support.returning import ACCESSORIES, BUNDLE, NOT_SENT, PARTLY, accessories, begin, fill

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_returnables_list_items_and_give_a_reason_for_the_rest(shop_each_way: Shop) -> None:
    token = await shop_each_way.token(*ROOS)
    everything = await shop_each_way.ask(ReturnsApi).returnables(token)
    assert {entry.refusal for entry in everything.items} >= {None, Code.ORDER_NOT_SHIPPED, Code.OLDER_THAN_100_DAYS}
    assert (await shop_each_way.ask(ReturnsApi).returnables(token, NOT_SENT)).refusal is Code.ORDER_NOT_SHIPPED
    with pytest.raises(Refused) as caught:
        await shop_each_way.ask(ReturnsApi).returnables(token, "999999999")
    assert caught.value.code is Code.ORDER_ID_NOT_FOUND
    with pytest.raises(InvalidInput) as invalid:
        await shop_each_way.ask(ReturnsApi).returnables(token, "x")
    assert invalid.value.code is Code.INVALID_ORDER


async def test_a_return_is_previewed_sent_listed_printed_and_cancelled(shop_each_way: Shop) -> None:
    token, provider = await shop_each_way.token(*ROOS), shop_each_way.provider
    steps = await accessories(provider, token, f"{PARTLY}-1*2")
    draft = await fill(provider, token, await begin(provider, token, ACCESSORIES), steps)
    preview = await provider.ask(ReturnsApi).refund_preview(token, draft.draft_id)
    receipt = await provider.ask(FlowApi).submit_draft(token, draft.draft_id, Submission(key=draft.key))
    found = next(
        entry for entry in (await provider.ask(ReturnsApi).returns(token)).items if entry.reference == receipt.reference
    )
    detail = await provider.ask(ReturnsApi).return_detail(token, found.return_id)
    assert detail.settlement == preview
    assert detail.items[0].count == 2
    assert (await provider.ask(ReturnsApi).return_label(token, found.return_id, "nl")).content.startswith(b"%PDF-")
    assert (await provider.ask(ReturnsApi).return_summary_pdf(token, found.return_id, "en")).name.endswith(".pdf")
    assert (await provider.ask(ReturnsApi).cancel_return(token, found.return_id)).status is ReturnStatus.CANCELLED


@pytest.mark.parametrize("name", ["x", "A" * 400, "../1", "ABCDEFGH23", "\x00"])
async def test_an_unknown_return_id_is_refused(shop_each_way: Shop, name: str) -> None:
    token, provider = await shop_each_way.token(*EVA), shop_each_way.provider
    for attempt in (
        provider.ask(ReturnsApi).return_detail(token, name),
        provider.ask(ReturnsApi).cancel_return(token, name),
        provider.ask(ReturnsApi).resend_return(token, name),
        provider.ask(ReturnsApi).return_label(token, name, "nl"),
        provider.ask(ReturnsApi).return_summary_pdf(token, name, "nl"),
    ):
        with pytest.raises(Refused) as caught:
            await attempt
        assert caught.value.code is Code.ITEM_RETURN_DOES_NOT_EXIST
    with pytest.raises(NotFound):
        await provider.ask(ReturnsApi).refund_preview(token, name)
    with pytest.raises(InvalidInput) as missing:
        await provider.ask(ReturnsApi).return_detail(token, "")
    assert missing.value.code is Code.MISSING_ID_PARAM


async def test_a_withdrawal_sent_twice_with_one_key_is_stored_once(shop_each_way: Shop) -> None:
    token, provider = await shop_each_way.token(*ROOS), shop_each_way.provider
    offered = await provider.ask(WithdrawalsApi).withdrawable(token, BUNDLE)
    bag = WithdrawnItem(item_id=offered.items[2].item_id, count=1)
    entry = WithdrawalEntry(order_number=BUNDLE, name="Roos de Wit", items=[bag], key="contract-key")
    assert await provider.ask(WithdrawalsApi).withdraw(token, entry) == await provider.ask(WithdrawalsApi).withdraw(
        token, entry
    )
    origin = Origin(address="192.0.2.9")
    guest = await provider.ask(WithdrawalsApi).guest_withdrawable(
        GuestOrder(order_number=BUNDLE, email=ROOS[1]), origin
    )
    assert [item.most for item in guest.items] == [1, 1, 1]
    with pytest.raises(Refused) as caught:
        await provider.ask(WithdrawalsApi).guest_withdrawable(
            GuestOrder(order_number=BUNDLE, email="x@example.com"), origin
        )
    assert caught.value.code is Code.ORDER_ID_NOT_FOUND
