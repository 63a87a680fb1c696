"""A command that runs a shader as it is, for somebody to put arrays of their own into."""

from __future__ import annotations

import shlex

from translate import ShaderInterface
from translate.interface import CONSTANT_BUFFER, COUNTER, SAMPLER, TEXTURE, Binding
from vkrunner.cli.run import option_arities
from vkrunner.cli.values import leaves
from vkrunner.values.dimensions import dimension_of_name

_LENGTH = "1024"  # elements of a buffer
_SIDE = 64  # texels of a texture, in each direction
_LAYERS, _SAMPLES, _COMPONENTS = 6, 4, 4
_DEFAULT = (COUNTER, SAMPLER)  # what may be left out


def command_for(source: str, interface: ShaderInterface) -> str:
    """`sm5vk run` with one group, and zeros for everything that has to be bound."""
    words = ["sm5vk", "run", source, "--groups", "1,1,1"]
    for binding in interface:
        if binding.kind not in _DEFAULT:
            words += [f"--{_key(binding)}", ";".join([_zeros(binding)] * max(binding.count, 1))]
    return shlex.join(words)


def _key(binding: Binding) -> str:
    """The HLSL name, where it is there and no option has it too."""
    if binding.name is None or f"--{binding.name}" in option_arities():
        return binding.register
    return binding.name


def _zeros(binding: Binding) -> str:
    if binding.kind == CONSTANT_BUFFER:
        return _constants(binding)
    if binding.kind == TEXTURE:
        return f"zeros:{_texture_shape(binding)}"
    return f"zeros:{_LENGTH}"


def _constants(binding: Binding) -> str:
    """Every variable by its name; without names, dwords."""
    if binding.constants is None:
        return f"zeros:{(binding.size_bytes or 16) // 4}:u4"
    return ",".join(f"{c.name}={':'.join('0' * leaves(c))}" for c in binding.constants)


def _texture_shape(binding: Binding) -> str:
    dimension = dimension_of_name((binding.dimension or "").removeprefix("texture"))
    sides = [_LAYERS] * dimension.layered + [_SIDE] * dimension.axes
    sides += [_SAMPLES] * dimension.multisampled
    if not (binding.atomic or binding.comparison):  # which take one component
        sides.append(_COMPONENTS)
    return "x".join(map(str, sides))
