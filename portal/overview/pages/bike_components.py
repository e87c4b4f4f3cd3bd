"""Components of the page of a bike: details, insurance, service, mileage, warranty."""

import reflex as rx

from portal import ui
from portal.bikes.pages.bikes import battery_passport
from portal.frontend.accounts import account_facts
from portal.frontend.load_views import card_fact
from portal.frontend.texts import field_message, package_name, refusal
from portal.frontend.texts import insurance as cover_name
from portal.i18n import Text, _, choice, day, distance, localized, lowered, ngettext
from portal.insurance.pages.status import is_open, product_information, waits_for_link
from portal.kernel.codes import MESSAGES, Code
from portal.overview.pages.state import FRAME_NUMBER, MILEAGE, BikeDetail
from portal.overview.pages.views import TimeLeft
from portal.vocabulary.insurance import InsuranceStatus
from portal.vocabulary.orders import ItemKind
from portal.vocabulary.services import JOB_CONTENTS, JOB_NAMES
from portal.work_orders.flow.service import SERVICE
from portal.work_orders.rules import Urgency

_BIKE = BikeDetail.bike

_IDENTITY: tuple[tuple[Text, rx.Var[str], bool], ...] = (
    (_("Frame size"), _BIKE.size, False),
    (_("Colour"), _BIKE.color, False),
    (_("Frame number"), _BIKE.frame_number, True),
)
"""Name, value, and whether it can be copied."""


def identity() -> list[rx.Component]:
    return [rx.cond(value != "", card_fact(name, value)) for name, value, _copied in _IDENTITY]


def groups() -> rx.Component:
    keys = _BIKE.key_numbers.to(list[str])
    return rx.el.div(
        _group(
            _("Frame and colour"),
            ui.facts(
                ui.Fact(_("Brand"), _BIKE.brand),
                *[_copied(name, value) if copied else ui.Fact(name, value) for name, value, copied in _IDENTITY],
            ),
        ),
        rx.cond(
            (_BIKE.kind != ItemKind.CITY_BIKE.value) | (_BIKE.engine_brand != ""),
            _group(
                _("Motor and battery"),
                ui.facts(
                    ui.Fact(_("Motor brand"), _BIKE.engine_brand),
                    ui.Fact(_("Motor system"), _BIKE.engine_system),
                    _copied(_("Battery number"), _BIKE.battery_number),
                    _copied(_("Tracker number (IMEI)"), _BIKE.imei_number),
                ),
                battery_passport(_BIKE.battery_passport, BikeDetail.passport),
            ),
        ),
        _group(
            _("Keys and locks"),
            ui.facts(
                rx.foreach(keys, lambda key, place: ui.fact_row(_copied(_("Key number {n}", n=place + 1), key))),
                ui.Fact(_("Key numbers"), _("Unknown"), shown=keys.length() == 0),
                ui.Fact(_("Pin code"), rx.cond(_BIKE.has_pin_code, _("This bike has a pin code"), _("None")).to(str)),
            ),
        ),
        _service(),
        ui.muted(_("Is something missing or wrong?"), " ", ui.text_link(_("Let us know and we’ll add it"), "/contact")),
        class_name="mt-4 gap-5 lg:columns-2",
    )


def _group(name: Text, *rows: rx.Component) -> rx.Component:
    return rx.el.details(
        rx.el.summary(
            rx.el.h3(name),
            ui.chevron("rotate-90 group-open:-rotate-90 md:hidden"),
            class_name="mb-2 flex min-h-11 cursor-pointer list-none items-center justify-between gap-4 "
            "md:pointer-events-none",
        ),
        *rows,
        open=True,
        class_name="card group mb-5 break-inside-avoid",
    )


def _copied(name: Text, value: rx.Var[str]) -> ui.Fact:
    """A fact with a button that copies it. Screen readers hear what the button copies."""
    button = ui.copy_button(value, rx.fragment(_("Copy"), ui.hidden_text(" ", name)))
    return ui.Fact(name, value, action=rx.cond(value != "", button))


