"""The states of a declaration: declare, check and receipt; a guest first says what it is about.

Withdrawals from orders and the ends of contracts go through these steps.
"""

import secrets
from collections.abc import Mapping
from typing import Any, ClassVar

import reflex as rx

from portal.contract.errors import ProviderError
from portal.contract.session import Origin
from portal.frontend.load import text_in
from portal.frontend.policies import public
from portal.kernel.codes import Code
from portal.kernel.texts import locale_of

FIND, DECLARE, CHECK, RECEIPT = "find", "declare", "check", "receipt"
"""The steps: find what it is about (guests only), declare, check, receipt."""

NAME, EMAIL = "name", "email"
"""Names of the fields."""

_LONGEST_NAME = 180


class DeclarationState(rx.State, mixin=True):
    """A declaration, from the name of the person to its receipt.

    Attributes:
        retry_at: when to try again (ISO 8601, UTC); empty when the provider did not say.
    """

    _fields: ClassVar[tuple[str, ...]] = (NAME, EMAIL)
    step: rx.Field[str] = rx.field(DECLARE)
    name: rx.Field[str] = rx.field("")
    errors: rx.Field[dict[str, str]] = rx.field(default_factory=dict)
    refusal: rx.Field[str] = rx.field("")
    retry_at: rx.Field[str] = rx.field("")
    answered: rx.Field[int] = rx.field(0)
    failures: rx.Field[int] = rx.field(0)
    turn: rx.Field[int] = rx.field(0)
    _key: str = ""

    def _read_name(self, form: Mapping[str, Any]) -> dict[str, str]:
        """Read the name; return the error of its field, if there is one."""
        self.name = text_in(form, NAME).strip()
        if self.name and len(self.name) <= _LONGEST_NAME:
            return {}
        return {NAME: (Code.TOO_LONG if self.name else Code.REQUIRED).value}

    def _declared(self) -> None:
        """Go to the check. The key lets the provider recognise a second press."""
        self._key = secrets.token_urlsafe(16)
        self._go(CHECK)

    def _go(self, step: str) -> None:
        self.step, self.turn = step, self.turn + 1

    def _answered(self) -> None:
        self.answered += 1
        self.errors, self.refusal, self.retry_at = {}, "", ""

    def _wrong(self, errors: dict[str, str]) -> None:
        self.errors, self.failures = errors, self.failures + 1

    def _refuse(self, error: ProviderError) -> None:
        self._wrong({name: code.value for name, code in error.fields.items() if name in self._fields})
        self.refusal = "" if self.errors else error.code.value
        self.retry_at = error.retry_at.isoformat() if error.retry_at else ""
        if NAME in self.errors:
            self._go(DECLARE)


class GuestDeclarationState(DeclarationState, mixin=True):
    """A declaration of a guest. The page does not say whether the number or the e-mail address is wrong."""

    _email: str = ""

    @rx.event
    @public
    async def again(self) -> None:
        """Start with another one, and clear everything about this one."""
        turn = self.turn + 1
        self.reset()
        self.turn = turn

    def _identified(self, form: Mapping[str, Any], field: str) -> str:
        """Read the number from its field, and the e-mail address; empty, with errors, if one is missing."""
        self._answered()
        self._email, number = text_in(form, EMAIL).strip(), text_in(form, field).strip()
        errors = {} if number else {field: Code.REQUIRED.value}
        if not self._email:
            errors[EMAIL] = Code.MISSING_EMAIL_ADDRESS.value
        if errors:
            self._wrong(errors)
        return "" if errors else number

    def _origin(self) -> Origin:
        return Origin(address=self.router.session.client_ip, locale=locale_of(self.router.headers.cookie))
