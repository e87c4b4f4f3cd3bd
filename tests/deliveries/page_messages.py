"""Produces every message of the delivery pages, errors and successes, and returns the rendered text."""

from __future__ import annotations

from portal.contract.errors import Unavailable
from portal.deliveries.pages.date_pending import failure_notice, refused, waiting_for_customer
from portal.deliveries.pages.delivery_date import entry
from portal.deliveries.pages.order_status import OrderStatusPage, order_status
from portal.deliveries.pages.state import DeliveryDatePage
from portal.frontend.load import FAILED
from portal.kernel.codes import Code
from tests.deliveries.steps import FREE, GONE, PENDING, UNPLANNED, empty, fill, free_day, lose_mail
from tests.support.page_messages import Connections, at, refusing, says, toasted, translated, written
from tests.support.people import BRAM, DAAN
from tests.support.pipeline import Tab

FEATURES = "UPDATE orders SET features = '{}' WHERE order_number = ?"


@says(
    "order status load error",
    "We couldn’t load the status of your order.",
    "We konden de status van je bestelling niet laden.",
    Code.ORDER_STATUS_FAILED,
)
async def _(connections: Connections) -> str:
    with refusing("order_status", Unavailable()):
        tab = await connections.open(OrderStatusPage, f"/order-status/{FREE}")
    assert tab.shown(OrderStatusPage, "view_state") == FAILED
    return written(order_status())


@says(
    "delivery options load error",
    "The delivery days couldn’t be loaded.",
    "De bezorgdagen konden niet worden geladen.",
)
async def _(connections: Connections) -> str:
    with refusing("delivery_dates", Unavailable()):
        tab = await connections.open(DeliveryDatePage, f"/delivery-date/{FREE}")
    assert tab.shown(DeliveryDatePage, "view_state") == FAILED
    return written(entry())


@says(
    "no_delivery_options",
    "There are no delivery options at the moment. Try again in an hour.",
    "Er zijn op dit moment geen bezorgopties. Probeer het over een uur opnieuw.",
    Code.NO_DELIVERY_OPTIONS,
)
async def _(connections: Connections) -> str:
    tab = await connections.open(DeliveryDatePage, f"/delivery-date/{FREE}")
    for week in tab.shown(DeliveryDatePage, "dates").weeks:
        for day in week.days:
            await fill(connections.shop, str(day.day))
    await tab.send(DeliveryDatePage.load, path=f"/delivery-date/{FREE}")
    await empty(connections.shop)
    assert tab.shown(DeliveryDatePage, "dates").retry_at
    return _face(tab, Code.NO_DELIVERY_OPTIONS)


@says(
    "delivery date change unsuccessful",
    "The delivery day couldn’t be changed.",
    "De bezorgdag kon niet worden gewijzigd.",
    Code.DATE_CHANGE_FAILED,
)
async def _(connections: Connections) -> str:
    tab, day = await _checked(connections)
    await fill(connections.shop, day)
    await _ask(tab, day)
    await empty(connections.shop)
    return toasted(tab)


@says(
    "general_error",
    "Network error, please try again later.",
    "Netwerkfout. Probeer het later nog eens.",
    Code.GENERAL_ERROR,
)
async def _(connections: Connections) -> str:
    tab, day = await _checked(connections)
    with refusing("request_delivery_date", Unavailable()):
        await _ask(tab, day)
    assert tab.shown(DeliveryDatePage, "failure") == Code.GENERAL_ERROR
    return written(failure_notice())


@says(
    "email_failed",
    "We couldn’t send the email. Your request is safe: have the email sent again.",
    "We konden de e-mail niet versturen. Je aanvraag is bewaard: laat de e-mail opnieuw sturen.",
    Code.EMAIL_FAILED,
)
async def _(connections: Connections) -> str:
    tab, day = await _checked(connections)
    await _ask(tab, day)
    await lose_mail(connections.shop)
    await tab.send(DeliveryDatePage.load, path=f"/delivery-date/{FREE}")
    assert tab.shown(DeliveryDatePage, "dates").change.email_failed
    return written(waiting_for_customer())


@says(
    "a mail a minute",
    "We’ve just sent you an email. Wait a moment before you ask for another one.",
    "We hebben je net een e-mail gestuurd. Wacht even voordat je een nieuwe aanvraagt.",
    Code.MAIL_SENT_RECENTLY,
)
async def _(connections: Connections) -> str:
    tab, day = await _checked(connections)
    await _ask(tab, day)
    await tab.send(DeliveryDatePage.resend, path=f"/delivery-date/{FREE}")
    assert tab.shown(DeliveryDatePage, "failure") == Code.MAIL_SENT_RECENTLY
    return at(failure_notice(), Code.MAIL_SENT_RECENTLY)


