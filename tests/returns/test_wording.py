"""An exchange is never called a return, and refusals say what part-2 §8 demands."""

import re

import pytest

from portal.flow.pages.spec import StepFields
from portal.kernel.codes import MESSAGES, Code
from portal.kernel.texts import catalogue
from portal.returns.flow.kinds import EXCHANGE, EXCHANGE_METHOD, RETURN, RETURN_METHOD
from portal.returns.pages.flow_spec import below_confirmation, beside_confirmation, document_links
from portal.returns.pages.method_step import method_body, method_rows
from portal.vocabulary.returns import ReturnKind

OF_A_RETURN = re.compile(r"retour|(?i:return (?:label|method|number))|return it\b")
PAGES = {ReturnKind.EXCHANGE: (EXCHANGE, EXCHANGE_METHOD), ReturnKind.RETURN: (RETURN, RETURN_METHOD)}


def _texts(kind: ReturnKind) -> str:
    """The texts about how the items come back, on the pages and in the flow of a kind."""
    flow, step = PAGES[kind]
    fields = StepFields(step)
    shown = [method_body(fields, kind), document_links(kind), beside_confirmation(kind), below_confirmation()]
    facts = [str(fact.name) for fact in method_rows(fields)]
    words = [flow.title, flow.send, flow.sent, flow.failure, *(step.title for step in flow.all_steps)]
    words += [entry.label for step in flow.steps for entry in step.fields]
    translated = [catalogue("nl").gettext(word) for word in words if word]
    return "\n".join([*(str(part.render()) for part in shown), *facts, *words, *translated])


def test_an_exchange_never_says_return_label_or_return_method() -> None:
    assert OF_A_RETURN.search(_texts(ReturnKind.RETURN)), "the pattern must match the texts of a return"
    texts = _texts(ReturnKind.EXCHANGE)
    assert not OF_A_RETURN.search(texts)
    for word in ("Omruillabel", "omruillabel", "Exchange label", "Manier van inleveren"):
        assert word in texts


MEANINGS: dict[str, str] = {
    "order_not_shipped": "nog niet verzonden",
    "older_than_100_days": "meer dan 100 dagen geleden verzonden",
    "return_request_exists": "Hiervoor loopt al een aanvraag",
    "return_request_already_exists": "is al een retour aangemeld",
    "multiple_entries": "niet mogelijk. Neem contact op met de klantenservice",
    "nothing_found": "geen artikelen gevonden",
    "item_return_does_not_exist": "deze retour niet vinden",
    "order_id_not_found": "deze bestelling niet vinden",
    "missing_item": "Kies wat je wilt retourneren",
    "invalid_order": "Kies een bestelling",
    "invalid_itme": "Deze dag is niet meer beschikbaar",
    "missing_email_address": "Vul het e-mailadres van je bestelling in",
    "missing_id_param": "Deze link is niet compleet",
    "missing_pickup_address": "Vul het adres in",
    "missing_pickup_date": "Kies een dag voor het ophalen",
    "email_failed": "konden de e-mail niet versturen",
    "missing_hash": "Ongeldige doorverwijzing. Neem contact op met onze klantenservice.",
    "invalid_hash": "Ongeldige doorverwijzing. Neem contact op met onze klantenservice.",
    "no_delivery_options": "geen bezorgopties. Probeer het over een uur opnieuw",
    "general_error": "Netwerkfout. Probeer het later nog eens.",
    "lease_order_not_allowed": "leaseportaal",
    "not_lease_order": "geen leasebestelling",
}
"""The codes of the table in part-2 §8, each with a part of its Dutch message."""


@pytest.mark.parametrize(("code", "meaning"), MEANINGS.items())
def test_a_refusal_says_in_dutch_what_is_wrong(code: str, meaning: str) -> None:
    assert meaning in catalogue("nl").gettext(MESSAGES[Code(code)])
