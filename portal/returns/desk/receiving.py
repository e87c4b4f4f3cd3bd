"""The page on which staff receive a return: they scan the label, and say what arrived in what condition."""

from collections.abc import Iterable, Mapping
from typing import Any

import reflex as rx

from portal import ui
from portal.desk.forms import check_box, refused
from portal.desk.registry import STORE, DeskRoute, NavigationItem
from portal.desk.views import back_line, desk_loaded, desk_page, pairs, panel, split, title
from portal.frontend.file_views import FileView, upload_field
from portal.frontend.texts import field_message, in_groups
from portal.i18n import _, choice, money
from portal.kernel.codes import Code
from portal.returns.api import MAX_MESSAGE, InspectionOutcome
from portal.returns.desk.state import CODE, ITEMS, RECEIVE, ExpectedReturn, ReceivePage, UnitToInspect
from portal.vocabulary.files import StaffFileUse
from portal.vocabulary.returns import (
    CONDITION_NAMES,
    DECISION_NAMES,
    RETURN_DESK_LABELS,
    RETURN_KIND_NAMES,
    STATE_NAMES,
    ReturnStatus,
)
from portal.vocabulary.staff import Right

_FOUND = ReceivePage.found.to(ExpectedReturn)


def scan() -> rx.Component:
    """The page without a return: scan a label, or type a reference."""
    return desk_page(
        panel(
            _("Scan the label"),
            ui.event_form(
                ui.text_field(
                    CODE,
                    _("Code on the label, or reference"),
                    hint=_("Use a hand scanner, or scan the label with the camera of your phone"),
                    error=_code_error(),
                    width="max-w-80",
                    auto_focus=True,
                ),
                ui.submit_button(_("Open the return"), _("Opening…")),
                on_send=ReceivePage.open,
                answered=ReceivePage.answered,
                class_name="space-y-4",
            ),
        ),
        heading=_("Receive a return"),
        above=ui.error_summary({CODE: _code_error()}, ReceivePage.attempt),
        narrow=True,
    )


def _code_error() -> rx.Var[str]:
    unreadable = _(
        "This code doesn’t belong to a return. Scan the label again, or type the reference, such as K7M2 PX4A."
    )
    return field_message(
        ReceivePage.errors.get(CODE, "").to(str),
        _("Code on the label, or reference"),
        **{Code.INVALID_CHOICE.value: unreadable},
    )


def receive() -> rx.Component:
    found = _FOUND
    return desk_page(
        desk_loaded(
            ReceivePage,
            rx.cond(
                ReceivePage.received,
                _received(),
                split([ui.when(found.receivable, _units(), _finish(), otherwise=_not_now())], [_about_the_return()]),
            ),
            failure=_("The return couldn’t be loaded."),
        ),
        heading=rx.cond(
            found, _("Receive {reference}", reference=in_groups(found.reference)), _("Receive a return")
        ).to(str),
        count=choice(found.kind, RETURN_KIND_NAMES, ""),
        back=back_line(_("Another return"), RECEIVE),
        above=ui.error_summary({ITEMS: _items_error(), "message": _message_error()}, ReceivePage.attempt),
    )


def _units() -> rx.Component:
    unsafe = ui.notice(
        _("Do not unpack it or put it with other items. Call customer service first."),
        title=_("Its battery is unsafe"),
        tone="err",
    )
    return panel(
        _("What arrived?"),
        ui.stack(unsafe, bottom=4, shown=_FOUND.urgent),
        rx.el.div(
            *ui.error_line(ITEMS, _items_error()),
            ui.muted(
                _("Was the parcel empty? Write to the customer from the case."),
                " ",
                rx.el.a(_("To the case"), to=_case_address()),
                bottom=3,
                shown=ReceivePage.errors.get(ITEMS, "") == Code.REQUIRED.value,
            ),
            ui.item_list(ReceivePage.units, _unit, look="divide-y divide-line"),
            custom_attrs={"id": ITEMS, "tabIndex": "-1"},
        ),
    )


def _case_address() -> rx.Var[str]:
    return rx.Var.create("/cases/return/").to(str) + _FOUND.reference.to(str)


def _not_now() -> rx.Component:
    """A return that cannot be received: nothing is offered that would be refused."""
    found = _FOUND
    return panel(
        None,
        ui.notice(
            _("Its status is: {status}.", status=choice(found.status, RETURN_DESK_LABELS)),
            title=_("This return can’t be received now"),
            tone="warn",
        ),
        ui.stack(ui.link_button(_("To the case"), _case_address(), "secondary"), top=4),
    )


def _unit(unit: rx.vars.ObjectVar[UnitToInspect]) -> rx.Component:
    return rx.el.li(
        rx.el.fieldset(
            rx.el.legend(unit.name, class_name="font-semibold"),
            ui.small(unit.detail, shown=unit.detail != ""),
            ui.stack(
                check_box(
                    rx.Var.create("arrived-").to(str) + unit.number.to(str),
                    _("It has arrived"),
                    checked=unit.arrived,
                    on_change=lambda arrived: ReceivePage.set_arrived(unit.number, arrived.to(bool)),
                ),
                top=2,
            ),
            rx.cond(unit.arrived, _inspection(unit)),
        ),
        # Another return begins with boxes of its own.
        key=_FOUND.reference.to(str) + unit.number.to(str),
        class_name="py-4 first:pt-0 last:pb-0",
    )


