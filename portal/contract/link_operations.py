"""Operations on links in mails; a part of the Provider. They take no session: holding the link is enough."""

from __future__ import annotations

from typing import Protocol

from portal.contract.links import LinkEntry, LinkSent, LinkView


class LinkOperations(Protocol):
    """Links that confirm a request (decisions: Confirmation links)."""

    async def link(self, entry: LinkEntry) -> LinkView:
        """What a link is good for; changes nothing. What we do not know is `LinkState.INVALID`, not an error.

        Raises:
            InvalidInput: `missing_hash`.
        """
        ...

    async def confirm_link(self, entry: LinkEntry) -> LinkView:
        """Confirm the request: `CONFIRMED` the first time, `USED` afterwards, `EXPIRED` when it is too late.

        Raises:
            InvalidInput: `missing_hash`; of a purpose that asks something, what is wrong with `answer`.
            Refused: `invalid_hash`, or a rule says no by now; then the link stays as it was.
        """
        ...

    async def resend_link(self, entry: LinkEntry) -> LinkSent:
        """Mail a new link for the same request, which waits again when it had expired.

        Raises:
            InvalidInput: `missing_hash`.
            Refused: `invalid_hash`, `link_used`, or a rule says no by now.
            TooMany: `mail_sent_recently` with `retry_at`.
        """
        ...
