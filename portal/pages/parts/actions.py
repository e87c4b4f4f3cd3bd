"""Tiles and buttons: open, closed with the reason and what to do instead, or available later (part-1 §2)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import reflex as rx

from portal.domain.dashboard import Feature, Opening
from portal.i18n import Text, _, choice, day
from portal.pages.parts.rows import chevron
from portal.pages.parts.texts import TITLES, reason_text
from portal.states.views.dashboard import ActionView
from portal.ui import LINK, badge

NOTES: dict[Feature, Text] = {
    Feature.REPAIR: _("Report a problem with your bike"),
    Feature.SERVICE: _("Maintenance close to where you live"),
    Feature.CLAIM: _("Through the insurance of your bike"),
    Feature.STATUS: _("Follow your repair or service"),
    Feature.SERVICE_PACKAGE: _("Choose the package that suits you"),
    Feature.INSURANCE: _("Against theft and damage"),
}
"""What a tile says below its title."""

_GRIDS = {
    "tiles": "md:grid-cols-2 lg:grid-cols-3 md:gap-5",
    "buttons": "md:grid-cols-3 lg:grid-cols-5 md:gap-4",
    "four": "md:grid-cols-2 lg:grid-cols-4 md:gap-4",
}


def action_list(
    actions: rx.Var[list[ActionView]],
    *,
    grid: str,
    pictures: Mapping[Feature, Callable[[str], rx.Component]] | None = None,
    notes: bool = False,
) -> rx.Component:
    """Actions as cards on a wide screen, as the rows of one card on a small one.

    Args:
        actions: what can be started, and why not.
        grid: `tiles` (three columns), `buttons` (five) or `four`.
        pictures: a drawing for each.
        notes: whether a line says what each is for.
    """
    return rx.el.ul(
        rx.foreach(actions, lambda action: _item(action, pictures or {}, notes)),
        class_name="overflow-hidden divide-y divide-line rounded-card border border-line bg-white md:grid "
        f"md:overflow-visible md:divide-y-0 md:rounded-none md:border-0 md:bg-transparent {_GRIDS[grid]}",
    )


def _item(
    action: rx.Var[ActionView], pictures: Mapping[Feature, Callable[[str], rx.Component]], notes: bool
) -> rx.Component:
    return rx.cond(action.opening == Opening.OPEN, _open(action, pictures, notes), _closed(action, pictures))


def _open(
    action: rx.Var[ActionView], pictures: Mapping[Feature, Callable[[str], rx.Component]], notes: bool
) -> rx.Component:
    note = [rx.el.p(choice(action.feature, NOTES), class_name="mt-1 text-ink-600 max-md:hidden")] if notes else []
    return rx.el.li(
        _picture(action, pictures, "text-ink"),
        rx.el.div(
            rx.el.h3(_link(action), class_name="text-base font-semibold md:text-lg" if notes else _SMALL),
            *note,
            rx.cond(
                action.until != "",
                rx.el.p(_("Until {day}", day=day(action.until)), class_name="mt-1 text-sm text-ink-500"),
            ),
            class_name="grow min-w-0",
        ),
        chevron("md:self-end"),
        class_name="group relative flex min-h-16 items-center gap-4 px-4 py-3 hover:bg-paper md:flex-col md:items-start "
        "md:rounded-card md:border md:border-line md:bg-white md:hover:bg-white md:hover:shadow-card "
        + ("md:p-6" if notes else "md:gap-2 md:p-5"),
    )


def _closed(action: rx.Var[ActionView], pictures: Mapping[Feature, Callable[[str], rx.Component]]) -> rx.Component:
    later = action.opening == Opening.LATER
    title_size = "text-base font-semibold md:text-lg" if pictures else _SMALL
    return rx.el.li(
        _picture(action, pictures, "text-ink-500"),
        rx.el.div(
            rx.el.h3(choice(action.feature, TITLES), class_name=f"{title_size} text-ink-600"),
            rx.el.p(
                rx.cond(
                    later,
                    badge(_("Status available upon request"), "info"),
                    badge(_("Not available"), "neutral"),
                ),
                class_name="mt-2",
            ),
            rx.el.p(reason_text(action.reason), class_name="mt-2 text-sm text-ink-600"),
            rx.cond(
                action.until != "",
                rx.el.p(_("This was possible until {day}.", day=day(action.until)), class_name="text-sm text-ink-600"),
            ),
            rx.cond(
                ~later,
                rx.el.a(
                    _("Contact us"),
                    rx.el.span(" – ", choice(action.feature, TITLES), class_name="sr-only"),
                    to=action.contact,
                    class_name=f"{LINK} inline-flex min-h-11 items-center text-sm md:min-h-8",
                ),
            ),
            class_name="grow min-w-0",
        ),
        class_name="flex gap-4 bg-paper-2 px-4 py-4 md:flex-col md:rounded-card md:border md:border-line "
        + ("md:p-6" if pictures else "md:gap-2 md:p-5"),
    )


_SMALL = "text-base font-semibold"


def _link(action: rx.Var[ActionView]) -> rx.Component:
    return rx.el.a(
        choice(action.feature, TITLES),
        to=action.href,
        class_name="text-ink no-underline after:absolute after:inset-0 md:after:rounded-card",
    )


def _picture(
    action: rx.Var[ActionView], pictures: Mapping[Feature, Callable[[str], rx.Component]], color: str
) -> rx.Component:
    if not pictures:
        return rx.fragment()
    drawings = [(feature.value, drawing("h-auto w-full")) for feature, drawing in pictures.items()]
    return rx.el.div(
        rx.match(action.feature, *drawings, rx.fragment()), class_name=f"w-14 shrink-0 md:mb-3 md:w-24 {color}"
    )

