"""How many functions and files work passes: an array, an instruction, `sm5vk run`.

docs/dispatches.md lists the way of an array from `Kernel.dispatch` to its descriptor.
"""

import dataclasses
import os
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, cast

import numpy as np
import pytest

import translate
import vkrunner
from checks.running.shaders import ADD, NEXT, NEXT_TEXEL, listing
from tests.commands import python
from translate.ir import row
from translate.ir.values import Value
from translate.program import Statement
from vkrunner import Device
from vkrunner.binding.arguments import ArrayArgument
from vkrunner.vulkan.encode.descriptor import Descriptor

MOST_FUNCTIONS = 20
MOST_OF_AN_INSTRUCTION = (30, 15)  # functions and files
MOST_FILES_OF_RUN = 55
MOST_FILES = 339  # of what is shipped
HOME = Path(vkrunner.__file__).parent
TRANSLATOR = Path(translate.__file__).parent
KERNEL = "api/kernel.py"
_LINE = re.compile(r"^\d+\. `(?P<file>[\w/]+\.py)`: `(?P<name>[\w.]+)`", re.MULTILINE)

RAW = listing((Path(__file__).parent / "data/way.asm").read_text("utf-8"))
NUMBERS = np.arange(4, dtype=np.uint32)
ZEROS = np.zeros(4, np.uint32)
TEXELS = {"t0": np.ones((4, 4), np.uint32), "u0": np.zeros((4, 4), np.uint32)}


class Way:
    """Notes the functions that an array passes through, in a profiler.

    A function is on the way if, from the call of `Kernel.dispatch` to the `write()` of the array's
    descriptor, it is called with the array or with a value that refers to it: its argument, its
    descriptor, a collection or a dataclass with one of these. The functions that are running when
    the descriptor is made are on the way as well. A function that gets only the dtype, the shape or
    the part that the descriptor shows is not. Comprehensions belong to the function around them.
    """

    def __init__(self, array: np.ndarray[Any, Any], register: str):
        self.functions: list[str] = []  # "file: name", in the order of calls
        self.is_written = False
        self._array = array
        self._register = register

    def __call__(self, frame: FrameType, event: str, _argument: object) -> None:
        if event != "call" or self.is_written:
            return
        code, values = frame.f_code, frame.f_locals
        own, name = values.get("self"), name_of(code)
        sys.setprofile(None)
        if isinstance(own, Descriptor) and code.co_name == "__init__":
            if values["binding"].register == self._register:
                self._note_running(frame)
        elif name is not None and any(map(self._refers, values.values())):
            self.functions.append(name)
            self.is_written = isinstance(own, Descriptor) and code.co_name == "write"
        sys.setprofile(self)

    def _note_running(self, frame: FrameType) -> None:
        running, caller = list[str](), frame.f_back
        while caller is not None:
            name = name_of(caller.f_code)
            if name is not None and name not in self.functions:
                running.insert(0, name)
            caller = caller.f_back
        self.functions += running

    def _refers(self, value: Any) -> bool:
        if isinstance(value, np.ndarray):
            return np.may_share_memory(cast("Any", value), self._array)
        if isinstance(value, ArrayArgument):
            return value.shown.binding.register == self._register
        if isinstance(value, Descriptor):
            return value.binding.register == self._register
        return any(map(self._refers, parts_of(value)))


def parts_of(value: Any) -> Iterator[Any]:
    """The values in a collection or dataclass."""
    if isinstance(value, dict):
        yield from cast("dict[Any, Any]", value).values()
    elif isinstance(value, (list, tuple, set)):
        yield from cast("list[Any]", value)
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        for field in dataclasses.fields(value):
            yield getattr(value, field.name, None)


def name_of(code: CodeType) -> str | None:
    """The file and name of a function of vkrunner; None of comprehensions and other functions."""
    file = Path(code.co_filename)
    if code.co_name.startswith("<") or HOME not in file.parents:
        return None
    return f"{file.relative_to(HOME).as_posix()}: {code.co_qualname}"


def profiled(note: Callable[[FrameType, str, object], None], act: Callable[[], object]) -> None:
    before = sys.getprofile()
    sys.setprofile(note)
    try:
        act()
    finally:
        sys.setprofile(before)


def way_of(act: Callable[[], object], array: np.ndarray[Any, Any], register: str) -> list[str]:
    way = Way(array, register)
    profiled(way, act)
    assert way.is_written, "no descriptor was written"
    return way.functions


