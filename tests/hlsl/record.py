"""A compiler that records the real fxc's output for the stand-in: `python record.py OPTIONS FILE`.

    export RECORDED_FXC="wine fxc.exe" SM5VK_FXC="python $PWD/tests/hlsl/record.py" SM5VK_CACHE=0
    python -m vkrunner test tests/hlsl/vkd3d --device reference

RECORDED_FXC is the real fxc. For a source that it refuses the messages are recorded.
"""

import os
import shlex
import subprocess
import sys
from pathlib import Path

from fxc import RECORDED, first_line, moved, name_of, parse


def main(words: list[str]) -> int:
    """Compile with the real fxc, and record the result."""
    given = parse(words)
    own = Path(given.source).read_bytes().decode("latin-1").partition("\n")[2]
    command = [*shlex.split(os.environ["RECORDED_FXC"]), *words]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    sys.stdout.write(done.stdout)
    sys.stderr.write(done.stderr)
    kept = RECORDED / name_of(given, own)
    RECORDED.mkdir(exist_ok=True)
    if done.returncode == 0:
        kept.with_suffix(".dxbc").write_bytes(Path(given.output).read_bytes())
    else:
        lines = (done.stdout + done.stderr).splitlines()
        said = [line for line in lines if "error X" in line or "internal error" in line]
        messages = moved("\n".join(said), "a.hlsl", -first_line(own))
        kept.with_suffix(".txt").write_text(messages + "\n")
    return done.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
