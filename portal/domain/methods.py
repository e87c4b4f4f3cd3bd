"""How an order is paid, delivered and insured. Names of a retailer that are not listed are shown as they are."""

from __future__ import annotations

from portal.domain.marks import N_

PAYMENT_METHODS: dict[str, str] = {
    "ideal": N_("iDEAL"),
    "bancontact": N_("Bancontact"),
    "credit_card": N_("Credit card"),
    "bank_transfer": N_("Bank transfer"),
    "pay_later": N_("Pay later"),
    "lease_company": N_("Lease company"),
}

STORE_PICKUP = "store_pickup"
"""The customer comes to the store."""
DELIVERY_METHODS: dict[str, str] = {
    "home_ready_to_ride": N_("Delivered to your home, ready to ride"),
    "parcel": N_("Parcel"),
    STORE_PICKUP: N_("Collect from the store"),
}

INSURANCES: dict[str, str] = {
    "theft": N_("Theft"),
    "theft_and_damage": N_("Theft and damage"),
}
"""What an insurance covers (part-2 §3)."""
