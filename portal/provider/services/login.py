"""Logging in and out (part-1 §7 calls 1 and 2, decisions: Login and session)."""

from __future__ import annotations

from datetime import timedelta

from portal.contract.errors import InvalidInput, ProviderError, Refused, TooMany
from portal.contract.session import CodeEntry, CodeRequest, CodeSent, LeaseRequest, Origin, Session, SessionCheck
from portal.domain import validation
from portal.domain.codes import Code
from portal.domain.validation import InvalidValue
from portal.provider import codes, limits
from portal.provider.context import Context
from portal.provider.mail.texts import Template
from portal.provider.masks import masked_email
from portal.provider.outbox import Outbox
from portal.provider.repositories import login as rows
from portal.provider.security_log import Happening, note
from portal.provider.services.login_limits import LoginLimits
from portal.provider.sessions import Sessions
from portal.provider.tables.login import LoginChallenge


class LoginServices:
    """From a code request to the end of the session."""

    def __init__(self, context: Context, sessions: Sessions) -> None:
        self._context = context
        self._settings = context.settings
        self._sessions = sessions
        self._outbox = Outbox(context)
        self._limits = LoginLimits(context.settings)

    async def request_code(self, request: CodeRequest, origin: Origin) -> CodeSent:
        """Mail a login code.

        Whatever was asked for, the same work is done: the same statements, the same hashes, a mail in the outbox
        (to nobody, when there is nobody). So the time of an answer does not tell which half of a pair was wrong,
        nor whether an address is known.
        """
        email, number = wanted(request)
        email_key, now = validation.email_key(email), self._context.clock()
        code, salt, challenge = codes.new_code(), codes.new_salt(), codes.new_challenge()
        expires_at = now + timedelta(minutes=self._settings.code_minutes)
        async with self._context.database.transaction() as session:
            if number is None:
                account = await rows.by_address(session, email_key, self._settings.countries)
                refusal = None
            else:
                account = await rows.by_pair(session, number, email_key)
                refusal = self.refusal(account)
            account = None if refusal else account
            held = self._limits.of_code(email_key, origin.address, counts=refusal is None)
            if retry_at := await limits.take(session, [*self._limits.of_address(origin.address), *held], now):
                note(self._settings, Happening.LIMIT_REACHED, address=origin.address)
                raise TooMany(Code.TOO_MANY_REQUESTS, retry_at=retry_at)
            replaced = origin.challenge if origin.challenge and not refusal else challenge
            await rows.replace(session, codes.challenge_hash(replaced), now)
            session.add(
                LoginChallenge(
                    challenge_hash=codes.challenge_hash(challenge),
                    customer_id=account.customer_id if account else None,
                    order_number=account.order_number if account else "",
                    salt=salt,
                    code_hash=codes.code_hash(self._settings, salt, code),
                    created_at=now,
                    expires_at=expires_at,
                )
            )
            await self._outbox.post(
                session,
                Template.LOGIN_CODE,
                recipient=account.email if account else "",
                locale=origin.locale,
                customer_id=account.customer_id if account else None,
                code=code,
                expires_at=expires_at,
            )
            resend_at = await limits.next_at(session, held, now)
        if refusal:
            note(self._settings, Happening.CODE_REFUSED, address=origin.address, why=refusal.code)
            raise refusal
        customer = account.customer_id if account else None
        note(self._settings, Happening.CODE_SENT, customer=customer, address=origin.address)
        return CodeSent(challenge=challenge, email=masked_email(email), expires_at=expires_at, resend_at=resend_at)

    async def request_lease(self, request: LeaseRequest, origin: Origin) -> None:
        """Say where a lease customer goes; only an order known to be none of lease is told so."""
        try:
            reference = validation.frame_number(request.lease)
        except InvalidValue as error:
            raise InvalidInput(error.code, fields={"lease": error.code}) from None
        now = self._context.clock()
        async with self._context.database.transaction() as session:
            if retry_at := await limits.take(session, self._limits.of_address(origin.address), now):
                note(self._settings, Happening.LIMIT_REACHED, address=origin.address)
                raise TooMany(Code.TOO_MANY_REQUESTS, retry_at=retry_at)
            kinds = await rows.lease_kinds(session, reference)
        raise Refused(Code.NOT_LEASE_ORDER) if kinds == {False} else self._lease_refusal()

    async def authenticate(self, entry: CodeEntry, origin: Origin) -> Session:
        """Open a session with the code. A try is counted before the code is compared, in one statement."""
        challenge = entry.challenge or origin.challenge
        if not challenge:
            raise Refused(Code.NO_CHALLENGE)
        code = _typed(entry)
        challenge_hash, now = codes.challenge_hash(challenge), self._context.clock()
        customer: int | None = None
        opened: Session | None = None
        async with self._context.database.transaction() as session:
            found = await rows.count_try(session, challenge_hash, now, self._settings.code_tries)
            if found is None:
                kept = await rows.challenge(session, challenge_hash)
                refusal = _why_not(kept, self._settings.code_tries)
            else:
                customer = found.customer_id
                refusal = Code.INVALID_CODE
                right = codes.matches(self._settings, found.salt, found.code_hash, code)
                if right and customer is not None:
                    found.used_at = now
                    public_id = await rows.public_id(session, customer)
                    opened = await self._sessions.open(session, customer, public_id, found.order_number)
        if opened is None:
            note(self._settings, Happening.LOGIN_FAILED, customer=customer, address=origin.address, why=refusal)
            raise Refused(refusal)
        note(self._settings, Happening.LOGIN, customer=customer, address=origin.address)
        return opened

    async def check_session(self, token: str) -> SessionCheck:
        """Whether the session is alive; counts as use of it."""
        owner = await self._sessions.owner(token)
        return SessionCheck(
            customer=owner.public_id,
            locale=owner.locale,
            country=owner.country,
            expires_at=owner.expires_at,
            idle_until=owner.idle_until,
        )

    async def logout(self, token: str) -> None:
        """Revoke the session. Silent when it has ended already."""
        if customer := await self._sessions.revoke(token):
            note(self._settings, Happening.LOGOUT, customer=customer)

    def refusal(self, account: rows.Account | None) -> ProviderError | None:
        """Why a pair may not log in here; what kind of order it is, is only told when the pair is right."""
        if account is None:
            return Refused(Code.INVALID_CREDENTIALS)
        if account.is_lease:
            return self._lease_refusal()
        if account.country not in self._settings.countries:
            there = self._settings.country_domains.get(account.country)
            return Refused(Code.OTHER_COUNTRY, url=str(there) if there else None)
        return None

    def _lease_refusal(self) -> Refused:
        return Refused(Code.LEASE_ORDER_NOT_ALLOWED, url=str(self._settings.lease_portal_url))


