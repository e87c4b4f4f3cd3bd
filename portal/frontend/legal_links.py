"""Links to the legal pages: in the footer of every page, and where personal data are asked for."""

from __future__ import annotations

from typing import NamedTuple

import reflex as rx

from portal.i18n import _
from portal.ui import text_link


class LegalLink(NamedTuple):
    name: rx.Var[str]
    path: str


PRIVACY = LegalLink(_("Privacy statement"), "/privacy")
TERMS = LegalLink(_("Terms and conditions"), "/terms")
ACCESSIBILITY = LegalLink(_("Accessibility"), "/accessibility")

LEGAL_LINKS = (PRIVACY, TERMS, ACCESSIBILITY)


def privacy_note(class_name: str = "") -> rx.Component:
    """A line for forms that ask for personal data: what these are used for (Regulation (EU) 2016/679, article 13)."""
    return rx.el.p(
        _("We only use your data for your request."),
        " ",
        text_link(_("How we handle your data"), PRIVACY.path),
        class_name=f"text-sm text-ink-600 {class_name}".rstrip(),
    )
