"""The column beside the steps: what the request is about, the answers so far, and help with the number of the draft."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import reflex as rx

from portal.flow.model import Step
from portal.flow.pages.fields import rows_of
from portal.flow.pages.spec import FlowPages, Intro
from portal.flow.pages.state import FlowRun
from portal.frontend.load_views import help_card
from portal.i18n import _
from portal.ui import LINK, Fact, card


def summary(pages: FlowPages, step: Step) -> rx.Component:
    """What the customer chose and answered before a step.

    Beside the first step stands what to have at hand; beside the check, which shows every answer, what happens next.
    Help comes first, where it is in view.
    """
    flow = pages.flow
    subject = [pages.aside()] if pages.aside else []
    if step is flow.first_step:
        before = notes_card(pages.intro())
    elif step is flow.check_step:
        before = _ahead(pages.intro())
    else:
        before = [_answers_of(pages)(before=flow.steps.index(step))]
    return rx.fragment(_help(), *subject, *before)


def notes_card(intro: Intro) -> list[rx.Component]:
    """What the customer should know or have at hand; nothing if there is nothing to say."""
    if intro.heading is None:
        return []
    rows = [note if isinstance(note, rx.Component) else rx.el.li(note) for note in intro.notes]
    return [
        card(
            rx.el.h2(intro.heading, class_name="text-h3"),
            rx.el.ul(*rows, class_name="mt-3 list-disc space-y-1 pl-5"),
            *[rx.el.p(text, class_name="mt-4") for text in intro.closing],
        )
    ]


def _ahead(intro: Intro) -> list[rx.Component]:
    """The way of the request once it is sent; nothing for what is done by sending it."""
    if intro.phases is None:
        return []
    return [
        card(
            rx.el.h2(_("What happens next"), class_name="text-h3"),
            rx.el.div(intro.phases(), class_name="mt-4"),
        )
    ]


@cache
def _answers_of(pages: FlowPages) -> Callable[..., rx.Component]:
    """The answers so far, with links to change them. As a memo, they are one script file for all steps of a flow."""

    def answers_so_far(before: rx.vars.NumberVar[int]) -> rx.Component:
        shown = [
            rx.cond(before > place, rx.fragment(*[_row(fact) for fact in rows_of(pages, step)]))
            for place, step in enumerate(pages.flow.steps)
        ]
        return card(
            rx.el.h2(_("Your answers so far"), class_name="text-h3"),
            rx.el.dl(*shown, class_name="mt-2 divide-y divide-line"),
        )

    name = f"{pages.flow.name}_answers".replace("-", "_")
    answers_so_far.__module__ = f"portal.pages.{name}"
    answers_so_far.__name__ = answers_so_far.__qualname__ = name
    return rx.memo(answers_so_far)


_IN_ONE_LINE = "[&_li]:inline [&_li:not(:last-child)]:after:content-[',_']"
"""CSS classes of an answer that may be a list."""


def _row(fact: Fact) -> rx.Component:
    """One line; the check page shows an answer that is longer."""
    row = rx.el.div(
        rx.el.dt(fact.name, class_name="max-w-2/5 shrink-0 truncate text-sm text-ink-600"),
        rx.el.dd(
            rx.el.div(fact.value, class_name=f"line-clamp-1 min-w-0 wrap-anywhere tabular-nums {_IN_ONE_LINE}"),
            rx.el.a(
                _("Change"),
                rx.el.span(" ", fact.name, class_name="sr-only"),
                to=fact.change or "",
                class_name=f"{LINK} inline-flex min-h-6 shrink-0 items-center",
            ),
            class_name="flex min-w-0 grow items-center justify-between gap-4",
        ),
        class_name="flex items-center gap-3 py-1.5",
    )
    return row if fact.shown is None else rx.cond(fact.shown, row)


@rx.memo
def _help() -> rx.Component:
    """The phone number of customer service, and the number with which staff find the draft."""
    return help_card(FlowRun.draft)
