"""Who asks, and from where."""

from __future__ import annotations

import ipaddress
import re
import secrets
from typing import Annotated, cast

from fastapi import Depends, Path, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from portal.contract.base import Locale
from portal.contract.errors import NotAuthenticated
from portal.contract.http import (
    ADDRESS_HEADER,
    CHALLENGE_COOKIE,
    KEY_HEADER,
    REFERENCE_FORM,
    TOKEN_FORM,
)
from portal.contract.registry import Provider
from portal.contract.session import Origin
from portal.domain.codes import Code
from portal.settings import Settings

_bearer = HTTPBearer(
    auto_error=False, scheme_name="session", description="The `jwt` of `POST /authenticate`.", bearerFormat="JWT"
)
_LONGEST_CHALLENGE = 200


async def _provider(request: Request) -> Provider:
    return request.app.state.provider()


async def _settings(request: Request) -> Settings:
    return cast(Settings, request.app.state.settings)


async def _token(credentials: Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)]) -> str:
    """The bearer token; whether it is any good is for the provider to say."""
    if credentials is None or not re.fullmatch(TOKEN_FORM, credentials.credentials):
        raise NotAuthenticated(Code.SESSION_ENDED)
    return credentials.credentials


Services = Annotated[Provider, Depends(_provider)]
Options = Annotated[Settings, Depends(_settings)]
Token = Annotated[str, Depends(_token)]
# Described, not enforced: what names nothing is 'not found', and only for somebody with a session.
Reference = Annotated[str, Path(json_schema_extra={"pattern": f"^{REFERENCE_FORM}$"})]


async def origin(request: Request, options: Options) -> Origin:
    """Where a login call comes from."""
    return Origin(address=client_address(request, options), locale=language(request), challenge=challenge(request))


FromWhere = Annotated[Origin, Depends(origin)]


def client_address(request: Request, options: Settings) -> str:
    """The network address that limits count by.

    A forwarded address is believed from the portal, which shows the shared key, and from the proxies in front, as
    many as are set; anybody else could claim any address.
    """
    peer = request.client.host if request.client else ""
    forwarded = [part.strip() for part in request.headers.get(ADDRESS_HEADER, "").split(",")]
    key = options.api_key.get_secret_value().encode()
    shown = request.headers.get(KEY_HEADER, "").encode("utf-8", "replace")
    if key and secrets.compare_digest(key, shown):
        return _address(forwarded[-1]) or peer
    hops = options.trusted_proxy_hops
    if hops and len(forwarded) >= hops:
        return _address(forwarded[-hops]) or peer
    return peer


def _address(text: str) -> str:
    try:
        return str(ipaddress.ip_address(text))
    except ValueError:
        return ""


def language(request: Request) -> Locale:
    """The language for mails: English when that is asked for before Dutch, else Dutch."""
    accepted = re.findall(r"\b(nl|en)\b", request.headers.get("accept-language", "").lower())
    return "en" if accepted[:1] == ["en"] else "nl"


def challenge(request: Request) -> str | None:
    """The challenge that this browser holds."""
    value = request.cookies.get(CHALLENGE_COOKIE, "")
    return value if 0 < len(value) <= _LONGEST_CHALLENGE else None
