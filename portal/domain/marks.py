"""Marks texts of the domain for the catalogues."""

from __future__ import annotations


def N_(text: str) -> str:
    """Mark an English text for translation without translating it here.

    The domain knows no language: the portal and the provider look the text up in their own catalogue.
    """
    return text
