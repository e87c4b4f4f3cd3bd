"""Markdown of a legal text becomes components, and nothing else of it reaches the browser."""

from __future__ import annotations

from pathlib import Path

import pytest

from portal.i18n import Text, shop_term
from portal.legal.pages import WrongLegalText, render_text


def rendered(folder: Path, text: str, **values: Text) -> str:
    path = folder / "text.md"
    path.write_text(text, encoding="utf-8")
    return "".join(str(part) for part in render_text(path, values).body)


def test_headings_lists_tables_and_links_become_elements(tmp_path: Path) -> None:
    body = rendered(
        tmp_path, "# Privacy\n\n## Why\n\n- **one**\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n[Mine](/my-data)"
    )
    for part in ('jsx("h2"', 'jsx("ul"', 'jsx("strong",{},"one")', 'jsx("td"', 'to:"/my-data"'):
        assert part in body


def test_the_first_heading_is_the_heading_of_the_page(tmp_path: Path) -> None:
    path = tmp_path / "text.md"
    path.write_text("# Privacy of {name}\n\nText", encoding="utf-8")
    assert render_text(path, {"name": "Bovenbuis"}).heading == "Privacy of Bovenbuis"


@pytest.mark.parametrize("hostile", ["<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "a <b>bold</b> word"])
def test_html_in_a_text_is_shown_as_text(tmp_path: Path, hostile: str) -> None:
    body = rendered(tmp_path, f"# Privacy\n\nBefore {hostile} after")
    assert "dangerouslySetInnerHTML" not in body
    for tag in ("script", "img", "b"):
        assert f'jsx("{tag}"' not in body


def test_a_value_is_never_read_as_markdown(tmp_path: Path) -> None:
    body = rendered(tmp_path, "# Privacy\n\nWe are {name}.", name="**[Evil](https://evil.example)**")
    assert 'jsx("a"' not in body
    assert 'jsx("strong"' not in body


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


def test_a_value_that_only_the_browser_knows_stands_in_plain_text(tmp_path: Path) -> None:
    days = shop_term("return_days")
    shown = rendered(tmp_path, "# Terms\n\nWithin **{days} days**, not {days} hours", days=days)
    assert shown.count('"return_days"') == 2
    for text in ("# Within {days} days", "# Terms\n\n[Here](/terms/{days})", "# Terms\n\n`{days}`"):
        with pytest.raises(WrongLegalText, match="plain text"):
            rendered(tmp_path, text, days=days)
