"""Staff pages that reveal, correct and merge, as events of a browser tab."""

import asyncio
import json
import sqlite3
from itertools import dropwhile
from typing import Any

import pytest

import portal.cases.desk.case
from portal.cases.desk.case_state import CasePage
from portal.frontend.load import READY
from portal.kernel.codes import Code
from portal.provider.application import Application
from portal.staff.desk import customer_parts
from portal.staff.desk.customer import CustomerPage
from portal.staff.desk.customer_parts import Reveal
from portal.staff.desk.merging import CHECK, CHOOSE, SEARCH, MergePage
from portal.vocabulary.cases import CaseState
from portal.vocabulary.staff import Role
from tests.support.connections import Shop
from tests.support.conversing import case_of_repair
from tests.support.desk import hire
from tests.support.people import SANNE
from tests.support.pipeline import Pipeline, Tab

pytestmark = pytest.mark.asyncio(loop_scope="module")
assert portal.cases.desk.case
SECRET = "PIN-8642"


def asked(shop: Shop, query: str, *values: Any) -> list[tuple[Any, ...]]:
    with sqlite3.connect(shop.data_dir / "portal.db") as connection:
        return connection.execute(query, values).fetchall()


def customer_id(shop: Shop, email: str = SANNE[1]) -> str:
    return asked(shop, "SELECT public_id FROM customers WHERE email = ?", email)[0][0]


async def tab_of(tabs: Pipeline, shop: Shop, name: str, role: Role, *stores: int) -> Tab:
    tab = tabs.tab(name)
    tab.cookie = f"staff={await hire(shop, role, name, stores=stores)}"
    return tab


async def with_pin(tabs: Pipeline, shop: Shop, office: Application, name: str, role: Role) -> tuple[Tab, str, str]:
    """A tab with the case of a bike that has a pin code; also what the page asks about, and its path."""
    case = await case_of_repair(office.context, SANNE[1])
    await shop.alter(
        "UPDATE bikes SET pin_code = ? WHERE id = (SELECT bike_id FROM requests WHERE reference = ?)",
        SECRET,
        case.reference,
    )
    about = f"{case.kind}/{case.reference}"
    tab = await tab_of(tabs, shop, name, role, case.partner_id)
    await tab.send(CasePage.load, path=f"/cases/{about}")
    assert tab.held(CasePage, "case").hidden == ["pin_code"]
    return tab, about, f"/cases/{about}"


def shown_until_hidden(tab: Tab) -> list[str]:
    """The values that the browser got, one after the other, from the first that is not empty."""
    name = Reveal.get_full_name()
    found = [delta[name] for delta in tab.deltas if name in delta]
    values = [value for part in found for key, value in part.items() if key.startswith("value")]
    return list(dropwhile(lambda value: not value, values))


