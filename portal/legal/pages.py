"""The pages with the privacy statement, the terms and conditions, and the accessibility statement."""

from __future__ import annotations

from collections.abc import Callable

import reflex as rx

from portal import ui
from portal.frontend.layout import ACCESSIBILITY, PRIVACY, TERMS, LegalLink, title
from portal.frontend.registry import PageRoute
from portal.i18n import LANGUAGE, Text, shop_term
from portal.kernel import terms
from portal.kernel.address import readable_phone
from portal.legal.markdown import RenderedText, render_text
from portal.setting_groups import LegalText
from portal.settings import Settings, settings

_PERIODS = ("session_days", "link_days", "code_days", "idempotency_days", "import_days", "export_days")


def text_values(options: Settings) -> dict[str, Text]:
    """The values of names in braces in the legal texts: the shop, the retention periods and the terms of the portal."""
    shown = {
        **options.brand.model_dump(exclude={"phone"}),
        "phone": readable_phone(options.brand.phone),
        "phone_number": options.brand.phone,
        **options.retention.model_dump(),
        **{name: getattr(terms, name.upper()) for name in _PERIODS},
        **terms.IN_TEXTS,
    }
    return {name: shop_term(name) if name in terms.OF_SHOPS else str(value) for name, value in shown.items()}


def privacy() -> rx.Component:
    return _page(settings().legal.privacy)


def terms_and_conditions() -> rx.Component:
    return _page(settings().legal.terms)


def accessibility() -> rx.Component:
    return _page(settings().legal.accessibility)


def _page(text: LegalText) -> rx.Component:
    values = text_values(settings())
    return ui.page_frame(
        rx.cond(LANGUAGE == "en", _article(render_text(text.en, values)), _article(render_text(text.nl, values))),
        narrow=True,
    )


def _article(text: RenderedText) -> rx.Component:
    return rx.el.article(rx.el.h1(text.heading, tab_index=-1), *text.body)


def _route(link: LegalLink, body: Callable[[], rx.Component]) -> PageRoute:
    return PageRoute(link.path.removeprefix("/"), body, title(link.name), protected=False, for_both=True)


PAGES = [_route(PRIVACY, privacy), _route(TERMS, terms_and_conditions), _route(ACCESSIBILITY, accessibility)]
