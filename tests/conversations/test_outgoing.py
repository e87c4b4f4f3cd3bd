"""What a message sends out: the mail in the customer's language, the text message, and nothing that is internal."""

import json
from datetime import timedelta
from typing import Any

import pytest

from portal.backend.mail import Template, render
from portal.contract.account import LocalizedText
from portal.contract.errors import InvalidInput, NotFound, ProviderError
from portal.conversations.api import StaffConversationsApi, TemplateChange, TemplateChoice, TemplateEntry
from portal.conversations.provider.staff_service import delivered
from portal.conversations.rules import unknown_fields
from portal.kernel.codes import Code
from portal.kernel.days import today
from portal.kernel.texts import Locale
from portal.kernel.validation import in_groups
from portal.tables.customers import CustomerRow
from portal.tables.messages import CaseMessageRow, JobRow, OutboxMail, TextMessageRow
from portal.vocabulary.cases import Asks, CaseState, Outcome, Way
from portal.vocabulary.staff import Role
from tests.support.conversing import CaseName, case_of_repair, case_row, message, staff_token
from tests.support.customers import SANNE
from tests.support.furnished import Furnished


async def begun(shop: Furnished, role: Role = Role.MECHANIC) -> tuple[CaseName, str]:
    case = await case_of_repair(shop.context, SANNE[1])
    return case, await staff_token(shop.context, role, case.partner_id)


@pytest.mark.parametrize(
    ("locale", "asks", "subject", "link"),
    [
        ("nl", Asks.PHOTO, "Reparatie {reference}: we hebben je antwoord nodig", "Stuur een foto"),
        ("nl", Asks.NOTHING, "Reparatie {reference}: een bericht voor je", "Lees en antwoord"),
        ("en", Asks.ANSWER, "Repair {reference}: we need your answer", "Answer"),
    ],
)
async def test_the_mail_has_the_text_and_one_link_and_a_subject_without_names(
    furnished: Furnished, locale: Locale, asks: Asks, subject: str, link: str
) -> None:
    case, mechanic = await begun(furnished)
    await furnished.change(CustomerRow, {"locale": locale}, email=SANNE[1])
    text = "Hoi Sanne,\nbel je <b>even</b> {brand}?"
    await furnished.ask(StaffConversationsApi).send_message(
        mechanic, case.kind, case.reference, message(text, asks=asks)
    )
    (mail,) = await furnished.rows(OutboxMail, template=Template.CASE_MESSAGE)
    assert mail.locale == locale
    written = render(Template.CASE_MESSAGE, locale, furnished.context.settings, mail.details)
    assert written.subject == subject.format(reference=in_groups(case.reference))
    assert "Sanne" not in written.subject
    assert "Hoi Sanne,\nbel je <b>even</b> {brand}?" in written.text
    assert "&lt;b&gt;even&lt;/b&gt; {brand}?" in written.html
    assert link in written.text
    assert written.html.count(f"/maintenance/{case.reference}") == 1


async def test_mail_and_job_are_written_with_the_message_or_not_at_all(
    furnished: Furnished, monkeypatch: pytest.MonkeyPatch
) -> None:
    case, mechanic = await begun(furnished)
    before = await case_row(furnished.context, case)
    jobs = len(await furnished.rows(JobRow))

    async def fail(*_: Any, **__: Any) -> None:
        raise RuntimeError

    monkeypatch.setattr("portal.conversations.provider.staff_service.write_audit", fail)
    with pytest.raises(ProviderError):
        await furnished.ask(StaffConversationsApi).send_message(
            mechanic, case.kind, case.reference, message(asks=Asks.ANSWER)
        )
    assert await furnished.rows(CaseMessageRow) == await furnished.rows(OutboxMail, template="case_message") == []
    assert len(await furnished.rows(JobRow)) == jobs
    assert (await case_row(furnished.context, case)).model_dump() == before.model_dump()


async def test_a_text_message_goes_out_when_staff_choose_it(furnished: Furnished) -> None:
    case, mechanic = await begun(furnished)
    await furnished.change(CustomerRow, {"phone": "+31612345601"}, email=SANNE[1])
    staff = furnished.ask(StaffConversationsApi)
    await staff.send_message(mechanic, case.kind, case.reference, message("Zonder"))
    sent = await staff.send_message(mechanic, case.kind, case.reference, message("GEHEIM", by_text_message=True))
    assert sent.ways == [Way.MAIL, Way.TEXT_MESSAGE]
    assert [[entry.way for entry in found.sendings] for found in sent.messages] == [
        [Way.MAIL],
        [Way.MAIL, Way.TEXT_MESSAGE],
    ]
    (row,) = await furnished.rows(TextMessageRow)
    assert (row.phone, row.template) == ("+31612345601", "case_message")
    assert row.details["link"].endswith(f"/maintenance/{case.reference}")
    assert "GEHEIM" not in json.dumps(row.details)
    await furnished.change(TextMessageRow, {"dropped_at": furnished.context.clock()}, id=row.id)
    seen = await staff.case_conversation(mechanic, case.kind, case.reference)
    assert seen.messages[1].sendings[1].outcome is Outcome.FAILED


