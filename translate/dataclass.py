"""dataclass: the standard library's, for classes that are cheap to define.

The standard library compiles up to eight methods for each dataclass, in half a millisecond, which
was a fifth of the time of a short command. Here `__init__` is compiled for the first record, and
the other methods are closures. All else is the same: slots, immutability, equality, hashes, `repr`,
patterns, pickles, and the functions of `dataclasses`, for which the standard library describes the
fields when they first ask. Type checkers see `dataclasses.dataclass`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from reprlib import recursive_repr
from types import MemberDescriptorType
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar, cast

if TYPE_CHECKING:
    from dataclasses import asdict, dataclass, field, fields, is_dataclass, replace

__all__ = ["asdict", "dataclass", "field", "fields", "is_dataclass", "replace"]

T = TypeVar("T")
Tuple: TypeAlias = tuple[Any, ...]

_OWN = "__record_fields__"
_DESCRIPTIONS = ("__dataclass_fields__", "__dataclass_params__")  # the standard library's


class _Nothing:
    """In place of a value that `__init__` makes, or of a default."""

    def __repr__(self) -> str:
        return "<factory>"  # in signatures, as those of the standard library


_NONE: Any = _Nothing()


class _Field:
    """A field's name, its annotation, and the arguments of `dataclasses.field`."""

    def __init__(self, **options: Any):
        self.options = options
        self.name = self.annotation = ""

    @property
    def default(self) -> Any:
        return self.options.get("default", _NONE)

    @property
    def metadata(self) -> Mapping[str, Any]:
        return self.options.get("metadata", {})


class _Later:
    """An attribute of a class that is made when it is first used."""

    def __init__(self, cls: type, name: str, make: Callable[[], Any]):
        self._cls, self._name, self._make = cls, name, make

    def __get__(self, instance: object, owner: type | None = None) -> Any:
        made = self._make()
        setattr(self._cls, self._name, made)
        return made.__get__(instance, owner) if hasattr(made, "__get__") else made


def _dataclass(cls: Any = None, /, **options: bool) -> Any:
    """The class as a dataclass, or the decorator; `options` are those of the standard library."""
    if cls is None:
        return partial(_dataclass, **options)
    if hasattr(cls, "__mypyc_attrs__"):  # compiled: mypyc makes the methods
        import dataclasses

        own: dict[str, Any] = {**vars(cls)}
        for name, one in own.items():
            if isinstance(one, _Field):
                setattr(cls, name, dataclasses.field(**one.options))
        return dataclasses.dataclass(cls, **options)
    return _made(cls, **options)


def _made(
    cls: type,
    *,
    frozen: bool = False,
    slots: bool = False,
    eq: bool = True,
    order: bool = False,
    repr: bool = True,
    kw_only: bool = False,
) -> type:
    own = {**vars(cls)}
    fields = _fields(cls, kw_only=kw_only)
    made = _with_slots(cls, fields) if slots else _with_defaults(cls, fields)
    setattr(made, _OWN, fields)
    methods = _methods(made, fields, frozen=frozen, eq=eq, order=order, repr=repr)
    if frozen and slots:
        methods |= _state(fields)
    if eq and "__eq__" in own:
        del methods["__hash__"]
    for name, method in methods.items():
        if name not in own:
            setattr(made, name, method)
    if frozen:
        _freeze(made, fields)
    chosen = {"frozen": frozen, "eq": eq, "order": order, "repr": repr}
    for name in _DESCRIPTIONS:
        setattr(made, name, _Later(made, name, _description(made, name, chosen)))
    return made


def _methods(
    cls: type, fields: Mapping[str, _Field], *, frozen: bool, eq: bool, order: bool, repr: bool
) -> dict[str, Any]:
    """The methods that a class gets unless it has its own."""
    keywords = _chosen(fields, "kw_only", default=False)
    methods: dict[str, Any] = {
        "__init__": _Later(cls, "__init__", lambda: _init(cls, frozen)),
        "__match_args__": tuple(name for name in fields if name not in keywords),
        "__replace__": _replace,
    }
    values = _values(_chosen(fields, "compare"))
    if repr:
        methods["__repr__"] = _repr(_chosen(fields, "repr"))
    if eq:
        methods["__eq__"] = _comparison(operator.eq, values)
        methods["__hash__"] = _hash(values) if frozen else None
    for name in ("lt", "le", "gt", "ge") if order else ():
        methods[f"__{name}__"] = _comparison(getattr(operator, name), values)
    return methods


