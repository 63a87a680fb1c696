"""Processes that die while they write, and many writers at the same time, damage nothing."""

import hashlib
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from tests.slow import share
from vkrunner.shader.cache.store import Store

ROOT = Path(__file__).parents[5]
KEYS = [hashlib.sha256(bytes([n])).hexdigest() for n in range(6)]

# A fork for every line of store.py that writing an entry executes, killed when it reaches the line.
# Prints the number of lines; the store has an older entry under the same key each time.
KILLED_AT_EVERY_LINE = """
import os, signal, sys
from pathlib import Path
from vkrunner.shader.cache import store as module
key, root = sys.argv[1], Path(sys.argv[2])
old, new = b"old" * 5000, b"new" * 7000

def write(store, stop):
    left = [stop]
    def trace(frame, event, argument):
        if frame.f_code.co_filename != module.__file__:
            return None
        if event == "line":
            left[0] -= 1
            if left[0] < 0:
                os.kill(os.getpid(), signal.SIGKILL)
        return trace
    sys.settrace(trace)
    store.write(key, new)
    sys.settrace(None)
    os._exit(0)

line = 0
while True:
    store = module.Store(root / str(line), 1 << 20)
    store.write(key, old)
    process = os.fork()
    if process == 0:
        write(store, line)
    status = os.waitpid(process, 0)[1]
    assert store.read(key) in (old, new), line
    if status == 0:
        break
    store.write(key, new)
    assert store.read(key) == new, line
    line += 1
print(line)
"""

WRITES_FOR_EVER = """
import sys
from vkrunner.shader.cache.store import Store
from pathlib import Path
store, keys = Store(Path(sys.argv[1]), 16 * 600_000), sys.argv[2:]
number = 0
while True:
    for key in keys:
        store.write(key, key.encode() * (1 + number % 2000))
    number += 1
    print(number, flush=True)
"""

WRITES_AND_READS = """
import random, sys
from vkrunner.shader.cache.store import Store
from pathlib import Path
store, keys = Store(Path(sys.argv[1]), 16 * 20_000), sys.argv[3:]
choose = random.Random(sys.argv[2])
for _ in range(300):
    key = choose.choice(keys)
    store.write(key, key.encode() * choose.randint(1, 200))
    found = store.read(choose.choice(keys))
    if found is not None:
        assert found == found[:64] * (len(found) // 64) and found[:64].decode() in keys, found
"""


def start(code: str, *arguments: object) -> subprocess.Popen[str]:
    words, pipe = [sys.executable, "-c", code, *map(str, arguments)], subprocess.PIPE
    return subprocess.Popen(words, cwd=ROOT, stdout=pipe, stderr=pipe, text=True)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
def test_killed_at_any_line(tmp_path: Path) -> None:
    process = start(KILLED_AT_EVERY_LINE, KEYS[0], tmp_path)
    out, err = process.communicate()
    assert process.returncode == 0, err
    assert int(out) > 20, "it was killed at fewer lines than writing has"


@pytest.mark.parametrize("seed", share(range(8), str, 9, "processes that are killed"))
def test_killed_at_random(tmp_path: Path, seed: int) -> None:
    """Whenever the process is killed, each entry was written whole, and can be replaced."""
    process = start(WRITES_FOR_EVER, tmp_path, *KEYS)
    assert process.stdout is not None
    for _ in range(random.Random(seed).randint(1, 40)):
        assert process.stdout.readline()
    process.kill()
    process.communicate()
    store = Store(tmp_path, 16 * 600_000)
    for key in KEYS:
        found = store.read(key)
        assert found is not None, "every key was written before the first line came"
        assert found == key.encode() * (len(found) // 64)
        store.write(key, b"after")
        assert store.read(key) == b"after"


def test_many_writers(tmp_path: Path) -> None:
    processes = [start(WRITES_AND_READS, tmp_path, seed, *KEYS) for seed in range(4)]
    errors = [process.communicate()[1] for process in processes]
    assert errors == [""] * 4
    store = Store(tmp_path, 16 * 20_000)
    for key in KEYS:
        assert (store.read(key) or b"")[:64] in (b"", key.encode())
    assert store.usage().size_bytes <= store.limit_bytes
    assert not list(tmp_path.rglob("*.tmp"))
