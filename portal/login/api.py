"""Codes, passwords and changes of the e-mail address: the models that travel, and the operations (part-1 §5, §7)."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, NoReturn, Protocol

from pydantic import Field

from portal.contract.errors import InvalidInput, NotAuthenticated, NotFound, Refused, TooMany
from portal.contract.models import Model, otherwise
from portal.contract.operations import DeclaredRefusal, Token, operation
from portal.contract.session import CodeEntry, CodeRequest, CodeSent, LeaseRequest, Origin, Session, UserData
from portal.kernel.codes import Code
from portal.vocabulary.links import LinkState


class PasswordResetRequest(Model):
    """Ask for the mail with the link: the same pair as for a login code, raw; or the address alone."""

    email: str = Field(max_length=1000)
    order_number: str | None = Field(default=None, max_length=1000)


class PasswordResetSent(Model):
    """The same whether somebody has this address or not. `email` masked; times in UTC."""

    email: str
    expires_at: datetime
    resend_at: datetime


class PasswordLink(Model):
    """The end of the link that was opened, raw."""

    hash: str = Field(default="", max_length=1000)


class PasswordLinkView(Model):
    """What a link is good for. `email` masked, empty for an invalid one."""

    state: Annotated[LinkState, otherwise(LinkState, LinkState.INVALID)]
    email: str = ""


class NewPassword(Model):
    """The new password, twice, and the end of the link."""

    hash: str = Field(default="", max_length=1000)
    password: str = Field(default="", max_length=1000, repr=False)
    repeat: str = Field(default="", max_length=1000, repr=False)


class PasswordEntry(Model):
    """Log in by password instead of a code: the pair, and the password."""

    email: str = Field(max_length=1000)
    order_number: str | None = Field(default=None, max_length=1000)
    password: str = Field(default="", max_length=1000, repr=False)


class EmailChange(Model):
    """The address the customer wants to use from now on."""

    email: str = Field(max_length=1000)


class EmailChangeCode(Model):
    """The code that was sent to the old address."""

    code: str = Field(max_length=1000)


class EmailChangeSent(Model):
    """A code went to the old address (masked). Times in UTC."""

    email: str
    expires_at: datetime
    resend_at: datetime


_PAIR = DeclaredRefusal(InvalidInput, Code.INVALID_EMAIL, Code.INVALID_ORDER_ID, Code.REQUIRED)
"""An order number and an e-mail address are not well formed; `fields` says which."""

_NOT_HERE = DeclaredRefusal(Refused, Code.LEASE_ORDER_NOT_ALLOWED, Code.OTHER_COUNTRY)
"""The pair is right, and its order is one of lease or of another country; `url` says where to go."""

_CODE = (
    DeclaredRefusal(InvalidInput, Code.REQUIRED),
    DeclaredRefusal(Refused, Code.INVALID_CODE, Code.CODE_EXPIRED, Code.CODE_USED_UP, Code.NO_CHALLENGE),
)

_LIMIT = DeclaredRefusal(TooMany, Code.TOO_MANY_REQUESTS)

_NOT_OFFERED = DeclaredRefusal(NotFound)
"""Without `PORTAL_PASSWORDS` there are no passwords."""


class LoginApi(Protocol):
    """From a code or a password to a session, and to its end."""

    @operation(
        "POST",
        "/request-authenticate",
        identifier="request_authenticate",
        refuses=(_PAIR, DeclaredRefusal(Refused, Code.INVALID_CREDENTIALS), _NOT_HERE, _LIMIT),
    )
    async def request_code(self, request: CodeRequest, origin: Origin) -> CodeSent:
        """Mail a login code.

        The documented call sends `email` alone; `order_number` beside it names the order to log in with. The challenge
        comes back as an HttpOnly cookie and as `data.challenge`; the code opens a session only together with it.

        With `lease` instead, a lease reference or a frame number, the answer is always a refusal:
        `lease_order_not_allowed` with the address of the lease portal in `details.url`, or `not_lease_order`.

        `Accept-Language` chooses the language of the mail.
        """
        ...

    @operation(
        "POST",
        "/request-authenticate",
        refuses=(
            DeclaredRefusal(InvalidInput, Code.INVALID_FRAME_NUMBER, Code.REQUIRED),
            DeclaredRefusal(Refused, Code.LEASE_ORDER_NOT_ALLOWED, Code.NOT_LEASE_ORDER),
            _LIMIT,
        ),
    )
    async def request_lease(self, request: LeaseRequest, origin: Origin) -> NoReturn:
        """Say where a lease customer goes: always refused.

        Only an order known to be none of lease is `not_lease_order`; `url` is the address of the lease portal.
        """
        ...

    @operation("POST", "/authenticate", refuses=(*_CODE, _LIMIT))
    async def authenticate(self, entry: CodeEntry, origin: Origin) -> Session:
        """Open a session with the mailed code.

        `token` is the code. The challenge is read from the key `challenge`, else from the cookie; a code without
        either is refused with `no_challenge`.
        """
        ...

    @operation("POST", "/logout", silent=(NotAuthenticated,))
    async def logout(self, token: Token) -> None:
        """End the session.

        Also answers with success when the session has ended already.
        """
        ...

    @operation(
        "POST",
        "/customer/email",
        refuses=(DeclaredRefusal(InvalidInput, Code.INVALID_EMAIL, Code.SAME_EMAIL, Code.REQUIRED), _LIMIT),
    )
    async def request_email_change(self, token: Token, change: EmailChange) -> EmailChangeSent:
        """Mail a code to the present address, to change it.

        The new address, the field `email`, is kept aside with this session.
        """
        ...

    @operation("POST", "/customer/email/confirm", refuses=(*_CODE, _LIMIT))
    async def confirm_email_change(self, token: Token, entry: EmailChangeCode) -> UserData:
        """Take the new e-mail address into use.

        Both addresses are told. Other sessions and codes of the customer end.
        """
        ...

    @operation(
        "POST",
        "/password/request",
        refuses=(_PAIR, DeclaredRefusal(Refused, Code.INVALID_CREDENTIALS), _NOT_HERE, _LIMIT, _NOT_OFFERED),
    )
    async def request_password_reset(self, request: PasswordResetRequest, origin: Origin) -> PasswordResetSent:
        """Mail a link to set a password.

        Refused as a login code is, and under the same limits.
        """
        ...

    @operation("POST", "/password/look", refuses=(_NOT_OFFERED,))
    async def password_link(self, entry: PasswordLink) -> PasswordLinkView:
        """What a link is good for; changes nothing."""
        ...

    @operation(
        "POST",
        "/password/set",
        refuses=(
            DeclaredRefusal(InvalidInput, Code.REQUIRED, Code.INVALID_PASSWORD, Code.PASSWORDS_DIFFER),
            DeclaredRefusal(Refused, Code.HASH_NOT_FOUND, Code.USER_HASH_EXPIRED),
            _NOT_OFFERED,
        ),
    )
    async def set_password(self, entry: NewPassword) -> None:
        """Set the password, once for each link; every session of the customer ends.

        `invalid_password` is about the field `password`, `passwords_differ` about the field `repeat`.
        """
        ...

    @operation(
        "POST",
        "/password/authenticate",
        refuses=(_PAIR, DeclaredRefusal(Refused, Code.WRONG_PASSWORD), _NOT_HERE, _LIMIT, _NOT_OFFERED),
    )
    async def log_in(self, entry: PasswordEntry, origin: Origin) -> Session:
        """Open a session with a password.

        `wrong_password`, whichever of order number, e-mail address and password was wrong.
        """
        ...
