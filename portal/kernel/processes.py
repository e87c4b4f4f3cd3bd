"""Processes of one machine: their end, their locks, and what a confined one may still do."""

import ctypes
import errno
import fcntl
import os
import resource
import signal
import sys
import sysconfig
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TextIO

_PR_SET_PDEATHSIG = 1


def end_with(parent: int) -> None:
    """Let the kernel end this process when the process that started it ends, in whatever way.

    The signal comes when the thread ends that started this process, so that must have been the main thread.
    """
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != parent:  # it ended before the call
        os.kill(os.getpid(), signal.SIGTERM)


_kept: list[TextIO] = []


@contextmanager
def file_lock(path: Path) -> Iterator[None]:
    """Let one process at a time through; the others wait. The lock ends with the process."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with path.open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def keep_lock(path: Path) -> bool:
    """Take a lock that ends with this process; False when another process has it."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle = path.open("w")
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        handle.close()
        return False
    _kept.append(handle)
    return True


_LIBC = ctypes.CDLL(None, use_errno=True)
_SECCOMP = "libseccomp.so.2"
_NO_NEW_PRIVILEGES = 38

LIBRARIES = (
    *(sysconfig.get_path(name) for name in ("purelib", "platlib")),
    str(Path(sysconfig.get_path("stdlib")).parent),
    *("/usr/lib", "/usr/lib64", "/usr/share/zoneinfo", "/lib", "/lib64", "/etc/ld.so.cache"),
)
"""Where libraries are; they hold no secrets, and some are loaded late."""

_FOR_PROGRAMS = (
    # bun may be a script in Python
    *(f"{sys.prefix}/pyvenv.cfg", str(Path(sys.executable).resolve().parent)),
    *("/dev/null", "/dev/urandom", "/sys/devices/system/cpu", "/sys/fs/cgroup", "/proc/self"),
)


class NotConfined(RuntimeError):
    """This system cannot confine a process as it must; the message is one line."""


def check(*, required: bool) -> None:
    """Log what this system cannot do. Raises `NotConfined`: it lacks something, and must not."""
    lacks = " and ".join(missing())
    if lacks and required:
        raise NotConfined(f"PORTAL_CONFINEMENT_REQUIRED is set, and this system lacks {lacks}")
    if lacks:
        import structlog  # not for the processes that are confined

        log = structlog.get_logger(__name__)
        log.warning("processes that read what strangers wrote are not fully confined", lacks=lacks)


def missing() -> list[str]:
    """What this system cannot do."""
    lacks = []
    if _landlock_version() < 1:
        lacks.append("Landlock (Linux 5.13 or newer, in the list of `lsm=`)")
    if _library() is None:
        lacks.append(f"seccomp ({_SECCOMP})")
    return lacks


def confine(*, readable: Iterable[str | Path] = (), own: Path | None = None, becomes_another: bool = False) -> None:
    """Confine this process, as far as the system can. Call it before another thread starts.

    `readable`: files and folders that it can read, beside the libraries.
    `own`: the folder in which it can read, write and remove files.
    """
    _LIBC.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    _close_files(readable, own, becomes_another=becomes_another)
    _close_calls(becomes_another=becomes_another)


def begin() -> None:
    """Close everything that this process inherited, but input, output and errors.

    It also leaves no core dumps, and is the first to end when the machine has no memory left.
    """
    os.closerange(3, os.sysconf("SC_OPEN_MAX"))
    limit(resource.RLIMIT_CORE, 0)
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("1000")


def limit(what: int, most: int) -> None:
    """Limit this process; only the superuser could raise the limit again."""
    resource.setrlimit(what, (most, most))


# Landlock: https://docs.kernel.org/userspace-api/landlock.html

_CREATE, _ADD_RULE, _RESTRICT = 444, 445, 446
"""System calls, which have the same numbers on all machines."""
_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_FOLDER, _REMOVE_FILE, _MAKE_FILE, _TRUNCATE = (
    1 << bit for bit in (0, 1, 2, 3, 5, 8, 14)
)
_OF_FILES = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE
_TCP, _SIGNALS_AND_SOCKETS = 0b11, 0b11


class _Ruleset(ctypes.Structure):
    _fields_ = (("files", ctypes.c_uint64), ("network", ctypes.c_uint64), ("scopes", ctypes.c_uint64))


class _Rule(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("allowed", ctypes.c_uint64), ("folder", ctypes.c_int32))


def _landlock_version() -> int:
    return _LIBC.syscall(_CREATE, None, ctypes.c_size_t(0), 1)


