"""The papers of a return (part-2 §2)."""

from __future__ import annotations

from typing import Any

import reflex as rx

from portal.i18n import _
from portal.pages.downloads import return_label_link, return_summary_link
from portal.ui import LINK, notice, section, text_link

_PAPER = f"{LINK} inline-flex min-h-11 items-center"


def papers(shown: Any) -> rx.Component:
    """Its label, while it travels, and what was requested."""
    return rx.cond(
        ~shown.waiting,
        section(
            _("Documents"),
            _battery_first(shown),
            rx.el.ul(
                rx.cond(
                    shown.has_label,
                    rx.el.li(return_label_link(shown.return_id, _("Download return label (PDF)"), class_name=_PAPER)),
                ),
                rx.el.li(return_summary_link(shown.return_id, _("Download your request (PDF)"), class_name=_PAPER)),
                class_name="space-y-1",
            ),
            rx.cond(
                shown.has_label,
                rx.el.p(
                    _("Print the label and stick it on the package. Its QR code can also be shown on your phone."),
                    class_name="mt-2 text-ink-600",
                ),
            ),
        ),
    )


def _battery_first(shown: Any) -> rx.Component:
    """A withdrawal asks for nothing: what travels with a battery is told about it where its label is."""
    return rx.cond(
        shown.battery_first,
        rx.el.div(
            notice(
                rx.el.p(_("Is it swollen or wet, does it get hot, or did it fall hard? Then do not send it.")),
                rx.el.p(text_link(_("Contact us for safe transport"), "/contact?topic=return"), class_name="mt-2"),
                title=_("First look at the battery"),
            ),
            class_name="mb-4 max-w-form",
        ),
    )
