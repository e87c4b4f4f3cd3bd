"""The panels of a case: what comes next, who handles it, notes, timeline, customer, bike and other cases."""

import reflex as rx

from portal import ui
from portal.cases.desk.case_state import CANCEL, FIELDS, GIVE, HAND_OVER, MOVE, PLAN, STORE, CasePage
from portal.cases.desk.rows import STEP_NAMES, message_of, staff_options, store_options
from portal.cases.models import CaseBike, CaseLink, CaseOrder, NextStep, StaffName, StoreName
from portal.desk.forms import check_box, day_field, refused, typed_field
from portal.desk.session import StaffSession, may
from portal.desk.views import case_links, keep_typed, pairs, panel
from portal.frontend.models import entry
from portal.frontend.texts import field_message
from portal.i18n import Text, _, choice, day, localized, money, weekday_day
from portal.kernel.codes import Code
from portal.returns.desk.state import RECEIVE
from portal.staff.desk.customer_parts import FRAME, frame_errors, frame_form, notice_to_customer, reason_field
from portal.vocabulary.cases import HANDED_OVER, Asks, CaseState
from portal.vocabulary.returns import ReturnStatus
from portal.vocabulary.staff import Right


def next_step() -> rx.Component:
    step, steps = CasePage.step, CasePage.case.steps.to(list[NextStep])
    others = rx.foreach(
        steps,
        lambda each: rx.cond(
            each.status == step.status,
            rx.fragment(),
            ui.action_button(choice(each.status, STEP_NAMES), CasePage.choose(each.status)),
        ),
    )
    form = ui.event_form(
        rx.cond(
            step.asks_day, day_field(f"{MOVE}-day", _LABELS[f"{MOVE}-day"], error=_error("move-day"), optional=True)
        ),
        rx.cond(
            step.asks_policy,
            ui.text_field(
                f"{MOVE}-policy_number",
                _LABELS[f"{MOVE}-policy_number"],
                error=_error("move-policy_number"),
                max_length=40,
            ),
        ),
        rx.cond(
            step.asks_battery,
            check_box(
                f"{MOVE}-battery_collected",
                _LABELS[f"{MOVE}-battery_collected"],
                error=_error(f"{MOVE}-battery_collected"),
            ),
        ),
        rx.cond(step.asks_note, keep_typed(_note_field(f"{MOVE}-note", max_length=500), name=MOVE, sent=CasePage.sent)),
        ui.small(
            message_of(step),
            ui.when(localized(step.with_day) != "", " ", _("With a day:"), " ", rx.el.q(localized(step.with_day))),
        ),
        ui.text(
            _("Your question to the customer is still open. This step ends it: they needn’t answer any more."),
            look="text-sm text-warn",
            shown=CasePage.talk.asks != Asks.NOTHING.value,
        ),
        rx.cond((step.status == ReturnStatus.RECEIVED.value) & may(Right.RECEIVE_RETURNS), _item_by_item()),
        refused(CasePage, MOVE),
        ui.submit_button(choice(step.status, STEP_NAMES)),
        on_send=CasePage.move,
        answered=CasePage.answered,
        class_name="space-y-3",
        key=step.status,
    )
    working = ui.when(
        steps.length() > 0,
        form,
        ui.row(others, gap=2, top=3),
        otherwise=ui.text(rx.cond(is_open(), _("There is no next step."), _("This case is done."))),
    )
    return panel(
        _("Next step"),
        _summary(MOVE, PLAN),
        rx.cond(
            may(Right.WORK_ON_CASES),
            working,
            ui.text(
                _(
                    "With your role you can only read this case. Colleagues in the store or at customer service "
                    "take it further."
                )
            ),
        ),
        rx.cond(may(Right.WORK_ON_CASES) & CasePage.case.can_plan, _plan()),
    )


def _item_by_item() -> rx.Component:
    """The way to the page on which each item is judged; the step takes everything as the customer stated it."""
    receive = rx.Var.create(f"{RECEIVE}/").to(str) + CasePage.case.reference.to(str)
    return ui.small(
        _("This records that everything arrived as the customer stated."),
        " ",
        rx.el.a(_("Check each item instead"), to=receive, class_name="desk-target"),
    )


def _plan() -> rx.Component:
    return rx.el.details(
        rx.el.summary(
            rx.cond(
                CasePage.case.planned_date,
                _("Planned for {day}: change", day=weekday_day(CasePage.case.planned_date)),
                _("Plan a day"),
            ),
            class_name="cursor-pointer py-1",
        ),
        ui.event_form(
            day_field(f"{PLAN}-day", _LABELS[f"{PLAN}-day"], error=_error(f"{PLAN}-day")),
            refused(CasePage, PLAN),
            ui.submit_button(_("Plan this day"), style="secondary"),
            on_send=CasePage.plan,
            answered=CasePage.answered,
            class_name="mt-2 space-y-3",
        ),
        class_name="mt-3",
        open=CasePage.errors.contains(f"{PLAN}-day") | (CasePage.refused == PLAN),
    )


