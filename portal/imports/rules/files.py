"""Reads the records of a file in any of the forms that shops export."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, get_args

from pydantic import BaseModel

from portal.imports.rules.reading import Columns, RawRecord, read_file
from portal.imports.rules.reasons import Reason, WrongFile
from portal.imports.rules.records import RECORDS
from portal.imports.rules.shopify import SHOPIFY
from portal.imports.rules.woocommerce import WOOCOMMERCE
from portal.vocabulary.exchange import ImportForm, Rejection

ADAPTERS = {ImportForm.SHOPIFY: SHOPIFY, ImportForm.WOOCOMMERCE: WOOCOMMERCE}

FORMS = (ImportForm.OWN, *ADAPTERS)


class FolderStep(NamedTuple):
    """A file, and as what it is read."""

    kind: str
    form: ImportForm
    path: Path


def records_of(kind: str, form: ImportForm, path: Path) -> Iterator[RawRecord]:
    """Read a file.

    `kind`: a key of `RECORDS`.
    `path`: the file; its extension says how it is read.
    Raises `WrongFile`: the form has no records of this kind, or the file is none that can be read.
    Raises `OSError`: the file cannot be read.
    """
    adapter = ADAPTERS.get(form)
    if adapter is None:
        yield from read_file(path, columns_of(RECORDS[kind]))
    elif kind in adapter.kinds:
        yield from adapter.records(kind, read_file(path))
    else:
        raise WrongFile(Reason(Rejection.KIND_NOT_IN_FORM, {"form": form.value, "kind": kind}), path.name)


@cache
def columns_of(model: type[BaseModel]) -> Columns:
    """The columns that a CSV file of a kind can have; nested fields are named with a dot."""
    known: list[str] = []
    required: list[str] = []
    for name, entry in model.model_fields.items():
        inside = _model_in(entry.annotation)
        part = columns_of(inside) if inside else None
        known += [f"{name}.{below}" for below in part.known] if part else [name]
        if entry.is_required():
            required += [f"{name}.{below}" for below in part.required] if part else [name]
    return Columns(known, required)


def _model_in(annotation: Any) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next((found for part in get_args(annotation) if (found := _model_in(part))), None)
