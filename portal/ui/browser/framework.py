"""Small changes to files of the framework: texts it shows by itself, and parts of it that no page of ours uses.

Each change looks for what it expects and stops the build when the framework no longer looks like that.
"""

from __future__ import annotations

import re

# The only texts that the framework shows outside of every component: after a deployment, when reloading did not help.
_TEXTS = {
    "A new version of this app is available.": "Er is een nieuwe versie van deze pagina.",
    "Reload": "Vernieuw",
}
_ALIASES = "    alias: [\n"
_ALIAS = """      {{
        find: "{package}",
        replacement: fileURLToPath(new URL("./utils/portal/{module}.js", import.meta.url)),
      }},
"""
# Packages that the framework always imports, and what stands in for them here (12 kB of every first visit).
_REPLACED = {"@emotion/react": "elements", "universal-cookie": "cookies", "mergician": "merging"}
_GROUPS = "          groups: [\n"
# Every small file of its own costs a round trip where a browser opens six connections: what all pages load comes in two
# files, the libraries and what we wrote. The library that draws stays with the file that starts it.
_OURS = ("dialog", "first", "formats", "forms", "language", "navigation", "page", "session", "toasts")
_FILES = f"""            {{
              test: /[\\\\/]node_modules[\\\\/](react|react-router)[\\\\/]/,
              name: "react",
              priority: 2,
            }},
            {{
              test: /[\\\\/]utils[\\\\/](context|context-registry|state|portal[\\\\/]({"|".join(_OURS)}))\\.jsx?$/,
              name: "shell",
              priority: 1,
            }},
"""
_EVALUATED = "(0, eval)("
_DIRECT = re.compile(r"(?<![\w.`])eval\((?=\w)")
_IMPORTED = ("await eval(`import(dataUri)`)", "await import(/* @vite-ignore */ dataUri)")
_NAMESPACES = re.compile(r'import \* as \w+ from "[^"]+";\n')
_SHARED = re.compile(
    r"  useEffect\(\(\) => \{\n    // Make contexts and state objects available.*?\n  \}, \[\]\);\n", re.DOTALL
)


def in_both_languages(source: str) -> str:
    """Let `state.js` speak the language of the page."""
    for english, dutch in _TEXTS.items():
        literal, pair = f'"{english}"', f'(document.documentElement.lang === "en" ? "{english}" : "{dutch}")'
        if pair in source:  # the compiler's directory keeps the file of the build before
            continue
        _expect(source.count(literal) == 1, literal)
        source = source.replace(literal, pair)
    return source


def without_local_evaluation(source: str) -> str:
    """Let `state.js` evaluate code nowhere near its own names; the security policy of every page forbids it anyhow.

    A call of `eval` may read any name around it, so the compiler could shorten none in the file that all pages load.
    """
    if _EVALUATED not in source:
        _expect(_DIRECT.search(source) is not None, "eval")
        source = source.replace(*_IMPORTED)
    return _DIRECT.sub(_EVALUATED, source)


def without_unused_packages(config: str) -> str:
    """Let `vite.config.js` replace packages of which no page of ours uses more than a line."""
    for package, name in _REPLACED.items():
        alias = _ALIAS.format(package=package, module=name)
        if alias not in config:
            _expect(config.count(_ALIASES) == 1, "alias")
            config = config.replace(_ALIASES, _ALIASES + alias)
    return config


def in_few_files(config: str) -> str:
    """Let `vite.config.js` put what every page loads into few files."""
    if _FILES in config:
        return config
    _expect(config.count(_GROUPS) == 1, "groups")
    return config.replace(_GROUPS, _GROUPS + _FILES)


def without_shared_libraries(root: str) -> str:
    """Let `root.jsx` not keep whole libraries at hand for components made at run time; there are none."""
    _expect(len(_SHARED.findall(root)) == 1, "window.__reflex")
    return _NAMESPACES.sub("", _SHARED.sub("", root))


def _expect(found: bool, what: str) -> None:
    if not found:
        raise LookupError(f"the framework no longer has {what!r} where this build expects it")
