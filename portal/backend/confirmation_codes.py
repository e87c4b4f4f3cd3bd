"""Mailed codes that confirm something, in the session that asked for it: another e-mail address, an erasure."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Generic, Protocol, TypeVar

from sqlmodel import col, select, update
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend import security
from portal.backend.context import Context
from portal.backend.sessions import Owner
from portal.contract.errors import InvalidInput, Refused
from portal.kernel import validation
from portal.kernel.codes import Code
from portal.kernel.validation import InvalidValue
from portal.tables.customers import EmailChangeRow, ErasureCodeRow

RowT = TypeVar("RowT", EmailChangeRow, ErasureCodeRow)


@dataclass(frozen=True, slots=True)
class IssuedCode:
    """A code to be mailed, and when it expires (UTC). Only its hash is stored."""

    code: str
    expires_at: datetime


class ConfirmationCodes(Generic[RowT]):
    """The codes of one table."""

    def __init__(self, context: Context, table: type[RowT]) -> None:
        self._context = context
        self._table: Any = table

    async def issue(self, session: AsyncSession, owner: Owner, **values: Any) -> IssuedCode:
        """Store a new code, which replaces the earlier ones of the customer."""
        settings, now = self._context.settings, self._context.clock()
        code, salt = security.new_code(), security.new_salt()
        issued = IssuedCode(code, now + timedelta(minutes=settings.code_minutes))
        earlier = col(self._table.customer_id) == owner.customer_id, col(self._table.used_at).is_(None)
        await session.exec(update(self._table).where(*earlier).values(used_at=now))
        session.add(
            self._table(
                customer_id=owner.customer_id,
                jti=owner.jti,
                salt=salt,
                code_hash=security.code_hash(settings, salt, code),
                created_at=now,
                expires_at=issued.expires_at,
                **values,
            )
        )
        return issued

    async def check(self, session: AsyncSession, owner: Owner, code: str) -> RowT | Code:
        """Count one try, before anything is compared, and compare the code.

        Returns the row of the right code; or why not: `invalid_code`, `code_expired`, `code_used_up`, or
        `no_challenge`, this session asked for none.
        """
        settings = self._context.settings
        counted = (
            update(self._table)
            .where(
                *self._asked_by(owner),
                col(self._table.attempts) < settings.code_tries,
                col(self._table.used_at).is_(None),
                col(self._table.expires_at) > self._context.clock(),
            )
            .values(attempts=self._table.attempts + 1)
            .returning(self._table)
        )
        found: Any = (await session.exec(counted)).scalars().first()
        if found is None:
            return await self._why_not(session, owner)
        right = security.matches(settings, found.salt, found.code_hash, code)
        return found if right else Code.INVALID_CODE

    async def _why_not(self, session: AsyncSession, owner: Owner) -> Code:
        latest: Any = select(self._table).where(*self._asked_by(owner)).order_by(col(self._table.id).desc()).limit(1)
        found: Any = (await session.exec(latest)).first()
        return why_not(found, self._context.settings.code_tries)

    def _asked_by(self, owner: Owner) -> tuple[Any, Any]:
        return col(self._table.customer_id) == owner.customer_id, col(self._table.jti) == owner.jti


class Countable(Protocol):
    """A stored code whose tries are counted."""

    attempts: int
    used_at: datetime | None


def why_not(stored: Countable | None, tries: int) -> Code:
    """The refusal for a code that was not compared, because no valid one with tries left exists."""
    if stored is None:
        return Code.NO_CHALLENGE
    return Code.CODE_USED_UP if stored.used_at or stored.attempts >= tries else Code.CODE_EXPIRED


def typed_code(text: str, field: str = "code") -> str:
    """A code as it was typed, without blanks.

    Raises `InvalidInput`: `required` for the field.
    Raises `Refused`: `invalid_code`, it cannot be a code.
    """
    try:
        return validation.login_code(text)
    except InvalidValue as error:
        if error.code is Code.REQUIRED:
            raise InvalidInput(Code.REQUIRED, fields={field: Code.REQUIRED}) from None
        raise Refused(Code.INVALID_CODE) from None