def _service() -> rx.Component:
    return _group(
        _("Service package and card"),
        ui.facts(
            ui.Fact(
                _("Service package"),
                rx.cond(_BIKE.service_package, package_name(_BIKE.service_package), _("None")).to(str),
            ),
            ui.Fact(_("Service card number"), _BIKE.service_card),
        ),
    )


_ASKED = BikeDetail.insurance


def _heading(name: Text, *badges: rx.Component | rx.Var) -> rx.Component:
    return rx.el.div(rx.el.h3(name), *badges, class_name="flex flex-wrap items-center justify-between gap-x-4 gap-y-2")


def _facts(*rows: rx.Component, class_name: str = "") -> rx.Component:
    return rx.el.dl(*rows, class_name=f"mt-5 space-y-3 {class_name}".rstrip())


def _card_fact(name: Text, *values: rx.Component | rx.Var[str]) -> rx.Component:
    return rx.el.div(
        rx.el.dt(name, class_name="text-sm text-ink-600"),
        *[rx.el.dd(value, class_name="tabular-nums") for value in values],
    )


def _insurance() -> rx.Component:
    """The insurance card; its badge is amber while the customer has to act (flow-standard F32)."""
    return ui.when(
        _BIKE.insurance != "",
        _heading(_("Insurance"), ui.badge(_("Insured"), "ok")),
        _facts(
            _card_fact(_("Cover"), cover_name(_BIKE.insurance)),
            _card_fact(
                _("Policy number"),
                rx.el.span(
                    rx.cond(_BIKE.policy_number == "", _("Unknown"), _BIKE.policy_number),
                    rx.cond(_BIKE.policy_number != "", ui.copy_button(_BIKE.policy_number, _("Copy policy number"))),
                    class_name="flex flex-wrap items-center justify-between gap-x-4",
                ),
            ),
            rx.cond(_BIKE.insurance_start, _card_fact(_("Insured from"), day(_BIKE.insurance_start))),
        ),
        ui.text(product_information(_ASKED.document_id, cover_name(_BIKE.insurance)), look="empty:hidden", top=3),
        otherwise=rx.cond(is_open(_ASKED), _requested(), _not_insured()),
    )


def _requested() -> rx.Component:
    """An open request: it waits for the link, for the customer's answer to the insurer, or for the insurer."""
    name, linked = localized(_ASKED.account.status), waits_for_link(_ASKED) & ~_ASKED.asked.to(bool)
    return rx.fragment(
        _heading(
            _("Insurance"),
            rx.cond(
                (_ASKED.status == InsuranceStatus.CREATED.value) & ~_ASKED.asked.to(bool),
                ui.badge(name, "info"),
                ui.badge(name, "warn"),
            ),
        ),
        ui.text(localized(_ASKED.account.meaning), top=3),
        ui.stack(account_facts(_ASKED.account, _("Your request")), top=3),
        ui.text(
            ui.tall_link(
                rx.cond(linked, _("Send the email again or cancel"), _("View your request")).to(str),
                to="/insurance-package",
            ),
            top=3,
        ),
    )


def _not_insured() -> rx.Component:
    return rx.fragment(
        _heading(_("Insurance"), ui.badge(_("Not insured with us"), "neutral")),
        ui.when(
            _ASKED.status == InsuranceStatus.CANCELLED.value,
            ui.text(localized(_ASKED.account.meaning), top=3),
            ui.stack(account_facts(_ASKED.account, _("Your request")), top=3),
        ),
        ui.when(
            BikeDetail.insurable,
            ui.text(
                _("You can insure this bike until {day}.", day=day(BikeDetail.insurable_until)),
                top=3,
                shown=BikeDetail.insurable_until,
            ),
            ui.text(ui.text_link(_("Compare cover"), f"/insurance-package?bike={_BIKE.bike_id}"), top=2),
            otherwise=ui.muted(_("You can insure a bike up to {insurance_days} days after buying it."), top=3),
        ),
    )


