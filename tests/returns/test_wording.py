"""An exchange is never called a return."""

import re

from portal.flow.pages.spec import StepFields
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
