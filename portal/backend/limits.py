"""Rate limits: sliding windows in the database, shared by all servers.

The row of a key is locked before it is read, so concurrent requests are counted one after the other
(SQLite: the write lock of the transaction; PostgreSQL: the row).
"""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from sqlalchemy.dialects import postgresql, sqlite
from sqlmodel import col, update
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.security import Purpose, keyed_hash
from portal.settings import Settings
from portal.tables.customers import LimitWindow

HOUR = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Limit:
    """At most `count` times in `window`, and at least `gap` apart, for one key."""

    key: str
    count: int
    window: timedelta = HOUR
    gap: timedelta = timedelta(0)


def subject(settings: Settings, name: str, *parts: str) -> str:
    """The key of a limit; a hash hides whom it counts for."""
    return f"{name}:{keyed_hash(settings, Purpose.LIMIT, name, *parts)[:40]}"


def network(address: str) -> str:
    """The part of a network address that identifies one customer: all of IPv4, the first 64 bits of IPv6."""
    try:
        number = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(number, ipaddress.IPv6Address):
        if number.ipv4_mapped:
            return str(number.ipv4_mapped)
        return str(ipaddress.ip_network((number, 64), strict=False))
    return str(number)


async def take(session: AsyncSession, limits: Sequence[Limit], now: datetime) -> datetime | None:
    """Count one more use under all limits, or under none if one of them is reached.

    Callers pass limits in a fixed order (address, account, …) to avoid deadlocks.

    Returns:
        None if allowed; otherwise the time (UTC) from which it is.
    """
    held = [(limit, await _lock(session, limit, now)) for limit in limits]
    waits = [moment for limit, moments in held if (moment := _retry_at(limit, moments, now))]
    if waits:
        return max(waits)
    for limit, moments in held:
        stored = [*(moment for moment in moments if moment > (now - limit.window).timestamp()), now.timestamp()]
        await session.exec(
            update(LimitWindow)
            .where(col(LimitWindow.key) == limit.key)
            .values(moments=stored[-limit.count :], ends_at=now + max(limit.window, limit.gap))
        )
    return None


async def next_at(session: AsyncSession, limits: Sequence[Limit], now: datetime) -> datetime:
    """The time (UTC) of the next allowed use; call it in the transaction of `take`."""
    waits = [_retry_at(limit, await _lock(session, limit, now), now) for limit in limits]
    return max((moment for moment in waits if moment), default=now)


async def _lock(session: AsyncSession, limit: Limit, now: datetime) -> list[float]:
    """Insert or find the row, lock it until the end of the transaction, and return its moments."""
    insert = postgresql.insert if session.get_bind().dialect.name == "postgresql" else sqlite.insert
    statement = insert(LimitWindow).values(key=limit.key, moments=[], ends_at=now)
    held = statement.on_conflict_do_update(index_elements=["key"], set_={"key": statement.excluded.key})
    return list((await session.exec(held.returning(col(LimitWindow.moments)))).scalar_one())


def _retry_at(limit: Limit, moments: list[float], now: datetime) -> datetime | None:
    """When the limit allows one more use; None means now."""
    inside = [moment for moment in moments if moment > (now - limit.window).timestamp()]
    ready = now.timestamp()
    if len(inside) >= limit.count:
        ready = inside[-limit.count] + limit.window.total_seconds()
    if moments:
        ready = max(ready, moments[-1] + limit.gap.total_seconds())
    return datetime.fromtimestamp(ready, UTC) if ready > now.timestamp() else None
