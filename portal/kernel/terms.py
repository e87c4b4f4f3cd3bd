"""Terms and limits of the retailer, each defined once with its unit.

Rules compute with them and settings use them as defaults. Texts name them in braces ("within {link_hours} hours") and
the catalogues fill in the value, so changing a term changes one line. `IN_TEXTS` lists the terms that texts can name.

The terms of `Terms` are settings: `PORTAL_RETURN_DAYS=30` changes the rule and every sentence. They are read once, when
this module is imported, so that rules can use them as constants. The other values are fixed, because forms, table
columns and checks of files are made for them.
"""

from dataclasses import dataclass, fields
from datetime import time
from decimal import Decimal
from typing import Annotated, Self

from pydantic import Field, ValidationError, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict


class Terms(BaseSettings):
    """The terms that a retailer can set, with their bounds. The constants below say what they mean.

    Numbers of days, hours and weeks are at least 2, because the texts name them in the plural.
    """

    model_config = SettingsConfigDict(env_prefix="PORTAL_", extra="ignore")

    return_days: int = Field(default=100, ge=14, le=1000)
    withdrawal_days: int = Field(default=14, ge=14, le=365)
    """The law asks for at least 14."""
    send_back_days: int = Field(default=14, ge=14, le=365)
    """The law asks for at least 14."""
    refund_days: int = Field(default=14, ge=2, le=14)
    """The law allows at most 14."""
    return_answer_days: int = Field(default=2, ge=2, le=30)
    depreciation_percent: int = Field(default=25, ge=0, le=100)
    return_pick_up_cost: Decimal = Field(default=Decimal("39.95"), ge=Decimal(0), max_digits=8, decimal_places=2)
    unused_km: int = Field(default=50, ge=0, le=1000)
    date_answer_hours: int = Field(default=48, ge=2, le=240)
    day_starts: time = time(9)
    evening_starts: time = time(17, 30)
    evening_ends: time = time(20)
    insurance_days: int = Field(default=14, ge=2, le=365)
    insurer_answer_days: int = Field(default=2, ge=2, le=30)
    repair_answer_days: int = Field(default=3, ge=2, le=30)
    silence_weeks: int = Field(default=3, ge=2, le=52)
    first_service_months: int = Field(default=5, ge=2, le=36)
    first_service_km: int = Field(default=500, ge=2, le=10_000)
    further_service_months: int = Field(default=12, ge=2, le=60)
    warranty_years: int = Field(default=2, ge=2, le=30)
    """The law asks for at least 2."""
    warranty_repair_months: int = Field(default=12, ge=12, le=60)
    """The law asks for 12."""
    link_hours: int = Field(default=24, ge=2, le=240)
    battery_link_days: int = Field(default=30, ge=15, le=365)
    withdrawal_link_days: int = Field(default=30, ge=15, le=365)
    contract_notice_months: int = Field(default=1, ge=0, le=3)
    due_days: dict[str, Annotated[int, Field(ge=1, le=90)]] = {}
    """Other working days than those of the status tables, by kind of case and status: `repair.in_repair`."""
    insurances_end_with_bike: bool = True

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if not self.day_starts < self.evening_starts < self.evening_ends:
            raise ValueError("PORTAL_DAY_STARTS, PORTAL_EVENING_STARTS and PORTAL_EVENING_ENDS must be in this order")
        if self.battery_link_days <= self.send_back_days:
            raise ValueError("PORTAL_BATTERY_LINK_DAYS must be more than PORTAL_SEND_BACK_DAYS")
        return self


def _read() -> Terms:
    try:
        return Terms()
    except ValidationError:
        # `Settings` has the same fields: its error names the wrong one and stops the start.
        return Terms.model_construct()


_TERMS = _read()

RETURN_DAYS = _TERMS.return_days
"""Days after shipping within which a return is accepted; the last day ends at 24:00 in Amsterdam (part-2 §9)."""

DUE_DAYS = _TERMS.due_days
"""Working days within which a status has to end, where a retailer set others than the tables of statuses."""

WITHDRAWAL_DAYS = _TERMS.withdrawal_days
"""Days after delivery within which a customer can withdraw; the last day ends likewise (Directive 2023/2673)."""

INSURANCES_END_WITH_BIKE = _TERMS.insurances_end_with_bike
"""Whether an insurance ends on the day on which its bike came back; otherwise the customer ends it."""

SEND_BACK_DAYS = _TERMS.send_back_days
"""Days after a withdrawal within which the customer sends the goods back (Directive 2023/2673)."""

REFUND_DAYS = _TERMS.refund_days
"""Days after processing a return, or after a withdrawal, within which we refund the customer (part-2 §9)."""

RETURN_ANSWER_DAYS = _TERMS.return_answer_days
"""Working days within which we answer a return request (part-2 §9)."""

DEPRECIATION_PERCENT = _TERMS.depreciation_percent
"""Percentage deducted for items that show signs of use (part-2 §9)."""

