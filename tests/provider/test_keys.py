"""Keys rotate while customers work, and what they hide is nowhere in the database as it was typed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from cryptography.fernet import InvalidToken
from pydantic import ValidationError

from alembic import command
from portal.backend.migrations import config, migrate, migration_engine
from portal.backend.security import code_hash, matches
from portal.bikes.api import BikesApi
from portal.contract.errors import NotAuthenticated, NotFound
from portal.deliveries.provider.service import order_of, tracking_code
from portal.exports.api import WebhookEntry
from portal.exports.provider.webhooks import add as add_webhook
from portal.flow.api import DraftStart, FlowApi
from portal.kernel.days import now, today
from portal.provider.__main__ import main
from portal.provider.application import Application
from portal.provider.key_commands import places
from portal.settings import DEMO_DATA_KEY, DEMO_SECRET, Settings
from portal.tables.bikes import BikeRow
from portal.tables.drafts import DraftRow
from portal.tables.exchange import WebhookRow
from portal.tables.insurance import InsuranceRequestRow
from portal.tables.orders import OrderRow
from portal.tables.sealed import is_sealed
from portal.vocabulary.links import LinkPurpose
from tests.insurance.test_service import ACCOUNT, CHOICE, FLOW, NEW
from tests.support.furnished import Furnished
from tests.support.living import FLEUR, Living

pytestmark = pytest.mark.each_database
IBAN = "NL91ABNA0417164300"
OLD, LATER = "o" * 40, "n" * 40


@asynccontextmanager
async def _opened(url: str, folder: Path, **settings: Any) -> AsyncIterator[Furnished]:
    application = Application(Settings(database_url=url, data_dir=folder, **settings))
    yield Furnished(application)
    await application.close()


async def test_the_secret_key_rotates_and_nobody_is_logged_out(loaded_url: str, tmp_path: Path) -> None:
    async with _opened(loaded_url, tmp_path, secret_key=OLD) as shop:
        before = shop.context.settings
        token, order = await shop.log_in(FLEUR), await shop.row(OrderRow)
        draft = await shop.ask(FlowApi).open_draft(token, DraftStart(flow=FLOW, anew=True))
        link, code = tracking_code(before, order, now()), code_hash(before, "salt", "482913")
    async with _opened(loaded_url, tmp_path, secret_key=f"{LATER} {OLD}") as shop:
        both = shop.context.settings
        found = await shop.ask(FlowApi).open_draft(token, DraftStart(flow=FLOW))
        assert found.draft_id == draft.draft_id
        assert order_of(both, link, now()) == order.id
        assert matches(both, "salt", code, "482913")
        newer = await shop.log_in(FLEUR)
    async with _opened(loaded_url, tmp_path, secret_key=LATER) as shop:
        assert (await shop.ask(BikesApi).bikes(newer)).items
        with pytest.raises(NotAuthenticated):
            await shop.ask(BikesApi).bikes(token)
        with pytest.raises(NotFound):
            order_of(shop.context.settings, link, now())


def _raw(url: str, folder: Path) -> str:
    """Everything that the database holds, as it is stored."""
    with migration_engine(url).connect() as connection:
        tables = connection.exec_driver_sql(
            "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"
            if connection.dialect.name == "postgresql"
            else "SELECT name FROM sqlite_master WHERE type = 'table'"
        ).scalars()
        rows = [connection.exec_driver_sql(f'SELECT * FROM "{name}"').all() for name in tables.all()]
    files = b"".join(path.read_bytes() for path in folder.glob("portal.db*"))
    return repr(rows) + files.decode("latin-1")


def _plain(url: str) -> list[str]:
    """The encrypted columns of text that hold something as it is."""
    with migration_engine(url).connect() as connection:
        return [
            f"{place.table}.{name}"
            for place in places()
            for name, within in place.columns.items()
            if within is None
            for value in connection.exec_driver_sql(f"SELECT {name} FROM {place.table}").scalars()
            if value and not is_sealed(value)
        ]


async def test_no_account_pin_or_policy_number_is_in_the_database(
    living: Living, loaded_url: str, tmp_path: Path
) -> None:
    token = await living.log_in(FLEUR)
    draft = await living.fill(token, FLOW, await living.bike_of(token, NEW), CHOICE, ACCOUNT)
    assert draft.answers["iban"] == IBAN
    assert IBAN not in await asyncio.to_thread(_raw, loaded_url, tmp_path)
    receipt = await living.send(token, draft)
    assert (await living.row(InsuranceRequestRow, reference=receipt.reference)).iban == IBAN
    await living.confirm(await living.end(FLEUR[1], LinkPurpose.INSURANCE), LinkPurpose.INSURANCE)
    await living.move("insurance", receipt.reference, "finished", policy_number="P-2026-4711", planned_date=today())
    policies = [bike.policy_number for bike in await living.rows(BikeRow) if bike.policy_number]
    stored = await asyncio.to_thread(_raw, loaded_url, tmp_path)
    assert "P-2026-4711" in policies
    assert not [number for number in (IBAN, *policies) if number in stored]
    assert _plain(loaded_url) == []


async def _rotate(monkeypatch: pytest.MonkeyPatch, url: str, folder: Path, keys: str) -> None:
    for name, value in {"DATABASE_URL": url, "DATA_DIR": str(folder), "DATA_KEY": keys}.items():
        monkeypatch.setenv(f"PORTAL_{name}", value)
    assert await asyncio.to_thread(main, ["rotate-keys"]) == 0


async def test_rows_of_an_older_release_are_encrypted_and_come_back(loaded_url: str, tmp_path: Path) -> None:
    async with _opened(loaded_url, tmp_path) as shop:
        async with shop.context.database.transaction() as session:
            entry = WebhookEntry(url="https://203.0.113.7/in", description="", events=[])
            _, secret = await add_webhook(session, shop.context.settings, entry, now())
        before = [(bike.pin_code, bike.policy_number) for bike in await shop.rows(BikeRow)]
    settings = config()
    with migration_engine(loaded_url).begin() as connection:
        settings.attributes["connection"] = connection
        command.downgrade(settings, "0014")
        older = connection.exec_driver_sql("SELECT pin_code, policy_number FROM bikes ORDER BY id").all()
        assert [tuple(row) for row in older] == before
        kept = connection.exec_driver_sql("SELECT secret FROM webhooks").scalar_one()
    assert is_sealed(kept), "with the secret key, as before"
    await asyncio.to_thread(migrate, loaded_url)
    assert _plain(loaded_url) == []
    async with _opened(loaded_url, tmp_path) as shop:
        assert [(bike.pin_code, bike.policy_number) for bike in await shop.rows(BikeRow)] == before
        assert (await shop.row(WebhookRow)).secret == secret
    stored = await asyncio.to_thread(_raw, loaded_url, tmp_path)
    assert not [policy for _, policy in before if policy and policy in stored], "nor in free parts of the file"


async def test_the_key_of_the_data_rotates(loaded_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answers = {"iban": IBAN, "shown": ["x"], "bikes": [{"policy_number": "P1", "pin_code": 4711}]}
    async with _opened(loaded_url, tmp_path) as shop:
        token = await shop.log_in(FLEUR)
        await shop.ask(FlowApi).open_draft(token, DraftStart(flow=FLOW, anew=True))
        await shop.change(DraftRow, {"answers": answers}, flow=FLOW)
        pins = [bike.pin_code for bike in await shop.rows(BikeRow)]
    await _rotate(monkeypatch, loaded_url, tmp_path, f"{LATER} {DEMO_DATA_KEY}")
    async with _opened(loaded_url, tmp_path, data_key=LATER) as shop:
        assert (await shop.row(DraftRow, flow=FLOW)).answers == answers
        assert [bike.pin_code for bike in await shop.rows(BikeRow)] == pins
    async with _opened(loaded_url, tmp_path, data_key=OLD) as shop:
        with pytest.raises(InvalidToken):
            await shop.rows(BikeRow)


@pytest.mark.parametrize(
    ("values", "named"),
    [
        ({"secret_key": f"{OLD} short"}, "PORTAL_SECRET_KEY needs at least"),
        ({"data_key": " "}, "PORTAL_DATA_KEY needs at least"),
        ({"data_key": f"{OLD} {DEMO_SECRET}"}, "PORTAL_DATA_KEY needs a secret of its own"),
        ({"env": "production", "secret_key": OLD}, "needs its own PORTAL_DATA_KEY"),
        ({"env": "production", "secret_key": f"{OLD} {DEMO_SECRET}", "data_key": LATER}, "its own PORTAL_SECRET_KEY"),
    ],
)
def test_a_weak_or_borrowed_key_stops_the_start(values: dict[str, str], named: str) -> None:
    with pytest.raises(ValidationError, match=named):
        Settings.model_validate(values)
