"""The command `sm5vk`: parses its arguments, runs a subcommand, and prints an error as one line.

Exit codes: 0 success, 1 a check failed or results differ, 2 wrong usage or wrong input, 3 no device
or the driver failed. The command's modules are imported by functions, because Ctrl-C within
`command` is no traceback.
"""

from __future__ import annotations

import gc
import os
import sys
import warnings
from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    from collections.abc import Sequence

BAD_INPUT = 2
_WATCHING = ("LD_PRELOAD", "VK_INSTANCE_LAYERS", "VK_LOADER_LAYERS_ENABLE")
INTERRUPTED = 130  # 128 + SIGINT
BROKEN_PIPE = 141  # 128 + SIGPIPE
_NO_THREAD = "can't start new thread"  # Python's message
_OWN_FOLDERS = ("HOME", "XDG_CACHE_HOME")  # Mesa's caches have machine code that it runs
_FOLDERS_OF_THE_LOADER = ("XDG_CONFIG_HOME", "XDG_CONFIG_DIRS", "XDG_DATA_HOME", "XDG_DATA_DIRS")
_COLLECTED = 100_000  # new objects between two garbage collections; imports leave no garbage


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    from translate.errors import ListingWarning, TranslateError
    from vkrunner.errors import RunnerError

    words = list(sys.argv[1:] if argv is None else argv)
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # unneeded; idle threads would spin
    _leave_out_relative_folders()
    gc.set_threshold(_COLLECTED)
    if None in (sys.stdin, sys.stdout, sys.stderr):
        from vkrunner.cli.output import replace_closed_streams

        replace_closed_streams()
    if hasattr(sys.stdout, "reconfigure"):
        stdout: Any = sys.stdout
        stdout.reconfigure(errors="backslashreplace")  # names may have any character
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("default", RuntimeWarning, append=True)
            warnings.simplefilter("always", ListingWarning)
            warnings.showwarning = _show_warning
            return _main(words)
    except SystemExit as stop:  # from argparse, after help or an error
        return stop.code if isinstance(stop.code, int) else BAD_INPUT
    except BrokenPipeError:
        _drop_stdout()
        return BROKEN_PIPE
    except KeyboardInterrupt:
        return INTERRUPTED
    except (TranslateError, RunnerError, OSError, MemoryError, RuntimeWarning) as error:
        _print_error(_message(error))
        return error.exit_code if isinstance(error, RunnerError) else BAD_INPUT
    except RuntimeError as error:
        if str(error) != _NO_THREAD:
            raise
        _print_error("sm5vk: error: no further thread can start: too little memory, or a limit")
        return BAD_INPUT


def _leave_out_relative_folders() -> None:
    """Relative folders, of programs, the loader and drivers, would be in the working folder."""
    for name in _OWN_FOLDERS:
        folder = os.environ.get(name)
        if folder is not None and not os.path.isabs(folder):
            del os.environ[name]
    for name in ("PATH", *_FOLDERS_OF_THE_LOADER):
        folders = os.environ.get(name)
        if folders and not all(map(os.path.isabs, folders.split(os.pathsep))):
            from translate.child import absolute_folders  # rarely needed

            os.environ[name] = os.pathsep.join(absolute_folders(folders))


def _main(words: list[str]) -> int:
    from functools import partial
    from importlib import import_module

    from translate.errors import did_you_mean
    from vkrunner.cli.parser import (
        TAKE_RESOURCES,
        VERBS,
        UsageError,
        check_outputs,
        make_parser,
        overview,
    )

    if not words:
        _print_error(overview().removesuffix("\n"))
        return BAD_INPUT
    chosen = next((word for word in words if not word.startswith("-")), "")
    if chosen and chosen not in VERBS and words[0] == chosen:
        hint = did_you_mean(chosen, VERBS) or "; sm5vk --help lists them"
        _print_error(f"sm5vk: error: no verb {chosen!r}{hint}")
        return BAD_INPUT
    parser = make_parser(chosen, alone=chosen in VERBS and words[0] == chosen)
    verb = parser.by_verb.get(chosen, parser)
    try:
        first = words[0].partition("=")[0]
        if first.startswith("-") and first not in ("--", *parser.options()):
            verb, hint = parser, did_you_mean(first, parser.options())
            raise UsageError(f"unrecognized arguments: {first}{hint}")
        resources: dict[str, str] = {}
        if words[0] in TAKE_RESOURCES:
            from vkrunner.cli.dispatching import misspelt, split_resources

            words, resources = split_resources(words, verb)
            verb.hint = partial(misspelt, resources, verb.options())
        arguments, rest = parser.parse_known_args(words)
        if rest:
            unknown = next((word for word in rest if word.startswith("--")), "")
            hint = did_you_mean(unknown.partition("=")[0], verb.options())
            raise UsageError(f"unrecognized arguments: {' '.join(rest)}{hint}")
        arguments.resources, arguments.parser = resources, verb
        check_outputs(arguments)
        code: int = import_module(f"vkrunner.cli.{arguments.verb}").run(arguments)
    except UsageError as error:
        verb.print_usage(sys.stderr)
        _print_error(f"{verb.prog}: error: {error}")
        return BAD_INPUT
    sys.stdout.flush()
    return code


def _show_warning(message: Warning | str, *_: object) -> None:
    """Print a warning as one line on standard error, without Python's line about its own source.

    A warning about a listing begins with its place in the listing.
    """
    from translate.errors import ListingWarning, Where

    placed = isinstance(message, ListingWarning) and message.where != Where()
    _print_error(str(message) if placed else f"sm5vk: warning: {message}")


def _print_error(text: str) -> None:
    from vkrunner.cli.output import write_message  # needed only for errors

    write_message(text)


def _message(error: Exception) -> str:
    from translate.errors import TranslateError, Where, escaped

    if isinstance(error, TranslateError) and error.where != Where():
        return str(error)  # begins with its place in the input
    if isinstance(error, OSError) and error.strerror:
        named = f"{escaped(str(error.filename))}: " if error.filename is not None else ""
        return f"sm5vk: error: {named}{error.strerror}"
    return f"sm5vk: error: {str(error) or 'not enough memory'}"


def _drop_stdout() -> None:
    """Send standard output to the null device, so that Python's flush at exit succeeds."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def command() -> NoReturn:
    """Run the command line, and end the process.

    Freeing every object first, and the drivers, would take a sixth of the time of `sm5vk run`.
    Processes that have others to wait for end in Python's way, and those with layers or libraries
    of the user's, which may have to write their files then.
    """
    try:
        _end(main())
    except KeyboardInterrupt:  # during imports, or while it ends, perhaps by an earlier one
        os._exit(INTERRUPTED)


def _end(code: int) -> NoReturn:
    threads = sys.modules["threading"].enumerate() if "threading" in sys.modules else ()
    waits = sum(not thread.daemon for thread in threads) > 1 or "multiprocessing" in sys.modules
    is_watched = sys.gettrace() is not None or any(map(os.environ.get, _WATCHING))
    if waits or is_watched or os.name != "posix":
        _end_slowly(code)
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except (OSError, ValueError):
        _end_slowly(code)
    if "ctypes" in sys.modules:  # and thus perhaps libraries whose output is not written yet
        sys.modules["ctypes"].CDLL(None).fflush(None)
    os._exit(code)


def _end_slowly(code: int) -> NoReturn:
    """End in Python's way; Ctrl-C then kills the process, and is no traceback."""
    import signal

    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.exit(code)


if __name__ == "__main__":
    command()
