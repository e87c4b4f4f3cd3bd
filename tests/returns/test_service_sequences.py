"""Random sequences of returns: no unit twice, no refund above what was paid (part-2 §5; edge-cases 26-37)."""

from collections import defaultdict
from collections.abc import Awaitable, Callable
from decimal import Decimal
from random import Random
from typing import Any

import pytest
from sqlmodel import select

from portal.backend.backoffice import TransitionRequest
from portal.contract.errors import Refused
from portal.kernel.codes import Code
from portal.returns.api import ReturnsApi
from portal.returns.provider.backoffice import following
from portal.returns.rules.settlement import ComputedSettlement, SettlementKind
from portal.tables.customers import CustomerRow
from portal.tables.orders import OrderLineRow, OrderRow, ShipmentLineRow
from portal.tables.returns import ReturnRow, ReturnUnitRow
from portal.vocabulary.orders import PaymentStatus
from portal.vocabulary.returns import CANCELLABLE, DONE, GIVES_BACK, ReturnStatus
from portal.withdrawals.api import WithdrawalEntry, WithdrawalsApi, WithdrawnItem
from tests.support.customers import ROOS
from tests.support.furnished import Furnished
from tests.support.random_orders import order_at_random
from tests.support.returning import ACCESSORIES, EXCHANGE, REASON, RETURN, begin, facts, pick_up, send

NUMBERS = ("900000791", "900000792")
STATES = ("unused", "used_without_signs_of_use", "used_with_signs_of_use")
ENDS = [status for status in ReturnStatus if status not in (ReturnStatus.CANCELLED, ReturnStatus.UNKNOWN)]


class Counter:
    """A customer who returns, exchanges, withdraws and cancels at random, and a back office that decides at random."""

    def __init__(self, shop: Furnished, token: str, chance: Random) -> None:
        self.shop, self.provider, self.token, self.chance = shop, shop.provider, token, chance
        self.known: set[int] = set()
        self.done: dict[str, int] = defaultdict(int)

    async def act(self) -> None:
        """Do one of the things that can be done."""
        ways: list[Callable[[], Awaitable[bool]]] = [
            self.send_accessories,
            self.send_bike,
            self.exchange,
            self.withdraw,
            self.cancel,
            self.decide,
            self.decide,
        ]
        way = self.chance.choice(ways)
        self.done[way.__name__] += await way()

    async def free(self, flow: str) -> list[dict[str, Any]]:
        """What can be sent back of the orders that were made up, and of what was delivered in their place."""
        own = (*NUMBERS, *await self.replacements())
        return [
            entry
            for entry in (await facts(self.provider, self.token, flow))["items"]
            if entry["order"] in own and not entry["refusal"]
        ]

    async def replacements(self) -> list[str]:
        """Orders of what was delivered in exchange."""
        async with self.shop.context.database.session() as session:
            rows = await session.exec(select(OrderRow.order_number).where(OrderRow.order_number > "900001000"))
            return list(rows)

    async def send_accessories(self) -> bool:
        """Some of some."""
        free = await self.free(ACCESSORIES)
        if not free:
            return False
        some = self.chance.sample(free, self.chance.randint(1, len(free)))
        items = [f"{entry['id']}*{self.chance.randint(1, entry['max'])}" for entry in some]
        state = self.chance.choice(STATES)
        steps = {"items": {"items": items}, "condition": {"fault": "none", "reason": REASON, "state": state}}
        await send(self.provider, self.token, ACCESSORIES, {**steps, **await self._way("method", "pickup")})
        return True

    async def send_bike(self) -> bool:
        """One or more of one line."""
        free = await self.free(RETURN)
        if not free:
            return False
        entry = self.chance.choice(free)
        count = {"quantity": str(self.chance.randint(1, entry["max"]))} if entry["max"] > 1 else {}
        steps = {
            "item": {"item": entry["id"], **count},
            "reason": {"fault": "none", "reason": REASON},
            "condition": {"state": self.chance.choice(STATES), "mileage": "7,5"},
        }
        await send(self.provider, self.token, RETURN, {**steps, **await self._way("method", "pickup")})
        return True

    async def exchange(self) -> bool:
        """One, for the same or for something of the shop."""
        free = await self.free(EXCHANGE)
        if not free:
            return False
        draft = await begin(self.provider, self.token, EXCHANGE)
        products = [entry for entry in draft.facts["catalogue"] if entry["is_bike"] and not entry["refusal"]]
        other = {"exchange_type": "other", "product": self.chance.choice(products)["id"]} if products else {}
        steps = {
            "item": {"item": self.chance.choice(free)["id"]},
            "product": other if other and self.chance.random() < 0.5 else {"exchange_type": "same"},
            "reason": {"fault": "none", "reason": REASON},
            "condition": {"state": self.chance.choice(STATES), "mileage": "7,5"},
        }
        await send(self.provider, self.token, EXCHANGE, {**steps, **await self._way("method", "pickup")})
        return True

    async def _way(self, method: str, where: str) -> dict[str, dict[str, Any]]:
        if self.chance.random() < 0.5:
            return {method: {"method": "pick_up"}, where: await pick_up(self.provider, self.token)}
        store = (await facts(self.provider, self.token))["stores"][0]["id"]
        return {method: {"method": "store", "store": store}}

    async def withdraw(self) -> bool:
        """From all that is left of an order, or part of it."""
        try:
            offer = await self.provider.ask(WithdrawalsApi).withdrawable(self.token, self.chance.choice(NUMBERS))
        except Refused as refused:
            if refused.code is not Code.NOTHING_FOUND:
                raise
            return False
        some = self.chance.sample(offer.items, self.chance.randint(0, len(offer.items)))
        items = [WithdrawnItem(item_id=item.item_id, count=self.chance.randint(1, item.most)) for item in some]
        key = f"key-{self.chance.getrandbits(60)}"
        entry = WithdrawalEntry(order_number=offer.order_number, name="Roos", items=items, key=key)
        await self.provider.ask(WithdrawalsApi).withdraw(self.token, entry)
        return True

    async def cancel(self) -> bool:
        """Whatever can be cancelled."""
        rows = [row for row in await self.rows() if row.status in CANCELLABLE]
        if not rows:
            return False
        try:
            await self.provider.ask(ReturnsApi).cancel_return(self.token, self.chance.choice(rows).public_id)
        except Refused as refused:
            if refused.code is not Code.RETURN_NOT_CANCELLABLE:
                raise
            return False
        return True

    async def decide(self) -> bool:
        """Move one on, now and then with less than was announced."""
        rows = [row for row in await self.rows() if following(row)]
        if not rows:
            return False
        row = self.chance.choice(rows)
        target = self.chance.choice([status for status in following(row) if status in ENDS])
        received = []
        if target is ReturnStatus.RECEIVED and self.chance.random() < 0.4:
            received = [await self._one_of(row)]
        asked = TransitionRequest.model_validate({"status": target, "received": received})
        await self.shop.application.back_office.move("return", row.reference, asked)
        return True

    async def _one_of(self, row: ReturnRow) -> str:
        async with self.shop.context.database.session() as session:
            query = (
                select(OrderRow.order_number, OrderLineRow.position)
                .where(OrderLineRow.order_id == OrderRow.id)
                .where(ReturnUnitRow.order_line_id == OrderLineRow.id, ReturnUnitRow.return_id == row.id)
            )
            number, position = (await session.exec(query)).all()[0]
        return f"{number}-{position}*1"

    async def rows(self) -> list[ReturnRow]:
        """The returns that were made here."""
        return [row for row in await self.shop.rows(ReturnRow) if row.id not in self.known]


