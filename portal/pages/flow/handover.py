"""How the bike gets to the chosen location, as a question of its own."""

from __future__ import annotations

import reflex as rx

from portal.flows.location import HANDOVER
from portal.i18n import _, choice, money
from portal.pages.flow.fields import answer, group
from portal.pages.flow.location_card import location_lines
from portal.pages.flow.screens import StepFields
from portal.states.choices import HandoverChoice
from portal.states.locations import Locations
from portal.ui import Fact
from portal.vocabulary.locations import HANDOVER_NAMES, Handover

_WAYS = {way.value: name for way, name in HANDOVER_NAMES.items()}


def handover_body(fields: StepFields) -> rx.Component:
    """How the bike gets to the chosen location, each way with its cost.

    Args:
        fields: of the step that `handover_step` makes.
    """
    entry = fields[HANDOVER]
    cards = rx.fragment(*[_way(entry.name, way) for way in Handover])
    return rx.fragment(
        location_lines(Locations.chosen),
        group(entry, cards, legend=None, columns=""),
    )


def _way(name: str, way: Handover) -> rx.Component:
    notes = {
        Handover.BRING: _("Free"),
        Handover.PICK_UP: _("We pick your bike up and bring it back."),
        Handover.CALL_OUT: _("You pay this through a payment request by email."),
    }
    return rx.foreach(
        HandoverChoice.methods,
        lambda entry: rx.cond(
            entry.method == way.value,
            rx.el.label(
                rx.el.input(
                    type="radio",
                    name=name,
                    value=way.value,
                    default_checked=answer(name) == way.value,
                    class_name="size-6 shrink-0 accent-ink",
                ),
                rx.el.span(
                    rx.el.span(_(HANDOVER_NAMES[way]), class_name="block font-semibold"),
                    rx.el.span(notes[way], class_name="block text-ink-600"),
                    class_name="grow",
                ),
                rx.cond(
                    entry.cost != "",
                    rx.el.span(money(entry.cost), class_name="shrink-0 font-semibold tabular-nums"),
                ),
                class_name="choice",
            ),
        ),
    )


def handover_rows(fields: StepFields) -> list[Fact]:
    """How the bike gets there, on the check page."""
    return [Fact(_(fields[HANDOVER].label), choice(HandoverChoice.method, _WAYS), shown=HandoverChoice.method != "")]
