"""Rate limits: sliding windows in the database, shared by all servers.

The row of a key is locked before it is read, so that concurrent requests are counted one after the other. SQLite uses
the write lock of the transaction, PostgreSQL a row lock.
"""

import ipaddress
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from sqlmodel import col, update
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.security import Purpose, SecurityEvent, keyed_hash, note
from portal.contract.errors import TooMany
from portal.kernel.codes import Code
from portal.settings import Settings
from portal.tables.columns import insert_into
from portal.tables.customers import LimitWindow

HOUR = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Limit:
    """A limit for one key: at most `count` uses in `window`, at least `gap` apart."""

    key: str
    count: int
    window: timedelta = HOUR
    gap: timedelta = timedelta(0)


def subject(settings: Settings, name: str, *parts: str) -> str:
    """The key of a limit. It is a hash, so the table does not reveal the address or account."""
    return f"{name}:{keyed_hash(settings, Purpose.LIMIT, name, *parts)[:40]}"


def network(address: str) -> str:
    """The part of a network address that identifies one customer: the whole IPv4 address or 64 bits of IPv6."""
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
    """Count one use under all limits, or under none if one of them is reached.

    Callers pass limits in a fixed order (address, account, …) to avoid deadlocks.
    Returns None if the use is allowed; otherwise the time (UTC) of the next allowed use.
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


async def enforce(
    session: AsyncSession,
    limits: Sequence[Limit],
    now: datetime,
    settings: Settings,
    *,
    customer: int | None = None,
    address: str = "",
) -> None:
    """Count one use, or refuse it with `too_many_requests` and note that in the security log."""
    if retry_at := await take(session, limits, now):
        note(settings, SecurityEvent.LIMIT_REACHED, customer=customer, address=address)
        raise TooMany(Code.TOO_MANY_REQUESTS, retry_at=retry_at)


async def next_at(session: AsyncSession, limits: Sequence[Limit], now: datetime) -> datetime:
    """The time (UTC) of the next allowed use. Call it in the transaction of `take`."""
    waits = [_retry_at(limit, await _lock(session, limit, now), now) for limit in limits]
    return max((moment for moment in waits if moment), default=now)


async def _lock(session: AsyncSession, limit: Limit, now: datetime) -> list[float]:
    """Insert or find the row, lock it until the end of the transaction and return its timestamps."""
    statement = insert_into(session.get_bind(), LimitWindow).values(key=limit.key, moments=[], ends_at=now)
    held = statement.on_conflict_do_update(index_elements=["key"], set_={"key": statement.excluded.key})
    return list((await session.exec(held.returning(col(LimitWindow.moments)))).scalar_one())


def _retry_at(limit: Limit, moments: list[float], now: datetime) -> datetime | None:
    """The time at which the limit allows one more use; None means now."""
    inside = [moment for moment in moments if moment > (now - limit.window).timestamp()]
    ready = now.timestamp()
    if len(inside) >= limit.count:
        ready = inside[-limit.count] + limit.window.total_seconds()
    # Without a gap, a use that waited for the lock may be older than the last one that was counted.
    if moments and limit.gap:
        ready = max(ready, moments[-1] + limit.gap.total_seconds())
    return datetime.fromtimestamp(ready, UTC) if ready > now.timestamp() else None
