"""Parts of pages with a customer's data: forms of corrections, differing values of the shop, and hidden numbers.

A hidden number is in the state of the tab only while it is on the screen, and never in a log or an address.
"""

import asyncio
from collections.abc import Awaitable
from typing import Any

import reflex as rx

from portal import ui
from portal.contract.errors import NotAuthenticated, ProviderError
from portal.contract.registry import ask
from portal.desk.forms import check_box, desk_form
from portal.desk.session import StaffSession, may, session_ended, session_token
from portal.desk.state import DeskForms
from portal.desk.views import keep_typed
from portal.frontend.load import Form, text_in
from portal.frontend.policies import staff
from portal.frontend.texts import field_message, message
from portal.i18n import Text, _, choice, ngettext
from portal.kernel.codes import Code
from portal.staff.api.customers import (
    MAX_REASON,
    CustomersApi,
    FinancialEntry,
    PinCodeEntry,
    Revealed,
    RevealReason,
    ShopValue,
)
from portal.vocabulary.cases import KIND_OF_PATH
from portal.vocabulary.customers import CUSTOMER_LABELS
from portal.vocabulary.staff import REASON_REQUIRED, REVEALED_BY, HiddenNumber, Right

FRAME = "frame"
FRAME_FIELDS = (f"{FRAME}-frame_number", f"{FRAME}-reason")


def frame_errors(page: type[DeskForms]) -> dict[str, rx.Var[str]]:
    return {
        FRAME_FIELDS[0]: field_message(
            page.errors.get(FRAME_FIELDS[0], "").to(str), _("Frame number"), Code.INVALID_FRAME_NUMBER
        ),
        FRAME_FIELDS[1]: reason_error(page, FRAME),
    }


def frame_form(page: type[DeskForms], number: rx.Var[str], on_send: Any) -> rx.Component:
    errors = frame_errors(page)
    return desk_form(
        page,
        ui.muted(rx.cond(number != "", _("Now: {number}", number=number), _("Now: unknown")), look="tabular-nums"),
        keep_typed(
            ui.text_field(
                FRAME_FIELDS[0],
                _("Frame number"),
                hint=_("Letters and digits, as they appear on the frame"),
                error=errors[FRAME_FIELDS[0]],
                width="max-w-72 uppercase",
                max_length=60,
            ),
            ui.stack(check_box(f"{FRAME}-unknown", _("No one knows the number")), top=2),
            ui.stack(reason_field(page, FRAME, needed=False), top=2),
            name=FRAME,
            sent=page.sent,
        ),
        notice_to_customer(
            _(
                "The customer isn’t emailed. With a number, the customer can choose the bike in "
                "requests again straight away; without one, they can’t."
            )
        ),
        on_send=on_send,
        send=_("Save the frame number"),
        name=FRAME,
        style="secondary",
        class_name="space-y-3",
    )


def reason_field(page: type[DeskForms], form: str, *, needed: bool) -> rx.Component:
    return ui.text_area(
        f"{form}-reason",
        _("Reason"),
        minimum=1 if needed else 0,
        maximum=MAX_REASON,
        hint=_("It goes into the audit log; the customer doesn’t see it"),
        error=reason_error(page, form),
        rows=2,
        optional=not needed,
    )


def reason_error(page: type[DeskForms], form: str) -> rx.Var[str]:
    return field_message(page.errors.get(f"{form}-reason", "").to(str), _("Reason"), Code.TOO_LONG)


def notice_to_customer(text: Text | rx.Component) -> rx.Component:
    return ui.text(text, look="rounded-control bg-paper-2 px-3 py-2 text-sm")


def email_refused_notice(refused: Any) -> rx.Component:
    text = _("The last mail to this address came back. Ask the customer for another one by phone.")
    return ui.text(text, look="notice my-2 border-warn-line bg-warn-bg text-sm", shown=refused)


