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
    from translate import (  # not `Profile`
        AssemblyError as AssemblyError,
    )
    from translate import (
        Binding as Binding,
    )
    from translate import (
        ClassInstance as ClassInstance,
    )
    from translate import (
        CompiledHlsl as CompiledHlsl,
    )
    from translate import (
        CompileError as CompileError,
    )
    from translate import (
        Constant as Constant,
    )
    from translate import (
        DecodeError as DecodeError,
    )
    from translate import (
        DenormalMode as DenormalMode,
    )
    from translate import (
        DenormalTest as DenormalTest,
    )
    from translate import (
        ExactFunction as ExactFunction,
    )
    from translate import (
        ExactSample as ExactSample,
    )
    from translate import (
        ExplainedAccess as ExplainedAccess,
    )
    from translate import (
        ExplainedFile as ExplainedFile,
    )
    from translate import (
        ExplainedLine as ExplainedLine,
    )
    from translate import (
        Explanation as Explanation,
    )
    from translate import (
        FloatControl as FloatControl,
    )
    from translate import (
        FormatName as FormatName,
    )
    from translate import (
        GuardMode as GuardMode,
    )
    from translate import (
        HlslOptions as HlslOptions,
    )
    from translate import (
        HlslOptionsDict as HlslOptionsDict,
    )
    from translate import (
        IndexingFeature as IndexingFeature,
    )
    from translate import (
        ListingWarning as ListingWarning,
    )
    from translate import (
        OptionError as OptionError,
    )
    from translate import (
        Options as Options,
    )
    from translate import (
        OptionsDict as OptionsDict,
    )
    from translate import (
        Program as Program,
    )
    from translate import (
        ProgramError as ProgramError,
    )
    from translate import (
        RobustAccess as RobustAccess,
    )
    from translate import (
        SamplingMode as SamplingMode,
    )
    from translate import (
        ShaderInterface as ShaderInterface,
    )
    from translate import (
        SizeTables as SizeTables,
    )
    from translate import (
        SpirvModule as SpirvModule,
    )
    from translate import (
        Statement as Statement,
    )
    from translate import (
        Target as Target,
    )
    from translate import (
        TranslateError as TranslateError,
    )
    from translate import (
        UnsupportedError as UnsupportedError,
    )
    from translate import (
        VerifyError as VerifyError,
    )
    from translate import (
        Where as Where,
    )
    from translate import (
        Workaround as Workaround,
    )
    from translate import (
        assemble as assemble,
    )
    from translate import (
        compile_hlsl as compile_hlsl,
    )
    from translate import (
        disassemble as disassemble,
    )
    from translate import (
        explain as explain,
    )
    from translate import (
        load as load,
    )
    from translate import (
        reference as reference,
    )
    from translate import (
        to_spirv as to_spirv,
    )
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
