"""The periods that hold for new purchases in a shop."""

from typing import Protocol

from portal.contract.models import Model
from portal.contract.operations import operation


class Periods(Model):
    """Periods by name, a field of `kernel.terms.ShopTerms`, in its unit: days, months or years."""

    periods: dict[str, int]


class TermsApi(Protocol):
    """The terms of a shop, for everybody."""

    @operation("GET", "/terms")
    async def periods(self, shop: str = "") -> Periods:
        """What holds today in a further shop, or in the main one, whose name is empty."""
        ...
