"""Links that were mailed to have a request confirmed. Only their hashes are kept."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Column, Index
from sqlmodel import Field

from portal.provider.tables.columns import EnumText, Table, UtcDateTime
from portal.vocabulary.links import LinkPurpose


class ConfirmationLinkRow(Table, table=True):
    """One link. A request may have several, of mails that were sent again; the first one used confirms it.

    Attributes:
        link_hash: SHA-256 of the 256 bits at the end of the link.
        subject: primary key of what it confirms, in the table of its purpose.
        recipient: masked address it was sent to.
        mail_id: the mail that carried it, as long as that is kept.
        used_at: when the request was confirmed, by this link or another of the same request.
        withdrawn_at: when it was made worthless: the request was cancelled or replaced.
    """

    __tablename__ = "confirmation_links"
    __table_args__ = (Index("ix_confirmation_links_purpose_subject", "purpose", "subject"),)

    id: int | None = Field(default=None, primary_key=True)
    link_hash: str = Field(unique=True, max_length=64)
    purpose: LinkPurpose = Field(sa_column=Column(EnumText(LinkPurpose), nullable=False))
    subject: int
    customer_id: int = Field(foreign_key="customers.id", index=True)
    recipient: str = Field(max_length=254)
    mail_id: int | None = Field(default=None, foreign_key="outbox_mails.id", index=True, ondelete="SET NULL")
    created_at: datetime = Field(sa_type=UtcDateTime)
    expires_at: datetime = Field(sa_type=UtcDateTime, index=True)
    used_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    withdrawn_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
