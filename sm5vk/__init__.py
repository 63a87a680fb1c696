"""Direct3D Shader Model 4/5 compute shaders on Vulkan: the public names of both packages.

`translate` makes SPIR-V of shaders, `vkrunner` runs it. Each name is imported at its first use.
`sm5vk.Profile` is that of `vkrunner`, the times of dispatches; `translate.Profile` are the profiles
of HLSL.

Examples
--------
>>> import numpy as np
>>> import sm5vk
>>> module = sm5vk.to_spirv(sm5vk.load("shaders/saxpy.dxbc"))
>>> module.interface.thread_group
(64, 1, 1)
>>> with sm5vk.open_device("reference") as device:
...     kernel = device.kernel("shaders/saxpy.dxbc")
...     x, y = np.arange(4, dtype=np.float32), np.ones(4, np.float32)
...     kernel.dispatch(1, x=x, y=y, Params={"a": 2, "count": 4}).y
array([1., 3., 5., 7.], dtype=float32)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

import translate
import vkrunner

if TYPE_CHECKING:
    from translate import *  # noqa: F403
    from translate import reference as reference
    from vkrunner import *  # noqa: F403
    from vkrunner import testing as testing

__all__ = ["reference", "testing"]
__all__ += translate.__all__
__all__ += vkrunner.__all__

_MODULES = {"reference": "translate.reference", "testing": "vkrunner.testing"}


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        value = import_module(_MODULES[name])
    elif name in __all__:
        value = getattr(vkrunner if name in vkrunner.__all__ else translate, name)
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*__all__})
