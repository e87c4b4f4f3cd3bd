"""Operations on insurances; a part of the Provider. Requests are sent through the flow `insurance-request`."""

from __future__ import annotations

from typing import Protocol

from portal.contract.insurance import InsuranceBike, InsuranceOptions, InsuranceRequest
from portal.contract.links import LinkSent


class InsuranceOperations(Protocol):
    """Insurance, bike by bike (part-2 §2, §5)."""

    async def insurance_bikes(self, token: str) -> list[InsuranceBike]:
        """The customer's bikes, newest order first, and whether each can be insured."""
        ...

    async def insurance_options(self, token: str, bike_id: str) -> InsuranceOptions:
        """What insuring a bike costs with each insurer.

        Raises:
            Unavailable: `insurance_options_failed`: the premiums cannot be told.
        """
        ...

    async def resend_insurance(self, token: str, reference: str) -> LinkSent:
        """Mail the link of a request again.

        Raises:
            NotFound: there is none that waits for a link.
            TooMany: `mail_sent_recently` with `retry_at`.
        """
        ...

    async def cancel_insurance(self, token: str, reference: str) -> InsuranceRequest:
        """Take back a request that is not finished.

        Raises:
            NotFound: there is none.
            Refused: `status_not_allowed`: it is finished or cancelled.
        """
        ...
