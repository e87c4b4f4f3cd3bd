"""Catalogues: collect messages from the sources, update the files, and check them.

The collector finds texts by the name of the function around them. That misses a literal in another spelling, such as
`gettext_for(locale)("Free")`, so the last part follows the translator: from where it is made to its calls, through
constants and through helpers that pass a text on.
"""

import ast
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cache
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_file
from babel.messages.pofile import read_po, write_po

from portal.kernel.texts import DIRECTORY, TRANSLATED, Locale, catalogue, path_of

VOICE = Path(__file__).resolve().parents[2] / "docs" / "voice.md"
PAGES = Path(__file__).resolve().parents[1] / "legal" / "texts"
"""Texts that are pages of their own, a file for each language: `terms.nl.md`."""
TEMPLATES = Path(__file__).resolve().parents[1] / "conversations" / "data" / "templates.toml"
"""The templates of messages that are delivered with the portal, in both languages."""

_COLUMNS = 5
_CHARACTERS = {
    "a non-breaking hyphen": re.compile("\N{NON-BREAKING HYPHEN}"),
    "a straight apostrophe": re.compile("'"),
}


@dataclass(frozen=True, slots=True)
class PageWords:
    """What may not stand in a text, by language. `english`: pattern of the words; None if there are none."""

    english: re.Pattern[str] | None
    dutch: re.Pattern[str] | None


def words_of(page: str) -> PageWords:
    """Read the table of words in `docs/voice.md`."""
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in page.splitlines() if line.startswith("|")]
    table = [row for row in rows if len(row) == _COLUMNS and row[0] != "Thing" and not row[0].startswith("-")]
    if not table:
        raise LookupError("docs/voice.md has no table of words")
    return PageWords(_pattern(row[3] for row in table), _pattern(row[4] for row in table))


def _pattern(cells: Iterator[str]) -> re.Pattern[str] | None:
    words = sorted({word.strip() for cell in cells for word in cell.split(",") if word.strip()})
    return re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, words))})(?![\w-])", re.IGNORECASE) if words else None


@cache
def _words() -> PageWords:
    return words_of(VOICE.read_text(encoding="utf-8"))


def voice_problems(catalogue: Catalog) -> Iterator[str]:
    words = _words()
    for message in catalogue:
        if message.id:
            for texts, pattern in ((message.id, words.english), (message.string, words.dutch)):
                for text in _forms(texts):
                    yield from (f"portal.po: {problem} in {text!r}" for problem in _found(text, pattern))


def page_problems(folder: Path = PAGES) -> Iterator[str]:
    """What breaks the rules in the texts that are pages of their own, one line each."""
    words = _words()
    for page in sorted(folder.glob("*.md")):
        pattern = words.dutch if page.suffixes[0] == ".nl" else words.english
        for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
            yield from (f"{page.name}:{number}: {problem}" for problem in _found(line, pattern))


def template_problems(file: Path = TEMPLATES) -> Iterator[str]:
    """What breaks the rules in the templates of messages, one line each."""
    words = _words()
    for entry in tomllib.loads(file.read_text(encoding="utf-8"))["template"]:
        for language, pattern in (("en", words.english), ("nl", words.dutch)):
            for text in (entry["title"][language], entry["text"][language]):
                yield from (f"{file.name}: {problem} in {entry['name']!r}" for problem in _found(text, pattern))


def _forms(text: object) -> tuple[str, ...]:
    return tuple(map(str, text)) if isinstance(text, tuple | list) else (str(text),)


def _found(text: str, pattern: re.Pattern[str] | None) -> Iterator[str]:
    # Placeholders are names in the code.
    shown = re.sub(r"\{\w*\}", "", text)
    if pattern and (word := pattern.search(shown)):
        yield f"{word[0]!r}, which docs/voice.md replaces,"
    yield from (name for name, character in _CHARACTERS.items() if character.search(shown))


ROOT = DIRECTORY.parent
KEYWORDS = {"_": None, "N_": None, "gettext": None, "ngettext": (1, 2)}
COMMENT = "Translators:"

