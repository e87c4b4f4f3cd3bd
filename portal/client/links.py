"""Links in mails, over the provider API."""

from __future__ import annotations

from pydantic import TypeAdapter

from portal.client.calls import Calls
from portal.contract.links import LinkEntry, LinkSent, LinkView

_LINK_VIEW = TypeAdapter(LinkView)
_LINK_SENT = TypeAdapter(LinkSent)


class LinkCalls(Calls):
    """The operations on links; what they say is said in the contract."""

    async def link(self, entry: LinkEntry) -> LinkView:
        """What a link is good for."""
        return await self._post_openly("link", "/links/look", entry, _LINK_VIEW)

    async def confirm_link(self, entry: LinkEntry) -> LinkView:
        """Confirm the request, once."""
        return await self._post_openly("confirm_link", "/links/confirm", entry, _LINK_VIEW)

    async def resend_link(self, entry: LinkEntry) -> LinkSent:
        """Mail a new link."""
        return await self._post_openly("resend_link", "/links/resend", entry, _LINK_SENT)
