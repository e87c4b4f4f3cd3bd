"""Service partners (part-1 §3)."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from sqlalchemy import Column, Numeric
from sqlmodel import Field

from portal.domain.countries import Country
from portal.domain.identifiers import short_id
from portal.provider.tables.columns import Cents, EnumText, Table
from portal.vocabulary.locations import LocationType


class PartnerRow(Table, table=True):
    """A workshop.

    Attributes:
        phone: E.164.
        travel_cost: call-out fee in euro, none when the partner does not come to the customer.
        vacation_from, vacation_until: local days on which it is closed, both included.
        waiting_weeks: lower bound of the waiting time, in whole weeks: 0 means 0-1, 12 means 12-13.
        latitude, longitude: degrees (WGS 84); without them it is never found near anything.
        opening_hours: as `domain.opening_hours` reads it, none when they are not known.
        customer_rating: 0 to 10 with one decimal, none without ratings.
        closed: it takes no bikes (any more); it is not found, and requests that are with it stay there.
    """

    __tablename__ = "partners"

    id: int | None = Field(default=None, primary_key=True)
    public_id: str = Field(default_factory=short_id, max_length=16, unique=True)
    name: str = Field(max_length=120)
    location_type: LocationType = Field(sa_column=Column(EnumText(LocationType), nullable=False))
    phone: str = Field(default="", max_length=20)
    email: str = Field(default="", max_length=254)
    street: str = Field(max_length=60)
    house_number: str = Field(max_length=10)
    house_number_addon: str = Field(default="", max_length=60)
    post_code: str = Field(max_length=10)
    city: str = Field(max_length=60)
    country_code: Country = Field(sa_column=Column(EnumText(Country), nullable=False))
    latitude: float | None = Field(default=None, index=True)
    longitude: float | None = None
    opening_hours: str | None = Field(default=None, max_length=200)
    travel_cost: Decimal | None = Field(default=None, sa_column=Column(Cents, nullable=True))
    vacation_from: date | None = None
    vacation_until: date | None = None
    recommended: bool = False
    waiting_weeks: int = 0
    closed: bool = False
    customer_rating: Decimal | None = Field(default=None, sa_column=Column(Numeric(3, 1), nullable=True))
