"""The shop of the peers: what the portal's demonstration customers have, asked from its API."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import httpx

from bench.harness import Login, Portal
from bench.next import TEXT

BUYER = ("900000009", "max@example.com")
"""Has 25 orders; number of one of them and the address."""
DRAFTING = ("900000005", "noor@example.com")
"""Has begun a repair."""
_DRAFT = {"parts": ["chain"], "details_chain": TEXT}
_SETTLED = "paid"


def shop_of(portal: Portal, buyer: Login, others: int) -> list[dict[str, Any]]:
    """The customers as the peers store them: one with orders, one with a draft, and others with a draft to save."""
    token = next(value for name, value in buyer.cookies.items() if name.endswith("session"))
    with httpx.Client(base_url=portal.address, headers={"Authorization": f"Bearer {token}"}) as client:
        orders = client.get("/mijn-fw/v2/orders").raise_for_status().json()["data"]["items"]
        overview = client.get("/mijn-fw/v2/dashboard").raise_for_status().json()["data"]
    people = [DRAFTING, *((f"88{place:07d}", f"customer{place}@bench.example") for place in range(others))]
    return [
        {
            "email": BUYER[1],
            "first_name": overview["first_name"],
            "orders": [_order(entry) for entry in orders],
            "cases": [_case(entry) for entry in overview["ongoing"]],
            "actions": [
                {"feature": entry["feature"], "reason": entry["reason"] or "", "until": entry["until"]}
                for entry in overview["actions"]
            ],
            "draft": {},
        },
        *(
            {
                "email": email,
                "first_name": "Sanne",
                "orders": [_order(orders[-1]) | {"number": number}],
                "cases": [],
                "actions": [],
                "draft": _DRAFT,
            }
            for number, email in people
        ),
    ]


def _order(entry: dict[str, Any]) -> dict[str, Any]:
    payment = entry["payment_status"]
    return {
        "number": entry["order_number"],
        "day": entry["order_date"],
        "total": entry["total"],
        "name": entry["names"][0],
        "more": len(entry["names"]) - 1 + entry["more"],
        "kind": entry["kinds"][0],
        "status": entry["delivery_status"],
        "payment": "" if payment == _SETTLED else payment,
    }


def _case(entry: dict[str, Any]) -> dict[str, Any]:
    return {
        "kind": entry["request_kind"] or entry["kind"],
        "reference": entry["reference"],
        "name": entry["name"],
        "status": entry["delivery_status"] or entry["work_order_status"] or "",
        "label": entry["label"].get("nl", ""),
        "meaning": entry["meaning"].get("nl", ""),
        "since": entry["since"],
        "partner": entry["partner"],
    }


def write(people: list[dict[str, Any]], file: Path) -> None:
    """Write the shop where a peer reads it."""
    file.write_text(json.dumps(people), encoding="utf-8")
