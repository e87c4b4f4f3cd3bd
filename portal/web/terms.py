"""The periods of the terms that pages show. Pages are compiled with those of the installation.

What differs in the shop of this process stands in a cookie, as the language does: scripts fill it in before they show a
page. Documents that are drawn for a customer are drawn with it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import asdict
from time import monotonic

from portal.contract.common_api import Periods, TermsApi
from portal.contract.errors import ProviderError
from portal.contract.registry import ask
from portal.kernel.terms import ShopTerms
from portal.settings import settings

COOKIE = "terms"
"""Cookie for scripts: `return_days:30.insurance_days:20`. It holds nothing secret."""

FRESH_SECONDS = 30.0
"""How long an answer counts: a change is shown that much later at most."""

_COMPILED = asdict(ShopTerms())


class ShownTerms:
    """Asks for the periods that hold today, at most every `FRESH_SECONDS`."""

    def __init__(self, question: Callable[[], Awaitable[Periods]]) -> None:
        self._question = question
        self._known, self._asked_at = "", float("-inf")

    async def changed(self) -> str:
        """The periods that differ from the compiled ones, as they stand in the cookie; empty if none does.

        While the provider does not answer, what it said last holds.
        """
        if monotonic() - self._asked_at > FRESH_SECONDS:
            self._asked_at = monotonic()
            try:
                found = (await self._question()).periods
            except ProviderError:
                return self._known
            different = {name: found[name] for name in _COMPILED if found.get(name, _COMPILED[name]) != _COMPILED[name]}
            self._known = ".".join(f"{name}:{value}" for name, value in different.items())
        return self._known

    def forget(self) -> None:
        self._asked_at = float("-inf")


shown_terms = ShownTerms(lambda: ask(TermsApi).periods(settings().shop))
"""Those of this process."""
