"""The representation of objects: one line that is true, and a table for notebooks."""

import pickle
import sys
from html.parser import HTMLParser
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import translate
import vkrunner
from vkrunner import Device

SAXPY = Path(__file__).parent / "data" / "saxpy.dxbc"
SHADERS = Path(__file__).parents[3] / "shaders"
HTML = "_repr_html_"  # IPython's name for it
TAGS = {"table", "caption", "thead", "tbody", "tr", "th", "td"}
X, PARAMS = np.arange(4, dtype=np.float32), {"a": 2, "count": 4}
HOSTILE = b"<i>&\x1b\n\0"  # as long as b"Params\0"


def listing(uavs: int) -> str:
    """A shader that stores to this number of UAVs."""
    declared = "".join(f"dcl_uav_raw u{n}\n" for n in range(uavs))
    stores = "".join(f"store_raw u{n}.x, l(0), l({n})\n" for n in range(uavs))
    return f"cs_5_0\n{declared}dcl_temps 1\ndcl_thread_group 1, 1, 1\n{stores}ret\n"


class Table(HTMLParser):
    """The cells of tables by row, and all tags, so that a test sees unexpected ones."""

    def __init__(self, shown: Any):
        super().__init__()
        self.rows: list[list[str]] = []
        self.captions: list[str] = []
        self.place: list[str] = []
        self.tags: set[str] = set()
        self.feed(getattr(shown, HTML)())
        assert self.tags <= TAGS
        assert not self.place

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        of_cells = [("style", "text-align: left")]  # Jupyter aligns them to the right
        of_captions = [("style", "white-space: nowrap")]  # a narrow table would break it
        usual = {"td": of_cells, "th": of_cells, "caption": of_captions}
        assert attrs == usual.get(tag, [])
        self.tags.add(tag)
        self.place.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.place.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.place[-1] == "caption":
            self.captions.append(data)
        else:
            self.rows[-1][-1] += data


def test_buffers(either: Device) -> None:
    buffer = either.buffer(np.zeros((4, 3), np.float32), counter=7)
    assert repr(buffer) == "<Buffer float32[4, 3], with a counter>"
    rows = Table(buffer).rows
    shape = [["dtype", "float32"], ["shape", "(4, 3)"], ["bytes", "48"]]
    assert rows[:4] == [*shape, ["counter", "yes"]]
    assert rows[4:] == [["device", either.name], ["state", "open"]]
    parts = {
        "elements from 2 on, stride 8": {"first_element": 2, "stride": 8},
        "3 elements from 0 on, r16_uint": {"num_elements": 3, "format": "r16_uint"},
        "9 elements from 99 on": {"first_element": 99, "num_elements": 9},  # it may not be bound
    }
    whole = "of a buffer of float32[4, 3], with a counter"
    views = {text: buffer.view(**arguments) for text, arguments in parts.items()}
    for text, view in views.items():
        assert repr(view) == f"<BufferView {text}, {whole}>"
    buffer.close()
    assert repr(buffer) == "<Buffer float32[4, 3], with a counter, closed>"
    assert Table(buffer).rows[-1] == ["state", "closed"]
    for text, view in views.items():
        assert repr(view) == f"<BufferView {text}, {whole}, closed>"
    cells = either.buffer(np.zeros(2, [("id", "u4"), ("at", "f4", (3,))]))
    assert repr(cells) == "<Buffer {id: uint32, at: float32[3]}[2]>"


def test_textures(either: Device) -> None:
    texture = either.texture(np.zeros((8, 16, 4), np.uint8), "r8g8b8a8_unorm", mips=4)
    text = "r8g8b8a8_unorm 2d uint8[8, 16, 4], 4 mips"
    assert repr(texture) == f"<Texture {text}>"
    assert Table(texture).rows == [
        *(["format", "r8g8b8a8_unorm"], ["dimension", "2d"], ["dtype", "uint8"]),
        *(["shape", "(8, 16, 4)"], ["mips", "4"], ["samples", "1"]),
        *(["device", either.name], ["state", "open"]),
    ]
    view = texture.view(1, num_mips=2, dimension="2d", format="r8g8b8a8_uint")
    shown = "r8g8b8a8_uint 2d uint8[4, 8, 4], mips 1 to 2"
    assert repr(view) == f"<TextureView {shown}, of a texture of {text}>"
    texture.close()
    assert repr(texture) == f"<Texture {text}, closed>"
    assert repr(view) == f"<TextureView {shown}, of a texture of {text}, closed>"


