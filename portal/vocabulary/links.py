"""Links in mails: what they confirm or ask, how long they live (part-2 §10)."""

from __future__ import annotations

import re
import secrets
from datetime import timedelta
from enum import StrEnum

from portal.kernel.terms import BATTERY_LINK_DAYS, LINK_HOURS

LIFETIME = timedelta(hours=LINK_HOURS)
"""How long a link confirms (part-2 §9)."""

_TO_SEND_BACK = timedelta(days=BATTERY_LINK_DAYS)
"""How long a link asks about what a customer sends back."""

_BYTES = 32

_FORM = re.compile(r"[A-Za-z0-9_-]{43}")


class LinkPurpose(StrEnum):
    """What a link confirms. A link made for one purpose is invalid for every other."""

    ORDER_RETURN = "order_return"
    DELIVERY_DATE = "delivery_date"
    INSURANCE = "insurance"
    BATTERY = "battery"
    PASSWORD = "password"  # noqa: S105 - a purpose


PATHS: dict[LinkPurpose, str] = {
    LinkPurpose.ORDER_RETURN: "/order-return/confirm",
    LinkPurpose.DELIVERY_DATE: "/delivery-date/confirm",
    LinkPurpose.INSURANCE: "/insurance-request/confirm",
    LinkPurpose.BATTERY: "/withdrawal/battery",
    LinkPurpose.PASSWORD: "/password/reset",
}
"""Page that a link opens; the hash follows after a slash."""


class LinkState(StrEnum):
    """What a page says about a link.

    Opening it changes nothing: it is `VALID` until the button on the page is pressed. Then it is `CONFIRMED`, once;
    every later look says `USED`. What we do not know, or what a mail programme cut, is `INVALID`.
    """

    VALID = "valid"
    CONFIRMED = "confirmed"
    USED = "used"
    EXPIRED = "expired"
    INVALID = "invalid"


def lifetime(purpose: LinkPurpose) -> timedelta:
    """How long a link of a purpose can be used. One that only asks has no deadline of its own."""
    return _TO_SEND_BACK if purpose is LinkPurpose.BATTERY else LIFETIME


def new_hash() -> str:
    """256 random bits for the end of a link."""
    return secrets.token_urlsafe(_BYTES)


def is_hash(text: str) -> bool:
    """Whether a text can be the end of a link; anything else need not be looked up."""
    return bool(_FORM.fullmatch(text))
