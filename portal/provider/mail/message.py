"""A mail as it travels. One recipient, always; no header can be smuggled in."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, parseaddr

from email_validator import EmailNotValidError, validate_email

from portal.contract.base import Document, Locale
from portal.provider.mail.texts import Content

_PARAMETERS = {"calendar": {"method": "PUBLISH", "charset": "utf-8"}}
"""What the media type of a file needs beside its name (RFC 6047)."""


def deliverable(address: str) -> str:
    """The address in the form that every mail server takes: a domain with special letters in its ASCII form.

    Raises:
        ValueError: not exactly one address.
    """
    try:
        checked = validate_email(address, check_deliverability=False)
    except EmailNotValidError:
        raise ValueError("not one mail address") from None
    return checked.ascii_email or checked.normalized


def compose(
    sender: str,
    recipient: str,
    content: Content,
    locale: Locale,
    message_id: str,
    written_at: datetime,
    papers: Sequence[Document] = (),
) -> bytes:
    """The message for one recipient.

    Args:
        sender: name and address, such as 'Shop <noreply@shop.example>'.
        recipient: the one address.
        content: subject and both bodies.
        locale: language of the content.
        message_id: the same for every try.
        written_at: its date (UTC).
        papers: files that go with it.

    Raises:
        ValueError: the recipient is not exactly one address, or a header holds a line break.
    """
    message = EmailMessage(policy=SMTP)
    name, address = parseaddr(sender)
    message["From"] = Address(name, addr_spec=address)
    message["To"] = Address(addr_spec=deliverable(recipient))
    message["Subject"] = content.subject
    message["Date"] = format_datetime(written_at.astimezone(UTC))
    message["Message-ID"] = message_id
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(content.text, cte="quoted-printable")
    message.add_alternative(content.html, subtype="html", cte="quoted-printable")
    for paper in papers:
        kind, _, subkind = paper.media_type.partition("/")
        message.add_attachment(paper.content, kind, subkind, filename=paper.name, params=_PARAMETERS.get(subkind))
    # Last, because setting the content takes headers about content away.
    message["Content-Language"] = locale
    return message.as_bytes()
