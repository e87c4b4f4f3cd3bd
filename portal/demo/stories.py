"""Three hundred open cases of the demonstration shop, so that staff of five stores find a working day."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.context import Context
from portal.demo.build import BuiltCustomer, BuiltOrder, build_customer
from portal.demo.cases import complete_cases
from portal.demo.pictures import Photo, keep, photo_of, upload_row
from portal.demo.plans import (
    BIKES,
    OWN_TRANSPORT,
    PRODUCTS,
    AddressPlan,
    BikePlan,
    CustomerPlan,
    Days,
    LinePlan,
    OrderPlan,
    PersonPlan,
    RequestPlan,
    ShipmentPlan,
    number_from,
    read_data,
    stable_id,
)
from portal.kernel.address import Country, address_parts
from portal.returns.rules.settlement import Returned, Terms, Worth, settle
from portal.tables.cases import CaseEventRow, CaseNoteRow, CaseRow
from portal.tables.drafts import UploadRow
from portal.tables.exchange import ImportDifferenceRow, ImportedRow
from portal.tables.insurance import InsuranceRequestRow
from portal.tables.orders import OrderLineRow, PartnerRow
from portal.tables.returns import ReturnEventRow, ReturnRow, ReturnUnitRow
from portal.tables.staff import StaffRow, StaffStoreRow
from portal.tables.work_orders import RequestRow
from portal.vocabulary.cases import CaseEventType, CaseKind, CaseState
from portal.vocabulary.deliveries import DeliveryStatus
from portal.vocabulary.files import StaffFileUse
from portal.vocabulary.insurance import InsuranceStatus, InsuranceType, Insurer
from portal.vocabulary.returns import (
    BatteryState,
    ItemState,
    ReturnKind,
    ReturnMethod,
    ReturnReason,
    ReturnStatus,
)
from portal.vocabulary.services import ServiceJob
from portal.vocabulary.staff import Role
from portal.vocabulary.work_orders import RequestKind, WorkOrderStatus
from portal.work_orders.flow.repair import KNOWN, NEVER

WORK_ORDERS, RETURNS, INSURANCES = 220, 50, 30
"""How many cases of each kind; together 300."""

_FIRST = 810_000_001
_BATTERY, _HELMET, _PONCHO = "ACC-ACCU-500", "ACC-HELM", "ACC-PONCHO"
_DATA = read_data("stories.json")
_FIRST_NAMES = _DATA["first_names"].split()
_LAST_NAMES, _REPAIRS, _CAUSES, _NOTES = (_DATA[name] for name in ("last_names", "repairs", "causes", "notes"))
STORES = tuple(_DATA["streets"])
_S = WorkOrderStatus
_BEGUN = (_S.ACCEPTED, _S.WAIT_FOR_OBJECT, _S.WAIT_FOR_REPAIR, _S.IN_REPAIR, _S.WAIT_FOR_PARTS)
_STATUSES = (_S.NEW, _S.NEW, _S.NEW, *_BEGUN)
_REASONS = (
    (ReturnReason.EXPECTED_HIGHER_QUALITY, "De stof voelt dunner dan ik had verwacht, daarom stuur ik hem terug."),
    (ReturnReason.WRONG_PRODUCT_RECEIVED, "Ik had de rode besteld en kreeg een zwarte in de doos."),
    (ReturnReason.PRODUCT_IS_DAMAGED, "De sluiting is gebroken, dat zag ik pas toen ik hem wilde gebruiken."),
)
_SWOLLEN = (ReturnReason.PRODUCT_IS_DEFECT, "De accu is bol gaan staan en werd warm bij het laden.")


FIRST_ORDER = str(_FIRST)


@dataclass(frozen=True, slots=True)
class Story:
    built: BuiltCustomer
    store: str
    number: int

    @property
    def order(self) -> BuiltOrder:
        return self.built.orders[0]


def stories(days: Days, partners: Mapping[str, PartnerRow]) -> list[Story]:
    return [_story(number, days, partners) for number in range(WORK_ORDERS + RETURNS + INSURANCES)]


def _bought(number: int, chance: int) -> int:
    """Days since the purchase. Returns and insurances are still in time."""
    if number < WORK_ORDERS:
        return 20 + chance % 700
    if number < WORK_ORDERS + RETURNS:
        return 12 + chance % 80
    return 5 + chance % 8


def _story(number: int, days: Days, partners: Mapping[str, PartnerRow]) -> Story:
    store = STORES[number % len(STORES)]
    place = _DATA["streets"][store]
    country = Country(place["country"])
    chance = number_from("story", number)
    prefix, last = _LAST_NAMES[chance % len(_LAST_NAMES)]
    first = _FIRST_NAMES[chance // 100 % len(_FIRST_NAMES)]
    street, post_code = place["streets"][chance // 10_000 % len(place["streets"])]
    person = PersonPlan(
        first,
        last,
        f"klant{number + 1}@example.org",
        AddressPlan(street, str(chance // 1000 % 180 + 1), post_code, place["city"], country),
        f"+316{chance % 10**8:08}" if country is Country.NL else f"+324{chance % 10**8:08}",
        prefix,
    )
    bought = _bought(number, chance)
    line = (
        LinePlan(
            BIKES[chance // 7 % len(BIKES)],
            bike=BikePlan(mileage=10 + chance % (8 * bought), read=3, requests=_requests(number, chance, store)),
        )
        if not WORK_ORDERS <= number < WORK_ORDERS + RETURNS
        else LinePlan(PRODUCTS[_BATTERY if number == WORK_ORDERS else _HELMET if number % 2 else _PONCHO])
    )
    order = OrderPlan(
        str(_FIRST + number),
        bought,
        (line,),
        DeliveryStatus.ORDER_DELIVERED,
        (ShipmentPlan(bought - 4, bought - 5, OWN_TRANSPORT, tracked=False),),
    )
    story = Story(build_customer(CustomerPlan(person, (order,)), days), store, number)
    for bike in story.order.bikes:
        for request in bike.requests:
            partner, kind = partners[store], request.row.kind
            if _photos(number, chance, kind):
                request.row.draft_key = stable_id("story files", number, length=20)
            request.row.details = {
                **_answers(number, chance, kind, days.ago(bought // 2) if bought > 90 else None),
                "bike": bike.row.public_id,
                "words": {"bike": bike.row.name, "location": partner.name},
                "files": [
                    {"name": name, "size": photo_of(subject).found.size}
                    for name, subject in _photos(number, chance, kind)
                ],
                "costs": [],
                "handed_over": "bring",
                "service_location": {
                    "name": partner.name,
                    "address": address_parts(partner),
                    "waiting_weeks": partner.waiting_weeks,
                },
            }
    return story


def _requests(number: int, chance: int, store: str) -> tuple[RequestPlan, ...]:
    if number >= WORK_ORDERS:
        return ()
    kind = (RequestKind.REPAIR, RequestKind.REPAIR, RequestKind.SERVICE, RequestKind.REPAIR, RequestKind.CLAIM)[
        chance // 3 % 5
    ]
    status = _STATUSES[chance // 11 % len(_STATUSES)]
    fresh = status is _S.NEW
    # Nothing is of today: the demonstration may start early in the morning.
    made = 1 + chance // 13 % 8 if fresh else 4 + chance // 13 % 12
    # A bike that is in the workshop was brought on its day.
    planned = {_S.WAIT_FOR_OBJECT: 1 + chance // 17 % 6, _S.WAIT_FOR_REPAIR: -1}.get(status)
    _, part, text = _REPAIRS[chance // 19 % len(_REPAIRS)]
    title = {
        RequestKind.REPAIR: part,
        RequestKind.CLAIM: "Wielen of banden",
        RequestKind.SERVICE: "Tweede servicebeurt",
    }
    return (
        RequestPlan(
            kind,
            status,
            title[kind],
            "" if kind is RequestKind.SERVICE else text,
            made,
            planned,
            store,
            job=ServiceJob.SECOND if kind is RequestKind.SERVICE else None,
        ),
    )


def _photos(number: int, chance: int, kind: RequestKind) -> list[tuple[str, str]]:
    if kind is RequestKind.SERVICE or (kind is RequestKind.REPAIR and number % 5 > 1):
        return []
    first = 1000 + chance // 23 % 8000
    code, *_ = _REPAIRS[chance // 19 % len(_REPAIRS)]
    subjects = ["cause", "wheels"] if kind is RequestKind.CLAIM else [code]
    return [(f"IMG_{first + place}.jpg", subject) for place, subject in enumerate(subjects)]


def _answers(number: int, chance: int, kind: RequestKind, serviced: date | None) -> dict[str, object]:
    """The answers of the customer, by field of the flow. `serviced` is the day of the last service, if any."""
    if kind is RequestKind.SERVICE:
        return {"job": ServiceJob.SECOND.value}
    if kind is RequestKind.CLAIM:
        return {"parts": ["wheels", "handlebars"], "cause": _CAUSES[number % len(_CAUSES)], "handling": "wait"}
    code, _, text = _REPAIRS[chance // 19 % len(_REPAIRS)]
    last = (
        {"maintenance": KNOWN, "maintenance_month": str(serviced.month), "maintenance_year": str(serviced.year)}
        if serviced
        else {"maintenance": NEVER}
    )
    return {"parts": [code], f"details_{code}": text, **last}


async def complete_stories(
    session: AsyncSession, told: Sequence[Story], days: Days, stores: Mapping[str, int | None], now: datetime
) -> None:
    for story in told[WORK_ORDERS : WORK_ORDERS + RETURNS]:
        await _return(session, story, days, stores[story.store])
    for story in told[WORK_ORDERS + RETURNS :]:
        _insurance(session, story, now)
    await session.flush()
    await complete_cases(session)
    await _work(session, told, now)
    await _differences(session, told, now)


async def complete_photos(context: Context, session: AsyncSession, told: Sequence[Story]) -> bool:
    found = [*await _sent_photos(session, told), *await _photos_of_returned(session, told)]
    if not found:
        return False
    session.add_all([row for row, _ in found])
    await session.flush()
    for row, photo in found:
        await keep(context, row.key, photo)
    return True


async def _sent_photos(session: AsyncSession, told: Sequence[Story]) -> list[tuple[UploadRow, Photo]]:
    stories_of = {
        request.row.reference: story for story in told for bike in story.order.bikes for request in bike.requests
    }
    requests = await session.exec(select(RequestRow).where(col(RequestRow.reference).in_(stories_of)))
    found: list[tuple[UploadRow, Photo]] = []
    for row in requests.all():
        number = stories_of[row.reference].number
        for name, subject in _photos(number, number_from("story", number), row.kind):
            photo = photo_of(subject)
            found.append((upload_row(photo, row.customer_id, name, row.draft_key or "", row.created_at), photo))
    return found


async def _photos_of_returned(session: AsyncSession, told: Sequence[Story]) -> list[tuple[UploadRow, Photo]]:
    staff_id = (await session.exec(select(StaffRow.id).where(StaffRow.role == Role.WAREHOUSE))).first()
    references = [stable_id("story return", story.number, length=8) for story in told]
    query = (
        select(ReturnRow, ReturnUnitRow.id, OrderLineRow.name)
        .join(ReturnUnitRow, col(ReturnUnitRow.return_id) == ReturnRow.id)
        .join(OrderLineRow, col(OrderLineRow.id) == ReturnUnitRow.order_line_id)
        .where(col(ReturnRow.reference).in_(references), ReturnRow.status == ReturnStatus.RECEIVED)
    )
    found: list[tuple[UploadRow, Photo]] = []
    for row, unit_id, item in (await session.exec(query)).all():
        photo = photo_of("helmet" if "helm" in item.casefold() else "parcel")
        values = {"staff_id": staff_id, "field": f"{StaffFileUse.RETURNED_UNIT}-{unit_id}"}
        made = upload_row(photo, row.customer_id, f"{item}.jpg", row.public_id, row.updated_at, **values)
        found.append((made, photo))
    return found


async def _return(session: AsyncSession, story: Story, days: Days, store_id: int | None) -> None:
    chance = number_from("returned", story.number)
    reason, text = _REASONS[chance % len(_REASONS)]
    customer, line, order = story.built.row.id, story.order.lines[0], story.order.row.order_number
    made = days.moment(1 + chance % 7, 10 + chance % 8)
    urgent = story.number == WORK_ORDERS
    if urgent:
        reason, text = _SWOLLEN
    row = ReturnRow(
        public_id=stable_id("story return", story.number),
        reference=stable_id("story return", story.number, length=8),
        customer_id=customer,
        kind=ReturnKind.RETURN,
        status=ReturnStatus.RECEIVED if chance % 3 == 0 else ReturnStatus.REQUEST_RECEIVED,
        order_number=order,
        reason=reason,
        reason_text=text,
        state=ItemState.UNUSED,
        battery=BatteryState.SWOLLEN if urgent else None,
        method=ReturnMethod.NONE if urgent else ReturnMethod.STORE,
        store_id=store_id,
        settlement=settle([Returned(line.name, (Worth(line.unit_price),), order)], Terms()).to_json(),
        urgent=urgent,
        created_at=made,
        updated_at=made,
    )
    session.add(row)
    await session.flush()
    session.add(ReturnUnitRow(return_id=row.id, order_line_id=line.id, number=1, paid=line.unit_price))
    for status in dict.fromkeys((ReturnStatus.REQUEST_RECEIVED, row.status)):
        if status is ReturnStatus.RECEIVED:
            row.updated_at = made + timedelta(hours=3)
        session.add(ReturnEventRow(return_id=row.id, status=status, created_at=row.updated_at))


def _insurance(session: AsyncSession, story: Story, now: datetime) -> None:
    made = now - timedelta(hours=5 + number_from("insured", story.number) % 90)
    session.add(
        InsuranceRequestRow(
            reference=stable_id("story insurance", story.number, length=8),
            customer_id=story.built.row.id,
            bike_id=story.order.bikes[0].row.id,
            insurer=Insurer.FIETSVAST if story.number % 2 else Insurer.KETTINGZEKER,
            type=InsuranceType.THEFT,
            document_id="",
            premium=Decimal("9.62"),
            key_number=story.order.bikes[0].row.key_number_1,
            status=InsuranceStatus.CREATED,
            created_at=made,
            updated_at=made,
        )
    )


_SHOP_SAYS: Mapping[int, tuple[str, str]] = {
    7: ("house_number_addon", "bis"),
    20: ("phone", "+31622334455"),
    63: ("street", "Koningsstraat"),
}
"""What the shop says of three customers, by number of the story: the field and its value."""


async def _differences(session: AsyncSession, told: Sequence[Story], now: datetime) -> None:
    for number, (name, value) in _SHOP_SAYS.items():
        row, found_at = told[number].built.row, now - timedelta(hours=number)
        record = ImportedRow(
            source="webshop",
            kind="customers",
            external_id=f"K{10_000 + number}",
            row_id=row.id,
            customer_id=row.id,
            fingerprint="",
            values={name: value},
            imported_at=found_at,
        )
        session.add(record)
        await session.flush()
        difference = ImportDifferenceRow(
            imported_id=record.id,
            field=name,
            shop_value=value,
            portal_value=str(getattr(row, name)),
            found_at=found_at,
        )
        session.add(difference)
    await session.flush()


_LOOKED_AT = timedelta(days=1)
"""Age at which somebody has opened a case."""


async def _work(session: AsyncSession, told: Sequence[Story], now: datetime) -> None:
    customers = {story.built.row.id for story in told}
    people: dict[int | None, list[StaffRow]] = {}
    query = select(StaffStoreRow.partner_id, StaffRow).join(StaffRow, col(StaffRow.id) == StaffStoreRow.staff_id)
    for partner_id, person in await session.exec(query):
        people.setdefault(partner_id, []).append(person)
    rows = await session.exec(select(CaseRow).where(col(CaseRow.customer_id).in_(customers)).order_by(col(CaseRow.id)))
    for row in rows.all():
        chance, here = number_from("worked on", row.reference), people.get(row.partner_id, [])
        if row.state is CaseState.NEW and now - row.opened_at <= _LOOKED_AT:
            row.unread_since = row.opened_at
        if not here or row.state is CaseState.DONE or chance % 3 == 0 or row.kind is CaseKind.BATTERY_ALARM:
            continue
        person = here[chance // 5 % len(here)]
        if row.state is CaseState.NEW and chance % 5 < 3:
            continue
        row.assigned_to, row.unread_since = person.id, None
        waits = row.state is CaseState.WAITING
        row.state = row.state if waits else CaseState.OPEN
        moment = min(now, row.opened_at + timedelta(hours=2))
        events = [(CaseEventType.ASSIGNED, {"person": person.name})]
        if chance % 4 == 0:
            session.add(
                CaseNoteRow(
                    case_id=row.id,
                    staff_id=person.id,
                    text=_NOTES[chance // 9 % len(_NOTES)],
                    written_at=moment,
                )
            )
            events.append((CaseEventType.NOTE_ADDED, {}))
        if chance % 7 == 1 and not waits:
            row.state, row.waiting_since = CaseState.WAITING, moment
        session.add_all(
            CaseEventRow(
                case_id=row.id,
                type=what,
                staff_id=person.id,
                status=row.status,
                details=details,
                happened_at=moment,
            )
            for what, details in events
        )
    await session.flush()
