"""How an address is written, everywhere: number, blank, addition ("Witte de Withstraat 50 2 hoog")."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

PARTS = ("street", "house_number", "house_number_addon", "post_code", "city")
"""What an address is made of, by the names that rows, models and facts have for it. The country is no text."""


class AddressLines(NamedTuple):
    """The two lines of an address. A line is empty where nothing of it is known."""

    street: str
    city: str

    @property
    def joined(self) -> str:
        """Both on one line, as "Veldstraat 82 bus 3, 9000 Gent"."""
        return ", ".join(line for line in self if line)


def address_parts(address: object) -> dict[str, str]:
    """The parts of an address, as texts; empty where they are not known.

    Args:
        address: a row, a model, or a mapping; what it has beside the parts is left out.
    """
    known: Mapping[str, Any] = address if isinstance(address, Mapping) else {}
    return {name: str(known.get(name) or getattr(address, name, "")) for name in PARTS}


def address_lines(address: object) -> AddressLines:
    """The lines of an address, the only place where they are written.

    Args:
        address: a row, a model, or a mapping with the parts of an address.
    """
    parts = address_parts(address)
    return AddressLines(
        " ".join(parts[name] for name in ("street", "house_number", "house_number_addon") if parts[name]),
        " ".join(parts[name] for name in ("post_code", "city") if parts[name]),
    )


def short_address(address: object) -> str:
    """Street and city on one line, without the postcode: enough for a place near by."""
    return ", ".join(line for line in (address_lines(address).street, address_parts(address)["city"]) if line)
