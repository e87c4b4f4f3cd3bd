"""A real browser: windows with a language and a width, the errors in them, and accessibility checks with axe."""

import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import urlsplit

import jwt
import pytest
from axe_playwright_python.base import AXE_SCRIPT, AxeResults
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Error, Locator, Page, Playwright, WebError

from tests.support.server import PortalServer
from tests.support.stored import execute

PATIENCE = 60_000
"""Milliseconds to wait for anything. A slow machine with other tests beside needs more than Playwright's 5 and 30 s."""

# The headless shell: the same browser without its user interface. It needs a third less CPU time.
EXECUTABLES = ("chromium-headless-shell", "chromium")
# The list of Playwright (a later one replaces it) and two pages of the address bar, which every window would load.
_FEATURES_OFF = (
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsUpgrades",
    "HttpsFirstBalancedModeAutoEnable",
    "LensOverlay",
    "MediaRouter",
    "PaintHolding",
    "ThirdPartyStoragePartitioning",
    "AvoidCorsURLLoaderRestartOnRedirect",
    "TcpPortRandomizationWin",
    "OptimizationHints",
    "NetworkTimeServiceQuerying",
    "AimEnabled",
    "PreconnectToSearch",
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
    # Spare processes for pages that may never be opened.
    "SpareRendererForSitePerProcess",
)
ARGUMENTS = [
    f"--disable-features={','.join(_FEATURES_OFF)}",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # The tabs of a window share a process, which has the scripts compiled (`Windows`).
    "--renderer-process-limit=1",
    # No script runs long enough to be worth compiling twice: without the compilers that optimise, a page costs a tenth
    # less processor time and a check with axe a fifth.
    "--js-flags=--no-opt --no-maglev",
]
AXE_TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
# For passed rules only the names are returned, to keep the result small.
# A page that is scrolled shows some target half under its sticky header, which one depends on heights and fonts.
_RUN_AXE = """async ([context, options]) => {
    const top = scrollY;
    scrollTo({top: 0, behavior: 'instant'});
    const {violations, ...rest} = await axe.run(context ?? document, options);
    scrollTo({top, behavior: 'instant'});
    const ran = [violations, rest.passes, rest.incomplete, rest.inapplicable].flat().map(rule => rule.id);
    return {violations, ran, passes: [], incomplete: [], inapplicable: []};
}"""
# Playwright advises against its wait for a silent network, which a single request without an end keeps waiting.
_QUIET = """() => {
    const entries = ['navigation', 'resource'].flatMap(type => performance.getEntriesByType(type));
    const last = Math.max(...entries.map(entry => Math.max(entry.responseEnd, entry.loadEventEnd ?? 0)));
    return document.readyState === 'complete' && performance.now() - last >= 500;
}"""
# Contrast takes a third of the time of a check. Texts of one colour, size and weight on the same ground are one look:
# one text of it is checked, and once, as what can be read on one page can be read on all. What is placed freely can lie
# on another ground, so it is a look of its own.
_MARK_LOOKS = """([context, known]) => {
    const grounds = new Map([[null, '']]);
    const ground = e => {
        if (!grounds.has(e)) {
            const {backgroundColor, backgroundImage, filter, opacity, position} = getComputedStyle(e);
            const free = position === 'static' || position === 'relative' ? '' : `free${grounds.size}`;
            grounds.set(e, [ground(e.parentElement), backgroundColor, backgroundImage, filter, opacity, free]
                .join().replaceAll(',rgba(0, 0, 0, 0),none,none,1,', ''));
        }
        return grounds.get(e);
    };
    const written = e => e.matches('input, select, textarea')
        || [...e.childNodes].some(node => node.nodeType === Node.TEXT_NODE && node.data.trim());
    const seen = e => {
        const {width, height} = e.getBoundingClientRect();
        return width > 1 && height > 1 && e.checkVisibility({visibilityProperty: true, opacityProperty: true});
    };
    const off = e => Boolean(e.closest(':disabled, [aria-disabled=true]') || e.closest('label')?.control?.disabled);
    const looks = new Set(known), before = looks.size;
    document.querySelectorAll('[data-look]').forEach(e => e.removeAttribute('data-look'));
    for (const e of document.querySelectorAll(context ? `${context}, ${context} *` : 'body *')) {
        if (!written(e) || !seen(e)) continue;
        const {color, fontSize, fontWeight, textShadow} = getComputedStyle(e);
        const look = [ground(e), color, fontSize, fontWeight, textShadow, off(e)].join();
        if (!looks.has(look)) e.setAttribute('data-look', '');
        looks.add(look);
    }
    axe.configure({rules: [{id: 'color-contrast', selector: '[data-look]'}]});
    return [...looks].slice(before).filter(look => !look.includes('free'));
}"""
HEIGHTS = {1280: 900, 375: 812}
_ALSO_AT = {1280: 768, 375: 320}
"""At which width a page is checked as well: on a tablet, and on a small phone, which is 400 % zoom."""
ALIVE = "window.__reactRouterDataRouter?.state.initialized === true"
"""Whether the scripts have taken over the page; the router is made in the same step."""
# Refusals such as 422 for a wrong login are expected, but Chromium logs each of them as an error.
_REFUSAL = re.compile(r"Failed to load resource: the server responded with a status of 4\d\d")