def assignment() -> rx.Component:
    shown = CasePage.case
    person_id = rx.cond(shown.person, shown.person.to(StaffName).person_id, "").to(str)
    give = ui.event_form(
        ui.select_field(
            f"{GIVE}-person",
            _LABELS[f"{GIVE}-person"],
            [("", _("No one"))],
            further=staff_options(shown.people.to(list[StaffName])),
            error=_error(f"{GIVE}-person"),
            value=rx.cond(shown.person, person_id, StaffSession.person_id).to(str),
            key=CasePage.case_path + person_id,
        ),
        refused(CasePage, GIVE),
        rx.el.button(_("Assign"), type="submit", class_name="btn btn-secondary", custom_attrs={"data-key": "a"}),
        on_send=CasePage.give,
        answered=CasePage.answered,
        class_name="mt-3 space-y-2",
    )
    elsewhere = rx.el.details(
        rx.el.summary(_("Hand over to another store"), class_name="cursor-pointer py-1"),
        ui.event_form(
            _store_field(f"{HAND_OVER}-store"),
            _note_field(f"{HAND_OVER}-note", max_length=900),
            ui.small(_("The customer is emailed the address of the other store.")),
            refused(CasePage, HAND_OVER),
            ui.submit_button(_("Hand over"), style="secondary"),
            on_send=CasePage.hand_over,
            answered=CasePage.answered,
            class_name="mt-2 space-y-3",
        ),
        class_name="mt-3",
        open=CasePage.errors.contains(f"{HAND_OVER}-store") | (CasePage.refused == HAND_OVER),
    )
    return panel(
        _("Who"),
        _summary(GIVE, HAND_OVER),
        pairs(
            ui.Fact(_("Assigned to"), rx.cond(shown.person, shown.person.to(StaffName).name, _("no one"))),
            ui.Fact(_("Store"), rx.cond(shown.store, shown.store.to(StoreName).name, _("Customer service"))),
        ),
        ui.when(may(Right.WORK_ON_CASES) & is_open(), give, rx.cond(_is_handed_over(), elsewhere)),
        ui.anchor(
            _("Job card with code"),
            href=rx.Var.create("/files/job-cards?cases=").to(str) + CasePage.case_path,
            target="_blank",
            class_name="btn btn-secondary mt-3",
        ),
    )


def bike_panel() -> rx.Component:
    bike = CasePage.case.bike.to(CaseBike)
    warranty = rx.cond(
        bike.in_warranty,
        ui.badge(_("Under warranty until {day}", day=day(bike.warranty_until)), "ok"),
        ui.badge(_("Warranty ended on {day}", day=day(bike.warranty_until)), "neutral"),
    )
    return rx.fragment(
        rx.cond(
            bike,
            panel(
                _("Bike"),
                ui.strong(bike.name, rx.cond(bike.details != "", rx.el.span(", ", bike.details))),
                ui.text(
                    rx.cond(
                        bike.frame_number != "",
                        _("Frame {number}", number=bike.frame_number),
                        _("Frame number unknown"),
                    )
                ),
                *[
                    ui.muted(label, ": ", number, look="wrap-anywhere", shown=number != "")
                    for label, number in (
                        (_("Key and lock numbers"), bike.key_numbers.to(list[str]).join(" · ")),
                        (_("Battery number"), bike.battery_number),
                        (_("Tracker (IMEI)"), bike.tracker_number),
                    )
                ],
                ui.muted(_("Bought on {day}", day=day(bike.bought_on))),
                ui.muted(
                    rx.cond(localized(bike.service_package) != "", localized(bike.service_package), _("No package")),
                    " · ",
                    rx.cond(bike.insured, _("insured"), _("not insured")),
                ),
                ui.text(
                    rx.cond(localized(bike.departed) != "", ui.badge(localized(bike.departed), "neutral"), warranty),
                    top=1,
                ),
                ui.when(
                    bike.history.to(list[CaseLink]).length() > 0,
                    rx.el.h3(_("Earlier with this bike"), class_name="mt-3 text-sm font-semibold"),
                    case_links(bike.history),
                ),
            ),
        ),
        rx.foreach(CasePage.case.orders.to(list[CaseOrder]), _order_panel),
    )


def _order_panel(order: rx.vars.ObjectVar[CaseOrder]) -> rx.Component:
    return ui.stack(
        panel(
            _("Order {number}", number=order.order_number),
            ui.muted(day(order.ordered_on)),
            ui.item_list(entry(order, "items").to(list[str]), lambda item: rx.el.li(item)),
            ui.text(_("Total {amount}", amount=money(order.total)), look="tabular-nums", top=1),
            ui.text(
                _("Still to pay: {amount}", amount=money(order.outstanding)),
                look="text-warn",
                shown=order.outstanding.to(float) > 0,
            ),
        ),
        top=4,
    )


