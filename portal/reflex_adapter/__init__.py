"""Everything that depends on names which Reflex, Starlette, granian or aiosqlite do not promise to keep.

No other package of the portal may use such names (ruff: SLF001 and TID251). Each use is described where it stands, in
four lines: `Reaches` names what is used, `Why` says why no public name will do, `Gain` what customers or developers
have of it, and `Test` names the test in `tests/reflex_adapter` that fails first when an upgrade breaks it.

Nothing is imported here, so that a process which serves the provider alone can use `worker` without loading Reflex.
"""
