"""BoundResources: a test's resources on the device, and the arguments of its dispatches."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from translate import Binding, ShaderInterface
from translate.dataclass import replace
from translate.errors import escaped, listed
from translate.interface import (
    CONSTANT_BUFFER,
    RAW_BUFFER,
    SAMPLER,
    STRUCTURED_BUFFER,
    TEXTURE,
    TYPED_BUFFER,
    register_name,
    register_place,
)
from vkrunner import ArgumentError, Device, Sampler
from vkrunner.binding.registers import Key, find, written
from vkrunner.shadertest.cases import (
    BoundSection,
    Constants,
    CounterProbe,
    LastingKey,
    Number,
    Pattern,
    Probe,
    Resource,
    SamplerSection,
    Uniform,
    Values,
)
from vkrunner.shadertest.cursor import Token
from vkrunner.shadertest.device_resources import DeviceResource, check_fit, count_of, make_resource
from vkrunner.shadertest.encoding import MOST_BYTES, encode, fill
from vkrunner.values.elements import ElementType, Leaf, element_of_dtype, element_of_dwords
from vkrunner.values.numbers import Array, counted

_VARIABLE = re.compile(r"\w+")
_KINDS = {  # section -> kinds of bindings that it can describe
    Constants: (CONSTANT_BUFFER,),
    SamplerSection: (SAMPLER,),
    Resource: (STRUCTURED_BUFFER, RAW_BUFFER, TYPED_BUFFER, TEXTURE),
}
_DWORD = 4
_MOST_ELEMENTS = 1 << 16  # of an array of resources; null ones take memory too
Place = tuple[Binding, int]  # a binding, and the element of an array of resources


def constant_data(record: Constants, binding: Binding) -> Array:
    """The bytes of a constant buffer, u8[n]. Raises ShaderTestError."""
    if record.members:
        return _members(record, binding)
    element = record.type or element_of_dwords(1)
    count = count_of(record.values, element, binding.size_bytes or 0)
    data = fill(record.values, element, count, record.token).reshape(-1)
    if record.type is None and binding.dtype is not None:
        _check_floats(record.values, element_of_dtype(binding.dtype), data)
    return data


def _check_floats(values: Values, element: ElementType, data: Array) -> None:
    """Raise ShaderTestError for an integer in the place of a float: its bits are another number.

    Zeros have the same bits, and hexadecimal numbers are meant as bits. `element` has the variables
    of RDEF.
    """
    if isinstance(values, Pattern) and (values.path is not None or values.name == "zeros"):
        return
    for leaf in element.leaves:
        if leaf.dtype is None or leaf.dtype.kind != "f" or not data[leaf.place].any():
            continue
        numbers = values.numbers if isinstance(values, Pattern) else _written(values, leaf)
        if not any(number.is_float or number.is_hex for number in numbers):
            token = values.token if isinstance(values, Pattern) else numbers[0].token
            raise token.error(_float_text(leaf, token.text, is_rule=isinstance(values, Pattern)))


def _written(values: Sequence[Number | None], leaf: Leaf) -> list[Number]:
    """The numbers, one for each dword, in the place of a leaf, without integers that are 0."""
    there = values[leaf.offset // _DWORD : leaf.place.stop // _DWORD]
    return [n for n in there if n is not None and (n.is_float or n.value)]


def _float_text(leaf: Leaf, text: str, *, is_rule: bool) -> str:
    name = escaped(leaf.name[1:])
    if is_rule:
        return f"{name} is a float, {text} makes integers: write its numbers with a point, fill 1.0"
    if leaf.size != _DWORD:
        return f"{name} has {leaf.size} bytes: write the variables by name, {name} = {text}.0"
    return f"{name} is a float: write {text}.0, or {int(text) & 0xFFFFFFFF:#x} for its bits"


def _members(record: Constants, binding: Binding) -> Array:
    label = binding.label
    if binding.dtype is None or binding.dtype.names is None:
        first = next(iter(record.members))
        raise first.error(f"{label} has no names: the shader comes without RDEF; write numbers")
    element = element_of_dtype(binding.dtype)
    data: Array = np.zeros(element.itemsize, np.uint8)
    given: set[str] = set()
    optional: set[str] = set()  # variables with an initialiser, and those that nothing reads
    for constant in binding.constants or ():
        if constant.default is not None:
            end = constant.offset + len(constant.default)
            data[constant.offset : end] = np.frombuffer(constant.default, np.uint8)
        if constant.default is not None or not constant.used:
            optional.add(constant.name)
    for token, numbers in record.members.items():
        leaves = element.field(f".{token.text}")
        if not leaves:
            there = listed(binding.dtype.names)
            raise token.error(f"{label} has no {token.text!r}; it has {there}")
        if len(leaves) != len(numbers):
            wanted = counted(len(leaves), "number")
            raise token.error(f"{token.text} takes {wanted}, not {len(numbers)}")
        put(data, leaves, numbers)
        given.update(leaf.name for leaf in leaves)
    missing = [
        leaf.name[1:]
        for leaf in element.leaves
        if leaf.name not in given and _VARIABLE.findall(leaf.name)[0] not in optional
    ]
    if missing:
        raise record.token.error(f"{label} lacks {listed(missing[:8])}")
    return data


def put(data: Array, leaves: Sequence[Leaf], numbers: Sequence[Number]) -> None:
    """Write numbers into the bytes of an element, at the places of its leaves.

    Raises ShaderTestError.
    """
    for leaf, number in zip(leaves, numbers, strict=True):
        bits = encode(number, leaf).to_bytes(leaf.size, "little")
        data[leaf.place] = np.frombuffer(bits, np.uint8)


class BoundResources:
    """Resources, constants and samplers by register; `close` frees them."""

    def __init__(self, device: Device):
        self._device = device
        self._records: dict[str, BoundSection] = {}
        self._resources: dict[str, DeviceResource] = {}
        self._constants: dict[str, Array] = {}
        self._samplers: dict[str, Sampler] = {}

    def make(self, record: BoundSection, interface: ShaderInterface | None) -> None:
        """Make the resource, constants or sampler of a section, unless this was done before.

        Without a shader (`interface` is None), make only those that need none. Raises
        ShaderTestError if, unless the key is lasting, the section does not fit the shader or
        another section has the register.
        """
        lasts = isinstance(record.key, LastingKey)
        if interface is None and not (lasts and register_place(record.key)):
            return
        place = self._find(interface, record.key, record.token, type(record))
        register = _register(*place) if place is not None else record.key
        before = self._records.get(register)
        if before is record:
            return
        if before is not None and not lasts:
            line = before.token.line.number
            raise record.token.error(f"line {line} has this resource already")
        binding = place[0] if place is not None else None
        if place is not None and place[1] >= _MOST_ELEMENTS:
            raise record.token.error(f"an array has at most {_MOST_ELEMENTS} resources in a test")
        if isinstance(record, Constants):
            if binding is None:
                return
            self._constants[register] = constant_data(record, binding)
        elif isinstance(record, SamplerSection):
            self._samplers[register] = self._device.sampler(**record.settings)
        elif binding is not None or record.describes_itself:
            self._close(register)
            if binding is not None and not lasts:
                check_fit(record, binding)
            described, described_by = record, None if _is_another(record, binding) else binding
            if binding is not None and binding.kind == TYPED_BUFFER and record.element is None:
                described = replace(record, format=record.usual_format)
            left = MOST_BYTES - sum(made.nbytes for made in self._resources.values())
            made = make_resource(self._device, interface, described, described_by, left)
            self._resources[register] = made
        else:
            return
        self._records[register] = record

    def set_uniform(self, step: Uniform, interface: ShaderInterface | None) -> None:
        """Write a step's constants to a constant buffer; a buffer that is too short grows."""
        place = self._find(interface, step.key, step.token, Constants)
        register = _register(*place) if place is not None else step.key
        before = self._constants.get(register, np.zeros(0, np.uint8))
        first = step.offset * _DWORD
        data: Array = np.zeros(max(before.nbytes, first + step.element.itemsize), np.uint8)
        data[: before.nbytes] = before
        put(data[first:], step.element.leaves, step.values)
        self._constants[register] = data

    def probed(
        self, probe: Probe | CounterProbe, interface: ShaderInterface | None
    ) -> DeviceResource:
        """The resource of a probe. Raises ShaderTestError if it does not exist."""
        place = self._find(interface, probe.key, probe.target, Resource)
        found = self._resources.get(_register(*place) if place is not None else probe.key)
        if found is None:
            raise probe.target.error(f"no section above describes {probe.target.text}")
        if found.is_null:
            raise probe.target.error(f"{found.label} is null: there is nothing to probe")
        return found

    def arguments(self, interface: ShaderInterface) -> dict[Key, Any]:
        """The bindings of a dispatch by register: lists for arrays of resources."""
        values: dict[str, Any] = {**self._resources, **self._samplers}
        values |= {register: data.tobytes() for register, data in self._constants.items()}
        places: dict[tuple[str, int], Any] = {}
        for register, value in values.items():
            place = _place(interface, register)
            if place is None:
                continue  # the shader does not use it
            binding, element = place
            is_resource = isinstance(value, DeviceResource)
            argument = value.argument(binding) if is_resource else value
            places[binding.register, element] = argument
        return _with_elements(interface, places)

    def damaged(self) -> Iterable[tuple[DeviceResource, list[str]]]:
        """The resources with changed bytes around their views, and lines about the changes."""
        rows = ((made, made.damage()) for made in self._resources.values())
        return [(made, details) for made, details in rows if details]

    def close(self) -> None:
        """Free their memory on the device."""
        for register in list(self._resources):
            self._close(register)

    def _close(self, register: str) -> None:
        made = self._resources.pop(register, None)
        if made is not None:
            made.close()

    def _find(
        self, interface: ShaderInterface | None, key: str, token: Token, kind: type[BoundSection]
    ) -> Place | None:
        """The binding and element of a section's key, which is a register or an HLSL name.

        None for a lasting register that the shader does not have. Raises ShaderTestError for an
        unknown key, and if the binding is of another kind.
        """
        is_register = register_place(key) is not None
        if (
            isinstance(key, LastingKey)
            and is_register
            and (interface is None or _place(interface, key) is None)
        ):
            return None
        if interface is None:
            raise token.error(f"{key} is a name in the shader, which is not there")
        is_number = is_register and key not in token.text  # `[srv 0]`, not `[srv t0]`
        try:
            binding, element = find(interface, written(interface, key) if is_number else key)
        except ArgumentError as error:
            raise token.error(str(error)) from None
        if binding.kind not in _KINDS[kind]:
            raise token.error(f"{binding.label} is a {binding.kind.replace('_', ' ')}")
        if kind is Resource and not is_register:
            _check_class(key, token, binding)
        return binding, element or 0


