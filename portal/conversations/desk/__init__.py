"""The conversation on the case page of staff: messages and notes in one list, and what staff write.

The state of a case page takes in `state.CaseConversing` and loads the conversation with `state.conversation_of`; the
page shows `components.talk`.
"""
