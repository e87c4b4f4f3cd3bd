"""Administration of people, and the audit with its export."""

import csv
import io
from datetime import timedelta

import pytest
from sqlmodel import select

from portal.backend.staff import write_audit
from portal.contract.errors import InvalidInput, NotAuthenticated, NotFound, Refused
from portal.contract.session import calling_from
from portal.kernel.codes import Code
from portal.kernel.days import local_day, start_of_day
from portal.staff.api.people import Activation, AuditSearch, PeopleApi, Person, PersonEntry, StaffApi
from portal.tables.staff import AuditRow, StaffRow
from portal.vocabulary.audit import AuditAction
from portal.vocabulary.staff import Role
from tests.support.living import Living
from tests.support.staff import CARLA, ESRA, HANS, TOM, staff_token

NOA = PersonEntry(name="Noa Visser", email="Noa@Example.com", role="service_desk", locale="en")


async def found(shop: Living, token: str, email: str) -> Person:
    return next(each for each in (await shop.ask(PeopleApi).people(token)).items if each.email == email)


async def test_somebody_is_added_found_and_changed(living: Living) -> None:
    token = await staff_token(living, CARLA)
    added = await living.ask(PeopleApi).add_person(token, NOA)
    assert (added.email, added.role, added.active, added.last_seen_at) == (
        "noa@example.com", Role.SERVICE_DESK, True, None,
    )  # fmt: skip
    store = (await living.ask(PeopleApi).staff_stores(token))[0]
    entry = NOA.model_copy(update={"role": "mechanic", "stores": [store.store_id]})
    changed = await living.ask(PeopleApi).change_person(token, added.person_id, entry)
    assert (changed.role, changed.stores) == (Role.MECHANIC, [store])
    assert await living.ask(PeopleApi).person(token, added.person_id) == changed
    assert await found(living, token, "noa@example.com") == changed


async def test_what_was_typed_is_checked_field_by_field(living: Living) -> None:
    token = await staff_token(living, CARLA)
    for wrong, fields in (
        ({"name": "", "email": "", "role": ""}, dict.fromkeys(("name", "email", "role"), Code.REQUIRED)),
        ({"email": ESRA.upper()}, {"email": Code.EMAIL_TAKEN}),
        ({"role": "unknown"}, {"role": Code.INVALID_CHOICE}),
        ({"role": "mechanic"}, {"stores": Code.REQUIRED}),
        ({"stores": ["X"]}, {"stores": Code.INVALID_CHOICE}),
        ({"name": "x" * 121}, {"name": Code.TOO_LONG}),
    ):
        with pytest.raises(InvalidInput) as caught:
            await living.ask(PeopleApi).add_person(token, NOA.model_copy(update=wrong))
        assert caught.value.fields == fields


async def test_a_changed_role_holds_from_the_next_operation(living: Living) -> None:
    admin, esra = await staff_token(living, CARLA), await staff_token(living, ESRA)
    with pytest.raises(NotFound):
        await living.ask(PeopleApi).people(esra)
    person = await found(living, admin, ESRA)
    entry = PersonEntry(name=person.name, email=person.email, role="administrator")
    await living.ask(PeopleApi).change_person(admin, person.person_id, entry)
    assert (await living.ask(PeopleApi).people(esra)).total > 10


async def test_somebody_deactivated_is_logged_out_everywhere(living: Living) -> None:
    admin, tokens = await staff_token(living, CARLA), [await staff_token(living, TOM) for _ in range(2)]
    person = await found(living, admin, TOM)
    closed = await living.ask(PeopleApi).set_person_active(admin, person.person_id, Activation(active=False))
    assert not closed.active
    for token in tokens:
        with pytest.raises(NotAuthenticated):
            await living.ask(StaffApi).member(token)
    assert not (await found(living, admin, TOM)).active
    await living.ask(PeopleApi).set_person_active(admin, person.person_id, Activation(active=True))
    with pytest.raises(NotAuthenticated):
        await living.ask(StaffApi).member(tokens[0])


async def test_the_last_administrator_stays(living: Living) -> None:
    admin = await staff_token(living, CARLA)
    person = await found(living, admin, CARLA)
    entry = PersonEntry(name=person.name, email=person.email, role="finance")
    for call in (
        living.ask(PeopleApi).change_person(admin, person.person_id, entry),
        living.ask(PeopleApi).set_person_active(admin, person.person_id, Activation(active=False)),
    ):
        with pytest.raises(Refused) as caught:
            await call
        assert caught.value.code is Code.LAST_ADMINISTRATOR
    await living.change(StaffRow, {"role": Role.ADMINISTRATOR}, email=ESRA)
    assert (await living.ask(PeopleApi).change_person(admin, person.person_id, entry)).role is Role.FINANCE


