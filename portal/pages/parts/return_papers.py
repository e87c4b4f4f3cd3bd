"""The papers of a return (part-2 §2)."""

from __future__ import annotations

from typing import Any

import reflex as rx

from portal.i18n import _
from portal.pages.downloads import return_label_link, return_summary_link
from portal.pages.parts.return_texts import of_kind
from portal.ui import LINK, section

_PAPER = f"{LINK} inline-flex min-h-11 items-center"


def papers(shown: Any) -> rx.Component:
    """Its label, while it travels, and what was requested."""
    label = of_kind(shown.kind, _("Download exchange label (PDF)"), _("Download return label (PDF)"))
    return rx.cond(
        ~shown.waiting,
        section(
            _("Documents"),
            rx.el.ul(
                rx.cond(
                    shown.has_label,
                    rx.el.li(return_label_link(shown.return_id, label, class_name=_PAPER)),
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
