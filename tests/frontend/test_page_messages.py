"""The pages of deliveries, insurances and links hold their messages (part-2 §8); tests of their states provoke them."""

import re
from collections.abc import Callable
from functools import partial
from json import dumps
from pathlib import Path
from typing import Any

import pytest
import reflex as rx

import portal
from portal.deliveries.pages.delivery_date import entry, failure_notice, refused, waiting_for_customer
from portal.deliveries.pages.order_status import order_status
from portal.deliveries.pages.planned import WORDING as OF_A_DAY
from portal.flow.pages.state import FlowRun
from portal.frontend.texts import message
from portal.insurance.pages.insurances import insurance_package
from portal.insurance.pages.status import WORDING as OF_AN_INSURANCE
from portal.insurance.pages.status import insurance_sent
from portal.kernel.codes import MESSAGES, Code
from portal.kernel.texts import catalogue
from portal.links.pages import heading, link_page
from portal.vocabulary.links import LinkState
from tests.deliveries import refused as refused_deliveries
from tests.insurance import refused as refused_insurances
from tests.support.messages import PROVOKED

FILLED_BY = (refused_deliveries, refused_insurances)
Part = Callable[[], Any]

OF_CODES: list[tuple[Part, list[Code]]] = [
    (failure_notice, [Code.MAIL_SENT_RECENTLY, Code.DATE_CHANGE_PENDING]),
    (
        refused,
        [
            Code.ALREADY_HANDED_OVER, Code.ORDER_CANCELLED, Code.COLLECTED_IN_STORE, Code.DELIVERY_FAILED,
            Code.DELIVERY_NOT_PLANNED, Code.DATE_CHANGE_NOT_OFFERED,
        ],
    ),
    (partial(message, FlowRun.problem), [Code.INSURANCE_OPTIONS_FAILED]),
    (partial(link_page, OF_A_DAY), [Code.ORDER_CANCELLED, Code.NETWORK_ERROR]),
    (partial(link_page, OF_AN_INSURANCE), [Code.INSURANCE_EXISTS]),
]  # fmt: skip
"""Parts of pages with a message for each of these codes."""

WORDS: list[tuple[Part, list[str]]] = [
    (order_status, [MESSAGES[Code.ORDER_STATUS_FAILED]]),
    (entry, ["The delivery days couldn’t be loaded."]),
    (failure_notice, [MESSAGES[Code.GENERAL_ERROR]]),
    (refused, [MESSAGES[Code.NO_DELIVERY_OPTIONS]]),
    (waiting_for_customer, [MESSAGES[Code.EMAIL_FAILED]]),
    (insurance_package, [MESSAGES[Code.INSURANCE_OPTIONS_FAILED]]),
    (insurance_sent, ["The insurance of your {bike} has been requested."]),
    *((partial(link_page, words), [MESSAGES[Code.INVALID_HASH]]) for words in (OF_A_DAY, OF_AN_INSURANCE)),
]
HEADINGS = [
    (OF_A_DAY, "Your new delivery day is confirmed", "You’ve already confirmed this day"),
    (OF_AN_INSURANCE, "Your insurance is confirmed", "You’ve already confirmed this insurance"),
]
ELSEWHERE = {Code.HASH_NOT_FOUND, Code.DATE_CHANGE_FAILED}
"""Codes of links to a new password (tests/login), and of a notification (tests/deliveries)."""


def in_both(english: str) -> str:
    """How a page holds a text: in both languages, the one of the visitor is shown."""
    return f"t(lang, {dumps(catalogue('nl').gettext(english))}, {dumps(english)}"


def written(part: Any) -> str:
    """Everything that a part of a page can say."""
    # Inside a rendered component a backslash is written twice.
    return str(part.render()).replace(r"\\", "\\") if isinstance(part, rx.Component) else str(part)


def at(part: Any, value: str) -> str:
    """What a text that follows a value says for one of its values."""
    _before, found, rest = written(part).partition(f'["{value}"] : (')
    assert found, f"nothing is said for {value}"
    return rest.partition(") [")[0].partition('")')[0] + '"'


@pytest.mark.parametrize(("part", "code"), [(part, code) for part, codes in OF_CODES for code in codes])
def test_a_part_has_the_message_of_its_code(part: Part, code: Code) -> None:
    shown = part()
    assert in_both(MESSAGES[code]) in (written(shown) if part is refused else at(shown, code))


@pytest.mark.parametrize(("part", "text"), [(part, text) for part, texts in WORDS for text in texts])
def test_a_page_holds_its_message(part: Part, text: str) -> None:
    assert in_both(text) in written(part())


@pytest.mark.parametrize(("words", "done", "used"), HEADINGS)
def test_the_page_of_a_link_is_headed_by_its_state(words: Any, done: str, used: str) -> None:
    told = {LinkState.CONFIRMED: done, LinkState.USED: used, LinkState.EXPIRED: "This link has expired"}
    for state, text in told.items():
        assert in_both(text) in at(heading(words), state)


def test_the_page_of_a_cancelled_order_promises_no_delivery() -> None:
    assert '["order_cancelled"] : ""' in written(link_page(OF_A_DAY))


def test_every_code_that_the_pages_know_has_a_message_here_or_is_provoked() -> None:
    about = re.compile(r"/(deliveries|insurance|links)/pages")
    pages = (path for path in Path(portal.__file__).parent.rglob("*.py") if about.search(path.as_posix()))
    known = {Code[name] for path in pages for name in re.findall(r"\bCode\.([A-Z_]+)", path.read_text())}
    assert len(known) > 20
    words = {text for _, texts in WORDS for text in texts}
    held = {code for _, codes in OF_CODES for code in codes} | {code for code in known if MESSAGES[code] in words}
    assert known <= held | set(PROVOKED) | ELSEWHERE
