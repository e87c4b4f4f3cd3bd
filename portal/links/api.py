"""Mailed links: the models that travel, and the operations. They take no session: holding the link is enough."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Protocol

from pydantic import Field

from portal.contract.errors import Conflict, InvalidInput, Refused, TooMany
from portal.contract.models import Model, otherwise
from portal.contract.operations import DeclaredRefusal, operation
from portal.kernel.codes import Code
from portal.vocabulary.links import LinkPurpose, LinkState


class LinkEntry(Model):
    """The link that was opened. `hash` is the end of its address, raw.

    Attributes:
        answer: what is confirmed, for a purpose that asks something: of `BATTERY` a value of `BatteryState`.
    """

    purpose: LinkPurpose
    hash: str = Field(default="", max_length=1000)
    answer: str = Field(default="", max_length=1000)


class LinkView(Model):
    """What a page tells about a link.

    Attributes:
        state: what can be done with it.
        email: where it was sent, masked; empty for an invalid one.
        expires_at: until when it confirms (UTC).
        about: what it is about, by purpose; nothing that only the customer may know.
    """

    state: Annotated[LinkState, otherwise(LinkState, LinkState.INVALID)]
    email: str = ""
    expires_at: datetime | None = None
    about: dict[str, Any] = Field(default_factory=dict)


class LinkSent(Model):
    """A link was put into the outbox. `email` is masked; times in UTC."""

    email: str
    expires_at: datetime
    resend_at: datetime


_MISSING = DeclaredRefusal(InvalidInput, Code.MISSING_HASH)


class LinksApi(Protocol):
    """Links that confirm a request."""

    @operation("POST", "/links/look", refuses=(_MISSING,))
    async def link(self, entry: LinkEntry) -> LinkView:
        """What a mailed link is good for; changes nothing.

        What we do not know is `LinkState.INVALID`, not an error.
        """
        ...

    @operation(
        "POST",
        "/links/confirm",
        refuses=(_MISSING, DeclaredRefusal(InvalidInput), DeclaredRefusal(Refused), DeclaredRefusal(Conflict)),
    )
    async def confirm_link(self, entry: LinkEntry) -> LinkView:
        """Confirm what a mailed link is about: `CONFIRMED` the first time, `USED` afterwards, `EXPIRED` too late.

        Of a purpose that asks something, `fields` says what is wrong with `answer`. Refused with `invalid_hash`, or
        because a rule says no by now; then the link stays as it was.
        """
        ...

    @operation(
        "POST",
        "/links/resend",
        refuses=(_MISSING, DeclaredRefusal(Refused), DeclaredRefusal(TooMany, Code.MAIL_SENT_RECENTLY)),
    )
    async def resend_link(self, entry: LinkEntry) -> LinkSent:
        """Mail a new link for the same request, which waits again when it had expired.

        Refused with `invalid_hash` or `link_used`, or because a rule says no by now.
        """
        ...
