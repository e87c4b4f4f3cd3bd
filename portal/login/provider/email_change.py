"""Change of the e-mail address: a code sent to the old address confirms it, and both addresses get a mail."""

from __future__ import annotations

from sqlmodel.ext.asyncio.session import AsyncSession
from typing_extensions import override

from portal.backend import limits
from portal.backend.confirmation_codes import ConfirmationCodes, typed_code
from portal.backend.mail import Template
from portal.backend.reader import shown_email
from portal.backend.security import SecurityEvent, note
from portal.backend.sessions import Owner
from portal.contract.errors import InvalidInput, Refused, TooMany
from portal.contract.session import UserData
from portal.kernel import validation
from portal.kernel.codes import Code
from portal.kernel.validation import InvalidValue
from portal.login.api import EmailChange, EmailChangeCode, EmailChangeSent
from portal.login.provider import queries
from portal.login.provider.limits import LoginBase
from portal.login.provider.queries import CustomerQueries, user_data
from portal.tables.customers import EmailChangeRow


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
