"""A customer's answers in the insurance and service package flows, which differ from other flows after sending."""

from __future__ import annotations

from portal.insurance.flow import INSURANCE
from portal.service_packages.flow import SERVICE_PACKAGE
from tests.support.flows import FIRST, FlowCase
from tests.support.server import PortalServer
from tests.support.stored import database, forget_requests

FLEUR = ("900000081", "fleur@example.com")
"""A customer with a bike that can be insured and has no service package."""

JORIS = ("900000002", "joris@example.com")
"""A customer with an old bike and an open work order for it."""

INSURING = FlowCase(
    INSURANCE,
    FLEUR,
    {
        "bike": {"bike": FIRST},
        "insurance": {"type": "theft_and_damage", "insurer": "kettingzeker", "key_number": "b 12-345"},
        "account": {"iban": "nl91 abna 0417 1643 00", "agreed": "yes"},
    },
    wrong={
        "bike": {},
        "insurance": {"type": "theft", "key_number": "sleutel"},
        "account": {"iban": "NL91 ABNA 0417 1643 01"},
    },
    other=("insurance", {"key_number": "K98765"}),
    closed={JORIS: "Je kunt een fiets tot 14 dagen na aankoop verzekeren."},
)

PACKAGING = FlowCase(
    SERVICE_PACKAGE,
    FLEUR,
    {"bike": {"bike": FIRST}, "package": {"package": "SERVICE21"}},
    wrong={"bike": {}, "package": {}},
    other=("package", {"package": "SERVICE42"}),
    closed={("900000008", "eva@example.com"): "Je hebt nog geen fietsen"},
)

AFTERCARE = (INSURING, PACKAGING)


def forget_aftercare(server: PortalServer) -> None:
    """Remove every insurance and service package that a flow created."""
    forget_requests(server)
    asked = "SELECT bike_id FROM insurance_requests WHERE draft_key IS NOT NULL"
    no_insurance = "insurance = '', policy_number = '', insurance_start = NULL"
    bought = "SELECT bike_id FROM package_orders WHERE draft_key IS NOT NULL"
    with database(server) as connection:
        connection.execute(f"UPDATE bikes SET {no_insurance} WHERE id IN ({asked})")
        connection.execute("DELETE FROM insurance_requests WHERE draft_key IS NOT NULL")
        connection.execute("DELETE FROM confirmation_links WHERE purpose = 'insurance'")
        connection.execute(f"UPDATE bikes SET service_package = NULL WHERE id IN ({bought})")
        connection.execute("DELETE FROM package_orders WHERE draft_key IS NOT NULL")
