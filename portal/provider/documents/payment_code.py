"""The QR code that fills in a bank transfer (EPC069-12, 'SEPA credit transfer')."""

from __future__ import annotations

import io
from decimal import Decimal

from segno import QRCode
from segno.helpers import make_epc_qr
from stdnum import iban

from portal.provider.documents.plain_text import Exact

_LONGEST_NAME = 70
_LONGEST_TEXT = 140


def payment_code(name: str, account: str, amount: Decimal, reference: str) -> QRCode:
    """The code a banking app reads.

    Args:
        name: holder of the account; at most 70 characters count.
        account: IBAN; spaces are allowed.
        amount: euro, more than 0.
        reference: text on the transfer; at most 140 characters count.

    Raises:
        ValueError: the amount cannot be in such a code, or the IBAN is not right (mod 97).
    """
    return make_epc_qr(
        name=_one_line(name, _LONGEST_NAME),
        iban=iban.validate(account),
        amount=amount,
        text=_one_line(reference, _LONGEST_TEXT),
    )


def picture(code: QRCode, colour: str) -> Exact:
    """The code as SVG, one module a unit. The quiet zone is left to the page."""
    out = io.BytesIO()
    code.save(out, kind="svg", border=0, dark=colour, xmldecl=False, svgns=True, omitsize=True)
    return Exact(out.getvalue().decode())


def _one_line(text: str, longest: int) -> str:
    # A line break would start the next field of the code.
    return " ".join(text.split())[:longest]
