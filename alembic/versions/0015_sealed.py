"""Account, pin and policy numbers are encrypted with the key of the data, and so are the secrets of webhooks."""

from __future__ import annotations

import secrets
from base64 import b64encode
from collections.abc import Callable
from typing import Any

import sqlalchemy as sa
from cryptography.fernet import InvalidToken, MultiFernet

from alembic import op
from portal.backend.security import cipher
from portal.settings import Settings
from portal.tables.sealed import Place, opened, opened_json, renewed, renewed_json, rewrite

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None

_HIDDEN = ("iban", "pin_code", "policy_number")
_LENGTHS = {
    "bikes": {"policy_number": 40, "pin_code": 10},
    "insurance_requests": {"iban": 34, "policy_number": 40},
    "refund_accounts": {"iban": 34},
    "import_differences": {"shop_value": 500, "portal_value": 500},
    "webhooks": {"secret": 200, "previous_secret": 200},
}
_TEXTS = [
    Place(name, "return_id" if name == "refund_accounts" else "id", dict.fromkeys(columns))
    for name, columns in _LENGTHS.items()
]
_WITHIN = [
    Place("drafts", "id", {"answers": _HIDDEN, "facts": _HIDDEN}),
    Place("outbox_mails", "id", {"details": (*_HIDDEN, "facts")}),
    Place("requests", "id", {"details": _HIDDEN}),
    Place("imported", "id", {"values": _HIDDEN, "notes": (*_HIDDEN, "sent")}),
    Place("import_waiting", "id", {"record": _HIDDEN}),
    Place("import_rejected", "id", {"record": (*_HIDDEN, "text")}),
]


def upgrade() -> None:
    _resize(lambda _length: 1500)
    _rewrite(renewed, renewed_json, _from_secret_key)


def downgrade() -> None:
    _rewrite(opened, opened_json, _to_secret_key)
    _resize(lambda length: length)


def _resize(length_of: Callable[[int], int]) -> None:
    for name, lengths in _LENGTHS.items():
        with op.batch_alter_table(name) as table:
            for column, length in lengths.items():
                table.alter_column(column, type_=sa.String(length_of(length)), existing_nullable=column == "pin_code")


def _rewrite(
    text: Callable[[MultiFernet, str], str], within: Callable[..., Any], webhook: Callable[[MultiFernet, str], str]
) -> None:
    connection, keys = op.get_bind(), _keys()
    for place in (*_TEXTS, *_WITHIN):
        after: int | None = 0
        while after is not None:
            change = webhook if place.table == "webhooks" else text
            after = rewrite(connection, place, change, within, keys, after)


def _keys(purpose: str = "data-1") -> MultiFernet:
    return cipher(Settings(), purpose)


def _from_secret_key(data: MultiFernet, token: str) -> str:
    """A secret that cannot be read any more is replaced: its receiver refuses the events, as before."""
    try:
        secret = opened(_keys("webhook-secret-1"), token)
    except InvalidToken:
        secret = f"whsec_{b64encode(secrets.token_bytes(32)).decode()}"
    return renewed(data, secret)


def _to_secret_key(data: MultiFernet, token: str) -> str:
    return renewed(_keys("webhook-secret-1"), opened(data, token))
