"""Login, every flow and ten pages in Firefox and WebKit. `script/test browsers` runs it, before a release."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from portal.flow import Step
from tests.journeys.login_steps import SANNE
from tests.support.browser import ALIVE
from tests.support.flows import AFTERCARE, CASES, FILES, FIRST, RETURNS, FlowCase, Values
from tests.support.server import PortalServer
from tests.support.stored import forget_aftercare
from tests.support.walks import SEND, UPLOADED
from tests.support.webdriver import Firefox, OtherBrowser, WebKit

pytestmark = pytest.mark.timeout(600)

PAGES = {
    "/dashboard": "Overzicht", "/orders": "Bestellingen", "/order-status/900000001": "Bestelling",
    "/invoices": "Facturen", "/bikes": "Fietsen", "/maintenance": "Serviceaanvragen", "/returns": "Retouren",
    "/my-data": "Mijn gegevens", "/contact": "Klantenservice", "/privacy": "Privacy",
}  # fmt: skip


@pytest.fixture(scope="module", params=[Firefox, WebKit], ids=["firefox", "webkit"])
def window(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[OtherBrowser]:
    """A window of a browser with a profile of its own."""
    folder = tmp_path_factory.mktemp("profile")
    opened = request.param(folder, {**os.environ, "HOME": str(folder), "XDG_RUNTIME_DIR": str(folder)})
    yield opened
    opened.close()


@pytest.fixture(autouse=True)
def _no_errors(window: OtherBrowser) -> Iterator[None]:
    window.errors.clear()
    yield
    assert window.errors == []


def logged_in(window: OtherBrowser, server: PortalServer, customer: tuple[str, str]) -> None:
    number, email = customer
    seen = len(server.mailbox.mails_to(email))
    window.open(f"{server.base_url}/ping")
    window.run("() => fetch('/auth/logout', {method: 'POST', redirect: 'manual'}).then(() => true)")
    window.open(server.base_url)
    window.wait(f"() => {ALIVE} && document.querySelector('form[data-login]')")
    window.type("[name=order_number]", number)
    window.type("[name=email]", email)
    window.click("form[data-login] button[type=submit]")
    window.wait(f"() => location.pathname === '/login/token' && {ALIVE}")
    window.type("[name=code]", server.mailbox.code_for(email, after=seen))
    window.click("form[data-login=code] button[type=submit]")
    window.wait(f"() => location.pathname === '/dashboard' && {ALIVE}")


def test_login_and_ten_pages(window: OtherBrowser, portal_server: PortalServer) -> None:
    logged_in(window, portal_server, SANNE)
    for path, title in PAGES.items():
        window.open(portal_server.base_url + path)
        there = f"{ALIVE} && !document.querySelector('main .skeleton') && document.querySelector('main h1')?.innerText"
        heading = window.wait(f"() => {there}")
        assert heading.startswith(title), path
        assert window.run("() => document.documentElement.scrollWidth <= innerWidth"), path
        assert not window.run("() => document.querySelector('main [role=alert]')?.innerText"), path


def at(window: OtherBrowser, case: FlowCase, step: Step) -> None:
    here = f"path => location.pathname === path && {ALIVE} && !!document.querySelector('main h1')"
    window.wait(here, case.flow.url(step))
    if step.fields:
        names = ", ".join(f'[name="{field.name}"]' for field in step.fields)
        window.wait("css => !!document.querySelector(css)", names)


def fill(window: OtherBrowser, values: Values, files: list[Path]) -> None:
    for name, value in values.items():
        css = f'[name="{name}"]'
        kind = window.wait("css => document.querySelector(css)?.type", css)
        if kind == "file":
            chosen = files if value == FILES else files[:1]
            window.choose(css, chosen)
            window.wait("n => document.querySelectorAll('main li[data-state=done]').length === n", len(chosen))
            continue
        for each in [value] if isinstance(value, str) else value:
            if str(kind).startswith("select"):
                window.run(_SELECT, css, each)
            elif kind in {"radio", "checkbox"}:
                one = css if each == FIRST else f'{css}[value="{each}"]'
                if not window.run("css => document.querySelector(css).checked", one):
                    window.click(one)
                window.wait("css => document.querySelector(css).checked", one)
            else:
                window.type(css, each)


_SELECT = """(css, value) => {
    const has = each => [...each.options].some(option => option.value === value);
    const one = [...document.querySelectorAll(css)].find(has);
    one.value = value;
    one.dispatchEvent(new Event('input', {bubbles: true}));
    one.dispatchEvent(new Event('change', {bubbles: true}));
}"""


@pytest.mark.parametrize("case", [*CASES, *RETURNS, *AFTERCARE], ids=str)
def test_a_flow_is_walked_and_sent(
    window: OtherBrowser, portal_server: PortalServer, case: FlowCase, tmp_path: Path
) -> None:
    forget_aftercare(portal_server)
    files = [tmp_path / str(file["name"]) for file in UPLOADED]
    for path, file in zip(files, UPLOADED, strict=True):
        path.write_bytes(file["buffer"])
    logged_in(window, portal_server, case.customer)
    window.open(portal_server.base_url + case.flow.url(case.flow.intro_step))
    begins = "^(Start|Een andere fiets|Een ander artikel)$"
    window.wait(_MARK, begins)
    window.click("[data-begins]")
    for step in case.steps:
        at(window, case, step)
        fill(window, case.answers[step.name], files)
        window.click(SEND)
    at(window, case, case.flow.check_step)
    window.click(SEND)
    assert window.wait("() => document.querySelector('main p.text-h2')?.innerText")
    forget_aftercare(portal_server)


_MARK = f"""text => {{
    const begins = one => new RegExp(text).test(one.innerText.trim());
    const found = [...document.querySelectorAll('main button')].find(begins);
    if (!found || !({ALIVE})) return false;
    found.dataset.begins = '';
    return true;
}}"""
