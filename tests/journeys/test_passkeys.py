"""Passkeys, with a virtual device of the browser: offered after a login, added, used and removed."""

from __future__ import annotations

import re
from dataclasses import dataclass

from playwright.sync_api import CDPSession, Locator, Page, expect

from portal.kernel.codes import MESSAGES, Code
from tests.journeys.login_steps import SANNE, LoginPages
from tests.journeys.test_account import heading, shown, word
from tests.support.browser import Visit, Visitor, assert_accessible, assert_fits
from tests.support.people import AMBER, JORIS
from tests.support.windows import ON_A_PHONE

_DEVICE = {
    "protocol": "ctap2",
    "ctap2Version": "ctap2_1",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    # It waits until somebody touches it: a page that asks behind a field gets no answer by itself.
    "automaticPresenceSimulation": False,
}


@dataclass
class Device:
    """A device of the visitor: it keeps passkeys, and answers when it is touched."""

    session: CDPSession
    name: str

    @classmethod
    def of(cls, page: Page) -> Device:
        """A device of the tab."""
        session = page.context.new_cdp_session(page)
        session.send("WebAuthn.enable", {"enableUI": False})
        return cls(session, session.send("WebAuthn.addVirtualAuthenticator", {"options": _DEVICE})["authenticatorId"])

    def touched(self, *, by_owner: bool = True) -> None:
        """Let it answer from now on; to somebody else it says no."""
        self.session.send("WebAuthn.setUserVerified", {"authenticatorId": self.name, "isUserVerified": by_owner})
        self.session.send("WebAuthn.setAutomaticPresenceSimulation", {"authenticatorId": self.name, "enabled": True})

    def keys(self) -> int:
        """How many passkeys it keeps."""
        return len(self.session.send("WebAuthn.getCredentials", {"authenticatorId": self.name})["credentials"])


def button(visitor: Visitor, page: Page, dutch: str, english: str) -> Locator:
    """A button of the page."""
    return page.get_by_role("main").get_by_role("button", name=word(visitor, dutch, english), exact=True)


def looked_at(page: Page) -> None:
    """The page fits and axe finds nothing."""
    assert_fits(page)
    assert_accessible(page)


def end_session(visitor: Visitor) -> None:
    """Log out."""
    visitor.context.request.post("/auth/logout", data={}, headers={"origin": visitor.server.base_url})


def log_out(visitor: Visitor, page: Page) -> LoginPages:
    """Log out and open the login."""
    end_session(visitor)
    return LoginPages(visitor, page).open()


