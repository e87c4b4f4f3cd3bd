"""Pages of webhooks: the list, and one webhook with its log."""

from typing import Any

import reflex as rx

from portal import ui
from portal.desk.forms import box_group, check_box, field_errors, refused
from portal.desk.registry import SHOP, DeskRoute, NavigationItem
from portal.desk.tables import cell, listing, open_link, table_pages, table_row
from portal.desk.views import back_line, desk_loaded, desk_page, filters, pairs, panel, title
from portal.exports.api import WebhookAttempt
from portal.exports.desk.webhooks_state import (
    CHOSEN,
    DESCRIPTION,
    EVENTS,
    FAILS,
    NEW,
    OFF,
    PAUSED,
    URL,
    WEBHOOKS,
    WORKS,
    ShownDelivery,
    ShownWebhook,
    WebhookPage,
    WebhooksPage,
)
from portal.frontend.models import entry
from portal.i18n import Text, _, choice, clock, moment, ngettext, weekday_short
from portal.kernel.codes import Code
from portal.vocabulary.exchange import DELIVERY_STATES, EVENT_TYPES, NO_ANSWERS, DeliveryState
from portal.vocabulary.staff import Right

_LABELS: dict[str, Text] = {URL: _("Address"), DESCRIPTION: _("Description"), EVENTS: _("Events")}
_TONES = {DeliveryState.DELIVERED.value: "ok", DeliveryState.WAITING.value: "info", DeliveryState.FAILED.value: "err"}


def webhooks() -> rx.Component:
    table = listing(
        WebhooksPage.lines,
        (_("Receiver"), _("Status"), _("Events"), _("Waiting")),
        _row,
        label=_("Webhooks"),
        numbers={3},
        empty=ui.empty_state(
            _("No webhooks yet"),
            _("A webhook sends every event to another system, such as your ERP."),
            ui.link_button(_("Add a webhook"), f"{WEBHOOKS}/{NEW}"),
        ),
    )
    return desk_page(
        desk_loaded(WebhooksPage, table, failure=_("The webhooks couldn’t be loaded.")),
        heading=_("Webhooks"),
        beside=ui.link_button(_("Add a webhook"), f"{WEBHOOKS}/{NEW}", shown=WebhooksPage.lines.length() > 0),
    )


def _row(line: rx.vars.ObjectVar[ShownWebhook]) -> rx.Component:
    events = line.events.to(list[str]).length()
    return table_row(
        cell(open_link(line.name, rx.Var.create(f"{WEBHOOKS}/").to(str) + line.id.to(str)), below=line.url),
        cell(_state(line)),
        cell(rx.cond(events > 0, ngettext("{n} type", "{n} types", events), _("All")), label=_("Events")),
        cell(line.pending, number=True, label=_("Waiting")),
        key=line.id,
    )


def _state(line: rx.vars.ObjectVar[ShownWebhook]) -> rx.Component:
    since = rx.el.span(" ", _("since {moment}", moment=moment(line.since)), class_name="text-ink-600")
    return rx.el.span(
        rx.match(
            line.state,
            (WORKS, ui.badge(_("Working"), "ok")),
            (FAILS, ui.badge(_("Failing"), "warn")),
            (PAUSED, ui.badge(_("Paused"), "err")),
            (OFF, ui.badge(_("Switched off"), "neutral")),
            rx.fragment(),
        ),
        rx.cond(line.since, since),
    )


def webhook() -> rx.Component:
    page = WebhookPage
    known = page.webhook.bool()
    added = known & (page.subject == NEW)
    form = rx.cond(known, panel(_("Change the webhook"), _form()), panel(None, _form()))
    return desk_page(
        desk_loaded(
            page,
            ui.stack(
                rx.cond(page.secret != "", _secret(added)),
                refused(page),
                rx.cond(added, rx.fragment(), rx.cond(known, ui.stack(_today(), _log(), form, gap=4), form)),
                gap=4,
            ),
            failure=_("The webhook couldn’t be loaded."),
        ),
        heading=rx.cond(known, page.webhook.name, _("Add a webhook")).to(str),
        back=back_line(_("Webhooks"), WEBHOOKS),
        above=ui.error_summary(_errors(), page.attempt),
    )


