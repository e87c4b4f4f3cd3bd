"""A text that is handed to a translator is in the catalogue."""

from pathlib import Path

import pytest

from portal.i18n.catalogues import literal_problems

NOWHERE = "Nobody ever wrote this."

HEAD = """
from portal.contract.account import LocalizedText
from portal.i18n import _ as shown, ngettext
from portal.kernel.texts import N_, both, catalogue, gettext_for

TEXT = N_("Nobody ever wrote this.")
TEXTS = {1: N_("Nobody ever wrote this.")}
_T = LocalizedText.of
"""


@pytest.mark.parametrize(
    "source",
    [
        'def f(x): return gettext_for(x)("Nobody ever wrote this.")',
        'def f(x):\n    say = gettext_for(x)\n    return say("Nobody ever wrote this.")',
        'def f(x):\n    row, say = 1, gettext_for(x)\n    return say("Nobody ever wrote this.")',
        'def f(x):\n    say = gettext_for(x)\n    def g(): return say("Nobody ever wrote this.")\n    return g',
        'def f(_): return _("Nobody ever wrote this.")',
        'def f(x): return catalogue(x).gettext("Nobody ever wrote this.")',
        'def f(x):\n    texts = catalogue(x)\n    return texts.ngettext("Nobody ever wrote this.", "", 2)',
        'def f(x): return gettext_for(x)("Free" if x else "Nobody ever wrote this.")',
        'LocalizedText.of("Nobody ever wrote this.")',
        "LocalizedText.of(TEXT)",
        "def f(x): return LocalizedText.of(TEXTS[x])",
        'def f(x): return LocalizedText.of(TEXTS.get(x, ""))',
        '_T("Nobody ever wrote this.")',
        'def f(label, x): return LocalizedText.of(label)\nf("Nobody ever wrote this.", 1)',
        'def f(x, label): return LocalizedText.of(label)\nf(1, label=N_("Nobody ever wrote this."))',
        'both("Nobody ever wrote this.")',
        'shown("Nobody ever wrote this.")',
        'ngettext("Nobody ever wrote this.", "", 2)',
    ],
)
def test_every_way_in_which_a_translator_gets_a_text_is_found(tmp_path: Path, source: str) -> None:
    (tmp_path / "module.py").write_text(f"{HEAD}\n{source}\n", "utf-8")
    (problem,) = literal_problems(tmp_path)
    assert NOWHERE in problem


def test_a_constant_is_followed_to_the_module_that_defines_it(tmp_path: Path) -> None:
    (tmp_path / "module.py").write_text(
        "from portal.contract.account import LocalizedText\n"
        "from portal.i18n.catalogues import COMMENT\nLocalizedText.of(COMMENT)\n",
        "utf-8",
    )
    (problem,) = literal_problems(tmp_path)
    assert "Translators:" in problem
