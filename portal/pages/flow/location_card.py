"""A service location as a card: chosen by its name, with everything that helps to choose."""

from __future__ import annotations

import reflex as rx

from portal.domain.codes import MESSAGES, Code
from portal.domain.flow import Field
from portal.i18n import Text, _, choice, day, money, number
from portal.pages.flow.fields import answer
from portal.states.locations import Locations
from portal.states.views.locations import LocationCard
from portal.ui import badge
from portal.ui.flow import focus_when
from portal.vocabulary.locations import TYPE_NAMES

_KINDS = {kind.value: name for kind, name in TYPE_NAMES.items()}
_REFUSALS = {
    code.value: MESSAGES[code] for code in (Code.LOCATION_CLOSED, Code.LOCATION_ON_VACATION, Code.LOCATION_OUT_OF_REACH)
}
Card = rx.vars.ObjectVar[LocationCard]


def location_choice(entry: Field, item: Card, *, before: bool = False) -> rx.Component:
    """A location with its radio button; one that cannot be chosen says why.

    Args:
        entry: the field that asks for the location.
        item: the location.
        before: whether it is the one that was chosen before, outside of what was found.
    """
    shown = rx.cond(item.refusal == "", _selectable(entry, item, before=before), _refused(item))
    # Named by the location: a list in another order keeps what is chosen.
    return rx.el.div(
        rx.cond(item.fresh, focus_when(shown, attempt=Locations.added), shown),
        key=item.location_id,
    )


def _selectable(entry: Field, item: Card, *, before: bool) -> rx.Component:
    name, facts = f"name-{item.location_id}", f"facts-{item.location_id}"
    return rx.el.label(
        rx.el.input(
            type="radio",
            name=entry.name,
            value=item.location_id,
            default_checked=answer(entry.name) == item.location_id,
            class_name="mt-0.5 size-6 shrink-0 self-start accent-ink",
            custom_attrs={
                "aria-labelledby": name,
                "aria-describedby": facts,
                "data-offers": item.offers,
                "data-several": rx.cond(item.several, "true", "false"),
            },
        ),
        rx.el.span(
            _heading(item, name, before=before),
            rx.el.span(_facts(item), custom_attrs={"id": facts}, class_name="block"),
            class_name="min-w-0 grow",
        ),
        class_name="choice",
    )


def _refused(item: Card) -> rx.Component:
    return rx.el.div(
        _heading(item, f"refused-{item.location_id}", before=False),
        _facts(item),
        rx.el.p(choice(item.refusal, _REFUSALS), class_name="mt-3 font-semibold"),
        class_name="rounded-control border-2 border-line bg-paper-2 px-4 py-3",
    )


def _heading(item: Card, identifier: rx.Var[str] | str, *, before: bool) -> rx.Component:
    return rx.el.span(
        rx.el.span(item.name, custom_attrs={"id": identifier}, class_name="mr-1 font-semibold"),
        *([badge(_("Your choice"), "neutral")] if before else []),
        rx.cond(item.recommended, badge(_("Recommended"), "ok")),
        rx.cond(item.premium, badge(_("Premium partner"), "info")),
        rx.cond(item.away, badge(_("On vacation"), "warn")),
        class_name="flex flex-wrap items-center gap-x-2 gap-y-1",
    )


def _facts(item: Card) -> rx.Component:
    vacation = _("On vacation from {first} to {last}", first=day(item.vacation_from), last=day(item.vacation_until))
    return rx.el.span(
        rx.el.span(choice(item.kind, _KINDS), " · ", item.address, class_name="block text-ink-600"),
        rx.el.span(
            _fact(_("Waiting time"), _("{low}–{high} weeks", low=item.low, high=item.high)),
            rx.cond(item.distance != "", _fact(_("Distance"), _distance(item))),
            rx.cond(item.rating != "", _fact(_("Rating"), _("{n} out of 10", n=number(item.rating, 1)))),
            class_name="mt-3 flex flex-wrap gap-x-8 gap-y-2",
        ),
        rx.el.span(_costs(item), class_name="mt-3 flex flex-wrap gap-x-6 gap-y-1 border-t border-line pt-3"),
        rx.cond(item.vacation_from != "", rx.el.span(vacation, class_name="mt-2 block text-warn")),
        class_name="block",
    )


def _distance(item: Card) -> rx.Var[str]:
    """A postcode stands for a neighbourhood: nothing is known more closely than that."""
    near = item.distance.to(str).startswith("0.")
    return rx.cond(near, _("less than 1 km"), _("{km} km", km=number(item.distance, 1))).to(str)


def _fact(name: Text, value: Text) -> rx.Component:
    return rx.el.span(
        rx.el.span(name, class_name="block text-sm text-ink-600"),
        rx.el.span(value, class_name="block font-semibold tabular-nums"),
    )


def _costs(item: Card) -> rx.Component:
    return rx.fragment(
        rx.cond(item.bring, rx.el.span(_("Bring it yourself: free"))),
        rx.cond(item.pick_up != "", rx.el.span(_("Pick-up and delivery: {cost}", cost=money(item.pick_up)))),
        rx.cond(item.call_out != "", rx.el.span(_("Call-out fee: {cost}", cost=money(item.call_out)))),
    )


def location_lines(item: Card) -> rx.Component:
    """The chosen location, above a question about it."""
    return rx.el.p(
        rx.el.span(item.name, class_name="block font-semibold"),
        rx.el.span(item.address, class_name="block text-ink-600"),
        class_name="border-l-4 border-line pl-4",
    )
