"""Operations and models for login codes, passwords, passkeys and changes of the e-mail address (part-1 §5, §7)."""

from datetime import datetime
from typing import Annotated, Any, NoReturn, Protocol

from pydantic import Field

from portal.contract.errors import InvalidInput, NotAuthenticated, NotFound, Refused, TooMany
from portal.contract.models import Model, otherwise
from portal.contract.operations import DeclaredRefusal, InVisit, Token, operation
from portal.contract.session import (
    CodeDelivery,
    CodeEntry,
    CodeRequest,
    CodeSent,
    LeaseRequest,
    Origin,
    Session,
    UserData,
)
from portal.kernel.codes import Code
from portal.vocabulary.links import LinkState


class PasswordResetRequest(Model):
    """Request for a password link: e-mail address and order number, or the address alone. Not yet validated."""

    email: str = Field(max_length=1000)
    order_number: str | None = Field(default=None, max_length=1000)


class PasswordResetSent(Model):
    """Answer to a request for a password link; the same for known and unknown addresses."""

    email: str
    expires_at: datetime
    resend_at: datetime


class PasswordLink(Model):
    """The last part of the opened link, not yet validated."""

    hash: str = Field(default="", max_length=1000)


class PasswordLinkView(Model):
    """State of a password link. `email` is masked, and empty if the link is invalid."""

    state: Annotated[LinkState, otherwise(LinkState, LinkState.INVALID)]
    email: str = ""


class NewPassword(Model):
    """The new password, typed twice, and the last part of the link."""

    hash: str = Field(default="", max_length=1000)
    password: str = Field(default="", max_length=1000, repr=False)
    repeat: str = Field(default="", max_length=1000, repr=False)


class PasswordEntry(Model):
    """Login with a password: e-mail address, optional order number, and the password."""

    email: str = Field(max_length=1000)
    order_number: str | None = Field(default=None, max_length=1000)
    password: str = Field(default="", max_length=1000, repr=False)


class EmailChange(Model):
    email: str = Field(max_length=1000)


class EmailChangeCode(Model):
    code: str = Field(max_length=1000)


class EmailChangeSent(Model):
    """A code was sent to the old address, `email`. Times are in UTC."""

    email: str
    expires_at: datetime
    resend_at: datetime


class PasskeyPage(Model):
    """The page on which a passkey is made or used: its origin, such as `https://mijn.bovenbuis.example`."""

    origin: str = Field(max_length=300)


class PasskeyOptions(Model):
    """What the browser asks the device for.

    `options`: for `PublicKeyCredential.parseCreationOptionsFromJSON` or `parseRequestOptionsFromJSON`.
    `challenge`: opaque; an answer counts only together with it, and only once.
    `expires_at`: until when an answer is accepted (UTC).
    """

    options: dict[str, Any]
    challenge: str
    expires_at: datetime


class PasskeyAnswer(PasskeyPage):
    """The answer of the device.

    `challenge`: as in `PasskeyOptions`.
    `credential`: what `PublicKeyCredential.toJSON()` returns.
    """

    challenge: str = Field(max_length=200)
    credential: dict[str, Any] = Field(repr=False)


class NewPasskey(PasskeyAnswer):
    """A passkey that a device has just made. `user_agent` names the device where nothing else does."""

    user_agent: str = Field(default="", max_length=1000)


class Passkey(Model):
    """A passkey of the customer. `device` is the password manager or system, empty if unknown; times are in UTC."""

    passkey_id: str
    device: str
    created_at: datetime
    last_used_at: datetime | None = None


class Passkeys(Model):
    """The customer's passkeys, newest first. `offered`: whether the login may offer to make the first one."""

    passkeys: list[Passkey]
    offered: bool


_PAIR = DeclaredRefusal(InvalidInput, Code.INVALID_EMAIL, Code.INVALID_ORDER_ID, Code.REQUIRED)
"""The order number or the e-mail address has a wrong format; `fields` names which."""

_NOT_HERE = DeclaredRefusal(Refused, Code.LEASE_ORDER_NOT_ALLOWED, Code.OTHER_COUNTRY)
"""The pair is right, but the order is a lease order or from another country; `url` is the site to use instead."""

_CODE = (
    DeclaredRefusal(InvalidInput, Code.REQUIRED),
    DeclaredRefusal(Refused, Code.INVALID_CODE, Code.CODE_EXPIRED, Code.CODE_USED_UP, Code.NO_CHALLENGE),
)

_LIMIT = DeclaredRefusal(TooMany, Code.TOO_MANY_REQUESTS)
_NOT_OFFERED = DeclaredRefusal(NotFound)
"""Password operations do not exist unless `PORTAL_PASSWORDS` is on."""


class VisitLink(Model):
    """The last part of a link with which staff open the site for a customer."""

    hash: str = Field(default="", max_length=200, repr=False)


