"""The error codes, one per cause, and their texts (part-1 §8, part-2 §8)."""

from __future__ import annotations

from enum import StrEnum

from portal.kernel.texts import N_


class Code(StrEnum):
    """Why an operation was refused. The envelope carries the value."""

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
    NO_COOKIES = "no_cookies"
    SESSION_ENDED = "session_ended"
    MISSING_SCOPE = "missing_scope"
    # Account
    REQUIRED = "required"
    INVALID_POSTCODE = "invalid_postcode"
    INVALID_HOUSE_NUMBER = "invalid_house_number"
    INVALID_PHONE = "invalid_phone"
    INVALID_COUNTRY = "invalid_country"
    TOO_LONG = "too_long"
    SAME_EMAIL = "same_email"
    PDF_FAILED = "pdf_failed"
    CALENDAR_FAILED = "calendar_failed"
    # Flows
    TOO_SHORT = "too_short"
    INVALID_CHOICE = "invalid_choice"
    INVALID_NUMBER = "invalid_number"
    INVALID_MONTH = "invalid_month"
    INVALID_YEAR = "invalid_year"
    DATE_IN_FUTURE = "date_in_future"
    DATE_BEFORE_BIKE = "date_before_bike"
    USED_DISTANCE = "used_distance"
    INVALID_IBAN = "invalid_iban"
    INVALID_POLICY_NUMBER = "invalid_policy_number"
    INVALID_PIN_CODE = "invalid_pin_code"
    WRONG_PIN_CODE = "wrong_pin_code"
    DRAFT_CHANGED = "draft_changed"
    DRAFT_SENT = "draft_sent"
    STEP_NOT_OPEN = "step_not_open"
    STATUS_NOT_ALLOWED = "status_not_allowed"
    STATUS_CHANGED = "status_changed"
    IDEMPOTENCY_KEY_REUSED = "idempotency_key_reused"
    INVALID_URL = "invalid_url"
    NOTHING_TO_EXPORT = "nothing_to_export"
    REFUND_EXPORTED = "refund_exported"
    SECOND_PERSON_REQUIRED = "second_person_required"
    FRAME_NUMBER_UNKNOWN = "frame_number_unknown"
    OPEN_WORK_ORDER_EXISTS = "open_work_order_exists"
    # Repair (part-1 §8); the codes about a link and its state come only from other providers
    MISSING_REPAIR_HASH = "missing_repair_hash"
    MISSING_REPAIR_FILES = "missing_repair_files"
    REPAIR_REQUEST_INVALID_HASH = "repair_request_invalid_hash"
    REPAIR_REQUEST_INVALID_STATUS = "repair_request_invalid_status"
    EXPIRED_REPAIR_REQUEST = "expired_repair_request"
    REPAIR_REQUEST_LINE_NOT_REPAIRABLE = "repair_request_line_not_repairable"
    MISSING_REPAIR_ORDER_LINE_ID = "missing_repair_order_line_id"
    MISSING_REPAIR_LAST_MAINTENANCE_DATE = "missing_repair_last_maintenance_date"
    MISSING_REPAIR_DETAILS = "missing_repair_details"
    INVALID_REPAIR_LAST_MAINTENANCE_DATE = "invalid_repair_last_maintenance_date"
    REPAIR_REQUEST_LINE_NOT_FOUND = "repair_request_line_not_found"
    # Files (part-1 §8, then codes of this portal)
    FILE_PARAMS_MISSING = "file_params_missing"
    UNRESOLVED_FILES = "unresolved_files"
    MAX_UPLOAD_SIZE_REACHED = "max_upload_size_reached"
    MAX_UPLOAD_FILE_COUNT_REACHED = "max_upload_file_count_reached"
    MISSING_REPAIR_UPLOADED_FILES = "missing_repair_uploaded_files"
    REPAIR_REQUEST_INVALID_UPLOADED_FILES = "repair_request_invalid_uploaded_files"
    TOO_FEW_FILES = "too_few_files"
    PHOTO_REQUIRED = "photo_required"
    UPLOAD_FAILED = "upload_failed"
    UPLOAD_QUOTA_REACHED = "upload_quota_reached"
    UPLOADS_TOO_MANY_AT_ONCE = "uploads_too_many_at_once"
    FILE_EMPTY = "file_empty"
    FILE_NOT_ALLOWED = "file_not_allowed"
    FILE_DAMAGED = "file_damaged"
    FILE_TOO_DETAILED = "file_too_detailed"
    FILE_PROTECTED = "file_protected"
    # Service
    COMBINATION_ORDER_LINE_FRAME_NR_NOT_VALID = "combination_order_line_frame_nr_not_valid"
    SERVICE_REQUEST_NOT_VALID = "service_request_not_valid"
    POSTAL_CODE_NOT_FOUND = "postal_code_not_found"
    # Delivery and its date
    NO_DELIVERY_OPTIONS = "no_delivery_options"
    ORDER_STATUS_FAILED = "order_status_failed"
    ALREADY_HANDED_OVER = "already_handed_over"
    ORDER_CANCELLED = "order_cancelled"
    ORDER_REFUNDED = "order_refunded"
    COLLECTED_IN_STORE = "collected_in_store"
    DELIVERY_FAILED = "delivery_failed"
    DELIVERY_NOT_PLANNED = "delivery_not_planned"
    DATE_CHANGE_NOT_OFFERED = "date_change_not_offered"
    DATE_CHANGE_PENDING = "date_change_pending"
    DATE_CHANGE_FAILED = "date_change_failed"
    DELIVERY_DAY_TAKEN = "delivery_day_taken"
    SAME_DELIVERY_DAY = "same_delivery_day"
    # Insurance
    INSURANCE_OPTIONS_FAILED = "insurance_options_failed"
    INSURANCE_EXISTS = "insurance_exists"
    INSURANCE_REQUEST_EXISTS = "insurance_request_exists"
    INSURANCE_TERM_OVER = "insurance_term_over"
    INVALID_KEY_NUMBER = "invalid_key_number"
    MISSING_INSURANCE_BIKE = "missing_insurance_bike"
    MISSING_INSURANCE = "missing_insurance"
    MISSING_IBAN = "missing_iban"
    # Service packages and bikes
    PACKAGE_EXISTS = "package_exists"
    MISSING_PACKAGE = "missing_package"
    MILEAGE_LOWER = "mileage_lower"
    # Recalls
    REMEDY_CHOSEN = "remedy_chosen"
    # Staff
    SIGN_ON_FAILED = "sign_on_failed"
    SIGN_ON_REFUSED = "sign_on_refused"
    EMAIL_TAKEN = "email_taken"
    LAST_ADMINISTRATOR = "last_administrator"
    READ_ONLY = "read_only"
    # Privacy
    ERASURE_NOT_POSSIBLE = "erasure_not_possible"
    # Passwords
    USER_HASH_EXPIRED = "user_hash_expired"
    HASH_NOT_FOUND = "hash_not_found"
    INVALID_PASSWORD = "invalid_password"  # noqa: S105 - a code
    PASSWORDS_DIFFER = "passwords_differ"
    WRONG_PASSWORD = "wrong_password"  # noqa: S105 - a code
    # Passkeys; the browser itself says that it was given none
    INVALID_PASSKEY = "invalid_passkey"
    PASSKEY_EXPIRED = "passkey_expired"
    PASSKEY_CANCELLED = "passkey_cancelled"
    PASSKEY_EXISTS = "passkey_exists"
    TOO_MANY_PASSKEYS = "too_many_passkeys"
    # Returns (part-2 §8)
    ORDER_NOT_SHIPPED = "order_not_shipped"
    OLDER_THAN_100_DAYS = "older_than_100_days"
    RETURN_REQUEST_EXISTS = "return_request_exists"
    RETURN_REQUEST_ALREADY_EXISTS = "return_request_already_exists"
    MULTIPLE_ENTRIES = "multiple_entries"
    NOTHING_FOUND = "nothing_found"
    ITEM_RETURN_DOES_NOT_EXIST = "item_return_does_not_exist"
    ORDER_ID_NOT_FOUND = "order_id_not_found"
    MISSING_ITEM = "missing_item"
    INVALID_ORDER = "invalid_order"
    INVALID_TIME = "invalid_itme"
    MISSING_EMAIL_ADDRESS = "missing_email_address"
    MISSING_ID_PARAM = "missing_id_param"
    MISSING_PICKUP_ADDRESS = "missing_pickup_address"
    MISSING_PICKUP_DATE = "missing_pickup_date"
    ALREADY_RETURNED = "already_returned"
    BIKE_GOING_BACK = "bike_going_back"
    RETURN_NOT_CANCELLABLE = "return_not_cancellable"
    RETURN_WITHOUT_LABEL = "return_without_label"
    AMOUNTS_CHANGED = "amounts_changed"
    PRODUCT_GONE = "product_gone"
    WITHDRAWAL_PERIOD_OVER = "withdrawal_period_over"
    # Contracts
    CONTRACT_NOT_FOUND = "contract_not_found"
    # Conversations
    CASE_CLOSED = "case_closed"
    CUSTOMER_UNREACHABLE = "customer_unreachable"
    ANSWER_EXPIRED = "answer_expired"
    UNKNOWN_PLACEHOLDER = "unknown_placeholder"
    # Links in mails
    MISSING_HASH = "missing_hash"
    INVALID_HASH = "invalid_hash"
    LINK_USED = "link_used"
    MAIL_SENT_RECENTLY = "mail_sent_recently"
    EMAIL_FAILED = "email_failed"
    LOCATION_OUT_OF_REACH = "location_out_of_reach"
    LOCATION_CLOSED = "location_closed"
    LOCATION_ON_VACATION = "location_on_vacation"
    # General
    INVALID_INPUT = "invalid_input"
    NOT_FOUND = "not_found"
    NETWORK_ERROR = "network_error"
    GENERAL_ERROR = "general_error"


