"""The door of the back office: who comes in, and what they can move."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from datetime import timedelta

from portal.contract.errors import NotAuthenticated, NotFound, TooMany
from portal.domain.codes import Code
from portal.provider.backoffice.moves import Movable, Moved, Standing, Wish
from portal.provider.context import Context
from portal.provider.limits import HOUR, Limit, network, subject, take
from portal.provider.security_log import Happening, note

WRONG_KEYS = 20
"""So many wrong keys from one network address in an hour, and it is told to wait."""
CALLS, CALLS_WINDOW = 100, timedelta(seconds=10)
"""So many calls with a key in such a time."""


class BackOffice:
    """What the back office may do. The command line is inside the house and needs no key."""

    def __init__(self, context: Context, movables: Iterable[Movable]) -> None:
        """Work with the parts of the house.

        Args:
            context: the parts.
            movables: every kind of thing that can be moved.
        """
        self._context = context
        self._movables = {movable.name: movable for movable in movables}

    async def admit(self, shown: str, address: str) -> None:
        """Let somebody in who shows a right key.

        Args:
            shown: the key.
            address: network address of whoever shows it.

        Raises:
            NotAuthenticated: it is not one of ours.
            TooMany: too many wrong keys, or too many calls.
        """
        settings = self._context.settings
        right = False
        for key in settings.backoffice_keys:
            # All are compared, so that the time tells nothing.
            right |= secrets.compare_digest(key.encode(), shown.encode("utf-8", "replace"))
        if right:
            limit = Limit(subject(settings, "back office", shown), CALLS, CALLS_WINDOW)
        else:
            limit = Limit(subject(settings, "back office refused", network(address)), WRONG_KEYS, HOUR)
            note(settings, Happening.BACK_OFFICE_REFUSED, address=address)
        async with self._context.database.transaction() as session:
            retry_at = await take(session, [limit], self._context.clock())
        if retry_at:
            raise TooMany(Code.TOO_MANY_REQUESTS, retry_at=retry_at)
        if not right:
            raise NotAuthenticated(Code.SESSION_ENDED)

    async def stand(self, kind: str, reference: str) -> Standing:
        """Where something stands."""
        return await self._movable(kind).stand(self._context, _as_kept(reference))

    async def move(self, kind: str, reference: str, wish: Wish, key: str = "") -> Moved:
        """Move something."""
        return await self._movable(kind).move(self._context, _as_kept(reference), wish, key)

    def _movable(self, kind: str) -> Movable:
        if kind not in self._movables:
            raise NotFound
        return self._movables[kind]


def _as_kept(reference: str) -> str:
    """Without the spaces between its groups, with which it stands in mails and on papers."""
    return reference.replace(" ", "")
