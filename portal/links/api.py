"""The operations on mailed links, and the models they exchange. They need no session: the link is the proof."""

from datetime import datetime
from typing import Annotated, Any, Protocol

from pydantic import Field

from portal.contract.errors import Conflict, InvalidInput, Refused, TooMany
from portal.contract.models import Model, otherwise
from portal.contract.operations import DeclaredRefusal, operation
from portal.kernel.codes import Code
from portal.vocabulary.links import LinkPurpose, LinkState


class LinkEntry(Model):
    """A link that was opened.

    `hash`: the raw last part of the address.
    `answer`: the answer, for a purpose with a question: a value of `BatteryState` for `BATTERY`, of `DeclarationAnswer`
    for `WITHDRAWAL` and `CONTRACT_END`.
    """

    purpose: LinkPurpose
    hash: str = Field(default="", max_length=1000)
    answer: str = Field(default="", max_length=1000)


class LinkView(Model):
    """The data that a page shows about a link.

    `email`: masked recipient; empty for an invalid link.
    `expires_at`: when the link expires (UTC).
    `about`: data of the request, by purpose, without personal data.
    """

    state: Annotated[LinkState, otherwise(LinkState, LinkState.INVALID)]
    email: str = ""
    expires_at: datetime | None = None
    about: dict[str, Any] = Field(default_factory=dict)


class LinkSent(Model):
    """A link that was put into the outbox.

    `email`: recipient; masked for a guest.
    `expires_at`: when the link expires (UTC).
    `resend_at`: when another link can be requested (UTC).
    """

    email: str
    expires_at: datetime
    resend_at: datetime


_MISSING = DeclaredRefusal(InvalidInput, Code.MISSING_HASH)


class LinksApi(Protocol):
    @operation("POST", "/links/look", refuses=(_MISSING,))
    async def link(self, entry: LinkEntry) -> LinkView:
        """Look up a link without changing anything. An unknown link is `LinkState.INVALID`, not an error."""

    @operation(
        "POST",
        "/links/confirm",
        refuses=(_MISSING, DeclaredRefusal(InvalidInput), DeclaredRefusal(Refused), DeclaredRefusal(Conflict)),
    )
    async def confirm_link(self, entry: LinkEntry) -> LinkView:
        """Confirm the request of a link: `CONFIRMED` the first time, `USED` afterwards, `EXPIRED` if it is too late.

        For a purpose with a question, the `fields` of the error have the code for `answer`. Refused with
        `invalid_hash`, or if a rule no longer allows it; the link is then not used.
        """

    @operation(
        "POST",
        "/links/resend",
        refuses=(_MISSING, DeclaredRefusal(Refused), DeclaredRefusal(TooMany, Code.MAIL_SENT_RECENTLY)),
    )
    async def resend_link(self, entry: LinkEntry) -> LinkSent:
        """Mail a new link for the same request. An expired request waits for confirmation again.

        Refused with `invalid_hash` or `link_used`, or if a rule no longer allows it.
        """
