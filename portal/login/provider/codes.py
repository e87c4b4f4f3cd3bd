"""Login codes, for customers and for staff: who gets one, how often, and the comparison (part-1 §10).

An account gets a limited number of mails per hour. One network address can use all of them but one, so it cannot lock
out a customer at another address.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend import limits, security
from portal.backend.confirmation_codes import typed_code, why_not
from portal.backend.context import Context
from portal.backend.limits import Limit, network, subject
from portal.backend.mail import Template
from portal.backend.outbox import Outbox
from portal.backend.security import masked_email
from portal.backend.sessions import Service, Sessions
from portal.contract.errors import InvalidInput, ProviderError, Refused
from portal.contract.models import Locale
from portal.contract.session import CodeDelivery, CodeEntry, CodeRequest, CodeSent, Origin
from portal.kernel import validation
from portal.kernel.codes import Code
from portal.kernel.texts import DEFAULT
from portal.kernel.validation import InvalidValue
from portal.login.api import LoginApi
from portal.login.provider import queries
from portal.settings import Settings
from portal.tables.customers import LoginChallenge


class LoginLimits:
    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def of_address(self, address: str) -> list[Limit]:
        """Limits per network address, for all requests, valid or not; none if the address is unknown."""
        if not address:
            return []
        key = subject(self._settings, "address", network(address))
        return [Limit(key, self._settings.codes_per_address_hour)]

    def of_code(self, email_key: str, address: str, *, counts: bool) -> list[Limit]:
        name, most = ("account", self._settings.codes_per_account_hour) if counts else ("refused", 1)
        window = timedelta(hours=1) if counts else timedelta(0)
        gap = timedelta(seconds=self._settings.code_wait_seconds) if counts else timedelta(0)
        held = [Limit(subject(self._settings, name, email_key), most, window, gap)]
        if address:
            share = subject(self._settings, f"{name}-share", email_key, network(address))
            held.append(Limit(share, max(1, most - 1), window))
        return held

    async def enforce_code(
        self, session: AsyncSession, email_key: str, address: str, now: datetime, *, counts: bool
    ) -> list[Limit]:
        """Count one request for a mail under the limits of network and e-mail address. Returns those of the latter."""
        held = self.of_code(email_key, address, counts=counts)
        await limits.enforce(session, [*self.of_address(address), *held], now, self._settings, address=address)
        return held

    def of_passkey_challenge(self, address: str) -> list[Limit]:
        """Limits on challenges for a login with a passkey. Every view of the login page asks for one."""
        return self._of_passkey("passkey-challenge", address, 6 * self._settings.codes_per_address_hour)

    def of_passkey(self, address: str) -> list[Limit]:
        return self._of_passkey("passkey", address, self._settings.codes_per_address_hour)

    def _of_passkey(self, name: str, address: str, most: int) -> list[Limit]:
        return [Limit(subject(self._settings, name, network(address)), most)] if address else []

    def of_new_passkey(self, customer_id: int) -> list[Limit]:
        return [Limit(subject(self._settings, "new-passkey", str(customer_id)), self._settings.codes_per_address_hour)]

    def of_email_change(self, customer_id: int) -> list[Limit]:
        return [
            Limit(
                subject(self._settings, "email-change", str(customer_id)),
                self._settings.codes_per_account_hour,
                gap=timedelta(seconds=self._settings.code_wait_seconds),
            )
        ]


class LoginBase(Service, LoginApi):
    def __init__(self, context: Context, sessions: Sessions) -> None:
        super().__init__(context, sessions)
        self._outbox = Outbox(context)
        self._limits = LoginLimits(context.settings)

    def _refusal(self, account: queries.LoginAccount | None) -> ProviderError | None:
        """The reason why an account cannot log in here; None if it can.

        A wrong pair is refused without revealing the kind of order.
        """
        if account is None:
            return Refused(Code.INVALID_CREDENTIALS)
        if account.is_lease:
            return self._lease_refusal()
        if account.country not in self._settings.login_countries:
            there = self._settings.country_domains.get(account.country)
            return Refused(Code.OTHER_COUNTRY, url=str(there) if there else None)
        return None

    def _lease_refusal(self) -> Refused:
        return Refused(Code.LEASE_ORDER_NOT_ALLOWED, url=str(self._settings.lease_portal_url))


def wanted(request: CodeRequest, settings: Settings) -> tuple[str, str | None]:
    email, number = "", request.order_number
    errors: dict[str, Code] = {}
    try:
        email = typed_email(request.email)
    except InvalidInput as refusal:
        errors |= refusal.fields
    try:
        number = None if number is None else validation.order_number(number, settings.order_number)
    except InvalidValue as error:
        errors["order_number"] = Code.REQUIRED if error.code is Code.REQUIRED else Code.INVALID_ORDER_ID
    if errors:
        raise InvalidInput(next(iter(errors.values())) if len(errors) == 1 else Code.INVALID_INPUT, fields=errors)
    return email, number


@dataclass(frozen=True, slots=True)
class CodeOwner:
    email: str
    locale: Locale
    customer_id: int | None = None
    staff_id: int | None = None
    order_number: str = ""


@dataclass(frozen=True, slots=True)
class Compared:
    """The result of comparing a code.

    `row`: the challenge of this browser, if the code could be compared.
    `refusal`: why the code opens nothing; None if it is right.
    """

    row: LoginChallenge | None
    refusal: Code | None


class LoginCodes:
    def __init__(self, context: Context) -> None:
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
        held = await self._limits.enforce_code(session, email_key, origin.address, now, counts=not refused)
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
    challenge = entry.challenge or origin.challenge
    if not challenge:
        raise Refused(Code.NO_CHALLENGE)
    return challenge, typed_code(entry.token, "token")


def typed_email(text: str) -> str:
    """An e-mail address as it was typed; a refusal names the field `email`."""
    try:
        return validation.email(text)
    except InvalidValue as error:
        code = Code.REQUIRED if error.code is Code.REQUIRED else Code.INVALID_EMAIL
        raise InvalidInput(code, fields={"email": code}) from None


async def notify_address(
    session: AsyncSession, outbox: Outbox, customer_id: int, locale: Locale, email: str, recipients: Iterable[str]
) -> None:
    for recipient in filter(None, recipients):
        await outbox.post(
            session,
            Template.EMAIL_CHANGED,
            recipient=recipient,
            locale=locale,
            customer_id=customer_id,
            details={"new_email": email},
        )
