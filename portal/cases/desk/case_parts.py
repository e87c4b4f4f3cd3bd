"""The panels of a case: what comes next, who handles it, notes, timeline, customer, bike and other cases."""

from __future__ import annotations

from typing import Any

import reflex as rx

from portal.cases.desk.case_state import CANCEL, GIVE, HAND_OVER, MOVE, PLAN, STORE, CasePage
from portal.desk.session import StaffSession, may
from portal.desk.views import Pair, keep_typed, pairs, panel
from portal.frontend.accounts import chosen_way
from portal.frontend.messages import field_message, message
from portal.i18n import Text, _, choice, day, localized, moment, money, weekday_day
from portal.kernel.codes import Code
from portal.staff.desk.correcting import FRAME, FRAME_FIELDS, frame_errors, frame_form, notice_to_customer, reason_field
from portal.staff.desk.customer_state import CUSTOMERS
from portal.staff.desk.revealing import hidden_pairs
from portal.ui import anchor, badge, error_summary, event_form, notice_on_failure, submit_button
from portal.ui.fields import described, labelled
from portal.vocabulary.cases import CASE_LABELS, STEP_ACTIONS, WORKSHOP
from portal.vocabulary.staff import Right

_FIELD = "field w-full"
_ACTIONS = {status: _(action) for status, action in STEP_ACTIONS.items()}


def next_step() -> rx.Component:
    """The next step with what the customer then reads; the others are beside it."""
    step, shown = CasePage.step, CasePage.case
    others = rx.foreach(
        shown.steps,
        lambda each: rx.cond(
            each.status == step.status,
            rx.fragment(),
            rx.el.button(
                choice(each.status, _ACTIONS),
                type="button",
                on_click=CasePage.choose(each.status),
                class_name="btn btn-secondary",
            ),
        ),
    )
    form = event_form(
        notice_on_failure(CasePage.refusal != "", message(CasePage.refusal), CasePage.attempt),
        rx.cond(step.asks_day, _day_field(MOVE, _("Day of the work (optional)"))),
        rx.cond(step.asks_policy, _line_field(MOVE, "policy_number", _("Policy number"))),
        rx.cond(
            step.asks_battery,
            rx.el.label(
                rx.el.input(type="checkbox", name="battery_collected", value="yes", class_name="size-4"),
                " ",
                _("A specialist has collected the battery"),
                _error(MOVE, "battery_collected", _("This")),
                class_name="block",
            ),
        ),
        keep_typed(
            rx.el.label(_("Message with it (optional)"), html_for="move-note", class_name="block text-sm"),
            rx.el.textarea(name="note", id="move-note", rows=2, max_length=500, class_name=_FIELD),
            name="move",
            sent=CasePage.saved,
        ),
        rx.el.p(_message_of(step), class_name="text-sm text-ink-600"),
        submit_button(choice(step.status, _ACTIONS)),
        on_send=CasePage.move,
        answered=CasePage.answered,
        class_name="space-y-3",
        key=step.status,
    )
    working = rx.cond(
        shown.steps.length() > 0,
        rx.fragment(form, rx.el.div(others, class_name="mt-3 flex flex-wrap gap-2")),
        rx.el.p(rx.cond(shown.done, _("This case is done."), _("There is no next step."))),
    )
    return panel(
        _("Next step"),
        rx.cond(
            may(Right.WORK_ON_CASES),
            working,
            rx.el.p(_("Your role reads this case; colleagues of the store or the desk move it on.")),
        ),
        rx.cond(may(Right.WORK_ON_CASES) & shown.can_plan, _plan()),
    )


def _plan() -> rx.Component:
    return rx.el.details(
        rx.el.summary(
            rx.cond(
                CasePage.case.planned != "",
                _("Planned for {day}: change", day=weekday_day(CasePage.case.planned)),
                _("Plan a day"),
            ),
            class_name="cursor-pointer py-1",
        ),
        event_form(
            _day_field(PLAN, _("Day")),
            submit_button(_("Plan this day"), style="secondary"),
            on_send=CasePage.plan,
            answered=CasePage.answered,
            class_name="mt-2 space-y-3",
        ),
        class_name="mt-3",
        open=CasePage.errors.contains("plan-day"),
    )


