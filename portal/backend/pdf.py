"""Turns data and a template into a PDF, away from the event loop.

Every document uses this engine and `templates/base.typ`. The data travels as JSON and the templates only show it:
what a customer wrote is never markup. Nothing is read from the network or from outside the templates' folder.
"""

from __future__ import annotations

import asyncio
import json
import re
import threading
import unicodedata
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import ParamSpec, TypeVar

import typst
from fontTools.ttLib import TTFont

from portal.contract.models import Locale
from portal.kernel.texts import gettext_for

FONTS = Path(__file__).parent / "fonts"

LONGEST = 400
"""Characters of one text; what is longer ends in an ellipsis."""

LONGEST_STORY = 4000
"""Likewise of a `Long` one."""

_UNKNOWN = "\N{REPLACEMENT CHARACTER}"

_BREAK = "\N{ZERO WIDTH SPACE}"

_LONG_WORD = re.compile(r"[^ ]{25,}")

_SYLLABLE = re.compile(r".{6}(?=.)")


class Long(str):
    """A customer's own story: it may be as long as the fields for it allow, and flows over pages."""

    __slots__ = ()


class Exact(str):
    """Made by us and shown sign for sign: a picture as SVG, an account number, an e-mail address to copy."""

    __slots__ = ()


def cleaned(value: object) -> object:
    """The same data with every text made printable; what is exact and numbers stay as they are."""
    if isinstance(value, Exact):
        return value
    if isinstance(value, str):
        return plain(value, LONGEST_STORY if isinstance(value, Long) else LONGEST)
    if isinstance(value, Mapping):
        return {key: cleaned(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [cleaned(part) for part in value]
    return value


def plain(text: str, longest: int = LONGEST) -> str:
    """A text that can be printed and cannot do harm.

    Control, direction and invisible signs go: they could turn the text around them. Pictures such as emoji go too;
    a letter that no font of ours has becomes U+FFFD, so that its absence is seen. Runs of white space become one
    space. Words of more than 24 characters, which no column is sure to hold, may break at every sixth.
    """
    signs = (_printable(sign) for sign in unicodedata.normalize("NFC", text))
    joined = re.sub(r"\s{2,}|[\t\n\r\f\v\x85\u2028\u2029]", " ", "".join(signs)).strip()
    if len(joined) > longest:
        joined = joined[: longest - 1].rstrip() + "…"
    return _LONG_WORD.sub(lambda word: _SYLLABLE.sub(lambda part: part.group() + _BREAK, word.group()), joined)


def _printable(sign: str) -> str:
    category = unicodedata.category(sign)
    if sign.isspace():
        return sign if ord(sign) in coverage() else " "
    if category[0] == "C":
        return ""
    if ord(sign) in coverage():
        return sign
    simpler = unicodedata.normalize("NFKC", sign)
    if simpler != sign and all(ord(part) in coverage() for part in simpler):
        return simpler
    return "" if category in ("So", "Sk") or category[0] == "M" else _UNKNOWN


@cache
def coverage() -> frozenset[int]:
    """Code points that at least one of our fonts can show."""
    points: set[int] = set()
    for path in FONTS.glob("*.ttf"):
        with TTFont(path, lazy=True) as font:
            points.update(font.getBestCmap() or {})
    return frozenset(points)


P = ParamSpec("P")

T = TypeVar("T")

TEMPLATES = Path(__file__).resolve().parents[1]
"""Below it every subject keeps its own `templates`; nothing outside of it is read."""

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
            input=_place(TEMPLATES, template),
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


@cache
def _place(folder: Path, template: str) -> Path:
    """The file of a template, in whatever subject it stands."""
    name = f"{template}.typ"
    found = [path for pattern in ("", "*/templates/", "*/provider/templates/") for path in folder.glob(pattern + name)]
    return found[0] if found else folder / name


def _compiler() -> typst.Compiler:
    """The compiler of this thread: it keeps fonts and templates warm, and cannot be shared."""
    compiler = getattr(_of_thread, "compiler", None)
    if compiler is None:
        compiler = _of_thread.compiler = typst.Compiler(
            root=TEMPLATES, font_paths=[FONTS], ignore_system_fonts=True, package_path=TEMPLATES
        )
    return compiler
