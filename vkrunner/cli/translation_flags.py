"""The flags of `translate.Options`, one a field; `--for`, `--for-device` and `--for-profile`."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import (
    TYPE_CHECKING,
    Any,
    Literal,
    NamedTuple,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

import translate
from translate.dataclass import fields
from translate.interface import STORAGE_IMAGE, STORAGE_TEXEL_BUFFER
from translate.options import Flag, Options
from vkrunner import FeatureError
from vkrunner.cli.parser import UsageError

if TYPE_CHECKING:
    from dataclasses import Field

    from vkrunner import Device, DeviceInfo
    from vkrunner.shader.shader import Shader

_NONE = "none"
_LIMITS = "limits"
_BUILT_IN = ("desktop",)  # the keys of `vkrunner.info.device_profile.BUILT_IN`
_VIEWS = (STORAGE_IMAGE, STORAGE_TEXEL_BUFFER)
_WITHOUT_FORMAT = "_without_format"


def _unchanged(value: Any) -> Any:
    return value


class OptionFlag(NamedTuple):
    """The flag for the field `name` of `Options`: arguments for argparse, and its value's reader.

    `group` is its heading in --help. A `for_one` flag is allowed only for a single shader.
    """

    name: str
    spelling: str
    keywords: Mapping[str, Any]
    read: Callable[[Any], Any] = _unchanged
    group: str | None = None
    for_one: bool = False

    @property
    def is_off(self) -> bool:
        """Whether the flag turns off something that is on by default."""
        return self.keywords.get("action") == "store_false"


def flags_of(options: type) -> tuple[OptionFlag, ...]:
    """The flags for the fields of a dataclass, by their types, defaults and `Flag`."""
    hints = get_type_hints(options)
    return tuple(_flag_of(field, hints[field.name]) for field in fields(options))


def _flag_of(field: Field[Any], hint: Any) -> OptionFlag:
    about: Flag = field.metadata.get("flag", Flag())
    spelling = about.spelling or f"--{field.name.replace('_', '-')}"
    kind, arguments = get_origin(hint), get_args(hint)
    choices = get_args(arguments[0]) if kind is frozenset else arguments
    text = about.help.format(choices=", ".join(map(str, choices)), default=field.default)
    make = partial(OptionFlag, field.name, spelling)
    if kind is Literal:
        return make({"choices": choices, "metavar": about.values or "MODE", "help": text})
    if kind is frozenset and choices:
        return make({"action": "append", "metavar": "NAME,...", "help": text}, _names)
    if kind is frozenset or kind is Mapping:
        example = f", for instance {about.example}" if about.example else ""
        several = {"action": "append", "metavar": about.values}
        read = _names
        if kind is Mapping:
            read = partial(_mapping, spelling, f"{about.values}{example}", _reader(arguments[1]))
        if about.for_many:
            return make({**several, "help": f"{text}{example}"}, partial(_parts, read))
        return make({**several, "help": f"{text}{example}; repeatable"}, read, for_one=True)
    if hint is bool:
        return make({"action": "store_false" if field.default else "store_true", "help": text})
    if bool in arguments:
        return make({"action": argparse.BooleanOptionalAction, "help": text})
    return make({"type": int, "metavar": about.values or "N", "help": text}, group=_LIMITS)


def _reader(value: Any) -> Callable[[str], Any]:
    """The function that reads a mapping's values of type `value`. It raises ValueError."""
    if value is int:
        return _number
    return _place if get_origin(value) is tuple else _one_or_several


def add_translation_options(parser: argparse.ArgumentParser) -> None:
    """Add the flags of all options. They have no defaults, so that only given flags have values."""
    groups = {flag.group: parser.add_argument_group(flag.group) for flag in FLAGS if flag.group}
    for flag in FLAGS:
        _add(groups[flag.group] if flag.group else parser, flag)


def add_option(parser: argparse.ArgumentParser, name: str) -> None:
    """Add the flag of the field `name` of `Options`."""
    _add(parser, next(flag for flag in FLAGS if flag.name == name))


def _add(parser: argparse._ActionsContainer, flag: OptionFlag) -> None:  # pyright: ignore[reportPrivateUsage]
    parser.add_argument(flag.spelling, dest=flag.name, default=None, **flag.keywords)


def translation_options(arguments: argparse.Namespace) -> dict[str, Any]:
    """The given options by the field names of `Options`. Raises UsageError for a wrong value."""
    given = [(flag, getattr(arguments, flag.name)) for flag in FLAGS]
    return {flag.name: flag.read(value) for flag, value in given if value is not None}


def translation_words(arguments: argparse.Namespace) -> list[str]:
    """The given flags as words of a command line."""
    words: list[str] = []
    for flag in FLAGS:
        value = getattr(arguments, flag.name)
        if isinstance(value, list):
            words += [f"{flag.spelling}={part}" for part in cast("list[str]", value)]
        elif isinstance(value, bool):
            words.append(flag.spelling if value or flag.is_off else f"--no-{flag.spelling[2:]}")
        elif value is not None:
            words.append(f"{flag.spelling}={value}")
    return words