def _fields(cls: type, *, kw_only: bool) -> dict[str, _Field]:
    """The fields of a class, those of its bases first."""
    fields: dict[str, _Field] = {}
    for base in cls.__mro__[:0:-1]:
        fields |= vars(base).get(_OWN, {})
    for name, annotation in vars(cls).get("__annotations__", {}).items():
        if annotation.startswith("ClassVar["):
            continue
        default = vars(cls).get(name, _NONE)
        if not isinstance(default, _Field):
            default = _Field() if default is _NONE else _Field(default=default)
        default.name, default.annotation = name, annotation
        if kw_only:
            default.options["kw_only"] = True
        fields[name] = default
    return fields


def _chosen(fields: Mapping[str, _Field], option: str, *, default: bool = True) -> list[str]:
    return [name for name, one in fields.items() if one.options.get(option, default)]


def _with_defaults(cls: type, fields: Mapping[str, _Field]) -> type:
    """The class, with the defaults in place of calls of `field`."""
    for name, one in fields.items():
        if vars(cls).get(name) is one:
            if "default" in one.options:
                setattr(cls, name, one.options["default"])
            else:
                delattr(cls, name)
    return cls


def _with_slots(cls: type, fields: Collection[str]) -> type:
    """The class made anew with a slot for each field: a class gets slots only when it is made."""
    inherited = {name for base in cls.__mro__[1:] for name in vars(base).get("__slots__", ())}
    body = {name: value for name, value in vars(cls).items() if name not in fields}
    for name in ("__dict__", "__weakref__"):
        body.pop(name, None)
    body["__slots__"] = tuple(name for name in fields if name not in inherited)
    made = type(cls)(cls.__name__, cls.__bases__, body)
    made.__qualname__ = cls.__qualname__
    return made


def _init(cls: type, frozen: bool) -> Callable[..., None]:
    """`__init__` of a class, compiled."""
    fields: dict[str, _Field] = getattr(cls, _OWN)
    known: dict[str, Any] = {"_set": object.__setattr__, "_NONE": _NONE}
    parameters, keywords, lines = ["self"], list[str](), list[str]()
    for name, one in fields.items():
        parameter = value = name
        if "default_factory" in one.options:
            known[f"_new_{name}"] = one.options["default_factory"]
            parameter, value = f"{name}=_NONE", f"_new_{name}() if {name} is _NONE else {name}"
        elif "default" in one.options:
            known[f"_default_{name}"] = one.options["default"]
            parameter = f"{name}=_default_{name}"
        slot = getattr(cls, name, None)
        if not frozen:
            lines.append(f"self.{name} = {value}")
        elif isinstance(slot, MemberDescriptorType):  # in half of the time of `_set`
            known[f"_set_{name}"] = slot.__set__
            lines.append(f"_set_{name}(self, {value})")
        else:
            lines.append(f"_set(self, {name!r}, {value})")
        (keywords if one.options.get("kw_only") else parameters).append(parameter)
    if hasattr(cls, "__post_init__"):
        lines.append("self.__post_init__()")
    signature = ", ".join([*parameters, *(["*", *keywords] if keywords else [])])
    exec(f"def __init__({signature}):\n " + "\n ".join(lines or ["pass"]), known)
    made = known["__init__"]
    made.__annotations__ = {**{n: one.annotation for n, one in fields.items()}, "return": None}
    made.__module__, made.__qualname__ = cls.__module__, f"{cls.__qualname__}.__init__"
    return made


def _values(names: Collection[str]) -> Callable[[Any], Tuple]:
    """A function that returns the values of fields."""
    if not names:
        return lambda _: ()
    get = operator.attrgetter(*names)
    return get if len(names) > 1 else lambda record: (get(record),)


def _repr(names: Collection[str]) -> Callable[[Any], str]:
    @recursive_repr()
    def __repr__(self: Any) -> str:
        shown = ", ".join(f"{name}={getattr(self, name)!r}" for name in names)
        return f"{self.__class__.__qualname__}({shown})"

    return __repr__


