"""Service packages and insurances are withdrawn from within 14 days and cancelled later, by customers and guests."""

import asyncio
from datetime import timedelta
from decimal import Decimal

import pytest
from sqlmodel import select

from portal.backend.backoffice import NotAllowed
from portal.backend.mail import Template, render
from portal.backend.security import decrypt
from portal.bikes.api import BikesApi
from portal.contract.account import Direction
from portal.contract.errors import Conflict, NotFound, ProviderError, Refused
from portal.contract.session import Origin
from portal.contracts.api import Contract, ContractsApi, DeclaredEnd, EndEntry, GuestContract, GuestEnd
from portal.contracts.provider.ends import JOB, confirm, end_on_its_day
from portal.contracts.provider.queries import ContractQueries
from portal.kernel.codes import Code
from portal.kernel.days import add_months, local_day
from portal.links.api import LinkEntry, LinksApi
from portal.tables.insurance import ContractEndRow
from portal.tables.messages import JobRow, OutboxMail
from portal.vocabulary.contracts import EndKind, EndStatus
from portal.vocabulary.links import LinkPurpose, LinkState
from tests.support.customers import EVA
from tests.support.living import FLEUR, Living

GUEST = Origin(address="203.0.113.66")
PRICE = Decimal("7.95")


async def take_out(shop: Living, number: str = "900000081") -> tuple[str, Contract]:
    """Fleur takes out a service package; her session and the contract."""
    token = await shop.log_in(FLEUR)
    bike = await shop.bike_of(token, number)
    receipt = await shop.send(
        token, await shop.fill(token, "service-package", bike, ("package", {"package": "SERVICE21"}))
    )
    return token, await shop.ask(ContractsApi).contract(token, receipt.reference)


async def insure(shop: Living, number: str = "900000081") -> tuple[str, Contract]:
    """Fleur's insurance is requested, confirmed and taken out."""
    token = await shop.log_in(FLEUR)
    steps = (
        ("insurance", {"type": "theft", "insurer": "fietsvast", "key_number": "B12345"}),
        ("account", {"iban": "NL91 ABNA 0417 1643 00", "agreed": "yes"}),
    )
    receipt = await shop.send(
        token, await shop.fill(token, "insurance-request", await shop.bike_of(token, number), *steps)
    )
    await shop.confirm(await shop.end(FLEUR[1], LinkPurpose.INSURANCE), LinkPurpose.INSURANCE)
    await shop.move("insurance", receipt.reference, "finished", policy_number="P123456789")
    return token, await shop.ask(ContractsApi).contract(token, receipt.reference)


def entry(ending: EndKind, key: str = "pressed-once", name: str = " Fleur  Smit ") -> EndEntry:
    return EndEntry(name=name, ending=ending, key=key)


async def declare(shop: Living, reference: str, ending: EndKind, key: str = "guest-pressed") -> DeclaredEnd:
    """Somebody who knows the reference and the address ends the contract."""
    found = GuestEnd(reference=reference, email=FLEUR[1].upper(), name="Wie dan ook", ending=ending, key=key)
    return await shop.ask(ContractsApi).guest_end(found, GUEST)


async def package_of(shop: Living, token: str, contract: Contract) -> str:
    """The service package of the bike now; empty for none."""
    bike = await shop.ask(BikesApi).bike(token, contract.bike_id)
    return bike.service_package or ""


async def mails(shop: Living, template: Template) -> list[OutboxMail]:
    """The mails of a template, oldest first."""
    async with shop.context.database.session() as session:
        return list(await session.exec(select(OutboxMail).where(OutboxMail.template == template).order_by("id")))


async def link(shop: Living, answer: str) -> LinkEntry:
    """The entry of the page of the newest mailed link."""
    mail = (await mails(shop, Template.CONTRACT_END_DECLARED))[-1]
    return LinkEntry(purpose=LinkPurpose.CONTRACT_END, hash=decrypt(shop.context.settings, mail.sealed), answer=answer)


async def test_what_was_taken_out_is_shown_with_price_first_day_and_last_day_of_withdrawal(living: Living) -> None:
    token, package = await take_out(living)
    today = local_day(living.clock())
    assert package.product.nl == "Servicepakket Comfort"
    assert (package.monthly, package.since, package.withdraw_until) == (PRICE, today, today + timedelta(days=14))
    assert (package.running, package.offered, package.end) == (True, EndKind.WITHDRAWAL, None)
    assert package.offer
    assert (package.offer.money.direction, package.offer.money.total) == (Direction.CUSTOMER_RECEIVES, PRICE)
    _, policy = await insure(living)
    assert (policy.policy_number, policy.since, policy.kind) == ("P123456789", today, "insurance")
    references = [found.reference for found in await living.ask(ContractsApi).contracts(token)]
    assert {package.reference, policy.reference} <= set(references)
    eva = await living.log_in(EVA)
    assert not await living.ask(ContractsApi).contracts(eva)
    for name in (package.reference, "ABCD2345", "no reference"):
        for attempt in (
            living.ask(ContractsApi).contract(eva, name),
            living.ask(ContractsApi).end_contract(eva, name, entry(EndKind.WITHDRAWAL)),
            living.ask(ContractsApi).confirm_end(eva, name),
            living.ask(ContractsApi).take_back_end(eva, name),
        ):
            with pytest.raises(NotFound):
                await attempt