_CLOCK = BikeDetail.clock
_WARRANTY = BikeDetail.warranty
_SERVICE = SERVICE.path


def bike_due() -> rx.Component:
    """Cards for what is due: the next service, and the end of the warranty. A bike that has left has neither."""
    return rx.cond(
        _WARRANTY,
        rx.el.section(
            rx.el.h2(_("Service and warranty")),
            rx.el.div(
                rx.cond(_CLOCK, ui.card(_next_service(), class_name="md:p-8")),
                ui.card(_warranty()),
                class_name="mt-4 grid items-start gap-5 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]",
            ),
            class_name="mt-8",
        ),
    )


def bike_care() -> rx.Component:
    return rx.cond(
        _WARRANTY,
        rx.el.section(
            rx.el.h2(_("Mileage and insurance")),
            rx.el.div(
                ui.card(_mileage(), class_name="md:p-8"),
                ui.card(_insurance()),
                class_name="mt-4 grid items-start gap-5 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]",
            ),
            class_name="mt-12",
        ),
    )


def _time_left(left: rx.vars.ObjectVar[TimeLeft]) -> rx.Var[str]:
    return _in_words(
        left,
        _("{n} years left", n=left.years),
        _("{n} months left", n=left.months),
        ngettext("{n} day left", "{n} days left", left.days),
    )


def _overdue(left: rx.vars.ObjectVar[TimeLeft]) -> rx.Var[str]:
    return _in_words(
        left,
        _("{n} years overdue", n=left.years),
        _("{n} months overdue", n=left.months),
        ngettext("{n} day overdue", "{n} days overdue", left.days),
    )


def _in_words(left: rx.vars.ObjectVar[TimeLeft], years: Text, months: Text, days: Text) -> rx.Var[str]:
    return rx.cond(left.years.to(int) > 0, years, rx.cond(left.months.to(int) > 0, months, days)).to(str)


def _next_service() -> rx.Component:
    urgency = rx.match(
        _CLOCK.urgency,
        (Urgency.NOW.value, ui.badge(_("Due now"), "warn")),
        (Urgency.SOON.value, ui.badge(_("Due soon"), "info")),
        ui.badge(_("Not due yet"), "ok"),
    )
    days_left, km_left = _CLOCK.days_left.to(int), _CLOCK.km_left.to(int)
    days = rx.cond(
        days_left < 0,
        _overdue(BikeDetail.service_left),
        rx.cond(days_left > 0, _time_left(BikeDetail.service_left), _("Today")),
    ).to(str)
    to_go = rx.cond(
        km_left.is_none(),
        _("Enter your mileage to see what’s left"),
        rx.cond(km_left > 0, _("{distance} left", distance=distance(km_left)), _("Already ridden")),
    ).to(str)
    return rx.fragment(
        _heading(_("Next: {job}", job=lowered(choice(_CLOCK.job, JOB_NAMES))), urgency),
        ui.muted(choice(_CLOCK.job, JOB_CONTENTS), top=2),
        _facts(
            _card_fact(_("By date"), rx.el.strong(_("Before {day}", day=day(_CLOCK.due_on))), days),
            rx.cond(
                _CLOCK.due_at_km,
                _card_fact(
                    _("By distance"), rx.el.strong(_("Before {distance}", distance=distance(_CLOCK.due_at_km))), to_go
                ),
            ),
            _card_fact(_("Last service"), rx.cond(_CLOCK.last_on, day(_CLOCK.last_on), _("Not yet")).to(str)),
            class_name="sm:grid sm:grid-cols-3 sm:gap-6 sm:space-y-0",
        ),
        ui.small(_("Whichever comes first."), top=3, shown=_CLOCK.due_at_km),
        ui.stack(
            ui.link_button(_("Request a service"), f"{_SERVICE}?bike={_BIKE.bike_id}", wide=True),
            top=5,
            shown=(_CLOCK.urgency != Urgency.LATER.value) & BikeDetail.serviceable,
        ),
    )


