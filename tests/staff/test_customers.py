"""What staff reveal, find and correct of customers: allowed for some, of their own stores, and always audited."""

from __future__ import annotations

from typing import Any

import pytest
from sqlmodel import col, select, update
from structlog.testing import capture_logs

from portal.account.api import AccountApi, CustomerUpdate
from portal.backend.mail import Template
from portal.backend.security import SecurityEvent
from portal.bikes.api import BikesApi
from portal.cases.api import CasesApi
from portal.contract.common_api import SessionApi
from portal.contract.errors import Conflict, InvalidInput, NotAuthenticated, NotFound
from portal.contract.models import PAGE_SIZE
from portal.contract.session import CodeRequest, Origin
from portal.flow.api import DraftStart, FlowApi
from portal.imports.provider import differences
from portal.imports.provider.importer import Importer
from portal.imports.provider.service import import_records
from portal.kernel.codes import Code
from portal.kernel.search import read_search
from portal.login.api import LoginApi
from portal.overview.api import OverviewApi
from portal.staff.api.customers import (
    AddressEntry,
    CancelEntry,
    CustomerCard,
    CustomersApi,
    CustomerSearch,
    EmailEntry,
    FinancialEntry,
    FrameNumberEntry,
    MergeEntry,
    PinCodeEntry,
    RevealReason,
    ShopValue,
    StoreEntry,
    VisitEntry,
)
from portal.staff.provider.cards import matching
from portal.tables.bikes import BikeRow
from portal.tables.cases import CaseEventRow, CaseRow
from portal.tables.customers import CustomerRow
from portal.tables.insurance import InsuranceRequestRow
from portal.tables.messages import OutboxMail
from portal.tables.orders import OrderRow, PartnerRow
from portal.tables.staff import AuditRow
from portal.tables.work_orders import RequestRow
from portal.vocabulary.actions import Feature, Reason
from portal.vocabulary.cases import CaseEventType, CaseKind
from portal.vocabulary.staff import CONCEALED, HiddenNumber, VisitMode
from portal.vocabulary.work_orders import RequestKind, WorkOrderStatus
from tests.imports.test_dated import OTHER_SHOP
from tests.support.customers import AMBER, JORIS, SANNE
from tests.support.living import Living
from tests.support.shop_records import customer as shop_record
from tests.support.shop_records import raw
from tests.support.staff import CARLA, DAAN, ESRA, FEMKE, HANS, KLAAS, MARLOES, TOM, staff_token, with_case


async def customer(shop: Living, pair: tuple[str, str]) -> CustomerRow:
    return await shop.row(CustomerRow, email=pair[1])


async def repair_in_utrecht(shop: Living) -> CaseRow:
    """The open repair of Joris as a case of the store in Utrecht; its bike has a pin code."""
    joris = await customer(shop, JORIS)
    request = await shop.row(RequestRow, customer_id=joris.id)
    await shop.change(BikeRow, {"pin_code": "2468"}, id=request.bike_id)
    utrecht = await shop.row(PartnerRow, name="Bovenbuis Utrecht")
    await shop.change(RequestRow, {"partner_id": utrecht.id}, id=request.id)
    return await with_case(shop, CaseKind.REPAIR, request.reference, joris.id, request.status, utrecht.id)


async def only_in_utrecht(shop: Living) -> CustomerRow:
    """Joris, with that repair; his other cases, and those of Sanne, are in no store."""
    joris, sanne = await customer(shop, JORIS), await customer(shop, SANNE)
    async with shop.context.database.transaction() as session:
        theirs = update(CaseRow).where(col(CaseRow.customer_id).in_([joris.id, sanne.id]))
        await session.exec(theirs.values(partner_id=None))
    await repair_in_utrecht(shop)
    return joris


async def insurance_case(shop: Living) -> CaseRow:
    """A request for an insurance, with an account number and a policy number."""
    row = await shop.row(InsuranceRequestRow)
    values = {"iban": "NL91ABNA0417164300", "policy_number": "P123456789"}
    await shop.change(InsuranceRequestRow, values, id=row.id)
    return await with_case(shop, CaseKind.INSURANCE, row.reference, row.customer_id, row.status)


