"""Every reference in code, tests and documents leads to something that is there."""

import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from urllib.parse import unquote

import pytest

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = ROOT / "docs"
PLACES = ("portal", "tests", "bench", "tools", "alembic", "assets", "docs", "script")
ENDINGS = {".py", ".js", ".css", ".toml", ".html", ".typ", ".md", ""}
OWN = Path(__file__).resolve()

# What stands in a reference, one expression a document. Ranges (F1-F11, 26-37) are taken apart.
NUMBERS = r"(?:[, ]+(?:and )?|-|–)"
REFERENCES = {
    "flow-standard": re.compile(rf"\bflow-standard (F\d+(?:{NUMBERS}F?\d+)*)"),
    "design": re.compile(rf"\bdesign (D\d+(?:{NUMBERS}D\d+)*)"),
    "security": re.compile(rf"\bsecurity ([ABCDR]\d+(?:{NUMBERS}[ABCDR]\d+)*)"),
    "edge-cases": re.compile(rf"\bedge-cases (\d+(?:{NUMBERS}\d+)*)"),
    "measurements": re.compile(rf"\bmeasurements (M\d+(?:{NUMBERS}M\d+)*)"),
    "decision": re.compile(r"\bdecision (\d{4})\b"),
}
SECTION = re.compile(
    r"part-([12]) §(\d+)(?: ([A-Z][A-Za-z-]*(?: [A-Za-z-]+)*))?|(?<![\w-])§(\d+)(?: ([A-Z][A-Za-z-]*(?: [A-Za-z-]+)*))?"
)
OUTDATED = {
    "a topic instead of a number": re.compile(r"(?<!\w)\((?:[^()]*[;,] )?(?:design|decisions|security): ?[A-Za-z]"),
    "edge cases without the hyphen": re.compile(r"\bedge cases? \d"),
    "a number of a threat without its document": re.compile(r"\bthreat [ABCDR]\d"),
    "a rule without its document": re.compile(r"\(F[1-9]\d?[),;]"),
    "the specification, which is not here": re.compile(r"\bthe specification\b", re.IGNORECASE),
}


def _sources() -> Iterator[Path]:
    """Everything that people write, in the order of its path."""
    top = (path for path in ROOT.glob("*.*") if path.suffix in {".md", ".toml", ".py", ".txt"})
    below = (path for place in PLACES for path in (ROOT / place).rglob("*"))
    for path in sorted({*top, *below}):
        if path.is_file() and path.suffix in ENDINGS and "__pycache__" not in path.parts and path != OWN:
            yield path


@cache
def _text(path: Path) -> str:
    """What is in a file; nothing when it is no text."""
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return ""


def _numbers(text: str) -> list[str]:
    """`F1-F3, F7` as F1, F2, F3, F7; `26-28` as 26, 27, 28; a decision, such as `0012`, as it is."""
    if re.fullmatch(r"\d{4}", text):
        return [text]
    found: list[str] = []
    for part in re.split(r"[, ]+(?:and )?", text.replace("–", "-")):
        first, _, last = part.partition("-")
        letter = first.rstrip("0123456789")
        begin, end = int(first.removeprefix(letter)), int((last or first).removeprefix(letter))
        found.extend(f"{letter}{number}" for number in range(begin, end + 1))
    return found


@cache
def _rows(name: str) -> frozenset[str]:
    """The identifiers of a document: first cells of its tables, numbers of its lists, files of its folder."""
    if name == "decision":
        return frozenset(path.name[:4] for path in (DOCUMENTS / "decisions").glob("[0-9]*.md"))
    text = _text(DOCUMENTS / f"{name}.md")
    return frozenset(re.findall(r"^\| ([A-Z]\d+) \|", text, re.MULTILINE)) | frozenset(
        re.findall(r"^(\d+)\. ", text, re.MULTILINE)
    )


@cache
def _sections() -> dict[tuple[str, str], tuple[str, ...]]:
    """By part and number: what stands in a section, as its headings and its terms in bold letters."""
    sections: dict[tuple[str, str], list[str]] = {}
    current: list[str] = []
    for line in _text(DOCUMENTS / "requirements.md").splitlines():
        if heading := re.match(r"### part-([12]) §(\d+) (.+)", line):
            current = sections.setdefault((heading[1], heading[2]), [heading[3]])
        elif heading := re.match(r"#### (.+)|\*\*([^*]+)\*\*", line):
            current.append((heading[1] or heading[2]).strip())
    return {key: tuple(names) for key, names in sections.items()}


def _named_in(section: tuple[str, str], name: str) -> bool:
    """Whether a section has this part. The name may stop earlier than the heading, or say more."""
    said = name.lower()
    return any(said.startswith(known.lower()) or known.lower().startswith(said) for known in _sections()[section])


