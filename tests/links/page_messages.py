"""The messages of the link pages: confirmed, used, expired, invalid, refused."""

from datetime import timedelta
from functools import partial

from portal.contract.errors import Unavailable
from portal.deliveries.pages.planned import WORDING as DATE_WORDS
from portal.insurance.pages.status import WORDING as INSURANCE_WORDS
from portal.kernel.codes import Code
from portal.kernel.days import now
from portal.links.pages import REFUSED, LinkWording, MailedLink, heading, link_page
from portal.vocabulary.links import PATHS, LinkPurpose, LinkState
from tests.links.test_state import DATE_WAITS, INSURANCE_WAITS, link_of
from tests.support.page_messages import Connections, at, refusing, says, written
from tests.support.pipeline import Tab

DATE, INSURANCE = LinkPurpose.DELIVERY_DATE, LinkPurpose.INSURANCE
WORDING: dict[LinkPurpose, LinkWording] = {DATE: DATE_WORDS, INSURANCE: INSURANCE_WORDS}
WAITS = {DATE: DATE_WAITS, INSURANCE: INSURANCE_WAITS}

DONE = {
    DATE: ("Your new delivery day is confirmed", "Je nieuwe bezorgdag is bevestigd"),
    INSURANCE: ("Your insurance is confirmed", "Je verzekering is bevestigd"),
}

BEFORE = {
    DATE: ("You’ve already confirmed this day", "Je hebt deze dag al bevestigd"),
    INSURANCE: ("You’ve already confirmed this insurance", "Je hebt deze verzekering al bevestigd"),
}

EXPIRED = ("This link has expired", "Deze link is verlopen")

INVALID = (
    "Invalid redirect. Please contact our customer support.",
    "Ongeldige doorverwijzing. Neem contact op met onze klantenservice.",
)

INSURED = ("Your bike is already insured with us.", "Je fiets is al via ons verzekerd.")
LOST = ("There was a network error", "Er was een netwerkfout")


async def _pressed(connections: Connections, path: str, name: str = "customer") -> Tab:
    tab = await connections.tabs.tab(f"{name}-{path}").send(MailedLink.load, path=path)
    return await tab.send(MailedLink.confirm, path=path, form={})


async def _link(connections: Connections, purpose: LinkPurpose, *, expired: bool = False) -> str:
    await connections.shop.alter(WAITS[purpose])
    return await link_of(connections.shop, purpose, **({"expires_at": now() - timedelta(minutes=1)} if expired else {}))


async def _confirmed(purpose: LinkPurpose, connections: Connections) -> str:
    tab = await _pressed(connections, await _link(connections, purpose))
    assert tab.shown(MailedLink, "view_state") == LinkState.CONFIRMED
    return at(heading(WORDING[purpose]), LinkState.CONFIRMED)


async def _used(purpose: LinkPurpose, connections: Connections) -> str:
    path = await _link(connections, purpose)
    await _pressed(connections, path)
    later = await connections.tabs.tab(f"later-{path}").send(MailedLink.load, path=path)
    assert later.shown(MailedLink, "view_state") == LinkState.USED
    return at(heading(WORDING[purpose]), LinkState.USED)


async def _expired(purpose: LinkPurpose, connections: Connections) -> str:
    tab = await _pressed(connections, await _link(connections, purpose, expired=True))
    assert tab.stored(MailedLink).view_state == LinkState.EXPIRED
    return at(heading(WORDING[purpose]), LinkState.EXPIRED)


async def _unknown(purpose: LinkPurpose, end: str, code: Code, connections: Connections) -> str:
    tab = await _pressed(connections, f"{PATHS[purpose]}/{end}")
    assert tab.stored(MailedLink).view_state == LinkState.INVALID
    assert tab.shown(MailedLink, "problem") == code
    return written(link_page(WORDING[purpose]))


for _purpose, _name in ((DATE, "delivery date change"), (INSURANCE, "insurance")):
    says(f"{_name} confirmed", *DONE[_purpose])(partial(_confirmed, _purpose))
    says(f"{_name} confirmed before", *BEFORE[_purpose])(partial(_used, _purpose))
    says(f"{_name} expired", *EXPIRED)(partial(_expired, _purpose))
    says(f"{_name} invalid", *INVALID, Code.INVALID_HASH)(partial(_unknown, _purpose, "a" * 43, Code.INVALID_HASH))
    says(f"{_name} without its end", *INVALID, Code.MISSING_HASH)(partial(_unknown, _purpose, "", Code.MISSING_HASH))


@says("insurance that the bike has by now", *INSURED, Code.INSURANCE_EXISTS)
async def _(connections: Connections) -> str:
    bike = "WHERE order_id = (SELECT id FROM orders WHERE order_number = '900000082')"
    path = await _link(connections, INSURANCE)
    await connections.shop.alter(f"UPDATE bikes SET insurance = 'theft' {bike}")
    tab = await _pressed(connections, path)
    await connections.shop.alter(f"UPDATE bikes SET insurance = '' {bike}")
    assert (tab.shown(MailedLink, "view_state"), tab.shown(MailedLink, "problem")) == (REFUSED, Code.INSURANCE_EXISTS)
    return at(link_page(INSURANCE_WORDS), Code.INSURANCE_EXISTS)


@says(
    "delivery date change of a cancelled order",
    "This order was cancelled. Contact us if you have a question about it.",
    "Deze bestelling is geannuleerd. Neem contact op als je er een vraag over hebt.",
    Code.ORDER_CANCELLED,
)
async def _(connections: Connections) -> str:
    status = "UPDATE orders SET delivery_status = ? WHERE order_number = '900000072'"
    path = await _link(connections, DATE)
    await connections.shop.alter(status, "order_cancelled")
    tab = await _pressed(connections, path)
    await connections.shop.alter(status, "in_stock")
    assert (tab.shown(MailedLink, "view_state"), tab.shown(MailedLink, "problem")) == (REFUSED, Code.ORDER_CANCELLED)
    assert '["order_cancelled"] : ""' in written(link_page(DATE_WORDS)), "no delivery stays as it was planned"
    return at(link_page(DATE_WORDS), Code.ORDER_CANCELLED)


@says("network error", *LOST, Code.NETWORK_ERROR)
async def _(connections: Connections) -> str:
    path = await _link(connections, DATE)
    with refusing("confirm_link", Unavailable(Code.NETWORK_ERROR)):
        tab = await _pressed(connections, path, "lost")
    assert tab.shown(MailedLink, "problem") == Code.NETWORK_ERROR
    return at(link_page(DATE_WORDS), Code.NETWORK_ERROR)
