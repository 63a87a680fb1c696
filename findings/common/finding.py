"""The end of each script: what was seen is printed and compared with what the script states."""


def check(what, seen, stated, expected):
    """Prints what was seen. If it is no longer what the script states, ends with 1."""
    print(f"{what}\n    seen:     {seen}\n    expected: {expected}")
    if seen != stated:
        raise SystemExit(f"changed: the script states {stated}")


def bits(values):
    """Floats or integers of 32 bits as hexadecimal numbers."""
    return " ".join(f"0x{int(value):08x}" for value in values.view("u4").reshape(-1))
