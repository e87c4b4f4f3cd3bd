"""Parts of addresses and accounts that may be shown to somebody who need not know them whole."""

from __future__ import annotations


def masked_email(address: str) -> str:
    """The first sign and the end of the domain: 's…@…nl' (ux: code page)."""
    local, _, domain = address.rpartition("@")
    return f"{local[:1]}…@…{domain.rpartition('.')[2]}"


def masked_iban(iban: str) -> str:
    """The country and the last four signs of a bank account: 'NL…4300'; empty when there is none."""
    return f"{iban[:2]}…{iban[-4:]}" if iban else ""
