"""The gate before the pages, downloads, the mailbox, and what is refused at the door."""

from email.message import EmailMessage

import pytest

from portal.login.api import LoginApi
from portal.orders.api import OrdersApi
from portal.settings import settings
from portal.web.documents import RETIRED
from portal.web.session import checks
from tests.support.asking import nobody_answers
from tests.support.connections import Shop
from tests.support.http_browser import Browser, cookies_of
from tests.support.people import JORIS, MAX, PIETER, SANNE

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.parametrize("path", ["/dashboard", "/dashboard/", "/orders", "/orders/900000001", "/bikes/x?y=1"])
async def test_a_visitor_never_sees_a_page_for_customers(http_browser: Browser, method: str, path: str) -> None:
    answer = await http_browser.open(path, method)
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    cookie = cookies_of(answer)["next"]
    assert cookie["httponly"]
    assert cookie["max-age"] == "900"
    assert "the page" not in answer.text


async def test_the_wanted_page_opens_after_the_login_and_only_then(http_browser: Browser, shop: Shop) -> None:
    await http_browser.open("/orders/900000001?page=2")
    opened = await http_browser.log_in(shop, SANNE)
    assert opened.json()["data"]["next"] == "/orders/900000001?page=2"
    await http_browser.post("/auth/logout", {})
    assert (await http_browser.log_in(shop, SANNE)).json()["data"]["next"] == "/dashboard"


async def test_after_a_logout_nobody_is_led_to_a_page_that_another_tab_still_showed(
    http_browser: Browser, shop: Shop
) -> None:
    await http_browser.log_in(shop, SANNE)
    await http_browser.post("/auth/logout", {})
    await http_browser.open("/orders/900000001")
    assert (await http_browser.log_in(shop, JORIS)).json()["data"]["next"] == "/dashboard"


@pytest.mark.parametrize(("customer", "page"), [(SANNE, "/orders/900000001"), (JORIS, "/dashboard")])
async def test_after_a_timeout_only_the_same_customer_is_led_back(
    http_browser: Browser, shop: Shop, customer: tuple[str, str], page: str
) -> None:
    await http_browser.log_in(shop, SANNE)
    await http_browser.post("/auth/logout", {"next": "/orders/900000001"})
    assert (await http_browser.log_in(shop, customer)).json()["data"]["next"] == page


@pytest.mark.parametrize(
    "wanted",
    [
        "//evil.example", "/\\evil.example", "https://evil.example", "javascript:alert(1)", "/%2f%2fevil.example",
        "/orders//evil.example", "/orders/../../evil", "/orders?x=%0d%0aSet-Cookie:a=b", "/orders\r\nx: y",
        "/Orders", "/auth/logout", "/files/invoices/x.pdf", "/mailbox", "/", "/login/token", "/gone", "",
        "/orders/" + "9" * 600, "/nowhere", "/orders/1#//evil", "/@evil.example", "/orders?next=//evil<script>",
    ],
)  # fmt: skip
async def test_a_forged_next_page_leads_to_the_dashboard(http_browser: Browser, shop: Shop, wanted: str) -> None:
    seen = len(shop.mailbox.mails_to(SANNE[1]))
    await http_browser.post("/auth/code", {"order_number": SANNE[0], "email": SANNE[1]})
    code = await shop.code(SANNE[1], seen)
    held = "; ".join(f"{name}={value}" for name, value in http_browser.client.cookies.items())
    cookie = f'{held}; next=":{wanted}"'.encode("latin-1", "ignore").replace(b"\r", b"").replace(b"\n", b"")
    headers = [(b"origin", b"http://localhost:8000"), (b"cookie", cookie)]
    answer = await http_browser.client.post("/auth/session", json={"code": code}, headers=headers)
    assert answer.json()["data"]["next"] == "/dashboard"


