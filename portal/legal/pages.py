"""The pages with the privacy statement, the terms and conditions, and the accessibility statement."""

from __future__ import annotations

from collections.abc import Callable

import reflex as rx

from portal import ui
from portal.frontend.layout import ACCESSIBILITY, PRIVACY, TERMS, LegalLink, title
from portal.frontend.registry import PageRoute
from portal.i18n import setting
from portal.kernel.terms import OF_SHOPS
from portal.legal.rendering import LOOK
from portal.reflex_adapter.var import browser_function
from portal.ui.browser import module


class _OwnText(rx.Component):
    library = module("page")
    tag = "OwnText"

    html: rx.Var[str]
    elsewhere: rx.Var[bool]


def privacy() -> rx.Component:
    return _page(PRIVACY)


def terms_and_conditions() -> rx.Component:
    return _page(TERMS)


def accessibility() -> rx.Component:
    return _page(ACCESSIBILITY)


def _page(link: LegalLink) -> rx.Component:
    text = setting(f"legal.{link.path.removeprefix('/')}")
    periods = {name: setting(name) for name in sorted(OF_SHOPS)}
    html = browser_function("fill", module("common")).call(text, periods).to(str)
    # Another document, from which a link led here, does not have this text.
    elsewhere = (text == "") & (setting("brand") != "")
    return ui.page_frame(_OwnText.create(html=html, elsewhere=elsewhere, class_name=LOOK), narrow=True)


def _route(link: LegalLink, body: Callable[[], rx.Component]) -> PageRoute:
    return PageRoute(link.path.removeprefix("/"), body, title(link.name), protected=False, for_both=True)


PAGES = [_route(PRIVACY, privacy), _route(TERMS, terms_and_conditions), _route(ACCESSIBILITY, accessibility)]
