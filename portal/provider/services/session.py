"""Who is logged in."""

from __future__ import annotations

from typing_extensions import override

from portal.contract.account import UserData
from portal.contract.session import SessionCheck
from portal.contract.session_api import SessionApi
from portal.provider.services.service import Service
from portal.provider.services.user_data import user_data


class SessionService(Service, SessionApi):
    """Looks at a session, and at whose it is."""

    @override
    async def check_session(self, token: str) -> SessionCheck:
        owner = await self._sessions.owner(token)
        return SessionCheck(
            customer=owner.public_id,
            locale=owner.locale,
            country=owner.country,
            expires_at=owner.expires_at,
            idle_until=owner.idle_until,
        )

    @override
    async def customer_info(self, token: str) -> UserData:
        async with self._sessions.reading(token) as (owner, session):
            return await user_data(session, owner)
