"""Handlers of the four return flows: they look up facts, check the pin code and store the return (part-2 §2)."""

from datetime import datetime
from functools import partial
from typing import Any, TypeVar

from sqlmodel.ext.asyncio.session import AsyncSession

from portal.account.provider import address_facts
from portal.backend.security import reader, shown_email
from portal.backend.sessions import Owner
from portal.backend.staff import stores_of
from portal.bikes.flow import PIN_KNOWN
from portal.bikes.provider.queries import last_readings
from portal.contract.errors import Refused
from portal.deliveries.provider.queries import full_days
from portal.deliveries.rules import days
from portal.flow import Answers, Findings, Flow
from portal.flow.api import RequestItem
from portal.flow.provider.handler import CurrentRequest, DraftSubmission, FlowHandler, StepHandler, Submitted
from portal.kernel.address import PICKUP_COUNTRIES
from portal.kernel.codes import Code
from portal.kernel.days import local_day, now
from portal.kernel.terms import RETURN_PICK_UP_COST
from portal.login.provider.queries import CustomerQueries
from portal.orders.provider.queries import line_picture, on_sale, take
from portal.pictures.provider.lookup import picture_of, pictures_of_articles, pictures_of_lines
from portal.returns.flow.items import BIKES, FAULT, ITEM, NO_FAULT, REASON
from portal.returns.flow.kinds import (
    ACCESSORIES,
    EXCHANGE,
    ITEM_PIN_STEP,
    ORDER_RETURN,
    PRODUCT,
    REASON_TEXT,
    RETURN,
    TYPE,
    is_other_item,
)
from portal.returns.models import ArticleOnSale, IntroductionFacts, ItemFacts, PendingReturn, ReturnFacts, ReturnTerms
from portal.returns.provider import queries as returns
from portal.returns.provider.account import account_of
from portal.returns.provider.creation import create_return
from portal.returns.provider.documents import notify_received, send_link
from portal.returns.provider.entries import (
    LineFilter,
    accessories,
    bikes_and_parts,
    equal_bikes,
    everything,
    introduction,
    item_entries,
    item_id,
    order_entries,
    store_entries,
)
from portal.returns.provider.queries import ReturnQueries, StockQueries
from portal.returns.provider.return_case import case_of
from portal.returns.provider.transitions import plan_text
from portal.settings import Settings, settings
from portal.tables.returns import ReturnRow
from portal.vocabulary.links import LIFETIME
from portal.vocabulary.returns import (
    BATTERY_INSTRUCTIONS,
    ExchangeType,
    ReturnKind,
    ReturnReason,
    ReturnStatus,
)

F = TypeVar("F", bound=ItemFacts)


async def return_facts(
    session: AsyncSession, owner: Owner, line_filter: LineFilter, moment: datetime | None = None
) -> ReturnFacts:
    """The facts of a return flow: what can be returned, why the rest cannot, and how it can come back."""
    moment = moment or now()
    day = local_day(moment)
    stock = await StockQueries(session, owner.customer_id, moment).all()
    customer = await CustomerQueries(session, owner.customer_id).get()
    offered = {country: days(moment, country) for country in PICKUP_COUNTRIES}
    # Pick-ups take no places; they are not offered on days on which the van is full or does not drive.
    full = {country: await full_days(session, country, some, 1) for country, some in offered.items()}
    lines = [line.row.id for order in stock for line in order.lines]
    found = await pictures_of_lines(session, owner.customer_id, lines)
    bikes = [bike for order in stock for line in order.lines for bike in line.bikes]
    readings = await last_readings(session, owner.customer_id, bikes)
    equal = await equal_bikes(session, filter(line_filter, (line for order in stock for line in order.lines)), reader())
    items = item_entries(stock, day, line_filter, found, readings, equal)
    offered_orders = {entry.order for entry in items}
    home = await address_facts(session, owner)
    return ReturnFacts(
        items=items,
        orders=order_entries([order for order in stock if order.row.order_number in offered_orders], day),
        address=home.address,
        phone=home.phone,
        name=customer.full_name,
        stores=await store_entries(session, customer, day, await stores_of(session, owner.visitor_id)),
        pickup_days={
            country.value: [some.isoformat() for some in possible if some not in full[country]]
            for country, possible in offered.items()
        },
    )


