"""Objects that stay until the end are not looked through again."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from portal.garbage import YOUNGER_LOOKS

ROOT = Path(__file__).resolve().parents[2]
# In a process of its own: what the tests have loaded would be looked through for seconds.
SEEN = """
import gc, json
from portal.garbage import settle, wait
wait()
waiting = gc.isenabled(), gc.get_freeze_count()
settle()
print(json.dumps([waiting, gc.isenabled(), gc.get_freeze_count(), gc.get_threshold()]))
"""


def test_nothing_is_looked_for_while_loading_and_afterwards_only_among_what_is_new() -> None:
    done = subprocess.run([sys.executable, "-c", SEEN], cwd=ROOT, capture_output=True, text=True, check=True)
    waiting, looking, frozen, thresholds = json.loads(done.stdout)
    assert waiting == [False, 0]
    assert looking
    assert frozen > 1000
    assert thresholds == [700, 10, YOUNGER_LOOKS]
