"""What mails say: one HTML and one plain text for each, in the customer's language (part-1 §1 Languages)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any

import css_inline
import phonenumbers
from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape

from portal.contract.base import Locale
from portal.domain.identifiers import spoken
from portal.settings import Settings
from portal.texts import gettext_for

DIRECTORY = Path(__file__).parent / "templates"


class Template(StrEnum):
    """The mails there are; each has `<name>.html` and `<name>.txt` with the blocks `subject` and `preview`."""

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
    PASSWORD_CHANGED = "password_changed"  # noqa: S105 - a mail


@dataclass(frozen=True, slots=True)
class Content:
    """A mail as written."""

    subject: str
    text: str
    html: str


@cache
def _environment(locale: Locale) -> Environment:
    translate = gettext_for(locale)

    def gettext(text: str, **values: str | int) -> str:
        # Not str.format: a value with braces in it must never be evaluated.
        text = translate(text)
        for name, value in values.items():
            text = text.replace("{" + name + "}", str(value))
        return text

    environment = Environment(
        loader=FileSystemLoader(DIRECTORY),
        autoescape=select_autoescape(["html"]),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals["_"] = gettext
    environment.filters["spoken"] = spoken
    environment.globals["locale"] = locale
    return environment


@cache
def _inliner() -> css_inline.CSSInliner:
    # Nothing is ever loaded from elsewhere while a mail is made.
    return css_inline.CSSInliner(load_remote_stylesheets=False, keep_style_tags=True)


def render(template: Template, locale: Locale, settings: Settings, values: Mapping[str, Any]) -> Content:
    """Write a mail.

    Args:
        template: which one.
        locale: its language.
        settings: for name, links and contact of the shop.
        values: what the template needs; what is missing is an error.
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
    return Content(
        subject=" ".join(subject.split()),
        text=plain.render(context).strip() + "\n",
        html=_inliner().inline(html),
    )


def _phone(number: str) -> str:
    """A phone number as people write it, with the country, because not all of them are in ours."""
    try:
        return phonenumbers.format_number(phonenumbers.parse(number), phonenumbers.PhoneNumberFormat.INTERNATIONAL)
    except phonenumbers.NumberParseException:
        return number
