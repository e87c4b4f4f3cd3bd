"""Markdown of a legal text becomes HTML, and no HTML of it reaches the browser."""

from __future__ import annotations

from html import escape
from pathlib import Path

import pytest

from portal.legal.rendering import WrongLegalText, legal_html


def rendered(folder: Path, text: str, **values: str) -> str:
    path = folder / "text.md"
    path.write_text(text, encoding="utf-8")
    return legal_html(path, values)


def test_headings_lists_tables_and_links_become_elements(tmp_path: Path) -> None:
    body = rendered(
        tmp_path, "# Privacy\n\n## Why\n\n- **one**\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n[Mine](/my-data)"
    )
    for part in ("<h2>Why</h2>", "<ul><li>", "<strong>one</strong>", "<td>2</td>", '<a href="/my-data"'):
        assert part in body


def test_the_first_heading_is_the_heading_of_the_page(tmp_path: Path) -> None:
    text = rendered(tmp_path, "# Privacy of {name}\n\nText", name="Bovenbuis")
    assert text.startswith('<h1 tabindex="-1">Privacy of Bovenbuis</h1>')


@pytest.mark.parametrize("hostile", ["<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "a <b>bold</b> word"])
def test_html_in_a_text_is_shown_as_text(tmp_path: Path, hostile: str) -> None:
    body = rendered(tmp_path, f"# Privacy\n\nBefore {hostile} after")
    assert escape(hostile, quote=False) in body.replace("&quot;", '"')
    for tag in ("script", "img", "b>"):
        assert f"<{tag}" not in body


def test_a_value_is_never_read_as_markdown(tmp_path: Path) -> None:
    body = rendered(tmp_path, "# Privacy\n\nWe are {name}.", name="**[Evil](https://evil.example)**")
    assert "<a" not in body
    assert "<strong" not in body


def test_a_value_is_never_read_as_html(tmp_path: Path) -> None:
    text = "# {name}\n\n[{name}](https://a.example/{name}) `{name}`"
    assert "<b" not in rendered(tmp_path, text, name='"><b>')


@pytest.mark.parametrize(
    "address", ["javascript:alert(1)", "//evil.example", "/\\evil.example", "http://plain.example", "data:text/html,x"]
)
def test_an_unsafe_link_is_refused_with_the_name_of_the_file(tmp_path: Path, address: str) -> None:
    with pytest.raises(WrongLegalText, match=r"text\.md: the link"):
        rendered(tmp_path, f"# Privacy\n\n[here](<{address}>)")


def test_an_unsafe_link_from_a_value_is_refused(tmp_path: Path) -> None:
    with pytest.raises(WrongLegalText, match="the link javascript"):
        rendered(tmp_path, "# Privacy\n\n[here]({shop})", shop="javascript:alert(1)")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "start with a heading"),
        ("Only text", "start with a heading"),
        ("## Second level", "start with a heading"),
        ("# Privacy\n\nWrite to {emial}", r"nothing is called \{emial\}"),
        ("# Privacy\n\n![Photo](https://x.example/a.png)", "image is not possible"),
        ("# Privacy\n\n# Again", "heading is not possible"),
    ],
)
def test_a_text_that_cannot_be_shown_is_refused(tmp_path: Path, text: str, reason: str) -> None:
    with pytest.raises(WrongLegalText, match=reason):
        rendered(tmp_path, text)