@says(
    "a pending change blocks a new one",
    "You’ve already asked for another delivery day. Wait until that is settled.",
    "Je hebt al een andere bezorgdag aangevraagd. Wacht tot die aanvraag is afgehandeld.",
    Code.DATE_CHANGE_PENDING,
)
async def _(connections: Connections) -> str:
    tab, day = await _checked(connections)
    await _ask(tab, day)
    await _ask(tab, day)
    assert tab.shown(DeliveryDatePage, "failure") == Code.DATE_CHANGE_PENDING
    return at(failure_notice(), Code.DATE_CHANGE_PENDING)


@says(
    "a pending change waits for its link",
    "One more step: confirm the new day by email",
    "Nog één stap: bevestig de nieuwe dag via je e-mail",
)
async def _(connections: Connections) -> str:
    tab = await connections.open(DeliveryDatePage, f"/delivery-date/{PENDING}")
    return translated(tab.shown(DeliveryDatePage, "dates").change.account.title)


@says(
    "handed over",
    "Your order is already with the carrier or delivered, so the day can no longer be changed.",
    "Je bestelling is al bij de vervoerder of bezorgd. De bezorgdag kan niet meer worden gewijzigd.",
    Code.ALREADY_HANDED_OVER,
)
async def _(connections: Connections) -> str:
    return _face(await connections.open(DeliveryDatePage, f"/delivery-date/{GONE}"), Code.ALREADY_HANDED_OVER)


@says(
    "cancelled",
    "This order was cancelled. Contact us if you have a question about it.",
    "Deze bestelling is geannuleerd. Neem contact op als je er een vraag over hebt.",
    Code.ORDER_CANCELLED,
)
async def _(connections: Connections) -> str:
    return _face(await connections.open(DeliveryDatePage, "/delivery-date/900000714", BRAM), Code.ORDER_CANCELLED)


@says(
    "in the store",
    "You’re collecting this order from the store, so it has no delivery day.",
    "Deze bestelling haal je op in de winkel. Er is dus geen bezorgdag.",
    Code.COLLECTED_IN_STORE,
)
async def _(connections: Connections) -> str:
    return _face(await connections.open(DeliveryDatePage, "/delivery-date/900000709", BRAM), Code.COLLECTED_IN_STORE)


@says(
    "not delivered",
    "We couldn’t deliver your order. Contact us to plan a new delivery.",
    "De bezorging is niet gelukt. Neem contact op om een nieuwe bezorging te plannen.",
    Code.DELIVERY_FAILED,
)
async def _(connections: Connections) -> str:
    return _face(await connections.open(DeliveryDatePage, "/delivery-date/900000711", BRAM), Code.DELIVERY_FAILED)


@says(
    "not planned",
    "No delivery day is planned yet. As soon as there is one, you can change it.",
    "Er is nog geen bezorgdag gepland. Zodra die er is, kun je hem wijzigen.",
    Code.DELIVERY_NOT_PLANNED,
)
async def _(connections: Connections) -> str:
    return _face(await connections.open(DeliveryDatePage, f"/delivery-date/{UNPLANNED}"), Code.DELIVERY_NOT_PLANNED)


@says(
    "not offered",
    "You can’t change the delivery day of this order here. Contact us.",
    "De bezorgdag van deze bestelling kun je hier niet wijzigen. Neem contact met ons op.",
    Code.DATE_CHANGE_NOT_OFFERED,
)
async def _(connections: Connections) -> str:
    await connections.shop.alter(FEATURES.format("[]"), FREE)
    tab = await connections.open(DeliveryDatePage, f"/delivery-date/{FREE}")
    await connections.shop.alter(FEATURES.format('["delivery_date", "order_status"]'), FREE)
    return _face(tab, Code.DATE_CHANGE_NOT_OFFERED)


def _face(tab: Tab, code: Code) -> str:
    """The rendered explanation of why no day can be chosen."""
    assert tab.shown(DeliveryDatePage, "dates").date_status == code
    return written(refused())


async def _checked(connections: Connections) -> tuple[Tab, str]:
    """The check page for a day, with earlier requests deleted."""
    await connections.shop.alter(
        "DELETE FROM date_changes WHERE order_id = (SELECT id FROM orders WHERE order_number = ?)", FREE
    )
    await connections.shop.alter("DELETE FROM limit_windows")
    _week, day = free_day(await connections.open(DeliveryDatePage, f"/delivery-date/{FREE}"))
    return await connections.open(DeliveryDatePage, f"/delivery-date/{FREE}/check?day={day}", DAAN), day


async def _ask(tab: Tab, day: str) -> None:
    await tab.send(DeliveryDatePage.send, path=f"/delivery-date/{FREE}/check?day={day}", form={"day": day})
