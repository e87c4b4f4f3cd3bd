"""The pages for another delivery day (part-2 §2): the entry page, the choice of a day and the check.

While a request is pending, or if the day cannot be changed, all three pages show that instead.
"""

import reflex as rx

from portal import ui
from portal.conversations.pages.components import request_page_link
from portal.deliveries.pages.date_choice import calendar, calendar_of_links, date_form, day_error, week_error
from portal.deliveries.pages.planned import change_notice, planned_day
from portal.deliveries.pages.state import DAY, DeliveryDatePage, ShownDateChange
from portal.frontend.accounts import account_facts, next_steps
from portal.frontend.actions import contact_about
from portal.frontend.layout import title
from portal.frontend.live import live_line
from portal.frontend.load import MISSING, READY
from portal.frontend.load_views import date_change_link, help_card, loaded, unless_missing
from portal.frontend.registry import PageRoute
from portal.i18n import Text, _, choice, moment, ngettext, weekday_day
from portal.i18n.messages import localized
from portal.kernel.codes import MESSAGES, Code
from portal.orders.api import ScheduledDelivery
from portal.vocabulary.actions import Feature
from portal.vocabulary.deliveries import DATE_CHANGE_STEPS, DATE_OPEN, DateChangeStatus

_DATES = DeliveryDatePage.dates
_SCHEDULED = _DATES.scheduled.to(ScheduledDelivery)
_PLANNED = (_SCHEDULED.day, _SCHEDULED.from_time, _SCHEDULED.until_time)
_CHANGE = _DATES.change.to(ShownDateChange)
_PANEL = "rounded-panel border-2 p-6 text-ink md:p-10"


def failure_notice() -> rx.Component:
    """Why a request, resend or cancellation failed. The notice takes the focus."""
    texts = {
        code: MESSAGES[code]
        for code in (
            Code.MAIL_SENT_RECENTLY,
            Code.ALREADY_HANDED_OVER,
            Code.DELIVERY_NOT_PLANNED,
            Code.DATE_CHANGE_NOT_OFFERED,
            Code.DATE_CHANGE_PENDING,
            Code.NO_DELIVERY_OPTIONS,
            Code.STATUS_CHANGED,
        )
    }
    page = DeliveryDatePage
    asking = _DATES.date_status == ""
    return ui.notice_on_failure(
        page.failure != "",
        rx.fragment(
            rx.cond(
                (asking & (page.failure != Code.MAIL_SENT_RECENTLY.value))
                | (page.failure == Code.DATE_CHANGE_PENDING.value),
                rx.el.span(_(MESSAGES[Code.DATE_CHANGE_FAILED]), " "),
            ),
            choice(page.failure, texts, MESSAGES[Code.GENERAL_ERROR]),
        ),
        page.attempt,
        rx.cond(
            # While a link is pending, the note below the resend button counts the seconds instead.
            asking & page.retry_at.bool(),
            ui.text(_("You can try again from {moment}.", moment=moment(page.retry_at)), top=2),
        ),
    )


def waiting_for_customer() -> rx.Component:
    return rx.fragment(
        ui.stack(
            ui.notice(_(MESSAGES[Code.EMAIL_FAILED]), tone="err", announced=True), top=6, shown=_CHANGE.email_failed
        ),
        _requested("border-warn-line bg-warn-bg"),
        ui.section(
            _("What happens next"),
            next_steps(_CHANGE.account),
            ui.text(_("We’ve sent the email to {email}.", email=_CHANGE.email), top=5, shown=_CHANGE.email != ""),
            ui.muted(_("No email? It can take a minute. Check your spam folder too."), look="max-w-form", top=2),
            ui.row(ui.action_button(_("Send the email again"), DeliveryDatePage.resend), _take_back(), top=4),
            ui.wait_note(
                _CHANGE.resend_at.to(str),
                [
                    ngettext("You can ask for it again in {n} second.", "You can ask for it again in {n} seconds.", 1),
                    ngettext(
                        "You can ask for it again in {n} second.",
                        "You can ask for it again in {n} seconds.",
                        rx.Var.create("{n}").to(int),
                    ),
                ],
            ),
            ui.strong(
                rx.cond(DeliveryDatePage.resent, _("We’ve sent the email again."), ""),
                role="status",
                look="text-ok",
                top=2,
            ),
        ),
        _after(),
    )


def waiting_for_shop() -> rx.Component:
    return rx.fragment(
        _requested(rx.cond(_CHANGE.asked, "border-warn-line bg-warn-bg", "border-info-line bg-info-bg")),
        ui.section(
            _("What happens next"),
            next_steps(_CHANGE.account),
            ui.muted(
                _("Still no news by then?"),
                " ",
                ui.text_link(_("Contact us"), contact_about(Feature.DELIVERY_DATE)),
                top=5,
            ),
            ui.stack(_take_back(), top=4),
        ),
        _after(),
    )


def _requested(colors: str | rx.Var[str]) -> rx.Component:
    account = _CHANGE.account
    return rx.el.div(
        ui.strong(localized(account.status)),
        ui.strong(localized(account.handover.when), look="text-h2 first-letter:uppercase", top=1),
        ui.text(localized(account.meaning), top=3),
        ui.stack(account_facts(account, _("Your request")), top=5),
        rx.el.div(
            ui.text(
                _("Your reference number"),
                ": ",
                rx.el.span(account.reference, class_name="font-semibold tracking-wider tabular-nums"),
            ),
            ui.copy_button(_CHANGE.reference, _("Copy reference number")),
            class_name="mt-3 flex flex-wrap items-center gap-x-4",
        ),
        ui.text(request_page_link(_CHANGE.reference)),
        class_name=[f"mt-8 {_PANEL}", colors],
    )


