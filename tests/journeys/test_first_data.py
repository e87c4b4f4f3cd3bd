"""What a page shows before its socket has said anything, and that the socket has the last word."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from tests.journeys.held_socket import Socket
from tests.journeys.login_steps import SANNE
from tests.support.browser import Visitor

pytestmark = pytest.mark.fresh_windows
ROWS = "main a[href^='/orders/']"
NUMBER = SANNE[0]

WATCH = """() => {
    window.__lost = [];
    const rows = document.querySelector("main a[href^='/orders/']");
    new MutationObserver(() => {
        if (!rows.isConnected) window.__lost.push('a row was drawn again');
        if (document.querySelector('.skeleton')) window.__lost.push('skeleton');
        if (document.querySelector("main [aria-busy='true']")) window.__lost.push('busy');
    }).observe(document, { childList: true, subtree: true, attributes: true });
}"""


class FirstData:
    """Stands between page and server: the first data wait until they are let go."""

    def __init__(self, page: Page) -> None:
        self.asked: list[Route] = []
        page.route("**/first/**", lambda route: self.asked.append(route))

    def answer(self, change: Callable[[str], str] = str) -> None:
        """Let the answer through, changed."""
        (route,) = self.asked
        answer = route.fetch()
        route.fulfill(status=answer.status, content_type="application/json", body=change(answer.text()))


def asked_first(page: Page) -> list[str]:
    """The addresses of the first data that a tab asks for from now on."""
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "/first/" in request.url else None)
    return asked


def test_the_rows_are_there_before_the_first_message_of_the_socket(sanne_crosswise: Visitor) -> None:
    page = sanne_crosswise.page()
    socket = Socket(page)
    page.goto("/orders")
    expect(page.locator(ROWS).first).to_be_visible()
    expect(page.get_by_role("main")).to_contain_text(NUMBER)
    order = {"nl": "Bestelling", "en": "Order"}[sanne_crosswise.language]
    expect(page.get_by_role("link", name=f"{order} {NUMBER}")).to_be_visible()
    socket.wait()
    socket.let_go()
    # What needs the server works, so the socket was heard.
    page.get_by_role("link", name=f"{order} {NUMBER}").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text(NUMBER)


def test_nothing_is_drawn_twice_when_the_socket_says_the_same(sanne: Visitor) -> None:
    page = sanne.page()
    socket = Socket(page)
    page.goto("/orders")
    expect(page.locator(ROWS).first).to_be_visible()
    socket.wait()
    page.evaluate(WATCH)
    socket.let_go()
    page.wait_for_timeout(500)
    assert page.evaluate("window.__lost") == []


@pytest.mark.parametrize("path", ["/dashboard", "/invoices", "/bikes", "/maintenance", f"/orders/{NUMBER}"])
def test_every_page_of_the_account_is_shown_without_a_word_of_the_socket(sanne: Visitor, path: str) -> None:
    page = sanne.page()
    Socket(page)
    page.goto(path)
    expect(page.locator(".skeleton")).to_have_count(0)
    expect(page.locator("main [aria-busy='false']")).to_have_count(1)


def test_first_data_that_come_late_change_nothing(sanne: Visitor) -> None:
    page = sanne.page()
    first = FirstData(page)
    page.goto("/orders")
    expect(page.locator(ROWS).first).to_be_visible()
    first.answer(lambda text: text.replace(NUMBER, "123456789"))
    page.wait_for_timeout(300)
    expect(page.get_by_role("main")).to_contain_text(NUMBER)
    assert "123456789" not in page.locator("body").inner_text()


def test_first_data_are_not_shown_on_another_page(sanne: Visitor) -> None:
    page = sanne.page()
    Socket(page)
    first = FirstData(page)
    page.goto("/orders")
    expect(page.locator("html.font-loaded")).to_have_count(1)  # alive
    page.get_by_role("navigation").get_by_role("link", name="Fietsen").first.click()
    page.wait_for_url("**/bikes")
    first.answer()
    page.wait_for_timeout(300)
    page.go_back()
    page.wait_for_url("**/orders")
    expect(page.locator(".skeleton").first).to_be_visible()
    assert page.locator(ROWS).count() == 0


@pytest.mark.parametrize("trouble", ["lost", "refused", "nothing", "broken"])
def test_without_first_data_the_page_shows_what_the_socket_brings(sanne: Visitor, trouble: str) -> None:
    sanne.troubles.allow("ERR_FAILED|status of 5")
    page = sanne.page()
    answers: dict[str, Callable[[Route], None]] = {
        "lost": lambda route: route.abort(),
        "refused": lambda route: route.fulfill(status=401),
        "nothing": lambda route: route.fulfill(status=204),
        "broken": lambda route: route.fulfill(status=200, content_type="application/json", body="<html>"),
    }
    page.route("**/first/**", answers[trouble])
    page.goto("/orders")
    expect(page.locator(ROWS).first).to_be_visible()


def test_states_that_the_page_does_not_know_are_left_alone(sanne: Visitor) -> None:
    page = sanne.page()
    page.route("**/first/**", lambda route: route.fulfill(status=200, json={"no.such.state": {"x": 1}}))
    page.goto("/orders")
    expect(page.locator(ROWS).first).to_be_visible()


def test_another_order_in_the_same_tab_never_shows_the_one_before(sanne: Visitor) -> None:
    page = sanne.page()
    page.goto("/orders")
    expect(page.locator(ROWS).nth(1)).to_be_visible()
    numbers = page.locator(ROWS).evaluate_all("(links) => links.map((link) => link.pathname.split('/').pop())")
    page.goto(f"/orders/{numbers[0]}")
    expect(page.get_by_role("heading", level=1)).to_contain_text(numbers[0])
    page.add_init_script(
        f"new MutationObserver(() => {{ if (document.querySelector('h1')?.innerText.includes('{numbers[0]}'))"
        " window.__seen = true }).observe(document, { childList: true, subtree: true, characterData: true })"
    )
    page.goto(f"/orders/{numbers[1]}")
    expect(page.get_by_role("heading", level=1)).to_contain_text(numbers[1])
    page.wait_for_timeout(300)
    assert page.evaluate("window.__seen") is None


def test_a_list_is_asked_for_with_its_page_and_again_when_going_back(sanne: Visitor) -> None:
    page = sanne.page()
    asked = asked_first(page)
    page.goto("/orders?page=1")
    expect(page.locator(ROWS).first).to_be_visible()
    page.goto("/contact")
    assert [url.partition("/first")[2] for url in asked] == ["/orders?page=1"]
    page.go_back()
    expect(page.locator(ROWS).first).to_be_visible()


def test_pages_for_visitors_ask_for_nothing(page: Page) -> None:
    asked = asked_first(page)
    page.goto("/orders")
    page.wait_for_load_state("networkidle")
    page.goto("/gone")
    assert asked == []


def test_who_logged_out_in_another_tab_is_shown_nothing(sanne: Visitor) -> None:
    page = sanne.page()
    with page.expect_response("**/first/orders") as answered:
        page.goto("/orders")
    assert json.loads(answered.value.text())
    held = FirstData(page)
    page.goto("/orders")
    sanne.context.request.post("/auth/logout", data={}, headers={"origin": sanne.server.base_url})
    answer = held.asked[0].fetch()
    assert (answer.status, answer.body()) == (401, b"")
