"""What keeps a bike going: its next service, its mileage, its warranty, its insurance."""

from __future__ import annotations

from typing import Any

import reflex as rx

from portal.domain.codes import MESSAGES, Code
from portal.domain.service_jobs import Urgency
from portal.flows.service import SERVICE
from portal.i18n import _, choice, day, lowered, ngettext, number
from portal.pages.messages import field_message, refusal
from portal.pages.parts.bike_insurance import bike_insurance, fact, facts, top
from portal.pages.parts.form_helps import focus_box
from portal.states.bike import MILEAGE, BikeDetail
from portal.ui import (
    action_button,
    badge,
    card,
    error_summary,
    event_form,
    link_button,
    notice_on_failure,
    submit_button,
    text_field,
)
from portal.vocabulary.services import JOB_CONTENTS, JOB_NAMES

_BIKE: Any = BikeDetail.bike
_CLOCK: Any = BikeDetail.clock
_WARRANTY: Any = BikeDetail.warranty
_SERVICE = SERVICE.path


def bike_care() -> rx.Component:
    """Service and mileage on the left, warranty and insurance on the right."""
    return rx.el.section(
        rx.el.h2(_("Service and warranty")),
        rx.el.div(
            card(_service(), _mileage(), class_name="md:p-8"),
            rx.el.div(card(_guarantee()), card(bike_insurance()), class_name="grid content-start gap-5"),
            class_name="mt-4 grid gap-5 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]",
        ),
        class_name="mt-12",
    )


def _service() -> rx.Component:
    urgency = rx.match(
        _CLOCK.urgency,
        (Urgency.NOW.value, badge(_("Due now"), "warn")),
        (Urgency.SOON.value, badge(_("Due soon"), "info")),
        badge(_("Not due yet"), "ok"),
    )
    days = rx.cond(
        _CLOCK.days_over > 0,
        ngettext("{n} day too late", "{n} days too late", _CLOCK.days_over),
        rx.cond(_CLOCK.days_left > 0, ngettext("{n} day left", "{n} days left", _CLOCK.days_left), _("Today")),
    ).to(str)
    distance = rx.cond(
        _CLOCK.km_over != "",
        _("Passed"),
        rx.cond(
            _CLOCK.km_left != "",
            _("{n} km left", n=number(_CLOCK.km_left)),
            _("Enter your mileage to see how far you are"),
        ),
    ).to(str)
    return rx.fragment(
        top(_("Next: {job}", job=lowered(choice(_CLOCK.job, JOB_NAMES))), urgency),
        rx.el.p(choice(_CLOCK.job, JOB_CONTENTS), class_name="mt-2 text-ink-600"),
        facts(
            fact(_("By date"), rx.el.strong(_("Before {day}", day=day(_CLOCK.due))), days),
            rx.cond(
                _CLOCK.due_km != "",
                fact(_("By distance"), rx.el.strong(_("Before {n} km", n=number(_CLOCK.due_km))), distance),
            ),
            fact(_("Last service"), rx.cond(_CLOCK.last == "", _("Not yet"), day(_CLOCK.last)).to(str)),
            class_name="sm:grid sm:grid-cols-3 sm:gap-6 sm:space-y-0",
        ),
        rx.cond(
            _CLOCK.due_km != "",
            rx.el.p(_("Whichever comes first counts."), class_name="mt-3 text-sm text-ink-600"),
        ),
        rx.cond(
            (_CLOCK.urgency != Urgency.LATER.value) & (_CLOCK.start != ""),
            rx.el.div(
                link_button(_("Request a service"), f"{_SERVICE}?bike={_BIKE.bike_id}", wide=True), class_name="mt-5"
            ),
        ),
    )


def _mileage() -> rx.Component:
    known = rx.cond(
        _BIKE.mileage_day == "",
        _("{n} km", n=number(BikeDetail.km, 2)),
        _("{n} km on {day}", n=number(BikeDetail.km, 2), day=day(_BIKE.mileage_day)),
    )
    label = _("Mileage")
    error = field_message(
        rx.cond(BikeDetail.mileage_error == Code.MILEAGE_LOWER.value, "", BikeDetail.mileage_error).to(str),
        label,
        Code.INVALID_NUMBER,
    )
    field = text_field(
        MILEAGE,
        label,
        hint=_("Read it from the display or the odometer"),
        error=error,
        input_mode="decimal",
        width="max-w-40",
        suffix=_("km"),
    )
    return rx.el.div(
        rx.el.h3(_("Mileage of your bike")),
        rx.el.p(
            rx.cond(BikeDetail.km == "", _("We do not know the mileage of your bike yet."), known).to(str),
            class_name="mt-1 tabular-nums",
        ),
        rx.cond(
            BikeDetail.kept > 0,
            focus_box(
                rx.el.p(_("The mileage has been saved."), role="status", class_name="font-semibold text-ok"),
                attempt=BikeDetail.kept,
                class_name="mt-2",
            ),
        ),
        error_summary({MILEAGE: error}, BikeDetail.attempt),
        event_form(
            notice_on_failure(
                BikeDetail.mileage_error == Code.MILEAGE_LOWER.value,
                _(MESSAGES[Code.MILEAGE_LOWER]),
                BikeDetail.attempt,
                rx.el.div(
                    action_button(
                        _("It is right: save {n} km", n=BikeDetail.mileage_typed), BikeDetail.correct_mileage
                    ),
                    class_name="mt-4",
                ),
            ),
            notice_on_failure(
                BikeDetail.mileage_refusal != "",
                refusal(code=BikeDetail.mileage_refusal),
                BikeDetail.attempt,
                rx.el.p(_("What you filled in is still here."), class_name="mt-2"),
            ),
            field,
            submit_button(_("Save mileage"), style="secondary"),
            on_send=BikeDetail.enter_mileage,
            answered=BikeDetail.answered,
            class_name="mt-4 space-y-4",
            # Empty again once it was kept.
            key=BikeDetail.kept.to_string(),
        ),
        class_name="mt-8 border-t border-line pt-6",
    )


def _guarantee() -> rx.Component:
    return rx.fragment(
        top(_("Warranty"), rx.cond(_WARRANTY.expired, badge(_("Expired"), "warn"), badge(_("Under warranty"), "ok"))),
        facts(
            rx.cond(
                _WARRANTY.expired,
                fact(_("Expired on"), day(_WARRANTY.until)),
                fact(
                    _("Until"),
                    rx.el.strong(day(_WARRANTY.until)),
                    ngettext("{n} day left", "{n} days left", _WARRANTY.days_left),
                ),
            ),
            fact(_("Since"), day(_WARRANTY.since)),
        ),
    )