RETURN_PICK_UP_COST = _TERMS.return_pick_up_cost
"""Euro for picking up a return at home, once per request (part-2 §9)."""

DATE_ANSWER_HOURS = _TERMS.date_answer_hours
"""Hours after the customer's confirmation within which we answer a request for another delivery day (part-2 §9)."""

HANDLING_DAYS = 1
"""Working days of preparation before a van can come, in addition to the next one (part-2 §5)."""

DELIVERY_DAYS = 28
"""Number of days, from the first possible one, to which a delivery can be moved (part-2 §9)."""

DELIVERY_PLACES = 12
"""Number of deliveries that can be moved to one day, per country (part-2 §9)."""

DAY_STARTS, EVENING_STARTS, EVENING_ENDS = _TERMS.day_starts, _TERMS.evening_starts, _TERMS.evening_ends
"""Local times: start of deliveries, start of the evening window, end of deliveries (part-2 §9)."""

INSURANCE_DAYS = _TERMS.insurance_days
"""Days after purchase within which we offer insurance (part-2 §9)."""

INSURER_ANSWER_DAYS = _TERMS.insurer_answer_days
"""Working days within which we answer an insurance request (part-2 §9)."""

REPAIR_ANSWER_DAYS = _TERMS.repair_answer_days
"""Working days within which a mechanic answers a request (part-1 §9)."""

SILENCE_WEEKS = _TERMS.silence_weeks
"""Weeks without news after which we advise customers to contact us (part-1 §4, §9)."""

PICK_UP_COST = Decimal("60.00")
"""Euro for picking up a bike and delivering it back; own shops only (part-1 §9)."""

REACH_KM = 50.0
"""Kilometres around a location within which we pick up bikes and send mechanics (part-1 §9)."""

FIRST_SERVICE_MONTHS = _TERMS.first_service_months
FIRST_SERVICE_KM = _TERMS.first_service_km
FURTHER_SERVICE_MONTHS = _TERMS.further_service_months
"""The first service is due after these months or kilometres, whichever comes first; then yearly (part-1 §9)."""

WARRANTY_YEARS = _TERMS.warranty_years
"""Years of warranty after purchase (part-1 §9)."""

WARRANTY_REPAIR_MONTHS = _TERMS.warranty_repair_months
"""Months that a repair under warranty adds to the warranty of a bike, once (Directive 2019/771, article 10)."""

LINK_HOURS = _TERMS.link_hours
"""Hours for which a mailed link is valid to confirm a request or set a password (part-2 §9)."""

WITHDRAWAL_LINK_DAYS = _TERMS.withdrawal_link_days
"""Days for which a mailed link that confirms a withdrawal is valid; more than `WITHDRAWAL_DAYS`."""

BATTERY_LINK_DAYS = _TERMS.battery_link_days
"""Days for which a mailed link about a battery is valid; clearly more than `SEND_BACK_DAYS`."""

CODE_DIGITS = 6
CODE_MINUTES = 10
CODE_TRIES = 5
"""Login code: its length, how long it is valid, and the number of attempts (part-1 §10)."""

CODE_WAIT_SECONDS = 60
CODES_PER_ACCOUNT_HOUR = 5
CODES_PER_ADDRESS_HOUR = 20
"""Limits on mailing codes: the wait after the last one, and the most per hour (part-1 §10)."""

SESSION_HOURS = 12
IDLE_MINUTES = 30
"""Longest duration of a session, and longest time without activity (part-1 §10)."""

PHONE_LINK_MINUTES = 30
"""How long a telephone can add files to a draft with a link (part-1 §12)."""

PASSWORD_LEAST, PASSWORD_MOST = 8, 64
"""Fewest and most characters of a password (part-1 §5)."""

FILE_MEGABYTES = 100
"""Most megabytes per file (part-1 §5)."""

REQUEST_MEGABYTES = 1024
"""Most megabytes for all files of one request (part-1 §12)."""

REPAIR_FILES_LEAST, REPAIR_FILES_MOST = 1, 5
"""Number of photos, videos and documents of a repair request (part-1 §9)."""

CLAIM_FILES_LEAST, CLAIM_FILES_MOST = 1, 10
"""Number of photos and documents of a claim (part-1 §9)."""

PIN_LEAST, PIN_MOST = 4, 8
"""Number of digits of a lock's PIN code (part-1 §5)."""

REPAIR_DETAILS_LEAST = 31
"""Fewest characters of the description of a repair: more than 30 (part-1 §9)."""

REASON_LEAST, REASON_MOST = 30, 1000
"""Characters of a reason or other long text, counted as grapheme clusters (part-2 §5, part-1 §9)."""

OTHER_REASON_LEAST, OTHER_REASON_MOST = 20, 300
"""Characters of the free-text reason in the older return flow (part-2 §5)."""

REMARKS_MOST = 300
"""Most characters of the remarks for the driver (part-2 §5)."""

