"""Links in mails that confirm a request; they work without a session (part-2 §10)."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from pydantic import Field

from portal.contract.base import Shape
from portal.contract.tolerance import otherwise
from portal.vocabulary.links import LinkPurpose, LinkState


class LinkEntry(Shape):
    """The link that was opened. `hash` is the end of its address, raw.

    Attributes:
        answer: what is confirmed, for a purpose that asks something: of `BATTERY` a value of `BatteryState`.
    """

    purpose: LinkPurpose
    hash: str = Field(default="", max_length=1000)
    answer: str = Field(default="", max_length=1000)


class LinkView(Shape):
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


class LinkSent(Shape):
    """A link was put into the outbox. `email` is masked; times in UTC."""

    email: str
    expires_at: datetime
    resend_at: datetime
