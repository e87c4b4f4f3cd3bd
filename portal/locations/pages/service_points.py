"""The search for service points on the customer service page: state and components (part-2 §2 Other; §5)."""

from collections.abc import Sequence
from typing import Any, ClassVar

import reflex as rx

from portal import ui
from portal.contract.errors import ProviderError, TooMany
from portal.contract.registry import ask
from portal.contract.session import Origin
from portal.frontend.load import FAILED, LOADING, READY, text_in
from portal.frontend.policies import public
from portal.frontend.session import SessionState, session_token
from portal.frontend.texts import field_message, waiting_time
from portal.i18n import _, choice, clock, day, distance, number
from portal.kernel.codes import Code
from portal.kernel.days import UNTIL, WEEKDAYS, now
from portal.locations.api import LocationResults, LocationsApi, LocationSearch, OpenDay, ServiceLocation
from portal.locations.pages.map import PinVar, location_map, map_button, number_on_map, pin_attributes
from portal.locations.pages.state import PlaceSearchState
from portal.locations.pages.views import ServicePoint, count_found, distance_of, nothing_found, service_point, show_more
from portal.locations.rules.locations import DISTANCES, USUAL_DISTANCE
from portal.vocabulary.locations import LABEL_NAMES, TYPE_NAMES, LocationLabel, LocationOrder, LocationType

TEXT, DISTANCE, TOPIC = "search_text", "search_distance", "search_topic"
VISIT, BATTERY = "visit", "battery"
"""What a customer wants at a service point: bring a bike, or hand in an old battery."""

_POINTS = [LocationType.OWN_STORE, LocationType.PREMIUM_PARTNER, LocationType.PARTNER]
"""Types of location that customers can visit."""


class ServicePoints(PlaceSearchState, rx.State):
    """State of the search for service points. Visitors who are not logged in may search, too.

    `typed`: the last search text when the page was opened; empty before the first search.
    `later`: from when on a visitor may search again (ISO 8601, UTC); empty unless there were too many searches.
    """

    items: rx.Field[list[ServicePoint]] = rx.field(default_factory=list)
    topic: rx.Field[str] = rx.field(VISIT)
    typed: rx.Field[str] = rx.field("")
    attempt: rx.Field[int] = rx.field(0)
    later: rx.Field[str] = rx.field("")
    _text: rx.Field[str] = rx.field("")
    _at_once: ClassVar[int] = 6
    _has_summary: ClassVar[bool] = True

    @rx.event
    @public
    async def load(self) -> None:
        self.typed = self._text

    @rx.event(background=True)
    @public
    async def open(self) -> None:
        async with self:
            session = await self.get_state(SessionState)
            known = session.profile.post_code if session.authenticated else ""
            if self.view_state or not known:
                return
            self._text = known
        await self._search()

    @rx.event(background=True)
    @public
    async def search(self, form: dict[str, Any]) -> None:
        distance, topic = text_in(form, DISTANCE), text_in(form, TOPIC)
        async with self:
            self._text = text_in(form, TEXT)[:1000]
            self.distance = distance if distance in {str(known) for known in DISTANCES} else str(USUAL_DISTANCE)
            self.topic = topic if topic == BATTERY else VISIT
        await self._search()

    @rx.event(background=True)
    @public
    async def widen(self) -> None:
        async with self:
            self.distance = str(self.wider or DISTANCES[-1])
        await self._search()

    @rx.event(background=True)
    @public
    async def again(self) -> None:
        await self._search()

    @rx.event(background=True)
    @public
    async def more(self) -> None:
        await self._more()

    @rx.event
    @public
    async def point_out(self, location_id: str) -> None:
        self._show_one(location_id)

    @rx.event
    @public
    async def show_all(self) -> None:
        self._show_all()

    @rx.event
    @public
    async def zoom(self, closer: bool) -> None:
        self._zoom(closer=closer)

    @rx.event
    @public
    async def fold_map(self) -> None:
        self.map_open = not self.map_open

    async def _query(self, page: int) -> LocationSearch:
        profile = (await self.get_state(SessionState)).profile
        return LocationSearch(
            text=self._text,
            country_code=profile.country_code,
            distance_km=int(self.distance),
            order=LocationOrder.DISTANCE,
            types=_POINTS,
            old_batteries=self.topic == BATTERY,
            page=page,
        )

    async def _results(self, query: LocationSearch) -> LocationResults:
        async with self:
            token = session_token(self) if (await self.get_state(SessionState)).authenticated else ""
            origin = Origin(address=self.router.session.client_ip)
            self.later = ""
        if token:
            return await ask(LocationsApi).service_locations(token, query)
        return await ask(LocationsApi).guest_service_locations(query, origin)

    def _cards(self, found: Sequence[ServiceLocation]) -> list[ServicePoint]:
        moment = now()
        return [service_point(entry, moment) for entry in found]

    def _refused(self, error: ProviderError) -> None:
        self.attempt += 1
        self.later = error.retry_at.isoformat() if isinstance(error, TooMany) and error.retry_at else ""


