from translate.reflection import Reflection
def read_header(lines: list[str], version: tuple[int, int]) -> Reflection | None:
    return None
