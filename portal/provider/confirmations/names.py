"""What the files of a confirmation are called in the customer's folder."""

from __future__ import annotations

from portal.provider.confirmations.confirmation import Confirmation
from portal.texts import gettext_for


def pdf_name(confirmation: Confirmation) -> str:
    """'reparatie-K7M3P9RT.pdf'."""
    return f"{_stem(confirmation)}.pdf"


def calendar_name(confirmation: Confirmation) -> str:
    """'reparatie-K7M3P9RT-afspraak.ics'."""
    _ = gettext_for(confirmation.locale)
    word = _("appointment")
    return f"{_stem(confirmation)}-{word}.ics"


def _stem(confirmation: Confirmation) -> str:
    return f"{confirmation.kind.lower().replace(' ', '-')}-{confirmation.reference}"
