"""Pages of the location step and the handover step (flow-standard F54)."""

import reflex as rx

from portal import ui
from portal.flow import Field
from portal.flow.pages.fields import answer, group, option_of
from portal.flow.pages.spec import StepFields
from portal.frontend.load import FAILED, LOADING
from portal.frontend.texts import field_message, waiting_time
from portal.i18n import Text, _, choice, day, distance, money, number
from portal.kernel.codes import MESSAGES, Code
from portal.locations.flow import HANDOVER, LOCATION
from portal.locations.pages.map import (
    FILTERS,
    PinVar,
    location_map,
    map_button,
    number_on_map,
    pin_attributes,
    unfolding_button,
)
from portal.locations.pages.state import HandoverChoice, Locations
from portal.locations.pages.views import LocationCard, count_found, distance_of, nothing_found, show_more
from portal.locations.rules.locations import DISTANCES
from portal.vocabulary.locations import (
    HANDOVER_NAMES,
    LABEL_NAMES,
    ORDER_NAMES,
    TYPE_NAMES,
    TYPES,
    Handover,
    LocationLabel,
    LocationType,
)

_KINDS = {kind.value: name for kind, name in TYPE_NAMES.items()}

_REFUSALS = {
    code.value: MESSAGES[code] for code in (Code.LOCATION_CLOSED, Code.LOCATION_ON_VACATION, Code.LOCATION_OUT_OF_REACH)
}

Card = rx.vars.ObjectVar[LocationCard]


def _location_choice(
    entry: Field, way: Field | None, item: Card, place: rx.Var[int] | None = None, *, before: bool = False
) -> rx.Component:
    selectable = _selectable(entry, item, place, before=before)
    if way is not None:
        selectable = rx.el.div(selectable, _ways(way, item), class_name="reveals")
    shown = rx.cond(item.refusal == "", selectable, _refused(item, place))
    # The key is the location, so that the choice survives another order of the list.
    return rx.el.div(
        rx.cond(Locations.fresh == item.location_id, ui.focus_box(shown, attempt=Locations.added), shown),
        key=item.location_id,
    )


def _selectable(entry: Field, item: Card, place: rx.Var[int] | None, *, before: bool) -> rx.Component:
    name, facts = f"name-{item.location_id}", f"facts-{item.location_id}"
    return ui.radio_card(
        entry.name,
        item.location_id,
        ui.grow(_heading(item, name, place, before=before), ui.line(_facts(item), custom_attrs={"id": facts})),
        checked=_is_chosen(item),
        tall=True,
        custom_attrs={"aria-labelledby": name, "aria-describedby": facts},
        id=_radio(item.location_id),
        on_change=Locations.point_out(item.location_id),
    )


def _is_chosen(item: Card) -> rx.Var[bool]:
    return (answer(LOCATION) == item.location_id) | (
        (answer(LOCATION) == "") & (Locations.proposed == item.location_id)
    )


def _radio(location_id: rx.Var[str]) -> rx.Var[str]:
    return rx.Var.create(f"location-{location_id}").to(str)


def _refused(item: Card, place: rx.Var[int] | None) -> rx.Component:
    return rx.el.div(
        _heading(item, f"refused-{item.location_id}", place, before=False),
        _facts(item),
        ui.strong(choice(item.refusal, _REFUSALS), top=3),
        class_name="rounded-control border-2 border-line bg-paper-2 px-4 py-3",
    )


def _heading(item: Card, identifier: rx.Var[str] | str, place: rx.Var[int] | None, *, before: bool) -> rx.Component:
    labels = item.labels.to(list[str])
    return rx.el.span(
        *([number_on_map(place)] if place is not None else []),
        rx.el.span(item.name, custom_attrs={"id": identifier}, class_name="mr-1 font-semibold"),
        *([ui.badge(_("Your choice"), "neutral")] if before else []),
        ui.badge(
            _(LABEL_NAMES[LocationLabel.RECOMMENDED]), "ok", shown=labels.contains(LocationLabel.RECOMMENDED.value)
        ),
        ui.badge(
            _(LABEL_NAMES[LocationLabel.PREMIUM]),
            "info",
            shown=item.location_type == LocationType.PREMIUM_PARTNER.value,
        ),
        ui.badge(
            _(LABEL_NAMES[LocationLabel.ON_VACATION]), "warn", shown=labels.contains(LocationLabel.ON_VACATION.value)
        ),
        class_name="flex flex-wrap items-center gap-x-2 gap-y-1",
    )