def shop_values_notice(values: Any) -> rx.Component:
    values = values.to(list[ShopValue])
    return rx.cond(
        values,
        rx.el.div(
            ui.item_list(values, _line, gap=1),
            ui.text(
                _("Your correction counts, even if the shop says otherwise."),
                look="text-sm",
                top=2,
                shown=may(Right.CORRECT_CUSTOMERS),
            ),
            class_name="notice my-2 border-warn-line bg-warn-bg",
        ),
    )


def _line(value: Any) -> rx.Component:
    return rx.el.li(
        rx.el.span(
            rx.cond(
                value.about != "", rx.fragment(value.about, ", ", value.field), choice(value.field, CUSTOMER_LABELS)
            ),
            ": ",
            class_name="font-semibold",
        ),
        rx.cond(
            value.shop != "",
            rx.cond(
                value.portal != "",
                _("the shop says ‘{shop}’, the portal ‘{portal}’", shop=value.shop, portal=value.portal),
                _("the shop says ‘{shop}’, the portal nothing", shop=value.shop),
            ),
            _("the shop says nothing, the portal ‘{portal}’", portal=value.portal),
        ),
        key=value.about.to(str) + value.field.to(str),
    )


SHOWN_SECONDS = 30
OF_BIKE = "bike"
"""Takes the place of the kind of case where a number is that of a bike."""

_REASON = "reveal-reason"
_NAMES: dict[HiddenNumber, Text] = {
    HiddenNumber.PIN_CODE: _("Pin code"),
    HiddenNumber.IBAN: _("Account number (IBAN)"),
    HiddenNumber.POLICY_NUMBER: _("Policy number"),
}
_SHOW: dict[HiddenNumber, Text] = {
    HiddenNumber.PIN_CODE: _("Show the pin code"),
    HiddenNumber.IBAN: _("Show the account number"),
    HiddenNumber.POLICY_NUMBER: _("Show the policy number"),
}


class Reveal(rx.State):
    """What is shown in this tab; one number at a time. A key is the kind of number and whose it is.

    `shown`: key of the number that is shown; `value` is the number, empty if none is stored any more.
    """

    asking: rx.Field[str] = rx.field("")
    shown: rx.Field[str] = rx.field("")
    value: rx.Field[str] = rx.field("")
    reason_error: rx.Field[str] = rx.field("")
    refused: rx.Field[str] = rx.field("")
    refusal: rx.Field[str] = rx.field("")
    answered: rx.Field[int] = rx.field(0)
    attempt: rx.Field[int] = rx.field(0)
    _turn: int = 0

    @rx.event
    @staff(Right.SEE_CASES)
    def hide(self) -> None:
        self._clear()

    @rx.event(background=True)
    @staff(Right.SEE_CASES)
    async def begin(self, what: str, about: str) -> None:
        if what not in set(HiddenNumber):
            return
        key = f"{what} {about[:80]}"
        async with self:
            self._clear()
            role = (await self.get_state(StaffSession)).role
            if role in REASON_REQUIRED.get(REVEALED_BY[HiddenNumber(what)], ()):
                self.asking = key
                return
        await self._show(key, "")

    @rx.event(background=True)
    @staff(Right.SEE_CASES)
    async def give_reason(self, form: Form) -> None:
        async with self:
            key = self.asking
        if key:
            await self._show(key, text_in(form, _REASON))

    async def _show(self, key: str, reason: str) -> None:
        try:
            async with self:
                token = session_token(self)
            found = await _revealed(token, key, reason)
        except ProviderError as error:
            await self._refuse(key, error)
            return
        async with self:
            self._clear()
            self.shown, self.value = key, found.value
            turn = self._turn
        await asyncio.sleep(SHOWN_SECONDS)
        async with self:
            if self._turn == turn:
                self._clear()

    async def _refuse(self, key: str, error: ProviderError) -> None:
        async with self:
            self.reason_error = error.fields["reason"].value if "reason" in error.fields else ""
            self.refused, self.refusal = ("", "") if self.reason_error else (key, error.code.value)
            self.answered += 1
            self.attempt += 1
            if isinstance(error, NotAuthenticated):
                await session_ended(self)

    def _clear(self) -> None:
        self.asking = self.shown = self.value = self.reason_error = self.refused = self.refusal = ""
        self._turn += 1
        self.answered += 1


