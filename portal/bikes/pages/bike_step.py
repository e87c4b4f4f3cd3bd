"""Components of flows about a bike: the choice, the chosen bike beside the steps, the pin code."""

from __future__ import annotations

import reflex as rx

from portal.bikes.flow import BIKE, PIN_KNOWN, PIN_UNKNOWN, BikeEntry
from portal.bikes.pages.bikes import bike_lines, bike_mark, bike_row, no_bikes
from portal.bikes.pages.state import BIKE_TEXT, BikeChoice
from portal.contract.operations import LONGEST_SEARCH
from portal.flow import Field, Flow, Offered, OneOf, Step
from portal.flow.pages.fields import answer, asked, group, option_of
from portal.flow.pages.spec import Draft, Offers, StepFields, StepPage, SubjectPages
from portal.flow.pages.state import FlowRun
from portal.i18n import Text, _, choice, ngettext
from portal.kernel.codes import MESSAGES, Code
from portal.pictures.pages import picture
from portal.ui import (
    COMPACT,
    LINK,
    Fact,
    action_button,
    card,
    event_form,
    link_button,
    notice,
    search_button,
    text_field,
)
from portal.vocabulary.work_orders import RequestKind

CHOSEN_NAME: rx.Var[str] = rx.cond(BikeChoice.chosen, BikeChoice.chosen.name, "").to(str)


def bike_page(step: Step, *, topic: str = "repair") -> StepPage:
    """Make the page of the step that asks which bike the request is about."""
    return StepPage(step, body=lambda fields: bike_body(fields, topic=topic), rows=bike_rows, before=bike_search)


def bike_body(fields: StepFields, *, topic: str) -> rx.Component:
    """Show a page of bikes as cards. A bike that cannot be chosen shows the reason and a link to customer service."""
    entry = fields[BIKE]
    refusals = entry.rule.refusals if isinstance(entry.rule, Offered) else ()
    texts = {code.value: MESSAGES[code] for code in refusals}
    cards = rx.foreach(
        BikeChoice.bikes,
        lambda bike: rx.cond(bike.refusal == "", _selectable(entry, bike), _refused(bike, topic, texts)),
    )
    return rx.fragment(
        group(
            entry,
            rx.fragment(cards, rx.cond(BikeChoice.many & (BikeChoice.total == 0), _nothing_found())),
            legend=None,
            columns="",
        ),
        rx.cond(BikeChoice.many, _pages()),
    )


def bike_search() -> rx.Component:
    """The search above the form; nothing for a customer whose bikes fit on one page."""
    return rx.cond(
        BikeChoice.many,
        rx.el.div(
            event_form(
                # Only the field is rebuilt, so that the button keeps the focus.
                rx.el.div(
                    text_field(
                        BIKE_TEXT,
                        _("Search your bikes"),
                        hint=_("Name, frame number or order number"),
                        value=BikeChoice.text,
                        max_length=LONGEST_SEARCH,
                    ),
                    key=BikeChoice.begun.to_string(),
                ),
                rx.el.div(
                    search_button(),
                    action_button(_("Show all bikes"), BikeChoice.start_over, "text"),
                    class_name="mt-4 flex flex-wrap items-center gap-x-6 gap-y-2",
                ),
                on_send=BikeChoice.search,
                answered=BikeChoice.answered,
                class_name="card",
                custom_attrs={"role": "search", "aria-label": _("Search your bikes")},
            ),
            rx.el.p(
                rx.cond(
                    BikeChoice.failed,
                    _("Your bikes couldn’t be loaded. Please try again."),
                    rx.cond(
                        BikeChoice.text == "",
                        ngettext("{n} bike, newest order first", "{n} bikes, newest order first", BikeChoice.total),
                        ngettext("{n} bike found", "{n} bikes found", BikeChoice.total),
                    ),
                ),
                role="status",
                class_name="mt-6 min-h-6 font-semibold tabular-nums",
            ),
            class_name="mt-8",
        ),
    )


def _pages() -> rx.Component:
    """Buttons for the previous and next page of bikes. Not links: the search is not part of the address."""
    page, pages = BikeChoice.page.to(int), BikeChoice.pages.to(int)
    return rx.cond(
        pages > 1,
        rx.el.nav(
            _turn(_("Previous page"), (page - 1).to(int), page > 1),
            rx.el.p(_("Page {x} of {y}", x=page, y=pages), role="status", class_name="tabular-nums"),
            _turn(_("Next page"), (page + 1).to(int), page < pages),
            class_name="flex flex-wrap items-center justify-between gap-4",
            aria_label=_("Pages"),
        ),
    )


def _turn(text: rx.Var[str], page: rx.Var[int], possible: rx.Var[bool]) -> rx.Component:
    """A button that stays at the first and last page, so that it keeps the focus."""
    state = {"aria-disabled": rx.cond(possible, "false", "true")}
    return action_button(text, BikeChoice.turn(page), custom_attrs=state)


def _nothing_found() -> rx.Component:
    return rx.el.p(_("No bike found. Check the spelling, or search for something else."), class_name="text-ink-600")


def _selectable(entry: Field, bike: rx.vars.ObjectVar[BikeEntry]) -> rx.Component:
    return rx.el.label(
        rx.el.input(
            type="radio",
            name=entry.name,
            value=bike.id,
            default_checked=answer(entry.name) == bike.id,
            class_name="size-6 shrink-0 accent-ink",
        ),
        bike_row(bike),
        class_name="choice",
    )


