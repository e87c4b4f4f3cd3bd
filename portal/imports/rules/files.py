"""Reads the records of a file in any of the forms that shops export."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from portal.imports.rules import shopify, woocommerce
from portal.imports.rules.reading import RawRecord, read_file
from portal.imports.rules.reasons import Reason, WrongFile
from portal.vocabulary.exchange import ImportForm, Rejection

FORMS = (ImportForm.OWN, ImportForm.SHOPIFY, ImportForm.WOOCOMMERCE)


def records_of(kind: str, form: ImportForm, path: Path) -> Iterator[RawRecord]:
    """Read a file.

    Args:
        kind: a key of `RECORDS`.
        form: of the file.
        path: the file; its extension says how it is read.

    Raises:
        WrongFile: the form has no records of this kind, the extension does not fit, or the file is not UTF-8.
        OSError: the file cannot be read.
    """
    if form is ImportForm.OWN:
        yield from read_file(path)
        return
    shop = shopify if form is ImportForm.SHOPIFY else woocommerce
    if kind not in shop.TRANSLATIONS:
        raise WrongFile(Reason(Rejection.KIND_NOT_IN_FORM, {"form": form.value, "kind": kind}), path.name)
    read = woocommerce.read_answers(path) if path.suffix == ".json" else read_file(path)
    yield from shop.records(kind, read)
