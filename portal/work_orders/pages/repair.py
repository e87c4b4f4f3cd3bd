"""The pages of the repair flow (part-1 §2), and the parts that the flows about a bike share."""

from typing import Any

import reflex as rx

from portal import ui
from portal.account.pages.address_step import address_body, address_rows
from portal.bikes.flow import PIN_STEP
from portal.bikes.pages.bike_step import BIKE_SUBJECT, BikeChoice, bike_aside, bike_page, pin_body, pin_rows
from portal.bikes.rules import MOTOR_PARTS, RepairCost
from portal.flow import AnswerContext, Field, Flow
from portal.flow.pages import Intro, SentPage, StepPage, flow_pages
from portal.flow.pages.fields import answer, answers, asked, group, option_of
from portal.flow.pages.spec import StepFields, error_of
from portal.flow.pages.state import FlowRun
from portal.flow.pages.step import costs_aside, costs_to_check
from portal.flow.pages.views import shows
from portal.frontend.accounts import account_facts, amounts_box, handover_card, phases
from portal.i18n import _, choice, localized
from portal.locations.pages.location_step import (
    handover_body,
    handover_rows,
    location_body,
    location_rows,
    location_search,
)
from portal.pictures.pages import SIZE, SpotView
from portal.vocabulary.work_orders import RequestKind
from portal.work_orders.flow.repair import (
    ADDRESS_STEP,
    BIKE_STEP,
    COMMON,
    DAMAGE,
    HANDOVER_STEP,
    KNOWN,
    LAST_MAINTENANCE,
    LOCATION_STEP,
    MAINTENANCE,
    NEVER,
    PARTS,
    REPAIR,
    UNSURE,
    ExpectedCost,
    WarrantyFacts,
    details_of,
)

_DRAWN = BikeChoice.parts


def parts_question(entry: Field, cards: rx.Component, columns: str = "") -> rx.Component:
    """The drawing of the chosen bike above the list; both are one question.

    The spots of the drawing are labels of the boxes of the list, and the style sheet lights up what is ticked. Screen
    readers have the list only.
    """
    return rx.fragment(
        rx.cond(
            _DRAWN.name != "",
            rx.el.div(
                ui.muted(_("Tap the broken part on the bike or in the list.")),
                rx.el.div(
                    rx.el.img(src=_DRAWN.src, alt="", class_name="picture w-full", custom_attrs={**SIZE}),
                    rx.foreach(_DRAWN.parts.to(list[str]), _lit),
                    rx.foreach(_DRAWN.spots.to(list[SpotView]), _spot),
                    class_name="pressed-bike",
                    aria_hidden="true",
                ),
            ),
        ),
        group(entry, cards, legend=None, columns=columns),
    )


def listed(part: str) -> rx.Var[bool] | None:
    """Whether a part is asked about, if that depends on the bike: those of a motor for a bike that can have one."""
    return BikeChoice.motor.to(bool) if part in MOTOR_PARTS else None


def if_listed(part: str, content: rx.Component) -> rx.Component:
    shown = listed(part)
    return content if shown is None else rx.cond(shown, content)


def part_option(entry: Field, part: str) -> rx.Component:
    return option_of(entry, part, _(PARTS[part]), id=f"part-{part}")


def _lit(part: rx.Var[str]) -> rx.Component:
    # It is loaded when it is shown for the first time.
    return rx.el.img(
        src=rx.Var.create(f"/drawings/{_DRAWN.name}/{part}.svg"),
        alt="",
        loading="lazy",
        class_name="lit",
        custom_attrs={**SIZE},
        data_part=part,
    )


def _spot(spot: rx.vars.ObjectVar[SpotView]) -> rx.Component:
    return rx.el.div(
        rx.el.label(html_for="part-" + spot.part.to(str), class_name="spot"),
        # Not inside the label: it would be read as a second name of the box.
        rx.el.span(choice(spot.part, PARTS), class_name="spot-name"),
        class_name="spot-place",
        custom_attrs={"style": {"left": spot.left, "top": spot.top}},
        data_part=spot.part,
    )


_ACCOUNT: Any = FlowRun.receipt.account


def sent_phases() -> rx.Component:
    """The phases of the request as it is now, also when the confirmation is opened again."""
    return phases(_ACCOUNT, _("Progress of your request"))


def sent_handover() -> rx.Component:
    """How, where and when the bike goes."""
    return rx.cond(_ACCOUNT.handover, handover_card(_ACCOUNT.handover, _("How your bike gets there")))


def sent_account() -> rx.Component:
    """The costs and the answers."""
    return rx.fragment(amounts_box(_ACCOUNT), ui.section(_("Your answers"), account_facts(_ACCOUNT)))


class RepairWarranty(rx.State):
    """What a repair probably costs; None until a bike is chosen."""

    expected: rx.Field[ExpectedCost | None] = rx.field(None)


@shows(RepairWarranty, "repair-request")
def _warranty(_flow: Flow, answers: AnswerContext) -> dict[str, ExpectedCost | None]:
    return {"expected": answers.part(WarrantyFacts).warranty}


_NOT_INCLUDED = _("The cost of the repair itself comes on top.")

_MONTHS = (
    _("January"), _("February"), _("March"), _("April"), _("May"), _("June"), _("July"), _("August"), _("September"),
    _("October"), _("November"), _("December"),
)  # fmt: skip


