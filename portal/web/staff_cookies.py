"""Cookies of the staff site: its session and the challenges of its logins. The host is not that of the customers.

They are `Lax`, not `Strict`: a link in a mail to staff, and the way back from the OpenID provider, come from elsewhere.
What changes something is refused unless it comes from a page of the site (`portal.web.forms.guarded`).
"""

from starlette.requests import HTTPConnection, Request
from starlette.responses import Response

from portal.contract.session import calling_from
from portal.web.cookies import cookie_header, own_name, read_cookie, set_cookie
from portal.web.forms import network_address

_PLAIN_NAME = "staff"
SESSION_HOURS = 12
"""A working day; the provider may end the session earlier."""

SIGN_ON_SECONDS = 15 * 60


def staff_token(header: str) -> str:
    """The session token of a member of staff in a Cookie header, unchecked; empty when there is none."""
    return read_cookie(header, own_name(_PLAIN_NAME))


def read_staff(connection: HTTPConnection) -> str:
    """The session token of a request, unchecked; empty when there is none."""
    return staff_token(cookie_header(connection))


def caller_token(request: Request) -> str:
    """The session token of a member of staff who calls something over HTTP, unchecked; empty when there is none.

    From then on the audit of this request names the address that it came from.
    """
    calling_from.set(network_address(request))
    return read_staff(request)


def set_staff(response: Response, token: str) -> None:
    set_cookie(response, own_name(_PLAIN_NAME), token, SESSION_HOURS * 3600)


def clear_staff(response: Response) -> None:
    set_cookie(response, own_name(_PLAIN_NAME), "", 0)


def read_sign_on(connection: HTTPConnection) -> str:
    """The challenge of the login that this browser began at the OpenID provider; empty when there is none."""
    return read_cookie(cookie_header(connection), own_name("sign-on"))


def set_sign_on(response: Response, challenge: str) -> None:
    set_cookie(response, own_name("sign-on"), challenge, SIGN_ON_SECONDS)


def clear_sign_on(response: Response) -> None:
    set_cookie(response, own_name("sign-on"), "", 0)