@pytest.mark.parametrize(
    ("shader", "register", "arrays"),
    [
        pytest.param(NEXT, "t0", {"t0": NUMBERS, "u0": ZEROS}, id="structured"),
        pytest.param(NEXT, "u0", {"t0": NUMBERS, "u0": ZEROS}, id="structured_uav"),
        pytest.param(RAW, "t0", {"t0": NUMBERS, "t1": ZEROS, "u0": ZEROS + 1}, id="raw"),
        pytest.param(RAW, "t1", {"t0": ZEROS, "t1": NUMBERS, "u0": ZEROS + 1}, id="typed"),
        pytest.param(NEXT_TEXEL, "t0", TEXELS, id="texture"),
        pytest.param(NEXT_TEXEL, "u0", TEXELS, id="texture_uav"),
        pytest.param(ADD, "cb0", {"u0": ZEROS, "cb0": NUMBERS}, id="constants"),
    ],
)
def test_an_array_passes_few_functions(
    device: Device, shader: str, register: str, arrays: dict[str, Any]
) -> None:
    """It leaves the kernel's file once, in the first dispatch with new kinds of arguments."""
    kernel = device.kernel(shader)
    functions = way_of(lambda: kernel.dispatch(1, **arrays), arrays[register], register)
    assert len(set(functions)) <= MOST_FUNCTIONS, functions
    files = [function.partition(": ")[0] for function in functions]
    inside = files.count(KERNEL)
    assert 0 < inside == len([file for file in files[:inside] if file == KERNEL])


def test_the_list_of_the_documents(device: Device) -> None:
    text = (HOME.parent / "docs" / "dispatches.md").read_text(encoding="utf-8")
    section = text.partition("## The way of an array")[2].partition("\n## ")[0]
    listed = [f"{line['file']}: {line['name']}" for line in _LINE.finditer(section)]
    kernel = device.kernel(NEXT)
    functions = way_of(lambda: kernel.dispatch(1, t0=NUMBERS, u0=ZEROS), NUMBERS, "t0")
    assert listed == list(dict.fromkeys(functions))


EXCHANGE = listing("""
dcl_uav_raw u0
imm_atomic_cmp_exch r0.x, u0, l(0), l(1), l(2)
store_raw u0.x, l(4), r0.x
""")


def is_exchange(value: object) -> bool:
    """A decoded instruction, or the IR's operation for it; it may be in a short list."""
    if isinstance(value, Statement):
        return value.row.name == "imm_atomic_cmp_exch"
    if isinstance(value, Value):
        return hasattr(value, "op") and value.op.attribute is row.ATOMIC
    return isinstance(value, (list, tuple)) and len(value) < 20 and any(map(is_exchange, value))


def test_an_instruction_passes_few_functions() -> None:
    """From a container to SPIR-V's words: functions that are called with the instruction."""
    data = translate.assemble(EXCHANGE)
    passed = set[tuple[str, str]]()

    def note(frame: FrameType, event: str, _argument: object) -> None:
        code = frame.f_code
        if event == "call" and TRANSLATOR in Path(code.co_filename).parents:
            sys.setprofile(None)
            if code.co_name[0] != "<" and any(map(is_exchange, [*frame.f_locals.values()])):
                passed.add((code.co_filename, code.co_qualname))
            sys.setprofile(note)

    profiled(note, lambda: translate.to_spirv(translate.load(data)))
    functions, files = MOST_OF_AN_INSTRUCTION
    assert 10 < len(passed) <= functions, sorted(passed)
    assert len({file for file, _ in passed}) <= files


RUN = "run shaders/saxpy.dxbc --groups 1 --x arange:64:f4 --y zeros:64:f4 --Params a=2,count=64"
FILES_OF_RUN = f"""
import contextlib, io, sys
files = set()
def note(frame, event, _argument):
    code = frame.f_code
    public = code.co_name[0] not in "_<" and code.co_name[0].islower()
    if event == "call" and public and frame.f_back and frame.f_back.f_code.co_name != "<module>":
        files.add(code.co_filename)
from vkrunner.__main__ import main
sys.setprofile(note)
with contextlib.redirect_stdout(io.StringIO()):
    code = main({RUN.split()!r})
sys.setprofile(None)
print(code, *files, sep="\\n")
"""


def test_a_run_passes_few_files(tmp_path: Path) -> None:
    """Files of which `sm5vk run` calls a public function, if the cache has the translation."""
    environment = {**os.environ, "SM5VK_CACHE": "1", "SM5VK_CACHE_DIR": str(tmp_path / "cache")}
    for _ in range(2):
        done = python("-c", FILES_OF_RUN, environment=environment)
        assert done.returncode == 0, done.stderr
    code, *files = done.stdout.splitlines()
    own = [f for f in files if {HOME, TRANSLATOR} & {*Path(f).parents}]
    assert code == "0"
    assert 30 < len(own) <= MOST_FILES_OF_RUN, sorted(own)


def test_the_packages_have_few_files() -> None:
    """A newcomer looks for the place of a question in so many files."""
    folders = (TRANSLATOR, HOME, HOME.parent / "sm5vk")
    assert sum(len([*folder.rglob("*.py")]) for folder in folders) <= MOST_FILES