@pytest.mark.each_database
async def test_a_withdrawal_ends_the_package_at_once_and_once(living: Living) -> None:
    token, contract = await take_out(living)
    ask = living.ask(ContractsApi)
    wanted = entry(EndKind.WITHDRAWAL)
    found, _ = await asyncio.gather(
        ask.end_contract(token, contract.reference, wanted), ask.end_contract(token, contract.reference, wanted)
    )
    assert found.end
    assert (found.running, found.end.status, found.end.can_take_back) == (False, EndStatus.CONFIRMED, False)
    assert await package_of(living, token, contract) == ""
    (mail,) = await mails(living, Template.CONTRACT_END)
    for locale in ("nl", "en"):
        letter = render(Template.CONTRACT_END, locale, living.context.settings, mail.details)
        # Content, date and time of the declaration, and the amount of the account.
        for part in (*(value for _, value in mail.details["facts"]), *mail.details["total"]):
            assert part in letter.text
            assert part.replace("\N{NO-BREAK SPACE}", "&nbsp;") in letter.html
    account = found.end.account
    assert [fact.lines[0].nl for fact in account.facts] == [value for _, value in mail.details["facts"]]
    assert (account.money.total, mail.details["total"][1]) == (PRICE, "€\N{NO-BREAK SPACE}7,95")
    assert "Fleur Smit" in [fact.lines[0].nl for fact in account.facts]
    for attempt in (
        ask.end_contract(token, contract.reference, entry(EndKind.WITHDRAWAL, "pressed-again")),
        ask.take_back_end(token, contract.reference),
    ):
        with pytest.raises(Conflict):
            await attempt
    with pytest.raises(Refused) as caught:
        await declare(living, contract.reference, EndKind.WITHDRAWAL)
    assert caught.value.code is Code.CONTRACT_NOT_FOUND
    # The bike can have another package then.
    _, second = await take_out(living)
    assert (second.reference != contract.reference, second.running) == (True, True)


async def test_a_cancellation_ends_the_insurance_after_the_notice(living: Living) -> None:
    token, contract = await insure(living)
    living.clock.forward(days=15)
    token = await living.log_in(FLEUR)
    ask = living.ask(ContractsApi)
    with pytest.raises(Conflict):
        await ask.end_contract(token, contract.reference, entry(EndKind.WITHDRAWAL))
    found = await ask.end_contract(token, contract.reference, entry(EndKind.CANCELLATION))
    last = add_months(local_day(living.clock()), 1)
    assert found.end
    assert (found.running, found.end.ends_on, found.end.can_take_back) == (True, last, True)
    assert found.end.account.money.direction is Direction.CUSTOMER_PAYS
    job = await living.one(JobRow, kind=JOB)
    assert local_day(job.due_at) == last + timedelta(days=1)
    assert (await living.ask(BikesApi).bike(token, contract.bike_id)).insurance == "theft"
    living.clock.go_to(job.due_at)
    await end_on_its_day(living.context, job.reference)
    token = await living.log_in(FLEUR)
    assert not (await ask.contract(token, contract.reference)).running
    assert (await living.ask(BikesApi).bike(token, contract.bike_id)).insurance == ""


async def test_a_cancellation_can_be_taken_back_until_the_contract_has_ended(living: Living) -> None:
    token, contract = await take_out(living)
    living.clock.forward(days=20)
    token, ask = await living.log_in(FLEUR), living.ask(ContractsApi)
    await ask.end_contract(token, contract.reference, entry(EndKind.CANCELLATION))
    found = await ask.take_back_end(token, contract.reference)
    assert found.end
    assert (found.end.status, found.offered) == (EndStatus.TAKEN_BACK, EndKind.CANCELLATION)
    job = await living.one(JobRow, kind=JOB)
    living.clock.go_to(job.due_at)
    await end_on_its_day(living.context, job.reference)
    token = await living.log_in(FLEUR)
    assert await package_of(living, token, contract) == "SERVICE21"
    assert (await ask.contract(token, contract.reference)).running


