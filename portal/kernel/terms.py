"""Terms and limits of the retailer, each defined once with its unit.

Rules compute with them and settings use them as defaults. Texts name them in braces ("within {link_hours} hours") and
the catalogues fill in the value, so changing a term changes one line. `IN_TEXTS` lists the terms that texts can name.
"""

from __future__ import annotations

from datetime import time
from decimal import Decimal

RETURN_DAYS = 100
"""Days after shipping within which a return is accepted; the last day ends at 24:00 in Amsterdam (part-2 §9)."""

WITHDRAWAL_DAYS = 14
"""Days after delivery within which a customer can withdraw; the last day ends likewise (Directive 2023/2673)."""

CONTRACT_NOTICE_MONTHS = 1
"""Months of notice with which a service package or an insurance is cancelled; the law allows no more."""

SEND_BACK_DAYS = 14
"""Days after a withdrawal within which the customer sends the goods back (Directive 2023/2673)."""

REFUND_DAYS = 14
"""Days after processing a return, or after a withdrawal, within which we refund the customer (part-2 §9)."""

RETURN_ANSWER_DAYS = 2
"""Working days within which we answer a return request (part-2 §9)."""

DEPRECIATION_PERCENT = 25
"""Percentage deducted for items that show signs of use (part-2 §9)."""

RETURN_PICK_UP_COST = Decimal("39.95")
"""Euro for picking up a return at home, once per request (part-2 §9)."""

DATE_ANSWER_HOURS = 48
"""Hours after the customer's confirmation within which we answer a request for another delivery day (part-2 §9)."""

HANDLING_DAYS = 1
"""Working days of preparation before a van can come, in addition to the next one (part-2 §5)."""

DELIVERY_DAYS = 28
"""Number of days, from the first possible one, to which a delivery can be moved (part-2 §9)."""

DELIVERY_PLACES = 12
"""Number of deliveries that can be moved to one day, per country (part-2 §9)."""

DAY_STARTS, EVENING_STARTS, EVENING_ENDS = time(9), time(17, 30), time(20)
"""Local times: start of deliveries, start of the evening window, end of deliveries (part-2 §9)."""

INSURANCE_DAYS = 14
"""Days after purchase within which we offer insurance (part-2 §9)."""

INSURER_ANSWER_DAYS = 2
"""Working days within which we answer an insurance request (part-2 §9)."""

REPAIR_ANSWER_DAYS = 3
"""Working days within which a mechanic answers a request (part-1 §9)."""

SILENCE_WEEKS = 3
"""Weeks without news after which we advise customers to contact us (part-1 §4, §9)."""

PICK_UP_COST = Decimal("60.00")
"""Euro for picking up a bike and delivering it back; own shops only (part-1 §9)."""

REACH_KM = 50.0
"""Kilometres around a location within which we pick up bikes and send mechanics (part-1 §9)."""

FIRST_SERVICE_MONTHS = 5
FIRST_SERVICE_KM = 500
FURTHER_SERVICE_MONTHS = 12
"""The first service is due after these months or kilometres, whichever comes first; then yearly (part-1 §9)."""

WARRANTY_YEARS = 2
"""Years of warranty after purchase (part-1 §9)."""

LINK_HOURS = 24
"""Hours for which a mailed link is valid to confirm a request or set a password (part-2 §9)."""

WITHDRAWAL_LINK_DAYS = 30
"""Days for which a mailed link that confirms a withdrawal is valid; clearly more than `WITHDRAWAL_DAYS`."""

BATTERY_LINK_DAYS = 30
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
    "link_hours": LINK_HOURS,
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
