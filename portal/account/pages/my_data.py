"""Own data: shown, and changed a section at a time (part-1 §2 Account area)."""

from __future__ import annotations

from typing import Any

import reflex as rx

from portal.i18n import Text, _
from portal.pages.layout import title
from portal.pages.parts.email_change import email_errors, email_row
from portal.pages.parts.faces import loaded
from portal.pages.parts.form_helps import focus_box
from portal.pages.parts.my_data_forms import ERRORS, address_form, contact_form, name_form
from portal.pages.parts.texts import country_name
from portal.pages.registry import Page
from portal.states.email_change import EmailChange
from portal.states.my_data import MyData
from portal.ui import Fact, card, error_summary, fact_list, notice, page_frame, skeleton_cards, text_link

_DATA: Any = MyData.data


def my_data() -> rx.Component:
    """The customer's own data in three sections."""
    return page_frame(
        loaded(
            MyData,
            rx.el.div(
                _saved(),
                _section("name", _("Name"), _name(), name_form()),
                _section("address", _("Address"), _address(), address_form()),
                _section("contact", _("Contact"), _contact(), contact_form(), below=email_row()),
                rx.el.p(
                    text_link(_("View your orders"), "/orders"),
                    rx.el.span("·", class_name="mx-3", aria_hidden="true"),
                    text_link(_("View your invoices"), "/invoices"),
                ),
                class_name="mt-8 max-w-[46rem] space-y-5",
            ),
            failure=_("Customer data could not be loaded."),
            waiting=skeleton_cards(3, "h-56", "max-w-[46rem] gap-5 mt-8"),
        ),
        title=_("My data"),
        lead=_("We use this to deliver, to make appointments and to reach you."),
        above=error_summary({**ERRORS, **email_errors()}, (MyData.attempt + EmailChange.attempt).to(int)),
    )


def _saved() -> rx.Component:
    return rx.cond(
        MyData.saved != "",
        focus_box(
            notice(
                rx.cond(
                    MyData.saved == "email",
                    _("From now on you log in with this address."),
                    _("We use the new data from now on."),
                ).to(str),
                title=rx.cond(
                    MyData.saved == "email", _("Your email address has been changed"), _("Your data has been saved")
                ).to(str),
                tone="ok",
                announced=True,
            ),
            attempt=1,
        ),
    )


def _section(
    key: str, name: Text, shown: rx.Component, form: rx.Component, below: rx.Component | None = None
) -> rx.Component:
    change = rx.el.button(
        _("Change"),
        rx.el.span(" ", name, class_name="sr-only"),
        type="button",
        on_click=MyData.edit(key),
        auto_focus=MyData.left == key,
        class_name="btn-text",
    )
    return card(
        rx.el.div(
            rx.el.h2(name, class_name="text-h3"),
            rx.cond(MyData.editing == key, rx.fragment(), change),
            class_name="flex min-h-11 items-center justify-between gap-4",
        ),
        rx.cond(MyData.editing == key, form, rx.el.div(shown, class_name="mt-2")),
        *([below] if below is not None else []),
        class_name="md:p-8",
    )


def _name() -> rx.Component:
    return fact_list(
        [
            Fact(_("First name"), _DATA.first_name),
            Fact(_("Prefix"), _DATA.prefix, shown=_DATA.prefix != ""),
            Fact(_("Last name"), _DATA.last_name),
        ]
    )


def _address() -> rx.Component:
    return fact_list(
        [
            Fact(_("Street"), _DATA.street),
            Fact(_("House number"), _DATA.house_number),
            Fact(_("Addition"), _DATA.house_number_addon, shown=_DATA.house_number_addon != ""),
            Fact(_("Postcode"), _DATA.post_code),
            Fact(_("City"), _DATA.city),
            Fact(_("Country"), country_name(_DATA.country_code)),
        ]
    )


def _contact() -> rx.Component:
    return fact_list([Fact(_("Phone number"), _DATA.phone)])


PAGES = [
    Page(
        "my-data",
        my_data,
        title(_("My data"), failed=(MyData.errors.length() > 0) | (EmailChange.problem != "")),
        on_load=[MyData.load],
    )
]