def _inspection(unit: rx.vars.ObjectVar[UnitToInspect]) -> rx.Component:
    return rx.el.div(
        _choose(_("Condition"), CONDITION_NAMES, unit.condition, unit.number, ReceivePage.set_condition),
        _choose(_("Decision"), DECISION_NAMES, unit.decision, unit.number, ReceivePage.set_decision),
        rx.cond(unit.frames.length() > 0, _which(unit)),
        rx.el.label(
            ui.line(
                _("Note for colleagues"),
                rx.el.span(" ", _("(optional)"), class_name="font-normal text-ink-500"),
                look="text-sm font-semibold",
            ),
            rx.el.input(
                type="text",
                default_value=unit.note,
                on_blur=ReceivePage.set_note(unit.number),
                max_length=300,
                class_name="field mt-1",
            ),
            class_name="block sm:col-span-2 lg:col-span-1 xl:col-span-2",
        ),
        rx.el.div(_photo(unit), class_name="sm:col-span-2 lg:col-span-1 xl:col-span-2"),
        class_name="mt-2 grid gap-3 sm:grid-cols-2 lg:grid-cols-1 xl:grid-cols-2",
    )


def _which(unit: rx.vars.ObjectVar[UnitToInspect]) -> rx.Component:
    frames = rx.foreach(unit.frames.to(list[str]), lambda frame: rx.el.option(frame, value=frame))
    options = (rx.el.option(_("Unknown"), value=""), frames)
    return _select(_("Frame number"), options, unit.frame_number, ReceivePage.set_frame(unit.number))


def _photo(unit: rx.vars.ObjectVar[UnitToInspect]) -> rx.Component:
    """The photo of a unit, taken with the camera of a phone or chosen from a disk."""
    use = StaffFileUse.RETURNED_UNIT
    return upload_field(
        rx.Var.create(f"{use.value}-").to(str) + unit.number.to(str),
        _("Photo of what arrived"),
        kinds=use.kinds,
        maximum=use.most,
        draft=rx.Var.create("returns/").to(str) + _FOUND.reference.to(str),
        known=unit.files.to(list[FileView]),
        on_changed=ReceivePage.photos_changed,
        optional=True,
        camera=True,
        last_text=_("If you remove {name}, there is no photo of this item."),
    )


def _choose(
    label: rx.Var[str], names: Mapping[Any, str], value: rx.Var[str], number: rx.Var[str], change: Any
) -> rx.Component:
    options = [rx.el.option(_(name), value=entry.value) for entry, name in names.items() if entry.name != "UNKNOWN"]
    return _select(label, options, value, change(number))


def _select(label: rx.Var[str], options: Iterable[rx.Component], value: rx.Var[str], change: Any) -> rx.Component:
    return rx.el.label(
        ui.line(label, look="text-sm font-semibold"),
        rx.el.select(*options, value=value, on_change=change, class_name="field select mt-1"),
        class_name="block",
    )


def _finish() -> rx.Component:
    outcome = ReceivePage.outcome.to(InspectionOutcome)
    return panel(
        _("What the customer gets"),
        ui.text(rx.el.strong(rx.cond(outcome.refund.bool(), money(outcome.refund), _("Nothing")))),
        ui.small(_("{amount} was agreed.", amount=money(_FOUND.refund)), shown=outcome.less),
        ui.event_form(
            ui.text_area(
                "message",
                _("Message to the customer"),
                hint=_("Needed if the customer gets less than agreed"),
                error=_message_error(),
                minimum=0,
                maximum=MAX_MESSAGE,
                rows=4,
                optional=True,
            ),
            refused(ReceivePage),
            ui.submit_button(
                rx.cond(
                    outcome.status == ReturnStatus.REJECTED.value,
                    _("Reject and tell the customer"),
                    _("Receive and tell the customer"),
                ).to(str)
            ),
            on_send=ReceivePage.receive,
            answered=ReceivePage.answered,
            class_name="mt-4 space-y-4",
        ),
    )


def _items_error() -> rx.Var[str]:
    nothing = _("Nothing is ticked, so there is nothing to receive. Tick what is here.")
    return field_message(
        ReceivePage.errors.get(ITEMS, "").to(str), _("What arrived?"), **{Code.REQUIRED.value: nothing}
    )


def _message_error() -> rx.Var[str]:
    return field_message(ReceivePage.errors.get("message", "").to(str), _("Message to the customer"), Code.TOO_LONG)


def _about_the_return() -> rx.Component:
    found = _FOUND
    return panel(
        _("The return"),
        pairs(
            ui.Fact(_("Customer"), found.customer_name),
            ui.Fact(_("Status"), ui.badge(choice(found.status, RETURN_DESK_LABELS), "info")),
            ui.Fact(_("Reason"), found.reason_text, shown=found.reason_text != ""),
            ui.Fact(_("Condition"), choice(found.state, STATE_NAMES), shown=found.state.bool()),
            ui.Fact(_("Costs"), _("Free of charge: wrong or defective"), shown=found.at_our_expense),
            ui.Fact(_("Agreed refund"), money(found.refund), shown=found.refund.bool()),
        ),
    )


def _received() -> rx.Component:
    outcome = ReceivePage.outcome.to(InspectionOutcome)
    return panel(
        None,
        ui.notice(
            rx.cond(
                outcome.refund.bool(),
                _("The refund is {amount}. The customer has been told.", amount=money(outcome.refund)),
                _("The customer has been told."),
            ),
            title=choice(outcome.status, RETURN_DESK_LABELS),
            tone="ok",
            announced=True,
        ),
        ui.stack(ui.link_button(_("Next return"), RECEIVE), top=4),
    )


NAVIGATION = (NavigationItem(_("Receive a return"), RECEIVE, STORE, Right.RECEIVE_RETURNS),)

PAGES = [
    DeskRoute(RECEIVE[1:], scan, title(_("Receive a return")), on_load=[ReceivePage.load]),
    DeskRoute(f"{RECEIVE[1:]}/[code]", receive, title(_("Receive a return")), on_load=[ReceivePage.load]),
]
