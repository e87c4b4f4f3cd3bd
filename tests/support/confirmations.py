"""Confirmations for the tests of mails, documents and appointments."""

from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

from portal.contract.account import LocalizedText
from portal.contract.models import Locale
from portal.flow.facts import UploadedFile
from portal.flow.provider.handler import HANDLERS, details_of_request
from portal.kernel.address import Country
from portal.kernel.texts import Cost, CostKind
from portal.provider.application import FLOW_HANDLERS
from portal.tables.bikes import BikeRow
from portal.tables.customers import CustomerRow
from portal.tables.orders import PartnerRow
from portal.tables.work_orders import RequestRow
from portal.vocabulary.locations import LocationType
from portal.vocabulary.orders import ItemKind
from portal.vocabulary.work_orders import RequestKind
from portal.work_orders.flow.repair import PARTS, details_of
from portal.work_orders.provider.confirmation import Confirmation, confirmation_of
from portal.work_orders.provider.queries import OwnedRequest

HANDLERS.register(FLOW_HANDLERS)

STORY = "Bij het wegfietsen hoor ik een tikkend geluid."
SENT = datetime(2026, 6, 3, 12, 5, tzinfo=UTC)

ANSWERS: dict[str, Any] = {
    "bike": "ABCDEFGH23",
    "pin_known": "known",
    "pin_code": "4817",
    "parts": ["chain", "brakes"],
    "details_chain": f"{STORY}\nOok bij regen.",
    "details_brakes": STORY,
    "maintenance": "known",
    "maintenance_month": "3",
    "maintenance_year": "2024",
}

FILES = [
    UploadedFile(id="PHOTO", field="photos", name="ketting.HEIC", size=2_400_000, kind="HEIC", photo=True),
    UploadedFile(id="FILM", field="photos", name="film.mov", size=350_400, kind="MOV", photo=False),
]
COSTS = (Cost(CostKind.PICK_UP, Decimal(60)), Cost(CostKind.CALL_OUT, Decimal("12.5")))


def longest_answers(start: str = "") -> dict[str, Any]:
    """Answers with all twelve parts, each with a text of 1000 characters in many scripts."""
    story = f"{start} Żółty wąż, Ωμέγα, Київ, עברית, العربية, nguyễn 😀 " + "ђ" * 70 + " "
    return ANSWERS | {"parts": [*PARTS]} | {details_of(part): (story * 9).strip()[:1000] for part in PARTS}


def found(answers: dict[str, Any] | None = None, **changes: Any) -> OwnedRequest:
    """A repair as read from the database.

    Args:
        answers: the answers of the customer.
        **changes: values of the request, or `partner` (its workshop), `files`, `costs` and `further` (what is stored
            with the answers, such as the handover).
    """
    partner = changes.pop("partner", None)
    details = details_of_request(
        ANSWERS if answers is None else answers,
        words={"bike": "Stadsfiets Singel 7"},
        files=changes.pop("files", FILES),
        costs=changes.pop("costs", COSTS),
        **changes.pop("further", {}),
    )
    values: dict[str, Any] = {
        "reference": "K7M3P9RT",
        "customer_id": 1,
        "bike_id": 1,
        "kind": RequestKind.REPAIR,
        "title": "Ketting, Remmen",
        "description": "Zoals aan de balie verteld.",
        "details": details,
        "created_at": SENT,
        "updated_at": SENT,
    }
    bike = BikeRow(
        customer_id=1,
        order_id=1,
        name="Stadsfiets Singel 7",
        brand="Singel",
        kind=ItemKind.CITY_BIKE,
        frame_number="BB123",
    )
    customer = CustomerRow(
        first_name="Łukasz",
        prefix="van den",
        last_name="Ångström",
        email="lukasz@example.com",
        email_key="lukasz@example.com",
        street="Oudegracht",
        house_number="12",
        post_code="3511 AB",
        city="Utrecht",
        country_code=Country.NL,
    )
    called = LocalizedText.each(bike.name_in)
    return OwnedRequest(RequestRow(**(values | changes)), bike, partner, customer=customer, called=called)


def workshop() -> PartnerRow:
    """A partner whose name must be escaped in a calendar file."""
    return PartnerRow(
        name="Fietsplaats; Jansen, Zn.",
        location_type=LocationType.PARTNER,
        street="Vredenburg",
        house_number="40",
        post_code="3511 BD",
        city="Utrecht",
        country_code=Country.NL,
    )


def confirmation(locale: Locale = "nl", answers: dict[str, Any] | None = None, **changes: Any) -> Confirmation:
    """The confirmation of that repair, with texts in one language."""
    return confirmation_of(found(answers, **changes), locale)


def planned(**changes: Any) -> dict[str, Any]:
    """Values of a request with planned work."""
    return {"planned_date": date(2065, 6, 12), "partner": workshop()} | changes
