"""Mail: rendering templates, composing messages, and the transports that deliver them."""

from __future__ import annotations

import asyncio
import hashlib
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, parseaddr
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any, Protocol

import aiosmtplib
import css_inline
import phonenumbers
from email_validator import EmailNotValidError, validate_email
from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape

from portal.contract.models import Document, Locale
from portal.kernel.texts import gettext_for
from portal.kernel.validation import in_groups
from portal.settings import Settings

_PORTAL = Path(__file__).resolve().parents[1]
DIRECTORIES = tuple(sorted([*_PORTAL.glob("*/templates"), *_PORTAL.glob("*/provider/templates")]))
"""Directories of the mail templates, one per subject. Template names are unique across all of them."""


class Template(StrEnum):
    """All mail templates. Each has `<name>.html` and `<name>.txt` with the blocks `subject` and `preview`."""

    LOGIN_CODE = "login_code"
    EMAIL_CHANGE_CODE = "email_change_code"
    EMAIL_CHANGED = "email_changed"
    REQUEST_CONFIRMATION = "request_confirmation"
    CONFIRM_RETURN = "confirm_return"
    RETURN_RECEIVED = "return_received"
    WITHDRAWAL_RECEIVED = "withdrawal_received"
    WITHDRAWAL_BATTERY = "withdrawal_battery"
    RETURN_MOVED = "return_moved"
    URGENT_BATTERY = "urgent_battery"
    WORK_ORDER_STATUS = "work_order_status"
    CONFIRM_DELIVERY_DATE = "confirm_delivery_date"
    DELIVERY_DATE_STATUS = "delivery_date_status"
    DELIVERY_STATUS = "delivery_status"
    CONFIRM_INSURANCE = "confirm_insurance"
    INSURANCE_STATUS = "insurance_status"
    SERVICE_PACKAGE = "service_package"
    PASSWORD_RESET = "password_reset"  # noqa: S105 - a mail
    PRODUCT_RECALL = "product_recall"
    DATA_READY = "data_ready"
    ERASURE_CODE = "erasure_code"
    DATA_ERASED = "data_erased"
    PASSWORD_CHANGED = "password_changed"  # noqa: S105 - a mail


@dataclass(frozen=True, slots=True)
class MailContent:
    """Subject and both bodies of a rendered mail."""

    subject: str
    text: str
    html: str


