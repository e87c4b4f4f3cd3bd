"""How often codes can be asked for (decisions: Login and session).

Nobody can lock a customer out: one network address gets at most all but one of the mails that an account has in an
hour, so a customer at another address always has one left.
"""

from __future__ import annotations

from datetime import timedelta

from portal.provider.limits import Limit, network, subject
from portal.settings import Settings


class LoginLimits:
    """The limits on code requests."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def of_address(self, address: str) -> list[Limit]:
        """Limits on where requests come from, right or wrong; none when that is unknown."""
        if not address:
            return []
        key = subject(self._settings, "address", network(address))
        return [Limit(key, self._settings.codes_per_address_hour)]

    def of_code(self, email_key: str, address: str, *, counts: bool) -> list[Limit]:
        """Limits on the mails of one account, whether anybody has the address or not.

        Args:
            email_key: the address that was typed.
            address: network address.
            counts: false for a refused pair: nothing is mailed, so the account of that address must not pay for it.
                Then limits of no length are asked, which takes the same time.
        """
        name, most = ("account", self._settings.codes_per_account_hour) if counts else ("refused", 1)
        window = timedelta(hours=1) if counts else timedelta(0)
        gap = timedelta(seconds=self._settings.code_wait_seconds) if counts else timedelta(0)
        held = [Limit(subject(self._settings, name, email_key), most, window, gap)]
        if address:
            share = subject(self._settings, f"{name}-share", email_key, network(address))
            held.append(Limit(share, max(1, most - 1), window))
        return held

    def of_email_change(self, customer_id: int) -> list[Limit]:
        """Limits on the codes for a change of address."""
        return [
            Limit(
                subject(self._settings, "email-change", str(customer_id)),
                self._settings.codes_per_account_hour,
                gap=timedelta(seconds=self._settings.code_wait_seconds),
            )
        ]
