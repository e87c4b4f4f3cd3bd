"""Where and when it is picked up: the days week by week, the part of the day, the address (part-2 §3, §9)."""

from __future__ import annotations

import reflex as rx

from portal.domain.codes import MESSAGES, Code
from portal.domain.flow import Field
from portal.domain.terms import REMARKS_MOST
from portal.flows.pickup import DAY, NAME, REMARKS, WINDOW
from portal.i18n import _, choice, weekday_day
from portal.pages.flow.address import address_body, address_rows
from portal.pages.flow.fields import answer, group, option_of
from portal.pages.flow.screens import StepFields
from portal.pages.flow.words import error_of
from portal.states.flow import FlowRun
from portal.states.returning import Returning
from portal.states.views.return_places import WeekView
from portal.ui import Fact, notice, text_area, text_link
from portal.vocabulary.deliveries import WINDOW_NAMES

_WINDOWS = {window.value: name for window, name in WINDOW_NAMES.items()}


def pickup_body(fields: StepFields) -> rx.Component:
    """The address with the name at its door, remarks, and the day unless a step before it asked.

    Args:
        fields: of the step that `pickup_step` makes.
    """
    when = [days_body(fields)] if DAY in fields else []
    return rx.fragment(
        address_body(fields, on_place=Returning.come_to, door=NAME, name=Returning.name),
        *when,
        text_area(
            REMARKS,
            _(fields[REMARKS].label),
            minimum=0,
            maximum=REMARKS_MOST,
            error=error_of(fields[REMARKS]),
            value=answer(REMARKS),
            rows=3,
            optional=True,
        ),
    )


def days_body(fields: StepFields) -> rx.Component:
    """The days that can be had, week by week, and the part of the day."""
    # Without a day there is no part of it to ask for.
    return rx.fragment(_day(fields[DAY]), rx.cond(Returning.weeks.length() > 0, _window(fields[WINDOW])))


def _day(entry: Field) -> rx.Component:
    weeks = rx.cond(
        Returning.weeks.length() > 0,
        rx.foreach(Returning.weeks, lambda week: _week(entry.name, week)),
        notice(
            # The error above says it already.
            rx.cond(error_of(entry) == "", rx.el.p(_(MESSAGES[Code.NO_DELIVERY_OPTIONS]), class_name="font-semibold")),
            _("What you filled in is kept. You can also ask customer service for another way."),
            rx.el.p(text_link(_("Contact us"), "/contact?topic=return"), class_name="mt-2"),
            tone="warn",
        ),
    )
    return group(entry, rx.fragment(weeks), legend=_(entry.label), columns="gap-y-6")


def _week(name: str, week: rx.vars.ObjectVar[WeekView]) -> rx.Component:
    heading = rx.Var.create("week-") + week.number.to_string()
    return rx.el.div(
        rx.el.p(
            _("Week {n}", n=week.number),
            custom_attrs={"id": heading},
            class_name="text-ink-600",
        ),
        rx.el.div(
            rx.foreach(week.days.to(list[str]), lambda one: _one_day(name, one)),
            class_name="mt-2 grid gap-2 sm:grid-cols-2",
        ),
        role="group",
        aria_labelledby=heading,
        key=week.first,
    )


def _one_day(name: str, one: rx.Var[str]) -> rx.Component:
    return rx.el.label(
        rx.el.input(
            type="radio",
            name=name,
            value=one,
            default_checked=answer(name) == one,
            class_name="size-6 shrink-0 accent-ink",
        ),
        rx.el.span(weekday_day(one), class_name="tabular-nums first-letter:uppercase"),
        class_name="choice min-h-12 py-2",
        key=one,
    )


def _window(entry: Field) -> rx.Component:
    cards = rx.fragment(*[option_of(entry, value, _(name)) for value, name in _WINDOWS.items()])
    return group(entry, cards, legend=_(entry.label), columns="")


def day_rows(fields: StepFields) -> list[Fact]:
    """When, on the check page."""
    day, window = fields[DAY], fields[WINDOW]
    return [
        Fact(_(day.label), weekday_day(answer(DAY))),
        Fact(_(window.label), choice(answer(WINDOW), _WINDOWS)),
    ]


def pickup_rows(fields: StepFields) -> list[Fact]:
    """Where, for whom and when, on the check page."""
    door, noted = fields[NAME], fields[REMARKS]
    remarks = answer(REMARKS)
    return [
        Fact(_(door.label), answer(NAME), shown=FlowRun.asked.contains(NAME)),
        *address_rows(fields),
        Fact(_(noted.label), rx.cond(remarks == "", _("Not filled in"), remarks).to(str)),
        *(day_rows(fields) if DAY in fields else []),
    ]
