"""Logging in, staying logged in, logging out (part-1 §7, §10)."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from pydantic import Field

from portal.contract.base import KnownLocale, Locale, Shape
from portal.contract.tolerance import otherwise
from portal.domain.countries import Country


class Origin(Shape):
    """Where a login call comes from.

    Attributes:
        address: network address of the browser; limits count by it.
        locale: language of the mail.
        challenge: the challenge this browser holds already; a new code replaces that one and no other.
    """

    address: str = ""
    locale: Locale = "nl"
    challenge: str | None = None


class CodeRequest(Shape):
    """Ask for a login code: e-mail address and order number (variant 1).

    The documented call sends the e-mail address alone; then the code goes to the customer with that address.
    """

    email: str = Field(max_length=1000)
    order_number: str | None = Field(default=None, max_length=1000)


class LeaseRequest(Shape):
    """Lease reference or frame number (variant 2). Always refused; the refusal says where to go."""

    lease: str = Field(max_length=1000)


class CodeSent(Shape):
    """A code is on its way.

    Attributes:
        challenge: opaque; only together with it the code opens a session.
        email: where the code went, masked.
        expires_at: when the code stops working (UTC).
        resend_at: when the next code can be asked for (UTC).
    """

    challenge: str
    email: str
    expires_at: datetime
    resend_at: datetime


class CodeEntry(Shape):
    """The code the customer typed, under the documented key `token`, and the challenge it belongs to."""

    token: str = Field(max_length=1000)
    challenge: str | None = Field(default=None, max_length=200)


class Session(Shape):
    """A fresh session: `jwt` is the bearer token, `expires_at` its absolute end (UTC)."""

    jwt: str
    expires_at: datetime


class SessionCheck(Shape):
    """A session that is alive.

    Attributes:
        customer: public id of the customer, for binding a page to its owner.
        locale: language of the customer's mails.
        country: country of the shop.
        expires_at: absolute end (UTC); idle_until: end without further use (UTC).
    """

    customer: str
    locale: KnownLocale
    country: Annotated[Country, otherwise(Country, Country.UNKNOWN)]
    expires_at: datetime
    idle_until: datetime
