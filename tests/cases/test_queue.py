"""The queue against a filter in plain Python, for any filter; and what a search is read as."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlmodel import col, select, true

from portal.backend.database import Database
from portal.backend.staff import StaffMember
from portal.cases.api import MAIN_SHOP, NOBODY, SERVICE_DESK, CaseFilter
from portal.cases.provider import queries
from portal.kernel.address import Country
from portal.kernel.days import local_day
from portal.tables import metadata
from portal.tables.cases import CaseRow
from portal.tables.orders import PartnerRow
from portal.tables.staff import StaffRow
from portal.vocabulary.cases import KINDS_OF, CaseKind, CaseState, CaseView
from portal.vocabulary.locations import LocationType
from portal.vocabulary.staff import STORE_ROLES, Role

NOW = datetime(2026, 11, 23, 11, 0, tzinfo=UTC)
TABLES = [metadata.tables[name] for name in ("partners", "customers", "staff", "cases")]
STORES, PEOPLE = ("UTRECHT2", "GENT2222"), ("TOM22222", "MILA2222")

case_rows = st.builds(
    dict,
    kind=st.sampled_from(sorted(set(CaseKind) - {CaseKind.UNKNOWN})),
    state=st.sampled_from(sorted(set(CaseState) - {CaseState.UNKNOWN})),
    status=st.sampled_from(("new", "accepted")),
    urgent=st.booleans(),
    partner_id=st.sampled_from((None, 1, 2)),
    assigned_to=st.sampled_from((None, 1, 2)),
    source=st.sampled_from(("", "other", "gone")),
    opened=st.integers(0, 20),
    promised=st.none() | st.integers(-50, 50),
    until=st.none() | st.integers(-50, 50),
    unread=st.booleans(),
)
filters = st.builds(
    CaseFilter,
    view=st.sampled_from(sorted(CaseView)),
    kind=st.none() | st.sampled_from(sorted(set(CaseKind) - {CaseKind.UNKNOWN})),
    store=st.sampled_from(("", SERVICE_DESK, "NOWHERE2", *STORES)),
    status=st.sampled_from(("", "new", "accepted")),
    days=st.sampled_from((0, 2, 7)),
    person=st.sampled_from(("", NOBODY, "NOBODY22", *PEOPLE)),
    shop=st.sampled_from(("", MAIN_SHOP, "other", "gone")),
)
members = st.builds(
    lambda role, stores: StaffMember(
        id=1, public_id=PEOPLE[0], name="Tom", email="tom@example.com", role=role, locale="nl",
        stores=frozenset(stores), expires_at=NOW, ends_at=NOW, called_at=NOW,
    ),
    st.sampled_from(sorted(set(Role) - {Role.UNKNOWN})),
    st.sets(st.sampled_from((1, 2))),
)  # fmt: skip


def _meets(row: CaseRow, asked: CaseFilter, member: StaffMember) -> bool:
    """The filter, as a person would say it."""
    is_open = row.state is not CaseState.DONE
    due = row.waiting_until if row.state is CaseState.WAITING else row.promised_at
    late = due is not None and due < NOW
    today = row.promised_at is not None and local_day(row.promised_at) == local_day(NOW)
    view = {
        CaseView.NEW: row.state is CaseState.NEW,
        CaseView.UNREAD: row.unread_since is not None,
        CaseView.MINE: is_open and row.assigned_to == member.id,
        CaseView.WAITING: row.state is CaseState.WAITING,
        CaseView.OVERDUE: is_open and late,
        CaseView.TODAY: is_open and today,
        CaseView.DONE: not is_open,
        CaseView.OPEN: is_open,
    }[asked.view]
    store = {"": True, SERVICE_DESK: row.partner_id is None}.get(
        asked.store, asked.store in STORES and row.partner_id == STORES.index(asked.store) + 1
    )
    person = {"": True, NOBODY: row.assigned_to is None}.get(
        asked.person, asked.person in PEOPLE and row.assigned_to == PEOPLE.index(asked.person) + 1
    )
    further = row.source == "other"
    shop = {"": True, MAIN_SHOP: not further, "other": further}.get(asked.shop, False)
    visible = row.kind in KINDS_OF[member.role] and (member.role not in STORE_ROLES or row.partner_id in member.stores)
    return (
        visible
        and view
        and store
        and person
        and shop
        and asked.kind in (None, row.kind)
        and asked.status in ("", row.status)
        and row.opened_at <= NOW - timedelta(days=asked.days)
    )


@asynccontextmanager
async def _database(folder: Path, cases: list[dict]) -> AsyncIterator[Database]:
    database = Database(f"sqlite+aiosqlite:///{folder / 'portal.db'}")
    try:
        async with database.engine.begin() as connection:
            await connection.run_sync(partial(metadata.create_all, tables=TABLES))
        async with database.transaction() as session:
            session.add_all([_store(number, name) for number, name in enumerate(STORES, 1)])
            session.add_all([_person(number, name) for number, name in enumerate(PEOPLE, 1)])
            await session.flush()
            session.add_all([_case(number, values) for number, values in enumerate(cases)])
        yield database
    finally:
        await database.close()


@given(st.lists(case_rows, max_size=12), filters, members)
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
async def test_the_queue_shows_exactly_what_the_filter_says_in_its_order(
    tmp_path_factory: pytest.TempPathFactory, given_rows: list[dict], asked: CaseFilter, member: StaffMember
) -> None:
    async with _database(tmp_path_factory.mktemp("queue"), given_rows) as database, database.session() as session:
        rows = (await session.exec(select(CaseRow).order_by(col(CaseRow.id)))).all()
        condition = await queries.of_filter(session, member, asked, NOW, shops={"other"})
        part = await queries.part(session, condition, asked.view, 1)
        counted = await queries.counted(session, member, "", NOW)
    expected = {row.id for row in rows if _meets(row, asked, member)}
    assert {row.id for row in part.rows} == expected
    assert part.total == len(expected)
    if asked.view is not CaseView.DONE:
        keys = [
            (not row.urgent, _rank(row.state), row.promised_at is None, row.promised_at or NOW) for row in part.rows
        ]
        assert keys == sorted(keys)
        alone = CaseFilter(view=asked.view)
        assert counted.views[asked.view] == sum(_meets(row, alone, member) for row in rows)


async def test_a_list_goes_on_after_a_thousand_cases(tmp_path: Path) -> None:
    values = {"kind": CaseKind.REPAIR, "state": CaseState.NEW, "status": "new", "opened": 1}
    many = [{**values, "promised": None, "until": None, "unread": False} for _ in range(1_003)]
    async with _database(tmp_path, many) as database, database.session() as session:
        found = await queries.part(session, true(), CaseView.OPEN, 10_000)
    assert found.total == 1_003
    assert found.rows[-1].reference == "CASE1002"


def _rank(state: CaseState) -> int:
    """What waits for the customer comes after what does not, and what is done last."""
    return {CaseState.WAITING: 1, CaseState.DONE: 2}.get(state, 0)


def _store(number: int, name: str) -> PartnerRow:
    return PartnerRow(
        id=number, public_id=name, name=name, location_type=LocationType.OWN_STORE, street="Neude", house_number="11",
        post_code="3512 AE", city="Utrecht", country_code=Country.NL,
    )  # fmt: skip


def _person(number: int, name: str) -> StaffRow:
    return StaffRow(
        id=number, public_id=name, name=name, email=f"{name}@example.com", role=Role.MECHANIC, created_at=NOW
    )


def _case(number: int, values: dict) -> CaseRow:
    opened, promised = NOW - timedelta(days=values["opened"]), values["promised"]
    own = {name: value for name, value in values.items() if name not in ("opened", "promised", "until", "unread")}
    return CaseRow(
        reference=f"CASE{number:04}",
        opened_at=opened,
        changed_at=opened,
        closed_at=NOW if values["state"] is CaseState.DONE else None,
        unread_since=opened if values["unread"] else None,
        promised_at=None if promised is None else NOW + timedelta(hours=promised),
        waiting_until=None if values["until"] is None else NOW + timedelta(hours=values["until"]),
        **own,
    )