def launch(playwright: Playwright) -> Browser:
    """Start the installed Chromium."""
    executable = next(filter(None, map(shutil.which, EXECUTABLES)), None)
    assert executable, "Chromium is not installed"
    return playwright.chromium.launch(executable_path=executable, args=ARGUMENTS)


@dataclass
class Troubles:
    """Errors that the browser reports: console errors, uncaught exceptions and security policy violations."""

    found: list[str] = field(default_factory=list)
    _allowed: list[re.Pattern[str]] = field(default_factory=list)

    def allow(self, pattern: str) -> None:
        """Ignore errors that match the pattern, in a test that causes them on purpose."""
        self._allowed.append(re.compile(pattern))

    def watch(self, context: BrowserContext) -> None:
        """Collect the errors of every page of a context."""
        context.on("console", self._console)
        context.on("weberror", self._uncaught)

    def leave(self, context: BrowserContext) -> None:
        """Stop collecting the errors of a context."""
        context.remove_listener("console", self._console)
        context.remove_listener("weberror", self._uncaught)

    def check(self) -> None:
        """Fail if there were unexpected errors."""
        unexpected = [text for text in self.found if not any(rule.search(text) for rule in self._allowed)]
        assert not unexpected, "the browser reported:\n" + "\n".join(unexpected)

    def _uncaught(self, error: WebError) -> None:
        self.found.append(f"uncaught: {error.error}")

    def _console(self, message: ConsoleMessage) -> None:
        location = message.location.get("url", "")
        if message.type != "error" or (_REFUSAL.match(message.text) and "/assets/" not in location):
            return
        self.found.append(f"{message.text} ({location})")


@dataclass(frozen=True)
class Place:
    """The properties of a browser window: portal address, language, width, time zone, and whether scripts run."""

    base_url: str
    language: str
    width: int
    timezone: str = "Europe/Amsterdam"
    scripts: bool = True


class Windows:
    """A pool of browser windows. A returned window is cleared and reused, so its scripts stay compiled.

    It has no width: each tab gets that of its place (`tab`). A tab without scripts stays open in each: with the last
    tab the process would end, and the next one compile anew.
    """

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._spare: dict[Place, list[BrowserContext]] = {}
        self._keepers: dict[BrowserContext, Page] = {}

    def open(self, place: Place, *, fresh: bool = False) -> BrowserContext:
        """Open a window without cookies and storage. A `fresh` window also has an empty cache, and is not reused."""
        spare = self._spare.get(replace(place, width=0))
        if spare and not fresh:
            return spare.pop()
        context = self._browser.new_context(
            base_url=place.base_url,
            locale={"nl": "nl-NL", "en": "en-GB"}[place.language],
            timezone_id=place.timezone,
            reduced_motion="reduce",
            java_script_enabled=place.scripts,
        )
        context.set_default_timeout(PATIENCE)
        if not fresh:
            self._keepers[context] = keeper = context.new_page()
            keeper.goto("/ping")
        return context

    def give_back(self, context: BrowserContext, place: Place) -> None:
        """Clear a window for the next visitor, or close it if it cannot be cleared."""
        keeper = self._keepers.get(context)
        tabs = [page for page in context.pages if page is not keeper]
        if keeper is None or any(_keeps_own_time(page) for page in tabs):
            self._keepers.pop(context, None)
            context.close()
            return
        for page in tabs:
            page.close()
        kept = {"origin": place.base_url, "storageTypes": "local_storage,indexeddb,cache_storage,service_workers"}
        context.new_cdp_session(keeper).send("Storage.clearDataForOrigin", kept)
        context.unroute_all()
        context.clear_permissions()
        context.set_offline(False)
        context.clear_cookies()
        self._spare.setdefault(replace(place, width=0), []).append(context)


