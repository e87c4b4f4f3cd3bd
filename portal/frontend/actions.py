"""The actions of the customer as tiles and buttons: open, closed with a reason, or available later (part-1 §2)."""

from collections.abc import Callable, Iterable, Sequence
from datetime import date

import reflex as rx
from pydantic import Field

from portal import ui
from portal.contract.models import Action, Ongoing, OngoingKind, mapped
from portal.frontend.session import SessionState
from portal.frontend.texts import TITLES, reason_text
from portal.i18n import Text, _, choice, day
from portal.setting_groups import Variant
from portal.vocabulary.actions import Feature, Opening, Reason
from portal.vocabulary.deliveries import ON_ITS_WAY, DeliveryStatus, handed_over


class ActionView(Action):
    """A tile or a button.

    `href` is its address if it is open; `contact` is the contact page if it is not. `others` are further features that
    are closed for the same reason. `remedy` is the page on which the customer sees or changes that, if there is one.
    """

    href: str
    contact: str
    others: list[Feature] = Field(default_factory=list)
    remedy: str = ""


STARTS: dict[Feature, str] = {
    Feature.REPAIR: "/repair-request",
    Feature.SERVICE: "/service-request",
    Feature.CLAIM: "/claim-request",
    Feature.SERVICE_PACKAGE: "/service-package",
    Feature.RETURN: "/return-request",
    Feature.STATUS: "/status",
    Feature.INSURANCE: "/insurance-package",
}
"""Addresses of the actions that start a flow. In the variant `retouren`, a return starts at `OLDER_RETURN`."""

OLDER_RETURN = "/order-return"

_OF_AN_ORDER: dict[Feature, Callable[[DeliveryStatus | None], bool]] = {
    Feature.ORDER_STATUS: lambda _status: True,
    Feature.TRACK_AND_TRACE: lambda status: status in ON_ITS_WAY,
    Feature.DELIVERY_DATE: lambda status: not handed_over(status),
}
"""Whether an action applies to a delivery with this status."""


def contact_about(feature: Feature) -> str:
    return "/contact" if feature is Feature.CUSTOMER_SERVICE else f"/contact?topic={feature.value}"


def action_view(action: Action, under_way: Sequence[Ongoing]) -> ActionView:
    return mapped(
        ActionView,
        action,
        href=_address(action.feature, under_way) if action.opening is Opening.OPEN else "",
        contact=contact_about(action.feature),
        remedy=_remedy(action.reason, under_way),
    )


def _remedy(reason: Reason | None, under_way: Sequence[Ongoing]) -> str:
    if reason is not Reason.REQUEST_OPEN:
        return "/bikes" if reason is Reason.FRAME_NUMBER_UNKNOWN else ""
    references = [entry.reference for entry in under_way if entry.kind is OngoingKind.REQUEST]
    return f"/maintenance/{references[0]}" if len(references) == 1 else "/maintenance"


def grouped(actions: Iterable[ActionView]) -> list[ActionView]:
    found: dict[Feature | tuple[Reason | None, date | None], ActionView] = {}
    for action in actions:
        key = (action.reason, action.until) if action.opening == Opening.CLOSED else action.feature
        first = found.get(key)
        found[key] = first.model_copy(update={"others": [*first.others, action.feature]}) if first else action
    return list(found.values())


def _address(feature: Feature, under_way: Sequence[Ongoing]) -> str:
    if feature in STARTS:
        return STARTS[feature]
    if feature in _OF_AN_ORDER:
        return _delivery_address(under_way, feature)
    return contact_about(feature)


def _delivery_address(under_way: Sequence[Ongoing], feature: Feature) -> str:
    orders = [
        entry.reference
        for entry in under_way
        if entry.kind is OngoingKind.DELIVERY and _OF_AN_ORDER[feature](entry.delivery_status)
    ]
    page = "delivery-date" if feature is Feature.DELIVERY_DATE else "order-status"
    return f"/{page}/{orders[0]}" if len(orders) == 1 else "/orders"


