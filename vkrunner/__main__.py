"""The command `sm5vk`: parses, calls a verb, and turns what goes wrong into one line and a code.

0 good, 1 a check failed, 2 bad usage or bad input, 3 no device or the driver failed.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from types import ModuleType

from translate import TranslateError, Where
from vkrunner.cli import asm, devices, disasm, inspect, run, translate
from vkrunner.errors import RunnerError

VERBS: dict[str, ModuleType] = {
    "devices": devices,
    "translate": translate,
    "disasm": disasm,
    "asm": asm,
    "inspect": inspect,
    "run": run,
}

BAD_INPUT = 2
INTERRUPTED = 130  # 128 + SIGINT
BROKEN_PIPE = 141  # 128 + SIGPIPE


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and give its exit code."""
    words = list(sys.argv[1:] if argv is None else argv)
    try:
        return _main(words)
    except SystemExit as stop:  # argparse, after its help or its complaint
        return stop.code if isinstance(stop.code, int) else BAD_INPUT
    except BrokenPipeError:
        _drop_stdout()
        return BROKEN_PIPE
    except KeyboardInterrupt:
        return INTERRUPTED
    except (TranslateError, RunnerError, OSError, MemoryError) as error:
        print(_message(error), file=sys.stderr)
        return error.exit_code if isinstance(error, RunnerError) else BAD_INPUT


def _main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="sm5vk", description="Direct3D compute shaders on Vulkan.", allow_abbrev=False
    )
    verbs = parser.add_subparsers(dest="verb", metavar="VERB", required=True)
    for name, module in VERBS.items():
        verb = verbs.add_parser(
            name,
            help=module.HELP,
            description=module.__doc__,
            allow_abbrev=False,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        module.configure(verb)
    resources: dict[str, str] = {}
    if words[:1] == ["run"]:
        words, resources = run.split_resources(words)
    arguments = parser.parse_args(words)
    arguments.resources = resources
    code: int = VERBS[arguments.verb].run(arguments)
    sys.stdout.flush()
    return code


def _message(error: Exception) -> str:
    if isinstance(error, TranslateError) and error.where != Where():
        return str(error)  # begins with the place
    if isinstance(error, OSError) and error.strerror:
        named = f"{error.filename}: " if error.filename is not None else ""
        return f"sm5vk: error: {named}{error.strerror}"
    return f"sm5vk: error: {str(error) or 'there is not enough memory'}"


def _drop_stdout() -> None:
    """Python flushes standard output once more when it ends: let that succeed."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(main())