MILEAGE_DECIMALS = 2
"""Most decimals of a mileage (part-2 §5)."""

UNUSED_KM = _TERMS.unused_km
"""Kilometres above which we ask whether a bike is really unused; a trial ride and the way home stay below."""

TAX_YEARS = 7
"""Years after the end of the financial year for which tax law keeps invoices (article 52 AWR; part-1 §13)."""

REQUEST_YEARS = 2
"""Years after a request was finished for which its answers and files are stored (part-1 §13)."""

MAIL_DAYS = 90
"""Days for which the records of sent mails and text messages are stored; their content is erased at once."""

SESSION_DAYS = 30
"""Days for which a session is stored after its end."""

LINK_DAYS = 30
"""Days for which a mailed link is stored after it expired; until then its page shows the outcome."""

CODE_DAYS = 1
"""Days for which a login code is stored, as a hash."""

IDEMPOTENCY_DAYS = 30
"""Days for which an idempotency key of the back office is stored."""

IMPORT_DAYS = 90
"""Days for which imported records are stored that wait for another one or were rejected."""

EXPORT_DAYS = 7
"""Days for which a customer can download the copy of their data (part-1 §13)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShopTerms:
    """The periods that each shop sets for itself in the database, each from a day on (`tables.terms`).

    Where it has set none, the value of the installation holds. They have the bounds of `Terms`, with what the law asks.
    Texts name them like other terms: pages fill in what holds today for their shop, the provider what holds for the
    customer.
    """

    return_days: int = RETURN_DAYS
    withdrawal_days: int = WITHDRAWAL_DAYS
    insurance_days: int = INSURANCE_DAYS
    warranty_years: int = WARRANTY_YEARS
    warranty_repair_months: int = WARRANTY_REPAIR_MONTHS
    return_answer_days: int = RETURN_ANSWER_DAYS
    insurer_answer_days: int = INSURER_ANSWER_DAYS
    repair_answer_days: int = REPAIR_ANSWER_DAYS

    def longer(self, other: Self) -> Self:
        """Return the longer of each two periods."""
        names = [each.name for each in fields(self)]
        return type(self)(**{name: max(getattr(self, name), getattr(other, name)) for name in names})


OF_SHOPS = frozenset(each.name for each in fields(ShopTerms))


def bounds(name: str) -> tuple[int, int]:
    """Return the least and the most that a term may be, with what the law asks."""
    limits = Terms.model_fields[name].metadata
    least = next(limit.ge for limit in limits if hasattr(limit, "ge"))
    return int(least), int(next(limit.le for limit in limits if hasattr(limit, "le")))


SPELLED = frozenset({"return_answer_days", "insurer_answer_days"})
"""Terms that texts spell out as words: 'two working days'."""

IN_TEXTS: dict[str, int | time] = {
    "return_days": RETURN_DAYS,
    "withdrawal_days": WITHDRAWAL_DAYS,
    "send_back_days": SEND_BACK_DAYS,
    "refund_days": REFUND_DAYS,
    "return_answer_days": RETURN_ANSWER_DAYS,
    "depreciation_percent": DEPRECIATION_PERCENT,
    "date_answer_hours": DATE_ANSWER_HOURS,
    "day_starts": DAY_STARTS,
    "evening_starts": EVENING_STARTS,
    "evening_ends": EVENING_ENDS,
    "insurance_days": INSURANCE_DAYS,
    "insurer_answer_days": INSURER_ANSWER_DAYS,
    "repair_answer_days": REPAIR_ANSWER_DAYS,
    "silence_weeks": SILENCE_WEEKS,
    "first_service_months": FIRST_SERVICE_MONTHS,
    "first_service_km": FIRST_SERVICE_KM,
    "warranty_repair_months": WARRANTY_REPAIR_MONTHS,
    "link_hours": LINK_HOURS,
    "phone_link_minutes": PHONE_LINK_MINUTES,
    "withdrawal_link_days": WITHDRAWAL_LINK_DAYS,
    "battery_link_days": BATTERY_LINK_DAYS,
    "code_digits": CODE_DIGITS,
    "password_least": PASSWORD_LEAST,
    "password_most": PASSWORD_MOST,
    "file_megabytes": FILE_MEGABYTES,
    "repair_files_least": REPAIR_FILES_LEAST,
    "repair_files_most": REPAIR_FILES_MOST,
    "claim_files_least": CLAIM_FILES_LEAST,
    "claim_files_most": CLAIM_FILES_MOST,
    "pin_least": PIN_LEAST,
    "pin_most": PIN_MOST,
    "reason_least": REASON_LEAST,
    "reason_most": REASON_MOST,
    "other_reason_least": OTHER_REASON_LEAST,
    "other_reason_most": OTHER_REASON_MOST,
    "remarks_most": REMARKS_MOST,
    "mileage_decimals": MILEAGE_DECIMALS,
}
"""Terms that texts can name, by the name in braces. Values that a setting can change are not included."""
