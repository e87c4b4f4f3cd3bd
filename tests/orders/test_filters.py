"""Filters of the lists of orders and invoices, as addresses."""

from __future__ import annotations

import pytest

from portal.orders.pages.filters import Filters


@pytest.mark.parametrize(
    ("filters", "expected"),
    [(Filters(), "/orders"), (Filters(year=2025), "/orders?year=2025"), (Filters("é"), "/orders?text=%C3%A9")],
)
def test_an_address_holds_only_filters_that_are_set(filters: Filters, expected: str) -> None:
    assert filters.url("/orders") == expected
