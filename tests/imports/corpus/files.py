"""Writes the files of a shop, whole or in the ways in which files come."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from portal.vocabulary.exchange import ImportForm
from tests.imports.corpus import own, shopify, woocommerce

Values = dict[str, Any]
Change = Callable[[list[Values]], list[Values]]

_AMOUNT = re.compile(r"^(-?[0-9]+)\.([0-9]{2})$")

SHOPS = {"w": ImportForm.WOOCOMMERCE, "s": ImportForm.SHOPIFY, "o": ImportForm.OWN}
"""The form of the files, by the letter that the orders of the corpus use."""


@dataclass(frozen=True)
class File:
    """A file, and the kind that is read from it."""

    kind: str
    path: Path


def unchanged(records: list[Values]) -> list[Values]:
    return records


def write(shop: str, folder: Path, today: date, change: Change = unchanged) -> list[File]:
    """The files of a shop in the order in which the documentation imports them.

    Args:
        shop: a key of `SHOPS`.
        folder: where they are written.
        today: from which the days count.
        change: what becomes of the records of a file.
    """
    folder.mkdir(parents=True, exist_ok=True)
    if shop == "w":
        orders = _write_json(folder / "orders.json", change(woocommerce.orders(today)))
        return [
            File("products", _write_json(folder / "products.json", change(woocommerce.products()))),
            File("customers", _write_json(folder / "customers.json", change(woocommerce.customers()))),
            File("customers", orders),
            File("orders", orders),
        ]
    source = shopify if shop == "s" else own
    flat = shopify.flat if shop == "s" else unchanged
    return [
        File(kind, write_lines(folder / f"{kind}.jsonl", flat(change(records))))
        for kind, records in (
            ("products", source.products()),
            ("customers", source.customers()),
            ("orders", source.orders(today)),
        )
    ]


def _write_json(path: Path, records: list[Values]) -> Path:
    path.write_text(json.dumps(records, indent=1, ensure_ascii=False), encoding="utf-8")
    return path


def write_lines(path: Path, records: list[Values]) -> Path:
    """A file of JSON Lines."""
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records), encoding="utf-8")
    return path


def write_rows(path: Path, records: list[Values]) -> Path:
    """A file of CSV as a spreadsheet in the Netherlands writes it."""
    rows = [{name: _AMOUNT.sub(r"\1,\2", cell) for name, cell in row.items()} for row in own.rows(records)]
    names = list(dict.fromkeys(name for row in rows for name in row))
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.DictWriter(file, names, delimiter=";")
        writer.writeheader()
        writer.writerows(rows)
    return path
