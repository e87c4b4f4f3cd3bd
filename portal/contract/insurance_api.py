"""Insurance, bike by bike (part-2 §2, §5). Requests are sent through the flow `insurance-request`."""

from __future__ import annotations

from typing import Protocol

from portal.contract.errors import Conflict, Refused, TooMany, Unavailable
from portal.contract.insurance import InsuranceBike, InsuranceOptions, InsuranceRequest
from portal.contract.links import LinkSent
from portal.contract.operations import Refusal, Token, operation
from portal.domain.codes import Code


class InsuranceApi(Protocol):
    """What insuring a bike costs, and what became of a request."""

    @operation("GET", "/insurances/bikes")
    async def insurance_bikes(self, token: Token) -> list[InsuranceBike]:
        """The customer's bikes, newest order first, and whether each can be insured."""
        ...

    @operation(
        "GET",
        "/bikes/{bike_id}/insurances",
        refuses=(Refusal(Unavailable, Code.INSURANCE_OPTIONS_FAILED),),
    )
    async def insurance_options(self, token: Token, bike_id: str) -> InsuranceOptions:
        """What insuring a bike costs with each insurer.

        `insurance_options_failed`: the premiums cannot be told.
        """
        ...

    @operation(
        "POST",
        "/insurances/{reference}/resend",
        refuses=(Refusal(Refused), Refusal(TooMany, Code.MAIL_SENT_RECENTLY)),
    )
    async def resend_insurance(self, token: Token, reference: str) -> LinkSent:
        """Mail the link of a request again.

        Not found when none waits for a link. Refused when a rule says no by now: the bike is gone, or insured.
        """
        ...

    @operation(
        "POST",
        "/insurances/{reference}/cancel",
        refuses=(Refusal(Refused, Code.STATUS_NOT_ALLOWED), Refusal(Conflict, Code.STATUS_CHANGED)),
    )
    async def cancel_insurance(self, token: Token, reference: str) -> InsuranceRequest:
        """Take back a request that is not finished.

        `status_not_allowed`: it is finished or cancelled.
        """
        ...