def corrections_panel() -> rx.Component:
    shown = CasePage.case
    frame = may(Right.CORRECT_FRAME_NUMBER) & shown.bike.bool()
    # A case of the workshop is handed over, which tells the customer where to bring the bike.
    store = may(Right.CORRECT_CUSTOMERS) & ~_is_handed_over() & is_open()
    cancel = may(Right.CORRECT_CUSTOMERS) & CasePage.cancelled.bool()
    return rx.cond(
        frame | store | cancel,
        panel(
            _("Corrections"),
            _summary(FRAME, STORE, CANCEL),
            rx.cond(
                frame,
                _correction(
                    FRAME,
                    _("Correct the frame number"),
                    frame_form(CasePage, shown.bike.to(CaseBike).frame_number, CasePage.correct_frame),
                ),
            ),
            rx.cond(store, _correction(STORE, _("Wrong store"), _store_form())),
            rx.cond(cancel, _correction(CANCEL, _("Cancel for the customer"), _cancel_form())),
        ),
    )


def _correction(form: str, text: Text, content: rx.Component) -> rx.Component:
    failed = CasePage.refused == form
    for name in FIELDS:
        if name.startswith(f"{form}-"):
            failed = failed | CasePage.errors.contains(name)
    return rx.el.details(rx.el.summary(text, class_name="cursor-pointer py-1"), ui.stack(content, top=2), open=failed)


def _store_form() -> rx.Component:
    return ui.event_form(
        ui.text(
            rx.cond(
                CasePage.case.store, _("Now: {store}", store=CasePage.case.store.to(StoreName).name), _("Now: no store")
            )
        ),
        _store_field(f"{STORE}-store_id"),
        keep_typed(reason_field(CasePage, STORE, needed=False), name=STORE, sent=CasePage.sent),
        notice_to_customer(_("The customer isn’t told: this only changes who handles the case.")),
        refused(CasePage, STORE),
        ui.submit_button(_("Move to this store"), style="secondary"),
        on_send=CasePage.correct_store,
        answered=CasePage.answered,
        class_name="space-y-3",
    )


def _cancel_form() -> rx.Component:
    return ui.event_form(
        keep_typed(reason_field(CasePage, CANCEL, needed=True), name=CANCEL, sent=CasePage.sent),
        notice_to_customer(message_of(CasePage.cancelled)),
        refused(CasePage, CANCEL),
        ui.submit_button(_("Cancel this case"), style="secondary"),
        on_send=CasePage.cancel_for_customer,
        answered=CasePage.answered,
        class_name="space-y-3",
    )


def is_open() -> rx.Var[bool]:
    return CasePage.case.state != CaseState.DONE.value


def _is_handed_over() -> rx.Var[bool]:
    found = rx.Var.create(False)
    for kind in HANDED_OVER:
        found = found | (CasePage.case.kind == kind.value)
    return found


_LABELS: dict[str, Text] = {
    f"{MOVE}-day": _("Day of the work"),
    f"{MOVE}-note": _("Message to go with it"),
    f"{MOVE}-policy_number": _("Policy number"),
    f"{MOVE}-battery_collected": _("A specialist has collected the battery"),
    f"{PLAN}-day": _("Day"),
    f"{GIVE}-person": _("Assign to"),
    f"{HAND_OVER}-store": _("Store"),
    f"{HAND_OVER}-note": _("Note for the other store"),
    f"{STORE}-store_id": _("Store"),
    f"{STORE}-reason": _("Reason"),
    f"{CANCEL}-reason": _("Reason"),
}
"""Labels of the fields of the page; those of the frame number are with its form."""


def _store_field(name: str) -> rx.Component:
    return typed_field(
        name, _LABELS[name], store_options(CasePage.stores), hint=_("Type part of the name"), error=_error(name)
    )


def _note_field(name: str, max_length: int) -> rx.Component:
    error = _error(name)
    control = rx.el.textarea(
        name=name,
        rows=2,
        max_length=max_length,
        class_name="field w-full",
        custom_attrs=ui.described(name, None, error, required=False),
    )
    return ui.labelled(name, _LABELS[name], control, error=error, optional=True)


def _summary(*forms: str) -> rx.Component:
    errors = {name: _error(name) for name in _LABELS} | frame_errors(CasePage)
    return ui.error_summary(
        {name: error for name, error in errors.items() if name.partition("-")[0] in forms}, CasePage.attempt
    )


def _error(name: str) -> rx.Var[str]:
    codes = (Code.NOT_FOUND, Code.INVALID_CHOICE, Code.STATUS_NOT_ALLOWED, Code.TOO_LONG)
    over = {Code.INVALID_CHOICE.value: _("Choose today or a later day.")}
    own = {
        f"{MOVE}-day": over,
        f"{PLAN}-day": over,
        f"{MOVE}-battery_collected": {
            Code.REQUIRED.value: _("Have a specialist collect the battery first, then tick the box.")
        },
        f"{HAND_OVER}-store": {Code.REQUIRED.value: _("Choose a store.")},
        f"{STORE}-store_id": {Code.REQUIRED.value: _("Choose a store.")},
    }.get(name, {})
    return field_message(CasePage.errors.get(name, "").to(str), _LABELS[name], *codes, **own)
