"""What people ask the customer service, and where each of it is arranged in the portal."""

from __future__ import annotations

from dataclasses import dataclass

import reflex as rx

from portal.flows.accessories import ACCESSORIES
from portal.flows.claim import CLAIM
from portal.flows.exchange import EXCHANGE
from portal.flows.order_return import ORDER_RETURN
from portal.flows.repair import REPAIR
from portal.flows.returns import RETURN
from portal.flows.service import SERVICE
from portal.flows.service_package import SERVICE_PACKAGE
from portal.i18n import Text, _
from portal.pages.parts.actions import NOTES
from portal.pages.parts.rows import chevron
from portal.pages.parts.texts import TITLES
from portal.settings import Variant
from portal.states.session import Session
from portal.vocabulary.actions import Feature

_NUMBER = Session.profile.order_number
_RETURN = rx.cond(Session.variant == Variant.RETOUREN.value, ORDER_RETURN.path, RETURN.path).to(str)


def _of_the_order(page: str) -> rx.Var[str]:
    """A page about the order somebody logged in with; the list of orders as long as that is not known."""
    return rx.cond(_NUMBER == "", "/orders", f"/{page}/" + _NUMBER).to(str)


_STARTS: dict[Feature, rx.Var[str] | str] = {
    Feature.REPAIR: REPAIR.path,
    Feature.SERVICE: SERVICE.path,
    Feature.CLAIM: CLAIM.path,
    Feature.STATUS: "/status",
    Feature.SERVICE_PACKAGE: SERVICE_PACKAGE.path,
    Feature.INSURANCE: "/insurance-package",
    Feature.RETURN: _RETURN,
    Feature.ORDER_STATUS: _of_the_order("order-status"),
    Feature.TRACK_AND_TRACE: _of_the_order("order-status"),
    Feature.DELIVERY_DATE: _of_the_order("delivery-date"),
}
ONLINE: dict[Feature, rx.Var[str]] = {feature: rx.Var.create(path).to(str) for feature, path in _STARTS.items()}
"""Where each feature of the dashboard is arranged."""


@dataclass(frozen=True, slots=True)
class _Topic:
    """A subject: its name, what it is about, and where it leads."""

    name: Text
    note: Text
    to: rx.Var[str] | str


def _feature(feature: Feature) -> _Topic:
    return _Topic(TITLES[feature], NOTES[feature], _STARTS[feature])


_GROUPS: tuple[tuple[Text, tuple[_Topic, ...]], ...] = (
    (
        _("Your bike"),
        tuple(
            _feature(one)
            for one in (
                Feature.REPAIR,
                Feature.SERVICE,
                Feature.CLAIM,
                Feature.STATUS,
                Feature.SERVICE_PACKAGE,
                Feature.INSURANCE,
            )
        ),
    ),
    (
        _("Your order"),
        (
            _feature(Feature.ORDER_STATUS),
            _feature(Feature.DELIVERY_DATE),
            _Topic(_("Invoices"), _("See and download what you paid"), "/invoices"),
            _Topic(_("My data"), _("Address, phone number and email"), "/my-data"),
        ),
    ),
    (
        _("Returning and exchanging"),
        (
            _Topic(_("Return a bike or a part"), _("Within {return_days} days after shipping"), _RETURN),
            _Topic(_("Return accessories"), _("Lights, locks, bags and more"), ACCESSORIES.path),
            _Topic(_("Exchange"), _("For the same or another bike"), EXCHANGE.path),
            _Topic(
                _("Withdraw from your purchase"), _("Within {withdrawal_days} days, without a reason"), "/withdrawal"
            ),
            _Topic(_("Your returns"), _("See how far a return is"), "/returns"),
        ),
    ),
)


def topics() -> rx.Component:
    """Three groups; what is done in a minute online needs no call."""
    return rx.el.section(
        rx.el.h2(_("Arrange it yourself")),
        rx.el.p(_("Day and night, also when we are closed."), class_name="mt-1 text-ink-600"),
        rx.el.div(*[_group(name, entries) for name, entries in _GROUPS], class_name="mt-6 grid gap-8 lg:grid-cols-3"),
        class_name="mt-12",
    )


def _group(name: Text, entries: tuple[_Topic, ...]) -> rx.Component:
    return rx.el.div(
        rx.el.h3(name),
        rx.el.ul(
            *[_row(entry) for entry in entries],
            class_name="mt-3 divide-y divide-line overflow-hidden rounded-card border border-line bg-white",
        ),
    )


def _row(entry: _Topic) -> rx.Component:
    return rx.el.li(
        rx.el.div(
            rx.el.a(
                entry.name,
                to=entry.to,
                class_name="font-semibold text-ink no-underline after:absolute after:inset-0",
            ),
            rx.el.p(entry.note, class_name="text-sm text-ink-600"),
            class_name="min-w-0 grow",
        ),
        chevron(),
        class_name="group relative flex min-h-16 items-center gap-4 px-5 py-3 hover:bg-paper",
    )
