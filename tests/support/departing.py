"""A customer with three bikes on which everything hangs, and every way in which the bikes or their order leave."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import timedelta
from decimal import Decimal
from itertools import count
from typing import Any, TypeVar

from sqlmodel import col, select

from portal.bikes.api import BikesApi
from portal.bikes.provider.queries import BikeQueries
from portal.cases.api import CasesApi
from portal.cases.models import CaseDetail
from portal.cases.provider.subjects import open_all
from portal.contract.errors import NotFound
from portal.imports.provider.importer import Importer
from portal.kernel.days import local_day
from portal.kernel.validation import short_id
from portal.recalls.provider import publish_recall
from portal.recalls.rules import comparable
from portal.returns.api import ReturnsApi
from portal.tables.bikes import BikeRow, PackageOrderRow, RecallNoticeRow
from portal.tables.customers import CustomerRow
from portal.tables.insurance import InsuranceRequestRow
from portal.tables.returns import ReturnRow
from portal.tables.work_orders import RequestRow
from portal.vocabulary.departures import Departure
from portal.vocabulary.insurance import InsuranceStatus, InsuranceType, Insurer
from portal.vocabulary.returns import CANCELLABLE, ReturnStatus
from portal.vocabulary.services import RecalledKind, ServicePackage
from portal.vocabulary.work_orders import RequestKind, WorkOrderStatus
from portal.withdrawals.api import WithdrawalEntry, WithdrawalsApi, WithdrawnItem
from tests.recalls.recalling import CONTENT
from tests.support.living import Living
from tests.support.returning import ACCESSORIES, REASON, RETURN, accessories, facts, pick_up, send
from tests.support.shop_records import bike, customer, order, raw

T = TypeVar("T")

UNSENT = frozenset({Departure.WITHDRAWN_UNSENT, Departure.CANCELLED})
"""Departures of an order of which nothing was sent."""

PRICE, PAID = "999.00", Decimal("1000.00")
MONTHLY = Decimal("30.00")
NAMES = ("Kuststreek", "Duinpad", "Veenweg")
KINDS = (RequestKind.REPAIR, RequestKind.SERVICE, RequestKind.CLAIM)
"""What is open for each of the three bikes."""

_numbers = count(1)


@dataclass
class Departing:
    """The customer, their order of three bikes and two accessories, and what they and staff do.

    Attributes:
        bikes: public ids, in the order of the lines.
        open: references of what was made for the bikes and the order, by name.
        returns: references of the returns that let the bikes leave.
    """

    shop: Living
    index: int
    token: str = ""
    bikes: list[str] = field(default_factory=list)
    open: dict[str, str] = field(default_factory=dict)
    returns: list[str] = field(default_factory=list)

    @property
    def number(self) -> str:
        """The order number."""
        return f"{870000000 + self.index}"

    @property
    def email(self) -> str:
        """The address of the customer."""
        return f"departing{self.index}@example.com"

    def ask(self, api: type[T]) -> T:
        """The service that answers an API."""
        return self.shop.ask(api)

    async def store(self, kind: str, *records: dict[str, Any]) -> None:
        """Send records as the shop does."""
        await Importer(self.shop.context, "shop").store(kind, raw(*records))

    def order_record(self, *, sent: bool, **changes: Any) -> dict[str, Any]:
        """The order: bikes and pump were delivered if it was sent; the helmet never was."""
        now = self.shop.context.clock()
        parcel = {
            "carrier": "Kwiekpost",
            "shipped_at": (now - timedelta(days=4)).isoformat(),
            "delivered_at": (now - timedelta(days=3)).isoformat(),
            "lines": [{"position": position} for position in range(1, 5)],
        }
        coming = {"carrier": "Kwiekpost", "lines": [{"position": 5}]}
        lines = [
            {"name": name, "sku": f"B-{place}", "kind": "city_bike", "unit_price": PRICE}
            for place, name in enumerate(NAMES)
        ]
        lines += [
            {"name": "Pomp", "sku": "P-1", "kind": "accessory", "unit_price": "20.00"},
            {"name": "Helm", "sku": "H-1", "kind": "accessory", "unit_price": "50.00"},
        ]
        values: dict[str, Any] = {
            "ordered_at": (now - timedelta(days=6)).isoformat(),
            "delivery_status": "order_assembled",
            "payment_status": "partly_paid",
            "paid": str(PAID),
            "delivery_method": "home_ready_to_ride",
            "scheduled_day": (local_day(now) + timedelta(days=10)).isoformat(),
            "scheduled_from": "09:00",
            "scheduled_until": "20:00",
            "lines": lines,
            "shipments": [parcel, coming] if sent else [],
        }
        return order(self.index, self.index, **values | changes)

    def bike_record(self, place: int, *, sent: bool, **changes: Any) -> dict[str, Any]:
        """The bike of a line, counted from 0."""
        day = local_day(self.shop.context.clock()) - timedelta(days=3)
        values = {
            "external_id": f"b{self.index}-{place}",
            "position": place + 1,
            "name": NAMES[place],
            "frame_number": f"BB{self.index:05}{place}",
            "delivered_on": day.isoformat() if sent else None,
        }
        return bike(self.index, self.index, **values | changes)

    @classmethod
    async def begin(cls, shop: Living, *, sent: bool) -> Departing:
        """A new customer with the order and its bikes."""
        made = cls(shop, next(_numbers))
        day = local_day(shop.context.clock())
        await made.store("customers", customer(made.index, email=made.email))
        await made.store("orders", made.order_record(sent=sent))
        await made.store("bikes", *(made.bike_record(place, sent=sent) for place in range(3)))
        lines = [{"name": name, "unit_price": PRICE} for name in NAMES]
        lines += [{"name": "Pomp", "unit_price": "20.00"}, {"name": "Helm", "unit_price": "50.00"}]
        invoice = {
            "external_id": f"i{made.index}", "order": f"o{made.index}", "number": f"F-{made.index}",
            "invoice_date": day.isoformat(), "expire_date": (day + timedelta(days=14)).isoformat(),
            "status": "open", "paid": str(PAID), "lines": lines,
        }  # fmt: skip
        await made.store("invoices", invoice)
        made.token = await shop.log_in((made.number, made.email))
        async with shop.context.database.session() as session:
            names = [f"BB{made.index:05}{place}" for place in range(3)]
            query = select(BikeRow).where(col(BikeRow.frame_number).in_(names)).order_by(col(BikeRow.frame_number))
            made.bikes = [row.public_id for row in (await session.exec(query)).all()]
        return made

    async def bike(self, place: int = 0) -> BikeRow:
        """The row of a bike."""
        return await self.shop.one(BikeRow, public_id=self.bikes[place])

    async def departure(self, place: int = 0) -> Departure | None:
        """What happened to a bike, as its customer's pages know it."""
        row = await self.bike(place)
        async with self.shop.context.database.session() as session:
            return (await BikeQueries(session, row.customer_id).get(row.public_id)).departure

    async def add(self, name: str, table: Any, place: int, **values: Any) -> str:
        """Store something that hangs on a bike."""
        row, now = await self.bike(place), self.shop.context.clock()
        async with self.shop.context.database.transaction() as session:
            made = table(
                reference=short_id(8), customer_id=row.customer_id, bike_id=row.id, **{"created_at": now} | values
            )
            session.add(made)
            await session.flush()
            self.open[name] = made.reference
        return self.open[name]

    async def ask_work(self, place: int, kind: RequestKind, status: WorkOrderStatus = WorkOrderStatus.ACCEPTED) -> str:
        """A repair, service or claim with a planned day."""
        now = self.shop.context.clock()
        day = local_day(now) + timedelta(days=3)
        return await self.add(
            kind.value, RequestRow, place, kind=kind, status=status, title="Ketting", planned_date=day, updated_at=now
        )

    async def ask_insurance(self, place: int) -> str:
        """A request that is with the insurer."""
        return await self.add(
            "insurance_request", InsuranceRequestRow, place, insurer=Insurer.FIETSVAST, type=InsuranceType.THEFT,
            premium=Decimal("10.00"), status=InsuranceStatus.CREATED, iban="NL91ABNA0417164300",
            updated_at=self.shop.context.clock(),
        )  # fmt: skip

    async def insure(self, place: int) -> str:
        """An insurance that runs since 40 days."""
        begun = self.shop.context.clock() - timedelta(days=40)
        reference = await self.add(
            "insurance", InsuranceRequestRow, place, insurer=Insurer.FIETSVAST, type=InsuranceType.THEFT,
            premium=MONTHLY, status=InsuranceStatus.FINISHED, policy_number=f"P{self.index}",
            starts_on=local_day(begun), created_at=begun, updated_at=begun,
        )  # fmt: skip
        policy = {"insurance": "theft", "policy_number": f"P{self.index}", "insurance_start": local_day(begun)}
        await self.shop.change(BikeRow, policy, public_id=self.bikes[place])
        return reference

    async def take_package(self, place: int, days: int = 40) -> str:
        """A service package that runs since some days."""
        begun = self.shop.context.clock() - timedelta(days=days)
        package = ServicePackage.SERVICE32
        reference = await self.add(
            "package", PackageOrderRow, place, package=package, monthly=MONTHLY, created_at=begun
        )
        await self.shop.change(BikeRow, {"service_package": package}, public_id=self.bikes[place])
        return reference

    async def ask_day(self) -> None:
        """Ask for another delivery day, and confirm it."""
        self.open["date_change"] = (await self.shop.request_day(self.token, self.number)).change.reference
        await self.shop.confirm(await self.shop.end(self.email))

    async def recall(self, code: str, place: int = 0) -> bool:
        """Publish a recall of a bike; whether its owner was warned."""
        numbers = {RecalledKind.FRAME: {comparable((await self.bike(place)).frame_number or "")}}
        content = CONTENT.model_copy(update={"code": f"{code}-{self.index}"})
        return (await publish_recall(self.shop.context, content, numbers)).warned == 1

    async def furnish(self, *, sent: bool) -> None:
        """Hang everything on the bikes and the order."""
        for place, kind in enumerate(KINDS):
            await self.ask_work(place, kind)
        await self.insure(0)
        await self.take_package(0)
        await self.ask_insurance(1)
        assert await self.recall("BEFORE")
        await self.ask_day()
        if sent:
            steps = await accessories(self.shop.provider, self.token, f"{self.number}-4*1")
            self.open["other_return"] = (await send(self.shop.provider, self.token, ACCESSORIES, steps)).reference
        await self.open_cases()

    async def open_cases(self) -> None:
        """Open the cases of what was stored without one."""
        async with self.shop.context.database.transaction() as session:
            await open_all(session)

    async def send_back(self, place: int, *, picked_up: bool = False) -> str:
        """Ask to return a bike."""
        if picked_up:
            steps: dict[str, Any] = {
                "method": {"method": "pick_up"},
                "pickup": await pick_up(self.shop.provider, self.token),
            }
        else:
            store = (await facts(self.shop.provider, self.token))["stores"][0]["id"]
            steps = {"method": {"method": "store", "store": store}}
        asked = {
            "item": {"item": f"{self.number}-{place + 1}"},
            "reason": {"fault": "none", "reason": REASON},
            "condition": {"state": "unused", "mileage": "2"},
            **steps,
        }
        self.returns.append((await send(self.shop.provider, self.token, RETURN, asked)).reference)
        return self.returns[-1]

    async def withdraw(self, *places: int) -> None:
        """Withdraw from some bikes, or from the whole order."""
        items = [WithdrawnItem(item_id=f"{self.number}-{place + 1}", count=1) for place in places]
        entry = WithdrawalEntry(order_number=self.number, name="Noor", key=f"key-{short_id()}", items=items)
        self.returns.append((await self.ask(WithdrawalsApi).withdraw(self.token, entry)).reference)

    async def move_returns(self, *statuses: ReturnStatus) -> None:
        """Move the returns of the bikes as staff do."""
        for reference in self.returns:
            for status in statuses:
                await self.shop.move("return", reference, status)

    async def cancel_returns(self) -> None:
        """Keep the bikes after all."""
        async with self.shop.context.database.session() as session:
            rows = (await session.exec(select(ReturnRow).where(col(ReturnRow.reference).in_(self.returns)))).all()
        for row in rows:
            if row.status in CANCELLABLE:
                await self.ask(ReturnsApi).cancel_return(self.token, row.public_id)
        self.returns.clear()

    async def cancel_order(self) -> None:
        """Cancel the order as staff do."""
        await self.shop.move("shipment", self.number, "order_cancelled")

    async def cancel_by_shop(self, *, sent: bool) -> None:
        """Cancel the order in the shop's own system."""
        await self.store("orders", self.order_record(sent=sent, delivery_status="order_cancelled"))

    async def give_away(self, *, sent: bool) -> None:
        """Give the bikes to another customer, in the shop's own system."""
        other = next(_numbers)
        await self.store("customers", customer(other, email=f"departing{other}@example.com"))
        await self.store("orders", order(other, other))
        given = {"order": f"o{other}", "position": None}
        await self.store("bikes", *(self.bike_record(place, sent=sent, **given) for place in range(3)))

    async def depart(self, departure: Departure) -> None:
        """Let all bikes leave in one way."""
        ways: dict[Departure, Callable[[], Awaitable[None]]] = {
            Departure.WITHDRAWN: lambda: self.withdraw(0, 1, 2),
            Departure.WITHDRAWN_UNSENT: self.withdraw,
            Departure.CANCELLED: self.cancel_order,
            Departure.GIVEN_AWAY: lambda: self.give_away(sent=True),
        }
        if departure in ways:
            await ways[departure]()
            return
        for place in range(3):
            await self.send_back(place, picked_up=departure is Departure.ON_ITS_WAY)
        steps = {
            Departure.ON_ITS_WAY: (ReturnStatus.PICKUP_REQUEST_CREATED, ReturnStatus.PICKUP_CONFIRMED),
            Departure.RECEIVED: (ReturnStatus.RECEIVED,),
            Departure.RETURNED: (ReturnStatus.RECEIVED, ReturnStatus.CLOSED),
        }
        await self.move_returns(*steps.get(departure, ()))

    async def mails(self) -> list[str]:
        """The texts of all mails to the customer, newest first, each in one line."""
        return [" ".join(mail.text.split()) for mail in await self.shop.mails(self.email)]

    async def notices(self) -> list[str]:
        """The ids of the recalls of which the customer was warned."""
        query = select(RecallNoticeRow.public_id).join(CustomerRow).where(CustomerRow.email == self.email)
        async with self.shop.context.database.session() as session:
            return list((await session.exec(query)).all())

    async def listed(self) -> list[str]:
        """The bikes of the list."""
        return [entry.bike_id for entry in (await self.ask(BikesApi).bikes(self.token)).items]

    async def case(self, staff: str, kind: str, reference: str) -> CaseDetail | None:
        """What the desk shows of a case; None if there is none."""
        try:
            return await self.ask(CasesApi).case(staff, kind, reference)
        except NotFound:
            return None
