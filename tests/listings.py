"""Listings that tests write, and those in their data files."""

from collections.abc import Iterable, Sequence
from pathlib import Path


def listing(
    body: Iterable[str],
    declarations: Iterable[str] = (),
    *,
    temps: int = 8,
    group: Sequence[int] = (64, 1, 1),
    profile: str = "cs_5_0",
    flags: Sequence[str] = (),
    inputs: Sequence[str] = ("vThreadID.xyz",),
) -> str:
    """A whole listing. Without `refactoringAllowed` in `flags` all arithmetic is precise."""
    head = [profile]
    if flags:
        head.append("dcl_globalFlags " + " | ".join(flags))
    head += [*declarations, *(f"dcl_input {name}" for name in inputs), f"dcl_temps {temps}"]
    head.append("dcl_thread_group {}, {}, {}".format(*group))
    return "\n".join([*head, *body, "ret"]) + "\n"


def load(register: str, resource: str, byte_offset: int = 0, stride: int = 16) -> str:
    """Four dwords of this thread's structure."""
    kinds = f"(structured_buffer, stride={stride})(mixed,mixed,mixed,mixed)"
    address = f"vThreadID.x, l({byte_offset})"
    return f"ld_structured_indexable{kinds} {register}.xyzw, {address}, {resource}.xyzw"


def store(register: str, byte_offset: int = 0, resource: str = "u0") -> str:
    """Four dwords to this thread's structure."""
    return f"store_structured {resource}.xyzw, vThreadID.x, l({byte_offset}), {register}.xyzw"


def literal(values: Iterable[int]) -> str:
    """An immediate by its bits."""
    return "l({})".format(", ".join(f"0x{value & 0xFFFFFFFF:08x}" for value in values))


def blocks(path: Path) -> dict[str, str]:
    """The listings of a file by name: a line `// NAME` begins one, an empty line ends it."""
    texts = path.read_text("utf-8").removeprefix("// ").removesuffix("\n").split("\n\n// ")
    pairs = (text.partition("\n") for text in texts)
    return {name: lines for name, _, lines in pairs}


def titled(path: Path) -> dict[str, tuple[list[str], str]]:
    """The same for titles `NAME: WORDS`: the words and the listing by the name."""
    pairs = ((title.partition(":"), text) for title, text in blocks(path).items())
    return {name: (words.split(), text) for (name, _, words), text in pairs}
