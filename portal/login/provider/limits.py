"""Who may log in, and how often codes can be requested (part-1 §10).

An account gets a limited number of mails per hour. One network address can use all of them but one, so it cannot lock
out a customer at another address.
"""

from __future__ import annotations

from datetime import timedelta

from portal.backend.context import Context
from portal.backend.limits import Limit, network, subject
from portal.backend.outbox import Outbox
from portal.backend.service import Service
from portal.backend.sessions import Sessions
from portal.contract.errors import InvalidInput, ProviderError, Refused
from portal.contract.session import CodeRequest
from portal.kernel import validation
from portal.kernel.codes import Code
from portal.kernel.validation import InvalidValue
from portal.login.api import LoginApi
from portal.login.provider import queries
from portal.settings import Settings


class LoginLimits:
    """The limits on code requests, from the settings."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def of_address(self, address: str) -> list[Limit]:
        """Limits per network address, for all requests, valid or not; none if the address is unknown."""
        if not address:
            return []
        key = subject(self._settings, "address", network(address))
        return [Limit(key, self._settings.codes_per_address_hour)]

    def of_code(self, email_key: str, address: str, *, counts: bool) -> list[Limit]:
        """Limits on the mails to one e-mail address, whether or not it belongs to an account."""
        name, most = ("account", self._settings.codes_per_account_hour) if counts else ("refused", 1)
        window = timedelta(hours=1) if counts else timedelta(0)
        gap = timedelta(seconds=self._settings.code_wait_seconds) if counts else timedelta(0)
        held = [Limit(subject(self._settings, name, email_key), most, window, gap)]
        if address:
            share = subject(self._settings, f"{name}-share", email_key, network(address))
            held.append(Limit(share, max(1, most - 1), window))
        return held

    def of_passkey_challenge(self, address: str) -> list[Limit]:
        """Limits on challenges for a login with a passkey. Every view of the login page asks for one."""
        return self._of_passkey("passkey-challenge", address, 6 * self._settings.codes_per_address_hour)

    def of_passkey(self, address: str) -> list[Limit]:
        """Limits on logins with a passkey, right or wrong; none if the address is unknown."""
        return self._of_passkey("passkey", address, self._settings.codes_per_address_hour)

    def _of_passkey(self, name: str, address: str, most: int) -> list[Limit]:
        return [Limit(subject(self._settings, name, network(address)), most)] if address else []

    def of_new_passkey(self, customer_id: int) -> list[Limit]:
        return [Limit(subject(self._settings, "new-passkey", str(customer_id)), self._settings.codes_per_address_hour)]

    def of_email_change(self, customer_id: int) -> list[Limit]:
        """Limits on the codes for a change of the e-mail address."""
        return [
            Limit(
                subject(self._settings, "email-change", str(customer_id)),
                self._settings.codes_per_account_hour,
                gap=timedelta(seconds=self._settings.code_wait_seconds),
            )
        ]


class LoginBase(Service, LoginApi):
    """Base of the login services: mails, limits, and the check of who may log in."""

    def __init__(self, context: Context, sessions: Sessions) -> None:
        super().__init__(context, sessions)
        self._outbox = Outbox(context)
        self._limits = LoginLimits(context.settings)

    def _refusal(self, account: queries.Account | None) -> ProviderError | None:
        """The reason why an account cannot log in here; None if it can.

        A wrong pair is refused without revealing the kind of order.
        """
        if account is None:
            return Refused(Code.INVALID_CREDENTIALS)
        if account.is_lease:
            return self._lease_refusal()
        if account.country not in self._settings.countries:
            there = self._settings.country_domains.get(account.country)
            return Refused(Code.OTHER_COUNTRY, url=str(there) if there else None)
        return None

    def _lease_refusal(self) -> Refused:
        return Refused(Code.LEASE_ORDER_NOT_ALLOWED, url=str(self._settings.lease_portal_url))


def wanted(request: CodeRequest, settings: Settings) -> tuple[str, str | None]:
    """Validate and normalize the typed e-mail address and order number."""
    email, number = "", request.order_number
    errors: dict[str, Code] = {}
    try:
        email = validation.email(request.email)
    except InvalidValue as error:
        errors["email"] = Code.REQUIRED if error.code is Code.REQUIRED else Code.INVALID_EMAIL
    try:
        number = None if number is None else validation.order_number(number, settings.order_number)
    except InvalidValue as error:
        errors["order_number"] = Code.REQUIRED if error.code is Code.REQUIRED else Code.INVALID_ORDER_ID
    if errors:
        raise InvalidInput(next(iter(errors.values())) if len(errors) == 1 else Code.INVALID_INPUT, fields=errors)
    return email, number
