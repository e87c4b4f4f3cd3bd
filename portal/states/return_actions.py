"""What can be done about a return beside looking at it: have its mail sent again."""

from collections.abc import Awaitable, Callable
from typing import Any

import reflex as rx

from portal.contract.errors import NotAuthenticated, ProviderError
from portal.contract.registry import ask
from portal.contract.returns_api import ReturnsApi
from portal.states.live import Live


class ReturnActions(Live, mixin=True):
    """A page that shows returns.

    Attributes:
        asked: id of the return that something was last done about.
        sent_to: where a new mail went, masked; empty when none did.
        refusal: why it was not done, a code of the catalogue.
        retry_at: when to try again, when the provider said so (ISO 8601, UTC).
        answered: counts the answers.
        failures: counts the refusals.
        battery_error: code of what is wrong with the answer about a battery.
    """

    asked: rx.Field[str] = rx.field("")
    sent_to: rx.Field[str] = rx.field("")
    refusal: rx.Field[str] = rx.field("")
    retry_at: rx.Field[str] = rx.field("")
    answered: rx.Field[int] = rx.field(0)
    failures: rx.Field[int] = rx.field(0)
    battery_error: rx.Field[str] = rx.field("")

    async def _resend(self, return_id: str) -> None:
        """Have the link mailed again, and show how the return stands after that."""
        sent = await self._do(return_id, lambda token: ask(ReturnsApi).resend_return(token, return_id))
        if sent is None:
            return
        async with self:
            self.sent_to = sent.email
        await self._ask()

    async def _do(self, return_id: str, act: Callable[[str], Awaitable[Any]]) -> Any:
        """Do something about a return. Runs in a background event.

        Returns:
            What the provider answered; none when it refused.
        """
        if not (token := await self._token()):
            return None
        answer, problem = None, None
        try:
            answer = await act(token)
        except NotAuthenticated:
            await self._ended()
        except ProviderError as error:
            problem = error
        async with self:
            self.asked, self.sent_to, self.refusal, self.retry_at = return_id, "", "", ""
            self.answered += 1
            if problem is not None:
                self.refusal, self.failures = problem.code.value, self.failures + 1
                self.retry_at = problem.retry_at.isoformat() if problem.retry_at else ""
        return answer
