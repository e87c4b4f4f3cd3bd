"""What a form of a flow says of the draft that it belongs to."""

from portal.flow.api import Draft
from portal.flow.pages.form import DRAFT, VERSION


def form_version(draft: Draft) -> dict[str, str]:
    """The hidden fields of a form: the draft, in the version that the customer saw."""
    return form_version_of(draft.draft_id, draft.version)


def form_version_of(draft_id: str, version: int) -> dict[str, str]:
    """The hidden fields of a form, by the number of the draft."""
    return {DRAFT: draft_id, VERSION: str(version)}
