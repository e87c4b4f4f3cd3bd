"""The pages of webhooks and exports, run through Reflex."""

from decimal import Decimal

import pytest
from sqlmodel import col, select

import portal.exports.desk.exports
import portal.exports.desk.webhooks
from portal.backend import jobs
from portal.backend.outbox import WEBHOOK_JOB
from portal.exports.desk.exports_state import ExportsPage
from portal.exports.desk.webhooks_state import FAILS, NEW, OFF, WEBHOOKS, WORKS, WebhookPage, WebhooksPage
from portal.frontend.load import MISSING, READY
from portal.provider.application import Application
from portal.tables.exchange import WebhookDeliveryRow
from portal.tables.returns import ReturnRow
from portal.tables.staff import AuditRow
from portal.vocabulary.returns import ReturnStatus
from portal.vocabulary.staff import Role
from tests.support.conversing import staff_token
from tests.support.delivery import work
from tests.support.pipeline import Pipeline, Tab, on_duty
from tests.support.receiver import Receiver

pytestmark = pytest.mark.asyncio(loop_scope="module")
assert portal.exports.desk.exports
assert portal.exports.desk.webhooks


async def tab_of(tabs: Pipeline, office: Application, name: str, role: Role = Role.ADMINISTRATOR) -> Tab:
    return on_duty(tabs.tab(name), await staff_token(office.context, role, name=name))


async def added(tab: Tab, url: str, **form: str) -> str:
    await tab.send(WebhookPage.load, path=f"{WEBHOOKS}/{NEW}")
    await tab.send(WebhookPage.save, path=f"{WEBHOOKS}/{NEW}", form={"url": url, **form})
    return tab.held(WebhookPage, "webhook").id


async def test_a_receiver_is_added_with_its_secret_shown_once(
    desk_tabs: Pipeline, office: Application, receiver: Receiver
) -> None:
    tab = await tab_of(desk_tabs, office, "Carla Koppelt")
    form = {"description": "ERP", "event-case.opened": "yes", "event-webhook.test": "yes", "event-nonsense": "yes"}
    webhook_id = await added(tab, receiver.url, **form)
    page = tab.stored(WebhookPage)
    assert page.secret.startswith("whsec_")
    path = f"{WEBHOOKS}/{webhook_id}"
    await tab.send(WebhookPage.load, path=path)
    page = tab.stored(WebhookPage)
    stored = tab.held(WebhookPage, "webhook")
    assert (page.secret, stored.name, stored.state, stored.events) == ("", "ERP", WORKS, ["case.opened"])
    await tab.send(WebhookPage.rotate, path=path)
    assert tab.stored(WebhookPage).secret.startswith("whsec_")
    await tab.send(WebhooksPage.load, path=WEBHOOKS)
    assert tab.stored(WebhookPage).secret == ""
    assert webhook_id in {line.id for line in tab.stored(WebhooksPage).lines}


async def test_wrong_input_is_told_at_its_field(desk_tabs: Pipeline, office: Application) -> None:
    tab = await tab_of(desk_tabs, office, "Carla Vergist")
    await tab.send(WebhookPage.load, path=f"{WEBHOOKS}/{NEW}")
    long = {"url": "http://a" + "b" * 600, "description": "x" * 200}
    for attempt, (form, errors) in enumerate(
        (({"url": ""}, {"url": "required"}), (long, {"url": "too_long", "description": "too_long"})), 1
    ):
        await tab.send(WebhookPage.save, path=f"{WEBHOOKS}/{NEW}", form=form)
        page = tab.stored(WebhookPage)
        assert (page.errors, page.attempt, page.secret) == (errors, attempt, "")


async def test_the_log_tells_of_a_failure_and_the_event_is_sent_again(
    desk_tabs: Pipeline, office: Application, receiver: Receiver
) -> None:
    tab = await tab_of(desk_tabs, office, "Carla Logt")
    receiver.statuses = [500]
    receiver.answer = b"out of order"
    path = f"{WEBHOOKS}/{await added(tab, receiver.url)}"
    await tab.send(WebhookPage.load, path=path)
    assert tab.stored(WebhookPage).deliveries == []
    await tab.send(WebhookPage.test, path=path)
    await work(office.context)
    await tab.send(WebhookPage.load, path=path)
    page = tab.stored(WebhookPage)
    (line,) = page.deliveries
    assert (tab.held(WebhookPage, "webhook").state, line.type, line.state) == (FAILS, "webhook.test", "waiting")
    (attempt,) = line.attempts
    assert (attempt.status, attempt.answer, bool(line.next_attempt_at)) == (500, "out of order", True)
    await tab.send(WebhookPage.load, path=f"{path}?state=failed")
    assert tab.stored(WebhookPage).deliveries == []
    async with office.context.database.transaction() as session:
        delivery = (
            await session.exec(select(WebhookDeliveryRow).where(WebhookDeliveryRow.message_id == line.id))
        ).one()
        await jobs.bring_forward(session, WEBHOOK_JOB, delivery.id, office.context.clock())
    await work(office.context)
    await tab.send(WebhookPage.load, path=f"{path}?state=delivered")
    (line,) = tab.stored(WebhookPage).deliveries
    await tab.send(WebhookPage.send_again, path=path, delivery_id=line.id)
    await work(office.context)
    assert [request.id for request in receiver.received] == [line.id] * 3


