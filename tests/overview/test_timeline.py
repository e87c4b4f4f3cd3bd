"""The timeline of a bike shows the status at the moment, also if the row does not have it yet."""

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest

from portal.bikes.provider.queries import OwnedBike
from portal.contract.account import LocalizedText
from portal.contracts.provider.queries import TakenOut
from portal.kernel.terms import ShopTerms
from portal.overview.api import TimelineEvent, TimelineEventKind
from portal.overview.provider.timeline import Life, timeline
from portal.tables.bikes import BikeRow, MileageRow, PackageOrderRow
from portal.tables.deliveries import DateChangeRow
from portal.tables.insurance import ContractEndRow, InsuranceRequestRow
from portal.tables.orders import OrderRow, ShipmentRow
from portal.tables.returns import ReturnRow
from portal.vocabulary.contracts import ContractKind, EndKind, EndStatus
from portal.vocabulary.deliveries import DateChangeStatus, DeliveryStatus
from portal.vocabulary.insurance import InsuranceStatus, InsuranceType, Insurer
from portal.vocabulary.returns import ReturnKind, ReturnStatus

NOW = datetime(2026, 6, 10, 12, tzinfo=UTC)
ASKED, LINK_ENDED = NOW - timedelta(hours=30), NOW - timedelta(hours=6)


def row(table: Any, **values: Any) -> Any:
    """Make a row with only these values."""
    return table(**values)


def entries_of(kind: TimelineEventKind, bike: dict[str, Any] | None = None, **life: Any) -> list[TimelineEvent]:
    """Return the events of one kind for a bike ordered two days ago."""
    order = row(
        OrderRow, order_number="900000001", ordered_at=NOW - timedelta(days=2), delivery_status=DeliveryStatus.IN_STOCK
    )
    owned = OwnedBike(bike=row(BikeRow, **(bike or {})), order=order, open_request=None, stage=None, terms=ShopTerms())
    entries = timeline(Life(owned=owned, warranty_until=date(2028, 6, 8), **life), NOW, "nl")
    return [entry for entry in entries if entry.kind is kind]


def insured(**values: Any) -> InsuranceRequestRow:
    """Make a request for insurance."""
    usual = {
        "reference": "I1",
        "type": InsuranceType.THEFT,
        "insurer": Insurer.FIETSVAST,
        "status": InsuranceStatus.WAITING_FOR_INPUT,
        "updated_at": ASKED,
    }
    return row(InsuranceRequestRow, **{**usual, **values})


def ended(status: EndStatus, ending: EndKind, ends_on: date) -> list[TimelineEvent]:
    """The events of a package whose end was declared yesterday."""
    declared = NOW - timedelta(days=1)
    end = row(
        ContractEndRow, reference="E1", contract="P1", ending=ending, status=status, ends_on=ends_on,
        received_at=declared, confirmed_at=declared,
    )  # fmt: skip
    package = row(PackageOrderRow, reference="P1", created_at=NOW - timedelta(days=50))
    taken = TakenOut(
        kind=ContractKind.SERVICE_PACKAGE, row=package, bike=row(BikeRow), product=LocalizedText.same("Pakket Deluxe"),
        monthly=Decimal("7.95"), concluded_on=date(2026, 4, 21), starts_on=date(2026, 4, 21), policy_number="",
        ends=[end], withdrawal_days=14,
    )  # fmt: skip
    return entries_of(TimelineEventKind.CONTRACT_END, contracts=[taken])


def test_a_cancelled_contract_has_its_declaration_and_its_last_day() -> None:
    last, declared = ended(EndStatus.CONFIRMED, EndKind.CANCELLATION, date(2026, 7, 9))
    assert (last.day, last.ahead, last.title["nl"]) == (date(2026, 7, 9), True, "Laatste dag: Pakket Deluxe")
    assert (declared.title["nl"], declared.label["nl"]) == ("Opzegging: Pakket Deluxe", "In behandeling")
    assert {entry.page for entry in (last, declared)} == {"/contracts/P1"}
    assert not ended(EndStatus.PROCESSED, EndKind.CANCELLATION, date(2026, 6, 9))[0].ahead


