"""From an empty database to a repaired bike: a shop is imported, a customer reports a defect, the store handles it.

The portal runs with an empty database, a secret of its own and a mail server. Its environment is the demonstration,
because in production the receiver of the events would need a public address (decision 0091); nothing of the
demonstration shop is loaded.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from standardwebhooks import Webhook as Verifier

from portal.kernel.days import today
from portal.kernel.texts import catalogue
from portal.reflex_adapter.build import Build
from portal.vocabulary.audit import AUDIT_LABELS, AuditAction
from portal.vocabulary.cases import STEP_ACTIONS
from portal.vocabulary.locations import Handover
from portal.vocabulary.work_orders import WORK_ORDER_LABELS, RequestKind, WorkOrderStatus, desk_words
from tests.journeys.desk_steps import at_desk
from tests.journeys.file_steps import payload
from tests.journeys.login_steps import LoginPages
from tests.provider.test_commands import run
from tests.support.browser import Visitor, assert_accessible
from tests.support.flows import CASES, PHOTOS
from tests.support.mailbox import Mailbox, text_of
from tests.support.receiver import Received, Receiver
from tests.support.server import DeskServer
from tests.support.smtp import MailServer
from tests.support.walks import UPLOAD, Walk

SAMPLES = Path(__file__).parents[2] / "docs" / "samples"
KINDS = ("locations", "customers", "products", "orders", "bikes", "invoices")
NOOR = ("870000001", "noor.dewit@example.com")
FEMKE, TOM, KLAAS, CARLA = ("Femke de Boer", "Tom Verhoeven", "Klaas Bakker", "Carla Janssen")
STAFF = {
    FEMKE: ("femke@tweewieler.example", "store_manager", "--store", "Tweewieler Utrecht"),
    TOM: ("tom@tweewieler.example", "mechanic", "--store", "Tweewieler Utrecht"),
    KLAAS: ("klaas@tweewieler.example", "mechanic", "--store", "Tweewieler Amersfoort"),
    CARLA: ("carla@tweewieler.example", "administrator"),
}
SECRET = "of-the-story-and-longer-than-32-characters"
QUESTION, ANSWER = "Kun je een foto van de ketting sturen?", "Alsjeblieft, de ketting van dichtbij."
CASE = next(case for case in CASES if case.flow.name == "repair-request")

OpenDesk = Callable[..., Page]
_S = WorkOrderStatus


@dataclass
class Shop:
    """The running portal of an imported shop, and the secret of its webhook."""

    server: DeskServer
    secret: str


def _say(text: str) -> str:
    return catalogue("nl").gettext(text)


@pytest.fixture(scope="module", autouse=True)
def _renewed() -> None:
    """The story needs no demonstration shop."""


@pytest.fixture
def shop(
    built: Build, built_desk: Build, tmp_path: Path, mails: tuple[MailServer, Path], receiver: Receiver
) -> Iterator[Shop]:
    """A portal with an empty database, into which the commands bring a shop, its people and a webhook."""
    assert built
    assert built_desk
    data_dir = tmp_path / "portal"
    data_dir.mkdir()

    def command(*arguments: str) -> str:
        done = run(*arguments, DATA_DIR=str(data_dir), SECRET_KEY=SECRET)
        assert done.returncode == 0, done.stderr + done.stdout
        return done.stdout

    command("migrate")
    for kind in KINDS:
        command("import", kind, str(SAMPLES / f"{kind}.jsonl"))
    for name, rest in STAFF.items():
        command("staff", name, *rest)
    secret = command("webhook", "add", receiver.url).split()[-1]
    post, folder = mails
    server = DeskServer(
        data_dir,
        {
            "PORTAL_SECRET_KEY": SECRET,
            "PORTAL_SMTP__HOST": "127.0.0.1",
            "PORTAL_SMTP__PORT": str(post.port),
            "PORTAL_SMTP__SECURITY": "none",
        },
    )
    server.mailbox = Mailbox(folder)
    server.start()
    yield Shop(server, secret)
    server.stop()


@pytest.fixture
def open_desk(shop: Shop, visit: Callable[..., Visitor]) -> OpenDesk:
    """The staff site of somebody: `open_desk(TOM, "/cases", width=390)`."""

    def window(name: str, path: str, *, width: int = 1440) -> Page:
        page = at_desk(visit, shop.server, STAFF[name][0], path, width=width)
        expect(page.locator("main [aria-busy=true]")).to_have_count(0)
        return page

    return window


def _report(visitor: Visitor) -> tuple[Page, str]:
    """Log in and report a defect with a photo. Returns the page after sending, and the reference as it reads."""
    page = visitor.page()
    pages = LoginPages(visitor, page).open()
    pages.enter(pages.ask_code(NOOR))
    page.wait_for_url("**/dashboard")
    case = replace(CASE, customer=NOOR, answers={**CASE.answers, "photos": {"photos": PHOTOS}})
    walk = Walk(visitor, case, page)
    walk.to_check()
    walk.next()
    sent = page.locator("main p.text-h2")
    expect(sent).to_be_visible()
    return page, sent.inner_text().strip()


def _move(page: Page, status: WorkOrderStatus) -> None:
    """Choose the next step and send it."""
    name = _say(STEP_ACTIONS[status.value])
    form = page.locator("form", has=page.locator("#move-note"))
    send = form.get_by_role("button", name=name, exact=True)
    if not send.count():
        page.get_by_role("button", name=name, exact=True).click()
    send.click()
    expect(page.locator("h1 + div")).to_contain_text(_say(desk_words(RequestKind.REPAIR, status, Handover.BRING)))


def _types(received: list[Received], secret: str) -> list[str]:
    """The types of the events that arrived, whose signatures are right."""
    for request in received:
        Verifier(secret).verify(request.content, request.headers)
    return [request.event["type"] for request in received]


def test_a_defect_goes_from_the_customer_to_the_store_and_back(
    shop: Shop, visit: Callable[..., Visitor], open_desk: OpenDesk, receiver: Receiver
) -> None:
    mailbox = shop.server.mailbox
    queue, elsewhere = open_desk(FEMKE, "/cases"), open_desk(KLAAS, "/cases")
    for page in (queue, elsewhere):
        expect(page.get_by_text(_say("No cases in this list."))).to_be_visible()
    assert_accessible(queue)

    # The customer reports; the store is told, and no other.
    customer, shown = _report(visit(server=shop.server))
    reference = shown.replace(" ", "")
    expect(queue.get_by_role("link", name=shown)).to_be_visible()
    assert_accessible(queue)
    news = mailbox.wait_for("utrecht@tweewieler.example")
    assert f"{shop.server.desk_url}/cases/repair/{reference}" in text_of(news)
    assert "Noor" not in str(news["subject"])
    assert mailbox.mails_to("amersfoort@tweewieler.example") == []
    elsewhere.reload()
    expect(elsewhere.get_by_text(_say("No cases in this list."))).to_be_visible()
    elsewhere.goto(f"/cases/repair/{reference}")
    expect(elsewhere.get_by_text(_say("This doesn’t exist, or it belongs to another store."))).to_be_visible()

    # A mechanic looks at the photo on a phone and asks for another one.
    phone = open_desk(TOM, f"/cases/repair/{reference}", width=390)
    assert_accessible(phone)
    phone.get_by_role("button", name="schade voor.jpg").click()
    photo = phone.get_by_role("region", name=_say("Photo")).get_by_role("img")
    expect(photo).to_be_visible()
    phone.wait_for_function("image => image.complete && image.naturalWidth > 0", arg=photo.element_handle())
    assert_accessible(phone)
    phone.get_by_role("main").get_by_role("button", name=_say("Close"), exact=True).click()
    customer.goto(f"/maintenance/{reference}")
    expect(customer.get_by_role("heading", name=_say("What happened"))).to_be_visible()
    seen = len(mailbox.mails_to(NOOR[1]))
    phone.get_by_role("textbox", name=re.compile("^Bericht aan")).fill(QUESTION)
    phone.get_by_role("button", name=_say("Ask for a photo"), exact=True).click()
    phone.get_by_role("button", name=_say("Send and wait for the customer")).click()

    # The customer is mailed and answers on the page that was open.
    expect(customer.get_by_text(QUESTION).first).to_be_visible()
    question = text_of(mailbox.wait_for(NOOR[1], after=seen))
    assert QUESTION in question
    assert f"{shop.server.base_url}/maintenance/{reference}" in question
    customer.get_by_role("textbox", name=_say("Your message")).fill(ANSWER)
    customer.locator("#files").set_input_files([payload("ketting.jpg")])
    expect(customer.locator("main li[data-state=done]")).to_have_count(1, timeout=UPLOAD)
    customer.get_by_role("button", name=_say("Send message")).click()
    expect(phone.get_by_text(ANSWER).first).to_be_visible()
    expect(phone.get_by_role("button", name="ketting.jpg")).to_be_visible()
    assert_accessible(phone)

    # The mechanic accepts, plans a day and repairs.
    _move(phone, _S.ACCEPTED)
    phone.get_by_text(_say("Plan a day"), exact=True).click()
    planned = today() + timedelta(days=7)
    phone.locator("#plan-day").fill(planned.isoformat())
    phone.get_by_role("button", name=_say("Plan this day")).click()
    expect(phone.get_by_text(re.compile("^Gepland op .*wijzigen$"))).to_be_visible()
    expect(customer.get_by_text(re.compile("^Gepland op ")).first).to_be_visible()
    for status in (_S.WAIT_FOR_OBJECT, _S.IN_REPAIR, _S.WAIT_FOR_CUSTOMER, _S.DONE):
        _move(phone, status)
        expect(customer.locator("main")).to_contain_text(_say(WORK_ORDER_LABELS[status]))
    assert_accessible(phone)

    audit = open_desk(CARLA, "/audit")
    audit.goto(f"/audit?reference={reference}")
    _everything_is_recorded(customer, phone, audit)
    expected = {
        "case.opened", "case.message_from_staff", "case.message_from_customer", "case.planned",
        "case.status_changed", "case.closed",
    }  # fmt: skip
    for _try in range(100):
        if expected <= set(_types(receiver.received, shop.secret)):
            break
        phone.wait_for_timeout(100)
    assert expected <= set(_types(receiver.received, shop.secret))
    assert _types(receiver.received, shop.secret)[0] == "case.opened"
    assert {request.reference for request in receiver.received} == {reference}


def _everything_is_recorded(customer: Page, phone: Page, audit: Page) -> None:
    """The timelines of both sides, and the audit by person."""
    history = phone.locator("section", has=phone.get_by_role("heading", name=_say("Timeline")))
    for label in ("Request received", "Message to the customer", "Message from the customer", "Day planned"):
        expect(history).to_contain_text(_say(label))
    expect(history).to_contain_text(TOM)
    told = customer.locator("section", has=customer.get_by_role("heading", name=_say("What happened")))
    statuses = (_S.ACCEPTED, _S.WAIT_FOR_OBJECT, _S.IN_REPAIR, _S.WAIT_FOR_CUSTOMER, _S.DONE)
    for status in statuses:
        expect(history).to_contain_text(_say(desk_words(RequestKind.REPAIR, status, Handover.BRING)))
        expect(told).to_contain_text(_say(WORK_ORDER_LABELS[status]))
    table = audit.get_by_role("table")
    for action in (AuditAction.VIEW_CASE, AuditAction.SEND_MESSAGE, AuditAction.MOVE_CASE):
        expect(table.get_by_role("row").filter(has_text=_say(AUDIT_LABELS[action])).first).to_contain_text(TOM)
    expect(table).not_to_contain_text(KLAAS)
    assert_accessible(audit)
