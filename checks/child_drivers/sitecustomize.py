"""Runs at the start of every process that has this folder in PYTHONPATH: plays a faulty driver.

`checks.driver.play_in_children` sets the variable, which names a function and its arguments.
"""

from __future__ import annotations

import importlib
import os
import sys
import traceback
from pathlib import Path


def play(module: str, function: str, *arguments: str) -> None:
    from checks.driver import Driver
    from vkrunner.vulkan.loader import vk

    binding = vk.binding()
    binding.lib = driver = Driver(binding.lib)
    getattr(importlib.import_module(module), function)(driver, *arguments)


if "SM5VK_TEST_PLAY" in os.environ:
    sys.path.insert(0, str(Path(__file__).parents[2]))
    try:
        play(*os.environ["SM5VK_TEST_PLAY"].split(":"))
    except BaseException:  # Python would print it, and go on
        traceback.print_exc()
        os._exit(1)