def test_samplers(either: Device) -> None:
    assert repr(either.sampler()) == "<Sampler filter linear, address clamp>"
    sampler = either.sampler("point", ("wrap", "clamp", "border"), border=0, max_lod=3)
    settings = [["address", "wrap clamp border"], ["border", "0.0"], ["max_lod", "3"]]
    assert Table(sampler).rows[:4] == [["filter", "point"], *settings]
    compared = either.sampler(comparison="less")
    assert repr(compared) == "<Sampler filter linear, address clamp, comparison less>"


def test_kernels_and_interfaces(either: Device) -> None:
    kernel = either.kernel(SAXPY)
    facts = "cs_5_0, 64 x 1 x 1 threads, cb0 Params, t0 x, u0 y"
    assert repr(kernel) == f"<{type(kernel).__name__} 'saxpy', {facts}>"
    assert repr(kernel.interface) == f"<ShaderInterface {facts}>"
    interface = Table(kernel.interface)
    assert interface.captions == ["cs_5_0, 64 x 1 x 1 threads"]
    t0 = kernel.interface["t0"]
    place = f"{t0.set}, {t0.binding}"
    assert interface.rows[2] == ["t0", "x", "structured buffer", "float32", place]
    assert Table(kernel).rows[3:] == interface.rows
    kernel.close()
    assert repr(kernel).endswith(", u0 y, closed>")
    assert ["state", "closed"] in Table(kernel).rows


def test_names_of_a_hostile_container(either: Device) -> None:
    data = SAXPY.read_bytes().replace(b"Params\0", HOSTILE)
    kernel = either.kernel(data.replace(b"x\0", b"<\0").replace(b"y\0", b">\0"))
    names = [row[1] for row in Table(kernel.interface).rows]
    assert r"<i>&\x1b\n" in names
    assert repr(kernel).isprintable()
    result = kernel.dispatch(1, t0=X, u0=X, cb0=PARAMS)
    assert Table(result).rows[1][:2] == ["u0", kernel.interface["u0"].name]


def test_many_registers(either: Device) -> None:
    interface = translate.to_spirv(translate.load(listing(40))).interface
    assert repr(interface).endswith("u6, u7 and 32 more>")
    rows = Table(interface).rows
    assert (len(rows), rows[-1]) == (34, ["and 8 more"])
    given = {f"u{n}": np.zeros(1, np.uint32) for n in range(10)}
    result = either.kernel(listing(10)).dispatch(1, **given)
    assert repr(result).endswith("u7: uint32[1], and 2 more>")


def test_results(either: Device) -> None:
    kernel, y = either.kernel(SAXPY), either.buffer(X)
    result = kernel.dispatch(1, x=X, y=X, Params=PARAMS)
    kind = type(result).__name__
    assert repr(result) == f"<{kind} u0 (y): float32[4]>"
    heading = ["register", "name", "array", "begins with"]
    assert Table(result).rows == [heading, ["u0", "y", "float32[4]", "0.0 3.0 6.0 9.0"]]
    assert {"u0", "y"} <= set(dir(result))
    complete = "_ipython_key_completions_"
    assert getattr(result, complete)() == ["u0", "y"]
    longer = kernel.dispatch(1, x=X, y=np.ones(9, np.float32), Params=PARAMS)
    assert Table(longer).rows[1][2:] == ["float32[9]", "1.0 3.0 5.0 7.0 1.0 1.0 1.0 1.0 …"]
    kept = kernel.dispatch(1, x=X, y=y, Params=PARAMS)
    assert repr(kept) == f"<{kind} u0 (y): on the device>"
    y.close()
    assert repr(kept) == f"<{kind} u0 (y): closed>"
    assert Table(kept).rows[1] == ["u0", "y", "closed", ""]
    nothing = kernel.dispatch(1, x=X, y=None, Params=PARAMS)
    assert repr(nothing) == f"<{kind} no results>"
    assert Table(nothing).captions == [f"{kind}: no results"]
    assert Table(nothing).rows == []


def test_structures(either: Device) -> None:
    """The table shows the first two, as NumPy prints them."""
    kernel = either.kernel(SHADERS / "compact.dxbc")
    points = np.array([[0, 0], [1, -1], [0, 1]], np.float32)
    params = {"centre": [0, 0], "radius": 9, "count": 3}
    kept = np.zeros(3, kernel.interface["kept"].dtype)
    result = kernel.dispatch(1, points=points, kept=kept, dropped=WORD, Params=params)
    first, second, _ = result.kept
    assert Table(result).rows[1][3] == f"{first} {second} …"


