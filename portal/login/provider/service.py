"""Login by code, logout, the session of a customer, and a change of the e-mail address (part-1 §7 calls 1 and 2)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NoReturn

from sqlmodel.ext.asyncio.session import AsyncSession
from starlette.responses import Response
from typing_extensions import override

from portal.backend import limits, security
from portal.backend.confirmation_codes import ConfirmationCodes, typed_code
from portal.backend.context import Context
from portal.backend.live import publish
from portal.backend.mail import Template
from portal.backend.security import SecurityEvent, note, shown_email
from portal.backend.sessions import Owner, Service, Sessions, Visit
from portal.contract.common_api import SessionApi
from portal.contract.errors import InvalidInput, Refused, TooMany
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
from portal.kernel.validation import InvalidValue
from portal.login.api import EmailChange, EmailChangeCode, EmailChangeSent, VisitLink
from portal.login.provider import queries
from portal.login.provider.codes import CodeOwner, LoginBase, LoginCodes, entered, wanted
from portal.login.provider.passwords import PasswordService
from portal.login.provider.queries import CustomerQueries, user_data
from portal.settings import Settings
from portal.tables.customers import EmailChangeRow
from portal.vocabulary.actions import Topic


class EmailChangeService(LoginBase):
    """Operations that request and confirm a new e-mail address."""

    @override
    async def request_email_change(self, token: str, change: EmailChange) -> EmailChangeSent:
        owner = await self._sessions.owner(token)
        try:
            email = validation.email(change.email)
        except InvalidValue as error:
            code = Code.REQUIRED if error.code is Code.REQUIRED else Code.INVALID_EMAIL
            raise InvalidInput(code, fields={"email": code}) from None
        now, held = self._context.clock(), self._limits.of_email_change(owner.customer_id)
        async with self._context.database.transaction() as session:
            customer = await CustomerQueries(session, owner.customer_id).get()
            if validation.email_key(email) == customer.email_key:
                raise InvalidInput(Code.SAME_EMAIL, fields={"email": Code.SAME_EMAIL})
            if retry_at := await limits.take(session, held, now):
                note(self._settings, SecurityEvent.LIMIT_REACHED, customer=owner.customer_id)
                raise TooMany(Code.TOO_MANY_REQUESTS, retry_at=retry_at)
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
                for recipient in (old, found.email):
                    await self._notify(session, owner, recipient, found.email)
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

    async def _notify(self, session: AsyncSession, owner: Owner, recipient: str, new_email: str) -> None:
        await self._outbox.post(
            session,
            Template.EMAIL_CHANGED,
            recipient=recipient,
            locale=owner.locale,
            customer_id=owner.customer_id,
            details={"new_email": new_email},
        )


class LoginService(EmailChangeService, PasswordService):
    """All operations of `LoginApi`; this class adds codes and logout."""

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
            refusal = None
            if number is None:
                account = await queries.by_address(session, self._settings, email_key)
            else:
                account = await queries.by_pair(session, self._settings, number, email_key)
                refusal = self._refusal(account)
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
            if retry_at := await limits.take(session, self._limits.of_address(origin.address), now):
                note(self._settings, SecurityEvent.LIMIT_REACHED, address=origin.address)
                raise TooMany(Code.TOO_MANY_REQUESTS, retry_at=retry_at)
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
            mode=owner.mode,
            visitor=owner.visitor,
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
            queries = CustomerQueries(session, owner.customer_id)
            if (await queries.get()).locale == choice.locale:
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
