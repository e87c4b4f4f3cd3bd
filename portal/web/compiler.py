"""`python -m portal.web.compiler` is the framework's command line, for compiling the pages."""

from __future__ import annotations

import runpy

from portal import garbage

if __name__ == "__main__":
    garbage.wait()  # Ends with the process: to look through millions of objects is a third of the time.
    runpy.run_module("reflex", run_name="__main__", alter_sys=True)
