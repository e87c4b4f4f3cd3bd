"""Passwords, if the shop offers them: hashing, login, and setting one through a mailed link (part-1 §5, §8)."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import cache

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from typing_extensions import override

from portal.backend import limits
from portal.backend.context import Context
from portal.backend.limits import Limit, network, subject
from portal.backend.mail import Template
from portal.backend.security import SecurityEvent, masked_email, note
from portal.backend.sessions import Sessions
from portal.contract.errors import InvalidInput, NotFound, Refused, TooMany
from portal.contract.session import CodeRequest, Origin, Session
from portal.kernel import validation
from portal.kernel.codes import Code
from portal.kernel.texts import DEFAULT
from portal.kernel.validation import InvalidValue, new_password
from portal.links.provider import Addressee, Links, Subject
from portal.login.api import (
    NewPassword,
    PasswordEntry,
    PasswordLink,
    PasswordLinkView,
    PasswordResetRequest,
    PasswordResetSent,
)
from portal.login.provider import queries
from portal.login.provider.codes import LoginBase, wanted
from portal.login.provider.queries import CustomerQueries
from portal.settings import Settings
from portal.vocabulary.links import LIFETIME, LinkPurpose, LinkState, new_hash

_threads = ThreadPoolExecutor(max_workers=2, thread_name_prefix="passwords")
"""Only two threads: each hash needs 64 MB, and logins must not use every core."""

_hasher = PasswordHasher()
"""The defaults of `argon2`: the low-memory parameters of RFC 9106."""


@cache
def _nobody() -> str:
    """A hash to compare with if the customer has no password, so that the timing does not reveal it."""
    return _hasher.hash("nobody has this password")


async def hashed(password: str) -> str:
    return await asyncio.get_running_loop().run_in_executor(_threads, _hasher.hash, password)


async def matches(stored: str | None, password: str) -> bool:
    """Whether the password matches the stored hash; takes the same time if there is no hash."""
    right = await asyncio.get_running_loop().run_in_executor(_threads, _verify, stored or _nobody(), password)
    return right and stored is not None


def _verify(stored: str, password: str) -> bool:
    try:
        return _hasher.verify(stored, password)
    except (VerificationError, InvalidHashError):
        return False


PURPOSE = LinkPurpose.PASSWORD


class PasswordService(LoginBase):
    """Operations on passwords; `NotFound` unless `PORTAL_PASSWORDS` is on."""

    def __init__(self, context: Context, sessions: Sessions) -> None:
        super().__init__(context, sessions)
        self._links = Links(context)

    @override
    async def request_password_reset(self, request: PasswordResetRequest, origin: Origin) -> PasswordResetSent:
        """For an unknown address, a mail without a recipient is stored, so that the work is the same."""
        self._offered()
        email, number = _pair(request.email, request.order_number, self._settings)
        email_key, now = validation.email_key(email), self._context.clock()
        async with self._context.database.transaction() as session:
            account, refusal = None, None
            if number is None:
                account = await queries.by_address(session, self._settings, email_key)
            else:
                account = await queries.by_pair(session, self._settings, number, email_key)
                refusal = self._refusal(account)
            held = self._limits.of_code(email_key, origin.address, counts=refusal is None)
            if retry_at := await limits.take(session, [*self._limits.of_address(origin.address), *held], now):
                note(self._settings, SecurityEvent.LIMIT_REACHED, address=origin.address)
                raise TooMany(Code.TOO_MANY_REQUESTS, retry_at=retry_at)
            if account and not refusal:
                about = Subject(account.customer_id, account.customer_id)
                to = Addressee(account.email, origin.locale or account.locale)
                await self._links.withdraw(session, PURPOSE, about)
                await self._links.send(session, PURPOSE, about, to, Template.PASSWORD_RESET, {})
            else:
                await self._outbox.post(
                    session,
                    Template.PASSWORD_RESET,
                    recipient="",
                    locale=DEFAULT,
                    details={"path": ""},
                    code=new_hash(),
                    expires_at=now + LIFETIME,
                )
            resend_at = await limits.next_at(session, held, now)
        if refusal:
            note(self._settings, SecurityEvent.CODE_REFUSED, address=origin.address, why=refusal.code)
            raise refusal
        return PasswordResetSent(email=masked_email(email), expires_at=now + LIFETIME, resend_at=resend_at)

    @override
    async def password_link(self, entry: PasswordLink) -> PasswordLinkView:
        self._offered()
        async with self._context.database.session() as session:
            state, row = await self._links.find(session, PURPOSE, entry.hash)
        return PasswordLinkView(state=state, email=row.recipient if row else "")

    @override
    async def set_password(self, entry: NewPassword) -> None:
        self._offered()
        async with self._context.database.session() as session:
            state, _ = await self._links.find(session, PURPOSE, entry.hash)
        if state is not LinkState.VALID:
            raise Refused(_why_not(state))
        stored, now = await hashed(_new(entry)), self._context.clock()
        async with self._context.database.transaction() as session:
            link = await self._links.use(session, PURPOSE, entry.hash)
            if link is None:
                raise Refused(Code.HASH_NOT_FOUND)
            await queries.keep(session, link.customer_id, stored, now)
            await queries.end_sessions(session, link.customer_id, now)
            customer = await CustomerQueries(session, link.customer_id).get()
            await self._outbox.post(
                session,
                Template.PASSWORD_CHANGED,
                recipient=customer.email,
                locale="en" if customer.locale == "en" else "nl",
                customer_id=link.customer_id,
            )
        note(self._settings, SecurityEvent.PASSWORD_CHANGED, customer=link.customer_id)

    @override
    async def log_in(self, entry: PasswordEntry, origin: Origin) -> Session:
        """Counts the try before the password is compared."""
        self._offered()
        email, number = _filled_in(entry, self._settings)
        email_key, now = validation.email_key(email), self._context.clock()
        async with self._context.database.transaction() as session:
            held = [*self._limits.of_address(origin.address), self._tries(email_key, origin.address)]
            retry_at = await limits.take(session, held, now)
            if number is None:
                account = await queries.by_address(session, self._settings, email_key)
            else:
                account = await queries.by_pair(session, self._settings, number, email_key)
            customer = account.customer_id if account else None
            stored = await queries.find(session, customer)
        if retry_at:
            note(self._settings, SecurityEvent.LIMIT_REACHED, address=origin.address)
            raise TooMany(Code.TOO_MANY_REQUESTS, retry_at=retry_at)
        right = await matches(stored, entry.password)
        if not right or account is None:
            note(self._settings, SecurityEvent.LOGIN_FAILED, customer=customer, address=origin.address)
            raise Refused(Code.WRONG_PASSWORD)
        if refusal := self._refusal(account):
            raise refusal
        async with self._context.database.transaction() as session:
            # A password changed during the check must not open a session.
            if await queries.find(session, account.customer_id) != stored:
                raise Refused(Code.WRONG_PASSWORD)
            public_id = await queries.public_id(session, account.customer_id)
            opened = await self._sessions.open(session, account.customer_id, public_id, account.order_number)
        note(self._settings, SecurityEvent.LOGIN, customer=customer, address=origin.address)
        return opened

    def _offered(self) -> None:
        if not self._settings.passwords:
            raise NotFound

    def _tries(self, email_key: str, address: str) -> Limit:
        """The number of tries of a code, per network address, so that nobody can lock out a customer elsewhere."""
        key = subject(self._settings, "password", email_key, network(address))
        return Limit(key, self._settings.code_tries, timedelta(minutes=self._settings.code_minutes))


def _pair(email: str, order_number: str | None, settings: Settings) -> tuple[str, str | None]:
    return wanted(CodeRequest(email=email, order_number=order_number), settings)


def _filled_in(entry: PasswordEntry, settings: Settings) -> tuple[str, str | None]:
    """The validated pair. A refusal names every field that is missing or has a wrong format."""
    missing = {} if entry.password else {"password": Code.REQUIRED}
    try:
        pair = _pair(entry.email, entry.order_number, settings)
    except InvalidInput as error:
        fields = {**error.fields, **missing}
        raise InvalidInput(error.code if len(fields) == 1 else Code.INVALID_INPUT, fields=fields) from None
    if missing:
        raise InvalidInput(Code.REQUIRED, fields=missing)
    return pair


def _new(entry: NewPassword) -> str:
    try:
        return new_password(entry.password, entry.repeat)
    except InvalidValue as error:
        field = "repeat" if error.code is Code.PASSWORDS_DIFFER else "password"
        raise InvalidInput(error.code, fields={field: error.code}) from None


def _why_not(state: LinkState) -> Code:
    return Code.USER_HASH_EXPIRED if state is LinkState.EXPIRED else Code.HASH_NOT_FOUND
