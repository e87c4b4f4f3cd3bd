"""A return with what its account is made of, and what follows from its row: whether it may travel, what it has."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.bike_names import bike_in_full, bike_mark, order_mark
from portal.backend.letter import money
from portal.backend.text_messages import is_planned
from portal.bikes.provider.queries import BikeQueries
from portal.contract.account import (
    AccountAmount,
    AccountFact,
    AccountHandover,
    AccountMoney,
    LocalizedText,
)
from portal.contract.models import Locale
from portal.kernel.address import address_lines
from portal.kernel.days import local_day
from portal.kernel.terms import REFUND_DAYS
from portal.kernel.texts import N_, gettext_for, known_locale
from portal.kernel.validation import in_groups
from portal.returns.provider.queries import ReturnedUnit, ReturnQueries
from portal.returns.rules.settlement import (
    ComputedSettlement,
    SettlementKind,
)
from portal.setting_groups import Brand
from portal.tables.bikes import BikeRow
from portal.tables.customers import CustomerRow
from portal.tables.insurance import InsuranceRequestRow
from portal.tables.orders import PartnerRow
from portal.tables.returns import ReturnRow
from portal.tables.work_orders import RequestRow
from portal.vocabulary.departures import OF_REQUESTS, Departure, Dependent, outcome
from portal.vocabulary.insurance import OPEN_INSURANCE
from portal.vocabulary.returns import (
    CANCELLABLE,
    DONE,
    GIVES_BACK,
    NEVER_REQUESTED,
    PICKED_UP,
    ReturnKind,
    ReturnMethod,
    ReturnStatus,
)
from portal.vocabulary.services import NO_PACKAGES
from portal.vocabulary.work_orders import CLOSED_WORK_ORDER, REQUEST_LABELS

DEPARTMENT = N_("Returns department")


def battery_unanswered(row: ReturnRow) -> bool:
    """Whether the battery question has no answer. Only a withdrawal is received without one."""
    has_question = row.kind is ReturnKind.WITHDRAWAL and bool((row.statement or {}).get("battery"))
    return has_question and row.battery is None


def never_sent(row: ReturnRow) -> bool:
    """Whether it is a withdrawal of what was never sent, so that nothing has to come back."""
    return bool((row.statement or {}).get("unsent"))


def battery_asked(row: ReturnRow) -> bool:
    """Whether the customer is asked about the battery now: no answer yet, and the items have not arrived."""
    return battery_unanswered(row) and row.status in CANCELLABLE - {ReturnStatus.PENDING_CONFIRMATION}


def may_be_sent(row: ReturnRow) -> bool:
    """Whether the items may travel. If not, there is no label, no return address and no pick-up."""
    return not row.urgent and not battery_unanswered(row)


def may_be_brought(row: ReturnRow) -> bool:
    """Whether the customer brings the items to a store. That needs no permission: nobody has to look at it first."""
    return row.method is ReturnMethod.STORE and may_be_sent(row)


def text_subject(row: ReturnRow) -> str:
    return f"return/{row.reference}"


def item_lines(units: Iterable[ReturnedUnit], locale: Locale) -> list[str]:
    """One text per item, such as '2 × Kettingslot ART 3, 110 cm'; one each where it is known which of equal bikes."""
    counts = Counter((unit.line.id, ", ".join((unit.line.name_in(locale), *_marks(unit, locale)))) for unit in units)
    return [f"{count} × {name}" for (_, name), count in counts.items()]


def _marks(item: ReturnedUnit, locale: Locale) -> list[str]:
    """Colour and size of an item, and of one of several equal bikes the frame number."""
    mark = bike_mark(item.bike, locale) if item.bike and item.has_equal else item.line.color_in(locale)
    return [part for part in (mark, item.line.frame_size) if part]


def item_mark(item: ReturnedUnit, orders: str, locale: Locale) -> str:
    """What tells a returned item from others of its name, with its order."""
    return ", ".join((*_marks(item, locale), order_mark(orders, locale)))


def item_name(item: ReturnedUnit, locale: Locale) -> str:
    """The name of a returned item, with what tells it apart where the customer bought another one of that name."""
    if item.has_equal and item.bike and item.bike.frame_number:
        return bike_in_full(item.bike, locale)
    name = item.line.name_in(locale)
    return f"{name}, {item_mark(item, item.order_number, locale)}" if item.has_equal else name


def department_lines(brand: Brand, locale: Locale) -> list[str]:
    return [brand.name, gettext_for(locale)(DEPARTMENT), *address_lines(brand)]


def amount_rows(amounts: Sequence[AccountAmount], locale: Locale) -> list[list[str]]:
    return [[line.label.text(locale), money(line.amount, locale)] for line in amounts]


def total_row(amounts: AccountMoney, locale: Locale) -> list[str]:
    """Label and amount of the total; empty without amounts."""
    return [amounts.label.text(locale), money(amounts.total, locale)] if amounts.lines else []


def handover_lines(handover: AccountHandover | None, locale: Locale) -> list[str]:
    """How, when and where the items come back, and what that costs; empty if nothing comes back."""
    if handover is None:
        return []
    _ = gettext_for(locale)
    cost = _("Costs {amount}").format(amount=money(handover.cost, locale)) if handover.cost else ""
    lines = [
        handover.how.text(locale),
        handover.when.text(locale),
        *handover.place,
        handover.country.text(locale),
        cost,
    ]
    return [line for line in lines if line]


def agreed(row: ReturnRow) -> ComputedSettlement:
    """The stored amounts; without lines if there are none."""
    return ComputedSettlement.from_json(row.settlement) if row.settlement.get("lines") else ComputedSettlement()


@dataclass(frozen=True, slots=True)
class ReturnCase:
    """What the account of a return is made of.

    `units`: its units, sorted by order line.
    `paid_to`: holder and last digits of the account to which it is refunded; empty without one.
    """

    row: ReturnRow
    status: ReturnStatus
    units: Sequence[ReturnedUnit]
    store: PartnerRow | None = None
    closed_at: datetime | None = None
    texted: bool = False
    paid_to: str = ""
    exported: bool = False
    source: str = ""
    locale: Locale = "nl"
    dependents: Sequence[AccountFact] = ()

    @property
    def settlement(self) -> ComputedSettlement:
        """The stored amounts; without lines if there are none."""
        return agreed(self.row)

    @property
    def order_numbers(self) -> list[str]:
        """The orders of its items, in the order of the items."""
        return list(dict.fromkeys(unit.order_number for unit in self.units)) or [self.row.order_number]

    @property
    def orders(self) -> str:
        return ", ".join(self.order_numbers)

    @property
    def refund_by(self) -> date | None:
        """The last day of the refund: counted from the closing, or from the declaration of a withdrawal."""
        if not self.closed_at or not self.row.refund_amount:
            return None
        closed = local_day(self.closed_at)
        if self.row.kind is ReturnKind.WITHDRAWAL:
            return max(closed, local_day(self.row.created_at) + timedelta(days=REFUND_DAYS))
        return closed + timedelta(days=REFUND_DAYS)


async def case_of(session: AsyncSession, row: ReturnRow, now: datetime) -> ReturnCase:
    """Look up what the account of a return is made of."""
    queries = ReturnQueries(session, row.customer_id)
    units = (await queries.units([row])).get(row.id, [])
    events = await queries.events(row)
    closed = next((event.created_at for event in events if event.status is ReturnStatus.CLOSED), None)
    texted = await is_planned(session, text_subject(row), row.customer_id)
    of_customer = select(CustomerRow.source, CustomerRow.locale).where(CustomerRow.id == row.customer_id)
    source, locale = (await session.exec(of_customer)).one()
    holder, iban, payment = await queries.refund_account(row)
    store = await queries.store(row)
    status, dependents = status_now(row, now), []
    if departure := departure_by(row, status):
        bikes = [bike for own in (await queries.bikes(units)).values() for bike in own]
        keys = await BikeQueries(session, row.customer_id).departures([bike.id for bike in bikes])
        bikes = [bike for bike in bikes if keys.get(bike.id)]
        dependents = await dependents_of(session, bikes, departure, {line.kind for line in agreed(row).lines})
    return ReturnCase(
        row,
        status,
        units,
        store,
        closed,
        texted,
        f"{holder}, {ending(iban)}" if iban else "",
        payment is not None,
        source,
        known_locale(locale),
        dependents,
    )


def departure_by(row: ReturnRow, status: ReturnStatus) -> Departure | None:
    """What an open return does to its bikes; None if nothing was requested, or if it is over."""
    if status in NEVER_REQUESTED | GIVES_BACK | DONE:
        return None
    if status is ReturnStatus.RECEIVED:
        return Departure.RECEIVED
    if row.kind is ReturnKind.WITHDRAWAL:
        return Departure.WITHDRAWN
    return Departure.ON_ITS_WAY if status in PICKED_UP else Departure.DECLARED


_SETTLED = {SettlementKind.PACKAGE: Dependent.PACKAGE, SettlementKind.INSURANCE: Dependent.INSURANCE}
"""What was bought with the order, which a return pays back as a whole."""

_ON_THE_WAY = (Departure.DECLARED, Departure.ON_ITS_WAY)
"""The sentences for these say what is paid back."""


async def dependents_of(
    session: AsyncSession, bikes: Sequence[BikeRow], departure: Departure, settled: Collection[SettlementKind] = ()
) -> list[AccountFact]:
    """What hangs on the bikes of a return, each with what becomes of it.

    `settled`: the lines of its settlement. Of what they pay back, nothing is counted by days.
    """
    in_full = {_SETTLED[kind] for kind in settled if kind in _SETTLED} if departure in _ON_THE_WAY else set()
    found: dict[Dependent, LocalizedText] = {}
    if any(bike.insurance for bike in bikes):
        found[Dependent.INSURANCE] = LocalizedText.of(N_("Insurance"))
    if any(bike.service_package not in NO_PACKAGES for bike in bikes):
        found[Dependent.PACKAGE] = LocalizedText.of(N_("Service package"))
    asked = select(InsuranceRequestRow.id).where(
        col(InsuranceRequestRow.bike_id).in_([bike.id for bike in bikes]),
        col(InsuranceRequestRow.status).in_(sorted(OPEN_INSURANCE)),
    )
    if bikes and (await session.exec(asked)).first():
        found[Dependent.INSURANCE_REQUEST] = LocalizedText.of(N_("Insurance request"))
    query = select(RequestRow).where(
        col(RequestRow.bike_id).in_([bike.id for bike in bikes]),
        col(RequestRow.status).not_in(sorted(CLOSED_WORK_ORDER)),
    )
    for request in (await session.exec(query.order_by(col(RequestRow.id)))).all() if bikes else ():
        found[OF_REQUESTS[request.kind]] = LocalizedText.of(
            N_("{kind} {reference}"),
            kind=LocalizedText.of(REQUEST_LABELS[request.kind]),
            reference=in_groups(request.reference),
        )
    return [
        AccountFact(label=label, lines=[LocalizedText.of(text)])
        for dependent, label in found.items()
        if (text := outcome(Departure.WITHDRAWN if dependent in in_full else departure, dependent).customer)
    ]


def status_now(row: ReturnRow, now: datetime) -> ReturnStatus:
    """The current status. A return that was not confirmed in time is expired, even before its row says so."""
    waits = row.status is ReturnStatus.PENDING_CONFIRMATION
    return ReturnStatus.EXPIRED if waits and row.confirm_until and row.confirm_until <= now else row.status


def ending(iban: str) -> str:
    """The last digits of an account, by which a customer recognizes it."""
    return f"… {iban[-4:]}"
