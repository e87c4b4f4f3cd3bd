"""Where the shop says something else of a customer than the portal: a notice on the pages that show the customer."""

from __future__ import annotations

from typing import Any

import reflex as rx

from portal.desk.session import may
from portal.i18n import _, choice
from portal.staff.api import ShopValue
from portal.vocabulary.customers import CUSTOMER_LABELS
from portal.vocabulary.staff import Right


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
