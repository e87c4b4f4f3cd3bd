"""Login at the OpenID provider of the retailer: authorization code with PKCE (OpenID Connect Core 1.0, RFC 7636).

Nothing secret is stored: nonce and code verifier are derived from the challenge that only the browser has. The answer
is accepted once, in time, and from the browser that began the login.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import httpx
import structlog
from sqlmodel import col, delete, select, update
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend import limits, security
from portal.backend.context import Context
from portal.backend.security import certificates
from portal.contract.errors import NotFound, Unavailable
from portal.contract.session import Origin
from portal.kernel import validation
from portal.kernel.codes import Code
from portal.kernel.texts import known_locale
from portal.kernel.validation import InvalidValue
from portal.login.provider.codes import LoginLimits
from portal.setting_groups import StaffOidc
from portal.settings import Settings
from portal.staff.api.people import SignOn, SignOnEntry
from portal.staff.provider.base import all_stores
from portal.tables.exchange import ImportedRow
from portal.tables.staff import StaffRow, StaffSignOnRow, StaffStoreRow
from portal.vocabulary.staff import Role

if TYPE_CHECKING:
    from authlib.oidc.discovery import OpenIDProviderMetadata
    from joserfc.jwk import KeySet

log = structlog.get_logger(__name__)
ANSWER = "/login/answer"
"""Path on the staff site to which the OpenID provider sends the browser."""

ANSWER_TIMEOUT = timedelta(minutes=10)
"""How long somebody may take to log in at the provider."""

LEEWAY = 30
"""Seconds by which the clocks of the provider and of this server may differ."""

ALGORITHMS = frozenset({"RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "Ed25519"})
"""Signatures with a public key. A shared key or no signature is never accepted, whatever the provider says."""

_NEEDED = ("authorization_endpoint", "token_endpoint", "jwks_uri")
SECONDS = 8.0
LARGEST = 512 * 1024


class SignOnRefused(Exception):
    """The login at the OpenID provider opens no session.

    `reason`: what the security log keeps; without personal data.
    """

    def __init__(self, reason: str, code: Code = Code.SIGN_ON_FAILED) -> None:
        super().__init__(reason)
        self.reason, self.code = reason, code


class OpenIdProvider:
    def __init__(self, context: Context) -> None:
        """Read the settings; nothing is asked of the provider yet."""
        self._context = context
        self._settings = context.settings
        self._oidc = context.settings.staff_oidc
        self._limits = LoginLimits(context.settings)
        self._metadata: OpenIDProviderMetadata | None = None
        self._keys: KeySet | None = None

    @property
    def connected(self) -> bool:
        return self._oidc.issuer is not None

    async def start(self, origin: Origin) -> SignOn:
        from authlib.oauth2.rfc6749.parameters import prepare_grant_uri
        from authlib.oauth2.rfc7636 import create_s256_code_challenge

        metadata = await self._described()
        now, challenge, state = self._context.clock(), security.new_challenge(), security.new_challenge()
        async with self._context.database.transaction() as session:
            held = self._limits.of_address(origin.address)
            await limits.enforce(session, held, now, self._settings, address=origin.address)
            session.add(
                StaffSignOnRow(
                    state_hash=security.challenge_hash(state),
                    challenge_hash=security.challenge_hash(challenge),
                    created_at=now,
                    expires_at=now + ANSWER_TIMEOUT,
                )
            )
        url = prepare_grant_uri(
            metadata["authorization_endpoint"],
            client_id=self._oidc.client_id,
            response_type="code",
            redirect_uri=self._redirect_uri,
            scope=self._oidc.scopes,
            state=state,
            nonce=_derived("nonce", challenge),
            code_challenge=create_s256_code_challenge(_derived("verifier", challenge)),
            code_challenge_method="S256",
        )
        return SignOn(url=url, challenge=challenge, expires_at=now + ANSWER_TIMEOUT)

    async def finish(self, entry: SignOnEntry, origin: Origin) -> Mapping[str, Any]:
        metadata = await self._described()
        challenge = entry.challenge or origin.challenge or ""
        if not await self._used(entry.state, challenge):
            raise SignOnRefused("unknown state")
        if entry.error or not entry.code:
            raise SignOnRefused("refused by the provider")
        token = await self._exchanged(metadata, entry.code, _derived("verifier", challenge))
        return await self._claims(metadata, token, _derived("nonce", challenge))

    async def _used(self, state: str, challenge: str) -> bool:
        """Use up a login that was begun, in one statement; false if there is none for this state and browser."""
        now = self._context.clock()
        statement = (
            update(StaffSignOnRow)
            .where(
                col(StaffSignOnRow.state_hash) == security.challenge_hash(state),
                col(StaffSignOnRow.challenge_hash) == security.challenge_hash(challenge),
                col(StaffSignOnRow.used_at).is_(None),
                col(StaffSignOnRow.expires_at) > now,
            )
            .values(used_at=now)
        )
        async with self._context.database.transaction() as session:
            return (await session.exec(statement)).rowcount == 1

    @property
    def _redirect_uri(self) -> str:
        return f"{self._settings.desk_address}{ANSWER}"

    async def _described(self) -> OpenIDProviderMetadata:
        """The description of the provider, read once and checked."""
        from authlib.oidc.discovery import OpenIDProviderMetadata, get_well_known_url

        if self._oidc.issuer is None:
            raise NotFound
        if self._metadata is None:
            issuer = str(self._oidc.issuer).rstrip("/")
            metadata = OpenIDProviderMetadata(await self._asked("GET", get_well_known_url(issuer, external=True)))
            if str(metadata.get("issuer", "")).rstrip("/") != issuer:
                log.error("the OpenID provider names another issuer")
                raise Unavailable
            if missing := [name for name in _NEEDED if not _is_address(metadata.get(name), self._settings)]:
                log.error("the OpenID provider is not described well", missing=missing)
                raise Unavailable
            self._metadata = metadata
        return self._metadata

    async def _exchanged(self, metadata: Mapping[str, Any], code: str, verifier: str) -> Mapping[str, Any]:
        client_id, secret = self._oidc.client_id, self._oidc.client_secret.get_secret_value()
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": self._redirect_uri,
            "code_verifier": verifier,
        }
        headers = {}
        if "client_secret_basic" in metadata.get("token_endpoint_auth_methods_supported", ["client_secret_basic"]):
            pair = f"{quote(client_id, safe='')}:{quote(secret, safe='')}"
            headers["Authorization"] = f"Basic {base64.b64encode(pair.encode()).decode()}"
        else:
            form |= {"client_id": client_id, "client_secret": secret}
        return await self._asked("POST", metadata["token_endpoint"], form=form, headers=headers)

    async def _claims(self, metadata: Mapping[str, Any], token: Mapping[str, Any], nonce: str) -> Mapping[str, Any]:
        """The claims of the ID token, after signature, issuer, audience, time, nonce and access token were checked."""
        from authlib.oidc.core import CodeIDToken
        from joserfc import jwt
        from joserfc.errors import InvalidKeyIdError, JoseError
        from joserfc.jws import JWSRegistry

        offered = metadata.get("id_token_signing_alg_values_supported") or ["RS256"]
        registry = JWSRegistry(algorithms=sorted(ALGORITHMS.intersection(offered)), strict_check_header=False)
        options = {
            "iss": {"essential": True, "value": metadata["issuer"]},
            "aud": {"essential": True, "value": self._oidc.client_id},
        }
        parameters = {"nonce": nonce, "client_id": self._oidc.client_id, "access_token": token.get("access_token")}
        try:
            text = str(token["id_token"])
            try:
                read = jwt.decode(text, await self._key_set(metadata), registry=registry)
            except InvalidKeyIdError:
                # The provider has new keys.
                read = jwt.decode(text, await self._key_set(metadata, again=True), registry=registry)
            claims = CodeIDToken(read.claims, read.header, options, parameters)
            claims.validate(now=int(self._context.clock().timestamp()), leeway=LEEWAY)
        except (JoseError, KeyError, ValueError, TypeError) as error:
            raise SignOnRefused(f"ID token: {type(error).__name__}") from None
        return claims

    async def _key_set(self, metadata: Mapping[str, Any], *, again: bool = False) -> KeySet:
        from joserfc.jwk import KeySet

        if self._keys is None or again:
            self._keys = KeySet.import_key_set(await self._asked("GET", metadata["jwks_uri"]))
        return self._keys

    async def _asked(
        self, method: str, url: str, *, form: dict[str, str] | None = None, headers: dict[str, str] | None = None
    ) -> Any:
        try:
            async with httpx.AsyncClient(timeout=SECONDS, follow_redirects=False, verify=certificates()) as client:
                response = await client.request(
                    method, url, data=form, headers={"Accept": "application/json", **(headers or {})}
                )
            if 400 <= response.status_code < 500 and method == "POST":
                raise SignOnRefused(f"token endpoint: {response.status_code}")
            if response.status_code != 200 or len(response.content) > LARGEST:
                raise ValueError("no answer that can be used")
            answer = response.json()
            if not isinstance(answer, dict):
                raise TypeError("not an object")
        except (httpx.HTTPError, ValueError, TypeError) as error:
            log.warning("the OpenID provider does not answer", kind=type(error).__name__)
            raise Unavailable from None
        return answer


def _derived(name: str, challenge: str) -> str:
    """A value that only the challenge gives, which no one but the browser has; long enough for PKCE (RFC 7636, 4.1)."""
    return security.challenge_hash(f"{name} {challenge}")


async def person_of(session: AsyncSession, claims: Mapping[str, Any], oidc: StaffOidc, now: datetime) -> StaffRow:
    """Find the person of an ID token, and bring role and stores up to date where claims decide them.

    A person is found by the identifier at the provider (`sub`), and before the first login by a verified address.
    Where a claim gives the role, somebody new is added.
    """
    subject, email = str(claims.get("sub") or "")[:255], _email(claims, oidc)
    query = select(StaffRow).where(col(StaffRow.subject) == subject)
    person = (await session.exec(query)).first()
    if person is None and email:
        unused = select(StaffRow).where(col(StaffRow.email) == email, col(StaffRow.subject).is_(None))
        person = (await session.exec(unused)).first()
    role = _role(claims, oidc)
    if person is None and role is not None and email and not await _has_address(session, email):
        person = StaffRow(
            name=str(claims.get("name") or email)[:120],
            email=email,
            role=role,
            locale=known_locale(str(claims.get("locale") or "")[:2]),
            created_at=now,
        )
    if person is None or not subject or not person.active or (oidc.role_claim and role is None):
        raise SignOnRefused("unknown person", Code.SIGN_ON_REFUSED)
    person.subject = subject
    person.role = role or person.role
    session.add(person)
    await session.flush()
    if oidc.stores_claim:
        await set_stores(session, person.id, await _claimed_stores(session, claims.get(oidc.stores_claim)))
    return person


async def set_stores(session: AsyncSession, staff_id: int, partner_ids: set[int]) -> None:
    await session.exec(delete(StaffStoreRow).where(col(StaffStoreRow.staff_id) == staff_id))
    session.add_all(StaffStoreRow(staff_id=staff_id, partner_id=partner_id) for partner_id in sorted(partner_ids))
    await session.flush()


async def _has_address(session: AsyncSession, email: str) -> bool:
    return (await session.exec(select(StaffRow.id).where(StaffRow.email == email))).first() is not None


def _email(claims: Mapping[str, Any], oidc: StaffOidc) -> str:
    """The address of the person in the form in which they are compared; empty if it is not verified."""
    if claims.get("email_verified") is not True and not oidc.trust_email:
        return ""
    try:
        return validation.email_key(validation.email(" ".join(_values(claims.get(oidc.email_claim)))))
    except InvalidValue:
        return ""


def _role(claims: Mapping[str, Any], oidc: StaffOidc) -> Role | None:
    """The role that the claims give: of several, the one that the settings name first. None if no claim decides."""
    held = _values(claims.get(oidc.role_claim)) if oidc.role_claim else set()
    return next((role for value, role in oidc.roles.items() if value in held and role is not Role.UNKNOWN), None)


async def _claimed_stores(session: AsyncSession, claim: Any) -> set[int]:
    """The primary keys of the stores that a claim names: by name, by id, or by the id that an import gave them."""
    named = _values(claim)
    stores = {row.id: {row.public_id, row.name} for row in await all_stores(session)}
    imported = select(ImportedRow.row_id, ImportedRow.external_id).where(ImportedRow.kind == "locations")
    for row_id, external_id in await session.exec(imported):
        if row_id in stores:
            stores[row_id].add(external_id)
    return {key for key, names in stores.items() if names & named}


def _is_address(value: Any, settings: Settings) -> bool:
    """Whether the description holds an address; in production only https counts."""
    return str(value or "").startswith("https://" if settings.env == "production" else ("https://", "http://"))


def _values(claim: Any) -> set[str]:
    return {str(value) for value in claim} if isinstance(claim, list) else {str(claim)} if claim else set()
