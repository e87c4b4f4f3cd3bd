"""Objects that stay until the end are not looked through again."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# In a process of its own: what the tests have loaded would be looked through for seconds.
SEEN = """
import gc, json
from portal.garbage import settle, wait
usual = gc.get_threshold()
wait()
waiting = gc.isenabled(), gc.get_freeze_count()
settle()
print(json.dumps([waiting, gc.isenabled(), gc.get_freeze_count(), usual, gc.get_threshold()]))
"""


def test_what_is_there_is_left_alone_and_what_comes_is_looked_through_less_often() -> None:
    done = subprocess.run([sys.executable, "-c", SEEN], cwd=ROOT, capture_output=True, text=True, check=True)
    waiting, looking, frozen, usual, seldom = json.loads(done.stdout)
    assert waiting == [False, 0]
    assert looking
    assert frozen > 1000
    assert all(now > before for now, before in zip(seldom, usual, strict=True))
