"""What every login by order number and e-mail address has in common: its fields, and why it is refused."""

from __future__ import annotations

import reflex as rx

from portal.domain.codes import MESSAGES, Code
from portal.i18n import Text, _
from portal.pages.login_parts import Answer, alert, notification, way_out
from portal.pages.messages import field_message
from portal.settings import settings
from portal.ui import illustrations, popup, text_field

NOTIFICATIONS = {
    Code.INVALID_CREDENTIALS.value: notification(MESSAGES[Code.INVALID_CREDENTIALS]),
    # These are answers, not failures: the page explains them.
    **dict.fromkeys(code.value for code in (Code.LEASE_ORDER_NOT_ALLOWED, Code.NOT_LEASE_ORDER, Code.OTHER_COUNTRY)),
}
"""What is said in the corner, by code."""


def pair_errors(answer: Answer) -> dict[str, rx.Var[str]]:
    """What is wrong with the two fields."""
    return {
        "order_number": field_message(
            answer.field("order_number"),
            _("Order number"),
            invalid_order_id=_("Invalid order id format"),
        ),
        "email": field_message(answer.field("email"), _("Email address"), invalid_email=_("Invalid email format")),
    }


def pair_fields(errors: dict[str, rx.Var[str]]) -> list[rx.Component]:
    """Order number and e-mail address."""
    return [
        text_field(
            "order_number",
            _("Order number"),
            hint=_("Starts with an 8 or a 9"),
            error=errors["order_number"],
            input_mode="numeric",
            width="max-w-60",
            after=popup(_("Where do I find my order number?"), _("Your order number"), *_order_number_help()),
        ),
        text_field(
            "email",
            _("Email address"),
            hint=_("The address you ordered with"),
            error=errors["email"],
            kind="email",
            autocomplete="email",
        ),
    ]


def account_refusals(answer: Answer) -> dict[Code, rx.Component]:
    """Fields that are wrong, and customers who are in the wrong place."""
    fields_only = rx.fragment()
    return {
        # Wrong fields are listed in the summary.
        **dict.fromkeys((Code.INVALID_INPUT, Code.REQUIRED, Code.INVALID_EMAIL, Code.INVALID_ORDER_ID), fields_only),
        Code.INVALID_CREDENTIALS: alert(
            answer,
            _(MESSAGES[Code.INVALID_CREDENTIALS]),
            rx.el.p(
                _("Check the order number on your invoice, and use the email address you ordered with."),
                class_name="mt-2",
            ),
        ),
        Code.LEASE_ORDER_NOT_ALLOWED: way_out(
            answer,
            _("You have a lease bike"),
            _("Repairs, service and damage of lease bikes are arranged in the lease portal."),
            _("Go to the lease portal"),
            str(settings().lease_portal_url),
        ),
        Code.OTHER_COUNTRY: way_out(
            answer,
            _("Your order is from another country"),
            _(MESSAGES[Code.OTHER_COUNTRY]),
            _("Go to the right shop"),
            "",
        ),
    }


def explained_picture(drawing: rx.Component, description: Text) -> rx.Component:
    """A drawing that says where to look."""
    return rx.el.div(drawing, class_name="rounded-card bg-paper py-6", role="img", aria_label=description)


def _order_number_help() -> list[rx.Component]:
    return [
        explained_picture(
            illustrations.invoice("mx-auto h-auto w-56"), _("An invoice, with the order number at the top left")
        ),
        rx.el.p(_("Your order number is on the invoice, at the top left. It starts with an 8 or a 9.")),
        rx.el.p(_("You received the invoice by email when your order was shipped."), class_name="text-ink-600"),
    ]
