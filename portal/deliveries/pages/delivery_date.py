"""The pages for another delivery day (part-2 §2): the entry page, the choice of a day and the check.

While a request is pending, or if the day cannot be changed, all three pages show that instead.
"""

from __future__ import annotations

import reflex as rx

from portal import ui
from portal.conversations.pages.components import request_page_link
from portal.deliveries.pages.date_choice import calendar, calendar_of_links, date_form, day_error, week_error
from portal.deliveries.pages.date_pending import failure_notice, refused, status_title
from portal.deliveries.pages.planned import change_notice, planned_day
from portal.deliveries.pages.state import DAY, DeliveryDatePage, ShownDateChange
from portal.frontend.layout import title
from portal.frontend.live import live_line
from portal.frontend.load import MISSING, READY
from portal.frontend.load_views import date_change_link, help_card, loaded, unless_missing
from portal.frontend.registry import PageRoute
from portal.i18n import Text, _, weekday_day
from portal.orders.api import ScheduledDelivery
from portal.vocabulary.deliveries import DATE_CHANGE_STEPS

_DATES = DeliveryDatePage.dates
_SCHEDULED = _DATES.scheduled.to(ScheduledDelivery)
_PLANNED = (_SCHEDULED.day, _SCHEDULED.from_time, _SCHEDULED.until_time)
_NUMBER = DeliveryDatePage.subject
_OPEN = (DeliveryDatePage.view_state != READY) | (_DATES.date_status == "")
_PATH = f"/delivery-date/{_NUMBER}"
_NAME = _("Change delivery day")

_CHOOSE, _CHECK = _("Which day suits you?"), _("Check your new delivery day")

_STEPS = 2


def entry() -> rx.Component:
    return _page(
        rx.el.h1(status_title(), tab_index=-1),
        _explained(),
        back=ui.back_link(_("Order {number}", number=_NUMBER), f"/orders/{_NUMBER}"),
    )


def choose() -> rx.Component:
    return _page(
        _heading(_CHOOSE, 1),
        rx.el.div(
            ui.column(_now(), date_form(rx.fragment(_("Next"), ui.hidden_text(": ", _CHECK)))),
            rx.el.div(calendar(), class_name="lg:sticky lg:top-24"),
            class_name="grid gap-10 lg:grid-cols-[minmax(0,1fr)_26rem] lg:items-start lg:gap-12",
        ),
        above=ui.error_summary({"week": week_error(), DAY: day_error()}, DeliveryDatePage.attempt),
        back=ui.back_link(_("Previous step"), _PATH),
    )


def check() -> rx.Component:
    day = DeliveryDatePage.day
    again, window = f"{_PATH}/choose", _DATES.new_window.to(list[str])
    return _page(
        _heading(_CHECK, 2),
        rx.cond(
            day != "",
            _with_help(
                failure_notice(),
                rx.el.div(
                    ui.facts(
                        ui.Fact(_("Order"), rx.fragment(_NUMBER, rx.cond(_DATES.name != "", f" · {_DATES.name}", ""))),
                        ui.Fact(_("Planned now"), weekday_day(_SCHEDULED.day)),
                        ui.Fact(_("New delivery day"), weekday_day(day), change=again),
                        ui.Fact(_("Time"), _("Between {start} and {end}", start=window[0], end=window[1])),
                        label=_CHECK,
                    ),
                    class_name="card mt-8 py-3 [&_dl]:border-t-0",
                ),
                ui.text(
                    _(
                        "Nothing changes yet. You’ll get an email with a link: use it to confirm the new day "
                        "within {link_hours} hours."
                    ),
                    top=6,
                ),
                ui.event_form(
                    ui.hidden_field(DAY, day),
                    ui.submit_button(_("Request this day")),
                    on_send=DeliveryDatePage.send,
                    answered=DeliveryDatePage.answered,
                    class_name="mt-6",
                ),
            ),
        ),
        back=ui.back_link(_("Previous step"), again),
    )


def _with_help(*content: rx.Component) -> rx.Component:
    """The content, and beside it the number for help, which stays in view: it is lower than any screen."""
    return rx.el.div(
        ui.column(*content),
        rx.el.div(help_card(_NUMBER), class_name=f"max-lg:mt-10 lg:sticky lg:top-24 lg:mt-8 {ui.BESIDE}"),
        class_name=ui.COLUMNS,
    )


def _page(
    heading: rx.Component, content: rx.Component, *, back: rx.Component, above: rx.Component | None = None
) -> rx.Component:
    """The frame of the three pages. It shows the refusal instead of the content if no day can be chosen."""
    head = rx.cond(_OPEN, heading, rx.el.h1(status_title(), tab_index=-1))
    reason = rx.el.div(failure_notice(), refused(), class_name="max-w-form")
    shown = rx.fragment(live_line(DeliveryDatePage, seen=False), rx.cond(_DATES.date_status == "", content, reason))
    return unless_missing(
        DeliveryDatePage,
        ui.page_frame(
            head,
            loaded(DeliveryDatePage, shown, failure=_("The delivery days couldn’t be loaded."), loading=_loading()),
            above=above,
            back=back,
        ),
    )