STAFF_ONLY = frozenset(
    {
        Code.SIGN_ON_FAILED,
        Code.SIGN_ON_REFUSED,
        Code.EMAIL_TAKEN,
        Code.LAST_ADMINISTRATOR,
        Code.NOTHING_TO_EXPORT,
        Code.SECOND_PERSON_REQUIRED,
        Code.INVALID_URL,
        Code.CUSTOMER_UNREACHABLE,
        Code.UNKNOWN_PLACEHOLDER,
        Code.IDEMPOTENCY_KEY_REUSED,
    }
)
"""Codes that only operations for staff answer; customers' pages do not carry their texts."""

MESSAGES: dict[Code, str] = {
    # Texts from the requirements; the catalogue has the Dutch texts word for word.
    Code.INVALID_CREDENTIALS: N_("Invalid order number or email address."),
    Code.INVALID_EMAIL: N_("Invalid email format"),
    Code.INVALID_ORDER_ID: N_("Invalid order id format"),
    Code.INVALID_FRAME_NUMBER: N_("Invalid frame number format"),
    Code.INVALID_CODE: N_("Invalid code"),
    Code.NETWORK_ERROR: N_("There was a network error"),
    Code.GENERAL_ERROR: N_("Network error, please try again later."),
    Code.PDF_FAILED: N_("PDF could not be downloaded."),
    Code.INVALID_NUMBER: N_("Please enter a valid numerical value."),
    Code.MISSING_HASH: N_("Invalid redirect. Please contact our customer support."),
    Code.INVALID_HASH: N_("Invalid redirect. Please contact our customer support."),
    # Texts that the requirements do not give.
    Code.REMEDY_CHOSEN: N_("You’ve already chosen. Contact us if you’d like something else."),
    Code.SIGN_ON_FAILED: N_("Logging in failed. Try again."),
    Code.SIGN_ON_REFUSED: N_("You don’t have access here. Ask your administrator to add you."),
    Code.EMAIL_TAKEN: N_("Someone else already has this email address."),
    Code.LAST_ADMINISTRATOR: N_("Make someone else administrator first."),
    Code.READ_ONLY: N_("Only the customer can do this."),
    Code.ERASURE_NOT_POSSIBLE: N_("Something is not finished yet, so we still need your data."),
    Code.CODE_EXPIRED: N_("This login code has expired. Request a new one."),
    Code.CODE_USED_UP: N_("This login code no longer works. Request a new one."),
    Code.NO_CHALLENGE: N_("Request a login code in this browser first."),
    Code.LEASE_ORDER_NOT_ALLOWED: N_("You have a lease bike. Arrange everything in the lease portal."),
    Code.NOT_LEASE_ORDER: N_("This is not a lease order. Log in with your order number and email address."),
    Code.OTHER_COUNTRY: N_("This order belongs to our shop in another country. Log in there."),
    Code.TOO_MANY_REQUESTS: N_("You’ve only just asked for this. Wait a moment before you ask again."),
    Code.NO_COOKIES: N_("Your browser doesn’t keep cookies; allow them for this site to log in."),
    Code.MISSING_SCOPE: N_("This key may not do this."),
    Code.SESSION_ENDED: N_("You’ve been logged out. Log in again to carry on."),
    Code.REQUIRED: N_("is required"),
    Code.INVALID_POSTCODE: N_("Enter a valid postcode."),
    Code.INVALID_HOUSE_NUMBER: N_("Enter a house number, for example 12. Letters go into the next field."),
    Code.INVALID_PHONE: N_("Enter a valid phone number, for example 06 12345678."),
    Code.INVALID_COUNTRY: N_("Choose a country from the list."),
    Code.TOO_LONG: N_("This text is too long."),
    Code.CALENDAR_FAILED: N_("The appointment couldn’t be downloaded."),
    Code.SAME_EMAIL: N_("This is already your email address."),
    Code.TOO_SHORT: N_("This text is too short."),
    Code.INVALID_CHOICE: N_("Choose one of the options."),
    Code.INVALID_MONTH: N_("Enter a month, for example 3 or March."),
    Code.INVALID_YEAR: N_("Enter a year with four digits, for example 2026."),
    Code.DATE_IN_FUTURE: N_("This date is in the future."),
    Code.DATE_BEFORE_BIKE: N_("You didn’t have this bike yet. Enter a later month."),
    Code.USED_DISTANCE: N_("Unused, with this mileage? Change its condition, or correct the mileage."),
    Code.INVALID_IBAN: N_("Enter a valid IBAN, for example NL91 ABNA 0417 1643 00."),
    Code.INVALID_POLICY_NUMBER: N_("Enter the number as it appears on your policy, for example P123456789."),
    Code.INVALID_PIN_CODE: N_("Enter the pin code of the lock, {pin_least} to {pin_most} digits."),
    Code.WRONG_PIN_CODE: N_("This is not the pin code of this bike."),
    Code.DRAFT_CHANGED: N_("This request was changed in another tab"),
    Code.DRAFT_SENT: N_("This request has already been sent"),
    Code.STEP_NOT_OPEN: N_("An earlier step has not been answered yet."),
    Code.STATUS_CHANGED: N_("Someone else changed this in the meantime."),
    Code.NOTHING_TO_EXPORT: N_("There is nothing to export."),
    Code.REFUND_EXPORTED: N_("This refund is already on its way. Its account can no longer be changed."),
    Code.SECOND_PERSON_REQUIRED: N_(
        "A second person has to confirm this refund first: not whoever closed the return or entered the account."
    ),
    Code.INVALID_URL: N_("Enter an address that starts with https:// and can be reached from the internet."),
    Code.IDEMPOTENCY_KEY_REUSED: N_("This idempotency key was already used for another change."),
    Code.FRAME_NUMBER_UNKNOWN: N_("First enter the frame number on the page of your bike."),
    Code.OPEN_WORK_ORDER_EXISTS: N_(
        "There is already an open request for this bike. Contact us if you want to change something."
    ),
    Code.MISSING_REPAIR_HASH: N_("We don’t recognise this request. Start again from your overview."),
    Code.MISSING_REPAIR_FILES: N_("The files of this request are missing. Add them again."),
    Code.REPAIR_REQUEST_INVALID_HASH: N_("This request does not belong to you. Start again from your overview."),
    Code.REPAIR_REQUEST_INVALID_STATUS: N_("This request can no longer be changed. Contact us if something is wrong."),
    Code.EXPIRED_REPAIR_REQUEST: N_("This request has expired. Start a new one."),
    Code.REPAIR_REQUEST_LINE_NOT_REPAIRABLE: N_(
        "You returned this bike, or its order was cancelled. Contact us if you have a question about it."
    ),
    Code.MISSING_REPAIR_ORDER_LINE_ID: N_("Choose the bike that needs a repair."),
    Code.MISSING_REPAIR_LAST_MAINTENANCE_DATE: N_("Tell us when your bike was last serviced."),
    Code.MISSING_REPAIR_DETAILS: N_("Choose what’s broken and describe it."),
    Code.INVALID_REPAIR_LAST_MAINTENANCE_DATE: N_("Check when your bike was last serviced."),
    Code.REPAIR_REQUEST_LINE_NOT_FOUND: N_("We can’t find this bike in your account."),
    Code.COMBINATION_ORDER_LINE_FRAME_NR_NOT_VALID: N_(
        "The frame number of this bike does not belong to your order. Contact us and we’ll correct it."
    ),
    Code.SERVICE_REQUEST_NOT_VALID: N_("A service or price has changed. Check your choice and the costs."),
    Code.UPLOAD_FAILED: N_("Something went wrong while uploading."),
    Code.FILE_PARAMS_MISSING: N_("Something went wrong while uploading."),
    Code.UNRESOLVED_FILES: N_("A file is no longer there. Check the list and upload it again."),
    Code.MAX_UPLOAD_SIZE_REACHED: N_("This file is too large. Files can be up to {file_megabytes} MB."),
    Code.MAX_UPLOAD_FILE_COUNT_REACHED: N_("You’ve uploaded as many files as you can."),
    Code.MISSING_REPAIR_UPLOADED_FILES: N_("Add a photo or video of the damage."),
    Code.REPAIR_REQUEST_INVALID_UPLOADED_FILES: N_("Check your photos and videos."),
    Code.TOO_FEW_FILES: N_("Add more files."),
    Code.PHOTO_REQUIRED: N_("Add at least one photo."),
    Code.UPLOAD_QUOTA_REACHED: N_("There is no room left for this file. Remove another file first."),
    Code.UPLOADS_TOO_MANY_AT_ONCE: N_("Too many files are being uploaded at once. Wait a moment and try again."),
    Code.FILE_EMPTY: N_("This file is empty."),
    Code.FILE_NOT_ALLOWED: N_("We can’t use this kind of file."),
    Code.FILE_DAMAGED: N_("This file is damaged or incomplete."),
    Code.FILE_TOO_DETAILED: N_("This photo has too many pixels. Make it smaller and try again."),
    Code.FILE_PROTECTED: N_("This PDF is locked with a password or contains programs. Save it as an ordinary PDF."),
    Code.POSTAL_CODE_NOT_FOUND: N_("Enter a valid postcode or city."),
    Code.ORDER_STATUS_FAILED: N_("We couldn’t load the status of your order."),
    Code.ALREADY_HANDED_OVER: N_(
        "Your order is already with the carrier or delivered, so the day can no longer be changed."
    ),
    Code.ORDER_CANCELLED: N_("This order was cancelled. Contact us if you have a question about it."),
    Code.ORDER_REFUNDED: N_("We’ve refunded this order, so there is nothing to return."),
    Code.COLLECTED_IN_STORE: N_("You’re collecting this order from the store, so it has no delivery day."),
    Code.DELIVERY_FAILED: N_("We couldn’t deliver your order. Contact us to plan a new delivery."),
    Code.DELIVERY_NOT_PLANNED: N_("No delivery day is planned yet. As soon as there is one, you can change it."),
    Code.DATE_CHANGE_NOT_OFFERED: N_("You can’t change the delivery day of this order here. Contact us."),
    Code.DATE_CHANGE_PENDING: N_("You’ve already asked for another delivery day. Wait until that is settled."),
    Code.DATE_CHANGE_FAILED: N_("The delivery day couldn’t be changed."),
    Code.DELIVERY_DAY_TAKEN: N_("This day is no longer available. Choose another day."),
    Code.SAME_DELIVERY_DAY: N_("Your order is already planned for this day. Choose another day."),
    Code.INSURANCE_OPTIONS_FAILED: N_("We could not load your insurance options"),
    Code.INSURANCE_EXISTS: N_("Your bike is already insured with us."),
    Code.INSURANCE_REQUEST_EXISTS: N_("Insurance for this bike has already been requested."),
    Code.INSURANCE_TERM_OVER: N_("You can insure a bike up to {insurance_days} days after buying it."),
    Code.INVALID_KEY_NUMBER: N_("Enter the number on your key, for example B12345."),
    Code.MISSING_INSURANCE_BIKE: N_("Choose the bike you want to insure."),
    Code.MISSING_INSURANCE: N_("Choose your insurance."),
    Code.MISSING_IBAN: N_("Enter the IBAN you want to pay the premium from."),
    Code.PACKAGE_EXISTS: N_("Your bike already has a service package. Contact us if you want another one."),
    Code.MISSING_PACKAGE: N_("Choose a service package."),
    Code.MILEAGE_LOWER: N_("This is less than the mileage we know. Check it, or confirm that it’s right."),
    Code.USER_HASH_EXPIRED: N_("This link has expired. Request a new one."),
    Code.HASH_NOT_FOUND: N_("This link is not valid. Request a new one."),
    Code.INVALID_PASSWORD: N_("This password does not meet all the rules."),
    Code.PASSWORDS_DIFFER: N_("The passwords are not the same."),
    Code.WRONG_PASSWORD: N_("The order number, email address or password is wrong."),
    Code.INVALID_PASSKEY: N_("This passkey doesn’t work here."),
    Code.PASSKEY_EXPIRED: N_("That took too long. Try again."),
    Code.PASSKEY_CANCELLED: N_("No passkey was chosen."),
    Code.PASSKEY_EXISTS: N_("This device already has a passkey for your account."),
    Code.TOO_MANY_PASSKEYS: N_("You can’t add any more passkeys. Remove one first."),
    Code.STATUS_NOT_ALLOWED: N_("This status can’t follow the current one."),
    Code.ORDER_NOT_SHIPPED: N_("This has not been shipped yet. You can return it once you’ve received it."),
    Code.OLDER_THAN_100_DAYS: N_("This was shipped more than {return_days} days ago and can no longer be returned."),
    Code.RETURN_REQUEST_EXISTS: N_("There is already a request for this. Check your returns to see how it’s going."),
    Code.RETURN_REQUEST_ALREADY_EXISTS: N_(
        "A return for this has already been requested. It can’t be requested twice."
    ),
    Code.MULTIPLE_ENTRIES: N_("You can’t return anything from this order online. Contact customer service."),
    Code.NOTHING_FOUND: N_("We found nothing you can return."),
    Code.ITEM_RETURN_DOES_NOT_EXIST: N_("We can’t find this return."),
    Code.ORDER_ID_NOT_FOUND: N_("We can’t find this order."),
    Code.MISSING_ITEM: N_("Choose what you want to return."),
    Code.INVALID_ORDER: N_("Choose an order from the list."),
    Code.INVALID_TIME: N_("This day is no longer available. Choose another one."),
    Code.MISSING_EMAIL_ADDRESS: N_("Enter the email address of your order."),
    Code.MISSING_ID_PARAM: N_("This link is not complete. Open your return from the list of your returns."),
    Code.MISSING_PICKUP_ADDRESS: N_("Enter the address where we can pick it up."),
    Code.MISSING_PICKUP_DATE: N_("Choose a day for the pick-up."),
    Code.ALREADY_RETURNED: N_("You’ve already returned this."),
    Code.BIKE_GOING_BACK: N_(
        "This bike is going back to us, so nothing new can start for it. Do you want to keep it? "
        "Cancel your return first."
    ),
    Code.RETURN_NOT_CANCELLABLE: N_("This is already on its way and can no longer be cancelled."),
    Code.RETURN_WITHOUT_LABEL: N_("There is no label for this."),
    Code.AMOUNTS_CHANGED: N_("An amount has changed since you saw it. Check the amounts and send it again."),
    Code.PRODUCT_GONE: N_("This item has sold out. Choose another one."),
    Code.CONTRACT_NOT_FOUND: N_("We can’t find an active contract with this number and address."),
    Code.WITHDRAWAL_PERIOD_OVER: N_(
        "The {withdrawal_days} days in which you could withdraw have passed. You may still be able to return it."
    ),
    Code.CASE_CLOSED: N_("This request is finished."),
    Code.CUSTOMER_UNREACHABLE: N_("This case has no customer account, so no one would read a message."),
    Code.ANSWER_EXPIRED: N_("Start your answer again."),
    Code.UNKNOWN_PLACEHOLDER: N_("This text contains a field that does not exist."),
    Code.LINK_USED: N_("This request has already been confirmed."),
    Code.MAIL_SENT_RECENTLY: N_("We’ve just sent you an email. Wait a moment before you ask for another one."),
    Code.EMAIL_FAILED: N_("We couldn’t send the email. Your request is safe: have the email sent again."),
    Code.NO_DELIVERY_OPTIONS: N_("There are no delivery options at the moment. Try again in an hour."),
    Code.LOCATION_OUT_OF_REACH: N_("This location can’t pick up your bike at your address. Choose another one."),
    Code.LOCATION_CLOSED: N_("This location is no longer taking bikes. Choose another one."),
    Code.LOCATION_ON_VACATION: N_("This location is on holiday when it’s your turn. Choose another one."),
    Code.INVALID_INPUT: N_("Not all fields are filled correctly"),
    Code.NOT_FOUND: N_("We couldn’t find this."),
}