def _facts(item: Card) -> rx.Component:
    vacation = _("On holiday from {first} to {last}", first=day(item.vacation_from), last=day(item.vacation_until))
    return ui.line(
        ui.line(choice(item.location_type, _KINDS), " · ", item.place_line, look="text-ink-600"),
        rx.el.span(
            _card_fact(_("Waiting time"), waiting_time(item.waiting_weeks)),
            rx.cond(item.distance_km, _card_fact(_("Distance"), distance_of(item))),
            rx.cond(item.rating, _card_fact(_("Rating"), number(item.rating, 1))),
            class_name="mt-3 flex flex-wrap gap-x-8 gap-y-2",
        ),
        rx.el.span(_costs(item), class_name="mt-3 flex flex-wrap gap-x-6 gap-y-1 border-t border-line pt-3"),
        rx.cond(item.vacation_from, rx.el.span(vacation, class_name="mt-2 block text-warn")),
    )


def _card_fact(name: Text, value: Text) -> rx.Component:
    return rx.el.span(ui.line(name, look="text-sm text-ink-600"), ui.line(value, look="font-semibold tabular-nums"))


def _costs(item: Card) -> rx.Component:
    costs = item.costs.to(dict[str, str])
    pick_up, call_out = costs[Handover.PICK_UP.value], costs[Handover.CALL_OUT.value]
    return rx.fragment(
        rx.cond(costs.contains(Handover.BRING.value), rx.el.span(_("Bring it yourself: free"))),
        rx.cond(pick_up, rx.el.span(_("Pick-up and delivery: {cost}", cost=money(pick_up)))),
        rx.cond(call_out, rx.el.span(_("Call-out fee: {cost}", cost=money(call_out)))),
    )


def _location_lines(item: Card) -> rx.Component:
    return ui.text(
        ui.line(item.name, look="font-semibold"),
        ui.line(item.place_line, look="text-ink-600"),
        look="border-l-4 border-line pl-4",
    )


def _map_pin(pin: PinVar) -> rx.Component:
    """A pin: a label of the radio button of its location. It has no words, so the button keeps its name."""
    return rx.el.label(pin.number, html_for=_radio(pin.location_id), **pin_attributes(pin, Locations.lit))


def location_search() -> rx.Component:
    """The search form with place and distance, and the filters; shown above the form of the step."""
    label = _("Postcode or city")
    error = field_message(Locations.error, label, Code.POSTAL_CODE_NOT_FOUND)
    distances = [(str(km), distance(km)) for km in DISTANCES]
    form = ui.event_form(
        rx.el.div(
            rx.el.div(
                ui.text_field("search_text", label, value=Locations.text, error=error, autocomplete="off"),
                class_name="min-w-0 grow",
            ),
            rx.el.div(
                ui.select_field("search_distance", _("Distance"), distances, value=Locations.distance),
                class_name="shrink-0 sm:w-32",
            ),
            class_name="flex min-w-0 grow flex-col gap-4 sm:flex-row sm:items-end lg:gap-3",
        ),
        rx.el.div(
            ui.search_button(),
            ui.action_button(_("Reset"), Locations.start_over, "text"),
            class_name="flex items-center gap-3 max-lg:mt-4",
        ),
        on_send=Locations.search,
        answered=Locations.answered,
        class_name="card lg:flex lg:items-end lg:gap-3 lg:p-4",
        key=Locations.form.to_string(),
        custom_attrs={"role": "search", "aria-label": _("Search for a service location")},
    )
    is_open = Locations.filters_open | (Locations.error != "")
    return rx.el.div(
        ui.row(
            unfolding_button(_("Search and filter"), is_open, Locations.fold_filters, FILTERS),
            rx.cond(Locations.area.shown, map_button(Locations, Locations.fold_map)),
            gap=2,
            look="lg:hidden",
        ),
        rx.el.div(form, _types(), class_name=rx.cond(is_open, "max-lg:mt-4", "max-lg:hidden")),
        rx.el.div(
            _found(),
            rx.el.div(_order(), class_name=rx.cond(is_open, "", "max-lg:hidden")),
            class_name="mt-4 flex flex-wrap items-end justify-between gap-x-6 gap-y-3 lg:flex-nowrap",
        ),
        ui.when_shown(Locations.open),
        class_name="mt-6 max-md:-mb-4 lg:mt-8",
    )


def _types() -> rx.Component:
    return ui.row(
        *[_type(kind.value, _(TYPE_NAMES[kind])) for kind in TYPES],
        role="group",
        aria_label=_("Kind of location"),
        gap=2,
        top=4,
    )


def _order() -> rx.Component:
    orders = [(order.value, _(name)) for order, name in ORDER_NAMES.items()]
    return rx.cond(
        (Locations.total > 0) | (Locations.kinds.length() > 0),
        rx.el.div(
            ui.select_field("order", _("Sorted by"), orders, value=Locations.order, on_change=Locations.sort),
            key=Locations.form.to_string(),
            class_name="scripted w-60",
        ),
    )


def _found() -> rx.Component:
    loading = Locations.view_state == LOADING
    return ui.strong(
        rx.cond(loading | (Locations.place == ""), "", count_found(Locations)),
        role="status",
        look="min-h-6 min-w-0 tabular-nums",
    )