def _take_back() -> rx.Component:
    return ui.confirm_button(
        _("Cancel the request"),
        _("Cancel your request?"),
        _("Your order will then arrive on the day that was planned. You can ask for another day again."),
        act=_("Yes, cancel it"),
        safe=_("Keep the request"),
        on_confirm=DeliveryDatePage.withdraw,
        style="text",
    )


def _after() -> rx.Component:
    return rx.el.div(
        ui.text(
            date_change_link(
                _DATES.order_number, _("Download as PDF"), class_name=f"{ui.LINK} inline-flex min-h-11 items-center"
            )
        ),
        ui.row(
            ui.link_button(_("Track your order"), f"/order-status/{_DATES.order_number}"),
            ui.link_button(_("To overview"), "/dashboard", "secondary"),
            top=4,
        ),
        class_name="mt-8 border-t border-line pt-6",
    )


_CONTACT = contact_about(Feature.DELIVERY_DATE)

_TITLES: dict[str, Text] = {
    "": _("Change delivery day"),
    DateChangeStatus.WAITING_FOR_CUSTOMER: localized(_CHANGE.account.title),
    DateChangeStatus.WAITING_FOR_RETAILER: localized(_CHANGE.account.title),
    Code.ALREADY_HANDED_OVER: _("This delivery can no longer be moved"),
    Code.ORDER_CANCELLED: _("This order was cancelled"),
    Code.COLLECTED_IN_STORE: _("You’re collecting this order from the store"),
    Code.DELIVERY_FAILED: _("We couldn’t deliver your order"),
    Code.DELIVERY_NOT_PLANNED: _("No delivery day is planned yet"),
    Code.DATE_CHANGE_NOT_OFFERED: _("You can’t move this delivery online"),
    Code.NO_DELIVERY_OPTIONS: _("No delivery days at the moment"),
}


def status_title() -> rx.Var[str]:
    loaded = choice(_DATES.date_status, _TITLES, _("This delivery can’t be moved right now"))
    return rx.cond(_DATES, loaded, _TITLES[""]).to(str)


def refused() -> rx.Component:
    order = _DATES.order_number
    follow = (
        ui.link_button(_("Track your order"), f"/order-status/{order}"),
        ui.link_button(_("Contact us"), _CONTACT, "secondary"),
    )
    ask = (
        ui.link_button(_("Contact us"), _CONTACT),
        ui.link_button(_("Track your order"), f"/order-status/{order}", "secondary"),
    )
    have_ready = _("Have your order number to hand, and the days that suit you.")
    again = _("New days may be available from {moment}.", moment=moment(_DATES.retry_at))
    parcel, calendar, track = ui.illustrations.parcel, ui.illustrations.calendar, ui.illustrations.empty_track
    carriers = _("Many carriers let you choose another time yourself. Track your order to get there.")
    ready = _("Track your order to see whether it’s ready for you.")
    nothing = _("Nothing is being delivered, so there is no day to choose.")
    view = (ui.link_button(_("View your order"), f"/orders/{order}"), follow[1])
    retry = (ui.action_button(_("Please try again"), DeliveryDatePage.load, custom_attrs={"data-retry": ""}), follow[1])
    explained = (
        (Code.ALREADY_HANDED_OVER, parcel, carriers, follow, True),
        (Code.ORDER_CANCELLED, track, nothing, view, False),
        (Code.COLLECTED_IN_STORE, parcel, ready, follow, False),
        (Code.DELIVERY_FAILED, parcel, have_ready, ask, False),
        (Code.DELIVERY_NOT_PLANNED, calendar, _(DATE_OPEN), follow, True),
        (Code.DATE_CHANGE_NOT_OFFERED, calendar, have_ready, ask, True),
        (Code.NO_DELIVERY_OPTIONS, track, rx.cond(_DATES.retry_at, again, "").to(str), retry, True),
    )
    pending = {Code.DATE_CHANGE_PENDING: MESSAGES[Code.DATE_CHANGE_PENDING]}
    return rx.fragment(
        rx.match(
            _DATES.date_status,
            (DateChangeStatus.WAITING_FOR_CUSTOMER.value, waiting_for_customer()),
            (DateChangeStatus.WAITING_FOR_RETAILER.value, waiting_for_shop()),
            *(
                (code.value, _explanation(picture(), _(MESSAGES[code]), hint, *actions, planned=planned))
                for code, picture, hint, actions, planned in explained
            ),
            _explanation(
                calendar(),
                choice(_DATES.date_status, pending, MESSAGES[Code.DATE_CHANGE_FAILED]),
                _("Our customer service can tell you more."),
                ask[0],
            ),
        )
    )


def _explanation(
    picture: rx.Component, reason: rx.Var[str], hint: rx.Var[str], *actions: rx.Component, planned: bool = True
) -> rx.Component:
    """A card with the reason, a hint and actions. `planned`: whether to show the planned day, which is still valid."""
    day = rx.el.div(planned_day(*_PLANNED, _("Planned delivery")), class_name="mt-5 rounded-control bg-paper p-5")
    return rx.el.div(
        rx.el.div(picture, class_name="w-40 text-ink-500"),
        ui.strong(reason, look="max-w-form text-lg", top=5),
        ui.muted(hint, look="max-w-form empty:hidden", top=2),
        *([rx.cond(_DATES.scheduled, day)] if planned else []),
        ui.row(*actions, top=6),
        class_name="card mt-8 md:p-8",
    )


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
