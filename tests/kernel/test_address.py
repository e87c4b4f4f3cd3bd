"""An address is written in one way, whatever shows it: number, blank, addition."""

import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from portal.backend.letter import postal_lines
from portal.flow.provider.handler import StoredRequest
from portal.kernel.address import Country, address_lines, address_parts
from portal.launch import ROOT
from portal.locations.api import ServiceLocation
from portal.locations.pages.views import service_point
from portal.locations.provider import address_rows, location_rows
from portal.orders.api import NamedAddress
from portal.returns.provider.account import account_of, pickup_place
from portal.returns.provider.entries import store_entry
from portal.returns.provider.return_case import ReturnCase, handover_lines
from portal.setting_groups import Brand
from portal.tables.orders import PartnerRow
from portal.tables.returns import ReturnRow
from portal.vocabulary.deliveries import Window
from portal.vocabulary.locations import LocationType
from portal.vocabulary.returns import ReturnKind, ReturnMethod, ReturnStatus
from tests.support.confirmations import confirmation, planned

ROTTERDAM = {
    "street": "Witte de Withstraat", "house_number": "50", "house_number_addon": "2 hoog", "post_code": "3012 BR",
    "city": "Rotterdam", "country_code": "NL",
}  # fmt: skip

GHENT = {
    "street": "Veldstraat", "house_number": "82", "house_number_addon": "bus 3", "post_code": "9000", "city": "Gent",
    "country_code": "BE",
}  # fmt: skip

HAMBURG = {
    "street": "Reeperbahn", "house_number": "5", "house_number_addon": "A", "post_code": "20095", "city": "Hamburg",
    "country_code": "DE",
}  # fmt: skip

WRITTEN = [
    pytest.param(ROTTERDAM, "Witte de Withstraat 50 2 hoog", "3012 BR Rotterdam", id="NL"),
    pytest.param(GHENT, "Veldstraat 82 bus 3", "9000 Gent", id="BE"),
    pytest.param(HAMBURG, "Reeperbahn 5 A", "20095 Hamburg", id="DE"),
]

NOW = datetime(2026, 6, 12, tzinfo=UTC)
Address = Mapping[str, str]


def _partner(address: Address) -> PartnerRow:
    parts: dict[str, Any] = {**address, "country_code": Country(address["country_code"])}
    return PartnerRow(name="Fietsplaats", location_type=LocationType.OWN_STORE, **parts)


def _return(address: Address, method: ReturnMethod) -> ReturnRow:
    return ReturnRow(
        reference="K7M3P9RT", customer_id=1, order_number="900000001", kind=ReturnKind.RETURN,
        status=ReturnStatus.REQUEST_RECEIVED, method=method, pickup_day=NOW.date(),
        pickup_window=Window.DAY, address={"name": "Max van den Berg", **address}, created_at=NOW, updated_at=NOW,
    )  # fmt: skip


def _handed_over(row: ReturnRow, store: PartnerRow | None) -> list[str]:
    return handover_lines(account_of(ReturnCase(row, row.status, [], store), Brand()).handover, "nl")


def _location(address: Address) -> ServiceLocation:
    return ServiceLocation.model_validate(
        {
            "location_id": "L1", "name": "Fietsplaats", "location_type": "own_store", "labels": [], "address": address,
            "phone": "", "latitude": 51.9, "longitude": 4.5, "distance_km": Decimal(1), "waiting_weeks": 0,
            "rating": None, "travel_cost": None, "handovers": [{"handover": "bring", "cost": None}],
            "vacation_from": None, "vacation_until": None, "opening_hours": [],
        }
    )  # fmt: skip


def _stored(address: Address) -> StoredRequest:
    place = {"name": "Fietsplaats", "address": address, "waiting_weeks": 1}
    return StoredRequest({}, locale="nl", further={"home": {**address, "phone": ""}, "service_location": place})


