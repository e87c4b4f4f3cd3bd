"""Every change is made in the files of the installed Reflex, not only in samples of them."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import reflex_base
from reflex_base.compiler import templates
from reflex_base.plugins import tailwind_v4

from portal.launch import ROOT
from portal.reflex_adapter.patches import CHANGES, ThemePlugin


def files_of_reflex() -> dict[str, str]:
    """The files that are changed, as Reflex writes them."""
    web = Path(reflex_base.__file__).parent / ".templates/web"
    written = templates.vite_config_template(
        base="/", hmr=True, force_full_reload=False, experimental_hmr=False, sourcemap=False
    )
    return {"vite.config.js": written} | {
        path: (web / path).read_text(encoding="utf-8") for path in CHANGES if path != "vite.config.js"
    }


@pytest.mark.parametrize("path", sorted(CHANGES))
def test_every_change_fits_the_installed_reflex(path: str) -> None:
    source = files_of_reflex()[path]
    for change in CHANGES[path]:
        changed = change(source)
        assert changed != source, change.__name__
        source = changed


def test_first_data_find_what_they_import() -> None:
    registry = (Path(reflex_base.__file__).parent / ".templates/web/utils/context-registry.js").read_text("utf-8")
    assert "export const DispatchContext =" in registry
    assert '$/utils/context-registry"' in (ROOT / "portal/ui/browser/first.js").read_text("utf-8")


def test_the_root_of_tailwind_is_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    tasks: dict[str, Any] = {}
    ThemePlugin().pre_compile(
        add_save_task=lambda *_task: None,
        add_modify_task=lambda path, change: tasks.setdefault(path, change),
        unevaluated_pages=[],
        radix_themes_plugin=SimpleNamespace(enabled=False),
    )
    assert Path("styles", tailwind_v4.Constants.ROOT_STYLE_PATH) == Path("styles/tailwind.css")
    assert '@source "../app"' in tasks["styles/tailwind.css"]("")
