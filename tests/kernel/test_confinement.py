"""What the system lacks is told at the start, and refused where it is required."""

import subprocess
import sys
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from portal.kernel import processes
from portal.settings import Settings
from portal.wiring import NotReady, prepare


def test_this_machine_can_confine_processes() -> None:
    """Otherwise the tests of what is confined would prove nothing."""
    assert processes.missing() == []
    with capture_logs() as logs:
        processes.check(required=True)
    assert logs == []


def test_what_is_missing_is_logged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "_SECCOMP", "libnone.so.0")
    monkeypatch.setattr(processes, "_landlock_version", lambda: -1)
    with capture_logs() as logs:
        processes.check(required=False)
    (line,) = logs
    assert line["log_level"] == "warning"
    assert "Landlock" in line["lacks"]
    assert "libnone.so.0" in line["lacks"]


def test_a_start_that_requires_what_is_missing_ends_with_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "_landlock_version", lambda: -1)
    settings = Settings(data_dir=tmp_path, confinement_required=True)
    with pytest.raises(NotReady, match="PORTAL_CONFINEMENT_REQUIRED is set, and this system lacks Landlock") as refused:
        prepare(settings, "customers")
    assert "\n" not in str(refused.value)
    assert list(tmp_path.iterdir()) == []


def test_without_the_features_a_process_works_unconfined() -> None:
    program = """
from portal.kernel import processes
processes._SECCOMP, processes._landlock_version = "libnone.so.0", lambda: -1
processes.confine()
print(open("/etc/passwd").read(4))
"""
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, check=True).stdout == b"root\n"


@pytest.mark.parametrize("version", range(1, 8))
def test_older_kernels_are_asked_for_what_they_know(version: int) -> None:
    """The kernel of this machine accepts the rules of older ones."""
    program = f"""
from pathlib import Path
from portal.kernel import processes
processes._landlock_version = lambda: {version}
processes.confine(own=Path("/tmp"))
try:
    open("/etc/passwd")
except PermissionError:
    print("refused")
"""
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, check=True).stdout == b"refused\n"
