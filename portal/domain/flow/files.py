"""Rule for files: photos, videos and papers that go along with a request (part-1 §12)."""

from __future__ import annotations

from dataclasses import dataclass

from portal.domain.codes import Code
from portal.domain.flow.answers import Answer, AnswerContext
from portal.domain.flow.rules import SeveralValues
from portal.domain.terms import REQUEST_MEGABYTES
from portal.domain.validation import InvalidValue
from portal.vocabulary.files import FileKind

FILES = "files"
"""List among the facts of a draft, complete files only: `id`, `field`, `name`, `size`, `kind`, `photo`."""
LARGEST_TOGETHER = REQUEST_MEGABYTES * 1024 * 1024
"""Bytes of all files of one request."""


@dataclass(frozen=True, slots=True)
class Files(SeveralValues):
    """Files that were uploaded to the draft; the answer is the list of their ids.

    Attributes:
        minimum, maximum: how many, both included.
        kinds: what they may be.
        photo: whether at least one of them has to be a photo (edge-cases 61).
    """

    minimum: int
    maximum: int
    kinds: frozenset[FileKind] = frozenset(FileKind)
    photo: bool = False

    @property
    def codes(self) -> tuple[Code, ...]:
        """The refusals it can give."""
        least = (Code.TOO_FEW_FILES,) if self.minimum > 1 else ()
        photo = (Code.PHOTO_REQUIRED,) if self.photo else ()
        return (Code.UNRESOLVED_FILES, Code.MAX_UPLOAD_FILE_COUNT_REACHED, *least, *photo)

    def __call__(self, given: Answer, answers: AnswerContext) -> Answer:
        """The ids, each once, in the order of uploading."""
        present = {entry["id"]: entry for entry in answers.facts.get(FILES, ())}
        if not set(given) <= set(present):
            raise InvalidValue(Code.UNRESOLVED_FILES)
        chosen = [entry for identifier, entry in present.items() if identifier in given]
        if any(entry["kind"] not in self.kinds for entry in chosen):
            raise InvalidValue(Code.UNRESOLVED_FILES)
        if len(chosen) > self.maximum:
            raise InvalidValue(Code.MAX_UPLOAD_FILE_COUNT_REACHED)
        if len(chosen) < self.minimum:
            raise InvalidValue(Code.TOO_FEW_FILES)
        if self.photo and not any(entry["photo"] for entry in chosen):
            raise InvalidValue(Code.PHOTO_REQUIRED)
        return [str(entry["id"]) for entry in chosen]