def _refused(bike: rx.vars.ObjectVar[BikeEntry], topic: str, texts: dict[str, str]) -> rx.Component:
    reason = rx.fragment(
        rx.el.p(choice(bike.refusal, texts), class_name="mt-2"),
        rx.el.a(_("Contact us"), to=f"/contact?topic={topic}", class_name=f"{LINK} inline-flex min-h-11 items-center"),
    )
    return rx.el.div(
        rx.el.div(bike_row(bike), class_name="flex items-center gap-3"),
        rx.cond(_is_busy(bike), _under_way(bike), reason),
        class_name="rounded-control border-2 border-line bg-paper-2 px-4 py-3",
    )


def _is_busy(bike: rx.vars.ObjectVar[BikeEntry]) -> rx.Var[bool]:
    """Whether only its open request keeps a bike from being chosen."""
    return bike.refusal == Code.OPEN_WORK_ORDER_EXISTS.value


def _under_way(bike: rx.vars.ObjectVar[BikeEntry]) -> rx.Component:
    """Name the open request of a bike, with a link to it."""
    texts = {
        RequestKind.REPAIR: _("Your {bike} already has a repair under way.", bike=bike.name),
        RequestKind.SERVICE: _("Your {bike} already has a service under way.", bike=bike.name),
        RequestKind.CLAIM: _("Your {bike} already has an insurance claim under way.", bike=bike.name),
    }
    return rx.el.p(
        choice(bike.open_kind, texts, _("Your {bike} already has a request under way.", bike=bike.name)),
        " ",
        rx.el.a(
            _("View it."),
            to=rx.Var.create("/maintenance/").to(str) + bike.open_request.to(str),
            class_name=f"{LINK} inline-flex min-h-11 items-center",
        ),
        class_name="mt-1",
    )


@rx.memo
def bike_aside() -> rx.Component:
    """The chosen bike beside the steps."""
    bike = BikeChoice.chosen
    return rx.cond(
        bike,
        card(
            rx.el.div(
                picture(bike.picture, "18rem", f"w-full {COMPACT}:w-24 {COMPACT}:shrink-0"),
                rx.el.div(
                    rx.el.p(bike.name, class_name=f"mt-4 font-semibold {COMPACT}:mt-0"),
                    rx.el.p(bike_lines(bike), class_name=f"{COMPACT}:[&_.text-sm]:hidden"),
                    class_name="min-w-0",
                ),
                class_name=f"{COMPACT}:flex {COMPACT}:items-center {COMPACT}:gap-4",
            ),
        ),
    )


def bike_line() -> rx.Component:
    """Name the chosen bike above the form, for steps without an aside; on small screens every step names it."""
    bike = BikeChoice.chosen
    return rx.cond(
        bike,
        rx.el.p(
            _("For your {bike}, frame number {frame}", bike=bike.name, frame=bike.frame_number),
            class_name="mt-4 text-ink-600 tabular-nums max-lg:hidden",
        ),
    )


def bike_rows(fields: StepFields) -> list[Fact]:
    """The chosen bike on the check page."""
    return [Fact(_(fields[BIKE].label), CHOSEN_NAME)]


def pin_body(fields: StepFields, why: Text | None = None) -> rx.Component:
    """Explain why the pin code is needed, and ask for it."""
    known, code = fields["pin_known"], fields["pin_code"]
    options = known.rule.options if isinstance(known.rule, OneOf) else {}
    cards = rx.fragment(
        rx.el.div(
            option_of(known, PIN_KNOWN, _(options[PIN_KNOWN])),
            rx.el.div(asked(code), class_name="reveal"),
            class_name="reveals",
        ),
        option_of(known, PIN_UNKNOWN, _(options[PIN_UNKNOWN])),
    )
    return rx.fragment(
        rx.el.p(
            _("This bike has an electronic lock. The mechanic needs its pin code for a test ride.")
            if why is None
            else why
        ),
        group(known, cards, legend=None, columns=""),
    )


def pin_rows(fields: StepFields) -> list[Fact]:
    """The pin code on the check page."""
    known, code = fields["pin_known"], fields["pin_code"]
    unknown = answer(known.name) == PIN_UNKNOWN
    return [Fact(_(known.label), rx.cond(unknown, _("I don’t know the pin code"), answer(code.name)).to(str))]


def _without_bike(_flow: Flow, _draft: Draft) -> rx.Var[str]:
    return _("Request without a bike")


def _no_bike(refused: rx.Component) -> rx.Component:
    """Explain when a bike will appear to a customer without any; name open requests; otherwise show the refusal."""
    nothing = no_bikes(
        _("A bike you’ve ordered appears in your account once it has been shipped. Is one missing? Contact us."),
        link_button(_("Contact us"), "/contact", "secondary"),
    )
    busy = notice(
        rx.foreach(BikeChoice.bikes, lambda bike: rx.cond(_is_busy(bike), _under_way(bike))),
        title=_("Not available"),
        tone="warn",
    )
    return rx.cond(
        FlowRun.closed == Code.REPAIR_REQUEST_LINE_NOT_FOUND.value,
        nothing,
        rx.cond(FlowRun.closed == Code.OPEN_WORK_ORDER_EXISTS.value, busy, refused),
    )


def _bikes() -> Offers:
    return Offers(
        _("Which bike is it about?"),
        BikeChoice.bikes,
        id=lambda bike: bike.id,
        name=lambda bike: bike.name,
        picture=lambda bike: picture(bike.picture, "6rem", "w-16 sm:w-24"),
        another=_("Another bike"),
        mark=bike_mark,
        details=lambda bike: rx.fragment(rx.el.p(bike_lines(bike)), rx.cond(_is_busy(bike), _under_way(bike))),
    )


BIKE_SUBJECT = SubjectPages(unnamed=_without_bike, closed_page=_no_bike, offers=_bikes, chosen=lambda: CHOSEN_NAME)
"""Pages that every flow about a bike uses."""