def frame_number() -> rx.Component:
    """The form in which the customer fills in the frame number."""
    label = _("Frame number")
    error = field_message(BikeDetail.frame_number_error, label, Code.INVALID_FRAME_NUMBER)
    return rx.fragment(
        ui.text(_("We need it to book a repair or service. You’ll find it under the bike, between the pedals.")),
        ui.error_summary({FRAME_NUMBER: error}, BikeDetail.attempt),
        ui.event_form(
            ui.text_field(FRAME_NUMBER, label, value=BikeDetail.frame_number_typed, error=error, width="max-w-64"),
            ui.submit_button(_("Save"), wide=False, style="secondary"),
            on_send=BikeDetail.enter_frame_number,
            answered=BikeDetail.answered,
            class_name="mt-3 space-y-3",
        ),
        ui.text(ui.text_link(_("I can’t find the number"), "/contact?topic=repair"), top=1),
    )


def _mileage() -> rx.Component:
    known = rx.cond(
        _BIKE.mileage_at,
        _("{distance} on {day}", distance=distance(BikeDetail.km), day=day(_BIKE.mileage_at)),
        distance(BikeDetail.km),
    )
    label = _("Mileage")
    error = field_message(
        rx.cond(BikeDetail.mileage_error == Code.MILEAGE_LOWER.value, "", BikeDetail.mileage_error).to(str),
        label,
        Code.INVALID_NUMBER,
    )
    field = ui.text_field(
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
        ui.text(
            rx.cond(BikeDetail.km == "", _("We don’t know the mileage of your bike yet."), known).to(str),
            look="tabular-nums",
            top=1,
        ),
        rx.cond(
            BikeDetail.saves > 0,
            ui.focus_box(
                ui.strong(_("The mileage has been saved."), role="status", look="text-ok"),
                attempt=BikeDetail.saves,
                class_name="mt-2",
            ),
        ),
        ui.error_summary({MILEAGE: error}, BikeDetail.attempt),
        ui.event_form(
            ui.notice_on_failure(
                BikeDetail.mileage_error == Code.MILEAGE_LOWER.value,
                _(MESSAGES[Code.MILEAGE_LOWER]),
                BikeDetail.attempt,
                ui.stack(
                    ui.action_button(
                        _("That’s right: save {distance}", distance=distance(BikeDetail.mileage_typed)),
                        BikeDetail.correct_mileage,
                    ),
                    top=4,
                ),
            ),
            ui.notice_on_failure(
                BikeDetail.mileage_refusal != "",
                refusal(code=BikeDetail.mileage_refusal),
                BikeDetail.attempt,
                ui.text(_("Everything you filled in is still here."), top=2),
            ),
            field,
            ui.submit_button(_("Save mileage"), style="secondary"),
            on_send=BikeDetail.enter_mileage,
            answered=BikeDetail.answered,
            class_name="mt-4 space-y-4",
            # A new key empties the form after saving.
            key=BikeDetail.saves.to_string(),
        ),
    )


def _warranty() -> rx.Component:
    return rx.fragment(
        _heading(
            _("Warranty"),
            rx.cond(_WARRANTY.expired, ui.badge(_("Expired"), "warn"), ui.badge(_("Under warranty"), "ok")),
        ),
        _facts(
            rx.cond(
                _WARRANTY.expired,
                _card_fact(_("Expired on"), day(_WARRANTY.until)),
                _card_fact(_("Until"), rx.el.strong(day(_WARRANTY.until)), _time_left(BikeDetail.warranty_left)),
            ),
            _card_fact(_("Since"), day(_WARRANTY.since)),
        ),
    )