async def invalid(call: Any) -> dict[str, Code]:
    with pytest.raises(InvalidInput) as caught:
        await call
    return dict(caught.value.fields)


@pytest.mark.each_database
async def test_an_address_whose_last_mail_came_back_is_shown_until_it_is_corrected(living: Living) -> None:
    case, desk = await repair_in_utrecht(living), await staff_token(living, ESRA)
    joris = await customer(living, JORIS)
    await living.ask(LoginApi).request_code(CodeRequest(email=JORIS[1], order_number=JORIS[0]), Origin())
    mail = (await living.rows(OutboxMail, customer_id=joris.id))[-1]
    before, after = mail.created_at, mail.expires_at

    async def shown() -> set[bool]:
        card = await living.ask(CustomersApi).customer_card(desk, joris.public_id)
        detail = await living.ask(CasesApi).case(desk, CaseKind.REPAIR, case.reference)
        assert detail.customer
        return {card.email_refused, detail.customer.email_refused}

    for sent, dropped, refused in (
        (None, None, False),
        (before, None, False),
        (None, after, False),
        (None, before, True),
        (before, after, True),
    ):
        await living.change(OutboxMail, {"sent_at": sent, "dropped_at": dropped}, id=mail.id)
        assert await shown() == {refused}, (sent, dropped)
    await living.change(CustomerRow, {"email": "joris@other.example"}, id=joris.id)
    assert await shown() == {False}


async def test_staff_see_whose_customer_somebody_is_only_where_there_are_several_shops(
    living: Living, monkeypatch: pytest.MonkeyPatch
) -> None:
    case, desk = await repair_in_utrecht(living), await staff_token(living, ESRA)
    joris = await customer(living, JORIS)

    async def shops() -> set[str]:
        found = await living.ask(CustomersApi).find_customers(desk, CustomerSearch(text=JORIS[1]))
        card = await living.ask(CustomersApi).customer_card(desk, joris.public_id)
        detail = await living.ask(CasesApi).case(desk, CaseKind.REPAIR, case.reference)
        assert detail.customer
        return {found.items[0].shop, card.shop, detail.customer.shop}

    assert await shops() == {""}
    monkeypatch.setattr(living.context.settings, "shops", {"other": OTHER_SHOP})
    assert await shops() == {living.context.settings.brand.name}
    await living.change(CustomerRow, {"source": "other"}, id=joris.id)
    assert await shops() == {OTHER_SHOP.brand.name}


async def test_a_case_hides_its_numbers_and_some_roles_say_why_they_reveal_one(living: Living) -> None:
    case, desk = await insurance_case(living), await staff_token(living, ESRA)
    shown = await living.ask(CasesApi).case(desk, "insurance", case.reference)
    assert {HiddenNumber.IBAN, HiddenNumber.POLICY_NUMBER} <= set(shown.hidden)
    text = shown.model_dump_json()
    assert CONCEALED in text
    assert not [number for number in ("NL91ABNA0417164300", "P123456789") if number in text]
    entry = FinancialEntry(kind=CaseKind.INSURANCE, reference=case.reference, what=HiddenNumber.IBAN)
    assert await invalid(living.ask(CustomersApi).reveal_financial(desk, entry)) == {"reason": Code.REQUIRED}
    too_long = entry.model_copy(update={"reason": "x" * 301})
    assert await invalid(living.ask(CustomersApi).reveal_financial(desk, too_long)) == {"reason": Code.TOO_LONG}
    given = entry.model_copy(update={"reason": "premium was not paid"})
    assert (await living.ask(CustomersApi).reveal_financial(desk, given)).value == "NL91ABNA0417164300"
    finance = await staff_token(living, HANS)
    with pytest.raises(NotFound):
        await living.ask(CustomersApi).reveal_financial(finance, entry)
    assert [(each.reason, each.details) for each in await living.rows(AuditRow, action="reveal_financial")] == [
        ("premium was not paid", {"what": "iban"})
    ]


