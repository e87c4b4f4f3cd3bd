"""Lists, coverage marks, timelines and progress trackers."""

from collections.abc import Callable, Sequence
from typing import Any

import reflex as rx

from portal.i18n import Text, _, choice, localized, lowered, moment
from portal.ui.feedback import loading_block, skeleton
from portal.vocabulary.insurance import COVER_TEXTS
from portal.vocabulary.work_orders import PHASES, RequestKind


def row_list(*rows: rx.Component, class_name: str = "mt-6") -> rx.Component:
    """The rows of a list."""
    return rx.el.ul(
        *rows,
        class_name=f"divide-y divide-line overflow-hidden rounded-card border border-line bg-white {class_name}",
    )


def list_loading(count: int, height: str) -> rx.Component:
    """Placeholder for a list that is loading, as one card."""
    return loading_block(
        skeleton("h-6 w-48"),
        rx.el.div(
            *[
                rx.el.div(
                    skeleton("h-14 w-20 shrink-0"),
                    rx.el.div(skeleton("h-5 w-1/2"), skeleton("mt-3 h-4 w-1/3"), class_name="grow"),
                    class_name=f"flex items-center gap-6 px-4 md:px-6 {height}",
                )
                for _i in range(count)
            ],
            class_name="mt-6 divide-y divide-line rounded-card border border-line bg-white",
        ),
        class_name="mt-3",
    )


def chevron(class_name: str = "") -> rx.Component:
    """Arrow at the end of a row that links to a page."""
    return _drawn(
        "m9 5 7 7-7 7",
        "2",
        "size-5 shrink-0 text-ink-500 transition-transform duration-150 ease-ride group-hover:translate-x-1 "
        f"{class_name}".rstrip(),
    )


def _drawn(path: str, width: str, class_name: str) -> rx.Component:
    return rx.el.svg(
        rx.el.path(custom_attrs={"d": path}),
        class_name=class_name,
        custom_attrs={
            "viewBox": "0 0 24 24",
            "fill": "none",
            "stroke": "currentColor",
            "strokeWidth": width,
            "strokeLinecap": "round",
            "strokeLinejoin": "round",
            "aria-hidden": "true",
        },
    )


_TEXTS = {cover.value: text for cover, text in COVER_TEXTS.items()}

_YES, _NO = "m5 12.5 4.5 4.5L19 7.5", "M7 7l10 10M17 7L7 17"


def covered(title: Text, covers: Any) -> rx.Component:
    """A list of what an insurance covers."""
    return _list(title, rx.foreach(covers, lambda cover: included(choice(cover, _TEXTS))))


def not_covered(title: Text, covers: Any) -> rx.Component:
    """A list of what an insurance does not cover; nothing when it covers everything."""
    rows = rx.foreach(covers, lambda cover: _row(choice(cover, _TEXTS), yes=False))
    return rx.cond(covers.length() > 0, _list(title, rows))


def included(text: Text, *, inline: bool = False) -> rx.Component:
    """A row with a check mark."""
    return rx.el.span(*_marked(text, yes=True), class_name="flex gap-2") if inline else _row(text, yes=True)


def cover_marks(covers: Any, covers_not: Any) -> rx.Component:
    """What an insurance covers and what it does not, for use inside a label, where HTML allows no list."""

    def missing(cover: Any) -> rx.Component:
        text = _("Not covered: {what}", what=lowered(choice(cover, _TEXTS)))
        return rx.el.span(*_marked(text, yes=False), class_name="flex gap-2")

    return rx.el.span(
        rx.foreach(covers, lambda cover: included(choice(cover, _TEXTS), inline=True)),
        rx.foreach(covers_not, missing),
        class_name="mt-3 block space-y-1.5",
    )


def per_month() -> rx.Var[str]:
    """The text "per month" that follows a price."""
    return _("a month")


def _list(title: Text, rows: rx.Component) -> rx.Component:
    return rx.el.div(
        rx.el.p(title, class_name="font-semibold"),
        rx.el.ul(rows, class_name="mt-2 space-y-1.5", aria_label=title),
        class_name="min-w-0",
    )


def _row(text: Text, *, yes: bool) -> rx.Component:
    return rx.el.li(*_marked(text, yes=yes), class_name="flex gap-2")


def _marked(text: Text, *, yes: bool) -> tuple[rx.Component, rx.Component]:
    color = "text-ok-line" if yes else "text-ink-500"
    mark = _drawn(_YES if yes else _NO, "2.5", f"mt-1 size-5 shrink-0 {color}")
    return mark, rx.el.span(text, class_name="" if yes else "text-ink-600")


def timeline(events: Any, shown: Callable[[Any, rx.Var[bool]], rx.Component]) -> rx.Component:
    """A timeline."""
    return rx.el.ol(rx.foreach(events, lambda event, place: shown(event, place == 0)), class_name="relative")


def event_line(name: Text, at: rx.Var[str], *more: rx.Component, newest: rx.Var[bool] | bool) -> rx.Component:
    """One event."""
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
    """The shop's note on an event; nothing when there is none."""
    return rx.cond(
        text != "",
        rx.el.p(text, class_name="mt-2 max-w-form whitespace-pre-line rounded-control bg-paper-2 px-4 py-3"),
    )


def tracker(
    phases: Sequence[Text] | rx.vars.ArrayVar[list[dict[str, str]]], current: rx.vars.NumberVar[int], label: Text
) -> rx.Component:
    """A progress tracker: horizontal where there is room for it, vertical in a narrow column.

    `phases`: names of the phases, in order; as a Var, each by language.
    `current`: index of the current phase, from 0; the number of phases when all are done.
    `label`: name of the tracker for screen readers.
    """
    if isinstance(phases, rx.Var):
        rows = [rx.foreach(phases, lambda phase, place: _phase(place, localized(phase), current))]
    else:
        rows = [_phase(place, phase, current) for place, phase in enumerate(phases)]
    return rx.el.div(
        rx.el.ol(
            *rows,
            class_name="tracker @xl:grid @xl:auto-cols-fr @xl:grid-flow-col",
            aria_label=label,
        ),
        class_name="@container w-full",
    )


def request_phases(kind: RequestKind, label: Text) -> rx.Component:
    """The tracker of a request at its first phase, shown before it is sent."""
    return tracker([_(phase) for phase in PHASES[kind]], rx.Var.create(0), label)


def _phase(place: int | rx.vars.NumberVar[int], name: Text, current: rx.vars.NumberVar[int]) -> rx.Component:
    done, here = current > place, current == place
    dot = rx.cond(
        done,
        "bg-ink border-ink text-white",
        rx.cond(here, "bg-white border-ink ring-4 ring-signal", "bg-white border-line-strong"),
    )
    line = rx.cond(done, "bg-ink", "bg-line")
    return rx.el.li(
        rx.el.span(
            rx.cond(done, _drawn("m6 12.5 4 4L18 8", "3", "size-4"), rx.fragment()),
            class_name=f"relative z-10 grid size-7 shrink-0 place-items-center rounded-pill border-2 {dot}",
            aria_hidden="true",
        ),
        rx.el.span(
            class_name="absolute left-3.25 top-7 bottom-0 w-0.5 [li:last-child>&]:hidden "
            f"@xl:left-7 @xl:right-0 @xl:top-3.25 @xl:bottom-auto @xl:h-0.5 @xl:w-auto {line}",
            aria_hidden="true",
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
        class_name="relative flex gap-4 pb-6 last:pb-0 @xl:flex-col @xl:gap-3 @xl:pb-0 @xl:pr-4",
        custom_attrs={"aria-current": rx.cond(here, "step", "false")},
    )
