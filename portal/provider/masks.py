"""Parts of an address that may be shown to somebody who need not know it."""

from __future__ import annotations


def masked_email(address: str) -> str:
    """The first sign and the end of the domain: 's…@…nl' (ux: code page)."""
    local, _, domain = address.rpartition("@")
    return f"{local[:1]}…@…{domain.rpartition('.')[2]}"
