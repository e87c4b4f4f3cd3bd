"""`python -m portal.web.compiler` is the framework's command line, for compiling the pages."""

from __future__ import annotations

import runpy

from portal import garbage

if __name__ == "__main__":
    garbage.wait()  # Looking for what is of no use takes a sixth of the time, and finds nothing before the end.
    runpy.run_module("reflex", run_name="__main__", alter_sys=True)
