"""Passkeys: added by a customer who is logged in, used to log in, and removed; and the messages of WebAuthn.

The device has to verify the person (PIN, fingerprint or face) and to keep the passkey itself, so that nobody has to
type a name. The model of the device does not matter, so no proof of it is asked for (attestation).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlmodel import col, delete, or_, select, update
from sqlmodel.ext.asyncio.session import AsyncSession
from typing_extensions import override

from portal.backend import limits, security
from portal.backend.context import Context
from portal.backend.mail import Template
from portal.backend.outbox import Outbox
from portal.backend.security import SecurityEvent, note
from portal.backend.sessions import Owner, Service, Sessions
from portal.contract.errors import NotFound, Refused
from portal.contract.session import Origin, Session
from portal.kernel.codes import Code
from portal.login.api import NewPasskey, Passkey, PasskeyAnswer, PasskeyOptions, PasskeyPage, Passkeys, PasskeysApi
from portal.login.provider import queries
from portal.login.provider.codes import LoginLimits
from portal.login.provider.queries import CustomerQueries
from portal.tables.columns import insert_into
from portal.tables.customers import CustomerRow, PasskeyChallengeRow, PasskeyRow

CHALLENGE = timedelta(minutes=5)
MAX_PASSKEYS = 20
"""Most passkeys of one customer."""


class PasskeyService(Service, PasskeysApi):
    def __init__(self, context: Context, sessions: Sessions) -> None:
        super().__init__(context, sessions)
        self._outbox = Outbox(context)
        self._limits = LoginLimits(context.settings)

    @override
    async def begin_passkey_login(self, page: PasskeyPage, origin: Origin) -> PasskeyOptions:
        host = self._host(page)
        async with self._context.database.transaction() as session:
            held = self._limits.of_passkey_challenge(origin.address)
            await limits.enforce(session, held, self._context.clock(), self._settings, address=origin.address)
            challenge = self._challenge(session)
        return self._asking(to_log_in(host, challenge, CHALLENGE.total_seconds()), challenge)

    @override
    async def log_in_with_passkey(self, answer: PasskeyAnswer, origin: Origin) -> Session:
        """Uses the challenge up before anything is compared, so that an answer counts once, right or wrong."""
        host, now = self._host(answer), self._context.clock()
        opened: Session | None = None
        customer: int | None = None
        why = Code.PASSKEY_EXPIRED
        async with self._context.database.transaction() as session:
            held = self._limits.of_passkey(origin.address)
            await limits.enforce(session, held, now, self._settings, address=origin.address)
            if await use_challenge(session, answer.challenge, "", now):
                why = Code.INVALID_PASSKEY
                passkey = await find_passkey(session, host, _key_id(answer))
                customer = passkey.customer_id if passkey else None
                account = await queries.by_customer(session, self._settings, customer) if customer else None
                if passkey and account:
                    public_id = await queries.public_id(session, account.customer_id)
                    count = signed(answer, passkey, public_id)
                    if count is not None and await note_use(session, passkey.id, count, now):
                        opened = await self._sessions.open(
                            session, account.customer_id, public_id, account.order_number
                        )
        if opened is None:
            note(self._settings, SecurityEvent.LOGIN_FAILED, customer=customer, address=origin.address, why=why)
            raise Refused(why)
        note(self._settings, SecurityEvent.LOGIN, customer=customer, address=origin.address)
        return opened

    @override
    async def passkeys(self, token: str) -> Passkeys:
        async with self._sessions.reading(token) as (owner, session):
            return await self._all(session, owner)

    @override
    async def begin_passkey(self, token: str, page: PasskeyPage) -> PasskeyOptions:
        owner = await self._sessions.owner(token)
        host = self._host(page)
        async with self._context.database.transaction() as session:
            held = self._limits.of_new_passkey(owner.customer_id)
            await limits.enforce(session, held, self._context.clock(), self._settings, customer=owner.customer_id)
            known = await passkeys_of(session, owner.customer_id)
            if len(known) >= MAX_PASSKEYS:
                raise Refused(Code.TOO_MANY_PASSKEYS)
            customer = await CustomerQueries(session, owner.customer_id).get()
            challenge = self._challenge(session, owner)
            options = to_make(host, self._settings.brand.name, customer, challenge, known, CHALLENGE.total_seconds())
        return self._asking(options, challenge)

    @override
    async def add_passkey(self, token: str, passkey: NewPasskey) -> Passkeys:
        """The challenge is that of this session, and is used up right or wrong."""
        owner = await self._sessions.owner(token)
        host, now = self._host(passkey), self._context.clock()
        answer: Passkeys | None = None
        why = Code.PASSKEY_EXPIRED
        async with self._context.database.transaction() as session:
            if await use_challenge(session, passkey.challenge, owner.jti, now):
                why = Code.INVALID_PASSKEY
                if verified := made(passkey, host):
                    why = Code.PASSKEY_EXISTS
                    device = device_name(verified.aaguid, passkey.user_agent)
                    if await insert_passkey(session, self._row(owner, host, verified, device)):
                        await self._tell(session, owner, Template.PASSKEY_ADDED, device)
                        answer = await self._all(session, owner)
        if answer is None:
            note(self._settings, SecurityEvent.PASSKEY_REFUSED, customer=owner.customer_id, why=why)
            raise Refused(why)
        note(self._settings, SecurityEvent.PASSKEY_ADDED, customer=owner.customer_id)
        return answer

    @override
    async def remove_passkey(self, token: str, passkey_id: str) -> Passkeys:
        owner = await self._sessions.owner(token)
        async with self._context.database.transaction() as session:
            device = await delete_passkey(session, owner.customer_id, passkey_id)
            if device is None:
                raise NotFound
            await self._tell(session, owner, Template.PASSKEY_REMOVED, device)
            answer = await self._all(session, owner)
        note(self._settings, SecurityEvent.PASSKEY_REMOVED, customer=owner.customer_id)
        return answer

    @override
    async def decline_passkeys(self, token: str) -> None:
        owner = await self._sessions.owner(token)
        now = self._context.clock()
        async with self._context.database.transaction() as session:
            await CustomerQueries(session, owner.customer_id).change({"passkeys_declined_at": now}, now)

    def _host(self, page: PasskeyPage) -> str:
        host = self._settings.passkey_host(page.origin)
        if not host:
            raise NotFound
        return host

    def _challenge(self, session: AsyncSession, owner: Owner | None = None) -> str:
        challenge, now = security.new_challenge(), self._context.clock()
        session.add(
            PasskeyChallengeRow(
                challenge_hash=security.challenge_hash(challenge),
                customer_id=owner.customer_id if owner else None,
                jti=owner.jti if owner else "",
                created_at=now,
                expires_at=now + CHALLENGE,
            )
        )
        return challenge

    def _asking(self, options: dict[str, object], challenge: str) -> PasskeyOptions:
        return PasskeyOptions(options=options, challenge=challenge, expires_at=self._context.clock() + CHALLENGE)

    def _row(self, owner: Owner, host: str, verified: Verified, device: str) -> PasskeyRow:
        return PasskeyRow(
            customer_id=owner.customer_id,
            rp_id=host,
            credential_id=verified.credential_id,
            public_key=verified.public_key,
            sign_count=verified.sign_count,
            transports=verified.transports,
            device=device,
            created_at=self._context.clock(),
        )

    async def _all(self, session: AsyncSession, owner: Owner) -> Passkeys:
        rows = await passkeys_of(session, owner.customer_id)
        customer: CustomerRow = await CustomerQueries(session, owner.customer_id).get()
        return Passkeys(
            passkeys=[
                Passkey(
                    passkey_id=row.public_id,
                    device=row.device,
                    created_at=row.created_at,
                    last_used_at=row.last_used_at,
                )
                for row in rows
            ],
            offered=not rows and customer.passkeys_declined_at is None,
        )

    async def _tell(self, session: AsyncSession, owner: Owner, template: Template, device: str) -> None:
        await self._outbox.post(
            session,
            template,
            recipient=owner.email,
            locale=owner.locale,
            customer_id=owner.customer_id,
            details={"device": device},
        )


def _key_id(answer: PasskeyAnswer) -> str:
    found = answer.credential.get("id")
    return found if isinstance(found, str) else ""


async def use_challenge(session: AsyncSession, challenge: str, jti: str, now: datetime) -> bool:
    """Use up a challenge in one statement; whether it was valid."""
    statement = (
        update(PasskeyChallengeRow)
        .where(
            col(PasskeyChallengeRow.challenge_hash) == security.challenge_hash(challenge),
            col(PasskeyChallengeRow.jti) == jti,
            col(PasskeyChallengeRow.used_at).is_(None),
            col(PasskeyChallengeRow.expires_at) > now,
        )
        .values(used_at=now)
    )
    return (await session.exec(statement)).rowcount == 1


async def passkeys_of(session: AsyncSession, customer_id: int) -> list[PasskeyRow]:
    query = select(PasskeyRow).where(PasskeyRow.customer_id == customer_id)
    return list(await session.exec(query.order_by(col(PasskeyRow.created_at).desc(), col(PasskeyRow.id).desc())))


async def find_passkey(session: AsyncSession, host: str, credential_id: str) -> PasskeyRow | None:
    query = select(PasskeyRow).where(PasskeyRow.credential_id == credential_id, PasskeyRow.rp_id == host)
    return (await session.exec(query)).one_or_none()


async def insert_passkey(session: AsyncSession, row: PasskeyRow) -> bool:
    """Insert a passkey; false if its credential id is known already."""
    values = row.model_dump(exclude={"id"})
    inserted = insert_into(session.get_bind(), PasskeyRow).values(**values)
    statement = inserted.on_conflict_do_nothing(index_elements=["credential_id"])
    return (await session.exec(statement.returning(col(PasskeyRow.id)))).first() is not None


async def note_use(session: AsyncSession, passkey_id: int | None, sign_count: int, now: datetime) -> bool:
    """Note a use in one statement; false if the passkey is gone or its counter went further in the meantime."""
    statement = (
        update(PasskeyRow)
        .where(
            col(PasskeyRow.id) == passkey_id,
            or_(col(PasskeyRow.sign_count) < sign_count, col(PasskeyRow.sign_count) == 0),
        )
        .values(sign_count=sign_count, last_used_at=now)
    )
    return (await session.exec(statement)).rowcount == 1


async def delete_passkey(session: AsyncSession, customer_id: int, passkey_id: str) -> str | None:
    """Delete a passkey of a customer; its device name, or None if it is not there."""
    statement = (
        delete(PasskeyRow)
        .where(col(PasskeyRow.customer_id) == customer_id, col(PasskeyRow.public_id) == passkey_id)
        .returning(col(PasskeyRow.device))
    )
    return (await session.exec(statement)).scalars().first()


_MAX_ID = 1023
"""Most bytes of a credential id (WebAuthn, section 5.8.3)."""
_MAX_KEY = 1500
"""Most bytes of a public key; one of RSA with 8192 bits has 1040."""


@dataclass(frozen=True, slots=True)
class Verified:
    """A new passkey whose device answered right. Texts are in base64url; `aaguid` is the model of the device."""

    credential_id: str
    public_key: str
    sign_count: int
    aaguid: str
    transports: list[str]


def to_make(
    host: str, brand: str, customer: CustomerRow, challenge: str, known: Sequence[PasskeyRow], seconds: float
) -> dict[str, object]:
    import webauthn
    from webauthn.helpers.structs import (
        AuthenticatorSelectionCriteria,
        AuthenticatorTransport,
        PublicKeyCredentialDescriptor,
        ResidentKeyRequirement,
        UserVerificationRequirement,
    )

    options = webauthn.generate_registration_options(
        rp_id=host,
        rp_name=brand,
        user_id=customer.public_id.encode(),
        user_name=customer.email,
        user_display_name=customer.full_name,
        challenge=webauthn.base64url_to_bytes(challenge),
        timeout=round(seconds * 1000),
        authenticator_selection=AuthenticatorSelectionCriteria(
            resident_key=ResidentKeyRequirement.REQUIRED, user_verification=UserVerificationRequirement.REQUIRED
        ),
        exclude_credentials=[
            PublicKeyCredentialDescriptor(
                id=webauthn.base64url_to_bytes(row.credential_id),
                transports=[AuthenticatorTransport(transport) for transport in row.transports],
            )
            for row in known
            if row.rp_id == host
        ],
    )
    return json.loads(webauthn.options_to_json(options))


def to_log_in(host: str, challenge: str, seconds: float) -> dict[str, object]:
    import webauthn
    from webauthn.helpers.structs import UserVerificationRequirement

    options = webauthn.generate_authentication_options(
        rp_id=host,
        challenge=webauthn.base64url_to_bytes(challenge),
        timeout=round(seconds * 1000),
        user_verification=UserVerificationRequirement.REQUIRED,
    )
    return json.loads(webauthn.options_to_json(options))


def made(passkey: NewPasskey, host: str) -> Verified | None:
    """The passkey that a device made; None if the answer is wrong."""
    import webauthn
    from webauthn.helpers import bytes_to_base64url, parse_registration_credential_json
    from webauthn.helpers.exceptions import WebAuthnException

    try:
        credential = parse_registration_credential_json(passkey.credential)
        found = webauthn.verify_registration_response(
            credential=credential,
            expected_challenge=webauthn.base64url_to_bytes(passkey.challenge),
            expected_rp_id=host,
            expected_origin=passkey.origin,
            require_user_verification=True,
        )
    except (WebAuthnException, ValueError, TypeError, LookupError):
        return None
    if len(found.credential_id) > _MAX_ID or len(found.credential_public_key) > _MAX_KEY:
        return None
    return Verified(
        credential_id=bytes_to_base64url(found.credential_id),
        public_key=bytes_to_base64url(found.credential_public_key),
        sign_count=found.sign_count,
        aaguid=found.aaguid,
        transports=[transport.value for transport in credential.response.transports or ()],
    )


def signed(answer: PasskeyAnswer, passkey: PasskeyRow, public_id: str) -> int | None:
    """The counter of a device that signed the challenge with this passkey; None if the answer is wrong.

    The counter is 0 for devices that do not count. One that does not go up is wrong: the passkey was copied.
    """
    import webauthn
    from webauthn.helpers import parse_authentication_credential_json
    from webauthn.helpers.exceptions import WebAuthnException

    try:
        credential = parse_authentication_credential_json(answer.credential)
        found = webauthn.verify_authentication_response(
            credential=credential,
            expected_challenge=webauthn.base64url_to_bytes(answer.challenge),
            expected_rp_id=passkey.rp_id,
            expected_origin=answer.origin,
            credential_public_key=webauthn.base64url_to_bytes(passkey.public_key),
            credential_current_sign_count=passkey.sign_count,
            require_user_verification=True,
        )
    except (WebAuthnException, ValueError, TypeError, LookupError):
        return None
    return found.new_sign_count if credential.response.user_handle == public_id.encode() else None


_MANAGERS: Mapping[str, str] = {
    "08987058-cadc-4b81-b6e1-30de50dcbe96": "Windows Hello",
    "0ea242b4-43c4-4a1b-8b17-dd6d0b6baec6": "Keeper",
    "50726f74-6f6e-5061-7373-50726f746f6e": "Proton Pass",
    "531126d6-e717-415c-9320-3d9aa6981239": "Dashlane",
    "53414d53-554e-4700-0000-000000000000": "Samsung Pass",
    "6028b017-b1d4-4c02-b4b3-afcdafc96bb2": "Windows Hello",
    "771b48fd-d3d4-4f74-9232-fc157ab0507a": "Edge (Mac)",
    "9ddd1817-af5a-4672-a2b9-3e3dd95000a9": "Windows Hello",
    "adce0002-35bc-c60a-648b-0b25f1f05503": "Chrome (Mac)",
    "b78a0a55-6ef8-d246-a042-ba0f6d55050c": "LastPass",
    "b84e4048-15dc-4dd0-8640-f4f60813c8af": "NordPass",
    "bada5566-a7aa-401f-bd96-45619a55120d": "1Password",
    "d3452668-01fd-4c12-926c-83a4204853aa": "Microsoft Password Manager",
    "d548826e-79b4-db40-a3d8-11116f7e8349": "Bitwarden",
    "dd4ec289-e01d-41c9-bb89-70fa845d4bf2": "iCloud",
    "ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4": "Google Password Manager",
    "f3809540-7f14-49c1-a8b3-8f813b225541": "Enpass",
    "fbfc3007-154e-4ecc-8c0b-6e020557d7bd": "Apple Passwords",
    "fdb141b2-5d84-443e-8a35-4698c205a502": "KeePassXC",
}
"""By AAGUID, the model of an authenticator (passkeydeveloper/passkey-authenticator-aaguids). For names only."""

_SYSTEMS = ("iPhone", "iPad", "Android", "Windows", "CrOS", "Mac", "Linux")
"""System names in user agents, most specific first (Android also names Linux)."""

_CALLED = {"CrOS": "Chromebook"}


def device_name(aaguid: str, user_agent: str) -> str:
    """The name of a device or password manager, the same in both languages; empty if nothing is known."""
    if aaguid in _MANAGERS:
        return _MANAGERS[aaguid]
    system = next((system for system in _SYSTEMS if system in user_agent), "")
    return _CALLED.get(system, system)
