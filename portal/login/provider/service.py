"""Logging in and out (part-1 §7 calls 1 and 2, §10)."""

from __future__ import annotations

from datetime import timedelta
from typing import NoReturn

from typing_extensions import override

from portal.contract.errors import InvalidInput, Refused, TooMany
from portal.contract.session import CodeEntry, CodeRequest, CodeSent, LeaseRequest, Origin, Session
from portal.domain import validation
from portal.domain.codes import Code
from portal.domain.validation import InvalidValue
from portal.provider import codes, limits
from portal.provider.mail.texts import Template
from portal.provider.masks import masked_email
from portal.provider.repositories import login as rows
from portal.provider.security_log import Happening, note
from portal.provider.services.email_change import EmailChangeService
from portal.provider.services.login_limits import wanted
from portal.provider.services.passwords import PasswordService
from portal.provider.tables.login import LoginChallenge


class LoginService(EmailChangeService, PasswordService):
    """From a code or a password to a session, and to its end."""

    @override
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
                refusal = self._refusal(account)
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

    @override
    async def request_lease(self, request: LeaseRequest, origin: Origin) -> NoReturn:
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

    @override
    async def authenticate(self, entry: CodeEntry, origin: Origin) -> Session:
        """A try is counted before the code is compared, in one statement."""
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

    @override
    async def logout(self, token: str) -> None:
        if customer := await self._sessions.revoke(token):
            note(self._settings, Happening.LOGOUT, customer=customer)


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
