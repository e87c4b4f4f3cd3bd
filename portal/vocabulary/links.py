"""Links in mails: what they confirm or ask, and how long they are valid (part-2 §10)."""

import re
import secrets
from datetime import timedelta
from enum import StrEnum

from portal.kernel.terms import BATTERY_LINK_DAYS, LINK_HOURS, PHONE_LINK_MINUTES, WITHDRAWAL_LINK_DAYS

LIFETIME = timedelta(hours=LINK_HOURS)
"""How long a link that confirms something is valid (part-2 §9)."""

PHONE_LIFETIME = timedelta(minutes=PHONE_LINK_MINUTES)
"""How long a telephone can add files with a link (part-1 §12)."""

PHONE_PATH = "/photos"
"""Page on which a telephone adds files to a draft; a slash and the last part of the link follow once."""

PHONE_FILES = "/files/phone"
"""Where that page announces and sends files."""

_BYTES = 32
_FORM = re.compile(r"[A-Za-z0-9_-]{43}")


class LinkPurpose(StrEnum):
    """What a link confirms or asks. A link for one purpose is invalid for every other."""

    ORDER_RETURN = "order_return"
    DELIVERY_DATE = "delivery_date"
    INSURANCE = "insurance"
    BATTERY = "battery"
    WITHDRAWAL = "withdrawal"
    CONTRACT_END = "contract_end"
    PASSWORD = "password"  # noqa: S105 - a purpose


PATHS: dict[LinkPurpose, str] = {
    LinkPurpose.ORDER_RETURN: "/order-return/confirm",
    LinkPurpose.DELIVERY_DATE: "/delivery-date/confirm",
    LinkPurpose.INSURANCE: "/insurance-request/confirm",
    LinkPurpose.BATTERY: "/withdrawal/battery",
    LinkPurpose.WITHDRAWAL: "/withdrawal/confirm",
    LinkPurpose.CONTRACT_END: "/cancel-contract/confirm",
    LinkPurpose.PASSWORD: "/password/reset",
}
"""Path of the page that a link opens; a slash and the hash follow."""


TRACKING_PATH = "/track"
"""Path of the page that follows a delivery without a login; a slash and a signed code follow (decision 0127)."""

TRACKING_LIFETIME = timedelta(days=30)
"""How long a link to that page is valid after its mail."""


_LONGER = {
    LinkPurpose.BATTERY: timedelta(days=BATTERY_LINK_DAYS),
    LinkPurpose.WITHDRAWAL: timedelta(days=WITHDRAWAL_LINK_DAYS),
    LinkPurpose.CONTRACT_END: timedelta(days=WITHDRAWAL_LINK_DAYS),
}
"""Purposes whose link is valid longer, because no period of the law may end before it."""


class LinkState(StrEnum):
    """The state of a link, as its page shows it.

    Opening a link changes nothing: it is `VALID` until the customer presses the button on its page. That press gives
    `CONFIRMED`, and every later visit `USED`. An unknown or truncated link is `INVALID`.
    """

    VALID = "valid"
    CONFIRMED = "confirmed"
    USED = "used"
    EXPIRED = "expired"
    INVALID = "invalid"


def lifetime(purpose: LinkPurpose) -> timedelta:
    return _LONGER.get(purpose, LIFETIME)


def new_hash() -> str:
    """256 random bits, encoded for the end of a link."""
    return secrets.token_urlsafe(_BYTES)


def is_hash(text: str) -> bool:
    """Whether a text has the form of a link hash; other texts need no lookup."""
    return bool(_FORM.fullmatch(text))