def tab(context: BrowserContext, place: Place) -> Page:
    """Open a tab of the width of a place."""
    page = context.new_page()
    page.set_viewport_size({"width": place.width, "height": HEIGHTS.get(place.width, 900)})
    return page


def _keeps_own_time(page: Page) -> bool:
    """Whether the page's clock was replaced, which cannot be undone. Also true if the page does not respond."""
    try:
        return page.evaluate("'__pwClock' in globalThis")
    except Error:
        return True


class Visitor:
    """A visitor with a browser window, a language and a screen size."""

    def __init__(self, windows: Windows, server: PortalServer, place: Place, *, fresh: bool = False) -> None:
        self.server = server
        self.language = place.language
        self.width = place.width
        self.troubles = Troubles()
        self._windows, self._place = windows, place
        self.customer = ("", "")
        self._sessions: list[tuple[list[str], str]] = []
        self.context = windows.open(place, fresh=fresh)
        self.context.add_cookies([{"name": "lang", "value": place.language, "url": place.base_url}])
        self.troubles.watch(self.context)

    def page(self) -> Page:
        """Open a tab. What loads a page in it also waits until its scripts run, except `wait_until="commit"`.

        A drawn page shows its data before that, so a test would otherwise look into a page that is not alive.
        """
        page = tab(self.context, self._place)
        for name in ("goto", "reload", "go_back") if self._place.scripts else ():
            setattr(page, name, _until_alive(page, getattr(page, name)))
        return page

    def log_in(self, order_number: str, email: str) -> None:
        """Log in over HTTP without the forms, and set the cookies in the browser.

        A spare session of an earlier visitor is reused if there is one; other tests cover the login itself.
        """
        self.customer = (order_number, email)
        spare = self.server.spare_sessions[order_number, email, self._place.language]
        if not take_over(self.server, spare, self._place.language, self.context):
            before = len(self.server.mailbox.mails_to(email))
            self._post("/auth/code", {"order_number": order_number, "email": email})
            self._post("/auth/session", {"code": self.server.mailbox.code_for(email, after=before)})
        self._sessions.append((spare, session_of(self.server, self.context)))

    def end_sessions(self, button: Locator) -> None:
        """End the sessions of all customers, press a button of the open page, and wait for the login.

        A page that asks the server in between leads to the login before the press.
        """
        execute(self.server, "UPDATE sessions SET revoked_at = created_at")
        page = button.page
        button.or_(page.locator("#order_number")).first.click()
        page.wait_for_url("/")

    def close(self) -> None:
        """Return the browser window and the sessions. Fail if the window reported errors."""
        for spare, token in self._sessions:
            spare.append(token)
        self.troubles.leave(self.context)
        self._windows.give_back(self.context, self._place)
        self.troubles.check()

    def _post(self, path: str, data: dict[str, str]) -> None:
        answer = self.context.request.post(path, data=data, headers={"origin": self.server.base_url})
        assert answer.ok, f"{path} answered {answer.status}: {answer.text()}"


def _until_alive(page: Page, load: Callable[..., Any]) -> Callable[..., Any]:
    def loaded(*given: Any, **named: Any) -> Any:
        answer = load(*given, **named)
        if named.get("wait_until") != "commit":
            page.wait_for_function("() => !window.held")  # it goes when what was held has been done (server.js)
        return answer

    return loaded


Visit = Callable[..., Visitor]


def wait_until_quiet(page: Page) -> None:
    """Wait until a page is loaded and nothing more has arrived for half a second."""
    page.wait_for_function(_QUIET, polling=100)


def assert_fits(page: Page) -> None:
    """Check that nothing sticks out at the side (flow-standard F45)."""
    fits = page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    assert fits, f"{page.url} is wider than {page.viewport_size}"