async def test_the_policy_number_of_a_claim_is_that_of_the_customer_or_of_the_bike(living: Living) -> None:
    joris = await customer(living, JORIS)
    request = await living.row(RequestRow, customer_id=joris.id)
    await living.change(BikeRow, {"policy_number": "P-BIKE"}, id=request.bike_id)
    case = await with_case(living, CaseKind.CLAIM, request.reference, joris.id, request.status)
    entry = FinancialEntry(
        kind=CaseKind.CLAIM, reference=case.reference, what=HiddenNumber.POLICY_NUMBER, reason="insurer asks"
    )
    finance = await staff_token(living, HANS)
    assert (await living.ask(CustomersApi).reveal_financial(finance, entry)).value == "P-BIKE"
    await living.change(RequestRow, {"details": {"policy_number": "P-TYPED"}}, id=request.id)
    assert (await living.ask(CustomersApi).reveal_financial(finance, entry)).value == "P-TYPED"
    none = entry.model_copy(update={"what": HiddenNumber.IBAN})
    assert (await living.ask(CustomersApi).reveal_financial(finance, none)).value == ""


@pytest.mark.each_database
async def test_a_customer_is_found_by_what_is_known_of_them(living: Living) -> None:
    sanne, desk = await customer(living, SANNE), await staff_token(living, FEMKE)
    bike = await living.row(BikeRow, customer_id=sanne.id)
    draft = await living.ask(FlowApi).open_draft(await living.log_in(SANNE), DraftStart(flow="repair-request"))
    for text in (
        "SANNE@example.com",
        "900000001",
        "900 000 001",
        f"{sanne.post_code} {sanne.house_number}",
        f"{sanne.post_code.replace(' ', '').lower()}  {sanne.house_number}",
        sanne.last_name[:4].upper(),
        f"{sanne.first_name[:3]} {sanne.last_name[:2]}",
        bike.frame_number.lower(),
        f" {draft.draft_id[:5].lower()} {draft.draft_id[5:]} ",
    ):
        found = await living.ask(CustomersApi).find_customers(desk, CustomerSearch(text=text))
        assert sanne.public_id in {each.customer_id for each in found.items}, text


@pytest.mark.each_database
async def test_a_customer_is_found_however_name_phone_and_bike_are_written(living: Living) -> None:
    desk = await staff_token(living, ESRA)

    async def found(text: str) -> list[str]:
        page = await living.ask(CustomersApi).find_customers(desk, CustomerSearch(text=text))
        return [each.email for each in page.items]

    name = {"first_name": "Élodie Łucja", "prefix": "van der", "last_name": "O’Brien-Østergård"}
    await living.change(CustomerRow, {**name, "phone": "+31612345601"}, email=SANNE[1])
    sanne = await customer(living, SANNE)
    await living.change(BikeRow, {"name": "Zwenkwiel 7"}, customer_id=sanne.id)
    for text in (
        "Élodie Østergård", "lucja", "OSTERGARD", "ost elo", "brien", "obrien", "o'brien", "O’Brien, E", "der obr luc",
        "obrien-ostergard", "0612345601", "06-123 456 01", "+31 6 12345601", "+31 (0)6-12345601", "0031 612345601",
        "31612345601", "zwenkwiel", "Østergård zwenk",
    ):  # fmt: skip
        assert await found(text) == [SANNE[1]], text
    for text in ("lodie", "elodie obrienx", "0612349876", "+32 6 12345601", "% _", "612345"):
        assert await found(text) == [], text
    own = {name: getattr(await customer(living, SANNE), name) for name in CustomerUpdate.model_fields}
    renamed = CustomerUpdate(**{**own, "last_name": "Ðorđe", "phone": "0687654321"})
    await living.ask(AccountApi).update_customer(await living.log_in(SANNE), renamed)
    assert await found("dorde") == await found("0687654321") == await found("zwenkwiel dorde") == [SANNE[1]]
    assert await found("ostergard") == []


