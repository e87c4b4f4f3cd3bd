"""The address check: the address we know, or another one."""

from __future__ import annotations

import reflex as rx

from portal.domain.countries import NAMES, PICKUP_COUNTRIES
from portal.domain.flow import Step
from portal.flows.address import KNOWN, OTHER
from portal.i18n import _, choice
from portal.pages.flow.fields import answer, asked, group, option_of
from portal.pages.flow.words import error_of
from portal.states.choices import AddressLines, Choices
from portal.ui import Fact, Option, option_card, text_field

_COUNTRIES = {country.value: NAMES[country] for country in PICKUP_COUNTRIES}


def address_body(step: Step) -> rx.Component:
    """One press for who lives where we think; the others type their address once.

    Args:
        step: made by `address_step`.
    """
    which, *others, phone = step.fields
    fields = {entry.name: entry for entry in others}
    typed = rx.el.div(
        rx.el.div(asked(fields["country_code"]), class_name="max-w-80"),
        rx.el.div(
            rx.el.div(asked(fields["post_code"]), class_name="w-36 max-sm:w-full"),
            rx.el.div(asked(fields["house_number"]), class_name="w-32"),
            rx.el.div(asked(fields["house_number_addon"]), class_name="w-44 max-sm:grow"),
            class_name="flex flex-wrap items-end gap-x-4 gap-y-6",
        ),
        asked(fields["street"]),
        asked(fields["city"]),
        class_name="space-y-6",
    )
    known = Option(KNOWN, _lines(Choices.known))
    choices = rx.fragment(
        option_card(which.name, known, checked=answer(which.name) == KNOWN),
        rx.el.div(
            option_of(which, OTHER, _("Another address")),
            rx.el.div(typed, class_name="reveal"),
            class_name="reveals",
        ),
    )
    number = rx.cond(answer(phone.name) == "", Choices.phone, Choices.called).to(str)
    return rx.fragment(
        rx.cond(Choices.known.street == "", typed, group(which, choices, legend=None, columns="")),
        text_field(
            phone.name,
            _(phone.label),
            hint=_(phone.hint),
            error=error_of(phone),
            value=number,
            kind="tel",
            autocomplete=phone.autocomplete,
            width="max-w-80",
        ),
    )


def address_rows() -> list[Fact]:
    """The address on the check page."""
    return [Fact(_("Address"), _lines(Choices.home)), Fact(_("Phone number"), Choices.called)]


def _lines(address: rx.vars.ObjectVar[AddressLines]) -> rx.Component:
    return rx.el.span(
        rx.el.span(address.street, class_name="block"),
        rx.el.span(address.city, class_name="block"),
        rx.el.span(choice(address.country_code, _COUNTRIES), class_name="block"),
    )
