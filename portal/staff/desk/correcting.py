"""The forms of corrections on more than one page, and the notice where the shop says something else."""

from __future__ import annotations

from typing import Any

import reflex as rx

from portal.desk.forms import check_box, refused
from portal.desk.session import may
from portal.desk.state import DeskForms
from portal.desk.views import keep_typed
from portal.frontend.texts import field_message
from portal.i18n import Text, _, choice
from portal.kernel.codes import Code
from portal.staff.api import LONGEST_REASON, ShopValue
from portal.ui import event_form, submit_button, text_area, text_field
from portal.vocabulary.customers import CUSTOMER_LABELS
from portal.vocabulary.staff import Right

FRAME = "frame"
"""Name of the form of the frame number."""

FRAME_FIELDS = (f"{FRAME}-frame_number", f"{FRAME}-reason")


def frame_errors(page: type[DeskForms]) -> dict[str, rx.Var[str]]:
    """The errors of the form of the frame number by field, for the summary."""
    return {
        FRAME_FIELDS[0]: field_message(
            page.errors.get(FRAME_FIELDS[0], "").to(str), _("Frame number"), Code.INVALID_FRAME_NUMBER
        ),
        FRAME_FIELDS[1]: reason_error(page, FRAME),
    }


def frame_form(page: type[DeskForms], number: rx.Var[str], on_send: Any) -> rx.Component:
    """The form that sets a frame number, or that it is unknown."""
    errors = frame_errors(page)
    return event_form(
        rx.el.p(
            rx.cond(number != "", _("Now: {number}", number=number), _("Now: unknown")),
            class_name="tabular-nums text-ink-600",
        ),
        keep_typed(
            text_field(
                FRAME_FIELDS[0],
                _("Frame number"),
                hint=_("Letters and digits, as they appear on the frame"),
                error=errors[FRAME_FIELDS[0]],
                width="max-w-72 uppercase",
                max_length=60,
            ),
            rx.el.div(check_box(f"{FRAME}-unknown", _("No one knows the number")), class_name="mt-2"),
            rx.el.div(reason_field(page, FRAME, needed=False), class_name="mt-2"),
            name=FRAME,
            sent=page.sent,
        ),
        notice_to_customer(
            _(
                "The customer isn’t emailed. With a number, the customer can choose the bike in "
                "requests again straight away; without one, they can’t."
            )
        ),
        refused(page, FRAME),
        submit_button(_("Save the frame number"), wide=False, style="secondary"),
        on_send=on_send,
        answered=page.answered,
        class_name="space-y-3",
    )


def reason_field(page: type[DeskForms], form: str, *, needed: bool) -> rx.Component:
    """The field for the reason, which the audit keeps."""
    return text_area(
        f"{form}-reason",
        _("Reason"),
        minimum=1 if needed else 0,
        maximum=LONGEST_REASON,
        hint=_("It goes into the audit log; the customer doesn’t see it"),
        error=reason_error(page, form),
        rows=2,
        optional=not needed,
    )


def reason_error(page: type[DeskForms], form: str) -> rx.Var[str]:
    return field_message(page.errors.get(f"{form}-reason", "").to(str), _("Reason"), Code.TOO_LONG)


def notice_to_customer(text: Text | rx.Component) -> rx.Component:
    """What the customer is told by a change, before it is sent."""
    return rx.el.p(text, class_name="rounded-control bg-paper-2 px-3 py-2 text-sm")


def shop_values_notice(values: Any) -> rx.Component:
    """What the shop says, and what decides; nothing where both agree."""
    values = values.to(list[ShopValue])
    return rx.cond(
        values,
        rx.el.div(
            rx.el.ul(rx.foreach(values, _line), class_name="space-y-1"),
            rx.cond(
                may(Right.CORRECT_CUSTOMERS),
                rx.el.p(_("Your correction counts, even if the shop says otherwise."), class_name="mt-2 text-sm"),
            ),
            class_name="notice my-2 border-warn-line bg-warn-bg",
        ),
    )


def _line(value: Any) -> rx.Component:
    return rx.el.li(
        rx.el.span(choice(value.field, CUSTOMER_LABELS), ": ", class_name="font-semibold"),
        rx.cond(
            value.shop != "",
            rx.cond(
                value.portal != "",
                _("the shop says ‘{shop}’, the portal ‘{portal}’", shop=value.shop, portal=value.portal),
                _("the shop says ‘{shop}’, the portal nothing", shop=value.shop),
            ),
            _("the shop says nothing, the portal ‘{portal}’", portal=value.portal),
        ),
        key=value.field,
    )
