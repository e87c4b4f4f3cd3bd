"""The texts of values in state variables: statuses, kinds, names and reasons."""

from typing import TypeVar

import reflex as rx

from portal.contract.models import Model
from portal.i18n import Text, _, choice, day
from portal.kernel.address import NAMES
from portal.kernel.codes import MESSAGES, STAFF_ONLY, Code
from portal.kernel.texts import N_
from portal.reflex_adapter.build import DESK, site_of_process
from portal.reflex_adapter.var import expression
from portal.vocabulary.actions import REASONS, Feature
from portal.vocabulary.deliveries import DELIVERY_LABELS, STUCK
from portal.vocabulary.departures import STATED
from portal.vocabulary.orders import INSURANCES, INVOICE_LABELS, PAYMENT_LABELS
from portal.vocabulary.services import SERVICE_PACKAGE_NAMES, ServicePackage
from portal.vocabulary.status import STATUS_UNKNOWN
from portal.vocabulary.work_orders import REQUEST_LABELS

TITLES: dict[Feature, Text] = {
    Feature.REPAIR: _("Request a repair"),
    Feature.SERVICE: _("Request a service"),
    Feature.CLAIM: _("Claim for damage"),
    Feature.STATUS: _("View the status"),
    Feature.SERVICE_PACKAGE: _("Service package"),
    Feature.INSURANCE: _("Insurance"),
    Feature.RETURN: _("Return or exchange"),
    Feature.ORDER_STATUS: _("Order status"),
    Feature.TRACK_AND_TRACE: _("Track and trace"),
    Feature.CUSTOMER_SERVICE: _("Customer service"),
    Feature.DELIVERY_DATE: _("Change delivery day"),
}


def delivery_status(status: rx.Var[str]) -> rx.Var[str]:
    return choice(status, DELIVERY_LABELS, STATUS_UNKNOWN)


def delivery_trouble(status: rx.Var[str]) -> rx.Var[str]:
    """The problem of a delivery; empty if there is none."""
    return choice(status, STUCK)


def departure_stated(departure: rx.Var[str]) -> rx.Var[str]:
    """That a bike goes back or has left; empty if the customer keeps it."""
    return choice(departure, STATED)


def payment_status(status: rx.Var[str]) -> rx.Var[str]:
    return choice(status, PAYMENT_LABELS, STATUS_UNKNOWN)


def insurance(cover: rx.Var[str]) -> rx.Var[str]:
    return choice(cover, {"": N_("None"), **INSURANCES}, cover)


def invoice_status(status: rx.Var[str]) -> rx.Var[str]:
    """Label of an invoice status; neutral if it is unknown."""
    return choice(status, INVOICE_LABELS, STATUS_UNKNOWN)


def request_kind(kind: rx.Var[str]) -> rx.Var[str]:
    return choice(kind, REQUEST_LABELS)


def package_name(code: rx.Var[str]) -> rx.Var[str]:
    return choice(code, SERVICE_PACKAGE_NAMES)


def whole_package_name(code: rx.Var[str]) -> rx.Var[str]:
    """Name of a service package as order, invoice and contract call it: "Servicepakket Comfort"."""
    named = {package: _("Service package {name}", name=_(name)) for package, name in SERVICE_PACKAGE_NAMES.items()}
    named.pop(ServicePackage.SERVICE12)
    return choice(code, named, _("Service package"))


def preferred_week(week: rx.Var[str], monday: rx.Var[str]) -> rx.Var[str]:
    """The preferred week of a delivery, with its Monday if that is known."""
    return rx.cond(monday == "", week, _("week {n}, from {day}", n=week, day=day(monday))).to(str)


def country_name(code: rx.Var[str]) -> rx.Var[str]:
    return choice(code, NAMES)


def reason_text(reason: rx.Var[str]) -> rx.Var[str]:
    """Why an action is closed."""
    return choice(reason, REASONS)


def waiting_time(weeks: rx.Var[int]) -> rx.Var[str]:
    """A range of waiting weeks (part-1 §9) as people say it, from its lower bound."""
    low = weeks.to(int)
    return rx.cond(low == 0, _("within a week"), _("{low}–{high} weeks", low=low, high=low + 1)).to(str)


def in_groups(reference: rx.Var[str]) -> rx.Var[str]:
    """A reference of the portal in two groups of four; a retailer's own reference unchanged."""
    return expression(f"({reference!s} ?? '').replace(/^(.{{4}})(.{{4}})$/, '$1 $2')", reference).to(str)


def track_with(carrier: rx.Var[str]) -> rx.Var[str]:
    """The link to the page on which a carrier shows a parcel; the carrier may be unknown."""
    named = rx.cond(carrier != "", carrier, _("the carrier")).to(str)
    return _("Track with {carrier}", carrier=named)


def message(code: rx.Var[str], **own: Text) -> rx.Var[str]:
    """The text of an error code; empty for an empty code, a general text for an unknown one."""
    hidden = frozenset() if site_of_process() is DESK else STAFF_ONLY
    texts: dict[str, Text] = {known.value: text for known, text in MESSAGES.items() if known not in hidden}
    return choice(code, {"": "", **texts, **own}, _("Something went wrong"))


@rx.memo
def refusal(code: rx.Var[str]) -> rx.Component:
    """The text of a refusal. As a memo, the whole catalogue is in one script file for all pages."""
    return rx.fragment(message(code))


def field_message(code: rx.Var[str], label: Text, *possible: Code, **own: Text) -> rx.Var[str]:
    """The text beside a field for an error code; empty for an empty code."""
    required = _("{label} is required.", label=label)
    texts: dict[str, Text] = {known.value: MESSAGES[known] for known in possible}
    return choice(code, {"": "", Code.REQUIRED.value: required, **texts, **own}, _("Check this field."))


V = TypeVar("V", bound=Model)