@pytest.mark.parametrize(
    ("status", "ending"),
    [(EndStatus.CONFIRMED, EndKind.WITHDRAWAL), (EndStatus.TAKEN_BACK, EndKind.CANCELLATION),
     (EndStatus.RECEIVED, EndKind.CANCELLATION)],
)  # fmt: skip
def test_a_contract_that_ended_at_once_or_goes_on_has_no_last_day(status: EndStatus, ending: EndKind) -> None:
    (declared,) = ended(status, ending, date(2026, 6, 9))
    assert declared.status == status


@pytest.mark.parametrize(
    ("values", "status", "asks", "moment"),
    [
        ({"waits_for_link": True, "link_expires_at": NOW + timedelta(hours=1)}, "waiting_for_input", False, ASKED),
        ({"waits_for_link": True, "link_expires_at": LINK_ENDED}, "cancelled", False, LINK_ENDED),
        ({"link_expires_at": LINK_ENDED}, "waiting_for_input", True, ASKED),
        ({"status": InsuranceStatus.CREATED}, "created", False, ASKED),
    ],
)
def test_an_insurance_waits_for_its_link_or_for_an_answer_or_has_expired(
    values: dict[str, Any], status: str, asks: bool, moment: datetime
) -> None:
    entry = entries_of(TimelineEventKind.INSURANCE, insurances=[insured(note="Send a photo.", **values)])[0]
    assert (entry.status, entry.asks, entry.happened_at) == (status, asks, moment)
    assert (entry.text, entry.detail, entry.page) == ("Send a photo.", "theft", "")


@pytest.mark.parametrize(("hours", "status"), [(1, "waiting_for_customer"), (-6, "expired")])
def test_a_date_change_with_an_expired_link_has_expired(hours: int, status: str) -> None:
    asked = row(
        DateChangeRow,
        reference="D1",
        status=DateChangeStatus.WAITING_FOR_CUSTOMER,
        original_day=date(2026, 6, 12),
        new_day=date(2026, 6, 15),
        created_at=ASKED,
        link_expires_at=NOW + timedelta(hours=hours),
    )
    (entry,) = entries_of(TimelineEventKind.DATE_CHANGE, changes=[asked])
    assert (entry.status, entry.new_day, entry.page) == (status, date(2026, 6, 15), "/delivery-date/900000001")


@pytest.mark.parametrize(("hours", "status"), [(1, "pending_confirmation"), (-6, "expired")])
def test_a_return_with_an_expired_link_has_expired(hours: int, status: str) -> None:
    asked = row(
        ReturnRow,
        reference="R1",
        public_id="ABC",
        kind=ReturnKind.ORDER_RETURN,
        status=ReturnStatus.PENDING_CONFIRMATION,
        updated_at=ASKED,
        confirm_until=NOW + timedelta(hours=hours),
    )
    (entry,) = entries_of(TimelineEventKind.RETURN, returns=[asked])
    assert (entry.status, entry.detail, entry.page) == (status, ReturnKind.ORDER_RETURN, "/returns/ABC")


def test_a_planned_delivery_is_a_future_event() -> None:
    entry = entries_of(TimelineEventKind.DELIVERY, shipment=row(ShipmentRow, scheduled_day=date(2026, 6, 12)))[0]
    assert (entry.ahead, entry.day, entry.happened_at) == (True, date(2026, 6, 12), None)
    assert entry.page == "/order-status/900000001"


def test_a_mileage_without_reading_has_its_day() -> None:
    known = {"mileage": 310, "mileage_at": date(2026, 6, 1)}
    entry = entries_of(TimelineEventKind.MILEAGE, known)[0]
    assert (entry.day, entry.detail) == (date(2026, 6, 1), "310")
    typed = row(MileageRow, km=Decimal("310.5"), read_at=NOW)
    assert [entry.detail for entry in entries_of(TimelineEventKind.MILEAGE, known, mileages=[typed])] == ["310.5"]


def test_what_was_sent_and_delivered_on_one_day_arrived_last() -> None:
    sent = NOW - timedelta(hours=20)
    for arrived in (sent, sent + timedelta(hours=4)):
        parcel = row(ShipmentRow, shipped_at=sent, delivered_at=arrived)
        entries = entries_of(TimelineEventKind.DELIVERY, {"delivered_on": date(2026, 6, 9)}, shipment=parcel)
        assert [entry.status for entry in entries] == ["order_delivered", "handover_to_parcel_service"]
