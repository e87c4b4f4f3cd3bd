"""Operations on passwords; a part of the Provider. All answer `NotFound` unless PORTAL_PASSWORDS is on."""

from __future__ import annotations

from typing import Protocol

from portal.contract.passwords import (
    NewPassword,
    PasswordEntry,
    PasswordLink,
    PasswordLinkView,
    PasswordResetRequest,
    PasswordResetSent,
)
from portal.contract.session import Origin, Session


class PasswordOperations(Protocol):
    """Setting a password and logging in with it (part-1 §5)."""

    async def request_password_reset(self, request: PasswordResetRequest, origin: Origin) -> PasswordResetSent:
        """Mail a link to set a password.

        Raises:
            InvalidInput, Refused, TooMany: as for `request_code`.
        """
        ...

    async def password_link(self, entry: PasswordLink) -> PasswordLinkView:
        """What a link is good for; changes nothing."""
        ...

    async def set_password(self, entry: NewPassword) -> None:
        """Set the password, once for each link; every session of the customer ends.

        Raises:
            Refused: `hash_not_found`, `user_hash_expired`.
            InvalidInput: `required`, `invalid_password` (field `password`), `passwords_differ` (field `repeat`).
        """
        ...

    async def log_in(self, entry: PasswordEntry, origin: Origin) -> Session:
        """Open a session with order number, e-mail address and password.

        Raises:
            InvalidInput: fields that are not well formed.
            Refused: `wrong_password`, whatever part was wrong; `lease_order_not_allowed`, `other_country` as for codes.
            TooMany: `too_many_requests` with `retry_at`.
        """
        ...
