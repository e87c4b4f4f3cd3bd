"""What happened, the last thing first (flow-standard F57; fixed phases are a tracker, never this)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import reflex as rx

from portal.i18n import Text, _, day, moment
from portal.pages.parts.texts import request_meaning, request_status
from portal.states.views.requests import EventView


def history(events: Any, kind: rx.Var[str]) -> rx.Component:
    """The events of a request, each with its moment.

    Args:
        events: newest first.
        kind: of the request; it decides the words.
    """
    return timeline(events, lambda event, newest: _event(event, kind, newest=newest))


def timeline(events: Any, shown: Callable[[Any, rx.Var[bool]], rx.Component]) -> rx.Component:
    """Events in their order.

    Args:
        events: newest first.
        shown: makes the `happening` of an event; the second argument says whether it is the newest.
    """
    return rx.el.ol(rx.foreach(events, lambda event, place: shown(event, place == 0)), class_name="relative")


def happening(name: Text, at: rx.Var[str], *more: rx.Component, newest: rx.Var[bool] | bool) -> rx.Component:
    """One event.

    Args:
        name: what happened.
        at: when (ISO 8601).
        *more: what else there is to say.
        newest: whether it is the last thing that happened.
    """
    return rx.el.li(
        rx.el.span(
            class_name=rx.cond(
                newest,
                "absolute left-0 top-1.5 z-10 size-4 rounded-pill bg-signal-600 ring-4 ring-paper",
                "absolute left-0 top-1.5 z-10 size-4 rounded-pill bg-ink ring-4 ring-paper",
            ),
            aria_hidden="true",
        ),
        rx.el.h3(name, class_name="text-base font-semibold"),
        rx.el.p(rx.el.time(moment(at), date_time=at), class_name="text-sm text-ink-600 tabular-nums"),
        *more,
        class_name="relative pb-8 pl-9 last:pb-0 before:absolute before:bottom-0 before:left-[7px] before:top-3 "
        "before:w-0.5 before:bg-line last:before:hidden",
    )


def note(text: rx.Var[str]) -> rx.Component:
    """What the shop wrote about an event; nothing when it wrote nothing."""
    return rx.cond(
        text != "",
        rx.el.p(text, class_name="mt-2 max-w-form whitespace-pre-line rounded-control bg-paper-2 px-4 py-3"),
    )


def _event(event: rx.vars.ObjectVar[EventView], kind: rx.Var[str], *, newest: rx.Var[bool]) -> rx.Component:
    return happening(
        rx.cond(event.moved, request_status(event.status), _("Message from the workshop")).to(str),
        event.at,
        rx.cond(event.moved, rx.el.p(request_meaning(event.status, kind), class_name="mt-1 max-w-form")),
        rx.cond(
            event.planned != "",
            rx.el.p(_("Planned for {day}", day=day(event.planned)), class_name="mt-1 font-semibold"),
        ),
        note(event.note),
        newest=newest,
    )