async def test_a_number_is_shown_for_a_while_and_then_forgotten(
    desk_tabs: Pipeline, shop: Shop, office: Application, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(customer_parts, "SHOWN_SECONDS", 0.2)
    tab, about, path = await with_pin(desk_tabs, shop, office, "Tom Toont", Role.MECHANIC)
    assert SECRET not in json.dumps(tab.deltas, default=str)
    await tab.send(Reveal.begin, path=path, what="pin_code", about=about)
    assert shown_until_hidden(tab) == [SECRET, ""]
    state = tab.stored(Reveal)
    assert (state.shown, state.value, state.asking) == ("", "", "")
    recorded = asked(shop, "SELECT action, kind, reference FROM audit WHERE actor = 'Tom Toont' ORDER BY id DESC")
    assert recorded[0] == ("reveal_pin_code", *about.split("/"))


async def test_leaving_the_page_hides_what_is_shown(desk_tabs: Pipeline, shop: Shop, office: Application) -> None:
    tab, about, path = await with_pin(desk_tabs, shop, office, "Tom Verlaat", Role.MECHANIC)
    looking = asyncio.create_task(tab.send(Reveal.begin, path=path, what="pin_code", about=about))
    async with asyncio.timeout(60):
        while SECRET not in shown_until_hidden(tab):
            await asyncio.sleep(0.02)
    other = desk_tabs.tab("Tom Verlaat")
    before = list(tab.deltas)
    await other.send(Reveal.hide, path="/cases")
    assert tab.stored(Reveal).value == ""
    assert before
    looking.cancel()


async def test_who_has_to_say_why_is_asked_first(
    desk_tabs: Pipeline, shop: Shop, office: Application, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(customer_parts, "SHOWN_SECONDS", 0.2)
    tab, about, path = await with_pin(desk_tabs, shop, office, "Esra Vraagt", Role.SERVICE_DESK)
    await tab.send(Reveal.begin, path=path, what="pin_code", about=about)
    assert (tab.stored(Reveal).asking, shown_until_hidden(tab)) == (f"pin_code {about}", [])
    await tab.send(Reveal.give_reason, path=path, form={"reveal-reason": " "})
    state = tab.stored(Reveal)
    assert (state.reason_error, state.attempt, state.asking) == (Code.REQUIRED, 1, f"pin_code {about}")
    await tab.send(Reveal.give_reason, path=path, form={"reveal-reason": "proefrit"})
    assert shown_until_hidden(tab) == [SECRET, ""]
    reasons = asked(shop, "SELECT reason FROM audit WHERE actor = 'Esra Vraagt' AND action = 'reveal_pin_code'")
    assert reasons == [("proefrit",)]


async def test_what_is_not_there_or_not_theirs_is_refused_in_its_place(
    desk_tabs: Pipeline, shop: Shop, office: Application
) -> None:
    case = await case_of_repair(office.context, SANNE[1])
    tab = await tab_of(desk_tabs, shop, "Klaas Elders", Role.MECHANIC, case.partner_id + 1)
    about = f"{case.kind}/{case.reference}"
    await tab.send(Reveal.begin, path="/cases", what="pin_code", about=about)
    assert (tab.stored(Reveal).refused, tab.stored(Reveal).refusal) == (f"pin_code {about}", Code.NOT_FOUND)
    for what, forged in (("password", about), ("iban", "horse/ABCD2345"), ("pin_code", "bike/NOBODY")):
        await tab.send(Reveal.begin, path="/cases", what=what, about=forged)
        assert tab.stored(Reveal).value == ""


async def test_a_customer_is_corrected_with_errors_at_the_fields(desk_tabs: Pipeline, shop: Shop) -> None:
    email = "fleur@example.com"
    person = customer_id(shop, email)
    path = f"/customers/{person}"
    tab = await tab_of(desk_tabs, shop, "Esra Herstelt", Role.SERVICE_DESK)
    await tab.send(CustomerPage.load, path=path)
    before = tab.held(CustomerPage, "customer")
    assert (tab.stored(CustomerPage).view_state, before.email) == (READY, email)
    await tab.send(CustomerPage.edit, path=path, form="email")
    await tab.send(CustomerPage.correct_email, path=path, form={"email-email": "x"})
    page = tab.stored(CustomerPage)
    assert page.editing == "email"
    assert page.errors == {"email-email": Code.INVALID_EMAIL, "email-reason": Code.REQUIRED}
    form = {"email-email": "fleur.nieuw@example.com", "email-reason": "typo"}
    await tab.send(CustomerPage.correct_email, path=path, form=form)
    page, changed = tab.stored(CustomerPage), tab.held(CustomerPage, "customer")
    assert (changed.email, page.errors, page.editing, page.sent) == ("fleur.nieuw@example.com", {}, "", 1)
    typed = {f"address-{name}": value for name, value in before.address.model_dump().items()}
    await tab.send(CustomerPage.correct_address, path=path, form={**typed, "address-post_code": "1"})
    assert tab.stored(CustomerPage).errors == {"address-post_code": Code.INVALID_POSTCODE}
    await tab.send(CustomerPage.correct_address, path=path, form={**typed, "address-street": "Oudegracht"})
    assert "Oudegracht" in tab.held(CustomerPage, "customer").place
    bike = next(each for each in changed.bikes if each.frame_number)
    await tab.send(CustomerPage.correct_frame, path=path, form={"frame-frame_number": "AB123456"})
    assert tab.held(CustomerPage, "customer").bikes == changed.bikes, "no form is open"
    await tab.send(CustomerPage.edit, path=path, form=f"frame-{bike.bike_id}")
    await tab.send(CustomerPage.correct_frame, path=path, form={"frame-frame_number": "?"})
    assert tab.stored(CustomerPage).errors == {"frame-frame_number": Code.INVALID_FRAME_NUMBER}
    await tab.send(CustomerPage.correct_frame, path=path, form={"frame-unknown": "yes"})
    numbers = {each.bike_id: each.frame_number for each in tab.held(CustomerPage, "customer").bikes}
    assert numbers[bike.bike_id] == ""


async def test_two_customers_are_merged_in_three_steps(desk_tabs: Pipeline, shop: Shop) -> None:
    kept, other = customer_id(shop, "joris@example.com"), customer_id(shop, "amber@example.com")
    path = f"/customers/{kept}/merge"
    tab = await tab_of(desk_tabs, shop, "Esra Voegt", Role.SERVICE_DESK)
    await tab.send(MergePage.load, path=path)
    assert (tab.stored(MergePage).step, tab.held(MergePage, "kept").customer_id) == (SEARCH, kept)
    await tab.send(MergePage.find, path=path, form={"find-text": "a"})
    assert tab.stored(MergePage).errors == {"find-text": Code.TOO_SHORT}
    await tab.send(MergePage.find, path=path, form={"find-text": "joris@example.com"})
    assert (tab.stored(MergePage).searched, tab.stored(MergePage).found) == (True, []), "nobody merges with themselves"
    await tab.send(MergePage.choose, path=path, customer_id=kept)
    assert tab.stored(MergePage).step == SEARCH
    await tab.send(MergePage.find, path=path, form={"find-text": "amber@example.com"})
    await tab.send(MergePage.merge, path=path)
    await tab.send(MergePage.choose, path=path, customer_id=tab.stored(MergePage).found[0].customer_id)
    assert (tab.stored(MergePage).step, tab.held(MergePage, "merged").customer_id) == (CHOOSE, other)
    await tab.send(MergePage.check, path=path, form={"merge-email_of": "merged"})
    assert (tab.stored(MergePage).errors, tab.stored(MergePage).step) == ({"merge-reason": Code.REQUIRED}, CHOOSE)
    form = {"merge-email_of": "merged", "merge-name_of": "horse", "merge-reason": "zelfde persoon"}
    await tab.send(MergePage.check, path=path, form=form)
    page = tab.stored(MergePage)
    assert page.step == CHECK
    assert page.sides == {"name_of": "kept", "email_of": "merged", "address_of": "kept"}
    assert asked(shop, "SELECT count(*) FROM customers WHERE public_id = ?", other) == [(1,)], "nothing happened yet"
    await tab.send(MergePage.back, path=path)
    await tab.send(MergePage.check, path=path, form=form)
    await tab.send(MergePage.merge, path=path)
    assert f"/customers/{kept}" in repr(tab.events)
    rows = asked(shop, "SELECT public_id FROM customers WHERE email = 'amber@example.com'")
    assert rows == [(kept,)]


async def test_a_case_is_corrected_on_its_page(desk_tabs: Pipeline, shop: Shop, office: Application) -> None:
    case = await case_of_repair(office.context, SANNE[1])
    await shop.alter("UPDATE requests SET status = 'new' WHERE reference = ?", case.reference)
    await shop.alter(
        "UPDATE cases SET status = 'new', state = 'new', closed_at = NULL WHERE reference = ?", case.reference
    )
    path = f"/cases/{case.kind}/{case.reference}"
    tab = await tab_of(desk_tabs, shop, "Esra Zaak", Role.SERVICE_DESK)
    await tab.send(CasePage.load, path=path)
    number = tab.held(CasePage, "case").bike.frame_number
    assert number
    await tab.send(CasePage.correct_frame, path=path, form={"frame-frame_number": "?"})
    assert tab.stored(CasePage).errors == {"frame-frame_number": Code.INVALID_FRAME_NUMBER}
    await tab.send(CasePage.correct_frame, path=path, form={"frame-unknown": "yes"})
    assert tab.held(CasePage, "case").bike.frame_number == ""
    await tab.send(CasePage.correct_frame, path=path, form={"frame-frame_number": number})
    assert tab.held(CasePage, "case").bike.frame_number == number
    await tab.send(CasePage.correct_store, path=path, form={})
    assert tab.stored(CasePage).errors == {"store-store_id": Code.REQUIRED}
    assert tab.held(CasePage, "cancelled").status == "cancelled"
    await tab.send(CasePage.cancel_for_customer, path=path, form={})
    assert tab.stored(CasePage).errors == {"cancel-reason": Code.REQUIRED}
    await tab.send(CasePage.cancel_for_customer, path=path, form={"cancel-reason": "belde af"})
    page = tab.stored(CasePage)
    assert (tab.held(CasePage, "case").state, page.cancelled, page.errors) == (CaseState.DONE, None, {})
