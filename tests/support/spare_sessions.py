"""Sessions that tests share. Each is used by one visitor at a time."""

from __future__ import annotations

import jwt
from playwright.sync_api import BrowserContext

from tests.support.server import PortalServer
from tests.support.stored import execute

# As after a login: used at this moment, and its customer gets mails in the language of the browser.
_RENEW = """UPDATE sessions SET last_used_at = strftime('%Y-%m-%d %H:%M:%f000', 'now')
            WHERE jti = ? AND revoked_at IS NULL RETURNING customer_id"""


def session_of(server: PortalServer, context: BrowserContext) -> str:
    """The token of the session in a browser window."""
    cookies = context.cookies(server.base_url)
    return next(cookie.get("value", "") for cookie in cookies if cookie.get("name") == "session")


def take_over(server: PortalServer, spare: list[str], language: str, context: BrowserContext) -> bool:
    """Give a browser window a session that is still alive, as good as new; whether there was one."""
    while spare:
        token = spare.pop()
        claims = jwt.decode(token, options={"verify_signature": False})
        for (customer,) in execute(server, _RENEW, claims["jti"]):
            execute(server, "UPDATE customers SET locale = ? WHERE id = ?", language, customer)
            address = server.base_url
            context.add_cookies(
                [{"name": "session", "value": token, "httpOnly": True, "sameSite": "Lax", "url": address}]
            )
            return True
    return False
