"""Renders a Typst template with data to a PDF, in a thread.

Every document uses this module and `templates/base.typ`. The data is passed as JSON and shown as plain text, so a
customer's input is never interpreted as markup. Nothing is read from the network or from outside `TEMPLATES`.
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
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from portal.contract.models import Locale
from portal.kernel.texts import gettext_for

if TYPE_CHECKING:
    import typst

FONTS = Path(__file__).parent / "fonts"
MAX_TEXT_LENGTH = 400
"""Maximum characters of a text. A longer text is cut and ends in an ellipsis."""

MAX_STORY_LENGTH = 4000
"""Maximum characters of a `Long` text."""

_UNKNOWN = "\N{REPLACEMENT CHARACTER}"
_BREAK = "\N{ZERO WIDTH SPACE}"
_LONG_WORD = re.compile(r"[^ ]{25,}")
_SYLLABLE = re.compile(r".{6}(?=.)")


class Long(str):
    """A long text written by a customer. It may span pages."""

    __slots__ = ()


class Exact(str):
    """A text printed without cleaning: an SVG image, an account number or an e-mail address to copy."""

    __slots__ = ()


def cleaned(value: object) -> object:
    """The same data with every text made printable by `plain`. `Exact` texts and other values stay as they are."""
    if isinstance(value, Exact):
        return value
    if isinstance(value, str):
        return plain(value, MAX_STORY_LENGTH if isinstance(value, Long) else MAX_TEXT_LENGTH)
    if isinstance(value, Mapping):
        return {key: cleaned(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [cleaned(part) for part in value]
    return value


def plain(text: str, longest: int = MAX_TEXT_LENGTH) -> str:
    """Make a text safe to print.

    - Control, direction and invisible characters are removed: they could reverse the surrounding text.
    - Symbols such as emoji are removed. A letter that is in no font becomes U+FFFD, so that the gap is visible.
    - Runs of white space become one space.
    - Words of more than 24 characters, which may not fit a column, can break after every sixth character.
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
    """The code points in at least one font."""
    from fontTools.ttLib import TTFont

    points: set[int] = set()
    for path in FONTS.glob("*.ttf"):
        with TTFont(path, lazy=True) as font:
            points.update(font.getBestCmap() or {})
    return frozenset(points)


P = ParamSpec("P")
T = TypeVar("T")
TEMPLATES = Path(__file__).resolve().parents[1]
"""The root of all `templates` directories. Typst can read nothing outside it."""

REGIONS: dict[Locale, str] = {"nl": "NL", "en": "GB"}

_threads = ThreadPoolExecutor(max_workers=2, thread_name_prefix="documents")
_of_thread = threading.local()


class DocumentError(Exception):
    """A document could not be rendered. The cause is attached and must not be shown to customers."""


def compile_pdf(
    template: str,
    data: Mapping[str, object],
    locale: Locale,
    title: str,
    *,
    author: str = "",
    created: datetime | None = None,
) -> bytes:
    """Render a template to a tagged PDF (PDF/UA-1). Blocks: use `render` in async code.

    `template`: name of the template without `.typ`.
    `data`: texts, numbers, lists and mappings for the template. Texts are cleaned here.
    `locale`: language of the document, also stored for screen readers.
    `created`: creation time in the document properties; None means now. Equal arguments give equal bytes.
    Raises `DocumentError`: the template does not exist or does not fit the data.
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
            # Typst accepts whole seconds only.
            timestamp=created.replace(microsecond=0) if created else None,
        )
    except (OSError, RuntimeError, ValueError) as error:  # Typst raises RuntimeErrors.
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
    """Run `compile_pdf` in a thread. Raises DocumentError."""
    return await in_thread(compile_pdf, template, data, locale, title, author=author, created=created)


async def in_thread(make: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Run a blocking call in a thread. At most two run at once, so that documents do not occupy every core."""
    return await asyncio.get_running_loop().run_in_executor(_threads, lambda: make(*args, **kwargs))


@cache
def _place(folder: Path, template: str) -> Path:
    """The path of a template, found in the directories of all subjects."""
    name = f"{template}.typ"
    found = [path for pattern in ("", "*/templates/", "*/provider/templates/") for path in folder.glob(pattern + name)]
    return found[0] if found else folder / name


def _compiler() -> typst.Compiler:
    """The compiler of this thread. It caches fonts and templates, and threads cannot share it."""
    import typst

    compiler = getattr(_of_thread, "compiler", None)
    if compiler is None:
        compiler = _of_thread.compiler = typst.Compiler(
            root=TEMPLATES, font_paths=[FONTS], ignore_system_fonts=True, package_path=TEMPLATES
        )
    return compiler