async def _check(shop: Furnished, customer: Counter, paid: Decimal) -> None:
    rows = await customer.rows()
    # A return without a decision counts with its agreed refund.
    announced = (
        row.refund_amount if row.refund_amount is not None else Decimal(row.settlement["refund"])
        for row in rows
        if row.status not in GIVES_BACK
    )
    assert sum(announced) <= paid
    held = [unit for unit in await shop.rows(ReturnUnitRow) if unit.released_at is None]
    sent: dict[int, int] = defaultdict(int)
    for entry in await shop.rows(ShipmentLineRow):
        sent[entry.order_line_id] += entry.quantity
    lines = {line.id: line for line in await shop.rows(OrderLineRow)}
    numbers = {order.id: order.order_number for order in await shop.rows(OrderRow)}
    assert len({(unit.order_line_id, unit.number) for unit in held}) == len(held)
    # A withdrawal may include units that were not shipped; their numbers follow those of the shipped ones.
    taken = defaultdict(int)
    for unit in held:
        taken[unit.order_line_id] += unit.number <= sent[unit.order_line_id]
    left = {f"{numbers[lines[key].order_id]}-{lines[key].position}": sent[key] - taken[key] for key in sent}
    await _check_bills(shop, customer, rows)
    for flow in (ACCESSORIES, RETURN):
        for entry in await customer.free(flow):
            assert entry["max"] == left[entry["id"]] > 0


async def _check_bills(shop: Furnished, customer: Counter, rows: list[ReturnRow]) -> None:
    """Only set-offs of closed returns and the worth of exchanges lower the unpaid amount of an order."""
    reserved: dict[str, Decimal] = defaultdict(Decimal)
    came_back = Decimal(0)
    for row in rows:
        found = ComputedSettlement.from_json(row.settlement)
        if row.status in DONE:
            new = [-line.amount for line in found.lines if line.kind is SettlementKind.NEW_ITEM]
            came_back += sum(found.set_off.values(), Decimal(0)) + (min(new[0], found.credit) if new else 0)
        elif row.status not in GIVES_BACK:
            for number, amount in found.set_off.items():
                reserved[number] += amount
    offered = (await facts(customer.provider, customer.token))["orders"]
    unpaid = {entry["id"]: Decimal(entry["outstanding"]) for entry in offered}
    own = (*NUMBERS, *await customer.replacements())
    orders = [order for order in await shop.rows(OrderRow) if order.order_number in own]
    for order in orders:
        due = order.total - order.paid - order.settled
        assert due >= 0
        assert (order.payment_status is PaymentStatus.PAID) == (due == 0)
        # An open return has already set off its part of the unpaid amount.
        left = due - reserved[order.order_number]
        assert unpaid.get(order.order_number, left) == left >= 0
    assert sum(order.settled for order in orders) == came_back


@pytest.mark.parametrize("seed", range(2))
async def test_any_sequence_counts_units_and_refunds_no_more_than_was_paid(furnished: Furnished, seed: int) -> None:
    chance, paid, now = Random(seed), Decimal(0), furnished.context.clock()
    async with furnished.context.database.transaction() as session:
        owner = (await session.exec(select(CustomerRow).where(CustomerRow.email == ROOS[1]))).one()
        for number in NUMBERS:
            paid += await order_at_random(session, owner.id, number, chance, now)
    customer = Counter(furnished, await furnished.log_in(ROOS), chance)
    customer.known = {row.id for row in await customer.rows()}
    for _ in range(18):
        await customer.act()
        await _check(furnished, customer, paid)
    assert sum(customer.done.values()) > 6