def _check_class(name: str, token: Token, binding: Binding) -> None:
    """Raise ShaderTestError if a line says `uav` before the HLSL name of an SRV, or the reverse."""
    word, others = (
        ("srv", {"uav"}) if binding.register_class == "t" else ("uav", {"srv", "texture"})
    )
    if others.intersection(token.text.strip("[] ").removesuffix(name).split()):
        text = f"[{word} {name}]" if token.text.startswith("[") else f"{word} {name}"
        raise token.error(f"{name} is {binding.register}: write {text}")


def _is_another(record: Resource, binding: Binding | None) -> bool:
    """Whether a lasting section has a buffer but the shader a texture, or the reverse.

    The dispatch then fails, which a test may expect.
    """
    if not isinstance(record.key, LastingKey) or binding is None or record.size is None:
        return False
    return record.size.is_buffer == (binding.kind == TEXTURE) and record.describes_itself


def _place(interface: ShaderInterface, register: str) -> Place | None:
    try:
        binding, element = find(interface, written(interface, register))
    except ArgumentError:
        return None
    return binding, element or 0


def _register(binding: Binding, element: int) -> str:
    """The register of one element of an array of resources: t4 for element 2 of t2."""
    place = register_place(binding.register)
    assert place is not None
    letters, space, number = place
    return register_name(letters, number + element, space)


def _with_elements(
    interface: ShaderInterface, values: Mapping[tuple[str, int], Any]
) -> dict[Key, Any]:
    made: dict[Key, Any] = {}
    for (register, element), value in values.items():
        count, key = interface[register].count, written(interface, register)
        if count == 1:
            made[key] = value
            continue
        row: list[Any] = made.setdefault(key, [None] * count)
        row.extend([None] * (element + 1 - len(row)))
        row[element] = value
    return made