def _revealed(token: str, key: str, reason: str) -> Awaitable[Revealed]:
    name, _space, about = key.partition(" ")
    what, (kind, _slash, identifier) = HiddenNumber(name), about.partition("/")
    api = ask(CustomersApi)
    if kind == OF_BIKE:
        of_bike = api.reveal_bike_pin_code if what is HiddenNumber.PIN_CODE else api.reveal_bike_policy_number
        return of_bike(token, identifier[:40], RevealReason(reason=reason))
    case = {"kind": KIND_OF_PATH.get(kind, "unknown"), "reference": identifier[:40], "reason": reason}
    if what is HiddenNumber.PIN_CODE:
        return api.reveal_pin_code(token, PinCodeEntry.model_validate(case))
    return api.reveal_financial(token, FinancialEntry.model_validate({**case, "what": what}))


def hides_on_leaving() -> rx.Component:
    """Hides what is shown when the page is left. Every page with hidden numbers has one."""
    return rx.el.span(on_unmount=Reveal.hide, class_name="hidden")


def hidden_pairs(hidden: Any, about: rx.Var[str]) -> list[ui.Fact]:
    """The hidden numbers of a case or a bike, each with its button, for `pairs`."""
    return [ui.Fact(_NAMES[what], _hidden(what, about), shown=hidden.contains(what.value)) for what in HiddenNumber]


def _hidden(what: HiddenNumber, about: rx.Var[str]) -> rx.Component:
    key = rx.Var.create(f"{what.value} ").to(str) + about.to(str)
    number = rx.el.span(
        rx.cond(Reveal.value != "", Reveal.value, _("Nothing is stored")),
        class_name="font-semibold",
        custom_attrs={"data-revealed": ""},
    )
    shown = rx.el.span(
        rx.el.span(
            number,
            " ",
            rx.el.span(
                ngettext("Hidden again after {n} second", "Hidden again after {n} seconds", SHOWN_SECONDS),
                class_name="text-sm text-ink-600",
            ),
            role="status",
        ),
        ui.action_button(_("Hide"), Reveal.hide, "text"),
        class_name="flex flex-wrap items-center gap-x-3",
    )
    button = rx.el.span(
        rx.el.span("••••", aria_hidden="true"),
        ui.action_button(_("Reveal"), Reveal.begin(what.value, about), "text", aria_label=_SHOW[what]),
        class_name="flex flex-wrap items-center gap-x-3",
    )
    hidden = rx.cond(Reveal.asking == key, _reason_form(what, key), button)
    return rx.cond(
        may(REVEALED_BY[what]),
        rx.el.div(
            rx.cond(Reveal.shown == key, shown, hidden),
            ui.notice_on_failure(Reveal.refused == key, message(Reveal.refusal), Reveal.attempt),
        ),
        rx.el.span(_("Hidden"), class_name="text-ink-600"),
    )


def _reason_form(what: HiddenNumber, key: rx.Var[str]) -> rx.Component:
    """The form that asks why. Who leaves without an answer sees nothing."""
    label = _("Why do you need it?")
    return ui.event_form(
        ui.text_field(
            _REASON,
            label,
            hint=_("Your answer goes into the audit log"),
            error=field_message(Reveal.reason_error, label, Code.TOO_LONG),
            max_length=MAX_REASON + 1,
            auto_focus=True,
        ),
        ui.row(ui.submit_button(_SHOW[what], wide=False), ui.action_button(_("Cancel"), Reveal.hide, "text"), gap=2),
        on_send=Reveal.give_reason,
        answered=Reveal.answered,
        key=key,
        class_name="space-y-2",
    )
