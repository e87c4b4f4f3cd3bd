"""A withdrawal without a login is received, and changes nothing until the customer or staff confirm it (part-2 §11)."""

import asyncio
import re

import pytest
from sqlmodel import select

from portal.backend.backoffice import NotAllowed, TransitionRequest
from portal.backend.mail import Template, render
from portal.backend.security import decrypt
from portal.contract.account import Account
from portal.contract.errors import Conflict, InvalidInput, NotFound, Refused
from portal.contract.session import Origin
from portal.kernel.codes import Code
from portal.kernel.days import local_day
from portal.kernel.texts import LOCALES
from portal.links.api import LinkEntry, LinksApi
from portal.returns.api import ReturnsApi
from portal.tables.messages import OutboxMail
from portal.tables.returns import ReturnRow, ReturnUnitRow
from portal.vocabulary.contracts import DeclarationStatus
from portal.vocabulary.links import LinkPurpose, LinkState
from portal.vocabulary.returns import ReturnKind, ReturnStatus
from portal.withdrawals.api import Declaration, GuestWithdrawal, WithdrawalEntry, WithdrawalsApi, WithdrawnItem
from tests.returns.back_office import stored
from tests.support.channels import parts_of, plain, view_text
from tests.support.customers import EVA, ROOS
from tests.support.furnished import Furnished
from tests.support.living import Living
from tests.support.returning import ACCESSORIES, BUNDLE, accessories, send

STRANGER = Origin(address="203.0.113.66")


async def declare(shop: Furnished, *items: WithdrawnItem, key: str = "stranger-1") -> Declaration:
    """Somebody who knows the order number and the address withdraws."""
    entry = GuestWithdrawal(order_number=BUNDLE, email=ROOS[1], name="Wie dan ook", items=list(items), key=key)
    return await shop.ask(WithdrawalsApi).guest_withdraw(entry, STRANGER)


def without_name(account: Account) -> Account:
    """What the page of the link shows: whoever has it need not be the customer."""
    facts = [fact for fact in account.facts if fact.label.en != "Declared by"]
    assert len(facts) == len(account.facts) - 1
    return account.model_copy(update={"facts": facts})


async def rows(shop: Furnished) -> tuple[int, int]:
    """The numbers of withdrawals among the returns, and of units that they hold."""
    found = await shop.rows(ReturnRow, kind=ReturnKind.WITHDRAWAL)
    keys = [row.id for row in found]
    units = await shop.rows(ReturnUnitRow)
    return len(found), sum(unit.return_id in keys and unit.released_at is None for unit in units)


async def mails(shop: Furnished, template: Template) -> list[OutboxMail]:
    """The mails of a template, oldest first."""
    async with shop.context.database.session() as session:
        query = select(OutboxMail).where(OutboxMail.template == template).order_by("id")
        return list(await session.exec(query))


async def answer(shop: Furnished, text: str) -> LinkEntry:
    """The entry of the page of the newest mailed link."""
    mail = (await mails(shop, Template.WITHDRAWAL_DECLARED))[-1]
    return LinkEntry(purpose=LinkPurpose.WITHDRAWAL, hash=decrypt(shop.context.settings, mail.sealed), answer=text)


@pytest.mark.each_database
async def test_a_stranger_with_number_and_address_blocks_nothing(furnished: Furnished) -> None:
    token = await furnished.log_in(ROOS)
    seen = await furnished.ask(WithdrawalsApi).withdrawable(token, BUNDLE)
    await declare(furnished)
    assert await rows(furnished) == (0, 0)
    assert await furnished.ask(WithdrawalsApi).withdrawable(token, BUNDLE) == seen
    steps = await accessories(furnished.provider, token, f"{BUNDLE}-3*1")
    receipt = await send(furnished.provider, token, ACCESSORIES, steps)
    await furnished.application.back_office.move(
        "return", receipt.reference, TransitionRequest(status=ReturnStatus.RECEIVED)
    )
    # Roos withdraws the rest herself; the declaration of the stranger is still only received.
    await furnished.ask(WithdrawalsApi).withdraw(
        token, WithdrawalEntry(order_number=BUNDLE, name="Roos de Wit", key="roos-herself")
    )
    (waiting,) = await furnished.ask(WithdrawalsApi).declared(token, BUNDLE)
    assert waiting.status is DeclarationStatus.RECEIVED


