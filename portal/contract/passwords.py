"""Passwords, where they are offered (part-1 §5, §10)."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from pydantic import Field

from portal.contract.base import Shape
from portal.contract.tolerance import otherwise
from portal.vocabulary.links import LinkState


class PasswordResetRequest(Shape):
    """Ask for the mail with the link: the same pair as for a login code, raw; or the address alone."""

    email: str = Field(max_length=1000)
    order_number: str | None = Field(default=None, max_length=1000)


class PasswordResetSent(Shape):
    """The same whether somebody has this address or not. `email` masked; times in UTC."""

    email: str
    expires_at: datetime
    resend_at: datetime


class PasswordLink(Shape):
    """The end of the link that was opened, raw."""

    hash: str = Field(default="", max_length=1000)


class PasswordLinkView(Shape):
    """What a link is good for. `email` masked, empty for an invalid one."""

    state: Annotated[LinkState, otherwise(LinkState, LinkState.INVALID)]
    email: str = ""


class NewPassword(Shape):
    """The new password, twice, and the end of the link."""

    hash: str = Field(default="", max_length=1000)
    password: str = Field(default="", max_length=1000, repr=False)
    repeat: str = Field(default="", max_length=1000, repr=False)


class PasswordEntry(Shape):
    """Log in by password instead of a code: the pair, and the password."""

    email: str = Field(max_length=1000)
    order_number: str | None = Field(default=None, max_length=1000)
    password: str = Field(default="", max_length=1000, repr=False)
