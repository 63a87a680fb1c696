"""The compiled shaders in `data`; its manifest names their sources."""

from pathlib import Path

DATA = Path(__file__).parent / "data"


def shader(name: str) -> Path:
    return DATA / f"{name}.dxbc"
