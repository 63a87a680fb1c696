"""Records have what the standard library's decorator gives them, and their definition is cheap."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import operator
import pickle
import pkgutil
from collections.abc import Callable, Iterator
from importlib import import_module
from itertools import product
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar

import pytest

import translate
import vkrunner
from tests.commands import ROOT, output
from translate import dataclass as ours

T = TypeVar("T")
Values = tuple[Any, ...]


def point(module: Any, **options: bool) -> type:
    @module.dataclass(**options)
    class Point:
        """A point."""

        LIMIT: ClassVar[int] = 3
        x: int
        y: int = 2
        label: str = module.field(default="p", compare=False, repr=False)
        marks: list[int] = module.field(default_factory=list)

        @property
        def total(self) -> int:
            return self.x + self.y

    return Point


def one_field(module: Any, **options: bool) -> type:
    @module.dataclass(**options)
    class One(Generic[T]):
        x: T

    return One


def no_field(module: Any, **options: bool) -> type:
    @module.dataclass(**options)
    class Empty:
        pass

    return Empty


def child(module: Any, **options: bool) -> type:
    base = point(module, **options)

    @module.dataclass(**options)
    class Child(base):
        y: int = 5
        z: int = 7

        def __post_init__(self) -> None:
            if self.x == 99:
                raise ValueError("post")

    return Child


def own_methods(module: Any, **options: bool) -> type:
    @module.dataclass(**options)
    class Own:
        x: int
        y: int = 0

        def __repr__(self) -> str:
            return "own"

        def __eq__(self, other: object) -> bool:
            return True

        def __hash__(self) -> int:
            return 4

    return Own


SHAPES = (point, one_field, no_field, child, own_methods)
OPTIONS = [
    {"frozen": frozen, "slots": slots, **more}
    for frozen, slots, more in product(
        (False, True),
        (False, True),
        ({}, {"eq": False}, {"order": True}, {"repr": False}, {"kw_only": True}),
    )
]
CALLS: list[tuple[Values, dict[str, Any]]] = [
    ((), {}), ((1,), {}), ((1, 3), {}), ((2,), {}), ((1, 2, "q"), {}), ((), {"x": 1}),
    ((), {"x": 1, "y": 2}), ((99,), {}), ((1, 2, "p", [4]), {}), ((1, 2, "p", [4], 9), {}),
    ((1,), {"x": 1}), ((), {"x": 1, "no": 1}), (([],), {}), ((float("nan"),), {}),
]  # fmt: skip


def said(act: Callable[..., object], *values: object, **named: object) -> str:
    """What a call returns or raises, as a text without addresses and names of modules."""
    try:
        return repr(act(*values, **named))
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def told(record: Any, others: list[Any]) -> Iterator[str]:
    """What one sees of a record."""
    shows_address = "object at 0x" in repr(record)
    yield "" if shows_address else repr(record)
    yield repr([record == other for other in others])
    yield repr([record != other for other in others])
    for other in others:
        yield said(operator.lt, record, other).split(" not supported")[0]
        yield said(operator.ge, record, other).split(" not supported")[0]
    hashes = type(record).__hash__
    yield "own" if hashes is object.__hash__ else said(lambda: hash(record) == hash(record))
    yield said(lambda: hash(record) == hash(copy.copy(record)) or hashes is object.__hash__)
    for name in [field.name for field in dataclasses.fields(record)]:
        kept = copy.copy(record)
        yield said(setattr, kept, name, 8)
        yield said(getattr, kept, name)
        yield said(delattr, kept, name)
    yield said(lambda: vars(record))
    yield repr([field.name for field in dataclasses.fields(record)])
    if not shows_address:
        yield said(lambda: dataclasses.replace(record, x=6))
        yield said(lambda: dataclasses.asdict(record))
        yield said(lambda: copy.deepcopy(record))
    yield said(lambda: record.__reduce_ex__(4)[2])
    restored = object.__new__(type(record))
    state = record.__reduce_ex__(4)[2]
    if hasattr(restored, "__setstate__"):
        restored.__setstate__(state)
        yield repr([getattr(restored, f.name) for f in dataclasses.fields(record)])


@pytest.mark.parametrize("options", OPTIONS, ids=repr)
@pytest.mark.parametrize("shape", SHAPES)
def test_records_like_the_standard(shape: Callable[..., type], options: dict[str, bool]) -> None:
    mine, theirs = (shape(module, **options) for module in (ours, dataclasses))
    assert str(inspect.signature(mine)) == str(inspect.signature(theirs))
    assert mine.__match_args__ == theirs.__match_args__
    assert getattr(mine, "__slots__", None) == getattr(theirs, "__slots__", None)
    assert mine.__qualname__ == theirs.__qualname__
    assert getattr(mine, "y", None).__class__ is getattr(theirs, "y", None).__class__
    assert repr(mine.__dataclass_params__) == repr(theirs.__dataclass_params__)
    fields = [[*map(repr, dataclasses.fields(one))] for one in (mine, theirs)]
    assert fields[0] == fields[1]
    records: list[list[Any]] = [[], []]
    for values, named in CALLS:
        made = [said(cls, *values, **named).split(" object at")[0] for cls in (mine, theirs)]
        assert made[0] == made[1]
        if "Error" not in made[0]:
            for kept, cls in zip(records, (mine, theirs), strict=True):
                kept.append(cls(*values, **named))
    for record, other in zip(*records, strict=True):
        assert [*told(record, records[0])] == [*told(other, records[1])]
        if options["frozen"]:
            with pytest.raises(AttributeError):  # the standard library's is a TypeError for slots
                record.nothing = 1
        with pytest.raises(TypeError):
            ours.replace(record, no=1)
        if "object at" not in repr(record):
            assert repr(ours.replace(record)) == repr(dataclasses.replace(other))


def records() -> Iterator[type]:
    """The dataclasses of both packages."""
    for package in (translate, vkrunner):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if module.name.endswith(("__main__", "pytest_plugin")):
                continue
            for found in vars(import_module(module.name)).values():
                if dataclasses.is_dataclass(found) and isinstance(found, type):
                    yield found


def test_every_record_is_made_in_this_way() -> None:
    found = [*records()]
    assert len(found) > 250
    for record in found:
        assert vars(record).keys() & {"__record_fields__", "__mypyc_attrs__"}, record
        fields = {field.name for field in dataclasses.fields(record)}
        assert {*inspect.signature(record).parameters} == fields


def test_public_records_can_be_pickled() -> None:
    options = translate.Options(guards="off", bindings={"t0": (1, 2)})
    assert pickle.loads(pickle.dumps(options)) == options
    match options:
        case translate.Options("off", target):
            assert target == "vulkan1.1"
        case _:
            pytest.fail("the pattern does not match")


def test_a_record_of_itself() -> None:
    record = point(ours)(1)
    record.marks.append(record)
    assert repr(record).endswith("marks=[...])")


def test_fields_and_values_like_the_standard() -> None:
    """Also of a record in a record, of one of the standard library's, and of a class from both."""
    inner = point(ours)(1, marks=[2])
    record = one_field(ours, frozen=True)((inner, {"a": [point(dataclasses)(3)]}))
    assert ours.asdict(record) == dataclasses.asdict(record)
    derived = dataclasses.dataclass(
        type("More", (point(ours),), {"__annotations__": {"z": "int"}, "z": 3})
    )
    for value in (inner, record, type(record), point(dataclasses), derived):
        assert ours.is_dataclass(value)
        own, theirs = ours.fields(value), dataclasses.fields(value)
        assert [f.name for f in own] == [f.name for f in theirs]
        assert [dict(f.metadata) for f in own] == [dict(f.metadata) for f in theirs]
    assert not ours.is_dataclass({})
    assert not ours.is_dataclass(int)


def test_a_translation_does_not_import_the_standard_library(tmp_path: Path) -> None:
    words = ["translate", str(ROOT / "shaders/saxpy.dxbc"), "-o", str(tmp_path / "a.spv")]
    code = "import sys; from vkrunner.__main__ import main; main(sys.argv[1:]); "
    code += "print({'dataclasses', 'inspect', 'hashlib'} & {*sys.modules})"
    assert output("-c", code, *words) == "set()\n"