def return_terms(options: Settings) -> ReturnTerms:
    return ReturnTerms(fee=RETURN_PICK_UP_COST, free_reasons=list(options.free_return_reasons))


async def exchange_facts(session: AsyncSession, owner: Owner) -> ReturnFacts:
    """The facts of the exchange: those of a return, and the articles of the shop."""
    articles = await on_sale(session)
    found = await pictures_of_articles(session, articles)
    catalogue = [
        ArticleOnSale(
            id=row.public_id,
            refusal="" if row.stock > 0 else Code.PRODUCT_GONE,
            name=row.name_in(reader()),
            is_bike=row.kind.value != "accessory",
            color=row.color_in(reader()),
            picture=picture_of(found.get(row.id), row.kind, row.name, row.color_code),
            size=row.frame_size,
            price=row.price,
        )
        for row in articles
    ]
    return (await return_facts(session, owner, bikes_and_parts)).model_copy(update={"catalogue": catalogue})


async def check_pin(session: AsyncSession, owner: Owner, answers: Answers) -> Findings:
    """Compare the pin code with those of the chosen bikes. The stored codes never leave the retailer's side."""
    if answers.get("pin_known") != PIN_KNOWN:
        return {}
    chosen_id = str(answers.get(ITEM, ""))
    stock = await StockQueries(session, owner.customer_id, now()).all(chosen_id.partition("-")[0])
    known = [
        bike.pin_code
        for order in stock
        for line in order.lines
        if item_id(order, line) == chosen_id
        for bike in line.free_bikes
        if bike.pin_code and (not answers.get(BIKES) or bike.public_id in answers[BIKES])
    ]
    return {} if answers.get("pin_code") in known else {"pin_code": Code.WRONG_PIN_CODE}


async def order_return_facts(session: AsyncSession, owner: Owner) -> ReturnFacts:
    """The facts of the older flow: everything that was ordered.

    An order with a return that waits for confirmation is refused; `pending` says where the link was mailed.
    """
    return await _with_pending(session, owner, await return_facts(session, owner, everything))


async def _with_pending(session: AsyncSession, owner: Owner, facts: F) -> F:
    waiting = {
        row.order_number: {
            "refusal": Code.RETURN_REQUEST_ALREADY_EXISTS,
            "pending": PendingReturn(return_id=row.public_id, email=shown_email(owner.email)),
        }
        for row in await returns.pending(session, owner.customer_id, now())
    }
    orders = [order.model_copy(update=waiting.get(order.id)) for order in facts.orders]
    return facts.model_copy(update={"orders": orders})


async def order_return_introduction(session: AsyncSession, owner: Owner) -> IntroductionFacts:
    return await _with_pending(session, owner, await introduction(session, owner, everything))


async def submit_exchange(session: AsyncSession, submission: DraftSubmission) -> Submitted:
    """Store an exchange, and reserve the new article in the same transaction."""
    product = None
    if is_other_item(submission.answers):
        article = await take(session, submission.answers.text(PRODUCT))
        if article is None:
            raise Refused(Code.PRODUCT_GONE)
        product = {
            "id": article.public_id,
            "sku": article.sku,
            "name": article.name,
            "name_en": article.name_en,
            "price": f"{article.price:.2f}",
            "kind": article.kind.value,
            "color": article.item_color,
            "color_en": article.item_color_en,
            "size": article.frame_size,
            "battery": article.battery,
        }
    kind = ExchangeType(submission.answers.text(TYPE))
    return await _submit(session, submission, EXCHANGE, ReturnKind.EXCHANGE, exchange_type=kind, product=product)


