"""What becomes of a request when the link to it is used: each purpose has a desk."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from sqlmodel.ext.asyncio.session import AsyncSession

from portal.contract.links import LinkSent
from portal.provider.context import Context
from portal.provider.links import Subject

Look = Callable[[AsyncSession, Subject], Awaitable[dict[str, Any]]]
Act = Callable[[Context, AsyncSession, Subject, str], Awaitable[None]]
Renew = Callable[[Context, AsyncSession, Subject], Awaitable[LinkSent]]


@dataclass(frozen=True, slots=True)
class ConfirmationDesk:
    """The requests of one purpose.

    Attributes:
        about: what a page may tell about a request to whoever holds the link, as JSON: no names, no addresses.
        confirm: confirms it, in the transaction that uses the link up, with what was answered where the purpose asks
            something; raises `Refused` when a rule says no by now, and then the link is not used up either.
        renew: makes an expired or waiting one wait again and mails a new link; raises `Refused` when it cannot be.
    """

    about: Look
    confirm: Act
    renew: Renew
