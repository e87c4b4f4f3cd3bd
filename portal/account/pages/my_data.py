"""The page with the customer's own data, edited one section at a time (part-1 §2 Account area)."""

from __future__ import annotations

from typing import Any

import reflex as rx

from portal.account.pages.state import ADDRESS, CODE, EmailChangePage, MyData
from portal.contract.session import CustomerAddress
from portal.frontend.layout import title
from portal.frontend.load_views import loaded
from portal.frontend.registry import PageRoute
from portal.frontend.texts import country_name, field_message, refusal
from portal.i18n import Text, _, choice, moment
from portal.kernel.address import ACCOUNT_COUNTRIES, NAMES
from portal.kernel.codes import MESSAGES, Code
from portal.ui import (
    Fact,
    action_button,
    card,
    error_summary,
    event_form,
    fact_list,
    notice,
    notice_on_failure,
    page_frame,
    select_field,
    skeleton_cards,
    submit_button,
    text_field,
    text_link,
)
from portal.ui.forms import focus_box, unsaved_guard, wait_note
from portal.vocabulary.customers import ADDRESS_LABELS, NAME_LABELS

_LABELS: dict[str, Text] = {name: _(label) for name, label in {**NAME_LABELS, **ADDRESS_LABELS}.items()}

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


def _field(name: str, value: rx.Var[str], *, autocomplete: str = "off", **props: Any) -> rx.Component:
    return text_field(name, _LABELS[name], error=ERRORS[name], value=value, autocomplete=autocomplete, **props)