def assignment() -> rx.Component:
    """Who and which store handle the case, and the job card."""
    shown = CasePage.case
    give = event_form(
        rx.el.select(
            rx.el.option(_("Nobody"), value=""),
            rx.foreach(CasePage.people, lambda person: rx.el.option(person.text, value=person.value)),
            name="person",
            default_value=rx.cond(shown.person_id != "", shown.person_id, StaffSession.person_id),
            key=shown.key.to(str) + shown.person_id.to(str),
            aria_label=_("Assign to"),
            class_name=f"{_FIELD} select",
        ),
        _error(GIVE, "person", _("Person")),
        rx.el.button(_("Assign"), type="submit", class_name="btn btn-secondary", custom_attrs={"data-key": "a"}),
        on_send=CasePage.give,
        answered=CasePage.answered,
        class_name="mt-3 space-y-2",
    )
    elsewhere = rx.el.details(
        rx.el.summary(_("Hand over to another store"), class_name="cursor-pointer py-1"),
        event_form(
            rx.el.select(
                rx.el.option(_("Choose a store"), value=""),
                rx.foreach(CasePage.stores, lambda store: rx.el.option(store.text, value=store.value)),
                name="store",
                aria_label=_("Store"),
                class_name=f"{_FIELD} select",
            ),
            _error(HAND_OVER, "store", _("Store")),
            rx.el.textarea(
                name="reason", rows=2, max_length=900, placeholder=_("Note for the other store"),
                aria_label=_("Note for the other store"), class_name=_FIELD,
            ),
            rx.el.p(_("The customer is mailed the address of the other store."), class_name="text-sm text-ink-600"),
            submit_button(_("Hand over"), style="secondary"),
            on_send=CasePage.hand_over,
            answered=CasePage.answered,
            class_name="mt-2 space-y-2",
        ),
        class_name="mt-3",
        open=CasePage.errors.contains("hand_over-store"),
    )  # fmt: skip
    return panel(
        _("Who"),
        pairs(
            Pair(_("Assigned to"), rx.cond(shown.person != "", shown.person, _("nobody"))),
            Pair(_("Store"), rx.cond(shown.store != "", shown.store, _("Service desk"))),
        ),
        rx.cond(
            may(Right.WORK_ON_CASES) & ~shown.done,
            rx.fragment(give, rx.cond(_in_workshop(), elsewhere)),
        ),
        anchor(
            _("Job card with code"),
            href=rx.Var.create("/files/job-cards?cases=").to(str) + shown.key.to(str),
            target="_blank",
            class_name="btn btn-secondary mt-3",
        ),
    )


def timeline_panel() -> rx.Component:
    """Everything that happened, with persons; newest first."""

    def line(event: Any) -> rx.Component:
        who = rx.cond(
            event.who != "",
            rx.cond(event.by_customer, _("{name} for the customer", name=event.who), event.who),
            rx.cond(event.by_customer, _("customer"), _("portal")),
        )
        return rx.el.li(
            rx.el.span(
                class_name="absolute left-0 top-1.5 size-2.5 rounded-pill border-2 border-ink bg-white",
                aria_hidden="true",
            ),
            rx.el.span(localized(event.label)),
            rx.cond(localized(event.text) != "", rx.el.span(": ", localized(event.text))),
            " ",
            rx.el.span(moment(event.at), " · ", who, class_name="text-sm text-ink-600"),
            class_name="relative pb-2 pl-5",
        )

    return panel(_("Timeline"), rx.el.ol(rx.foreach(CasePage.case.events, line)))


def customer_panel() -> rx.Component:
    """The customer, with address and telephone."""
    customer = CasePage.case.customer
    return panel(
        _("Customer"),
        rx.cond(
            customer.known,
            rx.fragment(
                rx.el.p(
                    rx.cond(
                        may(Right.ACT_FOR_CUSTOMERS),
                        rx.el.a(
                            customer.name,
                            to=rx.Var.create(f"{CUSTOMERS}/").to(str) + customer.customer_id.to(str),
                            class_name="underline",
                        ),
                        customer.name,
                    ),
                    class_name="font-semibold",
                ),
                rx.cond(
                    customer.phone != "",
                    rx.el.p(anchor(customer.phone, href=customer.call, class_name="underline")),
                    rx.el.p(_("No phone number"), class_name="text-ink-600"),
                ),
                rx.cond(
                    customer.email != "",
                    rx.el.p(customer.email, class_name="break-all"),
                    rx.el.p(_("No email address: call or write a letter."), class_name="text-warn"),
                ),
                rx.el.p(
                    customer.address.join(", "),
                    rx.cond(
                        customer.map_url != "",
                        rx.fragment(
                            " · ", anchor(_("map"), href=customer.map_url, target="_blank", class_name="underline")
                        ),
                    ),
                    class_name="text-ink-600",
                ),
            ),
            rx.el.p(_("The customer is not known.")),
        ),
    )