def _close_files(readable: Iterable[str | Path], own: Path | None, *, becomes_another: bool) -> None:
    version = _landlock_version()
    if version < 1:
        return
    # Newer versions have more rights, all of which are refused unless they are given below.
    rights = 13 + (version >= 2) + (version >= 3) + (version >= 5)
    handled = _Ruleset((1 << rights) - 1, _TCP if version >= 4 else 0, _SIGNALS_AND_SOCKETS if version >= 6 else 0)
    size = 8 * (1 + (version >= 4) + (version >= 6))
    ruleset = _checked(_LIBC.syscall(_CREATE, ctypes.byref(handled), ctypes.c_size_t(size), 0))
    reads = _READ_FILE | _READ_FOLDER | (_EXECUTE if becomes_another else 0)
    rules = [(path, reads) for path in (*LIBRARIES, *readable)]
    if own is not None:
        writes = _WRITE_FILE | _REMOVE_FILE | _MAKE_FILE | (_TRUNCATE if version >= 3 else 0)
        rules.append((own, _READ_FILE | _READ_FOLDER | writes))
    for path, allowed in rules:
        if os.path.exists(path):
            folder = os.open(path, os.O_PATH | os.O_CLOEXEC)
            rule = _Rule(allowed if os.path.isdir(path) else allowed & _OF_FILES, folder)
            _checked(_LIBC.syscall(_ADD_RULE, ruleset, 1, ctypes.byref(rule), 0))
            os.close(folder)
    _checked(_LIBC.syscall(_RESTRICT, ruleset, 0))
    os.close(ruleset)


# seccomp: https://man7.org/linux/man-pages/man3/seccomp_rule_add.3.html

_ALLOW, _REFUSE = 0x7FFF0000, 0x00050000
_NOT_EQUAL, _MASKED_EQUAL = 1, 7
_THREAD = 0x00010000
"""The flag of `clone` that starts a thread."""

_REFUSED = (
    # network
    *("socket", "socketpair", "connect", "bind", "listen", "accept", "accept4", "io_uring_setup"),
    # other processes
    *("ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "pidfd_open", "pidfd_getfd", "kcmp"),
    *("pidfd_send_signal", "tkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo", "setpriority", "sched_setaffinity"),
    *("shmget", "shmat", "msgget", "semget", "mq_open", "fork", "vfork", "setsid", "setpgid"),
    # files that Landlock does not refuse everywhere: sizes, rights, owners, times and attributes
    *("truncate", "chmod", "fchmod", "fchmodat", "fchmodat2", "chown", "fchown", "lchown", "fchownat", "utime"),
    *("utimes", "futimesat", "utimensat", "setxattr", "lsetxattr", "fsetxattr", "removexattr", "lremovexattr"),
    # the kernel
    *("mount", "umount2", "move_mount", "pivot_root", "chroot", "unshare", "setns", "bpf", "perf_event_open"),
    *("userfaultfd", "keyctl", "add_key", "request_key", "setrlimit"),
)
_PROGRAMS = ("execve", "execveat")


class _Argument(ctypes.Structure):
    _fields_ = (
        ("number", ctypes.c_uint), ("comparison", ctypes.c_int), ("value", ctypes.c_uint64), ("other", ctypes.c_uint64)
    )  # fmt: skip


def _library() -> ctypes.CDLL | None:
    try:
        library = ctypes.CDLL(_SECCOMP)
    except OSError:
        return None
    library.seccomp_init.restype = ctypes.c_void_p
    library.seccomp_rule_add_array.argtypes = (
        *(ctypes.c_void_p, ctypes.c_uint32, ctypes.c_int, ctypes.c_uint), ctypes.POINTER(_Argument)
    )  # fmt: skip
    library.seccomp_load.argtypes = library.seccomp_release.argtypes = (ctypes.c_void_p,)
    return library


def _close_calls(*, becomes_another: bool) -> None:
    library = _library()
    if library is None:
        return
    rules = library.seccomp_init(_ALLOW)

    def refuse(name: str, *arguments: _Argument, error: int = errno.EPERM) -> None:
        number = library.seccomp_syscall_resolve_name(name.encode())
        if number >= 0:  # otherwise this machine does not have it
            listed = (_Argument * len(arguments))(*arguments)
            _checked(library.seccomp_rule_add_array(rules, _REFUSE | error, number, len(arguments), listed))

    for name in (*_REFUSED, *(() if becomes_another else _PROGRAMS)):
        refuse(name)
    refuse("kill", _Argument(0, _NOT_EQUAL, os.getpid()))
    refuse("tgkill", _Argument(0, _NOT_EQUAL, os.getpid()))
    refuse("prlimit64", _Argument(2, _NOT_EQUAL, 0))
    refuse("clone", _Argument(0, _MASKED_EQUAL, _THREAD, 0))
    # Its flags are in memory, where no filter sees them. The C library then calls `clone`.
    refuse("clone3", error=errno.ENOSYS)
    _checked(library.seccomp_load(rules))
    library.seccomp_release(rules)


def _checked(result: int) -> int:
    """The result of a call, or an error: a process that should be confined and is not must not go on."""
    if result < 0:
        raise OSError(ctypes.get_errno() or -result, "this process cannot be confined")
    return result


def confined(command: Sequence[str]) -> list[str]:
    """The command that starts a command confined: without an environment of Python, and with nothing but this file."""
    return [sys.executable, "-I", __file__, *command]


def main(command: list[str]) -> None:
    """Become a command that can read the folders of the files that it names, and write no file.

    It has no limit of memory: engines of JavaScript reserve much more than they use.
    """
    begin()
    limit(resource.RLIMIT_FSIZE, 0)
    folders = [Path(word).parent for word in command if os.path.isfile(word)]
    confine(readable=(*folders, *_FOR_PROGRAMS), becomes_another=True)
    os.execv(command[0], command)  # noqa: S606 - without a shell on purpose


if __name__ == "__main__":
    main(sys.argv[1:])
