"""Words of the import of a shop's data."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from portal.kernel.texts import N_


class Side(StrEnum):
    """Who holds a value: the shop that sends records, or the portal in which customers and staff change them."""

    SHOP = "shop"
    PORTAL = "portal"


IMPORT_KINDS: Mapping[str, str] = {
    "customers": N_("Customers"),
    "products": N_("Products"),
    "orders": N_("Orders"),
    "bikes": N_("Bikes"),
    "invoices": N_("Invoices"),
    "locations": N_("Service locations"),
    "service-products": N_("Services and prices"),
    "service-packages": N_("Service packages"),
    "insurances": N_("Insurance policies"),
    "tariffs": N_("Insurance tariffs"),
    "terms": N_("Periods in the terms"),
    "delivery-places": N_("Deliveries per day and weekday"),
    "delivery-days": N_("Delivery days"),
}
"""Kinds of records, in an order in which none has to wait for another."""


class ImportForm(StrEnum):
    """Form of a file."""

    OWN = "own"
    """That of the portal: CSV or JSON Lines."""
    SHOPIFY = "shopify"
    WOOCOMMERCE = "woocommerce"
    AGAIN = "again"
    """No file: rejected records that are sent again."""
    UNKNOWN = "unknown"
    """A value from a newer provider that this portal does not know; never stored."""


IMPORT_FORMS: Mapping[ImportForm, str] = {
    ImportForm.OWN: N_("The portal’s own (CSV, JSON Lines)"),
    ImportForm.SHOPIFY: N_("Shopify export (JSON Lines)"),
    ImportForm.WOOCOMMERCE: N_("WooCommerce responses (JSON)"),
    ImportForm.AGAIN: N_("Rejected records, sent again"),
    ImportForm.UNKNOWN: N_("Unknown"),
}


class ImportWay(StrEnum):
    """How records came in."""

    COMMAND_LINE = "command_line"
    API = "api"
    PAGE = "page"
    UNKNOWN = "unknown"
    """A value from a newer provider that this portal does not know; never stored."""


IMPORT_WAYS: Mapping[ImportWay, str] = {
    ImportWay.COMMAND_LINE: N_("Command line"),
    ImportWay.API: N_("API"),
    ImportWay.PAGE: N_("Staff site"),
    ImportWay.UNKNOWN: N_("Unknown"),
}


class ImportState(StrEnum):
    """Where an import stands."""

    RECEIVING = "receiving"
    """The file is on its way."""
    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    """The file could not be read to its end. What was read before is stored."""
    UNKNOWN = "unknown"
    """A value from a newer provider that this portal does not know; never stored."""


IMPORT_STATES: Mapping[ImportState, str] = {
    ImportState.RECEIVING: N_("Being received"),
    ImportState.WAITING: N_("Waiting"),
    ImportState.RUNNING: N_("Running"),
    ImportState.DONE: N_("Done"),
    ImportState.FAILED: N_("Failed"),
    ImportState.UNKNOWN: N_("Unknown"),
}