def test_the_messages_of_a_loop_limit() -> None:
    """The row says why it is there: the shader sends none."""
    options = translate.Options(workarounds={"loop_limit"})
    for text, reason in ((PRINTS, ""), (LOOPS, "; for loops that the driver ends (loop_limit)")):
        interface = translate.to_spirv(translate.load(text), options).interface
        assert str(interface).splitlines()[-1] == f"{interface['messages']}{reason}"


def test_violations(either: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table where the packages for a page are missing."""
    monkeypatch.setitem(sys.modules, "jinja2", None)
    result = either.kernel(SAXPY, guards="report").dispatch(1, t0=X[:3], u0=X, cb0=PARAMS)
    shown = Table(result.violations)
    assert shown.captions == ["violations: 1"]
    heading = "count threads instruction register memory what in D3D for example"
    row = "1 1 2 t0 structured buffer outside defined index 3 in thread 3,0,0"
    assert [" ".join(cells) for cells in shown.rows] == [heading, row]
    assert len(shown.rows[0]) == len(shown.rows[1]) == 8
    with pytest.raises(vkrunner.MissingError, match="jinja2"):
        result.violations.page()
    nothing = either.kernel(SAXPY, guards="report").dispatch(1, t0=X, u0=X, cb0=PARAMS).violations
    assert nothing.summary() == nothing.table() == "no violations"
    assert Table(nothing).captions == ["violations: 0"]
    assert Table(nothing).rows == []


def test_violations_as_text(either: Device) -> None:
    """The number, and a line for each of the first 20 instructions."""
    stores = "".join(f"store_raw u0.x, l({4 * n + 64}), l(1)\n" for n in range(25))
    head = "cs_5_0\ndcl_globalFlags refactoringAllowed\ndcl_uav_raw u0\ndcl_temps 1\n"
    kernel = either.kernel(f"{head}dcl_thread_group 64, 1, 1\n{stores}ret\n", guards="report")
    found = kernel.dispatch(1, u0=np.zeros(4, np.uint32)).violations
    first, heading, *rows, last = repr(found).splitlines()
    assert (first, last) == ("violations: 1,600", "and 5 more")
    assert heading.split()[:4] == ["count", "threads", "line", "instruction"]
    assert [row.split()[0] for row in rows] == ["64"] * 20
    assert str(found) == repr(found)
    shares = [line for line in found.summary().splitlines() if "(100 %)" in line]
    assert len(shares) == 25
    assert "6 | store_raw u0.x, l(64), l(1)" in found.summary()
    copied = pickle.loads(pickle.dumps(found))
    assert repr(copied) == repr(found)
    assert "store_raw" not in copied.summary()
    nothing = kernel.dispatch(0, u0=np.zeros(4, np.uint32)).violations
    assert repr(nothing) == "violations: 0"


def test_profiles(device: Device) -> None:
    with device.profile(StringIO()) as profile:
        device.kernel(SAXPY).dispatch(1, x=X, y=X, Params=PARAMS)
    if device.features.timestamps:
        heading, row = Table(profile).rows
        assert (heading[0], row[:2]) == ("kernel", ["saxpy", "1"])
        assert [line.split() for line in repr(profile).splitlines()[2:]] == [row]
    with device.profile(StringIO()) as profile:
        pass
    assert repr(profile) == "no times: no dispatch was measured"
    assert Table(profile).captions == [repr(profile)]
    assert Table(profile).rows == []


def test_public_names_are_listed_alone() -> None:
    assert dir(vkrunner) == sorted([*vkrunner.__all__, "testing"])
    assert dir(translate) == sorted([*translate.__all__, "reference"])
    assert vkrunner.testing.assert_equal.__module__ == "vkrunner.testing"


def test_violations_of_a_kernel_without_a_report(either: Device) -> None:
    result = either.kernel(SAXPY).dispatch(1, t0=X[:3], u0=X, cb0=PARAMS)
    unknown = "violations: not recorded; make the kernel with guards='report'"
    for found in (result.violations, pickle.loads(pickle.dumps(result.violations))):
        assert Table(found).captions == [unknown]
        assert found.summary() == found.table() == repr(found) == unknown
    reported = either.kernel(SAXPY, guards="report").dispatch(1, t0=X[:3], u0=X, cb0=PARAMS)
    assert repr(reported) == repr(result).replace(">", ", 1 violation>")
    more = ["violations", "1, see result.violations"]
    assert Table(reported).rows == [*Table(result).rows, more]
    right = either.kernel(SAXPY, guards="report").dispatch(1, t0=X, u0=X, cb0=PARAMS)
    assert Table(right).rows[2:] == [["violations", "0"]]


RACY = (
    "cs_5_0\ndcl_globalFlags refactoringAllowed\ndcl_uav_raw u0\n"
    "dcl_input vThreadIDInGroupFlattened\ndcl_temps 1\ndcl_tgsm_structured g0, 4, 8\n"
    "dcl_thread_group 8, 1, 1\n"
    "store_structured g0.x, vThreadIDInGroupFlattened.x, l(0), l(5)\n{barrier}"
    "bfi r0.x, l(3), l(0), vThreadIDInGroupFlattened.x, l(0)\nxor r0.x, r0.x, l(1)\n"
    "ld_structured r0.x, r0.x, l(0), g0.xxxx\nstore_raw u0.x, l(0), r0.x\nret\n"
)
WORD = np.zeros(1, np.uint32)


@pytest.mark.parametrize("guards", ["d3d", "report"])
def test_races(either: Device, guards: str) -> None:
    """Each of 8 threads loads what its neighbour stores: 8 races in each of 3 groups."""
    result = either.kernel(RACY.format(barrier=""), guards=guards).dispatch(3, u0=WORD)
    races = [row[1] for row in Table(result).rows if row[0] == "races"]
    if either.info.type == "reference":
        assert races == ["24, see result.races"]
        assert repr(result).endswith("u0: uint32[1], 24 races>")
    else:
        assert races == ([IN_PYTHON.removeprefix("races: ")] if guards == "report" else [])
        assert repr(result).endswith("u0: uint32[1]>")
    ordered = either.kernel(RACY.format(barrier="sync_g_t\n"), guards=guards).dispatch(3, u0=WORD)
    if either.info.type == "reference":
        assert ["races", "0"] in Table(ordered).rows
        assert "race" not in repr(ordered)


UNSOUGHT = "races: not looked for here; open_device('reference') or --device reference finds them"
IN_PYTHON = UNSOUGHT.replace(" or --device reference", "")  # of notebooks


def test_races_that_a_device_does_not_look_for(either: Device) -> None:
    """Only kernels with group-shared memory say so."""
    found = either.kernel(RACY.format(barrier=""), guards="report").dispatch(3, u0=WORD).violations
    texts = [repr(found), found.summary(), found.table(), found.page()]
    if either.info.type == "reference":
        assert UNSOUGHT not in "".join(texts)
        return
    assert repr(found) == f"violations: 0\n{UNSOUGHT}"
    assert Table(found).captions == [f"violations: 0; {IN_PYTHON}"]
    assert found.summary() == found.table() == f"no violations\n{UNSOUGHT}"
    assert "Races: not looked for here" in found.page()
    assert UNSOUGHT not in found.harmful().summary()  # failures of tests have no such note
    copied = pickle.loads(pickle.dumps(found))
    assert repr(copied) == "violations: 0"
    few = either.kernel(SAXPY, guards="report").dispatch(1, t0=X[:3], u0=X, cb0=PARAMS).violations
    assert "race" not in repr(few) + few.summary() + few.table()


def test_races_by_instructions(machine: Any) -> None:
    """A row for each pair of instructions, however many races there are."""
    kernel = machine.kernel(RACY.format(barrier=""))
    races, nothing = kernel.dispatch(1000, u0=WORD).races, kernel.dispatch(0, u0=WORD)
    caption = "races: 8,000"
    heading = ["count", "register", "first", "then", "for example"]
    store, load = "store at line 8 (instruction 0)", "load at line 11 (instruction 3)"
    example = "byte 0x4, threads 1,0,0 and 0,0,0"
    table = Table(races)
    assert (len(races), races.total) == (4096, 8000)
    assert table.captions == [caption]
    assert table.rows == [heading, ["8,000", "g0", store, load, example]]
    first, second, row = repr(races).splitlines()
    assert (first, second.split()[:3]) == (caption, heading[:3])
    assert row.split() == " ".join(table.rows[1]).split()
    assert repr(pickle.loads(pickle.dumps(races))) == repr(races)
    assert races == tuple(races)
    assert repr(nothing.races) == "races: 0"
    assert repr(nothing.divergent_barriers) == "divergent barriers: 0"


def test_divergent_barriers(machine: Any) -> None:
    """Drivers may hang."""
    barrier = "if_z vThreadIDInGroupFlattened.x\nsync_g_t\nendif\n"
    result = machine.kernel(RACY.format(barrier=barrier)).dispatch(1, u0=WORD)
    assert repr(result).endswith(", 1 divergent barrier>")
    assert ["divergent barriers", "1, see result.divergent_barriers"] in Table(result).rows
    heading = ["count", "threads wait at", "others left at", "for example"]
    row = ["1", "line 10 (instruction 2)", "line 9 (instruction 1)"]
    example = "thread 0,0,0 waits, thread 1,0,0 does not come"
    assert Table(result.divergent_barriers).rows == [heading, [*row, example]]


PRINTS = (
    "cs_5_0\ndcl_globalFlags refactoringAllowed\ndcl_uav_raw u0\ndcl_input vThreadID.x\n"
    'dcl_thread_group 8, 1, 1\nprintf "<%u>\\n", vThreadID.x\nerrorf "bad"\n'
    "store_raw u0.x, l(0), l(1)\nret\n"
)
LOOPS = PRINTS[: PRINTS.index("printf")] + (
    "loop\nbreakc_nz vThreadID.x\nstore_raw u0.x, l(0), vThreadID.x\nendloop\nret\n"
)


def test_messages(either: Device) -> None:
    kernel = either.kernel(PRINTS)
    assert "messages" in repr(kernel)
    result = kernel.dispatch(5, u0=np.zeros(4, np.uint32))
    assert repr(result).endswith("u0: uint32[4], 80 messages>")
    texts = [[f"{n},0,0", text] for n in range(40) for text in (f"<{n}>", "error: bad")]
    sent = Table(result.messages)
    assert sent.captions == ["messages: 80"]
    assert sent.rows == [["thread", "text"], *texts[:32], ["and 48 more"]]
    first, heading, *rows, last = repr(result.messages).splitlines()
    assert (first, heading.split(), last) == ("messages: 80", ["thread", "text"], "and 60 more")
    assert [row.split(maxsplit=1) for row in rows] == texts[:20]
    shown = [["messages", "80, see result.messages"]]
    shown += [[f"thread {thread}", text] for thread, text in texts[:3]]
    assert Table(result).rows[2:] == shown
    few = either.kernel(PRINTS, message_capacity=1).dispatch(1, u0=np.zeros(4, np.uint32))
    assert repr(few.messages).splitlines()[-1] == "and 15 more"
    nothing = kernel.dispatch(0, u0=np.zeros(4, np.uint32))
    assert repr(nothing.messages) == "messages: 0"
    assert Table(nothing).rows[2:] == [["messages", "0"]]


def test_a_shader_that_sends_nothing_has_no_messages(either: Device) -> None:
    """A driver that ends loops reports them in the binding for messages."""
    kernel = either.kernel(LOOPS)
    shown = Table(kernel)
    assert "messages" not in repr(kernel) + str(shown.rows)
    assert shown.rows[-1][0] == "u0"


def test_programs_and_modules() -> None:
    program = translate.load(SAXPY)
    count = len(translate.disassemble(program, numbers=True).split(": ")) - 1
    assert repr(program) == f"<Program 'saxpy.dxbc', cs_5_0, {count} instructions>"
    assert program.instruction_count == count
    module = translate.to_spirv(program)
    words = len(module.to_bytes()) // 4
    interface = "cs_5_0, 64 x 1 x 1 threads, cb0 Params, t0 x, u0 y"
    assert repr(module) == f"<SpirvModule {words} words, {interface}>"
    assert repr(translate.load(listing(9), file="a\x1b.asm")).startswith(r"<Program 'a\x1b.asm', ")
    assert repr(translate.load(listing(9))) == "<Program cs_5_0, 10 instructions>"


def test_explanations() -> None:
    program = translate.load(SHADERS / "moving_average.dxbc")  # docs/looking-inside.md lists them
    facts = f"{repr(program)[1:-1]}, accesses to memory: 5, with a check: 4"
    assert repr(translate.explain(program)) == f"<Explanation of {facts}>"


def test_futures_and_recordings(either: Device) -> None:
    kernel = either.kernel(SAXPY)
    future = kernel.dispatch_async(1, x=X, y=X, Params=PARAMS)
    future.wait()
    assert repr(future) == "<DispatchFuture done>"
    with either.record() as work:
        work.dispatch(kernel, 1, x=X, y=X, Params=PARAMS)
        work.clear(either.buffer(X))
        assert repr(work) == "<Recording steps: 2, dispatches: 1, being recorded>"
    assert repr(work) == "<Recording steps: 2, dispatches: 1, to be submitted>"
    work.close()
    assert repr(work) == "<Recording steps: 2, dispatches: 1, closed>"


def test_steps_and_bindings(either: Device) -> None:
    kernel = either.kernel(SAXPY)
    with either.record() as work:
        step = work.dispatch(kernel, 1, x=X, y=X, Params=PARAMS)
    assert repr(step) == "<DispatchStep 'saxpy', groups (1, 1, 1)>"
    binding = kernel.interface["Params"]
    assert repr(binding) == f"<Binding {binding}>"


def test_counters(either: Device) -> None:
    appends, numbers = either.kernel(SAXPY.with_name("append.dxbc")), np.arange(3, dtype=np.uint32)
    assert repr(appends.dispatch(3, numbers=numbers, even=numbers).counters) == "<Counters u0: 2>"
    kept = either.buffer(numbers, counter=0)
    counters = appends.dispatch(3, numbers=numbers, even=kept).counters
    assert repr(counters) == "<Counters u0: on the device>"
    assert repr(either.kernel(listing(1)).dispatch(1, u0=numbers).counters) == "<Counters none>"


def test_traced_steps(machine: Any) -> None:
    kernel = machine.kernel(SHADERS / "saxpy.dxbc")
    given = {"x": X, "y": X + 1, "Params": {"a": 0.5, "count": 4}}
    mad = next(s for s in kernel.trace(1, thread=(2, 0, 0), **given) if s.text.startswith("mad"))
    values = "in cb0[0].x 0.5, r0.x 2.0, r0.y 3.0; out r0.x 4.0"
    assert repr(mad) == f"<Step {mad.instruction}: mad r0.x, cb0[0].x, r0.x, r0.y; {values}>"
    assert repr(mad.results[0]) == "<Value dst: r0.x 4.0>"


def test_devices(either: Device) -> None:
    with vkrunner.open_device(either.info.index) as device:
        info = device.info
        line = f"{info.index} {info.name!r}, {info.type}"
        kind = type(device).__name__
        assert repr(device) == f"<{kind} {line}>"
        assert repr(info) == f"<DeviceInfo {line}>"
        made = [device.buffer(4), device.texture((1, 1), "r32_uint"), device.sampler()]
        made += [device.kernel(SAXPY), device.record()]
        rows = [["index", str(info.index)], ["name", info.name], ["type", info.type]]
        assert Table(device).rows[:3] == Table(info).rows[:3] == rows
        assert Table(device).rows[-1] == ["state", "open"]
    assert repr(device) == f"<{kind} {line}, closed>"
    assert Table(device).rows[-1] == ["state", "closed"]
    for each in made:
        assert repr(each).endswith(", its device is closed>")


def test_misspelt_names(either: Device) -> None:
    kernel = either.kernel(SAXPY)
    with pytest.raises(vkrunner.UnknownNameError, match=r"'Parms'.*Params\?"):
        kernel.dispatch(1, x=X, y=X, Parms=PARAMS)
    for option in ("formats", "guards", "defines", "message_capacity", "file"):
        with pytest.raises(vkrunner.UnknownNameError, match=f"; {option} is an option of device"):
            kernel.dispatch(1, x=X, y=X, Params=PARAMS, **{option: {}})
    with pytest.raises(vkrunner.UnknownNameError, match="'guard'"):
        either.kernel(SAXPY, guard="off")  # type: ignore[call-arg]
    two = either.kernel(listing(12)).dispatch(1, **{f"u{n}": X for n in range(12)})
    with pytest.raises(KeyError, match=r"no result 'u111'; .* did you mean u11\?"):
        _ = two["u111"]
    with pytest.raises(KeyError, match=r"no result 'yy'; there are u0 \(y\)"):
        _ = kernel.dispatch(1, x=X, y=X, Params=PARAMS)["yy"]
    result = kernel.dispatch(1, x=X, y=X, Params=PARAMS)
    for name in ("x", "t0", "Params"):
        with pytest.raises(KeyError, match=rf"'{name}' is an input, not a result; there are u0"):
            _ = result[name]
        with pytest.raises(AttributeError, match=f"'{name}' is an input, not a result"):
            getattr(result, name)
