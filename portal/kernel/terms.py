"""Terms and limits of the retailer, each defined once with its unit.

Rules compute with them, settings take them as their defaults, and sentences name them in braces ("within {link_hours}
hours"): the catalogues fill in the value, so that a term is changed in one line. A name in capitals that stands in
`IN_TEXTS` can be used in every sentence, in small letters.
"""

from __future__ import annotations

from datetime import time
from decimal import Decimal

RETURN_DAYS = 100
"""Days after shipping in which a return is accepted; the last one counts until 24:00 in Amsterdam (part-2 §9)."""

WITHDRAWAL_DAYS = 14
"""Days after delivery in which a purchase can be withdrawn from; the last one likewise (Directive 2023/2673)."""

SEND_BACK_DAYS = 14
"""Days after a withdrawal in which the goods are sent back (Directive 2023/2673)."""

REFUND_DAYS = 14
"""Days after a return was processed, or a withdrawal was declared, in which is refunded (part-2 §9)."""

RETURN_ANSWER_DAYS = 2
"""Working days in which customers hear about a return (part-2 §9)."""

DEPRECIATION_PERCENT = 25
"""Per cent taken off what shows signs of use (part-2 §9)."""

RETURN_PICK_UP_COST = Decimal("39.95")
"""Euro for fetching a return from home, once per request (part-2 §9)."""

DATE_ANSWER_HOURS = 48
"""Hours in which another delivery day is answered, after the customer confirmed it (part-2 §9)."""

HANDLING_DAYS = 1
"""Working days we need beside the next one before a van comes (part-2 §5)."""

DELIVERY_DAYS = 28
"""To how many days, from the first possible one on, a delivery can be moved (part-2 §9)."""

DELIVERY_PLACES = 12
"""How many deliveries can be moved to one day of a country (part-2 §9)."""

DAY_STARTS, EVENING_STARTS, EVENING_ENDS = time(9), time(17, 30), time(20)
"""Local times: the van drives from the first to the last, the evening begins in between (part-2 §9)."""

INSURANCE_DAYS = 14
"""Days after purchase in which insurance is offered (part-2 §9)."""

INSURER_ANSWER_DAYS = 2
"""Working days in which customers hear about an insurance (part-2 §9)."""

REPAIR_ANSWER_DAYS = 3
"""Working days in which a mechanic answers a request (part-1 §9)."""

SILENCE_WEEKS = 3
"""Weeks without news, after which a customer is told to ask (part-1 §4, §9)."""

PICK_UP_COST = Decimal("60.00")
"""Euro for picking a bike up and delivering it, own shops only (part-1 §9)."""

REACH_KM = 50.0
"""Kilometres around a location within which bikes are picked up and mechanics come (part-1 §9)."""

FIRST_SERVICE_MONTHS = 5

FIRST_SERVICE_KM = 500

FURTHER_SERVICE_MONTHS = 12
"""The first service within so many months or kilometres, whichever comes first; then yearly (part-1 §9)."""

WARRANTY_YEARS = 2
"""Years of warranty after purchase (part-1 §9)."""

LINK_HOURS = 24
"""Hours in which a mailed link confirms something, or sets a password (part-2 §9)."""

BATTERY_LINK_DAYS = 30
"""Days in which a mailed link asks about a battery: well beyond `SEND_BACK_DAYS`."""

CODE_DIGITS = 6

CODE_MINUTES = 10

CODE_TRIES = 5
"""A login code: its length, how long it works, how often it may be typed (part-1 §10)."""

CODE_WAIT_SECONDS = 60

CODES_PER_ACCOUNT_HOUR = 5

CODES_PER_ADDRESS_HOUR = 20
"""How often a code is mailed: so long after the one before, and so often an hour (part-1 §10)."""

SESSION_HOURS = 12

IDLE_MINUTES = 30
"""How long a session lasts in any case, and without use (part-1 §10)."""

PASSWORD_LEAST, PASSWORD_MOST = 8, 64
"""Characters of a password (part-1 §5)."""

FILE_MEGABYTES = 100
"""Megabytes of one file (part-1 §5)."""

REQUEST_MEGABYTES = 1024
"""Megabytes of all files of one request (part-1 §12)."""

REPAIR_FILES_LEAST, REPAIR_FILES_MOST = 1, 5
"""Photos, videos and papers of a repair (part-1 §9)."""

CLAIM_FILES_LEAST, CLAIM_FILES_MOST = 1, 10
"""Photos and papers of a claim (part-1 §9)."""

PIN_LEAST, PIN_MOST = 4, 8
"""Digits of the pin code of a lock (part-1 §5)."""

REPAIR_DETAILS_LEAST = 31
"""Characters: a repair is described in more than 30 (part-1 §9)."""

REASON_LEAST, REASON_MOST = 30, 1000
"""Characters of a reason, and of any other story; counted as a person sees them (part-2 §5, part-1 §9)."""

OTHER_REASON_LEAST, OTHER_REASON_MOST = 20, 300
"""Characters of a reason that is not on the list of the older return (part-2 §5)."""

REMARKS_MOST = 300
"""Characters for the driver (part-2 §5)."""

MILEAGE_DECIMALS = 2
"""Decimals of a mileage (part-2 §5)."""

SPELLED = frozenset({"return_answer_days", "insurer_answer_days"})
"""Terms that sentences write as words: 'two working days'."""

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
"""What sentences may name, by the name in braces. A value that a setting can change does not stand here."""
