"""How pages show the address step of the flows: the stored address or another one."""

from collections.abc import Sequence
from typing import Any

import reflex as rx

from portal import ui
from portal.account.flow import ADDRESS, KNOWN, OTHER, PARTS, AddressFacts, home, known_address
from portal.flow import AnswerContext, Field, Flow
from portal.flow.pages.fields import answer, asked, group, option_of
from portal.flow.pages.spec import StepFields, error_of
from portal.flow.pages.views import shows_field
from portal.frontend.layout import privacy_note
from portal.i18n import _, choice
from portal.kernel.address import NAMES, PICKUP_COUNTRIES, address_lines, readable_phone


class AddressChoice(rx.State):
    """The stored address and the answers of the address step, for display.

    `known`: the stored address: two lines and the country code; empty if none is usable.
    """

    known: rx.Field[list[str]] = rx.field(default_factory=list)
    phone: rx.Field[str] = rx.field("")
    home: rx.Field[list[str]] = rx.field(default_factory=list)
    called: rx.Field[str] = rx.field("")


def _shown(address: dict[str, str]) -> list[str]:
    return [*address_lines(address), address["country_code"]] if address else []


@shows_field(AddressChoice, ADDRESS)
def _choice(_flow: Flow, answers: AnswerContext) -> dict[str, object]:
    where = home(answers)
    return {
        "known": _shown(known_address(answers)),
        "phone": readable_phone(answers.part(AddressFacts).phone),
        "home": _shown(where),
        "called": readable_phone(where.get("phone", "")),
    }


_COUNTRIES = {country.value: NAMES[country] for country in PICKUP_COUNTRIES}


def address_body(
    fields: StepFields,
    *,
    on_place: Any = None,
    door: str = "",
    name: rx.Var[str] | None = None,
    street_addition: str = "",
) -> rx.Component:
    which, phone = fields[ADDRESS], fields["phone"]
    on_change: dict[str, Any] = {} if on_place is None else {"on_change": on_place}
    typed = ui.stack(
        *([_door(fields[door], name)] if name is not None else []),
        rx.el.div(asked(fields["country_code"], **on_change), class_name="max-w-80"),
        rx.el.div(
            rx.el.div(asked(fields["post_code"]), class_name="w-36 max-sm:w-full"),
            rx.el.div(asked(fields["house_number"], width="max-w-32"), class_name="sm:w-32 max-sm:w-full"),
            rx.el.div(asked(fields["house_number_addon"]), class_name="w-52 max-sm:grow"),
            class_name="flex flex-wrap items-end gap-x-4 gap-y-6",
        ),
        asked(fields["street"]),
        *[asked(entry) for entry in fields.take(street_addition)],
        asked(fields["city"]),
        gap=6,
    )
    known = ui.Option(KNOWN, _lines(AddressChoice.known))
    choices = rx.fragment(
        ui.option_card(which.name, known, checked=answer(which.name) == KNOWN, **on_change),
        ui.revealing(option_of(which, OTHER, _("Another address"), **on_change), typed),
    )
    number = rx.cond(answer(phone.name) == "", AddressChoice.phone, AddressChoice.called).to(str)
    return rx.fragment(
        rx.cond(AddressChoice.known, group(which, choices, legend=None, columns=""), typed),
        ui.text_field(
            phone.name,
            _(phone.label),
            hint=_(phone.hint),
            error=error_of(phone),
            value=number,
            kind="tel",
            autocomplete=phone.autocomplete,
            width="max-w-80",
        ),
        privacy_note(),
    )


def _door(entry: Field, proposed: rx.Var[str]) -> rx.Component:
    return asked(entry, value=rx.cond(answer(entry.name) == "", proposed, answer(entry.name)).to(str))


def address_rows(fields: StepFields) -> list[ui.Fact]:
    fields.take(ADDRESS, *PARTS, "phone")
    return [ui.Fact(_("Address"), _lines(AddressChoice.home)), ui.Fact(_("Phone number"), AddressChoice.called)]


def _lines(address: rx.vars.ArrayVar[Sequence[str]]) -> rx.Component:
    return rx.el.span(ui.line(address[0]), ui.line(address[1]), ui.line(choice(address[2], _COUNTRIES)))
