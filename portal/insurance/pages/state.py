"""What a customer can do about an insurance that was asked for: have the link mailed again, take it back."""

import reflex as rx

from portal.contract.errors import NotAuthenticated, ProviderError
from portal.contract.insurance_api import InsuranceApi
from portal.contract.registry import ask
from portal.domain.marks import N_
from portal.states.policy import customer
from portal.states.session import session_ended, session_token
from portal.states.toasts import Toasts

SENT_AGAIN = N_("The email has been sent again.")
TAKEN_BACK = N_("Your request has been cancelled.")


class InsuranceActs(rx.State):
    """The last answer. The page itself follows its insurances and shows what they became.

    Attributes:
        about: reference of the request that was acted upon.
        sent_to: address that the link was mailed to again, masked; empty when it was not.
        again_at: from when it can be asked for once more, ISO 8601; empty when that is not known.
        refusal: why it was not done, a code.
        attempt: counts the refusals.
    """

    about: rx.Field[str] = rx.field("")
    sent_to: rx.Field[str] = rx.field("")
    again_at: rx.Field[str] = rx.field("")
    refusal: rx.Field[str] = rx.field("")
    attempt: rx.Field[int] = rx.field(0)

    @rx.event(background=True)
    @customer
    async def resend(self, reference: str) -> None:
        """Have the link mailed again.

        Args:
            reference: of a request that waits for it.
        """
        async with self:
            token = session_token(self)
        try:
            sent = await ask(InsuranceApi).resend_insurance(token, reference)
        except ProviderError as error:
            async with self:
                await self._refuse(reference, error)
            return
        async with self:
            self._answer(reference)
            self.sent_to, self.again_at = sent.email, sent.resend_at.isoformat()
            (await self.get_state(Toasts))._add("success", SENT_AGAIN)

    @rx.event(background=True)
    @customer
    async def cancel(self, reference: str) -> None:
        """Take a request back.

        Args:
            reference: of a request that is going on.
        """
        async with self:
            token = session_token(self)
        try:
            await ask(InsuranceApi).cancel_insurance(token, reference)
        except ProviderError as error:
            async with self:
                await self._refuse(reference, error)
            return
        async with self:
            self._answer(reference)
            (await self.get_state(Toasts))._add("success", TAKEN_BACK)

    def _answer(self, reference: str) -> None:
        self.about, self.sent_to, self.again_at, self.refusal = reference, "", "", ""

    async def _refuse(self, reference: str, error: ProviderError) -> None:
        if isinstance(error, NotAuthenticated):
            await session_ended(self)
        self._answer(reference)
        self.refusal, self.again_at = error.code.value, error.retry_at.isoformat() if error.retry_at else ""
        self.attempt += 1
