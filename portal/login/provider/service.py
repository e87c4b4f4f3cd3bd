"""Login by code, logout, and the session of a customer (part-1 §7 calls 1 and 2)."""

from __future__ import annotations

from datetime import timedelta
from typing import NoReturn

from typing_extensions import override

from portal.backend import limits, security
from portal.backend.live import publish
from portal.backend.mail import Template
from portal.backend.security import SecurityEvent, masked_email, note
from portal.backend.service import Service
from portal.contract.errors import InvalidInput, Refused, TooMany
from portal.contract.session import (
    CodeEntry,
    CodeRequest,
    CodeSent,
    LeaseRequest,
    LocaleChoice,
    Origin,
    Session,
    SessionCheck,
    UserData,
)
from portal.contract.session_api import SessionApi
from portal.kernel import validation
from portal.kernel.codes import Code
from portal.kernel.texts import DEFAULT
from portal.kernel.validation import InvalidValue
from portal.login.provider import queries
from portal.login.provider.email_change import EmailChangeService
from portal.login.provider.limits import wanted
from portal.login.provider.passwords import PasswordService
from portal.login.provider.queries import CustomerRepository, user_data
from portal.tables.customers import LoginChallenge
from portal.vocabulary.actions import Topic


class LoginService(EmailChangeService, PasswordService):
    """All operations of `LoginApi`; this class adds codes and logout."""

    @override
    async def request_code(self, request: CodeRequest, origin: Origin) -> CodeSent:
        """Mail a login code.

        Every request does the same work: the same statements, the same hashes, and a mail in the outbox (without a
        recipient if there is no account). The response time therefore does not reveal which half of a pair was wrong
        or whether an e-mail address is known.
        """
        email, number = wanted(request, self._settings)
        email_key, now = validation.email_key(email), self._context.clock()
        code, salt, challenge = security.new_code(), security.new_salt(), security.new_challenge()
        expires_at = now + timedelta(minutes=self._settings.code_minutes)
        async with self._context.database.transaction() as session:
            if number is None:
                account = await queries.by_address(session, self._settings, email_key)
                refusal = None
            else:
                account = await queries.by_pair(session, self._settings, number, email_key)
                refusal = self._refusal(account)
            account = None if refusal else account
            held = self._limits.of_code(email_key, origin.address, counts=refusal is None)
            if retry_at := await limits.take(session, [*self._limits.of_address(origin.address), *held], now):
                note(self._settings, SecurityEvent.LIMIT_REACHED, address=origin.address)
                raise TooMany(Code.TOO_MANY_REQUESTS, retry_at=retry_at)
            replaced = origin.challenge if origin.challenge and not refusal else challenge
            await queries.replace(session, security.challenge_hash(replaced), now)
            session.add(
                LoginChallenge(
                    challenge_hash=security.challenge_hash(challenge),
                    customer_id=account.customer_id if account else None,
                    order_number=account.order_number if account else "",
                    salt=salt,
                    code_hash=security.code_hash(self._settings, salt, code),
                    created_at=now,
                    expires_at=expires_at,
                )
            )
            await self._outbox.post(
                session,
                Template.LOGIN_CODE,
                recipient=account.email if account else "",
                locale=origin.locale or (account.locale if account else DEFAULT),
                customer_id=account.customer_id if account else None,
                code=code,
                expires_at=expires_at,
            )
            resend_at = await limits.next_at(session, held, now)
        if refusal:
            note(self._settings, SecurityEvent.CODE_REFUSED, address=origin.address, why=refusal.code)
            raise refusal
        customer = account.customer_id if account else None
        note(self._settings, SecurityEvent.CODE_SENT, customer=customer, address=origin.address)
        return CodeSent(challenge=challenge, email=masked_email(email), expires_at=expires_at, resend_at=resend_at)

    @override
    async def request_lease(self, request: LeaseRequest, origin: Origin) -> NoReturn:
        try:
            reference = validation.frame_number(request.lease)
        except InvalidValue as error:
            raise InvalidInput(error.code, fields={"lease": error.code}) from None
        now = self._context.clock()
        async with self._context.database.transaction() as session:
            if retry_at := await limits.take(session, self._limits.of_address(origin.address), now):
                note(self._settings, SecurityEvent.LIMIT_REACHED, address=origin.address)
                raise TooMany(Code.TOO_MANY_REQUESTS, retry_at=retry_at)
            kinds = await queries.lease_kinds(session, reference)
        raise Refused(Code.NOT_LEASE_ORDER) if kinds == {False} else self._lease_refusal()

    @override
    async def authenticate(self, entry: CodeEntry, origin: Origin) -> Session:
        """Counts the try in one statement, before the code is compared."""
        challenge = entry.challenge or origin.challenge
        if not challenge:
            raise Refused(Code.NO_CHALLENGE)
        code = _typed(entry)
        challenge_hash, now = security.challenge_hash(challenge), self._context.clock()
        customer: int | None = None
        opened: Session | None = None
        async with self._context.database.transaction() as session:
            found = await queries.count_try(session, challenge_hash, now, self._settings.code_tries)
            if found is None:
                stored = await queries.challenge(session, challenge_hash)
                refusal = _why_not(stored, self._settings.code_tries)
            else:
                customer = found.customer_id
                refusal = Code.INVALID_CODE
                right = security.matches(self._settings, found.salt, found.code_hash, code)
                if right and customer is not None:
                    found.used_at = now
                    public_id = await queries.public_id(session, customer)
                    opened = await self._sessions.open(session, customer, public_id, found.order_number)
        if opened is None:
            note(self._settings, SecurityEvent.LOGIN_FAILED, customer=customer, address=origin.address, why=refusal)
            raise Refused(refusal)
        note(self._settings, SecurityEvent.LOGIN, customer=customer, address=origin.address)
        return opened

    @override
    async def logout(self, token: str) -> None:
        if customer := await self._sessions.revoke(token):
            note(self._settings, SecurityEvent.LOGOUT, customer=customer)


