"""Page and mails of the end of a contract say the same, word for word and figure for figure."""

from collections.abc import Iterator
from datetime import UTC, date, datetime
from decimal import Decimal

import pytest

from portal.backend.bike_names import bike_in_full
from portal.backend.letter import subject_line
from portal.backend.mail import Template, render
from portal.contract.account import LocalizedText
from portal.contract.models import Locale
from portal.contracts.provider.account import end_account
from portal.contracts.provider.ends import mail_details
from portal.contracts.provider.queries import TakenOut
from portal.kernel.texts import LOCALES
from portal.setting_groups import OwnText
from portal.settings import Settings
from portal.tables.bikes import BikeRow, PackageOrderRow
from portal.tables.insurance import ContractEndRow
from portal.vocabulary.contracts import ContractKind, EndKind, EndStatus
from tests.support.channels import missing, parts_of, plain, view_text

RECEIVED = datetime(2026, 6, 9, 8, 15, tzinfo=UTC)
SETTINGS = Settings(contract_end_text=OwnText(nl="Vraag het ons.", en="Ask us."))
MONEY = {"amounts", "total", "note"}


def ends() -> Iterator[tuple[TakenOut, ContractEndRow]]:
    """Every kind of end in every status, paid back or collected."""
    bike = BikeRow.model_construct(
        name="Duinroos Zilt Comfort", color="zwart", color_en="black", frame_number="DRZ104711"
    )
    for ending in (EndKind.WITHDRAWAL, EndKind.CANCELLATION):
        for status in (status for status in EndStatus if status is not EndStatus.UNKNOWN):
            for refund, last in (("7.95", "0"), ("0", "3.18"), ("0", "0")):
                row = ContractEndRow(
                    reference="EABC2345", customer_id=1, contract="PABC2345", kind=ContractKind.SERVICE_PACKAGE,
                    ending=ending, name="Fleur Smit", email="f…@example.com", key="k", status=status,
                    ends_on=date(2026, 7, 9), refund=Decimal(refund), last_payment=Decimal(last),
                    last_from=date(2026, 7, 1) if last != "0" else None, received_at=RECEIVED, updated_at=RECEIVED,
                )  # fmt: skip
                contract = TakenOut(
                    kind=ContractKind.SERVICE_PACKAGE, row=PackageOrderRow.model_construct(reference="PABC2345"),
                    bike=bike,
                    product=LocalizedText(nl="Servicepakket Deluxe", en="Service package Deluxe"),
                    monthly=Decimal("7.95"), concluded_on=date(2026, 4, 1), starts_on=date(2026, 4, 1),
                    policy_number="", ends=[row], withdrawal_days=14,
                )  # fmt: skip
                yield contract, row


@pytest.mark.parametrize("locale", LOCALES)
def test_every_channel_of_an_end_says_what_the_account_says(locale: Locale) -> None:
    page = {"title", "status", "meaning", "facts", "steps", *MONEY}
    mail = page | {"reference"}
    for contract, row in ends():
        account = end_account(contract, row, SETTINGS)
        said = parts_of(account, locale)
        shown = view_text(account, locale)
        assert missing(said, page, shown) == []
        called = LocalizedText.same(bike_in_full(contract.bike, locale))
        written = render(Template.CONTRACT_END, locale, SETTINGS, mail_details(account, contract, called, locale))
        about = f"{contract.product.text(locale)}, {called.text(locale)}"
        assert written.subject == subject_line(account.meaning, LocalizedText.same(about)).text(locale)
        for body in (written.text, written.html):
            assert missing(said, mail, plain(body)) == []
            assert bike_in_full(contract.bike, locale) in plain(body), "equal bikes are told apart"