async def test_a_receiver_is_switched_off_and_on_and_removed(
    desk_tabs: Pipeline, office: Application, receiver: Receiver
) -> None:
    tab = await tab_of(desk_tabs, office, "Carla Schakelt")
    path = f"{WEBHOOKS}/{await added(tab, receiver.url)}"
    await tab.send(WebhookPage.load, path=path)
    for active, state in ((False, OFF), (True, WORKS)):
        await tab.send(WebhookPage.switch, path=path, active=active)
        assert tab.held(WebhookPage, "webhook").state == state
    await tab.send(WebhookPage.remove, path=path)
    await tab.send(WebhookPage.load, path=path)
    assert tab.stored(WebhookPage).view_state == MISSING


async def decided(office: Application) -> list[str]:
    """Two returns of which the refund was decided. Returns their references."""
    async with office.context.database.transaction() as session:
        rows = (await session.exec(select(ReturnRow).order_by(col(ReturnRow.id)).limit(2))).all()
        for row in rows:
            row.status, row.refund_amount = ReturnStatus.CLOSED, Decimal("12.50")
        return [row.reference for row in rows]


async def test_a_refund_is_exported_once_by_the_way_that_finance_chose(
    desk_tabs: Pipeline, office: Application
) -> None:
    first, second = await decided(office)
    tab = await tab_of(desk_tabs, office, "Hans Betaalt", Role.FINANCE)
    await tab.send(ExportsPage.load, path="/exports")
    assert {first, second} <= {line.reference for line in tab.stored(ExportsPage).refunds}
    wrong = {"refund": first, "holder": "", "iban": "NL00"}
    await tab.send(ExportsPage.enter_account, path="/exports", form=wrong)
    assert tab.stored(ExportsPage).errors == {"holder": "required"}
    await tab.send(ExportsPage.enter_account, path="/exports", form={**wrong, "holder": "S. Bakker"})
    assert tab.stored(ExportsPage).errors == {"iban": "invalid_iban"}
    account = {"refund": first, "holder": "S. Bakker", "iban": "NL91 ABNA 0417 1643 00"}
    await tab.send(ExportsPage.enter_account, path="/exports", form=account)
    page = tab.stored(ExportsPage)
    assert (page.errors, page.entered) == ({}, 1)
    assert next(line.account for line in page.refunds if line.reference == first) == "NL91 … 4300"
    assert [line.count for line in page.sums if line.way == "account"] == [1]
    await tab.send(ExportsPage.make, path="/exports", way="account")
    page = tab.stored(ExportsPage)
    assert {line.reference: line.batch for line in page.refunds if line.reference in (first, second)} == {
        first: page.made,
        second: "",
    }
    assert (page.batches[0].id, page.batches[0].count, page.batches[0].way) == (page.made, 1, "account")
    assert page.batches[0].made_by == "Hans Betaalt"
    await tab.send(ExportsPage.make, path="/exports", way="account")
    assert tab.stored(ExportsPage).refusal == "nothing_to_export"
    await tab.send(ExportsPage.make, path="/exports", way="by_hand")
    for chosen in (first, second, "ZZZZ9999"):
        await tab.send(ExportsPage.choose, path="/exports", reference=chosen, chosen=True)
    assert tab.stored(ExportsPage).chosen == [first, second]
    await tab.send(ExportsPage.confirm, path="/exports")
    page = tab.stored(ExportsPage)
    assert [entry.code for entry in page.unchanged] == ["status_not_allowed"] * 2
    await tab.send(ExportsPage.record_paid, path="/exports")
    page = tab.stored(ExportsPage)
    assert (page.chosen, page.unchanged) == ([], [])
    assert not {first, second} & {line.reference for line in page.refunds}
    async with office.context.database.session() as session:
        query = select(AuditRow.action).where(AuditRow.actor == "Hans Betaalt").order_by(col(AuditRow.id))
        done = ["enter_refund_account", "export_refunds", "record_refunds_paid", "record_refunds_paid"]
        assert list(await session.exec(query)) == done


async def test_a_failed_download_is_told_on_the_page(desk_tabs: Pipeline, office: Application) -> None:
    tab = await tab_of(desk_tabs, office, "Hans Leest", Role.FINANCE)
    await tab.send(ExportsPage.load, path="/exports?error=network_error")
    page = tab.stored(ExportsPage)
    assert (page.view_state, page.failed) == (READY, "network_error")
    await tab.send(ExportsPage.load, path="/exports")
    assert tab.stored(ExportsPage).failed == ""
