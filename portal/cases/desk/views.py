"""What the pages of cases show: plain values, made from the models of the API."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from portal.cases.api import (
    BatchResult,
    CaseBike,
    CaseCustomer,
    CaseDetail,
    CaseEvent,
    CaseFile,
    CaseLink,
    CaseOrder,
    NextStep,
    QueueEntry,
)
from portal.contract.account import EMPTY_ACCOUNT, Account
from portal.frontend.accounts import texts_of
from portal.kernel.address import whole_post_code
from portal.kernel.validation import in_groups
from portal.settings import settings
from portal.staff.desk.shop_values import ShopValueView, shop_value_views
from portal.vocabulary.cases import CANCELLED_AS, CaseState, kind_path

PROMISED, LATE, SOON, STILL, NOTHING = "promised", "late", "soon", "still", ""
"""How a promise stands: kept so far, late, today, standing still, or none was given."""


@dataclass(frozen=True, slots=True)
class RowView:
    """A row of the queue. `key` is also its address; moments are ISO 8601; `store` is without the brand."""

    key: str
    kind: str
    reference: str
    unread: bool
    urgent: bool
    status: dict[str, str]
    tone: str
    customer: str
    bike: str
    what: dict[str, str]
    quote: str
    files: int
    promise: str
    promised_at: str
    turn: str
    waiting_since: str
    planned: str
    person: str
    store: str
    shop: str
    version: int


@dataclass(frozen=True, slots=True)
class OptionView:
    """A choice of a select element."""

    value: str
    text: str


@dataclass(frozen=True, slots=True)
class FileView:
    """A file; `address` opens it, `preview` is a small picture of it, or empty, `kind` a value of `FileKind`."""

    name: str
    address: str
    preview: str
    kind: str


@dataclass(frozen=True, slots=True)
class StepView:
    """A status that may follow."""

    status: str = ""
    label: dict[str, str] = field(default_factory=dict)
    sentence: dict[str, str] = field(default_factory=dict)
    with_day: dict[str, str] = field(default_factory=dict)
    mailed: bool = True
    asks_day: bool = False
    asks_policy: bool = False
    asks_battery: bool = False


@dataclass(frozen=True, slots=True)
class RefusedView:
    """A case that a change of many cases left as it was, and the error code."""

    kind: str
    reference: str
    code: str


@dataclass(frozen=True, slots=True)
class EventView:
    """An entry of the timeline; `who` is the name of the person."""

    label: dict[str, str]
    text: dict[str, str]
    who: str
    by_customer: bool
    at: str


@dataclass(frozen=True, slots=True)
class LinkView:
    key: str
    kind: str
    reference: str
    status: dict[str, str]
    what: dict[str, str]
    bike: str
    opened_at: str


@dataclass(frozen=True, slots=True)
class CustomerView:
    known: bool = False
    customer_id: str = ""
    name: str = ""
    email: str = ""
    phone: str = ""
    call: str = ""
    address: list[str] = field(default_factory=list)
    map_url: str = ""
    locale: str = "nl"
    shop: str = ""
    shop_values: list[ShopValueView] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class BikeView:
    """The bike of a case; days are ISO 8601."""

    known: bool = False
    bike_id: str = ""
    name: str = ""
    details: str = ""
    frame_number: str = ""
    key_numbers: str = ""
    battery_number: str = ""
    tracker_number: str = ""
    bought_on: str = ""
    warranty_until: str = ""
    in_warranty: bool = False
    service_package: dict[str, str] = field(default_factory=dict)
    insured: bool = False
    departed: dict[str, str] = field(default_factory=dict)
    history: list[LinkView] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class OrderView:
    """An order of a case; amounts are euros as text."""

    number: str = ""
    ordered_on: str = ""
    lines: list[str] = field(default_factory=list)
    total: str = ""
    outstanding: str = ""


@dataclass(frozen=True, slots=True)
class CaseView:
    """One case, ready to show.

    Attributes:
        phase: the current one of `phases`; without phases, `phase_number` is 0.
        cancelled: the step that cancels it at the customer's request; without a status if it cannot be cancelled.
    """

    key: str = ""
    kind: str = ""
    reference: str = ""
    status: dict[str, str] = field(default_factory=dict)
    tone: str = ""
    done: bool = False
    urgent: bool = False
    unread: bool = False
    version: int = 0
    promise: str = NOTHING
    promised_at: str = ""
    waiting_since: str = ""
    planned: str = ""
    person: str = ""
    person_id: str = ""
    opened_by: str = ""
    store: str = ""
    store_id: str = ""
    item: str = ""
    what: dict[str, str] = field(default_factory=dict)
    quote: str = ""
    account: Account = EMPTY_ACCOUNT
    files: list[FileView] = field(default_factory=list)
    received: list[FileView] = field(default_factory=list)
    customer: CustomerView = field(default_factory=CustomerView)
    bike: BikeView = field(default_factory=BikeView)
    orders: list[OrderView] = field(default_factory=list)
    steps: list[StepView] = field(default_factory=list)
    cancelled: StepView = field(default_factory=StepView)
    can_plan: bool = False
    hidden: list[str] = field(default_factory=list)
    phase: dict[str, str] = field(default_factory=dict)
    phase_number: int = 0
    phases: int = 0
    events: list[EventView] = field(default_factory=list)
    others: list[LinkView] = field(default_factory=list)


def row_view(entry: QueueEntry, now: datetime) -> RowView:
    return RowView(
        key=f"{kind_path(entry.kind)}/{entry.reference}",
        kind=entry.kind.value,
        reference=in_groups(entry.reference),
        unread=entry.unread,
        urgent=entry.urgent,
        status=texts_of(entry.status_label),
        tone=entry.tone,
        customer=entry.customer,
        bike=entry.bike,
        what=texts_of(entry.what),
        quote=entry.quote,
        files=entry.files,
        promise=_promise(entry.state, entry.promised_at, now),
        promised_at=_moment(entry.promised_at),
        turn=entry.turn or "",
        waiting_since=_moment(entry.waiting_since),
        planned=entry.planned_date.isoformat() if entry.planned_date else "",
        person=entry.person.name if entry.person else "",
        store=_place(entry.store.name) if entry.store else "",
        shop=entry.shop,
        version=entry.version,
    )


def refused_view(result: BatchResult) -> RefusedView:
    """Map a case that was not changed."""
    return RefusedView(result.kind.value, in_groups(result.reference), result.code.value if result.code else "")


def case_view(case: CaseDetail) -> CaseView:
    key, phases, at = f"{kind_path(case.kind)}/{case.reference}", case.account.phases, case.account.phase
    # After the last phase all of them are done.
    number = 0 if at is None else min(at + 1, len(phases))
    steps = [step_view(step) for step in case.steps]
    return CaseView(
        key=key,
        kind=case.kind.value,
        reference=in_groups(case.reference),
        status=texts_of(case.status_label),
        tone=case.tone,
        done=case.state is CaseState.DONE,
        urgent=case.urgent,
        unread=case.unread,
        version=case.version,
        promise=_promise(case.state, case.promised_at, case.now),
        promised_at=_moment(case.promised_at),
        waiting_since=_moment(case.waiting_since),
        planned=case.planned_date.isoformat() if case.planned_date else "",
        person=case.person.name if case.person else "",
        person_id=case.person.person_id if case.person else "",
        opened_by=case.opened_by.name if case.opened_by else "",
        store=case.store.name if case.store else "",
        store_id=case.store.store_id if case.store else "",
        item=case.item,
        what=texts_of(case.what),
        quote=case.quote,
        account=case.account or EMPTY_ACCOUNT,
        files=[_file(key, file) for file in case.files if not file.by_staff],
        received=[_file(key, file) for file in case.files if file.by_staff],
        customer=_customer(case.customer),
        bike=_bike(case.bike),
        orders=[_order(order) for order in case.orders],
        steps=steps,
        cancelled=next(
            (step_view(step) for step in case.steps if step.status == CANCELLED_AS.get(case.kind)), StepView()
        ),
        hidden=[what.value for what in case.hidden],
        can_plan=case.can_plan,
        phase=texts_of(phases[number - 1]) if number else {},
        phase_number=number,
        phases=len(phases),
        events=[_event(event) for event in reversed(case.events)],
        others=[link_view(link) for link in case.others],
    )


def link_view(link: CaseLink) -> LinkView:
    """Map a link to another case."""
    return LinkView(
        key=f"{kind_path(link.kind)}/{link.reference}",
        kind=link.kind.value,
        reference=in_groups(link.reference),
        status=texts_of(link.status_label),
        what=texts_of(link.what),
        bike=link.bike,
        opened_at=_moment(link.opened_at),
    )


def _promise(state: CaseState, promised_at: datetime | None, now: datetime) -> str:
    if promised_at is None or state is CaseState.DONE:
        return STILL if state is CaseState.WAITING else NOTHING
    if promised_at < now:
        return LATE
    if state is CaseState.WAITING:
        return STILL
    return SOON if (promised_at - now).days < 1 else PROMISED


def _place(store: str) -> str:
    """The name of a store without the brand, which all stores share."""
    return store.removeprefix(f"{settings().brand.name} ")


def _moment(value: datetime | None) -> str:
    return value.isoformat() if value else ""


def _file(key: str, file: CaseFile) -> FileView:
    address = f"/files/cases/{key}/{file.file_id}"
    return FileView(file.name, address, f"{address}/preview" if file.has_preview else "", file.kind)


def _customer(customer: CaseCustomer | None) -> CustomerView:
    if customer is None:
        return CustomerView()
    return CustomerView(
        known=True,
        customer_id=customer.customer_id,
        name=customer.name,
        email=customer.email,
        phone=customer.phone,
        call=customer.call,
        address=[whole_post_code(line) for line in customer.address],
        map_url=customer.map_url,
        locale=customer.locale,
        shop=customer.shop,
        shop_values=shop_value_views(customer.shop_values),
    )


def _bike(bike: CaseBike | None) -> BikeView:
    if bike is None:
        return BikeView()
    return BikeView(
        known=True,
        bike_id=bike.bike_id,
        name=bike.name,
        details=bike.details,
        frame_number=bike.frame_number,
        key_numbers=" · ".join(bike.key_numbers),
        battery_number=bike.battery_number,
        tracker_number=bike.tracker_number,
        bought_on=bike.bought_on.isoformat() if bike.bought_on else "",
        warranty_until=bike.warranty_until.isoformat() if bike.warranty_until else "",
        in_warranty=bike.in_warranty,
        service_package=texts_of(bike.service_package),
        insured=bike.insured,
        departed=texts_of(bike.departed),
        history=[link_view(link) for link in bike.history],
    )


def _order(order: CaseOrder) -> OrderView:
    return OrderView(
        number=order.order_number,
        ordered_on=order.ordered_on.isoformat(),
        lines=order.items,
        total=f"{order.total:.2f}",
        outstanding=f"{order.outstanding:.2f}" if order.outstanding else "",
    )


def step_view(step: NextStep) -> StepView:
    """Map a status that may follow."""
    return StepView(
        status=step.status,
        label=texts_of(step.label),
        sentence=texts_of(step.sentence),
        with_day=texts_of(step.with_day),
        mailed=step.mailed,
        asks_day=step.asks_day,
        asks_policy=step.asks_policy,
        asks_battery=step.asks_battery,
    )


def _event(event: CaseEvent) -> EventView:
    return EventView(
        texts_of(event.label), texts_of(event.text), event.who, event.by_customer, event.happened_at.isoformat()
    )
