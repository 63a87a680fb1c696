"""The only module that uses the `vulkan` package: its types, without its wrappers.

The wrappers free memory that structs point to, drop falsy arguments, and check results unevenly.
Here a struct from `struct` keeps the targets of its pointers alive, `sType` is derived from the
type's name, and `call` checks VkResult.
"""

from __future__ import annotations

import functools
import importlib
import os
import re
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from operator import getitem
from threading import RLock
from typing import Any, cast

from vkrunner.errors import NoDeviceError, vulkan_error
from vkrunner.resources.device_objects import Collected
from vkrunner.vulkan.loader.deletion import Deletions

Handle = Any  # a cffi handle; the binding is untyped
WHOLE_SIZE = 2**64 - 1

_INCOMPLETE = 5  # VK_INCOMPLETE
_EXTENSION_NOT_PRESENT = -7  # VK_ERROR_EXTENSION_NOT_PRESENT
_MOST_TURNS = 8  # a list that grows in each of them is a fault of the driver

_WORDS = re.compile(r"(?<=Vulkan)\d|(?:Float|Int)\d+|[A-Z]+(?=[A-Z][a-z])|[A-Z][a-z]+|[A-Z]+|\d+")
_kept = Collected[list[Any]]()  # the objects that structs and arrays point to

NO_LOADER = (
    "no Vulkan loader (libvulkan.so.1) is installed; on Debian and Ubuntu:"
    " apt-get install libvulkan1 mesa-vulkan-drivers"
)


_TYPES = "vulkan._vulkancache"
_LIBRARIES = ("libvulkan.so.1", "vulkan-1.dll", "libvulkan.dylib")
_loading = RLock()
_bindings: list[Binding] = []


class Binding:
    """The types of the package `vulkan`, and the loader library with its functions and constants.

    `lib` may be replaced by a driver that a test plays.
    """

    def __init__(self) -> None:
        self.ffi: Any = _types()
        self._own = self.lib = self._library()

    def _library(self) -> Any:
        for name in _LIBRARIES:
            with suppress(OSError):
                return self.ffi.dlopen(name)
        raise NoDeviceError(NO_LOADER)

    def constant(self, name: str) -> int:
        """The value of an enumerant or macro."""
        try:
            return int(getattr(self._own, name))
        except AttributeError:
            return int(getattr(importlib.import_module("vulkan._vulkan"), name))


def _types() -> Any:
    """cffi's FFI of the package, without its wrappers of all functions: they take 15 ms."""
    found = sys.modules.get(_TYPES)
    if found is None:
        package = find_spec("vulkan")
        if package is None:
            raise ImportError("there is no such package")
        folder = (package.submodule_search_locations or [""])[0]
        spec = spec_from_file_location(_TYPES, os.path.join(folder, "_vulkancache.py"))
        if spec is None or spec.loader is None or not os.path.isfile(spec.origin or ""):
            return importlib.import_module(_TYPES).ffi
        found = module_from_spec(spec)
        spec.loader.exec_module(found)
        sys.modules[_TYPES] = found  # for a program that imports the package itself
    return found.ffi


@functools.cache
def binding() -> Binding:
    """The binding. Raises NoDeviceError if the machine has no loader."""
    with _loading:
        if not _bindings:
            try:
                _bindings.append(Binding())
            except ImportError as error:
                text = f"the Python package 'vulkan' cannot be imported: {error}"
                raise NoDeviceError(text) from error
        return _bindings[0]


def ffi() -> Any:
    """cffi's FFI with all Vulkan types."""
    return binding().ffi


def lib() -> Any:
    """The loader library. Its functions return VkResult unchecked."""
    return binding().lib


@functools.cache
def constant(name: str) -> int:
    """The value of an enumerant. Names promoted to core must be given without their suffix."""
    return binding().constant(name)


@functools.cache
def flags(prefix: str, *names: str) -> int:
    """The union of flag bits: `flags("VK_BUFFER_USAGE", "STORAGE_BUFFER", "TRANSFER_SRC")`."""
    return functools.reduce(int.__or__, (constant(f"{prefix}_{name}_BIT") for name in names), 0)


def version(major: int, minor: int) -> int:
    """VK_MAKE_API_VERSION with variant and patch 0."""
    return major << 22 | minor << 12


def struct(type_name: str, **fields: Any) -> Any:
    """A pointer to a new struct with `sType` set.

    A field takes a number, a handle, text, another struct (by value or by pointer, whichever the
    type has), or a sequence of these for an array.
    """
    kinds, structure_type = _layout(type_name)
    made = ffi().new(type_name + "*")
    if structure_type is not None:
        made.sType = structure_type
    kept: list[Any] = []
    for name, value in fields.items():
        setattr(made, name, _field_value(kinds[name], value, kept))
    if kept:
        _keep(made, kept)
    return made


def array(item_type: str, values: Sequence[Any]) -> Any:
    """A C array. Structs are copied into it; the targets of their pointers stay alive."""
    by_value = ffi().typeof(item_type).kind == "struct"
    made = ffi().new(item_type + "[]", [v[0] if by_value else v for v in values])
    _keep(made, list(values))
    return made


def _keep(made: Any, kept: list[Any]) -> None:
    """Keep the targets of a struct's pointers alive as long as the struct."""
    _kept.drop()
    _kept.watch(made, kept)