def _comparison(
    compare: Callable[[Tuple, Tuple], bool], values: Callable[[Any], Tuple]
) -> Callable[[Any, object], Any]:
    def method(self: Any, other: object) -> Any:
        if other.__class__ is self.__class__:
            return compare(values(self), values(other))
        return NotImplemented

    return method


def _hash(values: Callable[[Any], Tuple]) -> Callable[[Any], int]:
    def __hash__(self: Any) -> int:
        return hash(values(self))

    return __hash__


def _state(names: Collection[str]) -> dict[str, Callable[..., Any]]:
    """How pickle reads and makes records whose attributes cannot be set."""

    def __getstate__(self: Any) -> list[Any]:
        return [getattr(self, name) for name in names]

    def __setstate__(self: Any, state: list[Any]) -> None:
        for name, value in zip(names, state, strict=True):
            object.__setattr__(self, name, value)

    return {"__getstate__": __getstate__, "__setstate__": __setstate__}


def _freeze(cls: Any, names: Collection[str]) -> None:
    def refuse(self: Any, name: str, verb: str) -> None:
        if type(self) is cls or name in names:
            from dataclasses import FrozenInstanceError  # rarely raised

            raise FrozenInstanceError(f"cannot {verb} field {name!r}")

    def __setattr__(self: Any, name: str, value: Any) -> None:
        refuse(self, name, "assign to")
        super(cls, self).__setattr__(name, value)  # pyright: ignore[reportUnknownMemberType]

    def __delattr__(self: Any, name: str) -> None:
        refuse(self, name, "delete")
        super(cls, self).__delattr__(name)  # pyright: ignore[reportUnknownMemberType]

    cls.__setattr__, cls.__delattr__ = __setattr__, __delattr__


def _description(cls: type, name: str, options: Mapping[str, bool]) -> Callable[[], Any]:
    """Makes an attribute that the functions of `dataclasses` ask for."""

    def make() -> Any:
        import dataclasses  # few programs need it, and it imports `inspect`

        fields: dict[str, _Field] = getattr(cls, _OWN)
        body: dict[str, Any] = {n: dataclasses.field(**one.options) for n, one in fields.items()}
        body["__annotations__"] = {n: one.annotation for n, one in fields.items()}
        body["__module__"] = cls.__module__
        twin = dataclasses.dataclass(**options)(type(cls.__name__, (), body))
        return getattr(twin, name)

    return make


def _field(**options: Any) -> Any:
    """A field's default, as `dataclasses.field`."""
    return _Field(**options)


def _fields_of(record: Any) -> Tuple:
    """The fields of a record or its class, as `dataclasses.fields` without their types."""
    cls: type = record if isinstance(record, type) else type(record)
    own: dict[str, _Field] | None = vars(cls).get(_OWN)
    if own is not None:
        return tuple(own.values())
    import dataclasses  # a compiled class, or another's

    return dataclasses.fields(record)


def _asdict(record: Any) -> dict[str, Any]:
    """A record's values by their names, as `dataclasses.asdict`, which would copy them."""
    return {one.name: _plain(getattr(record, one.name)) for one in _fields_of(record)}


def _plain(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        parts = cast("Sequence[Any]", value)
        return type(parts)(map(_plain, parts))  # pyright: ignore[reportCallIssue]
    if isinstance(value, dict):
        return {key: _plain(one) for key, one in cast("dict[Any, Any]", value).items()}
    return _asdict(value) if _is_dataclass(value) else value


def _is_dataclass(value: Any) -> bool:
    """Whether a value is a record or its class, as `dataclasses.is_dataclass`."""
    cls: type = value if isinstance(value, type) else type(value)
    return hasattr(cls, _OWN) or hasattr(cls, _DESCRIPTIONS[0])


def _replace(record: Any, /, **changes: Any) -> Any:
    """A record with other values in some fields, as `dataclasses.replace`."""
    names = [one.name for one in _fields_of(record) if one.name not in changes]
    return type(record)(**{name: getattr(record, name) for name in names}, **changes)


if not TYPE_CHECKING:
    asdict, dataclass, field = _asdict, _dataclass, _field
    fields, is_dataclass, replace = _fields_of, _is_dataclass, _replace
