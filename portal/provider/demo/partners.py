"""Workshops of the demonstration: own shops, premium partners, partners and pick-up (part-1 §2, §3)."""

from __future__ import annotations

from decimal import Decimal

from portal.domain.countries import Country
from portal.provider.demo.days import Days
from portal.provider.demo.numbers import stable_id
from portal.provider.demo.plans import Place
from portal.provider.tables.partners import LocationType, PartnerRow

UTRECHT = "utrecht"
AMSTERDAM = "amsterdam"
GHENT = "gent"
PREMIUM = "premium"
PARTNER = "partner"
PICK_UP = "pick-up"


def partners(days: Days) -> dict[str, PartnerRow]:
    """All workshops by their key."""
    rows = {
        UTRECHT: _partner(
            "Bovenbuis Utrecht", LocationType.OWN_STORE, "+31302001235", Place("Neude", "11", "3512 AE", "Utrecht")
        ),
        AMSTERDAM: _partner(
            "Bovenbuis Amsterdam",
            LocationType.OWN_STORE,
            "+31202001236",
            Place("Keizersgracht", "609", "1017 DS", "Amsterdam"),
        ),
        GHENT: _partner(
            "Bovenbuis Gent",
            LocationType.OWN_STORE,
            "+3292001237",
            Place("Korenmarkt", "16", "9000", "Gent", Country.BE),
        ),
        PREMIUM: _partner(
            "Rijwielhuis De Ketting",
            LocationType.PREMIUM_PARTNER,
            "+31102001238",
            Place("Witte de Withstraat", "50", "3012 BR", "Rotterdam"),
        ),
        PARTNER: _partner(
            "Fietsenmaker Spaak",
            LocationType.PARTNER,
            "+31502001239",
            Place("Brugstraat", "24", "9711 HZ", "Groningen"),
        ),
        PICK_UP: _partner(
            "Bovenbuis haal- en brengservice",
            LocationType.PICK_UP,
            "+31302001240",
            Place("Vredenburg", "40", "3511 BD", "Utrecht"),
        ),
    }
    rows[UTRECHT].recommended = rows[PREMIUM].recommended = True
    rows[PREMIUM].waiting_weeks, rows[PARTNER].waiting_weeks, rows[AMSTERDAM].waiting_weeks = 1, 3, 2
    rows[PREMIUM].travel_cost, rows[PICK_UP].travel_cost = Decimal("35.00"), Decimal("60.00")
    rows[PARTNER].vacation_from, rows[PARTNER].vacation_until = days.ago(-20), days.ago(-34)
    ratings = {UTRECHT: "9.1", AMSTERDAM: "8.7", GHENT: "8.9", PREMIUM: "9.3", PARTNER: "8.2"}
    for name, rating in ratings.items():
        rows[name].customer_rating = Decimal(rating)
    return rows


def _partner(name: str, location_type: LocationType, phone: str, place: Place) -> PartnerRow:
    return PartnerRow(
        public_id=stable_id("partner", name),
        name=name,
        location_type=location_type,
        phone=phone,
        email=f"werkplaats-{place.city.lower()}@example.com",
        street=place.street,
        house_number=place.house_number,
        post_code=place.post_code,
        city=place.city,
        country_code=place.country,
    )
