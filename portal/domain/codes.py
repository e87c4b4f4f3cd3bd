"""The catalogue of refusals: one code a cause, one text a code (part-1 §8, part-2 §8)."""

from __future__ import annotations

from enum import StrEnum

from portal.domain.marks import N_


class Code(StrEnum):
    """Why an operation was refused. The value travels in the envelope and is what a test provokes."""

    # Login and session
    INVALID_CREDENTIALS = "invalid_credentials"
    INVALID_EMAIL = "invalid_email"
    INVALID_ORDER_ID = "invalid_order_id"
    INVALID_FRAME_NUMBER = "invalid_frame_number"
    INVALID_CODE = "invalid_code"
    CODE_EXPIRED = "code_expired"
    CODE_USED_UP = "code_used_up"
    NO_CHALLENGE = "no_challenge"
    LEASE_ORDER_NOT_ALLOWED = "lease_order_not_allowed"
    NOT_LEASE_ORDER = "not_lease_order"
    OTHER_COUNTRY = "other_country"
    TOO_MANY_REQUESTS = "too_many_requests"
    SESSION_ENDED = "session_ended"
    # Account
    REQUIRED = "required"
    INVALID_POSTCODE = "invalid_postcode"
    INVALID_HOUSE_NUMBER = "invalid_house_number"
    INVALID_PHONE = "invalid_phone"
    INVALID_COUNTRY = "invalid_country"
    TOO_LONG = "too_long"
    SAME_EMAIL = "same_email"
    PDF_FAILED = "pdf_failed"
    # Service
    POSTAL_CODE_NOT_FOUND = "postal_code_not_found"
    # General
    INVALID_INPUT = "invalid_input"
    NOT_FOUND = "not_found"
    NETWORK_ERROR = "network_error"
    GENERAL_ERROR = "general_error"


MESSAGES: dict[Code, str] = {
    # Exact texts of the specification first; the Dutch ones stand in the catalogue, letter for letter.
    Code.INVALID_CREDENTIALS: N_("Invalid order number or email address."),
    Code.INVALID_EMAIL: N_("Invalid email format"),
    Code.INVALID_ORDER_ID: N_("Invalid order id format"),
    Code.INVALID_FRAME_NUMBER: N_("Invalid frame number format"),
    Code.INVALID_CODE: N_("Invalid code"),
    Code.NETWORK_ERROR: N_("There was a network error"),
    Code.GENERAL_ERROR: N_("Network error, please try again later."),
    Code.PDF_FAILED: N_("PDF could not be downloaded."),
    # Own texts.
    Code.CODE_EXPIRED: N_("This login code has expired. Request a new one."),
    Code.CODE_USED_UP: N_("This login code can no longer be used. Request a new one."),
    Code.NO_CHALLENGE: N_("Request a login code in this browser first."),
    Code.LEASE_ORDER_NOT_ALLOWED: N_("You have a lease bike. Arrange everything in the lease portal."),
    Code.NOT_LEASE_ORDER: N_("This is not a lease order. Log in with your order number and email address."),
    Code.OTHER_COUNTRY: N_("This order belongs to our shop in another country. Log in there."),
    Code.TOO_MANY_REQUESTS: N_("You have asked for many codes. Wait a moment before you ask for a new one."),
    Code.SESSION_ENDED: N_("You have been logged out. Log in again to go on."),
    Code.REQUIRED: N_("is required"),
    Code.INVALID_POSTCODE: N_("Enter a valid postcode."),
    Code.INVALID_HOUSE_NUMBER: N_("Enter a house number, like 12. Put letters in the addition."),
    Code.INVALID_PHONE: N_("Enter a valid phone number, like 06 12345678."),
    Code.INVALID_COUNTRY: N_("Choose a country from the list."),
    Code.TOO_LONG: N_("This text is too long."),
    Code.SAME_EMAIL: N_("This is already your email address."),
    Code.POSTAL_CODE_NOT_FOUND: N_("Enter a valid postcode or city."),
    Code.INVALID_INPUT: N_("Not all fields are filled correctly"),
    Code.NOT_FOUND: N_("We could not find this."),
}