async def test_the_receipt_of_a_declaration_has_content_date_and_time(furnished: Furnished) -> None:
    found = await declare(furnished)
    assert (found.email, found.status) == ("r…@…com", DeclarationStatus.RECEIVED)
    (mail,) = await mails(furnished, Template.WITHDRAWAL_DECLARED)
    letter = render(Template.WITHDRAWAL_DECLARED, "nl", furnished.context.settings, mail.details | {"code": "x"})
    told = parts_of(found.account, "nl")
    assert len(told["facts"]) > len(told["steps"]) > 2
    for part in (*told["meaning"], *told["facts"], *told["steps"], *told["reference"], "/withdrawal/confirm/x"):
        assert part in plain(letter.text), part
        assert part in plain(letter.html), part
    for locale, at in zip(LOCALES, ("om", "at"), strict=True):
        shown = view_text(found.account, locale)
        assert BUNDLE in shown
        assert "Wie dan ook" in shown
        assert f" {at} {mail.details['time']}" in shown
    assert re.fullmatch(r"[0-2]\d:[0-5]\d", mail.details["time"])
    # The order number and the address are no proof, so no amount is mailed before the confirmation.
    assert "€" not in letter.text


async def test_the_same_declaration_is_received_and_mailed_once(furnished: Furnished) -> None:
    first = await declare(furnished)
    assert await declare(furnished) == first
    assert await declare(furnished, key="another-press") == first
    part = await declare(furnished, WithdrawnItem(item_id=f"{BUNDLE}-3", count=1), key="single-item")
    assert part.reference != first.reference
    assert len(await mails(furnished, Template.WITHDRAWAL_DECLARED)) == 2


@pytest.mark.each_database
async def test_the_mailed_link_confirms_as_of_the_day_of_the_declaration(living: Living) -> None:
    token = await living.log_in(ROOS)
    declared = await declare(living)
    until = (await living.ask(WithdrawalsApi).withdrawable(token, BUNDLE)).until
    assert until
    # The confirmation comes after the last day of the period; the declaration was in time.
    living.clock.forward(days=(until - local_day(living.clock())).days + 3)
    entry = await answer(living, "confirm")
    for wrong, code in (("", Code.REQUIRED), ("maybe", Code.INVALID_CHOICE)):
        with pytest.raises(InvalidInput) as caught:
            await living.ask(LinksApi).confirm_link(entry.model_copy(update={"answer": wrong}))
        assert caught.value.fields == {"declaration": code}
    before = (await living.ask(LinksApi).link(entry)).about.account
    assert before == without_name(declared.account)
    view = await living.ask(LinksApi).confirm_link(entry)
    assert (view.state, view.about.status) == (LinkState.CONFIRMED, "confirmed")
    assert before
    assert view.about.account
    assert view.about.account.status.nl == "Bevestigd"
    assert view.about.account.next_steps != before.next_steps
    assert await rows(living) == (1, 4)
    token = await living.log_in(ROOS)
    found = next(
        entry for entry in (await living.ask(ReturnsApi).returns(token)).items if entry.kind is ReturnKind.WITHDRAWAL
    )
    row = await stored(living, found.reference)
    assert (row.reference, row.created_at) == (declared.reference, declared.received_at)
    assert (row.statement or {})["received_at"] == declared.received_at.isoformat()
    (mail,) = await mails(living, Template.WITHDRAWAL_RECEIVED)
    assert mail.details["time"] == (await mails(living, Template.WITHDRAWAL_DECLARED))[0].details["time"]
    again = await living.ask(LinksApi).confirm_link(entry)
    assert (again.state, await rows(living)) == (LinkState.USED, (1, 4))


@pytest.mark.each_database
async def test_confirming_by_link_and_at_the_order_at_once_withdraws_once(furnished: Furnished) -> None:
    token = await furnished.log_in(ROOS)
    declared = await declare(furnished)
    entry = await answer(furnished, "confirm")
    await asyncio.gather(
        furnished.ask(LinksApi).confirm_link(entry),
        furnished.ask(WithdrawalsApi).confirm_declared(token, declared.reference),
        furnished.ask(WithdrawalsApi).confirm_declared(token, declared.reference),
    )
    assert await rows(furnished) == (1, 4)
    assert len(await mails(furnished, Template.WITHDRAWAL_RECEIVED)) == 1