def _secret(added: Any) -> rx.Component:
    page = WebhookPage
    return ui.notice(
        ui.text(_("This secret signs the events. You only see it now; keep it where the receiver can read it."), top=1),
        ui.text(
            rx.el.code(page.secret, class_name="break-all rounded-control bg-white px-2 py-1"),
            ui.copy_button(page.secret, _("Copy the secret")),
            look="flex flex-wrap items-center gap-x-3",
            top=2,
        ),
        rx.cond(
            added,
            ui.text(
                ui.link_button(
                    _("To the webhook"), rx.Var.create(f"{WEBHOOKS}/").to(str) + page.webhook.id.to(str), "secondary"
                ),
                top=3,
            ),
            ui.text(_("For one more day, events are also signed with the old secret."), top=2),
        ),
        title=_("The secret of this webhook"),
        tone="warn",
        announced=True,
    )


def _today() -> rx.Component:
    page = WebhookPage
    found = page.webhook
    switch = rx.cond(
        found.state == OFF,
        ui.action_button(_("Switch on"), page.switch(True)),
        ui.action_button(_("Switch off"), page.switch(False)),
    )
    return panel(
        None,
        pairs(
            ui.Fact(_("Address"), found.url),
            ui.Fact(_("Status"), _state(found)),
            ui.Fact(_("Waiting"), ngettext("{n} event", "{n} events", found.pending.to(int))),
        ),
        ui.text(
            _("Nothing could be delivered for three days. The events are kept."), top=3, shown=found.state == PAUSED
        ),
        ui.row(
            ui.action_button(_("Start sending again"), page.resume, "primary", shown=found.state == PAUSED),
            ui.action_button(_("Send a test event"), page.test, shown=found.state != OFF),
            switch,
            ui.confirm_button(
                _("New secret"),
                _("Replace the secret?"),
                _("You see the new secret once. For one day, events are signed with both."),
                _("Replace the secret"),
                _("Keep the secret"),
                page.rotate,
            ),
            ui.confirm_button(
                _("Remove"),
                _("Remove this webhook?"),
                _("Its log is removed too, and anything still waiting won’t be sent."),
                _("Remove the webhook"),
                _("Keep the webhook"),
                page.remove,
            ),
            gap=2,
            top=4,
        ),
    )


def _stored(name: str) -> rx.Var[str]:
    return rx.cond(WebhookPage.webhook, entry(WebhookPage.webhook, name), "").to(str)


def _form() -> rx.Component:
    page = WebhookPage
    errors = _errors()
    return ui.event_form(
        ui.text_field(
            URL,
            _LABELS[URL],
            hint=_("Starts with https:// and can be reached from the internet"),
            value=_stored("url"),
            error=errors[URL],
            input_mode="url",
        ),
        ui.text_field(
            DESCRIPTION,
            _LABELS[DESCRIPTION],
            hint=_("For example the name of the system"),
            value=_stored("description"),
            error=errors[DESCRIPTION],
            optional=True,
        ),
        box_group(
            EVENTS,
            _LABELS[EVENTS],
            *[_event(type_) for type_ in CHOSEN],
            hint=_("Choose none to receive everything, including events added later"),
            error=errors[EVENTS],
            columns="lg:grid-cols-2",
        ),
        ui.submit_button(rx.cond(page.webhook, _("Save"), _("Add the webhook")).to(str), wide=False),
        on_send=page.save,
        answered=page.answered,
        key=_stored("id"),
        class_name="max-w-form space-y-4",
    )


def _event(type_: str) -> rx.Component:
    chosen = rx.cond(WebhookPage.webhook, WebhookPage.webhook.events, []).to(list[str])
    return check_box(f"event-{type_}", _(EVENT_TYPES[type_]), checked=chosen.contains(type_), below=rx.el.code(type_))


