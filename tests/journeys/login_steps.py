"""What a person does on the pages of the login, in both languages."""

from __future__ import annotations

from dataclasses import dataclass

from playwright.sync_api import Locator, Page, expect

from tests.support.browser import ALIVE, Visitor

SANNE = ("900000001", "sanne@example.com")


@dataclass(frozen=True)
class Words:
    """The texts of the pages in one language."""

    send: str
    log_in: str
    bought: str
    lease: str
    order_number: str
    email: str
    reference: str
    code: str
    resend: str
    heading: str
    code_heading: str
    pair: str
    fields: str
    wrong_code: str
    network: str
    again: str
    ended: str


WORDS = {
    "nl": Words(
        send="Verstuur inlogcode", log_in="Inloggen", bought="Ik heb hem gekocht", lease="Ik lease hem",
        order_number="Bestelnummer", email="E-mailadres", reference="Leasereferentie of framenummer",
        code="Inlogcode", resend="Stuur een nieuwe code", heading="Log in op je account",
        code_heading="Vul je inlogcode in", pair="Ongeldig bestelnummer of e-mailadres.",
        fields="Niet alle velden zijn goed ingevuld.", wrong_code="Ongeldige inlogcode",
        network="Er was een netwerkfout", again="Probeer het opnieuw", ended="Je bent uitgelogd",
    ),
    "en": Words(
        send="Send login code", log_in="Log in", bought="I bought it", lease="I lease it",
        order_number="Order number", email="Email address", reference="Lease reference or frame number",
        code="Login code", resend="Send a new code", heading="Log in to your account",
        code_heading="Enter your login code", pair="Invalid order number or email address.",
        fields="Not all fields are filled correctly", wrong_code="Invalid code",
        network="There was a network error", again="Please try again", ended="You’ve been logged out",
    ),
}  # fmt: skip


@dataclass
class LoginPages:
    """The pages of the login in a tab."""

    visitor: Visitor
    page: Page

    @property
    def words(self) -> Words:
        """The texts in the visitor's language."""
        return WORDS[self.visitor.language]

    def open(self, path: str = "/") -> LoginPages:
        """Open the login and wait until it answers to the keyboard."""
        self.page.goto(path)
        expect(self.heading(self.words.heading)).to_be_visible()
        self.ready()
        return self

    def ready(self) -> None:
        """Wait until our scripts have taken over the form."""
        expect(self.page.locator("form[data-login]").first).to_be_attached()
        self.page.wait_for_function(f"() => {ALIVE}")

    def heading(self, text: str) -> Locator:
        """The heading of the page."""
        return self.page.get_by_role("heading", level=1, name=text)

    def button(self, text: str) -> Locator:
        """A button of the page."""
        return self.page.get_by_role("main").get_by_role("button", name=text, exact=True)

    def field(self, label: str) -> Locator:
        """A field by its label."""
        return self.page.get_by_label(label, exact=True)

    def toast(self, text: str) -> Locator:
        """A notification in the corner."""
        return self.page.locator("[data-toast]").filter(has_text=text)

    def ask(self, order_number: str, email: str) -> LoginPages:
        """Fill in the login and send it."""
        self.field(self.words.order_number).fill(order_number)
        self.field(self.words.email).fill(email)
        self.button(self.words.send).click()
        return self

    def ask_code(self, customer: tuple[str, str] = SANNE) -> str:
        """Ask for a code, wait for its page, and read the mail."""
        seen = len(self.visitor.server.mailbox.mails_to(customer[1]))
        self.ask(*customer)
        expect(self.heading(self.words.code_heading)).to_be_visible()
        self.ready()
        return self.visitor.server.mailbox.code_for(customer[1], after=seen)

    def enter(self, code: str) -> LoginPages:
        """Type the code and press Enter, once the answer to the press before is there."""
        expect(self.page.locator("form[data-login=code] button[type=submit]")).not_to_have_attribute(
            "aria-disabled", "true"
        )
        field = self.field(self.words.code)
        field.fill(code)
        field.press("Enter")
        return self
