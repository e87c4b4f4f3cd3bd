"""Idempotency keys: a call that is sent again with the same key gets the first answer and changes nothing.

The key is stored in the transaction of the change. So a change and its key are stored together or not at all, and of
concurrent calls with one key only one makes the change: the others wait for its transaction.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlmodel import col, select, update
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.contract.errors import InvalidInput
from portal.kernel.codes import Code
from portal.tables.backoffice import IdempotencyKeyRow
from portal.tables.columns import insert_into


@dataclass(frozen=True, slots=True)
class IdempotentCall:
    """A call with an idempotency key.

    Attributes:
        actor: who makes the call.
        key: chosen by the caller.
        fingerprint: hash of what is asked, made with `fingerprint`.
    """

    actor: str
    key: str
    fingerprint: str


def fingerprint(*asked: Any) -> str:
    """SHA-256 of what a call asks, as JSON values. The order of object keys does not matter."""
    return hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()


async def earlier_answer(session: AsyncSession, call: IdempotentCall, now: datetime) -> str | None:
    """Reserve the key of a call, or find its answer.

    Waits for a concurrent call with the same key.

    Args:
        session: of the transaction that makes the change.
        call: the call.
        now: moment of the call (UTC).

    Returns:
        The first answer, as JSON; None if this is the first call.

    Raises:
        InvalidInput: `idempotency_key_reused`, the key belongs to a call that asked for something else.
    """
    reserve = (
        insert_into(session.get_bind(), IdempotencyKeyRow)
        .values(actor=call.actor, key=call.key, fingerprint=call.fingerprint, created_at=now)
        .on_conflict_do_nothing()
        .returning(col(IdempotencyKeyRow.key))
    )
    if (await session.exec(reserve)).first() is not None:
        return None
    earlier = (await session.exec(select(IdempotencyKeyRow).where(*_same(call)))).one()
    if earlier.fingerprint != call.fingerprint:
        raise InvalidInput(Code.IDEMPOTENCY_KEY_REUSED)
    return earlier.answer


async def store_answer(session: AsyncSession, call: IdempotentCall, answer: str) -> None:
    """Store the answer (JSON) of a call whose key was reserved in the same transaction."""
    await session.exec(update(IdempotencyKeyRow).where(*_same(call)).values(answer=answer))


def _same(call: IdempotentCall) -> tuple[Any, ...]:
    return col(IdempotencyKeyRow.actor) == call.actor, col(IdempotencyKeyRow.key) == call.key
