"""What the provider does every hour."""

from __future__ import annotations

from portal.backend.bounces import read_bounces
from portal.backend.context import Context
from portal.cases.provider.subjects import take_back
from portal.deliveries.provider.backoffice import count_as_delivered
from portal.exports.provider.digest import Digest
from portal.exports.provider.webhooks import forget_old_secrets
from portal.privacy.provider.erasure import delete_expired
from portal.recalls.provider import warn_new_owners
from portal.returns.provider.transitions import expire


async def purge(context: Context) -> None:
    """Run the hourly jobs.

    Unconfirmed returns expire, what was sent long ago counts as delivered, cases whose link expired come back, new
    owners are warned of recalls, the digest is planned, mails that came back are noted, and what is too old is deleted.
    """
    async with context.database.transaction() as session:
        await expire(context, session)
        await count_as_delivered(session, context.clock())
        await forget_old_secrets(session, context.clock())
    await take_back(context)
    await warn_new_owners(context)
    await Digest(context).plan()
    await read_bounces(context)
    await delete_expired(context)