@pytest.mark.parametrize("locale", ["nl", "en"])
async def test_every_template_is_complete_and_names_only_known_fields(locale: Locale) -> None:
    for name, template in delivered().items():
        text, title = template.text.text(locale), template.title.text(locale)
        assert text, name
        assert title, name
        assert not unknown_fields(text), name


async def test_a_template_is_filled_in_for_the_customer_in_their_language(furnished: Furnished) -> None:
    case, mechanic = await begun(furnished)
    await furnished.change(CustomerRow, {"locale": "en", "first_name": "{phone}"}, email=SANNE[1])
    staff = furnished.ask(StaffConversationsApi)
    choice = TemplateChoice(template="photo-of-damage")
    preview = await staff.preview_template(mechanic, case.kind, case.reference, choice)
    assert preview.asks is Asks.PHOTO
    # A field that comes from the customer is not filled in again.
    assert preview.text.startswith("Hi {phone},")
    assert "Regards, Mila at " in preview.text
    sent = await staff.send_template(
        mechanic, case.kind, case.reference, TemplateEntry(template="photo-of-damage", key="template-1")
    )
    assert (sent.messages[0].text, sent.messages[0].template) == (preview.text, "photo-of-damage")
    assert sent.state is CaseState.WAITING


async def test_a_template_with_a_day_needs_the_day(furnished: Furnished) -> None:
    case, mechanic = await begun(furnished)
    staff = furnished.ask(StaffConversationsApi)
    for choice, fields in (
        (TemplateChoice(template="parts-ordered"), {"day": Code.REQUIRED}),
        (TemplateChoice(template="parts-ordered", day=today() - timedelta(days=1)), {"day": Code.INVALID_CHOICE}),
        (TemplateChoice(template="photo-of-item"), {"template": Code.INVALID_CHOICE}),
        (TemplateChoice(template="no-such"), {"template": Code.INVALID_CHOICE}),
    ):
        with pytest.raises(InvalidInput) as caught:
            await staff.preview_template(mechanic, case.kind, case.reference, choice)
        assert caught.value.fields == fields
    choice = TemplateChoice(template="parts-ordered", day=today())
    preview = await staff.preview_template(mechanic, case.kind, case.reference, choice)
    assert str(today().day) in preview.text
    assert "{day}" not in preview.text


async def test_the_shop_changes_a_template(furnished: Furnished) -> None:
    case, mechanic = await begun(furnished)
    manager, staff = await staff_token(furnished.context, Role.ADMINISTRATOR), furnished.ask(StaffConversationsApi)
    own = TemplateChange(
        title=LocalizedText(nl="Dank", en="Thanks"), text=LocalizedText(nl="Dank {first_name}", en="Thanks")
    )
    changed = await staff.change_template(manager, "thank-you", own)
    assert (changed.own, changed.hidden) == (True, False)
    choice = TemplateChoice(template="thank-you")
    assert (await staff.preview_template(mechanic, case.kind, case.reference, choice)).text == "Dank Sanne"
    await staff.change_template(manager, "thank-you", own.model_copy(update={"hidden": True}))
    offered = await staff.case_templates(mechanic, case.kind, case.reference)
    assert "thank-you" not in [entry.name for entry in offered]
    assert "thank-you" in [entry.name for entry in await staff.message_templates(manager)]
    with pytest.raises(NotFound):
        await staff.change_template(mechanic, "thank-you", own)
    wrong = TemplateChange(
        title=LocalizedText(nl="", en="x" * 81), text=LocalizedText(nl="Dag {achternaam}", en="Hi {0.__class__}")
    )
    with pytest.raises(InvalidInput) as caught:
        await staff.change_template(manager, "thank-you", wrong)
    assert caught.value.code is Code.UNKNOWN_PLACEHOLDER
    assert caught.value.fields == {
        "title_nl": Code.REQUIRED,
        "title_en": Code.TOO_LONG,
        "text_nl": Code.UNKNOWN_PLACEHOLDER,
        "text_en": Code.UNKNOWN_PLACEHOLDER,
    }
