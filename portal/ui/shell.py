"""What surrounds every page: header, banners, footer, notifications (part-1 §2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import reflex as rx

from portal.i18n import Text, _
from portal.reflex_adapter.var import CONNECTION_LOST
from portal.ui.browser import module
from portal.ui.buttons import anchor
from portal.ui.footer import Shop, page_footer
from portal.ui.header import LOGOUT_FAILED, MenuItem, page_header
from portal.ui.overlays import toaster

__all__ = ["MenuItem", "ShellState", "Shop", "shell"]


@dataclass(frozen=True, slots=True)
class ShellState:
    """What the shell needs to know.

    Attributes:
        logged_in: Whether there is a session.
        signed_out: Whether the session just ended, so that the page has to be loaded anew.
        toasts: Notifications to show.
        on_dismiss_toast: Event with the id of a notification that left.
        on_language: Event with the chosen language; sent only for somebody who is logged in.
    """

    logged_in: rx.Var[bool] | bool
    signed_out: rx.Var[bool] | bool
    toasts: rx.Var[Sequence[dict[str, Any]]]
    on_dismiss_toast: Any
    on_language: Any


class _FocusOnNavigation(rx.Component):
    library = module("navigation")
    tag = "FocusOnNavigation"


class _FirstData(rx.Component):
    library = module("first")
    tag = "FirstData"


class _DocumentLanguage(rx.Component):
    library = module("language")
    tag = "DocumentLanguage"


class _Letters(rx.Component):
    library = module("page")
    tag = "Letters"


class _LogoutFailed(rx.Component):
    library = module("page")
    tag = "LogoutFailed"


class _ConnectionBanner(rx.Component):
    library = module("page")
    tag = "ConnectionBanner"

    lost: rx.Var[bool]
    offline_text: rx.Var[str]
    online_text: rx.Var[str]


class _ReloadWhen(rx.Component):
    library = module("page")
    tag = "ReloadWhen"

    when: rx.Var[bool]


class _Frame(rx.Component):
    library = module("page")
    tag = "Frame"

    before: rx.Var[rx.Component]
    after: rx.Var[rx.Component]
    fallback: rx.Var[rx.Component]


def shell(
    *,
    shop: Shop,
    menu: Sequence[MenuItem],
    open_paths: Sequence[str],
    state: ShellState,
    hours: rx.Component,
    links: Sequence[tuple[Text, str]],
    watch: rx.Component,
    broken: rx.Component,
) -> rx.Component:
    """What surrounds every page. The app adds the page as its child.

    Args:
        shop: What is said about the shop.
        menu: Lines of the menu of somebody who is logged in.
        open_paths: Paths that need no session, with a slash at the end for all below one; elsewhere the menu stands
            there from the first moment.
        state: What is known about the visitor.
        hours: Opening hours of customer service.
        links: Text and path of pages that have to be within reach from everywhere.
        watch: Watches the session and warns before its end, below the header.
        broken: What is shown instead of a page that failed.
    """
    before = rx.fragment(
        anchor(_("Skip to content"), href="#main", class_name="skip-link"),
        page_header(shop.name, shop.url, menu, open_paths, state.logged_in, state.on_language),
        _ConnectionBanner.create(
            lost=CONNECTION_LOST,
            offline_text=_("No connection. Your answers are kept; we are trying again."),
            online_text=_("Connected again."),
        ),
        _LogoutFailed.create(_(LOGOUT_FAILED)),
        watch,
    )
    after = rx.fragment(
        _FirstData.create(),
        _Letters.create(),
        page_footer(shop, hours, links),
        toaster(state.toasts, state.on_dismiss_toast),
        _DocumentLanguage.create(),
        _FocusOnNavigation.create(),
        _ReloadWhen.create(when=state.signed_out),
    )
    return _Frame.create(before=before, after=after, fallback=broken, class_name="flex min-h-dvh flex-col")
