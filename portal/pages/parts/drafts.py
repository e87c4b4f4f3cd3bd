"""Requests that were begun and not sent, on the overview (flow-standard F8)."""

from __future__ import annotations

from typing import Any

import reflex as rx

from portal.flows import FLOWS
from portal.i18n import _, choice, day
from portal.states.views.flow import DraftCard
from portal.ui import confirm_button, link_button


def draft_list(drafts: rx.vars.ArrayVar[Any], on_discard: Any) -> rx.Component:
    """The requests, each with the way back into it; nothing when there are none.

    Args:
        drafts: the last one first.
        on_discard: event with the id of the request to throw away.
    """
    return rx.cond(
        drafts.length() > 0,
        rx.el.section(
            rx.el.h2(_("Go on where you left off")),
            rx.el.ul(
                rx.foreach(drafts, lambda entry: _row(entry, on_discard)),
                class_name="mt-5 divide-y divide-line overflow-hidden rounded-card border border-line bg-white",
            ),
            class_name="mt-12",
        ),
    )


def _row(entry: rx.vars.ObjectVar[DraftCard], on_discard: Any) -> rx.Component:
    return rx.el.li(
        rx.el.div(
            rx.el.h3(
                choice(entry.flow, {name: flow.title for name, flow in FLOWS.items()}),
                class_name="text-base font-semibold",
            ),
            rx.el.p(
                rx.cond(entry.name == "", "", entry.name.to(str) + " · "),
                _("Saved on {day}", day=day(entry.saved_at)),
                class_name="text-ink-600",
            ),
            class_name="min-w-0 grow",
        ),
        link_button(_("Go on"), entry.href, "secondary"),
        confirm_button(
            _("Delete"),
            _("Delete this request?"),
            _("What you filled in for this request is thrown away."),
            act=_("Delete"),
            safe=_("Keep it"),
            on_confirm=on_discard(entry.draft_id),
            style="text",
        ),
        class_name="flex flex-wrap items-center gap-x-6 gap-y-3 px-4 py-4 md:px-6",
    )
