"""How the parts of the provider do: for `/ready`, `/metrics` and the command `check`."""

import asyncio
import shutil
import ssl
from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime, timedelta

from sqlalchemy import func
from sqlmodel import col, select

from portal.backend.context import Context
from portal.backend.files.store import store_of
from portal.backend.migrations import SchemaState, schema_in
from portal.backend.transports import mail_server
from portal.contract.errors import Unavailable
from portal.settings import Settings
from portal.tables.cases import CaseRow
from portal.tables.exchange import InstallationRow, WebhookRow
from portal.tables.messages import URGENT, USUAL, JobRow
from portal.vocabulary.cases import CaseState

Part = Mapping[str, object]
"""A part: `usable` says whether customers can work, `state` is a word, `reason` says what to look at."""

SECONDS = 3.0
"""How long a part may take to answer."""

LATE: Mapping[int, timedelta] = {URGENT: timedelta(minutes=1), USUAL: timedelta(minutes=15)}
"""How long a job of each priority may wait. Codes and mailed links are urgent."""

_FULL = 100 * 1024**2
_LOW = 2 * 1024**3
"""Free bytes of a disk below which nothing can be stored, and below which it is time to make room."""

_MAX_CLOCK_DIFFERENCE = 5
"""Seconds that the clocks of machine and database may differ."""

_CERTIFICATE_DAYS = 14

CURRENT: Part = {"usable": True, "state": "current"}


def _lost(reason: str) -> Part:
    return {"usable": False, "state": "unreachable", "reason": reason}


async def parts(context: Context) -> dict[str, Part]:
    """The state of each part, by its name. They are asked at the same time, and none for longer than `SECONDS`."""
    asked: dict[str, Callable[[], Awaitable[Part]]] = {
        "database": lambda: _database(context),
        "codes": lambda: _jobs(context, URGENT),
        "jobs": lambda: _jobs(context, USUAL),
        "outgoing": lambda: _outgoing(context),
        "files": lambda: _files(context.settings),
        "disk": lambda: _disk(context.settings),
        **({"redis": lambda: _redis(context.settings)} if context.settings.redis_url else {}),
    }
    return await _asked(asked)


async def checks(context: Context) -> dict[str, Part]:
    """The parts, and what is looked at before a start: the mail server, the clock, the certificate."""
    settings = context.settings
    more: dict[str, Callable[[], Awaitable[Part]]] = {
        "clock": lambda: _clock(context),
        **({"mail": lambda: _mail(settings)} if settings.smtp.host else {}),
        **({"certificate": lambda: _certificate(settings)} if settings.address.startswith("https:") else {}),
    }
    return await parts(context) | await _asked(more)


async def _asked(parts: Mapping[str, Callable[[], Awaitable[Part]]]) -> dict[str, Part]:
    return dict(zip(parts, await asyncio.gather(*map(_in_time, parts.values())), strict=True))


async def _in_time(ask: Callable[[], Awaitable[Part]]) -> Part:
    try:
        async with asyncio.timeout(SECONDS):
            return await ask()
    except TimeoutError:
        return _lost(f"no answer within {SECONDS:g} s")
    except Unavailable as error:
        return _lost(type(error.__cause__ or error).__name__)
    except Exception as error:
        return _lost(type(error).__name__)


async def _database(context: Context) -> Part:
    schema = await schema_in(context.database)
    if schema.state is SchemaState.CURRENT:
        return CURRENT
    return {"usable": False, "state": schema.state, "reason": schema.reason}


async def _jobs(context: Context, priority: int) -> Part:
    """A late job keeps no customer from working, but somebody has to look at it."""
    waited = await oldest_jobs(context)
    if (late := waited.get(priority, timedelta())) <= LATE[priority]:
        return CURRENT
    reason = f"the oldest job waits for {late.total_seconds():.0f} s; does a process with PORTAL_JOBS=true run?"
    return {"usable": True, "state": "late", "reason": reason}


async def _outgoing(context: Context) -> Part:
    async with context.database.session() as session:
        since = (await session.exec(select(InstallationRow.quiet_since))).one_or_none()
    if since is None:
        return CURRENT
    reason = f"restored at {since:%Y-%m-%d %H:%M} UTC; nothing leaves, and nothing is deleted, until `go-live`"
    return {"usable": True, "state": "quiet", "reason": reason}


async def _files(settings: Settings) -> Part:
    """The store answers if the id of the installation can be read."""
    await store_of(settings).owner()
    return CURRENT


