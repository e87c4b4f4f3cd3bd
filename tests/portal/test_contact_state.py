"""The page of the customer service says what the customer came for and whether somebody is there."""

from __future__ import annotations

import pytest

from portal.states.contact import Contact
from tests.contract.people import SANNE
from tests.portal.conftest import signed_in
from tests.support.pipeline import Pipeline
from tests.support.ways import Shop

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.mark.parametrize(
    ("asked", "topic"),
    [("?topic=repair", "repair"), ("?topic=delivery_date", "delivery_date"), ("", ""), ("?topic=<script>", "")],
)
async def test_the_topic_is_one_that_we_know_or_none(tabs: Pipeline, shop: Shop, asked: str, topic: str) -> None:
    tab = signed_in(tabs.tab(f"contact{asked}"), await shop.token(*SANNE))
    await tab.send(Contact.load, path=f"/contact{asked}")
    assert tab.shown(Contact, "topic") == topic
    assert tab.shown(Contact, "known") is True
    assert tab.shown(Contact, "at")