def _typed(entry: CodeEntry) -> str:
    try:
        return validation.login_code(entry.token)
    except InvalidValue as error:
        if error.code is Code.REQUIRED:
            raise InvalidInput(Code.REQUIRED, fields={"token": Code.REQUIRED}) from None
        raise Refused(Code.INVALID_CODE) from None


def _why_not(stored: LoginChallenge | None, tries: int) -> Code:
    """The refusal for a code that was not compared, because no valid challenge with tries left exists."""
    if stored is None:
        return Code.NO_CHALLENGE
    return Code.CODE_USED_UP if stored.used_at or stored.attempts >= tries else Code.CODE_EXPIRED


class SessionService(Service, SessionApi):
    """Checks a session, returns its customer, and stores their language."""

    @override
    async def check_session(self, token: str) -> SessionCheck:
        owner = await self._sessions.owner(token)
        return SessionCheck(
            customer=owner.public_id,
            locale=owner.locale,
            country=owner.country,
            expires_at=owner.expires_at,
            idle_until=owner.idle_until,
            recall=owner.recall,
        )

    @override
    async def customer_info(self, token: str) -> UserData:
        async with self._sessions.reading(token) as (owner, session):
            return await user_data(session, owner)

    @override
    async def change_locale(self, token: str, choice: LocaleChoice) -> None:
        """Stores the language, which texts about requests use too."""
        owner = await self._sessions.owner(token)
        async with self._context.database.transaction() as session:
            repository = CustomerRepository(session, owner.customer_id)
            if (await repository.get()).locale == choice.locale:
                return
            await repository.change({"locale": choice.locale}, self._context.clock())
            # Open pages reload the texts about requests in the new language.
            await publish(session, owner.customer_id, Topic.REQUESTS, self._context.clock())
