"""What the mails need to be written, for tests of what all of them have in common."""

from __future__ import annotations

from typing import Any

from portal.backend.mail import Template

VALUES: dict[str, Any] = {
    "code": "042137",
    "device": "Windows Hello",
    "new_email": "sanne@example.org",
    "path": "/order-return/confirm",
    "until": "4 januari 2027",
    "reference": "ABCD2345",
    "order_number": "900000001",
    "lines": ["1 × Fietstas"],
    "battery_first": "€",
    "department": ["Utrecht"],
    "return_id": "ABCDEFGH23",
    "amounts": [["€", "€ 1"]],
    "total": ["€", "€ 2"],
    "besides": [["€", "€ 4"]],
    "money_note": "Later.",
    "steps": ["We nemen contact met je op."],
    "slip": False,
    "subject": "Retour: Fietstas · Ontvangen",
    "title": "Retour: Fietstas",
    "phones": ["+31 6 12345678"],
    "customer_email": "sanne@example.com",
    "has_battery": True,
    "way": ["Utrecht"],
    "instructions": [],
    "battery": "€",
    "name": "Sanne",
    "day": "3",
    "time": "12:00",
    "kind": "Reparatie",
    "exchange": False,
    "bike": "Duinroos Zilt Comfort",
    "bike_id": "K7M3P9RTAB",
    "document_id": "D7M3P9RTAB",
    "request_page": "/requests/ABCD2345",
    "status": "Wacht op onderdelen",
    "meaning": "We wachten op onderdelen.",
    "note": "De cassette is besteld.",
    "planned": "4 januari 2027",
    "partner": "Bovenbuis Amsterdam",
    "partner_phone": "+31 20 200 1236",
    "account": {
        "subject": "Sanne · Wacht op onderdelen",
        "title": "Sanne",
        "status": "Wacht op onderdelen",
        "meaning": "We wachten op onderdelen.",
        "reference": "ABCD2345",
        "handover": {"how": "Thuis", "place": ["Utrecht"], "when": "3", "cost": ""},
        "note": "Later.",
        "facts": [["€", ["€ 1"]]],
        "next_steps": ["Later."],
    },
    "tracking_url": "https://volg.kwiekpost.example/1",
    "heading": "New",
    "store": "Bovenbuis Amsterdam",
    "link": "http://localhost:8000/",
    "webhook": "ERP",
    "count": 2,
    "cases": [{"kind": "Reparatie", "reference": "ABCD2345", "day": "3", "link": "http://localhost:8000/"}],
    "insurer": "Kettingzeker",
    "type": "Diefstal",
    "premium": "€ 9,62",
    "policy_number": "P123456789",
    "starts_on": "1 december 2026",
    "package": "Deluxe",
    "monthly": "€ 11,95",
    "contract": "ABCD2345",
    "facts": [["€", "€ 1"]],
    "next_steps": ["Later."],
    "years": 7,
    "product": "Accu Voltera P4",
    "description": "Het nummer staat op de onderkant.",
    "hazard": "De accu kan in brand vliegen.",
    "action": "Gebruik de accu niet meer.",
    "remedies": ["repair", "replacement", "refund"],
    "asks": "photo",
    "author": "Mila",
    "text": "Kun je een foto sturen?",
    "page": "/maintenance/ABCD2345",
    "recall_phone": "030 200 1234",
    "recall_email": "terugroep@bovenbuis.example",
}

_HANDOVER = {
    "how": "We halen je fiets op en brengen hem terug",
    "place": ["Oudegracht 12", "3511 AB Utrecht"],
    "when": "vrijdag 12 juni 2026",
    "cost": "€ 60,00",
}

OF_A_REQUEST = {
    "sent": "Je reparatie is aangemeld",
    "title": "Reparatie: Stadsfiets Singel 7",
    "status": "Aangemeld",
    "reference": "K7M3 P9RT",
    "sent_on": "3 juni 2026",
    "handover": _HANDOVER,
    "facts": [("Ketting", ["Tikt.", "Ook bij regen."]), ("Foto's", ["foto.jpg (2,4 MB)"])],
    "costs": [("Ophalen", "€ 60,00")],
    "total": ("Totaal", "€ 60,00"),
    "note": "Alle bedragen zijn inclusief btw.",
    "next_steps": ["Een monteur neemt contact met je op."],
    "status_url": "https://mijn.bovenbuis.example/maintenance",
}

OF_A_WORK_ORDER = {
    "subject": "Reparatie: Duinroos Zilt Comfort · Wacht op onderdelen",
    "meaning": "We wachten op onderdelen.",
    "note": "De cassette is besteld.",
    "covered": "Je fiets valt nu tot en met 4 januari 2029 onder de garantie.",
    "next_steps": ["Het werk gaat verder zodra de onderdelen er zijn."],
    "handover": _HANDOVER,
    "partner": "Bovenbuis Amsterdam",
    "partner_phone": "+31 20 200 1236",
    "reference": "K7M3P9RT",
}

PLAIN = [
    template for template in Template if template not in {Template.REQUEST_CONFIRMATION, Template.WORK_ORDER_STATUS}
]
"""Mails whose words all stand in their template; `tests/provider/{confirmations,requests}` read the others."""