def bike_panel() -> rx.Component:
    """The bike with warranty, order and history."""
    bike, order = CasePage.case.bike, CasePage.case.order
    warranty = rx.cond(
        bike.in_warranty,
        badge(_("In warranty until {day}", day=day(bike.warranty_until)), "ok"),
        badge(_("Warranty ended on {day}", day=day(bike.warranty_until)), "neutral"),
    )
    return rx.fragment(
        rx.cond(
            bike.known,
            panel(
                _("Bike"),
                rx.el.p(
                    bike.name, rx.cond(bike.details != "", rx.el.span(", ", bike.details)), class_name="font-semibold"
                ),
                rx.el.p(
                    rx.cond(
                        bike.frame_number != "",
                        _("Frame {number}", number=bike.frame_number),
                        _("Frame number unknown"),
                    )
                ),
                rx.el.p(_("Bought on {day}", day=day(bike.bought_on)), class_name="text-ink-600"),
                rx.el.p(
                    rx.cond(localized(bike.service_package) != "", localized(bike.service_package), _("No package")),
                    " · ",
                    rx.cond(bike.insured, _("insured"), _("not insured")),
                    class_name="text-ink-600",
                ),
                rx.el.p(warranty, class_name="mt-1"),
                rx.cond(
                    bike.history.length() > 0,
                    rx.fragment(
                        rx.el.h3(_("Earlier with this bike"), class_name="mt-3 text-sm font-semibold"),
                        _links(bike.history),
                    ),
                ),
            ),
        ),
        rx.cond(
            order.number != "",
            rx.el.div(
                panel(
                    _("Order {number}", number=order.number),
                    rx.el.p(day(order.ordered_on), class_name="text-ink-600"),
                    rx.el.ul(rx.foreach(order.lines, lambda item: rx.el.li(item))),
                    rx.el.p(_("Total {amount}", amount=money(order.total)), class_name="mt-1 tabular-nums"),
                    rx.cond(
                        order.outstanding != "",
                        rx.el.p(
                            _("Still to be paid: {amount}", amount=money(order.outstanding)), class_name="text-warn"
                        ),
                    ),
                ),
                class_name="mt-4",
            ),
        ),
    )


def hidden_panel() -> rx.Component:
    """Numbers that stay hidden until somebody shows them."""
    shown = CasePage.case
    return rx.cond(
        shown.hidden.length() > 0, panel(_("Hidden data"), pairs(*hidden_pairs(shown.hidden, shown.key.to(str))))
    )


def corrections_panel() -> rx.Component:
    """What staff put right: the frame number, the store, and a case that the customer no longer wants."""
    shown = CasePage.case
    frame = may(Right.CORRECT_FRAME_NUMBER) & shown.bike.known
    # A case of the workshop is handed over, which tells the customer where to bring the bike.
    store = may(Right.CORRECT_CUSTOMERS) & ~_in_workshop() & ~shown.done
    cancel = may(Right.CORRECT_CUSTOMERS) & (shown.cancelled.status != "")
    errors = {**frame_errors(CasePage), **{name: _correction_error(name) for name in _CORRECTION_LABELS}}
    return rx.cond(
        frame | store | cancel,
        panel(
            _("Corrections"),
            error_summary(errors, CasePage.attempt),
            rx.cond(
                frame,
                _correction(
                    FRAME,
                    _("Correct the frame number"),
                    frame_form(CasePage, shown.bike.frame_number, CasePage.correct_frame, CasePage.saved),
                ),
            ),
            rx.cond(store, _correction(STORE, _("Wrong store"), _store_form())),
            rx.cond(cancel, _correction(CANCEL, _("Cancel for the customer"), _cancel_form())),
        ),
    )


_CORRECTION_LABELS: dict[str, Text] = {
    "store-store_id": _("Store"),
    "store-reason": _("Reason"),
    "cancel-reason": _("Reason"),
}


def _correction_error(name: str) -> rx.Var[str]:
    codes = (Code.INVALID_CHOICE, Code.TOO_LONG)
    return field_message(CasePage.errors.get(name, "").to(str), _CORRECTION_LABELS[name], *codes)


def _correction(form: str, text: Text, content: rx.Component) -> rx.Component:
    """A form that opens below its name, and stays open while it has errors."""
    failed = rx.Var.create(False)
    for name in (*FRAME_FIELDS, *_CORRECTION_LABELS):
        if name.startswith(f"{form}-"):
            failed = failed | CasePage.errors.contains(name)
    return rx.el.details(
        rx.el.summary(text, class_name="cursor-pointer py-1"),
        rx.el.div(content, class_name="mt-2"),
        open=failed,
    )


