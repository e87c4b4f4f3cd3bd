"""Members of staff, and their sessions."""

import hashlib
import secrets
from collections.abc import AsyncIterator, Sequence
from datetime import timedelta

import pytest_asyncio

from portal.contract.registry import ask
from portal.desk.session import NavigationCounts, Sources, connect
from portal.kernel.days import now
from portal.staff.api.people import Member, StaffApi
from portal.vocabulary.staff import Role
from tests.support.connections import Shop
from tests.support.pipeline import Pipeline


async def hire(shop: Shop, role: Role, name: str = "", *, stores: Sequence[int] = ()) -> str:
    """Add a member of staff, and open a session. Returns its token.

    Args:
        shop: the shop.
        role: what the person does.
        name: of the person.
        stores: primary keys of the stores where the person works.
    """
    token, key, moment = secrets.token_urlsafe(32), secrets.token_hex(6), now()
    name = name or f"{role.value} {key}"
    await shop.alter(
        "INSERT INTO staff (public_id, name, email, role, locale, active, created_at) VALUES (?, ?, ?, ?, 'nl', 1, ?)",
        key,
        name,
        f"{key}@bovenbuis.example",
        role.value,
        moment.replace(tzinfo=None).isoformat(" "),
    )
    for store in stores:
        await shop.alter(
            "INSERT INTO staff_stores (staff_id, partner_id) SELECT id, ? FROM staff WHERE public_id = ?", store, key
        )
    await shop.alter(
        "INSERT INTO staff_sessions (token_hash, staff_id, created_at, last_used_at, expires_at)"
        " SELECT ?, id, ?, ?, ? FROM staff WHERE public_id = ?",
        hashlib.sha256(token.encode()).hexdigest(),
        moment.replace(tzinfo=None).isoformat(" "),
        moment.replace(tzinfo=None).isoformat(" "),
        (moment + timedelta(hours=12)).replace(tzinfo=None).isoformat(" "),
        key,
    )
    return token


async def _member(token: str) -> Member:
    return await ask(StaffApi).member(token)


async def _changes(_token: str, _mark: int, _wait_seconds: int) -> int:
    return 1


async def _counts(_token: str) -> NavigationCounts:
    return NavigationCounts({"new": 3})


@pytest_asyncio.fixture(loop_scope="module")
async def desk_tabs(shop: Shop) -> AsyncIterator[Pipeline]:
    """Browser tabs on the staff site, as the server sees them."""
    from portal.desk.session import checks
    from tests.support.pipeline import running_pipeline

    connect(Sources(member=_member, changes=_changes, counts=_counts))
    checks._answers.clear()
    async with running_pipeline(staff=True) as pipeline:
        yield pipeline