async def test_the_customer_takes_it_back_and_nothing_changed(furnished: Furnished) -> None:
    token = await furnished.log_in(ROOS)
    offered = await furnished.ask(WithdrawalsApi).withdrawable(token, BUNDLE)
    await declare(furnished)
    view = await furnished.ask(LinksApi).confirm_link(await answer(furnished, "take_back"))
    assert (view.state, view.about.status) == (LinkState.CONFIRMED, "taken_back")
    assert await furnished.ask(WithdrawalsApi).withdrawable(token, BUNDLE) == offered
    assert (await furnished.ask(WithdrawalsApi).declared(token, BUNDLE), await rows(furnished)) == ([], (0, 0))
    (mail,) = await mails(furnished, Template.WITHDRAWAL_TAKEN_BACK)
    assert mail.recipient == ROOS[1]
    # She can declare the same again, and take that back at the order.
    second = await declare(furnished, key="second-thoughts")
    taken = await furnished.ask(WithdrawalsApi).take_back_declared(token, second.reference)
    assert taken.status is DeclarationStatus.TAKEN_BACK
    assert await furnished.ask(WithdrawalsApi).take_back_declared(token, second.reference) == taken
    with pytest.raises(Conflict):
        await furnished.ask(WithdrawalsApi).confirm_declared(token, second.reference)
    assert await rows(furnished) == (0, 0)


async def test_only_the_customer_sees_and_answers_a_declaration(furnished: Furnished) -> None:
    declared = await declare(furnished)
    eva = await furnished.log_in(EVA)
    assert await furnished.ask(WithdrawalsApi).declared(eva, BUNDLE) == []
    for reference in (declared.reference, "ABCD2345", "no reference"):
        for attempt in (
            furnished.ask(WithdrawalsApi).confirm_declared(eva, reference),
            furnished.ask(WithdrawalsApi).take_back_declared(eva, reference),
        ):
            with pytest.raises(NotFound):
                await attempt
    assert await rows(furnished) == (0, 0)


async def test_staff_confirm_or_take_back(furnished: Furnished) -> None:
    office = furnished.application.back_office
    first = await declare(furnished, WithdrawnItem(item_id=f"{BUNDLE}-3", count=1))
    assert (await office.current_status("withdrawal", first.reference)).possible == ["confirmed", "taken_back"]
    moved = await office.move("withdrawal", first.reference, TransitionRequest(status="confirmed", seen="received"))
    assert (moved.before, moved.status, moved.changed, moved.possible) == ("received", "confirmed", True, [])
    assert await rows(furnished) == (1, 1)
    assert not (await office.move("withdrawal", first.reference, TransitionRequest(status="confirmed"))).changed
    with pytest.raises(NotAllowed):
        await office.move("withdrawal", first.reference, TransitionRequest(status="taken_back"))
    second = await declare(furnished, key="whole-order")
    with pytest.raises(Conflict):
        await office.move("withdrawal", second.reference, TransitionRequest(status="confirmed", seen="confirmed"))
    # A named item that is in another return meanwhile is not withdrawn twice.
    third = await declare(furnished, WithdrawnItem(item_id=f"{BUNDLE}-2", count=1), key="the-lock")
    await office.move("withdrawal", second.reference, TransitionRequest(status="confirmed"))
    assert await rows(furnished) == (2, 4)
    with pytest.raises(Refused) as caught:
        await office.move("withdrawal", third.reference, TransitionRequest(status="confirmed"))
    assert caught.value.code is Code.NOTHING_FOUND
    await office.move("withdrawal", third.reference, TransitionRequest(status="taken_back"))
    for status, reference, error in (("unknown", third.reference, InvalidInput), ("confirmed", "nope", NotFound)):
        with pytest.raises(error):
            await office.move("withdrawal", reference, TransitionRequest(status=status))


async def test_a_link_that_expired_is_mailed_again_and_an_answered_one_is_not(living: Living) -> None:
    await declare(living)
    living.clock.forward(days=31)
    old = await answer(living, "confirm")
    assert (await living.ask(LinksApi).confirm_link(old)).state is LinkState.EXPIRED
    await living.ask(LinksApi).resend_link(old)
    new = await answer(living, "take_back")
    assert (await living.ask(LinksApi).confirm_link(new)).state is LinkState.CONFIRMED
    with pytest.raises(Refused) as caught:
        await living.ask(LinksApi).resend_link(old)
    assert caught.value.code is Code.LINK_USED
