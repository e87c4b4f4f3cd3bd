"""Links in mails. They take no session: holding the link is enough.

What is at the end of a link travels in the body, so that no log holds it.
"""

from __future__ import annotations

from typing import Protocol

from portal.contract.errors import Conflict, InvalidInput, Refused, TooMany
from portal.contract.links import LinkEntry, LinkSent, LinkView
from portal.contract.operations import Refusal, operation
from portal.domain.codes import Code

_MISSING = Refusal(InvalidInput, Code.MISSING_HASH)


class LinksApi(Protocol):
    """Links that confirm a request."""

    @operation("POST", "/links/look", refuses=(_MISSING,))
    async def link(self, entry: LinkEntry) -> LinkView:
        """What a mailed link is good for; changes nothing.

        What we do not know is `LinkState.INVALID`, not an error.
        """
        ...

    @operation("POST", "/links/confirm", refuses=(_MISSING, Refusal(InvalidInput), Refusal(Refused), Refusal(Conflict)))
    async def confirm_link(self, entry: LinkEntry) -> LinkView:
        """Confirm what a mailed link is about: `CONFIRMED` the first time, `USED` afterwards, `EXPIRED` too late.

        Of a purpose that asks something, `fields` says what is wrong with `answer`. Refused with `invalid_hash`, or
        because a rule says no by now; then the link stays as it was.
        """
        ...

    @operation(
        "POST",
        "/links/resend",
        refuses=(_MISSING, Refusal(Refused), Refusal(TooMany, Code.MAIL_SENT_RECENTLY)),
    )
    async def resend_link(self, entry: LinkEntry) -> LinkSent:
        """Mail a new link for the same request, which waits again when it had expired.

        Refused with `invalid_hash` or `link_used`, or because a rule says no by now.
        """
        ...
