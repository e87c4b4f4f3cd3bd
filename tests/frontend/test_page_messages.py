"""Every message of the delivery and insurance pages (part-2 §8) appears on its page."""

import re
from pathlib import Path

import pytest

import portal
from portal.kernel.codes import MESSAGES, Code
from portal.kernel.texts import catalogue
from tests.deliveries import page_messages as deliveries
from tests.deliveries import refused as refused_deliveries
from tests.insurance import page_messages as insurances
from tests.insurance import refused as refused_insurances
from tests.links import page_messages as links
from tests.support.connections import Shop
from tests.support.messages import MESSAGES_BY_CODE
from tests.support.page_messages import PAGE_MESSAGES, Connections
from tests.support.pipeline import Pipeline

FILLED_BY = (deliveries, insurances, links, refused_deliveries, refused_insurances)

SPECIFIED = {
    "no_delivery_options",
    "general_error",
    "email_failed",
    "delivery date change unsuccessful",
    "delivery date change invalid",
    "delivery date change expired",
    "delivery date change without its end",
    "order status load error",
    "insurance options load error",
    "insurance of a bike requested",
    "insurance of a bike not requested",
    "insurance invalid",
    "insurance without its end",
}
"""What part-2 §8 names for deliveries and insurances, in its words."""

SETTINGS = {"code_wait_seconds": 60}
"""It mails the same thing once a minute, as shops do."""


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.usefixtures("nothing_asked_for")
@pytest.mark.parametrize("name", PAGE_MESSAGES)
async def test_the_message_is_shown_on_its_page(tabs: Pipeline, shop: Shop, name: str) -> None:
    message = PAGE_MESSAGES[name]
    shown = await message.provoke(Connections(tabs, shop))
    assert message.words in shown
    if message.code:
        assert MESSAGES[message.code] == message.english
        assert catalogue("nl").gettext(message.english) == message.dutch


def test_the_table_lists_every_message_of_the_requirements_and_the_pages() -> None:
    assert set(PAGE_MESSAGES) >= SPECIFIED
    about = re.compile(r"/(deliveries|insurance|links)/pages")
    pages = (path for path in Path(portal.__file__).parent.rglob("*.py") if about.search(path.as_posix()))
    known = {Code[name] for path in pages for name in re.findall(r"\bCode\.([A-Z_]+)", path.read_text())}
    assert len(known) > 20
    on_pages = {message.code for message in PAGE_MESSAGES.values()}
    others = {Code.HASH_NOT_FOUND}  # of links to a new password: tests/login
    assert known <= on_pages | set(MESSAGES_BY_CODE) | others, (
        f"nothing provokes {known - on_pages - set(MESSAGES_BY_CODE) - others}"
    )
