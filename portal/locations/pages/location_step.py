"""Looking for a service location: the search, the list, and how the bike gets there (flow-standard F54)."""

from __future__ import annotations

import reflex as rx

from portal.domain.codes import Code
from portal.domain.flow import Field
from portal.domain.locations import DISTANCES
from portal.flows.location import HANDOVER, LOCATION
from portal.i18n import _, ngettext
from portal.pages.flow.fields import group, option_of
from portal.pages.flow.location_card import location_choice
from portal.pages.flow.screens import StepFields
from portal.pages.messages import field_message
from portal.states.locations import Locations
from portal.states.page import FAILED, LOADING
from portal.ui import (
    Fact,
    action_button,
    empty_state,
    error_block,
    event_form,
    select_field,
    skeleton_cards,
    submit_button,
    text_field,
)
from portal.ui.flow import arrival
from portal.vocabulary.locations import HANDOVER_NAMES, ORDER_NAMES, TYPE_NAMES, TYPES, Handover


def location_search() -> rx.Component:
    """Around which place, how far; what is found can be sorted and narrowed. Stands above the step's own form."""
    label = _("Postcode or city")
    error = field_message(Locations.error, label, Code.POSTAL_CODE_NOT_FOUND)
    distances = [(str(km), _("{km} km", km=km)) for km in DISTANCES]
    return rx.el.div(
        event_form(
            rx.el.div(
                rx.el.div(
                    text_field("search_text", label, value=Locations.text, error=error, autocomplete="off"),
                    class_name="min-w-0 grow",
                ),
                rx.el.div(
                    select_field("search_distance", _("Distance"), distances, value=Locations.distance),
                    class_name="sm:w-36",
                ),
                class_name="flex flex-col gap-4 sm:flex-row sm:items-end",
            ),
            rx.el.div(
                submit_button(_("Search"), _("Searching…"), style="secondary"),
                action_button(_("Reset"), Locations.start_over, "text"),
                class_name="mt-4 flex flex-wrap items-center gap-x-6 gap-y-2",
            ),
            on_send=Locations.search,
            answered=Locations.answered,
            class_name="card",
            key=Locations.form.to_string(),
            custom_attrs={"role": "search", "aria-label": _("Search for a service location")},
        ),
        _found(),
        arrival(Locations.open),
        class_name="mt-8",
    )


def _found() -> rx.Component:
    """How many there are, said aloud; how to sort them, which types to see."""
    found = ngettext("{n} location found", "{n} locations found", Locations.total)
    around = _("{found} within {km} km of {place}", found=found, km=Locations.distance, place=Locations.place)
    waiting = Locations.face == LOADING
    orders = [(order.value, _(name)) for order, name in ORDER_NAMES.items()]
    some = (Locations.total > 0) | (Locations.kinds.length() > 0)
    return rx.fragment(
        rx.el.p(
            rx.cond(waiting | (Locations.place == ""), "", around),
            role="status",
            class_name="mt-6 min-h-6 font-semibold tabular-nums",
        ),
        rx.cond(
            some,
            rx.el.div(
                rx.el.div(
                    *[_type(kind.value, _(TYPE_NAMES[kind])) for kind in TYPES],
                    role="group",
                    aria_label=_("Kind of location"),
                    class_name="flex flex-wrap gap-2",
                ),
                rx.el.div(
                    select_field("order", _("Sorted by"), orders, value=Locations.order, on_change=Locations.sort),
                    key=Locations.form.to_string(),
                    class_name="mt-4 sm:max-w-80",
                ),
                class_name="mt-3",
            ),
        ),
    )


def _type(kind: str, name: rx.Var[str]) -> rx.Component:
    number = rx.cond(Locations.counts.contains(kind), Locations.counts[kind], 0).to(int)
    return rx.cond(
        number > 0,
        rx.el.button(
            name,
            rx.el.span(f"({number})", class_name="ml-1 tabular-nums"),
            type="button",
            on_click=Locations.toggle(kind),
            class_name="chip",
            custom_attrs={"aria-pressed": rx.cond(Locations.kinds.contains(kind), "true", "false")},
        ),
    )


def location_body(fields: StepFields) -> rx.Component:
    """The list. What was chosen before stands in it, also when a search finds other ones.

    Args:
        fields: of the step that `location_step` makes.
    """
    entry = fields[LOCATION]
    cards = rx.fragment(
        rx.cond(Locations.elsewhere, location_choice(entry, Locations.chosen, before=True)),
        rx.cond(
            Locations.face == LOADING,
            skeleton_cards(3, "h-44"),
            rx.cond(
                Locations.face == FAILED,
                error_block(
                    _("Service partners could not be retrieved. Please try again later."), on_retry=Locations.again
                ),
                rx.cond(
                    Locations.total > 0,
                    rx.foreach(Locations.items, lambda item: location_choice(entry, item)),
                    rx.cond(Locations.error == "", _nothing()),
                ),
            ),
        ),
    )
    return rx.fragment(
        group(entry, cards, legend=None, columns=""),
        rx.cond(
            (Locations.face != LOADING) & (Locations.items.length() < Locations.total),
            rx.el.div(
                action_button(_("Show more locations"), Locations.more),
                rx.el.p(
                    _("{n} of {total} shown", n=Locations.items.length(), total=Locations.total),
                    role="status",
                    class_name="text-ink-600 tabular-nums",
                ),
                class_name="flex flex-wrap items-center gap-4",
            ),
        ),
        *([_handover(fields[HANDOVER])] if HANDOVER in fields else []),
    )


def _nothing() -> rx.Component:
    return empty_state(
        _("No location found"),
        rx.cond(
            Locations.wider > 0,
            _("There is none within {km} km. Look a little further.", km=Locations.distance),
            _("Try another postcode or city."),
        ).to(str),
        action=rx.cond(
            Locations.wider > 0,
            action_button(_("Search within {km} km", km=Locations.wider), Locations.widen),
            action_button(_("Search at my address"), Locations.start_over),
        ),
    )


def _handover(entry: Field) -> rx.Component:
    """Where the location leaves a choice; the browser shows the ways that the chosen one offers."""
    options = [
        rx.el.div(option_of(entry, way.value, _(HANDOVER_NAMES[way]), note), custom_attrs={"data-way": way.value})
        for way, note in (
            (Handover.BRING, _("Free")),
            (Handover.PICK_UP, _("We pick your bike up and bring it back. The fee stands at the location.")),
            (
                Handover.CALL_OUT,
                _("The call-out fee stands at the location. You pay it through a payment request by email."),
            ),
        )
    ]
    return rx.el.div(
        group(entry, rx.fragment(*options), legend=_("How does your bike get there?"), columns=""),
        class_name="handover",
    )


def location_rows(fields: StepFields) -> list[Fact]:
    """The location on the check page."""
    chosen = Locations.chosen
    lines = rx.el.span(
        rx.el.span(chosen.name, class_name="block font-semibold"),
        rx.el.span(chosen.address, class_name="block"),
        rx.el.span(
            _("Waiting time: {low}–{high} weeks", low=chosen.low, high=chosen.high), class_name="block text-ink-600"
        ),
    )
    return [Fact(_(fields[LOCATION].label), lines)]
