"""Passkeys, with a virtual device of the browser: offered after a login, added, used and removed."""

from __future__ import annotations

import re
from dataclasses import dataclass

from playwright.sync_api import CDPSession, Locator, Page, expect

from tests.journeys.login_steps import SANNE, LoginPages
from tests.journeys.test_account import heading, shown, word
from tests.support.browser import ON_A_PHONE, Visitor, assert_accessible
from tests.support.people import AMBER, JORIS

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
    assert_accessible(page)

    login.enter(login.ask_code(customer_of(visitor)))
    page.wait_for_url("**/login/passkey")
    offer = "Log de volgende keer sneller in"
    expect(heading(page, offer)).to_be_visible()
    login.ready()
    assert_accessible(page)
    device.touched(by_owner=False)
    button(visitor, page, "Passkey toevoegen", "Add a passkey").click()
    cancelled = "Er is geen passkey gekozen."
    expect(page.get_by_role("main").get_by_text(cancelled)).to_be_visible()
    assert_accessible(page)
    device.touched()
    button(visitor, page, "Passkey toevoegen", "Add a passkey").click()
    page.wait_for_url("**/dashboard")
    assert device.keys() == 1

    page.goto("/my-data")
    shown(page)
    page.get_by_role("link", name="Je passkeys", exact=True).click()
    page.wait_for_url("**/my-data/passkeys")
    entries = page.get_by_role("main").get_by_role("listitem")
    expect(entries).to_have_count(1)
    expect(entries).to_contain_text("Nog niet gebruikt")
    assert_accessible(page)
    button(visitor, page, "Passkey toevoegen", "Add a passkey").click()
    known = "Dit apparaat heeft al een passkey"
    expect(page.get_by_role("main").get_by_role("alert")).to_contain_text(known)
    assert_accessible(page)

    # A device that answers at once would choose its passkey from the list of the field by itself.
    page.add_init_script("PublicKeyCredential.isConditionalMediationAvailable = async () => false")
    log_out(visitor, page)
    by_passkey.click()
    page.wait_for_url("**/dashboard")

    page.goto("/my-data/passkeys")
    expect(entries).to_contain_text("Laatst gebruikt op")
    button(visitor, page, "Verwijder", "Remove").click()
    question = page.get_by_role("alertdialog")
    expect(question).to_be_visible()
    assert_accessible(page)
    question.get_by_role("button", name="Verwijder", exact=True).click()
    removed = "Je passkey is verwijderd"
    expect(page.get_by_role("main").get_by_text(removed)).to_be_visible()
    expect(page.get_by_text("Je hebt nog geen passkey.")).to_be_visible()
    assert_accessible(page)

    log_out(visitor, page)
    by_passkey.click()
    refused = "Deze passkey werkt hier niet."
    expect(page.get_by_role("main").get_by_role("alert")).to_contain_text(refused)
    expect(page).to_have_title(re.compile("^Fout: "))
    assert_accessible(page)


def customer_of(visitor: Visitor) -> tuple[str, str]:
    """A customer for each language: the first passkey is offered to each once."""
    return JORIS if visitor.language == "nl" else AMBER


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
