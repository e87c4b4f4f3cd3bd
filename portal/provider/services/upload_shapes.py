"""Files of a draft: what a field asks for, and what travels."""

from __future__ import annotations

from portal.contract.errors import InvalidInput
from portal.contract.uploads import Upload
from portal.domain.codes import Code
from portal.domain.flow import Files
from portal.provider.repositories.uploads import fact
from portal.provider.services import draft_shapes as shapes
from portal.provider.tables.drafts import DraftRow
from portal.provider.tables.uploads import UploadRow


def rule_of(draft: DraftRow, name: str) -> Files:
    """What a field of a draft asks for.

    Raises:
        InvalidInput: `file_params_missing`: it asks for no files.
    """
    flow = shapes.handler_of(draft.flow).flow
    rule = next((field.rule for field in flow.fields if field.name == name), None)
    if not isinstance(rule, Files):
        raise InvalidInput(Code.FILE_PARAMS_MISSING, fields={"field": Code.FILE_PARAMS_MISSING})
    return rule


def put_answer(draft: DraftRow, name: str, files: list[str]) -> None:
    """Let these files be the answer to a field."""
    draft.answers = {**draft.answers, name: files}


def shape_of(row: UploadRow) -> Upload:
    """A complete file as what travels."""
    entry = fact(row)
    return Upload(upload_id=entry.pop("id"), **entry)