async def _disk(settings: Settings) -> Part:
    free = (await asyncio.to_thread(shutil.disk_usage, settings.data_dir)).free
    if free >= _LOW:
        return CURRENT
    reason = f"{free // 1024**2} MB are free in {settings.data_dir}"
    return {"usable": free >= _FULL, "state": "low" if free >= _FULL else "full", "reason": reason}


async def _redis(settings: Settings) -> Part:
    from redis.asyncio import Redis

    async with Redis.from_url(settings.redis_url, socket_timeout=SECONDS, socket_connect_timeout=SECONDS) as redis:
        await redis.ping()  # pyrefly: ignore[not-async]  # redis types it for its client without await, too
    return CURRENT


async def _mail(settings: Settings) -> Part:
    """Log in to the mail server, and send nothing."""
    import aiosmtplib

    try:
        async with mail_server(settings.smtp) as server:
            await server.noop()
    except aiosmtplib.SMTPException as error:
        return _lost(f"{settings.smtp.host}:{settings.smtp.port}: {error}")
    return CURRENT


async def _clock(context: Context) -> Part:
    """Leases, limits and codes use the clock of the database; times of files and of the log that of the machine."""
    async with context.database.session() as session:
        there = (await session.exec(select(func.now()))).one()
    # SQLite gives no time zone, and whole seconds.
    moment = there.replace(tzinfo=there.tzinfo or UTC)
    if (off := abs((moment - datetime.now(UTC)).total_seconds())) < _MAX_CLOCK_DIFFERENCE:
        return CURRENT
    return {"usable": True, "state": "different", "reason": f"database and machine differ by {off:.0f} s"}


async def _certificate(settings: Settings) -> Part:
    """The certificate that customers get, wherever it ends."""
    host = settings.address.removeprefix("https://").partition("/")[0]
    name, _, port = host.partition(":")
    context = ssl.create_default_context()
    try:
        _, writer = await asyncio.open_connection(name, int(port or 443), ssl=context)
    except ssl.SSLCertVerificationError as error:
        return {"usable": False, "state": "refused", "reason": f"{host}: {error.verify_message}"}
    until = ssl.cert_time_to_seconds(writer.get_extra_info("peercert")["notAfter"])
    writer.close()
    days = (datetime.fromtimestamp(until, UTC) - datetime.now(UTC)).days
    if days >= _CERTIFICATE_DAYS:
        return CURRENT
    return {"usable": True, "state": "ends", "reason": f"the certificate of {host} ends in {days} days"}


async def oldest_jobs(context: Context) -> dict[int, timedelta]:
    """How long the longest waiting job of each priority is due."""
    now = context.clock()
    query = select(JobRow.priority, func.min(JobRow.due_at)).where(col(JobRow.due_at) <= now)
    async with context.database.session() as session:
        return {priority: now - due for priority, due in await session.exec(query.group_by(col(JobRow.priority)))}


_PRIORITIES = {URGENT: "urgent", USUAL: "usual"}


async def figures(context: Context) -> dict[str, dict[str, float]]:
    """What `/metrics` shows of the database, by figure and label."""
    now = context.clock()
    day, week, month = (col(CaseRow.opened_at) <= now - timedelta(days=days) for days in (1, 7, 30))
    late, unread = col(CaseRow.promised_at) < now, col(CaseRow.unread_since).is_not(None)
    older = [func.count().filter(since) for since in (day, week, month)]
    opened = select(func.count(), older[0], older[1], older[2])
    news = select(func.count().filter(late), func.count().filter(unread))
    is_open = col(CaseRow.state) != CaseState.DONE
    due = select(JobRow.kind, func.count()).where(col(JobRow.due_at) <= now).group_by(col(JobRow.kind))
    failing, paused = col(WebhookRow.failing_since).is_not(None), col(WebhookRow.paused_at).is_not(None)
    receivers = select(func.count().filter(failing), func.count().filter(paused))
    oldest = await oldest_jobs(context)
    async with context.database.session() as session:
        ages = (await session.exec(opened.where(is_open))).one()
        what = (await session.exec(news.where(is_open))).one()
        jobs = {kind: float(count) for kind, count in await session.exec(due)}
        webhooks = (await session.exec(receivers)).one()
    return {
        "part_usable": {name: float(part["usable"] is True) for name, part in (await parts(context)).items()},
        "oldest_job_seconds": {
            name: oldest.get(priority, timedelta()).total_seconds() for priority, name in _PRIORITIES.items()
        },
        "open_cases": dict(zip(("0d", "1d", "7d", "30d", "late", "unread"), (*ages, *what), strict=True)),
        "jobs_due": jobs,
        "webhooks": dict(zip(("failing", "paused"), webhooks, strict=True)),
    }