@ON_A_PHONE
def test_a_passkey_is_added_after_a_login_used_and_removed(visitor_crosswise: Visitor) -> None:
    visitor = visitor_crosswise
    page = visitor.page()
    device = Device.of(page)
    login = LoginPages(visitor, page).open()
    by_passkey = button(visitor, page, "Inloggen met een passkey", "Log in with a passkey")
    expect(by_passkey).to_be_visible()
    expect(page.locator("#email")).to_have_attribute("autocomplete", "email webauthn")
    looked_at(page)

    login.enter(login.ask_code(customer_of(visitor)))
    page.wait_for_url("**/login/passkey")
    offer = word(visitor, "Log de volgende keer sneller in", "Log in faster next time")
    expect(heading(page, offer)).to_be_visible()
    login.ready()
    looked_at(page)
    device.touched(by_owner=False)
    button(visitor, page, "Passkey toevoegen", "Add a passkey").click()
    cancelled = word(visitor, "Er is geen passkey gekozen.", MESSAGES[Code.PASSKEY_CANCELLED])
    expect(page.get_by_role("main").get_by_text(cancelled)).to_be_visible()
    looked_at(page)
    device.touched()
    button(visitor, page, "Passkey toevoegen", "Add a passkey").click()
    page.wait_for_url("**/dashboard")
    assert device.keys() == 1

    page.goto("/my-data")
    shown(page)
    page.get_by_role("link", name=word(visitor, "Je passkeys", "Your passkeys"), exact=True).click()
    page.wait_for_url("**/my-data/passkeys")
    entries = page.get_by_role("main").get_by_role("listitem")
    expect(entries).to_have_count(1)
    expect(entries).to_contain_text(word(visitor, "Nog niet gebruikt", "Not used yet"))
    looked_at(page)
    button(visitor, page, "Passkey toevoegen", "Add a passkey").click()
    known = word(visitor, "Dit apparaat heeft al een passkey", "This device already has a passkey")
    expect(page.get_by_role("main").get_by_role("alert")).to_contain_text(known)
    looked_at(page)

    # A device that answers at once would choose its passkey from the list of the field by itself.
    page.add_init_script("PublicKeyCredential.isConditionalMediationAvailable = async () => false")
    log_out(visitor, page)
    by_passkey.click()
    page.wait_for_url("**/dashboard")

    page.goto("/my-data/passkeys")
    expect(entries).to_contain_text(word(visitor, "Laatst gebruikt op", "Last used on"))
    button(visitor, page, "Verwijder", "Remove").click()
    question = page.get_by_role("alertdialog")
    expect(question).to_be_visible()
    looked_at(page)
    question.get_by_role("button", name=word(visitor, "Verwijder", "Remove"), exact=True).click()
    removed = word(visitor, "Je passkey is verwijderd", "Your passkey has been removed")
    expect(page.get_by_role("main").get_by_text(removed)).to_be_visible()
    expect(
        page.get_by_text(word(visitor, "Je hebt nog geen passkey.", "You don’t have a passkey yet."))
    ).to_be_visible()
    looked_at(page)

    log_out(visitor, page)
    by_passkey.click()
    refused = word(visitor, "Deze passkey werkt hier niet.", "This passkey doesn’t work here.")
    expect(page.get_by_role("main").get_by_role("alert")).to_contain_text(refused)
    expect(page).to_have_title(re.compile(word(visitor, "^Fout: ", "^Error: ")))
    looked_at(page)


def customer_of(visitor: Visitor) -> tuple[str, str]:
    """A customer for each language: the first passkey is offered to each once."""
    return JORIS if visitor.language == "nl" else AMBER


def test_the_offer_is_put_off_and_the_wanted_page_opens(visit: Visit) -> None:
    visitor = visit(language="en")
    page = visitor.page()
    Device.of(page)
    page.goto("/bikes")
    login = LoginPages(visitor, page)
    login.ready()
    login.enter(login.ask_code(SANNE))
    page.wait_for_url("**/login/passkey")
    login.ready()
    button(visitor, page, "Nu niet", "Not now").click()
    page.wait_for_url("**/bikes")


def test_the_field_for_the_address_lists_passkeys(visitor: Visitor) -> None:
    visitor.log_in(*SANNE)
    page = visitor.page()
    device = Device.of(page)
    device.touched()
    page.goto("/my-data/passkeys")
    button(visitor, page, "Passkey toevoegen", "Add a passkey").click()
    expect(page.get_by_text("Je passkey is toegevoegd")).to_be_visible()
    assert_accessible(page)
    end_session(visitor)
    # The device chooses its passkey from the list at once: the login needs no press of the button.
    page.goto("/", wait_until="commit")
    page.wait_for_url("**/dashboard")


def test_a_browser_without_passkeys_shows_nothing_of_them(visitor: Visitor) -> None:
    page = visitor.page()
    page.add_init_script("delete PublicKeyCredential.parseCreationOptionsFromJSON")
    LoginPages(visitor, page).open()
    expect(page.get_by_role("button", name="Inloggen met een passkey")).to_have_count(0)
    visitor.log_in(*SANNE)
    page.goto("/my-data/passkeys")
    expect(page.get_by_text("Deze browser kan geen passkeys gebruiken.")).to_be_visible()
    expect(page.get_by_role("button", name="Passkey toevoegen")).to_have_count(0)


def test_without_scripts_the_login_shows_no_button_for_passkeys(visit: Visit) -> None:
    page = visit(scripts=False).page()
    page.goto("/")
    expect(page.get_by_role("button", name="Verstuur inlogcode")).to_be_visible()
    expect(page.get_by_role("button", name="Inloggen met een passkey")).to_be_hidden()