@cache
def _environment(locale: Locale) -> Environment:
    translate = gettext_for(locale)

    def gettext(text: str, **values: str | int) -> str:
        # Not str.format: braces in a value must never be evaluated.
        text = translate(text)
        for name, value in values.items():
            text = text.replace("{" + name + "}", str(value))
        return text

    environment = Environment(
        loader=FileSystemLoader(DIRECTORIES),
        autoescape=select_autoescape(["html"]),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals["_"] = gettext
    environment.filters["in_groups"] = in_groups
    environment.globals["locale"] = locale
    return environment


@cache
def _inliner() -> css_inline.CSSInliner:
    # Rendering a mail must not load anything from the network.
    return css_inline.CSSInliner(load_remote_stylesheets=False, keep_style_tags=True)


def render(template: Template, locale: Locale, settings: Settings, values: Mapping[str, Any]) -> MailContent:
    """Render a mail.

    Args:
        template: the template to render.
        locale: the language of the mail.
        settings: supplies the shop's name, links and contact details.
        values: the variables of the template.

    Raises:
        UndefinedError: the template uses a variable that is missing in `values`.
    """
    environment = _environment(locale)
    context = {
        "brand": settings.brand,
        "address": settings.address,
        "phone": _phone(settings.brand.phone),
        "minutes": settings.code_minutes,
        **values,
    }
    plain = environment.get_template(f"{template}.txt")
    subject = "".join(plain.blocks["subject"](plain.new_context(context)))
    html = environment.get_template(f"{template}.html").render(context)
    return MailContent(
        subject=" ".join(subject.split()),
        text=plain.render(context).strip() + "\n",
        html=_inliner().inline(html),
    )


def _phone(number: str) -> str:
    """The phone number in international format, because some customers live abroad. Unchanged if it is not valid."""
    try:
        return phonenumbers.format_number(phonenumbers.parse(number), phonenumbers.PhoneNumberFormat.INTERNATIONAL)
    except phonenumbers.NumberParseException:
        return number


_PARAMETERS = {"calendar": {"method": "PUBLISH", "charset": "utf-8"}}
"""Parameters of the media type of an attachment, by subtype (RFC 6047)."""


def deliverable(address: str) -> str:
    """The address in the form that every mail server accepts: an internationalized domain is converted to ASCII.

    Raises:
        ValueError: the text is not exactly one mail address.
    """
    try:
        checked = validate_email(address, check_deliverability=False)
    except EmailNotValidError:
        raise ValueError("not one mail address") from None
    return checked.ascii_email or checked.normalized


def compose(
    sender: str,
    recipient: str,
    content: MailContent,
    locale: Locale,
    message_id: str,
    written_at: datetime,
    documents: Sequence[Document] = (),
) -> bytes:
    """Compose the message for one recipient.

    Args:
        sender: name and address, such as 'Shop <noreply@shop.example>'.
        recipient: exactly one address.
        content: subject and both bodies.
        locale: language of the content.
        message_id: stays the same when sending is retried.
        written_at: date of the message (aware).
        documents: attachments.

    Returns:
        The message in wire format.

    Raises:
        ValueError: the recipient is not exactly one address, or a header contains a line break.
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
    for document in documents:
        kind, _, subkind = document.media_type.partition("/")
        message.add_attachment(document.content, kind, subkind, filename=document.name, params=_PARAMETERS.get(subkind))
    # Set last, because setting the content removes all content headers.
    message["Content-Language"] = locale
    return message.as_bytes()


class MailRefused(Exception):
    """The mail server rejected the mail permanently. The text is the SMTP code, never the address or the message."""


class Transport(Protocol):
    """Delivers messages."""

    async def send(self, message: bytes, recipient: str, written_at: datetime) -> None:
        """Deliver one message to one recipient.

        Raises:
            MailRefused: permanent failure; do not retry.
            Exception: any other failure; retry later.
        """
        ...


class SmtpTransport:
    """Sends over SMTP. With `starttls` and `tls` the server's certificate is verified."""

    def __init__(self, settings: Settings) -> None:
        """Use the mail server from the settings."""
        self._smtp = settings.smtp
        self._sender = parseaddr(settings.mail_from)[1]

    async def send(self, message: bytes, recipient: str, written_at: datetime) -> None:  # noqa: ARG002
        """Send the message. The whole exchange takes at most three times the timeout."""
        smtp = self._smtp
        try:
            async with asyncio.timeout(smtp.timeout_seconds * 3):
                await aiosmtplib.send(
                    message,
                    sender=self._sender,
                    recipients=[deliverable(recipient)],
                    hostname=smtp.host,
                    port=smtp.port,
                    username=smtp.username or None,
                    password=smtp.password.get_secret_value() or None,
                    use_tls=smtp.security == "tls",
                    start_tls=smtp.security == "starttls",
                    timeout=smtp.timeout_seconds,
                )
        except aiosmtplib.SMTPRecipientsRefused as error:
            code = error.recipients[0].code
            raise (MailRefused(str(code)) if code >= 500 else ConnectionError(str(code))) from None
        except aiosmtplib.SMTPDataError as error:
            raise (MailRefused(str(error.code)) if error.code >= 500 else ConnectionError(str(error.code))) from None


class FileTransport:
    """Writes `.eml` files whose names sort by time. For the demonstration only."""

    def __init__(self, directory: Path) -> None:
        """Write into this directory, which is created when needed."""
        self._directory = directory

    async def send(self, message: bytes, recipient: str, written_at: datetime) -> None:  # noqa: ARG002
        """Write the file atomically. A retry overwrites the same file."""
        digest = hashlib.sha256(message.partition(b"Message-ID:")[2].partition(b"\r\n")[0]).hexdigest()[:12]
        name = f"{written_at.astimezone(UTC):%Y%m%dT%H%M%S%f}-{digest}.eml"
        await asyncio.to_thread(self._write, name, message)

    def _write(self, name: str, message: bytes) -> None:
        self._directory.mkdir(parents=True, exist_ok=True, mode=0o700)
        unfinished = self._directory / f".{name}.{os.getpid()}"
        handle = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(message)
                file.flush()
                os.fsync(file.fileno())
            unfinished.replace(self._directory / name)
        finally:
            unfinished.unlink(missing_ok=True)


def mail_directory(data_dir: Path) -> Path:
    """The directory where the demonstration stores its mails."""
    return data_dir / "mail"


def transport(settings: Settings) -> Transport:
    """SMTP if a host is configured, otherwise files."""
    return SmtpTransport(settings) if settings.smtp.host else FileTransport(mail_directory(settings.data_dir))
