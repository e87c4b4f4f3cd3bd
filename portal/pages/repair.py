"""Request a repair (part-1 §2 Repair request flow)."""

from __future__ import annotations

import reflex as rx

from portal.domain.flow import Field, OneOf
from portal.flows.repair import KNOWN, NEVER, PARTS, REPAIR, UNSURE, details_of
from portal.i18n import _, choice
from portal.pages.flow import After, Screens, flow_pages
from portal.pages.flow.address import address_body, address_rows
from portal.pages.flow.bike import OF_REPAIRS, bike_aside, bike_body, bike_rows, pin_body, pin_rows
from portal.pages.flow.costs import costs_aside, costs_to_check
from portal.pages.flow.fields import answer, answers, asked, group, option_of
from portal.pages.flow.handover import handover_body, handover_rows
from portal.pages.flow.location import location_body, location_rows, location_search
from portal.pages.flow.sent import location_sent
from portal.pages.flow.words import error_of
from portal.pages.parts.tracker import road
from portal.ui import Fact, text_area
from portal.vocabulary.work_orders import RequestKind

_FIELDS = {entry.name: entry for entry in REPAIR.fields}
_STEPS = {step.slug: step for step in REPAIR.steps}
_NOT_INCLUDED = _("The repair itself is not included.")
_MONTHS = (
    _("January"), _("February"), _("March"), _("April"), _("May"), _("June"), _("July"), _("August"), _("September"),
    _("October"), _("November"), _("December"),
)  # fmt: skip


def _road() -> rx.Component:
    return road(RequestKind.REPAIR, _("How a repair goes"))


def _intro() -> rx.Component:
    return rx.fragment(
        rx.el.p(
            _(
                "Tell us what is wrong with your bike. A mechanic contacts you within "
                "{repair_answer_days} business days."
            ),
            class_name="mt-3 max-w-form text-lg",
        ),
        rx.el.div(_road(), class_name="mt-8"),
        rx.el.section(
            rx.el.h2(_("Have at hand")),
            rx.el.ul(
                rx.el.li(_("What is wrong, and when it started")),
                rx.el.li(_("The month of the last maintenance, if you remember it")),
                rx.el.li(_("{repair_files_least} to {repair_files_most} photos or videos of what is broken")),
                class_name="mt-3 list-disc space-y-1 pl-5",
            ),
            rx.el.p(
                _("It takes about 5 minutes. You can stop and go on later: every step is saved."), class_name="mt-4"
            ),
            class_name="mt-10 max-w-form",
        ),
    )


def _parts() -> rx.Component:
    """The parts in their order on the bike; each that is chosen opens its own description."""
    cards = rx.fragment(*[_part(part) for part in PARTS])
    return group(_FIELDS["parts"], cards, legend=None, columns="")


def _part(part: str) -> rx.Component:
    entry = _FIELDS[details_of(part)]
    label = _("{part}: what is wrong with it?", part=_(PARTS[part]))
    return rx.el.div(
        option_of(_FIELDS["parts"], part, _(PARTS[part])),
        rx.el.div(
            text_area(
                entry.name, label, minimum=31, maximum=1000, error=error_of(entry), value=answer(entry.name), rows=4
            ),
            class_name="reveal",
        ),
        class_name="reveals",
    )


def _maintenance() -> rx.Component:
    entry = _FIELDS["maintenance"]
    options = entry.rule.options if isinstance(entry.rule, OneOf) else {}
    cards = rx.fragment(
        rx.el.div(option_of(entry, KNOWN, _(options[KNOWN])), _month(), class_name="reveals"),
        option_of(entry, NEVER, _(options[NEVER])),
        option_of(entry, UNSURE, _(options[UNSURE])),
    )
    return group(entry, cards, legend=None, columns="")


def _month() -> rx.Component:
    return rx.el.fieldset(
        rx.el.legend(_("Month and year"), class_name="font-semibold"),
        rx.el.p(_("For example 3 2026 or March 2026"), class_name="text-ink-500"),
        rx.el.div(
            _narrow(_FIELDS["maintenance_month"], "max-w-40"),
            _narrow(_FIELDS["maintenance_year"], "max-w-32"),
            class_name="mt-3 flex flex-wrap items-end gap-4",
        ),
        class_name="reveal",
    )


def _narrow(entry: Field, width: str) -> rx.Component:
    return rx.el.div(asked(entry), class_name=width)


def _parts_rows() -> list[Fact]:
    return [
        Fact(
            _(text),
            rx.el.span(answer(details_of(part)), class_name="whitespace-pre-line"),
            shown=answers("parts").contains(part),
        )
        for part, text in PARTS.items()
    ]


def _maintenance_rows() -> list[Fact]:
    months = {str(place): name for place, name in enumerate(_MONTHS, 1)}
    entry = _FIELDS["maintenance"]
    options = entry.rule.options if isinstance(entry.rule, OneOf) else {}
    month = choice(answer("maintenance_month"), months)
    known = _("{month} {year}", month=month, year=answer("maintenance_year"))
    given = rx.cond(answer("maintenance") == KNOWN, known, choice(answer("maintenance"), dict(options))).to(str)
    return [Fact(_("Last maintenance"), given)]


SCREENS = Screens(
    flow=REPAIR,
    module=__name__,
    intro=_intro,
    road=_road,
    bodies={
        "step-1": lambda: bike_body(_FIELDS["bike"], refusals=OF_REPAIRS),
        "pincode-step": pin_body,
        "step-2": _parts,
        "step-3": _maintenance,
        "step-5": lambda: address_body(_STEPS["step-5"]),
        "step-6": lambda: location_body(_STEPS["step-6"]),
        "step-7": lambda: handover_body(_STEPS["step-7"]),
    },
    rows={
        "step-1": bike_rows,
        "pincode-step": pin_rows,
        "step-2": _parts_rows,
        "step-3": _maintenance_rows,
        "step-5": address_rows,
        "step-6": location_rows,
        "step-7": handover_rows,
    },
    before={"step-6": location_search},
    aside=lambda: rx.fragment(bike_aside(), costs_aside()),
    before_sending=lambda: costs_to_check(_NOT_INCLUDED),
    after=After(more=lambda: location_sent(_NOT_INCLUDED)),
)
PAGES = flow_pages(SCREENS)