def wanted(request: CodeRequest) -> tuple[str, str | None]:
    """The address and order number that were typed, in our form."""
    email, number = "", request.order_number
    errors: dict[str, Code] = {}
    try:
        email = validation.email(request.email)
    except InvalidValue as error:
        errors["email"] = Code.REQUIRED if error.code is Code.REQUIRED else Code.INVALID_EMAIL
    try:
        number = None if number is None else validation.order_number(number)
    except InvalidValue as error:
        errors["order_number"] = Code.REQUIRED if error.code is Code.REQUIRED else Code.INVALID_ORDER_ID
    if errors:
        raise InvalidInput(next(iter(errors.values())) if len(errors) == 1 else Code.INVALID_INPUT, fields=errors)
    return email, number


def _typed(entry: CodeEntry) -> str:
    try:
        return validation.login_code(entry.token)
    except InvalidValue as error:
        if error.code is Code.REQUIRED:
            raise InvalidInput(Code.REQUIRED, fields={"token": Code.REQUIRED}) from None
        raise Refused(Code.INVALID_CODE) from None


def _why_not(kept: LoginChallenge | None, tries: int) -> Code:
    """Why a code was not even compared."""
    if kept is None:
        return Code.NO_CHALLENGE
    return Code.CODE_USED_UP if kept.used_at or kept.attempts >= tries else Code.CODE_EXPIRED
