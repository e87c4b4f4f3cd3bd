"""Produces every message of the delivery pages, errors and successes, and returns the rendered text."""

from collections.abc import Callable
from functools import partial

from portal.contract.errors import Unavailable
from portal.deliveries.pages.delivery_date import entry, failure_notice, refused, waiting_for_customer
from portal.deliveries.pages.order_status import OrderStatusPage, order_status
from portal.deliveries.pages.state import DeliveryDatePage
from portal.frontend.load import FAILED
from portal.kernel.codes import MESSAGES, Code
from portal.kernel.texts import catalogue
from tests.deliveries.steps import FREE, GONE, PENDING, UNPLANNED, empty, fill, free_day, lose_mail
from tests.support.page_messages import Connections, Provoke, at, refusing, says, toasted, translated, written
from tests.support.people import BRAM, DAAN
from tests.support.pipeline import Tab

FEATURES = "UPDATE orders SET features = '{}' WHERE order_number = ?"


def refuses(name: str, code: Code) -> Callable[[Provoke], Provoke]:
    """The message of a refusal, whose texts `refused.py` holds."""
    return says(name, MESSAGES[code], catalogue("nl").gettext(MESSAGES[code]), code)


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


@refuses("no_delivery_options", Code.NO_DELIVERY_OPTIONS)
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


@refuses("a pending change blocks a new one", Code.DATE_CHANGE_PENDING)
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


async def _face_of(connections: Connections, code: Code, number: str, who: tuple[str, str]) -> str:
    return _face(await connections.open(DeliveryDatePage, f"/delivery-date/{number}", who), code)


for _name, _code, _number, _who in (
    ("handed over", Code.ALREADY_HANDED_OVER, GONE, DAAN),
    ("cancelled", Code.ORDER_CANCELLED, "900000714", BRAM),
    ("in the store", Code.COLLECTED_IN_STORE, "900000709", BRAM),
    ("not delivered", Code.DELIVERY_FAILED, "900000711", BRAM),
    ("not planned", Code.DELIVERY_NOT_PLANNED, UNPLANNED, DAAN),
):
    refuses(_name, _code)(partial(_face_of, code=_code, number=_number, who=_who))


@refuses("not offered", Code.DATE_CHANGE_NOT_OFFERED)
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