_UNUSED_HEADERS = (
    b'"Project-Id-Version',
    b'"Report-Msgid-Bugs-To',
    b'"POT-Creation-Date',
    b'"PO-Revision-Date',
    b'"Last-Translator',
    b'"Language-Team',
    b'"Generated-By',
)

_TEMPLATES = {".html", ".txt", ".jinja", ".j2"}


def texts_of() -> Catalog:
    found = Catalog()
    for path in sorted((ROOT / "portal").rglob("*")):
        if path.suffix not in {".py", *_TEMPLATES}:
            continue
        method = "python" if path.suffix == ".py" else "jinja2.ext:babel_extract"
        place = path.relative_to(ROOT).as_posix()
        for line, message, comments, context in extract_from_file(
            method, path, keywords=KEYWORDS, comment_tags=(COMMENT,), strip_comment_tags=True
        ):
            found.add(message, None, [(place, line)], auto_comments=comments, context=context)
    return found


def read(locale: Locale) -> Catalog:
    with path_of(locale).open("rb") as file:
        return read_po(file, locale=locale)


def update(locale: Locale) -> None:
    """Update a catalogue file from the sources, sorted by id: equal messages give an equal file."""
    catalogue = updated(read(locale), texts_of())
    catalogue.fuzzy = False
    catalogue.header_comment = "# Texts of the portal. Ids are the English texts."
    text = BytesIO()
    write_po(text, catalogue, width=120, sort_output=True, ignore_obsolete=True, no_location=True)
    stored = [line for line in text.getvalue().splitlines(keepends=True) if not line.startswith(_UNUSED_HEADERS)]
    path_of(locale).write_bytes(b"".join(stored))


def updated(catalogue: Catalog, texts: Catalog) -> Catalog:
    """Add new messages and remove obsolete ones. A reworded English text keeps its translation as fuzzy."""
    gone = {
        message.id: message.string
        for message in catalogue
        if isinstance(message.id, str) and message.id and texts.get(message.id, message.context) is None
    }
    for message in texts:
        if isinstance(message.id, str) and catalogue.get(message.id, message.context) is None:
            for similar in get_close_matches(message.id, gone, n=1, cutoff=0.7):
                catalogue.add(message.id, gone[similar], flags={"fuzzy"}, context=message.context)
    # A guess from a message that is still in use would be no translation.
    catalogue.update(texts, no_fuzzy_matching=True, update_header_comment=False)
    return catalogue


_PLACEHOLDER = re.compile(r"\{\w*\}|%\(\w+\)[sd]")


def problems() -> list[str]:
    """All problems, one line each; empty when the catalogues are complete and keep to `docs/voice.md`."""
    texts = texts_of()
    complete = [line for locale in TRANSLATED for line in problems_of(locale, texts, read(locale))]
    return [*complete, *literal_problems(), *voice_problems(read("nl")), *page_problems(), *template_problems()]


def problems_of(locale: Locale, texts: Catalog, catalogue: Catalog) -> Iterator[str]:
    """The problems of one catalogue compared with the sources, one line each."""
    where = path_of(locale).relative_to(ROOT).as_posix()
    for message in texts:
        if not message.id:
            continue
        entry = catalogue.get(message.id, message.context)
        if entry is None:
            yield f"{where}: not in the catalogue: {_shown(message)}"
        else:
            yield from _entry_problems(where, entry, plural=message.pluralizable)
    for entry in catalogue:
        if entry.id and texts.get(entry.id, entry.context) is None:
            yield f"{where}: no longer in the sources: {_shown(entry)}"
    for entry in catalogue.obsolete.values():
        yield f"{where}: obsolete: {_shown(entry)}"


def _entry_problems(where: str, entry: Message, *, plural: bool) -> Iterator[str]:
    ids = entry.id if isinstance(entry.id, (tuple, list)) else (entry.id,)
    forms = entry.string if isinstance(entry.string, (tuple, list)) else (entry.string,)
    if entry.fuzzy:
        yield f"{where}: fuzzy: {_shown(entry)}; check the translation and remove the mark"
    if plural and len(ids) != 2:
        yield f"{where}: counted in the sources, not in the catalogue: {_shown(entry)}"
    if not all(forms):
        yield f"{where}: not translated: {_shown(entry)}"
        return
    allowed = {frozenset(_PLACEHOLDER.findall(text)) for text in ids}
    # The singular form may omit the number.
    wanted = max(allowed, key=len)
    for index, form in enumerate(forms):
        found = frozenset(_PLACEHOLDER.findall(form or ""))
        if found != wanted and not (plural and index == 0 and found in allowed | {wanted - {"{n}"}}):
            yield f"{where}: placeholders differ: {_shown(entry)} -> {form!r}"


