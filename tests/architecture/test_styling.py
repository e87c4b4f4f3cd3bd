"""All styling is classes of the theme."""

import re

import pytest

from portal.launch import ROOT
from portal.reflex_adapter.build import Build


def test_the_styling_library_is_not_in_the_bundle(built: Build) -> None:
    shipped = "".join(path.read_text(encoding="utf-8") for path in (built.static_dir / "assets").glob("*.js"))
    assert "__EMOTION_TYPE_PLEASE_DO_NOT_USE__" not in shipped


_CLASS_TEXT = re.compile(r"\[class[^\]]*\]\)*[\s~+>]+[^\s~+>{,]")


def test_no_rule_for_other_elements_depends_on_the_text_of_a_class() -> None:
    """With such a rule, a browser styles the whole page again whenever the class of any element changes."""
    sheets = [ROOT / "assets" / "theme.css", ROOT / "portal" / "desk" / "desk.css"]
    selectors = [line for sheet in sheets for line in sheet.read_text("utf-8").splitlines() if _CLASS_TEXT.search(line)]
    assert selectors == []


_THEME = (ROOT / "assets" / "theme.css").read_text(encoding="utf-8")
_TOKEN = re.compile(r"--color-([\w-]+): ?(#[0-9a-f]{6});")
_GROUNDS = ("paper", "paper-2", "white", "signal-100", "ok-bg", "warn-bg", "err-bg", "info-bg")
_TEXT, _GRAPHIC = 4.5, 3.0
"""Least contrast of text, and of what carries meaning without being text (WCAG 1.4.3 and 1.4.11)."""
_PAIRS = (
    *(("ink", ground, _TEXT) for ground in _GROUNDS),
    *((text, ground, _TEXT) for text in ("ink-700", "ink-600", "link") for ground in _GROUNDS),
    *(("ink-500", ground, _TEXT) for ground in ("paper", "paper-2", "white")),
    *((tone, ground, _TEXT) for tone in ("ok", "warn", "err", "info") for ground in (f"{tone}-bg", "paper", "white")),
    *((f"{tone}-line", ground, _GRAPHIC) for tone in ("ok", "warn", "err", "info") for ground in ("paper", "white")),
    *(("line-strong", ground, _GRAPHIC) for ground in ("paper", "white")),
    *(("signal-600", ground, _GRAPHIC) for ground in ("paper", "white", "signal-100", "line")),
    *(("focus", ground, _GRAPHIC) for ground in ("paper", "paper-2", "white", "panel")),
    ("white", "ink", _TEXT),
    ("white", "ink-700", _TEXT),
    ("on-panel", "panel", _TEXT),
    ("on-panel", "panel-2", _TEXT),
    ("signal", "panel", _GRAPHIC),
    ("line-strong", "panel", _GRAPHIC),
    ("panel", "plate", _TEXT),
    *(("ink-600", ground, _TEXT) for ground in ("map-land", "map-town", "map-water")),
    *(("info-line", ground, _GRAPHIC) for ground in ("map-land", "map-town", "map-water")),
    ("panel", "signal", _TEXT),
)


def _themes() -> dict[str, dict[str, str]]:
    """The tokens of both themes; a token that the dark one does not change has the value of the light one."""
    light, dark = _THEME.split("@media screen and (prefers-color-scheme: dark)")
    values = dict(_TOKEN.findall(light))
    return {"light": values, "dark": values | dict(_TOKEN.findall(dark))}


def _luminance(color: str) -> float:
    parts = [int(color[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_colours_that_meet_differ_enough(theme: str) -> None:
    tokens = _themes()[theme]
    too_close = []
    for over, under, least in _PAIRS:
        dark, light = sorted((_luminance(tokens[over]), _luminance(tokens[under])))
        if (found := (light + 0.05) / (dark + 0.05)) < least:
            too_close.append(f"{over} on {under}: {found:.2f}, at least {least}")
    assert not too_close


def test_the_dark_theme_gives_every_colour_a_value_of_its_own() -> None:
    themes = _themes()
    same = {token for token, value in themes["dark"].items() if value == themes["light"][token]}
    assert same == {"on-panel"}
