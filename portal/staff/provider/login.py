"""Login of staff, and the session of a person."""

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession
from typing_extensions import override

from portal.backend.context import Context
from portal.backend.jobs import is_quiet
from portal.backend.security import SecurityEvent, note
from portal.backend.sessions import Sessions
from portal.backend.staff import MAX_SESSION, write_audit
from portal.contract.errors import NotFound, Refused
from portal.contract.models import mapped
from portal.contract.session import CodeDelivery, CodeEntry, CodeSent, LocaleChoice, Origin, calling_from
from portal.kernel import validation
from portal.kernel.codes import Code
from portal.kernel.texts import known_locale
from portal.login.provider.codes import CodeOwner, LoginCodes, entered, typed_email
from portal.staff.api.people import (
    LoginPerson,
    LoginWays,
    Member,
    OpenedSession,
    SignOn,
    SignOnEntry,
    StaffApi,
    StaffCodeRequest,
)
from portal.staff.provider import sign_on
from portal.staff.provider.base import StaffBase, stores_of
from portal.staff.provider.sign_on import SignOnRefused
from portal.tables.staff import StaffRow
from portal.vocabulary.audit import AuditAction
from portal.vocabulary.staff import STORE_ROLES


class StaffService(StaffBase, StaffApi):
    def __init__(self, context: Context, sessions: Sessions) -> None:
        super().__init__(context, sessions)
        self._codes = LoginCodes(context)
        self._provider = sign_on.OpenIdProvider(context)

    @override
    async def staff_login_ways(self) -> LoginWays:
        if not self._settings.demonstration or self._provider.connected:
            return LoginWays(sign_on=self._provider.connected)
        async with self._context.database.session() as session:
            active = select(StaffRow).where(col(StaffRow.active)).order_by(col(StaffRow.id))
            rows = (await session.exec(active)).all()
            stores = await stores_of(session, [row.id for row in rows])
        people = [
            mapped(
                LoginPerson,
                row,
                person_id=row.public_id,
                stores=[store.name for store in stores.get(row.id, [])],
            )
            for row in rows
        ]
        return LoginWays(sign_on=False, people=people)

    @override
    async def request_staff_code(self, request: StaffCodeRequest, origin: Origin) -> CodeSent:
        """Does the same work for unknown addresses, as for customers."""
        if self._provider.connected:
            raise NotFound
        async with self._context.database.transaction() as session:
            email = await self._chosen(session, request) or typed_email(request.email)
            matching = select(StaffRow).where(StaffRow.email == validation.email_key(email), col(StaffRow.active))
            person = (await session.exec(matching)).first()
            owner = CodeOwner(person.email, known_locale(person.locale), staff_id=person.id) if person else None
            sent = await self._codes.send(session, email, origin, owner)
        note(self._settings, SecurityEvent.CODE_SENT, staff=person.id if person else None, address=origin.address)
        return sent

    @override
    async def staff_code_delivery(self, origin: Origin) -> CodeDelivery:
        async with self._context.database.session() as session:
            return await self._codes.delivery(session, origin.challenge or "")

    async def _chosen(self, session: AsyncSession, request: StaffCodeRequest) -> str:
        if not request.person_id or not self._settings.demonstration:
            return ""
        chosen = select(StaffRow.email).where(StaffRow.public_id == request.person_id)
        if (email := (await session.exec(chosen)).first()) is None:
            raise NotFound
        return email

    @override
    async def open_staff_session(self, entry: CodeEntry, origin: Origin) -> OpenedSession:
        if self._provider.connected:
            raise NotFound
        challenge, code = entered(entry, origin)
        opened: OpenedSession | None = None
        async with self._context.database.transaction() as session:
            compared = await self._codes.compare(session, challenge, code)
            staff_id = compared.row.staff_id if compared.row else None
            person = await session.get(StaffRow, staff_id) if staff_id else None
            if compared.row and not compared.refusal and person is not None and person.active:
                compared.row.used_at = self._context.clock()
                opened = await self._open(session, person, origin)
        if opened is None:
            refusal = compared.refusal or Code.INVALID_CODE
            self._failed(origin, refusal, staff_id)
            raise Refused(refusal)
        note(self._settings, SecurityEvent.STAFF_LOGIN, staff=staff_id, address=origin.address)
        return opened

    @override
    async def start_sign_on(self, origin: Origin) -> SignOn:
        return await self._provider.start(origin)

    @override
    async def finish_sign_on(self, entry: SignOnEntry, origin: Origin) -> OpenedSession:
        try:
            claims = await self._provider.finish(entry, origin)
            async with self._context.database.transaction() as session:
                person = await sign_on.person_of(session, claims, self._settings.staff_oidc, self._context.clock())
                opened = await self._open(session, person, origin)
        except SignOnRefused as refusal:
            self._failed(origin, refusal.reason, None)
            raise Refused(refusal.code) from None
        note(self._settings, SecurityEvent.STAFF_LOGIN, staff=person.id, address=origin.address)
        return opened

    async def _open(self, session: AsyncSession, person: StaffRow, origin: Origin) -> OpenedSession:
        now = self._context.clock()
        token = await self._staff.open(session, person.id)
        calling = calling_from.set(origin.address)
        try:
            await write_audit(session, person, AuditAction.OPEN_STAFF_SESSION, moment=now)
        finally:
            calling_from.reset(calling)
        return OpenedSession(token=token, expires_at=now + MAX_SESSION)

    def _failed(self, origin: Origin, why: str, staff_id: int | None) -> None:
        note(self._settings, SecurityEvent.STAFF_LOGIN_FAILED, staff=staff_id, address=origin.address, why=why)

    @override
    async def member(self, token: str) -> Member:
        async with self._staff.reading(token, StaffApi.member) as (member, session):
            stores, quiet = await stores_of(session, [member.id]), await is_quiet(session)
        used = await self._staff.used(token, member)
        return mapped(
            Member,
            used,
            person_id=used.public_id,
            rights=sorted(used.rights),
            stores=stores.get(used.id, []) if used.role in STORE_ROLES else [],
            quiet=quiet,
        )

    @override
    async def end_staff_session(self, token: str) -> None:
        async with self._staff.reading(token, StaffApi.end_staff_session) as (member, _):
            pass
        await self._staff.revoke(token)
        note(self._settings, SecurityEvent.LOGOUT, staff=member.id)

    @override
    async def change_staff_locale(self, token: str, choice: LocaleChoice) -> None:
        async with self._staff.changing(token, StaffApi.change_staff_locale) as (member, session):
            await self._staff.change_locale(session, token, choice.locale)
            (await session.get_one(StaffRow, member.id)).locale = choice.locale