def _wrong_sections(text: str) -> list[str]:
    """References to sections of the requirements that are not there, in the text of a file."""
    wrong: list[str] = []
    part = ""
    for line in text.splitlines():
        for match in SECTION.finditer(line):
            if match[1]:
                part, number, name = match[1], match[2], match[3]
            else:
                number, name = match[4], match[5]
            if not part or (part, number) not in _sections():
                wrong.append(f"{match[0]!r}")
            elif name and not _named_in((part, number), name):
                wrong.append(f"{match[0]!r}: no {name!r} in it")
    return wrong


def _wrong_numbers(text: str) -> list[str]:
    """References to numbers of the other documents that are not there, in the text of a file."""
    return [
        f"{match[0]!r}: no {number} in {name}"
        for name, expression in REFERENCES.items()
        for match in expression.finditer(text)
        for number in _numbers(match[1])
        if number not in _rows(name)
    ]


def _in_sources(check: Callable[[str], list[str]]) -> list[str]:
    return [f"{path.relative_to(ROOT)}: {what}" for path in _sources() for what in check(_text(path))]


def test_every_section_that_is_referred_to_is_in_the_requirements() -> None:
    assert _in_sources(_wrong_sections) == []


def test_every_number_that_is_referred_to_is_in_its_document() -> None:
    assert _in_sources(_wrong_numbers) == []


@pytest.mark.parametrize("what", OUTDATED)
def test_no_reference_is_written_in_another_way(what: str) -> None:
    expression = OUTDATED[what]
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path in _sources()
        for number, line in enumerate(_text(path).splitlines(), 1)
        if expression.search(line)
    ]
    assert found == [], what


def test_a_number_of_a_measurement_is_one_rows() -> None:
    rows = re.findall(r"^\| M(\d+) \|", _text(DOCUMENTS / "measurements.md"), re.MULTILINE)
    assert rows == sorted(set(rows), key=int)


def test_the_flow_standard_has_each_rule_once() -> None:
    rules = re.findall(r"^\| F(\d+) \|", _text(DOCUMENTS / "flow-standard.md"), re.MULTILINE)
    assert [int(rule) for rule in rules] == list(range(1, 59))


def _slug(heading: str) -> str:
    """The end of a link to a heading, as GitHub makes it."""
    kept = re.sub(r"[^\w\- ]", "", re.sub(r"[`*]|\[([^]]*)\]\([^)]*\)", r"\1", heading).strip().lower())
    return kept.replace(" ", "-")


def _markdown() -> list[Path]:
    """The documents. Links of the legal texts lead to pages of the portal (tests/legal/test_pages.py)."""
    return [path for path in _sources() if path.suffix == ".md" and "legal" not in path.parts]


def _plain(text: str) -> str:
    """The text without what stands in code."""
    return re.sub(r"```.*?```|`[^`\n]*`", "", text, flags=re.DOTALL)


def _broken_links(path: Path) -> list[str]:
    broken: list[str] = []
    for target in re.findall(r"\]\(([^)\s]+)\)", _plain(_text(path))):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = unquote(target).partition("#")
        file = (path.parent / name).resolve() if name else path
        if not file.exists():
            broken.append(f"{path.relative_to(ROOT)}: {target}")
        elif anchor and anchor not in {
            _slug(heading) for heading in re.findall(r"^#+ (.+)$", _text(file), re.MULTILINE)
        }:
            broken.append(f"{path.relative_to(ROOT)}: {target}, no such heading")
    return broken


@pytest.mark.parametrize("path", _markdown(), ids=lambda path: str(path.relative_to(ROOT)))
def test_every_link_of_a_document_leads_somewhere(path: Path) -> None:
    assert _broken_links(path) == []


def test_every_document_can_be_found_from_the_readme_or_an_index() -> None:
    linked: set[Path] = set()
    for path in _markdown():
        for target in re.findall(r"\]\(([^)\s#]+)", _plain(_text(path))):
            if not re.match(r"[a-z]+:", target):
                linked.add((path.parent / unquote(target)).resolve())
    ours = [path for path in _markdown() if path.parent == ROOT or DOCUMENTS in path.parents]
    lost = [path for path in ours if path != ROOT / "README.md" and path.resolve() not in linked]
    assert lost == []


def test_decisions_have_a_number_each_and_are_in_the_index() -> None:
    files = sorted((DOCUMENTS / "decisions").glob("[0-9]*.md"))
    assert len({path.name[:4] for path in files}) == len(files)
    index = _text(DOCUMENTS / "decisions" / "README.md")
    assert [path.name for path in files if f"({path.name})" not in index] == []


@pytest.mark.parametrize("path", sorted((DOCUMENTS / "decisions").glob("[0-9]*.md")), ids=lambda path: path.stem)
def test_a_decision_is_short_and_has_every_section(path: Path) -> None:
    text = _text(path)
    assert len(text.splitlines()) <= 36
    assert re.match(rf"# {path.name[:4]} \S.*\n\nDate: \d{{4}}-\d\d-\d\d\n", text)
    assert re.findall(r"^## (.+)$", text, re.MULTILINE) == ["Context", "Decision", "Alternatives", "Consequences"]
    assert all(len(section.strip()) > 20 for section in re.split(r"^## .+$", text, flags=re.MULTILINE)[1:])
