"""All styling is classes of the theme: the styling library of the framework is not shipped."""

from __future__ import annotations

import re

from portal.launch import ROOT
from portal.reflex_adapter.build import Build

_STYLE_PROPERTY = re.compile(r"[({,]\s*css\s*:")


def test_no_compiled_component_needs_the_styling_library(built: Build) -> None:
    sources = [path for folder in ("app", "utils/components") for path in (built.web_dir / folder).rglob("*.jsx")]
    assert sources
    assert not [path.name for path in sources if _STYLE_PROPERTY.search(path.read_text(encoding="utf-8"))]


def test_the_styling_library_is_not_in_the_bundle(built: Build) -> None:
    shipped = "".join(path.read_text(encoding="utf-8") for path in (built.static_dir / "assets").glob("*.js"))
    assert "__EMOTION_TYPE_PLEASE_DO_NOT_USE__" not in shipped


def test_tokens_and_text_colours_are_those_of_the_theme() -> None:
    theme = (ROOT / "assets" / "theme.css").read_text(encoding="utf-8")
    assert "--color-*: initial;" in theme
