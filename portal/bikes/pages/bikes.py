"""The list of the customer's bikes (part-1 §2 Account area), and the lines that tell bikes of one model apart."""

from dataclasses import dataclass
from typing import Any, ClassVar

import reflex as rx
import segno
from segno.utils import matrix_to_lines

from portal import ui
from portal.bikes.api import BikesApi, BikeSummary
from portal.contract.models import Page
from portal.contract.registry import ask
from portal.frontend.layout import title
from portal.frontend.live import Loadable
from portal.frontend.load import COUNTS, Paginated, Question, page_asked
from portal.frontend.load_views import loaded
from portal.frontend.registry import PageRoute
from portal.frontend.texts import departure_stated
from portal.i18n import _, day, ngettext, setting
from portal.pictures.pages import picture


class Bikes(Loadable, Paginated, rx.State):
    _browser_keeps: ClassVar[tuple[str, ...]] = ("bikes", *COUNTS)
    bikes: rx.Field[list[BikeSummary]] = rx.field(default_factory=list)

    def _question(self) -> Question[Page[BikeSummary]]:
        page = page_asked(self)
        return lambda token: ask(BikesApi).bikes(token, page)

    def _show(self, part: Page[BikeSummary]) -> None:
        self.bikes = part.items
        self._count(part)


def bike_row(bike: rx.vars.ObjectVar[Any]) -> rx.Component:
    """Picture, name and lines of a bike. Spans, so that it may stand in a label."""
    return rx.el.span(
        picture(bike.picture, "(min-width: 40rem) 8rem, 5rem", "w-18 sm:w-32"),
        rx.el.span(ui.line(bike.name, look="font-semibold"), bike_lines(bike), class_name="min-w-0"),
        class_name="flex min-w-0 items-center gap-4",
    )


def bike_lines(bike: rx.vars.ObjectVar[Any]) -> rx.Component:
    """The lines that tell a bike from another of its model: colour, frame number, order with its day."""
    return ui.line(
        rx.cond(bike.color != "", ui.line(bike.color)),
        frame_line(bike.frame_number),
        ui.line(_("Order {number}, {day}", number=bike.order_number, day=day(bike.order_date)), look="text-sm"),
        look="text-ink-600 tabular-nums",
    )


def bike_mark(bike: rx.vars.ObjectVar[Any]) -> rx.Component:
    """The same for those who hear a link or a button: colour, and frame number or order."""
    told = rx.cond(
        bike.frame_number == "",
        _("Order {number}", number=bike.order_number),
        _("Frame number {frame}", frame=bike.frame_number),
    )
    return ui.hidden_text(", ", rx.cond(bike.color != "", bike.color.to(str) + ", ", ""), told)


def frame_line(number: rx.Var[str]) -> rx.Component:
    frame = rx.cond(number == "", _("unknown"), number).to(str)
    return ui.line(_("Frame number {frame}", frame=frame), look="text-ink-600 tabular-nums")


def no_bikes(meaning: rx.Var[str], also: rx.Component) -> rx.Component:
    return ui.empty_state(
        _("You have no bikes yet"),
        meaning,
        ui.row(ui.link_button(_("Your orders"), "/orders"), also, look="justify-center"),
        ui.illustrations.city_bike(),
    )


def bikes() -> rx.Component:
    grid = "md:grid-cols-2 md:gap-6"
    return ui.page_frame(
        loaded(
            Bikes,
            ui.when(
                Bikes.bikes.length() > 0,
                ui.muted(
                    ngettext("{n} bike, newest order first", "{n} bikes, newest order first", Bikes.total),
                    top=3,
                    shown=Bikes.pages > 1,
                ),
                rx.el.ul(rx.foreach(Bikes.bikes, _card), class_name=f"mt-8 grid gap-4 {grid}"),
                ui.pagination(Bikes.page, Bikes.pages, to=lambda page: "/bikes?page=" + page.to_string()),
                ui.text(ui.link_button(_("Your contracts"), "/contracts", "secondary"), top=8),
                otherwise=_empty(),
            ),
            failure=_("Your bikes couldn’t be loaded."),
            loading=ui.skeleton_cards(2, "h-96", grid),
        ),
        title=_("Bikes"),
    )


