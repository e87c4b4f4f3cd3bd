"""One service request (part-1 §2 Repair and service status flow)."""

from __future__ import annotations

import reflex as rx

from portal.i18n import _
from portal.pages.parts.faces import detail_title, loaded, unless_missing
from portal.pages.parts.request import request_body, request_name, request_waiting
from portal.pages.registry import Page
from portal.states.page import READY
from portal.states.request import RequestPage
from portal.ui import back_link, page_frame


def request() -> rx.Component:
    """A repair, service or claim."""
    known = RequestPage.face == READY
    return unless_missing(
        RequestPage,
        page_frame(
            loaded(
                RequestPage,
                request_body(RequestPage),
                failure=_("Your service request could not be loaded."),
                waiting=request_waiting(),
            ),
            title=rx.cond(known, request_name(RequestPage.request), _("Service request")).to(str),
            back=back_link(_("Service requests"), "/maintenance"),
        ),
    )


PAGES = [
    Page(
        "maintenance/[reference]",
        request,
        detail_title(
            RequestPage,
            rx.cond(RequestPage.face == READY, request_name(RequestPage.request), _("Service request")).to(str),
        ),
        on_load=[RequestPage.load, RequestPage.watch],
        first=RequestPage,
    )
]
