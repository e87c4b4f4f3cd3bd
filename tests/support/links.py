"""Ends of mailed links that a test knows: only hashes are kept, so one is put beside a request that waits."""

from datetime import datetime, timedelta

from portal.backend.security import challenge_hash
from portal.kernel.days import now
from portal.vocabulary.links import LinkPurpose

WAITING: dict[LinkPurpose, tuple[str, str]] = {
    LinkPurpose.ORDER_RETURN: ("returns", "status = 'pending_confirmation'"),
    LinkPurpose.DELIVERY_DATE: ("date_changes", "status = 'waiting_for_customer'"),
    LinkPurpose.INSURANCE: ("insurance_requests", "status = 'waiting_for_input'"),
}
"""The table of a purpose, and which of its rows wait for their link."""


def planted(purpose: LinkPurpose, end: str, email: str, expires_at: datetime | None = None) -> tuple[str, ...]:
    """A statement, with its values, that gives the waiting request of a customer one more link.

    Args:
        purpose: of the link.
        end: the end of its address.
        email: of the customer.
        expires_at: until when it confirms; for an hour by default.
    """
    table, waits = WAITING[purpose]
    made = now()
    times = [f"{moment:%Y-%m-%d %H:%M:%S.%f}" for moment in (made, expires_at or made + timedelta(hours=1))]
    statement = (
        "INSERT INTO confirmation_links (link_hash, purpose, subject, customer_id, recipient, created_at, expires_at) "
        f"SELECT ?, ?, {table}.id, customers.id, 'x…@…com', ?, ? FROM {table} "
        f"JOIN customers ON customers.id = {table}.customer_id WHERE customers.email = ? AND {waits} "
        f"ORDER BY {table}.id DESC LIMIT 1"
    )
    return statement, challenge_hash(end), purpose.value, *times, email
