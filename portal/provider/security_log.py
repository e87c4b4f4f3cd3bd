"""One line for everything that matters to security: who (hashed), what, when. Never a code, token or address."""

from __future__ import annotations

from enum import StrEnum

import structlog

from portal.provider.keys import Purpose, keyed_hash
from portal.settings import Settings

log = structlog.get_logger("portal.security")


class Happening(StrEnum):
    """What is written down."""

    CODE_SENT = "login code sent"
    CODE_REFUSED = "login code refused"
    LIMIT_REACHED = "limit reached"
    LOGIN = "login"
    LOGIN_FAILED = "login failed"
    LOGOUT = "logout"
    EMAIL_CHANGED = "email changed"
    EMAIL_CHANGE_FAILED = "email change failed"
    PASSWORD_CHANGED = "password changed"  # noqa: S105 - what happened
    BACK_OFFICE_REFUSED = "back office refused"


def note(
    settings: Settings, happening: Happening, *, customer: int | None = None, address: str = "", why: str = ""
) -> None:
    """Write it down.

    Args:
        settings: for the key of the hashes.
        happening: what.
        customer: primary key, when known.
        address: network address, when known.
        why: code of the catalogue.
    """
    details = {
        "customer": keyed_hash(settings, Purpose.LOG, "customer", str(customer))[:16] if customer else None,
        "address": keyed_hash(settings, Purpose.LOG, "address", address)[:16] if address else None,
        "why": why or None,
    }
    log.info(happening.value, **{name: value for name, value in details.items() if value})
