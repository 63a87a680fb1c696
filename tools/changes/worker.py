"""Translate shaders with the `translate` of PYTHONPATH, which may be an older one.

Reads a folder, names of guard modes and of files in the folder, as JSON; writes for each file and
mode the number of words and a digest, or the error and null.
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path
from typing import Any

import translate


def result(path: Path, mode: str) -> tuple[str, str | None]:
    chosen: dict[str, Any] = {} if mode == "default" else {"guards": mode}
    try:
        options = translate.Options(validate=False, **chosen)
        data = translate.to_spirv(translate.load(path), options).to_bytes()
    except Exception as error:  # an internal one too: the other shaders are still compared
        return f"{type(error).__name__}: {error}".splitlines()[0], None
    return str(len(data) // 4), hashlib.sha256(data).hexdigest()


if __name__ == "__main__":
    folder, modes, names = json.load(sys.stdin)
    found = {name: {mode: result(Path(folder, name), mode) for mode in modes} for name in names}
    json.dump(found, sys.stdout)
