"""`python -m tests.portable.lacking [--no-tools] WORD...`: sm5vk without parts of Linux.

Removes what Python has on POSIX systems only, and with --no-tools SPIRV-Tools, and then runs
`sm5vk WORD...`. The single word `import` imports every module instead.
"""

import ctypes
import os
import pkgutil
import signal
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any

# "Availability: Unix" in the Python library reference, or missing on Windows
MODULES = (
    *("fcntl", "grp", "pwd", "resource", "termios", "tty", "pty", "syslog", "readline", "curses"),
    *("crypt", "nis", "ossaudiodev", "spwd", "posix_ipc", "uvloop"),
)
# Standard modules that have other implementations on Windows; those of Linux need what is removed
LIBRARY = (
    "concurrent.futures.process",
    "multiprocessing.popen_spawn_posix",
    "multiprocessing.resource_tracker",
)
OS = (
    *("fork", "forkpty", "register_at_fork", "wait", "wait3", "wait4", "waitid"),
    *("getuid", "geteuid", "getgid", "getegid", "getgroups", "getpgid", "getsid", "setsid"),
    *("setuid", "setgid", "chown", "fchown", "lchown", "chroot", "mkfifo", "mknod", "killpg"),
    *("sysconf", "confstr", "getloadavg", "nice", "statvfs", "fstatvfs", "sync"),
    *("pread", "pwrite", "preadv", "pwritev", "readv", "writev", "sendfile", "posix_fadvise"),
    *("posix_fallocate", "memfd_create", "eventfd", "pidfd_open", "pipe2", "splice", "openpty"),
    *("sched_getaffinity", "sched_setaffinity", "sched_yield", "ttyname", "ctermid", "lockf"),
    *("O_CLOEXEC", "O_NOFOLLOW", "O_DIRECTORY", "O_NONBLOCK", "O_SYNC", "O_DSYNC", "O_NOCTTY"),
)
SIGNALS = ("SIGKILL", "SIGALRM", "SIGHUP", "SIGPIPE", "SIGUSR1", "SIGUSR2", "SIGCHLD", "SIGQUIT")
OF_SIGNAL = ("alarm", "setitimer", "pause", "pthread_kill", "sigwait")


class _NotThere:
    """A module finder that hides some modules."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> None:
        if name in MODULES:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


def take_away() -> None:
    """Remove what is not on every system from this process."""
    for name in LIBRARY:
        import_module(name)
    for name in MODULES:
        sys.modules.pop(name, None)
    sys.meta_path.insert(0, _NotThere())  # pyright: ignore[reportArgumentType]
    for module, names in ((os, OS), (signal, (*SIGNALS, *OF_SIGNAL))):
        for name in names:
            if hasattr(module, name):
                delattr(module, name)
    os.supports_dir_fd.clear()
    os.supports_fd.clear()


def take_tools_away() -> None:
    """Hide SPIRV-Tools from this process."""
    real = ctypes.CDLL

    def refusing(name: str, *given: Any, **named: Any) -> ctypes.CDLL:
        if "SPIRV-Tools" in str(name):
            raise OSError(f"{name}: cannot open shared object file")
        return real(name, *given, **named)

    ctypes.CDLL = refusing  # pyright: ignore[reportAttributeAccessIssue]


def _import_all() -> int:
    for package in map(import_module, ("translate", "vkrunner")):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            import_module(module.name)
            print(module.name)
    return 0


def main(words: Sequence[str]) -> int:
    """Remove these parts, and run."""
    take_away()
    if words[0] == "--no-tools":
        take_tools_away()
        words = words[1:]
    if words == ["import"]:
        return _import_all()
    from vkrunner.__main__ import main as sm5vk

    return sm5vk(words)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
