"""How it comes back: to a store, or picked up at home (part-2 §2, §9)."""

from __future__ import annotations

import reflex as rx

from portal.domain.flow import Field
from portal.flows.returned import METHOD, STORE
from portal.i18n import Text, _, choice, money, number
from portal.pages.flow.fields import answer, group
from portal.pages.flow.screens import StepFields
from portal.pages.returning.kinds import said_of
from portal.states.returning import Returning
from portal.states.views.return_places import HoursView, StoreView
from portal.ui import Fact
from portal.vocabulary.returns import METHOD_NAMES, ReturnKind, ReturnMethod

_WEEKDAYS = {"1": _("Mon"), "2": _("Tue"), "3": _("Wed"), "4": _("Thu"), "5": _("Fri"), "6": _("Sat"), "7": _("Sun")}


def method_body(fields: StepFields, kind: ReturnKind) -> rx.Component:
    """Both ways with what they cost; the store opens the list of the nearest ones.

    Args:
        fields: those of `method_fields`.
        kind: of return.
    """
    method, store = fields[METHOD], fields[STORE]
    stores = rx.foreach(Returning.stores, lambda item: _store(store.name, item))
    nearest = rx.cond(
        Returning.stores.length() > 0,
        group(store, stores, legend=_("Which store?"), columns=""),
        rx.el.p(_("No store takes anything back at the moment. Choose to have it picked up.")),
    )
    cards = rx.fragment(
        rx.el.div(
            _way(
                method,
                ReturnMethod.STORE,
                _("Free"),
                said_of(
                    kind,
                    _("Bring it during opening hours, with your exchange label."),
                    _("Bring it during opening hours, with your return label."),
                ),
            ),
            rx.el.div(nearest, class_name="reveal reveal-cards"),
            class_name="reveals",
        ),
        _way(
            method,
            ReturnMethod.PICK_UP,
            money(Returning.fee),
            _("Monday to Saturday, also in the evening. You get a text message the day before."),
        ),
    )
    return group(method, cards, legend=None, columns="")


def _way(entry: Field, way: ReturnMethod, cost: Text, note: Text) -> rx.Component:
    return rx.el.label(
        rx.el.input(
            type="radio",
            name=entry.name,
            value=way.value,
            default_checked=answer(entry.name) == way.value,
            class_name="size-6 shrink-0 accent-ink",
        ),
        rx.el.span(
            rx.el.span(_(METHOD_NAMES[way]), class_name="block font-semibold"),
            rx.el.span(note, class_name="block text-ink-600"),
            class_name="min-w-0 grow",
        ),
        rx.el.span(cost, class_name="shrink-0 font-semibold tabular-nums"),
        class_name="choice",
    )


def _store(name: str, item: rx.vars.ObjectVar[StoreView]) -> rx.Component:
    """A store: named by its name, described by the rest."""
    title, about = rx.Var.create("store-") + item.id.to(str), rx.Var.create("about-") + item.id.to(str)
    return rx.el.label(
        rx.el.input(
            type="radio",
            name=name,
            value=item.id,
            default_checked=answer(name) == item.id,
            class_name="mt-0.5 size-6 shrink-0 self-start accent-ink",
            custom_attrs={"aria-labelledby": title, "aria-describedby": about},
        ),
        rx.el.span(
            rx.el.span(
                rx.el.span(item.name, custom_attrs={"id": title}, class_name="font-semibold"),
                rx.cond(
                    item.distance != "",
                    rx.el.span(_distance(item), class_name="shrink-0 font-semibold tabular-nums"),
                ),
                class_name="flex justify-between gap-x-4",
            ),
            rx.el.span(
                rx.el.span(item.address, class_name="block text-ink-600"),
                rx.el.span(rx.foreach(item.hours, _hours), class_name="mt-1 block text-sm text-ink-600"),
                custom_attrs={"id": about},
                class_name="block",
            ),
            class_name="min-w-0 grow",
        ),
        class_name="choice",
        key=item.id,
    )


def _distance(item: rx.vars.ObjectVar[StoreView]) -> rx.Var[str]:
    near = item.distance.to(str).startswith("0.")
    return rx.cond(near, _("less than 1 km"), _("{km} km", km=number(item.distance, 1))).to(str)


def _hours(entry: rx.vars.ObjectVar[HoursView]) -> rx.Component:
    first, last = (choice(day.to_string(), _WEEKDAYS) for day in (entry.first, entry.last))
    days = rx.cond(entry.first == entry.last, first, _("{first} to {last}", first=first, last=last))
    return rx.el.span(days, " ", entry.hours, class_name="mr-4 inline-block whitespace-nowrap tabular-nums")


def method_rows(fields: StepFields) -> list[Fact]:
    """How it comes back, on the check page.

    Args:
        fields: those of `method_fields`.
    """
    method, _store_field = fields[METHOD], fields[STORE]
    store = Returning.store
    lines = rx.el.span(
        rx.el.span(store.name, class_name="block"),
        rx.el.span(store.address, class_name="block text-ink-600"),
    )
    return [
        Fact(_(method.label), choice(answer(METHOD), {way.value: name for way, name in METHOD_NAMES.items()})),
        Fact(_("Store"), lines, shown=(answer(METHOD) == ReturnMethod.STORE.value) & (answer(STORE) != "")),
    ]
