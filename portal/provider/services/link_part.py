"""The part of the Provider that is about links in mails."""

from __future__ import annotations

from portal.contract.links import LinkEntry, LinkSent, LinkView
from portal.provider.services.links import LinkServices


class LinkPart:
    """Answers the operations of `contract.link_operations`."""

    _links: LinkServices

    async def link(self, entry: LinkEntry) -> LinkView:
        """What a link is good for."""
        return await self._links.link(entry)

    async def confirm_link(self, entry: LinkEntry) -> LinkView:
        """Confirm the request, once."""
        return await self._links.confirm_link(entry)

    async def resend_link(self, entry: LinkEntry) -> LinkSent:
        """Mail a new link."""
        return await self._links.resend_link(entry)
