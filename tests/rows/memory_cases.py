"""Raw and structured memories: contents and spelling; `tests/bounds` runs every access to them."""

from ..listings import literal
from .memory_model import RAW_DWORDS, Memory

Shape = tuple[int, int] | None  # (stride, count), None for raw
SHAPES: tuple[Shape, ...] = (None, (4, 9), (12, 5), (16, 4), (20, 3))


def initial(count: int) -> list[int]:
    """Dwords that are all different and not 0."""
    return [(0x9E3779B9 * (i + 1)) & 0xFFFFFFFF for i in range(count)]


def memory(shape: Shape) -> Memory:
    """Raw for None, else (stride, count)."""
    if shape is None:
        return Memory(initial(RAW_DWORDS))
    stride, count = shape
    return Memory(initial(stride * count // 4), stride)


def named(shape: Shape, register: str) -> str:
    return f"{register}, raw" if shape is None else f"{register}, stride {shape[0]}"


def declaration(register: str, shape: Shape) -> str:
    """The declaration of a resource or of shared memory."""
    if register.startswith("g"):
        if shape is None:
            return f"dcl_tgsm_raw {register}, {4 * RAW_DWORDS}"
        return f"dcl_tgsm_structured {register}, {shape[0]}, {shape[1]}"
    kind = "uav" if register.startswith("u") else "resource"
    return f"dcl_{kind}_" + (
        f"raw {register}" if shape is None else f"structured {register}, {shape[0]}"
    )


def loading(
    target: str, address: str, register: str, swizzle: str, shape: Shape, feedback: str = ""
) -> str:
    """A load; `address` is the register with the address in .x, or in .x and .y."""
    name = "ld_raw" if shape is None else "ld_structured"
    kind = "raw_buffer" if shape is None else f"structured_buffer, stride={shape[0]}"
    at = f"{address}.x" if shape is None else f"{address}.x, {address}.y"
    status = f", {feedback}" if feedback else ""
    suffix = "_s" if feedback else ""
    if not register.startswith("g"):
        suffix = f"_indexable({kind})(mixed,mixed,mixed,mixed)" if not feedback else suffix
    return f"{name}{suffix} {target}{status}, {at}, {register}.{swizzle}"


def storing(register: str, mask: str, address: str, value: str, shape: Shape) -> str:
    name = "store_raw" if shape is None else "store_structured"
    at = f"{address}.x" if shape is None else f"{address}.x, {address}.y"
    return f"{name} {register}.{mask}, {at}, {value}"


def _where(at: int, shape: Shape) -> str:
    """The address of a dword, as immediates."""
    if shape is None:
        return f"l({4 * at})"
    return f"l({4 * at // shape[0]}), l({4 * at % shape[0]})"


def filling(register: str, shape: Shape) -> list[str]:
    """Fill shared memory with the contents of `memory`, in the only thread."""
    name = "store_raw" if shape is None else "store_structured"
    return [
        f"{name} {register}.x, {_where(at, shape)}, {literal([value])}"
        for at, value in enumerate(memory(shape).dwords)
    ]


def draining(register: str, shape: Shape) -> list[str]:
    """Copy shared memory to the raw u0."""
    name = "ld_raw" if shape is None else "ld_structured"
    body: list[str] = []
    for at in range(len(memory(shape).dwords)):
        body.append(f"{name} r7.x, {_where(at, shape)}, {register}.xxxx")
        body.append(f"store_raw u0.x, l({4 * at}), r7.x")
    return body
