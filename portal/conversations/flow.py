"""The upload of files to an answer, declared as a flow of one step so that the engine of uploads serves it.

It has no pages of its own: the conversation stands on the page of the request.
"""

from portal.flow.model import Field, Flow, Refusals, Step
from portal.flow.rules import Files
from portal.kernel.codes import Code
from portal.kernel.texts import N_
from portal.vocabulary.cases import MAX_FILES

FILES_FIELD = "files"
_FILES = Field(FILES_FIELD, N_("Photos or files"), Files(0, MAX_FILES), optional=True)

ANSWER = Flow(
    "answer",
    N_("Answer"),
    intro=N_("Your message"),
    steps=(Step("answer", N_("Photos or files"), fields=(_FILES,)),),
    send=N_("Send"),
    refusals=Refusals(expired=Code.ANSWER_EXPIRED),
    closed=lambda _facts: Code.NOT_FOUND,
)
"""A draft of it is begun by `ConversationsApi.begin_answer` only; its subject is the reference of the case."""
