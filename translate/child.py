"""The command of a child process that runs a module of this project, and nothing of other folders.

The child imports this project from the folder from which this process imported it, and all else
from where a new interpreter finds it; the other folders of this process's import path come last.
The working folder is not among them (`-P`), so that a file there cannot replace a module.
"""

from __future__ import annotations

import sys
from pathlib import Path

_START = (
    "import runpy, sys; sys.path.insert(0, sys.argv[2]); sys.path += sys.argv[3:];"
    " runpy.run_module(sys.argv[1], run_name='__main__', alter_sys=True)"
)


def python_command(module: str) -> list[str]:
    """The words of a command that runs a module, such as `vkrunner.vulkan.machine_code`."""
    own = str(Path(__file__).parents[1])
    others = [path for path in sys.path if path and path != own]
    return [sys.executable, "-P", "-W", "ignore", "-c", _START, module, own, *others]