class LoginApi(Protocol):
    @operation(
        "POST",
        "/request-authenticate",
        identifier="request_authenticate",
        refuses=(_PAIR, DeclaredRefusal(Refused, Code.INVALID_CREDENTIALS), _NOT_HERE, _LIMIT),
    )
    async def request_code(self, request: CodeRequest, origin: Origin) -> CodeSent:
        """Mail a login code.

        The documented call sends only `email`; an optional `order_number` names the order to log in with. The answer
        returns the challenge as an HttpOnly cookie and as `data.challenge`. The code opens a session only together
        with it.

        A request with `lease` (a lease reference or a frame number) is always refused: with `lease_order_not_allowed`
        and the URL of the lease portal in `details.url`, or with `not_lease_order`.

        `Accept-Language` sets the language of the mail; without it, the mail has the language of the account.
        """

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
        """Refer a lease customer to the lease portal; always refused.

        `not_lease_order` if the order is known and is not a lease order. Otherwise `lease_order_not_allowed`, with
        the address of the lease portal in `url`.
        """

    @operation("POST", "/request-authenticate/delivery")
    async def code_delivery(self, origin: Origin) -> CodeDelivery:
        """Tell whether the mail with the code of this browser was refused, as far as is known."""

    @operation("POST", "/authenticate", refuses=(*_CODE, _LIMIT))
    async def authenticate(self, entry: CodeEntry, origin: Origin) -> Session:
        """Open a session with the mailed code.

        `token` is the code. The challenge is read from the key `challenge`, or else from the cookie. A code without
        a challenge is refused with `no_challenge`.
        """

    @operation("POST", "/visit", refuses=(DeclaredRefusal(Refused, Code.INVALID_HASH),))
    async def open_visit(self, link: VisitLink, origin: Origin) -> Session:
        """Open a session of a customer as somebody of the staff, with a link that works once."""

    @operation("POST", "/logout", silent=(NotAuthenticated,), in_visit=InVisit.ALWAYS)
    async def logout(self, token: Token) -> None:
        """End the session.

        Also succeeds if the session has already ended.
        """

    @operation(
        "POST",
        "/customer/email",
        refuses=(DeclaredRefusal(InvalidInput, Code.INVALID_EMAIL, Code.SAME_EMAIL, Code.REQUIRED), _LIMIT),
        in_visit=InVisit.NEVER,
    )
    async def request_email_change(self, token: Token, change: EmailChange) -> EmailChangeSent:
        """Mail a code to the current address, to confirm a change.

        The new address, `email`, is stored with this session until the code confirms it.
        """

    @operation("POST", "/customer/email/confirm", refuses=(*_CODE, _LIMIT), in_visit=InVisit.NEVER)
    async def confirm_email_change(self, token: Token, entry: EmailChangeCode) -> UserData:
        """Change the e-mail address.

        Both addresses get a mail. The customer's other sessions end, and their login codes stop working.
        """

    @operation(
        "POST",
        "/password/request",
        refuses=(_PAIR, DeclaredRefusal(Refused, Code.INVALID_CREDENTIALS), _NOT_HERE, _LIMIT, _NOT_OFFERED),
    )
    async def request_password_reset(self, request: PasswordResetRequest, origin: Origin) -> PasswordResetSent:
        """Mail a link to set a password.

        The refusals and the limits are those of a login code.
        """

    @operation("POST", "/password/look", refuses=(_NOT_OFFERED,))
    async def password_link(self, entry: PasswordLink) -> PasswordLinkView:
        """Check a password link without using it."""

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
        """Set the password and end every session of the customer.

        A link works once. `invalid_password` concerns the field `password`, `passwords_differ` the field `repeat`.
        """

    @operation(
        "POST",
        "/password/authenticate",
        refuses=(_PAIR, DeclaredRefusal(Refused, Code.WRONG_PASSWORD), _NOT_HERE, _LIMIT, _NOT_OFFERED),
    )
    async def log_in(self, entry: PasswordEntry, origin: Origin) -> Session:
        """Open a session with a password.

        The refusal is `wrong_password` whether the order number, the e-mail address or the password is wrong.
        """


_PASSKEY = (DeclaredRefusal(Refused, Code.INVALID_PASSKEY, Code.PASSKEY_EXPIRED), DeclaredRefusal(NotFound))
"""The answer of the device is wrong; its challenge has expired or was used; there are no passkeys at this origin."""


class PasskeysApi(Protocol):
    """Log in with a passkey, and add and remove passkeys. The messages are those of WebAuthn."""

    @operation("POST", "/passkeys/authenticate/begin", refuses=(DeclaredRefusal(NotFound), _LIMIT))
    async def begin_passkey_login(self, page: PasskeyPage, origin: Origin) -> PasskeyOptions:
        """Begin a login.

        Nobody is named: the device offers the passkeys that it has for the host.
        """

    @operation("POST", "/passkeys/authenticate", refuses=(*_PASSKEY, _LIMIT))
    async def log_in_with_passkey(self, answer: PasskeyAnswer, origin: Origin) -> Session:
        """Open a session with a passkey.

        It is for the newest order with which the customer can log in here. The refusal is `invalid_passkey` whether
        the passkey is unknown, was removed, or signed something else.
        """

    @operation("GET", "/passkeys")
    async def passkeys(self, token: Token) -> Passkeys:
        """List the customer's passkeys."""

    @operation(
        "POST",
        "/passkeys/begin",
        refuses=(DeclaredRefusal(Refused, Code.TOO_MANY_PASSKEYS), DeclaredRefusal(NotFound), _LIMIT),
        in_visit=InVisit.NEVER,
    )
    async def begin_passkey(self, token: Token, page: PasskeyPage) -> PasskeyOptions:
        """Begin to add a passkey."""

    @operation(
        "POST",
        "/passkeys",
        refuses=(*_PASSKEY, DeclaredRefusal(Refused, Code.PASSKEY_EXISTS)),
        in_visit=InVisit.NEVER,
    )
    async def add_passkey(self, token: Token, passkey: NewPasskey) -> Passkeys:
        """Add the passkey that the device made. The customer gets a mail."""

    @operation("POST", "/passkeys/decline", in_visit=InVisit.NEVER)
    async def decline_passkeys(self, token: Token) -> None:
        """Let the login offer no passkey to this customer any more."""

    @operation("DELETE", "/passkeys/{passkey_id}", in_visit=InVisit.NEVER)
    async def remove_passkey(self, token: Token, passkey_id: str) -> Passkeys:
        """Remove a passkey. The customer gets a mail.

        The device keeps its half, which opens nothing any more.
        """
