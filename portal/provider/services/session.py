"""Who is logged in."""

from __future__ import annotations

from typing_extensions import override

from portal.contract.account import LocaleChoice, UserData
from portal.contract.session import SessionCheck
from portal.contract.session_api import SessionApi
from portal.provider.repositories.changes import tell
from portal.provider.repositories.customers import CustomerRepository
from portal.provider.services.service import Service
from portal.provider.services.user_data import user_data
from portal.vocabulary.actions import Topic


class SessionService(Service, SessionApi):
    """Looks at a session, at whose it is, and keeps the language they read."""

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

    @override
    async def change_locale(self, token: str, choice: LocaleChoice) -> None:
        """Also chooses the language of what is told about requests."""
        owner = await self._sessions.owner(token)
        async with self._context.database.transaction() as session:
            repository = CustomerRepository(session, owner.customer_id)
            if (await repository.get()).locale == choice.locale:
                return
            await repository.change({"locale": choice.locale}, self._context.clock())
            # Pages that show our words about a request ask for them again.
            await tell(session, owner.customer_id, Topic.REQUESTS, self._context.clock())