def assert_accessible(page: Page, context: str | None = None) -> None:
    """Check the visible page with axe at its own width and at a second one; nothing may stick out at either.

    Args:
        page: The page in the state to check. It keeps its size.
        context: CSS selector of the part to check; by default the whole page.
    """
    if not context:
        assert_fits(page)
    # The rule for target size (WCAG 2.2) is off by default and must be enabled by name.
    rules: dict[str, Any] = {
        "runOnly": {"type": "tag", "values": AXE_TAGS},
        "rules": {"target-size": {"enabled": True}},
    }
    assert "target-size" in _assert_without_violations(page, context, rules)
    size = page.viewport_size
    if size and (width := _ALSO_AT.get(size["width"])):
        page.set_viewport_size({"width": width, "height": size["height"]})
        assert_fits(page)
        part = urlsplit(page.url).path, context, width
        if part not in _looked_at:
            _looked_at.add(part)
            # Colours are the same at every width.
            rules["rules"]["color-contrast"] = {"enabled": False}
            assert "target-size" in _assert_without_violations(page, context, rules)
        page.set_viewport_size(size)


_looked_at: set[tuple[str, str | None, int]] = set()
"""Which parts of which addresses this process has checked at a second width."""

_readable: set[str] = set()
"""The looks of texts that this process has found to have enough contrast."""


def assert_enough_contrast(page: Page) -> None:
    """Check only with axe whether everything can be read, where a page differs in nothing but its colours."""
    assert "color-contrast" in _assert_without_violations(page, None, {"runOnly": ["color-contrast"]})


def _assert_without_violations(page: Page, context: str | None, rules: dict[str, Any]) -> list[str]:
    """Run axe, and return the names of the rules that ran."""
    options = {
        **rules,
        # One element per rule is enough for the other rules and keeps the result small.
        "resultTypes": ["violations"],
    }
    try:
        found, looks = _run_axe(page, context, options)
    except Error:
        # The document was replaced during the check, for example because the session ended. Check the new one.
        wait_until_quiet(page)
        found, looks = _run_axe(page, context, options)
    result = AxeResults(found)
    assert result.violations_count == 0, result.generate_report()
    if "color-contrast" in result.response["ran"]:
        _readable.update(looks)
    return result.response["ran"]


def _run_axe(page: Page, context: str | None, options: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """What axe found, and the looks of which it saw a text."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    looks = page.evaluate(_MARK_LOOKS, [context, [*_readable]])
    return page.evaluate(_RUN_AXE, [context, options]), looks


# As after a login: used at this moment, and its customer gets mails in the language of the browser.
_RENEW = """UPDATE sessions SET last_used_at = strftime('%Y-%m-%d %H:%M:%f000', 'now')
            WHERE jti = ? AND revoked_at IS NULL RETURNING customer_id"""


def session_of(server: PortalServer, context: BrowserContext) -> str:
    """The token of the session in a browser window."""
    cookies = context.cookies(server.base_url)
    return next(cookie.get("value", "") for cookie in cookies if cookie.get("name") == "session")


def take_over(server: PortalServer, spare: list[str], language: str, context: BrowserContext) -> bool:
    """Give a browser window a session that is still alive, as good as new; whether there was one."""
    while spare:
        token = spare.pop()
        claims = jwt.decode(token, options={"verify_signature": False})
        for (customer,) in execute(server, _RENEW, claims["jti"]):
            execute(server, "UPDATE customers SET locale = ? WHERE id = ?", language, customer)
            address = server.base_url
            context.add_cookies(
                [{"name": "session", "value": token, "httpOnly": True, "sameSite": "Lax", "url": address}]
            )
            return True
    return False


CROSSWISE = ("nl-375", "en-1280")
"""Both languages and both screens, each once. That a button does the same in Dutch on a wide screen is no other fact.
Where a text may be too long for a screen, the window is resized (`assert_fits_everywhere`)."""

ON_A_PHONE, ON_A_WIDE_SCREEN = (
    pytest.mark.parametrize("visitor_crosswise", [window], indirect=True) for window in CROSSWISE
)
"""One of the two windows, for a long journey whose subject is seen in the other one by another journey."""

TOURED = dict.fromkeys(("service-request", "return-accessories-request", "service-package"), "en-1280")
"""Tours in English on a wide screen. Every other flow is toured in Dutch on a small one, where its lines are the
longest; most questions of these stand in another flow as well."""


def split(window: str) -> tuple[str, int]:
    """Language and width of a window such as `nl-375`."""
    language, width = window.split("-")
    return language, int(width)
