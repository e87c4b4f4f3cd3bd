"""The battery question, and the pages of the mailed links: the one that asks it, and the one that confirms a return."""

from typing import Any

import reflex as rx

from portal import ui
from portal.flow.pages.step import binding
from portal.frontend.accounts import account_facts, chosen_way, next_steps
from portal.frontend.models import entry
from portal.frontend.registry import PageRoute
from portal.i18n import Text, _, choice, localized
from portal.kernel.codes import Code
from portal.links.pages import FollowUp, LinkWording, MailedLink, link_page, link_title
from portal.returns.flow.kinds import ORDER_RETURN
from portal.returns.pages.return_components import account_amounts
from portal.vocabulary.links import PATHS, LinkPurpose
from portal.vocabulary.returns import BATTERY_FIRST, BATTERY_INSTRUCTIONS, BATTERY_NAMES, BATTERY_QUESTION, BatteryState

BATTERY = "battery"
"""Name of the field."""

BATTERY_STATES = [state for state in BATTERY_NAMES if state is not BatteryState.FINE] + [BatteryState.FINE]
"""The choices in their order: what can be wrong comes first, "none of these" last."""


def unsafe_battery(title: Text | None = None) -> rx.Component:
    return ui.notice(
        rx.el.ul(*[rx.el.li(_(text)) for text in BATTERY_INSTRUCTIONS], class_name="mt-2 list-disc space-y-1 pl-5"),
        title=_("This battery must not travel") if title is None else title,
        tone="err",
    )


def battery_advice() -> rx.Component:
    """The same instructions; shown as soon as the answer in the surrounding form is an unsafe state."""
    return rx.el.div(
        rx.el.div(unsafe_battery(), class_name="unsafe"),
        # Present from the start, so that screen readers announce what appears in it.
        role="status",
    )


def battery_choice(error: rx.Var[str], attempt: rx.Var[int]) -> rx.Component:
    """The battery question of a withdrawal, which is asked after it is received."""
    message = choice(error, {Code.REQUIRED: _("Tell us how the battery is.")})
    return rx.fragment(
        ui.error_summary({BATTERY: message}, attempt),
        ui.choice_cards(
            BATTERY,
            _(BATTERY_QUESTION),
            [ui.Option(state.value, _(BATTERY_NAMES[state])) for state in BATTERY_STATES],
            error=message,
            columns="",
        ),
        battery_advice(),
    )


def battery_form(page: Any, *refused: rx.Component) -> rx.Component:
    return ui.event_form(
        *refused,
        battery_choice(page.battery_error, page.failures),
        ui.submit_button(_("Send answer"), _("Sending…")),
        on_send=page.answer_battery,
        answered=page.answered,
        class_name="mt-4 space-y-6",
    )


_ABOUT, _ACCOUNT = MailedLink.about, MailedLink.account
_ITEMS = entry(_ABOUT, "items").to(str)
_REQUEST = (
    ui.Fact(_("Reference number"), _ABOUT.reference, shown=_ABOUT.reference != ""),
    ui.Fact(_("Order number"), _ABOUT.order_number, shown=_ABOUT.order_number != ""),
    ui.Fact(_("Items"), rx.el.span(_ITEMS, class_name="whitespace-pre-line"), shown=_ITEMS != ""),
)
_SAFE = _ABOUT.battery == BatteryState.FINE.value
_LIST = FollowUp(_("Your returns"), "/returns")

BATTERY_WORDING = LinkWording(
    ask=_("How is the battery?"),
    promise=_(BATTERY_FIRST),
    button=_("Send answer"),
    facts=_REQUEST,
    done=rx.cond(_SAFE, _("You can send it back"), _("Don’t send it: your battery is not safe")).to(str),
    received=_("Thank you. We’ll also send you this by email."),
    next_steps=[],
    follow=_LIST,
    used=rx.cond(_SAFE, _("You can send it back"), _("Don’t send it: your battery is not safe")).to(str),
    nothing=_("Your withdrawal still stands: we’ve received it."),
    failure=_("Your answer couldn’t be sent."),
    refusals={Code.STATUS_CHANGED: _LIST},
    works=_("A link works for {battery_link_days} days."),
    question=battery_choice(MailedLink.wrong, MailedLink.failures),
    answered=rx.cond(
        _SAFE,
        rx.fragment(
            next_steps(_ACCOUNT),
            ui.card(account_facts(_ACCOUNT, _("Address")), class_name="mt-6 max-w-form py-2 [&_dl]:border-t-0"),
            ui.stack(account_amounts(_ACCOUNT), top=6),
        ),
        unsafe_battery(_("Your battery is not safe: do this now")),
    ),
    alarm=~_SAFE,
)


def battery_link() -> rx.Component:
    return link_page(BATTERY_WORDING)


CONFIRM_RETURN_WORDING = LinkWording(
    ask=_("Confirm your return"),
    promise=_("One more step: we only receive your return when you press the button."),
    button=binding(_("Confirm return"), _ABOUT.binds.bool()),
    facts=[
        *_REQUEST,
        ui.Fact(
            _("How you’re returning it"),
            rx.el.span(
                ui.line(chosen_way(_ACCOUNT.handover)), ui.line(localized(_ACCOUNT.handover.when), look="text-ink-600")
            ),
            shown=_ACCOUNT.handover.bool(),
        ),
        ui.Fact(_("Status"), localized(_ACCOUNT.status), shown=localized(_ACCOUNT.status) != ""),
    ],
    done=_("Your return is confirmed"),
    received=_("We’ve received your return. You’ll get a confirmation by email."),
    next_steps=None,
    more=ui.stack(account_amounts(_ACCOUNT), top=6),
    follow=FollowUp(_("View your return"), f"/returns/{_ABOUT.return_id}"),
    used=_("You’ve already confirmed this return"),
    nothing=_("Nothing has been requested."),
    failure=_(ORDER_RETURN.failure),
    refusals={
        Code.RETURN_REQUEST_ALREADY_EXISTS: _LIST,
        Code.INVALID_TIME: FollowUp(_("Request a return"), ORDER_RETURN.path),
    },
)


def confirm_return() -> rx.Component:
    return link_page(CONFIRM_RETURN_WORDING)


PAGES = [
    PageRoute(
        f"{PATHS[LinkPurpose.BATTERY].strip('/')}/[hash]",
        battery_link,
        link_title(BATTERY_WORDING),
        on_load=[MailedLink.load],
        protected=False,
    ),
    PageRoute(
        f"{PATHS[LinkPurpose.ORDER_RETURN].strip('/')}/[hash]",
        confirm_return,
        link_title(CONFIRM_RETURN_WORDING),
        on_load=[MailedLink.load],
        protected=False,
    ),
]
