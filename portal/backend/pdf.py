"""Turns data and a template into a PDF, away from the event loop.

Every document uses this engine and `templates/base.typ`. The data travels as JSON and the templates only show it:
what a customer wrote is never markup. Nothing is read from the network or from outside the templates' folder.
"""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from pathlib import Path
from typing import ParamSpec, TypeVar

import typst

from portal.contract.base import Locale
from portal.provider.documents.plain_text import FONTS, cleaned
from portal.texts import gettext_for

P = ParamSpec("P")
T = TypeVar("T")

TEMPLATES = Path(__file__).parent / "templates"
REGIONS: dict[Locale, str] = {"nl": "NL", "en": "GB"}

_threads = ThreadPoolExecutor(max_workers=2, thread_name_prefix="documents")
_of_thread = threading.local()


class DocumentError(Exception):
    """A document could not be made. The cause is attached; nothing of it is meant for a customer."""


def compile_pdf(
    template: str,
    data: Mapping[str, object],
    locale: Locale,
    title: str,
    *,
    author: str = "",
    created: datetime | None = None,
) -> bytes:
    """A tagged PDF (PDF/UA-1) of a template. Blocks: from async code use `render`.

    Args:
        template: name of the template without `.typ`.
        data: what the template shows; texts, numbers, lists and mappings. Texts are cleaned here.
        locale: language of the document, also told to screen readers.
        title: shown in the window of the reader instead of the file name.
        author: the sender, in the document properties.
        created: moment in the document properties; with the same data it gives the same bytes. Now when None.

    Raises:
        DocumentError: the template does not exist or does not fit the data.
    """
    _ = gettext_for(locale)
    document = cleaned(
        {
            "title": title,
            "author": author,
            "lang": locale,
            "region": REGIONS[locale],
            "page": _("page {page} of {pages}"),
            "data": data,
        }
    )
    try:
        content = _compiler().compile(
            input=TEMPLATES / f"{template}.typ",
            format="pdf",
            sys_inputs={"document": json.dumps(document)},
            pdf_standards=["ua-1"],
            # It takes whole seconds only.
            timestamp=created.replace(microsecond=0) if created else None,
        )
    except (typst.TypstError, OSError, RuntimeError, ValueError) as error:
        raise DocumentError(f"template {template!r} could not be compiled") from error
    if not isinstance(content, bytes):
        raise DocumentError(f"template {template!r} gave no PDF")
    return content


async def render(
    template: str,
    data: Mapping[str, object],
    locale: Locale,
    title: str,
    *,
    author: str = "",
    created: datetime | None = None,
) -> bytes:
    """`compile_pdf` in a thread of the documents. Raises DocumentError."""
    return await in_thread(compile_pdf, template, data, locale, title, author=author, created=created)


async def in_thread(make: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """The result of a blocking call; at most two run at once, so that documents never take every core."""
    return await asyncio.get_running_loop().run_in_executor(_threads, lambda: make(*args, **kwargs))


def _compiler() -> typst.Compiler:
    """The compiler of this thread: it keeps fonts and templates warm, and cannot be shared."""
    compiler = getattr(_of_thread, "compiler", None)
    if compiler is None:
        compiler = _of_thread.compiler = typst.Compiler(
            root=TEMPLATES, font_paths=[FONTS], ignore_system_fonts=True, package_path=TEMPLATES
        )
    return compiler
