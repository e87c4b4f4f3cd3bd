"""The operations on mailed links, with the same results for every kind of provider."""

from __future__ import annotations

import pytest

from portal.contract.errors import InvalidInput, Refused
from portal.kernel.codes import Code
from portal.links.api import LinkEntry, LinksApi
from portal.vocabulary.links import LinkPurpose, LinkState
from tests.support.connections import Shop

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.mark.parametrize("purpose", LinkPurpose)
@pytest.mark.parametrize("end", ["a" * 43, "a" * 42, "../../x", "\x00", "🚲" * 43])
async def test_an_unknown_link_is_invalid_and_confirms_nothing(
    shop_each_way: Shop, purpose: LinkPurpose, end: str
) -> None:
    entry = LinkEntry(purpose=purpose, hash=end)
    view = await shop_each_way.ask(LinksApi).link(entry)
    assert (view.state, view.about, view.email) == (LinkState.INVALID, {}, "")
    for attempt in (shop_each_way.ask(LinksApi).confirm_link(entry), shop_each_way.ask(LinksApi).resend_link(entry)):
        with pytest.raises(Refused) as caught:
            await attempt
        assert caught.value.code is Code.INVALID_HASH


async def test_a_link_without_a_hash_is_refused(shop_each_way: Shop) -> None:
    entry = LinkEntry(purpose=LinkPurpose.ORDER_RETURN)
    for attempt in (
        shop_each_way.ask(LinksApi).link(entry),
        shop_each_way.ask(LinksApi).confirm_link(entry),
        shop_each_way.ask(LinksApi).resend_link(entry),
    ):
        with pytest.raises(InvalidInput) as caught:
            await attempt
        assert caught.value.code is Code.MISSING_HASH