def _card(bike: rx.vars.ObjectVar[BikeSummary]) -> rx.Component:
    return rx.el.li(
        rx.el.div(
            picture(bike.picture, "(min-width: 48rem) 24rem, 90vw", "w-full rounded-none"),
            class_name="overflow-hidden rounded-t-card bg-white",
        ),
        rx.el.div(
            rx.el.div(
                ui.subheading(
                    rx.el.a(
                        bike.name,
                        bike_mark(bike),
                        to=f"/bikes/{bike.bike_id}",
                        class_name="text-ink no-underline after:absolute after:inset-0 after:rounded-card",
                    )
                ),
                ui.muted(
                    rx.cond(bike.color != "", rx.el.span(bike.color, class_name="mr-3")),
                    rx.el.span(_("Ordered on {day}", day=day(bike.order_date)), class_name="inline-block tabular-nums"),
                ),
            ),
            ui.text(
                ui.badge(_("Request under way"), "info", shown=bike.open_request),
                rx.cond(
                    bike.departure,
                    ui.badge(departure_stated(bike.departure), "warn"),
                    rx.cond(
                        bike.warranty_expired,
                        ui.badge(_("Warranty expired"), "warn"),
                        ui.badge(_("Warranty until {day}", day=day(bike.warranty_until)), "ok"),
                    ),
                ),
                look="flex flex-wrap gap-2",
                top=3,
            ),
            rx.el.dl(
                _fact(_("Frame number"), rx.cond(bike.frame_number == "", _("Unknown"), bike.frame_number)),
                _fact(_("Order number"), bike.order_number),
                class_name="mt-5 flex flex-wrap gap-x-8 gap-y-3 max-sm:flex-col",
            ),
            class_name="p-6",
        ),
        class_name="relative rounded-card border border-line bg-white hover:shadow-card",
    )


def _fact(name: rx.Var[str], value: rx.Var[str]) -> rx.Component:
    return rx.el.div(
        rx.el.dt(name, class_name="text-sm text-ink-600"),
        rx.el.dd(value, class_name="font-semibold tabular-nums break-words"),
        class_name="flex items-baseline justify-between gap-4 sm:block",
    )


def _empty() -> rx.Component:
    return no_bikes(
        _("A bike you’ve ordered appears here once it has been shipped, with everything that belongs to it."),
        ui.anchor(_("Go to the shop"), href=setting("shop_url"), class_name=ui.button_class("secondary")),
    )


PAGES = [PageRoute("bikes", bikes, title(_("Bikes")), on_load=[Bikes.load], first=Bikes)]


_MARGIN = 4
"""Modules of white space around the code, which scanners need (ISO/IEC 18004)."""


@dataclass(frozen=True, slots=True)
class PassportCode:
    """The QR code of an address: the data of an SVG path, one unit per module, and its view box."""

    shape: str = ""
    box: str = ""


def passport_code(url: str) -> PassportCode:
    if not url:
        return PassportCode()
    code = segno.make_qr(url, error="m")
    size = code.symbol_size(border=_MARGIN)[0]
    dark = matrix_to_lines(code.matrix, _MARGIN, _MARGIN)
    shape = "".join(f"M{left} {top}h{right - left}v1h-{right - left}z" for (left, top), (right, _top) in dark)
    return PassportCode(shape, f"0 0 {size} {size}")


def battery_passport(url: rx.Var[str], code: rx.vars.ObjectVar[PassportCode]) -> rx.Component:
    """Link and QR code; nothing if the battery has no passport."""
    return rx.cond(
        url != "",
        ui.row(
            rx.el.div(
                rx.el.h4(_("Battery passport"), class_name="font-semibold"),
                ui.small(_("Where your battery comes from, what’s in it, how much it holds and how it’s recycled.")),
                ui.anchor(
                    _("Open the battery passport"),
                    ui.hidden_text(" ", _("(opens in a new tab)")),
                    href=url,
                    target="_blank",
                    rel="noreferrer",
                    class_name="inline-flex min-h-11 items-center text-link underline",
                ),
                class_name="min-w-0 grow basis-48",
            ),
            rx.el.svg(
                rx.el.path(custom_attrs={"d": code.shape, "fill": "currentColor"}),
                role="img",
                custom_attrs={"viewBox": code.box, "aria-label": _("QR code of the battery passport")},
                class_name="size-28 shrink-0 rounded-card bg-plate text-panel",
            ),
            gap=4,
            look="items-start justify-between border-t border-line pt-4",
            top=4,
        ),
    )
