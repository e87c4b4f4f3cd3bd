"""The address check: the address we know, or another one."""

from __future__ import annotations

from typing import Any

import reflex as rx

from portal.domain.countries import NAMES, PICKUP_COUNTRIES
from portal.domain.flow import Field
from portal.flows.address import ADDRESS, KNOWN, OTHER, PARTS
from portal.i18n import _, choice
from portal.pages.flow.fields import answer, asked, group, option_of
from portal.pages.flow.screens import StepFields
from portal.pages.flow.words import error_of
from portal.states.address_choice import AddressChoice, AddressView
from portal.ui import Fact, Option, option_card, text_field

_COUNTRIES = {country.value: NAMES[country] for country in PICKUP_COUNTRIES}


def address_body(
    fields: StepFields, *, on_place: Any = None, door: str = "", name: rx.Var[str] | None = None
) -> rx.Component:
    """One press for who lives where we think; the others type their address once.

    Args:
        fields: of the step that `address_step` makes.
        on_place: told which of both it is, and which country is chosen.
        door: the field for the name at the door, where the step asks for one.
        name: proposed for it.
    """
    which, phone = fields[ADDRESS], fields["phone"]
    told: dict[str, Any] = {} if on_place is None else {"on_change": on_place}
    typed = rx.el.div(
        *([_door(fields[door], name)] if name is not None else []),
        rx.el.div(asked(fields["country_code"], **told), class_name="max-w-80"),
        rx.el.div(
            rx.el.div(asked(fields["post_code"]), class_name="w-36 max-sm:w-full"),
            rx.el.div(asked(fields["house_number"], width="max-w-32"), class_name="sm:w-32 max-sm:w-full"),
            rx.el.div(asked(fields["house_number_addon"]), class_name="w-52 max-sm:grow"),
            class_name="flex flex-wrap items-end gap-x-4 gap-y-6",
        ),
        asked(fields["street"]),
        asked(fields["city"]),
        class_name="space-y-6",
    )
    known = Option(KNOWN, _lines(AddressChoice.known))
    choices = rx.fragment(
        option_card(which.name, known, checked=answer(which.name) == KNOWN, **told),
        rx.el.div(
            option_of(which, OTHER, _("Another address"), **told),
            rx.el.div(typed, class_name="reveal"),
            class_name="reveals",
        ),
    )
    number = rx.cond(answer(phone.name) == "", AddressChoice.phone, AddressChoice.called).to(str)
    return rx.fragment(
        rx.cond(AddressChoice.known.street == "", typed, group(which, choices, legend=None, columns="")),
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


def _door(entry: Field, proposed: rx.Var[str]) -> rx.Component:
    return asked(entry, value=rx.cond(answer(entry.name) == "", proposed, answer(entry.name)).to(str))


def address_rows(fields: StepFields) -> list[Fact]:
    """The address on the check page."""
    fields.take(ADDRESS, *PARTS, "phone")
    return [Fact(_("Address"), _lines(AddressChoice.home)), Fact(_("Phone number"), AddressChoice.called)]


def _lines(address: rx.vars.ObjectVar[AddressView]) -> rx.Component:
    return rx.el.span(
        rx.el.span(address.street, class_name="block"),
        rx.el.span(address.city, class_name="block"),
        rx.el.span(choice(address.country_code, _COUNTRIES), class_name="block"),
    )
