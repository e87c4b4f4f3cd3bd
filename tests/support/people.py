"""Customers of the demonstration shop, by order number and e-mail address."""

from portal.vocabulary.deliveries import DeliveryStatus

SANNE = ("900000001", "sanne@example.com")
JORIS = ("900000002", "joris@example.com")
AMBER = ("900000003", "amber@example.com")
PIETER = ("900000004", "pieter@example.org")
NOOR = ("900000005", "noor@example.com")
LEASE = ("900000006", "lease@example.com")
LARS = ("900000007", "lars@example.net")
EVA = ("900000008", "eva@example.com")
MAX = ("900000009", "max@example.com")
ROOS = ("900000721", "roos@example.com")
TESS = ("900000741", "tess@example.com")
DAAN = ("900000071", "daan@example.com")
FLEUR = ("900000081", "fleur@example.com")
BRAM = ("900000701", "bram@example.com")

ORDERS_OF_BRAM = {
    str(number): status
    for number, status in enumerate(DeliveryStatus, start=900_000_701)
    if status is not DeliveryStatus.UNKNOWN
}
"""An order in each delivery status, by number."""