@pytest.mark.each_database
async def test_what_a_guest_declares_changes_nothing_until_it_is_confirmed(living: Living) -> None:
    token, contract = await take_out(living)
    ask = living.ask(ContractsApi)
    found = await ask.guest_contract(GuestContract(reference=contract.reference.lower(), email=FLEUR[1]), GUEST)
    assert (found.offered, found.product) == (EndKind.WITHDRAWAL, contract.product)
    first = await declare(living, contract.reference, EndKind.WITHDRAWAL)
    assert await declare(living, contract.reference, EndKind.WITHDRAWAL, "another-press") == first
    (mail,) = await mails(living, Template.CONTRACT_END_DECLARED)
    assert not mail.details["total"]
    now = await ask.contract(token, contract.reference)
    assert (now.running, now.offered) == (True, EndKind.WITHDRAWAL)
    assert await package_of(living, token, contract) == "SERVICE21"
    # The confirmation comes after day 14; the declaration was in time.
    living.clock.forward(days=18)
    token = await living.log_in(FLEUR)
    confirmed = await asyncio.gather(
        living.ask(LinksApi).confirm_link(await link(living, "confirm")), ask.confirm_end(token, contract.reference)
    )
    assert confirmed[0].state in (LinkState.CONFIRMED, LinkState.USED)
    after = await ask.contract(token, contract.reference)
    assert after.end
    assert (after.end.reference, after.end.received_at) == (first.reference, first.received_at)
    assert (after.end.kind, after.end.ends_on) == (EndKind.WITHDRAWAL, local_day(first.received_at))
    assert after.end.account.money.total == PRICE
    assert await package_of(living, token, contract) == ""
    assert len(await living.rows(ContractEndRow, contract=contract.reference)) == 1


@pytest.mark.each_database
async def test_a_link_waits_for_whoever_changes_the_contract_already(living: Living) -> None:
    _token, contract = await take_out(living)
    await declare(living, contract.reference, EndKind.WITHDRAWAL)
    pressed = await link(living, "confirm")
    async with living.context.database.transaction() as session:
        own = select(ContractEndRow).where(ContractEndRow.contract == contract.reference)
        declared = (await session.exec(own)).one()
        taken_out = await ContractQueries(session, declared.customer_id).get(contract.reference, lock=True)
        link_page = asyncio.create_task(living.ask(LinksApi).confirm_link(pressed))
        await asyncio.sleep(0.5)
        assert taken_out.end
        await confirm(living.context, session, taken_out.end)
    assert (await link_page).state is LinkState.USED


async def test_a_declaration_that_was_not_the_customer_is_taken_back(living: Living) -> None:
    token, contract = await take_out(living)
    await declare(living, contract.reference, EndKind.WITHDRAWAL)
    view = await living.ask(LinksApi).confirm_link(await link(living, "take_back"))
    assert (view.state, view.about.status) == (LinkState.CONFIRMED, "taken_back")
    # A stranger cannot keep the customer from ending it herself either.
    await declare(living, contract.reference, EndKind.WITHDRAWAL, "stranger-again")
    found = await living.ask(ContractsApi).end_contract(token, contract.reference, entry(EndKind.WITHDRAWAL))
    assert (found.end and found.end.status, found.running) == (EndStatus.CONFIRMED, False)
    with pytest.raises(Conflict):
        await living.ask(LinksApi).confirm_link(await link(living, "confirm"))


async def test_a_guest_is_not_told_which_of_reference_and_address_is_wrong(living: Living) -> None:
    _, contract = await take_out(living)
    for typed, code in (
        ({"email": "x"}, Code.INVALID_EMAIL),
        ({"email": "eva@example.com"}, Code.CONTRACT_NOT_FOUND),
        ({"reference": "?"}, Code.CONTRACT_NOT_FOUND),
    ):
        wrong = GuestContract(**{"reference": contract.reference, "email": FLEUR[1]} | typed)
        with pytest.raises(ProviderError) as caught:
            await living.ask(ContractsApi).guest_contract(wrong, GUEST)
        assert caught.value.code is code


async def test_staff_confirm_process_and_take_back(living: Living) -> None:
    token, contract = await take_out(living)
    first = await declare(living, contract.reference, EndKind.WITHDRAWAL)
    office = living.application.back_office
    assert (await office.current_status("contract-end", first.reference)).possible == ["confirmed", "taken_back"]
    assert (await living.move("contract-end", first.reference, "taken_back")).changed
    second = await declare(living, contract.reference, EndKind.WITHDRAWAL, "declared-again")
    moved = await living.move("contract-end", second.reference, "confirmed", seen="received")
    # The contract has ended, so only processing is left.
    assert moved.possible == ["processed"]
    with pytest.raises(NotAllowed):
        await living.move("contract-end", second.reference, "taken_back")
    assert (await living.move("contract-end", second.reference, "processed")).possible == []
    assert not (await living.move("contract-end", second.reference, "processed")).changed
    found = await living.ask(ContractsApi).contract(token, contract.reference)
    assert found.end
    assert (found.end.status, bool(found.end.processed_at)) == (EndStatus.PROCESSED, True)
    statuses = [mail.details["status"] for mail in await mails(living, Template.CONTRACT_END)]
    assert statuses == ["Ingetrokken", "In behandeling", "Verwerkt"]