async def submit_order_return(session: AsyncSession, submission: DraftSubmission) -> Submitted:
    """Store a return of the older flow and mail its link. With an unsafe battery it is received without a link."""
    reason = {
        "reason": ReturnReason(submission.answers.text(REASON)),
        "reason_text": submission.answers.text(REASON_TEXT),
    }
    kind = ReturnKind.ORDER_RETURN
    pending = await ReturnQueries(session, submission.owner.customer_id).pending_of(
        submission.answers.text("order"), submission.now
    )
    if pending is not None:
        raise Refused(Code.RETURN_REQUEST_ALREADY_EXISTS, fields={"order": Code.RETURN_REQUEST_ALREADY_EXISTS})
    status, until = ReturnStatus.PENDING_CONFIRMATION, submission.now + LIFETIME
    row = await create_return(session, submission, ORDER_RETURN, kind, status, confirm_until=until, **reason)
    if row.urgent:
        row.status, row.confirm_until = ReturnStatus.REQUEST_RECEIVED, None
        return await _receive(session, submission, row)
    sent = await send_link(submission.context, session, row)
    row.confirm_until = sent.expires_at
    return Submitted(
        row.reference, {**_summary(row), "confirm_until": sent.expires_at.isoformat(), "email": sent.email}, mailed=True
    )


async def _submit(
    session: AsyncSession, submission: DraftSubmission, flow: Flow, kind: ReturnKind, **columns: Any
) -> Submitted:
    text, fault = submission.answers.text(REASON), submission.answers.text(FAULT)
    reason = ReturnReason(fault) if fault not in ("", NO_FAULT) else None
    status = ReturnStatus.REQUEST_RECEIVED
    row = await create_return(session, submission, flow, kind, status, reason=reason, reason_text=text, **columns)
    return await _receive(session, submission, row)


async def _receive(session: AsyncSession, submission: DraftSubmission, row: ReturnRow) -> Submitted:
    # The mail names the text message that is planned.
    await plan_text(submission.context, session, row, submission.owner.locale)
    email = await notify_received(submission.context, session, row)
    return Submitted(row.reference, {**_summary(row), "email": shown_email(email)}, mailed=True)


def _summary(row: ReturnRow) -> dict[str, object]:
    """What the confirmation page needs besides the account."""
    return {
        "return_id": row.public_id,
        "status": row.status.value,
        "method": row.method.value,
        "settlement": row.settlement,
        "instructions": list(BATTERY_INSTRUCTIONS) if row.urgent else [],
    }


async def current_return(session: AsyncSession, owner: Owner, reference: str) -> CurrentRequest | None:
    """A return that was sent, as it holds now; None if it no longer exists."""
    row = await ReturnQueries(session, owner.customer_id).by_reference(reference)
    if row is None:
        return None
    case = await case_of(session, row, now())
    lines = list({unit.line.id: unit.line for unit in case.units}.values())
    found = await pictures_of_lines(session, owner.customer_id, [line.id for line in lines])
    items = [RequestItem(name=line.name_in(owner.locale), picture=line_picture(line, found)) for line in lines]
    return CurrentRequest(account_of(case, settings().of(case.source).brand), items)


RETURN_HANDLERS = (
    FlowHandler(
        RETURN,
        facts=partial(return_facts, line_filter=bikes_and_parts),
        introduction=partial(introduction, line_filter=bikes_and_parts, elsewhere=ACCESSORIES.name),
        submit=partial(_submit, flow=RETURN, kind=ReturnKind.RETURN),
        terms=return_terms,
        current=current_return,
        steps=(StepHandler(ITEM_PIN_STEP, check=check_pin),),
    ),
    FlowHandler(
        ACCESSORIES,
        facts=partial(return_facts, line_filter=accessories),
        introduction=partial(introduction, line_filter=accessories),
        submit=partial(_submit, flow=ACCESSORIES, kind=ReturnKind.ACCESSORIES),
        terms=return_terms,
        current=current_return,
    ),
    FlowHandler(
        EXCHANGE,
        facts=exchange_facts,
        introduction=partial(introduction, line_filter=bikes_and_parts),
        submit=submit_exchange,
        terms=return_terms,
        current=current_return,
        steps=(StepHandler(ITEM_PIN_STEP, check=check_pin),),
    ),
    FlowHandler(
        ORDER_RETURN,
        facts=order_return_facts,
        introduction=order_return_introduction,
        submit=submit_order_return,
        terms=return_terms,
        current=current_return,
    ),
)
