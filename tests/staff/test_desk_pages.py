"""Staff pages about customers, colleagues and the audit, as events of a browser tab."""

import json
import sqlite3

import pytest

from portal.kernel.codes import Code
from portal.staff.desk.audit import AuditPage
from portal.staff.desk.customers import CustomersPage
from portal.staff.desk.people import NEW, PEOPLE, PeoplePage, PersonPage
from portal.vocabulary.staff import Role
from tests.support.connections import Shop
from tests.support.desk import hire
from tests.support.people import SANNE
from tests.support.pipeline import Pipeline, Tab

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def tab_of(tabs: Pipeline, shop: Shop, name: str, role: Role) -> Tab:
    tab = tabs.tab(name)
    tab.cookie = f"staff={await hire(shop, role, name)}"
    return tab


async def test_a_customer_is_found_and_visited_in_another_window(desk_tabs: Pipeline, shop: Shop) -> None:
    tab = await tab_of(desk_tabs, shop, "Esra Zoekt", Role.SERVICE_DESK)
    await tab.send(CustomersPage.open, path="/customers")
    await tab.send(CustomersPage.find, path="/customers", form={"text": SANNE[1]})
    found = tab.stored(CustomersPage).found
    assert [line.email for line in found] == [SANNE[1]]
    await tab.send(CustomersPage.visit, path="/customers", customer_id=found[0].customer_id, mode="read_only")
    assert "http://localhost:8000/visit/" in json.dumps([event.payload for event in tab.events], default=str)
    assert shop_audit(shop, "Esra Zoekt") == [("find_customers", "127.0.0.1"), ("visit_customer", "127.0.0.1")]


def shop_audit(shop: Shop, actor: str) -> list[tuple[str, str]]:
    with sqlite3.connect(shop.data_dir / "portal.db") as connection:
        return connection.execute("SELECT action, address FROM audit WHERE actor = ? ORDER BY id", (actor,)).fetchall()


async def test_a_short_search_is_refused_at_its_field_and_an_unknown_mode_opens_nothing(
    desk_tabs: Pipeline, shop: Shop
) -> None:
    tab = await tab_of(desk_tabs, shop, "Bas Kort", Role.SERVICE_DESK)
    await tab.send(CustomersPage.visit, path="/customers", customer_id="ABCDEFGH23", mode="administrator")
    assert shop_audit(shop, "Bas Kort") == []
    await tab.send(CustomersPage.find, path="/customers", form={"text": "ab"})
    assert (tab.stored(CustomersPage).errors, tab.stored(CustomersPage).attempt) == ({"text": Code.TOO_SHORT}, 1)
    assert not tab.stored(CustomersPage).searched


async def test_somebody_is_added_and_changed_with_errors_at_their_fields(desk_tabs: Pipeline, shop: Shop) -> None:
    tab = await tab_of(desk_tabs, shop, "Carla Beheert", Role.ADMINISTRATOR)
    await tab.send(PersonPage.load, path=f"{PEOPLE}/{NEW}")
    assert len(tab.stored(PersonPage).stores) == 10
    await tab.send(PersonPage.save, path=f"{PEOPLE}/{NEW}", form={"name": "Noa Bos", "email": "x", "role": "mechanic"})
    assert tab.stored(PersonPage).errors == {"email": Code.INVALID_EMAIL, "stores": Code.REQUIRED}
    store = tab.stored(PersonPage).stores[0]
    form = {"name": "Noa Bos", "email": "noa.bos@example.com", "role": "mechanic", f"store-{store.store_id}": "yes"}
    await tab.send(PersonPage.save, path=f"{PEOPLE}/{NEW}", form=form)
    await tab.send(PeoplePage.load, path=PEOPLE)
    lines = list(tab.stored(PeoplePage).lines)
    for page in range(2, tab.stored(PeoplePage).pages + 1):
        await tab.send(PeoplePage.load, path=f"{PEOPLE}?page={page}")
        lines += tab.stored(PeoplePage).lines
    noa = next(line for line in lines if line.name == "Noa Bos")
    assert (noa.stores, noa.active) == ([store], True)
    await tab.send(PersonPage.load, path=f"{PEOPLE}/{noa.person_id}")
    await tab.send(PersonPage.activate, path=f"{PEOPLE}/{noa.person_id}", active=False)
    assert not tab.held(PersonPage, "person").active


async def test_the_audit_is_filtered_by_the_address(desk_tabs: Pipeline, shop: Shop) -> None:
    desk = await tab_of(desk_tabs, shop, "Esra Vindt", Role.SERVICE_DESK)
    await desk.send(CustomersPage.find, path="/customers", form={"text": SANNE[1]})
    tab = await tab_of(desk_tabs, shop, "Hans Leest", Role.FINANCE)
    await tab.send(AuditPage.load, path="/audit?action=find_customers&since=not-a-day")
    shown = tab.stored(AuditPage)
    assert shown.lines[0].actor == "Esra Vindt"
    assert {line.action for line in shown.lines} == {"find_customers"}
    said = [(detail.name["nl"], detail.value["nl"]) for detail in shown.lines[0].described]
    assert said[:2] == [("Gezocht op", "E-mailadres"), ("Gevonden", "1")]
    assert "searched" not in repr(shown.lines[0])
    await tab.send(AuditPage.load, path="/audit?until=2020-01-01")
    assert tab.stored(AuditPage).lines == []