_ON = {
    "1": _("on Monday"),
    "2": _("on Tuesday"),
    "3": _("on Wednesday"),
    "4": _("on Thursday"),
    "5": _("on Friday"),
    "6": _("on Saturday"),
    "7": _("on Sunday"),
}

Point = rx.vars.ObjectVar[ServicePoint]


def service_points() -> rx.Component:
    label = _("Postcode or city")
    error = field_message(ServicePoints.error, label, Code.POSTAL_CODE_NOT_FOUND)
    distances = [(str(km), distance(km)) for km in DISTANCES]
    wanted = [(VISIT, _("Bring my bike")), (BATTERY, _("Hand in an old battery"))]
    around = rx.cond(ServicePoints.typed != "", ServicePoints.typed, SessionState.profile.post_code).to(str)
    return rx.el.section(
        rx.el.h2(_("Find a service point")),
        ui.muted(
            _("Shops and partners where you can bring your bike, or hand in an old battery free of charge."), top=1
        ),
        ui.error_summary({TEXT: error}, ServicePoints.attempt),
        ui.event_form(
            rx.el.div(
                rx.el.div(
                    ui.text_field(TEXT, label, value=around, error=error, autocomplete="off"), class_name="min-w-0 grow"
                ),
                rx.el.div(
                    ui.select_field(TOPIC, _("What do you need?"), wanted, value=ServicePoints.topic),
                    class_name="sm:w-60",
                ),
                rx.el.div(
                    ui.select_field(DISTANCE, _("Distance"), distances, value=ServicePoints.distance),
                    class_name="sm:w-36",
                ),
                rx.el.div(ui.search_button()),
                class_name="flex flex-col gap-4 lg:flex-row lg:items-end",
            ),
            on_send=ServicePoints.search,
            answered=ServicePoints.answered,
            class_name="card mt-4",
            # The profile with the address is loaded after the page.
            key=around,
            custom_attrs={"role": "search", "aria-label": _("Search for a service point")},
        ),
        ui.notice(
            _("Leave it where it is, outdoors if that’s safe, and call us: we’ll have it collected."),
            title=_("Is the battery damaged, swollen, hot or leaking?"),
            tone="warn",
            top=4,
            shown=ServicePoints.topic == BATTERY,
        ),
        # The profile with the address is loaded after the page.
        rx.cond(SessionState.profile.post_code != "", ui.when_shown(ServicePoints.open)),
        _found(),
        class_name="mt-12",
        custom_attrs={"id": "service-points"},
    )


def _found() -> rx.Component:
    is_found = (ServicePoints.view_state == READY) & (ServicePoints.place != "")
    return rx.fragment(
        ui.strong(rx.cond(is_found, count_found(ServicePoints), ""), role="status", look="min-h-6 tabular-nums", top=4),
        rx.match(
            ServicePoints.view_state,
            (LOADING, ui.skeleton_cards(2, "h-44")),
            (
                FAILED,
                rx.cond(
                    ServicePoints.later != "",
                    ui.notice(
                        _("You can search again from {time}.", time=clock(ServicePoints.later)),
                        title=_("You’ve searched many times"),
                        tone="warn",
                        announced=True,
                    ),
                    ui.error_block(
                        _("Service partners could not be retrieved. Please try again later."),
                        on_retry=ServicePoints.again,
                    ),
                ),
            ),
            (
                READY,
                rx.cond(
                    ServicePoints.total > 0, _list(), rx.cond(ServicePoints.error == "", nothing_found(ServicePoints))
                ),
            ),
            rx.fragment(),
        ),
    )


def _list() -> rx.Component:
    items = ui.block(
        ui.item_list(ServicePoints.items, _point, top=3, look="grid gap-4 md:max-lg:grid-cols-2"),
        rx.cond(ServicePoints.items.length() < ServicePoints.total, show_more(ServicePoints, "mt-4")),
    )
    return rx.fragment(
        rx.cond(
            ServicePoints.area.shown,
            rx.el.div(map_button(ServicePoints, ServicePoints.fold_map), class_name="mt-3 mb-3 lg:hidden"),
        ),
        rx.el.div(
            location_map(ServicePoints, _map_pin, hidden=False),
            items,
            class_name=f"{ui.HALF} lg:min-h-[clamp(24rem,100dvh-9.5rem,44rem)]",
        ),
    )