def _store(address: Address) -> str:
    return store_entry(_partner(address), None).address


def _appointment(address: Address) -> str:
    found = confirmation("nl", **planned(partner=_partner(address))).account.handover
    return ", ".join(found.place) if found else ""


CHANNELS: dict[str, Callable[[Address], object]] = {
    "mail of a repair: home": lambda address: address_rows(_stored(address)),
    "mail of a repair: workshop": lambda address: location_rows(_stored(address)),
    "calendar of a repair": _appointment,
    "invoice": lambda address: postal_lines(NamedAddress.model_validate({"name": "", **address}), "nl"),
    "label of a return": lambda address: pickup_place(_return(address, ReturnMethod.PICK_UP)),
    "page, mail and summary of a return: picked up": lambda address: _handed_over(
        _return(address, ReturnMethod.PICK_UP), None
    ),
    "page, mail, slip and summary of a return: brought": lambda address: _handed_over(
        _return(address, ReturnMethod.STORE), _partner(address)
    ),
    "page: store of a return": _store,
    "page: service point": lambda address: service_point(_location(address), NOW),
}


@pytest.mark.parametrize("channel", CHANNELS)
@pytest.mark.parametrize(("address", "street", "city"), WRITTEN)
def test_every_channel_writes_both_lines_alike(channel: str, address: Address, street: str, city: str) -> None:
    written = repr(CHANNELS[channel](address))
    assert re.search(rf"\b{re.escape(street)}\b", written)
    assert city.split()[-1] in written
    assert city in written or channel == "page: service point", "which has the post code in a field of its own"


@given(
    address=st.sampled_from([ROTTERDAM, GHENT]),
    number=st.integers(1, 9999).map(str),
    addition=st.sampled_from(["A", "bis", "2 hoog", "bus 3", "A-2", ""]),
)
def test_number_and_addition_are_always_distinguishable(address: Address, number: str, addition: str) -> None:
    home = {**address, "house_number": number, "house_number_addon": addition}
    street, city = address_lines(home)
    assert street == f"{address['street']} {number} {addition}".strip()
    read, _, rest = street.removeprefix(f"{address['street']} ").partition(" ")
    assert (read, rest) == (number, addition)
    assert address_lines(_partner(home)) == (street, city), "rows and facts are written alike"
    assert address_parts(_partner(home)) == {name: value for name, value in home.items() if name != "country_code"}


def test_what_is_not_known_leaves_no_blank() -> None:
    assert address_lines({}) == ("", "")
    assert address_lines({"street": "Neude", "city": "Utrecht", "house_number_addon": None}).joined == "Neude, Utrecht"


MAY_NAME_THE_ADDITION = {
    "kernel/address.py",
    # A field of its own: stored, carried, or typed by the customer.
    "account/api.py", "account/flow.py", "account/pages/address_step.py", "account/pages/my_data.py",
    "account/pages/state.py", "account/provider.py", "contract/session.py", "demo/plans.py",
    "demo/stories.py", "imports/rules/cleaning.py", "imports/rules/fields.py",
    "imports/rules/shopify.py", "imports/rules/woocommerce.py",
    "exports/provider/service.py", "privacy/provider/inventory.py", "staff/api/customers.py", "staff/desk/customer.py",
    "staff/provider/customers.py", "vocabulary/customers.py",
    "returns/api.py", "tables/customers.py", "tables/orders.py",
    "work_orders/api.py",
}  # fmt: skip


def test_nobody_else_writes_the_addition_of_a_house_number() -> None:
    portal = Path(ROOT) / "portal"
    found = {str(path.relative_to(portal)) for path in portal.rglob("*.py") if "house_number_addon" in path.read_text()}
    assert found == MAY_NAME_THE_ADDITION
    glued = re.compile(r"\{[^{}\n]*(?:\.|\[.)house_number")
    assert not [path.name for path in portal.rglob("*.py") if glued.search(path.read_text())]
