"""What belongs to a return that was sent: its label and its summary as PDF."""

from __future__ import annotations

import reflex as rx

from portal.i18n import _
from portal.pages.downloads import return_label_link, return_summary_link
from portal.pages.flow.told import told
from portal.pages.returning.kinds import said_of
from portal.pages.returning.told import unsafe_sent
from portal.states.returning import Returning
from portal.ui import LINK
from portal.vocabulary.returns import ReturnKind

_PAPER = f"{LINK} inline-flex min-h-11 items-center"


def papers(kind: ReturnKind) -> rx.Component:
    """Links to label and summary. What must not travel has no label, but advice in its place.

    Args:
        kind: of return.
    """
    name, called = told("return_id"), said_of(kind, _("Exchange label (PDF)"), _("Return label (PDF)"))
    label = rx.el.li(return_label_link(name, called, class_name=_PAPER))
    return rx.fragment(
        unsafe_sent(),
        rx.el.ul(
            rx.cond(Returning.unsafe, rx.fragment(), label),
            rx.el.li(return_summary_link(name, _("Summary (PDF)"), class_name=_PAPER)),
            class_name="mt-4 flex flex-wrap gap-x-8 gap-y-1",
        ),
    )