def out(type_name: str) -> Any:
    """A pointer to new memory, to which a Vulkan call writes one result."""
    return ffi().new(type_name + "*")


def call(name: str, *arguments: Any) -> None:
    """Call a function of the loader. Raises VulkanError unless it succeeds."""
    check(name, getattr(lib(), name)(*arguments))


def check(name: str, result: int | None) -> None:
    """Raise VulkanError unless a call of `name` returned VK_SUCCESS, or nothing.

    Results such as VK_INCOMPLETE and VK_NOT_READY are no errors in Vulkan, but the call then did
    not do all that its caller needs.
    """
    if result:
        raise vulkan_error(name, result)


def create(name: str, handle_type: str, *arguments: Any, stack: Deletions | None = None) -> Handle:
    """Call a `vkCreate*` or `vkAllocate*` function; its last parameter receives one handle.

    `stack` destroys a child of the device that is the first argument. The destruction is noted
    before the call, because Ctrl-C may come right after it; to destroy a null handle does nothing.
    """
    place = out(handle_type)
    if stack is not None:
        noun = handle_type.removeprefix("Vk")
        end = "vkFreeMemory" if noun == "DeviceMemory" else f"vkDestroy{noun}"
        stack.callback_later(
            getattr(lib(), end), zip([arguments[0]], later(place), [ffi().NULL], strict=True)
        )
    call(name, *arguments, place)
    return place[0]


def create_child(device: Handle, handle_type: str, info: Any, stack: Deletions) -> Handle:
    """Create an object of a device by its `vkCreate*` function; `stack` destroys it."""
    name = f"vkCreate{handle_type.removeprefix('Vk')}"
    return create(name, handle_type, device, info, ffi().NULL, stack=stack)


def later(place: Any) -> Iterable[Handle]:
    """An iterator over one handle, which it reads from `place` only when it is advanced."""
    return map(getitem, [place], [0])


def listing(name: str, item_type: str, *arguments: Any) -> Any:
    """The array that a function fills, as (items, array).

    The items point into the array: keep it while they are used.
    """
    count, items = _filled(name, item_type, "uint32_t", *arguments)
    return [items[i] for i in range(count)], items


def data(name: str, *arguments: Any) -> bytes:
    """The bytes that a function writes."""
    size, chars = _filled(name, "char", "size_t", *arguments)
    return bytes(ffi().buffer(chars, size))


def _filled(name: str, item_type: str, count_type: str, *arguments: Any) -> tuple[int, Any]:
    """Call a function twice: for the length of an array, and to fill the array.

    Again if the array has grown in between. Returns the number of items and the array.
    """
    count, result = out(count_type), _INCOMPLETE
    items: Any = None
    for _ in range(_MOST_TURNS):
        call(name, *arguments, count, ffi().NULL)
        items = ffi().new(f"{item_type}[]", max(1, int(count[0])))
        result = getattr(lib(), name)(*arguments, count, items)
        if result != _INCOMPLETE:
            break
    check(name, result)
    return int(count[0]), items


def instance_extensions(layer: str | None = None) -> frozenset[str]:
    """Names of a layer's instance extensions; without a layer, of the loader and the drivers."""
    source = ffi().NULL if layer is None else layer.encode()
    rows, _owner = listing(
        "vkEnumerateInstanceExtensionProperties", "VkExtensionProperties", source
    )
    return frozenset(text(row.extensionName) for row in rows)


def instance_function(instance: Handle, name: str) -> Any:
    """An instance-level extension function. Raises VulkanError if it is not there."""
    return _function(name, lib().vkGetInstanceProcAddr(instance, name.encode()))


def device_function(device: Handle, name: str) -> Any:
    """A device-level extension function. Raises VulkanError if it is not there."""
    return _function(name, lib().vkGetDeviceProcAddr(device, name.encode()))


def _function(name: str, address: Any) -> Any:
    if address == ffi().NULL:
        raise vulkan_error(name, _EXTENSION_NOT_PRESENT)
    return ffi().cast(f"PFN_{name}", address)


def text(chars: Any) -> str:
    """The text of a C string."""
    return cast(bytes, ffi().string(chars)).decode("utf-8", "replace")


@functools.cache
def _layout(type_name: str) -> tuple[dict[str, Any], int | None]:
    kinds = {name: field.type for name, field in ffi().typeof(type_name).fields}
    if "sType" not in kinds:
        return kinds, None
    words = "_".join(_WORDS.findall(type_name.removeprefix("Vk"))).upper()
    return kinds, constant(f"VK_STRUCTURE_TYPE_{words}")


def _field_value(kind: Any, value: Any, kept: list[Any]) -> Any:
    """The value for a field of this kind; `kept` gets everything that it points to."""
    if isinstance(value, str):
        made = ffi().new("char[]", value.encode())
    elif isinstance(value, (list, tuple)):
        made = _field_array(kind.item, cast("Sequence[Any]", value))
    else:
        made: Any = value
    kept.append(made)
    return made[0] if kind.kind == "struct" else made


def _field_array(item: Any, values: Sequence[Any]) -> Any:
    if item.kind == "pointer" and item.item.cname == "char":
        values = [ffi().new("char[]", v.encode()) for v in values]
    return array(item.cname, values)
