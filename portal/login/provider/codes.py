"""Mailed login codes, for customers and for staff: sent to an address, compared once counted (part-1 §10)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend import limits, security
from portal.backend.confirmation_codes import why_not
from portal.backend.context import Context
from portal.backend.mail import Template
from portal.backend.outbox import Outbox
from portal.backend.security import SecurityEvent, masked_email, note
from portal.contract.errors import InvalidInput, Refused, TooMany
from portal.contract.models import Locale
from portal.contract.session import CodeDelivery, CodeEntry, CodeSent, Origin
from portal.kernel import validation
from portal.kernel.codes import Code
from portal.kernel.texts import DEFAULT
from portal.kernel.validation import InvalidValue
from portal.login.provider import queries
from portal.login.provider.limits import LoginLimits
from portal.tables.customers import LoginChallenge


@dataclass(frozen=True, slots=True)
class CodeOwner:
    """Whom a code logs in, and where it is sent: a customer with an order, or a member of staff."""

    email: str
    locale: Locale
    customer_id: int | None = None
    staff_id: int | None = None
    order_number: str = ""


@dataclass(frozen=True, slots=True)
class Compared:
    """The result of comparing a code.

    Attributes:
        row: the challenge of this browser, if the code could be compared.
        refusal: why the code opens nothing; None if it is right.
    """

    row: LoginChallenge | None
    refusal: Code | None


class LoginCodes:
    """Sends and compares login codes."""

    def __init__(self, context: Context) -> None:
        """Use the settings, clock and outbox of the context."""
        self._context = context
        self._settings = context.settings
        self._outbox = Outbox(context)
        self._limits = LoginLimits(context.settings)

    async def send(
        self, session: AsyncSession, email: str, origin: Origin, owner: CodeOwner | None, *, refused: bool = False
    ) -> CodeSent:
        """Mail a code, in the caller's transaction.

        Without an owner, the same work is done: the same statements, the same hashes, and a mail without a recipient.
        """
        now, email_key = self._context.clock(), validation.email_key(email)
        code, salt, challenge = security.new_code(), security.new_salt(), security.new_challenge()
        expires_at = now + timedelta(minutes=self._settings.code_minutes)
        held = self._limits.of_code(email_key, origin.address, counts=not refused)
        if retry_at := await limits.take(session, [*self._limits.of_address(origin.address), *held], now):
            note(self._settings, SecurityEvent.LIMIT_REACHED, address=origin.address)
            raise TooMany(Code.TOO_MANY_REQUESTS, retry_at=retry_at)
        replaced = origin.challenge if origin.challenge and not refused else challenge
        await queries.replace(session, security.challenge_hash(replaced), now)
        mail_id = await self._outbox.post(
            session,
            Template.LOGIN_CODE,
            recipient=owner.email if owner else "",
            locale=origin.locale or (owner.locale if owner else DEFAULT),
            customer_id=owner.customer_id if owner else None,
            code=code,
            expires_at=expires_at,
        )
        session.add(
            LoginChallenge(
                challenge_hash=security.challenge_hash(challenge),
                customer_id=owner.customer_id if owner else None,
                staff_id=owner.staff_id if owner else None,
                order_number=owner.order_number if owner else "",
                salt=salt,
                code_hash=security.code_hash(self._settings, salt, code),
                created_at=now,
                expires_at=expires_at,
                mail_id=mail_id,
            )
        )
        resend_at = await limits.next_at(session, held, now)
        return CodeSent(challenge=challenge, email=masked_email(email), expires_at=expires_at, resend_at=resend_at)

    async def delivery(self, session: AsyncSession, challenge: str) -> CodeDelivery:
        """Whether a mail server refused the code of a browser. A code that nobody can use was not refused."""
        refused = await queries.is_refused(session, security.challenge_hash(challenge), self._context.clock())
        return CodeDelivery(refused=refused)

    async def compare(self, session: AsyncSession, challenge: str, code: str) -> Compared:
        """Count one try in one statement, then compare the code. A right code is used by setting `used_at`."""
        challenge_hash, tries = security.challenge_hash(challenge), self._settings.code_tries
        found = await queries.count_try(session, challenge_hash, self._context.clock(), tries)
        if found is None:
            return Compared(None, why_not(await queries.challenge(session, challenge_hash), tries))
        right = security.matches(self._settings, found.salt, found.code_hash, code)
        return Compared(found, None if right else Code.INVALID_CODE)


def entered(entry: CodeEntry, origin: Origin) -> tuple[str, str]:
    """The challenge of the browser and the typed code."""
    challenge = entry.challenge or origin.challenge
    if not challenge:
        raise Refused(Code.NO_CHALLENGE)
    try:
        return challenge, validation.login_code(entry.token)
    except InvalidValue as error:
        if error.code is Code.REQUIRED:
            raise InvalidInput(Code.REQUIRED, fields={"token": Code.REQUIRED}) from None
        raise Refused(Code.INVALID_CODE) from None