def _shown(entry: Message) -> str:
    return repr(entry.id if isinstance(entry.id, str) else entry.id[0])


_PAGES = "portal.i18n"
_METHODS = frozenset({"gettext", "ngettext", "template", "forms"})
_OF_PAGES = frozenset({"_", "ngettext"})
_MAKERS = {("portal.kernel.texts", "gettext_for"), ("portal.kernel.texts", "catalogue")}
_DEEPEST = 6
"""Names behind a name that are followed; a name may be assigned from itself."""

_TRANSLATES = re.compile(r"gettext_for|catalogue\(|LocalizedText|\bboth\b|portal\.i18n")
"""Every module that translates contains one of these."""


@dataclass
class _Module:
    path: Path
    tree: ast.Module
    constants: dict[str, ast.expr] = field(default_factory=dict)
    imports: dict[str, tuple[str, str]] = field(default_factory=dict)


@cache
def _module(path: Path) -> _Module:
    found = _Module(path, ast.parse(path.read_text("utf-8")))
    for node in found.tree.body:
        if isinstance(node, ast.Assign):
            names = [target.id for target in node.targets if isinstance(target, ast.Name)]
            found.constants.update(dict.fromkeys(names, node.value))
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value:
            found.constants[node.target.id] = node.value
    for node in ast.walk(found.tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            for name in node.names:
                found.imports[name.asname or name.name] = (node.module, name.name)
    return found


def _imported(module: str) -> _Module | None:
    base = ROOT / Path(*module.split("."))
    path = next((path for path in (base.with_suffix(".py"), base / "__init__.py") if path.is_file()), None)
    return _module(path) if path else None


def literal_problems(folder: Path = ROOT / "portal") -> Iterator[str]:
    for path in sorted(folder.rglob("*.py")):
        if not _TRANSLATES.search(path.read_text("utf-8")):
            continue
        for text, line in _handed_over(_module(path)):
            if text and text not in catalogue("nl").messages:
                place = path.relative_to(ROOT) if path.is_relative_to(ROOT) else path.name
                yield f"{place}:{line}: {text!r} is translated, but in no catalogue: mark it with N_"


@dataclass(frozen=True, slots=True)
class _Call:
    """A call of a translator.

    `text`: the first argument, which is the id of the message.
    `function`: the function around it; None at the top level.
    """

    text: ast.expr
    line: int
    local: Mapping[str, ast.expr]
    function: ast.FunctionDef | ast.AsyncFunctionDef | None


def _handed_over(module: _Module) -> Iterator[tuple[str, int]]:
    calls = list(_calls(module.tree, module, _translators(module.constants, module, frozenset()), {}, None))
    for call in calls:
        yield from ((text, call.line) for text in _texts(call.text, module, call.local))
    # Helpers hand a parameter to a translator.
    helpers = {
        (call.function.name, call.text.id): _parameters(call.function)
        for call in calls
        if call.function and isinstance(call.text, ast.Name) and call.text.id in _parameters(call.function)
    }
    if not helpers:
        return
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            given = {entry.arg: entry.value for entry in node.keywords}
            for (name, parameter), parameters in helpers.items():
                if name == node.func.id:
                    argument = dict(zip(parameters, node.args, strict=False)).get(parameter, given.get(parameter))
                    found = _texts(argument, module, {}) if argument is not None else ()
                    yield from ((text, node.lineno) for text in found)


def _calls(
    scope: ast.AST,
    module: _Module,
    known: frozenset[str],
    local: Mapping[str, ast.expr],
    function: ast.FunctionDef | ast.AsyncFunctionDef | None,
) -> Iterator[_Call]:
    for node in ast.iter_child_nodes(scope):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            names = _assigned(node)
            inside = _translators(names, module, known | ({"_"} & {*_parameters(node)}))
            yield from _calls(node, module, inside, {**local, **names}, function or node)
            continue
        if isinstance(node, ast.Call) and node.args and _translates(node.func, module, known):
            yield _Call(node.args[0], node.lineno, local, function)
        yield from _calls(node, module, known, local, function)


def _parameters(node: ast.FunctionDef | ast.AsyncFunctionDef) -> list[str]:
    return [entry.arg for entry in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]


def _assigned(scope: ast.AST) -> dict[str, ast.expr]:
    """Names that are assigned once in a scope, also several in one statement."""
    found: dict[str, ast.expr] = {}
    for node in ast.walk(scope):
        if not isinstance(node, ast.Assign):
            continue
        for target in node.targets:
            if isinstance(target, ast.Name):
                found[target.id] = node.value
            elif isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                pairs = zip(target.elts, node.value.elts, strict=False)
                found.update({name.id: value for name, value in pairs if isinstance(name, ast.Name)})
    return found


def _translators(names: Mapping[str, ast.expr], module: _Module, known: frozenset[str]) -> frozenset[str]:
    return known | {name for name, value in names.items() if _made(value, module) or _is_localized_of(value)}


def _made(value: ast.expr, module: _Module) -> bool:
    return (
        isinstance(value, ast.Call)
        and isinstance(value.func, ast.Name)
        and module.imports.get(value.func.id) in _MAKERS
    )


def _is_localized_of(value: ast.expr) -> bool:
    return (
        isinstance(value, ast.Attribute)
        and value.attr == "of"
        and isinstance(value.value, ast.Name)
        and value.value.id == "LocalizedText"
    )


def _translates(function: ast.expr, module: _Module, known: frozenset[str]) -> bool:
    if _is_localized_of(function):
        return True
    if isinstance(function, ast.Call):
        return _made(function, module)
    if isinstance(function, ast.Attribute) and function.attr in _METHODS:
        owner = function.value
        return owner.id in known if isinstance(owner, ast.Name) else _made(owner, module)
    if not isinstance(function, ast.Name):
        return False
    source, name = module.imports.get(function.id, ("", ""))
    of_pages = source.startswith(_PAGES) and name in _OF_PAGES
    return function.id in known or of_pages or (source, name) == ("portal.kernel.texts", "both")


def _texts(value: ast.expr, module: _Module, local: Mapping[str, ast.expr], depth: int = 0) -> Iterator[str]:
    """The texts that an expression may be, as far as the source says it."""
    again = depth + 1
    if depth > _DEEPEST:
        return
    match value:
        case ast.Constant(value=str(text)):
            yield text
        case ast.IfExp(body=first, orelse=second):
            yield from (text for part in (first, second) for text in _texts(part, module, local, again))
        case ast.BoolOp(values=parts) | ast.Call(func=ast.Name(id="N_"), args=parts):
            yield from (text for part in parts for text in _texts(part, module, local, again))
        case ast.Subscript(value=table) | ast.Call(func=ast.Attribute(value=table, attr="get")):
            yield from _values(table, module, local, again)
        case ast.Name(id=name):
            found = (module, local[name]) if name in local else _constant(name, module)
            yield from _texts(found[1], found[0], {}, again) if found else ()


def _values(table: ast.expr, module: _Module, local: Mapping[str, ast.expr], depth: int) -> Iterator[str]:
    if isinstance(table, ast.Name):
        found = (module, local[table.id]) if table.id in local else _constant(table.id, module)
        if found:
            yield from _values(found[1], found[0], {}, depth)
    elif isinstance(table, ast.Dict):
        for value in table.values:
            yield from _texts(value, module, local, depth)


def _constant(name: str, module: _Module) -> tuple[_Module, ast.expr] | None:
    if name in module.constants:
        return module, module.constants[name]
    source, original = module.imports.get(name, ("", ""))
    origin = _imported(source) if source.startswith("portal.") else None
    return (origin, origin.constants[original]) if origin and original in origin.constants else None