def _heading(text: Text, number: int) -> rx.Component:
    return rx.el.div(
        ui.step_heading(text, _counter(number), rx.Var.create(number), rx.Var.create(_STEPS)), class_name="max-w-form"
    )


def _counter(number: int) -> rx.Var[str]:
    return _("Step {x} of {y} · {name}", x=rx.Var.create(number), y=rx.Var.create(_STEPS), name=_NAME)


def _now() -> rx.Component:
    return rx.el.div(planned_day(*_PLANNED, _("Planned now")), class_name="mt-6 rounded-control bg-paper-2 p-5")


def _explained() -> rx.Component:
    change = _DATES.change.to(ShownDateChange)
    return rx.el.div(
        failure_notice(),
        rx.cond(
            change.bool() & ~change.pending,
            ui.focus_box(
                change_notice(
                    change,
                    ui.text(
                        date_change_link(
                            _NUMBER, _("Download as PDF"), class_name=f"{ui.LINK} inline-flex min-h-11 items-center"
                        )
                    ),
                    ui.text(request_page_link(change.reference)),
                ),
                attempt=DeliveryDatePage.withdrawn,
                class_name="mt-6 max-w-form",
            ),
        ),
        rx.el.div(
            ui.card(
                ui.strong(_DATES.name, look="empty:hidden"),
                rx.el.div(planned_day(*_PLANNED, _("Planned now"), "text-lg md:text-h3")),
                class_name="max-w-form space-y-3 lg:col-start-2",
            ),
            rx.el.div(
                calendar_of_links(),
                ui.text(ui.tall_link(_("Choose from a list of weeks"), to=f"{_PATH}/choose"), top=2),
                class_name="min-w-0 lg:col-start-1 lg:row-span-2 lg:row-start-1",
            ),
            _how_it_goes(),
            class_name="mt-8 grid gap-8 lg:grid-cols-[26rem_minmax(0,1fr)] lg:grid-rows-[auto_1fr] lg:items-start "
            "lg:gap-x-12",
        ),
    )


def _how_it_goes() -> rx.Component:
    return rx.el.div(
        rx.el.h2(_("How it works")),
        rx.el.ol(
            *[
                rx.el.li(
                    rx.el.span(
                        str(number),
                        class_name="grid size-9 shrink-0 place-items-center rounded-pill bg-ink font-semibold "
                        "text-white tabular-nums",
                        aria_hidden="true",
                    ),
                    rx.el.span(_(step), class_name="pt-1"),
                    class_name="flex gap-4",
                )
                for number, step in enumerate(DATE_CHANGE_STEPS, start=1)
            ],
            class_name="mt-5 space-y-5",
        ),
        ui.muted(_("Until we confirm the new day, the planned day stays as it is."), top=6),
        class_name="max-w-form lg:col-start-2",
    )


def _loading() -> rx.Component:
    return rx.el.div(
        ui.text(_("Loading…"), role="status", look="sr-only"),
        ui.skeleton("h-32 w-full rounded-card"),
        ui.skeleton("mt-10 h-8 w-56"),
        *[ui.skeleton("mt-4 h-14 w-full") for _i in range(3)],
        class_name="mt-8 max-w-form appear",
        custom_attrs={"aria-busy": "true"},
    )


def _title(*parts: Text) -> rx.Var[str]:
    wrong = (DeliveryDatePage.wrong_week != "") | (DeliveryDatePage.wrong_day != "") | (DeliveryDatePage.failure != "")
    shown = rx.cond(_OPEN, title(*parts, failed=wrong), title(status_title(), failed=wrong)).to(str)
    return rx.cond(DeliveryDatePage.view_state == MISSING, title(_("Page not found")), shown).to(str)


def _step(number: int) -> rx.Var[str]:
    return _("Step {x} of {y}", x=rx.Var.create(number), y=rx.Var.create(_STEPS))


_LOAD = [DeliveryDatePage.load, DeliveryDatePage.watch]

PAGES = [
    PageRoute("delivery-date/[order_id]", entry, _title(status_title()), on_load=_LOAD, first=DeliveryDatePage),
    PageRoute(
        "delivery-date/[order_id]/choose",
        choose,
        _title(_CHOOSE, _step(1), _NAME),
        on_load=_LOAD,
        first=DeliveryDatePage,
    ),
    PageRoute(
        "delivery-date/[order_id]/check", check, _title(_CHECK, _step(2), _NAME), on_load=_LOAD, first=DeliveryDatePage
    ),
]