async def test_a_customer_who_opens_the_login_goes_to_the_dashboard(http_browser: Browser, shop: Shop) -> None:
    await http_browser.log_in(shop, SANNE)
    for path in ("/", "/login/token", "/login/token/"):
        answer = await http_browser.open(path)
        assert (answer.status_code, answer.headers["location"]) == (303, "/dashboard")
    assert (await http_browser.open("/login")).headers["location"] == "/"


async def test_the_page_of_the_code_needs_a_code_that_was_asked_for(http_browser: Browser) -> None:
    assert (await http_browser.open("/login/token")).headers["location"] == "/"
    http_browser.client.cookies.set("challenge", "nonsense")
    assert (await http_browser.open("/login/token")).headers["location"] == "/"
    http_browser.client.cookies.clear()
    await http_browser.post("/auth/code", {"order_number": PIETER[0], "email": PIETER[1]})
    assert (await http_browser.open("/login/token")).status_code == 200


async def test_a_session_that_ended_is_explained_and_its_cookie_taken_back(http_browser: Browser, shop: Shop) -> None:
    await http_browser.log_in(shop, SANNE)
    await shop.ask(LoginApi).logout(http_browser.client.cookies["session"])
    checks._answers.clear()
    answer = await http_browser.open("/orders")
    assert answer.headers["location"] == "/?error=session_ended"
    assert cookies_of(answer)["session"]["max-age"] == "0"
    assert cookies_of(answer)["next"].value.endswith(":/orders")


async def test_a_logout_by_time_resumes_the_page(http_browser: Browser, shop: Shop) -> None:
    await http_browser.log_in(shop, SANNE)
    ended = await http_browser.post("/auth/logout", {"next": "/orders/900000001"})
    assert ended.json()["data"]["next"] == "/?error=session_ended"
    assert (await http_browser.log_in(shop, SANNE)).json()["data"]["next"] == "/orders/900000001"
    forged = await http_browser.post("/auth/logout", {"next": "//evil.example"})
    assert forged.json()["data"]["next"] == "/"


async def test_a_provider_that_is_down_locks_no_page(http_browser: Browser, shop: Shop) -> None:
    await http_browser.log_in(shop, SANNE)
    checks._answers.clear()
    async with nobody_answers(shop):
        assert (await http_browser.open("/dashboard")).status_code == 200
        assert (await http_browser.open("/")).status_code == 200
    checks._answers.clear()


@pytest.mark.parametrize("path", sorted(RETIRED))
async def test_a_retired_path_says_so(http_browser: Browser, path: str) -> None:
    assert (await http_browser.open(path)).headers["location"] == "/gone"
    assert (await http_browser.open(f"{path}/more")).headers["location"] == "/gone"


async def test_open_pages_and_files_are_open(http_browser: Browser) -> None:
    for path in ("/", "/gone", "/assets/x.js", "/unknown"):
        assert (await http_browser.open(path)).status_code == 200


@pytest.mark.parametrize("method", ["GET", "POST", "HEAD", "PUT", "DELETE"])
async def test_nothing_can_be_uploaded_or_fetched_from_uploads(http_browser: Browser, shop: Shop, method: str) -> None:
    await http_browser.log_in(shop, SANNE)
    headers = {"Reflex-Client-Token": "x", "Reflex-Event-Handler": "reflex___state____state.hydrate"}
    for path in ("/_upload", "/_upload/x.jpg"):
        answer = await http_browser.client.request(method, path, headers=headers, content=b"x" * 100)
        assert answer.status_code == 404


async def test_an_invoice_is_downloaded_as_a_file(http_browser: Browser, shop: Shop) -> None:
    await http_browser.log_in(shop, SANNE)
    invoice = (await shop.ask(OrdersApi).invoices(http_browser.client.cookies["session"])).items[0]
    for language in ("nl", "en"):
        answer = await http_browser.open(f"/files/invoices/{invoice.invoice_id}.pdf?lang={language}")
        assert answer.status_code == 200
        assert answer.content.startswith(b"%PDF-")
        assert answer.headers["content-type"] == "application/pdf"
        assert answer.headers["content-disposition"].startswith("attachment; filename=")
        assert "no-store" in answer.headers["cache-control"]