def _map_pin(pin: PinVar) -> rx.Component:
    return ui.anchor(
        rx.el.span(pin.number, aria_hidden="true"),
        ui.hidden_text(pin.name),
        href=f"#point-{pin.location_id}",
        on_click=ServicePoints.point_out(pin.location_id),
        **pin_attributes(pin, ServicePoints.lit),
    )


def _point(point: Point, place: rx.Var[int]) -> rx.Component:
    lines = point.lines.to(list[str])
    content = rx.fragment(
        rx.el.div(
            rx.el.div(
                number_on_map(place),
                rx.el.h3(point.name, class_name="text-lg font-semibold"),
                class_name="flex items-center gap-3",
            ),
            _opening_line(point),
            class_name="flex flex-wrap items-center justify-between gap-x-3 gap-y-1",
        ),
        _about(point),
        ui.muted(_("Waiting time: {time}", time=waiting_time(point.waiting_weeks)), look="tabular-nums", top=1),
        rx.el.address(ui.line(lines[0]), ui.line(lines[1]), class_name="mt-3 not-italic"),
        ui.text(
            _("On holiday from {first} to {last}", first=day(point.vacation_from), last=day(point.vacation_until)),
            look="text-warn",
            top=2,
            shown=point.vacation_from,
        ),
        rx.el.div(
            ui.anchor(
                _("Call {phone}", phone=point.readable_phone),
                href=f"tel:{point.phone}",
                class_name=f"{ui.LINK} inline-flex min-h-11 items-center tabular-nums",
                shown=point.phone != "",
            ),
            ui.anchor(
                _("Plan your route"),
                ui.hidden_text(" – ", point.name, " ", _("(opens a map in a new tab)")),
                href=point.route,
                target="_blank",
                rel="noreferrer",
                class_name=f"{ui.LINK} inline-flex min-h-11 items-center",
            ),
            ui.action_button(
                rx.fragment(_("Show on the map"), ui.hidden_text(" – ", point.name)),
                ServicePoints.point_out(point.location_id),
                "text",
                shown=ServicePoints.area.shown,
            ),
            class_name="mt-2 flex flex-wrap gap-x-6",
        ),
        rx.cond(point.hours, _hours(point)),
    )
    return rx.el.li(
        rx.cond(ServicePoints.fresh == point.location_id, ui.focus_box(content, attempt=ServicePoints.added), content),
        key=point.location_id,
        class_name="card map-card",
        custom_attrs={"id": f"point-{point.location_id}"},
        data_lit=rx.cond(ServicePoints.lit == point.location_id, "true", "false"),
    )


def _opening_line(point: Point) -> rx.Component:
    opens = rx.cond(
        point.weekday != "",
        _("Closed, opens {day} at {time}", day=choice(point.weekday, _ON), time=point.at),
        _("Closed, opens at {time}", time=point.at),
    ).to(str)
    return rx.cond(
        point.labels.to(list[str]).contains(LocationLabel.ON_VACATION.value),
        ui.badge(_(LABEL_NAMES[LocationLabel.ON_VACATION]), "warn"),
        rx.cond(
            point.at == "",
            rx.fragment(),
            rx.cond(point.open, ui.badge(_("Open now, until {time}", time=point.at), "ok"), ui.badge(opens, "neutral")),
        ),
    )


def _about(point: Point) -> rx.Component:
    return ui.muted(
        choice(point.location_type, TYPE_NAMES),
        ui.when(point.distance_km, " · ", distance_of(point)),
        ui.when(point.rating, " · ", _("Rating: {n}", n=number(point.rating, 1))),
        look="tabular-nums",
        top=1,
    )


def _hours(point: Point) -> rx.Component:
    return rx.el.details(
        rx.el.summary(
            _("Opening hours"),
            ui.hidden_text(" – ", point.name),
            class_name="inline-flex min-h-11 cursor-pointer items-center text-link underline",
        ),
        rx.el.dl(
            rx.foreach(point.hours.to(list[list[OpenDay]]), _run),
            class_name="grid w-fit grid-cols-[auto_auto] gap-x-6 tabular-nums",
        ),
        class_name="mt-1 border-t border-line pt-1",
    )


def _run(days: rx.vars.ArrayVar[list[OpenDay]]) -> rx.Component:
    first, last = days[0], days[1]
    until = ui.when(first.weekday != last.weekday, " ", choice(last.weekday, UNTIL))
    return rx.el.div(
        rx.el.dt(choice(first.weekday, WEEKDAYS), until),
        rx.el.dd(f"{first.opens}-{first.closes}"),
        class_name="contents",
    )