async def test_changes_of_people_are_in_the_audit_with_what_changed_and_from_where(living: Living) -> None:
    admin = await staff_token(living, CARLA)
    person = await found(living, admin, ESRA)
    calling = calling_from.set("203.0.113.9")
    try:
        entry = PersonEntry(name=person.name, email=person.email, role="finance")
        await living.ask(PeopleApi).change_person(admin, person.person_id, entry)
    finally:
        calling_from.reset(calling)
    shown = (await living.ask(PeopleApi).audit(admin, AuditSearch(reference=person.person_id))).items[0]
    assert (shown.actor, shown.action, shown.kind) == ("Carla Janssen", "change_person", "person")
    assert (shown.details, shown.address) == ({"role": ["service_desk", "finance"]}, "203.0.113.9")


async def test_the_audit_is_limited_by_its_fields_newest_first_in_pages(living: Living) -> None:
    admin, today = await staff_token(living, CARLA), local_day(living.clock())
    async with living.context.database.transaction() as session:
        hans = (await session.exec(select(StaffRow).where(StaffRow.email == HANS))).one()
        for number in range(60):
            moment = start_of_day(today - timedelta(days=number))
            await write_audit(
                session, hans, AuditAction.REVEAL_FINANCIAL, "insurance", f"REF{number:05}", moment=moment
            )
    search = AuditSearch(who=hans.name, action="reveal_financial")
    whole = await living.ask(PeopleApi).audit(admin, search)
    assert (whole.total, whole.pages, len(whole.items)) == (60, 3, 25)
    assert whole.items[0].reference == "REF00059", "the entry that was added last"
    days = search.model_copy(update={"since": today - timedelta(days=9), "until": today - timedelta(days=5)})
    assert {each.reference for each in (await living.ask(PeopleApi).audit(admin, days)).items} == {
        f"REF{number:05}" for number in range(5, 10)
    }
    assert (await living.ask(PeopleApi).audit(admin, AuditSearch(who="nobody"))).total == 0


async def test_the_audit_is_searched_by_a_part_of_a_name(living: Living) -> None:
    admin = await staff_token(living, CARLA)
    async with living.context.database.transaction() as session:
        hans = (await session.exec(select(StaffRow).where(StaffRow.email == HANS))).one()
        await write_audit(session, hans, AuditAction.CASE_LIST, moment=living.clock())
        await write_audit(session, None, AuditAction.REPLAY, actor="command line", moment=living.clock())

    async def who(text: str) -> set[str]:
        return {each.actor for each in (await living.ask(PeopleApi).audit(admin, AuditSearch(who=text))).items}

    assert await who("mulder") == {"Hans Mulder"}
    assert await who("command") == {"command line"}
    assert await who("%") == set()
    await living.change(StaffRow, {"name": "Hans de Boer"}, email=HANS)
    assert await who("de boer") == {"Hans Mulder"}


async def test_the_export_is_csv_without_formulas_and_is_itself_in_the_audit(living: Living) -> None:
    finance = await staff_token(living, HANS)
    async with living.context.database.transaction() as session:
        row = (await session.exec(select(StaffRow).where(StaffRow.email == ESRA))).one()
        await write_audit(
            session, row, AuditAction.CORRECT_EMAIL, "customer", "ABC", reason='=HYPERLINK("x")', details={"a": 1}
        )
    document = await living.ask(PeopleApi).audit_export(finance, AuditSearch())
    assert document.content.startswith(b"\xef\xbb\xbf")
    entries = list(csv.DictReader(io.StringIO(document.content.decode("utf-8-sig")), delimiter=";"))
    assert [(entry["actor"], entry["reason"], entry["details"]) for entry in entries] == [
        ("Esra Yilmaz", '\'=HYPERLINK("x")', '{"a": 1}')
    ]
    assert [(entry["action"], entry["kind"]) for entry in entries] == [("E-mailadres gecorrigeerd", "Klant")]
    last = (await living.rows(AuditRow))[-1]
    assert (last.action, last.actor, last.details) == ("audit_export", "Hans Mulder", {"entries": 1})
