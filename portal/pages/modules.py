"""The modules that hold pages. A new page is a module with `PAGES` and a line here."""

from __future__ import annotations

MODULES: tuple[str, ...] = (
    "portal.pages.missing",
    "portal.pages.login",
    "portal.pages.code",
    "portal.pages.dashboard",
    "portal.pages.my_data",
    "portal.pages.orders",
    "portal.pages.order",
    "portal.pages.invoices",
    "portal.pages.bikes",
    "portal.pages.bike",
    "portal.pages.maintenance",
    "portal.pages.request",
    "portal.pages.status",
    "portal.pages.contact",
    "portal.pages.repair",
    "portal.pages.service",
    "portal.pages.claim",
    "portal.pages.return_request",
    "portal.pages.accessories_return",
    "portal.pages.exchange",
    "portal.pages.order_return",
)