async def test_an_invoice_of_somebody_else_is_not_there(http_browser: Browser, shop: Shop) -> None:
    await http_browser.log_in(shop, JORIS)
    other = (await shop.ask(OrdersApi).invoices(await shop.token(*MAX))).items[0]
    for name in (other.invoice_id, "unknown", "..%2f..%2fetc%2fpasswd", "x" * 200, "' OR 1=1"):
        answer = await http_browser.open(f"/files/invoices/{name}.pdf")
        assert answer.status_code == 404, name
        assert b"%PDF" not in answer.content
    headers = {"accept": "application/pdf, application/json"}
    answer = await http_browser.client.get(f"/files/invoices/{other.invoice_id}.pdf", headers=headers)
    assert (answer.status_code, answer.json()["error"]) == (404, "not_found")


async def test_an_invoice_needs_a_session(http_browser: Browser, shop: Shop) -> None:
    invoice = (await shop.ask(OrdersApi).invoices(await shop.token(*SANNE))).items[0]
    answer = await http_browser.open(f"/files/invoices/{invoice.invoice_id}.pdf")
    assert (answer.status_code, answer.headers["location"]) == (303, "/")


async def test_an_invoice_that_cannot_be_made_leads_back_to_the_page(http_browser: Browser, shop: Shop) -> None:
    await http_browser.log_in(shop, SANNE)
    invoice = (await shop.ask(OrdersApi).invoices(http_browser.client.cookies["session"])).items[0]
    async with nobody_answers(shop):
        for referer, back in (
            ("http://localhost:8000/orders/1?x=1", "/orders/1"),
            ("https://evil.example/x", "/orders"),
        ):
            answer = await http_browser.client.get(
                f"/files/invoices/{invoice.invoice_id}.pdf", headers={"referer": referer}
            )
            assert (answer.status_code, answer.headers["location"]) == (303, f"{back}?error=pdf_failed")
        scripted = await http_browser.client.get(
            f"/files/invoices/{invoice.invoice_id}.pdf", headers={"accept": "application/json"}
        )
        assert (scripted.status_code, scripted.json()["error"]) == (503, "pdf_failed")


async def test_the_mailbox_shows_the_mails_of_the_demonstration_without_running_them(http_browser: Browser) -> None:
    mail = EmailMessage()
    mail["From"], mail["To"] = "shop@example.com", "sanne@example.com"
    mail["Subject"] = "<script>alert(1)</script>"
    mail["Date"] = "Sat, 21 Nov 2026 09:00:00 +0000"
    mail.set_content("Code 123456 <b>")
    mail.add_alternative("<p onclick=x>123456</p><script>alert(1)</script>", subtype="html")
    directory = settings().data_dir / "mail"
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "0001.eml").write_bytes(mail.as_bytes())
    listed = await http_browser.open("/mailbox")
    assert "&lt;script&gt;" in listed.text
    assert "<script" not in listed.text
    assert "script-src" not in listed.headers["content-security-policy"]
    assert listed.headers["content-security-policy"].startswith("default-src 'none'")
    shown = await http_browser.open("/mailbox/0001")
    assert "Code 123456 &lt;b&gt;" in shown.text
    assert '<iframe sandbox title="E-mail als HTML" srcdoc="' in shown.text
    assert "<script" not in shown.text
    assert (await http_browser.open("/mailbox/..%2f..%2fportal.db")).status_code == 404


async def test_production_has_no_mailbox(monkeypatch: pytest.MonkeyPatch) -> None:
    from portal.web import mailbox

    assert mailbox.routes()
    monkeypatch.setattr(settings(), "env", "production")
    assert mailbox.routes() == []
