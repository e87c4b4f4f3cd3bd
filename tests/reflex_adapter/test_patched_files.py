"""The changes to files of the framework stop the build when they no longer fit."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from portal.reflex_adapter import patches
from tests.reflex_adapter.test_patches import files_of_reflex

CONFIG = "resolve: {\n    alias: [\n      { find: '$' },\n    ],\n}"

ROOT = """import * as React from "react";
import { Outlet } from 'react-router';
function ReflexProviders({children}) {
  useEffect(() => {
    // Make contexts and state objects available globally for dynamic eval'd components
    window.__reflex = { "react": React };
  }, []);

  return children;
}"""


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


def test_packages_that_no_page_uses_are_replaced_once() -> None:
    once = patches.without_unused_packages(CONFIG)
    packages = ("@emotion/react", "universal-cookie", "mergician", "polling-xhr")
    assert [once.count(package) for package in packages] == [1, 1, 1, 1]
    assert patches.without_unused_packages(once) == once


def test_what_every_page_loads_is_put_into_few_files_once() -> None:
    config = (
        "        codeSplitting: {\n          groups: [\n            { test: /env.json/ },\n          ],\n        },"
    )
    once = patches.in_few_files(config)
    assert [once.count(f'name: "{name}"') for name in ("react", "shell")] == [1, 1]
    assert patches.in_few_files(once) == once


def test_names_of_files_have_hexadecimal_hashes_once() -> None:
    once = patches.with_hexadecimal_hashes("      output: {\n        codeSplitting: {\n")
    assert once.count('hashCharacters: "hex"') == 1
    assert patches.with_hexadecimal_hashes(once) == once


def test_no_library_is_kept_at_hand_for_components_made_at_run_time() -> None:
    slim = patches.without_shared_libraries(ROOT)
    assert "__reflex" not in slim
    assert "import *" not in slim
    assert "return children;" in slim


def test_a_page_is_drawn_in_one_piece_however_often_it_is_built() -> None:
    once = patches.without_transitions(files_of_reflex()["app/entry.client.js"])
    assert patches.without_transitions(once) == once


@pytest.mark.parametrize("change", [change for changes in patches.CHANGES.values() for change in changes])
def test_another_framework_stops_the_build(change: Callable[[str], str]) -> None:
    with pytest.raises(LookupError):
        change("something else")
