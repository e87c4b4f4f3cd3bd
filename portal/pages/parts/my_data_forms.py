"""The forms behind "Wijzig": one for each section of the customer's data."""

from __future__ import annotations

from typing import Any

import reflex as rx

from portal.domain.codes import Code
from portal.domain.countries import ACCOUNT_COUNTRIES, NAMES
from portal.i18n import Text, _
from portal.pages.messages import field_message, refusal
from portal.pages.parts.form_helps import unsaved_guard
from portal.states.my_data import MyData
from portal.ui import action_button, event_form, notice_on_failure, select_field, submit_button, text_field

_DATA: Any = MyData.data

_LABELS: dict[str, Text] = {
    "first_name": _("First name"),
    "prefix": _("Prefix"),
    "last_name": _("Last name"),
    "country_code": _("Country"),
    "post_code": _("Postcode"),
    "house_number": _("House number"),
    "house_number_addon": _("Addition"),
    "street": _("Street"),
    "city": _("City"),
    "phone": _("Phone number"),
}
_CODES: dict[str, tuple[Code, ...]] = {
    "country_code": (Code.INVALID_COUNTRY,),
    "post_code": (Code.INVALID_POSTCODE, Code.TOO_LONG),
    "house_number": (Code.INVALID_HOUSE_NUMBER, Code.TOO_LONG),
    "phone": (Code.INVALID_PHONE, Code.TOO_LONG),
}
ERRORS: dict[str, rx.Var[str]] = {
    name: field_message(MyData.errors[name], label, *_CODES.get(name, (Code.TOO_LONG,)))
    for name, label in _LABELS.items()
}
"""What is wrong with each field, in the words that stand beside it."""


def _field(name: str, value: rx.Var[str], *, autocomplete: str = "off", **props: Any) -> rx.Component:
    return text_field(name, _LABELS[name], error=ERRORS[name], value=value, autocomplete=autocomplete, **props)


def _form(*fields: rx.Component) -> rx.Component:
    return event_form(
        notice_on_failure(
            MyData.refusal != "",
            refusal(code=MyData.refusal),
            MyData.attempt,
            rx.el.p(_("What you filled in is still here."), class_name="mt-2"),
        ),
        *fields,
        rx.el.div(
            submit_button(_("Save")),
            action_button(_("Cancel"), MyData.cancel),
            class_name="flex flex-wrap gap-3 pt-2 max-md:flex-col",
        ),
        unsaved_guard(),
        on_send=MyData.save,
        answered=MyData.answered,
        class_name="mt-4 space-y-5",
    )


def name_form() -> rx.Component:
    """First name, prefix and last name."""
    return _form(
        _field("first_name", _DATA.first_name, autocomplete="given-name", auto_focus=True),
        _field("prefix", _DATA.prefix, optional=True, width="max-w-48", hint=_("Such as van der")),
        _field("last_name", _DATA.last_name, autocomplete="family-name"),
    )


def address_form() -> rx.Component:
    """The country first: it decides what a postcode looks like."""
    return _form(
        select_field(
            "country_code",
            _LABELS["country_code"],
            [(country.value, _(NAMES[country])) for country in ACCOUNT_COUNTRIES],
            error=ERRORS["country_code"],
            value=_DATA.country_code,
            autocomplete="country",
            width="max-w-80",
            auto_focus=True,
        ),
        _field(
            "post_code",
            _DATA.post_code,
            autocomplete="postal-code",
            width="max-w-48",
            hint=_("Such as 1234 AB or 1000"),
        ),
        rx.el.div(
            _field("house_number", _DATA.house_number, input_mode="numeric", width="max-w-48"),
            _field("house_number_addon", _DATA.house_number_addon, optional=True, width="max-w-48"),
            class_name="grid max-w-[26rem] items-end gap-x-4 gap-y-5 sm:grid-cols-2",
        ),
        _field("street", _DATA.street),
        _field("city", _DATA.city),
    )


def contact_form() -> rx.Component:
    """The phone number, for the driver and the mechanic."""
    return _form(
        _field(
            "phone",
            _DATA.phone,
            kind="tel",
            autocomplete="tel",
            optional=True,
            width="max-w-80",
            hint=_("For the driver and the mechanic"),
            auto_focus=True,
        ),
    )
