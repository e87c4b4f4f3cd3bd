"""The changes to files of the framework stop the build when they no longer fit."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from portal.reflex_adapter import patches


def test_the_banner_of_the_framework_speaks_both_languages_however_often_it_is_built() -> None:
    source = 'banner.append("A new version of this app is available."); button.textContent = "Reload";'
    once = patches.in_both_languages(source)
    assert '"Er is een nieuwe versie van deze pagina."' in once
    assert '"Vernieuw"' in once
    assert patches.in_both_languages(once) == once


def test_nothing_is_evaluated_beside_the_names_of_the_framework() -> None:
    source = "const module = await eval(`import(dataUri)`);\nf(eval(event.payload.callback), medieval(x));"
    once = patches.without_local_evaluation(source)
    assert once == (
        "const module = await import(/* @vite-ignore */ dataUri);\nf((0, eval)(event.payload.callback), medieval(x));"
    )
    assert patches.without_local_evaluation(once) == once


def test_elements_are_made_by_our_own_module_once() -> None:
    once = patches.with_own_elements("resolve: {\n    alias: [\n      { find: '$' },\n    ],\n}")
    assert once.count('find: "@emotion/react"') == 1
    assert patches.with_own_elements(once) == once


@pytest.mark.parametrize("change", [change for changes in patches.CHANGES.values() for change in changes])
def test_another_framework_stops_the_build(change: Callable[[str], str]) -> None:
    with pytest.raises(LookupError):
        change("something else")
