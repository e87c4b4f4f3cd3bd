"""Login by code and by password, logout, a change of the e-mail address, and the session (part-1 §7 calls 1 and 2)."""

import asyncio
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import cache
from typing import Any, NoReturn

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from starlette.responses import Response
from typing_extensions import override

from portal.backend import limits, security
from portal.backend.confirmation_codes import ConfirmationCodes, typed_code
from portal.backend.context import Context
from portal.backend.limits import Limit, network, subject
from portal.backend.live import publish
from portal.backend.mail import Template
from portal.backend.security import SecurityEvent, masked_email, note, shown_email
from portal.backend.sessions import Service, Sessions, Visit
from portal.contract.common_api import SessionApi
from portal.contract.errors import InvalidInput, NotFound, Refused
from portal.contract.models import CHALLENGE_COOKIE, PREFIX
from portal.contract.session import (
    CodeDelivery,
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
from portal.kernel import validation
from portal.kernel.codes import Code
from portal.kernel.days import now
from portal.kernel.texts import DEFAULT
from portal.kernel.validation import InvalidValue, new_password
from portal.links.provider import Addressee, Links, Subject
from portal.login.api import (
    EmailChange,
    EmailChangeCode,
    EmailChangeSent,
    NewPassword,
    PasswordEntry,
    PasswordLink,
    PasswordLinkView,
    PasswordResetRequest,
    PasswordResetSent,
    VisitLink,
)
from portal.login.provider import queries
from portal.login.provider.codes import CodeOwner, LoginBase, LoginCodes, entered, notify_address, typed_email, wanted
from portal.login.provider.queries import CustomerQueries, user_data
from portal.settings import Settings
from portal.tables.customers import EmailChangeRow
from portal.vocabulary.actions import Topic
from portal.vocabulary.links import LIFETIME, LinkPurpose, LinkState, new_hash


class EmailChangeService(LoginBase):
    @override
    async def request_email_change(self, token: str, change: EmailChange) -> EmailChangeSent:
        owner = await self._sessions.owner(token)
        email = typed_email(change.email)
        now, held = self._context.clock(), self._limits.of_email_change(owner.customer_id)
        async with self._context.database.transaction() as session:
            customer = await CustomerQueries(session, owner.customer_id).get()
            if validation.email_key(email) == customer.email_key:
                raise InvalidInput(Code.SAME_EMAIL, fields={"email": Code.SAME_EMAIL})
            await limits.enforce(session, held, now, self._settings, customer=owner.customer_id)
            issued = await self._confirmations().issue(session, owner, email=email)
            await self._outbox.post(
                session,
                Template.EMAIL_CHANGE_CODE,
                recipient=customer.email,
                locale=owner.locale,
                customer_id=owner.customer_id,
                details={"new_email": email},
                code=issued.code,
                expires_at=issued.expires_at,
            )
            resend_at = await limits.next_at(session, held, now)
        return EmailChangeSent(email=shown_email(customer.email), expires_at=issued.expires_at, resend_at=resend_at)

    @override
    async def confirm_email_change(self, token: str, entry: EmailChangeCode) -> UserData:
        owner = await self._sessions.owner(token)
        code, now = typed_code(entry.code), self._context.clock()
        answer: UserData | None = None
        async with self._context.database.transaction() as session:
            found = await self._confirmations().check(session, owner, code)
            if not isinstance(found, Code):
                found.used_at = now
                customers = CustomerQueries(session, owner.customer_id)
                old = (await customers.get()).email
                values = {"email": found.email, "email_key": validation.email_key(found.email)}
                await customers.change(values, now)
                await queries.replace_all(session, owner.customer_id, now)
                await self._sessions.revoke_others(session, owner)
                told = (old, found.email)
                await notify_address(session, self._outbox, owner.customer_id, owner.locale, found.email, told)
                session.expire_all()
                answer = await user_data(session, owner)
        if answer is None or isinstance(found, Code):
            why = found if isinstance(found, Code) else Code.INVALID_CODE
            note(self._settings, SecurityEvent.EMAIL_CHANGE_FAILED, customer=owner.customer_id, why=why)
            raise Refused(why)
        note(self._settings, SecurityEvent.EMAIL_CHANGED, customer=owner.customer_id)
        return answer

    def _confirmations(self) -> ConfirmationCodes[EmailChangeRow]:
        return ConfirmationCodes(self._context, EmailChangeRow)


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
            account = await queries.account_of(session, self._settings, number, email_key)
            refusal = None if number is None else self._refusal(account)
            held = await self._limits.enforce_code(session, email_key, origin.address, now, counts=refusal is None)
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
            await limits.enforce(session, held, now, self._settings, address=origin.address)
            account = await queries.account_of(session, self._settings, number, email_key)
            customer = account.customer_id if account else None
            stored = await queries.find(session, customer)
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


class LoginService(EmailChangeService, PasswordService):
    def __init__(self, context: Context, sessions: Sessions) -> None:
        super().__init__(context, sessions)
        self._codes = LoginCodes(context)

    @override
    async def request_code(self, request: CodeRequest, origin: Origin) -> CodeSent:
        """Mail a login code.

        Every request does the same work: the same statements, the same hashes, and a mail in the outbox (without a
        recipient if there is no account). The response time therefore does not reveal which half of a pair was wrong
        or whether an e-mail address is known.
        """
        email, number = wanted(request, self._settings)
        email_key = validation.email_key(email)
        async with self._context.database.transaction() as session:
            account = await queries.account_of(session, self._settings, number, email_key)
            refusal = None if number is None else self._refusal(account)
            account = None if refusal else account
            owner = None
            if account:
                number = account.order_number
                owner = CodeOwner(account.email, account.locale, customer_id=account.customer_id, order_number=number)
            sent = await self._codes.send(session, email, origin, owner, refused=refusal is not None)
        if refusal:
            note(self._settings, SecurityEvent.CODE_REFUSED, address=origin.address, why=refusal.code)
            raise refusal
        customer = account.customer_id if account else None
        note(self._settings, SecurityEvent.CODE_SENT, customer=customer, address=origin.address)
        return sent

    @override
    async def code_delivery(self, origin: Origin) -> CodeDelivery:
        async with self._context.database.session() as session:
            return await self._codes.delivery(session, origin.challenge or "")

    @override
    async def request_lease(self, request: LeaseRequest, origin: Origin) -> NoReturn:
        try:
            reference = validation.frame_number(request.lease)
        except InvalidValue as error:
            raise InvalidInput(error.code, fields={"lease": error.code}) from None
        now = self._context.clock()
        async with self._context.database.transaction() as session:
            held = self._limits.of_address(origin.address)
            await limits.enforce(session, held, now, self._settings, address=origin.address)
            kinds = await queries.lease_kinds(session, reference)
        raise Refused(Code.NOT_LEASE_ORDER) if kinds == {False} else self._lease_refusal()

    @override
    async def authenticate(self, entry: CodeEntry, origin: Origin) -> Session:
        """Counts the try in one statement, before the code is compared."""
        challenge, code = entered(entry, origin)
        opened: Session | None = None
        async with self._context.database.transaction() as session:
            compared = await self._codes.compare(session, challenge, code)
            customer = compared.row.customer_id if compared.row else None
            if compared.row and not compared.refusal and customer is not None:
                compared.row.used_at = self._context.clock()
                public_id = await queries.public_id(session, customer)
                opened = await self._sessions.open(session, customer, public_id, compared.row.order_number)
        if opened is None:
            refusal = compared.refusal or Code.INVALID_CODE
            note(self._settings, SecurityEvent.LOGIN_FAILED, customer=customer, address=origin.address, why=refusal)
            raise Refused(refusal)
        note(self._settings, SecurityEvent.LOGIN, customer=customer, address=origin.address)
        return opened

    @override
    async def open_visit(self, link: VisitLink, origin: Origin) -> Session:
        """The link is used up in one statement, so it opens one session."""
        now = self._context.clock()
        async with self._context.database.transaction() as session:
            visit = await queries.use_visit(session, security.challenge_hash(link.hash), now)
            if visit is None:
                raise Refused(Code.INVALID_HASH)
            order_number = await queries.newest_order(session, visit.customer_id)
            customer = await queries.public_id(session, visit.customer_id)
            opened = await self._sessions.open(
                session, visit.customer_id, customer, order_number, visit=Visit(visit.staff_id, customer, visit.mode)
            )
        note(
            self._settings,
            SecurityEvent.VISIT,
            customer=visit.customer_id,
            staff=visit.staff_id,
            address=origin.address,
            why=visit.mode,
        )
        return opened

    @override
    async def logout(self, token: str) -> None:
        if customer := await self._sessions.revoke(token):
            note(self._settings, SecurityEvent.LOGOUT, customer=customer)


class SessionService(Service, SessionApi):
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
            mode=owner.mode,
            visitor=owner.visitor,
        )

    @override
    async def customer_info(self, token: str) -> UserData:
        async with self._sessions.reading(token) as (owner, session):
            return await user_data(session, owner)

    @override
    async def change_locale(self, token: str, choice: LocaleChoice) -> None:
        """Store the language of the session, and of the mails to a customer who chose it."""
        owner = await self._sessions.owner(token)
        async with self._context.database.transaction() as session:
            await self._sessions.change_locale(session, owner, choice.locale)
            queries = CustomerQueries(session, owner.customer_id)
            if owner.mode or (await queries.get()).locale == choice.locale:
                return
            await queries.change({"locale": choice.locale}, self._context.clock())
            # Open pages reload the texts about requests in the new language.
            await publish(session, owner.customer_id, Topic.REQUESTS, self._context.clock())


def _give(sent: CodeSent, response: Response, options: Settings) -> None:
    response.set_cookie(
        CHALLENGE_COOKIE,
        sent.challenge,
        max_age=max(1, round((sent.expires_at - now()).total_seconds())),
        path=PREFIX,
        secure=options.secure,
        httponly=True,
        samesite="strict",
    )


def _take_back(_session: Session, response: Response, options: Settings) -> None:
    response.delete_cookie(CHALLENGE_COOKIE, path=PREFIX, secure=options.secure, httponly=True, samesite="strict")


FINISH: Mapping[str, Callable[[Any, Response, Settings], None]] = {"request_code": _give, "authenticate": _take_back}
"""Functions that set or delete the cookie on a successful response, by the name of the operation."""