def _type(kind: str, name: rx.Var[str]) -> rx.Component:
    number = rx.cond(Locations.counts.contains(kind), Locations.counts[kind], 0).to(int)
    return rx.cond(
        number > 0,
        ui.chip(
            name,
            rx.el.span(f"({number})", class_name="ml-1 tabular-nums"),
            on_click=Locations.toggle(kind),
            pressed=Locations.kinds.contains(kind),
        ),
    )


def location_body(fields: StepFields) -> rx.Component:
    """The list of locations, with the map. The chosen one is always shown, also if the search does not contain it."""
    entry = fields[LOCATION]
    way = next(iter(fields.take(HANDOVER)), None)
    cards = rx.fragment(
        rx.cond(Locations.elsewhere, _location_choice(entry, way, Locations.chosen, before=True)),
        rx.cond(
            Locations.view_state == LOADING,
            ui.skeleton_cards(3, "h-44"),
            rx.cond(
                Locations.view_state == FAILED,
                ui.error_block(
                    _("Service partners could not be retrieved. Please try again later."), on_retry=Locations.again
                ),
                rx.cond(
                    Locations.total > 0,
                    rx.foreach(Locations.items, lambda item, place: _location_choice(entry, way, item, place)),
                    rx.cond(
                        Locations.error == "",
                        nothing_found(Locations, ui.action_button(_("Search at my address"), Locations.start_over)),
                    ),
                ),
            ),
        ),
    )
    questions = rx.el.div(
        group(entry, cards, legend=None, columns=""),
        rx.cond(
            (Locations.view_state != LOADING) & (Locations.items.length() < Locations.total), show_more(Locations, "")
        ),
        class_name="min-w-0 space-y-8",
    )
    return rx.fragment(location_map(Locations, _map_pin, hidden=True), questions)


def _ways(entry: Field, item: Card) -> rx.Component:
    known = (answer(LOCATION) == item.location_id) & (answer(entry.name) != "")
    costs = item.costs.to(dict[str, str])
    pick_up, call_out = costs[Handover.PICK_UP.value], costs[Handover.CALL_OUT.value]
    ways = (
        (Handover.BRING, costs.contains(Handover.BRING.value), _("Free")),
        (Handover.PICK_UP, pick_up, _("{cost}. We pick up your bike and bring it back.", cost=money(pick_up))),
        (
            Handover.CALL_OUT,
            call_out,
            _("{cost}. You pay this through a payment request by email.", cost=money(call_out)),
        ),
    )
    cards = [
        rx.cond(
            offered,
            ui.option_card(
                entry.name,
                ui.Option(way.value, _(HANDOVER_NAMES[way]), note),
                kind="radio",
                checked=rx.cond(known, answer(entry.name) == way.value, way is Handover.BRING).to(bool),
            ),
        )
        for way, offered, note in ways
    ]
    question = group(entry, rx.fragment(*cards), legend=_("How will your bike get there?"), columns="")
    radio, within = _radio(item.location_id), "reveal reveal-cards"
    return rx.cond(
        costs.length() > 1, ui.while_chosen(question, control=radio, first=_is_chosen(item), class_name=within)
    )


def location_rows(fields: StepFields) -> list[ui.Fact]:
    chosen = Locations.chosen
    lines = rx.el.span(
        ui.line(chosen.name, look="font-semibold"),
        ui.line(chosen.place_line),
        ui.line(_("Waiting time: {time}", time=waiting_time(chosen.waiting_weeks)), look="text-ink-600"),
    )
    return [ui.Fact(_(fields[LOCATION].label), lines)]


_METHODS = {method.value: name for method, name in HANDOVER_NAMES.items()}


def handover_body(fields: StepFields) -> rx.Component:
    entry = fields[HANDOVER]
    cards = rx.fragment(*[_method(entry, method) for method in Handover])
    return rx.fragment(_location_lines(Locations.chosen), group(entry, cards, legend=None, columns=""))


def _method(field: Field, method: Handover) -> rx.Component:
    notes = {
        Handover.BRING: _("Free"),
        Handover.PICK_UP: _("We pick up your bike and bring it back."),
        Handover.CALL_OUT: _("You pay this through a payment request by email."),
    }
    return rx.foreach(
        HandoverChoice.methods,
        lambda entry: rx.cond(
            entry.handover == method.value,
            option_of(
                field,
                method.value,
                _(HANDOVER_NAMES[method]),
                notes[method],
                rx.cond(entry.cost, money(entry.cost), "").to(str),
            ),
        ),
    )


def handover_rows(fields: StepFields) -> list[ui.Fact]:
    return [
        ui.Fact(_(fields[HANDOVER].label), choice(HandoverChoice.method, _METHODS), shown=HandoverChoice.method != "")
    ]