def _log() -> rx.Component:
    page = WebhookPage
    address = rx.Var.create(f"{WEBHOOKS}/").to(str) + page.webhook.id.to(str)
    states = (DeliveryState.DELIVERED, DeliveryState.WAITING, DeliveryState.FAILED)
    heads: tuple[Any, ...] = (
        _("When"),
        _("Event"),
        _("About"),
        _("Status"),
        _("Answer"),
        _("Attempts"),
        ui.hidden_text(_("Send again")),
    )
    table = listing(
        page.deliveries,
        heads,
        _delivery,
        label=_("Log"),
        numbers={5},
        empty=rx.cond(page.state_asked != "", _("No events with this status."), _("Nothing has been sent yet.")).to(
            str
        ),
        pages=table_pages(
            page, lambda number: address + "?state=" + page.state_asked.to(str) + "&page=" + number.to(str)
        ),
    )
    return rx.el.section(
        ui.row(
            rx.el.h2(_("Log")),
            ui.row(
                ui.action_button(_("Load again"), page.load, "text"),
                rx.cond(
                    (page.deliveries.length() > 0) | (page.state_asked != ""),
                    ui.confirm_button(
                        _("Send all failed again"),
                        _("Send all failed events again?"),
                        _("They go out in the same order, with the same ids as before."),
                        _("Send again"),
                        _("Leave them"),
                        page.send_failed,
                    ),
                ),
                gap=2,
            ),
            look="items-center justify-between",
        ),
        rx.el.div(
            filters(
                (_("All"), address + "?state="),
                *((_(DELIVERY_STATES[state]), address + f"?state={state.value}") for state in states),
                label=_("Filters"),
            ),
            class_name="my-3",
        ),
        table,
    )


def _soon(at: rx.Var[str]) -> rx.Var[str]:
    """A moment of these weeks, which fits a narrow column."""
    return weekday_short(at).to(str) + ", " + clock(at).to(str)


def _delivery(line: rx.vars.ObjectVar[ShownDelivery]) -> rx.Component:
    label = choice(line.state, {state.value: _(text) for state, text in DELIVERY_STATES.items()})
    due = rx.cond(line.next_attempt_at, _("next attempt {moment}", moment=_soon(line.next_attempt_at)), "")
    about = rx.cond(line.address != "", open_link(line.about, line.address), line.about)
    last = line.last.to(WebhookAttempt)
    answer = rx.cond(
        last,
        rx.fragment(rx.cond(last.status, last.status.to(str), _("No answer")), " · ", last.milliseconds, " ms"),
        "",
    )
    details = rx.cond(
        last.status,
        rx.el.span(last.answer, class_name="line-clamp-2 max-w-80 break-words"),
        choice(last.answer.to(str).split(":")[0], NO_ANSWERS),
    )
    again = ui.action_button(
        rx.fragment(_("Send again"), ui.hidden_text(" ", line.type, " ", line.about)),
        WebhookPage.send_again(line.id),
        "text",
    )
    return table_row(
        cell(_soon(line.created_at)),
        cell(rx.el.code(line.type, class_name="text-sm")),
        cell(about),
        cell(ui.badge(label, rx.Var.create(rx.match(line.state, *_TONES.items(), "neutral")).to(str)), below=due),
        cell(answer, below=rx.cond(last, details)),
        cell(line.attempts.to(list[WebhookAttempt]).length(), number=True, label=_("Attempts")),
        cell(rx.cond(line.state != DeliveryState.WAITING.value, again)),
        key=line.id,
    )


def _errors() -> dict[str, rx.Var[str]]:
    url = {
        Code.INVALID_URL.value: _("Enter an address that starts with https:// and can be reached from the internet.")
    }
    return field_errors(WebhookPage, _LABELS, Code.TOO_LONG, own={URL: url})


NAVIGATION = (NavigationItem(_("Webhooks"), WEBHOOKS, SHOP, Right.MANAGE_WEBHOOKS),)

PAGES = [
    DeskRoute(WEBHOOKS[1:], webhooks, title(_("Webhooks")), on_load=[WebhooksPage.load]),
    DeskRoute(f"{WEBHOOKS[1:]}/[webhook]", webhook, title(_("Webhooks")), on_load=[WebhookPage.load]),
]
