"""The page with the customer's own data, edited one section at a time (part-1 §2 Account area)."""

from typing import Any

import reflex as rx

from portal import ui
from portal.account.pages.state import ADDRESS, CODE, EmailChangePage, MyData
from portal.contract.session import CustomerAddress
from portal.frontend.layout import title
from portal.frontend.load_views import loaded
from portal.frontend.registry import PageRoute
from portal.frontend.texts import country_name, field_message, refusal
from portal.i18n import Text, _, choice, moment
from portal.kernel.address import ACCOUNT_COUNTRIES, NAMES
from portal.kernel.codes import MESSAGES, Code
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
    return ui.text_field(name, _LABELS[name], error=ERRORS[name], value=value, autocomplete=autocomplete, **props)


def _form(*fields: rx.Component) -> rx.Component:
    return ui.event_form(
        ui.notice_on_failure(
            MyData.refusal != "",
            refusal(code=MyData.refusal),
            MyData.attempt,
            ui.text(_("Everything you filled in is still here."), top=2),
        ),
        *fields,
        ui.row(ui.submit_button(_("Save")), ui.action_button(_("Cancel"), MyData.cancel), look="pt-2 max-md:flex-col"),
        ui.unsaved_guard(),
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
        ui.select_field(
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
        )
    )


_DATA = MyData.data
_ADDRESS = _DATA.address.to(CustomerAddress)


def my_data() -> rx.Component:
    return ui.page_frame(
        loaded(
            MyData,
            rx.el.div(
                _saved(),
                _section("name", _("Name"), _name(), name_form()),
                _section("address", _("Address"), _address(), address_form()),
                _section(
                    "contact",
                    _("Contact"),
                    ui.facts(ui.Fact(_LABELS["phone"], MyData.phone)),
                    contact_form(),
                    below=email_row(),
                ),
                rx.el.div(
                    ui.text_link(_("View your orders"), "/orders"),
                    ui.text_link(_("View your invoices"), "/invoices"),
                    ui.text_link(_("Your passkeys"), "/my-data/passkeys"),
                    ui.text_link(_("Download or erase your data"), "/my-data/privacy"),
                    class_name="flex flex-wrap gap-x-6 gap-y-3",
                ),
                class_name="mt-8 max-w-[46rem] space-y-5",
            ),
            failure=_("Customer data could not be loaded."),
            loading=ui.skeleton_cards(3, "h-56", "max-w-[46rem] gap-5 mt-8"),
        ),
        title=_("My data"),
        lead=_("We use this to deliver your orders, make appointments and reach you."),
        above=ui.error_summary({**ERRORS, **email_errors()}, (MyData.attempt + EmailChangePage.attempt).to(int)),
    )


def _saved() -> rx.Component:
    return rx.cond(
        MyData.saved != "",
        ui.focus_box(
            ui.notice(
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
    return ui.card(
        rx.el.div(
            ui.subheading(name),
            rx.cond(MyData.editing == key, rx.fragment(), change),
            class_name="flex min-h-11 items-center justify-between gap-4",
        ),
        rx.cond(MyData.editing == key, form, ui.stack(shown, top=2)),
        *([below] if below is not None else []),
        class_name="md:p-8",
    )


def _change(name: Text, on_click: Any, **props: Any) -> rx.Component:
    hidden = ui.hidden_text(" ", name)
    return rx.el.button(_("Change"), hidden, type="button", on_click=on_click, class_name="btn-text", **props)


def _name() -> rx.Component:
    return ui.facts(
        ui.Fact(_LABELS["first_name"], _DATA.first_name),
        ui.Fact(_LABELS["prefix"], _DATA.prefix, shown=_DATA.prefix != ""),
        ui.Fact(_LABELS["last_name"], _DATA.last_name),
    )


def _address() -> rx.Component:
    return ui.facts(
        ui.Fact(_LABELS["street"], _ADDRESS.street),
        ui.Fact(_LABELS["house_number"], _ADDRESS.house_number),
        ui.Fact(_LABELS["house_number_addon"], _ADDRESS.house_number_addon, shown=_ADDRESS.house_number_addon != ""),
        ui.Fact(_LABELS["post_code"], _ADDRESS.post_code),
        ui.Fact(_LABELS["city"], _ADDRESS.city),
        ui.Fact(_LABELS["country_code"], country_name(_ADDRESS.country_code)),
    )


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
            ui.block(
                rx.el.h3(_("Email address"), class_name="text-base font-normal text-ink-600"),
                ui.text(MyData.data.email, look="break-words"),
            ),
            rx.cond(EmailChangePage.step == "", _change(_("Email address"), EmailChangePage.begin)),
            class_name="flex items-center justify-between gap-4",
        ),
        rx.match(
            EmailChangePage.step,
            (ADDRESS, _new_address()),
            (CODE, _email_code()),
            ui.small(_("You log in with this address, so we send it a code before anything changes."), top=1),
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
    return ui.notice_on_failure(
        (EmailChangePage.problem != "") & ~about_field,
        text,
        EmailChangePage.attempt,
        ui.text(
            _("You can ask for a new code from {moment}.", moment=moment(EmailChangePage.retry_at)),
            top=2,
            shown=EmailChangePage.retry_at != "",
        ),
        *further,
    )


def _new_address() -> rx.Component:
    return ui.event_form(
        _failure(),
        ui.text_field(
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
        ui.unsaved_guard(),
        on_send=EmailChangePage.request,
        answered=EmailChangePage.answered,
        class_name="mt-5 space-y-5",
    )


def _email_code() -> rx.Component:
    return ui.stack(
        ui.notice(
            _(
                "We’ve sent a code to {email}. Enter it to change your address to {wanted}.",
                email=EmailChangePage.sent.email,
                wanted=EmailChangePage.wanted,
            ),
            announced=True,
        ),
        ui.event_form(
            _failure(),
            ui.code_field(
                _("Code"),
                hint=_("{code_digits} digits; works until {moment}", moment=moment(EmailChangePage.sent.expires_at)),
                error=_code_error(),
                auto_focus=True,
            ),
            _buttons(_("Change email address")),
            on_send=EmailChangePage.confirm,
            answered=EmailChangePage.answered,
            class_name="mt-5 space-y-5",
        ),
        rx.el.div(
            rx.el.h4(_("Haven’t received a code?"), class_name="font-semibold"),
            ui.muted(_("It can take a minute. Check your spam folder too.")),
            rx.el.div(
                ui.action_button(_("Send a new code"), EmailChangePage.resend, "text"),
                ui.action_button(_("Enter another address"), EmailChangePage.back, "text"),
                class_name="flex flex-wrap gap-x-6",
            ),
            ui.wait_note(EmailChangePage.sent.resend_at.to(str)),
            ui.strong(
                rx.cond(EmailChangePage.resent, _("We’ve sent a new code. The earlier one no longer works."), ""),
                role="status",
                look="text-ok",
                top=2,
            ),
            class_name="mt-8 border-t border-line pt-6",
        ),
        top=5,
    )


def _buttons(text: rx.Var[str]) -> rx.Component:
    return ui.row(ui.submit_button(text), ui.action_button(_("Cancel"), EmailChangePage.close), look="max-md:flex-col")


PAGES = [
    PageRoute(
        "my-data",
        my_data,
        title(_("My data"), failed=(MyData.errors.length() > 0) | (EmailChangePage.problem != "")),
        on_load=[MyData.load],
    )
]
