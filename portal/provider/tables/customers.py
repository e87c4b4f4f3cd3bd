"""The customer (part-1 §3 userData.customer)."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Column
from sqlmodel import Field

from portal.domain.countries import Country
from portal.domain.dates import now
from portal.domain.identifiers import short_id
from portal.provider.tables.columns import EnumText, Table, UtcDateTime


class CustomerRow(Table, table=True):
    """Somebody who bought something.

    Attributes:
        public_id: what sessions and page bindings know the customer by.
        email_key: the address as it is compared (`domain.validation.email_key`). Not unique: two people of one
            household may share an address, and a unique index would tell a stranger which addresses exist.
        phone: E.164, empty when unknown.
        locale: language of mails and documents, 'nl' or 'en'.
    """

    __tablename__ = "customers"

    id: int | None = Field(default=None, primary_key=True)
    public_id: str = Field(default_factory=short_id, max_length=16, unique=True)
    first_name: str = Field(max_length=60)
    prefix: str = Field(default="", max_length=60)
    last_name: str = Field(max_length=60)
    email: str = Field(max_length=254)
    email_key: str = Field(max_length=254, index=True)
    phone: str = Field(default="", max_length=20)
    street: str = Field(max_length=60)
    house_number: str = Field(max_length=10)
    house_number_addon: str = Field(default="", max_length=60)
    post_code: str = Field(max_length=10)
    city: str = Field(max_length=60)
    country_code: Country = Field(sa_column=Column(EnumText(Country), nullable=False))
    locale: str = Field(default="nl", max_length=2)
    created_at: datetime = Field(default_factory=now, sa_type=UtcDateTime)
    updated_at: datetime = Field(default_factory=now, sa_type=UtcDateTime)