def _intro() -> Intro:
    return Intro(
        _("Tell us what’s wrong with your bike. A mechanic will contact you within {repair_answer_days} working days."),
        _("Have to hand"),
        (
            _("What’s wrong, and when it started"),
            _("When it was last serviced, if you remember"),
            _("{repair_files_least} to {repair_files_most} photos or videos of what’s broken"),
        ),
        minutes=5,
        phases=lambda: ui.request_phases(RequestKind.REPAIR, _("How repairs work")),
    )


def _damage(fields: StepFields) -> rx.Component:
    """Ask for the damaged parts. Each chosen part opens a field for its description."""
    parts = fields["parts"]
    cards = rx.fragment(*[if_listed(part, _part(parts, part, fields[details_of(part)])) for part in PARTS])
    common = [
        ui.Suggestion(details_of(part), _(text), _(name), choice=(parts.name, part), shown=listed(part))
        for part, name, text in COMMON
    ]
    return rx.fragment(ui.suggestions(common), parts_question(parts, cards))


def _part(parts: Field, part: str, details: Field) -> rx.Component:
    label = _("{part}: what’s wrong with it?", part=_(PARTS[part]))
    return ui.revealing(
        part_option(parts, part),
        ui.text_area(
            details.name, label, minimum=31, maximum=1000, error=error_of(details), value=answer(details.name), rows=4
        ),
    )


def _maintenance(fields: StepFields) -> rx.Component:
    entry = fields["maintenance"]
    month = _month(fields["maintenance_month"], fields["maintenance_year"])
    cards = rx.fragment(
        rx.el.div(option_of(entry, KNOWN, _(LAST_MAINTENANCE[KNOWN])), month, class_name="reveals"),
        option_of(entry, NEVER, _(LAST_MAINTENANCE[NEVER])),
        option_of(entry, UNSURE, _(LAST_MAINTENANCE[UNSURE])),
    )
    return group(entry, cards, legend=None, columns="")


def _month(month: Field, year: Field) -> rx.Component:
    return rx.el.fieldset(
        rx.el.legend(_("Month and year"), class_name="font-semibold"),
        ui.text(_("For example 3 2026 or March 2026"), look="text-ink-500"),
        ui.row(_narrow(month, "max-w-40"), _narrow(year, "max-w-32"), gap=4, look="items-end", top=3),
        class_name="reveal",
    )


def _narrow(entry: Field, width: str) -> rx.Component:
    return rx.el.div(asked(entry), class_name=width)


def _damage_rows(fields: StepFields) -> list[ui.Fact]:
    chosen = answers(fields["parts"].name)
    return [
        ui.Fact(
            _(text),
            rx.el.span(answer(fields[details_of(part)].name), class_name="whitespace-pre-line"),
            shown=chosen.contains(part),
        )
        for part, text in PARTS.items()
    ]


def _maintenance_rows(fields: StepFields) -> list[ui.Fact]:
    entry, month, year = fields["maintenance"], fields["maintenance_month"], fields["maintenance_year"]
    names = {str(place): name for place, name in enumerate(_MONTHS, 1)}
    known = _("{month} {year}", month=choice(answer(month.name), names), year=answer(year.name))
    given = rx.cond(answer(entry.name) == KNOWN, known, choice(answer(entry.name), LAST_MAINTENANCE)).to(str)
    return [ui.Fact(_(entry.label), given)]


def expected_costs() -> rx.Component:
    """What the repair probably costs, the rule that says so, and the choice between repair and replacement."""
    shown = RepairWarranty.expected
    free = (shown.cost == RepairCost.FREE.value) | (shown.cost == RepairCost.PARTLY.value)
    text = rx.fragment(
        ui.text(localized(shown.rule)),
        ui.text(_("The mechanic looks at your bike first. We’ll tell you what it costs before we start."), top=2),
        ui.if_text(localized(shown.choice), top=2),
    )
    title = localized(shown.title)
    return rx.cond(
        shown,
        rx.el.section(
            ui.subheading(_("Warranty")),
            ui.stack(
                rx.cond(free, ui.notice(text, title=title, tone="ok"), ui.notice(text, title=title, tone="info")), top=3
            ),
            class_name="mt-8",
        ),
    )


PAGES = flow_pages(
    REPAIR,
    intro=_intro,
    subject=BIKE_SUBJECT,
    phases=sent_phases,
    steps=(
        bike_page(BIKE_STEP),
        StepPage(PIN_STEP, body=pin_body, rows=pin_rows),
        StepPage(DAMAGE, body=_damage, rows=_damage_rows),
        StepPage(MAINTENANCE, body=_maintenance, rows=_maintenance_rows),
        StepPage(ADDRESS_STEP, body=address_body, rows=address_rows),
        StepPage(LOCATION_STEP, body=location_body, rows=location_rows, before=location_search, half=True),
        StepPage(HANDOVER_STEP, body=handover_body, rows=handover_rows),
    ),
    aside=lambda: rx.fragment(bike_aside(), costs_aside()),
    before_sending=lambda: rx.fragment(expected_costs(), costs_to_check(_NOT_INCLUDED)),
    sent=SentPage(more=sent_account, beside=sent_handover),
)