def _form(*fields: rx.Component) -> rx.Component:
    return event_form(
        notice_on_failure(
            MyData.refusal != "",
            refusal(code=MyData.refusal),
            MyData.attempt,
            rx.el.p(_("Everything you filled in is still here."), class_name="mt-2"),
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
    return _form(
        _field("first_name", _DATA.first_name, autocomplete="given-name", auto_focus=True),
        _field("prefix", _DATA.prefix, optional=True, width="max-w-48", hint=_("For example van der")),
        _field("last_name", _DATA.last_name, autocomplete="family-name"),
    )


def address_form() -> rx.Component:
    """The address form. The country comes first because it determines the format of the postcode."""
    return _form(
        select_field(
            "country_code",
            _LABELS["country_code"],
            [(country.value, _(NAMES[country])) for country in ACCOUNT_COUNTRIES],
            error=ERRORS["country_code"],
            value=_ADDRESS.country_code,
            autocomplete="country",
            width="max-w-80",
            auto_focus=True,
        ),
        _field(
            "post_code",
            _ADDRESS.post_code,
            autocomplete="postal-code",
            width="max-w-48",
            hint=_("For example 1234 AB or 1000"),
        ),
        rx.el.div(
            _field("house_number", _ADDRESS.house_number, input_mode="numeric", width="max-w-48"),
            _field("house_number_addon", _ADDRESS.house_number_addon, optional=True, width="max-w-48"),
            class_name="grid max-w-[26rem] items-end gap-x-4 gap-y-5 sm:grid-cols-2",
        ),
        _field("street", _ADDRESS.street),
        _field("city", _ADDRESS.city),
    )


def contact_form() -> rx.Component:
    return _form(
        _field(
            "phone",
            MyData.phone,
            kind="tel",
            autocomplete="tel",
            optional=True,
            width="max-w-80",
            hint=_("For the driver and the mechanic"),
            auto_focus=True,
        ),
    )


_DATA = MyData.data
_ADDRESS = _DATA.address.to(CustomerAddress)


def my_data() -> rx.Component:
    return page_frame(
        loaded(
            MyData,
            rx.el.div(
                _saved(),
                _section("name", _("Name"), _name(), name_form()),
                _section("address", _("Address"), _address(), address_form()),
                _section("contact", _("Contact"), _contact(), contact_form(), below=email_row()),
                rx.el.div(
                    text_link(_("View your orders"), "/orders"),
                    text_link(_("View your invoices"), "/invoices"),
                    text_link(_("Your passkeys"), "/my-data/passkeys"),
                    text_link(_("Download or erase your data"), "/my-data/privacy"),
                    class_name="flex flex-wrap gap-x-6 gap-y-3",
                ),
                class_name="mt-8 max-w-[46rem] space-y-5",
            ),
            failure=_("Customer data could not be loaded."),
            loading=skeleton_cards(3, "h-56", "max-w-[46rem] gap-5 mt-8"),
        ),
        title=_("My data"),
        lead=_("We use this to deliver your orders, make appointments and reach you."),
        above=error_summary({**ERRORS, **email_errors()}, (MyData.attempt + EmailChangePage.attempt).to(int)),
    )


def _saved() -> rx.Component:
    return rx.cond(
        MyData.saved != "",
        focus_box(
            notice(
                rx.cond(
                    MyData.saved == "email",
                    _("From now on, log in with this address."),
                    _("From now on we’ll use your new details."),
                ).to(str),
                title=rx.cond(
                    MyData.saved == "email", _("Your email address has been changed"), _("Your details have been saved")
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
    change = _change(name, MyData.edit(key), auto_focus=MyData.left == key)
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


def _change(name: Text, on_click: Any, **props: Any) -> rx.Component:
    hidden = rx.el.span(" ", name, class_name="sr-only")
    return rx.el.button(_("Change"), hidden, type="button", on_click=on_click, class_name="btn-text", **props)


def _name() -> rx.Component:
    return fact_list(
        [
            Fact(_LABELS["first_name"], _DATA.first_name),
            Fact(_LABELS["prefix"], _DATA.prefix, shown=_DATA.prefix != ""),
            Fact(_LABELS["last_name"], _DATA.last_name),
        ]
    )


def _address() -> rx.Component:
    return fact_list(
        [
            Fact(_LABELS["street"], _ADDRESS.street),
            Fact(_LABELS["house_number"], _ADDRESS.house_number),
            Fact(_LABELS["house_number_addon"], _ADDRESS.house_number_addon, shown=_ADDRESS.house_number_addon != ""),
            Fact(_LABELS["post_code"], _ADDRESS.post_code),
            Fact(_LABELS["city"], _ADDRESS.city),
            Fact(_LABELS["country_code"], country_name(_ADDRESS.country_code)),
        ]
    )


def _contact() -> rx.Component:
    return fact_list([Fact(_LABELS["phone"], MyData.phone)])


_FIELD_CODES = (Code.INVALID_EMAIL, Code.SAME_EMAIL, Code.REQUIRED, Code.INVALID_CODE)


def _address_error() -> rx.Var[str]:
    return choice(
        EmailChangePage.problem,
        {
            Code.REQUIRED: _("{label} is required.", label=_("Email address")),
            Code.INVALID_EMAIL: MESSAGES[Code.INVALID_EMAIL],
            Code.SAME_EMAIL: MESSAGES[Code.SAME_EMAIL],
        },
    )


def _code_error() -> rx.Var[str]:
    return choice(
        EmailChangePage.problem,
        {
            Code.INVALID_CODE: _("That code isn’t right. Check the code in your email."),
            Code.REQUIRED: _("{label} is required.", label=_("Code")),
        },
    )


def email_errors() -> dict[str, rx.Var[str]]:
    return {
        "email": rx.cond(EmailChangePage.step == ADDRESS, _address_error(), "").to(str),
        "code": rx.cond(EmailChangePage.step == CODE, _code_error(), "").to(str),
    }


def email_row() -> rx.Component:
    return rx.el.div(
        rx.el.div(
            rx.el.div(
                rx.el.h3(_("Email address"), class_name="text-base font-normal text-ink-600"),
                rx.el.p(MyData.data.email, class_name="break-words"),
                class_name="min-w-0",
            ),
            rx.cond(EmailChangePage.step == "", _change(_("Email address"), EmailChangePage.begin)),
            class_name="flex items-center justify-between gap-4",
        ),
        rx.match(
            EmailChangePage.step,
            (ADDRESS, _new_address()),
            (CODE, _email_code()),
            rx.el.p(
                _("You log in with this address, so we send it a code before anything changes."),
                class_name="mt-1 text-sm text-ink-600",
            ),
        ),
        class_name="mt-2 border-t border-line pt-4",
    )


def _failure(*further: rx.Component) -> rx.Component:
    """Errors that do not concern a field: limits, a code that no longer works, a network error."""
    about_field = rx.Var.create([code.value for code in _FIELD_CODES]).contains(EmailChangePage.problem)
    texts = {
        code: MESSAGES[code]
        for code in (Code.TOO_MANY_REQUESTS, Code.CODE_EXPIRED, Code.CODE_USED_UP, Code.SESSION_ENDED)
    }
    own = {Code.NO_CHALLENGE: _("Ask for a new code first.")}
    text = choice(EmailChangePage.problem, {**texts, **own}, MESSAGES[Code.GENERAL_ERROR])
    return notice_on_failure(
        (EmailChangePage.problem != "") & ~about_field,
        text,
        EmailChangePage.attempt,
        rx.cond(
            EmailChangePage.retry_at != "",
            rx.el.p(
                _("You can ask for a new code from {moment}.", moment=moment(EmailChangePage.retry_at)),
                class_name="mt-2",
            ),
        ),
        *further,
    )


def _new_address() -> rx.Component:
    return event_form(
        _failure(),
        text_field(
            "email",
            _("New email address"),
            hint=_("We’ll send a code to your current address first, to make sure it’s you"),
            error=_address_error(),
            value=EmailChangePage.wanted,
            kind="email",
            autocomplete="email",
            auto_focus=True,
        ),
        _buttons(_("Send code")),
        unsaved_guard(),
        on_send=EmailChangePage.request,
        answered=EmailChangePage.answered,
        class_name="mt-5 space-y-5",
    )


def _email_code() -> rx.Component:
    return rx.el.div(
        notice(
            _(
                "We’ve sent a code to {email}. Enter it to change your address to {wanted}.",
                email=EmailChangePage.sent.email,
                wanted=EmailChangePage.wanted,
            ),
            announced=True,
        ),
        event_form(
            _failure(),
            text_field(
                "code",
                _("Code"),
                hint=_("{code_digits} digits; works until {moment}", moment=moment(EmailChangePage.sent.expires_at)),
                error=_code_error(),
                autocomplete="one-time-code",
                input_mode="numeric",
                width="h-14 max-w-60 text-h3 tracking-[0.3em] tabular-nums",
                auto_focus=True,
            ),
            _buttons(_("Change email address")),
            on_send=EmailChangePage.confirm,
            answered=EmailChangePage.answered,
            class_name="mt-5 space-y-5",
        ),
        rx.el.div(
            rx.el.h4(_("Haven’t received a code?"), class_name="font-semibold"),
            rx.el.p(
                _("It can take a minute. Check your spam folder too."),
                class_name="text-ink-600",
            ),
            rx.el.div(
                action_button(_("Send a new code"), EmailChangePage.resend, "text"),
                action_button(_("Enter another address"), EmailChangePage.back, "text"),
                class_name="flex flex-wrap gap-x-6",
            ),
            wait_note(EmailChangePage.sent.resend_at.to(str)),
            rx.el.p(
                rx.cond(EmailChangePage.resent, _("We’ve sent a new code. The earlier one no longer works."), ""),
                role="status",
                class_name="mt-2 font-semibold text-ok",
            ),
            class_name="mt-8 border-t border-line pt-6",
        ),
        class_name="mt-5",
    )


def _buttons(text: rx.Var[str]) -> rx.Component:
    return rx.el.div(
        submit_button(text),
        action_button(_("Cancel"), EmailChangePage.close),
        class_name="flex flex-wrap gap-3 max-md:flex-col",
    )


PAGES = [
    PageRoute(
        "my-data",
        my_data,
        title(_("My data"), failed=(MyData.errors.length() > 0) | (EmailChangePage.problem != "")),
        on_load=[MyData.load],
    )
]
