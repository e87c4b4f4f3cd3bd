"""Commands about keys: `api-key` for other systems, and `rotate-keys` for what the database holds encrypted."""

from __future__ import annotations

import argparse
import secrets
from collections.abc import Sequence
from typing import Any

from sqlmodel import col, select

from portal.backend.context import Context
from portal.backend.security import challenge_hash, cipher
from portal.backend.staff import write_audit
from portal.provider.cases import TransitionRefused, in_application
from portal.provider.webhook_commands import ACTOR
from portal.settings import Settings
from portal.tables import metadata
from portal.tables.exchange import ApiKeyRow
from portal.tables.sealed import Place, Sealed, SealedJson, renewed, renewed_json, rewrite
from portal.vocabulary.audit import AuditAction
from portal.vocabulary.exchange import ApiScope

AUDITED = "api_key"


def add_key_commands(commands: Any) -> None:
    rotate = commands.add_parser("rotate-keys", help="encrypt everything with the first key of PORTAL_DATA_KEY")
    rotate.set_defaults(run=_rotate)
    keys = commands.add_parser("api-key", help="manage the keys of other systems")
    actions = keys.add_subparsers(required=True, metavar="action")
    add = actions.add_parser("add", help="add a key and print it; it is shown once")
    add.add_argument("name", help="the system that uses it, as the audit names it")
    add.add_argument("scopes", nargs="+", choices=[each.value for each in ApiScope], metavar="scope")
    add.set_defaults(run=_add)
    actions.add_parser("list", help="print all keys").set_defaults(run=_list)
    revoke = actions.add_parser("revoke", help="end a key at once")
    revoke.add_argument("key", help="id of the key")
    revoke.set_defaults(run=_revoke)


def places() -> list[Place]:
    """Every encrypted column of the tables."""
    found = []
    for table in metadata.sorted_tables:
        columns = {
            each.name: each.type.names if isinstance(each.type, SealedJson) else None
            for each in table.columns
            if isinstance(each.type, Sealed | SealedJson)
        }
        if columns:
            found.append(Place(table.name, next(iter(table.primary_key)).name, columns))
    return found


def _rotate(options: Settings, _asked: argparse.Namespace) -> None:
    async def rotate(context: Context) -> None:
        keys = cipher(options)
        for place in places():
            after: int | None = 0
            while after is not None:
                async with context.database.transaction() as session:
                    connection = await session.connection()
                    after = await connection.run_sync(rewrite, place, renewed, renewed_json, keys, after)

    in_application(options, rotate)
    print(
        "Everything is encrypted with the first key of PORTAL_DATA_KEY; the others are needed for older backups only."
    )


def _add(options: Settings, asked: argparse.Namespace) -> None:
    print(in_application(options, lambda context: add_key(context, asked.name, asked.scopes)))


async def add_key(context: Context, name: str, scopes: Sequence[str]) -> str:
    """Add a key, of which only the hash is stored."""
    key = f"portal_{secrets.token_urlsafe(32)}"
    row = ApiKeyRow(name=name, key_hash=challenge_hash(key), scopes=sorted(set(scopes)), created_at=context.clock())
    details = {"name": row.name, "scopes": row.scopes}
    async with context.database.transaction() as session:
        session.add(row)
        await write_audit(session, None, AuditAction.ADD_API_KEY, AUDITED, row.public_id, details=details, actor=ACTOR)
    return key


def _list(options: Settings, _asked: argparse.Namespace) -> None:
    async def lines(context: Context) -> list[str]:
        async with context.database.session() as session:
            found = (await session.exec(select(ApiKeyRow).order_by(col(ApiKeyRow.id)))).all()
        return [
            f"{each.public_id}  {'revoked' if each.revoked_at else 'on'}  "
            f"{f'last used {each.last_used_at:%Y-%m-%d %H:%M} UTC' if each.last_used_at else 'never used'}  "
            f"{' '.join(each.scopes)}  {each.name}"
            for each in found
        ]

    print("\n".join(in_application(options, lines)) or "there are no keys")


def _revoke(options: Settings, asked: argparse.Namespace) -> None:
    async def revoke(context: Context) -> bool:
        own = select(ApiKeyRow).where(ApiKeyRow.public_id == asked.key, col(ApiKeyRow.revoked_at).is_(None))
        async with context.database.transaction() as session:
            if row := (await session.exec(own.with_for_update())).one_or_none():
                row.revoked_at = context.clock()
                await write_audit(session, None, AuditAction.REVOKE_API_KEY, AUDITED, row.public_id, actor=ACTOR)
            return row is not None

    if not in_application(options, revoke):
        raise TransitionRefused(f"there is no key {asked.key}, or it was revoked before")
    print(f"key {asked.key}: revoked")
