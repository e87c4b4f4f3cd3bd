"""Mail: rendering templates and composing messages."""

from __future__ import annotations

import re
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
from typing import TYPE_CHECKING, Any

from portal.backend.transports import deliverable
from portal.contract.models import Document, Locale
from portal.kernel.address import readable_phone
from portal.kernel.texts import COOKIE, DEFAULT, gettext_for
from portal.kernel.validation import in_groups
from portal.logs import REQUEST_HEADER, request_id
from portal.settings import Settings

if TYPE_CHECKING:
    import css_inline
    from jinja2 import Environment

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
    WITHDRAWAL_DECLARED = "withdrawal_declared"
    WITHDRAWAL_TAKEN_BACK = "withdrawal_taken_back"
    WITHDRAWAL_BATTERY = "withdrawal_battery"
    RETURN_MOVED = "return_moved"
    REFUND_ACCOUNT = "refund_account"
    URGENT_BATTERY = "urgent_battery"
    WORK_ORDER_STATUS = "work_order_status"
    CASE_MESSAGE = "case_message"
    CONFIRM_DELIVERY_DATE = "confirm_delivery_date"
    DELIVERY_DATE_STATUS = "delivery_date_status"
    DELIVERY_STATUS = "delivery_status"
    CONFIRM_INSURANCE = "confirm_insurance"
    INSURANCE_STATUS = "insurance_status"
    SERVICE_PACKAGE = "service_package"
    CONTRACT_END = "contract_end"
    CONTRACT_END_DECLARED = "contract_end_declared"
    PASSWORD_RESET = "password_reset"  # noqa: S105 - a mail
    PRODUCT_RECALL = "product_recall"
    DATA_READY = "data_ready"
    ERASURE_CODE = "erasure_code"
    DATA_ERASED = "data_erased"
    PASSWORD_CHANGED = "password_changed"  # noqa: S105 - a mail
    PASSKEY_ADDED = "passkey_added"
    PASSKEY_REMOVED = "passkey_removed"
    CASE_NEWS = "case_news"
    CASES_OVERDUE = "cases_overdue"
    WEBHOOK_PAUSED = "webhook_paused"


@dataclass(frozen=True, slots=True)
class MailContent:
    """Subject and both bodies of a rendered mail."""

    subject: str
    text: str
    html: str


@cache
def _environment(locale: Locale) -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape

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
    # pyrefly: ignore[unsupported-operation]  # jinja2 types it by its default values
    environment.globals["_"] = gettext
    environment.filters["in_groups"] = in_groups
    # pyrefly: ignore[unsupported-operation]  # jinja2 types it by its default values
    environment.globals["locale"] = locale
    return environment


@cache
def _inliner() -> css_inline.CSSInliner:
    import css_inline

    # Rendering a mail must not load anything from the network.
    return css_inline.CSSInliner(load_remote_stylesheets=False, keep_style_tags=True)


def render(template: Template, locale: Locale, settings: Settings, values: Mapping[str, Any]) -> MailContent:
    """Render a mail. Raises `UndefinedError`: the template uses a variable that is missing in `values`."""
    environment = _environment(locale)
    context = {
        "brand": settings.brand,
        "address": settings.address,
        "phone": readable_phone(settings.brand.phone),
        "minutes": settings.code_minutes,
        "greeted": "",
        **values,
    }
    plain = environment.get_template(f"{template}.txt")
    subject = "".join(plain.blocks["subject"](plain.new_context(context)))
    html = environment.get_template(f"{template}.html").render(context)
    return MailContent(
        subject=" ".join(subject.split()),
        text=_with_language(plain.render(context), locale, settings).strip() + "\n",
        html=_inliner().inline(_with_language(html, locale, settings)),
    )


def page_url(path: str, locale: Locale, settings: Settings) -> str:
    """The address of a page of the portal that opens in a language. In the default language it needs no parameter."""
    url = f"{settings.address}{path}"
    return url if locale == DEFAULT else f"{url}?{COOKIE}={locale}"


def _with_language(body: str, locale: Locale, settings: Settings) -> str:
    """Let the links to pages of the portal open in the language of the mail."""
    page = rf"{re.escape(settings.address)}(?!/(?:pictures|drawings)/)((?:/[\w%.~-]*[\w%~-])+)"
    return re.sub(page, lambda found: page_url(found.group(1), locale, settings), body)


_PARAMETERS = {"calendar": {"method": "PUBLISH", "charset": "utf-8"}}
"""Parameters of the media type of an attachment, by subtype (RFC 6047)."""


def compose(
    sender: str,
    recipient: str,
    content: MailContent,
    locale: Locale,
    message_id: str,
    written_at: datetime,
    documents: Sequence[Document] = (),
    *,
    reply_to: str = "",
) -> bytes:
    """Compose the message for one recipient.

    `written_at`: date of the message (aware).
    `reply_to`: where replies go; empty for the sender.
    Returns the message in wire format.
    Raises `ValueError`: the recipient is not exactly one address, or a header contains a line break.
    """
    message = EmailMessage(policy=SMTP)
    name, address = parseaddr(sender)
    message["From"] = Address(name, addr_spec=address)
    message["To"] = Address(addr_spec=deliverable(recipient))
    if reply_to:
        message["Reply-To"] = Address(addr_spec=deliverable(reply_to))
    message["Subject"] = content.subject
    message["Date"] = format_datetime(written_at.astimezone(UTC))
    message["Message-ID"] = message_id
    message["Auto-Submitted"] = "auto-generated"
    if request := request_id():
        message[REQUEST_HEADER] = request
    message.set_content(content.text, cte="quoted-printable")
    message.add_alternative(content.html, subtype="html", cte="quoted-printable")
    for document in documents:
        kind, _, subkind = document.media_type.partition("/")
        message.add_attachment(document.content, kind, subkind, filename=document.name, params=_PARAMETERS.get(subkind))
    # Set last, because setting the content removes all content headers.
    message["Content-Language"] = locale
    return message.as_bytes()