NOTES: dict[Feature, Text] = {
    Feature.REPAIR: _("Report a problem with your bike"),
    Feature.SERVICE: _("A service near you"),
    Feature.CLAIM: _("Through your bike insurance"),
    Feature.STATUS: _("Follow your repair or service"),
    Feature.SERVICE_PACKAGE: _("Choose the package that suits you"),
    Feature.INSURANCE: _("Against theft and damage"),
    Feature.RETURN: _("Send items back"),
    Feature.ORDER_STATUS: _("See where your order is"),
    Feature.TRACK_AND_TRACE: _("Track your parcel"),
    Feature.CUSTOMER_SERVICE: _("Call or email us"),
    Feature.DELIVERY_DATE: _("Choose another day"),
}
"""The line below the title of each action, on wide screens."""

_GRIDS = {"buttons": "md:grid-cols-3 lg:grid-cols-5 md:gap-4", "four": "md:grid-cols-2 lg:grid-cols-4 md:gap-4"}
_OPEN = "group relative flex min-h-14 items-center gap-4 px-4 py-2 hover:bg-paper"
_CLOSED = "flex gap-4 bg-paper-2 px-4 py-4"
_CARD = "md:rounded-card md:border md:border-line md:gap-2 md:p-5"
# The line above the first row lies on the border of the card.
_ROW = "-mt-px border-t border-line md:px-6"
_SMALL = "text-base font-semibold"
_Action = rx.vars.ObjectVar[ActionView]
_Actions = rx.vars.ArrayVar[Sequence[ActionView]]


def action_list(actions: _Actions, *, grid: str) -> rx.Component:
    opened = f"{_OPEN} {_CARD} md:items-start md:bg-white md:hover:bg-white md:hover:shadow-card"
    return rx.el.ul(
        rx.foreach(
            actions,
            lambda action: rx.cond(
                action.opening == Opening.OPEN,
                rx.el.li(
                    _open(action, note="max-md:hidden md:text-sm"),
                    ui.chevron("md:mt-0.5 md:self-start"),
                    class_name=opened,
                ),
                rx.el.li(_closed(action), class_name=f"{_CLOSED} {_CARD}"),
            ),
        ),
        class_name="overflow-hidden divide-y divide-line rounded-card border border-line bg-white md:grid "
        f"md:overflow-visible md:divide-y-0 md:rounded-none md:border-0 md:bg-transparent {_GRIDS[grid]}",
    )


def list_with_lead(actions: _Actions, led: rx.Var[bool], shown: rx.Component) -> rx.Component:
    rest = rx.cond(led, actions[1:], actions).to(list[ActionView])
    return rx.el.ul(
        rx.cond(led, _lead(actions[0], shown)),
        rx.foreach(
            rest,
            lambda action: rx.cond(
                action.opening == Opening.OPEN,
                rx.el.li(_open(action), ui.chevron(), class_name=f"{_OPEN} {_ROW} md:py-3"),
                rx.el.li(_closed(action), class_name=f"{_CLOSED} {_ROW}"),
            ),
        ),
        class_name=[
            "overflow-hidden rounded-card border border-line bg-white",
            rx.cond(
                led,
                "led lg:grid lg:grid-cols-[minmax(0,7fr)_minmax(0,5fr)] lg:[&>li:not(:first-child)]:col-start-2",
                "md:grid md:grid-cols-2 md:[&>li:nth-child(even)]:border-l",
            ),
        ],
    )


def _lead(action: _Action, shown: rx.Component) -> rx.Component:
    return rx.el.li(
        rx.el.div(
            shown, class_name="w-20 shrink-0 md:w-64 lg:order-last lg:my-auto lg:w-full lg:max-w-96 lg:self-center"
        ),
        _open(action, title="text-base font-semibold md:text-h2", note="max-md:text-sm", class_name="grow lg:grow-0"),
        ui.chevron("lg:absolute lg:top-9 lg:right-8"),
        class_name=f"{_OPEN} py-3 md:gap-6 md:p-6 lg:flex-col lg:items-stretch lg:border-r lg:border-line lg:p-8",
    )


