"""How used it is, and whether its battery may travel (part-2 §5)."""

from __future__ import annotations

import reflex as rx

from portal.domain.flow import Field
from portal.flows.returned import BATTERY, MILEAGE, STATE
from portal.i18n import _, choice, number
from portal.pages.flow.check import row_of
from portal.pages.flow.fields import answer, asked, group, option_of
from portal.pages.flow.screens import StepFields
from portal.pages.parts.battery import ASKED_FIRST, advice
from portal.states.flow import FlowRun
from portal.ui import Fact
from portal.vocabulary.returns import BATTERY_NAMES, STATE_NAMES, ItemState

_NOTES = {
    ItemState.UNUSED: _("You get back what you paid"),
    ItemState.USED_WITHOUT_SIGNS: _("You get back what you paid"),
    ItemState.USED_WITH_SIGNS: _("We take {depreciation_percent}% off the price you paid"),
}


def condition_body(fields: StepFields) -> rx.Component:
    """State, and of what has them mileage and battery.

    Args:
        fields: those that ask for them, perhaps after others.
    """
    others = [asked(entry) for entry in fields if entry.name not in {STATE, MILEAGE, BATTERY}]
    return rx.fragment(*others, _state(fields[STATE], named_by_heading=not others), *_more(fields))


def _state(entry: Field, *, named_by_heading: bool) -> rx.Component:
    cards = rx.fragment(*[option_of(entry, state.value, _(name), _NOTES[state]) for state, name in STATE_NAMES.items()])
    return group(entry, cards, legend=None if named_by_heading else _("How used is it?"), columns="")


def _more(fields: StepFields) -> list[rx.Component]:
    found = []
    if MILEAGE in fields:
        mileage = asked(fields[MILEAGE], width="max-w-40", suffix=_("km"))
        found.append(rx.cond(FlowRun.asked.contains(MILEAGE), mileage))
    found.append(rx.cond(FlowRun.asked.contains(BATTERY), _battery(fields[BATTERY])))
    return found


def _battery(entry: Field) -> rx.Component:
    """What can be wrong, and the advice as soon as something is."""
    cards = rx.fragment(*[option_of(entry, state.value, _(BATTERY_NAMES[state])) for state in ASKED_FIRST])
    return rx.el.div(group(entry, cards, legend=_(entry.label), columns=""), advice(), class_name="space-y-4")


def condition_rows(fields: StepFields) -> list[Fact]:
    """State, mileage and battery on the check page, below the fields that are asked before them."""
    others = [row_of(entry) for entry in fields if entry.name not in {STATE, MILEAGE, BATTERY}]
    batteries = {state.value: name for state, name in BATTERY_NAMES.items()}
    return [
        *others,
        Fact(_("State"), choice(answer(STATE), {state.value: name for state, name in STATE_NAMES.items()})),
        Fact(_("Mileage"), _("{km} km", km=number(answer(MILEAGE), 2)), shown=FlowRun.asked.contains(MILEAGE)),
        Fact(_("Battery"), choice(answer(BATTERY), batteries), shown=FlowRun.asked.contains(BATTERY)),
    ]
