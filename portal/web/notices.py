"""A page with one message, for a browser without scripts whose form could not be answered with its own page."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from types import MappingProxyType

from starlette.responses import HTMLResponse

from portal.contract.models import Locale
from portal.kernel.texts import N_, gettext_for
from portal.web.small_page import small_page

_TITLE = N_("Your answers weren’t saved")
_BACK = N_("Open the page again")
_KEPT = N_("What you saved before is safe. Your browser’s back button may bring back what you typed.")
_REASONS = {
    405: N_("This form needs JavaScript. Turn it on in your browser, or ask our customer service."),
    403: N_("The form was not sent from a page of this portal."),
    413: N_("There is too much text in the form."),
    429: N_("There were too many requests in a short time. Wait a moment before you try again."),
    503: N_("We can’t reach our systems at the moment. Please try again in a minute."),
}
_OTHERWISE = N_("We couldn’t read the form.")


def not_saved(
    status: int, address: str, locale: Locale, headers: Mapping[str, str] = MappingProxyType({})
) -> HTMLResponse:
    """Say that a form was not saved, and why."""
    say = gettext_for(locale)
    below = (
        f'<p role="alert">{escape(say(_REASONS.get(status, _OTHERWISE)))}</p>'
        f'<p>{escape(say(_KEPT))}</p><p><a href="{escape(address)}">{escape(say(_BACK))}</a></p>'
    )
    return small_page(say(_TITLE), below, status, locale, headers)
