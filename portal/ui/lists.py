"""A road with fixed phases: what is done, what is going on, what comes (flow-standard F33)."""

from __future__ import annotations

from collections.abc import Sequence

import reflex as rx

from portal.i18n import Text, _
from portal.vocabulary.work_orders import PHASES, RequestKind


def tracker(phases: Sequence[Text], current: rx.vars.NumberVar[int], label: Text) -> rx.Component:
    """The phases in their order: lying on a wide screen, standing on a small one.

    Args:
        phases: their names.
        current: which one is going on, from 0; as many as there are means that all are done.
        label: names the road for a screen reader.
    """
    return rx.el.ol(
        *[_phase(place, phase, current, last=place == len(phases) - 1) for place, phase in enumerate(phases)],
        class_name="tracker md:grid md:auto-cols-fr md:grid-flow-col",
        aria_label=label,
    )


def request_phases(kind: RequestKind, label: Text) -> rx.Component:
    """All phases of a request, from the first one: before it is sent and when it has just been.

    Args:
        kind: of the request.
        label: names them for a screen reader.
    """
    return tracker([_(phase) for phase in PHASES[kind]], rx.Var.create(0), label)


def _phase(place: int, name: Text, current: rx.vars.NumberVar[int], *, last: bool) -> rx.Component:
    done, here = current > place, current == place
    dot = rx.cond(
        done,
        "bg-ink border-ink text-white",
        rx.cond(here, "bg-white border-ink ring-4 ring-signal", "bg-white border-line-strong"),
    )
    line = rx.cond(done, "bg-ink", "bg-line")
    return rx.el.li(
        rx.el.span(
            rx.cond(done, _check(), rx.fragment()),
            class_name=f"relative z-10 grid size-7 shrink-0 place-items-center rounded-pill border-2 {dot}",
            aria_hidden="true",
        ),
        *(
            []
            if last
            else [
                rx.el.span(
                    class_name="absolute left-3.25 top-7 bottom-0 w-0.5 "
                    f"md:left-7 md:right-0 md:top-3.25 md:bottom-auto md:h-0.5 md:w-auto {line}",
                    aria_hidden="true",
                )
            ]
        ),
        rx.el.span(
            name,
            rx.cond(
                done,
                rx.el.span(" ", _("done"), class_name="sr-only"),
                rx.cond(here, rx.el.span(" ", _("current step"), class_name="sr-only"), rx.fragment()),
            ),
            class_name=rx.cond(here, "font-semibold", rx.cond(done, "", "text-ink-500")),
        ),
        class_name="relative flex gap-4 pb-6 last:pb-0 md:flex-col md:gap-3 md:pb-0 md:pr-4",
        custom_attrs={"aria-current": rx.cond(here, "step", "false")},
    )


def _check() -> rx.Component:
    return rx.el.svg(
        rx.el.path(custom_attrs={"d": "m6 12.5 4 4L18 8"}),
        class_name="size-4",
        custom_attrs={
            "viewBox": "0 0 24 24",
            "fill": "none",
            "stroke": "currentColor",
            "strokeWidth": "3",
            "strokeLinecap": "round",
            "strokeLinejoin": "round",
        },
    )