def _open(
    action: _Action, *, title: str = _SMALL, note: str = "max-md:hidden", class_name: str = "grow"
) -> rx.Component:
    return rx.el.div(
        rx.el.h3(_link(action), class_name=title),
        rx.el.p(choice(action.feature, NOTES), class_name=f"mt-1 text-ink-600 {note}".rstrip()),
        ui.text(_("Until {day}", day=day(action.until)), look="text-sm text-ink-500", top=1, shown=action.until.bool()),
        class_name=f"{class_name} min-w-0",
    )


def _closed(action: _Action) -> rx.Component:
    later = action.opening == Opening.LATER
    return rx.el.div(
        rx.el.div(
            rx.el.div(
                rx.el.h3(choice(action.feature, TITLES), class_name=f"{_SMALL} text-ink-600"),
                rx.foreach(
                    action.others,
                    lambda feature: rx.el.h3(choice(feature, TITLES), class_name=f"mt-1 {_SMALL} text-ink-600"),
                ),
            ),
            rx.cond(
                later,
                ui.badge(_("Status available upon request"), "info"),
                # The neutral badge is invisible on the grey of a closed tile.
                rx.el.span(_("Not available"), class_name="badge bg-white text-ink-700"),
            ),
            class_name="flex flex-wrap items-start gap-x-4 gap-y-2",
        ),
        # The badge says it already.
        ui.small(reason_text(action.reason), top=1, shown=~later),
        ui.small(_("This was possible until {day}.", day=day(action.until)), shown=action.until.bool()),
        ui.when(
            ~later,
            _see_remedy(action, "mr-6 text-sm"),
            rx.el.a(
                _("Contact us"),
                ui.hidden_text(" – ", choice(action.feature, TITLES)),
                to=action.contact,
                class_name=f"{ui.LINK} inline-flex min-h-11 items-center text-sm md:min-h-8",
            ),
        ),
        class_name="grow min-w-0",
    )


def _see_remedy(action: rx.vars.ObjectVar[ActionView], class_name: str) -> rx.Component:
    return rx.cond(
        action.remedy != "",
        rx.el.a(
            rx.cond(action.reason == Reason.REQUEST_OPEN, _("View the request"), _("Enter the frame number")),
            to=action.remedy,
            class_name=f"{ui.LINK} inline-flex min-h-11 items-center md:min-h-8 {class_name}",
        ),
    )


def action_name(action: rx.vars.ObjectVar[ActionView]) -> rx.Var[str]:
    return choice(action.feature, TITLES)


def reason_list(actions: rx.vars.ArrayVar[Sequence[ActionView]]) -> rx.Component:
    return ui.item_list(
        actions, _reason, look="divide-y divide-line overflow-hidden rounded-card border border-line bg-paper-2"
    )


def _reason(action: rx.vars.ObjectVar[ActionView]) -> rx.Component:
    title = choice(action.feature, TITLES)
    return rx.el.li(
        rx.el.div(
            rx.el.h4(title, class_name="text-base font-semibold"),
            rx.cond(
                action.opening == Opening.LATER,
                rx.el.span(_("Status available upon request"), class_name="badge bg-white text-ink-700"),
            ),
            class_name="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-1 md:w-80",
        ),
        ui.muted(
            rx.cond(action.opening != Opening.LATER, reason_text(action.reason), "").to(str),
            ui.when(action.until.bool(), " ", _("This was possible until {day}.", day=day(action.until))),
            look="grow",
        ),
        _see_remedy(action, "shrink-0"),
        rx.cond(
            action.opening == Opening.CLOSED,
            rx.el.a(
                _("Contact us"),
                ui.hidden_text(" – ", title),
                to=action.contact,
                class_name=f"{ui.LINK} inline-flex min-h-11 shrink-0 items-center md:min-h-8",
            ),
        ),
        class_name="flex flex-col gap-x-6 gap-y-1 px-4 py-4 md:flex-row md:items-center md:px-6",
    )


def _link(action: rx.vars.ObjectVar[ActionView]) -> rx.Component:
    older = (action.feature == Feature.RETURN) & (SessionState.variant == Variant.RETOUREN.value)
    return rx.el.a(
        choice(action.feature, TITLES),
        to=rx.cond(older, OLDER_RETURN, action.href),
        class_name="text-ink no-underline after:absolute after:inset-0 md:after:rounded-card",
    )