def _store_form() -> rx.Component:
    error = _correction_error("store-store_id")
    control = rx.el.select(
        rx.el.option(_("Choose a store"), value=""),
        rx.foreach(CasePage.stores, lambda store: rx.el.option(store.text, value=store.value)),
        name="store-store_id",
        class_name=f"{_FIELD} select",
        custom_attrs=described("store-store_id", None, error, required=True),
    )
    return event_form(
        rx.el.p(rx.cond(CasePage.case.store != "", _("Now: {store}", store=CasePage.case.store), _("Now: no store"))),
        labelled("store-store_id", _("Store"), control, error=error),
        keep_typed(reason_field(CasePage, STORE, needed=False), name=STORE, sent=CasePage.saved),
        notice_to_customer(_("The customer is not told: it only changes who handles the case.")),
        submit_button(_("Move to this store"), style="secondary"),
        on_send=CasePage.correct_store,
        answered=CasePage.answered,
        class_name="space-y-3",
    )


def _cancel_form() -> rx.Component:
    step = CasePage.case.cancelled
    return event_form(
        keep_typed(reason_field(CasePage, CANCEL, needed=True), name=CANCEL, sent=CasePage.saved),
        notice_to_customer(_message_of(step)),
        submit_button(_("Cancel this case"), style="secondary"),
        on_send=CasePage.cancel_for_customer,
        answered=CasePage.answered,
        class_name="space-y-3",
    )


def _message_of(step: Any) -> rx.Component:
    """What the customer is told by a step."""
    return rx.fragment(
        rx.cond(step.mailed, _("The customer is mailed and reads:"), _("The customer reads in the portal:")),
        " ",
        rx.el.q(rx.cond(localized(step.sentence) != "", localized(step.sentence), localized(step.label))),
    )


def _in_workshop() -> rx.Var[bool]:
    found = rx.Var.create(False)
    for kind in WORKSHOP:
        found = found | (CasePage.case.kind == kind.value)
    return found


def handover_panel() -> rx.Component:
    """How the bike or the items come and go."""
    way = CasePage.case.account.handover
    return rx.cond(
        way.known,
        panel(
            _("Handover"),
            rx.el.p(chosen_way(way), class_name="font-semibold empty:hidden"),
            rx.el.p(
                way.place.join(", "),
                rx.cond(localized(way.country) != "", rx.el.span(", ", localized(way.country))),
                class_name="text-ink-600",
            ),
            rx.cond(localized(way.when) != "", rx.el.p(localized(way.when))),
        ),
    )


def others_panel() -> rx.Component:
    """The customer's other cases."""
    others = CasePage.case.others
    return rx.cond(others.length() > 0, panel(_("Other cases of this customer"), _links(others)))


def _links(links: Any) -> rx.Component:
    return rx.el.ul(
        rx.foreach(
            links,
            lambda link: rx.el.li(
                rx.el.a(
                    choice(link.kind, CASE_LABELS),
                    " ",
                    link.reference,
                    to=rx.Var.create("/cases/").to(str) + link.key.to(str),
                    class_name="underline",
                ),
                rx.el.span(
                    " · ", localized(link.status), " · ", day(link.opened_at), class_name="text-sm text-ink-600"
                ),
                class_name="py-0.5",
            ),
        )
    )


def _day_field(form: str, label: Text) -> rx.Component:
    name = f"{form}-day"
    return rx.el.div(
        rx.el.label(label, html_for=name, class_name="block text-sm"),
        _error(form, "day", label),
        rx.el.input(type="date", name="day", id=name, class_name=_FIELD),
    )


def _line_field(form: str, name: str, label: Text) -> rx.Component:
    return rx.el.div(
        rx.el.label(label, html_for=f"{form}-{name}", class_name="block text-sm"),
        _error(form, name, label),
        rx.el.input(type="text", name=name, id=f"{form}-{name}", max_length=40, class_name=_FIELD),
    )


def _error(form: str, name: str, label: Text) -> rx.Component:
    key = f"{form}-{name}"
    codes = (Code.NOT_FOUND, Code.INVALID_CHOICE, Code.STATUS_NOT_ALLOWED, Code.TOO_LONG)
    text = field_message(CasePage.errors[key].to(str), label, *codes)
    return rx.cond(
        CasePage.errors.contains(key),
        rx.el.p(text, class_name="font-semibold text-err", role="alert", custom_attrs={"id": f"{key}-error"}),
    )
