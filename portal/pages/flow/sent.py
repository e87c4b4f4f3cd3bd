"""Where a request went and what it costs, on its confirmation."""

from __future__ import annotations

import reflex as rx

from portal.i18n import Text, _, choice
from portal.pages.flow.costs import costs_sent
from portal.pages.flow.told import receipt_text
from portal.ui import anchor, section
from portal.vocabulary.locations import HANDOVER_NAMES

_WAYS = {way.value: name for way, name in HANDOVER_NAMES.items()}


def location_sent(note: Text | None = None) -> rx.Component:
    """The service location and the costs.

    Args:
        note: what is not among the costs.
    """
    phone = receipt_text("location_phone")
    return rx.cond(
        receipt_text("location") != "",
        rx.fragment(
            section(
                _("Service location"),
                rx.el.div(
                    rx.el.p(receipt_text("location"), class_name="text-h3 font-semibold"),
                    rx.el.p(receipt_text("location_street")),
                    rx.el.p(receipt_text("location_city")),
                    rx.cond(
                        phone != "",
                        anchor(
                            phone,
                            href=f"tel:{phone}",
                            class_name="inline-flex min-h-11 items-center text-link underline tabular-nums",
                        ),
                    ),
                    rx.el.dl(
                        _fact(
                            _("Waiting time"),
                            _("{low}–{high} weeks", low=receipt_text("waiting_from"), high=receipt_text("waiting_to")),
                        ),
                        _fact(_("How your bike gets there"), choice(receipt_text("handover"), _WAYS)),
                        class_name="mt-4 flex flex-wrap gap-x-10 gap-y-3 border-t border-line pt-4",
                    ),
                    class_name="card max-w-form",
                ),
            ),
            costs_sent(note),
        ),
    )


def _fact(name: Text, value: Text) -> rx.Component:
    return rx.el.div(
        rx.el.dt(name, class_name="text-sm text-ink-600"),
        rx.el.dd(value, class_name="font-semibold tabular-nums"),
    )