def refuse_for_many(arguments: argparse.Namespace) -> None:
    """Raise UsageError for a flag with a value for a single shader."""
    for flag in FLAGS:
        if flag.for_one and getattr(arguments, flag.name) is not None:
            raise UsageError(f"{flag.spelling} is for one shader")


# -- values ----------------------------------------------------------------------------------------


def pairs(option: str, texts: Sequence[str], example: str) -> dict[str, str]:
    """Values of `NAME=VALUE`, each name once. Raises UsageError with the example."""
    made: dict[str, str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not name or not equals or not value:
            raise UsageError(f"{option} takes {example}, not {text!r}")
        if name in made:
            raise UsageError(f"{option} {name} is given twice")
        made[name] = value
    return made


def _mapping(
    option: str, example: str, read: Callable[[str], Any], texts: Sequence[str]
) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for name, text in pairs(option, texts, example).items():
        try:
            made[name] = read(text)
        except ValueError:
            raise UsageError(f"{option} takes {example}, not {f'{name}={text}'!r}") from None
    return made


def _parts(read: Callable[[Sequence[str]], Any], texts: Sequence[str]) -> Any:
    """A mapping whose parts are separated by commas, or given one by one."""
    return read([part for text in texts for part in text.split(",")])


def _number(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 20):
        raise ValueError(text)
    return int(text)


def _place(text: str) -> tuple[int, int]:
    descriptor_set, binding = map(_number, text.split(":"))
    return descriptor_set, binding


def _one_or_several(text: str) -> str | list[str]:
    parts = text.split(",")
    return parts if len(parts) > 1 else text


def _names(texts: Sequence[str]) -> frozenset[str]:
    """Names separated by commas; `none` means no names."""
    return frozenset(name for text in texts for name in text.split(",") if name != _NONE)


FLAGS = flags_of(Options)


def add_device_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_mutually_exclusive_group()
    group.add_argument(
        "--for",
        dest="built_in",
        choices=_BUILT_IN,
        help="translate for the common features of many devices; desktop: those of AMD's, Intel's"
        " and NVIDIA's desktop GPUs, which the host has to enable as the interface lists them",
    )
    group.add_argument(
        "--for-device",
        metavar="D",
        help="translate as for a kernel on this device (a part of its name, or its index): its"
        " float controls are used, its faults are worked around, and a module that it cannot run is"
        " refused",
    )
    group.add_argument(
        "--for-profile",
        metavar="FILE[#NAME]",
        help="the same by a Vulkan profile, as vulkaninfo --json writes it",
    )


@contextmanager
def target_device(arguments: argparse.Namespace) -> Generator[Device | DeviceInfo | None]:
    """The device that the modules are for; None without the options."""
    if arguments.built_in is not None:
        from vkrunner.info.device_profile import BUILT_IN

        yield BUILT_IN[arguments.built_in]
    elif arguments.for_profile is not None:
        yield _profile(arguments.for_profile)
    elif arguments.for_device is not None:
        from vkrunner import ReferenceDevice, open_device  # imported only if needed

        with open_device(arguments.for_device) as device:
            if isinstance(device, ReferenceDevice):
                raise UsageError("--for-device takes a Vulkan device: this one runs no SPIR-V")
            yield device
    else:
        yield None


def _profile(text: str) -> DeviceInfo:
    from vkrunner import load_profile

    path, _, name = text.partition("#")
    return load_profile(path, name or None)


def options_of(
    given: Mapping[str, Any], device: Device | DeviceInfo | None, shader: Shader | None = None
) -> translate.Options:
    """The given options, completed by those for the device."""
    if device is None:
        return translate.Options(**given)
    from vkrunner import options_for

    return options_for(device, shader, **given)


def info_of(device: Device | DeviceInfo) -> DeviceInfo:
    """The features and limits of a device or description."""
    from vkrunner import Device

    return device.info if isinstance(device, Device) else device


def check_runs(
    device: Device | DeviceInfo | None, interface: translate.ShaderInterface, *, alone: bool = True
) -> None:
    """Raise FeatureError or LimitError for a module that the device cannot run.

    `alone`: the command translates one shader, and takes the options for one.
    """
    if device is None:
        return
    from vkrunner.shader.device_options import check_device

    try:
        check_device(info_of(device), interface)
    except FeatureError as error:
        if _WITHOUT_FORMAT not in str(error):
            raise
        views = [b for b in interface if b.descriptor_type in _VIEWS and b.format is None]
        named = " ".join(f"--format {b.register}=FORMAT {_such_as(b)}" for b in views)
        alone_text = f"translate it alone with {named}, the format that will be bound"
        text = f"{named} says what will be bound" if alone else alone_text
        raise FeatureError(f"{error}; {text}") from None


def _such_as(binding: translate.Binding) -> str:
    """A format of as many components, as an example; none has three."""
    count, bits = binding.components or 1, 8 if "norm" in str(binding.component) else 32
    letters = "rgba"[: count if count < 3 else 4]
    name = "".join(f"{letter}{bits}" for letter in letters)
    several = count if count > 1 else ""
    return f"(of {binding.component}{several}, such as {name}_{binding.component})"