@pytest.mark.each_database
async def test_a_search_reads_the_texts_of_all_customers_once(living: Living) -> None:
    desk = await staff_token(living, ESRA)
    people = [shop_record(number, last_name="Vlierstra") for number in range(2 * PAGE_SIZE + 1)]
    await import_records(living.context, "customers", "many", people)

    async def found(text: str, page: int = 1) -> tuple[list[int], int]:
        with living.statements() as sent:
            answer = await living.ask(CustomersApi).find_customers(desk, CustomerSearch(text=text, page=page))
        assert len(answer.items) == len({each.customer_id for each in answer.items})
        return [len(answer.items), answer.page, answer.total], sum("LIKE" in statement for statement in sent)

    await living.change(CustomerRow, {"last_name": "Øst"}, email=SANNE[1])
    assert await found("ost") == ([1, 1, 1], 1)
    assert await found("nobody") == ([0, 1, 0], 1)
    many = 2 * PAGE_SIZE + 1
    for page, shown in ((1, PAGE_SIZE), (2, PAGE_SIZE), (3, 1), (9, 1)):
        assert (await found("vlier noor", page))[0] == [shown, min(page, 3), many]
    if living.context.database.engine.dialect.name == "sqlite":
        by, condition = matching(read_search("ost elo"))
        query = select(CustomerRow.id).where(condition).order_by(col(CustomerRow.search_text), col(CustomerRow.id))
        engine = living.context.database.engine
        text = str(query.compile(engine.sync_engine, compile_kwargs={"literal_binds": True}))
        async with engine.connect() as connection:
            plan = str((await connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {text}")).all())
        assert (by, "COVERING INDEX ix_customers_search_text" in plan, "TEMP B-TREE" in plan) == ("name", True, False)


async def test_a_search_is_recorded_without_what_was_searched_for(living: Living) -> None:
    token = await staff_token(living, ESRA)
    await living.ask(CustomersApi).find_customers(token, CustomerSearch(text=SANNE[1]))
    entry = (await living.rows(AuditRow, action="find_customers"))[0]
    assert (entry.details["by"], entry.details["found"]) == ("email", 1)
    assert "sanne" not in str(entry.details)
    for text, code in (("", Code.REQUIRED), (" ab ", Code.TOO_SHORT)):
        call = living.ask(CustomersApi).find_customers(token, CustomerSearch(text=text))
        assert await invalid(call) == {"text": code}
    assert (await living.ask(CustomersApi).find_customers(token, CustomerSearch(text="100% _"))).total == 0


async def test_the_card_of_a_customer_shows_bikes_and_orders_and_is_recorded(living: Living) -> None:
    sanne = await customer(living, SANNE)
    card = await living.ask(CustomersApi).customer_card(await staff_token(living, ESRA), sanne.public_id)
    assert card.email == SANNE[1]
    assert SANNE[0] in card.orders
    assert len(card.bikes) == 2
    assert [each.reference for each in await living.rows(AuditRow, action="customer_card")] == [sanne.public_id]
    for unknown in ("NOBODY", str(sanne.id)):
        with pytest.raises(NotFound):
            await living.ask(CustomersApi).customer_card(await staff_token(living, ESRA), unknown)


async def test_a_bike_with_an_unknown_frame_number_can_be_used_once_it_is_corrected(living: Living) -> None:
    amber = await customer(living, AMBER)
    bike = await living.row(BikeRow, customer_id=amber.id, frame_number=None)
    token = await living.log_in(AMBER)
    assert not (await living.ask(BikesApi).bike(token, bike.public_id)).frame_number
    desk = await staff_token(living, ESRA)
    wrong = living.ask(CustomersApi).correct_frame_number(desk, bike.public_id, FrameNumberEntry(frame_number="?"))
    assert await invalid(wrong) == {"frame_number": Code.INVALID_FRAME_NUMBER}
    entry = FrameNumberEntry(frame_number="wbk 123-456 l")
    corrected = await living.ask(CustomersApi).correct_frame_number(desk, bike.public_id, entry)
    assert corrected.frame_number == "WBK123456L"
    assert (await living.ask(BikesApi).bike(token, bike.public_id)).frame_number == "WBK123456L"
    assert (await living.rows(AuditRow, action="correct_frame_number"))[0].details == {
        "known_before": False,
        "known": True,
    }


async def test_a_frame_number_becomes_unknown_again_and_closes_the_bike(living: Living) -> None:
    bike = await living.row(BikeRow, customer_id=(await customer(living, SANNE)).id)
    desk, token, call = await staff_token(living, ESRA), await living.log_in(SANNE), living.ask(CustomersApi)

    async def reasons() -> set[Reason | None]:
        home = await living.ask(OverviewApi).bike_home(token, bike.public_id)
        return {action.reason for action in home.actions if action.feature in (Feature.SERVICE, Feature.CLAIM)}

    unknown = FrameNumberEntry(frame_number="not read", unknown=True, reason="the sticker was of another bike")
    assert (await call.correct_frame_number(desk, bike.public_id, unknown)).frame_number == ""
    assert await reasons() == {Reason.FRAME_NUMBER_UNKNOWN}
    await call.correct_frame_number(desk, bike.public_id, FrameNumberEntry(frame_number=bike.frame_number))
    assert Reason.FRAME_NUMBER_UNKNOWN not in await reasons()
    # The same number again changes nothing, and is no correction.
    await call.correct_frame_number(desk, bike.public_id, FrameNumberEntry(frame_number=bike.frame_number))
    recorded = [entry.details for entry in await living.rows(AuditRow, action="correct_frame_number")]
    assert recorded == [{"known_before": True, "known": False}, {"known_before": False, "known": True}]


async def test_a_bike_shows_its_numbers_to_who_may_see_them_and_each_look_is_recorded(living: Living) -> None:
    case = await repair_in_utrecht(living)
    request = await living.row(RequestRow, reference=case.reference)
    await living.change(BikeRow, {"policy_number": "P-BIKE"}, id=request.bike_id)
    bike = await living.row(BikeRow, id=request.bike_id)
    api, desk = living.ask(CustomersApi), await staff_token(living, ESRA)
    card = await api.customer_card(desk, (await customer(living, JORIS)).public_id)
    shown = next(each for each in card.bikes if each.bike_id == bike.public_id)
    assert shown.hidden == [HiddenNumber.PIN_CODE, HiddenNumber.POLICY_NUMBER]
    assert not {"2468", "P-BIKE"} & set(card.model_dump_json().split('"'))
    assert await invalid(api.reveal_bike_pin_code(desk, bike.public_id, RevealReason())) == {"reason": Code.REQUIRED}
    reason = RevealReason(reason="test ride")
    assert (await api.reveal_bike_pin_code(desk, bike.public_id, reason)).value == "2468"
    assert (await api.reveal_bike_policy_number(desk, bike.public_id, reason)).value == "P-BIKE"
    assert (await api.reveal_bike_pin_code(await staff_token(living, TOM), bike.public_id, RevealReason())).value
    with pytest.raises(NotFound):
        await api.reveal_bike_pin_code(await staff_token(living, KLAAS), bike.public_id, RevealReason())
    looked = await living.rows(AuditRow, action="reveal_pin_code")
    assert [(entry.actor, entry.kind, entry.reference, entry.reason) for entry in looked] == [
        ("Esra Yilmaz", "bike", bike.public_id, "test ride"), ("Tom Verhoeven", "bike", bike.public_id, ""),
    ]  # fmt: skip


async def test_the_card_of_a_customer_lists_the_cases_that_the_person_may_see(living: Living) -> None:
    case, joris = await repair_in_utrecht(living), await customer(living, JORIS)
    for email, seen in ((FEMKE, True), (MARLOES, False), (ESRA, True)):
        token = await staff_token(living, email)
        await living.ask(CustomersApi).find_customers(token, CustomerSearch(text=JORIS[1]))
        card = await living.ask(CustomersApi).customer_card(token, joris.public_id)
        assert (case.reference in {each.reference for each in card.cases}) is seen


@pytest.mark.each_database
async def test_a_manager_finds_the_customers_of_the_store_and_those_of_a_search_only(living: Living) -> None:
    joris, api = await only_in_utrecht(living), living.ask(CustomersApi)
    bike = next(each for each in await living.rows(BikeRow, customer_id=joris.id) if each.pin_code == "2468")
    assert (await api.customer_card(await staff_token(living, FEMKE), joris.public_id)).customer_id == joris.public_id
    amsterdam = await staff_token(living, MARLOES)
    email = EmailEntry(email="j@example.org", reason="typing mistake")
    frame = FrameNumberEntry(frame_number="WBK999999")
    calls = {
        "customer_card": lambda: api.customer_card(amsterdam, joris.public_id),
        "visit_customer": lambda: api.visit_customer(amsterdam, joris.public_id, VisitEntry(mode=VisitMode.READ_ONLY)),
        "correct_frame_number": lambda: api.correct_frame_number(amsterdam, bike.public_id, frame),
        "correct_email": lambda: api.correct_email(amsterdam, joris.public_id, email),
    }
    await api.find_customers(amsterdam, CustomerSearch(text=SANNE[1]))  # shows somebody else
    await api.find_customers(await staff_token(living, FEMKE), CustomerSearch(text=JORIS[1]))  # of somebody else
    for name, call in calls.items():
        with capture_logs() as lines, pytest.raises(NotFound):
            await call()
        assert [line["why"] for line in lines if line["event"] == SecurityEvent.STAFF_REFUSED] == [name]
    await api.find_customers(amsterdam, CustomerSearch(text=JORIS[1]))
    for call in calls.values():
        assert await call()
    living.clock.forward(hours=13)
    with pytest.raises(NotFound):
        await api.customer_card(await staff_token(living, MARLOES), joris.public_id)


@pytest.mark.each_database
async def test_a_search_reveals_nothing_to_another_store(living: Living) -> None:
    joris, api = await only_in_utrecht(living), living.ask(CustomersApi)
    bike = next(each for each in await living.rows(BikeRow, customer_id=joris.id) if each.pin_code == "2468")
    hidden = {}
    for email in (FEMKE, MARLOES):
        token = await staff_token(living, email)
        await api.find_customers(token, CustomerSearch(text=JORIS[1]))
        card = await api.customer_card(token, joris.public_id)
        hidden[email] = next(each.hidden for each in card.bikes if each.bike_id == bike.public_id)
    assert hidden == {FEMKE: [HiddenNumber.PIN_CODE], MARLOES: []}
    with pytest.raises(NotFound):
        await api.reveal_bike_pin_code(await staff_token(living, MARLOES), bike.public_id, RevealReason())
    shown = await api.reveal_bike_pin_code(await staff_token(living, FEMKE), bike.public_id, RevealReason())
    assert shown.value == "2468"


async def test_a_manager_merges_only_customers_whom_they_reach(living: Living) -> None:
    joris, sanne, api = await only_in_utrecht(living), await customer(living, SANNE), living.ask(CustomersApi)
    manager, entry = await staff_token(living, FEMKE), MergeEntry(merged_id=sanne.public_id, reason="same person")
    with capture_logs() as lines:
        refused = await invalid(api.merge_customers(manager, joris.public_id, entry))
    assert refused == {"merged_id": Code.INVALID_CHOICE}
    assert [line["why"] for line in lines if line["event"] == SecurityEvent.STAFF_REFUSED] == ["merge_customers"]
    await api.find_customers(manager, CustomerSearch(text=SANNE[1]))
    await api.merge_customers(manager, joris.public_id, entry)
    assert await living.rows(CustomerRow, public_id=sanne.public_id) == []


async def test_a_mechanic_corrects_the_bike_of_a_case_of_the_own_store_only(living: Living) -> None:
    case = await repair_in_utrecht(living)
    request = await living.row(RequestRow, reference=case.reference)
    bike = await living.row(BikeRow, id=request.bike_id)
    entry = FrameNumberEntry(frame_number="WBK999999")
    with pytest.raises(NotFound):
        await living.ask(CustomersApi).correct_frame_number(await staff_token(living, KLAAS), bike.public_id, entry)
    await living.ask(CustomersApi).correct_frame_number(await staff_token(living, TOM), bike.public_id, entry)
    event = (await living.row(CaseEventRow, case_id=case.id, type=CaseEventType.CORRECTED)).details
    assert event == {"what": "frame_number"}


async def test_a_corrected_email_address_is_told_at_both_addresses_and_ends_the_sessions(living: Living) -> None:
    sanne, token = await customer(living, SANNE), await living.log_in(SANNE)
    desk, reason = await staff_token(living, ESRA), "typing mistake"
    call = living.ask(CustomersApi).correct_email
    for wrong, fields in (
        (EmailEntry(email="x", reason=reason), {"email": Code.INVALID_EMAIL}),
        (EmailEntry(email=SANNE[1].upper(), reason=reason), {"email": Code.SAME_EMAIL}),
        (EmailEntry(email="s@example.org"), {"reason": Code.REQUIRED}),
    ):
        assert await invalid(call(desk, sanne.public_id, wrong)) == fields
    card = await call(desk, sanne.public_id, EmailEntry(email="s@example.org", reason=reason))
    assert card.email == "s@example.org"
    with pytest.raises(NotAuthenticated):
        await living.ask(SessionApi).check_session(token)
    told = await living.rows(OutboxMail, template=Template.EMAIL_CHANGED)
    assert sorted(mail.recipient for mail in told) == ["s@example.org", SANNE[1]]


async def test_a_corrected_address_is_checked_like_that_of_a_customer(living: Living) -> None:
    sanne, desk = await customer(living, SANNE), await staff_token(living, ESRA)
    entry = AddressEntry(
        street="Meent", house_number="94", post_code="3011jp", city="Rotterdam", country_code="NL", phone="0612345678"
    )
    wrong = entry.model_copy(update={"post_code": "1", "house_number": "a"})
    assert await invalid(living.ask(CustomersApi).correct_address(desk, sanne.public_id, wrong)) == {
        "post_code": Code.INVALID_POSTCODE, "house_number": Code.INVALID_HOUSE_NUMBER,
    }  # fmt: skip
    card = await living.ask(CustomersApi).correct_address(desk, sanne.public_id, entry)
    assert (card.address.post_code, card.address.phone) == ("3011 JP", "+31612345678")
    assert "Rotterdam" not in str((await living.rows(AuditRow, action="correct_address"))[0].details)


async def test_a_case_in_the_wrong_store_moves_with_its_work_order(living: Living) -> None:
    case, desk = await repair_in_utrecht(living), await staff_token(living, ESRA)
    amsterdam = await living.row(PartnerRow, name="Bovenbuis Amsterdam")
    entry = StoreEntry(kind=CaseKind.REPAIR, reference=case.reference, store_id="NOWHERE")
    assert await invalid(living.ask(CustomersApi).correct_store(desk, entry)) == {"store_id": Code.INVALID_CHOICE}
    moved = entry.model_copy(update={"store_id": amsterdam.public_id})
    await living.ask(CustomersApi).correct_store(desk, moved)
    assert (await living.row(CaseRow, id=case.id)).partner_id == amsterdam.id
    assert (await living.row(RequestRow, reference=case.reference)).partner_id == amsterdam.id
    pin = PinCodeEntry(kind=CaseKind.REPAIR, reference=case.reference)
    with pytest.raises(NotFound):
        await living.ask(CustomersApi).reveal_pin_code(await staff_token(living, TOM), pin)
    shown = await living.ask(CustomersApi).reveal_pin_code(await staff_token(living, DAAN), pin)
    assert shown.value == "2468"
    assert "2468" not in repr(shown)


async def test_a_request_is_cancelled_for_the_customer_as_the_graph_allows(living: Living) -> None:
    case, desk = await repair_in_utrecht(living), await staff_token(living, ESRA)
    entry = CancelEntry(kind=CaseKind.REPAIR, reference=case.reference)
    assert await invalid(living.ask(CustomersApi).cancel_for_customer(desk, entry)) == {"reason": Code.REQUIRED}
    given = entry.model_copy(update={"reason": "by phone"})
    await living.ask(CustomersApi).cancel_for_customer(desk, given)
    assert (await living.row(RequestRow, reference=case.reference)).status is WorkOrderStatus.CANCELLED
    await living.change(RequestRow, {"status": WorkOrderStatus.DONE}, reference=case.reference)
    with pytest.raises(Conflict) as caught:
        await living.ask(CustomersApi).cancel_for_customer(desk, given)
    assert caught.value.code is Code.STATUS_NOT_ALLOWED
    assert len(await living.rows(AuditRow, action="cancel_for_customer")) == 1


async def test_a_battery_alarm_cannot_be_cancelled(living: Living) -> None:
    joris = await customer(living, JORIS)
    case = await with_case(living, CaseKind.BATTERY_ALARM, "BATT2345", joris.id, "new")
    entry = CancelEntry(kind=CaseKind.BATTERY_ALARM, reference=case.reference, reason="by phone")
    with pytest.raises(Conflict):
        await living.ask(CustomersApi).cancel_for_customer(await staff_token(living, CARLA), entry)


async def test_nobody_is_merged_with_themselves_or_with_nobody(living: Living) -> None:
    sanne, desk = await customer(living, SANNE), await staff_token(living, ESRA)
    for merged_id in (sanne.public_id, "NOBODY", ""):
        entry = MergeEntry(merged_id=merged_id, reason="same person")
        call = living.ask(CustomersApi).merge_customers(desk, sanne.public_id, entry)
        assert await invalid(call) == {"merged_id": Code.INVALID_CHOICE}
    assert (await living.row(OrderRow, order_number=SANNE[0])).customer_id == sanne.id


OWN = {"city": "Zeist", "email": "own@example.com", "email_key": "own@example.com"}
"""What the customer changed in the portal."""


async def sent(shop: Living, **changes: Any) -> CustomerRow:
    await Importer(shop.context, "shop").store("customers", raw(shop_record(**changes)))
    return await shop.row(CustomerRow, last_name="Jansen 1")


async def differing(shop: Living) -> CustomerRow:
    """A customer who changed city and e-mail address, which the shop changed as well."""
    row = await sent(shop)
    await shop.change(CustomerRow, OWN, id=row.id)
    return await sent(shop, city="Houten", email="shop@example.com")


async def card(shop: Living, row: CustomerRow) -> CustomerCard:
    return await shop.ask(CustomersApi).customer_card(await staff_token(shop, CARLA), row.public_id)


async def test_staff_read_both_values_on_the_page_of_the_customer_and_in_a_case(living: Living) -> None:
    row = await differing(living)
    assert (await card(living, row)).shop_values == [
        ShopValue(field="email", shop="shop@example.com", portal="own@example.com"),
        ShopValue(field="city", shop="Houten", portal="Zeist"),
    ]
    request = await living.row(RequestRow, kind=RequestKind.REPAIR)
    case = await with_case(living, CaseKind.REPAIR, request.reference, row.id, request.status)
    await living.change(CaseRow, {"customer_id": row.id}, id=case.id)
    detail = await living.ask(CasesApi).case(await staff_token(living, CARLA), CaseKind.REPAIR, case.reference)
    assert detail.customer
    assert detail.customer.shop_values == (await card(living, row)).shop_values
    await living.change(CustomerRow, {"city": "Houten"}, id=row.id)
    (found,) = (await card(living, row)).shop_values
    assert found.field == "email", "what agrees by now is left out"


@pytest.mark.parametrize(("city", "after_another_import"), [("Houten", "Bunnik"), ("Utrecht", "Utrecht")])
async def test_what_staff_enter_holds_until_the_shop_sends_another_value(
    living: Living, city: str, after_another_import: str
) -> None:
    row = await differing(living)
    token = await staff_token(living, CARLA)
    address = {name: getattr(row, name) for name in AddressEntry.model_fields if name != "reason"}
    entry = AddressEntry(**{**address, "city": city})
    corrected = await living.ask(CustomersApi).correct_address(token, row.public_id, entry)
    assert [value.field for value in corrected.shop_values] == ["email"]
    entry = EmailEntry(email="shop@example.com", reason="Gebeld")
    assert (await living.ask(CustomersApi).correct_email(token, row.public_id, entry)).shop_values == []
    async with living.context.database.session() as session:
        assert (await differences.open_differences(session, source="shop")).items == []
    again = await sent(living, city="Houten", email="shop@example.com", first_name="Noortje")
    assert (again.city, (await card(living, row)).shop_values) == (city, [])
    assert (await sent(living, city="Bunnik", email="shop@example.com")).city == after_another_import
