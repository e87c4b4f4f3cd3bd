"""What a page can watch, so that it changes by itself when the shop changes something."""

from __future__ import annotations

from enum import StrEnum


class Topic(StrEnum):
    """A part of a customer's data that others change while a page shows it."""

    REQUESTS = "requests"
    """Repairs, services and claims, with their work orders."""
    RETURNS = "returns"
    """Returns, exchanges and withdrawals."""
    DELIVERIES = "deliveries"
    """Orders on their way, and wishes for another delivery day."""
    INSURANCES = "insurances"
    """Insurances that were asked for."""
